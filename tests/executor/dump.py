"""Everything that RNA tells of a file's datablocks, but of Blender's interface and of what changes by itself."""

from __future__ import annotations

import hashlib
from typing import Any

import bpy

from scenewright.executor.blender.blocks import all_blocks

RESTLESS = {
    "ID": {"session_uid", "users", "is_evaluated", "is_runtime_data", "tag", "preview", "original", "use_extra_user"}
    | {"is_library_indirect", "library_weak_reference"},
    "Scene": {"view_layers", "tool_settings", "keying_sets_all", "collection"},
    "Object": {"bound_box", "dimensions", "matrix_world", "matrix_local", "is_instancer"},
    "Modifier": {"execution_time", "is_active", "persistent_uid"},
    "Mesh": {"uv_layer_clone", "uv_layer_stencil", "loop_triangles", "loop_triangle_polygons", "attributes"}
    | {"color_attributes", "vertex_normals", "polygon_normals", "corner_normals"},
    "Image": {
        "pixels",
        "bindcode",
        "has_data",
        "is_dirty",
        "channels",
        "depth",
        "size",
        "resolution",
        "frame_duration",
    },
    "Library": {"version"},
    "Driver": {"is_valid"},
    "FCurve": {"is_valid"},
    "NodeLink": {"is_valid"},
    "PackedFile": {"data"},
    "Text": {"lines"},
}
"""By the type that defines them: properties that are another value without an edit, or too large to compare."""

BULK = {"vertices", "edges", "loops", "polygons", "points", "data", "particles", "child_particles", "keyframe_points"}
"""Geometry: told by its size and by the places of its vertices."""


def dump() -> dict[tuple[str, str], object]:
    """Values of all datablocks, by kind and full name."""
    return {
        (kind, block.name_full): struct(block, 0)
        for kind, block in all_blocks()
        if kind not in ("libraries", "brushes", "palettes", "fonts")
    }


def struct(owner: Any, depth: int) -> object:
    """Values of a struct's properties; datablocks that it points at are told by name."""
    skipped = {"rna_type"}.union(*(RESTLESS.get(kind, ()) for kind in lineage(owner.bl_rna)))
    found: dict[str, object] = {}
    for prop in owner.bl_rna.properties:
        name = prop.identifier
        if name in skipped or getattr(prop, "is_deprecated", False) or name.startswith(("is_updated", "bl_")):
            continue
        try:
            value = getattr(owner, name)
        except (AttributeError, TypeError, UnicodeDecodeError):  # of another engine or version, or no text
            continue
        found[name] = told(prop, name, value, depth)
    if isinstance(owner, bpy.types.ID):
        found["content"] = content(owner)
        found["custom"] = {k: repr(plain(owner[k])) for k in owner.keys()}  # noqa: SIM118 - a datablock is no mapping
    return found


def content(block: bpy.types.ID) -> object:
    """What a datablock carries along: text, packed files, and its preview."""
    packed = [getattr(block, "packed_file", None), *(p.packed_file for p in getattr(block, "packed_files", ()))]
    preview = block.preview
    return (
        block.as_string() if isinstance(block, bpy.types.Text) else None,
        [hashlib.sha256(p.data).hexdigest() for p in packed if p is not None],
        (tuple(preview.image_size), hash(tuple(preview.image_pixels))) if preview is not None else None,
    )


def told(prop: bpy.types.Property, name: str, value: Any, depth: int) -> object:
    if prop.type == "POINTER":
        if value is None or isinstance(value, bpy.types.ID):
            return value and (embedded(value, depth) or value.name_full)
        return struct(value, depth + 1) if depth < 5 and prop.is_readonly else getattr(value, "name", "")
    if prop.type == "COLLECTION":
        if name in BULK:
            return len(value), tuple(tuple(v.co) for v in value) if name == "vertices" and len(value) < 500 else None
        return [item(v, depth) for v in value] if depth < 5 else None
    if prop.type == "ENUM" and prop.is_enum_flag:
        return sorted(value)
    return repr(tuple(value)) if getattr(prop, "is_array", False) and value is not None else repr(value)


def item(value: Any, depth: int) -> object:
    if value is None or isinstance(value, bpy.types.ID):
        return value and value.name_full
    return struct(value, depth + 1)


def embedded(block: bpy.types.ID, depth: int) -> object:
    """The content of a datablock that is part of another one: node trees."""
    return struct(block, depth + 1) if block.is_embedded_data and isinstance(block, bpy.types.NodeTree) else None


def lineage(kind: bpy.types.Struct | None) -> list[str]:
    found = []
    while kind is not None:
        found.append(kind.identifier)
        kind = kind.base
    return found


def plain(value: Any) -> object:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value.to_list() if hasattr(value, "to_list") else value
