"""Things from files: put into the open scene as one thing, in their size, and taken out again without a trace."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
import pytest

from scenewright.executor.blender.journal import Journal
from scenewright.executor.model.errors import ScenewrightError

from .brought import (
    AT,
    EXPORTERS,
    SIZE,
    WAYS,
    add,
    box,
    chair,
    everything,
    exported,
    names,
    rich,
    room,
    stands_at,
    with_a_cutter,
)
from .rooms import block, new_file, save

# --- where it stands, and how large ---------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", EXPORTERS)
@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_what_a_file_holds_is_one_thing_that_stands_where_it_should_in_its_size(suffix, scale_length, tmp_path: Path):
    path = exported(tmp_path / f"chair{suffix}")
    bpy.context.scene.unit_settings.scale_length = scale_length
    root = add(path)
    assert root.name == "Chair A"
    assert root.parent is None
    assert stands_at(root, AT, scale_length)
    assert np.ptp(box(root, scale_length), axis=0) == pytest.approx(SIZE, abs=1e-4)
    assert {root, *root.children_recursive} == {o for o in bpy.context.scene.objects if o.name not in ("Table", "Mug")}


def test_a_blend_in_other_units_is_converted(tmp_path: Path):
    def in_centimetres() -> None:
        chair().scale = (100, 100, 100)
        bpy.context.scene.unit_settings.scale_length = 0.01

    path = exported(tmp_path / "chair.blend", in_centimetres)
    bpy.context.scene.unit_settings.scale_length = 0.1
    for link in (False, True):
        root = add(path, link=link)
        assert np.ptp(box(root, 0.1), axis=0) == pytest.approx(SIZE, abs=1e-4)
        assert stands_at(root, AT, 0.1)


def test_a_scene_whose_units_are_known_better_is_believed_less(tmp_path: Path):
    root = add(exported(tmp_path / "chair.glb"), scale_factor=0.5)
    assert np.ptp(box(root, 0.5), axis=0) == pytest.approx(SIZE, abs=1e-4)
    assert stands_at(root, AT, 0.5)


def test_meshes_keep_their_size_and_the_root_is_scaled(tmp_path: Path):
    path = exported(tmp_path / "chair.blend")
    bpy.context.scene.unit_settings.scale_length = 0.01
    root = add(path)
    assert tuple(root.scale) == pytest.approx((100, 100, 100))
    assert max(v.co.x for v in root.data.vertices) == 0.25


def lying() -> None:
    """A chair as made in a Y-up program, stood up by its own rotation."""
    seat = block("Seat", (0.5, 0.45, 0.6), (0, 0, 0))
    seat.rotation_euler.x = math.pi / 2
    bpy.context.view_layer.update()


def under_a_turned_root() -> None:
    root = bpy.data.objects.new("Root", None)
    bpy.context.scene.collection.objects.link(root)
    root.rotation_euler.x = math.pi / 2
    seat = block("Seat", (0.5, 0.45, 0.6), (0, 0, 0))
    seat.parent = root


@pytest.mark.parametrize("make", [lying, under_a_turned_root])
@pytest.mark.parametrize("suffix", [".glb", ".blend"])
def test_b26_however_a_file_stands_things_up_they_turn_about_the_vertical(make, suffix, tmp_path: Path):
    path = exported(tmp_path / f"chair{suffix}", make)
    straight, turned = add(path), add(path, yaw_deg=90)
    size = np.ptp(box(straight), axis=0)
    assert size == pytest.approx((0.5, 0.6, 0.45), abs=1e-4)
    assert np.ptp(box(turned), axis=0) == pytest.approx(size[[1, 0, 2]], abs=1e-4)
    assert stands_at(turned, AT)


def test_a_turn_is_counter_clockwise_from_above(tmp_path: Path):
    def with_a_nose() -> None:
        block("Body", (0.4, 0.4, 0.4), (0, 0, 0))
        block("Nose", (0.1, 0.1, 0.1), (0, -0.25, 0.2))

    path = exported(tmp_path / "head.glb", with_a_nose)
    root = add(path, yaw_deg=90)
    middle = np.mean([c.matrix_world.translation for c in root.children if c.name.startswith("Body")], axis=0)
    nose = next(c for c in root.children if c.name.startswith("Nose")).matrix_world.translation
    assert np.array(nose)[:2] - middle[:2] == pytest.approx((0.25, 0), abs=1e-5)


# --- what comes and what does not -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "link"), WAYS)
def test_all_else_stays_as_it_is_and_taken_back_nothing_is_left(suffix: str, link: bool, tmp_path: Path):
    path = exported(tmp_path / f"chair{suffix}", rich)
    bpy.context.scene.name = "Room"  # before "Scene"
    bpy.context.view_layer.objects.active = bpy.data.objects["Mug"]
    bpy.data.objects["Mug"].select_set(True)
    bpy.data.objects["Table"].hide_set(True)
    bpy.context.scene.frame_set(3)
    before, journal = everything(), Journal()
    add(path, journal=journal, link=link)
    after = everything()
    for key, was in before[0].items():
        now = after[0][key]
        assert {k: v for k, v in now.items() if k != "objects"} == {k: v for k, v in was.items() if k != "objects"}, key
    assert [row for row in after[1] if row in before[1]] == before[1]
    assert after[2:5] == before[2:5]
    assert len(names("scenes")) == 1
    assert not names("worlds") | names("cameras") | names("lights")
    journal.roll_back(0)
    assert everything() == before


def test_bones_of_gltf_are_imported_without_the_window_changing_its_scene(tmp_path: Path):
    path = exported(tmp_path / "chair.glb", rich)
    root = add(path)
    assert "ARMATURE" in {o.type for o in (root, *root.children_recursive)}
    assert bpy.context.window.scene == bpy.context.scene
    assert not names("collections")


def test_a_lamp_brings_the_bulb_within_it_and_leaves_the_sun_behind(tmp_path: Path):
    def lamp() -> None:
        block("Shade", (0.3, 0.3, 0.4), (0, 0, 0))
        for name, kind, at in (("Bulb", "POINT", (0, 0, 0.2)), ("Sun", "SUN", (3, 3, 4))):
            light = bpy.data.objects.new(name, bpy.data.lights.new(name, kind))
            bpy.context.scene.collection.objects.link(light)
            light.location = at

    root = add(exported(tmp_path / "lamp.blend", lamp))
    assert {c.name for c in root.children} == {"Shade", "Bulb"}
    assert names("lights") == {"Bulb"}


def test_a_file_of_lights_only_brings_them(tmp_path: Path):
    def light() -> None:
        obj = bpy.data.objects.new("Spot", bpy.data.lights.new("Spot", "SPOT"))
        bpy.context.scene.collection.objects.link(obj)

    root = add(exported(tmp_path / "spot.blend", light))
    assert (root.type, tuple(root.location)) == ("LIGHT", pytest.approx(AT))


def test_what_is_hidden_comes_along_hidden_if_something_needs_it(tmp_path: Path):
    path = exported(tmp_path / "cut.blend", with_a_cutter)
    root = add(path, yaw_deg=30)
    assert {c.name for c in root.children} == {"Body", "Cutter"}
    assert bpy.data.objects["Cutter"].hide_get()
    assert not bpy.data.objects["Body"].hide_get()
    bpy.data.objects["Cutter"].hide_set(True)
    assert np.ptp(box(bpy.data.objects["Body"]), axis=0)[2] == pytest.approx(0.5, abs=1e-4)
    root.location.x += 5
    assert np.ptp(box(bpy.data.objects["Body"]), axis=0)[2] == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("link", [False, True])
def test_of_several_things_the_only_asset_is_meant(link: bool, tmp_path: Path):
    def library() -> None:
        things = bpy.data.collections.new("Set")
        bpy.context.scene.collection.children.link(things)
        seat = chair()
        for obj in (seat, *seat.children):
            things.objects.link(obj)
        things.asset_mark()
        block("Backdrop", (9, 9, 9), (0, 0, 0))

    path = exported(tmp_path / "set.blend", library)
    root = add(path, link=link)
    assert np.ptp(box(root), axis=0) == pytest.approx(SIZE, abs=1e-4)
    assert not [o for o in bpy.context.scene.objects if o.asset_data]
    assert [c.name for c in bpy.data.collections] == (["Set"] if link else [])


def test_an_asset_object_brings_what_it_carries(tmp_path: Path):
    def library() -> None:
        chair().asset_mark()
        block("Backdrop", (9, 9, 9), (0, 0, 0))

    root = add(exported(tmp_path / "set.blend", library))
    assert np.ptp(box(root), axis=0) == pytest.approx(SIZE, abs=1e-4)
    assert root.asset_data is None


@pytest.mark.parametrize("compress", [False, True])
def test_of_several_scenes_the_one_in_use_is_meant(compress: bool, tmp_path: Path):
    new_file()
    block("Other thing", (3, 3, 3), (0, 0, 0))
    bpy.ops.scene.new(type="NEW")
    bpy.context.scene.name = "Zoo"
    chair()
    path = save(tmp_path / "two.blend", compress)
    room()
    assert np.ptp(box(add(path)), axis=0) == pytest.approx(SIZE, abs=1e-4)
    assert len(bpy.data.scenes) == 1


def test_a_blend_without_a_scene_is_taken_whole(tmp_path: Path):
    new_file()
    chair()
    bpy.data.libraries.write(str(tmp_path / "parts.blend"), set(bpy.data.objects))
    room()
    assert np.ptp(box(add(tmp_path / "parts.blend")), axis=0) == pytest.approx(SIZE, abs=1e-4)


def test_instanced_collections_come_along_and_are_drawn_once(tmp_path: Path):
    def pair() -> None:
        home = bpy.data.collections.new("Part")
        part = block("Part", (0.2, 0.2, 0.2), (0, 0, 0))
        bpy.context.scene.collection.objects.unlink(part)
        home.objects.link(part)
        for x in (0, 1):
            empty = bpy.data.objects.new(f"Part {x}", None)
            empty.instance_type, empty.instance_collection, empty.location.x = "COLLECTION", home, x
            bpy.context.scene.collection.objects.link(empty)

    root = add(exported(tmp_path / "pair.blend", pair))
    assert {c.name for c in root.children} == {"Part 0", "Part 1"}
    assert "Part" not in bpy.context.scene.objects
    assert np.ptp(box(root), axis=0) == pytest.approx((1.2, 0.2, 0.2), abs=1e-4)


def test_our_notes_stay_behind_and_the_users_marks_come(tmp_path: Path):
    def noted() -> None:
        seat = chair()
        for owner in (seat, seat.data, seat.active_material):
            owner["scenewright_uid"] = "0123456789abcdef"
        seat["scenewright_id"] = "chair"
        seat["scenewright_category"] = "chair"

    root = add(exported(tmp_path / "chair.blend", noted), journal=Journal())
    assert dict(root.items()) == {"scenewright_category": "chair"}
    assert not {*root.data.keys(), *root.active_material.keys()}


def test_nothing_of_a_file_runs_as_a_program(tmp_path: Path):
    def driven() -> None:
        seat = chair()
        for index, expression in enumerate(("__import__('os').getpid()", "frame * 0")):
            seat.driver_add("delta_scale", index).driver.expression = expression
        text = bpy.data.texts.new("run.py")
        text.use_module = True
        seat["notes"] = text

    path = exported(tmp_path / "chair.blend", driven)
    add(path)
    drivers = {d.array_index: d.mute for d in bpy.data.objects["Seat"].animation_data.drivers}
    assert drivers == {0: True, 1: False}
    assert not any(text.use_module for text in bpy.data.texts)


def test_keys_are_kept_and_move_within_what_the_root_places(tmp_path: Path):
    def moving() -> None:
        seat = chair()
        for frame, x in ((1, 2.0), (21, 3.0)):
            seat.location.x = x
            seat.keyframe_insert("location", frame=frame)
        bpy.context.scene.frame_set(1)

    path = exported(tmp_path / "chair.blend", moving)
    root = add(path, yaw_deg=90)
    seat = bpy.data.objects["Seat"]
    assert (root.type, seat.parent) == ("EMPTY", root)
    before = np.array(seat.matrix_world.translation)
    bpy.context.scene.frame_set(21)
    assert np.array(seat.matrix_world.translation) - before == pytest.approx((0, 1, 0), abs=1e-5)


def test_parts_that_would_not_follow_are_refused(tmp_path: Path):
    def held() -> None:
        chair()
        block("Cushion", (0.4, 0.4, 0.1), (2, 3, 0.85)).constraints.new("LIMIT_LOCATION").use_min_x = True
        bpy.data.objects["Cushion"].constraints[0].min_x = 2

    path = exported(tmp_path / "chair.blend", held)
    before = everything()
    with pytest.raises(ScenewrightError, match="Cushion") as refusal:
        add(path)
    assert refusal.value.code == "unsupported"
    assert everything() == before
