"""Blender's own undo beside our history: the two never disagree, and things are found again after it."""

from __future__ import annotations

import bpy
import pytest

from scenewright.agent.loop import Options, run
from scenewright.executor.blender.history import read_history
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.result import EditResult
from scenewright.executor.model.steps import finish

from .operations import state
from .rooms import furnished


@pytest.fixture
def stage() -> Stage:
    """The furnished room in a session that can be undone, one stage for all of it."""
    furnished()
    bpy.ops.ed.undo_push(message="Original")
    return Stage(bpy.context)


def request(stage: Stage, text: str) -> EditResult:
    """Carry out a request as one step of Blender's undo."""
    result = finish(run(text, stage, Options()))
    assert result.status == "satisfied"
    bpy.ops.ed.undo_push(message=text)
    return result


def turns() -> list[int]:
    history = read_history(bpy.context.scene)
    return [turn.number for turn in history.turns] if history is not None else []


def test_b10_a_request_after_undo_is_applied_once(stage: Stage):
    request(stage, "move the chair 20 cm left")
    bpy.ops.ed.undo()
    assert (bpy.data.objects["Chair"].location.x, turns()) == (1.5, [])
    assert request(stage, "move the chair 20 cm left").turn == 1
    assert (bpy.data.objects["Chair"].location.x, turns()) == (pytest.approx(1.3), [1])


def test_b10_undo_and_redo_take_the_history_along(stage: Stage):
    before = state()
    request(stage, "move the chair 20 cm left")
    between = state()
    request(stage, "remove the sofa and paint the table red")
    after = state()
    for step, found, numbers in (
        (bpy.ops.ed.undo, between, [1]),
        (bpy.ops.ed.undo, before, []),
        (bpy.ops.ed.redo, between, [1]),
        (bpy.ops.ed.redo, after, [1, 2]),
    ):
        step()
        assert (state(), turns()) == (found, numbers)
    assert request(stage, "move the mug 5 cm left").preservation.changed == []
    assert turns() == [1, 2, 3]


def test_b10_after_undo_nothing_counts_as_changed_by_hand(stage: Stage):
    request(stage, "move the chair 20 cm left")
    request(stage, "turn the chair by 30 degrees")
    bpy.ops.ed.undo()
    request(stage, "move the chair 10 cm back")
    history = read_history(bpy.context.scene)
    assert history is not None
    assert [(t.number, t.kind, t.parent) for t in history.turns] == [(1, "request", 0), (2, "request", 1)]
