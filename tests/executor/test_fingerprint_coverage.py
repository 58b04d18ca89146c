"""A fingerprint tells every edit that the contract lists, on the object that it concerns and on no other."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.steps import finish

from .rooms import furnished, open_blend, save
from .test_transform import keyed


def prints() -> dict[str, object]:
    """Fingerprints of what is open now."""
    bpy.context.view_layer.update()
    stage = Stage(bpy.context)
    finish(stage.read())
    return dict(finish(stage.fingerprints()))


def changed_by(edit: Callable[[], object]) -> set[str]:
    """Names of objects that an edit changes the fingerprint of."""
    before = prints()
    assert prints() == before
    edit()
    after = prints()
    return {name for name in before if after[name] != before[name]}


def named(name: str) -> bpy.types.Object:
    return bpy.data.objects[name]


# --- animation ------------------------------------------------------------------------------------------------


def curve_of(name: str) -> bpy.types.FCurve:
    action = named(name).animation_data.action
    if not hasattr(action, "layers"):
        return action.fcurves[0]
    return action.layers[0].strips[0].channelbags[0].fcurves[0]


@pytest.fixture
def animated() -> None:
    """A crate that moves by keys with a noise on top, next to other things."""
    furnished()
    bpy.context.scene.frame_end = 60
    keyed(named("Crate"), "location", {1: (-1.8, -1.4, 0), 30: (-1.7, -1.4, 0), 60: (-1.7, -1.3, 0)})
    curve_of("Crate").modifiers.new("NOISE").strength = 0
    bpy.context.scene.frame_set(1)


def key_interpolation() -> None:
    curve_of("Crate").keyframe_points[1].interpolation = "CONSTANT"


def key_easing() -> None:
    curve_of("Crate").keyframe_points[1].easing = "EASE_OUT"


def key_handle_kind() -> None:
    curve_of("Crate").keyframe_points[1].handle_right_type = "VECTOR"


def key_handle() -> None:
    curve_of("Crate").keyframe_points[1].handle_right.y += 0.1


def extrapolation() -> None:
    curve_of("Crate").extrapolation = "LINEAR"


def curve_modifier() -> None:
    curve_of("Crate").modifiers[0].phase = 3


def curve_muted() -> None:
    curve_of("Crate").mute = True


@pytest.mark.parametrize(
    "edit", [key_interpolation, key_easing, key_handle_kind, key_handle, extrapolation, curve_modifier, curve_muted]
)
@pytest.mark.usefixtures("animated")
def test_how_curves_run_between_and_beyond_keys_counts(edit: Callable[[], None]):
    assert changed_by(edit) == {"Crate"}


@pytest.mark.usefixtures("animated")
def test_a_driver_counts():
    named("Chair").driver_add("location", 2).driver.expression = "0"

    def edit() -> None:
        named("Chair").animation_data.drivers[0].driver.expression = "0 * frame"

    assert changed_by(edit) == {"Chair"}


def test_materials_whose_drivers_look_at_one_another_are_no_loop():
    furnished()
    made = [named(n).data.materials[0] for n in ("Chair", "Crate")]
    for one, other in (made, made[::-1]):
        driver = one.driver_add("metallic").driver
        target = driver.variables.new().targets[0]
        target.id_type, target.id, target.data_path = "MATERIAL", other, "roughness"
        driver.expression = "0"
    assert changed_by(lambda: setattr(made[0], "roughness", 0.9)) == {"Chair"}


@pytest.mark.usefixtures("animated")
def test_an_animated_material_and_an_animated_light_count():
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.scene.collection.objects.link(lamp)
    lamp.data.keyframe_insert("energy", frame=1)
    paint = named("Chair").data.materials[0]
    paint.node_tree.nodes["Principled BSDF"].inputs["Roughness"].keyframe_insert("default_value", frame=1)

    def key_again() -> None:
        for owner in (lamp.data, paint.node_tree):
            action = owner.animation_data.action
            curves = action.layers[0].strips[0].channelbags[0].fcurves if hasattr(action, "layers") else action.fcurves
            curves[0].keyframe_points.insert(20, 0.3)

    assert changed_by(key_again) == {"Lamp", "Chair"}


@pytest.mark.skipif(bpy.app.version < (4, 4), reason="actions have no slots yet")
@pytest.mark.usefixtures("animated")
def test_another_slot_of_the_same_action_is_no_change():
    action = named("Crate").animation_data.action
    data = named("Chair").animation_data_create()
    data.action, data.action_slot = action, action.slots.new("OBJECT", "Chair")
    named("Chair").keyframe_insert("scale", frame=1)

    assert changed_by(key_interpolation) == {"Crate"}


# --- node trees ------------------------------------------------------------------------------------------------


def nested_groups(kind: str, depth: int) -> list[bpy.types.NodeTree]:
    """Node groups, each in the next; outermost last."""
    trees: list[bpy.types.NodeTree] = []
    for level in range(depth):
        tree = bpy.data.node_groups.new(f"Level {level}", kind)
        if trees:
            tree.nodes.new(kind.replace("Tree", "Group")).node_tree = trees[-1]
        else:
            tree.nodes.new("ShaderNodeValue").name = "Value"
        trees.append(tree)
    return trees


def test_a_value_deep_in_nested_shader_groups_counts_on_all_that_use_them():
    furnished()
    trees = nested_groups("ShaderNodeTree", 6)
    for name in ("Chair", "Crate"):
        tree = named(name).data.materials[0].node_tree
        tree.nodes.new("ShaderNodeGroup").node_tree = trees[-1]

    def edit() -> None:
        trees[0].nodes["Value"].outputs[0].default_value = 0.25

    assert changed_by(edit) == {"Chair", "Crate"}


@pytest.fixture
def scattered() -> bpy.types.NodesModifier:
    """A geometry nodes modifier on the chair: nested groups, a number and an object as inputs, passing all through."""
    furnished()
    trees = nested_groups("GeometryNodeTree", 4)
    tree = trees[-1]
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Size", in_out="INPUT", socket_type="NodeSocketFloat")
    tree.interface.new_socket("Target", in_out="INPUT", socket_type="NodeSocketObject")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    tree.links.new(start.outputs[0], end.inputs[0])
    modifier = named("Chair").modifiers.new("Scatter", "NODES")
    modifier.node_group = tree
    bpy.context.view_layer.update()
    return modifier


def set_input(modifier: bpy.types.NodesModifier, name: str, value: object) -> None:
    item = next(i for i in modifier.node_group.interface.items_tree if i.name == name)
    if bpy.app.version >= (5, 2):
        getattr(modifier.properties.inputs, item.identifier).value = value
    else:
        modifier[item.identifier] = value
    modifier.id_data.update_tag()


def test_what_a_geometry_nodes_group_holds_counts(scattered: bpy.types.NodesModifier):
    inner = bpy.data.node_groups["Level 0"]
    assert changed_by(lambda: setattr(inner.nodes["Value"].outputs[0], "default_value", 2.5)) == {"Chair"}


def test_inputs_of_a_geometry_nodes_modifier_count(scattered: bpy.types.NodesModifier):
    assert changed_by(lambda: set_input(scattered, "Size", 2.5)) == {"Chair"}
    assert changed_by(lambda: set_input(scattered, "Target", named("Crate"))) == {"Chair"}


def shading() -> bpy.types.Nodes:
    return named("Chair").data.materials[0].node_tree.nodes


@pytest.fixture
def shaded() -> None:
    furnished()
    for kind in ("ValToRGB", "RGBCurve", "TexImage", "Mapping", "TexNoise"):
        shading().new(f"ShaderNode{kind}").name = kind


@pytest.mark.parametrize(
    "edit",
    [
        lambda: setattr(shading()["ValToRGB"].color_ramp.elements[0], "position", 0.1),
        lambda: setattr(shading()["RGBCurve"].mapping.curves[0].points[0], "location", (0, 0.2)),
        lambda: setattr(shading()["TexImage"], "extension", "CLIP"),
        lambda: setattr(shading()["TexImage"].texture_mapping, "translation", (1, 0, 0)),
        lambda: setattr(shading()["TexImage"], "image", bpy.data.images.new("weave", 4, 4)),
        lambda: setattr(shading()["Mapping"].inputs["Location"], "default_value", (1, 0, 0)),
        lambda: setattr(shading()["TexNoise"], "mute", True),
        lambda: (
            named("Chair")
            .data.materials[0]
            .node_tree.links.new(shading()["TexNoise"].outputs[0], shading()["Principled BSDF"].inputs["Roughness"])
        ),
    ],
    ids=["ramp", "curve", "setting", "mapping", "image", "socket", "mute", "link"],
)
@pytest.mark.usefixtures("shaded")
def test_what_nodes_do_counts(edit: Callable[[], object]):
    assert changed_by(edit) == {"Chair"}


@pytest.mark.usefixtures("shaded")
def test_an_image_that_is_painted_on_counts():
    shading()["TexImage"].image = image = bpy.data.images.new("weave", 2, 2)
    assert changed_by(lambda: setattr(image, "pixels", [1, 0, 0, 1] * 4)) == {"Chair"}


# --- lights, cameras, modifiers, properties --------------------------------------------------------------------


@pytest.fixture
def equipped() -> None:
    """The room with a lamp and a camera, and some of everything on the chair."""
    furnished()
    for name, data in (("Lamp", bpy.data.lights.new("Lamp", "AREA")), ("Camera", bpy.data.cameras.new("Camera"))):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, data))
    chair = named("Chair")
    wave = chair.modifiers.new("Wave", "WAVE")
    wave.show_viewport = False
    chair.constraints.new("LIMIT_ROTATION")
    chair.shape_key_add(name="Basis")
    chair.shape_key_add(name="Tall")
    chair["note"] = "mine"
    chair["scenewright_front"] = 90.0


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("Lamp", lambda lamp: setattr(lamp.data, "energy", 500)),
        ("Lamp", lambda lamp: setattr(lamp.data, "color", (1, 0, 0))),
        ("Lamp", lambda lamp: setattr(lamp.data, "size", 2)),
        ("Camera", lambda camera: setattr(camera.data, "lens", 85)),
        ("Camera", lambda camera: setattr(camera.data.dof, "aperture_fstop", 1.4)),
        ("Camera", lambda camera: setattr(camera.data.dof, "focus_object", named("Sofa"))),
        ("Chair", lambda chair: setattr(chair.modifiers["Wave"], "width", 3)),
        ("Chair", lambda chair: setattr(chair.modifiers["Wave"], "height", 1)),
        ("Chair", lambda chair: setattr(chair.constraints[0], "use_limit_x", True)),
        ("Chair", lambda chair: setattr(chair.constraints[0], "influence", 0.5)),
        ("Chair", lambda chair: setattr(chair.data.shape_keys.key_blocks["Tall"], "slider_max", 2)),
        ("Chair", lambda chair: setattr(chair, "visible_shadow", False)),
        ("Chair", lambda chair: setattr(chair, "hide_render", True)),
        ("Chair", lambda chair: setattr(chair, "lock_rotation", (True, True, True))),
        ("Chair", lambda chair: setattr(chair, "matrix_parent_inverse", [[2, 0, 0, 0], [0, 1, 0, 0]] + [[0] * 4] * 2)),
        ("Chair", lambda chair: chair.__setitem__("note", "other")),
        ("Chair", lambda chair: chair.__setitem__("scenewright_front", 180.0)),
        ("Chair", lambda chair: setattr(chair.data.materials[0], "diffuse_color", (1, 0, 0, 1))),
        ("Chair", lambda chair: setattr(chair.material_slots[0], "link", "OBJECT")),
    ],
)
@pytest.mark.usefixtures("equipped")
def test_what_an_object_is_made_from_counts(name: str, edit: Callable[[bpy.types.Object], None]):
    assert changed_by(lambda: edit(named(name))) == {name}


@pytest.mark.parametrize(
    "edit",
    [
        lambda: setattr(named("Chair").modifiers["Wave"], "show_expanded", False),
        lambda: setattr(named("Chair").constraints[0], "show_expanded", False),
        lambda: named("Chair").select_set(True),
        lambda: named("Chair").__setitem__("scenewright_id", "chair_7"),
        lambda: setattr(shading()["Principled BSDF"], "location", (999, 0)),
        lambda: setattr(shading()["Principled BSDF"], "width", 300),
        lambda: setattr(shading()["Principled BSDF"], "hide", True),
        lambda: setattr(named("Chair"), "active_shape_key_index", 1),
    ],
)
@pytest.mark.usefixtures("equipped")
def test_how_things_lie_in_an_editor_and_our_own_id_do_not_count(edit: Callable[[], None]):
    assert changed_by(edit) == set()


@pytest.mark.usefixtures("equipped")
def test_looking_adds_nothing_to_the_file_and_touches_nothing_deprecated():
    def custom() -> dict[str, list[str]]:
        blocks = (*bpy.data.objects, *bpy.data.materials, *bpy.data.lights, *bpy.data.cameras)
        return {repr(b): sorted(b.keys()) for b in blocks}

    before = custom()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        prints()
    assert custom() == before


def test_minus_zero_is_zero():
    """An override comes back with the one for the other: equal values are not kept."""
    furnished()

    def edit() -> None:
        named("Chair").delta_location = (-0.0, 0, 0)
        named("Chair").matrix_parent_inverse[0][1] = -0.0
        named("Chair").data.materials[0].roughness = -0.0

    named("Chair").data.materials[0].roughness = 0
    assert changed_by(edit) == set()


# --- names -----------------------------------------------------------------------------------------------------


def test_a_local_object_is_not_taken_for_its_linked_namesake(tmp_path: Path):
    furnished()
    library = save(tmp_path / "library.blend")
    furnished()
    with bpy.data.libraries.load(str(library), link=True) as (_, linked):
        linked.objects = ["Chair"]
    bpy.context.scene.collection.objects.link(linked.objects[0])
    room = save(tmp_path / "room.blend")
    open_blend(room)
    local = next(o for o in bpy.data.objects if o.name == "Chair" and o.library is None)
    assert changed_by(lambda: setattr(local, "pass_index", 7)) == {"Chair"}
