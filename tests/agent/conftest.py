"""The room that most requests are made in."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a furnished room, which no test writes to."""
    from ..executor.rooms import furnished, save  # what reads requests only is tested without Blender

    furnished()
    return save(tmp_path_factory.mktemp("room") / "room.blend")
