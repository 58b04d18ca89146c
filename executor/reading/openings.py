"""Doors and windows in walls, and holes in walls that have neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.mesh import FloatArray
from ..geometry.plan import segment_distances
from ..model.graph import OpeningKind
from ..model.steps import Steps
from .lexicon import Lexicon
from .structure import Hole, OpeningShape, RoomShape, Structure, WallFace
from .things import Thing

_BEFORE, _BEHIND = 0.06, 0.23
"""How far in front of a wall's face a door or window may lie, and how far behind it, as shares of its height."""
_DOOR_OF_WALL, _DOOR_HEIGHT, _DOOR_WIDTH = 0.45, 1.2, 0.4
"""A door is at least that share of its wall high; where there are no walls, that high and wide, metres."""
_WINDOW = 0.15
_LEAF = 0.3
"""A door is a leaf if it is at most that thick, as a share of its width: that is how wide it is, however it stands."""
_PARALLEL_COS = np.cos(np.radians(10))
_HINGE = 0.25
"""How far from a hole's edge along the wall the leaf of its door may hang, metres."""
_BESIDE_END = 0.1
_TOUCHING = 0.02
_WALL_DEPTH = 0.6


@dataclass(frozen=True, eq=False, slots=True)
class _Place:
    """Where a door or window stands: the wall face, and the hole that it fills or stands open at."""

    face: WallFace
    hole: Hole | None
    open: bool


def openings_in(things: Sequence[Thing], rooms: list[RoomShape], lexicon: Lexicon) -> Steps[list[OpeningShape]]:
    """Openings of a scene: doors and windows in walls (anywhere, where there are no walls), then bare holes.

    A door or window of a piece of furniture is no structure, either: it gets the role ``other``.

    Args:
        things: whatever is shown.
        rooms: with their wall faces.
        lexicon: what is a door.
    """
    plan = Structure(rooms, [])
    furniture = [t.measured.bounds for t in things if t.role == "furniture"]
    found: list[OpeningShape] = []
    filled: set[Hole] = set()
    for thing in things:
        kind: OpeningKind | None = next((k for k in ("door", "window") if lexicon.is_a(thing.category, k)), None)
        if kind is None or not thing.is_structure:
            continue
        place = _place(thing, kind, plan, _names_furniture(thing, lexicon))
        if place is not None:
            found.append(_in_wall(thing, kind, place))
            filled |= {place.hole} if place.hole is not None else set()
        elif _names_furniture(thing, lexicon) or _touches(thing, furniture):
            thing.role = "other"
        elif not plan.walls and _may_be(thing, kind):
            found.append(_free_standing(thing, kind))
        yield
    bare = [(face, hole) for face in plan.walls for hole in face.holes if hole not in filled]
    return [*found, *_holes(bare)]


def _names_furniture(thing: Thing, lexicon: Lexicon) -> bool:
    """Whether a name tells of which piece of furniture something is the door: ``fridge door``."""
    others = lexicon.read_name(thing.root.title).others
    kinds = [lexicon.categories[k] for k in others if k in lexicon.categories]
    return any(k.size is not None and (k.role == "furniture" or lexicon.is_a(k.name, "appliance")) for k in kinds)


def _touches(thing: Thing, boxes: Sequence[FloatArray]) -> bool:
    """Whether a thing touches one of many boxes, ``(2, 3)`` each."""
    if not boxes:
        return False
    low, high = thing.measured.bounds
    bounds = np.array(boxes)
    return bool(((bounds[:, 0] <= high + _TOUCHING) & (bounds[:, 1] >= low - _TOUCHING)).all(axis=1).any())


def _may_be(thing: Thing, kind: OpeningKind) -> bool:
    """Whether a thing stands and is as large as a door or window."""
    box = thing.measured.box
    width, height = 2 * float(box.half[:2].max()), 2 * float(box.half[2])
    if kind == "door":
        return height >= _DOOR_HEIGHT and width >= _DOOR_WIDTH
    return min(width, height) >= _WINDOW


def _place(thing: Thing, kind: OpeningKind, plan: Structure, named_furniture: bool) -> _Place | None:
    """The nearest wall face that a door or window stands in, or open at."""
    lines, box = plan.wall_lines, thing.measured.box
    if not len(lines.starts):
        return None
    farthest = _BEHIND * float((lines.spans[:, 1] - lines.spans[:, 0]).max())
    around = plan.walls_around(box.center[:2], float(np.hypot(*box.half[:2])) + farthest)
    beside = around[(lines.spans[around, 0] <= box.center[2]) & (lines.spans[around, 1] >= box.center[2])]
    away = segment_distances(box.center[:2], lines.starts[beside], lines.ends[beside])
    places = (_at(thing, kind, plan.walls[k], named_furniture) for k in beside[np.argsort(away, kind="stable")])
    return next((place for place in places if place is not None), None)


def _at(thing: Thing, kind: OpeningKind, face: WallFace, named_furniture: bool) -> _Place | None:
    box = thing.measured.box
    low, high = thing.measured.bounds[:, 2]
    least = _DOOR_OF_WALL * face.height if kind == "door" else _WINDOW
    if high - low < least:
        return None
    front = float((box.center[:2] - face.start) @ face.normal)
    depth, side = box.extent_along(face.normal), box.extent_along(face.along)
    middle = float((box.center[:2] - face.start) @ face.along)
    if not -_BESIDE_END <= middle <= face.length + _BESIDE_END or front < -_BEHIND * face.height - depth:
        return None
    if not _is_leaf(thing) or side >= _PARALLEL_COS * box.half[:2].max():
        reach = 0.0 if named_furniture else _BEFORE * face.height
        if not -_BEHIND * face.height <= front <= reach + depth:
            return None
        hole = next((h for h in face.holes if h.begin <= middle <= h.end and h.low < high and h.high > low), None)
        return _Place(face, hole, False)
    if front - depth > _BEFORE * face.height or named_furniture:
        return None
    hinges = (middle - side, middle + side)
    near = [h for h in face.holes if any(h.begin - _HINGE <= u <= h.end + _HINGE for u in hinges)]
    return _Place(face, near[0], True) if near else (None if face.holes else _Place(face, None, True))


def _is_leaf(thing: Thing) -> bool:
    half = thing.measured.box.half[:2]
    return bool(half.min() <= _LEAF * half.max())


def _in_wall(thing: Thing, kind: OpeningKind, place: _Place) -> OpeningShape:
    box, face = thing.measured.box, place.face
    low, high = thing.measured.bounds[:, 2].tolist()
    center = _center(face, place.hole) if place.open and place.hole is not None else box.center
    width = 2 * float(box.half[:2].max() if _is_leaf(thing) else box.extent_along(face.along))
    return OpeningShape(thing, kind, face, center, width, high - low, low - face.foot)


def _free_standing(thing: Thing, kind: OpeningKind) -> OpeningShape:
    box = thing.measured.box
    return OpeningShape(thing, kind, None, box.center, 2 * float(box.half[:2].max()), 2 * float(box.half[2]), 0.0)


def _holes(bare: Sequence[tuple[WallFace, Hole]]) -> list[OpeningShape]:
    """Holes that no door or window fills, those seen from both sides of a wall once."""
    found: list[OpeningShape] = []
    for face, hole in bare:
        center = _center(face, hole)
        if any(o.thing is face.thing and np.linalg.norm(o.center - center) < _WALL_DEPTH for o in found):
            continue
        found.append(
            OpeningShape(
                face.thing, "opening", face, center, hole.end - hole.begin, hole.high - hole.low, hole.low - face.foot
            )
        )
    return found


def _center(face: WallFace, hole: Hole) -> FloatArray:
    plan = face.start + face.along * (hole.begin + hole.end) / 2
    return np.array([*plan, (hole.low + hole.high) / 2])
