"""What the cases from the field share."""

from __future__ import annotations

from pathlib import Path

import pytest

from .product import Product


@pytest.fixture
def product(blender: object, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Product:
    """The product, and an empty scene to build in."""
    return Product(tmp_path, capfd)
