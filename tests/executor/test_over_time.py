"""A change holds whatever else moves: at the keys of parents and targets, wherever these lie, and between them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from scenewright.executor.blender.animation import curves_of, telling_moments

from .rooms import edit, furnished, save


def chair_at(frame: int) -> bpy.types.Object:
    """The chair of the furnished room, which is 60 frames long, at a frame."""
    furnished()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    scene.frame_set(frame)
    return bpy.data.objects["Chair"]


def turning(name: str, yaws: dict[int, float], linear: bool = False) -> bpy.types.Object:
    """An empty that turns about Z as keyed, radians by frame."""
    empty = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(empty)
    for frame, yaw in yaws.items():
        empty.rotation_euler.z = yaw
        empty.keyframe_insert("rotation_euler", index=2, frame=frame)
    if linear:
        for point in curve_of(empty).keyframe_points:
            point.interpolation = "LINEAR"
    bpy.context.scene.frame_set(bpy.context.scene.frame_current)
    return empty


def curve_of(obj: bpy.types.Object) -> bpy.types.FCurve:
    data = obj.animation_data
    return curves_of(data.action, getattr(data, "action_slot", None))[0]


SWINGS = {1: 0.0, 10: 0.0, 15: 0.5, 20: 0.0, 30: 0.0, 60: 0.0}
"""Off its place for a few frames only, and at neither end nor the middle of the frame range."""


def parent_that_swings(chair: bpy.types.Object) -> None:
    chair.parent = turning("Rig", SWINGS)


def grandparent_that_swings(chair: bpy.types.Object) -> None:
    chair.parent = bpy.data.objects.new("Rig", None)
    bpy.context.scene.collection.objects.link(chair.parent)
    chair.parent.parent = turning("Turntable", SWINGS)


def parent_that_turns_wholly_between_keys(chair: bpy.types.Object) -> None:
    chair.parent = turning("Rig", {1: 0.0, 60: 4 * 3.14159265}, linear=True)


def parent_that_swings_in_the_nla(chair: bpy.types.Object) -> None:
    rig = chair.parent = turning("Rig", SWINGS)
    data, action = rig.animation_data, rig.animation_data.action
    strip = data.nla_tracks.new().strips.new("swing", 3, action)
    if hasattr(strip, "action_slot") and strip.action_slot is None:
        strip.action_slot = action.slots[0]
    data.action = None


def target_that_swings(chair: bpy.types.Object) -> None:
    """The chair is a child of a turntable by a constraint."""
    chair.constraints.new("CHILD_OF").target = turning("Turntable", SWINGS)


def parent_driven_by_what_swings(chair: bpy.types.Object) -> None:
    chair.parent = bpy.data.objects.new("Rig", None)
    bpy.context.scene.collection.objects.link(chair.parent)
    driver = chair.parent.driver_add("rotation_euler", 2).driver
    variable = driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = turning("Dial", SWINGS)
    variable.targets[0].transform_type = "ROT_Z"
    driver.expression = variable.name


def bone_that_swings(chair: bpy.types.Object) -> None:
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("arm")
    bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    pose = rig.pose.bones["arm"]
    pose.rotation_mode = "XYZ"
    for frame, yaw in SWINGS.items():
        pose.rotation_euler.y = yaw
        pose.keyframe_insert("rotation_euler", index=1, frame=frame)
    chair.parent, chair.parent_type, chair.parent_bone = rig, "BONE", "arm"
    chair["scenewright_entity"] = ""  # it would be one thing with the rig otherwise, and move with it
    bpy.context.view_layer.update()
    chair.matrix_parent_inverse = chair.matrix_world.inverted() @ Matrix.Translation(chair.location)


@pytest.mark.parametrize(
    "place",
    [
        parent_that_swings,
        grandparent_that_swings,
        parent_that_turns_wholly_between_keys,
        parent_that_swings_in_the_nla,
        target_that_swings,
        parent_driven_by_what_swings,
        bone_that_swings,
    ],
)
def test_a_move_that_would_not_hold_for_a_few_frames_only_is_refused(
    place: Callable[[bpy.types.Object], None], source: Path, out: Path
):
    place(chair_at(1))
    bpy.context.view_layer.update()
    save(source)
    done = edit(source, "move the chair 20 cm right", out, "--allow-collision")
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported"), done.out
    assert "animated parent" in done.json["error"]["message"]


def test_a_thing_whose_parent_is_animated_without_moving_is_moved(source: Path, out: Path):
    chair = chair_at(1)
    chair.parent = turning("Rig", dict.fromkeys(SWINGS, 0.0))
    save(source)
    assert edit(source, "move the chair 20 cm right", out).code == 0


def test_what_nothing_moves_is_looked_at_now_only():
    chair = chair_at(7)
    chair.parent = bpy.data.objects["Crate"]
    assert telling_moments([chair], bpy.context.scene) == [(7, 0.0)]


def test_all_keys_and_a_moment_between_each_two_are_looked_at():
    chair = chair_at(7)
    chair.parent = turning("Rig", {10: 0.0, 12: 0.5})
    moments = telling_moments([chair], bpy.context.scene)
    assert moments == [(7, 0.0), (1, 0.0), (4, 0.42), (10, 0.0), (10, 0.76), (12, 0.0), (30, 0.24), (60, 0.0)]


def test_keys_at_every_frame_are_thinned_out_and_those_beyond_all_frames_left_out():
    chair = chair_at(1)
    rig = chair.parent = turning("Rig", {frame: frame / 100 for frame in range(1, 501)})
    curve_of(rig).keyframe_points.insert(2e6, 0.0)
    moments = telling_moments([chair], bpy.context.scene)
    assert 60 < len(moments) < 70
    assert (1, 0.0) in moments and (500, 0.0) in moments and max(moments) == (500, 0.0)
    for frame, part in moments:
        bpy.context.scene.frame_set(frame, subframe=part)
