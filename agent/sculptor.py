"""The sculptor: how a requirement is made true, by the kind of its predicate."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from pydantic import JsonValue

from ..executor.geometry.colors import COLOR_TERMS
from ..executor.geometry.mesh import FloatArray
from ..executor.geometry.sweep import free_distance
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.result import Requirement
from ..executor.model.steps import Steps
from ..executor.placement.on_support import Support, shift_onto
from ..executor.predicates.deltas import MOVE_TOLERANCE, stray_geometry
from ..executor.predicates.physical import exempt, introduced_collisions
from .company import Company, companies, goes_with, shifts_of_riders, to_be_moved

if TYPE_CHECKING:
    from ..executor.blender.stage import Stage
    from ..executor.reading.scene_world import SceneWorld

_OUTSIDE = 0.01


@dataclass(slots=True)
class Step:
    """What a step did.

    Attributes:
        predicate: what it made true: as asked, but that directions lie in the plane of what a thing hangs on.
        world: the scene after it.
        touched: every thing it meant to change, with the thing that carried it along, or None.
    """

    predicate: Predicate
    world: SceneWorld
    touched: dict[str, str | None]


class Sculptor:
    """Carries out one requirement on a stage.

    Args:
        stage: hands and eyes.
        protected: ids that must not change.
        allow_collision: let explicit displacements end in collisions or outside the room.
    """

    def __init__(self, stage: Stage, protected: frozenset[str], allow_collision: bool) -> None:
        self._stage = stage
        self._protected = protected
        self._allow_collision = allow_collision
        self._methods: Mapping[str, Callable[[Predicate, SceneWorld], Steps[Step]]] = {
            "move_delta": self._move,
            "rotation_delta": self._turn,
            "scale_ratio": self._scale,
            "absent": self._remove,
            "color": self._recolor,
            "on_top_of": self._place,
        }

    def carry_out(self, requirement: Requirement, world: SceneWorld) -> Steps[Step]:
        """Make a requirement true, piece by piece.

        Raises:
            ScenewrightError: it cannot be done as asked; the caller rolls back.
        """
        predicate = requirement.predicate
        assert predicate is not None
        gone = [t for t in (*predicate.subject, *predicate.object) if not world.has(t)]
        if gone:
            raise ScenewrightError("unknown_object", f"{gone[0]} is no longer there.", "", gone)
        step = yield from self._methods[predicate.name](predicate, world)
        if predicate.name in ("move_delta", "rotation_delta", "scale_ratio"):
            self._refuse_if_torn(step, world)
        if predicate.name == "move_delta":
            self._refuse_if_not_moved(step, world)
        if not self._allow_collision and predicate.name in ("move_delta", "rotation_delta", "scale_ratio"):
            self._refuse_if_blocked(step, world)
        return step

    def _move(self, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
        touched = self._touched(companies(predicate.subject, world), world)
        offset = np.array(predicate.qualifiers["offset"], np.float64)
        ways = [self._along_host(root, offset, world) for root in predicate.subject]
        if any(not np.allclose(way, ways[0]) for way in ways):
            raise ScenewrightError(
                "ambiguous",
                "They hang on different walls, so that is not one direction for all of them.",
                "Move them one by one.",
                list(predicate.subject),
            )
        self._stage.move(world, to_be_moved(list(touched), world), ways[0])
        way: list[JsonValue] = [float(c) for c in ways[0]]
        done = predicate.model_copy(update={"qualifiers": {**predicate.qualifiers, "offset": way}})
        return Step(done, (yield from self._stage.read()), touched)

    def _turn(self, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
        led = companies(predicate.subject, world)
        touched = self._touched(led, world)
        angle = float(str(predicate.qualifiers["angle_deg"]))
        for company in led:
            pivot = world.box(company.leader).center
            self._stage.turn(world, to_be_moved(company.members, world), angle, pivot)
        return Step(predicate, (yield from self._stage.read()), touched)

    def _scale(self, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
        """Each subject about the middle of its base; what rests on it stays where on its surface it stood.

        A subject that is another one's child is scaled by that.
        """
        touched = self._touched([Company.of(s, world) for s in predicate.subject], world)
        touched |= dict.fromkeys(predicate.subject)
        factor = float(str(predicate.qualifiers["factor"]))
        current = world
        for thing in self._lowest_first(to_be_moved(predicate.subject, world), world):
            box = current.box(thing)
            base = np.array([box.center[0], box.center[1], box.center[2] - box.half[2]])
            shifts = shifts_of_riders(thing, base, factor, current)
            self._stage.scale(current, thing, factor, base)
            for rider in to_be_moved(list(shifts), current):
                self._stage.move(current, [rider], shifts[rider])
            current = yield from self._stage.read()
        return Step(predicate, current, touched)

    def _remove(self, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
        self._check_protected(predicate.subject, world)
        for thing in predicate.subject:
            self._stage.remove(world, thing)
        return Step(predicate, (yield from self._stage.read()), dict.fromkeys(predicate.subject))

    def _recolor(self, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
        self._check_protected(predicate.subject, world)
        for thing in predicate.subject:
            self._stage.recolor(world, thing, COLOR_TERMS[str(predicate.qualifiers["color"])])
        return Step(predicate, (yield from self._stage.read()), dict.fromkeys(predicate.subject))

    def _place(self, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
        if len(predicate.object) > 1:
            raise ScenewrightError(
                "ambiguous", "That can go on one of them only.", "Name the one.", list(predicate.object)
            )
        host = predicate.object[0]
        led = [Company.of(s, world) for s in predicate.subject]
        touched = self._touched(led, world)
        if host in touched:
            raise ScenewrightError(
                "contradiction", f"{self._name(host, world)} cannot be put on itself or on what it carries."
            )
        current = world
        for company in led:
            shift = self._shift_onto_or_over(company, host, current)
            self._stage.move(current, to_be_moved(company.members, current), shift)
            current = yield from self._stage.read()
        return Step(predicate, current, touched)

    def _shift_onto_or_over(self, company: Company, host: str, world: SceneWorld) -> FloatArray:
        """How far a thing has to be moved to rest on a host, or else on what covers it: on a bed's blanket."""
        try:
            return self._shift_onto(company, host, world)
        except ScenewrightError as error:
            covers = [t for t in Company.of(host, world).others if self._covers(t, world) and t not in company.members]
            for cover in sorted(covers, key=lambda t: -float(np.prod(world.box(t).half[:2]))):
                with contextlib.suppress(ScenewrightError):
                    return self._shift_onto(company, cover, world)
            raise error

    def _covers(self, thing: str, world: SceneWorld) -> bool:
        """Whether it lies over what carries it: cloth or bedding, and flat."""
        soft = world.has(thing) and (world.is_soft(thing) or world.scene.graph.entity(thing).role == "covering")
        half = world.box(thing).half
        return soft and bool(half[2] <= half[:2].min() / 2)

    def _shift_onto(self, company: Company, host: str, world: SceneWorld) -> FloatArray:
        """How far a thing, with all that goes along, has to be moved to rest on a host."""
        solid = [t for t in world.ids() if not world.body(t).mesh.is_empty]
        near = [t for t in solid if t != host and t not in company.members]
        patches = world.scene.patches[world.scene.index_of(host)]
        return shift_onto(
            world.body(company.leader),
            world.body(host),
            [Support(p.polygon, p.z, p.clearance) for p in patches],
            [world.body(t) for t in near if not world.is_structure(t)],
            [world.body(t) for t in near if world.is_structure(t)],
            self._name(company.leader, world),
            self._name(host, world),
            load=[world.body(t) for t in solid if t in company.others],
        )

    # --- what belongs together --------------------------------------------------------------------------------

    def _refuse_if_torn(self, step: Step, before: SceneWorld) -> None:
        """Refuse what does not move as one: part of its shape hangs on something that stays where it is."""
        for thing in step.predicate.subject:
            stray = stray_geometry(thing, step.world, before)
            if stray > MOVE_TOLERANCE:
                raise ScenewrightError(
                    "unsupported",
                    f"The shape of {self._name(thing, before)} does not follow it: some of it ends {stray:.2f} m off.",
                    "A modifier (Mirror, Array, Armature, Hook, …) ties it to another object: move both, or apply it.",
                    [thing],
                )

    def _refuse_if_not_moved(self, step: Step, before: SceneWorld) -> None:
        """Refuse a displacement that the scene's numbers cannot hold: far from the origin they are coarse."""
        offset = np.array(step.predicate.qualifiers["offset"], np.float64)
        length = float(np.linalg.norm(offset))
        for thing in step.predicate.subject:
            moved = step.world.pose(thing)[:3, 3] - before.pose(thing)[:3, 3]
            came = float(np.linalg.norm(moved))
            if np.linalg.norm(moved - offset) > length / 2:
                raise ScenewrightError(
                    "infeasible",
                    f"{self._name(thing, before)} would move {came:.3f} m of the {length:.3f} m asked: "
                    "numbers are no finer so far from the origin.",
                    "Move it further, or bring the scene nearer to its origin.",
                    [thing],
                )

    def _touched(self, led: Sequence[Company], world: SceneWorld) -> dict[str, str | None]:
        """All that some companies change, none of it protected."""
        touched = goes_with(led)
        self._check_protected(list(touched), world)
        return touched

    def _lowest_first(self, things: Sequence[str], world: SceneWorld) -> list[str]:
        return sorted(things, key=lambda t: float(world.body(t).hull.low[2]))

    def _check_protected(self, things: Sequence[str], world: SceneWorld) -> None:
        touched = [t for t in things if t in self._protected]
        if touched:
            raise ScenewrightError(
                "protected",
                f"{self._name(touched[0], world)} is protected.",
                "Unprotect it, or leave it out.",
                touched,
            )

    def _name(self, thing: str, world: SceneWorld) -> str:
        return world.scene.graph.entity(thing).name

    # --- where it may go ----------------------------------------------------------------------------------------

    def _along_host(self, thing: str, offset: FloatArray, world: SceneWorld) -> FloatArray:
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
                f"{self._name(thing, world)} hangs on a wall and cannot move straight off it or into it.",
                "Move it along the wall, up or down.",
            )
        return flat * (np.linalg.norm(offset) / length)

    def _refuse_if_blocked(self, step: Step, before: SceneWorld) -> None:
        """Refuse a displacement that ends in something, or outside the room it began in."""
        predicate, after, touched = step.predicate, step.world, step.touched
        found = introduced_collisions(touched, after, before)
        outside = next((t for t in predicate.subject if _outside_room(t, before, after) is not None), None)
        if not found and outside is None:
            return
        hint = "Move it less far, allow it with --allow-collision, or move what is in the way."
        way = self._way(predicate, found[0].a if found else str(outside), before, touched)
        if way is not None:
            raise ScenewrightError("blocked", way[0], hint, [way[1]])
        if found:
            name, obstacle = self._name(found[0].a, before), self._name(found[0].b, before)
            depth = found[0].depth * 100
            raise ScenewrightError(
                "blocked", f"{name} would end {depth:.1f} cm deep in {obstacle}.", hint, [found[0].b]
            )
        reach = _outside_room(str(outside), before, after)
        raise ScenewrightError(
            "blocked", f"{self._name(str(outside), before)} would end {reach:.2f} m outside the room.", hint
        )

    def _way(
        self, predicate: Predicate, mover: str, before: SceneWorld, touched: Mapping[str, str | None]
    ) -> tuple[str, str] | None:
        """What stands first in a thing's way, in words and by id, with the distance that is free; None if nothing."""
        if predicate.name != "move_delta":
            return None
        offset = np.array(predicate.qualifiers["offset"], np.float64)
        length = float(np.linalg.norm(offset))
        body = before.body(mover)
        free: list[tuple[float, str]] = []
        for other in before.ids():
            if other in touched or before.body(other).mesh.is_empty or self._lets_by(other, mover, before):
                continue
            distance = free_distance(body, [before.body(other)], offset / length, length)
            if distance < length:
                free.append((distance, other))
        if not free:
            return None
        distance, obstacle = min(free)
        return (
            f"{self._name(obstacle, before)} is in the way of {self._name(mover, before)}: "
            f"{distance:.3f} m are free of the {length:.3f} m asked.",
            obstacle,
        )

    def _lets_by(self, other: str, mover: str, world: SceneWorld) -> bool:
        """Whether a thing is none that stops another one: what carries it, what it may enter, what gives way."""
        return other == world.carried_by(mover) or world.is_soft(other) or exempt(mover, other, world, world)


def _outside_room(thing: str, before: SceneWorld, after: SceneWorld) -> float | None:
    """How far a thing that was within a room now reaches out of it, in plan, metres; None if it does not."""
    outlines = [shapely.convex_hull(shapely.multipoints(w.body(thing).mesh.vertices[:, :2])) for w in (before, after)]
    for room in before.scene.structure.rooms:
        if not room.polygon.buffer(_OUTSIDE).covers(outlines[0]):
            continue
        corners = shapely.points(shapely.get_coordinates(outlines[1]))
        reach = float(shapely.distance(corners, room.polygon).max())
        return reach if reach > _OUTSIDE else None
    return None
