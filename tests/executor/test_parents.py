"""Things under parents that are scaled unevenly, or to nothing: what that forbids is refused for that very reason."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from .rooms import edit, furnished, open_blend, save

Vector = tuple[float, float, float]


def chair_under(scale: Vector, turned: Vector = (0, 0, 0)) -> bpy.types.Object:
    """The chair of the furnished room, itself turned a little, under an empty of a scale and an Euler rotation."""
    furnished()
    chair = bpy.data.objects["Chair"]
    rig = bpy.data.objects.new("Rig", None)
    bpy.context.scene.collection.objects.link(rig)
    rig.scale, rig.rotation_euler = scale, turned
    chair.parent = rig
    chair.location, chair.rotation_euler = (0.5, 0, 0), (0, 0, 0.3)
    bpy.context.view_layer.update()
    return chair


@pytest.mark.parametrize(
    ("scale", "turned"),
    [((2, 1, 1), (0, 0, 0)), ((2, 1, 1), (0, 0, 0.5)), ((1, 1, 2), (0.4, 0, 0.5))],
    ids=["along an axis", "turned", "upright scale, tilted"],
)
def test_a_turn_that_a_parents_uneven_scale_would_shear_is_refused_for_that_reason(
    scale: Vector, turned: Vector, source: Path, out: Path
):
    chair_under(scale, turned)
    save(source)
    done = edit(source, "rotate the chair 90 degrees", out, "--allow-collision")
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "unevenly scaled parent" in done.json["error"]["message"]
    assert "constraint" not in done.json["error"]["message"]


@pytest.mark.parametrize(
    ("scale", "angle"),
    [((1, 1, 2), 90), ((2, 1, 1), 180), ((-1, 1, 1), 90), ((2, 2, 2), 90)],
    ids=["taller", "half a turn", "mirrored", "evenly scaled"],
)
def test_a_turn_that_shears_nothing_is_made(scale: Vector, angle: int, source: Path, out: Path):
    chair = chair_under(scale)
    before = np.array(chair.matrix_world)
    save(source)
    done = edit(source, f"rotate the chair {angle} degrees", out, "--allow-collision")
    assert done.code == 0, done.out
    open_blend(out)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turn = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    assert np.array(bpy.data.objects["Chair"].matrix_world)[:3, :3] == pytest.approx(turn @ before[:3, :3], abs=1e-5)


@pytest.mark.parametrize("request_", ["move the chair 10 cm right", "scale the chair by 1.1"])
def test_an_uneven_scale_above_does_not_keep_a_thing_from_being_moved_or_scaled(request_: str, source: Path, out: Path):
    chair_under((2, 1, 1), (0, 0, 0.5))
    save(source)
    assert edit(source, request_, out, "--allow-collision").code == 0


def test_a_thing_under_a_parent_without_width_cannot_be_moved_sideways_and_that_is_the_reason(source: Path, out: Path):
    chair_under((0, 1, 1))
    save(source)
    done = edit(source, "move the chair 10 cm right", out, "--allow-collision")
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "scaled to nothing" in done.json["error"]["message"]


def test_a_thing_that_is_flattened_altogether_is_moved_within_its_plane(source: Path, out: Path):
    chair_under((1, 1, 0))
    save(source)
    done = edit(source, "move the chair 10 cm right", out, "--allow-collision")
    assert done.code == 0, done.out
    assert done.result.requirements[0].measured["error"] == pytest.approx(0, abs=1e-5)
