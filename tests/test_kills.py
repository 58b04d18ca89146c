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
ROUNDS = 6
LATEST = 3.0
"""Seconds after which a command is killed at the latest: by then it may be done."""
SAVING = 0.004
"""Seconds from the first sign of saving by which it may be done."""
LEFT = 2
"""What a killed process may leave: the file that it writes, and Blender's own step towards it."""


def test_kills_at_any_moment_leave_sound_files_and_nothing_that_piles_up(luck: int, source: Path, tmp_path: Path):
    furnished()
    save(source)
    before, chance = digest(source), random.Random(luck)
    assert edit(source, REQUEST, tmp_path / "out.blend").code == 0
    assert edit(source, REQUEST, tmp_path / "back.blend").code == 0
    earlier = digest(tmp_path / "out.blend")
    names = {"back.blend", "out.blend", "room.blend"}
    commands = [("edit", "room.blend", REQUEST), ("history", "out.blend", "restore", "0")]
    for number in range(ROUNDS):
        process = subprocess.Popen(
            [sys.executable, "-m", "scenewright", *chance.choice(commands), "-o", "back.blend"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if number % 2:
            while process.poll() is None and not is_saving(tmp_path, names):
                pass
            latest = SAVING
        else:
            latest = LATEST
        with suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0, latest))
        process.kill()
        process.wait()
        assert (digest(source), digest(tmp_path / "out.blend")) == (before, earlier)
        assert worlds_in(tmp_path / "back.blend")["Table"][0, 3] in (pytest.approx(-0.2), 0)
        assert len(os.listdir(tmp_path)) <= len(names) + LEFT
    assert edit(source, REQUEST, tmp_path / "back.blend").code == 0
    assert set(os.listdir(tmp_path)) == names


def is_saving(folder: Path, names: set[str]) -> bool:
    """Whether there is something of a size beside the files."""
    with suppress(FileNotFoundError):
        return any(path.stat().st_size for path in folder.iterdir() if path.name not in names)
    return False
