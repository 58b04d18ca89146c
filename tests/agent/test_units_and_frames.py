"""Whose metres, whose left, whose north: what a displacement means in a scene, and along a wall."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..executor.rooms import block, edit, furnished, save, scenewright
from .moves import EXACT, assert_only_moved, shifts


def test_lengths_are_metres_in_a_scene_drawn_in_centimetres(out: Path, tmp_path: Path):
    furnished()
    bpy.context.scene.unit_settings.scale_length = 0.01
    for obj in bpy.context.scene.objects:
        obj.location = [100 * c for c in obj.location]
        obj.scale = (100, 100, 100)
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 20 cm left", out)
    assert done.code == 0
    moved = shifts(source, out)
    for name in ("Table", "Mug", "Book"):
        assert moved[name] == pytest.approx([-20, 0, 0], abs=1e-3)
    assert np.abs(moved["Chair"]).max() == 0
    change = next(c for c in done.result.changes if c.name == "Table")
    assert change.after["center"] == pytest.approx([-0.2, 0, 0.37], abs=EXACT)


def test_a_scale_factor_says_what_a_unit_is(out: Path, tmp_path: Path):
    furnished()
    for obj in bpy.context.scene.objects:
        obj.location = [39.3701 * c for c in obj.location]
        obj.scale = (39.3701,) * 3
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 10 inches left", out, "--scale-factor", "0.0254")
    assert done.code == 0
    assert shifts(source, out)["Mug"] == pytest.approx([-10, 0, 0], abs=1e-3)


def test_what_the_scene_makes_doubtful_is_told_with_the_result_too(out: Path, tmp_path: Path):
    furnished()
    block("Mug.001", (0.8, 0.8, 9.0), (-1.5, 1, 0))
    source = save(tmp_path / "room.blend")
    (doubt,) = scenewright("graph", source, "--json").json["warnings"]
    assert edit(source, "move the chair 20 cm left", out).result.warnings == [doubt]


def test_left_is_the_cameras_left(out: Path, tmp_path: Path):
    furnished()
    data = bpy.data.cameras.new("Camera")
    camera = bpy.data.objects.new("Camera", data)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    camera.matrix_world = Matrix.Translation((0, 0, 1.5)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    camera.matrix_world = Matrix.Rotation(np.radians(-30), 4, "Z") @ camera.matrix_world  # looks 30° east of north
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 20 cm left", out).code == 0
    left = 0.2 * np.array([-np.cos(np.radians(30)), np.sin(np.radians(30)), 0])
    assert shifts(source, out)["Table"] == pytest.approx(left, abs=EXACT)
    done = edit(source, "move the table 20 cm left", out, "--frame", "world")
    assert done.result.requirements[0].predicate.qualifiers["frame"] == "world"  # type: ignore[union-attr]
    assert shifts(source, out)["Table"] == pytest.approx([-0.2, 0, 0], abs=EXACT)


def test_north_is_where_the_scene_says(out: Path, tmp_path: Path):
    furnished()
    bpy.context.scene["north_deg"] = 90.0
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 20 cm north", out).code == 0
    assert shifts(source, out)["Table"] == pytest.approx([-0.2, 0, 0], abs=EXACT)


def picture_on_the_east_wall() -> None:
    furnished()
    block("Picture", (0.03, 0.6, 0.4), (2.485, 0, 1.3))


def test_a_picture_slides_along_its_wall(out: Path, tmp_path: Path):
    picture_on_the_east_wall()
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the picture 20 cm forward", out).code == 0
    assert_only_moved(source, out, {"Picture": (0, 0.2, 0)})
    assert edit(source, "move the picture 15 cm up", out).code == 0
    assert_only_moved(source, out, {"Picture": (0, 0, 0.15)})
    refused = edit(source, "move the picture 20 cm left", out)  # straight off the wall
    assert (refused.code, refused.json["error"]["code"]) == (2, "infeasible")


def test_a_slanting_direction_keeps_its_length_along_the_wall(out: Path, tmp_path: Path):
    picture_on_the_east_wall()
    bpy.context.scene["north_deg"] = -40.0
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the picture 20 cm north", out)
    assert done.code == 0
    assert_only_moved(source, out, {"Picture": (0, 0.2, 0)})
