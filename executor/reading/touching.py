"""Which objects touch, by their boxes."""

from __future__ import annotations

import numpy as np

from ..geometry.boxes import meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.mesh import FloatArray

_TOUCH_SHARE = 0.01
"""Parts touch when their boxes come within this share of the larger one's diagonal, …"""
_TOUCH_LIMIT = 0.02
"""… but never over more than this, in metres at life size."""


def touching_pairs(boxes: list[FloatArray | None]) -> list[tuple[int, int]]:
    """Pairs of indices of boxes that touch; None touches nothing."""
    known = [i for i, box in enumerate(boxes) if box is not None]
    if len(known) < 2:
        return []
    corners = np.array([boxes[i] for i in known])
    low, high = corners[:, 0], corners[:, 1]
    reach = np.minimum(_TOUCH_SHARE * np.linalg.norm(high - low, axis=1), _TOUCH_LIMIT)[:, None]
    return [(known[a], known[b]) for a, b in meeting_pairs(Boxes(low - reach / 2, high + reach / 2))]
