"""From a snapshot to an understood scene: the order in which understanding is built up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.mesh import FloatArray
from ..model.graph import FrontSource, Role, SceneGraph
from ..model.steps import Steps
from .assemble import assemble
from .colors import color_words
from .entities import Grouping
from .fronts import FrontFinder
from .ids import assign_ids
from .instances import unfolded
from .lexicon import UNKNOWN, Lexicon, lexicon
from .nameless import mark_structure
from .plausibility import doubts, scene_scale
from .relations import RelationFinder
from .rooms import RoomFinder
from .snapshot import ObjectRecord, Snapshot
from .structure import Structure
from .support import Carrier, SupportFinder
from .surfaces import Patch, SurfaceFinder
from .things import Measurer, Thing, categorise

_ROLES_BY_KIND: dict[str, Role] = {"LIGHT": "light", "CAMERA": "camera", "GAUSSIAN_SPLAT": "splat"}
_SMALL = 0.35
"""Largest dimension, in metres, of what is taken for a manipulable and not for furniture."""
_FLAT = 0.01
"""Height, in metres, up to which an unknown thing on the floor is taken for a covering."""


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """An understood scene: the graph for the outside, and the geometry that it was read from.

    Attributes:
        graph: entities in the order of `things`.
        things: one per entity.
        carriers: what carries each.
        fronts: direction that each faces, with its source.
        patches: support surfaces of each.
        structure: rooms, wall faces, openings.
    """

    graph: SceneGraph
    things: list[Thing]
    carriers: list[Carrier]
    fronts: list[tuple[FloatArray | None, FrontSource]]
    patches: list[list[Patch]]
    structure: Structure

    def index_of(self, entity_id: str) -> int:
        """Position of an entity in the lists; raises KeyError when there is none."""
        for i, entity in enumerate(self.graph.objects):
            if entity.id == entity_id:
                return i
        raise KeyError(entity_id)


class SceneBuilder:
    """Builds scenes, remembering per piece of geometry what the last read found out."""

    def __init__(self) -> None:
        self._measurer = Measurer()
        self._support = SupportFinder()
        self._surfaces = SurfaceFinder()
        self._rooms = RoomFinder()
        self._fronts = FrontFinder()
        self._relations = RelationFinder()
        self._ids: dict[tuple[int, ...], str] = {}
        self._colors: dict[tuple[object, ...], list[str]] = {}

    def build(self, snapshot: Snapshot) -> Steps[Scene]:
        """Understand a snapshot, piece by piece."""
        lex = lexicon()
        yield
        things = yield from self._things(snapshot, lex)
        mark_structure(things, lex)
        yield
        structure = yield from self._rooms.structure(things, lex)
        scale = scene_scale(things, lex)
        carriers = yield from self._support.carriers(things, scale)
        for thing, carrier in zip(things, carriers, strict=True):
            thing.role = _settled_role(thing, carrier, things, lex)
        fronts = yield from self._fronts.fronts(things, lex, structure)
        patches = yield from self._surfaces.surfaces(things)
        ids = assign_ids(things, snapshot.memory, self._ids)
        self._ids |= {thing.root.session_key: entity_id for thing, entity_id in zip(things, ids, strict=True)}
        colors = self._color_words(things)
        yield
        graph = assemble(
            snapshot,
            things,
            ids,
            carriers,
            fronts,
            patches,
            colors,
            structure,
            doubts(things, lex, scale, structure),
            self._relations,
        )
        return Scene(graph, things, carriers, fronts, patches, structure)

    def _things(self, snapshot: Snapshot, lex: Lexicon) -> Steps[list[Thing]]:
        records = {r.name: r for r in unfolded(snapshot.objects, lex)}
        drafts = Grouping(records.values(), lex).drafts()
        yield
        measured = yield from self._measurer.measure_all(drafts, records)
        shown = Counter(r.collections for r in records.values() if r.parts and r.hidden is None)
        things = []
        for draft, geometry in zip(drafts, measured, strict=True):
            root = records[draft.root]
            members = (root, *(records[n] for n in draft.members if n != draft.root))
            category = categorise(members, root, float(2 * geometry.box.half.max()), lex, shown[root.collections] == 1)
            role = _first_role(members, category, lex)
            hidden = all(m.hidden is not None for m in members)
            things.append(Thing(draft, root, members, geometry, category, role, hidden))
        return things

    def _color_words(self, things: Sequence[Thing]) -> list[list[str]]:
        """Colours of each thing in words; what shows the same as in the last read keeps them."""
        keys = [tuple((p.shape.key, p.materials) for p in thing.parts) for thing in things]
        known: dict[tuple[object, ...], list[str]] = {}
        for key, thing in zip(keys, things, strict=True):
            if key not in known:
                words = self._colors.get(key)
                known[key] = words if words is not None else color_words(thing.parts, thing.measured.body.areas)
        self._colors = known
        return [known[key] for key in keys]


def _first_role(members: Sequence[ObjectRecord], category: str, lex: Lexicon) -> Role:
    """Role from a mark, the kind of object or the category; ``other`` until the carrier is known."""
    for record in members:
        mark = record.marks.get("role")
        if isinstance(mark, str) and mark in lex.roles:
            return mark  # type: ignore[return-value]
    if all(not m.parts and m.bounds is None for m in members):
        kinds = [m.kind for m in members]
        return next((_ROLES_BY_KIND[k] for k in kinds if k in _ROLES_BY_KIND), "other")
    if category == UNKNOWN:
        return "other"
    entry = lex.categories.get(category)
    return entry.role if entry else "other"


def _settled_role(thing: Thing, carrier: Carrier, things: Sequence[Thing], lex: Lexicon) -> Role:
    """Role once it is known what carries a thing: what hangs on a wall is mounted whatever it is called.

    Unknown things are judged by size and carrier: small or standing on furniture, manipulable; else furniture.
    """
    if thing.is_structure or thing.role in ("light", "camera", "splat") or not thing.is_solid:
        return thing.role
    host = things[carrier.thing] if carrier.thing is not None else None
    known = thing.category != UNKNOWN
    if carrier.kind == "hangs" and host is not None and (not known or thing.role in ("furniture", "manipulable")):
        return "ceiling_mounted" if lex.is_a(host.category, "ceiling") else "wall_mounted"
    largest = float(np.max(thing.measured.box.half)) * 2
    if known:
        return "manipulable" if thing.role == "furniture" and largest <= _SMALL else thing.role
    if thing.role != "other":
        return thing.role
    on_floor = host is None or host.is_structure
    if on_floor and 2 * thing.measured.box.half[2] <= _FLAT and largest > _SMALL:
        return "covering"
    return "furniture" if on_floor and largest > _SMALL else "manipulable"
