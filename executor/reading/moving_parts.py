"""Which parts of a thing open, and how: drawers that slide, doors, flaps and lids that turn.

What a mark says counts first; built-in furniture has such marks, and what was opened once gets them. Else a part is one
by its name, and how it moves is told by where it sits. Nothing is guessed of what has no telling name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

import numpy as np

from ..geometry.mesh import FloatArray
from .names import singular, strip_number, words_of
from .part_motions import Motion, motion_of
from .snapshot import ObjectRecord

if TYPE_CHECKING:
    from .scene_world import SceneWorld
    from .things import Thing

PartKind: TypeAlias = Literal["drawer", "door", "lid", "flap"]

_KINDS: Mapping[str, PartKind] = {
    "drawer": "drawer",
    "schublade": "drawer",
    "tiroir": "drawer",
    "cajon": "drawer",
    "door": "door",
    "tur": "door",
    "tuer": "door",
    "porte": "door",
    "puerta": "door",
    "gate": "door",
    "shutter": "door",
    "lid": "lid",
    "deckel": "lid",
    "flap": "flap",
    "hatch": "flap",
    "klappe": "flap",
}
"""Words of a name, folded and in the singular, that make an object a part that opens."""
_FIXED = frozenset(["frame", "jamb", "casing", "hinge", "rail", "runner", "stop", "trim", "slide", "sill", "zarge"])
"""Words beside those that make it something that stays."""
_GRIPS = frozenset(["handle", "knob", "pull", "grip", "latch", "lock", "griff", "knauf"])
_COVERED = 0.5
"""Share of the smaller of two faces, seen from the front, from which two parts of a kind are one."""
_APART = 0.005
"""Gap up to which pieces of a part meet, metres."""
_OFF_MIDDLE = 0.02
"""Share of a thing's half extent from which its parts are clearly towards a side."""
_LEVEL = 0.05
"""Parts whose middles differ by less in height stand side by side, metres."""


@dataclass(frozen=True, eq=False, slots=True)
class MovingPart:
    """A part that opens.

    Attributes:
        kind: what a person would call it.
        objects: full names of the topmost objects that move together; what follows them as children is not listed.
        motion: ``slide`` along the axis, or ``hinge`` about it.
        axis: ``(3,)`` unit, world: the way it opens; about a hinge a right-handed turn opens.
        origin: ``(3,)`` metres, world, a point of the axis.
        limit: how far it opens from closed, metres or degrees.
        opened: how far it is open now, metres or degrees.
        center: ``(3,)`` metres, world, its middle.
    """

    kind: PartKind
    objects: tuple[str, ...]
    motion: Literal["slide", "hinge"]
    axis: FloatArray
    origin: FloatArray
    limit: float
    opened: float
    center: FloatArray


def moving_parts(world: SceneWorld, thing: str) -> list[MovingPart]:
    """The parts of a thing that open, from the top down, then from left to right for who faces its front.

    Args:
        world: the scene.
        thing: its id.
    """
    subject = world.scene.things[world.scene.index_of(thing)]
    members = {m.name: m for m in subject.members}
    found = _parts(subject, members)
    front = _front(world, thing, subject, [n for _, names in found for n in names], members)
    groups = _joined(found, members, front)
    carcass = [m for m in subject.members if not any(m.name in all_of for _, all_of in groups.values())]
    parts = []
    for objects, (kind, names) in groups.items():
        root = members[objects[0]]
        motion = _marked(root, members) or motion_of(
            kind,
            subject.category,
            [_points([members[n]]) for n in names if _is_grip(members[n])],
            _points([members[n] for n in names if not _is_grip(members[n])]),
            [_points([members[n] for n in other]) for o, (k, other) in groups.items() if o != objects and k == kind],
            _points(carcass),
            root.world_from_local[:3, 3],
            front,
        )
        middle = _middle([members[n] for n in names])
        parts.append(
            MovingPart(kind, objects, motion.motion, motion.axis, motion.origin, motion.limit, motion.opened, middle)
        )
    rightwards = np.array([-front[1], front[0], 0.0])
    return sorted(parts, key=lambda p: (-round(p.center[2] / _LEVEL), float(p.center @ rightwards)))


# --- which objects are parts --------------------------------------------------------------------------------


def _parts(subject: Thing, members: Mapping[str, ObjectRecord]) -> list[tuple[PartKind, list[str]]]:
    """Objects of a thing that open, topmost first, each with all that follows it."""
    found: list[tuple[PartKind, list[str]]] = []
    alone = sum(bool(m.parts) for m in subject.members) == 1
    for record in subject.members:
        kind = _kind(record)
        if kind is None or record.hidden is not None or (record is subject.root and not alone):
            continue
        names = [record.name, *_below(record.name, members)]
        if any(record.name in others for _, others in found) or not any(members[n].parts for n in names):
            continue
        found = [f for f in found if f[1][0] not in names]
        found.append((kind, names))
    return found


def _joined(
    found: Sequence[tuple[PartKind, list[str]]], members: Mapping[str, ObjectRecord], front: FloatArray
) -> dict[tuple[str, ...], tuple[PartKind, list[str]]]:
    """By their topmost objects, the kind and all objects of parts: what a part is made of moves together, a drawer's
    box, its front and its handle.
    """
    joined: list[tuple[PartKind, list[str], list[str]]] = []
    for kind, names in found:
        twin = next((j for j in joined if j[0] == kind and _are_one(j[2], names, members, front)), None)
        if twin is None:
            joined.append((kind, names[:1], list(names)))
        else:
            twin[1].append(names[0])
            twin[2].extend(names)
    taken = {n for _, _, names in joined for n in names}
    for record in members.values():
        if record.name in taken or not _is_grip(record) or not record.parts:
            continue
        middle = _middle([record])
        nearest = min(joined, key=lambda j: _outside(middle, _points([members[n] for n in j[2]])), default=None)
        if nearest is not None and _outside(middle, _points([members[n] for n in nearest[2]])) < _LEVEL:
            nearest[1].append(record.name)
            nearest[2].append(record.name)
    return {tuple(tops): (kind, names) for kind, tops, names in joined}


def _kind(record: ObjectRecord) -> PartKind | None:
    """What an object is by its joint or its name; None for what does not open."""
    written = words_of(strip_number(record.title))
    words = [singular(w) for w in written]
    if _FIXED.intersection(words) or _GRIPS.intersection(words):
        return None
    named = next((_KINDS[w] for w in reversed(written) if w in _KINDS), None)  # a plural is several in one
    if named is None and isinstance(record.marks.get("joint"), Mapping):
        return "drawer" if cast(Mapping[str, object], record.marks["joint"]).get("motion") == "slide" else "door"
    return named


def _is_grip(record: ObjectRecord) -> bool:
    return bool(_GRIPS.intersection(singular(w) for w in words_of(strip_number(record.title))))


def _below(name: str, members: Mapping[str, ObjectRecord]) -> list[str]:
    """Names of all objects of a thing that follow one of them."""
    found: list[str] = []
    queue = [name]
    while queue:
        above = queue.pop()
        more = [m.name for m in members.values() if m.parent == above and m.name not in found]
        found += more
        queue += more
    return found


def _are_one(one: Sequence[str], other: Sequence[str], members: Mapping[str, ObjectRecord], front: FloatArray) -> bool:
    """Whether two parts of a kind are pieces of one: they meet, and from the front one covers the other."""
    frame = np.array([[-front[1], front[0], 0.0], [0.0, 0.0, 1.0], front])
    along = [_points([members[n] for n in names]) @ frame.T for names in (one, other)]
    low, high = ([f(points, axis=0) for points in along] for f in (np.min, np.max))
    common = np.minimum(*high) - np.maximum(*low)
    faces = [np.prod(np.maximum(h - lo, 1e-6)[:2]) for lo, h in zip(low, high, strict=True)]
    return bool(common[2] > -_APART and np.prod(np.maximum(common[:2], 0)) >= _COVERED * min(faces))


def _outside(point: FloatArray, points: FloatArray) -> float:
    """How far a point is outside the box around some, metres."""
    return float(np.linalg.norm(np.maximum(np.maximum(points.min(0) - point, point - points.max(0)), 0)))


def _middle(records: Sequence[ObjectRecord]) -> FloatArray:
    points = _points(records)
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)


def _points(records: Sequence[ObjectRecord]) -> FloatArray:
    """Vertices of what some objects draw, ``(n, 3)``, n ≥ 1, world, metres."""
    drawn = [p.shape.mesh.transformed(p.world_from_local).vertices for r in records for p in r.parts]
    if drawn:
        return np.concatenate(drawn)
    return np.array([r.world_from_local[:3, 3] for r in records]) if records else np.zeros((1, 3))


# --- where it looks -----------------------------------------------------------------------------------------


def _front(
    world: SceneWorld, thing: str, subject: Thing, names: Sequence[str], members: Mapping[str, ObjectRecord]
) -> FloatArray:
    """Direction in plan, ``(3,)`` unit, in which a thing's drawers and doors look.

    Into the room, of a door in a wall; else the way that somebody has stated, or that a drawer goes by its mark; else
    the side towards which its parts are, or the way the thing looks: that is told from a wall behind it, too, which an
    open drawer may come near.
    """
    opening = next((o for o in world.scene.graph.openings if o.object_id == thing), None)
    wall = next((w for w in world.scene.graph.walls if opening is not None and w.id == opening.wall), None)
    if wall is not None:
        return np.array([*wall.normal, 0.0])
    front, source = world.scene.fronts[world.scene.index_of(thing)]
    if front is not None and source in ("property", "asset"):
        return np.array([*front[:2], 0.0])
    slides = [m.axis for n in names if (m := _marked(members[n], members)) is not None and m.motion == "slide"]
    if slides:
        return np.array([*(slides[0][:2] / max(float(np.linalg.norm(slides[0][:2])), 1e-12)), 0.0])
    box = subject.measured.box
    sides = [sign * axis for axis in box.axes for sign in (1, -1)]
    stays = [m for m in members.values() if m.name not in names]
    offset = (_middle([members[n] for n in names]) - _middle(stays))[:2] if names and stays else np.zeros(2)
    best = max(sides, key=lambda d: float(offset @ d) / max(box.extent_along(d), 1e-6))
    clearly = float(offset @ best) > _OFF_MIDDLE * box.extent_along(best)
    if front is not None and not clearly:
        return np.array([*front[:2], 0.0])
    return np.array([*best, 0.0])


# --- what marks say -----------------------------------------------------------------------------------------


def joint_mark(world: SceneWorld, thing: str, part: MovingPart, name: str) -> dict[str, object] | None:
    """What to write on one of a part's objects, so that it is known from then on how it moves, and where it is shut.

    Returns:
        ``motion``, ``axis``, ``origin`` and ``limit`` in the object's own space, and ``closed``, its matrix in that
        of its parent; None if it says so already.
    """
    members = {m.name: m for m in world.scene.things[world.scene.index_of(thing)].members}
    record = members[name]
    if _marked(record, members) is not None:
        return None
    now = record.world_from_local
    local_from_world = np.linalg.pinv(now)
    axis, origin = local_from_world[:3, :3] @ part.axis, local_from_world[:3, :3] @ (part.origin - now[:3, 3])
    shut = now.copy()
    limit = part.limit
    if part.motion == "slide":
        shut[:3, 3] -= part.opened * part.axis
        limit *= float(np.linalg.norm(axis))
    elif np.linalg.det(now[:3, :3]) < 0:
        axis = -axis
    parent = members.get(record.parent or "")
    above = parent.world_from_local if parent is not None else np.eye(4)
    return {
        "motion": part.motion,
        "axis": (axis / np.linalg.norm(axis)).tolist(),
        "origin": origin.tolist(),
        "limit": limit,
        "closed": (np.linalg.inv(above) @ shut).ravel().tolist(),
    }


def _marked(record: ObjectRecord, members: Mapping[str, ObjectRecord]) -> Motion | None:
    """How a part moves by its mark; None if it has none that makes sense."""
    mark = record.marks.get("joint")
    if not isinstance(mark, Mapping):
        return None
    try:
        axis, origin = (np.array([float(c) for c in mark[k]]) for k in ("axis", "origin"))
        closed = np.array([float(c) for c in mark["closed"]]).reshape(4, 4)
        motion, limit = mark["motion"], float(mark["limit"])
    except (KeyError, TypeError, ValueError):
        return None
    if motion not in ("slide", "hinge") or not (math.isfinite(limit) and limit > 0) or not np.linalg.norm(axis) > 0:
        return None
    parent = members.get(record.parent or "")
    above = parent.world_from_local if parent is not None else np.eye(4)
    now, shut = record.world_from_local, above @ closed
    along = shut[:3, :3] @ axis
    scale = float(np.linalg.norm(along) / np.linalg.norm(axis))
    unit = along / max(float(np.linalg.norm(along)), 1e-12)
    at = now[:3, :3] @ origin + now[:3, 3]
    if motion == "slide":
        return Motion("slide", unit, at, limit * scale, float((now[:3, 3] - shut[:3, 3]) @ unit))
    if np.linalg.det(now[:3, :3]) < 0:  # mirrored, it opens the other way round
        unit = -unit
    turned = now[:3, :3] @ np.linalg.pinv(shut[:3, :3])
    square = np.cross(unit, [1.0, 0.0, 0.0] if abs(unit[0]) < 0.9 else [0.0, 1.0, 0.0])
    angle = math.degrees(math.atan2(float(np.cross(square, turned @ square) @ unit), float(square @ turned @ square)))
    return Motion("hinge", unit, at, limit, angle)
