"""Moved, turned, scaled by a stated amount: the contract's tolerances, and shapes that do not follow."""

from __future__ import annotations

import pytest

from .plain_world import Thing, box, verdict, world

BOX = box((0.4, 0.6, 0.8))
BEFORE = world(box=BOX)


def moved(now: Thing, offset: tuple[float, float, float]) -> str:
    return verdict("move_delta", "box", world(box=now), BEFORE, offset=list(offset)).status


def turned(now: Thing, angle_deg: float) -> str:
    return verdict("rotation_delta", "box", world(box=now), BEFORE, angle_deg=angle_deg).status


def scaled(now: Thing, factor: float) -> str:
    return verdict("scale_ratio", "box", world(box=now), BEFORE, factor=factor).status


@pytest.mark.parametrize(("off", "status"), [(0, "satisfied"), (0.0049, "satisfied"), (0.0051, "unsatisfied")])
def test_a_move_is_exact_to_5_mm(off: float, status: str):
    assert moved(BOX.moved(0.5 + off), (0.5, 0, 0)) == status
    assert moved(BOX.moved(0.5, 0, -off), (0.5, 0, 0)) == status


@pytest.mark.parametrize(("off", "status"), [(0, "satisfied"), (0.99, "satisfied"), (1.01, "unsatisfied")])
def test_a_turn_is_exact_to_a_degree(off: float, status: str):
    assert turned(BOX.turned(30 + off), 30) == status
    assert turned(BOX.turned(30).turned(off, (1, 0, 0)), 30) == status, "about another axis"


@pytest.mark.parametrize("angle", [180, -180, 270, 350])
def test_a_turn_is_the_same_by_whichever_way_round(angle: float):
    assert turned(BOX.turned(angle), angle) == "satisfied"
    assert turned(BOX.turned(angle), angle - 360) == "satisfied"


@pytest.mark.parametrize(("off", "status"), [(0, "satisfied"), (0.019, "satisfied"), (0.021, "unsatisfied")])
def test_a_scale_is_exact_to_2_percent_in_each_direction(off: float, status: str):
    assert scaled(BOX.scaled(*[1.5 * (1 + off)] * 3), 1.5) == status
    assert scaled(BOX.scaled(1.5, 1.5, 1.5 * (1 - off)), 1.5) == status


def test_the_numbers_that_were_measured_are_told():
    shift = verdict("move_delta", "box", world(box=BOX.moved(0.3)), BEFORE, offset=[0.5, 0, 0])
    assert (shift.measured, shift.failure_mode) == ({"offset": {"box": [0.3, 0, 0]}, "error": 0.2}, "moved_otherwise")
    turn = verdict("rotation_delta", "box", world(box=BOX.turned(20)), BEFORE, angle_deg=30)
    assert (turn.measured, turn.failure_mode) == ({"angle_deg": {"box": 20}, "error_deg": 10}, "turned_otherwise")
    scale = verdict("scale_ratio", "box", world(box=BOX.scaled(1, 1, 2)), BEFORE, factor=2)
    assert (scale.measured, scale.failure_mode) == ({"ratio": {"box": [1, 1, 2]}}, "scaled_otherwise")


def test_of_several_each_has_to_have_moved():
    before = world(one=BOX, two=BOX.moved(2))
    now = world(one=BOX.moved(0.5), two=BOX.moved(2))
    assert verdict("move_delta", "one two", now, before, offset=[0.5, 0, 0]).status == "unsatisfied"
    assert verdict("move_delta", "one", now, before, offset=[0.5, 0, 0]).status == "satisfied"


def test_a_shape_that_does_not_follow_its_object_has_not_changed_as_asked():
    assert moved(BOX.moved(0.5).bent(0.2), (0.5, 0, 0)) == "unsatisfied"
    assert turned(BOX.turned(30).bent(0.2), 30) == "unsatisfied"
    assert scaled(BOX.scaled(2, 2, 2).bent(0.2), 2) == "unsatisfied"


def test_a_shape_that_is_a_little_restless_has_moved_all_the_same():
    assert moved(BOX.moved(0.5).bent(0.015), (0.5, 0, 0)) == "satisfied"  # 2 % of 1.08 m are 21 mm
    assert moved(BOX.moved(0.5).bent(0.04), (0.5, 0, 0)) == "unsatisfied"


def test_what_is_gone_has_not_moved():
    assert verdict("move_delta", "box", world(), BEFORE, offset=[0.5, 0, 0]).failure_mode == "missing"
