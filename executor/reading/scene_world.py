"""The `World` of an understood scene: what predicates and placement ask, answered from its geometry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from ..geometry.body import Body
from ..geometry.boxes import UprightBox
from ..geometry.mesh import FloatArray
from .build import Scene
from .colors import base_colors
from .lexicon import lexicon
from .orientation import lies
from .support import Carrier
from .things import Thing

_FLAT = 0.5
"""Cosine from the vertical below which an axis lies flat."""


class SceneWorld:
    """Implements `executor.world.World` for one understood state of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._index = {e.id: i for i, e in enumerate(scene.graph.objects)}

    @cached_property
    def _owner_of(self) -> dict[str, int]:
        """Which thing an object belongs to, by the object's name."""
        return {m.name: i for i, t in enumerate(self.scene.things) for m in t.members}

    @cached_property
    def _parent_of(self) -> dict[str, str | None]:
        return {m.name: m.parent for t in self.scene.things for m in t.members}

    @cached_property
    def _children_of(self) -> dict[int, list[str]]:
        """Things whose objects have a parent among another thing's objects, by that other one."""
        children: dict[int, list[str]] = defaultdict(list)
        for i, entity in enumerate(self.scene.graph.objects):
            owners = {self._owner_of[a] for a in self.ancestors(entity.id) if a in self._owner_of} - {i}
            for owner in owners:
                children[owner].append(entity.id)
        return children

    @cached_property
    def _riders_of(self) -> dict[int, list[str]]:
        riders: dict[int, list[str]] = defaultdict(list)
        for entity, carrier in zip(self.scene.graph.objects, self.scene.carriers, strict=True):
            if carrier.thing is not None and not self.scene.things[carrier.thing].is_structure and not entity.hidden:
                riders[carrier.thing].append(entity.id)
        return riders

    def ids(self) -> Sequence[str]:
        """Ids of all shown things."""
        return [e.id for e in self.scene.graph.objects if not e.hidden]

    def has(self, thing: str) -> bool:
        """Whether a shown thing has this id."""
        return thing in self._index and not self._thing(thing).hidden

    def body(self, thing: str) -> Body:
        """Triangles of a thing."""
        return self._thing(thing).measured.body

    def box(self, thing: str) -> UprightBox:
        """Upright box of a thing."""
        return self._thing(thing).measured.box

    def is_soft(self, thing: str) -> bool:
        """Whether things may sink into it, or it into them."""
        entry = lexicon().categories.get(self._thing(thing).category)
        return entry is not None and entry.soft

    def is_structure(self, thing: str) -> bool:
        """Whether it is a floor, a wall or the like."""
        return self._thing(thing).is_structure

    def may_enter(self, thing: str, host: str) -> bool:
        """Whether a thing belongs into another's matter: an opening or a mounted thing into what holds it,
        a covering under things, a child into its parent.
        """
        inner, outer = self._thing(thing), self._thing(host)
        if inner.role == "covering":
            return not outer.is_structure or self.carried_by(thing) == host
        members = {m.name for m in outer.members}
        if any(m.parent in members for m in inner.members):
            return True
        opening = any(lexicon().is_a(inner.category, k) for k in ("door", "window"))
        mounted = self.carried_by(thing) == host and self.carrier(thing).kind != "rests"
        return outer.is_structure and (opening or mounted or inner.is_structure)

    def carried_by(self, thing: str) -> str | None:
        """Id of what carries a thing, or None."""
        host = self.carrier(thing).thing
        return self.scene.graph.objects[host].id if host is not None else None

    def is_mounted(self, thing: str) -> bool:
        """Whether a thing hangs on what carries it, or is set into that."""
        return self.carrier(thing).kind in ("hangs", "set_in")

    def resting_on(self, thing: str) -> Sequence[str]:
        """Ids of what a thing carries directly; the structure, which stays where it is, carries nothing along."""
        return self._riders_of.get(self._index[thing], [])

    def children(self, thing: str) -> Sequence[str]:
        """Ids of other things, hidden ones too, that follow one of its objects as children or children's children."""
        return self._children_of.get(self._index[thing], [])

    def member_names(self, thing: str) -> list[str]:
        """Full names of the objects that make up a thing."""
        return [m.name for m in self._thing(thing).members]

    def owner(self, name: str) -> str:
        """Id of the thing that an object belongs to, by the object's full name."""
        return self.scene.graph.objects[self._owner_of[name]].id

    def parent(self, thing: str) -> str | None:
        """Id of the nearest other thing that a thing follows as its child, or None."""
        own = self._index[thing]
        owners = (self._owner_of[a] for a in self.ancestors(thing) if a in self._owner_of)
        return next((self.scene.graph.objects[i].id for i in owners if i != own), None)

    def ancestors(self, thing: str) -> Iterator[str]:
        """Full names of the objects that a thing's objects follow, its own among them."""
        seen: set[str] = set()
        for member in self._thing(thing).members:
            parent = member.parent
            while parent is not None and parent not in seen:
                seen.add(parent)
                yield parent
                parent = self._parent_of.get(parent)

    def spot(self, thing: str) -> FloatArray:
        """Where a thing is held, ``(3,)``: below its middle, at the height where it touches what carries it."""
        box, height = self.box(thing), self.carrier(thing).height
        bottom = box.center[2] - box.half[2]
        return np.array([box.center[0], box.center[1], bottom if height is None else height])

    def knows(self, thing: str) -> bool:
        """Whether there is a thing with this id, shown or hidden."""
        return thing in self._index

    def carrier(self, thing: str) -> Carrier:
        """How a thing is carried."""
        return self.scene.carriers[self._index[thing]]

    def wall_of(self, thing: str) -> FloatArray | None:
        """Unit normal in plan, ``(2,)``, of the wall face that a thing hangs on, or None."""
        entity = self.scene.graph.objects[self._index[thing]]
        wall = next((w for w in self.scene.graph.walls if w.id == entity.support.on), None)
        return np.array(wall.normal) if wall is not None else None

    def base_colors(self, thing: str) -> tuple[FloatArray, FloatArray]:
        """Linear RGB ``(n, 3)`` and areas ``(n,)`` of what a thing shows."""
        return base_colors(self._thing(thing).parts, self.body(thing).areas)

    def pose(self, thing: str) -> FloatArray:
        """``(4, 4)`` world_from_local of the object that carries the thing's id."""
        return self._thing(thing).root.world_from_local

    def front(self, thing: str) -> FloatArray | None:
        """Direction in plan, ``(2,)``, in which a thing looks, or None."""
        front = self.scene.graph.objects[self._index[thing]].front
        return None if front is None else np.array(front)

    def own_up(self, thing: str) -> FloatArray:
        """World direction, ``(3,)``, that is up when a thing stands as it is made to.

        That of its object's Z, unless that lies flat while the thing has the proportions of its kind: then it was made
        with another axis up, and stands.
        """
        axis = self.pose(thing)[:3, 2]
        up = axis / max(float(np.linalg.norm(axis)), 1e-12)
        if abs(up[2]) < _FLAT and lies(self._thing(thing), lexicon()) is False:
            return np.array(self.scene.graph.objects[self._index[thing]].up)
        return np.asarray(up)

    def name(self, thing: str) -> str:
        """What a thing is called in the file."""
        return self._thing(thing).root.title

    def collections(self, thing: str) -> Sequence[str]:
        """Names of the collections that hold its objects."""
        return self.scene.graph.objects[self._index[thing]].collections

    def materials(self, thing: str) -> Sequence[str]:
        """Names of the materials that it shows."""
        return self.scene.graph.objects[self._index[thing]].materials

    def part_pose(self, thing: str, part: str) -> FloatArray:
        """``(4, 4)`` world_from_local of one of a thing's objects, given by full name."""
        return next(m.world_from_local for m in self._thing(thing).members if m.name == part)

    def _thing(self, thing: str) -> Thing:
        return self.scene.things[self._index[thing]]
