"""Moving, turning, scaling and tipping things, with what they carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from pydantic import JsonValue

from ..executor.geometry.boxes import UprightBox
from ..executor.geometry.mesh import FloatArray
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.steps import Steps
from .company import Company, companies, shifts_of_riders, to_be_moved
from .hands import Hands, Step, name_of
from .putting import shift_onto_or_over

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld

_STANDS = 0.9
"""Cosine of how far what stands may lean."""
_LEVEL_DEG = 0.5


def move(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Shift things by the same offset, in the plane of what they hang on."""
    touched = hands.touched(companies(predicate.subject, world), world)
    offset = np.array(predicate.qualifiers["offset"], np.float64)
    ways = [_along_host(root, offset, world) for root in predicate.subject]
    if any(not np.allclose(way, ways[0]) for way in ways):
        raise ScenewrightError(
            "ambiguous",
            "They hang on different walls, so that is not one direction for all of them.",
            "Move them one by one.",
            list(predicate.subject),
        )
    hands.stage.move(world, to_be_moved(list(touched), world), ways[0])
    way: list[JsonValue] = [float(c) for c in ways[0]]
    done = predicate.model_copy(update={"qualifiers": {**predicate.qualifiers, "offset": way}})
    return Step(done, (yield from hands.stage.read()), touched)


def turn(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Turn things about the vertical through their middles."""
    led = companies(predicate.subject, world)
    touched = hands.touched(led, world)
    angle = float(str(predicate.qualifiers["angle_deg"]))
    for company in led:
        pivot = world.box(company.leader).center
        hands.stage.turn(world, to_be_moved(company.members, world), angle, pivot)
    return Step(predicate, (yield from hands.stage.read()), touched)


def scale(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Each subject about the middle of its base; what rests on it stays where on its surface it stood.

    A subject that is another one's child is scaled by that.
    """
    touched = hands.touched([Company.of(s, world) for s in predicate.subject], world)
    touched |= dict.fromkeys(predicate.subject)
    factor = float(str(predicate.qualifiers["factor"]))
    axes = predicate.qualifiers.get("axes")
    assert axes is None or isinstance(axes, dict)
    current = world
    for thing in _lowest_first(to_be_moved(predicate.subject, world), world):
        box = current.box(thing)
        base = np.array([box.center[0], box.center[1], box.center[2] - box.half[2]])
        axis = np.array(axes[thing], np.float64) if axes is not None else None
        shifts = shifts_of_riders(thing, base, _scaling(factor, axis), current)
        hands.stage.scale(current, thing, factor, base, axis)
        for rider in to_be_moved(list(shifts), current):
            hands.stage.move(current, [rider], shifts[rider])
        current = yield from hands.stage.read()
    return Step(predicate, current, touched)


def _scaling(factor: float, axis: FloatArray | None) -> FloatArray:
    """What a scaling does to directions, ``(3, 3)``: along an axis only, if one is given."""
    along = np.eye(3) if axis is None else np.outer(axis, axis)
    return np.asarray(np.eye(3) + (factor - 1) * along)


def lay(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Bring things into a posture, and down onto what carried them."""
    posture = str(predicate.qualifiers["posture"])
    touched = hands.touched([Company.of(s, world) for s in predicate.subject], world)
    current = world
    for thing in predicate.subject:
        riders = current.resting_on(thing)
        if riders:
            raise ScenewrightError(
                "infeasible",
                f"{name_of(riders[0], current)} stands on {name_of(thing, current)} and would fall.",
                "Move it first.",
                list(riders),
            )
        current = yield from _tip(hands, thing, ways_into(posture, thing, current), current)
    return Step(predicate, current, touched)


def _tip(hands: Hands, thing: str, ways: Sequence[tuple[FloatArray, float]], world: SceneWorld) -> Steps[SceneWorld]:
    """Tip a thing in the first of some ways in which it comes to rest."""
    company, host = Company.of(thing, world), world.carried_by(thing)
    spot = world.spot(thing)
    mark = hands.stage.journal.mark()
    refusal: ScenewrightError | None = None
    for axis, angle in ways:
        hands.stage.turn(world, to_be_moved(company.members, world), angle, world.box(thing).center, axis)
        current = yield from hands.stage.read()
        if host is None:
            return current
        try:
            shift = shift_onto_or_over(company, host, current, spot)
        except ScenewrightError as error:
            refusal = error
            hands.stage.journal.roll_back(mark)
            continue
        hands.stage.move(current, to_be_moved(company.members, current), shift)
        return (yield from hands.stage.read())
    if refusal is not None:
        raise refusal
    return world


def ways_into(posture: str, thing: str, world: SceneWorld) -> list[tuple[FloatArray, float]]:
    """Turns that bring a thing into a posture, best first: axes ``(3,)``, world, and angles in degrees.

    On its side it comes to lie on the broader one: about the way it looks, else about the longer axis of its base.

    Raises:
        ScenewrightError: ``infeasible`` if it lies already, ``ambiguous`` if it has no back that is known.
    """
    entity = world.scene.graph.entity(thing)
    up = world.own_up(thing)
    if posture == "upright":
        return _upright(up, world.box(thing))
    if up[2] < _STANDS:
        raise ScenewrightError(
            "infeasible", f"{entity.name} does not stand upright.", "Stand it upright first, then ask again.", [thing]
        )
    box = world.box(thing)
    longer = np.array([*box.axes[0 if box.half[0] > box.half[1] else 1], 0.0])
    if posture == "upside_down":
        return [(longer, 180.0)]
    if posture == "on_side":
        axis = np.array([*entity.front, 0.0]) if entity.front is not None else longer
        return [(axis, 90.0), (axis, -90.0)]
    if entity.front is None:
        raise ScenewrightError(
            "ambiguous", f"{entity.name} has no front that is known, so no back either.", "Say “on its side”.", [thing]
        )
    across = np.cross([*entity.front, 0.0], [0.0, 0.0, 1.0])
    return [(across, 90.0 if posture == "on_back" else -90.0)]


def _upright(up: FloatArray, box: UprightBox) -> list[tuple[FloatArray, float]]:
    """The shortest turn of a direction to the vertical; none if it is so already."""
    angle = float(np.degrees(np.arctan2(np.hypot(up[0], up[1]), up[2])))
    if angle < _LEVEL_DEG:
        return []
    axis = np.cross(up, [0.0, 0.0, 1.0])
    length = float(np.linalg.norm(axis))
    return [(axis / length if length > 1e-6 else np.array([*box.axes[0], 0.0]), angle)]


def _lowest_first(things: Sequence[str], world: SceneWorld) -> list[str]:
    return sorted(things, key=lambda t: float(world.body(t).hull.low[2]))


def _along_host(thing: str, offset: FloatArray, world: SceneWorld) -> FloatArray:
    """The offset in the plane of the wall that a thing hangs on, of the same length."""
    carrier = world.carrier(thing)
    wall = world.wall_of(thing) if carrier.kind == "hangs" else None
    if wall is None:
        return offset
    flat = offset - (offset[:2] @ wall) * np.array([*wall, 0.0])
    length = float(np.linalg.norm(flat))
    if length < 1e-3 * np.linalg.norm(offset):
        raise ScenewrightError(
            "infeasible",
            f"{name_of(thing, world)} hangs on a wall and cannot move straight off it or into it.",
            "Move it along the wall, up or down.",
        )
    return flat * (np.linalg.norm(offset) / length)
