"""Where one thing rests on another: edges of one clipped by faces of the other, seen from above.

Two meshes touch in an area bounded by pieces of their edges. Clipping the underside's edges by the upward
triangles below them, and the other way round, finds the corners of that area exactly, however coarse or
dense the meshes are: a plank over two stools has no vertex where it rests, and tube legs slip between
sampled rays.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from .body import Body, Soup, soup_pairs
from .broad_phase import CHUNK, Indices
from .mesh import FloatArray

REACHES = (0.05, 1e6)
"""Heights below a falling thing that are searched, one after the other, metres."""

EPS = 1e-9
"""Rounding error of a clip, metres."""


class _Clipped(NamedTuple):
    """Pieces of edges over triangles: ends ``(k, 2, 3)`` and their heights above the triangle, ``(k, 2)``."""

    ends: FloatArray
    heights: FloatArray


@dataclass(frozen=True, eq=False)
class Contacts:
    """Corners of the area where S rests on T.

    Attributes:
        points: ``(k, 3)``, world, on S or T.
        gaps: ``(k,)`` vertical distance there, S above T; negative where S is sunk.
    """

    points: FloatArray
    gaps: FloatArray

    def __bool__(self) -> bool:
        return len(self.points) > 0

    def __add__(self, other: Contacts) -> Contacts:
        """Both together: a thing may rest half on a rug and half on the floor."""
        return Contacts(np.concatenate([self.points, other.points]), np.concatenate([self.gaps, other.gaps]))

    @property
    def gap(self) -> float:
        """The typical signed gap (median), metres."""
        return float(np.median(self.gaps))

    @property
    def height(self) -> float:
        """Mean height of the contact points, metres, world."""
        return float(self.points[:, 2].mean())

    def carry(self, centre_of_mass: FloatArray) -> bool:
        """Whether a thing with this centre of mass, ``(3,)`` or ``(2,)``, stays up on these contacts."""
        return hull_contains(self.points[:, :2], centre_of_mass[:2])


def contacts(s: Body, t: Body, below: float = 0.005, sink: float = 0.002) -> Contacts:
    """Where S's underside lies on T's upward faces (at most 30° steep).

    Args:
        s: what rests.
        t: what carries.
        below: largest gap that still counts as contact, metres.
        sink: how deep S may be sunk where it touches. Sinking is not judged here: see `penetration_depth`.
    """
    return contacts_of([(s, t)], below, sink)[0]


def contacts_of(pairs: Sequence[tuple[Body, Body]], below: float, sink: float) -> list[Contacts]:
    """`contacts` of many pairs ``(s, t)`` at once: far quicker than one by one where bodies are simple."""
    over = _clip([(s.underside.edges, t.bearing.faces) for s, t in pairs], -sink, below)
    under = _clip([(t.bearing.edges, s.underside.faces) for s, t in pairs], -below, sink)
    return [
        Contacts(np.concatenate([o.ends, u.ends]).reshape(-1, 3), np.concatenate([o.heights, -u.heights]).ravel())
        for o, u in zip(over, under, strict=True)
    ]


def resting_gap(s: Body, t: Body, sink: float = 0.002) -> float:
    """How far S falls, straight down, until it lies on T: its smallest height over T, infinite if T is not
    below.

    Exact, as the smallest height occurs at a vertex over a face, a face over a vertex, or where edges cross.

    Args:
        s: what falls.
        t: what is fallen on.
        sink: what of T lies higher than this above S's underside, metres, is not below S: the upper boards of
            a shelf. The result is at least ``-sink``.
    """
    lowest = np.inf
    for reach in REACHES:
        over = _clip([(s.underside.edges, t.topside.faces)], -sink, reach)[0].heights
        under = _clip([(t.topside.edges, s.underside.faces)], -reach, sink)[0].heights
        lowest = min(over.min(initial=np.inf), (-under).min(initial=np.inf))
        if lowest < np.inf:
            break
    return float(lowest)


def hull_contains(points: FloatArray, position: FloatArray, grow: float = 0.01) -> bool:
    """Whether the convex hull of points ``(k, 2)``, grown by ``grow`` metres, contains ``position`` (2,)."""
    if not len(points):
        return False
    hull = shapely.convex_hull(shapely.multipoints(points))
    return bool(shapely.dwithin(hull, shapely.points(position), grow))


def _clip(pairs: Sequence[tuple[Soup, Soup]], low: float, high: float) -> list[_Clipped]:
    """Per pair ``(edges, faces)``: the pieces of the edges that lie over (or under) a face, with their height above
    it in ``low … high``.

    In plan an edge is cut by the three sides of a triangle; the height above the triangle's plane changes
    linearly along it, so its two bounds are two more cuts (parametric line clipping, Cyrus and Beck 1978).
    """
    owners, ends, heights = [np.empty(0, np.intp)], [np.empty((0, 2, 3))], [np.empty((0, 2))]
    for owner, edges, faces in _close_pairs(pairs, low, high):
        kept, clipped = _clip_pairs(edges, faces, low, high)
        owners.append(owner[kept])
        ends.append(clipped.ends)
        heights.append(clipped.heights)
    bounds = np.searchsorted(np.concatenate(owners), np.arange(len(pairs) + 1))
    all_ends, all_heights = np.concatenate(ends), np.concatenate(heights)
    return [_Clipped(all_ends[a:b], all_heights[a:b]) for a, b in itertools.pairwise(bounds)]


def _close_pairs(
    pairs: Sequence[tuple[Soup, Soup]], low: float, high: float
) -> Iterator[tuple[Indices, FloatArray, FloatArray]]:
    """Edges and faces whose boxes meet, of many pairs together: number of the pair ``(k,)``, rising, edge
    ``(k, 2, 3)`` and face ``(k, 3, 3)``.
    """
    found: list[tuple[int, FloatArray, FloatArray]] = []
    waiting = 0
    for number, (edges, faces) in enumerate(pairs):
        for e, f in soup_pairs(edges, faces, np.array([0, 0, -high]), np.array([0, 0, -low])):
            found.append((number, edges.corners[e], faces.corners[f]))
            waiting += len(e)
        if waiting >= CHUNK:
            yield _stacked(found)
            found, waiting = [], 0
    if found:
        yield _stacked(found)


def _stacked(found: list[tuple[int, FloatArray, FloatArray]]) -> tuple[Indices, FloatArray, FloatArray]:
    numbers, edges, faces = zip(*found, strict=True)
    return np.repeat(numbers, [len(e) for e in edges]), np.concatenate(edges), np.concatenate(faces)


def _clip_pairs(edges: FloatArray, faces: FloatArray, low: float, high: float) -> tuple[NDArray[np.bool_], _Clipped]:
    """`_clip` for edges ``(k, 2, 3)`` and faces ``(k, 3, 3)`` paired one to one: which are left ``(k,)``, and what."""
    ends = edges - faces[:, :1]
    u, v = faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]
    turn = _cross(u, v)
    slope_x = _cross(u[:, [1, 2]], v[:, [1, 2]]) / turn
    slope_y = _cross(u[:, [2, 0]], v[:, [2, 0]]) / turn
    heights = ends[:, :, 2] + slope_x[:, None] * ends[:, :, 0] + slope_y[:, None] * ends[:, :, 1]

    sides = np.stack([u, v - u, -v])  # (3, k, 3), each with the corner it starts from
    corners = np.stack([np.zeros_like(u), u, v])
    scale = np.sign(turn) / np.maximum(np.hypot(sides[:, :, 0], sides[:, :, 1]), 1e-12)
    inside = _cross(sides[:, :, None], ends - corners[:, :, None]) * scale[:, :, None]
    span = _span(np.concatenate([inside, (heights - low)[None], (high - heights)[None]]))

    kept = span[:, 0] <= span[:, 1]
    span, start, end = span[kept, :, None], edges[kept, :1], edges[kept, 1:]
    first, last = heights[kept, :1], heights[kept, 1:]
    return kept, _Clipped(start + span * (end - start), first + span[:, :, 0] * (last - first))


def _cross(u: FloatArray, v: FloatArray) -> FloatArray:
    """z of the cross product, of the first two coordinates."""
    z: FloatArray = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return z


def _span(values: FloatArray) -> FloatArray:
    """Where on 0 … 1 linear functions with these end values, ``(n, k, 2)``, are all ≥ 0: ``(k, 2)``, empty where
    the first exceeds the second.
    """
    start, end = values[:, :, 0] + EPS, values[:, :, 1] + EPS
    rises, falls = (start < 0) & (end >= 0), (start >= 0) & (end < 0)
    crosses = rises | falls
    zero = np.divide(start, start - end, out=np.zeros_like(start), where=crosses)
    first = np.where(rises, zero, 0.0).max(0)
    first[((start < 0) & (end < 0)).any(0)] = np.inf
    last = np.where(falls, zero, 1.0).min(0)
    return np.stack([first, last], 1)
