"""Requests of several parts: each is done and told by itself, and the last scene is what is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ..executor.rooms import edit, worlds, worlds_in
from .moves import EXACT, assert_only_moved, shifts


def test_a_part_that_cannot_be_done_is_told_and_the_rest_is_written(room: Path, out: Path):
    done = edit(room, "move the table 20 cm left, move the chair 1 m right and paint the sofa red", out)
    assert done.code == 1
    result = done.result
    assert [r.status for r in result.requirements] == ["satisfied", "unsatisfied", "satisfied"]
    failed = result.requirements[1]
    assert failed.failure_mode == "blocked" and failed.repair_hint and "Wall_E" in str(failed.measured["reason"])
    assert [(a.step, a.outcome) for a in result.attempts] == [(1, "accepted"), (2, "rejected"), (3, "accepted")]
    assert_only_moved(room, out, dict.fromkeys(("Table", "Mug", "Book"), (-0.2, 0, 0)))
    assert "Chair" not in {c.name for c in result.changes}
    assert result.preservation.changed == []


def test_when_everything_fails_the_request_is_refused_and_nothing_is_written(room: Path, out: Path):
    done = edit(room, "move the chair 1 m right, rotate the sofa 90 degrees", out)
    assert done.code == 2 and not out.exists()
    result = done.result
    assert result.status == "refused" and result.error is not None and result.error.code == "blocked"
    assert "Chair" in result.error.message, "the first of the reasons is told"
    assert [r.status for r in result.requirements] == ["unsatisfied", "unsatisfied"]
    assert result.changes == []


def test_later_clauses_see_what_earlier_ones_did(room: Path, out: Path):
    done = edit(room, "move the chair 60 cm right and move the chair 60 cm left", out)
    assert done.code == 0
    assert shifts(room, out)["Chair"] == pytest.approx([0, 0, 0], abs=EXACT)
    done = edit(room, "move the chair 50 cm right and move it 50 cm right", out)
    assert done.code == 1
    assert shifts(room, out)["Chair"] == pytest.approx([0.5, 0, 0], abs=EXACT)
    assert [r.status for r in done.result.requirements] == ["satisfied", "unsatisfied"]


def test_a_thing_that_was_moved_and_removed_again_is_gone(room: Path, out: Path):
    done = edit(room, "move the chair 20 cm left and remove it", out)
    assert done.code == 0
    assert "Chair" not in worlds_in(out)


def test_removing_the_table_tells_what_hangs_in_the_air_now(room: Path, out: Path):
    done = edit(room, "remove the table", out)
    assert done.code == 0
    assert sorted(done.result.physical.introduced.floating) == ["book", "mug"]
    after = worlds_in(out)
    assert "Table" not in after and "Mug" in after


def test_the_scene_in_memory_is_not_needed_for_the_result(room: Path, out: Path):
    """What is written is what a fresh Blender reads."""
    edit(room, "move the table 20 cm left", out)
    in_memory = worlds()
    for name, matrix in worlds_in(out).items():
        assert np.array_equal(matrix, in_memory[name]), name
