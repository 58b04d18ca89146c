"""Words that mean one thing in English names and another elsewhere; words that only look like a thing's name."""

from __future__ import annotations

import numpy as np
import pytest

from scenewright.executor.reading.lexicon import lexicon
from scenewright.executor.reading.snapshot import ObjectRecord
from scenewright.executor.reading.things import categorise


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Vase vis", "vase"),
        ("AutoBoolean", None),
        ("auto_smooth_lamp", "lamp"),
        ("CubeNoMat", None),
        ("table_no_lamp", "table"),
        ("bank_logo", "sign"),
        ("Table pivot", None),
        ("Sofa target", None),
        ("hose", "garden hose"),
        ("Trap door", "door"),
        ("pilot chair", "chair"),
        ("plot_chair", "chair"),
        ("boom crate", "crate"),
        ("Adam table", "table"),
        ("IfcDoor_M_Door-Interior-Double-Full_Glass-Wood_1500_x_2000mm_3", "door"),
        ("table_iron", "table"),
        ("wall_brick_old", "wall"),
        ("Bone.L", None),
        ("micro_detail", None),
        ("rot_ctrl", None),
        ("note_highlight", None),
    ],
)
def test_what_is_a_thing_in_another_language_only_is_none_in_an_english_name(name: str, category: str | None):
    assert lexicon().read_name(name).category == category


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Auto", "car"),
        ("Bank.001", "bench"),
        ("Bett", "bed"),
        ("Stuhl_links", "chair"),
        ("Wand_Nord", "wall"),
        ("Tür 2", "door"),
        ("mesa grande", "table"),
        ("lit", "bed"),
        ("mur.003", "wall"),
        ("Mur nord", "wall"),
        ("Tür_Flur", "door"),
        ("isu", "chair"),
        ("Kerze_rot", "candle"),
    ],
)
def test_words_of_other_languages_name_things_where_nothing_speaks_against_it(name: str, category: str):
    assert lexicon().read_name(name).category == category


@pytest.mark.parametrize(
    ("name", "category"),
    [("papertowel", "toilet paper"), ("book shelf", "bookshelf"), ("mousepad", "mouse pad"), ("Desk top", None)],
)
def test_words_written_together_or_apart(name: str, category: str | None):
    assert lexicon().read_name(name).category == category


@pytest.mark.parametrize("name", ["Desk top", "table top", "Table_Top.001"])
def test_the_top_of_a_desk_is_a_part_and_no_desktop(name: str):
    assert lexicon().read_name(name).part


@pytest.mark.parametrize("name", ["Object_4", "Mesh_0", "obj.003", "Group"])
def test_names_of_importers_say_nothing(name: str):
    assert lexicon().read_name(name).meaningless


@pytest.mark.parametrize(
    ("part", "besides"),
    [("laptop_keyboard", ("laptop",)), ("table lamp", ()), ("book", ()), ("workCabinet", ("work",))],
)
def test_what_a_name_says_besides_its_category_is_known(part: str, besides: tuple[str, ...]):
    assert lexicon().read_name(part).besides == besides


def _mesh_of(size: float, name: str) -> str:
    record = ObjectRecord(name, name, "MESH", np.eye(4), None, (), (), bounds=np.zeros((8, 3)))
    return categorise((record,), record, size, lexicon())


@pytest.mark.parametrize(
    ("name", "size", "category"),
    [
        ("couch_pillows", 3.0, "sofa"),
        ("couch_pillows", 0.6, "cushion"),
        ("shelf_papertowel", 2.0, "shelf"),
        ("shelf_papertowel", 0.25, "toilet paper"),
        ("floor lamp", 8.0, "floor lamp"),
        ("table lamp", 3.0, "table lamp"),
        ("desk_chair_cushion", 0.5, "cushion"),
    ],
)
def test_of_several_things_in_a_name_the_one_of_a_likely_size_is_meant(name: str, size: float, category: str):
    assert _mesh_of(size, name) == category
