"""Which records make one thing, without Blender."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scenewright.executor.geometry.mesh import TriMesh
from scenewright.executor.reading.entities import Draft, Grouping
from scenewright.executor.reading.lexicon import lexicon
from scenewright.executor.reading.snapshot import ObjectRecord, Part, Shape

_QUADS = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
_TRIANGLES = np.array([t for a, b, c, d in _QUADS for t in ((a, b, c), (a, c, d))], np.int32)
_PLAN = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_CORNERS = np.array([(*p, z) for z in (0.0, 1.0) for p in _PLAN])

Triple = tuple[float, float, float]


def box(
    name: str, size: Triple, at: Triple = (0, 0, 0), parent: str | None = None, home: str = "C", library: str = ""
) -> ObjectRecord:
    """A box by its bottom centre."""
    mesh = TriMesh(_CORNERS * size, _TRIANGLES)
    matrix = np.eye(4)
    matrix[:3, 3] = at
    shape = Shape(repr(size).encode(), mesh, np.zeros(12, np.int32))
    title = name
    return ObjectRecord(
        title + library, title, "MESH", matrix, parent, (home,), (Part(shape, matrix, (), title),), data_name=title
    )


def empty(name: str, parent: str | None = None) -> ObjectRecord:
    """An empty at the origin."""
    return ObjectRecord(name, name, "EMPTY", np.eye(4), parent, ("C",), ())


def things(*records: ObjectRecord) -> list[Draft]:
    """What the records are grouped to."""
    return Grouping(records, lexicon()).drafts()


def members(*records: ObjectRecord) -> list[list[str]]:
    """Members of each thing."""
    return sorted(sorted(d.members) for d in things(*records))


def test_a_linked_object_and_a_local_one_of_its_name_are_two_things():
    local = box("Stool", (0.4, 0.4, 0.5), home="Stool")
    linked = box("Stool", (0.4, 0.4, 0.5), home="Stool", library=" [lib.blend]")
    assert members(local, linked) == [["Stool"], ["Stool [lib.blend]"]]


def test_a_linked_part_belongs_to_no_local_thing():
    chair = box("Chair", (0.5, 0.5, 0.9))
    knob = box("Chair knob", (0.04, 0.04, 0.04), (0.2, 0, 0.5), library=" [lib.blend]")
    assert members(chair, knob) == [["Chair"], ["Chair knob [lib.blend]"]]


def test_copies_of_a_thing_in_a_collection_of_its_name_are_one_each():
    first, second = (box(n, (0.4, 0.4, 0.5), (x, 0, 0), home="Stool") for n, x in (("Stool", 0), ("Stool.001", 0.4)))
    assert members(first, second) == [["Stool"], ["Stool.001"]]


def test_pieces_in_a_collection_called_after_one_thing_are_that_thing():
    pieces = [
        box("base", (0.2, 0.2, 0.02), home="Desk lamp"),
        box("arm", (0.02, 0.02, 0.4), (0, 0, 0.02), home="Desk lamp"),
        box("lamp hood", (0.15, 0.15, 0.1), (0, 0, 0.42), home="Desk lamp"),
    ]
    (lamp,) = things(*pieces)
    assert lamp.root == "lamp hood"
    assert lamp.members == ["arm", "base", "lamp hood"]


def test_nothing_is_lost_or_doubled_whatever_hangs_below_what():
    records = [
        empty("Wardrobe"),
        box("Body", (1, 0.6, 2), parent="Wardrobe"),
        empty("stuff", parent="Body"),
        box("Door", (0.5, 0.02, 1.9), (0, -0.31, 0), parent="stuff"),
        box("Mirror", (0.3, 0.01, 1.2), (0, -0.325, 0.5), parent="stuff"),
        empty("geo", parent="stuff"),
        box("Vase", (0.1, 0.1, 0.3), (0, 0, 2), parent="geo"),
        empty("Chairs", parent="Vase"),
        box("Chair", (0.5, 0.5, 0.9), (3, 0, 0), parent="Chairs"),
        box("Chair.001", (0.5, 0.5, 0.9), (4, 0, 0), parent="Chairs"),
        box("Cube", (0.1, 0.1, 0.1), (4, 0, 0.9), parent="Chair.001"),
        box("Cup", (0.1, 0.1, 0.1), (4, 0, 1.0), parent="Cube"),
    ]
    found = [name for d in things(*records) for name in d.members]
    assert sorted(found) == sorted(r.name for r in records)


def test_a_chain_of_a_thousand_parents_is_followed():
    chain = [empty("root")] + [
        box(f"Link {n}", (0.02, 0.02, 0.02), (0, 0, 0.02 * n), parent="root" if n == 0 else f"Link {n - 1}")
        for n in range(1000)
    ]
    found = [name for d in things(*chain) for name in d.members]
    assert len(found) == len(set(found)) == 1001


def test_thousands_of_books_on_one_shelf_are_told_apart():
    shelf = box("Bookshelf", (60, 0.3, 0.5))
    books = [box(f"Book.{n:03}", (0.02, 0.2, 0.28), (0.025 * n - 29, 0, 0.5), parent="Bookshelf") for n in range(2000)]
    assert len(things(shelf, *books)) == 2001


def test_a_rig_and_all_that_it_moves_are_one_thing():
    rig = ObjectRecord("Armature", "Armature", "ARMATURE", np.eye(4), None, ("C",), ())
    clothes = [box(n, (0.5, 0.3, 0.4), parent="Armature") for n in ("Body", "Shirt", "Shoes", "Hat")]
    assert members(rig, *clothes) == [["Armature", "Body", "Hat", "Shirt", "Shoes"]]


def test_what_a_bone_holds_is_a_thing_of_its_own():
    rig = ObjectRecord("Armature", "Armature", "ARMATURE", np.eye(4), None, ("C",), ())
    held = replace(box("Cup", (0.1, 0.1, 0.1), parent="Armature"), on_bone=True)
    assert members(rig, box("Body", (0.5, 0.3, 1.8), parent="Armature"), held) == [["Armature", "Body"], ["Cup"]]
