"""Turning and scaling through the command line: exact, with what is carried, and nothing else."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..executor.rooms import block, edit, furnished, open_blend, save, worlds_in
from .moves import EXACT


@pytest.mark.parametrize(
    ("request_", "angle"),
    [
        ("rotate the table 90 degrees", 90),
        ("rotate the table 30 degrees clockwise", -30),
        ("turn the table around", 180),
    ],
)
def test_a_turn_is_about_the_things_middle_and_takes_what_it_carries_along(
    request_: str, angle: float, room: Path, out: Path
):
    done = edit(room, request_, out)
    assert done.code == 0
    turn = np.array(Matrix.Rotation(np.radians(angle), 4, "Z"))
    before, after = worlds_in(room), worlds_in(out)
    for name in before:
        expected = turn @ before[name] if name in ("Table", "Mug", "Book") else before[name]
        assert after[name] == pytest.approx(expected, abs=EXACT), name
    assert {c.name for c in done.result.changes} == {"Table", "Mug", "Book"}
    assert done.result.preservation.changed == []


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE"])
def test_a_turn_is_exact_in_every_rotation_mode(mode: str, out: Path, tmp_path: Path):
    furnished()
    chair = bpy.data.objects["Chair"]
    chair.rotation_euler = (0, 0, 0.3)
    bpy.context.view_layer.update()
    chair.rotation_mode = mode
    source = save(tmp_path / "room.blend")
    assert edit(source, "rotate the chair 45 degrees", out).code == 0
    before, after = worlds_in(source)["Chair"], worlds_in(out)["Chair"]
    turn = np.array(Matrix.Rotation(np.radians(45), 3, "Z"))
    assert after[:3, :3] == pytest.approx(turn @ before[:3, :3], abs=EXACT)
    assert after[:3, 3] == pytest.approx(before[:3, 3], abs=EXACT)
    open_blend(out)
    assert bpy.data.objects["Chair"].rotation_mode == mode


def test_a_turn_under_an_unevenly_scaled_parent_that_would_shear_it_is_refused(out: Path, tmp_path: Path):
    furnished()
    holder = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.scale = (1, 2, 1)
    bpy.context.view_layer.update()
    chair = bpy.data.objects["Chair"]
    chair.parent = holder
    source = save(tmp_path / "room.blend")
    done = edit(source, "rotate the chair 45 degrees", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")


def test_scaling_keeps_the_underside_in_place_and_lifts_what_stands_on_it(room: Path, out: Path):
    done = edit(room, "scale the table by 1.1", out)
    assert done.code == 0
    before, after = worlds_in(room), worlds_in(out)
    assert after["Table"][:3, :3] == pytest.approx(1.1 * before["Table"][:3, :3], abs=EXACT)
    assert after["Table"][:3, 3] == pytest.approx([0, 0, 0], abs=EXACT)
    for rider in ("Mug", "Book"):
        assert after[rider][2, 3] == pytest.approx(1.1 * 0.74, abs=EXACT)
        assert after[rider][:3, :3] == pytest.approx(before[rider][:3, :3], abs=EXACT)
    assert done.result.preservation.changed == []
    assert done.result.physical.introduced.floating == []


def test_scaling_down_keeps_everything_that_stood_on_it_on_it(room: Path, out: Path):
    done = edit(room, "scale the table by 0.5", out)
    assert done.code == 0
    assert done.result.physical.introduced.floating == []
    before, after = worlds_in(room), worlds_in(out)
    for rider in ("Mug", "Book"):
        assert after[rider][:3, 3] == pytest.approx(0.5 * before[rider][:3, 3], abs=EXACT)
        assert after[rider][:3, :3] == pytest.approx(before[rider][:3, :3], abs=EXACT)


@pytest.mark.parametrize("both", ["the table and the mug", "the mug and the table"])
def test_what_stands_on_a_thing_that_is_turned_with_it_turns_once(both: str, room: Path, out: Path):
    assert edit(room, f"rotate {both} 30 degrees", out).code == 0
    turn = np.array(Matrix.Rotation(np.radians(30), 4, "Z"))
    before, after = worlds_in(room), worlds_in(out)
    assert after["Mug"] == pytest.approx(turn @ before["Mug"], abs=EXACT)


def test_what_stands_on_what_stands_on_a_thing_that_grows_keeps_its_place_there(source: Path, out: Path):
    furnished()
    block("Plate", (0.1, 0.1, 0.02), (-0.25, 0.05, 0.77))  # on the book, which is on the table
    save(source)
    done = edit(source, "scale the table by 1.2", out)
    assert (done.code, done.result.physical.introduced.floating) == (0, [])
    before, after = worlds_in(source), worlds_in(out)
    book, plate = (after[name][:3, 3] - before[name][:3, 3] for name in ("Book", "Plate"))
    assert book == pytest.approx([-0.04, 0, 0.148], abs=EXACT)
    assert plate == pytest.approx(book, abs=EXACT)


def test_what_stands_on_a_child_of_a_thing_that_grows_stays_on_it(source: Path, out: Path):
    furnished()
    block("Tray", (0.3, 0.3, 0.1), (0.3, -0.2, 0.74), parent=bpy.data.objects["Table"])
    block("Cup", (0.06, 0.06, 0.08), (0.35, -0.2, 0.84))
    save(source)
    done = edit(source, "scale the table by 1.2", out)
    assert (done.code, done.result.physical.introduced.floating) == (0, [])
    assert worlds_in(out)["Cup"][:3, 3] == pytest.approx([0.42, -0.24, 1.008], abs=EXACT)


@pytest.mark.parametrize(
    ("request_", "ratios"),
    [
        ("make the table 20 % taller", (1, 1, 1.2)),
        ("make the table twice as long", (2, 1, 1)),
        ("make the table half as wide", (1, 0.5, 1)),
        ("scale the table 10 % lower", (1, 1, 0.9)),
        ("make the sofa 1.5 times as tall", (1, 1, 1.5)),
    ],
)
def test_one_dimension_is_scaled_and_the_base_stays(request_: str, ratios: tuple[float, ...], room: Path, out: Path):
    done = edit(room, request_, out, "--allow-collision")
    assert (done.code, done.result.preservation.changed) == (0, []), done.out
    name = "Sofa" if "sofa" in request_ else "Table"
    before, after = worlds_in(room)[name], worlds_in(out)[name]
    assert after[:3, :3] == pytest.approx(before[:3, :3] @ np.diag(ratios), abs=1e-5)
    assert after[:3, 3] == pytest.approx(before[:3, 3], abs=1e-5)


def test_what_stands_on_a_stretched_thing_keeps_its_spot(room: Path, out: Path):
    edit(room, "make the table twice as long", out, "--allow-collision")
    before, after = worlds_in(room), worlds_in(out)
    assert after["Mug"][:3, 3] == pytest.approx(before["Mug"][:3, 3] * [2, 1, 1], abs=1e-5)
    assert after["Mug"][:3, :3] == pytest.approx(before["Mug"][:3, :3], abs=1e-6)


def test_a_thing_is_stretched_along_its_own_sides(source: Path, out: Path):
    furnished()
    bpy.data.objects["Table"].rotation_euler.z = np.radians(30)
    assert edit(save(source), "make the table twice as long", out, "--allow-collision").code == 0
    turned = np.array(Matrix.Rotation(np.radians(30), 3, "Z"))
    assert worlds_in(out)["Table"][:3, :3] == pytest.approx(turned @ np.diag([2, 1, 1]), abs=1e-5)
