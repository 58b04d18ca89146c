"""Chairs and armchairs. Somebody sitting looks towards −Y."""

from __future__ import annotations

import numpy as np

from ...executor.geometry.mesh import FloatArray
from .draft import Draft
from .palette import FABRICS, LEATHERS, METALS, PAINTS, WOODS
from .piece import Vec3
from .registry import kind
from .shape import Shape, both_sides
from .shapes import arc, ball, bar, block, curve, ellipse, leg, post, prism, rounded_rect, swept, tube, turned
from .soft import cushion, pillow, round_plan


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
    rear_legs = both_sides(
        [post(path, list(np.interp(path[:, 2], [0, seat, h], [0.022, 0.036, 0.022])), round_=True)]
    )
    rails = [
        tube([(-half + 0.05, y, seat - 0.045), (half - 0.05, y, seat - 0.045)], 0.011, 10)
        for y in (y0 + 0.08, y1 - 0.1)
    ]
    crest = _bent_rail(2 * half + 0.024, 0.11, 0.016, y1 - 0.03, h - 0.11 / 2, sag=0.05)
    shapes = [crest]
    if d.chance(0.6):
        shapes.append(
            _bent_rail(2 * half - 0.04, 0.045, 0.013, y1 - 0.06, seat + 0.42 * (h - seat), sag=0.045)
        )
    else:
        for x in np.linspace(-half + 0.1, half - 0.1, 4):
            bow = 0.05 * (1 - (x / half) ** 2)
            shapes.append(
                tube([(x, y1 - 0.1, seat - 0.01), (0.97 * x, y1 - 0.04 + 0.6 * bow, h - 0.08)], 0.007, 8)
            )
    d.solid("Chair", (wood, [*front_legs, *rear_legs, *rails, *shapes]), (seat_material, [board]))
    d.surface("seat", seat, (-half, half), seat_y)


def _bent_rail(width: float, height: float, thickness: float, y: float, z: float, sag: float) -> Shape:
    """A back rail bent around the sitter: its ends at ``y``, its middle ``sag`` behind… towards +Y."""
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
        (0.55, 0.0), (0.62, 0.03), (0.5, 0.06), (0.85, 0.1), (0.6, 0.14), (0.8, 0.5), (0.95, 0.68), (0.65, 0.72),
        (1.0, 0.76), (0.65, 0.8), (1.05, 0.83), (1.05, 0.84),
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
        lambda v: (
            v * np.column_stack([1 - 0.12 * (v[:, 1] - span) / d.depth, np.ones(len(v)), np.ones(len(v))])
        )
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
            (half, front_foot, 0.0),
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
        (half, rear_foot, 0.0),
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


@kind(
    "armchair",
    category="armchair",
    role="furniture",
    size=(0.80, 0.82, 0.82),
    smallest=(0.60, 0.60, 0.65),
    largest=(1.20, 1.10, 1.25),
    mass_kg=24.0,
    size_in_style={"classic": (0.80, 0.86, 1.08), "industrial": (0.74, 0.78, 0.80)},
)
def armchair(d: Draft) -> None:
    """An upholstered chair with arms."""
    {"modern": _modern_armchair, "classic": _wing_chair, "industrial": _steel_armchair}[d.style](d)


def _modern_armchair(d: Draft) -> None:
    """A rounded shell of arms and back around a plump seat cushion, on wooden legs."""
    cloth, wood = d.pick(FABRICS["modern"]), d.pick(WOODS["modern"])
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    seat = min(0.43, 0.54 * h)
    base, arm_z = 0.17 * h / 0.82, min(seat + 0.19, 0.8 * h)
    arm, back = 0.15 * w / 0.8, 0.19
    sides = both_sides(
        [
            cushion(
                (w / 2 - arm, w / 2),
                (y0 + 0.04, y1 - 0.03),
                (base, arm_z),
                radius=0.06,
                puff=(0.012, 0.0, 0.008),
            )
        ]
    )
    back_shape = cushion(
        (-w / 2 + 0.03, w / 2 - 0.03), (y1 - back, y1), (base, h), radius=0.08, puff=(0, 0.02, 0.01)
    )
    lean = lambda v: v + np.column_stack([0 * v[:, 0], 0.07 * (v[:, 2] - h) / h, 0 * v[:, 0]])  # noqa: E731
    box = cushion(
        (-w / 2 + arm - 0.02, w / 2 - arm + 0.02),
        (y0 + 0.05, y1 - 0.1),
        (base, seat - 0.11),
        radius=0.02,
        puff=(0, 0, 0),
        inner=1,
    )
    seat_shape = cushion(
        (-w / 2 + arm - 0.004, w / 2 - arm + 0.004),
        (y0, y1 - back + 0.02),
        (seat - 0.13, seat),
        radius=0.05,
        puff=(0, 0.012, 0.012),
    )
    pad_w = w - 2 * arm - 0.02
    pad = pillow(pad_w, 0.42 * h, 0.17, pinch=0.02, steps=8).turned(x=76)
    pad = pad.moved(y=y1 - back - 0.045, z=seat - float(pad.vertices[:, 2].min()) - 0.01)
    legs = both_sides(
        [
            leg((w / 2 - 0.11, yt, base + 0.02), (w / 2 - 0.07, yf, 0.0), 0.045, 0.026, round_=True)
            for yt, yf in ((y0 + 0.13, y0 + 0.08), (y1 - 0.13, y1 - 0.07))
        ]
    )
    d.solid("Armchair", (cloth, [*sides, back_shape.bent(lean), box]), (wood, legs), sharp_angle_deg=60)
    d.solid("Seat Cushion", (cloth, [seat_shape]), parent="Armchair", soft=True, sharp_angle_deg=60)
    d.solid(
        "Back Cushion",
        (d.pick((cloth, cloth, FABRICS["modern"][1])), [pad]),
        parent="Armchair",
        soft=True,
        sharp_angle_deg=120,
    )
    d.surface("seat", seat, (-w / 2 + arm, w / 2 - arm), (y0, y1 - back))


def _wing_chair(d: Draft) -> None:
    """A high buttoned back with wings, rolled arms, and turned front legs."""
    cloth, wood = d.pick((*FABRICS["classic"], *LEATHERS[::2])), d.pick(WOODS["classic"])
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    seat, base = min(0.46, 0.46 * h), 0.16
    roll, arm_z = 0.075, min(0.46, 0.46 * h) + 0.2
    half = w / 2
    back_front = y1 - 0.2

    def lean(v: FloatArray) -> FloatArray:
        out = v.copy()
        out[:, 1] += 0.1 * (v[:, 2] - h) / h + 0.0
        return out

    back = cushion(
        (-half + 0.1, half - 0.1), (back_front, y1), (base, h), radius=0.06, puff=(0, 0.02, 0.035), inner=4
    )
    arm_x = half - roll
    rolls = [
        prism(ellipse(2 * roll, 1.7 * roll, 20), y0 + 0.07, back_front + 0.06, 0.012, axis="y").moved(
            arm_x, z=arm_z - 0.85 * roll
        )
    ]
    panels = [block((half - 0.125, half - 0.03), (y0 + 0.085, y1 - 0.08), (base, arm_z - 0.9 * roll), 0.015)]
    profile = np.array(
        [(back_front + 0.1, arm_z - 0.06), (back_front + 0.1, h - 0.07), (back_front - 0.02, h - 0.05), (back_front - 0.13, h - 0.16),
         (back_front - 0.16, arm_z + 0.18), (back_front - 0.2, arm_z - 0.02), (back_front - 0.1, arm_z - 0.06)]
    )  # fmt: skip
    outline = curve(np.vstack([profile, profile[:1]]), 3)[:-1]
    wings = [prism(outline, half - 0.125, half - 0.05, 0.014, axis="x").bent(lean)]
    box = cushion(
        (-half + 0.08, half - 0.08),
        (y0 + 0.075, y1 - 0.1),
        (base, seat - 0.12),
        radius=0.02,
        puff=(0, 0.006, 0),
        inner=1,
    )
    buttons = []
    for row, z in enumerate(np.linspace(seat + 0.14, h - 0.14, 3)):
        for x in (
            np.linspace(-1, 1, 3 if row % 2 == 0 else 2) * (half - 0.24) * (1.0 if row % 2 == 0 else 0.5)
        ):
            y = back_front - 0.012 + 0.1 * (z - h) / h
            buttons.append(ball(0.014, (float(x), y, float(z)), 8))
    shape = [
        (0.55, 0.0),
        (0.75, 0.1),
        (0.5, 0.2),
        (0.9, 0.45),
        (1.0, 0.7),
        (0.65, 0.8),
        (1.0, 0.9),
        (1.0, 1.0),
    ]
    front_legs = both_sides(
        [turned([(0.028 * r, z * (base + 0.02)) for r, z in shape], at=(half - 0.1, y0 + 0.13), segments=16)]
    )
    rear_legs = both_sides(
        [leg((half - 0.12, y1 - 0.16, base + 0.02), (half - 0.12, y1 - 0.06, 0.0), 0.045, 0.03)]
    )
    d.solid(
        "Armchair",
        (cloth, [*both_sides([*rolls, *panels, *wings]), back.bent(lean), box, *buttons]),
        (wood, [*front_legs, *rear_legs]),
        sharp_angle_deg=50,
    )
    cushion_shape = cushion(
        (-half + 0.12, half - 0.12),
        (y0, back_front - 0.02),
        (seat - 0.13, seat),
        radius=0.045,
        puff=(0, 0.015, 0.012),
    )
    d.solid("Seat Cushion", (cloth, [cushion_shape]), parent="Armchair", soft=True, sharp_angle_deg=60)
    d.surface("seat", seat, (-half + 0.13, half - 0.13), (y0, back_front - 0.05))


def _steel_armchair(d: Draft) -> None:
    """Thick leather cushions in a frame of bent steel tube, with wooden arm rests."""
    leather, steel, wood = d.pick(LEATHERS), d.pick(METALS["industrial"]), d.pick(WOODS["industrial"])
    w, h, y0, y1, r = d.width, d.height, -d.depth / 2, d.depth / 2, 0.014
    seat = min(0.43, 0.54 * h)
    arm_z, x = min(seat + 0.2, 0.82 * h), w / 2 - 0.026
    bend = 0.07
    front = arc((y0 + 0.03 + bend, arm_z - r - bend), bend, 180, 90, 5)
    rear = arc((y1 - 0.05 - bend, arm_z - r - bend), bend, 90, 0, 5)
    low = [
        arc((y1 - 0.05 - bend, bend + r), bend, 0, -90, 5),
        arc((y0 + 0.03 + bend, bend + r), bend, -90, -180, 5),
    ]
    loop = np.concatenate([front, rear, *low])
    frames = both_sides([tube(np.column_stack([np.full(len(loop), x), loop]), r, 10, loop=True)])
    rests = both_sides(
        [block((w / 2 - 0.052, w / 2), (y0 + 0.11, y1 - 0.14), (arm_z - 0.008, arm_z + 0.018), 0.006)]
    )
    rail_z = seat - 0.17
    back_at = y1 - 0.2
    rails = [
        tube([(-x, y, z), (x, y, z)], 0.011, 8)
        for y, z in ((y0 + 0.03, rail_z - 0.01), (y1 - 0.05, rail_z - 0.02), (y1 - 0.05, 0.6 * arm_z))
    ]
    seat_frame = both_sides(
        [tube([(x - 0.06, y0 + 0.03, rail_z - 0.01), (x - 0.06, y1 - 0.05, rail_z - 0.02)], 0.011, 8)]
    )
    back_posts = both_sides(
        [tube([(x - 0.06, y1 - 0.13, rail_z - 0.015), (x - 0.06, y1 - r, h - 0.1)], 0.011, 8)]
    )
    back_bar = tube([(-x + 0.06, y1 - r - 0.004, h - 0.12), (x - 0.06, y1 - r - 0.004, h - 0.12)], 0.011, 8)
    d.solid(
        "Armchair",
        (steel, [*frames, *rails, *seat_frame, *back_posts, back_bar]),
        (wood, rests),
        sharp_angle_deg=50,
    )
    inside = x - 0.02
    seat_shape = cushion(
        (-inside, inside), (y0, back_at + 0.06), (seat - 0.16, seat), radius=0.045, puff=(0, 0.012, 0.012)
    )

    def lean(v: FloatArray) -> FloatArray:
        out = v.copy()
        out[:, 1] += 0.2 * (v[:, 2] - h)
        return out

    back = cushion(
        (-inside, inside),
        (y1 - 0.165, y1 - 0.02),
        (seat - 0.02, h),
        radius=0.045,
        puff=(0, 0.015, 0.015),
        inner=4,
    )
    d.solid("Seat Cushion", (leather, [seat_shape]), parent="Armchair", soft=True, sharp_angle_deg=60)
    d.solid("Back Cushion", (leather, [back.bent(lean)]), parent="Armchair", soft=True, sharp_angle_deg=60)
    d.surface("seat", seat, (-inside, inside), (y0, back_at))
