"""The sculptor: how a requirement is made true, by the kind of its predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import shapely

from ..executor.geometry.colors import COLOR_TERMS
from ..executor.geometry.mesh import FloatArray
from ..executor.geometry.sweep import free_distance
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.result import Requirement
from ..executor.placement.on_support import Support, shift_onto
from ..executor.predicates.physical import introduced_collisions

if TYPE_CHECKING:
    from ..executor.blender.stage import Stage
    from ..executor.reading.scene_world import SceneWorld
    from ..executor.reading.snapshot import ObjectRecord

_OUTSIDE = 0.01


@dataclass(slots=True)
class Step:
    """What a step did.

    Attributes:
        world: the scene after it.
        touched: every thing it meant to change, with the thing that carried it along, or None.
    """

    world: SceneWorld
    touched: dict[str, str | None] = field(default_factory=dict)


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
        self._methods: Mapping[str, Callable[[Predicate, SceneWorld], dict[str, str | None]]] = {
            "move_delta": self._move,
            "rotation_delta": self._turn,
            "scale_ratio": self._scale,
            "absent": self._remove,
            "color": self._recolor,
            "on_top_of": self._place,
        }

    def carry_out(self, requirement: Requirement, world: SceneWorld) -> Step:
        """Make a requirement true.

        Raises:
            ScenewrightError: it cannot be done as asked; the caller rolls back.
        """
        predicate = requirement.predicate
        assert predicate is not None
        touched = self._methods[predicate.name](predicate, world)
        after = self._stage.read()
        if not self._allow_collision and predicate.name in ("move_delta", "rotation_delta", "scale_ratio"):
            self._refuse_if_blocked(predicate, world, after, touched)
        return Step(after, touched)

    def _move(self, predicate: Predicate, world: SceneWorld) -> dict[str, str | None]:
        touched = self._with_carried(predicate.subject, world)
        offset = np.array(predicate.qualifiers["offset"], np.float64)
        ways = [self._along_host(root, offset, world) for root in predicate.subject]
        if any(not np.allclose(way, ways[0]) for way in ways):
            raise ScenewrightError(
                "ambiguous",
                "They hang on different walls, so that is not one direction for all of them.",
                "Move them one by one.",
                list(predicate.subject),
            )
        predicate.qualifiers["offset"] = [float(c) for c in ways[0]]
        self._stage.move(world, self._independent(list(touched), world), ways[0])
        return touched

    def _turn(self, predicate: Predicate, world: SceneWorld) -> dict[str, str | None]:
        touched = self._with_carried(predicate.subject, world)
        angle = float(str(predicate.qualifiers["angle_deg"]))
        for root in predicate.subject:
            group = [t for t, carrier in touched.items() if t == root or carrier == root]
            self._stage.turn(world, self._independent(group, world), angle, world.box(root).center)
        return touched

    def _scale(self, predicate: Predicate, world: SceneWorld) -> dict[str, str | None]:
        self._check_protected(predicate.subject, world)
        factor = float(str(predicate.qualifiers["factor"]))
        touched: dict[str, str | None] = dict.fromkeys(predicate.subject)
        for thing in predicate.subject:
            box = world.box(thing)
            base = np.array([box.center[0], box.center[1], box.center[2] - box.half[2]])
            self._stage.scale(world, thing, factor, base)
            rise = np.array([0.0, 0.0, (factor - 1) * 2 * box.half[2]])
            riders = self._carried(thing, world)
            self._check_protected(riders, world)
            self._stage.move(world, self._independent([thing, *riders], world)[1:], rise)
            touched |= dict.fromkeys(riders, thing)
        return touched

    def _remove(self, predicate: Predicate, world: SceneWorld) -> dict[str, str | None]:
        self._check_protected(predicate.subject, world)
        for thing in predicate.subject:
            self._stage.remove(world, thing)
        return dict.fromkeys(predicate.subject)

    def _recolor(self, predicate: Predicate, world: SceneWorld) -> dict[str, str | None]:
        self._check_protected(predicate.subject, world)
        for thing in predicate.subject:
            self._stage.recolor(world, thing, COLOR_TERMS[str(predicate.qualifiers["color"])])
        return dict.fromkeys(predicate.subject)

    def _place(self, predicate: Predicate, world: SceneWorld) -> dict[str, str | None]:
        if len(predicate.object) > 1:
            raise ScenewrightError(
                "ambiguous", "That can go on one of them only.", "Name the one.", list(predicate.object)
            )
        host = predicate.object[0]
        touched = self._with_carried(predicate.subject, world)
        if host in touched:
            raise ScenewrightError("contradiction", f"{host} cannot be put on itself or on what it carries.")
        current = world
        for thing in predicate.subject:
            riders = [t for t, carrier in touched.items() if carrier == thing]
            near = [t for t in current.ids() if t not in (thing, host, *riders) and not current.body(t).mesh.is_empty]
            index = current.scene.index_of(host)
            supports = [Support(p.polygon, p.z, p.clearance) for p in current.scene.patches[index]]
            shift = shift_onto(
                current.body(thing),
                current.body(host),
                supports,
                [current.body(t) for t in near if not current.is_structure(t)],
                [current.body(t) for t in near if current.is_structure(t)],
                self._name(thing, current),
                self._name(host, current),
            )
            self._stage.move(current, self._independent([thing, *riders], current), shift)
            current = self._stage.read()
        return touched

    # --- what belongs together --------------------------------------------------------------------------------

    def _with_carried(self, things: Sequence[str], world: SceneWorld) -> dict[str, str | None]:
        """The things with all that rests on them, each rider with the thing that carries it along."""
        touched: dict[str, str | None] = dict.fromkeys(things)
        for thing in things:
            for rider in self._carried(thing, world):
                touched.setdefault(rider, thing)
        self._check_protected(list(touched), world)
        return touched

    def _carried(self, thing: str, world: SceneWorld) -> list[str]:
        """Everything that rests on a thing, directly or not; the structure carries nothing along."""
        if world.is_structure(thing):
            return []
        found: list[str] = []
        queue = [thing]
        while queue:
            host = queue.pop()
            for other in world.ids():
                if world.carried_by(other) == host and other not in found and other != thing:
                    found.append(other)
                    queue.append(other)
        return found

    def _independent(self, things: Sequence[str], world: SceneWorld) -> list[str]:
        """Of things that move together, those that do not already follow another as its children."""
        parents = {m.name for t in things for m in self._members(t, world)}
        return [t for t in things if not self._follows(t, parents, world)]

    def _follows(self, thing: str, moving: set[str], world: SceneWorld) -> bool:
        own = {m.name for m in self._members(thing, world)}
        by_name = {m.name: m for t in world.scene.things for m in t.members}
        parent = world.scene.things[world.scene.index_of(thing)].root.parent
        while parent is not None:
            if parent in moving and parent not in own:
                return True
            record = by_name.get(parent)
            parent = record.parent if record else None
        return False

    def _members(self, thing: str, world: SceneWorld) -> Sequence[ObjectRecord]:
        return world.scene.things[world.scene.index_of(thing)].members

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

    def _refuse_if_blocked(
        self, predicate: Predicate, before: SceneWorld, after: SceneWorld, touched: Mapping[str, str | None]
    ) -> None:
        """Refuse a displacement that ends in something, or outside the room it began in."""
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
        body, carrier = before.body(mover), before.carried_by(mover)
        free: list[tuple[float, str]] = []
        for other in before.ids():
            if other in touched or other == carrier or before.body(other).mesh.is_empty:
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
