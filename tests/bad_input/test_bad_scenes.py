"""Scenes that cannot be read: one line that says so, exit code 2, and nothing written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from ..executor.rooms import digest, scenewright
from .refused import REQUEST, assert_refused


def cut(source: Path, target: Path, share: float = 0.5) -> Path:
    data = source.read_bytes()
    target.write_bytes(data[: int(len(data) * share)])
    return target


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
