"""Collection instances that are places: a furnished room is walls and furniture; a chair of seven meshes is a chair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .entities import Grouping
from .family import Family
from .lexicon import Lexicon
from .names import strip_number
from .snapshot import ObjectRecord
from .trees import PLACES

_LARGE_ROLES = ("furniture", "structure")


def unfolded(records: Iterable[ObjectRecord], lexicon: Lexicon) -> list[ObjectRecord]:
    """The records, by name, with what places hold in the stead of what they draw."""
    known: dict[tuple[str, str | None, int], bool] = {}

    def unfold(record: ObjectRecord) -> list[ObjectRecord]:
        if not record.holds or record.hidden is not None or "entity" in record.marks:
            return [record]
        empty = replace(record, parts=(), bounds=None, holds=())
        held = [found for each in record.holds for found in unfold(each)]
        alike = (strip_number(record.title), record.instance_of, len(held))
        if alike not in known:
            known[alike] = len(held) > len(record.holds) or _is_place(empty, held, lexicon)
        return [empty, *held] if known[alike] else [record]

    return sorted((found for record in records for found in unfold(record)), key=lambda r: r.name)


def _is_place(empty: ObjectRecord, held: Iterable[ObjectRecord], lexicon: Lexicon) -> bool:
    """Whether an instance holds things, none of which it is, unless it is called a floor or the like: it is called a
    room, or two of them are furniture or structure.
    """
    family = Family([empty, *held], lexicon)
    groups = [d for d in Grouping(family.records.values(), lexicon).drafts() if _draws(d.members, family)]
    is_one = any(empty.name in g.members for g in groups) and not family.is_structure(empty.name)
    if len(groups) < 2 or is_one:
        return False
    return family.is_any(empty.name, PLACES) or sum(family.role(g.root) in _LARGE_ROLES for g in groups) >= 2


def _draws(names: Iterable[str], family: Family) -> bool:
    return any(family.draws(n) for n in names)
