"""Chairs. Somebody sitting looks towards −Y."""

from __future__ import annotations

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Vec3
from .draft import Draft
from .palette import FABRICS, METALS, PAINTS, WOODS
from .registry import kind
from .shape import Shape, both_sides
from .shapes import bar, block, curve, leg, post, prism, rounded_rect, swept, tube, turned
from .soft import cushion, round_plan


@kind(
    "chair",
    category="chair",
    role="furniture",
    size=(0.47, 0.52, 0.82),
    smallest=(0.36, 0.40, 0.65),
    largest=(0.65, 0.70, 1.15),
    mass_kg=5.5,
)
def chair(d: Draft) -> None:
    """A dining or desk chair."""
    {"modern": _modern_chair, "classic": _classic_chair, "industrial": _industrial_chair}[d.style](d)


def seat_height(d: Draft) -> float:
    """Top of a dining chair's seat: 0.45 m at the usual height, in proportion otherwise, metres."""
    return min(0.45, 0.55 * d.height)


def _modern_chair(d: Draft) -> None:
    """Splayed round legs, a dished seat, and a wide bent crest rail on two leaning posts."""
    wood = d.pick(WOODS["modern"])
    seat_material = d.pick((wood, wood, *PAINTS["modern"]))
    w, h, seat = d.width, d.height, seat_height(d)
    y0, y1 = -d.depth / 2, d.depth / 2
    half = w / 2 - 0.012
    seat_y = (y0 + 0.01, y1 - 0.07)
    middle = sum(seat_y) / 2

    def dish(v: FloatArray) -> FloatArray:
        out = v.copy()
        u, s = v[:, 0] / half, (v[:, 1] - middle) / (seat_y[1] - middle)
        out[:, 2] -= 0.014 * np.clip(1 - u**2, 0, 1) * np.clip(1 - (s - 0.2) ** 2, 0, 1)
        out[:, 2] -= 0.012 * np.clip(-s - 0.55, 0, 1) / 0.45
        return out

    board = cushion((-half, half), seat_y, (seat - 0.024, seat), radius=0.011, puff=(0, 0, 0), inner=8)
    board = board.bent(round_plan(0.45, (half, seat_y[1] - middle), (0.0, middle))).bent(dish)
    front_legs = both_sides(
        [leg((half - 0.07, y0 + 0.085, seat - 0.02), (half - 0.012, y0 + 0.02, 0), 0.038, 0.022, round_=True)]
    )
    rear = [
        (half - 0.012, y1 - 0.012, 0.0),
        (half - 0.035, y1 - 0.1, seat - 0.03),
        (half - 0.03, y1 - 0.068, 0.5 * (seat + h)),
        (half - 0.025, y1 - 0.03, h - 0.05),
    ]
    path = curve(rear, 4)
    rear_legs = both_sides([post(path, list(np.interp(path[:, 2], [0, seat, h], [0.022, 0.036, 0.022])), round_=True)])
    rails = [
        tube([(-half + 0.05, y, seat - 0.045), (half - 0.05, y, seat - 0.045)], 0.011, 10)
        for y in (y0 + 0.08, y1 - 0.1)
    ]
    crest = _bent_rail(2 * half + 0.024, 0.11, 0.016, y1 - 0.03, h - 0.11 / 2, sag=0.05)
    shapes = [crest]
    if d.chance(0.6):
        shapes.append(_bent_rail(2 * half - 0.04, 0.045, 0.013, y1 - 0.06, seat + 0.42 * (h - seat), sag=0.045))
    else:
        for x in np.linspace(-half + 0.1, half - 0.1, 4):
            bow = 0.05 * (1 - (x / half) ** 2)
            shapes.append(tube([(x, y1 - 0.1, seat - 0.01), (0.97 * x, y1 - 0.04 + 0.6 * bow, h - 0.08)], 0.007, 8))
    d.solid("Chair", (wood, [*front_legs, *rear_legs, *rails, *shapes]), (seat_material, [board]))
    d.surface("seat", seat, (-half, half), seat_y)


def _bent_rail(width: float, height: float, thickness: float, y: float, z: float, sag: float) -> Shape:
    """A back rail bent around the sitter: its ends at ``y``, its middle ``sag`` further to +Y."""
    x = np.linspace(width / 2, -width / 2, 13)
    path = np.column_stack([x, y - sag / 2 + sag * (1 - (2 * x / width) ** 2) - sag / 2, np.full(13, z)])
    return swept(path, rounded_rect(thickness, height, 0.45 * thickness, 3))


def _classic_chair(d: Draft) -> None:
    """Turned front legs, raked back posts, an arched crest with spindles, and an upholstered seat."""
    wood, cloth = d.pick(WOODS["classic"]), d.pick(FABRICS["classic"])
    w, h, seat = d.width, d.height, seat_height(d)
    y0, y1 = -d.depth / 2, d.depth / 2
    half = w / 2 - 0.02
    back = half - 0.025
    frame_top = seat - 0.045
    profile = [
        (0.55, 0.0), (0.62, 0.03), (0.5, 0.06), (0.85, 0.1), (0.6, 0.14), (0.8, 0.5), (0.95, 0.68),
        (0.65, 0.72), (1.0, 0.76), (0.65, 0.8), (1.05, 0.83), (1.05, 0.84),
    ]  # fmt: skip
    front_legs = both_sides(
        [turned([(0.019 * r, z * frame_top) for r, z in profile], at=(half - 0.018, y0 + 0.03), segments=16)]
    )
    blocks = both_sides(
        [block((half - 0.038, half + 0.002), (y0 + 0.01, y0 + 0.05), (0.84 * frame_top, frame_top), 0.003)]
    )
    lean = [
        (back, y1 - 0.016, 0.0),
        (back, y1 - 0.075, 0.55 * seat),
        (back, y1 - 0.085, seat),
        (back, y1 - 0.05, 0.5 * (seat + h)),
        (back, y1 - 0.014, h - 0.03),
    ]
    path = curve(lean, 3)
    posts = both_sides(
        [post(path, [0.03] * len(path), list(np.interp(path[:, 2], [0, seat, h], [0.028, 0.04, 0.026])))]
    )
    apron_z = (frame_top - 0.07, frame_top)
    aprons = [
        block((-half + 0.03, half - 0.03), (y0 + 0.016, y0 + 0.036), apron_z),
        block((-back, back), (y1 - 0.095, y1 - 0.075), apron_z),
        *both_sides(
            [
                bar(
                    (half - 0.016, y0 + 0.03, sum(apron_z) / 2),
                    (back, y1 - 0.085, sum(apron_z) / 2),
                    0.02,
                    0.07,
                )
            ]
        ),
    ]
    low = 0.3 * seat
    stretchers = [
        *both_sides([tube([(half - 0.018, y0 + 0.03, low), (back, y1 - 0.055, low)], 0.009, 8)]),
        tube([(-half + 0.03, -0.02, low), (half - 0.03, -0.02, low)], 0.009, 8),
    ]
    pad = cushion(
        (-half - 0.005, half + 0.005),
        (y0, y1 - 0.085),
        (frame_top, seat),
        radius=0.02,
        puff=(0, 0, 0.012),
        inner=5,
    )
    span = (y0 + y1) / 2
    pad = pad.bent(
        lambda v: v * np.column_stack([1 - 0.12 * (v[:, 1] - span) / d.depth, np.ones(len(v)), np.ones(len(v))])
    )
    t = np.linspace(0, 1, 13)
    crest_x, rise = (back + 0.03) * (1 - 2 * t), np.sin(np.pi * t) ** 1.5
    outline = np.concatenate(
        [
            np.column_stack([-crest_x, h - 0.095 + 0.012 * rise]),
            np.column_stack([crest_x, h - 0.035 + 0.035 * rise]),
        ]
    )
    crest = prism(outline, y1 - 0.03, y1 - 0.006, 0.006, axis="y")
    rail_z = seat + 0.09
    rail_y = float(np.interp(rail_z, path[:, 2], path[:, 1]))
    rail = block((-back, back), (rail_y - 0.01, rail_y + 0.012), (rail_z - 0.018, rail_z + 0.018), 0.004)
    splats = [
        bar((x, rail_y, rail_z), (x, y1 - 0.018, h - 0.08), 0.02 if abs(x) > 0.01 else 0.075, 0.01)
        for x in np.linspace(-0.62 * back, 0.62 * back, 5)
    ]
    d.solid("Chair", (wood, [*front_legs, *blocks, *posts, *aprons, *stretchers, crest, rail, *splats]))
    d.solid("Seat Pad", (cloth, [pad]), parent="Chair", soft=True)
    d.surface("seat", seat, (-half, half), (y0, y1 - 0.09))


def _industrial_chair(d: Draft) -> None:
    """A bent steel tube frame with a wooden seat and two wooden back slats."""
    wood, steel = d.pick(WOODS["industrial"]), d.pick(METALS["industrial"])
    w, h, seat, r = d.width, d.height, seat_height(d), 0.0115
    y0, y1 = -d.depth / 2, d.depth / 2
    half = w / 2 - r
    front_foot, rear_foot = y0 + r, y1 - r
    side = curve(
        [
            (half, front_foot, 0.006),
            (half, front_foot + 0.012, 0.5 * seat),
            (half, front_foot + 0.03, seat - 0.07),
        ],
        2,
    )
    corner = curve(
        [
            (half, front_foot + 0.032, seat - 0.06),
            (half, front_foot + 0.045, seat - 0.033),
            (half, front_foot + 0.08, seat - 0.026),
        ],
        3,
    )
    front = np.vstack([side, corner[1:], [(half, y1 - 0.1, seat - 0.026)]])
    post_path = [
        (half, rear_foot, 0.006),
        (half, y1 - 0.09, seat - 0.03),
        (half, y1 - 0.085, seat + 0.04),
        (half, y1 - 0.02, h - r),
    ]
    rear = curve(post_path, 4)
    top = [(half, y1 - 0.02, h - r), (-half, y1 - 0.02, h - r)]
    frame = both_sides([tube(front, r), tube(rear, r)])
    cross = [
        tube(top, r),
        tube([(-half, y0 + 0.022, 0.42 * seat), (half, y0 + 0.022, 0.42 * seat)], 0.008, 8),
        tube([(-half, y1 - 0.095, seat - 0.03), (half, y1 - 0.095, seat - 0.03)], 0.009, 8),
        tube([(-half, y0 + 0.1, seat - 0.026), (half, y0 + 0.1, seat - 0.026)], 0.009, 8),
        *both_sides([tube([(half, y0 + 0.02, 0.36 * seat), (half, y1 - 0.05, 0.36 * seat)], 0.008, 8)]),
    ]
    outline = rounded_rect(2 * half + 0.006, d.depth - 0.1, 0.045, 5)
    board = prism(outline, seat - 0.02, seat, 0.006).moved(y=-0.05 + 0.008)
    slats = []
    for z, tall in ((h - 0.075, 0.085), (h - 0.2, 0.085)):
        y = float(np.interp(z, rear[:, 2], rear[:, 1]))
        slats.append(_bent_rail(2 * half + 0.004, tall, 0.014, y - r - 0.002, z, sag=0.022))
    feet: list[Vec3] = [(sx * half, y, 0.0) for sx in (-1, 1) for y in (front_foot, rear_foot)]
    caps = [turned([(0.014, 0.0), (0.014, 0.018), (0.011, 0.02)], at=(x, y), segments=12) for x, y, _ in feet]
    d.solid("Chair", (steel, [*frame, *cross, *caps]), (wood, [board, *slats]))
    d.surface("seat", seat, (-half, half), (y0, y1 - 0.1))
