"""Rooms, from floors and walls.

A room is a part of a floor that the walls' sections leave free. Sections are taken near the floor, half-way up and
near the top of the walls, so that a lintel or a sill closes a door or window that the other sections leave open.
Walls are the room's edges that stand against such a section.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from ..geometry.mesh import FloatArray
from ..geometry.plan import polygons_of, ring_of
from ..model.steps import Steps
from .floors import SMALLEST_ROOM, Level, Shells, named_floors, roofed, storeys
from .lexicon import Lexicon
from .nameless import is_floor
from .openings import openings_in
from .structure import RoomShape, Structure, WallFace
from .things import Thing
from .walls import SLICE, WallSections, sections_around

_THIN = 0.15
_AROUND_FLOOR = 0.5
_SHORTEST_WALL = 0.1
_LOWEST_CEILING = 1.0


class RoomFinder:
    """Finds rooms with their walls, and openings; as long as no structure changes, its rooms stay."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] | None = None
        self._rooms: list[RoomShape] = []
        self._shells = Shells()

    def structure(self, things: Sequence[Thing], lexicon: Lexicon) -> Steps[Structure]:
        """Rooms and openings of the shown things."""
        solid = [t for t in things if t.is_solid]
        structural = [t for t in solid if t.is_structure]
        others = [t for t in solid if not t.is_structure]
        walls = [t for t in structural if lexicon.is_a(t.category, "wall") or t.category in ("room", "building")]
        yield from self._shells.read(walls)
        shell_floors = self._shells.floors(walls, others)
        key = (
            *((t.measured.key, t.category) for t in structural),
            *((level.thing.measured.key, level.z) for level in shell_floors),
        )
        if key != self._key:
            named = yield from named_floors([t for t in structural if is_floor(t, lexicon)])
            ceilings = [t for t in structural if lexicon.is_a(t.category, "ceiling") or is_floor(t, lexicon)]
            self._rooms = yield from self._find(storeys([*named, *shell_floors]), walls, ceilings)
            self._key = key
        rooms = _occupied(_understood_anew(self._rooms, structural), others, bool(walls))
        openings = yield from openings_in(solid, rooms, lexicon)
        return Structure(rooms, openings)

    def _find(
        self, levels: Sequence[Level], walls: Sequence[Thing], ceilings: Sequence[Thing]
    ) -> Steps[list[RoomShape]]:
        sides, covers = _Plans(walls), _Plans(ceilings)
        found: list[RoomShape] = []
        for level in levels:
            around = sides.near(level.polygon, _AROUND_FLOOR)
            for room in (yield from _rooms_on(level, around)):
                over = covers.near(room.polygon, 0.0)
                heights = [_underside(t, level.z, room.polygon) for t in over]
                heights += [self._shells.ceiling(t, level.z, room.polygon) for t in around]
                found.append(_ceiled(room, min((h for h in heights if h is not None), default=None)))
        hidden = roofed([r.polygon for r in found], [r.floor_z for r in found], levels)
        return [room for room, under in zip(found, hidden, strict=True) if not under]


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
    rectangle: Polygon = shapely.box(*thing.measured.bounds[:, :2].ravel())
    return rectangle


def _rooms_on(level: Level, walls: Sequence[Thing]) -> Steps[list[RoomShape]]:
    """The rooms into which walls divide a floor."""
    sections = yield from sections_around(walls, level.polygon, level.z)
    barrier = sections.barrier()
    shapely.prepare(barrier)
    rooms = []
    for piece in polygons_of(level.polygon.difference(barrier)):
        core = piece.buffer(-_THIN, join_style="mitre")
        if core.area < SMALLEST_ROOM / 2:
            continue
        grown = core.buffer(_THIN, join_style="mitre").intersection(piece)
        for part in polygons_of(grown):
            if part.area >= SMALLEST_ROOM:
                rooms.append(_room(level, _to_wall_faces(part, barrier), sections))
                yield
    return rooms


def _room(level: Level, outline: Polygon, sections: WallSections) -> RoomShape:
    """A room with the walls that its edges stand against; an edge that a wall stands apart from moves out to it."""
    ring: FloatArray = np.array(ring_of(outline))
    backings = [
        sections.backing(start, end) if np.linalg.norm(end - start) >= _SHORTEST_WALL else None
        for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True)
    ]
    apart = np.array([b.offset if b is not None else 0.0 for b in backings])
    moved = _moved_out(ring, apart) if apart.any() else None
    if moved is not None:
        outline, ring = moved, np.array(ring_of(moved))
    faces = [
        WallFace(b.thing, start, end, level.z, b.top - level.z, b.holes)
        for b, start, end in zip(backings, ring, np.roll(ring, -1, axis=0), strict=True)
        if b is not None
    ]
    return RoomShape(level.thing_under(outline), outline, level.z, None, faces)


def _to_wall_faces(polygon: Polygon, barrier: BaseGeometry) -> Polygon:
    """Take back the width of the cuts: edges along a wall move out to its face, free edges stay."""
    plain = Polygon(polygon.exterior).simplify(SLICE / 2)
    ring: FloatArray = np.array(ring_of(plain if isinstance(plain, Polygon) else polygon))
    following = np.roll(ring, -1, axis=0)
    along = (following - ring) / np.linalg.norm(following - ring, axis=1)[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    middles = shapely.points((ring + following) / 2 + outward * SLICE / 2)
    shift = np.where(shapely.distance(middles, barrier) < SLICE / 2, SLICE, 0.0)
    return _moved_out(ring, shift) or polygon


def _moved_out(ring: FloatArray, shift: FloatArray) -> Polygon | None:
    """A ring ``(n, 2)`` whose edges are moved outward by some metres each; None if it then crosses itself."""
    following = np.roll(ring, -1, axis=0)
    along = (following - ring) / np.linalg.norm(following - ring, axis=1)[:, None]
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    offset = (outward * ring).sum(axis=1) + shift
    corners = []
    for k in range(len(ring)):
        lines = np.array([outward[k - 1], outward[k]])
        if abs(np.linalg.det(lines)) < 1e-3:
            corners.append(ring[k] + outward[k] * shift[k])
        else:
            corners.append(np.linalg.solve(lines, [offset[k - 1], offset[k]]))
    moved = Polygon(corners)
    return moved if moved.is_valid else None


def _ceiled(room: RoomShape, ceiling_z: float | None) -> RoomShape:
    """A room under its ceiling, where its walls end, too."""
    if ceiling_z is None:
        return room
    walls = [replace(w, height=min(w.height, ceiling_z - room.floor_z)) for w in room.walls]
    return replace(room, ceiling_z=ceiling_z, walls=walls)


def _underside(cover: Thing, z: float, outline: Polygon) -> float | None:
    """Height at which a ceiling, or the floor of the next storey, closes a room above, if it covers half of it."""
    under = float(cover.measured.bounds[0, 2])
    if under <= z + _LOWEST_CEILING or _plan(cover).intersection(outline).area <= outline.area / 2:
        return None
    return under


def _occupied(rooms: list[RoomShape], things: Sequence[Thing], have_walls: bool) -> list[RoomShape]:
    """Drop patches that are no rooms: in a scene with walls, those that neither a wall nor any thing stands on.

    Where any patch lies within two walls or more, one that only passes a wall is a terrace or a yard.
    """
    if not rooms:
        return []
    centers = np.array([t.measured.box.center[:2] for t in things]).reshape(-1, 2)
    held, _ = shapely.STRtree(np.array(shapely.points(centers), object)).query(
        [r.polygon for r in rooms], predicate="contains"
    )
    kept = []
    for room, inside in zip(rooms, np.bincount(held, minlength=len(rooms)).tolist(), strict=True):
        if not have_walls or room.walls or inside:
            kept.append((len(room.walls), inside, room))
    most = min(2, max(walls for walls, _, _ in kept)) if kept else 0
    return [room for walls, _, room in kept if walls >= most]
