"""Opening and closing drawers, doors and lids, with what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ..executor.geometry.body import Body
from ..executor.geometry.contact import contacts
from ..executor.geometry.mesh import concatenate
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.steps import Steps
from ..executor.predicates.physical import introduced_collisions
from ..executor.reading.moving_parts import MovingPart, joint_mark, moving_parts
from .company import Company, to_be_moved
from .hands import Hands, Step, name_of

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld

_SHARES = (1.0, 0.75, 0.5, 0.25)
"""Where nothing is said, what of the way is tried until nothing is in it."""
_USUAL_DEG = 90.0
"""How far a door is opened if nothing is said."""
_SLACK = 1.001
"""What an amount may exceed a limit by, as numbers are rounded."""


def open_parts(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Bring parts of one thing as far out as is asked, or shut them; what is in a drawer goes along.

    Where no amount is asked, they go as far as nothing is in the way.
    """
    thing = predicate.subject[0]
    hands.check_protected([thing], world)
    named = predicate.qualifiers["objects"]
    assert isinstance(named, list)
    parts = [p for p in moving_parts(world, thing) if set(p.objects) & set(named)]
    riders = [_riders_in(p, thing, world) for p in parts]
    led = [Company.of(r, world) for found in riders for r in found]
    touched: dict[str, str | None] = dict.fromkeys(hands.touched(led, world), thing)
    touched[thing] = None
    amounts = [_amount(part, predicate, thing, world) for part in parts]
    stated = any(name in predicate.qualifiers for name in ("length", "angle_deg", "shut"))
    mark = hands.stage.journal.mark()
    for share in (1.0,) if stated else _SHARES:
        hands.stage.journal.roll_back(mark)
        done: list[JsonValue] = []
        for part, amount, carried in zip(parts, amounts, riders, strict=True):
            _go(hands, part, share * amount, carried, thing, world)
            done += [_told(part, name, share * amount) for name in part.objects]
        current = yield from hands.stage.read()
        if not introduced_collisions(touched, current, world):
            break
    qualifiers = {**predicate.qualifiers, "parts": done}
    return Step(predicate.model_copy(update={"qualifiers": qualifiers}), current, touched)


def _go(hands: Hands, part: MovingPart, amount: float, riders: Sequence[str], thing: str, world: SceneWorld) -> None:
    """Move a part by an amount, with what is in it, and note with its objects how it moves."""
    for name in part.objects:
        mark = joint_mark(world, thing, part, name)
        if mark is not None:
            hands.stage.mark_joint(world, thing, name, mark)
    going = to_be_moved([t for r in riders for t in Company.of(r, world).members], world)
    if part.motion == "slide":
        hands.stage.slide_part(world, thing, part.objects, part.axis * amount)
        hands.stage.move(world, going, part.axis * amount)
    else:
        hands.stage.swing_part(world, thing, part.objects, amount, part.origin, part.axis)
        hands.stage.turn(world, going, amount, part.origin, part.axis)


def _amount(part: MovingPart, predicate: Predicate, thing: str, world: SceneWorld) -> float:
    """How far a part goes, metres or degrees, negative where it shuts.

    Raises:
        ScenewrightError: ``infeasible``, with how far it goes, ``not_understood`` if the amount is of the other kind.
    """
    unit = "m" if part.motion == "slide" else "degrees"
    if predicate.qualifiers.get("shut"):
        return -part.opened
    asked = predicate.qualifiers.get("length" if part.motion == "slide" else "angle_deg")
    other = predicate.qualifiers.get("angle_deg" if part.motion == "slide" else "length")
    if asked is None and other is not None:
        raise ScenewrightError(
            "not_understood", f"The {part.kind} of {name_of(thing, world)} opens by {unit}.", f"Give it in {unit}."
        )
    free = part.limit - part.opened
    if asked is None:
        return min(free, _USUAL_DEG - part.opened) if part.motion == "hinge" else free
    amount = float(str(asked))
    if amount > free * _SLACK:
        raise ScenewrightError(
            "infeasible",
            f"The {part.kind} of {name_of(thing, world)} goes {free:.3g} {unit} further at most, not {amount:g}.",
            "Ask for less.",
        )
    return amount


def _told(part: MovingPart, name: str, amount: float) -> dict[str, JsonValue]:
    return {
        "object": name,
        "kind": part.kind,
        "motion": part.motion,
        "axis": [float(c) for c in part.axis],
        "origin": [float(c) for c in part.origin],
        "amount": float(amount),
    }


def _riders_in(part: MovingPart, thing: str, world: SceneWorld) -> Sequence[str]:
    """What stands in or on a part: on its own shape, not on the rest of the thing."""
    shape = _body(part, thing, world)
    return [r for r in world.resting_on(thing) if contacts(world.body(r), shape)]


def _body(part: MovingPart, thing: str, world: SceneWorld) -> Body:
    """Triangles of a part, with all that follows its objects."""
    members = {m.name: m for m in world.scene.things[world.scene.index_of(thing)].members}
    moving = set(part.objects)
    while True:
        more = {n for n, m in members.items() if m.parent in moving} - moving
        if not more:
            break
        moving |= more
    drawn = [p.shape.mesh.transformed(p.world_from_local) for n in moving if n in members for p in members[n].parts]
    return Body(concatenate(drawn))
