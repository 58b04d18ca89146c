"""What rests on what."""

from __future__ import annotations

from functools import reduce

from ..geometry.contact import Contacts, contacts
from ..geometry.penetration import penetration_depth
from ..model.predicate import Predicate, Verdict
from ..world import World

SINK = 0.002
SOFT_SINK = 0.05


def on_top_of(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject rests on an object, or on what rests on it (unless ``direct``).

    Contacts with its upward faces within 5 mm, sinking at most 2 mm (50 mm where either is soft), and the centre of
    mass over the hull of the contacts grown by 1 cm.
    """
    verdicts = [_rests(s, predicate, world) for s in predicate.subject]
    return next((v for v in verdicts if v.status != "satisfied"), verdicts[0])


def _rests(subject: str, predicate: Predicate, world: World) -> Verdict:
    body = world.body(subject)
    hosts = set(predicate.object) | (set() if predicate.qualifiers.get("direct") else _stack(predicate.object, world))
    hosts.discard(subject)
    touched: list[Contacts] = []
    sunk = 0.0
    for host in sorted(hosts):
        soft = world.is_soft(subject) or world.is_soft(host)
        allowed = SOFT_SINK if soft else SINK
        found = contacts(body, world.body(host), sink=allowed)
        if found:
            touched.append(found)
        sunk = max(sunk, penetration_depth(body, world.body(host)).depth - allowed)
    if not touched:
        if sunk > 0:
            return Verdict.of(False, "sunk", "raise it", contacts=0, sunk=round(sunk, 5))
        return Verdict.of(False, "no_contact", "lower it onto the support", contacts=0)
    together = reduce(lambda a, b: a + b, touched)
    carried = together.carry(body.centre_of_mass)
    measured = {
        "contacts": len(together.points),
        "gap": round(float(together.gaps.min()), 5) + 0.0,
        "sunk": round(max(sunk, 0.0), 5),
    }
    if sunk > 0:
        return Verdict.of(False, "sunk", "raise it", **measured)
    return Verdict.of(carried, "tips_over", "move it toward the middle of the support", **measured)


def _stack(hosts: list[str], world: World) -> set[str]:
    """Everything that rests, directly or not, on the hosts."""
    found: set[str] = set()
    for thing in world.ids():
        below = world.carried_by(thing)
        seen = {thing}
        while below is not None and below not in seen:
            if below in hosts:
                found.add(thing)
                break
            seen.add(below)
            below = world.carried_by(below)
    return found
