"""A place on top of something: on which surface, where on it, and how far down, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from ..geometry.body import Body
from ..geometry.contact import contacts, resting_gap
from ..geometry.mesh import FloatArray
from ..geometry.penetration import is_deeper_than
from ..geometry.plan import polygons_of
from ..model.errors import ScenewrightError

_APART = 0.01
"""Free space kept to neighbours, metres, where there is room."""
_TRIES = 12
_HEADROOM = 0.01
_ISLANDS = 32
"""Loose parts of one obstacle that are kept free one by one: candles on a desk, but not the leaves of a plant."""
_SINK = 0.0005
"""How deep a placed thing may be in anything, metres: a quarter of what the contract lets pass."""


@dataclass(frozen=True, slots=True)
class Support:
    """A level patch that something may be put on.

    Attributes:
        polygon: outline in plan.
        z: height, metres.
        clearance: free height above, metres.
    """

    polygon: Polygon
    z: float
    clearance: float


def shift_onto(
    thing: Body,
    host: Body,
    supports: Sequence[Support],
    others: Sequence[Body],
    structure: Sequence[Body],
    name: str,
    host_name: str,
    load: Sequence[Body] = (),
    near: FloatArray | None = None,
) -> FloatArray:
    """The shift, ``(3,)`` metres, that puts a thing on its host: resting exactly, free of everything else.

    Surfaces with room above for the thing are tried from the highest down, or from the level of a wanted place on; on
    each, the free place nearest to its middle, or to the wanted one. The thing keeps its heading. A thing larger than
    every surface is balanced on the middle if that holds.

    Args:
        thing: what is placed, where it is now.
        host: what it is placed on.
        supports: the host's surfaces.
        others: things that must stay free.
        structure: walls and the like, which must stay free, too; their hulls say nothing of where that is.
        name: what a refusal calls the thing.
        host_name: what a refusal calls the host.
        load: what stands on the thing and goes along.
        near: ``(3,)`` where the middle of its underside is wanted, or None.

    Raises:
        ScenewrightError: ``infeasible``, with the numbers that do not fit.
    """
    low, high = thing.hull
    size = np.array([*(high - low)[:2], max(high[2], *(b.hull.high[2] for b in load)) - low[2]]) if load else high - low
    if not supports:
        raise ScenewrightError("infeasible", f"{host_name} has no level surface to put things on.")
    roomy = [s for s in supports if s.clearance >= size[2] + _HEADROOM]
    if not roomy:
        most = max(s.clearance for s in supports)
        raise ScenewrightError(
            "infeasible",
            f"{name} is {size[2]:.2f} m high; the free height on {host_name} is {most:.2f} m at most.",
        )
    footprint, outline = (_plan(bodies, (low + high)[:2] / 2) for bodies in ([thing], [thing, *load]))
    for support in sorted(roomy, key=lambda s: _rank(s, near)):
        goal = support.polygon.centroid if near is None else Point(near[:2])
        for position in _places(support, goal, footprint, outline, others, float(size[2])):
            shift = np.array([*(position - (low + high)[:2] / 2), support.z + _HEADROOM - low[2]])
            landed = _land(thing, load, host, [*others, *structure], shift)
            if landed is not None:
                return landed
    widest = max(roomy, key=lambda s: s.polygon.area).polygon.bounds
    low_ones = [s.clearance for s in supports if s not in roomy]
    elsewhere = (
        f" Elsewhere on it {max(low_ones):.2f} m are free in height; it is {size[2]:.2f} m high." if low_ones else ""
    )
    raise ScenewrightError(
        "infeasible",
        f"{name} needs {size[0]:.2f} × {size[1]:.2f} m and finds no free place on {host_name} "
        f"({widest[2] - widest[0]:.2f} × {widest[3] - widest[1]:.2f} m).{elsewhere}",
        "Clear some of it, or choose another support.",
    )


def _rank(support: Support, near: FloatArray | None) -> tuple[float, float]:
    """Lower is tried first: the highest, then the largest; near a wanted place, its level, then what is nearest."""
    if near is None:
        return -round(support.z, 2), -support.polygon.area
    return round(abs(support.z - near[2]), 2), support.polygon.distance(Point(near[:2]))


def _plan(bodies: Sequence[Body], middle: FloatArray) -> BaseGeometry:
    """Convex hull in plan of some bodies, seen from a point ``(2,)``."""
    return MultiPoint(np.concatenate([b.mesh.vertices[:, :2] for b in bodies]) - middle).convex_hull


def _land(
    thing: Body, load: Sequence[Body], host: Body, others: Sequence[Body], shift: FloatArray
) -> FloatArray | None:
    """Drop the thing from a shift until it rests; None if it would not rest stably or would be in the way."""
    above = _moved(thing, shift)
    fall = resting_gap(above, host)
    if not np.isfinite(fall):
        return None
    landed = shift - [0, 0, fall]
    body = _moved(thing, landed)
    found = contacts(body, host)
    if not found or not found.carry(body.centre_of_mass):
        return None
    moved = [body, *(_moved(b, landed) for b in load)]
    if any(is_deeper_than(b, other, _SINK) for b in moved for other in (host, *others)):
        return None
    return landed


def _moved(body: Body, shift: FloatArray) -> Body:
    matrix = np.eye(4)
    matrix[:3, 3] = shift
    return body.transformed(matrix)


def _places(
    support: Support,
    goal: Point,
    footprint: BaseGeometry,
    outline: BaseGeometry,
    others: Sequence[Body],
    height: float,
) -> Iterator[FloatArray]:
    """Places for the thing's middle, best first: nearest to the goal, first with space around.

    Args:
        support: the surface.
        goal: where on it is best.
        footprint: of the thing, about its middle: has to lie on the surface.
        outline: of all that goes along, about the same middle: has to stay free of others.
        others: what stands there.
        height: of all that goes along, metres.
    """
    obstacles = _standing_on(support, others, height)
    whole = _eroded(support.polygon, footprint)
    tried: list[Point] = []
    for apart in (_APART, 0.0):
        free = whole
        for obstacle in obstacles:
            grown = _minkowski(obstacle, outline)
            free = free.difference(grown.buffer(apart, quad_segs=4) if apart else grown)
        for part in sorted(polygons_of(free), key=lambda p: p.distance(goal)):
            for point in _points_of(part, goal):
                if all(point.distance(t) > 0.005 for t in tried) and len(tried) < _TRIES:
                    tried.append(point)
                    yield np.array([point.x, point.y])
    if whole.is_empty and not obstacles:
        yield np.array([goal.x, goal.y])


def _points_of(part: Polygon, goal: Point) -> Iterator[Point]:
    """Of a region of free places: the one nearest to the goal, its inside, and its corners drawn in a little."""
    inner = part.buffer(-0.001)
    region = inner if not inner.is_empty else part
    yield nearest_points(region, goal)[0]
    yield region.representative_point()
    corners = [Point(c) for p in polygons_of(region) for c in p.exterior.coords[:-1]]
    yield from sorted(corners, key=lambda c: c.distance(goal))[:4]


def _standing_on(support: Support, others: Sequence[Body], height: float) -> list[BaseGeometry]:
    """Footprints of what occupies the space above the surface, by convex parts of what lies within it."""
    found = []
    for body in others:
        low, high = body.hull
        if low[2] >= support.z + height + _HEADROOM or high[2] <= support.z + 0.001:
            continue
        if not support.polygon.intersects(shapely.box(low[0], low[1], high[0], high[1])):
            continue
        corners = body.surface.corners
        within = (corners[:, :, 2].min(1) < support.z + height + _HEADROOM) & (
            corners[:, :, 2].max(1) > support.z + 0.001
        )
        for points in _islands(body, within):
            found.append(MultiPoint(points).convex_hull)
    return found


def _islands(body: Body, within: NDArray[np.bool_]) -> list[FloatArray]:
    """Plan points ``(n, 2)`` of the loose parts of some of a body's faces; of very many parts, all points together."""
    corners, part = body.surface.corners[within][:, :, :2], body.topology.part[within]
    numbers = np.unique(part)
    if len(numbers) > _ISLANDS:
        return [corners.reshape(-1, 2)]
    return [corners[part == n].reshape(-1, 2) for n in numbers]


def _minkowski(obstacle: BaseGeometry, footprint: BaseGeometry) -> BaseGeometry:
    """Where the middle of a convex footprint may not be: the obstacle's hull, grown by the mirrored footprint."""
    ring = shapely.get_coordinates(obstacle.convex_hull)
    shape = shapely.get_coordinates(footprint)
    return MultiPoint((ring[:, None] - shape[None]).reshape(-1, 2)).convex_hull


def _eroded(polygon: Polygon, footprint: BaseGeometry) -> BaseGeometry:
    """Where the middle of a convex footprint may be so that all of it lies within a polygon."""
    rings = [polygon.exterior, *polygon.interiors]
    edges = [shapely.linestrings(np.stack([c[:-1], c[1:]], axis=1)) for c in map(shapely.get_coordinates, rings)]
    swept = [_minkowski(edge, footprint) for edge in np.concatenate(edges)]
    return polygon.difference(shapely.union_all(swept))
