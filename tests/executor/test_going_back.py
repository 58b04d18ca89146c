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
from scenewright.executor.blender.history import (
    add_turn,
    changed_by_hand,
    go_to,
    lasting_edits,
    left_with,
    read_history,
)
from scenewright.executor.blender.journal import Journal
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.history import History, Turn, Written

from .everything import everything
from .operations import draw, state
from .rooms import furnished, open_blend, save

COUNT = 40
"""Operations in a row."""
SCENES = [
    "scenes/io7m_bedroom/bedroom.blend",
    "scenes/workspace/room.glb",
    "scenes/gltf_blender_io/tests/scenes/21_scene.blend",
    "scenes/gltf_blender_io/tests/scenes/39_parenting_full_hierarchy.blend",
    "everything",
]
"""From the field, and one made here."""
MANY, LOOKS = 200, 8
"""Operations in a row in one of those, and at how many moments its state is looked at: that takes the time."""
RETURNS = 0.06
"""How often a turn is no operation, but a return to another one: what follows is another branch."""


def carry_out(journal: Journal, chance: random.Random, count: int) -> int:
    """Random operations, each in a transaction of its own; returns how many were not refused."""
    done = 0
    for _ in range(count):
        with suppress(ScenewrightError), journal.transaction():
            draw(chance)(journal, chance)
            done += 1
    return done


def history_of(chance: random.Random, count: int, every: int = 1) -> dict[int, dict[str, object]]:
    """Keep a history of random operations, a turn each, and of returns, in the scene; returns the state after each
    so-many-th turn.
    """
    history, states = History(), {0: state()}
    for _ in range(count):
        if chance.random() < RETURNS:
            go_back(history, chance.choice(list(states)))
        else:
            journal = Journal(lasting=True)
            if not carry_out(journal, chance, 1):
                continue
            number, edits = history.last + 1, lasting_edits(journal.since(0))
            written = [Written(thing=None, block=b, values=v) for b, v in left_with(edits).items()]
            turn = Turn(number=number, parent=history.current, kind="request", edits=edits, written=written)
            add_turn(journal, bpy.context.scene, history, turn)
        if history.current % every == 0:
            states[history.current] = state()
    return states


def go_back(history: History, number: int) -> None:
    """Go to a turn, which nothing may be missing for, and keep that as a turn."""
    journal = Journal(lasting=True)
    assert go_to(journal, history, number).gone == []
    turn = Turn(number=history.last + 1, parent=number, kind="restore", of=number)
    add_turn(journal, bpy.context.scene, history, turn)


def kept_history() -> History:
    """What the scene says of itself; nobody else has changed anything."""
    history = read_history(bpy.context.scene)
    assert history is not None
    assert changed_by_hand(history) == []
    return history


# --- in a room ------------------------------------------------------------------------------------------------------


def test_random_operations_are_taken_back_one_by_one(luck: int):
    furnished()
    journal, chance = Journal(lasting=True), random.Random(luck)
    states, marks = [state()], [journal.mark()]
    for _ in range(COUNT):
        if carry_out(journal, chance, 1):
            states.append(state())
            marks.append(journal.mark())
        else:
            assert state() == states[-1]
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
    states = history_of(chance, COUNT)
    open_blend(save(source))
    for number in chance.choices(list(states), k=20):
        go_back(kept_history(), number)
        assert state() == states[number]
        open_blend(save(source))


# --- in the field, and with everything that Blender has -------------------------------------------------------------


def kept(found: dict[str, object]) -> dict[str, object]:
    """A state without evaluated shapes: in the field some are others at every evaluation, and none is written to."""
    return {name: (f.placed, f.made_from) if isinstance(f, Fingerprint) else f for name, f in found.items()}


@pytest.fixture(params=SCENES)
def output(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where the scene that is open may be saved."""
    scene: str = request.param
    if scene == "everything":
        everything(tmp_path)
        return tmp_path / "out.blend"
    file: Path = request.getfixturevalue("field_data") / scene
    if "io7m" in scene:  # saved beside its libraries, since paths are kept relative
        file = shutil.copytree(file.parent, tmp_path / "copy", copy_function=shutil.copy) / file.name
    try:
        open_scene(file)
    except ScenewrightError:
        if bpy.app.version >= (4, 5):
            raise
        pytest.skip("made by a Blender that this one cannot read")
    if "io7m" in scene:  # proxies from before Blender 3.0 change by themselves with the first two openings
        for _ in range(2):
            open_blend(save(file.with_name("out.blend")))
    return (file.parent if "io7m" in scene else tmp_path) / "out.blend"


def test_operations_on_whatever_there_is_are_taken_back(output: Path, luck: int):
    """The later half one by one, the earlier one all at once; what is refused leaves everything as it was."""
    journal, chance = Journal(lasting=True), random.Random(luck)
    start, states, refused = kept(state()), {}, 0
    looks = {*chance.sample(range(MANY // 2, MANY), LOOKS - 1), MANY // 2}
    marks = []
    for number in range(MANY):
        if number in looks:
            states[number] = kept(state())
        marks.append(journal.mark())
        if not carry_out(journal, chance, 1) and refused < LOOKS and number in looks:
            refused += 1
            assert kept(state()) == states[number]
    for number in reversed(range(MANY // 2, MANY)):
        journal.roll_back(marks[number])
        if number in states:
            assert kept(state()) == states[number]
    journal.roll_back(0)
    assert kept(state()) == start


def test_any_turn_of_whatever_there_is_is_gone_back_to(output: Path, luck: int, soaks: bool):
    chance, count = random.Random(luck), MANY if soaks else MANY // 4
    states = history_of(chance, count, every=count // LOOKS)
    open_blend(save(output))
    # Blender 4.5 adds to them in loading.
    cameras = {o.name_full for o in bpy.data.objects if o.type == "CAMERA"} if bpy.app.version < (5, 0) else set()
    for number in chance.choices(list(states), k=20 if soaks else LOOKS):
        go_back(kept_history(), number)
        found, wanted = kept(state()), kept(states[number])
        assert {n for n in {*found, *wanted} - cameras if found.get(n) != wanted.get(n)} == set()
        open_blend(save(output))
