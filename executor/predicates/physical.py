"""Physical soundness: what a change must not bring in."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..geometry.boxes import meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.penetration import is_deeper_than, penetration_depth
from ..model.predicate import Predicate, Verdict
from ..model.result import Collision
from ..world import World

DEPTH = 0.002
SOFT_DEPTH = 0.05


def no_collision(predicate: Predicate, world: World, before: World) -> Verdict:
    """No subject interpenetrates another thing deeper than 2 mm (soft: 50 mm) where it did not before."""
    found = introduced_collisions(predicate.subject, world, before)
    return Verdict.of(not found, "collision", collisions=[c.model_dump() for c in found])


def introduced_collisions(things: Iterable[str], world: World, before: World) -> list[Collision]:
    """Collisions of things with others that are new, or more than 2 mm deeper than before."""
    moved = [t for t in things if world.has(t)]
    found = []
    for a, b in _near_pairs(moved, world, before):
        collision = _collision(a, b, world)
        if collision is None:
            continue
        old = _collision(a, b, before) if before.has(a) and before.has(b) else None
        if old is None or collision.depth > old.depth + DEPTH:
            found.append(collision)
    return found


def collisions(things: Iterable[str], world: World) -> list[Collision]:
    """All collisions of things with others."""
    pairs = _near_pairs([t for t in things if world.has(t)], world, world)
    return [c for c in (_collision(a, b, world) for a, b in pairs) if c is not None]


def _collision(a: str, b: str, world: World) -> Collision | None:
    soft = world.is_soft(a) or world.is_soft(b)
    limit = SOFT_DEPTH if soft else DEPTH
    one, two = world.body(a), world.body(b)
    if not is_deeper_than(one, two, limit):
        return None
    return Collision(a=a, b=b, depth=round(penetration_depth(one, two, cap=0.5).depth, 5))


def _near_pairs(moved: list[str], world: World, before: World) -> list[tuple[str, str]]:
    """Pairs of a moved thing and any other whose boxes meet, but for coverings under things and mounts in hosts."""
    everything = [t for t in world.ids() if not world.body(t).mesh.is_empty]
    hulls = [world.body(t).hull for t in everything]
    if len(everything) < 2:
        return []
    boxes = Boxes(np.array([h.low for h in hulls]), np.array([h.high for h in hulls]))
    inside = set(moved)
    pairs = []
    for i, j in meeting_pairs(boxes):
        a, b = everything[i], everything[j]
        if not (a in inside or b in inside) or exempt(a, b, world, before):
            continue
        pairs.append((a, b) if a in inside else (b, a))
    return pairs


def exempt(a: str, b: str, world: World, before: World) -> bool:
    """Whether two things may share room: parent and child, a covering and what stands on it, a mount and its host.

    What one was before counts: a thing that is pushed into a wall is not mounted on it.
    """
    known = before if before.has(a) and before.has(b) else world
    return known.may_enter(a, b) or known.may_enter(b, a)
