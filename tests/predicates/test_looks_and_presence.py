"""`color`, `exists` and `absent`."""

from __future__ import annotations

import pytest

from .plain_world import box, verdict, world

RED, WHITE = (0.8, 0.01, 0.01), (0.9, 0.9, 0.9)


def painted(*colors: tuple[float, float, float], areas: tuple[float, ...] = (1.0,)):
    return box((1, 1, 1), colors=colors, areas=areas)


@pytest.mark.parametrize(
    ("name", "status"),
    [("red", "satisfied"), ("blue", "unsatisfied"), ("white", "unsatisfied"), ("pink", "unsatisfied")],
)
def test_a_colour_is_near_the_one_that_is_named(name: str, status: str):
    assert verdict("color", "chair", world(chair=painted(RED)), color=name).status == status


def test_a_colour_is_that_of_the_most_area():
    for areas, status in (((9.9, 0.1), "satisfied"), ((0.1, 9.9), "unsatisfied")):
        chair = painted(RED, WHITE, areas=areas)
        assert verdict("color", "chair", world(chair=chair), color="red").status == status


@pytest.mark.parametrize("order", ["chair sofa", "sofa chair"])
def test_of_several_each_has_to_have_the_colour(order: str):
    now = world(chair=painted(RED), sofa=painted(WHITE))
    assert verdict("color", order, now, color="red").failure_mode == "other_colour"


def test_what_shows_nothing_has_no_colour_that_is_known():
    found = verdict("color", "chair", world(chair=painted(areas=())), color="red")
    assert (found.status, found.failure_mode) == ("unknown", "no_colour")


@pytest.mark.parametrize(
    ("subject", "exists", "absent"),
    [
        ("chair", "satisfied", "unsatisfied"),
        ("chair sofa", "satisfied", "unsatisfied"),
        ("chair stool", "unsatisfied", "unsatisfied"),
        ("stool", "unsatisfied", "satisfied"),
        ("stool bench", "unsatisfied", "satisfied"),
        ("", "unsatisfied", "satisfied"),
    ],
)
def test_things_are_there_or_not_all_of_them(subject: str, exists: str, absent: str):
    now = world(chair=box((1, 1, 1)), sofa=box((1, 1, 1)))
    assert verdict("exists", subject, now).status == exists
    assert verdict("absent", subject, now).status == absent
