"""The house itself: what ships, under which version, and what stays importable without Blender."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import scenewright

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = PYPROJECT["tool"]["setuptools"]["packages"]

NOT_SHIPPED = {"build", "dist", "docs", "out", "scripts", "tests", "wheels"}
SHIPPED_SUFFIXES = {".html", ".jinja", ".json", ".py", ".toml", ".tsv", ".txt"}

MOST_LINES = 450
TELLING_TIME = ("mark.timeout", "monotonic", "perf_counter", "process_time", "sleep")
SAYS_NOTHING = {"common", "helpers", "manager", "misc", "utils"}

# Run in a fresh interpreter that has no Blender, whatever is installed.
IMPORT_WITHOUT_BLENDER = """
import importlib, sys
for name in ("bpy", "bmesh", "mathutils"):
    sys.modules[name] = None
for name in sys.argv[1:]:
    importlib.import_module(name)
assert "scenewright.addon" not in sys.modules, "addon was imported"
"""


def product_folders() -> list[Path]:
    """Folders below the root that have something to ship, relative to it."""
    folders = []
    for path, names, files in os.walk(ROOT):
        folder = Path(path).relative_to(ROOT)
        skipped = NOT_SHIPPED if folder == Path() else set()
        names[:] = [
            name for name in names if not name.startswith((".", "__")) and name not in skipped and ".egg" not in name
        ]
        if any(Path(name).suffix in SHIPPED_SUFFIXES for name in files):
            folders.append(folder)
    return folders


def modules_outside(*packages: str) -> list[str]:
    names = []
    for folder in product_folders():
        for file in sorted((ROOT / folder).glob("*.py")):
            parts = ["scenewright", *folder.parts, *([] if file.stem == "__init__" else [file.stem])]
            name = ".".join(parts)
            if not f"{name}.".startswith(tuple(f"scenewright.{package}." for package in packages)):
                names.append(name)
    return names


def python_files() -> list[Path]:
    """The product's, the tests' and the developers' modules, relative to the root."""
    shipped = [file for folder in product_folders() for file in (ROOT / folder).glob("*.py")]
    others = [file for folder in ("scripts", "tests") for file in (ROOT / folder).rglob("*.py")]
    return sorted(file.relative_to(ROOT) for file in (*shipped, *others))


def test_every_folder_with_product_files_is_a_listed_package():
    assert sorted(PACKAGES) == sorted(".".join(["scenewright", *folder.parts]) for folder in product_folders())


def test_manifest_changelog_and_package_agree_on_the_version():
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text())
    assert manifest["version"] == scenewright.__version__
    assert f"## [{scenewright.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_everything_but_blenders_rooms_is_importable_without_blender():
    modules = modules_outside("addon", "executor.blender", "assets_index.parametric", "__main__")
    command = [sys.executable, "-c", IMPORT_WITHOUT_BLENDER, *modules]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_no_module_imports_the_package_by_its_pip_name():
    # ruff can't check this where its ban on bpy is lifted.
    for folder in product_folders():
        for file in (ROOT / folder).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
                assert not any(name.split(".")[0] == "scenewright" for name in names), file


def test_no_file_is_longer_than_a_head_can_hold():
    lengths = {file.as_posix(): len((ROOT / file).read_text().splitlines()) for file in python_files()}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_files_and_folders_are_named_for_what_they_hold():
    assert [str(file) for file in python_files() if SAYS_NOTHING & {*file.parent.parts, file.stem}] == []


def test_no_test_waits_or_is_timed():
    """Timings live in scripts/bench; what a test waits for, a slow machine may not have done by then."""
    nodes = ((file, node) for file in (ROOT / "tests").rglob("*.py") for node in ast.walk(ast.parse(file.read_text())))
    named = ((file.name, ast.unparse(node)) for file, node in nodes if isinstance(node, (ast.Attribute, ast.Name)))
    assert [(file, name) for file, name in named if name.endswith(TELLING_TIME)] == []


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("bpy")
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return importlib.import_module("extension")


def test_zip_holds_the_packages_and_nothing_else(extension: ModuleType, tmp_path: Path):
    archive = extension.build(tmp_path, "linux-x64", wheels=[])

    shipped = {"blender_manifest.toml", "LICENSE", "README.md"}
    for folder in product_folders():
        files = (file for file in (ROOT / folder).iterdir() if file.suffix in SHIPPED_SUFFIXES)
        shipped |= {file.relative_to(ROOT).as_posix() for file in files if folder.parts or file.suffix == ".py"}
    assert set(zipfile.ZipFile(archive).namelist()) == shipped


def test_locked_wheels_satisfy_the_packages_requirements_and_leave_numpy_to_blender():
    locked = {
        line.split("==")[0] for line in (ROOT / "scripts" / "wheels.lock.txt").read_text().splitlines() if "==" in line
    }
    required = {requirement.split(">=")[0] for requirement in PYPROJECT["project"]["dependencies"]}
    assert required - locked == {"numpy"}
