"""What reaches a terminal: nothing that steers it, and word of it when a result could not be printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scenewright import terminal

from .executor.rooms import Done, block, edit, furnished, new_file, save, scenewright, shell, worlds_in

REQUEST = "move the table 20 cm left"
STEERING = {
    "colour": "Chair\x1b[31mX",
    "eight-bit control": "Chair\x9b31mX",
    "title and bell": "Chair\x1b]0;owned\x07",
    "new line": "Chair\nscenewright: all is well",
    "backspace": "Chair\x08\x08\x08\x08\x08Bench",
    "turned writing": "Chair\u202eriahc",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    furnished()
    return save(tmp_path_factory.mktemp("room") / "room.blend")


def steers(text: str) -> list[str]:
    """Characters of a text that do more than stand there."""
    return [c for c in text.replace("\n", "") if not c.isprintable()]


@pytest.fixture(params=STEERING, name="named")
def _named(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A room's file with two chairs of a name that would steer the terminal, and the name."""
    new_file()
    shell()
    name = STEERING[request.param]
    for x in (-1, 1):
        chair = block(name, (0.4, 0.4, 0.5), (x, 0, 0))
        chair["scenewright_category"] = "chair"
    block(f"Table {name}", (1, 0.6, 0.7), (1, 1.2, 0))["scenewright_category"] = "table"
    return save(tmp_path / "room.blend"), name


def assert_harmless(done: Done) -> None:
    assert steers(done.out) == steers(done.err) == []
    assert not any(line.startswith("scenewright: all is well") for line in (done.out + done.err).splitlines())


def test_names_do_not_steer_the_terminal_in_a_result(named: tuple[Path, str], tmp_path: Path):
    scene, name = named
    done = scenewright("edit", scene, "move both chairs 10 cm left", "-o", tmp_path / "out.blend")
    assert done.code == 0
    assert_harmless(done)
    assert len([line for line in done.out.splitlines() if line.startswith("  moved    Chair")]) == 2
    told = edit(scene, "move both chairs 10 cm left", tmp_path / "out.blend")
    assert_harmless(told)
    assert name in [c.name for c in told.result.changes]


def test_names_do_not_steer_the_terminal_in_a_refusal(named: tuple[Path, str], tmp_path: Path):
    scene, _ = named
    for request in (
        "move the chair 10 cm left",
        "move the table 1.2 m south",
        "remove the sofa",
        f"dance {named[1]}",
    ):
        done = scenewright("edit", scene, request, "-o", tmp_path / "out.blend")
        assert done.code == 2, request
        assert_harmless(done)
        assert done.err == f"{done.error_line}\n"
        assert_harmless(edit(scene, request, tmp_path / "out.blend"))


def test_names_do_not_steer_the_terminal_in_a_graph_and_are_whole_in_its_json(named: tuple[Path, str], tmp_path: Path):
    scene, name = named
    done = scenewright("graph", scene)
    assert done.code == 0
    assert_harmless(done)
    assert name in [o["name"] for o in done.json["objects"]]


def test_a_file_name_does_not_steer_the_terminal(tmp_path: Path):
    assert_harmless(scenewright("graph", tmp_path / "no\x1b[31msuch.blend"))
    assert_harmless(scenewright("graph", tmp_path / "no\x1b[31msuch.blend", "--json"))


def test_names_in_other_scripts_are_shown_as_they_are(tmp_path: Path):
    new_file()
    shell()
    block("椅子\u3000２", (0.4, 0.4, 0.5), (0, 0, 0))["scenewright_category"] = "chair"
    scene = save(tmp_path / "room.blend")
    assert "椅子\u3000２" in scenewright("edit", scene, "move the chair 10 cm left", "--dry-run").out


def test_what_blender_prints_is_kept_out_on_windows_too(monkeypatch: pytest.MonkeyPatch):
    """Blender is built on the universal C runtime; another library's buffers are not its own."""
    flushed: list[str | None] = []

    class Library:
        def __init__(self, name: str | None) -> None:
            self.fflush = lambda stream: flushed.append(name)

    monkeypatch.setattr(terminal.ctypes, "CDLL", Library)
    monkeypatch.setattr(terminal.sys, "platform", "win32")
    with terminal.own_streams(verbose=False):
        pass
    assert set(flushed) == {"ucrtbase"}


# --- a result that cannot be printed --------------------------------------------------------------------------------


def printing_to(stdout: int, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scenewright", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60)


@pytest.fixture(params=["full disk", "reader gone"])
def nowhere(request: pytest.FixtureRequest) -> int:
    """A file descriptor to which nothing can be written."""
    if request.param == "full disk":
        if not os.path.exists("/dev/full"):
            pytest.skip("no /dev/full here")
        descriptor = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, descriptor = os.pipe()
        os.close(reader)
    request.addfinalizer(lambda: os.close(descriptor))
    return descriptor


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["for a person", "as JSON"])
def test_a_scene_that_was_written_is_told_so_though_its_result_was_not(
    form: list[str], nowhere: int, room: Path, tmp_path: Path
):
    done = printing_to(nowhere, "edit", room, REQUEST, "-o", "out.blend", *form, cwd=tmp_path)
    assert done.returncode == 74
    (line,) = done.stderr.splitlines()
    assert line.startswith("scenewright: The result cannot be printed: ")
    assert line.endswith("out.blend is written.")
    assert worlds_in(tmp_path / "out.blend")["Table"][0, 3] == pytest.approx(-0.2, abs=1e-5)


def test_a_graph_that_cannot_be_printed_is_no_success(nowhere: int, room: Path, tmp_path: Path):
    done = printing_to(nowhere, "graph", room, cwd=tmp_path)
    assert done.returncode == 74
    assert done.stderr.endswith("Nothing was written.\n")


def test_a_refusal_that_cannot_be_printed_as_json_is_told_on_stderr(nowhere: int, tmp_path: Path):
    done = printing_to(nowhere, "graph", "nowhere.blend", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "scenewright: There is no file nowhere.blend. Check the path.\n"


def test_help_that_cannot_be_printed_is_no_success(nowhere: int, tmp_path: Path):
    done = printing_to(nowhere, "--help", cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (74, 1)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_stderr_spoils_nothing(room: Path, tmp_path: Path):
    command = [sys.executable, "-m", "scenewright", "edit", str(room), REQUEST, "-o", "out.blend", "--json"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, text=True, timeout=60)
    assert done.returncode == 0
    assert json.loads(done.stdout)["status"] == "satisfied"
