"""References to datablocks that outlive renaming, saving, undo and appending: by an id of their own, else by name."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import bpy

from ..model.edit import Block
from .marks import BLOCK_UID

_OF_THE_UI = frozenset(["all_ids", "brushes", "paint_curves", "palettes", "screens", "window_managers", "workspaces"])


def reference(block: bpy.types.ID) -> Block:
    """What leads back to a datablock. A scene's own collection is meant by its scene."""
    block = whole(block)
    return Block(
        kind=_kind_of(block),
        name=block.name,
        library=block.library.filepath if block.library else None,
        uid=_uid_of(block),
    )


def whole(block: bpy.types.ID) -> bpy.types.ID:
    """The datablock itself; the scene, of a collection that is a scene's own."""
    if isinstance(block, bpy.types.Collection) and block.is_embedded_data:
        return next(scene for scene in bpy.data.scenes if scene.collection == block)
    return block


def resolve(reference: Block) -> bpy.types.ID | None:
    """The datablock that is meant, or None if it is not there any more.

    One that carries the id is found whatever it is called. Where copies carry it, too, it is the one that still has
    the name, else one that is in the scene, else the oldest.
    """
    held = getattr(bpy.data, reference.kind)
    named: bpy.types.ID | None = held.get((reference.name, reference.library))
    if reference.uid is None or (named is not None and _uid_of(named) == reference.uid):
        return named
    carriers = [block for block in held if _uid_of(block) == reference.uid]
    shown = set(bpy.context.scene.objects) if reference.kind == "objects" else set()
    return min(carriers, key=lambda block: (block not in shown, block.session_uid), default=None)


def own_uid(block: bpy.types.ID) -> str | None:
    """The id that a datablock should carry: its own, or a new one if it has none or a copy's; None if it
    can carry none.
    """
    if not can_carry(block):
        return None
    uid = _uid_of(block)
    if uid is not None and resolve(reference(block).model_copy(update={"name": ""})) == block:
        return uid
    return secrets.token_hex(8)


def can_carry(block: bpy.types.ID) -> bool:
    """Whether a custom property of a datablock survives a reload (not on linked data, nor on overrides)."""
    return block.library is None and block.override_library is None


def all_blocks() -> Iterator[tuple[str, bpy.types.ID]]:
    """Every datablock of the file that is no part of Blender's interface, with its kind."""
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION" and prop.identifier not in _OF_THE_UI:
            for block in getattr(bpy.data, prop.identifier):
                yield prop.identifier, block


def _uid_of(block: bpy.types.ID) -> str | None:
    uid = block.get(BLOCK_UID)
    return uid if isinstance(uid, str) and can_carry(block) else None


def _kind_of(block: bpy.types.ID) -> str:
    for prop in bpy.data.bl_rna.properties:
        if prop.type != "COLLECTION" or prop.identifier in _OF_THE_UI:
            continue
        if isinstance(block, getattr(bpy.types, prop.fixed_type.identifier)):
            return str(prop.identifier)
    raise TypeError(f"{block} is no datablock of the file")
