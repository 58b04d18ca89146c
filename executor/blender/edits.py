"""Edits put into the file: each can be read, made, and taken back exactly."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray
from pydantic import JsonValue

from ..model.edit import Block, CreationEdit, Edit, KeysEdit, Membership, MembershipEdit, Shown, State, ValueEdit
from .animation import curves_of
from .blocks import reference, resolve
from .scenes import objects_in

_ABSENT: dict[str, JsonValue] = {}
_PATH = re.compile(r"""(?:(?P<owner>.+?)\.?)??(?P<name>\w+|\["(?:[^"\\]|\\.)*"\])(?:\[(?P<index>\d+)\])?$""", re.DOTALL)
_LISTS = ("children", "materials")
"""Properties that hold datablocks, and have no setter."""
KEY_FIELDS = ("co", "handle_left", "handle_right")


class GoneError(Exception):
    """What an edit is about is not in the file any more."""


def state_of(edit: Edit) -> State:
    """How what an edit is about is now, in the terms of its old and new state.

    Raises:
        GoneError: it is not there.
    """
    if isinstance(edit, CreationEdit):
        block_of(edit)
        return None
    if isinstance(edit, ValueEdit):
        return read_value(block_of(edit), edit.path)
    if isinstance(edit, KeysEdit):
        return read_keys(curve_of(edit))
    return membership_of(block_of(edit))


def put(edit: Edit, state: State) -> None:
    """Make what an edit is about what a state says.

    Raises:
        GoneError: it is not there.
    """
    if isinstance(edit, ValueEdit):
        write_value(block_of(edit), edit.path, state)
    elif isinstance(edit, KeysEdit):
        assert isinstance(state, Mapping)
        write_keys(curve_of(edit), {field: str(text) for field, text in state.items()})
    elif isinstance(edit, MembershipEdit):
        assert isinstance(state, Membership)
        _put_membership(block_of(edit), state)


def block_of(edit: Edit) -> Any:
    """The datablock that an edit is about.

    Raises:
        GoneError: it is not there.
    """
    block = resolve(edit.block)
    if block is None and isinstance(edit, ValueEdit) and edit.path == "name":
        # What can carry no id is found by its name, and that is what changes.
        names = [str(edit.new), str(edit.old)]
        block = next(filter(None, (resolve(edit.block.model_copy(update={"name": n})) for n in names)), None)
    return block if block is not None else _block(edit.block)


def _block(ref: Block) -> Any:
    block = resolve(ref)
    if block is None:
        raise GoneError(f"{ref.name} ({ref.kind})")
    return block


# --- values ---------------------------------------------------------------------------------------------------


def value_at(block: bpy.types.ID, path: str) -> Any:
    """The value of a property; a custom property that is not there is ``{}``.

    Raises:
        GoneError: there is nothing of this path.
    """
    owner, name, index = _address(block, path)
    if index is not None:
        return getattr(owner, name)[index]
    if name.startswith("["):
        return owner.get(_key(name), _ABSENT)
    value = getattr(owner, name)
    return list(value) if name in _LISTS else value


def read_value(block: bpy.types.ID, path: str) -> JsonValue:
    """What `value_at` gives as plain data: arrays as lists, datablocks as references."""
    return _plain(value_at(block, path))


def write_value(block: bpy.types.ID, path: str, value: Any) -> None:
    """Set a property to a value, or to what `read_value` has read.

    Raises:
        GoneError: there is nothing of this path, or the datablock that is its value is not there.
    """
    owner, name, index = _address(block, path)
    if index is not None:
        getattr(owner, name)[index] = value
    elif name.startswith("["):
        _put_custom(owner, _key(name), value)
    elif name == "materials":
        _put_materials(owner, _live(value))
    elif name == "parent":  # being set, it makes the inverse the identity
        inverse = owner.matrix_parent_inverse.copy()
        owner.parent = _live(value)
        owner.matrix_parent_inverse = inverse
    elif name == "children":
        _put_children(owner.children, _live(value))
    elif isinstance(getattr(owner, name), Matrix):
        setattr(owner, name, Matrix(value))
    else:
        setattr(owner, name, _live(value))


def _address(block: bpy.types.ID, path: str) -> tuple[Any, str, int | None]:
    """The struct that has a property, the property's name, and which item of an array is meant, if one is."""
    found = _PATH.match(path)
    if found is None:
        raise GoneError(f"{path} of {block.name}")
    try:
        owner = block.path_resolve(found["owner"]) if found["owner"] else block
    except ValueError as error:
        raise GoneError(f"{found['owner']} of {block.name}") from error
    return owner, found["name"], int(found["index"]) if found["index"] else None


def _key(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name[2:-2])


def _put_custom(owner: Any, key: str, value: Any) -> None:
    if value != _ABSENT:
        owner[key] = _live(value)
    elif key in owner:
        del owner[key]


def _plain(value: Any) -> JsonValue:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, bpy.types.ID):
        return {"block": reference(value).model_dump()}
    if isinstance(value, dict):
        return value
    if hasattr(value, "to_dict"):
        plain: JsonValue = value.to_dict()
        return plain
    return [_plain(item) for item in value]


def _live(value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {"block"}:
        return _block(Block.model_validate(value["block"]))
    return [_live(item) for item in value] if isinstance(value, list) else value


def _put_materials(data: bpy.types.ID, materials: list[bpy.types.Material | None]) -> None:
    """Slots come and go at the end only, so that the others keep what objects put into them."""
    slots = data.materials
    shrinks = len(slots) > len(materials)
    while len(slots) > len(materials):
        slots.pop()
    for index, material in enumerate(materials):
        if index == len(slots):
            slots.append(material)
        elif slots[index] != material:
            slots[index] = material
    for user in (o for o in bpy.data.objects if o.data == data) if shrinks else ():
        user.data = data  # objects notice new slots, but not that there are fewer


def _put_children(children: bpy.types.CollectionChildren, wanted: list[bpy.types.Collection]) -> None:
    """New ones go to the end: none of the others loses its place, or its flags in a view layer."""
    for child in list(children):
        if child not in wanted:
            children.unlink(child)
    for child in wanted:
        if child.name not in children:
            children.link(child)


# --- keys -----------------------------------------------------------------------------------------------------


def curve_of(edit: KeysEdit) -> bpy.types.FCurve:
    """The curve that an edit changes."""
    action = block_of(edit)
    slot = next((s for s in getattr(action, "slots", ()) if s.handle == edit.slot), None)
    for curve in curves_of(action, slot):
        if (curve.data_path, curve.array_index) == (edit.path, edit.index):
            return curve
    raise GoneError(f"the curve {edit.path}[{edit.index}] of {action.name}")


def read_keys(curve: bpy.types.FCurve) -> dict[str, str]:
    """Coordinates and handles of all keys."""
    return encoded_keys({field: key_values(curve, field) for field in KEY_FIELDS})


def encoded_keys(values: Mapping[str, NDArray[np.float32]]) -> dict[str, str]:
    """Values of keys as text."""
    return {field: base64.b64encode(array.astype(np.float32).tobytes()).decode() for field, array in values.items()}


def write_keys(curve: bpy.types.FCurve, keys: Mapping[str, str]) -> None:
    """Set what `read_keys` has read.

    Raises:
        GoneError: there are more or fewer keys by now.
    """
    for field, text in keys.items():
        values = np.frombuffer(base64.b64decode(text), np.float32)
        if len(values) != 2 * len(curve.keyframe_points):
            raise GoneError(f"keys of {curve.data_path}")
        curve.keyframe_points.foreach_set(field, values)
    curve.update()


def key_values(curve: bpy.types.FCurve, field: str) -> NDArray[np.float32]:
    """Frame and value, ``(2 n,)``, of one field of n keys."""
    values = np.empty(len(curve.keyframe_points) * 2, np.float32)
    curve.keyframe_points.foreach_get(field, values)
    return values


# --- membership -----------------------------------------------------------------------------------------------


def membership_of(obj: bpy.types.Object) -> Membership:
    """Where an object is linked, at which index, and how the view layers show it."""
    places = [(reference(c), list(c.objects).index(obj)) for c in obj.users_collection]
    shown = [
        Shown(
            scene=scene.name,
            layer=layer.name,
            selected=obj.select_get(view_layer=layer),
            hidden=obj.hide_get(view_layer=layer),
            active=layer.objects.active == obj,
        )
        for scene in obj.users_scene
        for layer in scene.view_layers
        if _is_in(obj, layer)
    ]
    return Membership(places=tuple(places), shown=tuple(shown))


def _is_in(obj: bpy.types.Object, layer: bpy.types.ViewLayer) -> bool:
    objects = objects_in(layer)
    found = objects.get(obj.name)
    return found == obj or (found is not None and obj in objects.values())  # what is linked may have the same name


def _put_membership(obj: bpy.types.Object, wanted: Membership) -> None:
    """Link and unlink an object until it is where it is wanted, at the old place by relinking all that came after it.

    Nothing in between may sync the view layer: neighbours would lose their selection and eye state.
    """
    places = [(_collection(ref), index) for ref, index in wanted.places]
    for collection in obj.users_collection:
        if collection not in [c for c, _ in places]:
            collection.objects.unlink(obj)
    for collection, index in places:
        held = list(collection.objects)
        if obj in held and held.index(obj) == index:
            continue
        if obj in held:
            collection.objects.unlink(obj)
            held.remove(obj)
        _link_at(collection, obj, held[index:])
    scenes = obj.users_scene
    for shown in wanted.shown:
        layer = next((s.view_layers.get(shown.layer) for s in scenes if s.name == shown.scene), None)
        if layer is not None:
            with suppress(RuntimeError):  # its collection is excluded from the layer by now
                obj.hide_set(False, view_layer=layer)  # what is hidden cannot be selected
                obj.select_set(shown.selected, view_layer=layer)
                obj.hide_set(shown.hidden, view_layer=layer)
                if shown.active:
                    layer.objects.active = obj


def _link_at(collection: bpy.types.Collection, obj: bpy.types.Object, tail: Iterable[bpy.types.Object]) -> None:
    behind = list(tail)
    for other in behind:
        collection.objects.unlink(other)
    collection.objects.link(obj)
    for other in behind:
        collection.objects.link(other)


def _collection(ref: Block) -> bpy.types.Collection:
    block = _block(ref)
    return block.collection if isinstance(block, bpy.types.Scene) else block
