"""Upright oriented boxes, and which of many boxes meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError

from .broad_phase import Boxes, box_pairs
from .mesh import FloatArray

_DIRECTIONS = np.stack([np.cos(np.arange(32) * np.pi / 32), np.sin(np.arange(32) * np.pi / 32)])
_CLEARLY_TIGHTER = 0.97
"""A minimum-area yaw replaces the object's own only if its footprint is at least this much smaller."""


@dataclass(frozen=True, slots=True)
class UprightBox:
    """A box that turns about world Z only.

    Attributes:
        center: ``(3,)`` metres, world.
        half: ``(3,)`` half extents along the box's own axes.
        yaw_deg: angle from world +X to the box's own +X, counter-clockwise, in (-180, 180].
    """

    center: FloatArray
    half: FloatArray
    yaw_deg: float

    @property
    def axes(self) -> FloatArray:
        """The box's own X and Y directions in plan, ``(2, 2)``, one a row."""
        yaw = np.radians(self.yaw_deg)
        return np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])

    def footprint(self) -> FloatArray:
        """The four corners in plan, ``(4, 2)``, counter-clockwise."""
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return self.center[:2] + (signs * self.half[:2]) @ self.axes

    def extent_along(self, direction: FloatArray) -> float:
        """Half extent along a unit direction in plan."""
        return float(np.abs(self.axes @ direction) @ self.half[:2])


def bounds_of(points: FloatArray) -> FloatArray:
    """``(2, 3)``: least and greatest corner of points ``(n, 3)``, n ≥ 1."""
    return np.array([points.min(axis=0), points.max(axis=0)])


def upright_box(points: FloatArray, yaw_deg: float | None) -> UprightBox:
    """The upright box around points.

    Args:
        points: ``(n, 3)`` metres, n ≥ 1.
        yaw_deg: the yaw the thing has by itself (its object's rotation), or None if it has none. It is kept
            unless a minimum-area rectangle is clearly tighter, as for geometry that was rotated in its mesh.
    """
    own = 0.0 if yaw_deg is None else yaw_deg
    box = _box_at(points, own)
    tight = _min_area_yaw(points[:, :2])
    if tight is not None:
        other = _box_at(points, _nearest_quarter(tight, own))
        if other.half[0] * other.half[1] < _CLEARLY_TIGHTER * box.half[0] * box.half[1]:
            return other
    return box


def _box_at(points: FloatArray, yaw_deg: float) -> UprightBox:
    yaw = np.radians(yaw_deg)
    axes = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    plan = points[:, :2] @ axes.T
    low, high = plan.min(axis=0), plan.max(axis=0)
    z_low, z_high = points[:, 2].min(), points[:, 2].max()
    middle = (low + high) / 2 @ axes
    return UprightBox(
        np.array([*middle, (z_low + z_high) / 2]),
        np.array([*((high - low) / 2), (z_high - z_low) / 2]),
        wrap_deg(yaw_deg),
    )


def _min_area_yaw(plan: FloatArray) -> float | None:
    """Yaw of the smallest rectangle around points in plan (it shares an edge with their hull), or None if flat.

    Freeman and Shapira, "Determining the minimum-area encasing rectangle for an arbitrary closed curve" (1975).
    """
    if len(plan) > 256:  # extreme points in 32 directions span the hull closely enough to find its edges
        along = plan @ _DIRECTIONS
        plan = plan[np.unique(np.concatenate([along.argmin(axis=0), along.argmax(axis=0)]))]
    try:
        hull = plan[ConvexHull(plan).vertices]
    except (QhullError, ValueError):
        return None
    edges = np.roll(hull, -1, axis=0) - hull
    angles = np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 9))
    x = np.cos(angles)[:, None] * hull[:, 0] + np.sin(angles)[:, None] * hull[:, 1]
    y = -np.sin(angles)[:, None] * hull[:, 0] + np.cos(angles)[:, None] * hull[:, 1]
    areas = np.ptp(x, axis=1) * np.ptp(y, axis=1)
    return float(np.degrees(angles[areas.argmin()]))


def _nearest_quarter(yaw_deg: float, own_deg: float) -> float:
    """The same rectangle's yaw (mod 90°) that lies nearest to the thing's own."""
    return yaw_deg + 90 * round((own_deg - yaw_deg) / 90)


def wrap_deg(angle: float) -> float:
    """An angle in (-180, 180]."""
    wrapped = -((-angle + 180.0) % 360.0 - 180.0)
    return wrapped + 0.0


def meeting_pairs(boxes: Boxes) -> list[tuple[int, int]]:
    """Pairs of boxes of one set that meet, each once, first index smaller, sorted."""
    found = [np.stack(pair, axis=1)[pair[0] < pair[1]] for pair in box_pairs(boxes, boxes)]
    if not found:
        return []
    pairs = np.concatenate(found)
    return [(a, b) for a, b in pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].tolist()]


def components(count: int, pairs: Iterable[tuple[int, int]]) -> NDArray[np.int32]:
    """Label of the connected component of each of `count` nodes, given edges; labels rise with first occurrence."""
    edges = np.array(list(pairs), np.intp).reshape(-1, 2)
    graph = coo_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(count, count))
    labels = connected_components(graph, directed=False)[1]
    return np.asarray(labels, np.int32)
