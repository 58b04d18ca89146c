"""Fingerprints: whether an object is still what it was, in everything that an edit could touch.

Two parts: what the object shows (evaluated geometry, in place) and what it is made from (own values, parent,
collections, visibility, slots with the materials' content, modifiers, constraints, animation, custom properties).
They are kept apart since geometry may change without any edit: a displacement by a noise texture is another one at
every evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import bpy
import numpy as np

from ..reading.snapshot import ObjectRecord, Snapshot
from .marks import PREFIX
from .transform import action_curves

_DIGITS = 6
_DEEPEST = 5
_VOLATILE = {
    "rna_type",
    "name_full",
    "session_uid",
    "users",
    "is_evaluated",
    "is_runtime_data",
    "tag",
    "preview",
    "is_updated",
    "is_updated_data",
    "is_updated_transform",
    "use_extra_user",
    "is_library_indirect",
    "execution_time",
    "is_active",
    "persistent_uid",
    "original",
    "id_data",
    "select",
    "show_expanded",
    "location",
    "location_absolute",
    "width",
    "height",
    "dimensions",
    "is_missing",
    "storage_type",
}
"""Properties that change by themselves, or are only where things lie in an editor."""

_OWN_VALUES = (
    "location",
    "rotation_mode",
    "rotation_euler",
    "rotation_quaternion",
    "rotation_axis_angle",
    "scale",
    "delta_location",
    "delta_rotation_euler",
    "delta_rotation_quaternion",
    "delta_scale",
    "lock_location",
    "lock_rotation",
    "lock_scale",
    "hide_viewport",
    "hide_render",
    "hide_select",
    "display_type",
    "color",
    "pass_index",
    "instance_type",
    "parent_type",
    "parent_bone",
)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Equal when nothing changed (floats to 1e-6)."""

    shown: bytes
    made_from: bytes


def fingerprints(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, snapshot: Snapshot) -> dict[str, Fingerprint]:
    """Fingerprints of all objects of a scene, by full name.

    Args:
        scene: what the snapshot was taken of.
        view_layer: whose eye icons count.
        snapshot: of the same state; its shapes are the evaluated geometry.
    """
    digests = _Blocks()
    found = {}
    for record in snapshot.objects:
        obj = scene.objects.get(record.title) if record.name == record.title else _by_full_name(scene, record.name)
        if obj is not None:
            found[record.name] = Fingerprint(_shown(record), digests.of_object(obj, record, view_layer))
    return found


def _by_full_name(scene: bpy.types.Scene, name: str) -> bpy.types.Object | None:
    return next((o for o in scene.objects if o.name_full == name), None)


def _shown(record: ObjectRecord) -> bytes:
    digest = blake2b(digest_size=16)
    digest.update(np.round(record.world_from_local, _DIGITS).tobytes())
    for part in record.parts:
        digest.update(part.shape.key)
        digest.update((np.round(part.world_from_local, _DIGITS) + 0.0).tobytes())
    return digest.digest()


class _Blocks:
    """Digests of shared datablocks, each computed once per pass."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}

    def of_object(self, obj: bpy.types.Object, record: ObjectRecord, view_layer: bpy.types.ViewLayer) -> bytes:
        values: list[object] = [getattr(obj, name) for name in _OWN_VALUES]
        values += [
            record.parent,
            obj.matrix_parent_inverse,
            sorted(record.collections),
            record.hidden,
            obj.data.name_full if obj.data else None,
            obj.instance_collection.name_full if obj.instance_collection else None,
            sorted((k, str(obj[k])) for k in obj.keys() if not k.startswith(PREFIX)),  # noqa: SIM118 - an object is no mapping
        ]
        digest = blake2b(digest_size=16)
        digest.update(repr([_plain(v) for v in values]).encode())
        for slot in obj.material_slots:
            digest.update(slot.link.encode())
            digest.update(self._of_block(slot.material))
        for stack in (obj.modifiers, obj.constraints):
            for item in stack:
                digest.update(repr(_struct(item, 0)).encode())
        for curve in action_curves(obj):
            digest.update(repr(_curve(curve)).encode())
        data = obj.animation_data
        if data is not None:
            digest.update(repr([_struct(d, 0) for d in data.drivers]).encode())
            digest.update(repr([_struct(t, 0) for t in data.nla_tracks]).encode())
        return digest.digest()

    def _of_block(self, material: bpy.types.Material | None) -> bytes:
        if material is None:
            return b"none"
        pointer = material.as_pointer()
        if pointer not in self._known:
            text = repr((material.name_full, _struct(material, 0)))
            self._known[pointer] = blake2b(text.encode(), digest_size=16).digest()
        return self._known[pointer]


def _curve(curve: bpy.types.FCurve) -> object:
    points = curve.keyframe_points
    values = np.empty(len(points) * 2, np.float32)
    points.foreach_get("co", values)
    return (curve.data_path, curve.array_index, curve.mute, np.round(values, _DIGITS).tolist())


def _struct(struct: bpy.types.bpy_struct, depth: int) -> object:
    """Everything RNA tells of a struct, as plain values; other datablocks by name only."""
    if depth > _DEEPEST:
        return None
    found = []
    for prop in struct.bl_rna.properties:
        name = prop.identifier
        if name in _VOLATILE:
            continue
        try:
            value = getattr(struct, name)
        except (AttributeError, TypeError):  # a property of another engine's or version's
            continue
        if prop.type == "POINTER":
            found.append((name, _pointer(value, depth)))
        elif prop.type == "COLLECTION":
            found.append((name, [_pointer(item, depth) for item in value] if _worth_walking(name, value) else None))
        else:
            found.append((name, _plain(value)))
    return found


def _worth_walking(name: str, items: Iterable[object]) -> bool:
    return name not in ("internal_links", "keyframe_points", "texture_paint_images", "texture_paint_slots")


def _pointer(value: object, depth: int) -> object:
    if value is None:
        return None
    if isinstance(value, bpy.types.NodeTree):
        return _struct(value, depth + 1)
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if isinstance(value, (bpy.types.Node, bpy.types.NodeSocket)) and depth > 2:
        return value.name
    return _struct(value, depth + 1) if isinstance(value, bpy.types.bpy_struct) else None


def _plain(value: object) -> object:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0
    if isinstance(value, (str, int, bool)) or value is None:
        return value
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "__len__"):
        return [_plain(v) for v in value]  # type: ignore[attr-defined]
    return str(value)
