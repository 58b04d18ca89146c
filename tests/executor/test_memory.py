"""What we keep in a scene outlives damage, and what a newer version wrote is never lost to an older one."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender import marks
from scenewright.executor.blender.journal import Journal

from .rooms import edit, furnished, open_blend, save, scenewright


def remembered() -> dict:
    return json.loads(bpy.context.scene["scenewright"])


def test_a_turn_is_counted_and_what_else_is_remembered_stays(source: Path, out: Path):
    furnished()
    bpy.context.scene["scenewright"] = json.dumps({"version": 1, "turn": 4, "ids": {}, "zones": [{"name": "den"}]})
    save(source)
    assert edit(source, "move the chair 20 cm left", out).result.turn == 5
    open_blend(out)
    memory = remembered()
    assert (memory["version"], memory["turn"], memory["zones"]) == (1, 5, [{"name": "den"}])
    assert memory["ids"]["chair"] == "Chair"


@pytest.mark.parametrize("version", [2, 1.5, 10**12])
def test_what_a_newer_version_remembers_is_not_overwritten(version: float, source: Path, out: Path):
    furnished()
    bpy.context.scene["scenewright"] = json.dumps({"version": version, "turns": {"a": 1}})
    save(source)
    done = edit(source, "move the chair 20 cm left", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "newer" in done.json["error"]["message"] and done.json["error"]["hint"]
    assert not out.exists()
    assert scenewright("graph", source).code == 2


DAMAGED = [
    '{"version": "1"}',
    '{"version": null, "turn": 3}',
    '{"version": 0}',
    '{"turn": "x"}',
    '{"turn": null}',
    '{"turn": -3}',
    '{"turn": 1.5}',
    '{"turn": true}',
    '{"ids": {"a": [1]}}',
    '{"ids": ["chair"]}',
    '{"traces": {"chair": {"data": "Chair"}}}',
    '{"traces": {"chair": {"data": "Chair", "at": [0, 1]}}}',
    '{"traces": {"chair": 1}}',
    '{"turn": NaN}',
    "[]",
    "null",
    "{",
    "",
    "[" * 100_000,
    7,
    {"turn": 3},
    [1.0, 2.0],
]


@pytest.mark.parametrize("memory", DAMAGED, ids=lambda m: str(m)[:24])
def test_damaged_memory_is_told_and_stops_nothing(memory: object, source: Path, out: Path):
    furnished()
    bpy.context.scene["scenewright"] = memory
    (doubt,) = marks.doubts(bpy.context.scene)
    assert "damaged" in doubt
    save(source)
    done = edit(source, "move the chair 20 cm left", out)
    assert done.code == 0, done.out
    open_blend(out)
    assert marks.doubts(bpy.context.scene) == []
    assert remembered()["ids"]["chair"] == "Chair"


def test_only_the_damaged_part_starts_anew(source: Path, out: Path):
    furnished()
    bpy.context.scene["scenewright"] = json.dumps({"version": 1, "turn": 7, "ids": {"chair": 3}, "zones": []})
    assert "(ids)" in marks.doubts(bpy.context.scene)[0]
    save(source)
    assert edit(source, "move the chair 20 cm left", out).result.turn == 8
    open_blend(out)
    assert remembered()["zones"] == []


def test_a_scene_without_memory_or_with_sound_one_raises_no_doubt():
    furnished()
    assert marks.doubts(bpy.context.scene) == []
    trace = marks.RootTrace(data="Chair", at=[0.0, 1.0, 2.0])
    marks.remember_turn(Journal(), bpy.context.scene, 1, {"chair": "Chair"}, {"chair": trace})
    assert marks.doubts(bpy.context.scene) == []
    assert marks.scene_memory(bpy.context.scene) == {
        "version": 1,
        "turn": 1,
        "ids": {"chair": "Chair"},
        "traces": {"chair": {"data": "Chair", "at": [0.0, 1.0, 2.0]}},
    }


@pytest.mark.parametrize(
    ("value", "north", "doubtful"),
    [
        (None, 0.0, False),
        (30, 30.0, False),
        (-12.5, -12.5, False),
        ("up", 0.0, True),
        ([1.0, 0.0], 0.0, True),
        (float("nan"), 0.0, True),
        (float("inf"), 0.0, True),
        ({"deg": 3}, 0.0, True),
    ],
)
def test_north_is_what_the_user_set_if_it_is_a_number(value: object, north: float, doubtful: bool):
    furnished()
    if value is not None:
        bpy.context.scene["north_deg"] = value
    assert marks.north_deg(bpy.context.scene) == north
    assert any("north" in d for d in marks.doubts(bpy.context.scene)) == doubtful


def test_a_room_drawn_behind_the_scene_is_no_obstacle_to_editing_it(source: Path, out: Path):
    furnished()
    room = bpy.context.scene
    chair = bpy.data.objects["Chair"]
    front = bpy.data.scenes.new("Front")
    front.background_set = room
    room.collection.objects.unlink(chair)
    front.collection.objects.link(chair)
    bpy.context.window.scene = front
    save(source)
    done = edit(source, "move the chair 20 cm left", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    assert "scenewright_id" in bpy.data.objects["Chair"] and "scenewright_id" not in bpy.data.objects["Table"]
    refused = edit(source, "move the table 20 cm left", out, "--force")
    assert (refused.code, refused.json["error"]["code"]) == (2, "unknown_object")
    assert "behind" in refused.json["error"]["message"]


def test_a_graph_is_read_from_damaged_properties_and_tells_of_them(tmp_path: Path):
    furnished()
    bpy.context.scene["scenewright"] = '{"turn": "x"}'
    bpy.context.scene["north_deg"] = "up"
    done = scenewright("graph", save(tmp_path / "room.blend"))
    assert done.code == 0
    assert done.json["north_deg"] == 0
    assert [("remembered" in w, "north" in w) for w in done.json["warnings"]] == [(True, False), (False, True)]
