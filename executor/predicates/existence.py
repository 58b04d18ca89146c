"""Whether things are there."""

from __future__ import annotations

from ..model.predicate import Predicate, Verdict
from ..world import World


def exists(predicate: Predicate, world: World, before: World) -> Verdict:
    """Every subject is shown in the scene."""
    found = [t for t in predicate.subject if world.has(t)]
    return Verdict.of(len(found) == len(predicate.subject) > 0, "missing", count=len(found))


def absent(predicate: Predicate, world: World, before: World) -> Verdict:
    """No subject is shown in the scene."""
    left = [t for t in predicate.subject if world.has(t)]
    return Verdict.of(not left, "still_there", count=len(left), left=left)
