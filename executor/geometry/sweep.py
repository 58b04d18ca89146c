"""When moving triangles meet: exact intervals, crossings and free ways.

Triangle A, moved by t·d, meets triangle B for one interval of shifts t, as both are convex. Along every
axis that could part them (two normals, nine cross products of edges, six in-plane edge normals for coplanar
triangles) their projections overlap for an interval of t, and they meet where all seventeen do (separating
axis theorem: Gottschalk, Lin and Manocha 1996; for moving shapes Schneider and Eberly, Geometric Tools for
Computer Graphics, 2003, 11.11).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .body import SKIN, Body, Soup, soup_pairs
from .broad_phase import Indices
from .mesh import FloatArray, IntArray

TOUCH = 1e-7
"""Overlaps up to this are rounding, metres."""

FIRST_LEG = 0.05
"""Length of the way that `free_distance` searches first, metres."""

BATCH = 64
"""Exact intervals worked out together."""


class Projections(NamedTuple):
    """Triangle pairs seen along the axes that could part them.

    Attributes:
        axes: ``(k, 17, 3)``, unit vectors, zero where the triangles' edges define none.
        low: ``(k, 17)``; shifting A along the axis by ``low`` to ``high`` makes its projection overlap B's.
        high: ``(k, 17)``.
    """

    axes: FloatArray
    low: FloatArray
    high: FloatArray


def project(a: FloatArray, b: FloatArray) -> Projections:
    """Triangles ``a`` and ``b``, ``(k, 3, 3)`` each and paired one to one, along their seventeen axes."""
    edges_a, edges_b = _unit(a[:, [1, 2, 0]] - a), _unit(b[:, [1, 2, 0]] - b)
    normal_a, normal_b = (_unit(_cross(e[:, :1], e[:, 1:2])) for e in (edges_a, edges_b))
    between = _unit(_cross(edges_a[:, [0, 0, 0, 1, 1, 1, 2, 2, 2]], edges_b[:, [0, 1, 2, 0, 1, 2, 0, 1, 2]]))
    in_plane = [_cross(normal_a, edges_a), _cross(normal_b, edges_b)]
    axes = np.concatenate([normal_a, normal_b, between, *in_plane], 1)
    along_a, along_b = axes @ a.swapaxes(1, 2), axes @ b.swapaxes(1, 2)
    low, high = _min3(along_b) - _max3(along_a), _max3(along_b) - _min3(along_a)
    undefined = (axes == 0).all(2)
    low[undefined], high[undefined] = -np.inf, np.inf
    return Projections(axes, low, high)


def swept_intervals(a: FloatArray, b: FloatArray, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """From which to which shift along each direction triangle ``a`` meets ``b``; reversed where it never
    does.

    Args:
        a: ``(k, 3, 3)``, what moves.
        b: ``(k, 3, 3)``, paired one to one.
        directions: ``(d, 3)``, unit vectors.

    Returns:
        ``enter`` and ``leave``, each ``(k, d)``, metres. Mere touching is left out, up to `TOUCH`.
    """
    seen = project(a, b)
    speed = seen.axes @ directions.T
    still = np.abs(speed) < 1e-9
    speed[still] = 1
    low, high = seen.low[:, :, None] / speed, seen.high[:, :, None] / speed
    overlap = ((seen.low < -TOUCH) & (seen.high > TOUCH))[:, :, None]
    enter = np.where(still, np.where(overlap, -np.inf, np.inf), np.minimum(low, high)).max(1)
    leave = np.where(still, np.where(overlap, np.inf, -np.inf), np.maximum(low, high)).min(1)
    touching = leave - enter <= TOUCH
    enter[touching], leave[touching] = np.inf, -np.inf
    return enter, leave


def crossing_pairs(a: Body, b: Body) -> IntArray:
    """Triangles of ``a`` and ``b`` that pass through each other, ``(k, 2) int32``; touching is left out.

    As fast as Blender's ``BVHTree.overlap``, which moreover reports some touching pairs and misses others.
    """
    skin = a.skin
    found = [np.empty((0, 2), np.int32)]
    for i, j in soup_pairs(skin, b.surface):
        p, q = skin.corners[i], b.surface.corners[j]
        near = _straddles(p, q)
        near[near] = _straddles(q[near], p[near])
        i, j = i[near], j[near]
        seen = project(p[near], q[near])
        crosses = ((seen.low < -TOUCH) & (seen.high > TOUCH)).all(1)
        found.append(np.stack([i[crosses], j[crosses]], 1).astype(np.int32))
    return np.concatenate(found)


def free_distance(a: Body, obstacles: Iterable[Body], direction: FloatArray, limit: float) -> float:
    """How far ``a`` can move along a unit ``direction`` ``(3,)`` until it first touches an obstacle, at
    most ``limit``.

    What it already touches does not stop it from sliding along, but what it is sunk into does (a support it
    is 1 mm deep in stops it at 0): leave such obstacles out. Exact to 0.02 mm.
    """
    rear = (a.mesh.vertices @ direction).min(initial=np.inf)
    for obstacle in obstacles:
        past = float((obstacle.mesh.vertices @ direction).max(initial=-np.inf) - rear)
        begin, end = 0.0, min(FIRST_LEG, limit)
        while begin < min(limit, past):
            hit = Encounters(a, obstacle, direction, begin, end).first_hit(begin)
            if hit < end:
                limit = max(hit - SKIN, 0.0)
            begin, end = end, min(2 * end, limit)
    return limit


class Encounters:
    """The triangle pairs of two bodies that may meet while ``a`` moves from shift ``begin`` to ``end``.

    Their exact intervals are costly (17 axes), so they are worked out a few at a time, and only those that
    can change an answer: five cheap axes bound each beforehand.
    """

    def __init__(self, a: Body, b: Body, direction: FloatArray, begin: float, end: float) -> None:
        self._a, self._b, self._direction = a.skin.corners, b.surface.corners, direction
        self._end = end
        found = [(np.empty(0, np.intp),) * 2 + (np.empty(0),) * 2]
        low, high = np.sort([begin * direction, end * direction], 0)
        for i, j in soup_pairs(a.skin, b.surface, low, high):
            enter, leave = _cheap_intervals(a.skin, b.surface, i, j, direction)
            meets = (enter < end) & (leave > np.maximum(enter, begin) + TOUCH)
            found.append((i[meets], j[meets], enter[meets], leave[meets]))
        self._i, self._j, self._enter, self._leave = (np.concatenate(column) for column in zip(*found, strict=True))
        self._exact = np.zeros(len(self._i), bool)

    def __len__(self) -> int:
        return len(self._i)

    def first_hit(self, shift: float) -> float:
        """The first shift from ``shift`` on at which triangles meet, ``end`` if none do before."""
        hit = self._end
        while True:
            ahead = np.flatnonzero((self._leave > shift + TOUCH) & (self._enter < hit) & ~self._exact)
            if not len(ahead):
                return hit
            self._measure(ahead[np.argsort(self._enter[ahead])[:BATCH]])
            met = self._exact & (self._leave > shift + TOUCH)
            hit = min(hit, float(np.maximum(self._enter[met], shift).min(initial=self._end)))

    def blocked_until(self, shift: float) -> float:
        """The end of the unbroken run of shifts, from ``shift`` on, at which triangles meet."""
        while shift < self._end:
            over = np.flatnonzero((self._enter <= shift + TOUCH) & (self._leave > shift + TOUCH))
            if not len(over):
                break
            sure = over[self._exact[over]]
            if len(sure):
                shift = float(self._leave[sure].max())
            else:
                self._measure(over[np.argsort(-self._leave[over])[:BATCH]])
        return shift

    def _measure(self, batch: Indices) -> None:
        """Replaces bounds by exact intervals."""
        a, b = self._a[self._i[batch]], self._b[self._j[batch]]
        enter, leave = swept_intervals(a, b, self._direction[None])
        self._enter[batch], self._leave[batch], self._exact[batch] = enter[:, 0], leave[:, 0], True


def _cheap_intervals(a: Soup, b: Soup, i: Indices, j: Indices, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`swept_intervals` on x, y, z and the normals only: never too short. Slivers meet nothing."""
    enter, leave = np.full(len(i), -np.inf), np.full(len(i), np.inf)
    p, q = a.corners[i], b.corners[j]
    for still, moving, sign in ((q, p, -1), (p, q, 1)):
        normal = _face_normals(still)
        heights = sign * ((moving - still[:, :1]) * normal[:, None]).sum(2)
        _narrow(enter, leave, _min3(heights), _max3(heights), normal @ direction)
    for axis in range(3):
        low = b.boxes.low[j, axis] - a.boxes.high[i, axis]
        high = b.boxes.high[j, axis] - a.boxes.low[i, axis]
        _narrow(enter, leave, low, high, np.full(len(i), direction[axis]))
    return enter, leave


def _narrow(enter: FloatArray, leave: FloatArray, low: FloatArray, high: FloatArray, speed: FloatArray) -> None:
    """Narrows intervals, in place, to the shifts t with low < t·speed < high."""
    still = np.abs(speed) < 1e-9
    apart = still & ((low >= -TOUCH) | (high <= TOUCH))
    speed = np.where(still, 1, speed)
    first, last = low / speed, high / speed
    np.maximum(enter, np.where(still, -np.inf, np.minimum(first, last)), out=enter)
    np.minimum(leave, np.where(still, np.inf, np.maximum(first, last)), out=leave)
    leave[apart] = -np.inf


def _straddles(p: FloatArray, q: FloatArray) -> NDArray[np.bool_]:
    """The pairs in which p has corners on both sides of q's plane; never if q has no area."""
    normal = _face_normals(q)
    height = ((p - q[:, :1]) * normal[:, None]).sum(2)
    straddles: NDArray[np.bool_] = (_min3(height) < -TOUCH) & (_max3(height) > TOUCH)
    return straddles


def _face_normals(triangles: FloatArray) -> FloatArray:
    """Unit normals of triangles ``(k, 3, 3)``, zero for slivers."""
    first, second, third = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    return _unit(_cross(_unit(second - first), _unit(third - first)))


def _cross(u: FloatArray, v: FloatArray) -> FloatArray:
    """The cross product over the last axis; `numpy.cross` takes five times as long."""
    out: FloatArray = np.empty(np.broadcast_shapes(u.shape, v.shape))
    out[..., 0] = u[..., 1] * v[..., 2] - u[..., 2] * v[..., 1]
    out[..., 1] = u[..., 2] * v[..., 0] - u[..., 0] * v[..., 2]
    out[..., 2] = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return out


def _unit(vectors: FloatArray) -> FloatArray:
    """Vectors of length 1 over the last axis, zero where shorter than 1e-7 (parallel edges, slivers)."""
    length = np.sqrt(vectors[..., 0] ** 2 + vectors[..., 1] ** 2 + vectors[..., 2] ** 2)
    unit: FloatArray = vectors * np.where(length > 1e-7, 1 / np.maximum(length, 1e-30), 0)[..., None]
    return unit


def _min3(values: FloatArray) -> FloatArray:
    """The minimum over a last axis of length 3; five times as fast as ``values.min(-1)``."""
    least: FloatArray = np.minimum(np.minimum(values[..., 0], values[..., 1]), values[..., 2])
    return least


def _max3(values: FloatArray) -> FloatArray:
    """The maximum over a last axis of length 3."""
    most: FloatArray = np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2])
    return most
