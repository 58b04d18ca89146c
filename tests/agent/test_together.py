"""Several things in one clause: each moves once, and nothing is chosen silently."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from ..executor.rooms import block, edit, furnished, save


def test_a_thing_and_its_child_that_are_moved_together_each_move_once(tmp_path: Path):
    furnished()
    bpy.data.objects["Mug"].parent = bpy.data.objects["Table"]
    bpy.data.objects["Mug"].matrix_parent_inverse = bpy.data.objects["Table"].matrix_world.inverted()
    bpy.context.view_layer.update()
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table and the mug 10 cm left", tmp_path / "out.blend")
    assert done.code == 0
    moved = {c["id"]: c for c in done.json["changes"] if c["kind"] == "moved"}
    for thing in ("table", "mug"):
        way = [a - b for a, b in zip(moved[thing]["after"]["origin"], moved[thing]["before"]["origin"], strict=True)]
        assert sum(w * w for w in way) ** 0.5 == pytest.approx(0.1, abs=1e-5)


def test_what_goes_on_one_of_several_is_asked(tmp_path: Path):
    furnished()
    block("Table.001", (0.6, 0.6, 0.5), (1.5, -1.4, 0))
    source = save(tmp_path / "room.blend")
    done = edit(source, "put the mug on the tables", tmp_path / "out.blend")
    assert done.code == 2
    assert done.json["error"]["code"] == "ambiguous"
    assert len(done.json["error"]["candidates"]) == 2
