"""Parent trees cut into things: an empty may hold many, and a cup that follows its tray is a thing of its own.

Names say which children may be things: a `Door` under a `Wardrobe` may, a `Leg` may not. Geometry then tells what is
part of the whole: what is built in, holds it up, or lies within it and could not be lifted off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress

import numpy as np

from ..geometry.boxes import components
from ..geometry.mesh import FloatArray
from .family import Family, is_called_after, share_a_word
from .names import singular
from .parts import is_built_in, is_component, is_kin
from .touching import Touching

PLACES = ("room", "building")
"""Categories of what holds things together and is none of them."""
_OPENINGS = ("door", "door frame", "window", "gate")
"""Structure with parts of its own; all other structure is host to things."""
_FITTINGS = ("drinking glass",)
_STAGE_SIZE, _STAGE_AREA, _STAGE_THICKNESS = 1.5, 4.0, 0.35
"""A nameless slab at least this long and wide, this large and at most this thick, in metres, on which things stand
is a floor."""


class TreeCutter:
    """Cuts the parent trees of a snapshot.

    Attributes:
        freed: objects that follow a mere container or structure: they are as loose as if they had no parent.
    """

    def __init__(self, family: Family) -> None:
        self._family = family
        self._touching = Touching(family)
        self.freed: set[str] = set()
        self._undecided: dict[str, list[list[str]]] = {}
        """What may be a thing of its own below objects that are called nothing, until it is known what those are of."""

    def groups(self) -> list[list[str]]:
        """Names of the objects of each thing, the one it hangs from first."""
        cut: dict[str, list[list[str]]] = {}
        for name in reversed(self._family.parents_first):
            cut[name] = self._cut(name, {c: cut.pop(c) for c in self._family.children[name]})
        return [group for name in self._family.records if name in cut for group in cut[name]]

    def _cut(self, name: str, below: dict[str, list[list[str]]]) -> list[list[str]]:
        """Things within the tree under an object, given those under its children: the first holds the object itself."""
        waiting = [f for child in below for f in self._undecided.pop(child, ())]
        apart = [other for _, *others in below.values() for other in others]
        firsts = [groups[0] for groups in below.values()]
        if self._is_container(name):
            self.freed.update(below)
            return [[name], *firsts, *waiting, *apart]
        if self._is_host(name) or self._is_stage(name, firsts):
            loose, own = _sorted_out(firsts, lambda f: self._is_loose(f, name))
            self.freed.update(f[0] for f in loose)
            group = [name, *(n for f in own for n in f)]
            return [self._give_parts(group, loose), *loose, *waiting, *apart]
        whole = self._whole(name)
        doubtful, own = _sorted_out(firsts, lambda f: self._names_a_thing(f[0], whole) and not self._is_rigged(f[0]))
        group = [name, *(n for f in own for n in f)]
        doubtful += waiting
        if whole != name:
            self._undecided[name] = doubtful
            return [group, *apart]
        if self._is_one_thing(name):
            group, doubtful = self._with_parts(group, doubtful)
        return [group, *doubtful, *apart]

    # --- what an object is to its children ----------------------------------------------------------------------

    def _is_container(self, name: str) -> bool:
        """Whether an object only holds things together: a room's or a group's empty."""
        record = self._family.records[name]
        if record.parts or record.kind == "ARMATURE" or "entity" in record.marks:
            return False
        children = self._family.shown_children(name)
        if len(children) < 2:
            return False
        reading = self._family.reading(name)
        if reading.category and any(self._family.lexicon.is_a(reading.category, place) for place in PLACES):
            return True
        named = [k for k in (self._family.category_in[c] for c in children) if k]
        if reading.category is None:
            if (reading.meaningless or reading.part) and self._is_one_thing(self._whole(name)):
                return False
            return len(named) >= 2 or (not named and not self._connected(children))
        of_kind = sum(self._family.lexicon.is_a(k, reading.category) for k in named)
        return self._is_plural(name) and (of_kind >= 2 or (not named and not self._connected(children)))

    def _is_host(self, name: str) -> bool:
        """Whether an object is structure that things hang on or stand on: what follows it is no part of it."""
        return self._family.is_structure(name) and not self._family.is_any(name, _OPENINGS)

    def _is_stage(self, name: str, firsts: list[list[str]]) -> bool:
        """Whether a nameless object is a floor: a large slab that two or more children stand on."""
        box = self._family.boxes[name]
        if box is None or self._family.reading(name).category is not None:
            return False
        size = box[1] - box[0]
        if size[:2].min() < _STAGE_SIZE or size[0] * size[1] < _STAGE_AREA or size[2] > _STAGE_THICKNESS:
            return False
        return sum(self._touching.rests_on(f, [name]) for f in firsts) >= 2

    def _is_one_thing(self, name: str) -> bool:
        """Whether a name names one thing, no place and no number of things."""
        named = self._family.reading(name).category is not None
        return named and not self._is_plural(name) and not self._is_host(name)

    def _is_plural(self, name: str) -> bool:
        words = self._family.reading(name).words
        return bool(words) and singular(words[-1]) != words[-1]

    def _whole(self, name: str) -> str:
        """Which thing an object belongs to by name: itself, or the nearest parent that is called one thing."""
        whole = self._family.nearest_named[name]
        return whole if whole is not None and self._is_one_thing(whole) else name

    def _connected(self, names: list[str]) -> bool:
        """Whether the trees under these objects hang together as one by touching boxes."""
        groups = [self._family.tree([n]) for n in names]
        return int(components(len(names), self._touching.hang_together(groups)).max()) == 0

    # --- what a child is to its parent ----------------------------------------------------------------------------

    def _names_a_thing(self, child: str, whole: str) -> bool:
        """Whether a child may be a thing of its own by its name: not called after the whole, and no kind of it."""
        if child not in self._family.holds_geometry:
            return False
        reading, whole_reading = self._family.reading(child), self._family.reading(whole)
        if reading.group and not reading.meaningless:
            return not share_a_word(reading, whole_reading)
        if reading.category is None or reading.part:
            return False
        if is_called_after(reading, whole_reading):
            return False
        if whole_reading.category is None:
            return True
        return not is_kin(reading.category, whole_reading.category, self._family.lexicon)

    def _is_rigged(self, child: str) -> bool:
        """Whether a child follows a rig as a whole, as clothes follow a figure; what a bone holds may be anything."""
        record = self._family.records[child]
        return self._family.records[str(record.parent)].kind == "ARMATURE" and not record.on_bone

    def _is_loose(self, group: list[str], host: str) -> bool:
        """Whether a child of structure is no piece of it: it is called something else, or says nothing and only
        stands on it or against it.
        """
        child = group[0]
        if child not in self._family.holds_geometry:
            return False
        reading, host_reading = self._family.reading(child), self._family.reading(host)
        if reading.part:
            other = reading.category or self._family.lexicon.whole_of(reading)
            return other is not None and other != host_reading.category and self._touching.rests_on(group, [host])
        if reading.category in _FITTINGS:
            return False
        if reading.group and not reading.meaningless:
            return not share_a_word(reading, host_reading)
        if reading.category is not None:
            of_host = host_reading.category
            return of_host is None or not is_kin(reading.category, of_host, self._family.lexicon)
        drawn = self._family.draws(host) and self._family.group_box(group) is not None
        return drawn and not share_a_word(reading, host_reading) and not self._touching.is_set_into(group, host)

    def _with_parts(self, group: list[str], doubtful: list[list[str]]) -> tuple[list[str], list[list[str]]]:
        """A thing with those of its children that are parts of it, and the others.

        An empty called after one thing, whose children all are called something else, is made of those that could be
        the body of anything, if they hang together. A chair alone on an empty `Turntable` stays a chair.
        """
        group, doubtful, whole = list(group), list(doubtful), self._family.reading(group[0]).category or ""
        if self._family.group_box(self._shown(group)) is None:
            frames, others = _sorted_out(doubtful, lambda g: self._could_be_body(g, doubtful))
            if self._family.records[group[0]].kind != "EMPTY" or not self._make_a_body(frames):
                return group, doubtful
            group += [n for g in frames for n in g]
            doubtful = others
        found = True
        while found and doubtful:  # a door may hang on a side that has just turned out to be a part
            parts, doubtful = _sorted_out(doubtful, partial(self._is_part, core=self._shown(group), whole=whole))
            group += [n for g in parts for n in g]
            found = bool(parts)
        return group, doubtful

    def _make_a_body(self, frames: list[list[str]]) -> bool:
        """Whether pieces hang together, and are no single piece of furniture."""
        if not frames or (len(frames) == 1 and self._family.role(frames[0][0]) == "furniture"):
            return False
        return int(components(len(frames), self._touching.hang_together(frames)).max()) == 0

    def _could_be_body(self, group: list[str], others: list[list[str]]) -> bool:
        """Whether a thing is of a sort that other things are made of, or is what those stand on."""
        name = group[0]
        category = self._family.reading(name).category
        if category is None or self._is_soft(name):
            return False
        if self._family.role(name) in ("furniture", "structure") or is_component(category, self._family.lexicon):
            return True
        return self._holds_up(group, [n for g in others if g is not group for n in g])

    def _is_part(self, group: list[str], core: list[str], whole: str) -> bool:
        """Whether a child that could be a thing by its name is part of another one."""
        name = group[0]
        role, category = self._family.role(name), self._family.reading(name).category
        if role is None or category is None or role == "covering" or self._is_soft(name):
            return False
        if not self._touching.meet(group, core) or (self._family.draws(core[0]) and self._is_larger(group, core)):
            return False
        if role == "structure" or is_built_in(category, whole, self._family.lexicon) or self._holds_up(group, core):
            return True
        component = is_component(category, self._family.lexicon)
        if not component and (role != "furniture" or not self._touching.lies_in(group, core)):
            return False
        return not self._touching.stands_beside(group, core) and not self._touching.rests_on(group, core)

    def _holds_up(self, group: list[str], others: list[str]) -> bool:
        """Whether a group stands by itself and others stand on it: a rail does not stand on the coat below."""
        return self._touching.stands_beside(group, others) and self._touching.holds_up(group, others)

    def _is_larger(self, group: list[str], core: list[str]) -> bool:
        one, two = self._family.group_box(group), self._family.group_box(core)
        return one is not None and two is not None and bool(np.ptp(one, axis=0).max() > np.ptp(two, axis=0).max())

    def _is_soft(self, name: str) -> bool:
        entry = self._family.lexicon.categories.get(self._family.reading(name).category or "")
        return entry is not None and entry.soft

    def _shown(self, group: list[str]) -> list[str]:
        return [n for n in group if self._family.records[n].hidden is None]

    def _give_parts(self, group: list[str], openings: list[list[str]]) -> list[str]:
        """Panes and handles under a wall belong to the window or door that they are near."""
        named = [o for o in openings if self._family.reading(o[0]).category]
        kept = []
        for member in group:
            reading = self._family.reading(member)
            box = self._family.boxes[member]
            if member == group[0] or box is None or not (reading.part or reading.category in _FITTINGS):
                kept.append(member)
                continue
            near = [(_gap(box, self._family.group_box(o)), o) for o in named]
            near = [(gap, o) for gap, o in near if gap <= np.linalg.norm(box[1] - box[0]) / 2]
            if near:
                min(near, key=lambda go: (not share_a_word(reading, self._family.reading(go[1][0])), go[0]))[1].append(
                    member
                )
            else:
                kept.append(member)
        return kept


def _sorted_out(
    groups: Sequence[list[str]], test: Callable[[list[str]], bool]
) -> tuple[list[list[str]], list[list[str]]]:
    """Groups that pass a test, and the others."""
    passed = [test(g) for g in groups]
    return list(compress(groups, passed)), [g for g, p in zip(groups, passed, strict=True) if not p]


def _gap(one: FloatArray, two: FloatArray | None) -> float:
    """Distance of two boxes along the axis that parts them most; infinite if there is no second."""
    if two is None:
        return np.inf
    return max(0.0, float(np.maximum(one[0] - two[1], two[0] - one[1]).max()))
