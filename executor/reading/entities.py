"""Entities: which Blender objects make up one thing that a person would name.

Measured on two hand-labelled rooms (201 and 89 meshes), no single signal is good: parent trees alone split or
lump, name stems lump separate things, touching boxes lump nearly everything. What works is the collection
instance, else the parent tree, with children that are things of their own split off, and loose parts joined only
when their names say nothing (or name a part) and they touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..geometry.boxes import components, meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.mesh import FloatArray
from .lexicon import Lexicon, NameReading
from .names import singular, strip_number
from .snapshot import ObjectRecord

_TOUCH_SHARE = 0.01
"""Loose parts touch when their boxes come within this share of the larger one's diagonal, …"""
_TOUCH_LIMIT = 0.02
"""… but never over more than this, in metres at life size."""
_SET_IN_SHARE = 0.03
_PLACES = ("room", "building")
_PARTS_OF = (
    ("seat", "cushion"),
    ("bed", "mattress"),
    ("bed", "headboard"),
    ("electronics", "monitor"),
    ("appliance", "monitor"),
    ("lamp", "light bulb"),
    ("window", "drinking glass"),
)
"""Whole and part by category: a child of the second kind belongs to a root of the first."""
_FITTINGS = ("drinking glass",)
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
        self._records = {r.name: r for r in records}
        self._lexicon = lexicon
        self._children: dict[str, list[str]] = defaultdict(list)
        for record in self._records.values():
            if record.parent in self._records:
                self._children[record.parent].append(record.name)
        self._freed: set[str] = set()
        self._readings: dict[str, NameReading] = {}
        self._boxes = {r.name: _bounds(r) for r in self._records.values()}

    def drafts(self) -> list[Draft]:
        """All things, in the order of their roots' names."""
        groups: list[list[str]] = []
        for name, record in self._records.items():
            if record.parent not in self._records:
                groups.extend(self._split(name))
        groups = list(self._join_marked(self._hide_apart(groups)))
        groups = self._join_loose(groups)
        drafts = [Draft(self._named_root(group), sorted(group)) for group in groups if group]
        return sorted(drafts, key=lambda d: d.root)

    # --- parent trees -------------------------------------------------------------------------------------

    def _split(self, name: str) -> Iterator[list[str]]:
        """Things within the tree under an object: the first one yielded holds the object itself."""
        if self._is_container(name):
            yield [name]
            for child in self._children[name]:
                self._freed.add(child)
                yield from self._split(child)
            return
        group = [name]
        apart: list[list[str]] = []
        for child in self._children[name]:
            first, *others = self._split(child)
            apart.extend(others)
            if self._stands_apart(child, name):
                apart.append(first)
            else:
                group.extend(first)
        if self._is_structure(name):
            group = self._give_parts(group, apart)
        yield group
        yield from apart

    def _give_parts(self, group: list[str], openings: list[list[str]]) -> list[str]:
        """Panes and handles under a wall belong to the window or door that they are near."""
        kept = []
        for member in group:
            reading = self._own_reading(member)
            box = self._boxes[member]
            if member == group[0] or box is None or not (reading.part or reading.category in _FITTINGS):
                kept.append(member)
                continue
            near = [(_gap(box, self._group_box(o)), o) for o in openings]
            near = [(gap, o) for gap, o in near if gap <= np.linalg.norm(box[1] - box[0]) / 2]
            if near:
                min(near, key=lambda go: (not _share_a_word(reading, self._own_reading(go[1][0])), go[0]))[1].append(
                    member
                )
            else:
                kept.append(member)
        return kept

    def _is_structure(self, name: str) -> bool:
        category = self._own_reading(name).category
        entry = self._lexicon.categories.get(category) if category else None
        return entry is not None and entry.role == "structure"

    def _is_container(self, name: str) -> bool:
        """Whether an object only holds things together: a room's or a group's empty."""
        record = self._records[name]
        if record.parts or record.instance_of or record.kind == "ARMATURE" or "entity" in record.marks:
            return False
        children = [c for c in self._children[name] if self._holds_geometry(c)]
        if len(children) < 2:
            return False
        reading = self._own_reading(name)
        if reading.category and any(self._lexicon.is_a(reading.category, place) for place in _PLACES):
            return True
        named = [k for k in (self._category_in(c) for c in children) if k]
        if reading.category is None:
            return len(named) >= 2 or (not named and not self._connected(children))
        plural = reading.words and singular(reading.words[-1]) != reading.words[-1]
        of_kind = sum(self._lexicon.is_a(k, reading.category) for k in named)
        return bool(plural) and (of_kind >= 2 or (not named and not self._connected(children)))

    def _stands_apart(self, child: str, root: str) -> bool:
        """Whether a child is a thing of its own although it follows its parent: a cup on a tray, a window in a wall."""
        if not self._holds_geometry(child):
            return False
        reading = self._own_reading(child)
        if reading.group and not reading.meaningless:
            return not _share_a_word(reading, self._own_reading(root))
        if reading.category is None or reading.part:
            return False
        if reading.category in _FITTINGS and self._is_structure(root):
            return False
        root_reading = self._own_reading(root)
        if _share_a_word(reading, root_reading):
            return False
        if root_reading.category is None:
            return True
        lex, part, whole = self._lexicon, reading.category, root_reading.category
        if lex.is_a(part, whole) or lex.is_a(whole, part):
            return False
        return not any(lex.is_a(whole, w) and lex.is_a(part, p) for w, p in _PARTS_OF)

    def _own_reading(self, name: str) -> NameReading:
        if name not in self._readings:
            self._readings[name] = self._read(self._records[name])
        return self._readings[name]

    def _read(self, record: ObjectRecord) -> NameReading:
        category = record.marks.get("category")
        if isinstance(category, str):
            return NameReading(self._lexicon.lookup(category) or category, False, False, False, ())
        reading = self._lexicon.read_name(record.title)
        if reading.meaningless and record.instance_of:
            return self._lexicon.read_name(record.instance_of)
        return reading

    def _category_in(self, name: str) -> str | None:
        """Category of the first thing named in a tree, its own name first; part names do not count."""
        own = self._own_reading(name).category
        return own or next((k for k in map(self._category_in, self._children[name]) if k), None)

    def _holds_geometry(self, name: str) -> bool:
        record = self._records[name]
        if record.hidden is None and (record.parts or record.bounds is not None):
            return True
        return any(self._holds_geometry(c) for c in self._children[name])

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
            if (self._records[group[0]].parent not in self._records or group[0] in self._freed)
            and not any("entity" in self._records[n].marks for n in group)
            and self._records[group[0]].hidden is None
            and self._group_box(group) is not None
        ]
        boxes = [self._group_box(groups[i]) for i in loose]
        silent = {i for i in loose if self._may_join(groups[i])}
        joins: list[tuple[int, int]] = []
        hosts: dict[int, list[int]] = defaultdict(list)
        for a, b in ((loose[a], loose[b]) for a, b in _touching(boxes)):
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

    def _may_join(self, group: list[str]) -> bool:
        """Whether anything of a group's name or home asks for company; two groups without never join."""
        reading, home = self._own_reading(group[0]), self._records[group[0]].collections[:1]
        return reading.part or reading.meaningless or bool(home and self._is_thing_collection(home[0]))

    def _belong_together(self, a: list[str], b: list[str]) -> bool:
        first, second = self._records[a[0]], self._records[b[0]]
        one, two = self._own_reading(a[0]), self._own_reading(b[0])
        same_home = first.collections[:1] == second.collections[:1]
        if same_home and first.collections and self._is_thing_collection(first.collections[0]):
            return not (one.category and two.category and one.category != two.category)
        if one.part and two.part:
            return same_home and (_stem(one, self._lexicon) == _stem(two, self._lexicon))
        if one.part or two.part:
            part, whole = (a, b) if one.part else (b, a)
            stem = set(_stem(self._own_reading(part[0]), self._lexicon))
            return same_home and bool(stem & set(self._own_reading(whole[0]).words))
        if one.meaningless and two.meaningless and not (first.instance_of or second.instance_of):
            alike = bool(_material_names(first) & _material_names(second))
            return same_home and (alike or self._is_set_into(a, b))
        return False

    def _is_sunk_in(self, part: list[str], whole: list[str]) -> bool:
        """Whether a small thing named as a part sits in another thing's box, and not in a structure's."""
        if not self._own_reading(part[0]).part or self._own_reading(whole[0]).part:
            return False
        if self._is_structure(whole[0]) or not self._overlap(part, whole):
            return False
        small, large = self._group_box(part), self._group_box(whole)
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
        if any(self._lexicon.is_a(reading.category, place) for place in _PLACES):
            return False
        entry = self._lexicon.categories.get(reading.category)
        last = reading.words[-1]
        return singular(last) == last and entry is not None and entry.size is not None

    def _group_box(self, group: list[str]) -> FloatArray | None:
        boxes = [b for b in (self._boxes[n] for n in group) if b is not None]
        if not boxes:
            return None
        stacked = np.array(boxes)
        return np.array([stacked[:, 0].min(axis=0), stacked[:, 1].max(axis=0)])

    def _surface(self, group: list[str]) -> float:
        """Surface area of what a group draws, roughly: scales are taken as uniform."""
        return sum(surface_area(self._records[n]) for n in group)

    def _connected(self, names: list[str]) -> bool:
        """Whether the trees under these objects hang together as one by touching boxes."""
        boxes = [self._group_box(list(self._tree(n))) for n in names]
        return int(components(len(names), _touching(boxes)).max()) == 0

    def _tree(self, name: str) -> Iterator[str]:
        yield name
        for child in self._children[name]:
            yield from self._tree(child)

    def _overlap(self, a: list[str], b: list[str]) -> bool:
        one, two = self._group_box(a), self._group_box(b)
        return one is not None and two is not None and bool((_common(one, two) > 1e-4).all())

    def _is_set_into(self, a: list[str], b: list[str]) -> bool:
        """Whether two boxes overlap by more than things do that merely touch: 3 % of the smaller one's extent."""
        one, two = self._group_box(a), self._group_box(b)
        if one is None or two is None:
            return False
        smaller = np.minimum(one[1] - one[0], two[1] - two[0])
        return bool((_common(one, two) >= _SET_IN_SHARE * smaller).all() and self._overlap(a, b))

    def _named_root(self, group: list[str]) -> str:
        """The member that names the thing: the highest with a category, a meaning, geometry, in this order."""

        def rank(name: str) -> tuple[object, ...]:
            reading, record = self._own_reading(name), self._records[name]
            drawn = bool(record.parts) or record.bounds is not None
            silent = record.kind in ("LIGHT", "CAMERA")
            return (
                silent,
                not (reading.category and not reading.part),
                reading.meaningless,
                self._depth(name),
                not drawn,
                strip_number(name),
                name,
            )

        return min(group, key=rank)

    def _depth(self, name: str) -> int:
        parent = self._records[name].parent
        return 1 + self._depth(parent) if parent in self._records else 0


def surface_area(record: ObjectRecord) -> float:
    """Area of all that an object draws, square metres; uneven scales are evened out."""
    total = 0.0
    for part in record.parts:
        total += part.shape.area * abs(float(np.linalg.det(part.world_from_local[:3, :3]))) ** (2 / 3)
    return total


def _bounds(record: ObjectRecord) -> FloatArray | None:
    """``(2, 3)`` world box of everything an object draws, or None."""
    corners = [] if record.bounds is None else [record.bounds]
    corners += [p.shape.corners @ p.world_from_local[:3, :3].T + p.world_from_local[:3, 3] for p in record.parts]
    if not corners:
        return None
    points = np.concatenate(corners)
    return np.array([points.min(axis=0), points.max(axis=0)])


def _common(one: FloatArray, two: FloatArray) -> FloatArray:
    """Extent that two boxes share along each axis, negative where they are apart, ``(3,)``."""
    common: FloatArray = np.minimum(one[1], two[1]) - np.maximum(one[0], two[0])
    return common


def _gap(one: FloatArray, two: FloatArray | None) -> float:
    """Distance of two boxes along the axis that parts them most; infinite if there is no second."""
    if two is None:
        return np.inf
    return max(0.0, float(np.maximum(one[0] - two[1], two[0] - one[1]).max()))


def _touching(boxes: list[FloatArray | None]) -> list[tuple[int, int]]:
    """Pairs of indices of boxes that touch; None touches nothing."""
    known = [i for i, box in enumerate(boxes) if box is not None]
    if len(known) < 2:
        return []
    corners = np.array([boxes[i] for i in known])
    low, high = corners[:, 0], corners[:, 1]
    reach = np.minimum(_TOUCH_SHARE * np.linalg.norm(high - low, axis=1), _TOUCH_LIMIT)[:, None]
    return [(known[a], known[b]) for a, b in meeting_pairs(Boxes(low - reach / 2, high + reach / 2))]


def _share_a_word(a: NameReading, b: NameReading) -> bool:
    """Whether two names share a word or its beginning (``workCabinet`` under ``workbench``)."""
    for one in map(singular, a.words):
        for two in map(singular, b.words):
            short, long = sorted((one, two), key=len)
            if short == long or (len(short) >= 4 and long.startswith(short)):
                return True
    return False


def _stem(reading: NameReading, lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(w for w in reading.words if not lexicon.is_part_word(w))


def _material_names(record: ObjectRecord) -> set[str]:
    return {m.name for part in record.parts for m in part.materials if m is not None}
