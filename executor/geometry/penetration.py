"""How deep one body sits in another: the shortest move that frees it."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from .body import SKIN, Body
from .mesh import FloatArray, IntArray
from .sweep import Encounters, crossing_pairs, swept_intervals

TOUCHING = 5e-5
"""Depths up to this count as touching, metres: more than `SKIN` and float32 matrices blur."""

SAMPLE = 48
"""Crossing pairs that directions and first bounds are taken from."""

MERGE = float(np.cos(np.radians(10)))
"""Directions closer than 10° are one."""

MOST_AXES = 12
"""Directions kept of the normals, and of the edge axes, each with both signs."""

LOOK_AHEAD = 0.001
"""How far a first look goes, metres; each further look along a direction goes twice as far."""

BUDGET = 500_000
"""Triangle pairs looked at for one answer, about a second; then the bound found so far has to do."""

_GRID = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3), -1).reshape(-1, 3)
CUBE: FloatArray = _GRID[np.any(_GRID, 1)] / np.linalg.norm(_GRID[np.any(_GRID, 1)], axis=1)[:, None]
"""To the faces, edges and corners of a cube, ``(26, 3)``."""


@dataclass(frozen=True, eq=False)
class Penetration:
    """The shortest move found that frees a body.

    Attributes:
        depth: metres; 0 when the bodies are apart or only touch.
        direction: ``(3,)``, unit vector; moving the first body by ``depth`` along it frees it. Zero if it
            is free.
        exact: False if the search ended early (at ``cap``, or out of budget): then the depth is more than
            ``depth``.
    """

    depth: float
    direction: FloatArray
    exact: bool


def is_deeper_than(a: Body, b: Body, tolerance: float) -> bool:
    """Whether no move of ``tolerance`` metres, along the directions tried, frees ``a`` from ``b``."""
    overlap = np.minimum(a.hull.high - b.hull.low, b.hull.high - a.hull.low).min()
    if overlap <= tolerance:
        return False
    found = penetration_depth(a, b, cap=tolerance)
    return found.depth > tolerance or not found.exact


def penetration_depth(a: Body, b: Body, cap: float = 0.05) -> Penetration:
    """The smallest translation of ``a`` that frees it from ``b``, along some 75 directions, searched up to
    ``cap``.

    Open meshes count as thin sheets. A loose part wholly inside the matter of a watertight part is not free.

    Directions are those of a cube, the normals of the crossing triangles and the cross products of their
    edges. For each, a lower bound of its free shift is known: the longest that a crossing pair takes to
    part. The direction with the smallest bound is looked at more closely, which raises its bound or proves
    it free, until the smallest is free (best-first search). The depth is an upper bound of the true one:
    0.3 % above it on average, for random boxes.
    """
    if (np.minimum(a.hull.high - b.hull.low, b.hull.high - a.hull.low) <= SKIN).any():
        return _FREE
    crossing = crossing_pairs(a, b)
    if not len(crossing) and not _contained(a, b, np.zeros(3)):
        return _FREE
    sample = crossing[np.linspace(0, len(crossing) - 1, min(SAMPLE, len(crossing))).astype(int)]
    directions = _directions(a, b, crossing, sample)
    _, leave = swept_intervals(a.skin.corners[sample[:, 0]], b.surface.corners[sample[:, 1]], directions)
    bounds = leave.max(0, initial=0.0)
    exits = (b.mesh.vertices @ directions.T).max(0) - (a.mesh.vertices @ directions.T).min(0) - SKIN

    # Entries: shift, 0 if free there or else 1, direction. Past its exit a direction is free without a look.
    queue = [(float(shift), 0, k) for k, shift in enumerate(exits)]
    queue += [(float(shift), 1, k) for k, shift in enumerate(bounds)]
    heapify(queue)
    budget = BUDGET
    while True:
        shift, blocked, k = heappop(queue)
        depth = max(shift + SKIN, 0.0)
        if not blocked:
            return Penetration(depth, directions[k], True) if depth > TOUCHING else _FREE
        if depth > cap or budget <= 0:
            return Penetration(depth, directions[k], False)
        shift, free, cost = _climb(a, b, directions[k], shift, min(2 * shift + LOOK_AHEAD, cap + SKIN))
        budget -= cost
        heappush(queue, (shift, 0 if free else 1, k))


def _climb(a: Body, b: Body, direction: FloatArray, shift: float, end: float) -> tuple[float, bool, int]:
    """Up to which shift, from ``shift`` to ``end``, ``a`` is blocked; whether it is free there; the cost."""
    encounters = Encounters(a, b, direction, shift, end)
    while (shift := encounters.blocked_until(shift)) < end:
        if not _contained(a, b, shift * direction):
            return shift, True, len(encounters)
        shift = encounters.first_hit(shift)
    return shift, False, len(encounters)


def _contained(a: Body, b: Body, shift: FloatArray) -> bool:
    """Whether a loose part of one lies in the other's matter, ``a`` shifted; asked where nothing crosses."""
    return bool(b.encloses(a.probes + shift).any() or a.encloses(b.probes - shift).any())


def _directions(a: Body, b: Body, crossing: IntArray, sample: IntArray) -> FloatArray:
    """The directions along which ``a`` may leave ``b``, ``(d, 3)``."""
    if not len(crossing):
        return CUBE
    in_a, in_b = np.unique(crossing[:, 0]), np.unique(crossing[:, 1])
    normals = np.concatenate([a.normals[in_a], b.normals[in_b]])
    p, q = a.surface.corners[sample[:, 0]], b.surface.corners[sample[:, 1]]
    edges_p, edges_q = p[:, [1, 2, 0]] - p, q[:, [1, 2, 0]] - q
    across = np.cross(edges_p[:, :, None], edges_q[:, None, :]).reshape(-1, 3)
    areas = np.concatenate([a.areas[in_a], b.areas[in_b]])
    axes = np.concatenate([_distinct(normals, areas), _distinct(across, np.sqrt((across**2).sum(1)))])
    directions: FloatArray = np.concatenate([CUBE, axes, -axes])
    return directions


def _distinct(vectors: FloatArray, weights: FloatArray) -> FloatArray:
    """At most `MOST_AXES` unit axes that stand for all: heaviest first, each drops those within 10° of it."""
    length = np.sqrt((vectors**2).sum(1))
    order = np.argsort(-weights)
    order = order[length[order] > 1e-12]
    rest = vectors[order] / length[order, None]
    kept: list[FloatArray] = []
    while len(rest) and len(kept) < MOST_AXES:
        kept.append(rest[0])
        rest = rest[np.abs(rest @ rest[0]) < MERGE]
    distinct: FloatArray = np.array(kept).reshape(-1, 3)
    return distinct


_FREE = Penetration(0.0, np.zeros(3), True)
