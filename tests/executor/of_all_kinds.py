"""Things of all kinds that Blender has, each by itself."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from .rooms import block, material

Vector = Sequence[float]


def named(name: str) -> bpy.types.Object:
    return bpy.data.objects[name]


def put(name: str, data: bpy.types.ID | None, at: Vector = (0, 0, 0)) -> bpy.types.Object:
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = at
    return obj


def key(block: bpy.types.ID, path: str, values: dict[int, object]) -> None:
    for frame, value in values.items():
        setattr(block, path, value)
        block.keyframe_insert(path, frame=frame)


def drive(
    block: bpy.types.bpy_struct, path: str, source: bpy.types.Object, expression: str, of: str = "location.x"
) -> None:
    driver = block.driver_add(path).driver
    variable = driver.variables.new()
    variable.targets[0].id = source
    variable.targets[0].data_path = of
    driver.expression = expression


def plain_things() -> None:
    """Shared meshes and materials, slots of objects, groups, mirrored, locked, hidden and orphaned things."""
    block("Floor", (8, 8, 0.1), (0, 0, -0.1))
    crate = block("Crate", (0.4, 0.4, 0.4), (1, 1, 0), color=(0.5, 0.4, 0.2))
    oak = crate.data.materials[0]
    for k in range(3):
        put(f"Twin {k}", crate.data, (1 + k, 2, 0))
    named("Twin 1").material_slots[0].link = "OBJECT"
    named("Twin 1").material_slots[0].material = material("Own", (0.1, 0.6, 0.1))
    named("Twin 2").scale = (-1, 2, 1)
    named("Twin 2").rotation_euler = (0.1, 7.0, 0.3)
    named("Twin 2").material_slots[0].link = "OBJECT"  # and nothing in it
    block("Bare", (0.2, 0.2, 0.2), (2, 1, 0))
    two = block("Two slots", (0.3, 0.3, 0.3), (2.5, 1, 0), color=(0.9, 0.9, 0.9))
    two.data.materials.append(oak)
    two.data.materials.append(None)
    block("Child", (0.1, 0.1, 0.1), (1, 1, 0.4), parent=crate)
    grandchild = block("Grandchild", (0.05, 0.05, 0.05), (0.2, 0, 0.1))
    grandchild.parent = named("Child")  # with no inverse
    named("Child").delta_location = (0, 0, 0.01)
    vertex = block("On a vertex", (0.05, 0.05, 0.05), (0, 0, 0))
    vertex.parent, vertex.parent_type, vertex.parent_vertices = crate, "VERTEX", (4, 0, 0)
    face = block("On three vertices", (0.05, 0.05, 0.05), (0, 0, 0.1))
    face.parent, face.parent_type, face.parent_vertices = crate, "VERTEX_3", (4, 5, 6)
    turned = block("Quaternion", (0.2, 0.3, 0.4), (0, 2, 0))
    turned.rotation_mode = "QUATERNION"
    turned.rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    axis = block("Axis and angle", (0.2, 0.3, 0.4), (-0.5, 2, 0))
    axis.rotation_mode = "AXIS_ANGLE"
    axis.rotation_axis_angle = (0.7, 0, 0.6, 0.8)
    other = block("Other order", (0.2, 0.3, 0.4), (-1, 2, 0))
    other.rotation_mode = "ZYX"
    other.rotation_euler = (0.3, 0.2, 0.1)
    other.delta_rotation_euler = (0, 0, 0.2)
    flat = block("Flat", (0.2, 0.2, 0.2), (-1.5, 2, 0))
    flat.scale = (1, 1, 0)
    locked = block("Locked", (0.2, 0.2, 0.2), (-2, 2, 0))
    locked.lock_location[2] = locked.lock_scale[0] = True
    for name, flag in (("Off in the viewport", "hide_viewport"), ("Not rendered", "hide_render")):
        setattr(block(name, (0.2, 0.2, 0.2), (-2, 1, 0)), flag, True)
    block("Eye closed", (0.2, 0.2, 0.2), (-2, 0, 0)).hide_set(True)
    block("Not to be picked", (0.2, 0.2, 0.2), (-2, -0.5, 0)).hide_select = True
    bpy.data.objects.new("Orphan", crate.data).use_fake_user = True
    bpy.data.materials.new("Kept").use_fake_user = True
    crate.use_fake_user = True
    crate.data.attributes.new("heat", "FLOAT", "POINT").data[0].value = 2
    crate.data.uv_layers.new(name="UV")
    crate.vertex_groups.new(name="Top").add([4, 5, 6, 7], 0.5, "REPLACE")
    image = bpy.data.images.new("Painted", 4, 4)
    image.pixels = np.linspace(0, 1, 64).tolist()
    image.pack()
    texture = oak.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    oak.node_tree.links.new(texture.outputs[0], oak.node_tree.nodes["Principled BSDF"].inputs[0])
    grouped = two.data.materials[0].node_tree
    group = bpy.data.node_groups.new("Shading", "ShaderNodeTree")
    group.interface.new_socket("Shader", in_out="OUTPUT", socket_type="NodeSocketShader")
    inner, out = group.nodes.new("ShaderNodeBsdfPrincipled"), group.nodes.new("NodeGroupOutput")
    group.links.new(inner.outputs[0], out.inputs[0])
    node = grouped.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    output = next(n for n in grouped.nodes if n.type == "OUTPUT_MATERIAL")
    grouped.links.new(node.outputs[0], output.inputs[0])
    oak.asset_mark()
    two.asset_mark()


def of_every_type() -> None:
    data = bpy.data
    text = put("Text", data.curves.new("Text", "FONT"), (0, -3, 0))
    text.data.body = "Hi"
    curve = data.curves.new("Curve", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for k, point in enumerate(spline.bezier_points):
        point.co, point.handle_left_type, point.handle_right_type = (k, 0, 0.2 * k), "AUTO", "AUTO"
    curve.bevel_depth = 0.02
    curve.bevel_object = None
    put("Curve", curve, (0.5, -3, 0))
    follow = block("Follows the curve", (0.1, 0.1, 0.1), (0, 0, 0)).constraints.new("FOLLOW_PATH")
    follow.target, follow.offset = named("Curve"), 10
    balls = data.metaballs.new("Ball")
    balls.elements.new().radius = 0.3
    put("Ball", balls, (1.8, -3, 0))
    camera = put("Camera", data.cameras.new("Camera"), (5, -5, 4))
    camera.data.dof.focus_object = named("Crate")
    bpy.context.scene.camera = camera
    lamp = put("Lamp", data.lights.new("Lamp", "POINT"), (0, 0, 2.5))
    key(lamp.data, "energy", {1: 10.0, 40: 100.0})
    put("Sun", data.lights.new("Sun", "SUN"), (0, 0, 3))
    put("Speaker", data.speakers.new("Speaker"), (2.3, -3, 0))
    put("Probe", data.lightprobes.new("Probe", "SPHERE"), (2.6, -3, 0))
    put("Empty", None, (3, -3, 0)).empty_display_size = 0.2
    put("Volume", data.volumes.new("Volume"), (3.3, -3, 0))
    kinds = ("grease_pencils_v3", "grease_pencils")
    pencils = next(getattr(data, kind) for kind in kinds if hasattr(data, kind))
    put("Pencil", pencils.new("Pencil"), (3.6, -3, 0)).data.layers.new("Lines", set_active=True)
    scene = bpy.context.scene
    scene.world = data.worlds.new("World")
    marker = scene.timeline_markers.new("Cut to", frame=12)
    marker.camera = camera
    data.texts.new("Notes").write("print('never run')")
    image = put("Picture", None, (3.9, -3, 0))
    image.empty_display_type, image.data = "IMAGE", data.images["Painted"]


def with_properties() -> None:
    crate = named("Crate")
    crate["whole"], crate["real"], crate["text"], crate["flag"] = 3, 0.1, "words “and” more", True
    crate["numbers"], crate["reals"] = [1, 2, 3], [0.1, 0.2]
    crate["nested"] = {"deep": {"deeper": [1.0, 2.0]}, "empty": {}}
    crate["other"] = named("Twin 0")
    crate["stuff"] = bpy.data.materials["Own"]
    crate.data["of the mesh"] = b"bytes"
    crate['a "quoted" key'] = 1
    bpy.context.scene["of the scene"] = {"other": named("Child")}
    crate.id_properties_ui("real").update(min=0, max=1, description="A number")
