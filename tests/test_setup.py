"""Setting up a checkout: what is missing on a machine is said in one line, and the Makefile's targets are told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "scripts" / "environment.py"
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
SERIES = {"3.11": "4.5", "3.13": "5.3"}[HERE]

# Runs a script as a Python before 3.11 would, which has no tomllib.
OLD_PYTHON = """
import runpy, sys
sys.modules["tomllib"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def environment(*arguments: object, path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run environment.py on an old Python, with only what is in a folder on the PATH."""
    command = [sys.executable, "-c", OLD_PYTHON, ENVIRONMENT, *map(str, arguments)]
    env = {"PATH": str(path), **variables}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)


def test_a_machine_without_the_right_python_is_told_so_in_one_line(tmp_path: Path):
    (tmp_path / "bin").mkdir()
    done = environment(tmp_path / "venv", path=tmp_path / "bin")
    assert done.returncode == 1
    assert done.stderr == "Python 3.11 or 3.13 is needed (the bpy wheels exist for no other)\n"


def test_a_blender_whose_python_is_missing_is_told_so_in_one_line(tmp_path: Path):
    (tmp_path / "bin").mkdir()
    done = environment(tmp_path / "venv", "--bpy", SERIES, path=tmp_path / "bin")
    assert done.returncode == 77
    assert done.stdout == f"bpy {SERIES} needs Python {HERE}, which is not on this machine\n"
    assert done.stderr == ""


def test_a_python_without_its_venv_module_is_told_so_in_one_line(tmp_path: Path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / f"python{HERE}").symlink_to(sys.executable)
    (tmp_path / "debian").mkdir()
    (tmp_path / "debian" / "ensurepip.py").write_text("raise ImportError('python3-venv is not installed')")
    done = environment(tmp_path / "venv", path=tmp_path / "bin", PYTHONPATH=str(tmp_path / "debian"))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert f"apt-get install python{HERE}-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


Make = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def make() -> Make:
    """Run make as a person would: not as the make that may be running this suite says in its variables."""
    found = shutil.which("make")
    if found is None:
        pytest.skip("no make here")
    env = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([found, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)

    return run


def test_a_machine_without_python_is_told_so_by_make(make: Make):
    done = make("-n", "dev", "PYTHON=")
    assert done.returncode == 2
    assert "Python 3.11 or 3.13 is needed" in done.stderr


def test_make_help_tells_every_target(make: Make):
    told = make("help").stdout
    makefile = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(phony.split()) == targets
    assert {line.split()[0] for line in told.splitlines()} == targets


def test_the_soak_runs_tests_there_are(make: Make):
    """The property tests, whose examples hypothesis finds, and those that draw from seeds of their own."""
    told = make("-n", "soak").stdout
    selected = " or ".join(re.findall(r"pytest .*-m (\S+)", told))
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", selected, "tests"]
    collected = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True).stdout
    for file in ("tests/geometry/test_penetration.py", "tests/executor/test_going_back.py"):
        assert file in collected
    assert "tests/test_cli.py" not in collected
