"""A refusal that asks: its JSON holds the question, what can answer it, and the id to answer it by."""

from __future__ import annotations

import pytest

from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.result import EditResult, Question


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
