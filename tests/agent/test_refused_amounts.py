"""Numbers, colours and signs: none is dropped, none overwritten by another, and none goes beyond a room."""

from __future__ import annotations

import pytest

from .graphs import graph, refusal, thing, understood


@pytest.mark.parametrize(
    "request_",
    [
        "move the chair 30 cm left 20 cm",
        "move the chair 20 cm 30 cm left",
        "move the chair 20-30 cm left",
        "move the chair 20 to 30 cm left",
        "move the chair 1 000 mm left",
        "move the chair 1,000 mm left",
        "move the chair 1.000 mm left",
        "move the chair 1½ m left",
        "move the chair ½ m left",
        "move the chair 1/2 m left",
        "move the chair 2 * 3 m left",
        "move the chair 1e3 mm left",
        "move the chair 10^2 cm left",
        "move the chair twenty one cm left",
        "move the chair a hundred and five cm left",
        "move the chair 30 cm left or 40 cm right",
        "move the chair left right 30 cm",
        "move 2 stools 30 cm left",
        "remove two of the stools",
        "remove 3 stools",
        "remove three stools",
        "rotate the chair 45 degrees 90 degrees",
        "rotate the chair 45 degrees clockwise counterclockwise",
        "scale the table 2 3",
        "scale the table by 2 by 3",
        "make the table twice as big half the size",
        "scale the table ÷2",
        "scale the table /2",
        "paint the chair red blue",
        "paint the chair red and blue",
        "paint the chair red/blue",
        "paint the chair red or blue",
        "move the chair 🚫 30 cm left",
        "move the chair 30 cm left ≠",
    ],
)
def test_no_number_colour_or_sign_is_dropped_or_overwritten(request_: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code == "not_understood"


@pytest.mark.parametrize(
    ("request_", "twice"),
    [
        ("move the chair 1 m 20 cm left", "length"),
        ("move the chair 30 cm left and 20 cm forward", "direction"),
        ("move the chair 10 cm left and the table 20 cm right", "direction"),
        ("rotate the chair 45 degrees and the sofa 90 degrees", "angle"),
        ("paint the chair red and the table blue", "color"),
        ("paint the chair red, the table blue", "color"),
        ("scale the chair by 2 and the table by 3", "factor"),
    ],
)
def test_what_is_said_twice_of_one_verb_is_refused_and_not_halved(request_: str, twice: str):
    error = refusal(request_)
    assert error is not None, understood(request_)
    assert error.code == "not_understood"
    assert f"more than one {twice}" in error.message


@pytest.mark.parametrize(
    "request_",
    [
        f"move the chair {'9' * 400} m left",
        f"scale the table by {'9' * 400}",
        f"rotate the chair {'9' * 400} degrees",
        "move the chair 9999999 m left",
        "scale the table by 9999999",
    ],
)
def test_numbers_without_end_are_refused(request_: str):
    error = refusal(request_)
    assert error is not None and error.code == "not_understood"
    assert "999" in error.message
    assert len(error.one_line()) < 500


def test_both_means_two():
    three = graph(thing("Chair"), thing("Chair.001"), thing("Chair.002"))
    error = refusal("remove both chairs", three)
    assert error is not None and error.code == "ambiguous"
    assert error.candidates == ["chair", "chair_001", "chair_002"]
    alone = refusal("remove both chairs", graph(thing("Chair")))
    assert alone is not None and alone.code == "ambiguous"
