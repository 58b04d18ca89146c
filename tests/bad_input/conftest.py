"""A room in several formats, and a folder of its own for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import bpy
import pytest

from ..executor.rooms import furnished, save


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
def here(originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own that holds nothing but room.blend, in which the command runs."""
    shutil.copy(originals / "room.blend", tmp_path / "room.blend")
    monkeypatch.chdir(tmp_path)
    return tmp_path
