"""The demo, as `make demo` runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "scripts" / "demo.py"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("demo")
    # Blender 5 leaves its colour configuration to the processes that it starts, and each tells that it was given one.
    env = {name: value for name, value in os.environ.items() if name != "OCIO"}
    return folder, subprocess.run([sys.executable, DEMO, folder], env=env, capture_output=True, text=True)


def test_demo_satisfies_every_request_and_says_nothing_else(demo):
    _, done = demo

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\nsatisfied: ") == 3
    assert "✗" not in done.stdout
    assert done.stderr == ""
    ours = ("$ scenewright ", "✓ ", "  ", "satisfied: ", "Look at ")
    assert [line for line in done.stdout.splitlines() if line and not line.startswith(ours)] == []


def test_demo_leaves_its_scenes_pictures_and_report_and_nothing_hidden(demo):
    folder, _ = demo

    assert {path.name for path in folder.iterdir()} == {
        "room.blend",
        "edit1.blend",
        "edit2.blend",
        "demo.blend",
        "before.png",
        "after.png",
        "before-after.png",
        "report",
    }
    assert (folder / "before.png").read_bytes() != (folder / "after.png").read_bytes()
    assert (folder / "before-after.png").stat().st_size <= 400_000


def test_report_tells_of_all_three_requirements(demo):
    folder, _ = demo
    page = (folder / "report" / "index.html").read_text(encoding="utf-8")

    for text in (
        "move the desk and the chair 40 cm to the left",
        "turn the chair 30 degrees",
        "paint the wardrobe mustard",
    ):
        assert f"<td>{text}" in page
    assert page.count("✓") == 3
    assert (folder / "report" / "before.png").exists()
    assert (folder / "report" / "after.png").exists()


def test_bedroom_is_read_as_a_room_in_which_all_stands_well(demo):
    folder, _ = demo
    command = [sys.executable, "-m", "scenewright", "graph", folder / "demo.blend"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    graph = json.loads(done.stdout)

    (room,) = graph["rooms"]
    assert room["area"] == pytest.approx(20.0, abs=0.01)
    assert {o["kind"] for o in graph["openings"]} == {"window", "door"}
    stands_on = {e["name"]: e["support"]["on"] for e in graph["objects"]}
    assert stands_on["Table Lamp"] == "desk"
    assert stands_on["Alarm Clock"] == "north_nightstand"
    assert stands_on["Bed"] == stands_on["Armchair"] == "floor"
