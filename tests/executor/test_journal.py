"""The journal: what is taken back is exact, and what was accepted stays."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scenewright.executor.blender.journal import Journal


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def thing() -> SimpleNamespace:
    return SimpleNamespace(x=0)


def test_rolling_back_to_a_mark_leaves_what_came_before_it(journal: Journal, thing: SimpleNamespace):
    journal.assign(thing, "x", 1)
    mark = journal.mark()
    journal.assign(thing, "x", 2)
    journal.assign(thing, "x", 3)
    journal.roll_back(mark)
    assert thing.x == 1


def test_what_was_accepted_cannot_be_taken_back(journal: Journal, thing: SimpleNamespace):
    journal.assign(thing, "x", 1)
    journal.accept()
    journal.assign(thing, "x", 2)
    journal.roll_back(0)
    assert thing.x == 1


def test_a_mark_stays_good_over_an_acceptance(journal: Journal, thing: SimpleNamespace):
    for value in (1, 2, 3):
        journal.assign(thing, "x", value)
    mark = journal.mark()
    journal.accept()
    journal.assign(thing, "x", 4)
    journal.roll_back(mark)
    assert thing.x == 3


def test_a_transaction_in_which_something_was_accepted_takes_back_the_rest(journal: Journal, thing: SimpleNamespace):
    journal.assign(thing, "x", 1)
    with pytest.raises(KeyError), journal.transaction():
        journal.assign(thing, "x", 2)
        journal.accept()
        journal.assign(thing, "x", 3)
        raise KeyError
    assert thing.x == 2
