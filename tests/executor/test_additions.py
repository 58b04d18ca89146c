"""Things from files: put into the open scene as one thing, in their size, and taken out again without a trace."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from scenewright.executor.blender.additions import add_from_file
from scenewright.executor.blender.blocks import all_blocks
from scenewright.executor.blender.files import open_scene
from scenewright.executor.blender.fingerprint import Fingerprint
from scenewright.executor.blender.history import add_turn, go_to, lasting_edits, left_with, purge, read_history
from scenewright.executor.blender.journal import Journal
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.history import History, Turn, Written

from .dump import dump
from .operations import state
from .rooms import block, new_file, open_blend, save

AT = (1.2, -0.7, 0.3)
SIZE = (0.5, 0.6, 0.9)
EXPORTERS: dict[str, Callable[[str], object]] = {
    ".glb": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_lights=True, export_cameras=True),
    ".gltf": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_format="GLTF_SEPARATE"),
    ".usdc": lambda path: bpy.ops.wm.usd_export(filepath=path),
    ".obj": lambda path: bpy.ops.wm.obj_export(filepath=path),
    ".fbx": lambda path: bpy.ops.export_scene.fbx(filepath=path),
    ".blend": lambda path: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True),
}
WAYS = [*((suffix, False) for suffix in EXPORTERS), (".blend", True)]
"""Kinds of files, and whether what they hold is linked."""


def chair() -> bpy.types.Object:
    """A chair of 0.5 × 0.6 × 0.9 m that stands somewhere: a seat that carries a back."""
    seat = block("Seat", (0.5, 0.6, 0.45), (2, 3, 0.4), color=(0.5, 0.1, 0.1))
    block("Back", (0.5, 0.1, 0.45), (2, 3.25, 0.85), color=(0.1, 0.5, 0.1), parent=seat)
    return seat


def room() -> None:
    """A table and a mug on it, in an otherwise empty file."""
    new_file()
    block("Table", (1.2, 0.8, 0.74), (0, 0, 0), color=(0.2, 0.1, 0.05))
    block("Mug", (0.08, 0.08, 0.1), (0.3, 0.1, 0.74), color=(0.8, 0.8, 0.8))


def exported(path: Path, make: Callable[[], object] = chair) -> Path:
    """A file of what is made in an empty scene; the room is open afterwards."""
    new_file()
    make()
    EXPORTERS[path.suffix](str(path))
    room()
    return path


def add(path: Path, name: str = "Chair A", journal: Journal | None = None, **options: object) -> bpy.types.Object:
    return add_from_file(journal or Journal(lasting=True), bpy.context, path, name, AT, **options)


def box(root: bpy.types.Object, metres: float = 1.0) -> np.ndarray:
    """Lower and upper corner of what a thing draws, ``(2, 3)``, metres."""
    bpy.context.view_layer.update()
    own, found = {root, *root.children_recursive}, []
    for drawn in bpy.context.evaluated_depsgraph_get().object_instances:
        owner = drawn.parent if drawn.is_instance else drawn.object
        helper = owner.hide_render and owner.display_type in {"WIRE", "BOUNDS"}
        if owner.original in own and drawn.object.type == "MESH" and drawn.show_self and not helper:
            world = np.array(drawn.matrix_world)
            local = np.array([tuple(v.co) for v in drawn.object.data.vertices]).reshape(-1, 3)
            found.append(local @ world[:3, :3].T + world[:3, 3])
    cloud = np.vstack(found) * metres
    return np.array([cloud.min(axis=0), cloud.max(axis=0)])


def stands_at(root: bpy.types.Object, at: tuple[float, ...], metres: float = 1.0) -> bool:
    low, high = box(root, metres)
    return np.allclose([*(low + high)[:2] / 2, low[2]], at, atol=1e-4)


def everything() -> tuple[object, ...]:
    """All of the file, and what of it is selected, active and shown."""
    window, layer = bpy.context.window, bpy.context.view_layer
    seen = [(o.name_full, o.select_get(), o.hide_get()) for o in layer.objects]
    active = layer.objects.active and layer.objects.active.name, layer.active_layer_collection.name
    libraries = sorted(library.filepath for library in bpy.data.libraries)
    return dump(), seen, active, window.scene.name, window.view_layer.name, libraries


def names(kind: str) -> set[str]:
    return {b.name_full for k, b in all_blocks() if k == kind}


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


def rich() -> None:
    """Much of what importers bring besides objects: another frame rate, a world, a camera, a sun, bones, shapes."""
    scene, seat = bpy.context.scene, chair()
    scene.render.fps, scene.frame_start, scene.frame_end = 60, 5, 77
    scene.frame_set(11)
    scene.world = bpy.data.worlds.new("Sky")
    for kind, data in (("Camera", bpy.data.cameras.new("Camera")), ("Sun", bpy.data.lights.new("Sun", "SUN"))):
        obj = bpy.data.objects.new(kind, data)
        scene.collection.objects.link(obj)
        obj.location = (7, -7, 5)
    seat.shape_key_add(name="Basis")
    seat.shape_key_add(name="Wide")
    arm = bpy.data.objects.new("Bones", bpy.data.armatures.new("Bones"))
    scene.collection.objects.link(arm)
    bpy.context.view_layer.objects.active = arm
    bpy.ops.object.mode_set(mode="EDIT")
    bone = arm.data.edit_bones.new("Bone")
    bone.head, bone.tail = (2, 3, 0.4), (2, 3, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    seat.parent = arm
    seat.vertex_groups.new(name="Bone").add(range(8), 1.0, "REPLACE")
    seat.modifiers.new("Bones", "ARMATURE").object = arm
    seat.active_material.node_tree.nodes.new("ShaderNodeTexImage").image = image("wood")
    seat.keyframe_insert("location", frame=1)
    seat.location.x += 1
    seat.keyframe_insert("location", frame=40)


def image(name: str) -> bpy.types.Image:
    made = bpy.data.images.new(name, 4, 4)
    made.pixels = [0.5] * 64
    made.pack()
    return made


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


def with_a_cutter() -> None:
    body, cutter = block("Body", (1, 1, 1), (0, 0, 0)), block("Cutter", (2, 2, 1), (0, 0, 0.5))
    block("Spare", (3, 3, 3), (0, 0, 0)).hide_set(True)
    body.modifiers.new("Cut", "BOOLEAN").object = cutter
    cutter.hide_set(True)


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


# --- names, and the same file again ---------------------------------------------------------------------------------


def test_b18_a_name_that_is_taken_stays_with_whom_it_was(tmp_path: Path):
    path = exported(tmp_path / "chair.glb")
    old = bpy.data.objects["Table"]
    first, second = add(path, "Table"), add(path, "Table")
    assert (old.name, first.name, second.name) == ("Table", "Table.001", "Table.002")
    assert not {first, *first.children_recursive} & {second, *second.children_recursive}


def test_b54_the_same_file_linked_then_appended_twice_is_three_things(tmp_path: Path):
    def textured() -> None:
        chair().active_material.node_tree.nodes.new("ShaderNodeTexImage").image = image("wood")

    path = exported(tmp_path / "chair.blend", textured)
    before, journal = everything(), Journal()
    known: dict[str, object] = {}
    for x, link in enumerate((True, False, False)):
        add_from_file(journal, bpy.context, path, "Chair A", (x, 0, 0), link=link)
        found = {name: print_ for name, print_ in state().items() if name not in ("scene", "layer")}
        assert {name: found[name] for name in known} == known
        known = found
    roots = [bpy.data.objects[n] for n in ("Chair A", "Chair A.001", "Chair A.002")]
    assert all(stands_at(root, (x, 0, 0)) for x, root in enumerate(roots))
    assert len([i for i in bpy.data.images if i.library is None]) == 1
    assert len([m for m in bpy.data.materials if m.name.startswith("Seat") and m.library is None]) == 1
    journal.roll_back(0)
    assert everything() == before


# --- linked ---------------------------------------------------------------------------------------------------------


def test_a_linked_thing_is_an_instance_that_can_be_moved(tmp_path: Path):
    root = add(exported(tmp_path / "chair.blend"), link=True)
    assert (root.type, root.instance_type, root.library) == ("EMPTY", "COLLECTION", None)
    assert {o.library.name for o in root.instance_collection.objects} == {"chair.blend"}
    assert stands_at(root, AT)
    assert [o for o in bpy.context.scene.objects if o.library] == []


def test_a_collection_that_holds_all_of_it_is_linked_itself(tmp_path: Path):
    def sorted_chair() -> None:
        home = bpy.data.collections.new("Chairs")
        bpy.context.scene.collection.children.link(home)
        seat = chair()
        for obj in (seat, *seat.children):
            home.objects.link(obj)
            bpy.context.scene.collection.objects.unlink(obj)
        sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
        bpy.context.scene.collection.objects.link(sun)
        sun.location.z = 5

    root = add(exported(tmp_path / "chair.blend", sorted_chair), link=True)
    assert root.instance_collection.library is not None
    assert not names("lights")
    assert stands_at(root, AT)


def test_a_saved_scene_links_by_a_relative_path_and_finds_it_again(tmp_path: Path, source: Path):
    path = exported(tmp_path / "chair.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(source))
    add(path, link=True)
    assert [library.filepath for library in bpy.data.libraries] == ["//chair.blend"]
    bpy.ops.wm.save_mainfile()
    open_blend(source)
    assert stands_at(bpy.data.objects["Chair A"], AT)


def test_what_is_no_blend_cannot_be_linked(tmp_path: Path):
    path = exported(tmp_path / "chair.glb")
    with pytest.raises(ScenewrightError) as refusal:
        add(path, link=True)
    assert refusal.value.code == "unsupported"


# --- refused --------------------------------------------------------------------------------------------------------


def refused(path: Path, **options: object) -> ScenewrightError:
    """The error with which a file is refused, after which the scene is as it was."""
    before = everything()
    with pytest.raises(ScenewrightError) as refusal:
        add(path, **options)
    assert everything() == before
    return refusal.value


@pytest.mark.parametrize("suffix", EXPORTERS)
def test_a_file_that_breaks_off_is_refused_and_leaves_nothing(suffix: str, tmp_path: Path):
    path = exported(tmp_path / f"chair{suffix}", rich)
    held = path.read_bytes()
    path.write_bytes(held[: len(held) // 5 if suffix != ".obj" else 0])
    assert refused(path).code == "bad_input"


def test_missing_files_folders_and_other_kinds_are_refused(tmp_path: Path):
    room()
    (tmp_path / "notes.txt").write_text("a chair")
    (tmp_path / "folder.blend").mkdir()
    for name in ("none.blend", "notes.txt", "folder.blend"):
        assert refused(tmp_path / name).code == "bad_input"


def test_the_open_file_is_not_added_to_itself(source: Path):
    room()
    bpy.ops.wm.save_as_mainfile(filepath=str(source))
    for link in (False, True):
        assert refused(source, link=link).code == "bad_input"


def test_a_file_that_shows_nothing_is_refused(tmp_path: Path):
    path = exported(
        tmp_path / "hidden.blend", lambda: chair().hide_set(True) or bpy.data.objects["Back"].hide_set(True)
    )
    assert "shows no objects" in str(refused(path))
    path = exported(tmp_path / "empty.blend", lambda: bpy.ops.object.empty_add())
    assert "extent" in str(refused(path))


def test_b25_what_is_far_too_large_is_refused_with_its_size(tmp_path: Path):
    path = exported(tmp_path / "chair.glb", lambda: block("Car", (80, 20, 15), (0, 0, 0)))
    error = refused(path)
    assert (error.code, "80.0 × 20.0 × 15.0 m" in str(error)) == ("bad_input", True)


def test_b25_a_stage_whose_references_are_in_other_units_is_refused(field_data: Path):
    room()
    car = field_data / "scenes/usd_wg/full_assets/Vehicles/USD_Mini_Car_Kit/assets/vehicles/4wd/asset/4wdBodyAsset.usda"
    assert "218" in str(refused(car))


def test_an_importer_that_fails_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = exported(tmp_path / "chair.glb", rich)
    module = "scene" if bpy.app.version >= (4, 3) else "gltf2_blender_scene"
    importer = importlib.import_module(f"io_scene_gltf2.blender.imp.{module}").BlenderScene
    finished = importer.set_active_object

    def failing(gltf: Any) -> None:
        bpy.context.view_layer.objects.active = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
        bpy.ops.object.mode_set(mode="EDIT")
        raise ValueError("no such bone")

    monkeypatch.setattr(importer, "set_active_object", staticmethod(failing))
    assert "no such bone" in str(refused(path))
    monkeypatch.setattr(importer, "set_active_object", staticmethod(finished))
    add(path)


# --- history --------------------------------------------------------------------------------------------------------


def turn_of(journal: Journal, history: History, **fields: object) -> None:
    edits = lasting_edits(journal.since(0))
    written = [Written(thing=None, block=b, values=v) for b, v in left_with(edits).items()]
    turn = Turn(number=history.last + 1, parent=history.current, edits=edits, written=written, **fields)
    add_turn(journal, bpy.context.scene, history, turn)


def went_to(number: int, source: Path) -> None:
    """Go to a turn, then save and open the file."""
    history = read_history(bpy.context.scene)
    journal = Journal(lasting=True)
    assert go_to(journal, history, number).gone == []
    turn = Turn(number=history.last + 1, parent=number, kind="restore", of=number)
    add_turn(journal, bpy.context.scene, history, turn)
    open_blend(save(source))


@pytest.mark.parametrize(("suffix", "link"), WAYS)
def test_what_was_added_goes_and_comes_again_over_saving_and_opening(suffix, link, tmp_path: Path, source: Path):
    path = exported(tmp_path / f"chair{suffix}", with_a_cutter)
    before = set(bpy.context.scene.objects.keys())
    journal = Journal(lasting=True)
    add(path, journal=journal, link=link, yaw_deg=20)
    bounds, objects = box(bpy.data.objects["Chair A"]), set(bpy.context.scene.objects.keys())
    hidden = {o.name for o in bpy.context.scene.objects if o.hide_get()}
    turn_of(journal, History(), kind="request")
    went_to(0, source)
    assert set(bpy.context.scene.objects.keys()) == before
    went_to(1, source)
    assert set(bpy.context.scene.objects.keys()) == objects
    assert hidden == {o.name for o in bpy.context.scene.objects if o.hide_get()}
    assert box(bpy.data.objects["Chair A"]) == pytest.approx(bounds, abs=1e-6)
    went_to(0, source)
    purge(bpy.context.scene, 4)
    open_blend(save(source))
    assert names("objects") == before
    assert not names("images") | names("actions") | names("collections") | names("libraries") | names("shape_keys")


# --- from the field -------------------------------------------------------------------------------------------------

FIELD = [
    "furniture/kaykit/chair_A.gltf",
    "furniture/kaykit/couch_pillows.gltf",
    "furniture/zeyuli/bed.blend",
    "furniture/zeyuli/bookshelf.blend",
    "furniture/zeyuli/chair.fbx",
    "furniture/zeyuli/door.blend",
    "furniture/zeyuli/plate.blend",
    "furniture/scenesmith_meshes/meshes/bread_plate_2_visual.obj",
    "scenes/gltf_blender_io/tests/scenes/00_scene_export.blend",
    "scenes/gltf_blender_io/tests/scenes/03_skinned_cylinder.blend",
    "scenes/gltf_blender_io/tests/scenes/06_parent-inverse-anim.blend",
    "scenes/gltf_blender_io/tests/scenes/21_scene.blend",
    "scenes/gltf_blender_io/tests/scenes/gn_nested_instances.blend",
    "scenes/gltf_blender_io/tests/roundtrip/02_node_hierarchy/02_node_hierarchy.gltf",
    "scenes/usd_wg/test_assets/schemaTests/usdGeom/primitives/all_primitives.usda",
    "scenes/workspace/room.glb",
]


@pytest.mark.parametrize("name", FIELD)
def test_things_from_the_field_stand_where_they_should_and_are_taken_back(name: str, field_data: Path):
    room()
    for link in (False, True)[: 1 + name.endswith(".blend")]:
        before, journal = everything(), Journal(lasting=True)
        root = add(field_data / name, journal=journal, link=link)
        assert stands_at(root, AT)
        placed = root.matrix_world.copy()
        journal.roll_back(0)
        assert everything() == before
        turned = add(field_data / name, journal=journal, link=link, yaw_deg=50)
        rotation = turned.matrix_world.to_3x3() @ placed.to_3x3().inverted()
        assert np.array(rotation) == pytest.approx(np.array(Matrix.Rotation(math.radians(50), 3, "Z")), abs=1e-4)
        journal.roll_back(0)


def test_a_thing_is_added_to_a_scene_from_the_field_and_taken_back(field_data: Path):
    """Compared without evaluated shapes: some of this scene are others at every evaluation."""

    def kept() -> dict[str, object]:
        return {n: (f.placed, f.made_from) if isinstance(f, Fingerprint) else f for n, f in state().items()}

    open_scene(field_data / "scenes/io7m_bedroom/bedroom.blend")
    before, blocks, journal = kept(), set(all_blocks()), Journal(lasting=True)
    for link in (True, False):
        add(field_data / "scenes/io7m_bedroom/lamp.blend", journal=journal, link=link)
    journal.roll_back(0)
    assert set(all_blocks()) == blocks
    assert kept() == before
