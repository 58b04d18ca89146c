"""Plan views: level patches of a mesh as polygons, and horizontal sections through it."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from .body import Body
from .mesh import FloatArray

LEVEL_COS = np.cos(np.radians(12))
"""n·z of the steepest face that counts as level."""

_SAME_LEVEL = 0.01
_POINT = 1e-9
_LINE_DIGITS = 5
"""To which digit directions and offsets (m) of segments on one straight line are the same."""
_SEAM = 0.0005


def level_patches(body: Body, smallest: float, either_way: bool = False) -> list[tuple[float, Polygon]]:
    """Level, upward-facing patches of a body: ``(z, polygon)`` with z the patch's greatest height, highest first.

    Faces are sorted by height, cut where heights differ by more than 1 cm, and united per level.

    Args:
        body: world, metres.
        smallest: patches of a smaller area (m²) are left out.
        either_way: take level faces that look down, too: the inside of a shell has its normals as they come.
    """
    rise = body.normals[:, 2]
    two_sided = (body.outward == 0) | either_way
    slope = np.where(two_sided, np.abs(rise), rise * body.outward)
    flat = np.flatnonzero((slope >= LEVEL_COS) & (body.areas > 1e-9))
    if not len(flat):
        return []
    heights = body.centroids[flat, 2]
    order = np.argsort(heights)
    cuts = np.flatnonzero(np.diff(heights[order]) > _SAME_LEVEL) + 1
    patches: list[tuple[float, Polygon]] = []
    for run in np.split(flat[order], cuts):
        if body.areas[run].sum() < smallest:
            continue
        corners = body.surface.corners[run]
        united = shapely.union_all(shapely.polygons(np.round(corners[:, :, :2], 5)))
        united = united.buffer(_SEAM, join_style="mitre").buffer(-_SEAM, join_style="mitre")
        top = float(corners[:, :, 2].max())
        patches += [(top, p) for p in polygons_of(united) if p.area >= smallest]
    return sorted(patches, key=lambda zp: -zp[0])


def section(body: Body, z: float) -> FloatArray:
    """Segments in which a horizontal plane cuts a body: ``(k, 2, 2)``, segment, end, xy."""
    corners = body.surface.corners
    above = corners[:, :, 2] > z
    count = above.sum(axis=1)
    cut = (count == 1) | (count == 2)
    corners, above, count = corners[cut], above[cut], count[cut]
    if not len(corners):
        return np.empty((0, 2, 2))
    lone_is_above = count == 1
    lone = np.argmax(above == lone_is_above[:, None], axis=1)
    rows = np.arange(len(corners))
    apex = corners[rows, lone]
    ends = [corners[rows, (lone + k) % 3] for k in (1, 2)]
    points = []
    for end in ends:
        t = (z - apex[:, 2]) / (end[:, 2] - apex[:, 2])
        points.append(apex[:, :2] + t[:, None] * (end[:, :2] - apex[:, :2]))
    return np.stack(points, axis=1)


def united_spans(spans: FloatArray) -> FloatArray:
    """Spans ``(n, 2)`` of a line, low and high, joined where they meet: ``(k, 2)``, ascending and apart."""
    spans = spans[np.argsort(spans[:, 0])]
    reach = np.maximum.accumulate(spans[:, 1])
    first = np.concatenate([[True], spans[1:, 0] > reach[:-1]]) if len(spans) else np.empty(0, bool)
    last = np.concatenate([first[1:], [True]]) if len(spans) else first
    return np.stack([spans[first, 0], reach[last]], axis=1)


def joined_segments(segments: FloatArray) -> FloatArray:
    """Segments ``(n, 2, 2)`` without repetition: those of one straight line that meet or overlap make one, those of no
    length none.
    """
    reach = segments[:, 1] - segments[:, 0]
    size = np.hypot(reach[:, 0], reach[:, 1])
    kept = size > _POINT
    if not kept.any():
        return np.empty((0, 2, 2))
    segments, along = segments[kept], reach[kept] / size[kept, None]
    along[(along[:, 0] < -_POINT) | ((along[:, 0] < _POINT) & (along[:, 1] < 0))] *= -1
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    middle = segments.mean(axis=(0, 1))
    offsets = ((segments[:, 0] - middle) * across).sum(axis=1)
    _, first, line = np.unique(
        np.round(np.column_stack([along, offsets]), _LINE_DIGITS), axis=0, return_index=True, return_inverse=True
    )
    along, foot = along[first], middle + across[first] * offsets[first, None]
    line = line.reshape(-1)
    spans = np.sort(((segments - foot[line, None]) * along[line, None]).sum(axis=2), axis=1)
    low = spans.min() - 0.5
    stretch = spans.max() + 0.5 - low  # each line gets a stretch of its own on one axis
    joined = united_spans(spans - low + (line * stretch)[:, None])
    line = (joined[:, 0] / stretch).astype(np.intp)
    ends = joined - (line * stretch)[:, None] + low
    result: FloatArray = foot[line, None] + ends[:, :, None] * along[line, None]
    return result


def segment_distances(point: FloatArray, starts: FloatArray, ends: FloatArray) -> FloatArray:
    """Distance in plan of a point ``(2,)`` from each of n segments with the ends ``(n, 2)``."""
    along = ends - starts
    length_squared = np.maximum((along**2).sum(axis=1), 1e-30)
    share = np.clip(((point - starts) * along).sum(axis=1) / length_squared, 0, 1)
    away = point - starts - share[:, None] * along
    return np.hypot(away[:, 0], away[:, 1])


def polygons_of(geometry: BaseGeometry) -> list[Polygon]:
    """The polygons in a geometry of any kind."""
    return [g for g in shapely.get_parts(geometry) if isinstance(g, Polygon) and not g.is_empty]


def ring_of(polygon: Polygon) -> list[tuple[float, float]]:
    """A polygon's outer ring, counter-clockwise, not closed."""
    ring = shapely.get_coordinates(polygon.exterior)[:-1]
    if not shapely.is_ccw(polygon.exterior):
        ring = ring[::-1]
    return [(x, y) for x, y in ring.tolist()]
