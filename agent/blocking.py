"""Displacements that cannot be: what does not follow, does not move, or would end in something or outside the room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import shapely

from ..executor.geometry.mesh import FloatArray
from ..executor.geometry.sweep import free_distance
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.predicates.deltas import MOVE_TOLERANCE, stray_geometry
from ..executor.predicates.physical import exempt, introduced_collisions
from .hands import Step, name_of

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld

_OUTSIDE = 0.01


def refuse_if_torn(step: Step, before: SceneWorld) -> None:
    """Refuse what does not move as one: part of its shape hangs on something that stays where it is."""
    for thing in step.predicate.subject:
        stray = stray_geometry(thing, step.world, before)
        if stray > MOVE_TOLERANCE:
            raise ScenewrightError(
                "unsupported",
                f"The shape of {name_of(thing, before)} does not follow it: some of it ends {stray:.2f} m off.",
                "A modifier (Mirror, Array, Armature, Hook, …) ties it to another object: move both, or apply it.",
                [thing],
            )


def refuse_if_not_moved(step: Step, before: SceneWorld) -> None:
    """Refuse a displacement that the scene's numbers cannot hold: far from the origin they are coarse."""
    offset = np.array(step.predicate.qualifiers["offset"], np.float64)
    length = float(np.linalg.norm(offset))
    for thing in step.predicate.subject:
        moved = step.world.pose(thing)[:3, 3] - before.pose(thing)[:3, 3]
        came = float(np.linalg.norm(moved))
        if np.linalg.norm(moved - offset) > length / 2:
            raise ScenewrightError(
                "infeasible",
                f"{name_of(thing, before)} would move {came:.3f} m of the {length:.3f} m asked: "
                "numbers are no finer so far from the origin.",
                "Move it further, or bring the scene nearer to its origin.",
                [thing],
            )


def refuse_if_blocked(step: Step, before: SceneWorld) -> None:
    """Refuse a displacement that ends in something, or outside the room it began in."""
    after, touched = step.world, step.touched
    found = introduced_collisions(touched, after, before)
    outside = next(
        (t for t in step.predicate.subject if before.has(t) and _outside_room(t, before, after) is not None), None
    )
    if not found and outside is None:
        return
    hint = "Ask for less, allow it with --allow-collision, or move what is in the way."
    way = _way(step.predicate, found[0].a if found else str(outside), before, touched)
    if way is not None:
        raise ScenewrightError("blocked", way[0], hint, [way[1]])
    if found:
        name, obstacle = name_of(found[0].a, after), name_of(found[0].b, after)
        depth = found[0].depth * 100
        raise ScenewrightError("blocked", f"{name} would end {depth:.1f} cm deep in {obstacle}.", hint, [found[0].b])
    reach = _outside_room(str(outside), before, after)
    raise ScenewrightError("blocked", f"{name_of(str(outside), after)} would end {reach:.2f} m outside the room.", hint)


def _way(
    predicate: Predicate, mover: str, before: SceneWorld, touched: Mapping[str, str | None]
) -> tuple[str, str] | None:
    """What stands first in a thing's way, in words and by id, with the distance that is free; None if nothing."""
    if predicate.name != "move_delta":
        return None
    offset = np.array(predicate.qualifiers["offset"], np.float64)
    length = float(np.linalg.norm(offset))
    body = before.body(mover)
    free: list[tuple[float, str]] = []
    for other in before.ids():
        if other in touched or before.body(other).mesh.is_empty or _lets_by(other, mover, before):
            continue
        distance = free_distance(body, [before.body(other)], offset / length, length)
        if distance < length:
            free.append((distance, other))
    if not free:
        return None
    distance, obstacle = min(free)
    return (
        f"{name_of(obstacle, before)} is in the way of {name_of(mover, before)}: "
        f"{distance:.3f} m are free of the {length:.3f} m asked.",
        obstacle,
    )


def _lets_by(other: str, mover: str, world: SceneWorld) -> bool:
    """Whether a thing is none that stops another one: what carries it, what it may enter, what gives way."""
    return other == world.carried_by(mover) or world.is_soft(other) or exempt(mover, other, world, world)


def _outside_room(thing: str, before: SceneWorld, after: SceneWorld) -> float | None:
    """How far a thing that was within a room now reaches out of it, in plan, metres; None if it does not."""
    if not after.has(thing):
        return None
    return reach_outside(before.body(thing).mesh.vertices, after.body(thing).mesh.vertices, before)


def reach_outside(old: FloatArray, new: FloatArray, world: SceneWorld) -> float | None:
    """How far points ``(n, 3)`` reach out of the room that their old places ``(m, 3)`` are within, in plan, metres.

    None if they do not, or were in no room.
    """
    outlines = [shapely.convex_hull(shapely.multipoints(points[:, :2])) for points in (old, new)]
    for room in world.scene.structure.rooms:
        if not room.polygon.buffer(_OUTSIDE).covers(outlines[0]):
            continue
        corners = shapely.points(shapely.get_coordinates(outlines[1]))
        reach = float(shapely.distance(corners, room.polygon).max())
        return reach if reach > _OUTSIDE else None
    return None
