"""What collections hold: their objects with the collections in between, and what an instance of one draws."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import bpy
import numpy as np

from ..geometry.mesh import FloatArray
from ..reading.snapshot import HiddenBy, ObjectRecord, Part

_NO_ID = 2**31 - 1
"""What fills `DepsgraphObjectInstance.persistent_id` up."""

Path: TypeAlias = tuple[int, ...]
"""Numbers that Blender gives to what an instancer draws, from the outermost instance inward."""


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """One object as a collection instance draws it.

    Attributes:
        obj: the original.
        world_from_local: ``(4, 4) float64``, metres.
        part: its geometry, if it has any.
    """

    obj: bpy.types.Object
    world_from_local: FloatArray
    part: Part | None


class RecordMaker(Protocol):
    """Makes a record of an object from what is drawn on its behalf."""

    def __call__(
        self, obj: bpy.types.Object, drawn: list[Part] | None, collections: tuple[str, ...], hidden: HiddenBy | None
    ) -> ObjectRecord: ...


class Contents:
    """What the collection instances of a view layer draw, object by object."""

    def __init__(self) -> None:
        self._drawn: dict[str, dict[Path, Drawn]] = defaultdict(dict)
        self._homes: dict[str, dict[str, tuple[str, ...]]] = {}
        self._plain: dict[tuple[str, str], ObjectRecord] = {}

    def add(self, instance: bpy.types.DepsgraphObjectInstance, world_from_local: FloatArray, part: Part | None) -> None:
        """Note an instance that the depsgraph draws, if a collection instance is why."""
        owner = instance.parent
        if owner.instance_type == "COLLECTION" and owner.type == "EMPTY":
            path = tuple(k for k in instance.persistent_id if k != _NO_ID)[::-1]
            drawn = Drawn(instance.object.original, world_from_local, part)
            self._drawn[owner.original.name_full][path] = drawn

    def of(self, instancer: bpy.types.Object, owner: ObjectRecord, record: RecordMaker) -> tuple[ObjectRecord, ...]:
        """Records of the objects that a collection instance draws, nested instances as one object each.

        Args:
            instancer: the empty.
            owner: its record.
            record: makes a record as of an object of the scene.
        """
        drawn = self._drawn.get(instancer.name_full)
        return tuple(self._records(instancer, owner, drawn, record)) if drawn else ()

    def _records(
        self, instancer: bpy.types.Object, owner: ObjectRecord, drawn: dict[Path, Drawn], record: RecordMaker
    ) -> Iterator[ObjectRecord]:
        below: dict[int, dict[Path, Drawn]] = defaultdict(dict)
        for path, each in drawn.items():
            below[path[0]][path[1:]] = each
        siblings: set[str | None] = {group[()].obj.name_full for group in below.values() if () in group}
        within = f"{owner.name}/"
        for group in below.values():
            if () not in group:
                continue
            obj, matrix = group[()].obj, group[()].world_from_local
            plain = self._plain_record(obj, instancer.instance_collection, record)
            made = replace(
                plain,
                name=within + plain.name,
                parent=f"{within}{plain.parent}" if plain.parent in siblings else owner.name,
                world_from_local=matrix,
                parts=tuple(each.part for each in group.values() if each.part is not None),
                bounds=None if plain.bounds is None else _moved(plain.bounds, plain.world_from_local, matrix),
                within=within,
                session_key=(*owner.session_key, *plain.session_key),
            )
            if obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
                nested = {path: each for path, each in group.items() if path}
                made = replace(made, holds=tuple(self._records(obj, made, nested, record)))
            yield made

    def _plain_record(self, obj: bpy.types.Object, home: bpy.types.Collection, record: RecordMaker) -> ObjectRecord:
        """What is the same of an object in every instance of a collection, read once."""
        key = home.name_full, obj.name_full
        if key not in self._plain:
            made = record(obj, None, self._homes_in(home).get(obj.name_full, ()), None)
            marks = {k: v for k, v in made.marks.items() if k != "id"}
            self._plain[key] = replace(made, marks=marks, keeps_marks=False, holds=())
        return self._plain[key]

    def _homes_in(self, collection: bpy.types.Collection) -> dict[str, tuple[str, ...]]:
        if collection.name_full not in self._homes:
            self._homes[collection.name_full] = homes_in(collection)
        return self._homes[collection.name_full]


def _moved(points: FloatArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """Points ``(n, 3)`` that follow an object from one ``(4, 4)`` matrix to another."""
    motion = after @ np.linalg.pinv(before)
    return points @ motion[:3, :3].T + motion[:3, 3]


def homes_in(collection: bpy.types.Collection) -> dict[str, tuple[str, ...]]:
    """Collections by object name, outermost first, within one; one walk, since ``users_collection`` is slow (0.2 ms
    each).
    """
    members: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    queue = [collection]
    while queue:
        home = queue.pop(0)
        if home.name_full in seen:
            continue
        seen.add(home.name_full)
        for obj in home.objects:
            members[obj.name_full].append(home.name)
        queue.extend(home.children)
    return defaultdict(tuple, {name: tuple(found) for name, found in members.items()})
