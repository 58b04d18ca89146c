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
    assert error.code == "not_understood"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("move the chair 30 cm left and not the table", "not the table"),
        ("remove neither the chair nor the table", "neither the chair nor the table"),
        ("remove all stools except the white one", "except the white one"),
        ("remove everything but the chair", "but the chair"),
        ("remove the chair if it is blue", "if it is blue"),
        ("remove the white one", "one"),
        ("remove the chair the table", "the table"),
        ("remove the mug of the sofa", "of the sofa"),
        ("put on the desk", "on the desk"),
        ("move the chair 20 cm alongside the wall", "alongside the wall"),
        ("move the chair 30 cm left quickly", "quickly"),
        ("move the chair 30 blorps left", "30 blorps"),
        ("make the table twice as heavy", "as heavy"),
        ("put the mug under the table", "under the table"),
        ("put the mug next to the table", "to the table"),
        ("put the mug in the desk", "in the desk"),
        ("move the chair 30 cm left of the table", "of the table"),
        ("move the chair at least 30 cm left", "at least"),
        ("move the chair another 30 cm left", "another"),
        ("move the chair 30 cm more to the left", "more"),
        ("move the chair to the wall", "to the wall"),
    ],
)
def test_words_that_are_not_understood_are_quoted(request_: str, words: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code == "not_understood"
    assert f"“{words}” is not understood" in error.message
    assert "\n" not in error.one_line()


@pytest.mark.parametrize("request_", ["frobnicate the chair", "assemble a chair", "the chair 30 cm left", "left"])
def test_what_no_verb_begins_is_quoted_whole(request_: str):
    error = refusal(request_)
    assert error is not None and error.code == "not_understood"
    assert error.message == f"No verb that is known begins “{request_}”."


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("paint the chair reddish", "chair reddish"),
        ("paint the chair bright red", "chair bright"),
        ("make the table taller", "table taller"),
        ("make the room cosier", "room cosier"),
        ("remove the chair left", "chair left"),
        ("remove the chair leg", "chair leg"),
    ],
)
def test_words_that_a_name_may_consist_of_are_taken_for_one_and_quoted(request_: str, name: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code == "unknown_object"
    assert name in error.message


@pytest.mark.parametrize(
    "request_", ["", " ", "\n\t", ".", "...", "!?", ", ,", "please", "and then", "the", "30", "🪑"]
)
def test_requests_that_say_nothing(request_: str):
    error = refusal(request_)
    assert error is not None and error.code == "not_understood"
    assert error.hint


@pytest.mark.parametrize(
    ("request_", "missing"),
    [
        ("move the chair", "which way"),
        ("move 30 cm left", "what it is about"),
        ("move the chair 30 cm", "which way"),
        ("rotate the chair", "how far to turn"),
        ("rotate 30 degrees", "what it is about"),
        ("scale the table", "how much"),
        ("paint the chair", "which colour"),
        ("make the chair", "how much"),
        ("put the mug", "where to put it"),
        ("remove", "what it is about"),
        ("move the chair 30 cm left and paint", "what it is about"),
    ],
)
def test_what_is_missing_is_said(request_: str, missing: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code == "not_understood"
    assert f"does not say {missing}" in error.message


@pytest.mark.parametrize(
    ("request_", "piece"),
    [
        ("remove the chair 30 cm", "The length"),
        ("put the mug on the desk 20 cm left", "“left”"),
        ("rotate the chair 45 degrees 30 cm", "The length"),
        ("move the chair 30 cm left 45 degrees", "“45 degrees”"),
        ("move the chair 30 cm left on the table", "The length"),
        ("make the sofa red and twice as big", "The factor"),
        ("make the table 10 cm bigger", "“bigger”"),
        ("paint the chair red 30 cm", "The length"),
        ("put the mug on the desk on the table", "“on the table”"),
        ("rotate the chair clockwise left 30 degrees", "more than one turn"),
    ],
)
def test_pieces_that_the_verb_has_no_use_for_are_refused(request_: str, piece: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code == "not_understood"
    assert piece in error.message
