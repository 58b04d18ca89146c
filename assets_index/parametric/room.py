"""An empty room: floor, four walls with real holes, windows and doors in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from ...executor.model.errors import ScenewrightError
from ...executor.model.piece import Face, Joint, Piece, Vec2
from .casework import framed_panel
from .draft import Draft
from .palette import GLASS, RAW_STEEL, lacquer, wood
from .shape import Shape
from .shapes import block, cylinder, tube

WallName: TypeAlias = Literal["north", "east", "south", "west"]

WALL_THICKNESS = 0.10
"""Metres, outside the interior."""
FLOOR_THICKNESS = 0.10
"""Metres, below z = 0."""

_SMALLEST, _LARGEST = (1.0, 1.0, 1.8), (50.0, 50.0, 12.0)
_WALL_PAINT = lacquer("Wall Paint", "EDE8DF", 0.9)
_TRIM = lacquer("White Trim", "F4F2EE", 0.4)
_FLOOR = wood("Oak Floor", "B89468", 0.45)
_TURN_DEG: dict[WallName, float] = {"north": 0.0, "west": 90.0, "south": 180.0, "east": 270.0}
_FRAME = 0.05
_LEAF = 0.04


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a wall and what fills it.

    Attributes:
        wall: which wall; north is +Y, east is +X.
        offset: from the middle of the wall to the middle of the hole, metres, positive towards +X or +Y.
        width, height: of the hole, metres.
        sill: height of its lower edge above the floor, metres; 0 for doors.
        kind: ``window`` (frame and pane), ``door`` (frame and hinged leaf) or ``opening`` (left empty).
    """

    wall: WallName
    offset: float
    width: float
    height: float
    sill: float = 0.0
    kind: Literal["window", "door", "opening"] = "window"


def room_shell(
    width: float,
    depth: float,
    height: float = 2.6,
    openings: Sequence[Opening] = (),
    *,
    skirting: bool = False,
) -> Piece:
    """A room whose interior is exactly x in ±width/2, y in ±depth/2, z in 0…height.

    The result's ``size`` is the interior; the walls stand outside it and the floor slab lies below z = 0.
    Solids: ``Floor``, ``Wall North`` …, ``Window`` (the second one is ``Window 2``), ``Door`` with its hinge,
    ``Door Frame`` and, if wanted, ``Skirting North`` ….

    Args:
        width, depth, height: interior, metres.
        openings: holes in the walls.
        skirting: add skirting boards.

    Raises:
        ScenewrightError: ``bad_input`` for a size outside the limits, or an opening that does not fit its
            wall or overlaps another one.
    """
    size = (width, depth, height)
    if not all(lo <= side <= hi for side, lo, hi in zip(size, _SMALLEST, _LARGEST, strict=True)):
        limits = ", ".join(f"{lo:g}–{hi:g}" for lo, hi in zip(_SMALLEST, _LARGEST, strict=True))
        given = " × ".join(f"{side:g}" for side in size)
        raise ScenewrightError(
            "bad_input", f"A room of {given} m is outside the limits.", f"Width, depth, height: {limits} m."
        )
    draft = Draft("room", size, "modern", 0)
    floor = block((-width / 2, width / 2), (-depth / 2, depth / 2), (-FLOOR_THICKNESS, 0.0), 0.0)
    draft.solid("Floor", (_FLOOR, [floor]))
    draft.surface("floor", 0.0, (-width / 2, width / 2), (-depth / 2, depth / 2))
    counts: dict[str, int] = {}
    for name in _TURN_DEG:
        wall = _Wall(draft, name, size)
        holes = [wall.hole(opening) for opening in openings if opening.wall == name]
        wall.build(holes)
        if skirting:
            wall.skirt(holes)
        for hole in holes:
            if hole.opening.kind != "opening":
                label = hole.opening.kind.title()
                counts[label] = counts.get(label, 0) + 1
                number = f" {counts[label]}" if counts[label] > 1 else ""
                (wall.window if label == "Window" else wall.door)(hole, label, number)
    return draft.piece(category="room", role="structure", front=None, mass_kg=0.0, fit_box=False)


@dataclass(frozen=True, slots=True)
class _Hole:
    """An opening in its wall's frame: u along the wall (see `_Wall`), z up."""

    opening: Opening
    u: Vec2
    z: Vec2


class _Wall:
    """One wall, built as if it were the north one and turned into place.

    In its frame the inner face is the plane y = ``inner``, x runs from −half to half, and outside is +Y.
    """

    def __init__(self, draft: Draft, name: WallName, size: tuple[float, float, float]) -> None:
        width, depth, self.height = size
        lengthwise = name in ("north", "south")
        self.draft, self.name = draft, name
        self.half = (width if lengthwise else depth) / 2
        self.inner = (depth if lengthwise else width) / 2
        # North and south walls take the corners.
        self.overlap = WALL_THICKNESS if lengthwise else 0.0
        self.sense = 1.0 if name in ("north", "west") else -1.0

    def placed(self, shape: Shape) -> Shape:
        """From the wall's frame to the room's."""
        return shape.turned(z=_TURN_DEG[self.name])

    def hole(self, opening: Opening) -> _Hole:
        """The opening's place in this wall, checked against its ends."""
        middle, z = self.sense * opening.offset, (opening.sill, opening.sill + opening.height)
        u = (middle - opening.width / 2, middle + opening.width / 2)
        fits = -self.half <= u[0] and u[1] <= self.half and z[0] >= 0 and z[1] <= self.height
        if not fits or opening.width < 0.2 or opening.height < 0.2:
            raise ScenewrightError(
                "bad_input",
                f"A {opening.kind} of {opening.width:g} × {opening.height:g} m at {opening.offset:g} m "
                f"does not fit the {self.name} wall.",
                f"The wall is {2 * self.half:g} m long and {self.height:g} m high; an opening is at least 0.2 m.",
            )
        return _Hole(opening, u, z)

    def build(self, holes: list[_Hole]) -> None:
        """The wall with its holes, as one closed mesh of quads."""
        for k, a in enumerate(holes):
            for b in holes[:k]:
                if a.u[0] <= b.u[1] and b.u[0] <= a.u[1] and a.z[0] <= b.z[1] and b.z[0] <= a.z[1]:
                    raise ScenewrightError(
                        "bad_input", f"Two openings in the {self.name} wall overlap.", "Move them apart."
                    )
        end = self.half + self.overlap
        us = sorted({-end, end, *(edge for hole in holes for edge in hole.u)})
        zs = sorted({0.0, self.height, *(edge for hole in holes for edge in hole.z)})

        def solid(i: int, k: int) -> bool:
            if not (0 <= i < len(us) - 1 and 0 <= k < len(zs) - 1):
                return False
            u, z = (us[i] + us[i + 1]) / 2, (zs[k] + zs[k + 1]) / 2
            return not any(h.u[0] < u < h.u[1] and h.z[0] < z < h.z[1] for h in holes)

        index: dict[tuple[int, int, int], int] = {}
        faces: list[Face] = []

        def quad(*corners: tuple[int, int, int]) -> None:
            faces.append(tuple(index.setdefault(corner, len(index)) for corner in corners))

        for i, k in product(range(len(us) - 1), range(len(zs) - 1)):
            if not solid(i, k):
                continue
            j, m = i + 1, k + 1
            quad((i, 0, k), (j, 0, k), (j, 0, m), (i, 0, m))
            quad((j, 1, k), (i, 1, k), (i, 1, m), (j, 1, m))
            if not solid(i - 1, k):
                quad((i, 1, k), (i, 0, k), (i, 0, m), (i, 1, m))
            if not solid(j, k):
                quad((j, 0, k), (j, 1, k), (j, 1, m), (j, 0, m))
            if not solid(i, k - 1):
                quad((i, 1, k), (j, 1, k), (j, 0, k), (i, 0, k))
            if not solid(i, m):
                quad((i, 0, m), (j, 0, m), (j, 1, m), (i, 1, m))
        ys = (self.inner, self.inner + WALL_THICKNESS)
        vertices = np.array([(us[i], ys[side], zs[k]) for i, side, k in index], np.float64)
        shape = Shape(vertices, tuple(faces), np.zeros(len(faces), np.bool_))
        self.draft.solid(f"Wall {self.name.title()}", (_WALL_PAINT, [self.placed(shape)]))

    def skirt(self, holes: list[_Hole], tall: float = 0.07, thick: float = 0.012) -> None:
        """Boards along the floor, left out where a hole reaches it."""
        end = self.half if self.overlap else self.half - thick
        gaps = sorted(hole.u for hole in holes if hole.z[0] < tall)
        edges = [-end, *(edge for u in gaps for edge in u), end]
        boards = [
            block((a, b), (self.inner - thick, self.inner), (0.0, tall), 0.003)
            for a, b in zip(edges[::2], edges[1::2], strict=True)
            if b - a > 0.01
        ]
        name = self.name.title()
        self.draft.solid(f"Skirting {name}", (_TRIM, list(map(self.placed, boards))), parent=f"Wall {name}")

    def window(self, hole: _Hole, label: str, number: str) -> None:
        """A frame with a pane; wide ones have a mullion."""
        (u0, u1), (z0, z1) = hole.u, hole.z
        y = (self.inner + 0.02, self.inner + 0.08)
        f = min(_FRAME, 0.2 * (u1 - u0), 0.2 * (z1 - z0))
        bars = [
            block((u0, u0 + f), y, hole.z, 0.004),
            block((u1 - f, u1), y, hole.z, 0.004),
            block((u0 + f, u1 - f), y, (z0, z0 + f), 0.004),
            block((u0 + f, u1 - f), y, (z1 - f, z1), 0.004),
        ]
        count = max(1, round((u1 - u0) / 0.8))
        for k in range(1, count):
            u = u0 + (u1 - u0) * k / count
            bars.append(block((u - 0.6 * f, u + 0.6 * f), y, (z0 + f, z1 - f), 0.004))
        middle = sum(y) / 2
        pane = block((u0 + f, u1 - f), (middle - 0.003, middle + 0.003), (z0 + f, z1 - f), 0.0)
        self.draft.solid(
            f"{label}{number}",
            (_TRIM, list(map(self.placed, bars))),
            (GLASS, [self.placed(pane)]),
            parent=f"Wall {self.name.title()}",
        )

    def door(self, hole: _Hole, label: str, number: str) -> None:
        """A lining in the hole and a panelled leaf that opens into the room, hinged at its low-u edge."""
        (u0, u1), (z0, z1) = hole.u, hole.z
        y = (self.inner, self.inner + WALL_THICKNESS)
        f = 0.035
        lining = [
            block((u0, u0 + f), y, hole.z, 0.003),
            block((u1 - f, u1), y, hole.z, 0.003),
            block((u0 + f, u1 - f), y, (z1 - f, z1), 0.003),
        ]
        wall = f"Wall {self.name.title()}"
        self.draft.solid(f"{label} Frame{number}", (_TRIM, list(map(self.placed, lining))), parent=wall)
        u, z = (u0 + f + 0.003, u1 - f - 0.003), (z0 + 0.006, z1 - f - 0.003)
        front = self.inner + 0.004
        split = z[0] + 0.42 * (z[1] - z[0])
        lower, upper = (z[0], split), (split, z[1])
        leaf = framed_panel(u, lower, front, _LEAF, 0.1, raised=False)
        leaf += framed_panel(u, upper, front, _LEAF, 0.1, raised=False)
        grip, grip_z = u[1] - 0.06, min(1.05, z0 + 0.5 * (z1 - z0))
        handles = []
        for side, face in ((-1.0, front), (1.0, front + _LEAF)):
            rose = cylinder(0.025, (0.0, 0.006), segments=20).turned(x=-90 * side)
            lever = [
                (grip, face, grip_z),
                (grip, face + side * 0.045, grip_z),
                (grip - 0.11, face + side * 0.045, grip_z),
            ]
            handles += [rose.moved(grip, face, grip_z), tube(lever, 0.008, 10)]
        hinge = self.placed(Shape(np.array([[u[0], front, 0.0]]), (), np.zeros(0, np.bool_))).vertices[0]
        joint = Joint("hinge", (0.0, 0.0, -1.0), (float(hinge[0]), float(hinge[1]), 0.0), 90.0)
        self.draft.solid(
            f"{label}{number}",
            (_TRIM, list(map(self.placed, leaf))),
            (RAW_STEEL, list(map(self.placed, handles))),
            parent=wall,
            joint=joint,
        )
