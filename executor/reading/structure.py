"""Floors, walls, ceilings and rooms, from roles and geometry.

A room is a part of a floor that the walls' sections leave free. Sections are taken near the floor, half-way up and
near the top of the walls, so that a lintel or a sill closes a door or window that the other sections leave open.
Walls are the room's edges that stand against such a section.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from ..geometry.mesh import FloatArray
from ..geometry.plan import level_patches, polygons_of, ring_of, section
from ..model.graph import OpeningKind
from ..model.steps import Steps
from .lexicon import UNKNOWN, Lexicon
from .things import Measured, Thing

_SMALLEST_ROOM = 1.0
_SMALLEST_FLOOR = 4.0
_NEARLY = 0.3
_SLICE = 0.01
_THIN = 0.15
_AGAINST = 0.06
_NEAR_FLOOR = 0.5
_TILE_GAP = 0.02
_CUTS = (0.06, 0.3, 0.5, 0.7, 0.94)
_FLOOR_WORDS = ("floor", "ground")
_SMALLEST_SHELL = 1.8
_WALL_HEIGHT, _WALL_LENGTH, _WALL_FILL = 1.9, 1.5, 0.4


@dataclass(frozen=True, eq=False, slots=True)
class WallFace:
    """One straight inner face: `start` to `end` with the room on its left."""

    thing: Thing
    start: FloatArray
    end: FloatArray
    height: float

    @property
    def normal(self) -> FloatArray:
        """Unit normal into the room."""
        along = (self.end - self.start) / np.linalg.norm(self.end - self.start)
        return np.array([-along[1], along[0]])

    def line(self) -> LineString:
        return LineString([self.start, self.end])


@dataclass(eq=False, slots=True)
class RoomShape:
    """A room on its way into the graph; heights in metres, world."""

    floor: Thing
    polygon: Polygon
    floor_z: float
    ceiling_z: float | None
    walls: list[WallFace] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class OpeningShape:
    """A door or window on its way into the graph; metres, the sill above the room's floor."""

    thing: Thing
    kind: OpeningKind
    wall: WallFace | None
    center: FloatArray
    width: float
    height: float
    sill: float


class WallLines(NamedTuple):
    """Wall faces in plan as arrays ``(n, 2)``; the normals are unit vectors into the rooms."""

    starts: FloatArray
    ends: FloatArray
    normals: FloatArray


@dataclass(frozen=True, eq=False)
class Structure:
    """Rooms with their walls, and openings."""

    rooms: list[RoomShape]
    openings: list[OpeningShape]

    @cached_property
    def walls(self) -> list[WallFace]:
        return [w for r in self.rooms for w in r.walls]

    @cached_property
    def wall_lines(self) -> WallLines:
        columns = ([w.start for w in self.walls], [w.end for w in self.walls], [w.normal for w in self.walls])
        return WallLines(*(np.array(c).reshape(-1, 2) for c in columns))

    def rooms_at(self, points: FloatArray) -> list[int | None]:
        """Index of the room that each point in plan ``(n, 2)`` lies in, or (within 30 cm) nearly; else None."""
        if not self.rooms:
            return [None] * len(points)
        found: list[int | None] = [None] * len(points)
        tree = shapely.STRtree([r.polygon for r in self.rooms])
        pairs = tree.query_nearest(shapely.points(points), max_distance=_NEARLY)
        for n, k in sorted(zip(*pairs.tolist(), strict=True), reverse=True):  # of equally near rooms, the first
            found[n] = k
        return found


def mark_structure(things: Sequence[Thing], lexicon: Lexicon) -> None:
    """Give nameless floors and walls their role and category, by shape and by what they do.

    A floor is flat, at least 4 m², and carries other things. A wall is at least 1.9 m high and 1.5 m long, mostly
    upright faces, and either a thin slab that stands on a floor's edge or a shell with things inside.
    """
    solid = [t for t in things if t.is_solid]
    nameless = [t for t in solid if t.category == UNKNOWN]
    if not nameless:
        return
    floors = [t for t in solid if any(lexicon.is_a(t.category, w) for w in _FLOOR_WORDS)]
    if not floors:
        candidates = [t for t in nameless if _looks_like_floor(t.measured) and _bears(t, solid) >= 2]
        for thing in sorted(candidates, key=lambda t: -_plan_area(t.measured))[:1]:
            thing.category, thing.role = "floor", "structure"
            floors = [thing]
    walls = [t for t in solid if lexicon.is_a(t.category, "wall")]
    for thing in nameless:
        if thing.category != UNKNOWN:
            continue
        slab = any(_stands_at(thing.measured, floor.measured) for floor in floors) and _is_slab(thing.measured)
        shell = not walls and _contains(thing, solid) >= 1 and _is_hollow(thing.measured)
        if (slab or shell) and _is_upright(thing.measured):
            thing.category, thing.role = "wall", "structure"


def _bears(floor: Thing, things: Sequence[Thing]) -> int:
    """How many things have their foot on a thing's top."""
    top = floor.measured.bounds[1, 2]
    return sum(
        1
        for t in things
        if t is not floor and abs(t.measured.bounds[0, 2] - top) < 0.05 and _covers(floor.measured, t.measured)
    )


def _contains(shell: Thing, things: Sequence[Thing]) -> int:
    """How many things stand within a thing's plan, at the height of its foot; none if it is no larger than a closet."""
    low = shell.measured.bounds[0, 2]
    if 2 * shell.measured.box.half[:2].min() < _SMALLEST_SHELL:
        return 0
    return sum(
        1
        for t in things
        if t is not shell
        and abs(t.measured.bounds[0, 2] - low) <= 0.3
        and _covers(shell.measured, t.measured)
        and np.prod(t.measured.box.half) < np.prod(shell.measured.box.half) / 4
    )


def _covers(host: Measured, guest: Measured) -> bool:
    local = host.box.axes @ (guest.box.center[:2] - host.box.center[:2])
    return bool((np.abs(local) < host.box.half[:2]).all())


def _stands_at(wall: Measured, floor: Measured) -> bool:
    """Whether a thing begins at most 30 cm above a floor and meets its plan."""
    apart = np.maximum(wall.bounds[0, :2] - floor.bounds[1, :2], floor.bounds[0, :2] - wall.bounds[1, :2]).max()
    return bool(apart <= 0.3 and wall.bounds[0, 2] <= floor.bounds[1, 2] + 0.3)


class RoomFinder:
    """Finds rooms with their walls, and openings; as long as no structure changes, its rooms stay."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] | None = None
        self._rooms: list[RoomShape] = []

    def structure(self, things: Sequence[Thing], lexicon: Lexicon) -> Steps[Structure]:
        """Rooms and openings of the shown things."""
        solid = [t for t in things if t.is_solid]
        structural = [t for t in solid if t.is_structure]
        walls = [t for t in structural if lexicon.is_a(t.category, "wall") or t.category in ("room", "building")]
        floors = [t for t in structural if any(lexicon.is_a(t.category, w) for w in _FLOOR_WORDS)]
        key = tuple((t.measured.key, t.category) for t in structural)
        if key != self._key:
            sides, covers = _Plans(walls), _Plans([t for t in structural if lexicon.is_a(t.category, "ceiling")])
            found = []
            for floor, z, polygon in _floor_patches(floors or walls):
                found += _rooms_on(floor, z, polygon, sides.near(polygon, _NEAR_FLOOR), covers.near(polygon, 0.0))
                yield
            self._key, self._rooms = key, found
        rooms = _understood_anew(self._rooms, structural)
        rooms = _occupied(rooms, [t for t in solid if not t.is_structure], bool(walls))
        openings = [o for o in (_opening(t, rooms, lexicon) for t in solid) if o is not None]
        return Structure(rooms, openings)


def _understood_anew(rooms: Sequence[RoomShape], structural: Sequence[Thing]) -> list[RoomShape]:
    """The rooms of an earlier read with the things of this one."""
    by_key = {t.measured.key: t for t in structural}
    return [
        replace(
            room,
            floor=by_key[room.floor.measured.key],
            walls=[replace(w, thing=by_key[w.thing.measured.key]) for w in room.walls],
        )
        for room in rooms
    ]


class _Plans:
    """Things by where they are in plan."""

    def __init__(self, things: Sequence[Thing]) -> None:
        self._things = things
        self._tree = shapely.STRtree([_plan(t) for t in things])

    def near(self, polygon: Polygon, reach: float) -> list[Thing]:
        """Those whose plan's rectangle comes as near to a polygon as that, metres."""
        return [self._things[k] for k in sorted(self._tree.query(polygon, predicate="dwithin", distance=reach))]


def _plan(thing: Thing) -> Polygon:
    """The axis-aligned rectangle around a thing in plan."""
    return shapely.box(*thing.measured.bounds[:, :2].ravel())


def _floor_patches(things: Sequence[Thing]) -> list[tuple[Thing, float, Polygon]]:
    """Large level patches, each storey's joined over the seams between tiles, lowest first."""
    patches = [(thing, z, polygon) for thing in things for z, polygon in level_patches(thing.measured.body, 0.25)]
    patches.sort(key=lambda p: p[1])
    found: list[tuple[Thing, float, Polygon]] = []
    storey: list[tuple[Thing, float, Polygon]] = []
    for patch in [*patches, None]:
        if storey and (patch is None or patch[1] - storey[0][1] > 0.05):
            found += [(storey[tile][0], storey[-1][1], p) for p, tile in _joined([p for _, _, p in storey])]
            storey = []
        if patch is not None:
            storey.append(patch)
    return found


def _joined(tiles: Sequence[Polygon]) -> Iterator[tuple[Polygon, int]]:
    """Tiles of a storey, united over their seams: each floor with the number of the tile that covers most of it."""
    tree = shapely.STRtree(tiles)
    united = shapely.union_all(shapely.buffer(tree.geometries, _TILE_GAP, join_style="mitre"))
    for floor in polygons_of(united.buffer(-_TILE_GAP, join_style="mitre")):
        if floor.area >= _SMALLEST_ROOM:
            near = np.sort(tree.query(floor))
            areas = shapely.area(shapely.intersection(tree.geometries[near], floor))
            yield floor, int(near[areas.argmax()])


def _rooms_on(
    floor: Thing,
    z: float,
    polygon: Polygon,
    walls: Sequence[Thing],
    ceilings: Sequence[Thing],
) -> list[RoomShape]:
    cuts: list[tuple[Thing, float, BaseGeometry]] = []
    for wall in walls:
        low, high = max(z, float(wall.measured.bounds[0, 2])), float(wall.measured.bounds[1, 2])
        if high < z + 0.5 or low > z + 2.0:
            continue
        segments = [section(wall.measured.body, low + share * (high - low)) for share in _CUTS]
        lines = _lines(np.concatenate(segments))
        near = lines[shapely.distance(lines, polygon) < _NEAR_FLOOR] if len(lines) else lines
        if len(near):
            cuts.append((wall, high, shapely.union_all(shapely.buffer(near, _SLICE, cap_style="square"))))
    barrier = shapely.union_all([c for _, _, c in cuts]) if cuts else Polygon()
    rooms = []
    for piece in polygons_of(polygon.difference(barrier)):
        core = piece.buffer(-_THIN, join_style="mitre")
        if core.area < _SMALLEST_ROOM / 2:
            continue
        grown = core.buffer(_THIN, join_style="mitre").intersection(piece)
        for part in polygons_of(grown):
            if part.area >= _SMALLEST_ROOM:
                outline = _to_wall_faces(part, barrier)
                room = RoomShape(floor, outline, z, _ceiling_over(outline, z, ceilings))
                room.walls = _wall_faces(outline, z, cuts)
                rooms.append(room)
    return rooms


def _lines(segments: FloatArray) -> NDArray[np.object_]:
    """Segments ``(k, 2, 2)`` as an array of lines, those of a plain wall's several sections once."""
    distinct = np.unique(np.round(segments, 6).reshape(-1, 4), axis=0).reshape(-1, 2, 2)
    return np.array(shapely.linestrings(distinct), np.object_).reshape(len(distinct))


def _to_wall_faces(polygon: Polygon, barrier: BaseGeometry) -> Polygon:
    """Take back the width of the cuts: edges along a wall move out to its face, free edges stay."""
    plain = Polygon(polygon.exterior).simplify(_SLICE / 2)
    ring: FloatArray = np.array(ring_of(plain if isinstance(plain, Polygon) else polygon))
    following = np.roll(ring, -1, axis=0)
    along = (following - ring) / np.linalg.norm(following - ring, axis=1)[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    middles = shapely.points((ring + following) / 2 + outward * _SLICE / 2)
    shift = np.where(shapely.distance(middles, barrier) < _SLICE / 2, _SLICE, 0.0)
    offset = (outward * ring).sum(axis=1) + shift
    corners = []
    for k in range(len(ring)):
        lines = np.array([outward[k - 1], outward[k]])
        if abs(np.linalg.det(lines)) < 1e-3:
            corners.append(ring[k] + outward[k] * shift[k])
        else:
            corners.append(np.linalg.solve(lines, [offset[k - 1], offset[k]]))
    moved = Polygon(corners)
    return moved if moved.is_valid else polygon


def _wall_faces(outline: Polygon, z: float, cuts: Sequence[tuple[Thing, float, BaseGeometry]]) -> list[WallFace]:
    """The outline's edges that lie along a wall's section over at least half their length."""
    ring = ring_of(outline)
    faces = []
    for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
        edge = LineString([start, end])
        if edge.length < 0.1:
            continue
        covered = [(edge.intersection(cut.buffer(_AGAINST)).length, i) for i, (_, _, cut) in enumerate(cuts)]
        if covered and max(covered)[0] >= edge.length / 2:
            thing, high, _ = cuts[max(covered)[1]]
            faces.append(WallFace(thing, np.array(start), np.array(end), high - z))
    return faces


def _ceiling_over(outline: Polygon, z: float, ceilings: Sequence[Thing]) -> float | None:
    high = [t for t in ceilings if t.measured.bounds[0, 2] > z + 1.0]
    over = [t for t in high if _plan(t).intersection(outline).area > outline.area / 2]
    return min((float(t.measured.bounds[0, 2]) for t in over), default=None)


def _occupied(rooms: list[RoomShape], things: Sequence[Thing], have_walls: bool) -> list[RoomShape]:
    """Drop patches that are no rooms: in a scene with walls, those that neither a wall nor any thing stands on.

    Where any patch lies within two walls or more, one that only passes a wall is a terrace or a yard.
    """
    if not rooms:
        return []
    centers = np.array([t.measured.box.center[:2] for t in things]).reshape(-1, 2)
    held, _ = shapely.STRtree(list(map(shapely.Point, centers))).query([r.polygon for r in rooms], predicate="contains")
    kept = []
    for room, inside in zip(rooms, np.bincount(held, minlength=len(rooms)).tolist(), strict=True):
        if not have_walls or room.walls or inside:
            kept.append((len(room.walls), inside, room))
    most = min(2, max(walls for walls, _, _ in kept)) if kept else 0
    return [room for walls, _, room in kept if walls >= most]


def _opening(thing: Thing, rooms: Sequence[RoomShape], lexicon: Lexicon) -> OpeningShape | None:
    kind: OpeningKind | None = next(
        (k for k in ("door", "window") if lexicon.is_a(thing.category, k)),
        None,
    )
    if kind is None:
        return None
    box = thing.measured.box
    faces = [(f.line().distance(Point(*box.center[:2])), i, f) for i, f in enumerate(w for r in rooms for w in r.walls)]
    near = min(faces, default=None, key=lambda f: f[:2])
    wall = near[2] if near and near[0] <= 0.5 + float(box.half[:2].min()) else None
    floor_z = next((r.floor_z for r in rooms if wall in r.walls), float(thing.measured.bounds[0, 2]))
    along = (wall.end - wall.start) / np.linalg.norm(wall.end - wall.start) if wall is not None else None
    width = 2 * (box.extent_along(along) if along is not None else float(box.half[:2].max()))
    low, high = thing.measured.bounds[:, 2]
    return OpeningShape(thing, kind, wall, box.center, width, float(high - low), float(low) - floor_z)


def _plan_area(measured: Measured) -> float:
    return float(4 * measured.box.half[0] * measured.box.half[1])


def _looks_like_floor(measured: Measured) -> bool:
    body, box = measured.body, measured.box
    level = float((body.areas * (np.abs(body.normals[:, 2]) > 0.98)).sum())
    flat = box.half[2] * 2 <= 0.35 and box.half[2] < 0.1 * box.half[:2].min()
    return flat and _plan_area(measured) >= _SMALLEST_FLOOR and level >= 0.6 * _plan_area(measured)


def _is_slab(measured: Measured) -> bool:
    long, deep = 2 * float(measured.box.half[:2].max()), 2 * float(measured.box.half[:2].min())
    return deep <= 1.0 and long >= 2.5 * deep


def _is_upright(measured: Measured) -> bool:
    """At least 1.9 m high and 1.5 m long, with enough surface along it."""
    box, body = measured.box, measured.body
    long, high = 2 * float(box.half[:2].max()), 2 * float(box.half[2])
    if high < _WALL_HEIGHT or long < _WALL_LENGTH:
        return False
    upright = np.abs(body.normals[:, 2]) < 0.05
    along = np.abs(body.normals[:, :2] @ box.axes.T)
    facing = max(float(body.areas[upright & (along[:, k] > 0.98)].sum()) for k in (0, 1))
    return facing >= _WALL_FILL * _WALL_HEIGHT * long


def _is_hollow(measured: Measured) -> bool:
    """Whether most of its plan is free from 0.25 m to 1.75 m above its foot, as a shell of walls is."""
    box = measured.box
    foot = float(measured.bounds[0, 2])
    cuts = [section(measured.body, foot + h) for h in (0.3, 0.8, 1.3, 1.7)]
    lines = _lines(np.concatenate(cuts))
    if not len(lines):
        return False
    steps = (np.arange(10) + 0.5) / 5 - 1
    grid = np.stack(np.meshgrid(steps * box.half[0], steps * box.half[1]), axis=-1).reshape(-1, 2)
    points = shapely.points(box.center[:2] + grid @ box.axes)
    solid = shapely.union_all(shapely.buffer(lines, 0.05))
    return bool((shapely.distance(points, solid) > 0).mean() > 0.7)
