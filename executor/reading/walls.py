"""Walls in plan: their horizontal sections, and which of an outline's edges stand against one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from ..geometry.mesh import FloatArray
from ..geometry.plan import joined_segments, section, united_spans
from ..model.steps import Steps
from .structure import Hole
from .things import Thing

SLICE = 0.01
"""Half the width of a cut along a wall's section, metres."""
_NEAR_FLOOR = 0.5
_AGAINST, _APART = 0.06, 0.2
"""How far from a floor's edge a wall stands at it; and beyond it, if it runs along most of the edge."""
_HALF, _MOST = 0.5, 0.75
_PARALLEL = np.sin(np.radians(10))
_CUTS = (0.06, 0.3, 0.5, 0.7, 0.94)
"""Heights of the sections, as shares of a wall's height: a lintel or a sill closes a door or window somewhere."""


_MIDDLE = (1, 2)
"""Sections in which a door or window shows as a gap …"""
_NARROWEST, _WIDEST, _JAMB = 0.4, 4.0, 0.02
"""… of such a width, with some wall on either side, metres."""
_ACROSS = 0.95
"""Share of a gap that other sections of the wall must close for it to be a hole with something above or below it."""
_STEP = 0.05
_DEEPEST = 0.6
"""How far behind its face a wall may still close a hole, metres."""


@dataclass(frozen=True, eq=False, slots=True)
class Backing:
    """What an edge stands against.

    Attributes:
        thing: the wall that covers most of it.
        top: height of that wall's top.
        offset: how far outside the edge its face lies.
        holes: in that wall or those beside it.
    """

    thing: Thing
    top: float
    offset: float
    holes: tuple[Hole, ...]


class WallSections:
    """Sections of the walls around a floor: segments ``(n, 2, 2)`` in plan, the wall of each and which cut it is."""

    def __init__(
        self, walls: Sequence[Thing], segments: Sequence[FloatArray], cuts: Sequence[NDArray[np.intp]]
    ) -> None:
        self._walls = walls
        self._segments = np.concatenate(segments) if segments else np.empty((0, 2, 2))
        self._owner = np.repeat(np.arange(len(segments)), [len(s) for s in segments])
        self._cut = np.concatenate(cuts) if cuts else np.empty(0, np.intp)
        self._tree = shapely.STRtree(lines_of(self._segments))

    def barrier(self) -> BaseGeometry:
        """All sections, thickened."""
        return shapely.union_all(shapely.buffer(lines_of(joined_segments(self._segments)), SLICE, cap_style="square"))

    def backing(self, start: FloatArray, end: FloatArray) -> Backing | None:
        """The wall along an edge, which has the room on its left.

        Sections at the edge must cover half of it, or, together with those up to 20 cm outside, most of it. The
        parts of a wall made of panels count together.
        """
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length
        near = self._tree.query(LineString([start, end]), predicate="dwithin", distance=_APART + SLICE)
        if not len(near):
            return None
        spans, offsets, kept = spans_along(self._segments[near], start, along, length)
        at = np.abs(offsets) <= _AGAINST
        offset = 0.0 if _covered(spans[at]) >= _HALF * length else _offset_of_face(spans, offsets, length)
        if offset is None:
            return None
        if offset:
            at = (offsets >= -_AGAINST) & (offsets <= offset + SLICE)
        spans, owner, cut = spans[at], self._owner[near][kept][at], self._cut[near][kept][at]
        covers = [(_covered(spans[owner == k]), -int(k)) for k in np.unique(owner)]
        wall = self._walls[-max(covers)[1]]
        holes = []
        for begin, stop in _gaps(spans, cut, length):
            within = np.clip(spans, begin, stop)
            lintel = max((_covered(within[owner == k]), -int(k)) for k in np.unique(owner))
            if lintel[0] >= _ACROSS * (stop - begin):
                hole = _measured(self._walls[-lintel[1]], start, along, (begin, stop))
                holes += [hole] if hole is not None else []
        return Backing(wall, float(wall.measured.bounds[1, 2]), offset, tuple(holes))


def _offset_of_face(spans: FloatArray, offsets: FloatArray, length: float) -> float | None:
    """How far outside an edge the nearest wall runs along most of it, or None."""
    beside = (offsets > _AGAINST) & (offsets <= _APART)
    for offset in np.unique(np.round(offsets[beside], 3)).tolist():
        if _covered(spans[(offsets >= -_AGAINST) & (offsets <= offset + SLICE)]) >= _MOST * length:
            return float(offset)
    return None


def _gaps(spans: FloatArray, cut: NDArray[np.intp], length: float) -> list[tuple[float, float]]:
    """Gaps of a door's or window's width in the middle sections of a wall."""
    found: dict[tuple[float, float], None] = {}
    for k in _MIDDLE:
        joined = united_spans(spans[cut == k])
        for begin, end in zip(joined[:-1, 1].tolist(), joined[1:, 0].tolist(), strict=True):
            if _NARROWEST <= end - begin <= _WIDEST and begin >= _JAMB and end <= length - _JAMB:
                found[round(begin, 3), round(end, 3)] = None
    return list(found)


def _measured(wall: Thing, start: FloatArray, along: FloatArray, span: tuple[float, float]) -> Hole | None:
    """A gap in a wall measured: how far it is free downward and upward from the height where it was found."""
    middle = sum(span) / 2
    foot, top = wall.measured.bounds[:, 2].tolist()

    def free(z: float) -> bool:
        spans, offsets, _ = spans_along(section(wall.measured.body, z), start, along, span[1])
        across = (spans[:, 0] < middle) & (spans[:, 1] > middle) & (offsets >= -_AGAINST) & (offsets <= _DEEPEST)
        return not across.any()

    def end_of(z: float, step: float) -> float | None:
        """Where the hole that is free at a height ends: None if it does not within the wall."""
        while free(z + step):
            z += step
            if not foot <= z <= top:
                return None
        for _ in range(6):
            step /= 2
            z += step if free(z + step) else 0.0
        return z

    for share in (_CUTS[k] for k in _MIDDLE):
        z = foot + share * (top - foot)
        if free(z):
            high, low = end_of(z, _STEP), end_of(z, -_STEP)
            return Hole(*span, foot if low is None else low, high) if high is not None else None
    return None


def sections_around(walls: Sequence[Thing], polygon: Polygon, z: float) -> Steps[WallSections]:
    """Sections of those walls that stand at a floor, near its outline."""
    kept: list[Thing] = []
    found: list[FloatArray] = []
    numbers: list[NDArray[np.intp]] = []
    for wall in walls:
        low, high = max(z, float(wall.measured.bounds[0, 2])), float(wall.measured.bounds[1, 2])
        if high < z + 0.5 or low > z + 2.0:
            continue
        cuts = [section(wall.measured.body, low + share * (high - low)) for share in _CUTS]
        segments, number = np.concatenate(cuts), np.repeat(np.arange(len(cuts)), [len(c) for c in cuts])
        near = shapely.distance(lines_of(segments), polygon) < _NEAR_FLOOR
        if near.any():
            kept.append(wall)
            found.append(segments[near])
            numbers.append(number[near])
        yield
    return WallSections(kept, found, numbers)


def spans_along(
    segments: FloatArray, start: FloatArray, along: FloatArray, length: float
) -> tuple[FloatArray, FloatArray, NDArray[np.intp]]:
    """Those segments that run along an edge: their spans on it, how far outside it they lie, and which they are.

    Args:
        segments: ``(n, 2, 2)``.
        start, along, length: the edge, `along` a unit vector; outside is to the right.
    """
    outward = np.array([along[1], -along[0]])
    reach = segments[:, 1] - segments[:, 0]
    size = np.hypot(reach[:, 0], reach[:, 1])
    spans = np.sort(np.clip((segments - start) @ along, 0.0, length), axis=1)
    offsets = ((segments - start) @ outward).mean(axis=1)
    kept = np.flatnonzero((np.abs(reach @ outward) <= _PARALLEL * size) & (spans[:, 1] - spans[:, 0] > 1e-6))
    return spans[kept], offsets[kept], kept


def lines_of(segments: FloatArray) -> NDArray[np.object_]:
    """Segments ``(k, 2, 2)`` as lines ``(k,)``."""
    return np.array(shapely.linestrings(segments), np.object_).reshape(len(segments))


def _covered(spans: FloatArray) -> float:
    joined = united_spans(spans)
    return float((joined[:, 1] - joined[:, 0]).sum())
