"""Which importer reads a file, and what is said if there is none or if it is interrupted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

from .rooms import furnished, scenewright

TEXT_FBX = """; FBX 7.4.0 project file
FBXHeaderExtension: {
    FBXHeaderVersion: 1003
    FBXVersion: 7400
}
Objects: {
    Geometry: 1, "Geometry::Triangle", "Mesh" {
        Vertices: *9 {
            a: 0,0,0,100,0,0,0,100,0
        }
        PolygonVertexIndex: *3 {
            a: 0,1,-3
        }
    }
    Model: 2, "Model::Triangle", "Mesh" {
        Version: 232
    }
}
Connections: {
    C: "OO",2,0
    C: "OO",1,2
}
"""

# Sends its own process Ctrl-C while Blender's glTF importer, which is Python, is at work.
INTERRUPTED = """
import os, signal, sys
count = 0
def profile(frame, event, arg):
    global count
    count += event == "call" and "io_scene_gltf2" in frame.f_code.co_filename and frame.f_code.co_name != "<module>"
    if count == 100:
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)
from scenewright.cli import main
sys.setprofile(profile)
os._exit(main(sys.argv[1:]))
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    furnished()
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "room.glb"))
    return tmp_path / "room.glb"


def test_a_format_whose_importer_is_switched_off_is_named_as_unsupported(room: Path):
    import addon_utils  # on the path once bpy is imported

    addon_utils.disable("io_scene_gltf2")
    try:
        done = scenewright("graph", room, "--json")
    finally:
        addon_utils.enable("io_scene_gltf2")
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "importer for .glb" in done.json["error"]["message"]
    assert "add-on" in done.json["error"]["hint"]
    assert scenewright("graph", room).code == 0


@pytest.mark.skipif(bpy.app.version < (4, 5), reason="older Blenders read no FBX written as text")
def test_an_fbx_file_that_is_text_is_read(tmp_path: Path):
    (tmp_path / "triangle.fbx").write_text(TEXT_FBX)
    (thing,) = scenewright("graph", tmp_path / "triangle.fbx").json["objects"]
    assert thing["name"] == "Triangle"


def test_ctrl_c_during_an_import_cancels_and_does_not_call_the_file_damaged(room: Path):
    command = [sys.executable, "-c", INTERRUPTED, "graph", room, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (130, "cancelled")
