"""Arguments whose bytes are no UTF-8 text: one line, exit code 2, and nothing written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .refused import REQUEST, assert_refused

NO_TEXT = os.fsdecode(b"table\xff")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["edit", "room.blend", NO_TEXT, "--dry-run"], "REQUEST"),
        (["edit", "room.blend", REQUEST, "--dry-run", "--protect", NO_TEXT], "--protect"),
        (["edit", "room.blend", REQUEST, "--dry-run", "--answer", f"{NO_TEXT}=table"], "--answer"),
        (["edit", "room.blend", REQUEST, "--dry-run", "--answer", f"table={NO_TEXT}"], "--answer"),
    ],
)
def test_what_should_be_text_is_refused_by_its_name(arguments: list[str], says: str, here: Path):
    line = assert_refused(here, *arguments)
    assert says in line and "not valid UTF-8" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["edit", f"{NO_TEXT}.blend", REQUEST, "--dry-run"],
        ["graph", f"{NO_TEXT}.blend"],
        ["render", "room.blend", "-o", "x.png", "--view", f"close:{NO_TEXT}"],
        ["edit", "room.blend", REQUEST, "--dry-run", f"--{NO_TEXT}"],
        [NO_TEXT],
    ],
)
def test_what_names_nothing_is_refused_with_its_bytes_escaped(arguments: list[str], here: Path):
    assert "table\\udcff" in assert_refused(here, *arguments)
