"""The documentation that is generated is current, and what the README shows exists."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_generated_documentation_is_current(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    for path, text in importlib.import_module("docs").documents().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"run `make docs`: {path} is out of date"


def test_commands_of_the_readme_work_as_written_and_say_what_it_shows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    pytest.importorskip("bpy")
    from .executor.rooms import save, scenewright

    monkeypatch.syspath_prepend(ROOT / "scripts")
    importlib.import_module("demo").furnish()
    (tmp_path / "out").mkdir()
    save(tmp_path / "out" / "room.blend")
    monkeypatch.chdir(tmp_path)
    fences = re.findall(
        r"^```\n(\$ .*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    shown = [example for fence in fences for example in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", fence, re.MULTILINE)]
    assert len(shown) >= 5
    for command, says in shown:
        program, *arguments = shlex.split(command)
        assert program == "scenewright"
        done = scenewright(*arguments)
        assert done.out + done.err == says, command


def test_links_of_the_readme_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", (ROOT / "README.md").read_text(encoding="utf-8"))
    targets = [a or b for a, b in links]
    assert targets
    for target in targets:
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_picture_of_the_readme_is_small():
    assert (ROOT / "docs" / "images" / "bedroom.png").stat().st_size <= 400_000
