"""A request changes the datablocks of its targets and nothing else of the file, compared through RNA."""

from __future__ import annotations

import random
from pathlib import Path

import bpy

from scenewright.agent.loop import Options, run
from scenewright.executor.blender.files import open_scene
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.steps import finish

from .dump import dump

FILES = 3
TRIES = 8


def moved_thing(stage: Stage, chance: random.Random) -> set[str]:
    """Move any thing of the scene by a centimetre; returns the names of all objects that may differ by that."""
    world = finish(stage.read())
    things = [t for t in world.ids() if not world.is_structure(t)]
    for thing in chance.sample(things, min(TRIES, len(things))):
        try:
            result = finish(run(f"move {thing} 1 cm up", stage, Options(allow_collision=True)))
        except ScenewrightError:
            continue
        if result.status != "refused":
            return {n for c in result.changes for n in world.member_names(c.id)} | set(result.preservation.changed)
    return set()


def without_notes(found: object) -> object:
    """A datablock's values without our own custom properties."""
    assert isinstance(found, dict)
    return {**found, "custom": {k: v for k, v in found["custom"].items() if not k.startswith("scenewright")}}


def test_one_moved_thing_is_all_that_differs_in_a_file_from_the_field(luck: int, field_data: Path):
    files = sorted(f for f in field_data.rglob("*.blend") if f.stat().st_size < 6_000_000)
    moved = 0
    for file in random.Random(luck).sample(files, FILES):
        try:
            open_scene(file)
        except ScenewrightError:
            continue
        bpy.context.scene.frame_set(bpy.context.scene.frame_current)
        before = dump()
        allowed = moved_thing(Stage(bpy.context), random.Random(luck))
        moved += bool(allowed)
        after = dump()
        actions = {o.animation_data.action.name_full for o in bpy.data.objects if o.name_full in allowed and _acts(o)}
        differ = {key for key in before if key not in after or without_notes(after[key]) != without_notes(before[key])}
        assert differ <= {("objects", n) for n in allowed} | {("actions", n) for n in actions}, file.name
        assert after.keys() == before.keys(), file.name
    assert moved


def _acts(obj: bpy.types.Object) -> bool:
    return obj.animation_data is not None and obj.animation_data.action is not None
