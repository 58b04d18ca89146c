"""Levels that people and furniture stand on: floors by name, and the floors of rooms modelled as one shell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from ..geometry.plan import level_patches, polygons_of
from ..model.steps import Steps
from .structure import STOREY
from .things import Thing

SMALLEST_ROOM = 1.0
"""Square metres."""
_SMALLEST_FLOOR = 4.0
_SMALLEST_PATCH = 0.25
_TILE_GAP = 0.02
_SAME_STOREY, _SAME_LEVEL = 0.05, 0.01
_NEAR_FOOT = 0.5
"""Up to that height above its foot a level of a shell is its ground floor, however small."""
_SHELL_DEPTH = 1.0
"""What is thinner than that in plan has no room inside, metres."""
_ON = 0.05
_JUST_ON = 0.3
_ROOFED = 0.75
_ROOMS = ("room", "building")


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A large level patch: the thing that most of it belongs to, its height and outline, and what it was joined of."""

    thing: Thing
    z: float
    polygon: Polygon
    tiles: tuple[Level, ...] = ()

    def thing_under(self, outline: Polygon) -> Thing:
        """The thing that most of a part of it belongs to, of equals the highest."""
        if len(self.tiles) < 2:
            return self.thing
        polygons = np.array([t.polygon for t in self.tiles], object)
        near = np.flatnonzero(shapely.intersects(polygons, outline))
        areas = np.round(shapely.area(shapely.intersection(polygons[near], outline)), 3)
        best = max(
            zip(areas.tolist(), near.tolist(), strict=True), key=lambda a: (a[0], self.tiles[a[1]].z), default=None
        )
        return self.thing if best is None else self.tiles[best[1]].thing


@dataclass(frozen=True, eq=False, slots=True)
class _ShellPatch:
    """A level part of a shell, whichever way its faces look; `upward` if they look up as modelled."""

    z: float
    polygon: Polygon
    upward: bool


class Shells:
    """Level parts of walls and rooms of one mesh, remembered while the mesh stays."""

    def __init__(self) -> None:
        self._known: dict[bytes, list[_ShellPatch]] = {}

    def read(self, things: Sequence[Thing]) -> Steps[None]:
        """Find the level parts of all those that may hold a room."""
        known: dict[bytes, list[_ShellPatch]] = {}
        for thing in things:
            key = thing.measured.key
            if 2 * thing.measured.box.half[:2].min() >= _SHELL_DEPTH:
                known[key] = self._known[key] if key in self._known else _shell_patches(thing)
                yield
        self._known = known

    def floors(self, things: Sequence[Thing], others: Sequence[Thing]) -> list[Level]:
        """Those levels that are floors.

        A floor has headroom. It lies at the foot of its shell or is as large as a room; and it looks up, belongs to
        what is called a room, or has something in the space above it. A shell's top is a roof, unless things stand
        on it.

        Args:
            things: walls and rooms.
            others: what may stand in them.
        """
        centers = np.array([t.measured.box.center[:2] for t in others]).reshape(-1, 2)
        feet = np.array([t.measured.bounds[0, 2] for t in others])
        tree = shapely.STRtree(np.array(shapely.points(centers), object))
        found = []
        for thing in things:
            patches = self._known.get(thing.measured.key, [])
            low = float(thing.measured.bounds[0, 2])
            for patch in patches:
                at_foot = patch.z - low <= _NEAR_FOOT
                above = _next_above(patch.z, patch.polygon, patches)
                large = patch.polygon.area >= (SMALLEST_ROOM if at_foot else _SMALLEST_FLOOR)
                if not large or (above is not None and above - patch.z < STOREY):
                    continue
                space = patch.z + _JUST_ON if above is None else above
                over = feet[tree.query(patch.polygon, predicate="contains")]
                meant = (patch.upward or thing.category in _ROOMS) and (at_foot or above is not None)
                if meant or bool(((over >= patch.z - _ON) & (over < space)).any()):
                    found.append(Level(thing, patch.z, patch.polygon))
        return found

    def ceiling(self, thing: Thing, z: float, outline: Polygon) -> float | None:
        """Height of the lowest level part of a shell above a room's floor, if it has one."""
        return _next_above(z + STOREY, outline, self._known.get(thing.measured.key, []))


def _shell_patches(thing: Thing) -> list[_ShellPatch]:
    body = thing.measured.body
    up = level_patches(body, _SMALLEST_PATCH)
    levels = [Level(thing, z, polygon) for z, polygon in level_patches(body, _SMALLEST_PATCH, either_way=True)]
    found = []
    for level in storeys(levels, _SAME_LEVEL):
        looking_up = sum(p.intersection(level.polygon).area for z, p in up if abs(z - level.z) <= _SAME_LEVEL)
        found.append(_ShellPatch(level.z, level.polygon, looking_up > level.polygon.area / 2))
    return found


def _next_above(z: float, outline: Polygon, patches: Sequence[_ShellPatch]) -> float | None:
    """Height of the lowest patch that covers half of an outline from above."""
    higher = (p for p in patches if p.z > z + 0.02)
    return min((p.z for p in higher if p.polygon.intersection(outline).area > outline.area / 2), default=None)


def named_floors(things: Sequence[Thing]) -> Steps[list[Level]]:
    """Upward patches of things that are floors."""
    found = []
    for thing in things:
        found += [Level(thing, z, polygon) for z, polygon in level_patches(thing.measured.body, _SMALLEST_PATCH)]
        yield
    return found


def storeys(levels: Sequence[Level], apart: float = _SAME_STOREY) -> list[Level]:
    """Each storey's levels joined over the seams between tiles, lowest first; levels of one lie no farther apart."""
    found: list[Level] = []
    storey: list[Level] = []
    for level in [*sorted(levels, key=lambda p: p.z), None]:
        if storey and (level is None or level.z - storey[0].z > apart):
            for polygon, near, most in _joined([s.polygon for s in storey]):
                found.append(Level(storey[most].thing, storey[-1].z, polygon, tuple(storey[k] for k in near)))
            storey = []
        if level is not None:
            storey.append(level)
    return found


def _joined(tiles: Sequence[Polygon]) -> Iterator[tuple[Polygon, list[int], int]]:
    """Tiles of a storey, united over their seams: each floor, its tiles, and that which covers most of it."""
    tree = shapely.STRtree(tiles)
    united = shapely.union_all(shapely.buffer(tree.geometries, _TILE_GAP, join_style="mitre"))
    for floor in polygons_of(united.buffer(-_TILE_GAP, join_style="mitre")):
        if floor.area >= SMALLEST_ROOM:
            near = np.sort(tree.query(floor, predicate="intersects"))
            areas = shapely.area(shapely.intersection(tree.geometries[near], floor))
            yield floor, near.tolist(), int(near[areas.argmax()])


def roofed(outlines: Sequence[Polygon], heights: Sequence[float], levels: Sequence[Level]) -> list[bool]:
    """Which outlines at some height are covered by another level so close above that nobody fits between them."""
    covered = [False] * len(outlines)
    tree = shapely.STRtree([level.polygon for level in levels])
    pairs = tree.query(np.array(outlines, object), predicate="intersects")
    for room, k in zip(*pairs.tolist(), strict=True):
        if 0.0 < levels[k].z - heights[room] < STOREY and not covered[room]:
            common = levels[k].polygon.intersection(outlines[room]).area
            covered[room] = common >= _ROOFED * outlines[room].area
    return covered
