"""What is written is whole, in its place and never the scene; what is not told as written is not there."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.outputs import atomically

from .executor.rooms import digest, furnished, open_blend, save, scenewright

REQUEST = "move the table 20 cm left"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    furnished()
    return save(tmp_path_factory.mktemp("room") / "room.blend")


@pytest.fixture
def here(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own with room.blend, in which the command runs."""
    shutil.copy(original, tmp_path / "room.blend")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listing(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}


def assert_refused(folder: Path, *arguments: object) -> str:
    """Nothing is written; returns what a person reads."""
    before = listing(folder)
    done = scenewright(*arguments)
    assert done.code == 2
    assert listing(folder) == before
    assert scenewright(*arguments, "--json").json["error"]["code"] == "bad_input"
    assert listing(folder) == before
    return done.error_line


# --- never the scene ------------------------------------------------------------------------------------------------


def test_a_graph_does_not_overwrite_a_scene(here: Path):
    assert ".json" in assert_refused(here, "graph", "room.blend", "-o", "room.blend")
    assert ".json" in assert_refused(here, "graph", "room.blend", "-o", "another.blend")


def symbolic(name: str) -> None:
    Path(name).symlink_to("room.blend")


def hard(name: str) -> None:
    os.link("room.blend", name)


@pytest.mark.parametrize("link", [symbolic, hard])
@pytest.mark.parametrize(
    "arguments",
    [("graph", "room.blend", "-o", "it.json"), ("render", "room.blend", "-o", "it.png", "--view", "top")],
    ids=["graph", "render"],
)
def test_another_name_of_the_scene_is_no_output(arguments: tuple[str, ...], link: Callable[[str], None], here: Path):
    link(arguments[3])
    assert "scene itself" in assert_refused(here, *arguments)


@pytest.mark.parametrize("name", ["index.html", "before.png", "after.png"])
def test_another_name_of_the_scene_is_no_part_of_a_report(name: str, here: Path):
    Path("report").mkdir()
    Path("report", name).symlink_to("../room.blend")
    line = assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "report")
    assert "scene itself" in line


def test_what_is_no_plain_file_is_no_output(here: Path):
    os.mkfifo("pipe.json")
    assert "plain file" in assert_refused(here, "graph", "room.blend", "-o", "pipe.json")
    assert Path("pipe.json").is_fifo()


@pytest.mark.parametrize("command", ["edit", "graph", "render"])
def test_paths_that_the_system_has_no_room_for_are_refused(command: str, here: Path):
    output = {"edit": "out.blend", "graph": "out.json", "render": "out.png"}[command]
    request = [REQUEST] if command == "edit" else []
    view = ["--view", "top"] if command == "render" else []
    long = "x" * 300
    assert "too long" in assert_refused(here, command, f"{long}.blend", *request, "-o", output, *view)
    assert "too long" in assert_refused(here, command, "room.blend", *request, "-o", f"{long}/{output}", *view)


def test_a_library_of_the_scene_is_no_output_even_by_force(here: Path):
    shutil.copy("room.blend", "other.blend")
    Path("link.blend").symlink_to("other.blend")
    open_blend(here / "room.blend")
    with bpy.data.libraries.load(str(here / "other.blend"), link=True) as (_, wanted):
        wanted.meshes = ["Crate"]
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Linked", wanted.meshes[0]))
    save(here / "linking.blend")
    for output in ("other.blend", "link.blend"):
        line = assert_refused(here, "edit", "linking.blend", REQUEST, "-o", output, "--force")
        assert f"{output} is a library" in line


@pytest.mark.parametrize("report", ["out.blend", "out.blend/report", "./out.blend"])
def test_a_report_does_not_take_the_scenes_place(report: str, here: Path):
    line = assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", report)
    assert "out.blend cannot be a file and a folder" in line
    assert not Path("out.blend").exists()


# --- all or nothing -------------------------------------------------------------------------------------------------


def test_a_report_that_cannot_be_written_leaves_neither_it_nor_the_scene(here: Path):
    Path("report/index.html").mkdir(parents=True)
    assert "index.html" in assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "report")


def test_a_report_that_fails_late_leaves_neither_it_nor_the_scene(here: Path):
    """No check beforehand finds this folder wanting."""
    assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "/proc/self/report")


def test_a_scene_that_cannot_be_saved_leaves_no_report(here: Path):
    assert (here / "room.blend").stat().st_size > 300_000
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, limits[1]))  # the pictures are smaller
    try:
        line = assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "report")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "out.blend cannot be written" in line


def test_a_scene_that_cannot_be_read_leaves_no_report_folder(here: Path):
    assert scenewright("edit", "nowhere.blend", REQUEST, "-o", "out.blend", "--report", "report").code == 2
    assert os.listdir(here) == ["room.blend"]


def test_a_report_says_what_was_written_and_by_then_it_is(here: Path):
    done = scenewright("edit", "room.blend", REQUEST, "-o", "out.blend", "--report", "new/report", "--json")
    assert done.code == 0
    assert sorted(listing(here)) == [
        "new/report/after.png", "new/report/before.png", "new/report/index.html", "out.blend", "room.blend",
    ]  # fmt: skip
    assert "written to out.blend" in Path("new/report/index.html").read_text()


@pytest.mark.parametrize("ends_by", [ValueError, KeyboardInterrupt])
def test_what_is_not_written_to_the_end_leaves_the_old_file_and_nothing_beside_it(ends_by: type, tmp_path: Path):
    output = tmp_path / "graph.json"
    output.write_text("old")
    with pytest.raises(ends_by), atomically(output) as temporary:
        temporary.write_text("ha")
        raise ends_by
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"graph.json": "old"}


def test_temporary_files_of_processes_that_are_still_there_stay(tmp_path: Path):
    output = tmp_path / "graph.json"
    with atomically(output) as first:
        first.write_text("first")
        with atomically(output) as second:
            second.write_text("second")
        assert first.exists()
    assert os.listdir(tmp_path) == ["graph.json"]


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("graph", "room.blend", "-o", "out.json"), "out.json"),
        (("render", "room.blend", "-o", "out.png", "--view", "top", "--resolution", "60", "40"), "out.png"),
        (("edit", "room.blend", REQUEST, "--dry-run", "--report", "report"), "report/index.html"),
        (("edit", "room.blend", REQUEST, "--dry-run", "--report", "report"), "report/before.png"),
    ],
)
def test_what_is_written_has_the_permissions_that_new_files_get_here(
    arguments: tuple[str, ...], output: str, here: Path
):
    before = os.umask(0o027)
    try:
        assert scenewright(*arguments).code == 0
    finally:
        os.umask(before)
    assert oct((here / output).stat().st_mode & 0o777) == "0o640"


def test_a_path_with_braces_or_hashes_is_taken_as_it_is(here: Path):
    """Blender takes `{blend_name}` (since 4.5) and `##` in a picture's path for something else."""
    Path("{blend_name}").mkdir()
    for output in ("{blend_name}/view.png", "{view}.png", "view##.png"):
        done = scenewright("render", "room.blend", "-o", output, "--view", "top", "--resolution", "60", "40")
        assert (done.code, done.err) == (0, "")
    assert sorted(listing(here)) == ["room.blend", "view##.png", "{blend_name}/view.png", "{view}.png"]


def test_a_file_name_that_is_no_text_is_written_and_told(here: Path):
    done = scenewright("edit", "room.blend", REQUEST, "-o", os.fsdecode(b"\xff.blend"), "--json")
    assert (done.code, done.json["output"]) == (0, "\\udcff.blend")
    assert b"\xff.blend" in os.listdir(b".")
