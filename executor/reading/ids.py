"""Stable ids: kept on the objects or in the scene's memory, made from names where a thing has none yet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .names import fold
from .things import Thing

_NOT_WORD = re.compile(r"[^a-z0-9]+")
_NOWHERE = "none"
"""What `support.on` says of a thing that nothing carries: no id."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def assign_ids(things: Sequence[Thing], memory: dict[str, object], given: Mapping[str, str]) -> list[str]:
    """An id per thing, unique, the same at each read of an unchanged file.

    A kept id that several things carry (a duplicate made in Blender copies it) stays with the one recorded for it in
    the scene's memory, else with the first by name; the others get new ones. New ids are made from names, since they
    must not depend on what else is in the scene.

    Args:
        things: in the order of their roots' names.
        memory: the scene's; ``ids`` maps ids to object names, for things that cannot carry one themselves.
        given: ids of earlier reads by object name: nothing is renamed because something else has gone.
    """
    recorded = memory.get("ids")
    names_by_id = recorded if isinstance(recorded, dict) else {}
    id_by_name = {name: entity_id for entity_id, name in names_by_id.items()}
    kept: dict[str, int] = {}
    for i, thing in enumerate(things):
        mark = thing.root.marks.get("id")
        own = mark if isinstance(mark, str) and mark else None
        own = own or id_by_name.get(thing.root.name) or given.get(thing.root.name)
        if not isinstance(own, str):
            continue
        rival = kept.get(own)
        if rival is None or names_by_id.get(own) == thing.root.name:
            kept[own] = i
    ids: list[str | None] = [None] * len(things)
    for own, i in kept.items():
        ids[i] = own
    taken = set(kept) | set(given.values())
    for i, thing in enumerate(things):
        if ids[i] is None:
            earlier = given.get(thing.root.name)
            ids[i] = earlier if earlier is not None and earlier not in kept else _fresh(thing, taken)
            taken.add(str(ids[i]))
    return [str(entity_id) for entity_id in ids]


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
