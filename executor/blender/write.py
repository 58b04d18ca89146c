"""What the hands can do besides moving: take things out of the scene, and give them another colour."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import bpy

from ..model.errors import ScenewrightError
from .journal import Journal
from .looks import base_shader, has_nodes, shader_inputs
from .scenes import others, own_collections, shown_collections

_SEE_THROUGH = 0.5
_DARK = 0.05


def topmost(objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The objects that none of the others is an ancestor of: moving them moves all."""
    found = list(objects)
    names = {o.name_full for o in found}

    def has_ancestor(obj: bpy.types.Object) -> bool:
        parent = obj.parent
        while parent is not None:
            if parent.name_full in names:
                return True
            parent = parent.parent
        return False

    return [o for o in found if not has_ancestor(o)]


def check_editable(objects: Iterable[bpy.types.Object], name: str) -> None:
    """Refuse linked objects: edits to them raise nothing and are gone on reload.

    Raises:
        ScenewrightError: ``unsupported``.
    """
    for obj in objects:
        if not obj.is_editable:
            library = obj.library.filepath if obj.library else "a library"
            raise ScenewrightError(
                "unsupported",
                f"{name} is linked from {library} and cannot be edited here.",
                "Make a library override of it, or edit the library.",
            )


# --- removal --------------------------------------------------------------------------------------------------


def remove(journal: Journal, scene: bpy.types.Scene, objects: Sequence[bpy.types.Object], name: str) -> None:
    """Take objects out of a scene; they stay in the file, with a fake user if no scene holds them any more.

    Collections that only other scenes hold, or that are instanced, keep them. Parents, constraints, drivers and
    modifiers that point at them keep pointing, so that restoring is exact.

    Args:
        journal: records old values.
        scene: what they are taken out of.
        objects: what to remove.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``unsupported`` if another scene shows a collection that one would be taken out of, or if the
            collection is a library override, out of which Blender takes nothing.
    """
    own = own_collections(scene)
    shared = {c: other for other in others(scene) for c in shown_collections(other)}
    for obj in objects:
        state = _Membership.of(obj, own)
        for collection, _ in state.places:
            _check_not_held(name, collection, shared)
        journal.record(lambda state=state: state.restore())  # type: ignore[misc]
        for collection, _ in state.places:
            collection.objects.unlink(obj)
        if not obj.users_scene:
            obj.use_fake_user = True
    bpy.context.view_layer.update()


def _check_not_held(
    name: str, collection: bpy.types.Collection, shared: Mapping[bpy.types.Collection, bpy.types.Scene]
) -> None:
    if collection in shared:
        raise ScenewrightError(
            "unsupported",
            f"{name} is in the collection “{collection.name}”, which the scene “{shared[collection].name}” shows, too: "
            "it would be gone from there as well.",
            "Give one of the scenes a collection of its own first.",
        )
    if collection.override_library is not None:
        raise ScenewrightError(
            "unsupported",
            f"{name} is in the collection “{collection.name}”, a library override: nothing can be taken out of it.",
            "Make the collection local, or edit the library.",
        )


def referring_to(objects: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """A scene's objects that point at some others: as parents, or by constraints, modifiers or drivers."""
    users = bpy.data.user_map(subset=list(objects), value_types={"OBJECT"})
    pointing = {user for found in users.values() for user in found}
    return [o for o in scene.objects if o in pointing]


@dataclass(frozen=True, slots=True)
class _Membership:
    """Where among some collections an object is linked, in which order, and how the view layers show it."""

    obj: bpy.types.Object
    places: list[tuple[bpy.types.Collection, int]]
    fake_user: bool
    shown: list[tuple[bpy.types.ViewLayer, bool, bool, bool]]

    @classmethod
    def of(cls, obj: bpy.types.Object, collections: Container[bpy.types.Collection]) -> _Membership:
        places = [(c, list(c.objects).index(obj)) for c in obj.users_collection if c in collections]
        shown = [
            (
                layer,
                obj.select_get(view_layer=layer),
                obj.hide_get(view_layer=layer),
                layer.objects.active == obj,
            )
            for scene in obj.users_scene
            for layer in scene.view_layers
            if obj.name in layer.objects
        ]
        return cls(obj, places, obj.use_fake_user, shown)

    def restore(self) -> None:
        """Link the object at its old place by relinking all that came after it.

        Nothing in between may sync the view layer: neighbours would lose their selection and eye state.
        """
        for collection, index in self.places:
            tail = list(collection.objects)[index:]
            for obj in tail:
                collection.objects.unlink(obj)
            collection.objects.link(self.obj)
            for obj in tail:
                collection.objects.link(obj)
        self.obj.use_fake_user = self.fake_user
        for layer, selected, hidden, active in self.shown:
            self.obj.select_set(selected, view_layer=layer)
            self.obj.hide_set(hidden, view_layer=layer)
            if active:
                layer.objects.active = self.obj


# --- colour ---------------------------------------------------------------------------------------------------


def recolor(journal: Journal, objects: Sequence[bpy.types.Object], color: Iterable[float], name: str) -> None:
    """Give objects a base colour by materials of their own.

    Glass and emitters keep theirs, unless there is nothing else: a thing all of glass, or a lamp all of light, can
    only be meant as a whole. Each material is copied once per call and put in slots linked to the object, so meshes
    and other users of the material stay as they are.

    Args:
        journal: records old values.
        objects: what to recolour.
        color: linear RGB.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``unsupported`` if nothing of it can be recoloured here.
    """
    slots = [slot for obj in objects for slot in _slots(journal, obj, name)]
    can_be = [s for s in slots if s.material is None or _carries_color(s.material)]
    plain = [s for s in can_be if s.material is None or not (_emits(s.material) or _is_glass(s.material))]
    if not slots:
        raise ScenewrightError("unsupported", f"Nothing of {name} carries a colour that can be changed.")
    if not can_be:
        raise ScenewrightError(
            "unsupported",
            f"{name} has no colour of its own: the nodes of “{slots[0].material.name}” mix it.",
            "Change those nodes by hand, or give it a plain material.",
        )
    copies: dict[str, bpy.types.Material] = {}
    for slot in plain or can_be:
        key = slot.material.name_full if slot.material else ""
        if key not in copies:
            copies[key] = _colored_copy(journal, slot.material, color, name)
        _put(journal, slot, copies[key])
    bpy.context.view_layer.update()


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
        journal.assign(obj, "data", obj.data.copy())
    data = obj.data
    data.materials.append(None)
    journal.record(lambda: data.materials.pop())


def _put(journal: Journal, slot: bpy.types.MaterialSlot, material: bpy.types.Material) -> None:
    obj, index, old_link = slot.id_data, slot.slot_index, slot.link
    slot.link = "OBJECT"
    old = slot.material

    def restore() -> None:
        # The old value goes back before the link: with link DATA it would stay hidden and keep a user.
        obj.material_slots[index].material = old
        obj.material_slots[index].link = old_link

    journal.record(restore)
    slot.material = material


def _colored_copy(
    journal: Journal, source: bpy.types.Material | None, color: Iterable[float], name: str
) -> bpy.types.Material:
    material = source.copy() if source is not None else bpy.data.materials.new(f"{name} colour")
    journal.record(lambda: bpy.data.materials.remove(material))
    rgba = (*color, 1.0)
    if source is None and bpy.app.version < (5, 0):
        material.use_nodes = True
    material.diffuse_color = rgba
    shader = base_shader(material)
    if shader is not None:
        for socket in (shader.inputs[0], *([_light(shader)] if _emits(material) else [])):
            for link in list(socket.links):
                material.node_tree.links.remove(link)
            socket.default_value = rgba
    return material


def _carries_color(material: bpy.types.Material) -> bool:
    """Whether there is a colour to set: without nodes the viewport's, else that of a shader."""
    return not has_nodes(material) or base_shader(material) is not None


def _emits(material: bpy.types.Material) -> bool:
    shader = base_shader(material)
    light = _light(shader) if shader is not None else None
    if shader is None or light is None:
        return False
    strength = shader_inputs(shader)["Strength" if shader.type == "EMISSION" else "Emission Strength"]
    shines = strength.is_linked or strength.default_value > 0
    return shines and (light.is_linked or max(light.default_value[:3]) > _DARK)


def _light(shader: bpy.types.Node) -> bpy.types.NodeSocket | None:
    """The input that gives a shader's light its colour."""
    return shader.inputs[0] if shader.type == "EMISSION" else shader_inputs(shader).get("Emission Color")


def _is_glass(material: bpy.types.Material) -> bool:
    shader = base_shader(material)
    if shader is None or shader.type != "BSDF_PRINCIPLED":
        return shader is not None and shader.type in ("BSDF_GLASS", "BSDF_REFRACTION")
    inputs = shader_inputs(shader)
    transmission, alpha = inputs["Transmission Weight"], inputs["Alpha"]
    lets_through = not transmission.is_linked and transmission.default_value > _SEE_THROUGH
    return lets_through or (not alpha.is_linked and alpha.default_value < _SEE_THROUGH)
