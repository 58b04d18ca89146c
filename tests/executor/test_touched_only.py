"""A request changes the datablocks of its targets and nothing else of the file, compared through RNA."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import bpy

from scenewright.agent.loop import Options, run
from scenewright.executor.blender.files import open_scene, save_blend
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.result import EditResult
from scenewright.executor.model.steps import finish

from .dump import dump
from .everything import everything
from .rooms import digest, edit, open_blend, scenewright

SHARES = 27
"""The files from the field are shared out to so many seeds: with more, each is tried again, with another request."""
TRIES, STOPS = 8, 3
REQUESTS = ("move {} 1 cm up", "turn {} by 10 degrees", "scale {} to 90 %", "paint {} red", "remove {}", "hide {}")
MADE = {"materials", "node_groups", "meshes", "curves", "shape_keys"}
"""What painting may make."""
LISTING = {"objects", "all_objects", "collection_objects"}
"""What of a collection and of its scene tells that something was removed."""

Dump = dict[tuple[str, str], object]


def share(folder: Path, luck: int) -> list[Path]:
    """A seed's files from the field; small and large ones come as they may."""
    files = sorted(folder.rglob("*.blend"))
    random.Random(0).shuffle(files)
    return files[luck % SHARES :: SHARES]


def opened(path: Path) -> bool:
    """Open a file; whether this Blender can read it."""
    try:
        open_scene(path)
    except ScenewrightError:
        assert bpy.app.version < (4, 5), path
        return False
    return True


def changed_thing(stage: Stage, chance: random.Random) -> tuple[EditResult | None, set[str]]:
    """Carry out a request on any one thing of the scene; returns names of all objects that may differ by that."""
    world = finish(stage.read())
    things = [t for t in world.ids() if not world.is_structure(t)]
    for thing in chance.sample(things, min(TRIES, len(things))):
        request = chance.choice(REQUESTS).format(f"“{thing}”")
        before = dump()
        try:
            result = finish(run(request, stage, Options(allow_collision=True)))
        except ScenewrightError:
            result = None
        if result is not None and result.status != "refused":
            return result, {n for c in result.changes for n in world.member_names(c.id)}
        assert differing(before, dump()) == {}, request
    return None, set()


def differing(before: Dump, after: Dump) -> dict[tuple[str, str], set[str]]:
    """Properties that differ, by datablock; ``""`` is one that came or went. Our own notes do not count."""
    found = {}
    for key in {*before, *after}:
        one, other = (d.get(key, {}) for d in (before, after))
        assert isinstance(one, dict) and isinstance(other, dict)
        names = {name for name in {*one, *other} if _noteless(name, one) != _noteless(name, other)}
        if names or not (one and other):
            found[key] = names if one and other else {""}
    return found


def _noteless(name: str, found: dict[str, object]) -> object:
    value = found.get(name)
    if name != "custom" or not isinstance(value, dict):
        return value
    return {k: v for k, v in value.items() if not k.startswith("scenewright")}


def untouched(
    differ: dict[tuple[str, str], set[str]], allowed: set[str], made: bool
) -> dict[tuple[str, str], set[str]]:
    """What differs, though a request on some objects should not have changed it."""
    objects = [o for o in bpy.data.objects if o.name_full in allowed]
    actions = {o.animation_data.action.name_full for o in objects if _acts(o)}
    meshes = {o.data.name_full for o in objects if o.data is not None and o.data.users == 1}
    return {
        (kind, name): paths
        for (kind, name), paths in differ.items()
        if not (
            (kind == "objects" and name in allowed)
            or (kind == "actions" and name in actions)
            or (kind in ("scenes", "collections") and paths <= LISTING)
            or (made and kind in MADE and paths == {""})
            or (made and kind == "meshes" and name in meshes and paths == {"materials"})
        )
    }


def _acts(obj: bpy.types.Object) -> bool:
    return obj.animation_data is not None and obj.animation_data.action is not None


def test_a_request_on_one_thing_is_all_that_differs_in_a_file_from_the_field(luck: int, field_data: Path):
    for file in share(field_data, luck):
        if opened(file):
            bpy.context.scene.frame_set(bpy.context.scene.frame_current)
            dump()  # being read, some things are made up
            before = dump()
            result, allowed = changed_thing(Stage(bpy.context), random.Random(luck))
            painted = result is not None and any(c.kind == "restyled" for c in result.changes)
            allowed |= set(result.preservation.changed) if result is not None else set()
            assert untouched(differing(before, dump()), allowed, painted) == {}, (file.name, result and result.request)


def test_a_saved_file_differs_from_an_unedited_save_by_a_request_on_one_thing(
    luck: int, field_data: Path, tmp_path: Path
):
    chance = random.Random(luck)
    for file in [*share(field_data, luck), everything(tmp_path)]:
        if not opened(file):
            continue
        save_blend(tmp_path / "unedited.blend", None)
        world = finish(Stage(bpy.context).read())
        things = [t for t in world.ids() if not world.is_structure(t)]
        for thing in chance.sample(things, min(TRIES, len(things))):
            request = chance.choice(REQUESTS).format(f"“{thing}”")
            done = edit(file, request, tmp_path / "edited.blend", "--allow-collision")
            if done.code < 2:
                break
        else:
            continue
        result = done.result
        allowed = {n for c in result.changes for n in world.member_names(c.id)} | set(result.preservation.changed)
        dumps = []
        for name in ("unedited", "edited"):
            open_blend(tmp_path / f"{name}.blend")
            dumps.append(dump())
        painted = any(c.kind == "restyled" for c in result.changes)
        assert untouched(differing(*dumps), allowed, painted) == {}, (file.name, request)


# --- what is refused, stopped, or only asked ------------------------------------------------------------------------


def test_a_request_that_is_stopped_half_way_leaves_every_datablock_as_it_was(luck: int, tmp_path: Path):
    everything(tmp_path)
    chance, stage, stops = random.Random(luck), Stage(bpy.context), 0
    things = finish(stage.read()).ids()
    dump()
    before = dump()
    while stops < STOPS:
        asked = ", ".join(chance.sample(REQUESTS, 3)).format(*[f"“{chance.choice(things)}”"] * 3)
        steps, doing = run(asked, stage, Options(allow_collision=True)), set()
        with suppress(ScenewrightError, StopIteration):  # refused
            while len(doing) < 6:  # two requirements are met by then
                doing.add(next(steps).doing)
            stops += 1
        steps.close()
        assert dump() == before, asked


def test_questions_about_a_scene_leave_every_datablock_as_it_was(luck: int, field_data: Path, tmp_path: Path):
    for file in [*share(field_data, luck), everything(tmp_path)]:
        if opened(file):
            dump()
            before = dump()
            assert scenewright("graph", "-", "--json").code == 0
            assert scenewright("history", "-", "list").code == 0
            assert dump() == before, file.name


def test_a_dry_run_writes_nothing(tmp_path: Path):
    file = everything(tmp_path)
    before = {path.name: digest(path) for path in tmp_path.iterdir()}
    assert scenewright("edit", file, "move the speaker 10 cm up", "--dry-run", "--json").code == 0
    assert {path.name: digest(path) for path in tmp_path.iterdir()} == before
