"""What operations leave: postures, places taken over, what is open, hidden, named or belongs to what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from trimesh.transformations import rotation_matrix

from .plain_world import PlainWorld, Thing, box, verdict, world

BOTTLE = box((0.1, 0.1, 0.3))
CABINET = replace(box((0.6, 0.4, 0.9)), parts={"Drawer": np.eye(4), "Door": np.eye(4)})


def opened(motion: str, amount: float, pose: np.ndarray, axis: tuple[float, float, float]) -> str:
    """What `opened` comes to when the only part has gone to a pose."""
    now = world(cabinet=replace(CABINET, parts={"Drawer": pose}))
    part = {"object": "Drawer", "motion": motion, "axis": list(axis), "origin": [0.3, 0, 0], "amount": amount}
    return verdict("opened", "cabinet", now, world(cabinet=CABINET), parts=[part]).status


@pytest.mark.parametrize(
    ("posture", "angle", "status"),
    [
        ("on_side", 90, "satisfied"),
        ("on_side", 88, "unsatisfied"),
        ("on_back", 90, "satisfied"),
        ("upright", 0.5, "satisfied"),
        ("upright", 90, "unsatisfied"),
        ("upside_down", 180, "satisfied"),
        ("upside_down", 90, "unsatisfied"),
    ],
)
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0.6, 0.8, 0)])
def test_a_posture_is_told_by_where_its_own_up_points(
    posture: str, angle: float, status: str, axis: tuple[float, float, float]
):
    now = world(bottle=BOTTLE.turned(angle, axis))
    assert verdict("posture", "bottle", now, world(bottle=BOTTLE), posture=posture).status == status


@pytest.mark.parametrize(("amount", "status"), [(0.2, "satisfied"), (0.204, "satisfied"), (0.21, "unsatisfied")])
def test_a_drawer_is_open_by_what_it_went(amount: float, status: str):
    pose = np.eye(4)
    pose[:3, 3] = (0, -0.2, 0)
    assert opened("slide", amount, pose, (0, -1, 0)) == status


def test_a_drawer_that_went_sideways_is_not_open():
    pose = np.eye(4)
    pose[:3, 3] = (0.02, -0.2, 0)
    assert opened("slide", 0.2, pose, (0, -1, 0)) == "unsatisfied"


@pytest.mark.parametrize(
    ("angle", "status"), [(45, "satisfied"), (45.9, "satisfied"), (50, "unsatisfied"), (-45, "unsatisfied")]
)
def test_a_door_is_open_by_its_angle_about_its_hinge(angle: float, status: str):
    pose = rotation_matrix(np.radians(45), (0, 0, 1), (0.3, 0, 0))
    assert opened("hinge", angle, pose, (0, 0, 1)) == status


def test_a_door_that_left_its_hinge_is_not_open():
    assert opened("hinge", 45, rotation_matrix(np.radians(45), (0, 0, 1), (0.5, 0, 0)), (0, 0, 1)) == "unsatisfied"


def taken_over(new: Thing, **now: Thing) -> str:
    old = box((0.4, 0.4, 0.8), (1, 1, 0), on="floor")
    before = world(floor=box((4, 4, 0.1), (0, 0, -0.1)), old=replace(old, front=(0, -1)))
    after = world(floor=before.things["floor"], new=new, **now)
    return verdict("replaced", "new", after, before, to="old").status


def test_a_place_is_taken_over_where_the_old_one_stood():
    new = replace(box((0.5, 0.6, 1), (1, 1, 0), on="floor"), front=(0, -1))
    assert taken_over(new) == "satisfied"
    assert taken_over(new.moved(x=0.05)) == "unsatisfied"
    assert taken_over(replace(new, on=None)) == "unsatisfied"
    assert taken_over(replace(new, front=(1, 0))) == "unsatisfied"
    assert taken_over(replace(new, front=None)) == "satisfied"
    assert taken_over(new, old=box((0.4, 0.4, 0.8), (1, 1, 0))) == "unsatisfied"


def test_what_hangs_in_anothers_place_may_reach_further_from_the_wall():
    old = box((0.4, 0.1, 0.3), (0, 1.95, 1), on="wall", mounted=True)
    new = box((0.5, 0.3, 0.3), (0, 1.85, 1), on="wall", mounted=True)
    before, after = (world(wall=box((4, 0.1, 3), (0, 2.05, 0)), **{n: t}) for n, t in (("old", old), ("new", new)))
    assert verdict("replaced", "new", after, before, to="old").status == "satisfied"
    aside = world(wall=after.things["wall"], new=new.moved(x=0.2))
    assert verdict("replaced", "new", aside, before, to="old").status == "unsatisfied"


def test_hidden_and_shown_are_each_others_opposite():
    seen, unseen = world(chair=BOTTLE), PlainWorld({"chair": replace(BOTTLE, hidden=True)})
    for name, now, status in (
        ("hidden", unseen, "satisfied"), ("hidden", seen, "unsatisfied"),
        ("shown", seen, "satisfied"), ("shown", unseen, "unsatisfied"),
        ("hidden", world(), "unsatisfied"),
    ):  # fmt: skip
        assert verdict(name, "chair", now).status == status, name


def test_what_follows_what_is_told_by_ancestors():
    now = world(
        table=replace(BOTTLE, names=("Table",)), mug=replace(BOTTLE, names=("Mug",), under=("Table",)), jug=BOTTLE
    )
    assert verdict("follows", "mug", now, to="table").status == "satisfied"
    assert verdict("follows", "jug", now, to="table").status == "unsatisfied"
    assert verdict("follows", "jug", now).status == "satisfied"
    assert verdict("follows", "mug", now).status == "unsatisfied"


def test_a_group_has_one_ancestor_for_all():
    one, other = (replace(BOTTLE, names=(n,), under=("Group", "Room")) for n in "AB")
    assert verdict("grouped", "a b", world(a=one, b=other)).status == "satisfied"
    assert verdict("grouped", "a b", world(a=one, b=replace(other, under=()))).status == "unsatisfied"


def test_names_collections_and_materials_are_compared_as_they_are_written():
    now = world(chair=replace(BOTTLE, names=("Throne",), collections=("Seats",), materials=("Oak",)))
    for name, stated, other in (
        ("named", {"name": "Throne"}, {"name": "throne"}),
        ("in_collection", {"collection": "Seats"}, {"collection": "Seat"}),
        ("material", {"material": "Oak"}, {"material": "Ash"}),
    ):
        assert verdict(name, "chair", now, **stated).status == "satisfied", name
        assert verdict(name, "chair", now, **other).status == "unsatisfied", name
