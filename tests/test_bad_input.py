"""Files and arguments that are wrong: one line that says so, exit code 2, and nothing written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import pytest

from .executor.rooms import Done, digest, furnished, save, scenewright

REQUEST = "move the table 20 cm left"


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small room in every format that is needed here."""
    folder = tmp_path_factory.mktemp("originals")
    furnished()
    save(folder / "room.blend")
    save(folder / "packed.blend", compress=True)
    bpy.ops.export_scene.gltf(filepath=str(folder / "room.glb"))
    bpy.ops.export_scene.gltf(filepath=str(folder / "room.gltf"), export_format="GLTF_SEPARATE")
    return folder


@pytest.fixture
def here(originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own with room.blend, in which the command runs; afterwards it holds nothing else."""
    shutil.copy(originals / "room.blend", tmp_path / "room.blend")
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def listing(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}


def cut(source: Path, target: Path, share: float = 0.5) -> Path:
    data = source.read_bytes()
    target.write_bytes(data[: int(len(data) * share)])
    return target


def assert_refused(folder: Path, *arguments: object, code: str = "bad_input") -> str:
    """Run once for a person and once for a program; returns the line that the person sees."""
    before = listing(folder)
    seen = scenewright(*arguments)
    assert seen.code == 2
    assert seen.out == ""
    assert "Traceback" not in seen.err
    line = seen.error_line
    assert seen.err.endswith(f"{line}\n"), "something is said after the error"
    assert len(line) < 400

    told = scenewright(*arguments, "--json")
    assert told.code == 2
    document = told.json
    assert document["status"] == "refused"
    assert document["error"].keys() == {"code", "message", "hint", "candidates"}
    assert document["error"]["code"] == code
    assert document["error"]["message"] and "\n" not in document["error"]["message"]
    assert "Traceback" not in told.out + told.err
    assert not [x for x in told.err.splitlines() if x.startswith("scenewright: ")]

    assert listing(folder) == before, "something was written"
    return line


# --- the scene ----------------------------------------------------------------------------------------------------


def _missing(folder: Path, originals: Path) -> str:
    return "nowhere.blend"


def _folder(folder: Path, originals: Path) -> str:
    (folder / "scenes.blend").mkdir()
    return "scenes.blend"


def _empty(folder: Path, originals: Path) -> str:
    (folder / "empty.blend").touch()
    return "empty.blend"


def _empty_glb(folder: Path, originals: Path) -> str:
    (folder / "empty.glb").touch()
    return "empty.glb"


def _truncated(folder: Path, originals: Path) -> str:
    return cut(originals / "room.blend", folder / "cut.blend").name


def _truncated_late(folder: Path, originals: Path) -> str:
    return cut(originals / "room.blend", folder / "cut.blend", 0.99).name


def _header_only(folder: Path, originals: Path) -> str:
    (folder / "header.blend").write_bytes((originals / "room.blend").read_bytes()[:12])
    return "header.blend"


def _truncated_packed(folder: Path, originals: Path) -> str:
    assert (originals / "packed.blend").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    return cut(originals / "packed.blend", folder / "cut.blend").name


def _packed_garbage(folder: Path, originals: Path) -> str:
    (folder / "packed.blend").write_bytes(b"\x28\xb5\x2f\xfd" + b"garbage" * 1000)
    return "packed.blend"


def _not_blender(folder: Path, originals: Path) -> str:
    (folder / "letter.blend").write_text("Dear sir or madam, this is no scene.")
    return "letter.blend"


def _garbage_glb(folder: Path, originals: Path) -> str:
    (folder / "garbage.glb").write_bytes(bytes(range(256)) * 20)
    return "garbage.glb"


def _glb_magic_only(folder: Path, originals: Path) -> str:
    (folder / "magic.glb").write_bytes(b"glTF" + b"\xff" * 40)
    return "magic.glb"


def _truncated_glb(folder: Path, originals: Path) -> str:
    return cut(originals / "room.glb", folder / "cut.glb").name


def _no_bin(folder: Path, originals: Path) -> str:
    shutil.copy(originals / "room.gltf", folder / "room.gltf")
    return "room.gltf"


def _short_bin(folder: Path, originals: Path) -> str:
    shutil.copy(originals / "room.gltf", folder / "room.gltf")
    cut(originals / "room.bin", folder / "room.bin", 0.3)
    return "room.gltf"


def _wrong_json(folder: Path, originals: Path) -> str:
    (folder / "list.gltf").write_text("[1, 2, 3]")
    return "list.gltf"


def _dangling_gltf(folder: Path, originals: Path) -> str:
    document = json.loads((originals / "room.gltf").read_text())
    document["accessors"] = []
    (folder / "dangling.gltf").write_text(json.dumps(document))
    shutil.copy(originals / "room.bin", folder / "room.bin")
    return "dangling.gltf"


def _garbage_obj(folder: Path, originals: Path) -> str:
    (folder / "garbage.obj").write_bytes(bytes(range(256)) * 20)
    return "garbage.obj"


def _garbage_fbx(folder: Path, originals: Path) -> str:
    (folder / "garbage.fbx").write_bytes(bytes(range(256)) * 20)
    return "garbage.fbx"


def _garbage_fbx_with_magic(folder: Path, originals: Path) -> str:
    (folder / "magic.fbx").write_bytes(b"Kaydara FBX Binary\x20\x20\x00\x1a\x00" + b"\xff" * 200)
    return "magic.fbx"


def _garbage_usd(folder: Path, originals: Path) -> str:
    (folder / "garbage.usda").write_text("#usda 1.0\n(((( def")
    return "garbage.usda"


def _garbage_usdz(folder: Path, originals: Path) -> str:
    (folder / "garbage.usdz").write_bytes(b"PK\x03\x04" + b"\x00" * 100)
    return "garbage.usdz"


def _unknown_extension(folder: Path, originals: Path) -> str:
    shutil.copy(originals / "room.blend", folder / "room.xyz")
    return "room.xyz"


def _no_extension(folder: Path, originals: Path) -> str:
    shutil.copy(originals / "room.blend", folder / "room")
    return "room"


def _backup_extension(folder: Path, originals: Path) -> str:
    (folder / "room.txt").write_text("hello")
    return "room.txt"


SCENES: list[tuple[Callable[[Path, Path], str], str]] = [
    (_missing, "no file"),
    (_folder, "folder"),
    (_empty, "empty"),
    (_empty_glb, "empty"),
    (_truncated, "damaged"),
    (_truncated_late, "damaged"),
    (_header_only, "damaged"),
    (_truncated_packed, "damaged"),
    (_packed_garbage, "damaged"),
    (_not_blender, "not a Blender file"),
    (_garbage_glb, "damaged"),
    (_glb_magic_only, "damaged"),
    (_truncated_glb, "damaged"),
    (_no_bin, "room.bin"),
    (_short_bin, "damaged"),
    (_wrong_json, "damaged"),
    (_dangling_gltf, "damaged"),
    (_garbage_obj, "damaged"),
    (_garbage_fbx, "damaged"),
    (_garbage_fbx_with_magic, "damaged"),
    (_garbage_usd, "damaged"),
    (_garbage_usdz, "damaged"),
    (_unknown_extension, ".blend"),
    (_no_extension, ".blend"),
    (_backup_extension, ".blend"),
]


@pytest.mark.parametrize(("make", "says"), SCENES, ids=[make.__name__.strip("_") for make, _ in SCENES])
def test_a_scene_that_cannot_be_read_is_refused(
    make: Callable[[Path, Path], str], says: str, here: Path, originals: Path
):
    name = make(here, originals)
    line = assert_refused(here, "edit", name, REQUEST, "-o", "out.blend")
    assert says in line
    assert name in line


@pytest.mark.parametrize("command", ["graph", "render"])
def test_other_commands_refuse_bad_scenes_alike(command: str, here: Path, originals: Path):
    cut(originals / "room.blend", here / "cut.blend")
    output = ["-o", "out.png"] if command == "render" else []
    for name in ("nowhere.blend", "cut.blend"):
        assert name in assert_refused(here, command, name, *output)


def test_a_name_with_spaces_quotes_and_a_newline_keeps_the_error_on_one_line(here: Path):
    assert_refused(here, "edit", "no 'such\nfile'.blend", REQUEST, "-o", "out.blend")


def test_reading_a_good_file_after_a_bad_one_works(here: Path, originals: Path):
    cut(originals / "room.blend", here / "cut.blend")
    assert scenewright("graph", "cut.blend", "--json").code == 2
    assert scenewright("graph", "room.blend", "--json").code == 0


@pytest.mark.skipif(bpy.app.version < (4, 5), reason="the file is from 5.1, which 4.2 does not read")
def test_a_file_from_a_newer_blender_works_with_a_warning(field_data: Path, tmp_path: Path):
    source = field_data / "scenes/gltf_blender_io/tests/scenes/38_pointcloud_GN.blend"
    before = digest(source)
    done = scenewright("graph", source, "--json")
    assert done.code == 0
    warnings = done.json["warnings"]
    if bpy.app.version < (5, 1):
        assert any("5.1" in w and "newer" in w for w in warnings)
    assert digest(source) == before


# --- the output -----------------------------------------------------------------------------------------------------


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
        ("x" * 300 + ".blend", "x"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_any_work(output: str, says: str, here: Path):
    (here / "sub").mkdir()
    line = assert_refused(here, "edit", "room.blend", REQUEST, "-o", output)
    assert says in line


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
    assert (here / "out.blend").read_bytes()[:7] in (b"BLENDER", b"\x28\xb5\x2f\xfd")


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


# --- arguments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "COMMAND"),
        (["frobnicate"], "frobnicate"),
        (["edit"], "SCENE"),
        (["edit", "room.blend"], "REQUEST"),
        (["edit", "room.blend", REQUEST], "-o"),
        (["edit", "room.blend", REQUEST, "-o"], "-o"),
        (["edit", "room.blend", REQUEST, "extra", "-o", "out.blend"], "extra"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--sideways"], "--sideways"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--frame", "mine"], "mine"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--seed", "x"], "--seed"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--answer", "nonsense"], "QUESTION=ID"),
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--answer", "=chair"], "QUESTION=ID"),
        (["render", "room.blend"], "-o"),
        (["render", "room.blend", "-o", "x.png", "--view", "top", "--resolution", "0", "0"], "resolution"),
        (["render", "room.blend", "-o", "x.png", "--view", "top", "--resolution", "-5", "5"], "resolution"),
    ]
    + [
        (["edit", "room.blend", REQUEST, "-o", "out.blend", "--scale-factor", bad], "--scale-factor")
        for bad in ("0", "-1", "x", "nan", "inf", "", "1e400")
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments: list[str], says: str, here: Path):
    assert says in assert_refused(here, *arguments)


def test_an_answer_to_a_question_that_nobody_asked_is_refused_or_noted(here: Path):
    done = scenewright("edit", "room.blend", REQUEST, "-o", "out.blend", "--answer", "which_unicorn=chair", "--json")
    assert done.code == 2 or any("which_unicorn" in w for w in done.json["warnings"])


def test_an_unreadable_protection_is_refused(here: Path):
    assert_refused(
        here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--protect", "unicorn", code="unknown_object"
    )
    assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", "--protect", "", code="not_understood")


def test_help_and_version_are_no_errors():
    for arguments in (["--help"], ["edit", "--help"], ["--version"]):
        done: Done = scenewright(*arguments)
        assert done.code == 0 and done.out and not done.err


@pytest.mark.parametrize("place", [0, 1, 4])
def test_json_is_honoured_wherever_it_stands(place: int, here: Path):
    arguments = ["edit", "nowhere.blend", REQUEST, "--dry-run"]
    done = scenewright(*arguments[:place], "--json", *arguments[place:])
    assert (done.code, done.json["status"], done.err) == (2, "refused", "")


def test_an_option_is_written_out(here: Path):
    """Shortened ones would come to mean something else when an option is added, and `--jso` was half JSON."""
    for shortened in ("--jso", "--dry", "--forc", "--verb"):
        assert shortened in assert_refused(here, "edit", "room.blend", REQUEST, "-o", "out.blend", shortened)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["edit", "room.blend", REQUEST, "--seed", "x"], "“x” is not a whole number"),
        (["edit", "room.blend", REQUEST, "--scale-factor", "x"], "“x” is not a positive number"),
        (["render", "room.blend", "-o", "x.png", "--resolution", "8", "wide"], "“wide” is no number of pixels"),
        (["edit", "room.blend", os.fsdecode(b"paint it \xff"), "--dry-run"], "not valid UTF-8"),
    ],
)
def test_a_wrong_value_is_told_in_words_and_not_by_what_reads_it(arguments: list[str], says: str, here: Path):
    line = assert_refused(here, *arguments)
    assert says in line
    assert "_" not in line and "invalid" not in line
