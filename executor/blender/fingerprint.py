"""Fingerprints: whether an object is still what it was, in everything that an edit could touch.

Three parts: where the object is, what it shows (evaluated geometry) and what it is made from (own values, parent,
collections, visibility, slots with the materials' content, modifiers, constraints, animation, custom properties,
lights and cameras). They are kept apart since geometry may change without any edit: a displacement by a noise texture
is another one at every evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeAlias

import bpy
import numpy as np
from numpy.typing import NDArray

from ..model.steps import Steps
from ..reading.snapshot import ObjectRecord, Snapshot
from .animation import curves_of
from .looks import image_state
from .marks import NOTES
from .read import world_matrix
from .scenes import holdings

_DIGITS = 6

_VOLATILE: dict[str, set[str]] = {
    "ID": {"is_runtime_data", "library_weak_reference", "original", "override_library", "preview", "tag"}
    | {"use_extra_user", "use_fake_user"},
    "Object": {"animation_visualization", "dimensions", "matrix_basis", "matrix_local", "matrix_world", "motion_path"},
    "Material": {"paint_active_slot", "paint_clone_slot", "texture_paint_images", "texture_paint_slots"},
    "Key": {"reference_key"},
    "ShapeKey": {"data", "points"},
    "ParticleSettings": {"material_slot"},
    "ParticleSystem": {"child_particles", "particles"},
    "ParticleSystemModifier": {"particle_system"},
    "PointCache": {"point_caches"},
    "ImageUser": {"frame_current"},
    "MovieClipUser": {"frame_current"},
    "Pose": {"animation_visualization"},
    "PoseBone": {"matrix", "matrix_basis", "motion_path"},
    "Modifier": {"is_active", "show_expanded"},
    "NodesModifier": {"node_warnings", "panels", "show_group_selector", "show_manage_panel"},
    "GeometryNodesModifierInterface": {"panels"},
    "Constraint": {"show_expanded"},
    "AnimData": {"action_suitable_slots", "action_tweak_storage"},
    "FCurve": {"color", "color_mode", "hide", "is_valid"},
    "Driver": {"is_valid"},
    "NlaStrip": {"action_suitable_slots", "strip_time"},
    "Node": {"color", "dimensions", "height", "hide", "internal_links", "location", "location_absolute"}
    | {"show_options", "show_preview", "show_texture", "use_custom_color", "width"},
    "NodeSocket": {"description", "display_shape", "enabled", "hide", "link_limit", "pin_gizmo", "show_expanded"},
    "NodeLink": {"is_valid"},
    "NodeTreeInterfacePanel": {"interface_items"},
}
"""By the type that defines them: properties that change by themselves, follow from others, repeat them, or are only
about how things lie in an editor."""

_OF_THE_UI = ("active", "bl_", "open_", "select")
"""What such properties of all types begin with."""

_KEPT = {"identifier", "in_out", "multi_input_sort_id", "position"}
"""Properties that cannot be written, yet tell one state from another."""

_BY_CONTENT = (
    *(bpy.types.Camera, bpy.types.Light, bpy.types.LightProbe, bpy.types.Speaker, bpy.types.Key),
    *(bpy.types.Material, bpy.types.NodeTree, bpy.types.ParticleSettings, bpy.types.Texture),
)
"""Datablocks that are part of what an object is made from; others (a parent, a target) count by name only."""

_MENTIONED = (
    *(bpy.types.Node, bpy.types.NodeSocket, bpy.types.NodeTreeInterfaceItem),
    *(bpy.types.Bone, bpy.types.PoseBone),
)
"""Structs that are parts of a collection, and only mentioned where a pointer leads to them."""

_ANIMATING = (bpy.types.AnimData, bpy.types.NlaStrip, bpy.types.ActionConstraint)
"""Structs that hold an action and, since 4.4, which of its slots applies."""

_Reader: TypeAlias = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Equal when nothing changed (what is evaluated: to 1e-6).

    Attributes:
        placed: its world matrix.
        shown: its evaluated geometry, which may be another one at every evaluation.
        made_from: all else.
    """

    placed: bytes
    shown: bytes
    made_from: bytes


def fingerprints(
    objects: Mapping[str, bpy.types.Object], snapshot: Snapshot, others: Sequence[bpy.types.Scene] = ()
) -> Steps[dict[str, Fingerprint]]:
    """Fingerprints of all objects that a snapshot tells of, by full name, object by object.

    Args:
        objects: those of the file, by full name: an object's short name may be a linked one's, too. They have to stay
            as they are until the last one is done.
        snapshot: of the same state; its shapes are the evaluated geometry.
        others: scenes that it does not tell of. Their other objects are fingerprinted without being evaluated, and so
            is what each scene holds, by what `scene_key` gives.
    """
    digests = _Digests()
    found = {}
    for record in snapshot.objects:
        if record.name in objects:
            seen = sorted(record.collections), record.hidden
            found[record.name] = Fingerprint(
                _placed(record.world_from_local), _shown(record), digests.of_object(objects[record.name], *seen)
            )
            yield
    for scene in others:
        found[scene_key(scene)] = Fingerprint(b"", b"", _digest(*holdings(scene)))
        for obj in scene.objects:
            if obj.name_full not in found:
                found[obj.name_full] = Fingerprint(_placed(world_matrix(obj)), b"", digests.of_object(obj))
                yield
    return found


def scene_key(scene: bpy.types.Scene) -> str:
    """What the fingerprint of a scene's holdings goes by, among objects' names."""
    return f"the scene “{scene.name_full}”"


def _placed(world: object) -> bytes:
    return (np.round(np.array(world, np.float64), _DIGITS) + 0.0).tobytes()


def _shown(record: ObjectRecord) -> bytes:
    digest = blake2b(digest_size=16)
    for part in record.parts:
        digest.update(part.shape.key)
        digest.update(_placed(part.world_from_local))
    return digest.digest()


class _Digests:
    """Everything RNA tells of objects and of the datablocks that they are made from, each digested once per pass.

    What can be written is a value; a pointer that can be written mentions something, one that cannot leads to a part.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, object] = {}
        self._actions: dict[tuple[int, int], bytes] = {}
        self._plans: dict[type, tuple[list[tuple[str, _Reader]], list[_Reader]]] = {}

    def of_object(self, obj: bpy.types.Object, *seen: object) -> bytes:
        """All of an object but its evaluated geometry; `seen` is what it does not tell itself, as plain values."""
        data = obj.data
        return _digest(
            *seen,
            self._struct(obj),
            self._mention(data),
            self._mention(getattr(data, "shape_keys", None)),
            self._part(getattr(data, "animation_data", None)),
        )

    def _struct(self, struct: bpy.types.bpy_struct) -> object:
        kind = type(struct)
        if kind not in self._plans:
            self._plans[kind] = self._plan(struct)
        properties, further = self._plans[kind]
        found: list[object] = [kind.__name__]
        for name, read in properties:
            try:
                found.append(read(getattr(struct, name)))
            except (AttributeError, TypeError):  # a property of another engine's or version's
                found.append(None)
        found += [read(struct) for read in further]
        return found

    def _plan(self, struct: bpy.types.bpy_struct) -> tuple[list[tuple[str, _Reader]], list[_Reader]]:
        """How to read structs of a type: by property, and as a whole."""
        has_custom = _has_custom_properties(struct)
        volatile = {"rna_type"}.union(*(_VOLATILE.get(t.identifier, ()) for t in _lineage(struct.bl_rna)))
        properties = [
            (prop.identifier, self._reader(prop))
            for prop in struct.bl_rna.properties
            if prop.identifier not in volatile
            and not prop.identifier.startswith(_OF_THE_UI)
            and not getattr(prop, "is_deprecated", False)  # being read, such a property warns (5.x)
            # Registered from Python: read with the custom properties. A pointer among them, being followed, adds an
            # empty group to the file (4.5).
            and not (prop.is_runtime and has_custom)
            and (not prop.is_readonly or prop.type in ("POINTER", "COLLECTION") or prop.identifier in _KEPT)
        ]
        further: list[_Reader] = [_custom_properties] if has_custom else []
        if isinstance(struct, _ANIMATING):
            further.append(self._curves)
        return properties, further

    def _reader(self, prop: bpy.types.Property) -> _Reader:
        if prop.type == "POINTER":
            if prop.fixed_type.identifier == "ID":  # of any kind: what a driver looks at is no part
                return _name
            return self._part if prop.is_readonly else self._mention
        if prop.type == "COLLECTION":
            return self._collection
        if prop.type == "ENUM" and prop.is_enum_flag:
            return sorted
        if getattr(prop, "is_array", False):
            return _rows if prop.array_dimensions[1] else _numbers if prop.type == "FLOAT" else tuple
        return _number if prop.type == "FLOAT" else _itself

    def _part(self, value: bpy.types.bpy_struct | None) -> object:
        if value is None or isinstance(value, (bpy.types.ID, *_MENTIONED)):
            return self._mention(value)
        return self._struct(value)

    def _mention(self, value: bpy.types.bpy_struct | None) -> object:
        return self._block(value) if isinstance(value, bpy.types.ID) else _name(value)

    def _collection(self, items: Iterable[bpy.types.bpy_struct]) -> object:
        if isinstance(items, bpy.types.FCurveKeyframePoints):
            return _keys(items)
        return [self._part(item) if isinstance(item, bpy.types.ID) else self._struct(item) for item in items]

    def _block(self, block: bpy.types.ID) -> object:
        """A datablock by content, or by name where it is no part; within itself by name, too."""
        if isinstance(block, bpy.types.Image):
            return self._once(block, lambda: _digest(image_state(block), block.is_dirty))
        if not isinstance(block, _BY_CONTENT):
            return block.name_full
        return self._once(block, lambda: _digest(block.name_full, self._struct(block)))

    def _once(self, block: bpy.types.ID, digest: Callable[[], bytes]) -> object:
        pointer = block.as_pointer()
        if pointer not in self._blocks:
            self._blocks[pointer] = block.name_full
            self._blocks[pointer] = digest()
        return self._blocks[pointer]

    def _curves(self, struct: bpy.types.AnimData) -> object:
        """The curves of an action that apply: others of its slots are none of the object's business."""
        action, slot = struct.action, getattr(struct, "action_slot", None)
        if action is None:
            return None
        key = (action.as_pointer(), slot.handle if slot is not None else 0)
        if key not in self._actions:
            self._actions[key] = _digest([self._struct(curve) for curve in curves_of(action, slot)])
        return self._actions[key]


def _digest(*values: object) -> bytes:
    return blake2b(repr(values).encode(), digest_size=16).digest()


def _itself(value: object) -> object:
    return value


def _name(value: Any) -> object:
    return getattr(value, "identifier", None) or getattr(value, "name_full", None) or getattr(value, "name", None)


def _number(value: float) -> object:
    return value + 0.0  # -0.0 is as good as 0.0, and may come back as that (overrides)


def _numbers(values: Iterable[float]) -> object:
    return [value + 0 for value in values]


def _rows(matrix: Iterable[Iterable[float]]) -> object:
    return [_numbers(row) for row in matrix]


def _lineage(kind: bpy.types.Struct | None) -> Iterator[bpy.types.Struct]:
    while kind is not None:
        yield kind
        kind = kind.base


_KEY_FIELDS: dict[str, tuple[int, type]] = {
    **dict.fromkeys(("co", "handle_left", "handle_right"), (2, np.float32)),
    **dict.fromkeys(("amplitude", "back", "period"), (1, np.float32)),
    **dict.fromkeys(("easing", "handle_left_type", "handle_right_type", "interpolation", "type"), (1, np.int32)),
}


def _keys(points: bpy.types.FCurveKeyframePoints) -> bytes:
    digest = blake2b(digest_size=16)
    for field, (width, dtype) in _KEY_FIELDS.items():
        values: NDArray[Any] = np.empty(len(points) * width, dtype)
        points.foreach_get(field, values)
        digest.update(values.tobytes())
    return digest.digest()


# --- custom properties ----------------------------------------------------------------------------------------


def _has_custom_properties(struct: bpy.types.bpy_struct) -> bool:
    try:
        struct.keys()
    except TypeError:  # there is no other way to know
        return False
    return True


def _custom_properties(struct: bpy.types.bpy_struct) -> object:
    """Custom properties but our own notes, and those that add-ons registered: kept apart since 5.0."""
    found = {key: struct[key] for key in struct.keys() if key not in NOTES}  # noqa: SIM118 - a struct is no mapping
    if hasattr(struct, "bl_system_properties_get"):
        found["bl_system_properties"] = struct.bl_system_properties_get()
    return _custom(found) if found else {}


def _custom(value: Any) -> object:
    """A value as plain data. Groups that hold nothing are as good as none: Blender adds them at a whim."""
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if hasattr(value, "to_list"):
        return value.to_list()
    if hasattr(value, "items"):
        plain = {key: _custom(item) for key, item in value.items()}
        return {key: item for key, item in sorted(plain.items()) if item not in (None, {})}
    if isinstance(value, (list, tuple)):
        return [_custom(item) for item in value]
    return value
