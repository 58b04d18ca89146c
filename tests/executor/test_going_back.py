"""Whatever is done can be taken back: step by step, all at once, and after saving and opening again."""

from __future__ import annotations

import random
import shutil
from contextlib import suppress
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.files import open_scene
from scenewright.executor.blender.fingerprint import Fingerprint
from scenewright.executor.blender.history import add_turn, go_to, lasting_edits, left_with, read_history
from scenewright.executor.blender.journal import Journal
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.history import History, Turn, Written

from .operations import draw, state
from .rooms import furnished, open_blend, save

COUNT = 40
"""Operations in a row."""
FIELD = [
    "scenes/io7m_bedroom/bedroom.blend",
    "scenes/workspace/room.glb",
    "scenes/gltf_blender_io/tests/scenes/21_scene.blend",
    "scenes/gltf_blender_io/tests/scenes/39_parenting_full_hierarchy.blend",
]
FIELD_COUNT, FIELD_STATES = 200, 4
"""Operations in a row in a scene from the field, and after how many of them its state is kept."""


def carry_out(journal: Journal, chance: random.Random, count: int) -> int:
    """Random operations, each in a transaction of its own; returns how many were not refused."""
    done = 0
    for _ in range(count):
        with suppress(ScenewrightError), journal.transaction():
            draw(chance)(journal, chance)
            done += 1
    return done


def history_of(chance: random.Random, count: int, every: int) -> dict[int, dict[str, object]]:
    """Keep a history of random operations, a turn each, in the scene; returns the state after each so-many-th."""
    history, states = History(), {0: state()}
    for _ in range(count):
        journal = Journal(lasting=True)
        if carry_out(journal, chance, 1):
            number, edits = history.last + 1, lasting_edits(journal.since(0))
            written = [Written(thing=None, block=b, values=v) for b, v in left_with(edits).items()]
            turn = Turn(number=number, parent=history.current, kind="request", edits=edits, written=written)
            add_turn(journal, bpy.context.scene, history, turn)
            if number % every == 0:
                states[number] = state()
    return states


def go_back(number: int) -> None:
    """Go to a turn, which nothing may be missing for, and keep that as a turn."""
    history = read_history(bpy.context.scene)
    assert history is not None
    journal = Journal(lasting=True)
    assert go_to(journal, history, number).gone == []
    turn = Turn(number=history.last + 1, parent=number, kind="restore", of=number)
    add_turn(journal, bpy.context.scene, history, turn)


def test_random_operations_are_taken_back_one_by_one(luck: int):
    furnished()
    journal, chance = Journal(lasting=True), random.Random(luck)
    states, marks = [state()], [journal.mark()]
    for _ in range(COUNT):
        if carry_out(journal, chance, 1):
            states.append(state())
            marks.append(journal.mark())
    assert len(states) > COUNT / 2
    for before, mark in zip(reversed(states[:-1]), reversed(marks[:-1]), strict=True):
        journal.roll_back(mark)
        assert state() == before


def test_random_operations_are_taken_back_all_at_once(luck: int):
    furnished()
    blocks, before = set(bpy.data.user_map()), state()
    journal = Journal(lasting=True)
    carry_out(journal, random.Random(luck), COUNT)
    assert state() != before
    journal.roll_back(0)
    assert state() == before
    assert set(bpy.data.user_map()) == blocks


def test_any_turn_is_gone_back_to_after_opening_the_file_again(luck: int, source: Path):
    furnished()
    chance = random.Random(luck)
    states = history_of(chance, COUNT, every=1)
    open_blend(save(source))
    for number in chance.choices(list(states), k=20):
        go_back(number)
        assert state() == states[number]
        open_blend(save(source))


def kept(found: dict[str, object]) -> dict[str, object]:
    """A state without evaluated shapes: in the field some are others at every evaluation, and none is written to."""
    return {name: (f.placed, f.made_from) if isinstance(f, Fingerprint) else f for name, f in found.items()}


def opened(path: Path) -> None:
    try:
        open_scene(path)
    except ScenewrightError:
        if bpy.app.version >= (4, 5):
            raise
        pytest.skip("made by a Blender that this one cannot read")


@pytest.mark.parametrize("scene", FIELD)
def test_a_scene_from_the_field_is_taken_back(scene: str, luck: int, field_data: Path):
    opened(field_data / scene)
    journal, chance = Journal(lasting=True), random.Random(luck)
    states, marks = [kept(state())], [journal.mark()]
    for _ in range(FIELD_STATES):
        assert carry_out(journal, chance, FIELD_COUNT // FIELD_STATES)
        states.append(kept(state()))
        marks.append(journal.mark())
    for before, mark in zip(reversed(states[:-1]), reversed(marks[:-1]), strict=True):
        journal.roll_back(mark)
        assert kept(state()) == before


@pytest.mark.parametrize("scene", FIELD)
def test_any_turn_of_a_scene_from_the_field_is_gone_back_to(scene: str, luck: int, field_data: Path, tmp_path: Path):
    """Compared without what another loading of the file changes by itself (proxies from before Blender 3.0)."""
    folder = tmp_path / "copy"
    if "io7m" in scene:  # saved beside its libraries, since paths are kept relative
        shutil.copytree((field_data / scene).parent, folder, copy_function=shutil.copy)
    opened(folder / Path(scene).name if folder.is_dir() else field_data / scene)
    chance, output = random.Random(luck), (folder if folder.is_dir() else tmp_path) / "out.blend"
    states = history_of(chance, FIELD_COUNT // 4, every=FIELD_COUNT // 4 // FIELD_STATES)
    before = kept(state())
    open_blend(save(output))
    restless = {name for name, found in kept(state()).items() if before.get(name) != found}
    restless |= {o.name_full for o in bpy.data.objects if o.type == "CAMERA"}  # Blender 4.5 adds to them in loading
    for number in chance.choices(list(states), k=4):
        go_back(number)
        found, wanted = kept(state()), kept(states[number])
        assert {n for n in {*found, *wanted} - restless if found.get(n) != wanted.get(n)} == set()
        open_blend(save(output))
