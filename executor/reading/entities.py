"""Entities: which Blender objects make up one thing that a person would name.

Measured on two hand-labelled rooms (201 and 89 meshes), no single signal is good: parent trees alone split or
lump, name stems lump separate things, touching boxes lump nearly everything. What works is the collection
instance, else the parent tree, with children that are things of their own split off, and loose parts joined only
when their names say nothing (or name a part) and they touch.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..geometry.boxes import components
from ..geometry.mesh import FloatArray
from .family import Family
from .lexicon import Lexicon, NameReading
from .names import singular, strip_number
from .snapshot import ObjectRecord
from .touching import touching_pairs
from .trees import PLACES, TreeCutter

_SET_IN_SHARE = 0.03
_DETAIL = re.compile(r"(?:^|[\W_]+)lod[\W_]?\d+\b", re.IGNORECASE)
_HULL = re.compile(r"^(?:UCX|UBX|UCP|USP)_(.*?)(?:_\d+)?$")
"""How a model for levels of detail and one for collisions are called after what they stand in for."""
_SAME_BOX = 0.8
_SMALL_SHARE = 0.2
"""A loose part joins what it is sunk into if its box is at most this share of the other's."""


@dataclass(slots=True)
class Draft:
    """One thing, not yet measured.

    Attributes:
        root: the object that carries the thing's name and id.
        members: every object that belongs to it, the root included, sorted.
    """

    root: str
    members: list[str]


class Grouping:
    """Groups the shown objects of a snapshot; hidden ones are things of their own."""

    def __init__(self, records: Iterable[ObjectRecord], lexicon: Lexicon) -> None:
        self._family = Family(records, lexicon)
        self._cutter = TreeCutter(self._family)
        self._records = self._family.records
        self._lexicon = lexicon

    def drafts(self) -> list[Draft]:
        """All things, in the order of their roots' names."""
        groups = list(self._join_marked(self._hide_apart(self._cutter.groups())))
        groups = self._join_loose(groups)
        drafts = [Draft(self._named_root(group), sorted(group)) for group in groups if group]
        return sorted(drafts, key=lambda d: d.root)

    # --- the user's marks, hidden things ----------------------------------------------------------------------

    def _hide_apart(self, groups: list[list[str]]) -> Iterator[list[str]]:
        for group in groups:
            shown = [n for n in group if self._records[n].hidden is None]
            yield shown
            yield from ([n] for n in group if self._records[n].hidden is not None)

    def _join_marked(self, groups: Iterable[list[str]]) -> Iterator[list[str]]:
        marked: dict[str, list[str]] = defaultdict(list)
        for group in groups:
            rest = []
            for name in group:
                mark = self._records[name].marks.get("entity")
                if isinstance(mark, str) and mark:
                    marked[mark].append(name)
                elif mark == "":
                    yield [name]
                else:
                    rest.append(name)
            yield rest
        yield from marked.values()

    # --- loose parts --------------------------------------------------------------------------------------

    def _join_loose(self, groups: list[list[str]]) -> list[list[str]]:
        """Join things whose names say nothing, or name a part, when they touch and belong together."""
        groups = [g for g in groups if g]
        loose = [
            i
            for i, group in enumerate(groups)
            if (self._records[group[0]].parent not in self._records or group[0] in self._cutter.freed)
            and not any("entity" in self._records[n].marks for n in group)
            and self._records[group[0]].hidden is None
            and self._family.group_box(group) is not None
        ]
        boxes = [self._family.group_box(groups[i]) for i in loose]
        silent = {i for i in loose if self._may_join(groups[i])}
        joins: list[tuple[int, int]] = []
        hosts: dict[int, list[int]] = defaultdict(list)
        for a, b in ((loose[a], loose[b]) for a, b in touching_pairs(boxes)):
            if self._stand_in(groups[a], groups[b]):
                joins.append((a, b))
            if a not in silent and b not in silent:
                continue
            if self._belong_together(groups[a], groups[b]):
                joins.append((a, b))
            for part, whole in ((a, b), (b, a)):
                if self._is_sunk_in(groups[part], groups[whole]):
                    hosts[part].append(whole)
        joined_already = {i for join in joins for i in join}
        for part, wholes in hosts.items():
            if part not in joined_already:
                joins.append((part, max(wholes, key=lambda w: self._surface(groups[w]))))
        joined: dict[int, list[str]] = defaultdict(list)
        for group, label in zip(groups, components(len(groups), joins), strict=True):
            joined[int(label)].extend(group)
        return list(joined.values())

    def _stand_in(self, a: list[str], b: list[str]) -> bool:
        """Whether two are one thing modelled twice in one place: at levels of detail, or as a hull for collisions."""
        first, second = self._records[a[0]], self._records[b[0]]
        one, two = strip_number(first.title), strip_number(second.title)
        return (
            one != two and _model(one) == _model(two) and _library(first) == _library(second) and self._coincide(a, b)
        )

    def _coincide(self, a: list[str], b: list[str]) -> bool:
        """Whether two boxes are the same, roughly."""
        one, two = self._family.group_box(a), self._family.group_box(b)
        if one is None or two is None:
            return False
        around = np.maximum(one[1], two[1]) - np.minimum(one[0], two[0])
        return bool((_common(one, two) >= _SAME_BOX * around).all())

    def _may_join(self, group: list[str]) -> bool:
        """Whether anything of a group's name or home asks for company; two groups without never join."""
        reading, home = self._family.reading(group[0]), self._records[group[0]].collections[:1]
        return reading.part or reading.meaningless or bool(home and self._is_thing_collection(home[0]))

    def _belong_together(self, a: list[str], b: list[str]) -> bool:
        first, second = self._records[a[0]], self._records[b[0]]
        if _library(first) != _library(second):
            return False
        one, two = self._family.reading(a[0]), self._family.reading(b[0])
        same_home = first.collections[:1] == second.collections[:1]
        if same_home and first.collections and self._is_thing_collection(first.collections[0]):
            return not (one.category and two.category and (one.category != two.category or _are_copies(first, second)))
        if one.part and two.part:
            return same_home and (_stem(one, self._lexicon) == _stem(two, self._lexicon))
        if one.part or two.part:
            part, whole = (a, b) if one.part else (b, a)
            stem = set(_stem(self._family.reading(part[0]), self._lexicon))
            return same_home and bool(stem & set(self._family.reading(whole[0]).words))
        if one.meaningless and two.meaningless and not (first.instance_of or second.instance_of):
            alike = bool(_material_names(first) & _material_names(second))
            return same_home and (alike or self._is_set_into(a, b))
        return False

    def _is_sunk_in(self, part: list[str], whole: list[str]) -> bool:
        """Whether a small thing named as a part sits in another thing's box, and not in a structure's."""
        if not self._family.reading(part[0]).part or self._family.reading(whole[0]).part:
            return False
        if _library(self._records[part[0]]) != _library(self._records[whole[0]]):
            return False
        if self._family.is_structure(whole[0]) or not self._overlap(part, whole):
            return False
        small, large = self._family.group_box(part), self._family.group_box(whole)
        if small is None or large is None:
            return False
        share = float(np.prod(_common(small, large) / np.maximum(small[1] - small[0], 1e-6)))
        ratio = float(np.linalg.norm(small[1] - small[0]) / np.linalg.norm(large[1] - large[0]))
        return share >= 0.5 and ratio <= _SMALL_SHARE

    def _is_thing_collection(self, collection: str) -> bool:
        """Whether a collection is named after one thing (``Desk Lamp``), not after a group or a place."""
        reading = self._lexicon.read_name(collection)
        if reading.category is None or not reading.words:
            return False
        if any(self._lexicon.is_a(reading.category, place) for place in PLACES):
            return False
        entry = self._lexicon.categories.get(reading.category)
        last = reading.words[-1]
        return singular(last) == last and entry is not None and entry.size is not None

    def _surface(self, group: list[str]) -> float:
        """Surface area of what a group draws, roughly: scales are taken as uniform."""
        return sum(surface_area(self._records[n]) for n in group)

    def _overlap(self, a: list[str], b: list[str]) -> bool:
        one, two = self._family.group_box(a), self._family.group_box(b)
        return one is not None and two is not None and bool((_common(one, two) > 1e-4).all())

    def _is_set_into(self, a: list[str], b: list[str]) -> bool:
        """Whether two boxes overlap by more than things do that merely touch: 3 % of the smaller one's extent."""
        one, two = self._family.group_box(a), self._family.group_box(b)
        if one is None or two is None:
            return False
        smaller = np.minimum(one[1] - one[0], two[1] - two[0])
        return bool((_common(one, two) >= _SET_IN_SHARE * smaller).all() and self._overlap(a, b))

    def _named_root(self, group: list[str]) -> str:
        """The member that names the thing: the highest with a category, else a part that says whose (``lamp_foot``
        before ``base``), a meaning, geometry, in this order.
        """

        def rank(name: str) -> tuple[object, ...]:
            reading, record = self._family.reading(name), self._records[name]
            drawn = bool(record.parts) or record.bounds is not None
            silent = record.kind in ("LIGHT", "CAMERA")
            return (
                silent,
                not (reading.category and not reading.part),
                not (reading.part and self._lexicon.whole_of(reading)),
                reading.part,
                reading.meaningless,
                self._family.depth[name],
                not drawn,
                strip_number(name),
                name,
            )

        return min(group, key=rank)


def surface_area(record: ObjectRecord) -> float:
    """Area of all that an object draws, square metres; uneven scales are evened out."""
    total = 0.0
    for part in record.parts:
        total += part.shape.area * abs(float(np.linalg.det(part.world_from_local[:3, :3]))) ** (2 / 3)
    return total


def _common(one: FloatArray, two: FloatArray) -> FloatArray:
    """Extent that two boxes share along each axis, negative where they are apart, ``(3,)``."""
    common: FloatArray = np.minimum(one[1], two[1]) - np.maximum(one[0], two[0])
    return common


def _library(record: ObjectRecord) -> str:
    """What tells the name of an object that is linked or drawn by a collection instance; nothing for any other."""
    return record.within + record.name.removeprefix(record.within + record.title)


def _are_copies(one: ObjectRecord, two: ObjectRecord) -> bool:
    """Whether two objects draw the same geometry: of what both are called, they are one each."""
    return bool(one.parts) and [p.shape.key for p in one.parts] == [p.shape.key for p in two.parts]


@lru_cache(maxsize=65536)
def _model(name: str) -> str:
    """What a model at some level of detail, or a hull, is called after: ``SM_Table_LOD2`` and ``UCX_SM_Table_01``."""
    return _DETAIL.sub("", _HULL.sub(r"\1", name))


def _stem(reading: NameReading, lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(w for w in reading.words if not lexicon.is_part_word(w))


def _material_names(record: ObjectRecord) -> set[str]:
    return {m.name for part in record.parts for m in part.materials if m is not None}
