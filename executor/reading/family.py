"""Objects with their parents and children, what their names say, and the room they take up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ..geometry.mesh import FloatArray
from ..model.graph import Role
from .lexicon import Lexicon, NameReading
from .names import singular
from .snapshot import ObjectRecord


class Family:
    """All objects of a snapshot by name, and how they belong to one another.

    Attributes:
        records: the objects.
        lexicon: what names mean.
        children: names of an object's children; only of those whose parent is in the snapshot.
        parents_first: all names, each after its parent's.
        boxes: ``(2, 3)`` world box of what each object draws by itself, or None.
    """

    def __init__(self, records: Iterable[ObjectRecord], lexicon: Lexicon) -> None:
        self.records = {r.name: r for r in records}
        self.lexicon = lexicon
        self.children: dict[str, list[str]] = defaultdict(list)
        for record in self.records.values():
            if record.parent in self.records:
                self.children[record.parent].append(record.name)
        self.parents_first = self.tree([n for n, r in self.records.items() if r.parent not in self.records])
        self.boxes = {r.name: _bounds(r) for r in self.records.values()}
        self._readings: dict[str, NameReading] = {}

    def tree(self, roots: Sequence[str]) -> list[str]:
        """Some objects and all that follow them, parents first."""
        found = list(roots)
        for name in found:  # grows as it goes
            found.extend(self.children[name])
        return found

    @cached_property
    def depth(self) -> dict[str, int]:
        """How many parents each object has above it."""
        depth: dict[str, int] = {}
        for name in self.parents_first:
            parent = self.records[name].parent
            depth[name] = depth[parent] + 1 if parent in depth else 0
        return depth

    @cached_property
    def holds_geometry(self) -> set[str]:
        """Objects that draw something, by themselves or by what follows them."""
        found: set[str] = set()
        for name in reversed(self.parents_first):
            record = self.records[name]
            draws = record.hidden is None and (record.parts or record.bounds is not None)
            if draws or any(c in found for c in self.children[name]):
                found.add(name)
        return found

    def draws(self, name: str) -> bool:
        """Whether an object shows anything by itself."""
        return self.boxes[name] is not None

    def shown_children(self, name: str) -> list[str]:
        """The children that draw something, by themselves or by what follows them."""
        return [c for c in self.children[name] if c in self.holds_geometry]

    @cached_property
    def nearest_named(self) -> dict[str, str | None]:
        """Each object's nearest parent, itself included, that names a thing; None if there is none."""
        found: dict[str, str | None] = {}
        for name in self.parents_first:
            parent = self.records[name].parent
            above = found.get(parent) if parent is not None else None
            found[name] = name if self.reading(name).category is not None else above
        return found

    @cached_property
    def category_in(self) -> dict[str, str | None]:
        """Category of the first thing named in the tree under each object, its own name first; no part names."""
        found: dict[str, str | None] = {}
        for name in reversed(self.parents_first):
            below = (found[c] for c in self.children[name])
            found[name] = self.reading(name).category or next((k for k in below if k), None)
        return found

    def reading(self, name: str) -> NameReading:
        """What an object's own name says, or the user's mark."""
        if name not in self._readings:
            self._readings[name] = self._read(self.records[name])
        return self._readings[name]

    def _read(self, record: ObjectRecord) -> NameReading:
        category = record.marks.get("category")
        if isinstance(category, str):
            return NameReading(self.lexicon.lookup(category) or category, False, False, False, ())
        reading = self.lexicon.read_name(record.title)
        if reading.meaningless and record.instance_of:
            return self.lexicon.read_name(record.instance_of)
        return reading

    def is_structure(self, name: str) -> bool:
        """Whether an object is called a wall, a floor or the like."""
        return self.role(name) == "structure"

    def role(self, name: str) -> Role | None:
        """What things called like an object are to a room, or None if its name does not say."""
        category = self.reading(name).category
        entry = self.lexicon.categories.get(category) if category else None
        return entry.role if entry else None

    def is_any(self, name: str, categories: Iterable[str]) -> bool:
        """Whether an object is called one of several sorts of things, or a kind of one."""
        category = self.reading(name).category
        return category is not None and any(self.lexicon.is_a(category, k) for k in categories)

    def group_box(self, group: Sequence[str]) -> FloatArray | None:
        """``(2, 3)`` box around some objects, or None if they draw nothing."""
        if len(group) == 1:
            return self.boxes[group[0]]
        boxes = [b for b in (self.boxes[n] for n in group) if b is not None]
        if not boxes:
            return None
        stacked = np.array(boxes)
        return np.array([stacked[:, 0].min(axis=0), stacked[:, 1].max(axis=0)])


def _bounds(record: ObjectRecord) -> FloatArray | None:
    """``(2, 3)`` world box of everything an object draws, or None."""
    corners = [] if record.bounds is None else [record.bounds]
    corners += [p.shape.corners @ p.world_from_local[:3, :3].T + p.world_from_local[:3, 3] for p in record.parts]
    if not corners:
        return None
    points = np.concatenate(corners)
    return np.array([points.min(axis=0), points.max(axis=0)])


def share_a_word(a: NameReading, b: NameReading) -> bool:
    """Whether two names share a word or its beginning (``workCabinet`` under ``workbench``)."""
    return _share(a.words, b.words)


def is_called_after(part: NameReading, whole: NameReading) -> bool:
    """Whether a name says whose part it is: ``laptop_keyboard`` of a laptop, but ``table lamp`` of no table."""
    return _share(part.besides if part.category else part.words, whole.words)


def _share(one: Iterable[str], two: Iterable[str]) -> bool:
    others = [singular(w) for w in two]
    return any(_begins_alike(word, other) for word in map(singular, one) for other in others)


def _begins_alike(one: str, two: str) -> bool:
    short, long = (one, two) if len(one) <= len(two) else (two, one)
    return one == two or (len(short) >= 4 and long.startswith(short))
