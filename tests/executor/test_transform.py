"""Animated, driven, constrained and locked things: a move holds at every frame and after reload, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from scenewright.executor.blender.stage import Stage

from .rooms import block, edit, furnished, open_blend, save

FRAMES = (1, 7, 20, 33, 50, 60)


def over_time(path: Path, name: str) -> dict[int, np.ndarray]:
    """World matrices of an object at several frames, from the file."""
    open_blend(path)
    scene = bpy.context.scene
    found = {}
    for frame in FRAMES:
        scene.frame_set(frame)
        found[frame] = np.array(bpy.data.objects[name].matrix_world)
    return found


def assert_moved_at_all_frames(source: Path, out: Path, name: str, offset: tuple[float, float, float]) -> None:
    before, after = over_time(source, name), over_time(out, name)
    for frame in FRAMES:
        assert after[frame][:3, 3] - before[frame][:3, 3] == pytest.approx(offset, abs=1e-4), frame
        assert after[frame][:3, :3] == pytest.approx(before[frame][:3, :3], abs=1e-5), frame


def keyed(obj: bpy.types.Object, path: str, values: dict[int, tuple[float, ...]]) -> None:
    for frame, value in values.items():
        setattr(obj, path, value)
        obj.keyframe_insert(path, frame=frame)


def animated_room() -> bpy.types.Object:
    furnished()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.frame_current = 1, 60, 20
    return bpy.data.objects["Chair"]


def key_location(chair: bpy.types.Object) -> None:
    keyed(chair, "location", {1: (1.5, 0, 0), 30: (1.5, 0.4, 0), 60: (1.3, 0, 0)})


def key_one_axis(chair: bpy.types.Object) -> None:
    chair.keyframe_insert("location", index=1, frame=1)
    chair.location.y = 0.3
    chair.keyframe_insert("location", index=1, frame=60)


def key_rotation(chair: bpy.types.Object) -> None:
    keyed(chair, "rotation_euler", {1: (0, 0, 0), 60: (0, 0, 1)})


def key_everything(chair: bpy.types.Object) -> None:
    key_location(chair)
    key_rotation(chair)
    keyed(chair, "scale", {1: (1, 1, 1), 60: (1, 1, 0.8)})


def key_with_delta(chair: bpy.types.Object) -> None:
    key_location(chair)
    chair.delta_location = (0, -0.2, 0)
    chair.delta_rotation_euler = (0, 0, 0.2)


def key_under_turned_parent(chair: bpy.types.Object) -> None:
    holder = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.rotation_euler, holder.scale = (0, 0, 0.8), (2, 2, 2)
    bpy.context.view_layer.update()
    world = chair.matrix_world.copy()
    chair.parent = holder
    chair.matrix_world = world
    keyed(
        chair,
        "location",
        {1: tuple(chair.location), 60: tuple(chair.location.xyz + chair.location.xyz * 0.02)},
    )


def nla_strip(chair: bpy.types.Object) -> None:
    key_location(chair)
    data = chair.animation_data
    action = data.action
    track = data.nla_tracks.new()
    strip = track.strips.new("walk", 1, action)
    if hasattr(strip, "action_slot") and strip.action_slot is None:
        strip.action_slot = action.slots[0]
    data.action = None


def driver_on_location(chair: bpy.types.Object) -> None:
    driver = chair.driver_add("location", 1).driver
    driver.expression = "frame / 200"


@pytest.mark.parametrize(
    "animate",
    [
        key_location,
        key_one_axis,
        key_rotation,
        key_everything,
        key_with_delta,
        key_under_turned_parent,
        nla_strip,
        driver_on_location,
    ],
)
def test_an_animated_thing_is_moved_at_every_frame_and_after_reload(
    animate: Callable[[bpy.types.Object], None], source: Path, out: Path
):
    animate(animated_room())
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 0, done.out
    assert done.result.preservation.changed == []
    assert_moved_at_all_frames(source, out, "Chair", (0.2, 0, 0))
    open_blend(out)
    assert bpy.context.scene.frame_current == 20


@pytest.mark.parametrize("animate", [key_location, key_rotation, key_everything, key_with_delta])
def test_an_animated_thing_is_turned_at_every_frame(
    animate: Callable[[bpy.types.Object], None], source: Path, out: Path
):
    animate(animated_room())
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, "rotate the chair 90 degrees", out)
    assert done.code == 0, done.out
    before, after = over_time(source, "Chair"), over_time(out, "Chair")
    turn = np.array(Matrix.Rotation(np.radians(90), 3, "Z"))
    for frame in FRAMES:
        assert after[frame][:3, :3] == pytest.approx(turn @ before[frame][:3, :3], abs=1e-4)


@pytest.mark.parametrize(
    ("request_", "code"),
    [("rotate the chair 10 degrees", 0), ("scale the chair by 1.1", 0), ("move the chair 1 m right", 1)],
)
def test_whether_an_animated_thing_is_changed_or_refused_the_frame_stays(
    request_: str, code: int, source: Path, out: Path
):
    key_location(animated_room())
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, f"{request_} and move the table 20 cm left", out)
    assert done.code == code
    open_blend(out)
    assert bpy.context.scene.frame_current == 20
    assert done.result.preservation.changed == []


def test_an_animated_thing_is_scaled_at_every_frame(source: Path, out: Path):
    """Scaling about the underside: where the thing stands is where it stood, at every frame."""
    key_location(animated_room())
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, "scale the chair by 1.1", out)
    assert done.code == 0, done.out
    before, after = over_time(source, "Chair"), over_time(out, "Chair")
    for frame in FRAMES:
        assert after[frame][:3, :3] == pytest.approx(1.1 * before[frame][:3, :3], abs=1e-4)
        assert after[frame][:3, 3] == pytest.approx(before[frame][:3, 3], abs=1e-4)


def test_an_action_that_two_things_share_moves_only_the_one_that_was_meant(source: Path, out: Path):
    chair = animated_room()
    key_location(chair)
    twin = block("Stool", (0.3, 0.3, 0.45), (0, 0, 0))
    twin.parent = None
    twin.delta_location = (-3, -1, 0)
    data = twin.animation_data_create()
    data.action = chair.animation_data.action
    if hasattr(data, "action_slot"):
        data.action_slot = chair.animation_data.action_slot
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 0, done.out
    assert done.result.preservation.changed == []
    assert_moved_at_all_frames(source, out, "Chair", (0.2, 0, 0))
    assert_moved_at_all_frames(source, out, "Stool", (0, 0, 0))


def share(action_of: bpy.types.Object, name: str) -> bpy.types.Object:
    """A thing 3 m to the left that is animated by another's action."""
    twin = block(name, (0.3, 0.3, 0.45), (0, 0, 0))
    twin.delta_location = (-3, -1, 0)
    data = twin.animation_data_create()
    data.action = action_of.animation_data.action
    if hasattr(data, "action_slot"):
        data.action_slot = action_of.animation_data.action_slot
    return twin


@pytest.mark.parametrize("animate", [key_location, key_rotation, key_everything])
@pytest.mark.parametrize("request_", ["move the chair 20 cm right", "rotate the chair 10 degrees"])
def test_a_shared_action_stays_shared_and_as_it_is(
    animate: Callable[[bpy.types.Object], None], request_: str, source: Path, out: Path
):
    chair = animated_room()
    animate(chair)
    share(chair, "Stool")
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, request_, out)
    assert done.code == 0, done.out
    assert done.result.preservation.changed == []
    assert_moved_at_all_frames(source, out, "Stool", (0, 0, 0))
    assert len(bpy.data.actions) == 1
    actions = {bpy.data.objects[n].animation_data.action for n in ("Chair", "Stool")}
    assert len(actions) == 1


@pytest.mark.parametrize("override", [False, True])
def test_a_thing_that_a_linked_action_animates_is_moved_and_the_link_kept(override: bool, source: Path, out: Path):
    key_location(animated_room())
    library = save(source.parent / "library.blend")
    chair = animated_room()
    with bpy.data.libraries.load(str(library), link=True) as (_, linked):
        if override:
            linked.objects = ["Chair"]
        else:
            linked.actions = ["ChairAction"]
    if override:
        bpy.data.objects.remove(chair)
        bpy.context.scene.collection.objects.link(linked.objects[0])
        assert linked.objects[0].override_create(remap_local_usages=True).override_library
    else:
        data = chair.animation_data_create()
        data.action = linked.actions[0]
        if hasattr(data, "action_slot"):
            data.action_slot = data.action.slots[0]
    bpy.context.scene.frame_set(20)
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 0, done.out
    assert_moved_at_all_frames(source, out, "Chair", (0.2, 0, 0))
    assert bpy.data.objects["Chair"].animation_data.action.library is not None
    assert len(bpy.data.actions) == 1


def test_a_time_between_frames_is_kept(source: Path, out: Path):
    """The chair passes where it is between two frames: it is moved from there, and the time stays."""
    key_location(animated_room())
    bpy.context.scene.frame_set(20, subframe=0.4)
    save(source)
    for number, request_ in enumerate(("move the chair 20 cm right", "move the chair 1 m right")):
        done = edit(source, f"{request_} and move the crate 10 cm back", out, "--force")
        assert done.code == number, done.out
        assert done.result.preservation.changed == []
        open_blend(out)
        assert bpy.context.scene.frame_current == 20
        assert bpy.context.scene.frame_subframe == pytest.approx(0.4)
        assert_moved_at_all_frames(source, out, "Chair", ((0.2, 0)[number], 0, 0))


def test_geometry_is_settled_at_the_time_between_frames_where_it_was():
    key_location(animated_room())
    bpy.context.scene.frame_set(20, subframe=0.4)
    Stage(bpy.context).settle_evaluation()
    assert bpy.context.scene.frame_subframe == pytest.approx(0.4)


# --- what does not follow is refused ------------------------------------------------------------------------------


def copy_location(chair: bpy.types.Object) -> None:
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (1.5, 0.1, 0)
    constraint = chair.constraints.new("COPY_LOCATION")
    constraint.target = target


def limit_location(chair: bpy.types.Object) -> None:
    constraint = chair.constraints.new("LIMIT_LOCATION")
    constraint.use_max_x, constraint.max_x = True, 1.5


def driver_from_its_neighbour(chair: bpy.types.Object) -> None:
    driver = chair.driver_add("delta_location", 0).driver
    variable = driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = bpy.data.objects["Crate"]
    variable.targets[0].transform_type = "LOC_X"
    driver.expression = "var + 1.8"
    location = chair.driver_add("location", 0).driver
    location.expression = "1.5"


def locked(chair: bpy.types.Object) -> None:
    chair.lock_location = (True, True, True)


def locked_x(chair: bpy.types.Object) -> None:
    chair.lock_location = (True, False, False)


@pytest.mark.parametrize(
    ("hold", "code"),
    [
        (copy_location, "unsupported"),
        (limit_location, "unsupported"),
        (driver_from_its_neighbour, "unsupported"),
        (locked, "blocked"),
        (locked_x, "blocked"),
    ],
)
def test_what_something_else_holds_in_place_is_refused_and_left_alone(
    hold: Callable[[bpy.types.Object], None], code: str, source: Path, out: Path
):
    hold(animated_room())
    bpy.context.view_layer.update()
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 2, done.out
    assert done.json["error"]["code"] == code
    assert "Chair" in done.json["error"]["message"] and done.json["error"]["hint"]
    assert not out.exists()


def test_a_lock_on_another_axis_does_not_matter(source: Path, out: Path):
    locked_x(animated_room())
    save(source)
    assert edit(source, "move the chair 20 cm back", out).code == 0


@pytest.mark.parametrize(
    ("field", "request_"),
    [("lock_rotation", "rotate the chair 10 degrees"), ("lock_scale", "scale the chair by 1.1")],
)
def test_locked_rotations_and_scales_are_refused(field: str, request_: str, source: Path, out: Path):
    setattr(animated_room(), field, (True, True, True))
    save(source)
    done = edit(source, request_, out)
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")


def test_a_locked_rider_stops_what_would_carry_it(source: Path, out: Path):
    animated_room()
    bpy.data.objects["Mug"].lock_location = (True, True, True)
    save(source)
    done = edit(source, "move the table 20 cm left", out)
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")
    assert "Mug" in done.json["error"]["message"]


def test_a_muted_constraint_does_not_matter(source: Path, out: Path):
    chair = animated_room()
    copy_location(chair)
    chair.constraints[0].mute = True
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 0
    assert_moved_at_all_frames(source, out, "Chair", (0.2, 0, 0))


def test_a_child_of_an_animated_parent_is_refused(source: Path, out: Path):
    chair = animated_room()
    holder = bpy.data.objects.new("Turntable", None)
    bpy.context.scene.collection.objects.link(holder)
    keyed(holder, "rotation_euler", {1: (0, 0, 0), 60: (0, 0, 0.5)})
    bpy.context.scene.frame_set(1)
    chair.parent = holder
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "animated parent" in done.json["error"]["message"]


def test_what_follows_the_moved_thing_by_a_constraint_is_told_as_changed(source: Path, out: Path):
    """A lamp that copies the chair's location moves along: it may not go unmentioned."""
    chair = animated_room()
    lamp = block("Lamp", (0.1, 0.1, 0.3), (0, 0, 1.5))
    constraint = lamp.constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset = chair, True
    bpy.context.view_layer.update()
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert (done.code, done.result.preservation.changed) == (1, ["Lamp"])
