"""What nobody asked to change: shapes that are new at every evaluation count as what they were."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from ..executor.rooms import block, edit, furnished, save


def restless(name: str) -> bpy.types.Object:
    """A plate whose surface is displaced by a texture that is random at every evaluation."""
    plate = block(name, (0.4, 0.4, 0.02), (-1.5, 1, 0))
    modifier = plate.modifiers.new("Displace", "DISPLACE")
    modifier.texture, modifier.strength = bpy.data.textures.new("noise", "NOISE"), 0.01
    return plate


@pytest.fixture
def keyed(source: Path) -> Path:
    """A room with a chair that is animated: moving it takes a look at other frames, where all is evaluated anew."""
    furnished()
    restless("Plate")
    chair = bpy.data.objects["Chair"]
    for frame, y in ((1, 0.0), (60, 0.3)):
        chair.location.y = y
        chair.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    return save(source)


def test_a_shape_that_changes_by_itself_is_not_told_as_changed(keyed: Path, out: Path):
    done = edit(keyed, "move the chair 20 cm right", out)
    assert (done.code, done.result.preservation.changed) == (0, [])


def test_a_shape_that_changes_by_itself_is_told_where_it_was_moved(source: Path, out: Path):
    furnished()
    constraint = restless("Plate").constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset = bpy.data.objects["Chair"], True
    bpy.context.view_layer.update()
    save(source)
    done = edit(source, "move the chair 20 cm left", out, "--allow-collision")
    assert (done.code, done.result.preservation.changed) == (1, ["Plate"])


def test_what_follows_a_target_by_a_hair_is_told(source: Path, out: Path):
    furnished()
    lamp = block("Lamp", (0.1, 0.1, 0.3), (0, 0, 1.5))
    constraint = lamp.constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset, constraint.influence = bpy.data.objects["Chair"], True, 0.0005
    bpy.context.view_layer.update()
    save(source)
    done = edit(source, "move the chair 20 cm right", out)  # the lamp moves by a tenth of a millimetre
    assert (done.code, done.result.preservation.changed) == (1, ["Lamp"])
