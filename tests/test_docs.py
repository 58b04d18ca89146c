"""The documentation that is generated is current, and what the README shows exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_generated_documentation_is_current(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    for path, text in importlib.import_module("docs").documents().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"run scripts/docs.py: {path} is out of date"


def test_links_of_the_readme_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", (ROOT / "README.md").read_text(encoding="utf-8"))
    targets = [a or b for a, b in links]
    assert targets
    for target in targets:
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_picture_of_the_readme_is_small():
    assert (ROOT / "docs" / "images" / "bedroom.png").stat().st_size <= 400_000
