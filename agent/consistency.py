"""Requirements that cannot all hold at the end, found before anything is touched."""

from __future__ import annotations

from collections.abc import Sequence

from ..executor.model.errors import ScenewrightError
from ..executor.model.graph import SceneGraph
from ..executor.model.predicate import Predicate
from .references import BROUGHT_BY

_STATES = ("on_top_of", "color")
"""What has to hold at the end, other than what is done to a thing before it goes."""


def refuse_contradictions(predicates: Sequence[Predicate], graph: SceneGraph) -> None:
    """Refuse a request that takes back in one part what it asks for in another.

    Raises:
        ScenewrightError: ``contradiction``, with the things in question.
    """
    removed = {t: n for n, p in enumerate(predicates) if p.name == "absent" for t in p.subject}
    for number, predicate in enumerate(predicates):
        for thing in (*predicate.subject, *predicate.object):
            at = removed.get(thing, number)
            if at < number or (at > number and predicate.name in _STATES):
                raise _contradiction(f"{_name(thing, graph)} cannot be removed and be there, too.", [thing])
    _refuse_two_values(predicates, graph)
    hosts = {s: set(p.object) for p in predicates if p.name == "on_top_of" for s in p.subject}
    for thing in hosts:
        if _carries_itself(thing, hosts):
            raise _contradiction(f"{_name(thing, graph)} cannot end up on top of itself.", [thing])


def _refuse_two_values(predicates: Sequence[Predicate], graph: SceneGraph) -> None:
    """No thing can have two colours, or be in two places."""
    asked: dict[tuple[str, str], tuple[str, ...]] = {}
    for predicate in predicates:
        if predicate.name == "color":
            value: tuple[str, ...] = (str(predicate.qualifiers["color"]),)
        elif predicate.name == "on_top_of":
            value = tuple(_name(t, graph) for t in predicate.object)
        else:
            continue
        for thing in predicate.subject:
            other = asked.setdefault((thing, predicate.name), value)
            if other != value:
                both = f"{', '.join(other)} and {', '.join(value)}"
                what = "have two colours" if predicate.name == "color" else "be put in two places"
                raise _contradiction(f"{_name(thing, graph)} cannot {what}: {both}.", [thing])


def _carries_itself(thing: str, hosts: dict[str, set[str]]) -> bool:
    below, queue = set[str](), list(hosts[thing])
    while queue:
        host = queue.pop()
        if host == thing:
            return True
        if host not in below:
            below.add(host)
            queue += hosts.get(host, ())
    return False


def _name(thing: str, graph: SceneGraph) -> str:
    return thing if thing.startswith(BROUGHT_BY) else graph.entity(thing).name


def _contradiction(message: str, things: list[str]) -> ScenewrightError:
    return ScenewrightError("contradiction", message, "Ask for one of the two.", things)
