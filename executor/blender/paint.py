"""Giving things another colour, by materials of their own whose shaders are all painted, or another material."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy

from ..model.errors import ScenewrightError
from .animation import is_animated
from .journal import Journal
from .shaders import CLEAR, colored_shaders, has_nodes, shader_inputs, shown_shaders

_SEE_THROUGH = 0.5
_DARK = 0.05


def recolor(journal: Journal, objects: Sequence[bpy.types.Object], color: Iterable[float], name: str) -> None:
    """Give objects a base colour by materials of their own.

    Glass and emitters keep theirs, unless there is nothing else: a thing all of glass, or a lamp all of light, can
    only be meant as a whole. Each material is copied once per call, with the groups that its shaders are in, and put
    in slots linked to the object, so meshes and other users of the material stay as they are.

    Args:
        journal: records old values.
        objects: what to recolour.
        color: linear RGB.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``unsupported`` if something of it cannot be recoloured here.
    """
    plain = _plain_slots(journal, objects, name)
    mixed = next((s.material for s in plain if s.material is not None and not _carries_color(s.material)), None)
    if mixed is not None:
        raise ScenewrightError(
            "unsupported",
            f"{name} has no colour of its own: no shader that has one is what “{mixed.name}” shows.",
            "Change its nodes by hand, or give it a plain material.",
        )
    copies: dict[str, bpy.types.Material] = {}
    for slot in plain:
        key = slot.material.name_full if slot.material else ""
        if key not in copies:
            copies[key] = _colored_copy(journal, slot.material, color, name)
        _put(journal, slot, copies[key], name)
    bpy.context.view_layer.update()


def set_material(
    journal: Journal, objects: Sequence[bpy.types.Object], material: bpy.types.Material, name: str
) -> None:
    """Put a material into all slots of objects, linked to the object, so that meshes stay as they are.

    Glass and emitters keep theirs, as with `recolor`.

    Args:
        journal: records old values.
        objects: what gets it.
        material: as it is; whatever else uses it is not changed.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``unsupported`` if something of it has no place for a material here.
    """
    for slot in _plain_slots(journal, objects, name):
        _put(journal, slot, material, name)
    bpy.context.view_layer.update()


def _plain_slots(journal: Journal, objects: Sequence[bpy.types.Object], name: str) -> list[bpy.types.MaterialSlot]:
    """All slots but those of glass and light, unless there are no others."""
    slots = [slot for obj in objects for slot in _slots(journal, obj, name)]
    if not slots:
        raise ScenewrightError("unsupported", f"Nothing of {name} carries a colour that can be changed.")
    return [s for s in slots if s.material is None or not _is_glass_or_light(s.material)] or slots


def _slots(journal: Journal, obj: bpy.types.Object, name: str) -> list[bpy.types.MaterialSlot]:
    """The material slots of an object, one more if it has none; nothing for what is drawn without materials."""
    if obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
        raise ScenewrightError(
            "unsupported",
            f"{name} is an instance of the collection “{obj.instance_collection.name}”.",
            "Make the instance real, or recolour what is in the collection.",
        )
    if obj.data is None or not hasattr(obj.data, "materials"):
        return []
    if not obj.material_slots:
        _add_slot(journal, obj)
    return list(obj.material_slots)


def _add_slot(journal: Journal, obj: bpy.types.Object) -> None:
    """A slot needs room on the mesh, which all its users share: give the object a mesh of its own first."""
    if obj.data.users > 1 or not obj.data.is_editable:
        with journal.creating():
            own = obj.data.copy()
        journal.assign(obj, "data", own)
    journal.assign(obj.data, "materials", [*obj.data.materials, None])


def _put(journal: Journal, slot: bpy.types.MaterialSlot, material: bpy.types.Material, name: str) -> None:
    obj, path = slot.id_data, f"material_slots[{slot.slot_index}]"
    given = _slot_in_the_library(slot)
    if given is not None and given.material == material:
        # An override is kept as what differs from the library: the same material by another link would be lost.
        if slot.link != given.link:
            journal.assign(obj, f"{path}.material", None)
            journal.assign(obj, f"{path}.link", given.link)
        if slot.material != material:
            raise ScenewrightError(
                "unsupported",
                f"{name} overrides something of a library that shows “{material.name}”: here it would not last.",
                "Give it a copy of the material.",
            )
        return
    # Taken back, the old material goes in before the link: with link DATA it would stay hidden and keep a user.
    journal.assign(obj, f"{path}.link", "OBJECT")
    journal.assign(obj, f"{path}.material", material)


def _slot_in_the_library(slot: bpy.types.MaterialSlot) -> bpy.types.MaterialSlot | None:
    """The slot that an override's slot stands for."""
    override = slot.id_data.override_library
    slots = override.reference.material_slots if override is not None else ()
    return slots[slot.slot_index] if slot.slot_index < len(slots) else None


def _colored_copy(
    journal: Journal, source: bpy.types.Material | None, color: Iterable[float], name: str
) -> bpy.types.Material:
    with journal.creating():
        material = source.copy() if source is not None else bpy.data.materials.new(f"{name} colour")
        if has_nodes(material):
            _own_groups(material.node_tree)
    rgba = (*color, 1.0)
    if source is None and bpy.app.version < (5, 0):
        material.use_nodes = True
    material.diffuse_color = rgba
    for shader in (shown.node for shown in colored_shaders(material)):
        for socket in (shader.inputs[0], *([_light(shader)] if _emits(shader) else [])):
            _set(socket, rgba, name)
    return material


def _own_groups(tree: bpy.types.NodeTree) -> None:
    """Give a tree copies of the groups that put out shaders: a material's copy shares them."""
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree is not None and any(o.type == "SHADER" for o in node.outputs):
            node.node_tree = node.node_tree.copy()
            _own_groups(node.node_tree)


def _set(socket: bpy.types.NodeSocket, rgba: Sequence[float], name: str) -> None:
    """Give an input a value of its own."""
    tree = socket.id_data
    if is_animated(tree, socket.path_from_id("default_value")):
        raise ScenewrightError(
            "unsupported",
            f"The colour of {name} is animated: another one would not last.",
            "Remove that animation, or change its keys.",
        )
    for link in list(socket.links):
        tree.links.remove(link)
    socket.default_value = rgba


def _carries_color(material: bpy.types.Material) -> bool:
    """Whether there is a colour to set: without nodes the viewport's, else that of a shader."""
    return not has_nodes(material) or bool(colored_shaders(material))


# --- glass and light --------------------------------------------------------------------------------------------


def _is_glass_or_light(material: bpy.types.Material) -> bool:
    """Whether a material is glass or light throughout, but for reflections on it."""
    shaders = [shown.node for shown in shown_shaders(material)]
    special = [s for s in shaders if _is_glass(s) or _emits(s)]
    return bool(special) and all(s in special or s.type == "BSDF_GLOSSY" for s in shaders)


def _emits(shader: bpy.types.Node) -> bool:
    light = _light(shader)
    if light is None:
        return False
    strength = shader_inputs(shader)["Strength" if shader.type == "EMISSION" else "Emission Strength"]
    shines = strength.is_linked or strength.default_value > 0
    return shines and (light.is_linked or max(light.default_value[:3]) > _DARK)


def _light(shader: bpy.types.Node) -> bpy.types.NodeSocket | None:
    """The input that gives a shader's light its colour."""
    return shader.inputs[0] if shader.type == "EMISSION" else shader_inputs(shader).get("Emission Color")


def _is_glass(shader: bpy.types.Node) -> bool:
    if shader.type != "BSDF_PRINCIPLED":
        return shader.type in ("BSDF_GLASS", "BSDF_REFRACTION", CLEAR)
    inputs = shader_inputs(shader)
    transmission, alpha = inputs["Transmission Weight"], inputs["Alpha"]
    lets_through = not transmission.is_linked and transmission.default_value > _SEE_THROUGH
    return lets_through or (not alpha.is_linked and alpha.default_value < _SEE_THROUGH)
