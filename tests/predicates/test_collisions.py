"""`no_collision`: 2 mm, 50 mm for what is soft, and only what a change brought in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .plain_world import PlainWorld, box, verdict, world

CUBE = box((0.5, 0.5, 0.5))


def side_by_side(depth: float, soft: str = "") -> PlainWorld:
    """A chair and a desk of half a metre that are this deep in each other."""
    return world(
        chair=box((0.5, 0.5, 0.5), soft=soft == "chair"),
        desk=box((0.5, 0.5, 0.5), (0.5 - depth, 0, 0), soft=soft == "desk"),
    )


APART = side_by_side(-0.2)


def collides(now: PlainWorld, before: PlainWorld = APART, subject: str = "chair") -> bool:
    return verdict("no_collision", subject, now, before).status == "unsatisfied"


@pytest.mark.parametrize(("depth", "found"), [(-0.01, False), (0, False), (0.0015, False), (0.003, True), (0.3, True)])
def test_two_millimetres_are_let_pass(depth: float, found: bool):
    assert collides(side_by_side(depth)) == found


@pytest.mark.parametrize("soft", ["chair", "desk"])
@pytest.mark.parametrize(("depth", "found"), [(0.04, False), (0.06, True)])
def test_something_soft_gives_way_by_5_cm(soft: str, depth: float, found: bool):
    assert collides(side_by_side(depth, soft=soft)) == found


@pytest.mark.parametrize(("depth", "found"), [(0.1, False), (0.1015, False), (0.103, True), (0.05, False)])
def test_what_was_in_it_before_counts_from_two_millimetres_deeper(depth: float, found: bool):
    assert collides(side_by_side(depth), side_by_side(0.1)) == found


def test_a_thing_that_is_new_has_no_earlier_depth():
    assert collides(side_by_side(0.1), world(desk=CUBE))


@pytest.mark.parametrize("subject", ["chair", "desk"])
@pytest.mark.parametrize("host", ["chair", "desk"])
def test_what_may_enter_the_other_does_not_collide_whichever_is_asked_about(subject: str, host: str):
    """The one that is no host belongs into it."""
    entering = {"chair": "desk", "desk": "chair"}[host]
    now = side_by_side(0.2)
    things = {**now.things, entering: replace(now.things[entering], enters=frozenset({host}))}
    assert not collides(PlainWorld(things), PlainWorld(things), subject)
    assert not collides(PlainWorld(things), world(), subject), "both are new"


def test_what_was_no_mount_before_is_none_for_being_pushed_in():
    mounted = world(
        chair=box((0.5, 0.5, 0.5), enters=frozenset({"desk"})),
        desk=box((0.5, 0.5, 0.5), (0.3, 0, 0)),
    )
    assert collides(mounted, APART)


def test_a_thing_within_another_collides():
    assert collides(world(chair=box((0.1, 0.1, 0.1), (0, 0, 0.2)), desk=CUBE), world(chair=CUBE.moved(3), desk=CUBE))


def test_others_among_themselves_do_not_matter():
    now = world(chair=CUBE.moved(3), desk=CUBE, bed=CUBE.moved(0.2))
    assert not collides(now, world(chair=CUBE.moved(3), desk=CUBE, bed=CUBE.moved(6)))
