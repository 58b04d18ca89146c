"""Upholstered seats. Somebody sitting looks towards −Y."""

from __future__ import annotations

import numpy as np

from ...executor.geometry.mesh import FloatArray
from .draft import Draft
from .palette import FABRICS, LEATHERS, METALS, WOODS
from .registry import kind
from .shape import both_sides
from .shapes import arc, ball, block, curve, ellipse, leg, prism, tube, turned
from .soft import cushion, pillow


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
    back_shape = cushion((-w / 2 + 0.03, w / 2 - 0.03), (y1 - back, y1), (base, h), radius=0.08, puff=(0, 0.02, 0.01))

    def lean(v: FloatArray) -> FloatArray:
        out = v.copy()
        out[:, 1] += 0.07 * (v[:, 2] - h) / h
        return out

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
        out[:, 1] += 0.1 * (v[:, 2] - h) / h
        return out

    back = cushion((-half + 0.1, half - 0.1), (back_front, y1), (base, h), radius=0.06, puff=(0, 0.02, 0.035), inner=4)
    arm_x = half - roll
    rolls = [
        prism(ellipse(2 * roll, 1.7 * roll, 20), y0 + 0.07, back_front + 0.06, 0.012, axis="y").moved(
            arm_x, z=arm_z - 0.85 * roll
        )
    ]
    panels = [block((half - 0.125, half - 0.03), (y0 + 0.085, y1 - 0.08), (base, arm_z - 0.9 * roll), 0.015)]
    profile = np.array(
        [
            (back_front + 0.1, arm_z - 0.06),
            (back_front + 0.1, h - 0.07),
            (back_front - 0.02, h - 0.05),
            (back_front - 0.13, h - 0.16),
            (back_front - 0.16, arm_z + 0.18),
            (back_front - 0.2, arm_z - 0.02),
            (back_front - 0.1, arm_z - 0.06),
        ]
    )
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
        for x in np.linspace(-1, 1, 3 if row % 2 == 0 else 2) * (half - 0.24) * (1.0 if row % 2 == 0 else 0.5):
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
    rear_legs = both_sides([leg((half - 0.12, y1 - 0.16, base + 0.02), (half - 0.12, y1 - 0.06, 0.0), 0.045, 0.03)])
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
    rests = both_sides([block((w / 2 - 0.052, w / 2), (y0 + 0.11, y1 - 0.14), (arm_z - 0.008, arm_z + 0.018), 0.006)])
    rail_z = seat - 0.17
    back_at = y1 - 0.2
    rails = [
        tube([(-x, y, z), (x, y, z)], 0.011, 8)
        for y, z in ((y0 + 0.03, rail_z - 0.01), (y1 - 0.05, rail_z - 0.02), (y1 - 0.05, 0.6 * arm_z))
    ]
    seat_frame = both_sides(
        [tube([(x - 0.06, y0 + 0.03, rail_z - 0.01), (x - 0.06, y1 - 0.05, rail_z - 0.02)], 0.011, 8)]
    )
    back_posts = both_sides([tube([(x - 0.06, y1 - 0.13, rail_z - 0.015), (x - 0.06, y1 - r, h - 0.1)], 0.011, 8)])
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
