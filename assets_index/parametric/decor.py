"""Small things: clocks."""

from __future__ import annotations

import numpy as np

from .draft import Draft
from .palette import (
    BLACK_PLASTIC,
    BLACK_STEEL,
    BRASS,
    CHROME,
    COPPER,
    GREEN_STEEL,
    IVORY_PLASTIC,
    PAINTS,
    WOODS,
    material,
)
from .registry import kind
from .shape import Shape, both_sides
from .shapes import ball, bar, block, curve, cylinder, ellipse, loft, prism, rounded_rect, tube, turned

_DIAL = material("Dial", "paint", "F4EFE2", 0.4)
_INK = material("Ink", "paint", "1A1A1C", 0.5)
_DISPLAY = material("Display", "plastic", "0B0D10", 0.15, coat=0.5)
_RED_HAND = material("Red Hand", "paint", "B23A2E", 0.4)
_LED_WHITE = material("White Digits", "plastic", "F6F4EE", 0.5, glow=1.6, glow_hex="FFF6E4")
_LED_AMBER = material("Amber Digits", "plastic", "FFB347", 0.5, glow=1.8, glow_hex="FF9A2E")

_SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd",
    "6": "afgedc", "7": "abc", "8": "abcdefg", "9": "abcdfg",
}  # fmt: skip
"""Which of the seven segments each digit shows: a on top, then clockwise, g in the middle."""


def digits(text: str, x: float, z: float, height: float, front: float, thickness: float = 0.0008) -> list[Shape]:
    """Seven-segment digits (and colons) facing −Y, centred on (x, z), raised from y = ``front``."""
    wide, stroke, pitch = 0.52 * height, 0.13 * height, 0.74 * height
    widths = [0.4 * height if sign == ":" else pitch for sign in text]
    shapes = []
    left = x - sum(widths) / 2
    y = (front - thickness, front + thickness)
    for sign, advance in zip(text, widths, strict=True):
        mid, half, h = left + advance / 2, wide / 2, height / 2
        if sign == ":":
            for dz in (-0.22 * height, 0.22 * height):
                shapes.append(
                    block(
                        (mid - stroke / 2, mid + stroke / 2),
                        y,
                        (z + dz - stroke / 2, z + dz + stroke / 2),
                        0.0,
                    )
                )
        else:
            flat = (mid - half + 0.6 * stroke, mid + half - 0.6 * stroke)
            s, gap = stroke / 2, 0.5 * stroke
            places = {
                "a": (flat, (z + h - stroke, z + h)),
                "g": (flat, (z - s, z + s)),
                "d": (flat, (z - h, z - h + stroke)),
                "f": ((mid - half - s, mid - half + s), (z + gap, z + h - gap)),
                "b": ((mid + half - s, mid + half + s), (z + gap, z + h - gap)),
                "e": ((mid - half - s, mid - half + s), (z - h + gap, z - gap)),
                "c": ((mid + half - s, mid + half + s), (z - h + gap, z - gap)),
            }
            shapes += [block(places[segment][0], y, places[segment][1], 0.0) for segment in _SEGMENTS[sign]]
        left += advance
    return shapes


def _time(d: Draft) -> tuple[int, int]:
    return d.pick((7, 8, 10, 10, 6)), d.pick((5, 8, 9, 10, 30))


@kind(
    "alarm_clock",
    category="clock",
    role="manipulable",
    size=(0.15, 0.055, 0.08),
    smallest=(0.06, 0.03, 0.05),
    largest=(0.30, 0.15, 0.30),
    mass_kg=0.4,
    size_in_style={"classic": (0.12, 0.065, 0.165), "industrial": (0.18, 0.08, 0.09)},
)
def alarm_clock(d: Draft) -> None:
    """A bedside clock: digital, twin-bell or with flip cards by style."""
    {"modern": _digital_clock, "classic": _twin_bell_clock, "industrial": _flip_clock}[d.style](d)


def _digital_clock(d: Draft) -> None:
    """A rounded block of wood or lacquer with a dark display and glowing digits."""
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    shell = d.pick((*WOODS["modern"], *PAINTS["modern"]))
    led = d.pick((_LED_WHITE, _LED_AMBER))
    button, foot, lip = 0.05 * h, 0.03 * h, 0.0012
    tall = h - button - foot
    body = prism(rounded_rect(w, tall, 0.26 * tall, 6), y0 + lip, y1, 0.003, axis="y").moved(z=foot + tall / 2)
    screen_w, screen_h = 0.86 * w, 0.7 * tall
    screen = prism(rounded_rect(screen_w, screen_h, 0.16 * tall, 5), y0 + 0.0004, y0 + 0.006, 0.0004, axis="y")
    hour, minute = _time(d)
    size = min(0.46 * tall, screen_w / 4.0)
    face = digits(f"{hour:02d}:{minute:02d}", 0.0, foot + tall / 2, size, y0 + 0.0004, 0.0004)
    snooze = prism(rounded_rect(0.3 * w, 0.3 * d.depth, 0.1 * d.depth, 4), h - 2 * button, h, 0.001)
    feet = both_sides([block((0.28 * w, 0.36 * w), (y0 + 0.2 * d.depth, y1 - 0.2 * d.depth), (0.0, 2 * foot), 0.001)])
    d.solid(
        "Clock",
        (shell, [body]),
        (_DISPLAY, [screen.moved(z=foot + tall / 2)]),
        (led, face),
        (BLACK_PLASTIC, [snooze, *feet]),
    )


def _twin_bell_clock(d: Draft) -> None:
    """A round case on two feet, two bells with a hammer between them, and a handle."""
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    metal = d.pick((BRASS, COPPER, CHROME))
    case = d.pick((metal, *PAINTS["classic"][1:2], PAINTS["modern"][2], BLACK_STEEL))
    r = min(0.5 * w, 0.34 * h)
    middle = 0.09 * h + r
    deep = (y0 + 0.004, y1 - 0.008)

    def facing(radius: float, front: float, back: float, bevel: float) -> Shape:
        return prism(ellipse(2 * radius, 2 * radius, 36), front, back, bevel, axis="y").moved(z=middle)

    tube_wall = turned(
        [(r, 0.0), (r, 0.8), (0.93 * r, 1.0), (0.86 * r, 1.0), (0.86 * r, 0.8), (0.86 * r, 0.0)],
        segments=36,
        ring=True,
    )
    length = deep[1] - deep[0]
    rim = tube_wall.scaled(z=length).turned(x=90).moved(y=deep[1], z=middle)
    back = facing(0.96 * r, deep[1] - 0.002, y1, 0.003)
    dial_y = deep[0] + 0.12 * length
    dial = facing(0.87 * r, dial_y, dial_y + 0.004, 0.0005)
    hour, minute = _time(d)
    marks = []
    for k in range(12):
        long = 0.16 if k % 3 == 0 else 0.09
        tick = block((-0.022 * r, 0.022 * r), (dial_y - 0.0006, dial_y + 0.001), ((0.78 - long) * r, 0.78 * r), 0.0)
        marks.append(tick.turned(y=30.0 * k).moved(z=middle))
    hands = [
        block((-0.035 * r, 0.035 * r), (dial_y - 0.0022, dial_y - 0.001), (-0.1 * r, 0.45 * r), 0.0).turned(
            y=30 * hour + minute / 2
        ),
        block((-0.025 * r, 0.025 * r), (dial_y - 0.0034, dial_y - 0.0022), (-0.12 * r, 0.68 * r), 0.0).turned(
            y=6 * minute
        ),
    ]
    alarm = block((-0.012 * r, 0.012 * r), (dial_y - 0.001, dial_y - 0.0003), (0.0, 0.4 * r), 0.0).turned(y=200.0)
    alarm = alarm.moved(z=middle)
    hub = (
        turned([(0.07 * r, 0.0), (0.06 * r, 0.0035), (0.0, 0.0042)], segments=14).turned(x=90).moved(y=dial_y, z=middle)
    )
    hands = [hand.moved(z=middle) for hand in hands]
    # Two feet in front and one behind, or it would fall over.
    front_y, rear_y = -0.3 * d.depth, 0.3 * d.depth
    tip, thick = 0.07 * middle, min(0.011, 0.2 * r)
    legs = both_sides(
        [
            bar((0.45 * r, front_y, middle - 0.8 * r), (0.72 * r, front_y, tip), thick),
            ball(tip, (0.73 * r, front_y, tip)),
        ]
    )
    legs += [bar((0.0, rear_y, middle - 0.9 * r), (0.0, rear_y, tip), thick), ball(tip, (0.0, rear_y, tip))]
    bell_r = 0.46 * r
    bell_profile = [(1.0, 0.0), (0.98, 0.25), (0.8, 0.6), (0.45, 0.88), (0.0, 0.95)]
    inside = [(0.001, 0.86), (0.4, 0.8), (0.72, 0.55), (0.9, 0.22), (0.93, 0.0)]
    bell = turned(
        [(a * bell_r, b * bell_r) for a, b in (*bell_profile[:-1], (0.001, 0.95), *inside)],
        segments=24,
        ring=True,
    )
    stem = cylinder(0.0035, (-0.35 * bell_r, bell_r), segments=10)
    nut = ball(0.006, (0.0, 0.0, bell_r))
    tilt, high = 32.0, middle + 0.88 * r
    bells = both_sides([shape.turned(y=tilt).moved(0.56 * r, 0.0, high) for shape in (bell, nut)])
    stems = both_sides([stem.turned(y=tilt).moved(0.56 * r, 0.0, high)])
    hammer = [
        tube([(0.0, 0.0, middle + 0.9 * r), (0.0, 0.0, high + 0.62 * bell_r)], 0.0022, 8),
        block((-0.16 * r, 0.16 * r), (-0.006, 0.006), (high + 0.5 * bell_r, high + 0.68 * bell_r), 0.002),
    ]
    grip = 0.62 * r
    arch = curve(
        [
            (grip, 0.0, high + 0.7 * bell_r),
            (0.92 * grip, 0.0, h - 0.016),
            (0.5 * grip, 0.0, h - 0.004),
            (0.0, 0.0, h - 0.003),
            (-0.5 * grip, 0.0, h - 0.004),
            (-0.92 * grip, 0.0, h - 0.016),
            (-grip, 0.0, high + 0.7 * bell_r),
        ],
        3,
    )
    handle = tube(arch, 0.003, 8)
    d.solid(
        "Clock",
        (case, [rim, back]),
        (metal, [*legs, *bells, *stems, *hammer, handle]),
        (_DIAL, [dial]),
        (_INK, [*marks, *hands, hub]),
        (_RED_HAND, [alarm]),
    )


def _flip_clock(d: Draft) -> None:
    """A metal housing with two pairs of split cards behind a window."""
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    body = d.pick((BLACK_STEEL, GREEN_STEEL, PAINTS["industrial"][1]))
    hour, minute = _time(d)
    foot, hood = 0.06 * h, 0.012
    front = y0 + hood
    outline = rounded_rect(w, h - foot, 0.1 * h, 4)
    inner_outline = rounded_rect(w - 0.012, h - foot - 0.012, 0.1 * h - 0.004, 4)
    walls = [
        np.column_stack([line[:, 0], np.full(len(line), y), line[:, 1] + foot + (h - foot) / 2])
        for line, y in ((outline, y1), (outline, y0), (inner_outline, y0), (inner_outline, y1))
    ]
    housing = loft(walls, loop=True)
    back = block((-w / 2 + 0.007, w / 2 - 0.007), (y1 - 0.006, y1 - 0.001), (foot + 0.007, h - 0.007), 0.0)
    panel = block((-w / 2 + 0.006, w / 2 - 0.006), (front + 0.004, front + 0.008), (foot + 0.006, h - 0.006), 0.0)
    cards, ink, axle = [], [], []
    middle, card_h, card_w = foot + (h - foot) / 2, 0.66 * h, 0.36 * w
    for x, text in ((-0.215 * w, f"{hour:02d}"), (0.215 * w, f"{minute:02d}")):
        span = (x - card_w / 2, x + card_w / 2)
        cards.append(block(span, (front, front + 0.005), (middle + 0.0006, middle + card_h / 2), 0.0015))
        cards.append(block(span, (front, front + 0.005), (middle - card_h / 2, middle - 0.0006), 0.0015))
        ink += digits(text, x, middle, min(0.52 * card_h, 0.62 * card_w), front, 0.0005)
        end = x + np.sign(x) * card_w / 2
        axle.append(
            block(
                (end - 0.003, end + 0.003),
                (front - 0.002, front + 0.004),
                (middle - 0.006, middle + 0.006),
                0.001,
            )
        )
    feet = [
        cylinder(0.05 * w, (0.0, foot + 0.002), at=(sx * 0.36 * w, sy * 0.25 * d.depth), segments=16)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    wheel = turned([(0.012, 0.0), (0.013, 0.002), (0.013, 0.006), (0.011, 0.008)], segments=18)
    knobs = [wheel.scaled(*(3 * (min(1.0, 6 * h),))).turned(y=90).moved(w / 2 - 0.004, 0.1 * d.depth, middle)]
    d.solid(
        "Clock",
        (body, [housing, back]),
        (BLACK_PLASTIC, [panel, *cards, *feet]),
        (IVORY_PLASTIC, ink),
        (CHROME, [*axle, *knobs]),
    )
