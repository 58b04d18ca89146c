"""Making things: duplicates, built pieces, what a file holds; beside what is there, on it, or in its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from pydantic import JsonValue

from ..executor.geometry.body import Body
from ..executor.geometry.distance import surface_distance
from ..executor.geometry.mesh import FloatArray
from ..executor.geometry.penetration import is_deeper_than
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.steps import Steps
from ..executor.predicates.physical import exempt
from .blocking import reach_outside
from .company import Company, to_be_moved
from .hands import Hands, Step, name_of
from .putting import shift_onto_or_over

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld

_BESIDE = 0.05
"""Space left beside the original where a duplicate hangs or floats, metres."""
_STEPS = 4
_SINK = 0.002
_HELD = 0.005
"""Distance up to which something hangs on something, metres."""
_ABOVE = 1.0
"""How far above its place a thing is brought in before that is known: coinciding with another, it would be that."""
_IN_PLACE = 0.01
"""How far from the place of what it replaces a thing may end up, metres."""


def is_new(predicate: Predicate) -> bool:
    """Whether a predicate is about things that are yet to be made."""
    return not predicate.subject and predicate.name in ("exists", "on_top_of")


def create(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Make what a predicate says that there should be."""
    if predicate.name == "exists" and "copy_of" in predicate.qualifiers:
        return (yield from _duplicate(hands, predicate, world))
    return (yield from _add(hands, predicate, world))


def _duplicate(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Duplicate things, each to the nearest free place on what carries the original."""
    made = []
    current = world
    for original in _ids(predicate.qualifiers["copy_of"]):
        root = hands.stage.duplicate(current, original, _aside(original, current))
        current = yield from hands.stage.read()
        made.append(current.owner(root))
    return Step(predicate.model_copy(update={"subject": made}), current, dict.fromkeys(made))


def _add(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Add a thing to the floor, or to what is named."""
    host = predicate.object[0] if predicate.object else _floor(world)
    box = world.box(host)
    above = np.array([*box.center[:2], box.center[2] + box.half[2] + _ABOVE])
    root = _bring(hands, predicate.qualifiers, world, above, 0.0, host if predicate.object else None)
    current = yield from hands.stage.read()
    thing = current.owner(root)
    hands.stage.move(current, [thing], shift_onto_or_over(Company.of(thing, current), host, current))
    current = yield from hands.stage.read()
    return Step(predicate.model_copy(update={"subject": [thing]}), current, {thing: None})


def replace(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Put things in others' places, looking where those looked; what stood on those stands on them."""
    current, touched, replaced = world, dict[str, str | None](), dict[str, str]()
    for old in predicate.object:
        touched |= hands.touched([Company.of(old, current)], current)
        before = current
        children = to_be_moved(before.children(old), before)
        for child in children:
            hands.stage.set_parent(before, child, None)
        root = _bring(hands, predicate.qualifiers, before, _base(old, before), _yaw_like(old, before), old)
        hands.stage.remove(before, old)
        current = yield from hands.stage.read()
        new = current.owner(root)
        hands.stage.turn(current, [new], _turn_to_face_as(old, new, before, current), current.box(new).center)
        current = yield from hands.stage.read()
        hands.stage.move(current, [new], _into_place(new, old, current, before))
        current = yield from hands.stage.read()
        for rider in before.resting_on(old):
            shift = shift_onto_or_over(Company.of(rider, before), new, current, before.spot(rider))
            hands.stage.move(current, to_be_moved(Company.of(rider, before).members, before), shift)
            current = yield from hands.stage.read()
        for child in children:
            hands.stage.set_parent(current, child, new)
        parent = before.parent(old)
        if parent is not None:
            hands.stage.set_parent(current, new, parent)
        current = yield from hands.stage.read()
        touched |= {old: None, new: None}
        replaced[new] = old
    return Step(predicate.model_copy(update={"subject": list(replaced)}), current, touched, replaced)


# --- what is made -------------------------------------------------------------------------------------------


def _bring(
    hands: Hands, source: Mapping[str, JsonValue], world: SceneWorld, at: FloatArray, yaw_deg: float, beside: str | None
) -> str:
    """Bring in what a predicate's qualifiers say: a ``kind``, a ``file``, or a ``copy_of`` a thing.

    Args:
        hands: which do it.
        source: the qualifiers.
        world: the scene as it is.
        at: ``(3,)`` metres, where the middle of its underside goes, about.
        yaw_deg: its heading, about.
        beside: a thing, whose collection it goes into; default: the active one.

    Returns:
        The full name of the object that carries it.
    """
    home = world.member_names(beside)[0] if beside is not None else None
    if "file" in source:
        path = Path(str(source["file"]))
        return hands.stage.add_from_file(path, path.stem, at, yaw_deg, home)
    if "copy_of" in source:
        original = _ids(source["copy_of"])[0]
        return hands.stage.duplicate(world, original, at - _base(original, world))
    from ..assets_index.parametric import build  # Blender's bmesh

    kind = str(source["kind"])
    return hands.stage.add_piece(build(kind), kind.replace("_", " ").capitalize(), at, yaw_deg, home)


def _ids(value: JsonValue) -> list[str]:
    assert isinstance(value, list)
    return [str(v) for v in value]


# --- where it goes ------------------------------------------------------------------------------------------


def _floor(world: SceneWorld) -> str:
    """The floor of the largest room."""
    rooms = world.scene.structure.rooms
    if not rooms:
        raise ScenewrightError(
            "infeasible", "There is no floor to put it on.", "Say what to put it on, or add a floor."
        )
    return world.owner(max(rooms, key=lambda r: r.polygon.area).floor.root.name)


def _aside(original: str, world: SceneWorld) -> FloatArray:
    """How far from its original a duplicate has to stand to be free of everything, on the same thing."""
    host = world.carried_by(original)
    if host is not None and not world.is_mounted(original):
        return shift_onto_or_over(Company(original, ()), host, world, world.spot(original), is_copy=True)
    box, wall = world.box(original), world.wall_of(original)
    across = box.axes[0] if wall is None else np.array([-wall[1], wall[0]])
    step = 2 * box.extent_along(across) + _BESIDE
    for number in range(1, _STEPS + 1):
        for side in (step * number, -step * number):
            shift = np.array([*(across * side), 0.0])
            if _is_free(original, shift, world) and _is_held(original, shift, world):
                return shift
    raise ScenewrightError(
        "infeasible", f"There is no free place beside {name_of(original, world)}.", "Make room beside it first."
    )


def _shifted(thing: str, shift: FloatArray, world: SceneWorld) -> Body:
    matrix = np.eye(4)
    matrix[:3, 3] = shift
    return world.body(thing).transformed(matrix)


def _is_held(thing: str, shift: FloatArray, world: SceneWorld) -> bool:
    """Whether what a thing hangs on, if on anything, still holds it after a shift."""
    host = world.carried_by(thing)
    return host is None or surface_distance(_shifted(thing, shift, world), world.body(host), _HELD) <= _HELD


def _is_free(thing: str, shift: FloatArray, world: SceneWorld) -> bool:
    """Whether a shifted copy of a thing would be in nothing, and within the room."""
    body = _shifted(thing, shift, world)
    if any(
        is_deeper_than(body, world.body(other), _SINK)
        for other in world.ids()
        if not world.body(other).mesh.is_empty and not exempt(thing, other, world, world)
    ):
        return False
    return reach_outside(world.body(thing).mesh.vertices, body.mesh.vertices, world) is None


def _base(thing: str, world: SceneWorld) -> FloatArray:
    """The middle of a thing's underside, ``(3,)`` metres."""
    box = world.box(thing)
    return np.array([*box.center[:2], box.center[2] - box.half[2]])


def _yaw_like(old: str, world: SceneWorld) -> float:
    """The heading of what comes in a thing's place if neither has a front that is known."""
    return world.box(old).yaw_deg


def _turn_to_face_as(old: str, new: str, before: SceneWorld, world: SceneWorld) -> float:
    """By how many degrees a thing has to be turned to look where another one looked."""
    fronts = [w.scene.graph.entity(t).front for t, w in ((old, before), (new, world))]
    if None in fronts:
        return 0.0
    wanted, now = (np.degrees(np.arctan2(f[1], f[0])) for f in fronts if f is not None)
    return float(wanted - now)


def _into_place(new: str, old: str, world: SceneWorld, before: SceneWorld) -> FloatArray:
    """How far a thing has to be moved to be held where another one was."""
    host, carrier, spot = before.carried_by(old), before.carrier(old), before.spot(old)
    if host is None or carrier.kind == "none":
        return _base(old, before) - _base(new, world)
    if carrier.kind == "rests":
        shift = shift_onto_or_over(Company.of(new, world), host, world, spot)
        off = float(np.linalg.norm((_base(new, world) + shift - spot)[:2]))
        if off > _IN_PLACE:
            raise ScenewrightError(
                "infeasible",
                f"{name_of(new, world)} does not fit in the place of {name_of(old, before)}: "
                f"the nearest that is free is {off:.2f} m off.",
                "Move what stands beside it, or add it elsewhere.",
            )
        return shift
    shift = before.box(old).center - world.box(new).center
    wall = before.wall_of(old)
    if wall is not None:  # its back where the other's was
        shift[:2] += wall * (world.box(new).extent_along(wall) - before.box(old).extent_along(wall))
    else:  # its top
        shift[2] += before.box(old).half[2] - world.box(new).half[2]
    return shift
