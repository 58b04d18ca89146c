"""Things that come from files of the user's folders."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from ..executor.rooms import block, edit, furnished, new_file, save, worlds_in


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder with a stool as a .blend and as a .glb, and a file that is neither."""
    folder = tmp_path / "library"
    folder.mkdir()
    new_file()
    block("Stool", (0.4, 0.4, 0.5), (3, 3, 1))
    save(folder / "stool.blend")
    bpy.ops.export_scene.gltf(filepath=str(folder / "my stool.glb"))
    (folder / "broken.glb").write_bytes(b"glTF no more")
    return folder


@pytest.fixture
def furnished_room(source: Path) -> Path:
    furnished()
    return save(source)


@pytest.mark.parametrize("file", ["stool.blend", "“my stool.glb”"])
def test_a_file_is_added_on_the_floor(file: str, library: Path, furnished_room: Path, out: Path):
    done = edit(furnished_room, f"add {file}", out, "--library", library)
    assert (done.code, done.result.preservation.changed) == (0, []), done.out
    (change,) = done.result.changes
    assert change.kind == "added"
    assert change.after["center"][2] == pytest.approx(0.25, abs=1e-3)


def test_a_file_is_added_on_what_is_named(library: Path, furnished_room: Path, out: Path):
    (change,) = edit(furnished_room, "add stool.blend on the table", out, "--library", library).result.changes
    assert change.after["on"] == "table"


def test_a_file_beside_the_scene_needs_no_library(library: Path, furnished_room: Path, out: Path):
    (library / "stool.blend").rename(furnished_room.with_name("stool.blend"))
    assert edit(furnished_room, "add stool.blend", out).code == 0


def test_a_file_takes_another_ones_place(library: Path, furnished_room: Path, out: Path):
    done = edit(furnished_room, "replace the chair with stool.blend", out, "--library", library)
    assert (done.code, done.result.changes[0].kind) == (0, "replaced"), done.out
    assert "Chair" not in worlds_in(out)


def test_b54_the_same_file_three_times_is_three_things(library: Path, furnished_room: Path, out: Path):
    request = "add stool.blend and add stool.blend and add stool.blend"
    done = edit(furnished_room, request, out, "--library", library)
    assert (done.code, len({c.id for c in done.result.changes})) == (0, 3), done.out
    assert done.result.physical.introduced.collisions == []


@pytest.mark.parametrize("file", ["../library/stool.blend", "nowhere.glb", "broken.glb", "/etc/hosts.glb"])
def test_what_is_no_file_of_the_folders_is_refused(file: str, library: Path, furnished_room: Path, out: Path):
    done = edit(furnished_room, f"add {file}", out, *(["--library", library] if file == "broken.glb" else []))
    assert (done.code, done.json["error"]["code"]) == (2, "bad_input"), done.out
    assert not out.exists()
