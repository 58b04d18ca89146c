"""`on_top_of`: contact, sinking, balance, and what rests on what rests there."""

from __future__ import annotations

import pytest

from scenewright.executor.model.predicate import Verdict

from .plain_world import PlainWorld, box, verdict, world

TABLE = box((1.2, 0.8, 0.7))


def mug_at(height: float, x: float = 0, soft: bool = False) -> PlainWorld:
    return world(table=TABLE, mug=box((0.1, 0.1, 0.1), (x, 0, height), soft=soft, on="table"))


def on_table(now: PlainWorld, subject: str = "mug", **qualifiers: object) -> Verdict:
    return verdict("on_top_of", subject, now, to="table", **qualifiers)


@pytest.mark.parametrize(
    ("height", "failure"),
    [(0.7, None), (0.7045, None), (0.71, "no_contact"), (0.699, None), (0.697, "sunk"), (0.5, "sunk")],
)
def test_it_touches_within_5_mm_and_sinks_2_mm_at_most(height: float, failure: str | None):
    assert on_table(mug_at(height)).failure_mode == failure


def test_what_is_too_low_is_to_be_raised_and_what_is_too_high_lowered():
    assert on_table(mug_at(0.6)).repair_hint == "raise it"
    assert on_table(mug_at(0.8)).repair_hint == "lower it onto the support"


@pytest.mark.parametrize(("height", "failure"), [(0.66, None), (0.64, "sunk")])
def test_something_soft_may_sink_5_cm(height: float, failure: str | None):
    assert on_table(mug_at(height, soft=True)).failure_mode == failure


@pytest.mark.parametrize(("x", "failure"), [(0.55, None), (0.595, None), (0.64, "tips_over")])
def test_its_centre_of_mass_is_over_what_carries_it(x: float, failure: str | None):
    assert on_table(mug_at(0.7, x)).failure_mode == failure


def stack(book_on: str | None = "table") -> PlainWorld:
    return world(
        table=TABLE,
        book=box((0.3, 0.3, 0.05), (0, 0, 0.7), on=book_on),
        box=box((0.2, 0.2, 0.1), (0, 0, 0.75), on="book"),
        mug=box((0.1, 0.1, 0.1), (0, 0, 0.85), on="box"),
    )


def test_what_rests_on_what_rests_there_does_too():
    assert on_table(stack()).status == "satisfied"
    assert on_table(stack(), subject="box").status == "satisfied"
    assert on_table(stack(book_on=None)).failure_mode == "no_contact", "the stack is not the table's"


def test_what_lies_on_two_things_on_it_is_carried_by_both():
    books = {f"book_{k}": box((0.2, 0.2, 0.05), (x, 0, 0.7), on="table") for k, x in enumerate((-0.4, 0.4))}
    plank = box((1.0, 0.2, 0.02), (0, 0, 0.75), on="book_0")
    assert on_table(world(table=TABLE, plank=plank, **books), subject="plank").status == "satisfied"
    del books["book_1"]
    assert on_table(world(table=TABLE, plank=plank, **books), subject="plank").failure_mode == "tips_over"


def test_what_stands_on_it_but_in_something_else_there_has_sunk():
    book = box((0.1, 0.1, 0.05), (0, 0, 0.7), on="table")
    crate = box((0.3, 0.3, 0.3), (0, 0, 0.7), on="table")
    assert on_table(world(table=TABLE, book=book, crate=crate), subject="crate").failure_mode == "sunk"


def test_directly_on_it_is_asked_for_by_a_qualifier():
    assert on_table(stack(), direct=True).failure_mode == "no_contact"
    assert on_table(stack(), subject="book", direct=True).status == "satisfied"


def test_a_thing_does_not_count_as_what_carries_itself():
    assert on_table(world(table=TABLE, mug=box((0.1, 0.1, 0.1), (3, 0, 0), on="table"))).failure_mode == "no_contact"


@pytest.mark.parametrize("order", ["mug cup", "cup mug"])
def test_of_several_each_has_to_rest_there(order: str):
    now = world(table=TABLE, mug=box((0.1, 0.1, 0.1), (0, 0, 0.7)), cup=box((0.1, 0.1, 0.1), (0.3, 0, 0.9)))
    assert on_table(now, subject=order).failure_mode == "no_contact"


def test_what_is_not_there_rests_nowhere():
    assert on_table(world(table=TABLE)).failure_mode == "missing"
