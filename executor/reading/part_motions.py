"""How a part moves, told by where it sits: a drawer out of its carcass, a door about the edge away from its handle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..geometry.mesh import FloatArray

_UP = np.array([0.0, 0.0, 1.0])
_DRAWN_OUT = 0.8
"""Share of its depth that a drawer comes out."""
_DOOR_DEG, _LID_DEG = 110.0, 90.0
_FALLING = ("oven", "dishwasher", "microwave oven")
"""Categories whose doors fall open about their lower edge, unless the handle is at a side."""
_AT_EDGE = 0.15
"""Share of a door's width within which an origin, or a handle, is at an edge."""
_PLATE = 0.1
"""Depth below which a drawer is its front alone, metres: half of the carcass is taken for how deep it is."""
_WIDE = 1.5
"""How many times as wide as high a door falls open about its lower edge, unless its handle is at a side."""
_PROUD = 0.03
"""How far closed drawers may stand out of one another or of the carcass, metres."""


@dataclass(frozen=True, eq=False, slots=True)
class Motion:
    """How a part opens; see `moving_parts.MovingPart`."""

    motion: Literal["slide", "hinge"]
    axis: FloatArray
    origin: FloatArray
    limit: float
    opened: float


@dataclass(frozen=True, eq=False, slots=True)
class _Frame:
    """Directions, ``(3,)`` unit each, of somebody who faces the front."""

    right: FloatArray
    front: FloatArray

    def spans(self, points: FloatArray) -> FloatArray:
        """Lowest and highest to the right, to the front and up, ``(2, 3)``."""
        along = points @ np.array([self.right, self.front, _UP]).T
        return np.array([along.min(axis=0), along.max(axis=0)])

    def point(self, right: float, front: float, up: float) -> FloatArray:
        return right * self.right + front * self.front + up * _UP


def motion_of(
    kind: str,
    category: str,
    grips: Sequence[FloatArray],
    points: FloatArray,
    siblings: Sequence[FloatArray],
    carcass: FloatArray,
    origin: FloatArray,
    front: FloatArray,
) -> Motion:
    """How a part moves that no mark tells of.

    Args:
        kind: ``drawer``, ``door``, ``lid`` or ``flap``.
        category: of the thing that it is part of.
        grips: points ``(n, 3)`` of its handles, world, metres.
        points: its own, ``(n, 3)``.
        siblings: points of the other parts of its kind.
        carcass: points of what stays.
        origin: ``(3,)`` of its object.
        front: ``(3,)`` unit, level: where the thing looks.
    """
    frame = _Frame(np.array([-front[1], front[0], 0.0]), front)
    low, high = frame.spans(points)
    if kind == "drawer":
        proud = _opened([frame.spans(s)[1, 1] for s in siblings], frame.spans(carcass)[1, 1], float(high[1]))
        middle = frame.point(*(low + high) / 2)
        depth = float(high[1] - low[1])
        if depth < _PLATE:  # a front without a box
            depth = float(np.ptp(frame.spans(carcass)[:, 1])) / 2
        return Motion("slide", front, middle, _DRAWN_OUT * depth, proud)
    if kind == "lid":
        return Motion(
            "hinge", np.cross(front, _UP), frame.point((low[0] + high[0]) / 2, low[1], high[2]), _LID_DEG, 0.0
        )
    side = _handle_side(frame, grips, low, high)
    wide = high[0] - low[0] > _WIDE * (high[2] - low[2])
    if kind == "flap" or ((wide or category in _FALLING) and side is None):
        return Motion(
            "hinge", np.cross(_UP, front), frame.point((low[0] + high[0]) / 2, high[1], low[2]), _LID_DEG, 0.0
        )
    hinge = -side if side is not None else _hinge_side(frame, low, high, siblings, origin)
    edge = high[0] if hinge > 0 else low[0]
    leads = frame.right * -hinge  # from the hinge across the door
    return Motion("hinge", np.cross(leads, front), frame.point(edge, high[1], low[2]), _DOOR_DEG, 0.0)


def _opened(siblings: Sequence[float], carcass: float, own: float) -> float:
    """How far a drawer stands out of the others, or of the carcass if there are none; 0 within what is usual."""
    flush = float(np.median(siblings)) if siblings else carcass
    out = own - flush
    return out if out > _PROUD else 0.0


def _handle_side(frame: _Frame, grips: Sequence[FloatArray], low: FloatArray, high: FloatArray) -> int | None:
    """At which side of a door its handle is: 1 right, -1 left, None if it is in the middle or there is none."""
    if not grips:
        return None
    middle = float(frame.spans(np.concatenate(grips)).mean(axis=0)[0])
    off = (middle - (low[0] + high[0]) / 2) / max(float(high[0] - low[0]), 1e-6)
    return None if abs(off) < _AT_EDGE else int(np.sign(off))


def _hinge_side(
    frame: _Frame, low: FloatArray, high: FloatArray, siblings: Sequence[FloatArray], origin: FloatArray
) -> int:
    """At which side of a door without a handle its hinge is: the outer one beside another door, else that of its
    object's origin, else the left.
    """
    for other in (frame.spans(s) for s in siblings):
        level = min(other[1, 2], high[2]) - max(other[0, 2], low[2]) > 0.5 * (high[2] - low[2])
        gap = max(float(other[0, 0] - high[0]), float(low[0] - other[1, 0]))
        if level and gap < 0.1 * (high[0] - low[0]):
            return -1 if other[:, 0].mean() > (low[0] + high[0]) / 2 else 1
    at = (float(origin @ frame.right) - low[0]) / max(float(high[0] - low[0]), 1e-6)
    return 1 if abs(at - 1) < _AT_EDGE else -1
