"""Things that depend on others, or on time: by keys, drivers, constraints, bones, modifiers, nodes and physics."""

from __future__ import annotations

import bpy

from .of_all_kinds import drive, key, named, put
from .rooms import block, material


def animated() -> None:
    keyed = block("Keyed", (0.3, 0.3, 0.3), (0, 0, 0), color=(0.8, 0.1, 0.1))
    key(keyed, "location", {1: (0, 0, 0), 20: (0.5, 0, 0), 40: (0.5, 0.5, 0)})
    key(keyed, "rotation_euler", {1: (0, 0, 0), 40: (0, 0, 1)})
    shares = block("Shares the action", (0.3, 0.3, 0.3), (0, -1, 0))
    shares.animation_data_create().action = keyed.animation_data.action
    if hasattr(shares.animation_data, "action_slot"):
        shares.animation_data.action_slot = keyed.animation_data.action_slot
        own = block("Own slot", (0.3, 0.3, 0.3), (0, -1.5, 0))
        action = keyed.animation_data.action
        own.animation_data_create().action = action
        own.animation_data.action_slot = action.slots.new("OBJECT", "Own slot")
        key(own, "location", {1: (0, -1.5, 0), 40: (0.4, -1.5, 0)})
    spins = block("Spins", (0.3, 0.1, 0.1), (0.5, -1, 0))
    spins.rotation_mode = "QUATERNION"
    key(spins, "rotation_quaternion", {1: (1, 0, 0, 0), 40: (0.7, 0, 0, 0.7)})
    grows = block("Grows", (0.1, 0.1, 0.1), (1, -1, 0))
    grows.scale.x = 2
    grows.keyframe_insert("scale", index=0, frame=1)
    grows.scale.x = 3
    grows.keyframe_insert("scale", index=0, frame=30)
    strip = block("By strips", (0.2, 0.2, 0.2), (1.5, -1, 0))
    key(strip, "location", {1: (1.5, -1, 0), 20: (1.7, -1, 0)})
    action = strip.animation_data.action
    track = strip.animation_data.nla_tracks.new()
    made = track.strips.new("Walk", 5, action)
    made.scale, made.repeat = 1.5, 2
    strip.animation_data.action = None
    both = block("Keyed above strips", (0.2, 0.2, 0.2), (2, -1, 0))
    track = both.animation_data_create().nla_tracks.new()
    track.strips.new("Walk", 3, action)
    key(both, "scale", {1: (1, 1, 1), 20: (1, 1, 2)})
    cart = block("Cart", (0.3, 0.3, 0.3), (2.5, -1, 0))
    key(cart, "location", {1: (2.5, -1, 0), 40: (3, -1, 0)})
    block("On the cart", (0.1, 0.1, 0.1), (2.5, -1, 0.3), parent=cart)
    lit = material("Flickers", (0.4, 0.4, 0.4))
    base = lit.node_tree.nodes["Principled BSDF"].inputs["Base Color"]
    base.keyframe_insert("default_value", frame=1)
    base.default_value = (1, 0, 0, 1)
    base.keyframe_insert("default_value", frame=30)
    block("Flickering", (0.1, 0.1, 0.1), (3, 0, 0)).data.materials.append(lit)
    blinks = block("Blinks", (0.1, 0.1, 0.1), (3, 0.3, 0))
    key(blinks, "hide_render", {1: False, 10: True})
    key(blinks, "hide_viewport", {1: False, 30: True})


def driven() -> None:
    keyed = named("Keyed")
    driven = block("Driven", (0.2, 0.2, 0.2), (-3, 0, 0))
    curve = driven.driver_add("location", 2)
    variable = curve.driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id, variable.targets[0].transform_type = keyed, "LOC_X"
    curve.driver.expression = "var * 2"
    driven["amount"] = 0.5
    drive(driven, '["amount"]', named("Crate"), "var + 1", "scale[0]")
    turns = block("Driven turn", (0.2, 0.2, 0.2), (-3, 0.5, 0))
    curve = turns.driver_add("rotation_euler", 2)
    variable = curve.driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = driven, '["amount"]'
    curve.driver.expression = "var"
    drive(block("Driven eye", (0.2, 0.2, 0.2), (-3, 1, 0)), "hide_render", named("Crate"), "var > 5")


def constrained() -> None:
    crate, keyed = named("Crate"), named("Keyed")
    wanted: dict[str, dict[str, object]] = {
        "COPY_LOCATION": {"use_offset": True},
        "COPY_ROTATION": {"influence": 0.5},
        "TRACK_TO": {},
        "DAMPED_TRACK": {},
        "CHILD_OF": {},
        "LIMIT_DISTANCE": {},
        "FLOOR": {},
        "COPY_TRANSFORMS": {"mute": True},
    }
    for k, (kind, values) in enumerate(wanted.items()):
        obj = block(f"By {kind}", (0.1, 0.1, 0.1), (-3 + 0.3 * k, -2, 0))
        constraint = obj.constraints.new(kind)
        constraint.target = keyed if k % 2 else crate
        for name, value in values.items():
            setattr(constraint, name, value)
    limited = block("Limited", (0.1, 0.1, 0.1), (0, -2, 0)).constraints.new("LIMIT_LOCATION")
    limited.use_max_x, limited.max_x = True, 0.1
    armature = block("By two", (0.1, 0.1, 0.1), (0.5, -2, 0)).constraints.new("CHILD_OF")
    armature.target = named("By COPY_LOCATION")


def shaped() -> None:
    """Shape keys: static, animated, driven, and on a shared mesh."""
    shaped = block("Shaped", (0.4, 0.4, 0.4), (-1, -3, 0), color=(0.2, 0.3, 0.8))
    shaped.shape_key_add(name="Basis")
    tall = shaped.shape_key_add(name="Tall")
    for point in tall.data:
        point.co.z *= 2
    tall.value = 0.5
    keys = shaped.data.shape_keys
    tall.keyframe_insert("value", frame=1)
    tall.value = 1
    tall.keyframe_insert("value", frame=40)
    wide = shaped.shape_key_add(name="Wide")
    for point in wide.data:
        point.co.x *= 2
    drive(keys.key_blocks["Wide"], "value", named("Crate"), "var - 1", "location[0]")
    put("Shaped twin", shaped.data, (-1.6, -3, 0)).show_only_shape_key = True


def boned() -> None:
    data = bpy.data.armatures.new("Rig")
    rig = put("Rig", data, (3, 3, 0))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    upper = data.edit_bones.new("Upper")
    upper.head, upper.tail = (0, 0, 0), (0, 0, 0.5)
    lower = data.edit_bones.new("Lower")
    lower.head, lower.tail, lower.parent = (0, 0, 0.5), (0, 0.2, 1), upper
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.bones["Lower"].rotation_quaternion = (0.9, 0.3, 0, 0)
    copied = rig.pose.bones["Lower"].constraints.new("COPY_ROTATION")
    copied.target, copied.influence = named("Spins"), 0.3
    rig.pose.bones["Upper"]["grip"] = 0.25
    rig.pose.bones["Upper"].keyframe_insert("location", frame=1)
    rig.pose.bones["Upper"].location = (0, 0.2, 0)
    rig.pose.bones["Upper"].keyframe_insert("location", frame=40)
    held = block("On a bone", (0.1, 0.1, 0.1), (0, 0, 0))
    held.parent, held.parent_type, held.parent_bone = rig, "BONE", "Lower"
    skin = block("Skin", (0.2, 0.2, 1), (3, 3, 0))
    skin.vertex_groups.new(name="Upper").add(range(8), 1, "REPLACE")
    skin.parent = rig
    skin.matrix_parent_inverse = rig.matrix_world.inverted()
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    reaches = block("Reaches", (0.1, 0.1, 0.1), (3, 3.5, 0)).constraints.new("ARMATURE")
    reaches.targets.new().target = rig
    reaches.targets[0].subtarget = "Lower"


def modified() -> None:
    crate = named("Crate")
    hooked = block("Hooked", (0.3, 0.3, 0.3), (-3, 3, 0))
    hook = hooked.modifiers.new("Hook", "HOOK")
    hook.object = put("Hook", None, (-3, 3, 0.3))
    hook.vertex_indices_set([4, 5])
    cage = put("Cage", bpy.data.lattices.new("Cage"), (-2.5, 3, 0))
    block("Caged", (0.3, 0.3, 0.3), (-2.5, 3, 0)).modifiers.new("Lattice", "LATTICE").object = cage
    block("Mirrored", (0.3, 0.3, 0.3), (-2, 3, 0)).modifiers.new("Mirror", "MIRROR").mirror_object = crate
    rows = block("In a row", (0.1, 0.1, 0.1), (-1.5, 3, 0)).modifiers.new("Array", "ARRAY")
    rows.use_object_offset, rows.offset_object = True, put("Step", None, (-1.4, 3.1, 0))
    cutter = block("Cutter", (0.1, 0.1, 0.5), (-1, 3, 0))
    cutter.display_type = "WIRE"
    cut = block("Cut", (0.3, 0.3, 0.3), (-1, 3, 0)).modifiers.new("Boolean", "BOOLEAN")
    cut.object = cutter
    bent = block("Bent", (0.3, 0.3, 0.3), (-0.5, 3, 0))
    bend = bent.modifiers.new("Bend", "SIMPLE_DEFORM")
    bend.origin = hook.object
    drive(bend, "angle", named("Keyed"), "var", "location.x")
    bent.modifiers.new("Bevel", "BEVEL").width = 0.02
    noisy = block("Noisy", (0.3, 0.3, 0.3), (0, 3, 0)).modifiers.new("Displace", "DISPLACE")
    noisy.texture, noisy.strength = bpy.data.textures.new("Clouds", "CLOUDS"), 0.1
    noisy.texture_coords, noisy.texture_coords_object = "OBJECT", crate
    block("Wrapped", (0.3, 0.3, 0.3), (0.5, 3, 0)).modifiers.new("Shrinkwrap", "SHRINKWRAP").target = crate


def made_by_nodes() -> None:
    """Geometry nodes: one that instances an object and a collection given as inputs, with a material of its own."""
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    socket = tree.interface.new_socket
    socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    socket("Object", in_out="INPUT", socket_type="NodeSocketObject")
    socket("Material", in_out="INPUT", socket_type="NodeSocketMaterial")
    socket("Collection", in_out="INPUT", socket_type="NodeSocketCollection")
    socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    about, on = tree.nodes.new("GeometryNodeObjectInfo"), tree.nodes.new("GeometryNodeInstanceOnPoints")
    joined, painted = tree.nodes.new("GeometryNodeJoinGeometry"), tree.nodes.new("GeometryNodeSetMaterial")
    link = tree.links.new
    link(start.outputs["Object"], about.inputs[0])
    link(start.outputs["Geometry"], on.inputs["Points"])
    link(about.outputs["Geometry"], on.inputs["Instance"])
    link(start.outputs["Geometry"], painted.inputs["Geometry"])
    link(start.outputs["Material"], painted.inputs["Material"])
    link(painted.outputs[0], joined.inputs[0])
    link(on.outputs[0], joined.inputs[0])
    link(joined.outputs[0], end.inputs[0])
    for k, name in enumerate(("Scattered", "Scattered twin")):
        modifier = block(name, (0.5, 0.5, 0.5), (1.5 + k, 3, 0)).modifiers.new("Scatter", "NODES")
        modifier.node_group = tree
        values = {"Object": named("Bare"), "Material": bpy.data.materials["Own"]}
        for item in tree.interface.items_tree:
            if item.item_type == "SOCKET" and item.in_out == "INPUT" and item.name in values:
                _give(modifier, item.identifier, values[item.name])


def _give(modifier: bpy.types.Modifier, identifier: str, value: bpy.types.ID) -> None:
    if bpy.app.version < (5, 0):
        modifier[identifier] = value
    else:
        getattr(modifier.properties.inputs, identifier).value = value


def simulated() -> None:
    scene = bpy.context.scene
    bodies = bpy.data.collections.new("Bodies")
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.collection = bodies
    scene.rigidbody_world.enabled = False
    falls = block("Falls", (0.2, 0.2, 0.2), (3, 2, 1))
    bodies.objects.link(falls)
    falls.rigid_body.mass = 7
    hairy = block("Hairy", (0.2, 0.2, 0.2), (3.5, 2, 0))
    hairy.modifiers.new("Hair", "PARTICLE_SYSTEM")
    settings = hairy.particle_systems[0].settings
    settings.type, settings.count = "HAIR", 3
    settings.render_type, settings.instance_object = "OBJECT", named("Bare")
