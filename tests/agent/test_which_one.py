"""Which thing is meant: asked where several fit, with what tells them apart, and refused where none does."""

from __future__ import annotations

import pytest

from scenewright.executor.model.graph import Box, Entity
from scenewright.executor.reading.ids import slug

from .graphs import graph, refusal, thing, understood


def test_a_singular_that_fits_several_is_asked_with_what_tells_them_apart():
    error = refusal("move the stool 10 cm left")
    assert error is not None and error.code == "ambiguous"
    assert error.candidates == ["stool", "stool_001"]
    assert "stool (black, on the floor, at -1.0, 0.0), stool_001 (white, on the floor, at -2.0, 0.0)" in error.message
    assert "--answer which_stool=" in error.hint


def test_an_answer_decides_and_a_wrong_one_is_refused():
    (predicate,) = understood("move the stool 10 cm left", answers={"which_stool": "stool_001"})
    assert predicate.subject == ["stool_001"]
    error = refusal("move the stool 10 cm left", answers={"which_stool": "chair"})
    assert error is not None and error.code == "bad_input"
    assert error.candidates == ["stool", "stool_001"]


def test_the_question_named_in_the_hint_is_the_one_that_takes_the_answer():
    two_red = graph(thing("Chair", "red"), thing("Chair.001", "red"), thing("Chair.002", "blue"))
    error = refusal("remove the red chair", two_red)
    assert error is not None and error.code == "ambiguous" and error.candidates == ["chair", "chair_001"]
    question = error.hint.split("--answer ")[1].split("=")[0]
    assert understood("remove the red chair", two_red, answers={question: "chair_001"})[0].subject == ["chair_001"]


def test_two_questions_of_one_request_are_told_apart():
    chairs = graph(
        thing("Chair", "red"),
        thing("Chair.001", "red"),
        thing("Chair.002", "blue"),
        thing("Chair.003", "blue"),
    )
    request = "remove the red chair and move the blue chair 10 cm left"
    answers: dict[str, str] = {}
    for wanted in ("chair_001", "chair_003"):
        error = refusal(request, chairs, answers=dict(answers))
        assert error is not None and error.code == "ambiguous" and wanted in error.candidates
        answers[error.hint.split("--answer ")[1].split("=")[0]] = wanted
    assert [p.subject for p in understood(request, chairs, answers=answers)] == [["chair_001"], ["chair_003"]]


def test_a_thing_that_is_not_there_brings_up_its_kin():
    error = refusal("remove the armchair")
    assert error is not None and error.code == "unknown_object"
    assert "armchair" in error.message
    assert "chair" in error.candidates and "table" not in error.candidates


def test_no_hidden_thing_is_offered_instead():
    error = refusal("remove the armchair", graph(thing("Chair", hidden=True), thing("Stool")))
    assert error is not None and error.candidates == ["stool"]


def test_a_sort_of_thing_whose_name_has_a_little_word_is_missed_by_name():
    error = refusal("remove the chest of drawers", graph(thing("Chair")))
    assert error is not None and error.code == "unknown_object"
    assert "chest of drawers" in error.message


@pytest.mark.parametrize("words", ["flux capacitor", "fluxcapacitor", "Flux Capacitor"])
def test_a_name_is_found_written_together_or_apart(words: str):
    for name in ("FluxCapacitor.002", "Fluxcapacitor.002", "flux_capacitor.002"):
        assert understood(f"remove the {words}", graph(thing(name), thing("Flux")))[0].subject == [slug(name)]


def test_a_hidden_thing_is_named_as_hidden():
    error = refusal("remove the rug")
    assert error is not None and error.code == "unknown_object"
    assert "hidden" in error.message and error.candidates == ["rug"]


def test_a_colour_that_nothing_has_is_not_ignored():
    error = refusal("remove the green chair")
    assert error is not None and error.code == "unknown_object"
    assert "green chair" in error.message


@pytest.mark.parametrize("which", ["big", "other", "left"])
def test_words_that_narrow_down_are_not_ignored(which: str):
    error = refusal(f"remove the {which} chair")
    assert error is not None and error.code == "unknown_object"
    assert f"{which} chair" in error.message


def test_an_object_whose_name_holds_a_colour_is_found_by_its_name():
    scene = graph(thing("Red Chair", "blue"), thing("Chair", "white"))
    assert understood("remove Red Chair", scene)[0].subject == ["red_chair"]


@pytest.mark.parametrize("name", ["Red Chair", "Red Chair 2", "Red Chair 2 old"])
def test_of_names_that_begin_alike_the_longest_that_is_written_out_is_meant(name: str):
    scene = graph(thing("Red Chair"), thing("Red Chair 2"), thing("Red Chair 2 old"))
    assert understood(f"remove {name}", scene)[0].subject == [name.lower().replace(" ", "_")]


@pytest.mark.parametrize("name", ["Chair.007", "Stool.002", "Bench.009"])
def test_a_number_that_nothing_has_is_not_ignored(name: str):
    error = refusal(f"remove {name}")
    assert error is not None and error.code == "unknown_object"
    assert name in error.message


def test_all_of_a_sort_are_meant_whatever_they_are_called():
    scene = graph(thing("Chair"), thing("Old oak seat", category="chair"), thing("Table"))
    assert understood("remove all chairs", scene)[0].subject == ["chair", "old_oak_seat"]


def test_what_is_called_so_counts_beside_what_is_known_to_be_one():
    scene = graph(thing("Chair"), thing("Chair.001", category="unknown"))
    error = refusal("remove the chair", scene)
    assert error is not None and (error.code, error.candidates) == ("ambiguous", ["chair", "chair_001"])


def test_a_group_of_things_on_a_table_is_no_table():
    error = refusal("remove the table", graph(thing("Table_objects"), thing("Chair")))
    assert error is not None and error.code == "unknown_object"


def test_the_exact_sort_is_meant_before_its_kinds():
    scene = graph(thing("Table"), thing("Coffee table"))
    assert understood("remove all tables", scene)[0].subject == ["table"]
    assert understood("remove all tables", graph(thing("Coffee table")))[0].subject == ["coffee_table"]


def without_shape(name: str, role: str = "furniture") -> Entity:
    """An empty, a light or the like: it draws nothing."""
    box = Box(center=(0, 0, 0), half=(0, 0, 0), yaw=0)
    return thing(name).model_copy(update={"box": box, "role": role})


def test_an_empty_is_meant_only_where_nothing_that_is_seen_is_called_so():
    assert understood("remove the sofa", graph(without_shape("Sofa"), thing("Sofa.001")))[0].subject == ["sofa_001"]
    assert understood("remove all sofas", graph(without_shape("Sofa"), thing("Sofa.001")))[0].subject == ["sofa_001"]
    assert understood("remove the sofa", graph(without_shape("Sofa"), thing("Chair")))[0].subject == ["sofa"]


def test_lights_count_where_all_lamps_are_meant():
    scene = graph(without_shape("Lamp", role="light"), thing("Lamp.001"))
    assert understood("remove all lamps", scene)[0].subject == ["lamp", "lamp_001"]
    assert understood("remove the lamp", scene)[0].subject == ["lamp_001"]


@pytest.mark.parametrize(("side", "stool"), [("left", "stool_001"), ("right", "stool")])
def test_of_two_the_one_to_a_side_is_as_the_viewer_sees_them(side: str, stool: str):
    assert understood(f"move the {side} stool 30 cm back")[0].subject == [stool]
