"""Stable ids: kept on the objects or in the scene's memory, made from names where a thing has none yet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .names import fold
from .snapshot import ObjectRecord
from .things import Thing

_NOT_WORD = re.compile(r"[^a-z0-9]+")
_NOWHERE = "none"
"""What `support.on` says of a thing that nothing carries: no id."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SAME_PLACE = 1e-3
"""Metres within which an object is where it was."""


class Trace(NamedTuple):
    """What an object was known by when its thing was last remembered.

    Attributes:
        name: of the object, unique in the scene.
        data: name of its data; it outlives a new name of the object.
        at: where its origin was, metres, world; None if that was not remembered.
    """

    name: str
    data: str | None = None
    at: Sequence[float] | None = None


def assign_ids(
    things: Sequence[Thing], memory: Mapping[str, object], given: Mapping[tuple[int, ...], str]
) -> list[str]:
    """An id per thing, unique, the same at each read of an unchanged file, whatever has been renamed or has gone.

    A thing keeps the id that it was given in this session, else one that any of its objects carries; only what
    cannot carry one is known by its name. Of several things with one id (a duplicate made in Blender copies it) that
    one keeps it that is most like what was remembered; the others get new ones. New ids are made from names, since
    they must not depend on what else is in the scene; no id that there ever was comes to mean anything else.

    Args:
        things: in the order of their roots' names.
        memory: the scene's; ``ids`` maps ids to object names, ``traces`` to what else those objects are known by.
        given: ids of earlier reads in this session, by the root's `session_key`.
    """
    traces = _traces(memory)
    by_name = {t.name: k for k, t in sorted(traces.items(), key=lambda kt: kt[1].at is not None)}
    claims: dict[str, list[int]] = defaultdict(list)
    for i, thing in enumerate(things):
        kept = _carried_id(thing, given)
        if kept is None and not thing.root.keeps_marks:
            kept = by_name.get(thing.root.name)
        if kept is not None:
            claims[kept].append(i)
    ids: dict[int, str] = {}
    for kept, rivals in claims.items():
        trace = traces.get(kept, Trace(""))
        likeness = {
            i: (given.get(things[i].root.session_key) == kept, _likeness(things[i].root, trace)) for i in rivals
        }
        ids[max(rivals, key=likeness.__getitem__)] = kept
    taken = {*claims, *traces, *given.values()}
    for i, thing in enumerate(things):
        if i not in ids:
            ids[i] = _fresh(thing, taken)
            taken.add(ids[i])
    return [ids[i] for i in range(len(things))]


def _traces(memory: Mapping[str, object]) -> dict[str, Trace]:
    """What was remembered of each thing's root, by id."""
    names, details = (v if isinstance(v, dict) else {} for v in (memory.get("ids"), memory.get("traces")))
    return {entity_id: Trace(name, **details.get(entity_id, {})) for entity_id, name in names.items()}


def _carried_id(thing: Thing, given: Mapping[tuple[int, ...], str]) -> str | None:
    """The id that a thing's objects, its root first, were given in this session or carry."""
    earlier = (given.get(m.session_key) for m in thing.members)
    marks = (m.marks.get("id") for m in thing.members)
    return next((own for own in (*earlier, *marks) if isinstance(own, str) and own), None)


def _likeness(root: ObjectRecord, trace: Trace) -> tuple[int, bool, bool, list[int]]:
    """How like an object is to what was remembered, of equals the older one: to be compared."""
    here = trace.at is not None and np.allclose(root.world_from_local[:3, 3], trace.at, rtol=0, atol=_SAME_PLACE)
    named, of_data = root.name == trace.name, root.data_name is not None and root.data_name == trace.data
    return int(here) + int(named) + int(of_data), here, named, [-k for k in root.session_key]


def _fresh(thing: Thing, taken: set[str]) -> str:
    """The name as a word; a thing whose name gives none is called by its category, always with a number."""
    stem = slug(thing.root.title)
    if stem and stem not in taken and stem != _NOWHERE:
        return stem
    number = 2 if stem else 1
    stem = stem or slug(thing.category) or "object"
    while f"{stem}_{number}" in taken:
        number += 1
    return f"{stem}_{number}"


def slug(name: str) -> str:
    """A name as lower-case ASCII words joined by underscores; empty when nothing of it is ASCII."""
    text = fold(_CAMEL.sub("_", name))
    return _NOT_WORD.sub("_", text).strip("_")[:48]
