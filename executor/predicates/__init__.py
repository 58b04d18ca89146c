"""Predicates of the contract (section 6): pure functions over a `World`, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pydantic import JsonValue

from ..model.predicate import Predicate, Verdict
from ..world import World
from . import arrangement, deltas, existence, looks, opening, physical, support

Check = Callable[[Predicate, World, World], Verdict]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "exists": existence.exists,
        "absent": existence.absent,
        "on_top_of": support.on_top_of,
        "move_delta": deltas.move_delta,
        "rotation_delta": deltas.rotation_delta,
        "scale_ratio": deltas.scale_ratio,
        "posture": deltas.posture,
        "opened": opening.opened,
        "replaced": existence.replaced,
        "color": looks.color,
        "material": looks.material,
        "hidden": arrangement.hidden,
        "shown": arrangement.shown,
        "named": arrangement.named,
        "follows": arrangement.follows,
        "grouped": arrangement.grouped,
        "in_collection": arrangement.in_collection,
        "no_collision": physical.no_collision,
    }
)

_ABOUT_PRESENCE = ("absent", "exists", "replaced", "hidden", "shown")
"""Predicates that may hold of what is not there."""
_ABOUT_THE_FILE = ("named", "follows", "grouped", "in_collection")
"""Predicates that hold of what is hidden, too."""


def check(predicate: Predicate, world: World, before: World) -> Verdict:
    """Evaluate one predicate.

    Args:
        predicate: what should be true, with ids of things.
        world: the state to judge.
        before: the state that deltas and preservation compare with.
    """
    is_there = world.knows if predicate.name in _ABOUT_THE_FILE else world.has
    missing = [t for t in (*predicate.subject, *predicate.object) if not is_there(t)]
    if missing and predicate.name not in _ABOUT_PRESENCE:
        return Verdict(status="unsatisfied", failure_mode="missing", measured={"missing": list[JsonValue](missing)})
    return CHECKS[predicate.name](predicate, world, before)
