"""Parent trees cut into things: an empty may hold many, and a cup that follows its tray is a thing of its own."""

from __future__ import annotations

import numpy as np

from ..geometry.boxes import components
from ..geometry.mesh import FloatArray
from .family import Family, share_a_word
from .names import singular
from .touching import touching_pairs

PLACES = ("room", "building")
"""Categories of what holds things together and is none of them."""
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


class TreeCutter:
    """Cuts the parent trees of a snapshot.

    Attributes:
        freed: objects that follow a mere container: they are as loose as if they had no parent.
    """

    def __init__(self, family: Family) -> None:
        self._family = family
        self.freed: set[str] = set()

    def groups(self) -> list[list[str]]:
        """Names of the objects of each thing, the one it hangs from first."""
        cut: dict[str, list[list[str]]] = {}
        for name in reversed(self._family.parents_first):
            cut[name] = self._cut(name, {c: cut.pop(c) for c in self._family.children[name]})
        return [group for name in self._family.records if name in cut for group in cut[name]]

    def _cut(self, name: str, below: dict[str, list[list[str]]]) -> list[list[str]]:
        """Things within the tree under an object, given those under its children: the first holds the object itself."""
        if self._is_container(name):
            self.freed.update(below)
            return [[name], *(group for groups in below.values() for group in groups)]
        group = [name]
        apart: list[list[str]] = []
        for child, (first, *others) in below.items():
            apart.extend(others)
            if self._stands_apart(child, name):
                apart.append(first)
            else:
                group.extend(first)
        if self._family.is_structure(name):
            group = self._give_parts(group, apart)
        return [group, *apart]

    def _give_parts(self, group: list[str], openings: list[list[str]]) -> list[str]:
        """Panes and handles under a wall belong to the window or door that they are near."""
        kept = []
        for member in group:
            reading = self._family.reading(member)
            box = self._family.boxes[member]
            if member == group[0] or box is None or not (reading.part or reading.category in _FITTINGS):
                kept.append(member)
                continue
            near = [(_gap(box, self._family.group_box(o)), o) for o in openings]
            near = [(gap, o) for gap, o in near if gap <= np.linalg.norm(box[1] - box[0]) / 2]
            if near:
                min(near, key=lambda go: (not share_a_word(reading, self._family.reading(go[1][0])), go[0]))[1].append(
                    member
                )
            else:
                kept.append(member)
        return kept

    def _is_container(self, name: str) -> bool:
        """Whether an object only holds things together: a room's or a group's empty."""
        record = self._family.records[name]
        if record.parts or record.instance_of or record.kind == "ARMATURE" or "entity" in record.marks:
            return False
        children = [c for c in self._family.children[name] if c in self._family.holds_geometry]
        if len(children) < 2:
            return False
        reading = self._family.reading(name)
        if reading.category and any(self._family.lexicon.is_a(reading.category, place) for place in PLACES):
            return True
        named = [k for k in (self._family.category_in[c] for c in children) if k]
        if reading.category is None:
            return len(named) >= 2 or (not named and not self._connected(children))
        plural = reading.words and singular(reading.words[-1]) != reading.words[-1]
        of_kind = sum(self._family.lexicon.is_a(k, reading.category) for k in named)
        return bool(plural) and (of_kind >= 2 or (not named and not self._connected(children)))

    def _stands_apart(self, child: str, root: str) -> bool:
        """Whether a child is a thing of its own although it follows its parent: a cup on a tray, a window in a wall."""
        if child not in self._family.holds_geometry:
            return False
        reading = self._family.reading(child)
        if reading.group and not reading.meaningless:
            return not share_a_word(reading, self._family.reading(root))
        if reading.category is None or reading.part:
            return False
        if reading.category in _FITTINGS and self._family.is_structure(root):
            return False
        root_reading = self._family.reading(root)
        if share_a_word(reading, root_reading):
            return False
        if root_reading.category is None:
            return True
        lex, part, whole = self._family.lexicon, reading.category, root_reading.category
        if lex.is_a(part, whole) or lex.is_a(whole, part):
            return False
        return not any(lex.is_a(whole, w) and lex.is_a(part, p) for w, p in _PARTS_OF)

    def _connected(self, names: list[str]) -> bool:
        """Whether the trees under these objects hang together as one by touching boxes."""
        boxes = [self._family.group_box(self._family.tree([n])) for n in names]
        return int(components(len(names), touching_pairs(boxes)).max()) == 0


def _gap(one: FloatArray, two: FloatArray | None) -> float:
    """Distance of two boxes along the axis that parts them most; infinite if there is no second."""
    if two is None:
        return np.inf
    return max(0.0, float(np.maximum(one[0] - two[1], two[0] - one[1]).max()))
