"""Whatever is done can be taken back: step by step, all at once, and after saving and opening again."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.history import add_turn, go_to, lasting_edits, read_history
from scenewright.executor.blender.journal import Journal
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.history import History, Turn

from .operations import draw, state
from .rooms import furnished, open_blend, save

COUNT = 40
"""Operations in a row."""


def carry_out(journal: Journal, chance: random.Random, count: int) -> int:
    """Random operations, each in a transaction of its own; returns how many were not refused."""
    done = 0
    for _ in range(count):
        with suppress(ScenewrightError), journal.transaction():
            draw(chance)(journal, chance)
            done += 1
    return done


@pytest.mark.parametrize("seed", range(3))
def test_random_operations_are_taken_back_one_by_one(seed: int):
    furnished()
    journal, chance = Journal(lasting=True), random.Random(seed)
    states, marks = [state()], [journal.mark()]
    for _ in range(COUNT):
        if carry_out(journal, chance, 1):
            states.append(state())
            marks.append(journal.mark())
    assert len(states) > COUNT / 2
    for before, mark in zip(reversed(states[:-1]), reversed(marks[:-1]), strict=True):
        journal.roll_back(mark)
        assert state() == before


@pytest.mark.parametrize("seed", range(3))
def test_random_operations_are_taken_back_all_at_once(seed: int):
    furnished()
    blocks, before = set(bpy.data.user_map()), state()
    journal = Journal(lasting=True)
    carry_out(journal, random.Random(seed), COUNT)
    assert state() != before
    journal.roll_back(0)
    assert state() == before
    assert set(bpy.data.user_map()) == blocks


def turns_of(chance: random.Random, count: int) -> tuple[History, dict[int, dict[str, object]]]:
    """A history of random operations, a turn each, with the state after each turn."""
    history, states = History(), {0: state()}
    for _ in range(count):
        journal = Journal(lasting=True)
        if carry_out(journal, chance, 1):
            number = history.last + 1
            edits = lasting_edits(journal.since(0))
            turn = Turn(number=number, parent=history.current, kind="request", edits=edits)
            add_turn(journal, bpy.context.scene, history, turn)
            states[number] = state()
    return history, states


@pytest.mark.parametrize("seed", range(3))
def test_any_turn_is_gone_back_to_after_opening_the_file_again(seed: int, source: Path):
    furnished()
    chance = random.Random(seed)
    _, states = turns_of(chance, COUNT)
    open_blend(save(source))
    for number in chance.choices(list(states), k=10):
        history = read_history(bpy.context.scene)
        assert history is not None
        journal = Journal(lasting=True)
        assert go_to(journal, history, number).gone == []
        assert state() == states[number]
        turn = Turn(number=history.last + 1, parent=number, kind="restore", of=number)
        add_turn(journal, bpy.context.scene, history, turn)
        open_blend(save(source))
