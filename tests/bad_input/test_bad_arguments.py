"""Arguments that are wrong: one line that says which, exit code 2, and nothing written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ..executor.rooms import Done, scenewright
from .refused import REQUEST, assert_refused


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "COMMAND"),
        (["frobnicate"], "frobnicate"),
        (["edit"], "SCENE"),
        (["edit", "room.blend"], "REQUEST"),
        (["edit", "room.blend", REQUEST], "-o"),
        (["edit", "room.blend", REQUEST, "-o"], "-o"),
        (["edit", "room.blend", REQUEST, "extra", "-o", "out.blend"], "extra"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--sideways"], "--sideways"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--frame", "mine"], "mine"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--seed", "x"], "--seed"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--answer", "nonsense"], "QUESTION=ID"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--answer", "=chair"], "QUESTION=ID"),
        (["render", "room.blend"], "-o"),
        (["render", "room.blend", "-o", "x.png", "--view", "top", "--resolution", "0", "0"], "resolution"),
        (["render", "room.blend", "-o", "x.png", "--view", "top", "--resolution", "-5", "5"], "resolution"),
    ]
    + [
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--scale-factor", bad], "--scale-factor")
        for bad in ("0", "-1", "x", "nan", "inf", "", "1e400")
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments: list[str], says: str, here: Path):
    assert says in assert_refused(here, *arguments)


def test_an_answer_to_a_question_that_nobody_asked_is_noted(here: Path):
    done = scenewright("edit", "room.blend", REQUEST, "-o", "out.blend", "--answer", "which_unicorn=chair", "--json")
    assert done.code == 0
    assert done.json["warnings"] == ["--answer which_unicorn answers a question that was not asked."]


def test_an_unreadable_protection_is_refused(here: Path):
    assert_refused(
        here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--protect", "unicorn", code="unknown_object"
    )
    assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--protect", "", code="not_understood")


def test_help_and_version_are_no_errors():
    for arguments in (["--help"], ["edit", "--help"], ["--version"]):
        done: Done = scenewright(*arguments)
        assert done.code == 0 and done.out and not done.err


@pytest.mark.parametrize("place", [0, 1, 4])
def test_json_is_honoured_wherever_it_stands(place: int, here: Path):
    arguments = ["edit", "nowhere.blend", REQUEST, "--dry-run"]
    done = scenewright(*arguments[:place], "--json", *arguments[place:])
    assert (done.code, done.json["status"], done.err) == (2, "refused", "")


def test_an_option_is_written_out(here: Path):
    """Shortened ones would come to mean something else when an option is added, and `--jso` was half JSON."""
    for shortened in ("--jso", "--dry", "--forc", "--verb"):
        assert shortened in assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", shortened)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["edit", "room.blend", REQUEST, "--seed", "x"], "“x” is not a whole number"),
        (["edit", "room.blend", REQUEST, "--scale-factor", "x"], "“x” is not a positive number"),
        (["render", "room.blend", "-o", "x.png", "--resolution", "8", "wide"], "“wide” is no number of pixels"),
        (["edit", "room.blend", os.fsdecode(b"paint it \xff"), "--dry-run"], "not valid UTF-8"),
    ],
)
def test_a_wrong_value_is_told_in_words_and_not_by_what_reads_it(arguments: list[str], says: str, here: Path):
    line = assert_refused(here, *arguments)
    assert says in line
    assert "_" not in line and "invalid" not in line
