"""What the hands can do besides moving: take things out of the scene, and give them another colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import bpy

from ..model.errors import ScenewrightError
from .journal import Journal
from .looks import color_socket

_SEE_THROUGH = 0.5


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


def remove(journal: Journal, objects: Sequence[bpy.types.Object]) -> None:
    """Take objects out of every collection; they stay in the file with a fake user, so that restoring is exact.

    Parents, constraints, drivers and modifiers that point at them keep pointing.
    """
    for obj in objects:
        state = _Membership.of(obj)
        journal.record(lambda state=state: state.restore())  # type: ignore[misc]
        obj.use_fake_user = True
        for collection, _ in state.places:
            collection.objects.unlink(obj)
    bpy.context.view_layer.update()


@dataclass(frozen=True, slots=True)
class _Membership:
    """Where an object is linked, in which order, and how the view layers show it."""

    obj: bpy.types.Object
    places: list[tuple[bpy.types.Collection, int]]
    fake_user: bool
    shown: list[tuple[bpy.types.ViewLayer, bool, bool, bool]]

    @classmethod
    def of(cls, obj: bpy.types.Object) -> _Membership:
        places = [(c, list(c.objects).index(obj)) for c in obj.users_collection]
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
    """Give objects a base colour by materials of their own; glass and emitters keep theirs.

    Each material is copied once per call and put in slots linked to the object, so meshes and other users of the
    material stay as they are.

    Args:
        journal: records old values.
        objects: what to recolour.
        color: linear RGB.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``unsupported`` if nothing of it can be recoloured here.
    """
    copies: dict[str, bpy.types.Material] = {}
    painted = 0
    for obj in objects:
        if obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
            raise ScenewrightError(
                "unsupported",
                f"{name} is an instance of the collection “{obj.instance_collection.name}”.",
                "Make the instance real, or recolour what is in the collection.",
            )
        if obj.data is None or not hasattr(obj.data, "materials"):
            continue
        if not obj.material_slots:
            _add_slot(journal, obj)
        for slot in obj.material_slots:
            if slot.material is not None and (_emits(slot.material) or _is_glass(slot.material)):
                continue
            key = slot.material.name_full if slot.material else ""
            if key not in copies:
                copies[key] = _colored_copy(journal, slot.material, color, name)
            _put(journal, slot, copies[key])
            painted += 1
    if not painted:
        raise ScenewrightError("unsupported", f"Nothing of {name} carries a colour that can be changed.", "")
    bpy.context.view_layer.update()


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
    socket = color_socket(material)
    if socket is not None:
        for link in list(socket.links):
            material.node_tree.links.remove(link)
        socket.default_value = rgba
    return material


def _emits(material: bpy.types.Material) -> bool:
    return _principled(material, "Emission Strength") > 0 and any(
        c > 0.05 for c in _principled_color(material, "Emission Color")
    )


def _is_glass(material: bpy.types.Material) -> bool:
    return _principled(material, "Transmission Weight") > _SEE_THROUGH or _principled(material, "Alpha") < _SEE_THROUGH


def _principled_node(material: bpy.types.Material) -> bpy.types.Node | None:
    tree = material.node_tree
    return next((n for n in tree.nodes if n.type == "BSDF_PRINCIPLED"), None) if tree else None


def _principled(material: bpy.types.Material, identifier: str) -> float:
    """A Principled input by identifier (names are localised), 1 for Alpha and 0 for others where there is none."""
    node = _principled_node(material)
    socket = next((i for i in node.inputs if i.identifier == identifier), None) if node else None
    if socket is None or socket.is_linked:
        return 1.0 if identifier == "Alpha" else 0.0
    return float(socket.default_value)


def _principled_color(material: bpy.types.Material, identifier: str) -> tuple[float, ...]:
    node = _principled_node(material)
    socket = next((i for i in node.inputs if i.identifier == identifier), None) if node else None
    return tuple(socket.default_value[:3]) if socket is not None else (0.0, 0.0, 0.0)
