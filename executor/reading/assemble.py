"""The graph's plain entries, put together from what the stages found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..geometry.mesh import FloatArray
from ..geometry.plan import ring_of, segment_distances
from ..model.graph import (
    Aabb,
    Box,
    Entity,
    FrontSource,
    Opening,
    Room,
    SceneGraph,
    Support,
    Surface,
    Vec2,
    Vec3,
    Wall,
)
from .colors import material_names
from .lexicon import lexicon
from .relations import RelationFinder
from .snapshot import ObjectRecord, Snapshot
from .structure import RoomShape, Structure
from .support import Carrier
from .surfaces import Patch
from .things import Thing

_FLOORS = ("floor", "ground")
_SAME_LEVEL = 0.05


def assemble(
    snapshot: Snapshot,
    things: Sequence[Thing],
    ids: Sequence[str],
    carriers: Sequence[Carrier],
    fronts: Sequence[tuple[FloatArray | None, FrontSource]],
    patches: Sequence[Sequence[Patch]],
    colors: Sequence[list[str]],
    structure: Structure,
    doubts: Sequence[str],
    finder: RelationFinder,
) -> SceneGraph:
    """The scene graph; ids of rooms and walls count up in the order of the structure."""
    names = _Names(things, ids, structure)
    surfaces = [_surfaces(ids[i], found) for i, found in enumerate(patches)]
    rooms = _rooms_of(things, structure)
    entities = []
    for i, thing in enumerate(things):
        box, bounds = thing.measured.box, thing.measured.bounds
        direction, source = fronts[i]
        entities.append(
            Entity(
                id=ids[i],
                name=thing.root.title,
                category=thing.category,
                role=thing.role,
                box=Box(center=vec3(box.center), half=vec3(box.half), yaw=box.yaw_deg),
                aabb=Aabb(min=vec3(bounds[0]), max=vec3(bounds[1])),
                front=vec2(direction) if direction is not None else None,
                front_source=source,
                up=_up(thing.root),
                support=_support(thing, carriers[i], things, names, surfaces),
                surfaces=surfaces[i],
                collections=list(dict.fromkeys(c for m in thing.members for c in m.collections)),
                colors=colors[i],
                materials=material_names(thing.parts),
                room=names.room(rooms[i]) if thing.measured.has_geometry else None,
                zone=None,
                protected=any(bool(m.marks.get("protected")) for m in thing.members),
                hidden=thing.hidden,
                entity_of=[m.within + m.title for m in (thing.root, *sorted(thing.members[1:], key=lambda m: m.title))],
            )
        )
    return SceneGraph(
        north_deg=snapshot.north_deg,
        warnings=[*snapshot.warnings, *doubts],
        rooms=_rooms(names),
        walls=_walls(names),
        openings=_openings(names),
        objects=entities,
        relations=finder.relations(things, ids, carriers, [f for f, _ in fronts], structure, names.walls, rooms),
        zones=[],
    )


def _rooms_of(things: Sequence[Thing], structure: Structure) -> list[int | None]:
    """Room of each thing: of a floor, that above it, of all else, that in which its foot is."""
    lex = lexicon()
    points = np.array([t.measured.box.center[:2] for t in things]).reshape(-1, 2)
    spans = np.array([t.measured.bounds[:, 2] for t in things]).reshape(-1, 2)
    floors = np.array([any(lex.is_a(t.category, w) for w in _FLOORS) for t in things], bool)
    spans[floors, 0] = spans[floors, 1]
    return structure.rooms_at(points, spans)


class _Numbers:
    """Numbered names that no thing has as its id: a thing called ``Wall 1`` keeps ``wall_1`` to itself."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def next(self, kind: str) -> str:
        number = self._last.get(kind, 0) + 1
        while f"{kind}_{number}" in self._taken:
            number += 1
        self._last[kind] = number
        return f"{kind}_{number}"


class _Names:
    """Ids of things, walls, rooms and openings."""

    def __init__(self, things: Sequence[Thing], ids: Sequence[str], structure: Structure) -> None:
        self.structure = structure
        self.id_of = {id(t): i for t, i in zip(things, ids, strict=True)}
        self.faces = structure.walls
        free = _Numbers(ids)
        self.walls = [free.next("wall") for _ in self.faces]
        self.wall_of = {id(f): w for f, w in zip(self.faces, self.walls, strict=True)}
        self.rooms = [free.next("room") for _ in structure.rooms]
        self.openings = [free.next(o.kind) for o in structure.openings]
        self._shells: dict[int, list[RoomShape]] = {}
        for room in structure.rooms:
            self._shells.setdefault(id(room.floor), []).append(room)

    def room(self, index: int | None) -> str | None:
        return None if index is None else self.rooms[index]

    def is_level_of(self, host: Thing, height: float) -> bool:
        """Whether a structure, such as a shell of one mesh, gives a room its floor at a height."""
        return any(abs(height - room.floor_z) < _SAME_LEVEL for room in self._shells.get(id(host), ()))

    def is_ceiling_of(self, host: Thing, height: float) -> bool:
        """Whether a shell that gives a room its floor gives it a ceiling at a height, too."""
        rooms = self._shells.get(id(host), ())
        return any(r.ceiling_z is not None and abs(height - r.ceiling_z) < _SAME_LEVEL for r in rooms)

    def wall_behind(self, host: Thing, point: FloatArray) -> str | None:
        """The face of a wall thing that is nearest to a point, of those at its height if there are any."""
        own = [n for n, face in enumerate(self.faces) if face.thing is host]
        if not own:
            return None
        lines = self.structure.wall_lines
        low, high = lines.spans[own].T
        beside = np.flatnonzero((low <= point[2]) & (point[2] <= high))
        own = [own[k] for k in beside] or own
        return self.walls[own[int(segment_distances(point[:2], lines.starts[own], lines.ends[own]).argmin())]]


def _support(
    thing: Thing, carrier: Carrier, things: Sequence[Thing], names: _Names, surfaces: Sequence[Sequence[Surface]]
) -> Support:
    if carrier.thing is None:
        return Support(on="none")
    host = things[carrier.thing]
    lex = lexicon()
    if carrier.kind == "hangs":
        if lex.is_a(host.category, "ceiling") or names.is_ceiling_of(host, float(thing.measured.bounds[1, 2])):
            return Support(on="ceiling", gap=carrier.gap)
        wall = names.wall_behind(host, carrier.at) if carrier.at is not None else None
        return Support(on=wall or names.id_of[id(host)], gap=carrier.gap)
    if host.is_structure and (_rests_on_floor(host, carrier) or names.is_level_of(host, _foot(thing, carrier))):
        return Support(on="floor", gap=carrier.gap)
    surface = None
    if carrier.height is not None:
        level = [s for s in surfaces[carrier.thing] if abs(s.z - carrier.height) <= 0.03]
        surface = min(level, key=lambda s: abs(s.z - carrier.height), default=None)  # type: ignore[operator]
    return Support(on=names.id_of[id(host)], surface=surface.id if surface else None, gap=carrier.gap)


def _rests_on_floor(host: Thing, carrier: Carrier) -> bool:
    return carrier.kind == "rests" and any(lexicon().is_a(host.category, w) for w in _FLOORS)


def _foot(thing: Thing, carrier: Carrier) -> float:
    """Height at which a thing touches its carrier: its own foot where the carrier's faces look the wrong way."""
    return float(thing.measured.bounds[0, 2]) if carrier.height is None else carrier.height


def _surfaces(entity_id: str, patches: Sequence[Patch]) -> list[Surface]:
    return [
        Surface(id=f"{entity_id}.s{n}", polygon=p.ring, z=p.z, clearance=p.clearance, area=p.area)
        for n, p in enumerate(patches, 1)
    ]


def _rooms(names: _Names) -> list[Room]:
    return [
        Room(
            id=name,
            floor_polygon=ring_of(room.polygon),
            floor_z=room.floor_z,
            ceiling_z=room.ceiling_z,
            walls=[names.wall_of[id(f)] for f in room.walls],
            area=float(room.polygon.area),
        )
        for name, room in zip(names.rooms, names.structure.rooms, strict=True)
    ]


def _walls(names: _Names) -> list[Wall]:
    on_wall = {
        wall: [
            name
            for name, opening in zip(names.openings, names.structure.openings, strict=True)
            if opening.wall is not None and names.wall_of[id(opening.wall)] == wall
        ]
        for wall in names.walls
    }
    return [
        Wall(
            id=name,
            object_id=names.id_of[id(face.thing)],
            start=vec2(face.start),
            end=vec2(face.end),
            normal=vec2(face.normal),
            height=face.height,
            openings=on_wall[name],
        )
        for name, face in zip(names.walls, names.faces, strict=True)
    ]


def _openings(names: _Names) -> list[Opening]:
    return [
        Opening(
            id=name,
            object_id=names.id_of[id(o.thing)],
            kind=o.kind,
            wall=names.wall_of[id(o.wall)] if o.wall is not None else None,
            center=vec3(o.center),
            width=o.width,
            height=o.height,
            sill=o.sill,
            swing=None,
        )
        for name, o in zip(names.openings, names.structure.openings, strict=True)
    ]


def _up(root: ObjectRecord) -> Vec3:
    """World direction of the object axis that points most upward: its own up, askew or not."""
    axes = root.world_from_local[:3, :3]
    unit = axes / np.maximum(np.linalg.norm(axes, axis=0), 1e-12)
    k = int(np.abs(unit[2]).argmax())
    up = unit[:, k] * (1.0 if unit[2, k] >= 0 else -1.0)
    return vec3(up)


def vec2(values: FloatArray) -> Vec2:
    """Two plain floats."""
    return (float(values[0]), float(values[1]))


def vec3(values: FloatArray) -> Vec3:
    """Three plain floats."""
    return (float(values[0]), float(values[1]), float(values[2]))
