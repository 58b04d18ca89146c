"""Plants in pots."""

from __future__ import annotations

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Material
from .draft import Draft
from .palette import (
    BLACK_STEEL,
    BLUE_CERAMIC,
    CONCRETE,
    RAW_STEEL,
    SAGE_CERAMIC,
    SAND_CERAMIC,
    SOIL,
    TERRACOTTA,
    WHITE_CERAMIC,
    WOODS,
    material,
)
from .registry import kind
from .shape import Shape, joined
from .shapes import block, curve, leg, tube, turned
from .soft import blade

_DEEP_GREEN = material("Deep Green Leaf", "plant", "3E6B40", 0.4, coat=0.15)
_FRESH_GREEN = material("Fresh Green Leaf", "plant", "5F8F4E", 0.45, coat=0.1)
_BLUE_GREEN = material("Blue Green Leaf", "plant", "4B7461", 0.45, coat=0.1)
_STEM = material("Green Stem", "plant", "6B8650", 0.6)
_BARK = material("Bark", "plant", "6F5640", 0.85)

_POTS = {
    "modern": (WHITE_CERAMIC, SAND_CERAMIC, SAGE_CERAMIC),
    "classic": (TERRACOTTA, BLUE_CERAMIC, TERRACOTTA),
    "industrial": (CONCRETE, RAW_STEEL, BLACK_STEEL),
}


@kind(
    "potted_plant",
    category="plant",
    role="furniture",
    size=(0.55, 0.55, 1.05),
    smallest=(0.12, 0.12, 0.20),
    largest=(1.20, 1.20, 2.20),
    mass_kg=9.0,
    has_front=False,
)
def potted_plant(d: Draft) -> None:
    """A leafy plant in a pot: rubber tree, monstera or snake plant by chance."""
    species = (_rubber_tree, _monstera, _snake_plant)[int(d.rng.integers(3))]
    radius = 0.5 * min(d.width, d.depth) * (0.72 if species is _snake_plant else 0.62)
    pot_height = min(0.34 * d.height, 2.1 * radius)
    radius = max(min(radius, 0.62 * pot_height), 0.15 * min(d.width, d.depth))
    soil_z = _pot(d, radius, pot_height)
    foliage, wood = species(d, soil_z, radius)
    green = d.pick((_DEEP_GREEN, _FRESH_GREEN, _BLUE_GREEN))
    # Leaves and stems grow as one, drawn to the box together; the pot keeps its own shape.
    whole = joined([*foliage, *(shape for _, shape in wood)])
    x, y = (-d.width / 2, d.width / 2), (-d.depth / 2, d.depth / 2)
    fitted = whole.fitted(x, y, (soil_z - 0.02 * d.height, d.height))
    parts = _parted(fitted, [*foliage, *(shape for _, shape in wood)])
    stems = [(m, [shape]) for (m, _), shape in zip(wood, parts[len(foliage) :], strict=True)]
    d.solid("Foliage", (green, parts[: len(foliage)]), *stems, parent="Pot", soft=True, sharp_angle_deg=60)


def _parted(whole: Shape, parts: list[Shape]) -> list[Shape]:
    """The parts again, with the vertices that they have in the whole."""
    out, start = [], 0
    for part in parts:
        stop = start + len(part.vertices)
        out.append(Shape(whole.vertices[start:stop], part.faces, part.smooth))
        start = stop
    return out


def _pot(d: Draft, radius: float, height: float) -> float:
    """A hollow pot with soil in it; returns the soil's height."""
    clay = d.pick(_POTS[d.style])
    wall, r, h = 0.07 * radius, radius, height
    raised = 0.0
    extra: list[tuple[Material, list[Shape]]] = []
    if d.style == "modern":
        if d.chance(0.5):
            raised = 0.3 * h
            wood = d.pick(WOODS["modern"])
            stand = [
                leg(
                    (0.72 * r * c, 0.72 * r * s, raised + 0.25 * h),
                    (0.86 * r * c, 0.86 * r * s, 0.0),
                    0.12 * r,
                    0.1 * r,
                    round_=True,
                )
                for c, s in ((np.cos(a), np.sin(a)) for a in np.radians((45, 135, 225, 315)))
            ]
            ring = block((-0.62 * r, 0.62 * r), (-0.05 * r, 0.05 * r), (raised - 0.1 * h, raised), 0.001)
            extra.append((wood, [*stand, ring.turned(z=45), ring.turned(z=-45).moved(z=-0.002)]))
        outer = [(0.72, 0.0), (0.8, 0.04), (0.9, 0.4), (0.92, 1.0)]
    elif d.style == "classic":
        outer = [(0.62, 0.0), (0.66, 0.03), (0.88, 0.74), (0.9, 0.76), (1.0, 0.77), (1.0, 0.98), (0.97, 1.0)]
        saucer = [(0.7, 0.0), (0.84, 0.02), (0.9, 0.09), (0.86, 0.1), (0.8, 0.05)]
        extra.append((clay, [turned([(a * r, b * h) for a, b in saucer], segments=28)]))
        raised = 0.045 * h
    else:
        outer = [(0.84, 0.0), (0.9, 0.03), (0.92, 0.5), (0.92, 0.97), (0.9, 1.0)]
        band = [(0.93, 0.8), (0.95, 0.82), (0.95, 0.86), (0.93, 0.88)] if clay is not CONCRETE else []
        if band:
            extra.append((clay, [turned([(a * r, b * h) for a, b in band], segments=28)]))
    tall = h - raised
    rim = outer[-1][0] * r - wall
    profile = [(a * r, raised + b * tall) for a, b in outer]
    profile += [
        (rim, h),
        (rim, h - 0.12 * tall),
        (rim * 0.8, raised + 0.2 * tall),
        (0.0, raised + 0.2 * tall),
    ]
    pot = turned(profile, segments=32)
    soil_z = h - 0.1 * tall
    soil = turned(
        [
            (rim * 0.85, soil_z - 0.05 * tall),
            (rim * 1.003, soil_z),
            (0.5 * rim, soil_z + 0.02 * tall),
            (0.0, soil_z + 0.03 * tall),
        ],
        segments=24,
    )
    # A box that is longer than wide gets a trough.
    narrow = min(d.width, d.depth)
    x, y = d.width / narrow, d.depth / narrow
    made = [(what, [shape.scaled(x, y) for shape in shapes]) for what, shapes in ((clay, [pot]), *extra)]
    d.solid("Pot", *made, sharp_angle_deg=40)
    d.solid("Soil", (SOIL, [soil.scaled(x, y)]), parent="Pot")
    return soil_z


def _leaf(
    base: FloatArray,
    heading: float,
    pitch: float,
    length: float,
    width: FloatArray,
    droop: float,
    fold: float,
) -> Shape:
    """A leaf that leaves its base in a direction and bends down along its length.

    Args:
        base: ``(3,)``.
        heading, pitch: direction of its start, radians; pitch is up from level.
        length: along the midrib.
        width: ``(n,)`` widths from base to tip.
        droop: by how much the pitch falls to the tip, radians.
        fold: see `blade`.
    """
    n = len(width)
    angles = pitch - droop * np.linspace(0, 1, n)
    run = np.cumsum(np.cos(angles)) - np.cos(angles[0])
    rise = np.cumsum(np.sin(angles)) - np.sin(angles[0])
    ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    path = base + length / (n - 1) * (run[:, None] * ahead + rise[:, None] * up)
    normals = np.cos(angles)[:, None] * up - np.sin(angles)[:, None] * ahead
    return blade(path, width, normals, fold=fold, thickness=0.006 * length)


def _rubber_tree(d: Draft, soil_z: float, radius: float) -> tuple[list[Shape], list[tuple[Material, Shape]]]:
    """Two or three thin trunks with broad oval leaves spiralling up them."""
    top, reach = d.height, 0.5 * min(d.width, d.depth)
    shape = np.array([0.0, 0.55, 0.9, 1.0, 0.85, 0.5, 0.0])
    leaves, wood = [], []
    trunks = 3 if d.height > 0.6 else 2
    for k in range(trunks):
        turn = 2 * np.pi * k / trunks + d.between(0, 1.0)
        height = (top - soil_z) * (0.93 - 0.2 * k) * 0.92
        foot = 0.25 * radius * np.array([np.cos(turn), np.sin(turn)])
        lean = 0.32 * reach * np.array([np.cos(turn), np.sin(turn)])
        t = np.linspace(0, 1, 7)[:, None]
        bow = 0.05 * reach * np.sin(2.5 * np.pi * t)
        path = np.hstack([foot + lean * t**1.5 + bow * [-np.sin(turn), np.cos(turn)], soil_z + height * t])
        wood.append((_BARK, tube(path, 0.028 * reach + 0.002, 8)))
        count = 15 - 2 * k
        for i, s in enumerate(np.linspace(0.2, 1.0, count)):
            at = np.array([np.interp(s, t[:, 0], path[:, axis]) for axis in range(3)])
            length = reach * d.between(0.8, 1.0) * (0.75 if s > 0.9 else 1.0)
            pitch = np.radians(18 + 55 * s**3 + d.between(-8, 8))
            heading = turn + i * 2.4 + d.between(-0.2, 0.2)
            leaves.append(_leaf(at, heading, pitch, length, 0.52 * length * shape, np.radians(35), 0.2))
    return leaves, wood


def _monstera(d: Draft, soil_z: float, radius: float) -> tuple[list[Shape], list[tuple[Material, Shape]]]:
    """Arching stalks from the middle, each with one broad, notched, heart-shaped leaf."""
    top, reach = d.height - soil_z, 0.5 * min(d.width, d.depth)
    solid = np.array([0.0, 0.72, 0.98, 0.94, 1.0, 0.86, 0.9, 0.68, 0.7, 0.45, 0.42, 0.0])
    notch = np.array([1.0, 1.0, 1.0, 0.74, 1.0, 0.68, 1.0, 0.7, 1.0, 0.74, 1.0, 1.0])
    leaves, wood = [], []
    count = 13
    for k in range(count):
        share = k / (count - 1)
        heading = 2.4 * k + d.between(-0.25, 0.25)
        out = reach * (0.55 - 0.4 * share) * d.between(0.85, 1.1)
        high = top * (0.3 + 0.58 * share) * d.between(0.92, 1.05)
        ahead = np.array([np.cos(heading), np.sin(heading)])
        foot = 0.2 * radius * ahead
        stalk = [
            (*foot, soil_z),
            (*(foot + 0.35 * out * ahead), soil_z + 0.6 * high),
            (*(foot + out * ahead), soil_z + high),
        ]
        wood.append((_STEM, tube(curve(stalk, 4), 0.012 * reach + 0.0015, 6)))
        length = reach * d.between(0.95, 1.2) * (1.0 if share > 0.15 else 0.8)
        tip = np.array(stalk[-1]) - np.array([*(0.12 * length * ahead), 0.0])
        pitch = np.radians(12 + 38 * share)
        leaves.append(_leaf(tip, heading, pitch, length, 0.86 * length * solid * notch, np.radians(70), 0.12))
    return leaves, wood


def _snake_plant(d: Draft, soil_z: float, radius: float) -> tuple[list[Shape], list[tuple[Material, Shape]]]:
    """Upright sword leaves, slightly twisted and fanned out."""
    top = d.height - soil_z
    shape = np.array([0.0, 0.75, 0.9, 1.0, 1.0, 0.92, 0.75, 0.5, 0.22, 0.0])
    leaves = []
    count = 17
    for k in range(count):
        share = np.sqrt((k + 0.5) / count)
        heading = 2.4 * k + d.between(-0.2, 0.2)
        base = np.array(
            [0.55 * radius * share * np.cos(heading), 0.55 * radius * share * np.sin(heading), soil_z - 0.01]
        )
        length = top * (1.02 - 0.5 * share**2) * d.between(0.85, 1.0)
        pitch = np.radians(90 - 24 * share)
        leaves.append(_leaf(base, heading, pitch, length, 0.42 * radius * shape, np.radians(d.between(-6, 6)), 0.45))
    return leaves, []
