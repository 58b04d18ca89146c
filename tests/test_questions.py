"""A refusal that asks: its JSON holds the question, what can answer it, and the id to answer it by."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.result import EditResult, Question

from .executor.rooms import block, edit, furnished, save


def test_what_is_asked_is_a_question_of_the_result_with_its_id_and_candidates():
    asked = ScenewrightError(
        "ambiguous",
        "Which stool? There are 2: stool, stool_2.",
        "Answer with --answer which_stool=ID.",
        ["stool", "stool_2"],
        question="which_stool",
    )
    result = EditResult.refused("move the stool", asked)
    assert result.questions == [
        Question(id="which_stool", text="Which stool? There are 2: stool, stool_2.", candidates=["stool", "stool_2"])
    ]
    assert result.error is not None and result.error.candidates == ["stool", "stool_2"]


@pytest.mark.parametrize("code", ["ambiguous", "blocked"])
def test_what_no_answer_helps_is_no_question(code):
    refused = ScenewrightError(code, "They face different ways.", "Use --frame viewer.", ["chair", "stool"])
    assert EditResult.refused("move them forward", refused).questions == []


def test_a_question_is_still_one_when_its_refusal_is_raised_again():
    asked = ScenewrightError("ambiguous", "Which stool?", candidates=["a", "b"], question="which_stool")
    again = EditResult.refused("move the stool", asked).refusal()
    assert again is not None
    assert (again.question, again.candidates) == ("which_stool", ["a", "b"])


def test_an_ambiguous_request_asks_its_question_in_the_json(tmp_path: Path):
    furnished()
    block("Chair.001", (0.45, 0.45, 0.9), (1.5, 1, 0))
    done = edit(save(tmp_path / "room.blend"), "move the chair 20 cm left", tmp_path / "out.blend")
    (asked,) = done.json["questions"]
    assert (done.code, asked["id"], asked["candidates"]) == (2, "which_chair", ["chair", "chair_001"])


def test_an_answer_to_the_question_is_taken_without_a_warning(tmp_path: Path):
    furnished()
    block("Chair.001", (0.45, 0.45, 0.9), (1.5, 1, 0))
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the chair 20 cm left", tmp_path / "out.blend", "--answer", "which_chair=chair_001")
    assert (done.code, done.result.warnings) == (0, [])
    assert [c.id for c in done.result.changes] == ["chair_001"]
