"""Removing: out of all collections of the scene, out of nothing else, and what points at the thing is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from .rooms import edit, furnished, new_file, open_blend, save, shell, worlds_in


def test_a_thing_in_several_collections_is_taken_out_of_all_of_them(source: Path, out: Path):
    furnished()
    for name in ("Wood", "Seats"):
        made = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(made)
        made.objects.link(bpy.data.objects["Chair"])
    save(source)
    done = edit(source, "remove the chair", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    assert not bpy.data.objects["Chair"].users_collection


def test_what_instances_a_collection_outside_the_scene_keeps_the_thing(source: Path, out: Path):
    furnished()
    made = bpy.data.collections.new("Stock")
    made.objects.link(bpy.data.objects["Chair"])
    empty = bpy.data.objects.new("Display", None)
    empty.instance_type, empty.instance_collection, empty.location = "COLLECTION", made, (-3, 0, 0)
    bpy.context.scene.collection.objects.link(empty)
    save(source)
    done = edit(source, "remove Chair", out)
    assert done.code == 0, done.out
    assert done.result.preservation.changed == []
    open_blend(out)
    assert "Chair" not in bpy.context.scene.objects and "Chair" in bpy.data.collections["Stock"].objects


def test_nothing_is_taken_out_of_an_overridden_collection(source: Path, out: Path):
    furnished()
    made = bpy.data.collections.new("Furniture")
    bpy.context.scene.collection.children.link(made)
    made.objects.link(bpy.data.objects["Chair"])
    library = save(source.parent / "library.blend")
    new_file()
    shell()
    with bpy.data.libraries.load(str(library), link=True) as (_, linked):
        linked.collections = ["Furniture"]
    bpy.context.scene.collection.children.link(linked.collections[0])
    linked.collections[0].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    for child in bpy.context.scene.collection.children:
        if child.library is not None:
            bpy.context.scene.collection.children.unlink(child)
    save(source)
    done = edit(source, "remove the chair", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported"), done.out
    assert "Furniture" in done.json["error"]["message"]


def child(crate: bpy.types.Object, chair: bpy.types.Object) -> None:
    crate.parent, crate.matrix_parent_inverse = chair, chair.matrix_world.inverted()


def constraint(crate: bpy.types.Object, chair: bpy.types.Object) -> None:
    made = crate.constraints.new("COPY_LOCATION")
    made.target, made.use_offset = chair, True


def modifier(crate: bpy.types.Object, chair: bpy.types.Object) -> None:
    crate.modifiers.new("cut", "BOOLEAN").object = chair


def driver(crate: bpy.types.Object, chair: bpy.types.Object) -> None:
    made = crate.driver_add("location", 0).driver
    variable = made.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id, variable.targets[0].transform_type = chair, "LOC_X"
    made.expression = f"{variable.name} - 3"


@pytest.mark.parametrize("point", [child, constraint, modifier, driver])
def test_what_points_at_the_removed_thing_stays_as_it_is_and_is_told(
    point: Callable[[bpy.types.Object, bpy.types.Object], None], source: Path, out: Path
):
    furnished()
    point(bpy.data.objects["Crate"], bpy.data.objects["Chair"])
    bpy.context.view_layer.update()
    save(source)
    before = worlds_in(source)["Crate"]
    done = edit(source, "remove the chair", out)
    assert done.code == 0, done.out
    assert done.result.preservation.changed == []
    assert [w for w in done.result.warnings if w.startswith("Still pointing at what is gone") and "Crate" in w]
    assert worlds_in(out)["Crate"] == pytest.approx(before)


def test_nothing_is_told_where_nothing_points_at_the_removed_thing(source: Path, out: Path):
    furnished()
    save(source)
    assert edit(source, "remove the chair", out).result.warnings == []


def test_what_stood_on_the_removed_thing_stays_where_it_is_and_is_told_to_float(source: Path, out: Path):
    furnished()
    save(source)
    before = worlds_in(source)
    done = edit(source, "remove the table", out)
    assert done.code == 0, done.out
    assert [(c.name, c.kind) for c in done.result.changes] == [("Table", "removed")]
    assert sorted(done.result.physical.introduced.floating) == ["book", "mug"]
    after = worlds_in(out)
    for name in ("Mug", "Book"):
        assert np.array_equal(after[name], before[name])
