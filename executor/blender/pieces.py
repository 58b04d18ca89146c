"""Pieces of furniture built by rule, turned into objects, meshes, materials and lights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np
from mathutils import Vector

from ..model.piece import Joint, Light, Material, Piece, Solid
from .journal import Journal
from .marks import JOINT, PREFIX
from .read import metres_per_unit
from .shaders import colored_shaders, shader_inputs

_CLEAR = 0.25
"""Opacity, in solid view, of what light goes through altogether."""


def add_piece(
    journal: Journal,
    context: bpy.types.Context,
    piece: Piece,
    name: str,
    location: Sequence[float],
    yaw_deg: float = 0.0,
    collection: bpy.types.Collection | None = None,
    scale_factor: float = 1.0,
) -> bpy.types.Object:
    """Put a piece into a scene.

    A piece of one solid becomes one object. One of several becomes an empty with its solids under it, called
    after it; those of a room shell, which are things of their own, keep their plain names.

    Args:
        journal: records what is made.
        context: whose scene it is added to.
        piece: what to add.
        name: of the thing.
        location: ``(3,)`` metres, where its origin (the middle of its bottom) goes.
        yaw_deg: its heading, counter-clockwise from above; at 0 it faces −Y.
        collection: where its objects go; default: the scene's own.
        scale_factor: metres per scene unit as a multiple of what the file claims.

    Returns:
        The object that carries the thing: its only solid, or the empty that holds several.
    """
    units = 1 / (metres_per_unit(context.scene) * scale_factor)
    with journal.creating():
        root, *parts = _objects(piece, name, units)
    for obj in (root, *parts):
        journal.relink(obj, [collection or context.scene.collection])
    journal.assign(root, "location", Vector(location) * units)
    journal.assign(root, "rotation_euler[2]", np.radians(yaw_deg))
    context.view_layer.update()
    return root


def _objects(piece: Piece, name: str, units: float) -> list[bpy.types.Object]:
    """The objects of a piece, marked as what it is; the first one carries the others."""
    materials = [material_of(m) for m in piece.materials]
    if len(piece.solids) == 1 and not piece.lights:
        made = [_object(piece.solids[0], name, materials, units)]
    else:
        root = bpy.data.objects.new(name, None)
        root.empty_display_size = 0.1 * units
        lamps = [_light(light, f"{name} Light {number}", units) for number, light in enumerate(piece.lights, 1)]
        for lamp in lamps:
            lamp.parent = root
        made = [root, *_solids(piece, root, materials, units), *lamps]
    for obj in made if piece.role != "structure" else []:
        if obj == made[0]:
            obj[f"{PREFIX}role"] = piece.role
        if obj == made[0] or obj.type == "MESH":  # the solids, too: a pot under a plant would else be its own thing
            obj[f"{PREFIX}category"] = piece.category
    if piece.front is not None:
        made[0][f"{PREFIX}front"] = list(piece.front)
    return made


def _solids(
    piece: Piece, root: bpy.types.Object, materials: Sequence[bpy.types.Material], units: float
) -> list[bpy.types.Object]:
    """Objects of all solids, each under what carries it, else under the root; all have the root's origin."""
    apart = piece.role == "structure"
    made = {
        solid.name: _object(solid, solid.name if apart else f"{root.name} {solid.name}", materials, units)
        for solid in piece.solids
    }
    for solid in piece.solids:
        made[solid.name].parent = made[solid.parent] if solid.parent else root
        if solid.joint is not None:
            made[solid.name][JOINT] = _joint(solid.joint, units)
    return list(made.values())


def _joint(joint: Joint, units: float) -> dict[str, object]:
    """The mark of a movable part; shut, its object is where its parent's is."""
    return {
        "motion": joint.kind,
        "axis": list(joint.axis),
        "origin": [c * units for c in joint.origin],
        "limit": joint.limit * (units if joint.kind == "slide" else 1.0),
        "closed": np.eye(4).ravel().tolist(),
    }


def _object(solid: Solid, name: str, materials: Sequence[bpy.types.Material], units: float) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((solid.vertices * units).tolist(), [], [list(face) for face in solid.faces])
    used, slots = np.unique(solid.material_index, return_inverse=True)
    for index in used:
        mesh.materials.append(materials[index])
    mesh.polygons.foreach_set("material_index", slots.astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", solid.smooth)
    mesh.set_sharp_from_angle(angle=np.radians(solid.sharp_angle_deg))
    mesh.update()
    return bpy.data.objects.new(name, mesh)


def _light(light: Light, name: str, units: float) -> bpy.types.Object:
    data = bpy.data.lights.new(name, light.kind.upper())
    # Blender counts lengths in units, whatever they are in metres: light falls off with their square.
    data.energy = light.energy * units**2
    data.color = light.color
    if light.kind == "area":
        data.size = 2 * light.radius * units
    else:
        data.shadow_soft_size = light.radius * units
    lamp = bpy.data.objects.new(name, data)
    lamp.location = Vector(light.location) * units
    return lamp


# --- materials ----------------------------------------------------------------------------------------------


def material_of(look: Material) -> bpy.types.Material:
    """The Principled material of a look: one of that name that still looks so, else a new one."""
    values: dict[str, float | tuple[float, ...]] = {
        "Base Color": look.base_color,
        "Metallic": look.metallic,
        "Roughness": look.roughness,
        "Transmission Weight": look.transmission,
        "Sheen Weight": look.sheen,
        "Coat Weight": look.coat,
        "Emission Color": (*look.emission_color, 1.0),
        "Emission Strength": look.emission_strength,
    }
    for known in bpy.data.materials:
        if known.name.partition(".")[0] == look.name and _looks_like(known, values):
            return known
    material = bpy.data.materials.new(look.name)
    if bpy.app.version < (5, 0):
        material.use_nodes = True
    for name, socket in shader_inputs(colored_shaders(material)[0].node).items():
        if name in values:
            socket.default_value = values[name]
    opacity = 1 - (1 - _CLEAR) * look.transmission
    material.diffuse_color = (*look.base_color[:3], look.base_color[3] * opacity)
    material.metallic, material.roughness = look.metallic, look.roughness
    return material


def _looks_like(material: bpy.types.Material, values: Mapping[str, float | tuple[float, ...]]) -> bool:
    """Whether a material is editable here and a bare Principled shader of these values."""
    shaders = colored_shaders(material)
    if material.library is not None or not shaders or len(material.node_tree.links) != 1:
        return False
    inputs = shader_inputs(shaders[0].node)
    return all(
        name in inputs and np.allclose(np.array(inputs[name].default_value), value, atol=1e-6)
        for name, value in values.items()
    )
