"""What object names say, as artists and kits write them."""

from __future__ import annotations

import pytest

from scenewright.executor.reading.lexicon import lexicon
from scenewright.executor.reading.names import fold, singular, words_of


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Chair.003", "chair"),
        ("SM_Chair_Old_02", "chair"),
        ("NightStand_L", "nightstand"),
        ("alarmCollection", "alarm clock"),
        ("Office Chair.004", "office chair"),
        ("floor_kitchen", "floor"),
        ("wall_window_open", "wall"),
        ("footLockerStorage", "storage chest"),
        ("cdStack.001", "compact disc"),
        ("Küchenstuhl-01", "dining chair"),
        ("armoire", "wardrobe"),
        ("椅子", "chair"),
        ("стол", "table"),
    ],
)
def test_a_name_gives_the_category_away(name: str, category: str):
    assert lexicon().read_name(name).category == category


@pytest.mark.parametrize("name", ["Cube.001", "Plane", "Mesh_0031", "Suzanne", "Collection 3", "Table_objects", "xq7"])
def test_a_name_that_says_nothing_gives_no_category(name: str):
    assert lexicon().read_name(name).category is None


@pytest.mark.parametrize("name", ["chair_leg.003", "tabletop", "handle", "drawer_knob_L"])
def test_the_name_of_a_part_names_no_thing(name: str):
    assert lexicon().read_name(name).part


def test_words_are_split_at_camel_case_digits_and_separators_and_folded():
    assert words_of("lampTable_old.003") == ("lamp", "table", "old")
    assert words_of("Étagère-Ø2") == ("etagere", "o")


def test_folding_keeps_the_marks_that_are_part_of_a_letter():
    assert fold("Bücher") == "bucher"
    assert fold("ガラス") == "ガラス"


@pytest.mark.parametrize(
    ("plural", "one"),
    [("shelves", "shelf"), ("benches", "bench"), ("glass", "glass"), ("boxes", "box"), ("mice", "mouse")],
)
def test_plurals_have_their_singular(plural: str, one: str):
    assert singular(plural) == one


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Couch_3Seat", "sofa"),
        ("sofa 2-seat", "sofa"),
        ("Dresser_6drawers.001", "dresser"),
        ("Table_4Legs", "table"),
        ("chair_leg", None),
        ("chair_01_leg", None),
        ("Chair2leg", None),
        ("3Legs", None),
    ],
)
def test_counted_parts_tell_what_a_thing_is_like_and_name_no_part(name: str, category: str | None):
    assert lexicon().read_name(name).category == category
