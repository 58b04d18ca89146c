"""Files saved in a mode are read truly and edited, and keep mode, selection and all that was not asked."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from .. import zoo
from .product import Product, size_of

MODES = ["EDIT", "SCULPT", "VERTEX_PAINT", "WEIGHT_PAINT", "TEXTURE_PAINT"]


def _saved_in_mode(product: Product, mode: str) -> Path:
    zoo.table(at=(2, 0, 0))
    chair = zoo.chair()
    bpy.context.view_layer.objects.active = chair
    chair.select_set(True)
    bpy.ops.object.mode_set(mode=mode)
    path = product.save()
    assert bpy.data.objects["Chair"].mode == mode
    return path


@pytest.mark.parametrize("mode", MODES)
def test_v1_bounds_are_true_in_every_mode(product: Product, mode: str):
    graph = product.graph(_saved_in_mode(product, mode))
    assert size_of(graph.thing("Chair")) == pytest.approx([0.44, 0.44, 0.9], abs=1e-5)
    assert graph.thing("Chair").surfaces


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("request_", ["move the chair 10 cm east", "move the table 10 cm east", "paint the chair red"])
def test_v1_the_mode_is_kept_by_an_edit(product: Product, mode: str, request_: str):
    product.do(request_, scene=_saved_in_mode(product, mode))
    assert bpy.data.objects["Chair"].mode == mode
    assert bpy.context.view_layer.objects.active.name == "Chair"
    assert [o.name for o in bpy.context.selected_objects] == ["Chair"]
    assert len(bpy.data.objects["Chair"].data.vertices) == 56


def test_v1_two_objects_in_edit_mode_stay_there(product: Product):
    for name, x in (("Chair", 0), ("Stool", 2)):
        obj = zoo.chair(name, (x, 0, 0))
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    path = product.save()
    assert size_of(product.graph(path).thing("Chair"))[2] == pytest.approx(0.9, abs=1e-5)
    product.do("move the chair 10 cm east", scene=path)
    assert {o.name: o.mode for o in bpy.context.scene.objects} == {"Chair": "EDIT", "Stool": "EDIT"}


def test_v1_removing_what_is_being_edited(product: Product):
    path = _saved_in_mode(product, "EDIT")
    answer = product.edit("remove the chair", scene=path)
    assert answer.code == 0, answer.data
    assert [o.name for o in bpy.context.scene.objects] == ["Table"]


def test_v1_modifiers_count_in_edit_mode(product: Product):
    chair = zoo.chair()
    modifier = chair.modifiers.new("array", "ARRAY")
    modifier.count, modifier.relative_offset_displace = 2, (2, 0, 0)
    bpy.context.view_layer.objects.active = chair
    bpy.ops.object.mode_set(mode="EDIT")
    graph = product.graph(product.save())
    assert size_of(graph.thing("Chair"))[0] == pytest.approx(0.44 * 3, abs=1e-4)


def test_v1_a_pose_is_kept(product: Product):
    rig = zoo.put("Rig", bpy.data.armatures.new("Rig"), (3, 0, 0))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.new("bone").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="POSE")
    zoo.chair()
    product.do("move the chair 10 cm east", scene=product.save())
    assert bpy.data.objects["Rig"].mode == "POSE"


def test_selection_frame_and_settings_are_kept(product: Product):
    zoo.chair()
    zoo.table(at=(2, 0, 0)).select_set(True)
    scene = bpy.context.scene
    scene.frame_set(17)
    scene.cursor.location = (1, 2, 3)
    scene.render.resolution_x = 777
    scene["mine"] = "note"
    product.do("move the chair 10 cm east")
    scene = bpy.context.scene
    assert [o.name for o in bpy.context.selected_objects] == ["Table"]
    assert (scene.frame_current, scene.render.resolution_x, scene["mine"]) == (17, 777, "note")
    assert tuple(scene.cursor.location) == (1, 2, 3)


def test_collections_and_their_order_are_kept_by_a_removal(product: Product):
    group = zoo.collection("Furniture")
    for name, x in (("Chair", 0), ("Table thing", 2), ("Sofa", 4), ("Bed", 7)):
        zoo.box(name, (0.5, 0.5, 0.5), (x, 0, 0), collection=group)
    product.do("remove the sofa")
    assert [o.name for o in bpy.data.collections["Furniture"].objects] == ["Chair", "Table thing", "Bed"]
    assert "Sofa" in bpy.data.objects
    assert bpy.data.objects["Sofa"].use_fake_user
    assert not bpy.data.objects["Sofa"].users_collection


@pytest.mark.parametrize("compressed", [True, False])
def test_compression_is_kept(product: Product, compressed: bool):
    zoo.chair()
    path = product.folder / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=compressed)
    product.do("move the chair 10 cm east", scene=path)
    assert (Path(bpy.data.filepath).read_bytes()[:4] == b"\x28\xb5\x2f\xfd") == compressed
