"""Painting, judged by what Cycles renders: whatever shaders a material mixes or groups, the thing gets the colour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from scenewright.executor.blender.looks import base_color

from .rooms import block, edit, furnished, material, open_blend, save

BLUE, GREEN, WHITE, GREY = (0.02, 0.05, 0.8), (0.02, 0.6, 0.02), (0.9, 0.9, 0.9), (0.3, 0.3, 0.3)
Color = tuple[float, float, float]
Shader = bpy.types.NodeSocket


def rendered(name: str, folder: Path) -> np.ndarray:
    """``(3,)`` linear RGB that Cycles shows of the middle of an object, alone in white light."""
    scene = bpy.context.scene
    obj = bpy.data.objects[name]
    for other in scene.objects:
        other.hide_render = other != obj
    scene.world = bpy.data.worlds.new("white")
    if bpy.app.version < (5, 0):
        scene.world.use_nodes = True
    background = next(n for n in scene.world.node_tree.nodes if n.type == "BACKGROUND")
    background.inputs[0].default_value, background.inputs[1].default_value = (1, 1, 1, 1), 1
    camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 0.05
    camera.location = np.array(obj.matrix_world)[:3, 3] + (0, -3, 0.15)
    camera.rotation_euler = (np.pi / 2, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 16, False
    scene.cycles.max_bounces = 2
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.render.film_transparent = True
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.filepath = str(folder / "view.exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.array(image.pixels).reshape(-1, 4)
    return pixels[:, :3].mean(axis=0)


# --- materials ----------------------------------------------------------------------------------------------------


def shader(tree: bpy.types.NodeTree, kind: str, color: Color, **settings: float) -> Shader:
    node = tree.nodes.new(f"ShaderNode{kind}")
    node.inputs[0].default_value = (*color, 1)
    for socket, value in settings.items():
        node.inputs[socket].default_value = value
    return node.outputs[0]


def join(tree: bpy.types.NodeTree, kind: str, one: Shader, other: Shader, factor: object = None) -> Shader:
    """A Mix or an Add Shader node of two shaders, the mix by a number or by what a node puts out."""
    node = tree.nodes.new(f"ShaderNode{kind}Shader")
    inputs = [i for i in node.inputs if i.type == "SHADER"]
    tree.links.new(one, inputs[0])
    tree.links.new(other, inputs[1])
    if isinstance(factor, bpy.types.NodeSocket):
        tree.links.new(factor, node.inputs[0])
    elif factor is not None:
        node.inputs[0].default_value = factor
    return node.outputs[0]


def group_of(make: Callable[[bpy.types.NodeTree], Shader], colored: Color | None = None) -> bpy.types.NodeTree:
    """A group that puts out a shader; with a colour input if it is to have one, which is fed to the shader."""
    tree = bpy.data.node_groups.new("Look", "ShaderNodeTree")
    tree.interface.new_socket("Shader", in_out="OUTPUT", socket_type="NodeSocketShader")
    made = make(tree)
    tree.links.new(made, tree.nodes.new("NodeGroupOutput").inputs[0])
    if colored is not None:
        tree.interface.new_socket("Colour", in_out="INPUT", socket_type="NodeSocketColor").default_value = (*colored, 1)
        tree.links.new(tree.nodes.new("NodeGroupInput").outputs[0], made.node.inputs[0])
    return tree


def grouped(tree: bpy.types.NodeTree, group: bpy.types.NodeTree) -> bpy.types.Node:
    node = tree.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    return node


def a_diffuse(tree: bpy.types.NodeTree) -> Shader:
    return shader(tree, "BsdfDiffuse", BLUE)


def a_toon(tree: bpy.types.NodeTree) -> Shader:
    return shader(tree, "BsdfToon", BLUE, Size=0.9)


def a_mix(tree: bpy.types.NodeTree) -> Shader:
    return join(tree, "Mix", shader(tree, "BsdfDiffuse", BLUE), shader(tree, "BsdfTranslucent", GREEN), 0.5)


def a_mix_of_mixes(tree: bpy.types.NodeTree) -> Shader:
    return join(tree, "Mix", a_mix(tree), shader(tree, "BsdfDiffuse", GREEN), 0.7)


def a_coat(tree: bpy.types.NodeTree) -> Shader:
    """Blue under a white gloss, as materials were made before there was one shader for all."""
    angle = tree.nodes.new("ShaderNodeFresnel").outputs[0]
    return join(tree, "Mix", shader(tree, "BsdfDiffuse", BLUE), shader(tree, "BsdfGlossy", WHITE), angle)


def a_sum(tree: bpy.types.NodeTree) -> Shader:
    return join(tree, "Add", shader(tree, "BsdfDiffuse", BLUE), shader(tree, "BsdfGlossy", GREY))


def a_group(tree: bpy.types.NodeTree) -> Shader:
    return grouped(tree, group_of(a_diffuse)).outputs[0]


def a_group_in_a_group(tree: bpy.types.NodeTree) -> Shader:
    return grouped(tree, group_of(a_group)).outputs[0]


def a_group_with_a_colour(tree: bpy.types.NodeTree) -> Shader:
    node = grouped(tree, group_of(a_diffuse, colored=GREY))
    node.inputs[0].default_value = (*BLUE, 1)
    return node.outputs[0]


def a_mix_with_a_group(tree: bpy.types.NodeTree) -> Shader:
    return join(tree, "Mix", shader(tree, "BsdfDiffuse", GREEN), a_group(tree), 0.6)


def a_group_that_mixes_what_it_is_given(tree: bpy.types.NodeTree) -> Shader:
    group = bpy.data.node_groups.new("Blend", "ShaderNodeTree")
    for side in ("OUTPUT", "INPUT"):
        group.interface.new_socket("Shader", in_out=side, socket_type="NodeSocketShader")
    given = group.nodes.new("NodeGroupInput").outputs[0]
    made = join(group, "Mix", given, shader(group, "BsdfDiffuse", GREEN), 0.5)
    group.links.new(made, group.nodes.new("NodeGroupOutput").inputs[0])
    node = grouped(tree, group)
    tree.links.new(a_diffuse(tree), node.inputs[0])
    return node.outputs[0]


def a_muted_mix(tree: bpy.types.NodeTree) -> Shader:
    made = join(tree, "Mix", a_diffuse(tree), shader(tree, "BsdfDiffuse", GREEN), 1.0)
    made.node.mute = True
    return made


def a_cutout(tree: bpy.types.NodeTree) -> Shader:
    """Blue where a texture is white, else clear: leaves, lace."""
    checks = tree.nodes.new("ShaderNodeTexChecker")
    checks.inputs["Scale"].default_value = 100
    return join(tree, "Mix", shader(tree, "BsdfTransparent", WHITE), a_diffuse(tree), checks.outputs["Fac"])


LOOKS = [
    *(a_diffuse, a_toon, a_mix, a_mix_of_mixes, a_coat, a_sum, a_group, a_group_in_a_group, a_group_with_a_colour),
    *(a_mix_with_a_group, a_group_that_mixes_what_it_is_given, a_muted_mix, a_cutout),
]


def look(make: Callable[[bpy.types.NodeTree], Shader], viewport: Color = (0.7835, 0, 0)) -> bpy.types.Material:
    """A material that shows what is made; its viewport colour is red, whatever it renders."""
    made = material("look", GREEN)
    made.diffuse_color = (*viewport, 1)
    tree = made.node_tree
    tree.links.new(make(tree), tree.nodes["Material Output"].inputs["Surface"])
    return made


def vase(make: Callable[[bpy.types.NodeTree], Shader]) -> None:
    """The furnished room with a vase and a stool of one look."""
    furnished()
    made = look(make)
    for name, at in (("Vase", (-0.5, -1.4, 0)), ("Stool", (1.5, -1.2, 0))):
        block(name, (0.3, 0.3, 0.3), at).data.materials.append(made)


# --- painting -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", LOOKS)
def test_what_is_painted_red_is_rendered_red_and_its_twin_is_not(
    make: Callable[[bpy.types.NodeTree], Shader], source: Path, out: Path, tmp_path: Path
):
    vase(make)
    save(source)
    before = rendered("Vase", tmp_path)
    assert before[0] < before[1:].max(), "not red to begin with"
    done = edit(source, "paint the vase red", out)
    assert done.code == 0, done.out
    assert done.result.preservation.changed == []
    open_blend(out)
    after = rendered("Vase", tmp_path)
    assert after[0] > 5 * after[1:].max(), f"rendered as {after}"
    open_blend(out)
    assert rendered("Stool", tmp_path) == pytest.approx(before, abs=0.05)


def test_a_group_that_others_use_is_copied_for_the_target_only(source: Path, out: Path):
    vase(a_group_in_a_group)
    save(source)
    assert edit(source, "paint the vase red", out).code == 0
    open_blend(out)
    groups = [
        {n.node_tree for n in bpy.data.objects[name].material_slots[0].material.node_tree.nodes if n.type == "GROUP"}
        for name in ("Vase", "Stool")
    ]
    assert not groups[0] & groups[1]
    assert len(bpy.data.node_groups) == 4


def test_both_engines_show_the_colour_where_each_has_an_output_of_its_own(source: Path, out: Path):
    def two_outputs(tree: bpy.types.NodeTree) -> Shader:
        tree.nodes["Material Output"].target = "CYCLES"
        other = tree.nodes.new("ShaderNodeOutputMaterial")
        other.target = "EEVEE"
        tree.links.new(shader(tree, "BsdfDiffuse", GREEN), other.inputs["Surface"])
        return a_diffuse(tree)

    vase(two_outputs)
    save(source)
    assert edit(source, "paint the vase red", out).code == 0
    open_blend(out)
    tree = bpy.data.objects["Vase"].material_slots[0].material.node_tree
    for engine in ("CYCLES", "EEVEE"):
        shown = tree.get_output_node(engine).inputs["Surface"].links[0].from_node
        assert tuple(shown.inputs[0].default_value)[:3] == pytest.approx((0.7835, 0, 0), abs=0.02)


def test_window_glass_of_reflections_and_clearness_stays_glass(source: Path, out: Path):
    def pane(tree: bpy.types.NodeTree) -> Shader:
        angle = tree.nodes.new("ShaderNodeFresnel").outputs[0]
        return join(tree, "Mix", shader(tree, "BsdfTransparent", WHITE), shader(tree, "BsdfGlossy", WHITE), angle)

    vase(a_diffuse)
    data = bpy.data.objects["Vase"].data
    data.materials.append(look(pane))
    data.polygons[0].material_index = 1
    save(source)
    assert edit(source, "paint the vase red", out).code == 0
    open_blend(out)
    slots = bpy.data.objects["Vase"].material_slots
    assert [s.link for s in slots] == ["OBJECT", "DATA"]


# --- what cannot be painted ---------------------------------------------------------------------------------------


def a_colour_without_a_shader(tree: bpy.types.NodeTree) -> Shader:
    return tree.nodes.new("ShaderNodeRGB").outputs[0]


def an_empty_group(tree: bpy.types.NodeTree) -> Shader:
    group = bpy.data.node_groups.new("Nothing", "ShaderNodeTree")
    group.interface.new_socket("Shader", in_out="OUTPUT", socket_type="NodeSocketShader")
    return grouped(tree, group).outputs[0]


def a_hole(tree: bpy.types.NodeTree) -> Shader:
    return tree.nodes.new("ShaderNodeHoldout").outputs[0]


@pytest.mark.parametrize("make", [a_colour_without_a_shader, an_empty_group, a_hole])
def test_what_shows_no_shader_with_a_colour_is_refused_though_another_slot_could_be_painted(
    make: Callable[[bpy.types.NodeTree], Shader], source: Path, out: Path
):
    vase(a_diffuse)
    made = look(make)
    made.name = "riddle"
    bpy.data.objects["Vase"].data.materials.append(made)
    for polygon in bpy.data.objects["Vase"].data.polygons[:5]:
        polygon.material_index = 1
    save(source)
    done = edit(source, "paint the vase red", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported"), done.out
    assert "riddle" in done.json["error"]["message"]


def keyed(socket: bpy.types.NodeSocket) -> None:
    socket.keyframe_insert("default_value", frame=1)


def driven(socket: bpy.types.NodeSocket) -> None:
    socket.driver_add("default_value", 2).driver.expression = "0.5"


@pytest.mark.parametrize("animate", [keyed, driven])
@pytest.mark.parametrize("make", [a_diffuse, a_group])
def test_a_colour_that_is_animated_is_refused_and_nothing_is_left_behind(
    animate: Callable[[bpy.types.NodeSocket], None],
    make: Callable[[bpy.types.NodeTree], Shader],
    source: Path,
    out: Path,
):
    vase(make)
    trees = [m.node_tree for m in bpy.data.materials if m.name == "look"] + list(bpy.data.node_groups)
    diffuse = next(n for tree in trees for n in tree.nodes if n.type == "BSDF_DIFFUSE")
    animate(diffuse.inputs[0])
    save(source)
    counts = len(bpy.data.materials), len(bpy.data.node_groups)
    done = edit(source, "paint the vase red", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported"), done.out
    assert "animated" in done.json["error"]["message"]
    assert (len(bpy.data.materials), len(bpy.data.node_groups)) == counts


# --- reading ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [a_colour_without_a_shader, an_empty_group, a_hole, *LOOKS])
def test_the_viewport_colour_does_not_count_where_nodes_decide(make: Callable[[bpy.types.NodeTree], Shader]):
    furnished()
    color, _ = base_color(look(make))
    assert color is None or color[0] < max(color[1:])


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (a_mix, np.add(BLUE, GREEN) / 2),
        (a_mix_of_mixes, 0.15 * np.array(BLUE) + 0.85 * np.array(GREEN)),
        (a_coat, np.array(BLUE)),
        (a_group_with_a_colour, np.array(BLUE)),
        (a_mix_with_a_group, 0.4 * np.array(GREEN) + 0.6 * np.array(BLUE)),
        (a_muted_mix, np.array(BLUE)),
        (a_cutout, np.array(BLUE)),
    ],
)
def test_the_colour_read_is_that_of_the_shaders_by_their_shares(
    make: Callable[[bpy.types.NodeTree], Shader], expected: np.ndarray
):
    furnished()
    color, image = base_color(look(make))
    assert image is None
    assert color == pytest.approx(expected, abs=0.002)
