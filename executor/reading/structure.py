"""What a scene's structure is on its way into the graph: rooms with their wall faces, and openings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon

from ..geometry.mesh import FloatArray
from ..model.graph import OpeningKind
from .things import Thing

_NEARLY = 0.3
"""How far outside a room's outline things still belong to it, metres: half a thick wall."""
_SUNK, _LEVEL = 0.25, 0.02
"""How far a thing's foot may lie below the floor that it belongs to, and its middle."""
_OVER_CEILING = 0.05
_STEP = 0.05
"""Difference of heights, metres, that is no step."""
STOREY = 1.5
"""Height, metres, from which one level may lie over another and leave room for people between them."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole in a wall face: where it begins and ends along the face, its lower and upper edge (world); metres."""

    begin: float
    end: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, slots=True)
class WallFace:
    """One straight inner face: `start` to `end` with the room on its left, from `foot` upward; metres."""

    thing: Thing
    start: FloatArray
    end: FloatArray
    foot: float
    height: float
    holes: tuple[Hole, ...] = ()

    @property
    def along(self) -> FloatArray:
        """Unit direction from start to end."""
        direction: FloatArray = (self.end - self.start) / np.linalg.norm(self.end - self.start)
        return direction

    @property
    def normal(self) -> FloatArray:
        """Unit normal into the room."""
        return np.array([-self.along[1], self.along[0]])

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.end - self.start))

    def line(self) -> LineString:
        return LineString([self.start, self.end])


@dataclass(eq=False, slots=True)
class RoomShape:
    """A room on its way into the graph; heights in metres, world."""

    floor: Thing
    polygon: Polygon
    floor_z: float
    ceiling_z: float | None
    walls: list[WallFace] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class OpeningShape:
    """A door, a window or a hole in a wall on its way into the graph; metres, the sill above the room's floor.

    Attributes:
        thing: the door or window, or the wall that has the hole.
    """

    thing: Thing
    kind: OpeningKind
    wall: WallFace | None
    center: FloatArray
    width: float
    height: float
    sill: float


class WallLines(NamedTuple):
    """Wall faces in plan as arrays ``(n, 2)``; the normals are unit vectors into the rooms.

    `spans` are the heights between which each stands, ``(n, 2)``.
    """

    starts: FloatArray
    ends: FloatArray
    normals: FloatArray
    spans: FloatArray

    def beside(self, which: NDArray[np.intp], low: FloatArray, high: FloatArray) -> NDArray[np.bool_]:
        """Whether some walls stand on the storey of what reaches from a height to another, ``(n,)`` each.

        What only touches the height at which a wall begins or ends is on another storey, unless that is its foot.
        """
        foot, top = self.spans[which].T
        shared = np.minimum(high, top) - np.maximum(low, foot)
        on_storey: NDArray[np.bool_] = (shared > _STEP) | (np.abs(low - foot) <= _STEP)
        return on_storey


@dataclass(frozen=True, eq=False)
class Structure:
    """Rooms with their walls, and openings."""

    rooms: list[RoomShape]
    openings: list[OpeningShape]

    @cached_property
    def walls(self) -> list[WallFace]:
        return [w for r in self.rooms for w in r.walls]

    @cached_property
    def wall_lines(self) -> WallLines:
        walls = self.walls
        columns: Iterable[list[FloatArray]] = (
            [w.start for w in walls],
            [w.end for w in walls],
            [w.normal for w in walls],
            [np.array([w.foot, w.foot + w.height]) for w in walls],
        )
        return WallLines(*(np.array(c).reshape(-1, 2) for c in columns))

    def parted(self, lines: NDArray[np.object_], spans: FloatArray) -> NDArray[np.bool_]:
        """Whether a wall, and no hole in one, stands across each of some lines in plan.

        Args:
            lines: shapely lines of two points, ``(n,)``.
            spans: heights between which each is asked about, ``(n, 2)``, metres, world.
        """
        found = np.zeros(len(lines), bool)
        if not self.walls or not len(lines):
            return found
        n, w = self._wall_tree.query(lines, predicate="intersects")
        faces = self.wall_lines
        ends = shapely.get_coordinates(lines[n]).reshape(-1, 2, 2)
        sides = ((ends - faces.starts[w, None]) * faces.normals[w, None]).sum(axis=2)
        crossed = faces.beside(w, *spans[n].T) & (sides.prod(axis=1) < 0)
        for k in np.flatnonzero(crossed).tolist():
            face, share = self.walls[w[k]], sides[k, 0] / (sides[k, 0] - sides[k, 1])
            at = float((ends[k, 0] + share * (ends[k, 1] - ends[k, 0]) - face.start) @ face.along)
            found[n[k]] |= not any(h.begin <= at <= h.end and h.low < spans[n[k], 1] for h in face.holes)
        return found

    def walls_around(self, point: FloatArray, reach: float) -> NDArray[np.intp]:
        """Numbers of the wall faces within some metres of a point in plan, ascending."""
        return np.sort(self._wall_tree.query(shapely.Point(*point), predicate="dwithin", distance=reach))

    @cached_property
    def _wall_tree(self) -> shapely.STRtree:
        return shapely.STRtree([w.line() for w in self.walls])

    def rooms_at(self, points: FloatArray, spans: FloatArray) -> list[int | None]:
        """Index of the room that each thing is in, or (within 30 cm) nearly; else None.

        Of rooms one above the other it is the highest whose floor does not lie above the thing's foot.

        Args:
            points: middle of each thing in plan, ``(n, 2)``.
            spans: foot and top of each, ``(n, 2)``.
        """
        found: list[int | None] = [None] * len(points)
        if not self.rooms or not len(points):
            return found
        outlines = np.array([r.polygon for r in self.rooms], object)
        floors = np.array([r.floor_z for r in self.rooms])
        ceilings = np.array([np.inf if r.ceiling_z is None else r.ceiling_z for r in self.rooms])
        plan = np.array(shapely.points(points), object)
        n, k = shapely.STRtree(outlines).query(plan, predicate="dwithin", distance=_NEARLY)
        away = np.round(shapely.distance(plan[n], outlines[k]), 6)
        low, high = spans[n].T
        fits = (low >= floors[k] - _SUNK) & ((low + high) / 2 >= floors[k] - _LEVEL)
        fits &= low <= ceilings[k] + _OVER_CEILING
        reaches = high >= floors[k] - _LEVEL
        top = np.full(len(points), -np.inf)
        np.maximum.at(top, n[fits], floors[k[fits]])
        fits &= floors[k] > top[n] - STOREY
        kept = fits | (reaches & (top[n] == -np.inf) & (low < floors[k]))
        order = np.lexsort((k, np.where(fits, -floors[k], floors[k]), away, n))
        for i in order[kept[order]][::-1].tolist():
            found[n[i]] = int(k[i])
        return found
