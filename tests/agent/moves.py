"""What a request moved: world matrices before and after, compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ..executor.rooms import worlds_in

EXACT = 1e-5


def shifts(source: Path, output: Path) -> dict[str, np.ndarray]:
    """How far each object's origin moved, by name."""
    before, after = worlds_in(source), worlds_in(output)
    assert before.keys() == after.keys()
    return {name: after[name][:3, 3] - before[name][:3, 3] for name in before}


def assert_only_moved(source: Path, output: Path, expected: dict[str, tuple[float, float, float]]) -> None:
    """The named ones moved exactly so without turning; all others are what they were, to the last bit."""
    before, after = worlds_in(source), worlds_in(output)
    for name, old in before.items():
        if name in expected:
            assert after[name][:3, 3] - old[:3, 3] == pytest.approx(expected[name], abs=EXACT), name
            assert after[name][:3, :3] == pytest.approx(old[:3, :3], abs=1e-6), name
        else:
            assert np.array_equal(after[name], old), name
