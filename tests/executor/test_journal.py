"""The journal: what is taken back is exact, and no more than was asked."""

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


def test_a_transaction_that_fails_takes_back_what_it_wrote_and_no_more(journal: Journal, thing: SimpleNamespace):
    journal.assign(thing, "x", 1)
    with pytest.raises(KeyError), journal.transaction():
        journal.assign(thing, "x", 2)
        raise KeyError
    assert thing.x == 1
