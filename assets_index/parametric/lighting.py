"""Lamps. They are delivered switched on: the bulb glows and carries a light."""

from __future__ import annotations

import numpy as np

from ...executor.model.piece import Light, Vec2, Vec3
from .draft import Draft
from .palette import (
    BLUE_CERAMIC,
    BRASS,
    BULB,
    LINEN,
    METALS,
    OAT,
    PAINTS,
    SAGE_CERAMIC,
    SAND_CERAMIC,
    WHITE_CERAMIC,
    WHITE_COTTON,
    WOODS,
    lit,
)
from .registry import kind
from .shape import Shape
from .shapes import ball, curve, cylinder, ellipse, leg, loft, tube, turned


def drum_shade(low: Vec2, high: Vec2, *, at: Vec2 = (0.0, 0.0), pleats: int = 0) -> Shape:
    """A cloth shade open at both ends, 2 mm thick.

    Args:
        low, high: (radius, z) of its lower and upper rim.
        at: where its axis stands.
        pleats: number of pleats around; 0 is smooth.
    """
    segments = 2 * pleats or 32
    depth = np.where(np.arange(segments) % 2, 0.965, 1.0) if pleats else np.ones(segments)
    circle = ellipse(2.0, 2.0, segments) * depth[:, None]
    wall = [low, high, (high[0] - 0.002, high[1]), (low[0] - 0.002, low[1])]
    rings = [np.column_stack([circle * radius, np.full(segments, z)]) for radius, z in wall]
    return loft(rings, loop=True, smooth=not pleats).moved(*at)


def shade_spokes(radius: float, z: float, at: Vec2 = (0.0, 0.0)) -> list[Shape]:
    """Three wires that hold a shade of the given inner radius, and the ring in their middle."""
    ends = [(radius * np.cos(a), radius * np.sin(a)) for a in np.radians((30, 150, 270))]
    wires = [tube([(0.0, 0.0, z), (x, y, z)], 0.0015, 6) for x, y in ends]
    return [shape.moved(*at) for shape in (*wires, cylinder(0.012, (z - 0.004, z + 0.004), segments=12))]


def bulb(at: Vec3, radius: float = 0.026, *, down: bool = False) -> Shape:
    """A pear-shaped bulb around a point, its socket end down (or up)."""
    profile = [(0.42, -1.7), (0.5, -1.2), (0.85, -0.6), (1.0, 0.0), (0.87, 0.5), (0.5, 0.87), (0.0, 1.0)]
    shape = turned([(r * radius, z * radius) for r, z in profile], segments=16)
    return (shape.turned(x=180) if down else shape).moved(*at)


@kind(
    "table_lamp",
    category="lamp",
    role="manipulable",
    size=(0.30, 0.30, 0.48),
    smallest=(0.14, 0.14, 0.25),
    largest=(0.50, 0.50, 0.90),
    mass_kg=2.2,
    has_front=False,
    size_in_style={"industrial": (0.20, 0.32, 0.46)},
)
def table_lamp(d: Draft) -> None:
    """A lamp to stand on a table or nightstand."""
    {"modern": _modern_table_lamp, "classic": _classic_table_lamp, "industrial": _industrial_table_lamp}[d.style](d)


def _shade_and_bulb(d: Draft, shade: Shape, socket_z: float, metal_parts: list[Shape], energy: float = 14.0) -> None:
    """Bulb, light and cloth shade on a stem that ends at ``socket_z``."""
    cloth = lit(d.pick((LINEN, WHITE_COTTON, OAT)))
    middle = socket_z + 0.02 + 1.7 * 0.026
    d.solid("Shade", (cloth, [shade]), (BRASS, metal_parts), parent="Base")
    d.solid("Bulb", (BULB, [bulb((0.0, 0.0, middle))]), parent="Base")
    d.light(Light("point", (0.0, 0.0, middle), energy, radius=0.026))


def _modern_table_lamp(d: Draft) -> None:
    """A ceramic body or a slim stem on a disc, under a drum shade."""
    h, r = d.height, min(d.width, d.depth) / 2
    metal = d.pick(METALS["modern"])
    shade_low = h - 0.42 * h
    socket = shade_low + 0.02
    stem = cylinder(0.006, (0.0, socket), segments=12)
    cap = cylinder(0.014, (socket - 0.02, socket + 0.025), segments=16)
    body_top = shade_low - 0.04
    if d.chance(0.65):
        shapes = {
            "gourd": [
                (0.5, 0.0),
                (0.56, 0.05),
                (0.86, 0.2),
                (0.92, 0.4),
                (0.62, 0.62),
                (0.34, 0.8),
                (0.2, 0.95),
                (0.16, 1.0),
            ],
            "bottle": [
                (0.6, 0.0),
                (0.64, 0.03),
                (0.66, 0.3),
                (0.62, 0.5),
                (0.36, 0.66),
                (0.2, 0.78),
                (0.17, 1.0),
            ],
            "orb": [
                (0.4, 0.0),
                (0.45, 0.03),
                (0.8, 0.25),
                (0.9, 0.5),
                (0.75, 0.78),
                (0.4, 0.95),
                (0.16, 1.0),
            ],
        }
        outline = curve(shapes[d.pick(tuple(shapes))], 3)
        ceramic = d.pick((WHITE_CERAMIC, SAND_CERAMIC, SAGE_CERAMIC, BLUE_CERAMIC))
        body = turned(outline * (0.72 * r, body_top), segments=32)
        d.solid(
            "Base",
            (ceramic, [body]),
            (metal, [stem.fitted((-0.006, 0.006), (-0.006, 0.006), (body_top - 0.01, socket)), cap]),
        )
    else:
        wood = d.pick(WOODS["modern"])
        disc = turned([(0.6 * r, 0.0), (0.62 * r, 0.004), (0.62 * r, 0.016), (0.58 * r, 0.022)], segments=32)
        grip = turned([(0.012, 0.022), (0.019, 0.03), (0.015, 0.6 * body_top), (0.008, body_top)], segments=16)
        d.solid("Base", (metal, [disc, stem, cap]), (wood, [grip]))
    top_radius = r * d.pick((0.98, 0.78, 0.62))
    shade = drum_shade((r, shade_low), (top_radius, h))
    _shade_and_bulb(d, shade, socket, shade_spokes(top_radius, h - 0.012))


def _classic_table_lamp(d: Draft) -> None:
    """A turned column on a stepped foot under a pleated shade, with a finial."""
    h, r = d.height, min(d.width, d.depth) / 2
    metal = d.pick((*METALS["classic"], *WOODS["classic"][:2]))
    shade_low, shade_top = 0.55 * h, h - 0.035
    profile = [
        (0.52, 0.0), (0.54, 0.02), (0.52, 0.045), (0.42, 0.06), (0.40, 0.09), (0.26, 0.11), (0.12, 0.15),
        (0.10, 0.19), (0.17, 0.21), (0.11, 0.235), (0.13, 0.29), (0.24, 0.42), (0.27, 0.5), (0.22, 0.6),
        (0.1, 0.72), (0.08, 0.78), (0.14, 0.8), (0.08, 0.83), (0.06, 1.0),
    ]  # fmt: skip
    socket = shade_low + 0.02
    column = turned([(share * r, z * socket) for share, z in profile], segments=28)
    cap = cylinder(0.014, (socket - 0.02, socket + 0.025), segments=16)
    d.solid("Base", (metal, [column]), (BRASS, [cap]))
    harp_half = 0.045
    angles = np.radians(np.linspace(-60, 240, 15))
    harp_mid = (socket + shade_top) / 2
    harp = tube(
        np.column_stack(
            [
                harp_half * np.cos(angles),
                0 * angles,
                harp_mid + (shade_top - 0.004 - harp_mid) * np.sin(angles),
            ]
        ),
        0.0016,
        6,
    )
    finial = [ball(0.009, (0.0, 0.0, h - 0.009)), cylinder(0.004, (shade_top - 0.02, h - 0.014), segments=10)]
    shade = drum_shade((r, shade_low), (0.5 * r, shade_top), pleats=30)
    spokes = shade_spokes(0.48 * r, shade_top - 0.006)
    _shade_and_bulb(d, shade, socket, [*spokes, harp, *finial])


def _industrial_table_lamp(d: Draft) -> None:
    """An enamelled metal dome on a gooseneck over a heavy round foot."""
    _gooseneck_lamp(d, 0.46 * min(d.width, d.depth), 14.0)


def _gooseneck_lamp(d: Draft, dome_r: float, energy: float) -> None:
    """Foot at +Y, dome at −Y, and a bent tube between them."""
    steel, enamel = d.pick(METALS["industrial"]), d.pick((*PAINTS["industrial"], METALS["industrial"][0]))
    # The foot reaches far enough under the dome that the lamp stands.
    foot_r, rod = d.width / 2, 0.004 + 0.03 * dome_r
    foot_depth = max(min(d.width, d.depth) / 2, 0.34 * d.depth)
    front, foot_y = dome_r - d.depth / 2, d.depth / 2 - foot_depth
    stem_y = foot_y + 0.45 * foot_depth
    disc = turned([(foot_r, 0.0), (foot_r, 0.01), (0.94 * foot_r, 0.017)], segments=36)
    disc = disc.scaled(y=foot_depth / foot_r).moved(0.0, foot_y)
    collar = turned([(3 * rod, 0.014), (3 * rod, 0.022), (1.4 * rod, 0.045)], at=(0.0, stem_y), segments=20)
    reach = max(stem_y - front, 0.05)
    arch_rise = min(0.5 * reach, 0.25 * d.height)
    rise = d.height - arch_rise - rod
    bend = np.radians(np.linspace(0, 180, 13))
    arch = [(0.0, front + reach / 2 * (1 + np.cos(a)), rise + arch_rise * np.sin(a)) for a in bend]
    drop = rise - 0.25 * dome_r
    stem = tube([(0.0, stem_y, 0.04), *arch, (0.0, front, drop)], rod, 12)
    tall = 0.85 * dome_r
    outer = [
        (1.0, 0.0), (1.0, 0.05), (0.93, 0.28), (0.72, 0.62), (0.4, 0.86), (0.16, 1.0), (0.1, 1.25),
        (0.05, 1.27),
    ]  # fmt: skip
    inside = [(0.05, 0.93), (0.36, 0.83), (0.68, 0.6), (0.9, 0.26), (0.97, 0.0)]
    dome_z = drop - 1.2 * tall
    dome = turned([(a * dome_r, dome_z + b * tall) for a, b in (*outer, *inside)], ring=True, segments=32)
    d.solid("Base", (steel, [disc, collar, stem]))
    d.solid("Shade", (enamel, [dome.moved(0.0, front)]), parent="Base")
    radius = min(0.028, 0.3 * dome_r)
    at = (0.0, front, dome_z + 0.42 * tall)
    d.solid("Bulb", (BULB, [bulb(at, radius, down=True)]), parent="Base")
    d.light(Light("point", at, energy, radius=radius))


@kind(
    "floor_lamp",
    category="lamp",
    role="furniture",
    size=(0.46, 0.46, 1.55),
    smallest=(0.25, 0.25, 1.10),
    largest=(0.80, 0.90, 2.10),
    mass_kg=6.0,
    has_front=False,
    size_in_style={"industrial": (0.36, 0.60, 1.60)},
)
def floor_lamp(d: Draft) -> None:
    """A lamp that stands on the floor."""
    {"modern": _modern_floor_lamp, "classic": _classic_floor_lamp, "industrial": _industrial_floor_lamp}[d.style](d)


def _modern_floor_lamp(d: Draft) -> None:
    """A drum shade on a wooden tripod, or on a slim stem with a disc foot."""
    h, r = d.height, min(d.width, d.depth) / 2
    wood, metal = d.pick(WOODS["modern"]), d.pick(METALS["modern"])
    shade_low = h - min(0.32, 1.3 * r)
    socket = shade_low + 0.03
    cap = cylinder(0.018, (socket - 0.05, socket + 0.025), segments=16)
    if d.chance(0.6):
        hub = shade_low - 0.06
        legs = [
            leg((0.02 * c, 0.02 * s, hub + 0.02), (0.96 * r * c, 0.96 * r * s, 0.0), 0.028, 0.02, round_=True)
            for c, s in ((np.cos(a), np.sin(a)) for a in np.radians((90, 210, 330)))
        ]
        plate = cylinder(0.045, (hub - 0.012, hub + 0.012), segments=20)
        stem = cylinder(0.008, (hub, socket), segments=12)
        d.solid("Base", (wood, legs), (metal, [plate, stem, cap]))
    else:
        disc = turned([(0.62 * r, 0.0), (0.64 * r, 0.005), (0.64 * r, 0.018), (0.6 * r, 0.025)], segments=36)
        stem = cylinder(0.01, (0.02, socket), segments=14)
        d.solid("Base", (metal, [disc, stem, cap]))
    top_radius = r * d.pick((0.98, 0.82))
    shade = drum_shade((r, shade_low), (top_radius, h))
    _shade_and_bulb(d, shade, socket, shade_spokes(top_radius, h - 0.015), 40.0)


def _classic_floor_lamp(d: Draft) -> None:
    """A turned standard on a stepped foot under a pleated shade."""
    h, r = d.height, min(d.width, d.depth) / 2
    material = d.pick((*WOODS["classic"], *METALS["classic"]))
    shade_low, shade_top = h - min(0.34, 1.4 * r), h - 0.04
    socket = shade_low + 0.03
    profile = [
        (0.62, 0.0), (0.66, 0.012), (0.64, 0.026), (0.5, 0.034), (0.46, 0.046), (0.2, 0.06), (0.1, 0.09),
        (0.08, 0.11), (0.15, 0.125), (0.08, 0.14), (0.09, 0.2), (0.13, 0.3), (0.1, 0.4), (0.06, 0.46),
        (0.12, 0.475), (0.06, 0.49), (0.075, 0.6), (0.085, 0.75), (0.06, 0.88), (0.12, 0.9), (0.06, 0.92),
        (0.05, 1.0),
    ]  # fmt: skip
    column = turned([(share * r, z * socket) for share, z in profile], segments=24)
    cap = cylinder(0.018, (socket - 0.03, socket + 0.025), segments=16)
    d.solid("Base", (material, [column]), (BRASS, [cap]))
    finial = [ball(0.012, (0.0, 0.0, h - 0.012)), cylinder(0.005, (socket + 0.1, h - 0.018), segments=10)]
    shade = drum_shade((r, shade_low), (0.55 * r, shade_top), pleats=32)
    _shade_and_bulb(d, shade, socket, [*shade_spokes(0.53 * r, shade_top - 0.008), *finial], 40.0)


def _industrial_floor_lamp(d: Draft) -> None:
    """The gooseneck lamp of the workshop, grown to stand on the floor."""
    _gooseneck_lamp(d, 0.42 * min(d.width, d.depth), 40.0)
