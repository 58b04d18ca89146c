"""Whether things are there, or in others' places."""

from __future__ import annotations

import numpy as np

from ..geometry.boxes import UprightBox
from ..geometry.mesh import FloatArray
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


_PLACE, _FACING_DEG = 0.01, 3.0


def replaced(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject is there and the object of the same number gone: in its place in plan to 1 cm, on what it was on,
    looking where it looked to 3°.
    """
    pairs = list(zip(predicate.subject, predicate.object, strict=True))
    wrong = [t for t, old in pairs if not world.has(t) or world.has(old)]
    if wrong:
        return Verdict.of(False, "not_replaced", wrong=wrong)
    off = {t: _off_place(world.box(t), before.box(old), before.is_mounted(old)) for t, old in pairs}
    carried = {t: world.carried_by(t) for t, _ in pairs}
    moved = [t for t, old in pairs if off[t] > _PLACE or carried[t] != before.carried_by(old)]
    turned = [t for t, old in pairs if _turned(world.front(t), before.front(old))]
    return Verdict.of(
        not moved and not turned,
        "elsewhere" if moved else "looks_elsewhere",
        off={t: round(d, 5) for t, d in off.items()},
        on=carried,
    )


def _off_place(new: UprightBox, old: UprightBox, mounted: bool) -> float:
    """How far one box is from another's place in plan, metres; what is mounted may reach further from its wall."""
    way = (new.center - old.center)[:2]
    distance = float(np.linalg.norm(way))
    if not mounted or distance < 1e-9:
        return distance
    unit = way / distance
    return max(0.0, distance - abs(new.extent_along(unit) - old.extent_along(unit)))


def _turned(now: FloatArray | None, then: FloatArray | None) -> bool:
    return now is not None and then is not None and float(now @ then) < np.cos(np.radians(_FACING_DEG))
