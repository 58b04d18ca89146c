"""What many tests need: an empty Blender, and the field scenes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

# A slow machine is no failure, and no submission fails by chance; away from CI each run looks elsewhere.
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")

MANY_SEEDS = 10
"""With more, it is a soak."""
EXIT_STATUS = pytest.StashKey[int]()
ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many examples the random tests draw, each from a seed of its own."""
    parser.addoption("--seeds", type=int, default=3, help="how many seeds tests with chance in them are run with")


def pytest_configure(config: pytest.Config) -> None:
    """The mark of tests that draw examples by chance, from seeds of their own."""
    config.addinivalue_line("markers", "chance: run with as many seeds as --seeds says")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what takes `luck` with as many as are asked for."""
    if "luck" in metafunc.fixturenames:
        seeds = range(metafunc.config.getoption("--seeds"))
        metafunc.parametrize("luck", [pytest.param(seed, marks=pytest.mark.chance) for seed in seeds])


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Keep what the run came to, for `pytest_unconfigure`."""
    session.config.stash[EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave at once: after a file that could not be read, Blender's own clean-up at exit may wait for ever (4.5)."""
    if "bpy" in sys.modules and EXIT_STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[EXIT_STATUS])


@pytest.fixture
def soaks(pytestconfig: pytest.Config) -> bool:
    """Whether there is time for all that tests with chance in them are meant to try."""
    return bool(pytestconfig.getoption("--seeds") > MANY_SEEDS)


@pytest.fixture
def blender() -> ModuleType:
    """bpy with an empty file open. Pure floors are tested without it, so that they need no Blender."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return bpy


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Where a scene to work on may be saved."""
    return tmp_path / "room.blend"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the result may go."""
    return tmp_path / "out.blend"


@pytest.fixture(scope="session")
def field_data() -> Path:
    """The folder of scenes from the field, which the repository does not carry."""
    folder = Path(os.environ.get("SCENEWRIGHT_FIELD_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no field data: SCENEWRIGHT_FIELD_DATA may name their folder")
    return folder
