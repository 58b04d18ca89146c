"""Outputs that cannot be written, or would overwrite the scene: refused before any work is done."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from ..executor.rooms import digest, new_file, scenewright, worlds_in
from .refused import REQUEST, assert_refused


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("missing/out.blend", "folder"),
        ("room.blend/out.blend", "folder"),
        ("/proc/out.blend", "/proc"),
        ("sub", ".blend"),
        ("out", ".blend"),
        ("out.glb", ".blend"),
        ("out.blend.txt", ".blend"),
        (".", ".blend"),
        ("", ".blend"),
        ("x" * 300 + ".blend", "The name of"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_any_work(output: str, says: str, here: Path):
    (here / "sub").mkdir()
    new_file()
    line = assert_refused(here, "edit", "room.blend", REQUEST, "-o", output)
    assert says in line
    assert bpy.data.filepath == "", "the scene was opened"


def test_a_name_may_be_as_long_as_the_system_lets_it(here: Path):
    name = "x" * 249 + ".blend"
    assert scenewright("edit", "room.blend", REQUEST, "-o", name, "--json").code == 0
    assert sorted(os.listdir(here)) == ["room.blend", name]


def test_the_suffix_may_be_written_in_capitals(here: Path):
    assert scenewright("edit", "room.blend", REQUEST, "-o", "OUT.BLEND", "--json").code == 0
    assert worlds_in(here / "OUT.BLEND")["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)


def test_an_output_that_is_a_folder_called_blend_is_refused(here: Path):
    (here / "out.blend").mkdir()
    assert "folder" in assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend")


def _same(folder: Path) -> str:
    return "room.blend"


def _relative(folder: Path) -> str:
    (folder / "sub").mkdir()
    return "sub/../room.blend"


def _absolute(folder: Path) -> str:
    return str(folder / "room.blend")


def _symlink(folder: Path) -> str:
    (folder / "link.blend").symlink_to("room.blend")
    return "link.blend"


def _hard_link(folder: Path) -> str:
    os.link(folder / "room.blend", folder / "hard.blend")
    return "hard.blend"


def _linked_folder(folder: Path) -> str:
    (folder / "alias").symlink_to(folder, target_is_directory=True)
    return "alias/room.blend"


@pytest.mark.parametrize("other_name", [_same, _relative, _absolute, _symlink, _hard_link, _linked_folder])
def test_the_scene_itself_is_no_output_without_force(other_name: Callable[[Path], str], here: Path):
    output = other_name(here)
    line = assert_refused(here, "edit", "room.blend", REQUEST, "-o", output)
    assert "--force" in line


def test_with_force_the_scene_itself_is_replaced_and_nothing_is_left_beside_it(here: Path):
    before = digest(here / "room.blend")
    done = scenewright("edit", "room.blend", REQUEST, "-o", "room.blend", "--force", "--json")
    assert done.code == 0
    assert os.listdir(here) == ["room.blend"]
    assert digest(here / "room.blend") != before


def test_a_link_to_the_scene_stays_a_link_with_force(here: Path):
    (here / "link.blend").symlink_to("room.blend")
    before = digest(here / "room.blend")
    done = scenewright("edit", "room.blend", REQUEST, "-o", "link.blend", "--force", "--json")
    assert done.code == 0
    assert (here / "link.blend").is_symlink()
    assert digest(here / "room.blend") != before, "the file that the link names is what was asked for"


def test_a_good_edit_leaves_the_source_as_it_was_and_no_temporary_files(here: Path):
    before = digest(here / "room.blend")
    assert scenewright("edit", "room.blend", REQUEST, "-o", "out.blend", "--json").code == 0
    assert digest(here / "room.blend") == before
    assert sorted(os.listdir(here)) == ["out.blend", "room.blend"]


def test_an_output_that_is_there_is_replaced_without_a_backup(here: Path):
    (here / "out.blend").write_bytes(b"old")
    assert scenewright("edit", "room.blend", REQUEST, "-o", "out.blend", "--json").code == 0
    assert sorted(os.listdir(here)) == ["out.blend", "room.blend"]
    assert worlds_in(here / "out.blend")["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)


def test_files_are_saved_with_the_permissions_that_new_files_get_here(here: Path):
    (here / "plain").touch()
    assert scenewright("edit", "room.blend", REQUEST, "-o", "out.blend", "--json").code == 0
    assert oct((here / "out.blend").stat().st_mode) == oct((here / "plain").stat().st_mode)


def test_a_graph_that_cannot_be_written_is_refused(here: Path):
    assert_refused(here, "graph", "room.blend", "-o", "missing/graph.json")


def test_a_picture_that_cannot_be_written_is_refused(here: Path):
    assert_refused(here, "render", "room.blend", "-o", "missing/view.png", "--view", "top")
    assert_refused(here, "render", "room.blend", "-o", "/proc/view.png", "--view", "top")


@pytest.mark.parametrize("view", ["sideways", "close:nothing", "camera", ""])
def test_a_view_that_is_not_there_is_refused(view: str, here: Path):
    assert_refused(here, "render", "room.blend", "-o", "view.png", "--view", view)


def test_a_report_folder_that_cannot_be_made_is_refused(here: Path):
    assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "room.blend/report")
    assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "room.blend")
