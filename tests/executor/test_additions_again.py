"""Things from files: named, linked, refused, taken back, brought again, and from the field."""

from __future__ import annotations

import importlib
import math
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

from .brought import (
    AT,
    EXPORTERS,
    WAYS,
    add,
    box,
    chair,
    everything,
    exported,
    image,
    names,
    rich,
    room,
    stands_at,
    with_a_cutter,
)
from .operations import state
from .rooms import block, open_blend, save

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
