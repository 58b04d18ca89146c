"""Recolouring and removing through the command line: others that share the data stay as they are."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from .rooms import block, edit, furnished, material, open_blend, save

RED = (0.7835, 0, 0)  # xkcd red e50000, linear


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "room.blend"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.blend"


def base_color(name: str, slot: int = 0) -> tuple[float, ...]:
    """What the material in a slot of an object shows."""
    node = bpy.data.objects[name].material_slots[slot].material.node_tree.nodes["Principled BSDF"]
    return tuple(node.inputs["Base Color"].default_value[:3])


def test_a_thing_gets_the_colour_and_its_twin_keeps_mesh_and_material(source: Path, out: Path):
    furnished()
    chair = bpy.data.objects["Chair"]
    twin = bpy.data.objects.new("Stool", chair.data)
    bpy.context.scene.collection.objects.link(twin)
    twin.location = (1.5, -1.2, 0)
    stranger = block("Vase", (0.1, 0.1, 0.3), (-0.5, -1.4, 0))
    stranger.data.materials.append(chair.data.materials[0])
    save(source)
    done = edit(source, "paint the chair blue", out)
    assert done.code == 0
    assert done.result.requirements[0].status == "satisfied"
    assert [(c.name, c.kind) for c in done.result.changes] == [("Chair", "restyled")]
    assert done.result.changes[0].after["colors"] == ["blue"]
    assert done.result.preservation.changed == []
    open_blend(out)
    chair, twin = bpy.data.objects["Chair"], bpy.data.objects["Stool"]
    assert chair.data == twin.data
    assert base_color("Chair") == pytest.approx((0.0009, 0.0561, 0.7379), abs=0.02)
    assert base_color("Stool") == base_color("Vase") == pytest.approx((0.6, 0.02, 0.02), abs=1e-6)
    assert twin.material_slots[0].material == bpy.data.objects["Vase"].material_slots[0].material
    assert chair.data.materials[0] == twin.material_slots[0].material


def test_every_slot_but_glass_and_lights_is_painted(source: Path, out: Path):
    furnished()
    lamp = block("Lamp", (0.3, 0.3, 1.5), (-0.5, -1.4, 0))
    for name, settings in (
        ("wood", {}),
        ("cloth", {}),
        ("glass", {"Transmission Weight": 1.0}),
        ("bulb", {"Emission Strength": 5.0, "Emission Color": (1, 1, 0.8, 1)}),
    ):
        made = material(name, (0.5, 0.5, 0.5))
        for socket, value in settings.items():
            made.node_tree.nodes["Principled BSDF"].inputs[socket].default_value = value
        lamp.data.materials.append(made)
    for k, polygon in enumerate(lamp.data.polygons):
        polygon.material_index = k % 4
    save(source)
    assert edit(source, "paint the lamp red", out).code in (0, 1)
    open_blend(out)
    assert base_color("Lamp", 0) == base_color("Lamp", 1) == pytest.approx(RED, abs=0.02)
    assert base_color("Lamp", 2) == base_color("Lamp", 3) == pytest.approx((0.5, 0.5, 0.5))


def test_a_thing_without_a_material_gets_one_and_its_twin_does_not(source: Path, out: Path):
    furnished()
    one = block("Stool", (0.3, 0.3, 0.45), (1.5, -1.2, 0))
    other = bpy.data.objects.new("Vase", one.data)
    bpy.context.scene.collection.objects.link(other)
    other.location = (-0.5, -1.4, 0)
    save(source)
    done = edit(source, "paint the stool red", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    assert base_color("Stool") == pytest.approx(RED, abs=0.02)
    assert not bpy.data.objects["Vase"].material_slots


def test_a_texture_gives_way_on_the_copy_only(source: Path, out: Path):
    furnished()
    shared = bpy.data.objects["Chair"].data.materials[0]
    nodes, links = shared.node_tree.nodes, shared.node_tree.links
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = bpy.data.images.new("weave", 8, 8)
    links.new(texture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    bpy.data.objects["Crate"].data.materials[0] = shared
    save(source)
    done = edit(source, "paint the chair red", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    chair = bpy.data.objects["Chair"].material_slots[0].material.node_tree.nodes["Principled BSDF"]
    crate = bpy.data.objects["Crate"].material_slots[0].material.node_tree.nodes["Principled BSDF"]
    assert not chair.inputs["Base Color"].is_linked and crate.inputs["Base Color"].is_linked


def test_all_parts_of_a_thing_share_one_new_material_where_they_shared_one(source: Path, out: Path):
    furnished()
    root = bpy.data.objects.new("Stool", None)
    bpy.context.scene.collection.objects.link(root)
    root.location = (1.5, -1.2, 0)
    wood = material("wood", (0.3, 0.2, 0.1))
    for k in range(3):
        part = block(f"leg.{k:03}", (0.05, 0.05, 0.4), (0, 0, 0))
        part.parent, part.location = root, (0.1 * k, 0, 0)
        part.data.materials.append(wood)
    save(source)
    assert edit(source, "paint the stool red", out).code == 0
    open_blend(out)
    used = {bpy.data.objects[f"leg.{k:03}"].material_slots[0].material.name for k in range(3)}
    assert len(used) == 1 and used != {"wood"}


def test_painting_twice_leaves_no_heap_of_materials(source: Path, out: Path, tmp_path: Path):
    furnished()
    save(source)
    for color in ("red", "blue", "green"):
        assert edit(source, f"paint the chair {color}", out).code == 0
        source = out.replace(tmp_path / f"{color}.blend")
    open_blend(source)
    copies = [m for m in bpy.data.materials if m.name.startswith("Chair material")]
    assert len(copies) <= 2


def test_what_is_removed_stays_in_the_file_with_a_fake_user(source: Path, out: Path, tmp_path: Path):
    furnished()
    save(source)
    done = edit(source, "remove the chair", out)
    assert done.code == 0
    assert [(c.name, c.kind) for c in done.result.changes] == [("Chair", "removed")]
    assert done.result.preservation.changed == []
    again = tmp_path / "again.blend"
    assert edit(out, "move the table 20 cm left", again).code == 0
    for path in (out, again):
        open_blend(path)
        chair = bpy.data.objects["Chair"]
        assert chair.use_fake_user and not chair.users_scene and not chair.users_collection
        assert chair.data is not None and chair.material_slots[0].material is not None
        assert tuple(chair.location) == pytest.approx((1.5, 0, 0))
        assert "Chair" not in bpy.context.scene.objects
        assert not [c for c in bpy.data.collections if "Chair" in c.objects]


def test_removing_a_thing_of_many_parts_removes_all_of_them(source: Path, out: Path):
    furnished()
    root = bpy.data.objects.new("Stool", None)
    bpy.context.scene.collection.objects.link(root)
    for k in range(3):
        part = block(f"leg.{k:03}", (0.05, 0.05, 0.4), (1.5 + 0.1 * k, -1.2, 0))
        part.parent = root
    save(source)
    assert edit(source, "delete the stool", out).code == 0
    open_blend(out)
    assert not {"Stool", "leg.000", "leg.001", "leg.002"} & set(bpy.context.scene.objects.keys())
    assert bpy.data.objects["leg.000"].parent == bpy.data.objects["Stool"]


def test_a_removed_thing_is_unknown_to_the_next_request(source: Path, out: Path, tmp_path: Path):
    furnished()
    save(source)
    edit(source, "remove the chair", out)
    done = edit(out, "move the chair 10 cm left", tmp_path / "again.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "unknown_object")


def test_collections_and_their_order_are_kept(source: Path, out: Path):
    furnished()
    furniture = bpy.data.collections.new("Furniture")
    bpy.context.scene.collection.children.link(furniture)
    for name in ("Table", "Chair", "Sofa"):
        furniture.objects.link(bpy.data.objects[name])
        bpy.context.scene.collection.objects.unlink(bpy.data.objects[name])
    save(source)
    open_blend(source)
    before = {c.name: [o.name for o in c.objects] for c in bpy.data.collections}
    assert edit(source, "remove the chair", out).code == 0
    open_blend(out)
    after = {c.name: [o.name for o in c.objects] for c in bpy.data.collections}
    assert after == {name: [o for o in objects if o != "Chair"] for name, objects in before.items()}


def test_settings_of_the_file_that_have_nothing_to_do_with_the_request_are_kept(source: Path, out: Path):
    furnished()
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.fps, scene.frame_current = 123, 12, 17
    scene.unit_settings.system, scene.unit_settings.length_unit = "IMPERIAL", "INCHES"
    bpy.data.objects["Sofa"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Sofa"]
    bpy.data.objects["Crate"].hide_set(True)
    save(source, compress=True)
    assert edit(source, "move the table 20 cm left", out).code == 0
    assert out.read_bytes()[:4] == b"\x28\xb5\x2f\xfd", "a compressed file stays compressed"
    open_blend(out)
    scene = bpy.context.scene
    assert (scene.render.resolution_x, scene.render.fps, scene.frame_current) == (123, 12, 17)
    assert (scene.unit_settings.system, scene.unit_settings.length_unit) == ("IMPERIAL", "INCHES")
    assert bpy.data.objects["Sofa"].select_get() and bpy.context.view_layer.objects.active.name == "Sofa"
    assert bpy.data.objects["Crate"].hide_get()


def test_a_file_saved_in_edit_mode_is_edited_and_stays_in_edit_mode(source: Path, out: Path):
    furnished()
    bpy.context.view_layer.objects.active = bpy.data.objects["Chair"]
    bpy.ops.object.mode_set(mode="EDIT")
    save(source)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert edit(source, "move the chair 20 cm left", out).code == 0
    open_blend(out)
    assert bpy.data.objects["Chair"].mode == "EDIT"
    assert np.array(bpy.data.objects["Chair"].matrix_world)[0, 3] == pytest.approx(1.3, abs=1e-5)
