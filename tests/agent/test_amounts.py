"""“By”, “to” and “about”: little words that decide what an amount means are read, or refused, never skipped."""

from __future__ import annotations

import pytest

from .graphs import refusal, understood


@pytest.mark.parametrize(
    "request_",
    [
        "turn the chair to 45 degrees",
        "move the chair to 30 cm left",
        "remove the chair to about",
        "remove the chair about",
        "remove the chair and",
        "move the chair by left 30 cm",
        "paint the chair to red",
        "put the mug to on the desk",
        "scale the chair by",
    ],
)
def test_a_little_word_that_changes_the_meaning_is_not_skipped(request_: str):
    error = refusal(request_)
    assert error is not None
    assert error.code == "not_understood"


@pytest.mark.parametrize("request_", ["scale the chair by 20 %", "scale the chair 150 %", "resize the chair by 20%"])
def test_a_percentage_that_may_be_of_the_size_or_of_the_change_is_asked_about(request_: str):
    error = refusal(request_)
    assert error is not None
    assert (error.code, "larger" in error.hint) == ("not_understood", True)


@pytest.mark.parametrize(
    ("request_", "factor"),
    [
        ("scale the chair to 20 %", 0.2),
        ("resize the chair to 150 percent", 1.5),
        ("make the chair 20 % larger", 1.2),
        ("scale the chair by 1.5", 1.5),
        ("scale the chair about 1.5 times", 1.5),
    ],
)
def test_percentages_and_factors(request_: str, factor: float):
    (predicate,) = understood(request_)
    assert (predicate.name, predicate.qualifiers["factor"]) == ("scale_ratio", pytest.approx(factor))
