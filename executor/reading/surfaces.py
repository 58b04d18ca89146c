"""Support surfaces: level patches of a thing with free height above them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from ..geometry.body import Body
from ..geometry.mesh import FloatArray
from ..geometry.plan import level_patches, ring_of
from ..model.steps import Steps
from .things import Measured, Thing

_SMALLEST = 0.005
_DISC = 0.03
_LEAST_CLEARANCE = 0.03
_MOST_CLEARANCE = 3.0
_PER_THING = 24
_EXACT = 0.0005
"""Outlines may leave out corners by this much, metres."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One surface.

    Attributes:
        polygon: outline in plan.
        ring: its outer ring, counter-clockwise, not closed.
        z: height, metres.
        clearance: free height above within the thing itself, metres.
        area: square metres.
    """

    polygon: Polygon
    ring: list[tuple[float, float]]
    z: float
    clearance: float
    area: float


class SurfaceFinder:
    """Surfaces of things: found once per form, then set where each thing stands."""

    def __init__(self) -> None:
        self._forms: dict[bytes, list[Patch]] = {}
        self._known: dict[bytes, list[Patch]] = {}

    def surfaces(self, things: Sequence[Thing]) -> Steps[list[list[Patch]]]:
        """Surfaces of each shown thing, largest first; whatever is not asked for again is forgotten."""
        solid = [t.measured for t in things if t.is_solid]
        forms = {m.form.key: m.form.body for m in solid}
        known: dict[bytes, list[Patch]] = {}
        for key, body in forms.items():
            known[key] = self._forms[key] if key in self._forms else _patches(body)
            yield
        self._forms = known
        self._known = {m.key: self._known[m.key] if m.key in self._known else self._placed(m) for m in solid}
        return [self._known[t.measured.key] if t.is_solid else [] for t in things]

    def _placed(self, measured: Measured) -> list[Patch]:
        patches = self._forms[measured.form.key]
        if not patches:
            return []
        turn, (x, y, z) = measured.turn.T, measured.origin.tolist()
        polygons = shapely.transform([p.polygon for p in patches], lambda xy: xy @ turn + (x, y))
        return [
            Patch(polygon, ring_of(polygon), p.z + z, p.clearance, p.area)
            for p, polygon in zip(patches, polygons, strict=True)
        ]


def _patches(body: Body) -> list[Patch]:
    if body.mesh.is_empty:
        return []
    patches = sorted(level_patches(body, _SMALLEST), key=lambda zp: -zp[1].area)
    found: list[Patch] = []
    for z, outline in patches[: 2 * _PER_THING]:
        polygon = outline.simplify(_EXACT)
        if not isinstance(polygon, Polygon) or not polygon.is_valid or polygon.buffer(-_DISC, quad_segs=2).is_empty:
            continue
        clearance = _clearance(body, polygon, z)
        if clearance >= _LEAST_CLEARANCE:
            found.append(Patch(polygon, ring_of(polygon), z, clearance, float(polygon.area)))
    return found[:_PER_THING]


def _clearance(body: Body, polygon: Polygon, z: float) -> float:
    """Median free height over the patch up to the thing's own next face, by vertical rays."""
    points = _sample(polygon)
    corners = body.surface.corners
    above = corners[:, :, 2].max(axis=1) > z + 0.002
    return float(np.median(heights_above(points, z + 0.001, corners[above])))


def _sample(polygon: Polygon) -> FloatArray:
    low_x, low_y, high_x, high_y = polygon.bounds
    steps = (np.arange(5) + 0.5) / 5
    grid = np.stack(np.meshgrid(low_x + steps * (high_x - low_x), low_y + steps * (high_y - low_y)), axis=-1).reshape(
        -1, 2
    )
    inside = grid[shapely.contains_xy(polygon, grid[:, 0], grid[:, 1])]
    point = polygon.representative_point()
    return inside if len(inside) else np.array([[point.x, point.y]])


def heights_above(points: FloatArray, z: float, corners: FloatArray) -> FloatArray:
    """Free height above points in plan, up to the lowest triangle over each (at most 3 m).

    Args:
        points: ``(n, 2)``.
        z: height that the rays start from.
        corners: triangles, ``(m, 3, 3)``.
    """
    out = np.full(len(points), _MOST_CLEARANCE)
    if not len(corners):
        return out
    low, high = corners[:, :, :2].min(axis=1), corners[:, :, :2].max(axis=1)
    for i, point in enumerate(points):
        near = corners[((low <= point) & (high >= point)).all(axis=1)]
        if not len(near):
            continue
        a, b, c = near[:, 0], near[:, 1], near[:, 2]
        u, v, w = b[:, :2] - a[:, :2], c[:, :2] - a[:, :2], point - a[:, :2]
        det = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / det
            t = (u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / det
            hit = (s >= 0) & (t >= 0) & (s + t <= 1)
            height = a[:, 2] + s * (b[:, 2] - a[:, 2]) + t * (c[:, 2] - a[:, 2]) - z
        height = height[hit & (height > 0)]
        if len(height):
            out[i] = min(_MOST_CLEARANCE, float(height.min()))
    return out
