"""Recolouring and removing through the command line: others that share the data stay as they are."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from scenewright.executor.blender.read import SceneReader
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.steps import finish

from .rooms import block, edit, furnished, material, open_blend, save, scenewright

RED = (0.7835, 0, 0)  # xkcd red e50000, linear


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
    assert edit(source, "paint the lamp red", out).code == 1  # half of it keeps its colour
    open_blend(out)
    assert base_color("Lamp", 0) == base_color("Lamp", 1) == pytest.approx(RED, abs=0.02)
    assert base_color("Lamp", 2) == base_color("Lamp", 3) == pytest.approx((0.5, 0.5, 0.5))


def shader(name: str, kind: str, color: tuple[float, float, float], **settings: float) -> bpy.types.Material:
    """A material whose look is that of one shader node; a stray Principled shader is left lying about."""
    made = material(name, color)
    tree = made.node_tree
    node = tree.nodes.new(kind)
    node.inputs[0].default_value = (*color, 1)
    for socket, value in settings.items():
        node.inputs[socket].default_value = value
    output = next(n for n in tree.nodes if n.type == "OUTPUT_MATERIAL")
    tree.links.new(node.outputs[0], output.inputs["Surface"])
    return made


def lamp_of(*materials: bpy.types.Material) -> bpy.types.Object:
    """The furnished room, and in it a lamp whose faces have the materials by turns."""
    lamp = block("Lamp", (0.3, 0.3, 1.5), (-0.5, -1.4, 0))
    for made in materials:
        lamp.data.materials.append(made)
    for k, polygon in enumerate(lamp.data.polygons):
        polygon.material_index = k % len(materials)
    return lamp


def shaders(name: str, slot: int) -> dict[str, bpy.types.Node]:
    return {n.type: n for n in bpy.data.objects[name].material_slots[slot].material.node_tree.nodes}


def shown(name: str, slot: int) -> tuple[float, ...]:
    """Colour of the shader that the output of a slot's material is linked to."""
    node = shaders(name, slot)["OUTPUT_MATERIAL"].inputs["Surface"].links[0].from_node
    return tuple(node.inputs[0].default_value[:3])


def test_what_emits_or_is_glass_by_a_shader_of_that_kind_is_not_painted(source: Path, out: Path):
    furnished()
    white = (0.9, 0.9, 0.9)
    kinds = ("Emission", "BsdfGlass", "BsdfRefraction", "BsdfDiffuse", "BsdfSheen")
    lamp_of(*(shader(kind, f"ShaderNode{kind}", white) for kind in kinds))
    save(source)
    assert edit(source, "paint the lamp red", out).code == 1  # most of it keeps its colour
    open_blend(out)
    slots = bpy.data.objects["Lamp"].material_slots
    assert [s.material.name for s in slots][:3] == ["Emission", "BsdfGlass", "BsdfRefraction"]
    assert shown("Lamp", 3) == shown("Lamp", 4) == pytest.approx(RED, abs=0.02)


def test_a_stray_shader_that_nothing_shows_does_not_count(source: Path, out: Path):
    """A Principled node that glows, but is not linked to the output, makes no emitter."""
    furnished()
    made = shader("wood", "ShaderNodeBsdfDiffuse", (0.3, 0.2, 0.1))
    stray = made.node_tree.nodes["Principled BSDF"]
    stray.inputs["Emission Strength"].default_value = 5
    stray.inputs["Transmission Weight"].default_value = 1
    lamp_of(made)
    save(source)
    assert edit(source, "paint the lamp red", out).code == 0
    open_blend(out)
    assert shown("Lamp", 0) == pytest.approx(RED, abs=0.02)


def test_a_lamp_that_is_all_light_shines_in_the_colour_it_is_painted(source: Path, out: Path):
    furnished()
    shade = material("shade", (0.9, 0.9, 0.8))
    glow = shade.node_tree.nodes["Principled BSDF"].inputs
    glow["Emission Color"].default_value, glow["Emission Strength"].default_value = (1, 1, 0.8, 1), 5
    lamp_of(shade, shader("bulb", "ShaderNodeEmission", (1, 1, 1), Strength=20))
    save(source)
    done = edit(source, "paint the lamp red", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    inputs = shaders("Lamp", 0)["BSDF_PRINCIPLED"].inputs
    for color in (inputs["Base Color"].default_value[:3], inputs["Emission Color"].default_value[:3]):
        assert tuple(color) == pytest.approx(RED, abs=0.02)
    assert inputs["Emission Strength"].default_value == 5
    assert shown("Lamp", 1) == pytest.approx(RED, abs=0.02)
    assert tuple(bpy.data.materials["bulb"].node_tree.nodes["Emission"].inputs[0].default_value) == (1, 1, 1, 1)


def test_a_thing_all_of_glass_is_painted(source: Path, out: Path):
    furnished()
    block("Vase", (0.1, 0.1, 0.3), (-0.5, -1.4, 0)).data.materials.append(
        shader("glass", "ShaderNodeBsdfGlass", (1, 1, 1))
    )
    save(source)
    assert edit(source, "paint the vase red", out).code == 0
    open_blend(out)
    assert shown("Vase", 0) == pytest.approx(RED, abs=0.02)


def test_a_colour_that_nodes_mix_is_refused_and_not_claimed_to_be_painted(source: Path, out: Path):
    furnished()
    made = material("mixture", (0.5, 0.5, 0.5))
    group = bpy.data.node_groups.new("Toon", "ShaderNodeTree")
    group.interface.new_socket("Shader", in_out="OUTPUT", socket_type="NodeSocketShader")
    node = made.node_tree.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    made.node_tree.links.new(node.outputs[0], made.node_tree.nodes["Material Output"].inputs["Surface"])
    block("Vase", (0.1, 0.1, 0.3), (-0.5, -1.4, 0)).data.materials.append(made)
    save(source)
    done = edit(source, "paint the vase red", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "mixture" in done.json["error"]["message"]


@pytest.mark.skipif(bpy.app.version >= (5, 0), reason="nodes always count")
def test_nodes_that_are_switched_off_do_not_count(source: Path, out: Path):
    furnished()
    made = shader("plain", "ShaderNodeEmission", (1, 1, 1), Strength=5)
    made.use_nodes = False
    made.diffuse_color = (0.1, 0.5, 0.1, 1)
    lamp_of(made)
    save(source)
    assert edit(source, "paint the lamp red", out).code == 0
    open_blend(out)
    painted = bpy.data.objects["Lamp"].material_slots[0].material
    assert painted.name != "plain" and tuple(painted.diffuse_color[:3]) == pytest.approx(RED, abs=0.02)


@pytest.mark.skipif(bpy.app.version < (5, 0), reason="nothing that we use is deprecated yet")
def test_painting_touches_nothing_deprecated():
    furnished()
    block("Stool", (0.3, 0.3, 0.45), (1.5, -1.2, 0))
    stage = Stage(bpy.context)
    world = finish(stage.read())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for thing in ("chair", "stool"):
            stage.recolor(world, thing, np.array(RED))
        finish(stage.read())


# --- textures -----------------------------------------------------------------------------------------------------


def colors_of(name: str, reader: SceneReader) -> list[str]:
    return next(e.colors for e in reader.read(bpy.context).graph.objects if e.name == name)


def textured(size: int = 8) -> bpy.types.Image:
    """The furnished room with a red texture on the chair; its mesh has UVs."""
    furnished()
    chair = bpy.data.objects["Chair"]
    chair.data.uv_layers.new()
    nodes, links = chair.data.materials[0].node_tree.nodes, chair.data.materials[0].node_tree.links
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = bpy.data.images.new("weave", size, size)
    links.new(texture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    fill(texture.image, (1, 0, 0))
    return texture.image


def fill(image: bpy.types.Image, color: tuple[float, float, float]) -> None:
    image.pixels = [*color, 1.0] * (image.size[0] * image.size[1])


def packed(image: bpy.types.Image) -> None:
    image.pack()


def written(image: bpy.types.Image) -> None:
    image.save()


def left_unsaved(image: bpy.types.Image) -> None:
    image.update()


@pytest.mark.parametrize("keep", [left_unsaved, packed, written])
def test_an_image_that_is_repainted_gives_its_new_colour(keep: Callable[[bpy.types.Image], None], tmp_path: Path):
    image = textured()
    image.filepath_raw, image.file_format = str(tmp_path / "weave.png"), "PNG"
    keep(image)
    reader = SceneReader()
    assert colors_of("Chair", reader) == ["red"]
    fill(image, (0, 0, 1))
    keep(image)
    assert colors_of("Chair", reader) == ["blue"]
    fill(image, (0, 0, 0))
    assert colors_of("Chair", reader) == ["black"]


def test_a_generated_image_whose_colour_is_changed_gives_the_new_one():
    image = textured()
    image.source = "GENERATED"
    reader = SceneReader()
    for color, word in (((1, 0, 0, 1), "red"), ((0, 0, 1, 1), "blue")):
        image.generated_color = color
        assert colors_of("Chair", reader) == [word]


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


def test_painting_again_and_again_leaves_what_the_history_needs_and_no_more(source: Path, out: Path, tmp_path: Path):
    furnished()
    save(source)
    for color in ("red", "blue", "green"):
        assert edit(source, f"paint the chair {color}", out).code == 0
        source = out.replace(tmp_path / f"{color}.blend")
    assert materials_in(source) == 4
    assert scenewright("history", source, "purge", "-o", out).code == 0
    assert materials_in(out) == 2


def materials_in(path: Path) -> int:
    open_blend(path)
    return sum(m.name.startswith("Chair material") for m in bpy.data.materials)


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
