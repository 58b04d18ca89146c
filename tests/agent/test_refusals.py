"""What must not be carried out: said otherwise, said in part, or not understood. Refused whole, with words quoted."""

from __future__ import annotations

import pytest

from .graphs import refusal, understood


@pytest.mark.parametrize(
    "request_",
    [
        "don't move the chair 30 cm left",
        "don’t remove the chair",
        "dont remove the chair",
        "do not remove the chair",
        "never remove the chair",
        "please don't paint the chair red",
        "you must not remove the chair",
        "I don't want you to remove the chair",
        "move the chair 30 cm left but don't turn it",
        "move the chair 30 cm left, not the table",
        "move the chair 30 cm left and not the table",
        "move the chair not 30 cm left",
        "move no chair 30 cm left",
        "remove neither the chair nor the table",
        "remove all stools except the white one",
        "remove everything but the chair",
        "don't paint the chair red and move the table 10 cm left",
        "move the table 10 cm left without moving the mug",
        "without moving the mug, move the table 10 cm left",
        "keep the chair and remove the table",
        "remove the chair? no",
        "no, remove the chair",
        "undo remove the chair",
        "remove the chair if it is blue",
        "should I remove the chair?",
        "move the chair 30 cm left unless it collides",
        "make the chair not red",
        "paint the chair anything but red",
    ],
)
def test_negations_conditions_and_exceptions_are_never_carried_out(request_: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code in ("not_understood", "unknown_object")


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("move the chair 20 cm away from the wall", "away from the wall"),
        ("move the chair 30 cm left quickly", "quickly"),
        ("move the chair 30 blorps left", "blorps"),
        ("frobnicate the chair", "frobnicate"),
        ("paint the chair reddish", "reddish"),
        ("paint the chair bright red", "bright"),
        ("make the table twice as long", "long"),
        ("make the table taller", "taller"),
        ("put the mug under the table", "under"),
        ("put the mug next to the table", "next to"),
        ("put the mug in the desk", "in"),
        ("move the chair 30 cm left of the table", "of the table"),
        ("move the chair at least 30 cm left", "at least"),
        ("move the chair another 30 cm left", "another"),
        ("move the chair 30 cm more to the left", "more"),
        ("move the chair to the wall", "wall"),
        ("add a chair", "add"),
        ("make the room cosier", "cosier"),
    ],
)
def test_words_that_are_not_understood_are_quoted(request_: str, words: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code in ("not_understood", "unknown_object")
    assert words in error.message
    assert "\n" not in error.one_line()


@pytest.mark.parametrize(
    "request_", ["", " ", "\n\t", ".", "...", "!?", ", ,", "please", "and then", "the", "30", "🪑"]
)
def test_requests_that_say_nothing(request_: str):
    error = refusal(request_)
    assert error is not None and error.code == "not_understood"
    assert error.hint


@pytest.mark.parametrize(
    "request_",
    [
        "move the chair",
        "move 30 cm left",
        "move the chair 30 cm",
        "rotate the chair",
        "rotate 30 degrees",
        "scale the table",
        "paint the chair",
        "make the chair",
        "put the mug",
        "put on the desk",
        "remove",
        "move the chair 30 cm left and paint",
    ],
)
def test_what_is_missing_is_said(request_: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code in ("not_understood", "unknown_object")


@pytest.mark.parametrize(
    "request_",
    [
        "remove the chair 30 cm",
        "remove the chair left",
        "put the mug on the desk 20 cm left",
        "rotate the chair 45 degrees 30 cm",
        "move the chair 30 cm left 45 degrees",
        "move the chair 30 cm left on the table",
        "make the sofa red and twice as big",
        "make the table 10 cm bigger",
        "paint the chair red 30 cm",
        "put the mug on the desk on the table",
        "rotate the chair clockwise left 30 degrees",
    ],
)
def test_pieces_that_the_verb_has_no_use_for_are_refused(request_: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code in ("not_understood", "unknown_object", "contradiction")
