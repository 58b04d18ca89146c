"""What we and the user write into a file: custom properties on objects and on the scene.

On an object, ``scenewright_id`` is ours, and on whatever we wrote to, ``scenewright_uid``;
``scenewright_category``, ``scenewright_front`` (degrees or an xy vector), ``scenewright_entity`` (objects with the same
text are one thing; empty text: a thing of its own), ``scenewright_role`` and ``scenewright_protected`` are the user's
marks and override every heuristic. ``scenewright_joint`` says how a drawer or a door moves: ``motion`` (``slide``,
``hinge``), ``axis``, ``origin`` and ``limit`` in the object's own space (degrees about a hinge), and ``closed``, its
matrix against its parent, row by row. On the scene, ``scenewright`` is our memory, ``scenewright_history`` what we did,
and ``north_deg`` the user's.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import bpy
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..model.errors import ScenewrightError

if TYPE_CHECKING:
    from .journal import Journal

PREFIX = "scenewright_"
OBJECT_ID = f"{PREFIX}id"
JOINT = f"{PREFIX}joint"
ENTITY = f"{PREFIX}entity"
BLOCK_UID = f"{PREFIX}uid"
REAL_NAME = f"{PREFIX}name"
MEMORY = "scenewright"
HISTORY = f"{PREFIX}history"
NORTH = "north_deg"
NOTES = frozenset([OBJECT_ID, BLOCK_UID, REAL_NAME, MEMORY, HISTORY])
"""Custom properties in which we keep what we need to know: they tell nothing of how anything is."""


class RootTrace(BaseModel):
    """What tells the root of a thing from its duplicates.

    Attributes:
        data: name of its object data, or None.
        at: where its origin was, metres, world.
    """

    model_config = ConfigDict(extra="ignore", strict=True)

    data: str | None
    at: list[float] = Field(min_length=3, max_length=3)


class SceneMemory(BaseModel):
    """What a scene remembers of earlier requests.

    Attributes:
        version: of this layout.
        turn: how many requests were carried out.
        ids: names of objects by the id of the thing whose root they are, or were before it went.
        traces: of the roots of things that there were at the last turn, by id.
    """

    model_config = ConfigDict(extra="allow", strict=True)

    version: Literal[1] = 1
    turn: int = Field(default=0, ge=0)
    ids: dict[str, str] = Field(default_factory=dict)
    traces: dict[str, RootTrace] = Field(default_factory=dict)


def object_marks(obj: bpy.types.Object) -> dict[str, object]:
    """Our properties of an object, without the prefix, as plain values."""
    return {k[len(PREFIX) :]: _plain(obj[k]) for k in obj.keys() if k.startswith(PREFIX)}  # noqa: SIM118 - an object is no mapping


def scene_memory(scene: bpy.types.Scene) -> dict[str, object]:
    """The fields of a scene's memory; what is damaged is as if it had never been written (see `doubts`).

    Raises:
        ScenewrightError: ``unsupported`` if a newer version wrote it, since that would be lost.
    """
    return _memory_and_damage(scene)[0].model_dump()


def last_turn(scene: bpy.types.Scene) -> int:
    """The number of the scene's last turn; 0 if there was none."""
    return _memory_and_damage(scene)[0].turn


def remember_turn(
    journal: Journal, scene: bpy.types.Scene, turn: int, ids: Mapping[str, str], traces: Mapping[str, RootTrace]
) -> None:
    """Write a turn into a scene's memory.

    Args:
        journal: records the old memory.
        scene: whose memory.
        turn: its number.
        ids: names of objects by the id of the thing whose root they are; those of things that have gone are kept.
        traces: of those objects, by id.
    """
    memory = _memory_and_damage(scene)[0]
    after = memory.model_copy(update={"turn": turn, "ids": memory.ids | dict(ids), "traces": dict(traces)})
    journal.assign(scene, f'["{MEMORY}"]', json.dumps(after.model_dump(), ensure_ascii=False, sort_keys=True))


def north_deg(scene: bpy.types.Scene) -> float:
    """Direction of north that the user set, degrees counter-clockwise from +Y; 0 if unset or no number."""
    value = scene.get(NORTH, 0.0)
    return float(value) if _is_angle(value) else 0.0


def doubts(scene: bpy.types.Scene) -> list[str]:
    """What of a scene's own properties cannot be taken as it is, a sentence each."""
    found = []
    damage = _memory_and_damage(scene)[1]
    if damage:
        found.append(f"What Scenewright remembered in this file is damaged ({damage}); that part starts anew.")
    north = scene.get(NORTH, 0.0)
    if not _is_angle(north):
        found.append(f"The scene's {NORTH} is no number of degrees; north is taken to be +Y.")
    return found


def _memory_and_damage(scene: bpy.types.Scene) -> tuple[SceneMemory, str]:
    """A scene's memory as far as it is sound, and what of it is not."""
    text = scene.get(MEMORY)
    if text is None:
        return SceneMemory(), ""
    try:
        fields = json.loads(text)
    except (TypeError, ValueError, RecursionError):  # no text, not JSON, nested too deep to be ours
        fields = None
    if not isinstance(fields, dict):
        return SceneMemory(), "all of it"
    version = fields.get("version")
    if isinstance(version, (int, float)) and version > SceneMemory().version:
        raise ScenewrightError(
            "unsupported",
            "A newer Scenewright keeps its memory in this file, and this one would lose it.",
            f"Update Scenewright, or remove the scene's custom property “{MEMORY}” to start its history anew.",
        )
    try:
        return SceneMemory.model_validate(fields), ""
    except ValidationError as error:
        broken = sorted({str(e["loc"][0]) for e in error.errors()})
        return SceneMemory.model_validate({k: v for k, v in fields.items() if k not in broken}), ", ".join(broken)


def _is_angle(value: object) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def can_carry_id(obj: bpy.types.Object) -> bool:
    """Whether a custom property on this object survives a reload (not on linked data, nor on overrides)."""
    return obj.library is None and obj.override_library is None


def is_note(path: str) -> bool:
    """Whether an RNA path is that of one of our notes."""
    return path[2:-2] in NOTES


def write_id(journal: Journal, obj: bpy.types.Object, entity_id: str) -> None:
    """Give an object its stable id."""
    journal.assign(obj, f'["{OBJECT_ID}"]', entity_id)


def _plain(value: object) -> object:
    if isinstance(value, (str, int, float, bool)):
        return value
    if hasattr(value, "to_list"):
        return value.to_list()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return None
