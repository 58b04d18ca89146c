"""A process that is killed leaves sound files behind, and nothing that piles up."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from .executor.rooms import digest, edit, furnished, save, worlds_in

REQUEST = "move the table 20 cm left"
ROUNDS = 4
LATEST = 3.0
"""Seconds after which a command is killed at the latest: by then it may be done."""


def test_kills_at_any_moment_leave_sound_files_and_nothing_that_piles_up(luck: int, source: Path, tmp_path: Path):
    furnished()
    save(source)
    before, chance = digest(source), random.Random(luck)
    assert edit(source, REQUEST, tmp_path / "out.blend").code == 0
    assert edit(source, REQUEST, tmp_path / "back.blend").code == 0
    commands = [("edit", "room.blend", REQUEST), ("history", "out.blend", "restore", "0")]
    for _ in range(ROUNDS):
        process = subprocess.Popen(
            [sys.executable, "-m", "scenewright", *chance.choice(commands), "-o", "back.blend"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.3, LATEST))
        process.kill()
        process.wait()
        assert digest(source) == before
        assert worlds_in(tmp_path / "back.blend")["Table"][0, 3] in (pytest.approx(-0.2), 0)
    assert edit(source, REQUEST, tmp_path / "back.blend").code == 0
    assert sorted(os.listdir(tmp_path)) == ["back.blend", "out.blend", "room.blend"]
