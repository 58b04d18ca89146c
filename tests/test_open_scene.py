"""`-` as SCENE: the scene that is open in Blender, treated as its file would be."""

from __future__ import annotations

import shutil
from pathlib import Path

import bpy
import pytest

from .executor.rooms import digest, edit, furnished, new_file, open_blend, save, scenewright, worlds_in

REQUEST = "move the table 20 cm left"
ZSTD = b"\x28\xb5\x2f\xfd"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A room's file, which is open."""
    furnished()
    open_blend(save(tmp_path / "room.blend"))
    return tmp_path / "room.blend"


def linked(room: Path) -> Path:
    link = room.with_name("link.blend")
    link.symlink_to(room)
    return link


@pytest.mark.parametrize("output_of", [Path, linked], ids=["by its name", "by a link"])
def test_the_open_file_is_no_output_without_force(output_of, room: Path):
    before = digest(room)
    done = scenewright("edit", "-", REQUEST, "-o", output_of(room), "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "bad_input")
    assert "--force" in done.json["error"]["hint"]
    assert digest(room) == before


def test_with_force_the_open_file_is_replaced(room: Path):
    assert scenewright("edit", "-", REQUEST, "-o", room, "--force", "--json").code == 0
    assert worlds_in(room)["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)


def test_what_is_edited_is_what_is_open_and_not_what_was_saved(room: Path, tmp_path: Path):
    bpy.data.objects["Table"].location.y = -0.3
    assert scenewright("edit", "-", REQUEST, "-o", tmp_path / "out.blend", "--json").code == 0
    assert worlds_in(tmp_path / "out.blend")["Table"][:2, 3] == pytest.approx([-0.2, -0.3], abs=1e-5)


def test_a_scene_that_was_never_saved_is_edited(tmp_path: Path):
    furnished()
    assert scenewright("edit", "-", REQUEST, "-o", tmp_path / "out.blend", "--json").code == 0
    assert worlds_in(tmp_path / "out.blend")["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)


def test_without_anything_open_a_file_is_asked_for(tmp_path: Path):
    new_file()
    done = scenewright("edit", "-", REQUEST, "-o", tmp_path / "out.blend")
    assert done.code == 2
    assert "No scene is open" in done.error_line


@pytest.mark.parametrize("compressed", [True, False])
def test_a_compressed_file_stays_compressed_and_no_other_becomes_it(compressed: bool, tmp_path: Path):
    furnished()
    open_blend(save(tmp_path / "room.blend", compress=compressed))
    assert scenewright("edit", "-", REQUEST, "-o", tmp_path / "out.blend", "--json").code == 0
    assert ((tmp_path / "out.blend").read_bytes()[:4] == ZSTD) == compressed


def test_an_object_in_edit_mode_is_read_truly_and_saved_in_its_mode(room: Path, tmp_path: Path):
    bpy.context.view_layer.objects.active = bpy.data.objects["Table"]
    bpy.ops.object.mode_set(mode="EDIT")
    done = scenewright("edit", "-", REQUEST, "-o", tmp_path / "out.blend", "--json")
    assert done.code == 0
    assert sorted(c.name for c in done.result.changes) == ["Book", "Mug", "Table"]
    assert worlds_in(tmp_path / "out.blend")["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)
    assert bpy.data.objects["Table"].mode == "EDIT"


def test_a_file_that_saving_would_harm_is_not_saved(field_data: Path, tmp_path: Path):
    source = tmp_path / "bedroom.blend"
    shutil.copy(field_data / "scenes/io7m_bedroom/bedroom.blend", source)  # from Blender 2.83, without its libraries
    open_blend(source)
    done = scenewright("edit", "-", "remove the bed", "-o", tmp_path / "out.blend", "--json")
    alone = scenewright("edit", source, "remove the bed", "-o", tmp_path / "out.blend", "--json")
    assert done.json["error"] == alone.json["error"]
    assert done.json["error"]["code"] == "unsupported"
    assert not (tmp_path / "out.blend").exists()


@pytest.mark.skipif(not (4, 5) <= bpy.app.version < (5, 1), reason="the file is from 5.1, which 4.2 does not read")
def test_a_file_from_a_newer_blender_is_warned_of(field_data: Path):
    open_blend(field_data / "scenes/gltf_blender_io/tests/scenes/38_pointcloud_GN.blend")
    done = scenewright("graph", "-", "--json")
    assert done.code == 0
    assert any("5.1" in w and "newer" in w for w in done.json["warnings"])


def test_the_users_workspaces_stay(tmp_path: Path):
    furnished()
    bpy.data.workspaces[0].name = "My layout"
    mine = sorted(w.name for w in bpy.data.workspaces)
    source = save(tmp_path / "room.blend")
    bpy.data.workspaces["My layout"].name = "Of whoever opens the file"
    assert scenewright("edit", source, REQUEST, "-o", tmp_path / "out.blend").code == 0
    with bpy.data.libraries.load(str(tmp_path / "out.blend")) as (held, _):
        assert sorted(held.workspaces) == mine


def test_images_that_are_missing_are_told_and_their_paths_kept(source: Path, out: Path):
    furnished()
    for name in ("gone", "unused"):
        image = bpy.data.images.new(name, 4, 4)
        image.source = "FILE"
        image.filepath = f"//{name}.png"
    bpy.data.textures.new("Texture", "IMAGE").image = bpy.data.images["gone"]
    bpy.data.textures["Texture"].use_fake_user = True
    done = edit(save(source), "move the chair 10 cm back", out)
    assert (done.code, done.result.warnings) == (0, ["Missing images: //gone.png; the file keeps their paths."])
    open_blend(out)
    assert bpy.data.images["gone"].filepath == "//gone.png"
