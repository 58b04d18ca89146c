"""What we and the user write into a file: custom properties on objects and one on the scene.

On an object, ``scenewright_id`` is ours; ``scenewright_category``, ``scenewright_front`` (degrees or an xy vector),
``scenewright_entity`` (objects with the same text are one thing; empty text: a thing of its own),
``scenewright_role`` and ``scenewright_protected`` are the user's marks and override every heuristic.
"""

from __future__ import annotations

import json

import bpy

from .journal import Journal

PREFIX = "scenewright_"
MEMORY = "scenewright"
MEMORY_VERSION = 1


def object_marks(obj: bpy.types.Object) -> dict[str, object]:
    """Our properties of an object, without the prefix, as plain values."""
    return {k[len(PREFIX) :]: _plain(obj[k]) for k in obj.keys() if k.startswith(PREFIX)}  # noqa: SIM118 - an object is no mapping


def scene_memory(scene: bpy.types.Scene) -> dict[str, object]:
    """Our property of a scene, or an empty one when there is none, it is damaged, or a newer version wrote it."""
    text = scene.get(MEMORY)
    if not isinstance(text, str):
        return {}
    try:
        memory = json.loads(text)
    except json.JSONDecodeError:
        return {}
    if not isinstance(memory, dict) or memory.get("version", 0) > MEMORY_VERSION:
        return {}
    return memory


def write_scene_memory(journal: Journal, scene: bpy.types.Scene, memory: dict[str, object]) -> None:
    """Replace our property of a scene."""
    text = json.dumps({**memory, "version": MEMORY_VERSION}, ensure_ascii=False, sort_keys=True)
    _set(journal, scene, MEMORY, text)


def can_carry_id(obj: bpy.types.Object) -> bool:
    """Whether a custom property on this object survives a reload (not on linked data, nor on overrides)."""
    return obj.library is None and obj.override_library is None


def write_id(journal: Journal, obj: bpy.types.Object, entity_id: str) -> None:
    """Give an object its stable id."""
    _set(journal, obj, f"{PREFIX}id", entity_id)


def _set(journal: Journal, block: bpy.types.ID, key: str, value: str) -> None:
    old = block.get(key)

    def restore() -> None:
        if old is None:
            del block[key]
        else:
            block[key] = old

    journal.record(restore)
    block[key] = value


def _plain(value: object) -> object:
    if isinstance(value, (str, int, float, bool)):
        return value
    if hasattr(value, "to_list"):
        return value.to_list()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return None
