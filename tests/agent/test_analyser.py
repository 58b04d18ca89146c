"""What requests come to: every row is what somebody would type, and the one thing it may mean."""

from __future__ import annotations

import numpy as np
import pytest

from .graphs import ROOM, graph, refusal, thing, understood

CM = 0.01
INCH = 0.0254
FOOT = 0.3048


def offset_of(request: str, **setting: object) -> list[float]:
    (predicate,) = understood(request, **setting)  # type: ignore[arg-type]
    assert predicate.name == "move_delta"
    return predicate.qualifiers["offset"]  # type: ignore[return-value]


# --- moving ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["move", "shift", "slide", "push", "pull", "nudge", "drag", "bring"])
def test_verbs_of_moving(verb: str):
    (predicate,) = understood(f"{verb} the chair 30 cm left")
    assert (predicate.name, predicate.subject, predicate.object) == ("move_delta", ["chair"], [])
    assert predicate.qualifiers["offset"] == pytest.approx([-0.3, 0, 0])
    assert predicate.qualifiers["frame"] == "viewer"


@pytest.mark.parametrize(
    "request_",
    [
        "move the chair left 30 cm",
        "move the chair to the left by 30 cm",
        "move the chair by 30 cm to the left",
        "Move the chair 30 cm left.",
        "MOVE THE CHAIR 30 CM LEFT",
        "please move the chair 30 cm left",
        "can you move the chair 30 cm to the left?",
        "could you please move the chair 30 cm towards the left",
        "now move the chair exactly 30 cm left",
        "  move   the chair\n30 cm\tleft ",
        "move the red chair 30 cm left",
        "move my chair 30 cm left",
        "move Chair 30 cm left",
        "move chair 30cm left",
    ],
)
def test_word_order_politeness_and_case_do_not_matter(request_: str):
    (predicate,) = understood(request_)
    assert predicate.subject == ["chair"]
    assert predicate.qualifiers["offset"] == pytest.approx([-0.3, 0, 0])


@pytest.mark.parametrize(
    ("length", "metres"),
    [
        ("5 mm", 0.005),
        ("500 millimetres", 0.5),
        ("30 cm", 0.3),
        ("30cm", 0.3),
        ("30 centimeters", 0.3),
        ("3 dm", 0.3),
        ("0.3 m", 0.3),
        ("2 m", 2),
        ("2 meters", 2),
        ("1 metre", 1),
        ("1.5 m", 1.5),
        ("1,5 m", 1.5),
        ("12,5 cm", 0.125),
        ("half a metre", 0.5),
        ("half a meter", 0.5),
        ("a metre", 1),
        ("one metre", 1),
        ("one and a half metres", 1.5),
        ("two metres", 2),
        ("thirty cm", 0.3),
        ("twenty five cm", 0.25),
        ("twenty-five cm", 0.25),
        ("a hundred mm", 0.1),
        ("12 inches", 12 * INCH),
        ("1 inch", INCH),
        ("an inch", INCH),
        ("8 in", 8 * INCH),
        ('12"', 12 * INCH),
        ("1 foot", FOOT),
        ("half a foot", FOOT / 2),
        ("3 feet", 3 * FOOT),
        ("3 ft", 3 * FOOT),
        ("3'", 3 * FOOT),
        ("2 ft 3 in", 2 * FOOT + 3 * INCH),
        ("2 feet 3 inches", 2 * FOOT + 3 * INCH),
        ("2'3\"", 2 * FOOT + 3 * INCH),
        ("2ft 3in", 2 * FOOT + 3 * INCH),
        ("1 yard", 0.9144),
    ],
)
def test_lengths(length: str, metres: float):
    assert offset_of(f"move the chair {length} right") == pytest.approx([metres, 0, 0])
    assert offset_of(f"move the chair right {length}") == pytest.approx([metres, 0, 0])
    assert offset_of(f"move the chair right by {length}") == pytest.approx([metres, 0, 0])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("left", (-1, 0, 0)),
        ("to the left", (-1, 0, 0)),
        ("right", (1, 0, 0)),
        ("rightwards", (1, 0, 0)),
        ("forward", (0, 1, 0)),
        ("forwards", (0, 1, 0)),
        ("back", (0, -1, 0)),
        ("backwards", (0, -1, 0)),
        ("up", (0, 0, 1)),
        ("higher", (0, 0, 1)),
        ("down", (0, 0, -1)),
        ("north", (0, 1, 0)),
        ("to the north", (0, 1, 0)),
        ("south", (0, -1, 0)),
        ("east", (1, 0, 0)),
        ("west", (-1, 0, 0)),
        ("towards the west", (-1, 0, 0)),
        ("in x", (1, 0, 0)),
        ("along +x", (1, 0, 0)),
        ("along -x", (-1, 0, 0)),
        ("in the y direction", (0, 1, 0)),
        ("in -y", (0, -1, 0)),
        ("along z", (0, 0, 1)),
        ("along -z", (0, 0, -1)),
    ],
)
def test_directions_for_a_viewer_at_minus_y(words: str, expected: tuple[float, float, float]):
    assert offset_of(f"move the table 2 m {words}") == pytest.approx(np.multiply(expected, 2))


def camera(forward: tuple[float, float, float], up: tuple[float, float, float] = (0, 0, 1)) -> np.ndarray:
    """``(4, 4)`` world_from_camera of a camera that looks along a direction."""
    z = -np.array(forward, float) / np.linalg.norm(forward)
    x = np.cross(up, z) / np.linalg.norm(np.cross(up, z))
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    return matrix


@pytest.mark.parametrize(
    ("viewer", "left", "forward"),
    [
        (camera((0, 1, 0)), (-1, 0), (0, 1)),
        (camera((1, 0, 0)), (0, 1), (1, 0)),
        (camera((0, -1, -0.5)), (1, 0), (0, -1)),
        (camera((0.01, 0, -1), up=(1, 0, 0)), (0, 1), (1, 0)),  # from above: its up vector is forward
    ],
)
def test_left_and_forward_are_those_of_the_camera(viewer: np.ndarray, left: tuple, forward: tuple):
    assert offset_of("move the table 1 m left", viewer=viewer) == pytest.approx([*left, 0], abs=1e-6)
    assert offset_of("move the table 1 m forward", viewer=viewer) == pytest.approx([*forward, 0], abs=1e-6)
    assert offset_of("move the table 1 m north", viewer=viewer) == pytest.approx([0, 1, 0])
    assert offset_of("move the table 1 m left", viewer=viewer, frame="world") == pytest.approx([-1, 0, 0])


@pytest.mark.parametrize(
    ("direction", "frame"), [("left", "viewer"), ("north", "world"), ("up", "world"), ("in x", "world")]
)
def test_the_frame_that_is_told_is_the_one_that_was_used(direction: str, frame: str):
    (predicate,) = understood(f"move the chair 1 m {direction}")
    assert predicate.qualifiers["frame"] == frame


def test_in_the_things_own_frame_left_is_that_of_somebody_sitting_in_it():
    (predicate,) = understood("move the chair 1 m left", frame="object")  # it faces +X
    assert predicate.qualifiers["offset"] == pytest.approx([0, 1, 0])
    assert predicate.qualifiers["frame"] == "object"
    assert offset_of("move the chair 1 m forward", frame="object") == pytest.approx([1, 0, 0])
    assert offset_of("move the sofa 1 m right", frame="object") == pytest.approx([-1, 0, 0])  # it faces −Y


def test_without_a_front_its_own_left_is_asked_for():
    error = refusal("move the table 1 m left", frame="object")
    assert error is not None and error.code == "ambiguous"
    assert offset_of("move the table 1 m east", frame="object") == pytest.approx([1, 0, 0])


def test_things_that_face_different_ways_do_not_all_go_where_the_first_would():
    scene = graph(thing("Chair", front=(1, 0)), thing("Chair.001", front=(0, 1)))
    error = refusal("move the chairs 1 m forward", scene, frame="object")
    assert error is not None and error.code == "ambiguous"
    assert error.candidates == ["chair", "chair_001"]


@pytest.mark.parametrize(("north_deg", "north"), [(0, (0, 1)), (90, (-1, 0)), (-90, (1, 0)), (180, (0, -1))])
def test_compass_words_follow_the_scenes_north(north_deg: float, north: tuple[float, float]):
    scene = graph(thing("Chair"), north_deg=north_deg)
    assert offset_of("move the chair 1 m north", scene=scene) == pytest.approx([*north, 0], abs=1e-9)
    assert offset_of("move the chair 1 m south", scene=scene) == pytest.approx([-north[0], -north[1], 0], abs=1e-9)
    east = (north[1], -north[0])
    assert offset_of("move the chair 1 m east", scene=scene) == pytest.approx([*east, 0], abs=1e-9)


@pytest.mark.parametrize("length", ["-30 cm", "−30 cm", "- 30 cm", "minus 30 cm", "0 cm"])
def test_a_length_of_nothing_or_less_is_refused(length: str):
    error = refusal(f"move the chair {length} left")
    assert error is not None and error.code == "not_understood"


def test_a_move_without_a_number_takes_a_sensible_step():
    """Contract, section 5: without a number (“move it left”) the step is sensible and reported."""
    assert offset_of("move the chair left") == [-0.25, 0, 0]


# --- turning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "angle"),
    [
        ("rotate the chair 45 degrees", 45),
        ("rotate the chair 45°", 45),
        ("rotate the chair by 45 deg", 45),
        ("turn the chair 90 degrees clockwise", -90),
        ("turn the chair clockwise by 90 degrees", -90),
        ("turn the chair 90 degrees counterclockwise", 90),
        ("turn the chair 90 degrees counter-clockwise", 90),
        ("spin the chair 30° anticlockwise", 30),
        ("swivel the chair 12,5 degrees to the left", 12.5),
        ("turn the chair 30 degrees to the right", -30),
        ("rotate the chair -45 degrees", -45),
        ("rotate the chair -45 degrees clockwise", 45),
        ("turn the chair a quarter turn clockwise", -90),
        ("turn the chair half a turn", 180),
        ("turn the chair around", 180),
        ("rotate the chair ninety degrees", 90),
    ],
)
def test_turns_are_counterclockwise_from_above_unless_said_otherwise(request_: str, angle: float):
    (predicate,) = understood(request_)
    assert (predicate.name, predicate.subject) == ("rotation_delta", ["chair"])
    assert predicate.qualifiers["angle_deg"] == pytest.approx(angle)


# --- scaling --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "factor"),
    [
        ("scale the table by 2", 2),
        ("scale the table by 1.5", 1.5),
        ("scale the table by 1,5", 1.5),
        ("scale the table to 150%", 1.5),
        ("scale the table to 150 percent", 1.5),
        ("resize the table to 80 %", 0.8),
        ("make the table twice as large", 2),
        ("make the table twice as big", 2),
        ("make the table three times as big", 3),
        ("make the table 1.5 times as large", 1.5),
        ("make the table 2 times larger", 2),
        ("make the table half the size", 0.5),
        ("make the table half its size", 0.5),
        ("make the table 20 % bigger", 1.2),
        ("make the table 20% larger", 1.2),
        ("make the table 20 percent smaller", 0.8),
        ("make the table 12,5 % bigger", 1.125),
    ],
)
def test_sizes(request_: str, factor: float):
    (predicate,) = understood(request_)
    assert (predicate.name, predicate.subject) == ("scale_ratio", ["table"])
    assert predicate.qualifiers["factor"] == pytest.approx(factor)


def test_twice_as_small_is_half_the_size():
    (predicate,) = understood("make the table twice as small")
    assert predicate.qualifiers["factor"] == 0.5


@pytest.mark.parametrize("size", ["scale the table by 0", "scale the table by -2", "make the table 100 % smaller"])
def test_a_size_of_nothing_or_less_is_refused(size: str):
    error = refusal(size)
    assert error is not None and error.code == "not_understood"
    assert "size" in error.message


# --- removing, colouring, putting -----------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["remove", "delete", "get rid of", "take away", "take out", "erase"])
def test_verbs_of_removing(verb: str):
    (predicate,) = understood(f"{verb} the chair")
    assert (predicate.name, predicate.subject, predicate.qualifiers) == ("absent", ["chair"], {})


@pytest.mark.parametrize("verb", ["paint", "repaint", "recolour", "recolor", "colour", "color", "make"])
@pytest.mark.parametrize(
    ("words", "color"),
    [
        ("red", "red"),
        ("light blue", "light blue"),
        ("olive green", "olive green"),
        ("dark gray", "dark grey"),
        ("turquoise", "turquoise"),
    ],
)
def test_colours(verb: str, words: str, color: str):
    (predicate,) = understood(f"{verb} the sofa {words}")
    assert (predicate.name, predicate.subject, predicate.qualifiers) == ("color", ["sofa"], {"color": color})


def test_the_colour_a_thing_has_and_the_one_it_gets():
    for request in ("paint the red chair light blue", "paint red chair light blue"):
        (predicate,) = understood(request)
        assert (predicate.subject, predicate.qualifiers) == (["chair"], {"color": "light blue"})


@pytest.mark.parametrize("verb", ["put", "place", "set", "stand", "lay", "stick"])
@pytest.mark.parametrize("relation", ["on", "onto", "on top of", "upon", "atop"])
def test_verbs_of_putting(verb: str, relation: str):
    (predicate,) = understood(f"{verb} the mug {relation} the desk")
    assert (predicate.name, predicate.subject, predicate.object) == ("on_top_of", ["mug"], ["desk"])


# --- several things, several clauses ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("things", "subject"),
    [
        ("the chair and the table", ["chair", "table"]),
        ("the chair and table", ["chair", "table"]),
        ("the chair, the table and the sofa", ["chair", "table", "sofa"]),
        ("the chair, the table, and the sofa", ["chair", "table", "sofa"]),
        ("the chair and the red chair", ["chair"]),
        ("the stools", ["stool", "stool_001"]),
        ("all stools", ["stool", "stool_001"]),
        ("all the stools", ["stool", "stool_001"]),
        ("all of the stools", ["stool", "stool_001"]),
        ("every stool", ["stool", "stool_001"]),
        ("both stools", ["stool", "stool_001"]),
        ("a stool", ["stool"]),
        ("any stool", ["stool"]),
        ("the white stool", ["stool_001"]),
        ("the dark blue floor lamp", ["floor_lamp"]),
        ("the benches", ["bench_003", "bench_004"]),
        ("Bench.003", ["bench_003"]),
        ("the Bench.003", ["bench_003"]),
        ("bench.004", ["bench_004"]),
        ("bench_003", ["bench_003"]),
        ("Stool.001", ["stool_001"]),
        ("Wall_N", ["wall_n"]),
        ("the Küchenschrank", ["kuchenschrank"]),
        ("the floor lamp", ["floor_lamp"]),
    ],
)
def test_which_things_are_meant(things: str, subject: list[str]):
    assert understood(f"remove {things}")[0].subject == subject
    assert understood(f"move {things} 10 cm left.")[0].subject == subject
    assert understood(f"put {things} on the desk")[0].subject == subject


@pytest.mark.parametrize(
    "joint", [" and ", ", ", ", and ", ". ", "; ", " then ", " and then ", ", then ", ", after that "]
)
def test_clauses_become_requirements_in_order(joint: str):
    first, second = understood(f"move the chair 30 cm left{joint}paint the table red")
    assert (first.name, first.subject) == ("move_delta", ["chair"])
    assert (second.name, second.subject) == ("color", ["table"])


def test_it_and_them_are_what_the_clause_before_was_about():
    first, second, third = understood("move the chair 30 cm left, rotate it 45 degrees and paint it blue")
    assert first.subject == second.subject == third.subject == ["chair"]
    _, them = understood("move the stools 10 cm left and paint them blue")
    assert them.subject == ["stool", "stool_001"]
    _, _, last = understood("move the chair 30 cm left, rotate the table 45 degrees and move it 10 cm left")
    assert last.subject == ["table"]


def test_something_can_be_put_on_it():
    _, second = understood("paint the table red and put the mug on it")
    assert (second.subject, second.object) == (["mug"], ["table"])


def test_it_without_anything_before_is_refused():
    for request in ("move it 30 cm left", "put the mug on it", "remove them"):
        error = refusal(request)
        assert error is not None and error.code == "not_understood", request


def test_requirements_quote_their_clause_and_number_themselves():
    from scenewright.agent.analyser import compile_request
    from scenewright.agent.setting import Setting

    first, second = compile_request("Move the chair 30 cm left. Put the mug on the desk!", Setting(ROOM))
    assert (first.id, first.text) == ("r1", "Move the chair 30 cm left")
    assert (second.id, second.text) == ("r2", "Put the mug on the desk")
    assert (first.priority, second.priority) == (1, 2)
    assert second.matched_ids == ["mug", "desk"]
    assert first.source == "rule" and first.status == "unknown"
