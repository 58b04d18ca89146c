"""Moving through the command line: exact, with what is carried, and nothing else."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..executor.rooms import block, edit, furnished, new_file, open_blend, save, shell
from .moves import EXACT, assert_only_moved


@pytest.mark.parametrize(
    ("request_", "offset"),
    [
        ("move the table 20 cm left", (-0.2, 0, 0)),
        ("move the table 123 mm right", (0.123, 0, 0)),
        ("move the table 1 foot back", (0, -0.3048, 0)),
        ("move the table 2 ft 3 in back", (0, -0.6858, 0)),
        ("move the table half a metre south", (0, -0.5, 0)),
    ],
)
def test_a_stated_displacement_is_exact_and_all_that_rests_on_it_comes_along(
    request_: str, offset: tuple[float, float, float], room: Path, out: Path
):
    done = edit(room, request_, out)
    assert done.code == 0
    result = done.result
    assert_only_moved(room, out, dict.fromkeys(("Table", "Mug", "Book"), offset))
    assert {c.name: (c.kind, c.carried_by) for c in result.changes} == {
        "Table": ("moved", None),
        "Mug": ("moved", "table"),
        "Book": ("moved", "table"),
    }
    for change in result.changes:
        moved = np.subtract(change.after["center"], change.before["center"])
        assert moved == pytest.approx(offset, abs=EXACT)
    assert result.preservation.changed == []
    assert result.preservation.non_targets == 8
    assert result.physical.introduced.collisions == [] and result.physical.introduced.floating == []


def test_what_rests_on_what_is_carried_comes_along_too(out: Path, tmp_path: Path):
    furnished()
    block("Plate", (0.1, 0.1, 0.02), (-0.2, 0, 0.77))  # on the book, which is on the table
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 20 cm left", out)
    assert_only_moved(source, out, dict.fromkeys(("Table", "Mug", "Book", "Plate"), (-0.2, 0, 0)))
    assert {c.name: c.carried_by for c in done.result.changes}["Plate"] is not None


def test_a_child_that_also_rests_on_its_parent_moves_once(out: Path, tmp_path: Path):
    furnished()
    mug, table = bpy.data.objects["Mug"], bpy.data.objects["Table"]
    mug.parent, mug.matrix_parent_inverse = table, table.matrix_world.inverted()
    block("Plate", (0.1, 0.1, 0.02), (-0.2, 0, 0.77), parent=bpy.data.objects["Book"])
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 20 cm left", out).code == 0
    assert_only_moved(source, out, dict.fromkeys(("Table", "Mug", "Book", "Plate"), (-0.2, 0, 0)))


def test_a_thing_of_many_meshes_under_an_empty_moves_as_one(out: Path, tmp_path: Path):
    new_file()
    shell()
    root = bpy.data.objects.new("Chair", None)
    bpy.context.scene.collection.objects.link(root)
    root.location, root.rotation_euler, root.scale = (1, 0, 0), (0, 0, 0.7), (2, 2, 2)
    bpy.context.view_layer.update()
    for k, (x, y) in enumerate(((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))):
        leg = block(f"leg.{k:03}", (0.02, 0.02, 0.2), (0, 0, 0))
        leg.parent, leg.location = root, (x, y, 0)
    seat = block("seat", (0.22, 0.22, 0.02), (0, 0, 0))
    seat.parent, seat.location = root, (0, 0, 0.2)
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the chair 20 cm left", out)
    assert done.code == 0
    names = ["Chair", "seat", *(f"leg.{k:03}" for k in range(4))]
    assert_only_moved(source, out, dict.fromkeys(names, (-0.2, 0, 0)))
    assert [c.name for c in done.result.changes] == ["Chair"]


@pytest.mark.parametrize(
    "space",
    [
        Matrix.Rotation(0.9, 4, "X") @ Matrix.Rotation(0.4, 4, "Z"),
        Matrix.Diagonal((3, 3, 3, 1)),
        Matrix.Diagonal((-1, 1, 1, 1)),
        Matrix.Diagonal((0.5, 2, 1, 1)) @ Matrix.Rotation(0.5, 4, "Z"),
    ],
    ids=["rotated", "scaled", "mirrored", "sheared"],
)
def test_the_displacement_is_the_worlds_whatever_space_the_parent_has(space: Matrix, out: Path, tmp_path: Path):
    furnished()
    holder = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.matrix_world = space
    bpy.context.view_layer.update()
    chair = bpy.data.objects["Chair"]
    chair.parent, chair.matrix_parent_inverse = holder, holder.matrix_world.inverted()
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the chair 20 cm back", out).code == 0
    assert_only_moved(source, out, {"Chair": (0, -0.2, 0)})


def test_a_linked_duplicate_moves_alone(out: Path, tmp_path: Path):
    furnished()
    twin = bpy.data.objects.new("Stool", bpy.data.objects["Chair"].data)
    bpy.context.scene.collection.objects.link(twin)
    twin.location = (1.5, -1.2, 0)
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the stool 20 cm left", out).code == 0
    assert_only_moved(source, out, {"Stool": (-0.2, 0, 0)})


def test_a_collection_instance_moves(out: Path, tmp_path: Path):
    furnished()
    made = bpy.data.collections.new("Stool made of parts")
    for name, size, z in (("stool_seat", (0.3, 0.3, 0.05), 0.4), ("stool_foot", (0.1, 0.1, 0.4), 0)):
        part = block(name, size, (0, 0, z))
        bpy.context.scene.collection.objects.unlink(part)
        made.objects.link(part)
    instance = bpy.data.objects.new("Stool", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", made
    instance.location = (1.5, -1.2, 0)
    bpy.context.scene.collection.objects.link(instance)
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the stool 20 cm left", out).code == 0
    assert_only_moved(source, out, {"Stool": (-0.2, 0, 0)})


def test_a_plural_moves_all_of_them_and_what_each_carries(out: Path, tmp_path: Path):
    new_file()
    shell()
    for k in (1, 2, 3):
        block(f"Stool.{k:03}", (0.3, 0.3, 0.45), (k - 2, 0, 0))
    block("Mug", (0.08, 0.08, 0.1), (0, 0, 0.45))
    source = save(tmp_path / "room.blend")
    done = edit(source, "move all stools 30 cm forward", out)
    assert done.code == 0
    names = ["Stool.001", "Stool.002", "Stool.003", "Mug"]
    assert_only_moved(source, out, dict.fromkeys(names, (0, 0.3, 0)))
    assert {c.name: c.carried_by for c in done.result.changes}["Mug"] == "stool_002"


def test_hidden_and_excluded_things_stay(out: Path, tmp_path: Path):
    furnished()
    hidden = block("Lamp", (0.1, 0.1, 0.3), (0.1, -0.2, 0.74))
    hidden.hide_set(True)
    shelf = bpy.data.collections.new("Store")
    bpy.context.scene.collection.children.link(shelf)
    stored = block("Vase", (0.1, 0.1, 0.3), (-0.4, -0.2, 0.74))
    bpy.context.scene.collection.objects.unlink(stored)
    shelf.objects.link(stored)
    bpy.context.view_layer.layer_collection.children["Store"].exclude = True
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 20 cm left", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    assert tuple(bpy.data.objects["Vase"].location) == pytest.approx((-0.4, -0.2, 0.74))
    assert bpy.data.objects["Lamp"].hide_get()
    assert bpy.context.view_layer.layer_collection.children["Store"].exclude
