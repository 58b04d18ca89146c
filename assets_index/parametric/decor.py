"""Small things and floor coverings: alarm clock, rug."""

from __future__ import annotations

import numpy as np

from ...executor.geometry.mesh import FloatArray
from .draft import Draft
from .palette import (
    BLACK_PLASTIC,
    BLACK_STEEL,
    BRASS,
    BURGUNDY,
    CHARCOAL,
    CHROME,
    COPPER,
    FABRICS,
    GREEN_STEEL,
    GREY_CLOTH,
    IVORY_PLASTIC,
    LINEN,
    MUSTARD,
    NAVY,
    OAT,
    PAINTS,
    SLATE_BLUE,
    TERRACOTTA_CLOTH,
    WHITE_COTTON,
    WOODS,
    material,
)
from .piece import Material, Vec2
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


def digits(
    text: str, x: float, z: float, height: float, front: float, thickness: float = 0.0008
) -> list[Shape]:
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
    body = prism(rounded_rect(w, tall, 0.26 * tall, 6), y0 + lip, y1, 0.003, axis="y").moved(
        z=foot + tall / 2
    )
    screen_w, screen_h = 0.86 * w, 0.7 * tall
    screen = prism(
        rounded_rect(screen_w, screen_h, 0.16 * tall, 5), y0 + 0.0004, y0 + 0.006, 0.0004, axis="y"
    )
    hour, minute = _time(d)
    size = min(0.46 * tall, screen_w / 4.0)
    face = digits(f"{hour:02d}:{minute:02d}", 0.0, foot + tall / 2, size, y0 + 0.0004, 0.0004)
    snooze = prism(rounded_rect(0.3 * w, 0.3 * d.depth, 0.1 * d.depth, 4), h - 2 * button, h, 0.001)
    feet = both_sides(
        [block((0.28 * w, 0.36 * w), (y0 + 0.2 * d.depth, y1 - 0.2 * d.depth), (0.0, 2 * foot), 0.001)]
    )
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
        tick = block(
            (-0.022 * r, 0.022 * r), (dial_y - 0.0006, dial_y + 0.001), ((0.78 - long) * r, 0.78 * r), 0.0
        )
        marks.append(tick.turned(y=30.0 * k).moved(z=middle))
    hands = [
        block((-0.035 * r, 0.035 * r), (dial_y - 0.0022, dial_y - 0.001), (-0.1 * r, 0.45 * r), 0.0).turned(
            y=30 * hour + minute / 2
        ),
        block((-0.025 * r, 0.025 * r), (dial_y - 0.0034, dial_y - 0.0022), (-0.12 * r, 0.68 * r), 0.0).turned(
            y=6 * minute
        ),
    ]
    alarm = block((-0.012 * r, 0.012 * r), (dial_y - 0.001, dial_y - 0.0003), (0.0, 0.4 * r), 0.0).turned(
        y=200.0
    )
    alarm = alarm.moved(z=middle)
    hub = (
        turned([(0.07 * r, 0.0), (0.06 * r, 0.0035), (0.0, 0.0042)], segments=14)
        .turned(x=90)
        .moved(y=dial_y, z=middle)
    )
    hands = [hand.moved(z=middle) for hand in hands]
    legs = both_sides(
        [
            leg_.moved(z=0)
            for leg_ in (
                bar((0.45 * r, 0.0, middle - 0.85 * r), (0.72 * r, 0.0, 0.008), 0.011),
                ball(0.008, (0.73 * r, 0.0, 0.008)),
            )
        ]
    )
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
    panel = block(
        (-w / 2 + 0.006, w / 2 - 0.006), (front + 0.004, front + 0.008), (foot + 0.006, h - 0.006), 0.0
    )
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


@kind(
    "rug",
    category="rug",
    role="covering",
    size=(2.00, 1.40, 0.012),
    smallest=(0.50, 0.40, 0.005),
    largest=(5.00, 4.00, 0.040),
    mass_kg=9.0,
    has_front=False,
)
def rug(d: Draft) -> None:
    """A flat rug, its long side along x by habit: borders, stripes or nested shapes by style and chance."""
    {"modern": _modern_rug, "classic": _classic_rug, "industrial": _industrial_rug}[d.style](d)
    d.surface("rug", d.height, (-d.width / 2, d.width / 2), (-d.depth / 2, d.depth / 2))


def _inlay(
    outlines: list[FloatArray], cloths: list[Material], height: float, *, rim: bool = True
) -> list[tuple[Material, list[Shape]]]:
    """A flat slab of nested outlines: bands of different cloth, flush with each other.

    Args:
        outlines: each ``(k, 2)``, from the outermost inwards.
        cloths: one a band; one as many as the outlines fills the last, one fewer leaves it open.
        height: of the slab.
        rim: soften the outermost edge.
    """
    parts = []
    for k, (outer, cloth) in enumerate(zip(outlines, cloths, strict=False)):
        edge = 0.3 * height if rim and k == 0 else 0.0
        if k + 1 == len(outlines):
            parts.append((cloth, [prism(outer, 0.0, height, edge)]))
            continue
        inner = outlines[k + 1]
        inset = outer * (1 - edge / np.abs(outer).max(0))
        lines = [(outer, 0.0), (outer, height - edge), (inset, height), (inner, height), (inner, 0.0)]
        if not edge:
            del lines[1]
        rings = [np.column_stack([line, np.full(len(line), z)]) for line, z in lines]
        parts.append((cloth, [loft(rings, loop=True, smooth=False)]))
    return parts


def _dense(outline: FloatArray, pieces: int) -> FloatArray:
    """The same outline with its long edges divided."""
    longest = np.linalg.norm(np.roll(outline, -1, 0) - outline, axis=1).max()
    points = []
    for a, b in zip(outline, np.roll(outline, -1, 0), strict=True):
        count = pieces if np.linalg.norm(b - a) > 0.2 * longest else 1
        points += [a + (b - a) * k / count for k in range(count)]
    return np.array(points)


def _stripe(width: float, depth: float, radius: float, x: Vec2) -> FloatArray:
    """The part of a rounded rectangle between two x, as an outline."""
    whole = rounded_rect(width, depth, radius, 6)
    keep = whole[(whole[:, 0] > x[0] + 1e-6) & (whole[:, 0] < x[1] - 1e-6)]
    cuts = []
    for at in x:
        if abs(at) < width / 2 - 1e-6:
            inside = max(0.0, abs(at) - (width / 2 - radius))
            half = depth / 2 - radius + np.sqrt(radius**2 - inside**2)
            cuts += [(at, half), (at, -half)]
    points = np.concatenate([keep, np.array(cuts).reshape(-1, 2)])
    centre = (sum(x) / 2, 0.0)
    order = np.argsort(np.arctan2(points[:, 1] - centre[1], points[:, 0] - centre[0]))
    return np.asarray(points[order])


def _modern_rug(d: Draft) -> None:
    """A plain rug with a fine border line, broad stripes, or nested pebbles set off centre."""
    w, depth, h = d.width, d.depth, d.height
    corner = 0.08 * min(w, depth)
    ground, accent = d.pick((LINEN, OAT, WHITE_COTTON)), d.pick(FABRICS["modern"])
    second = d.pick([cloth for cloth in FABRICS["modern"] if cloth is not accent])
    design = d.pick(("line", "stripes", "pebbles"))
    if design == "stripes":
        cuts = np.cumsum(
            [
                0.0,
                *d.pick(
                    ((0.3, 0.1, 0.34, 0.06, 0.2), (0.12, 0.08, 0.3, 0.3, 0.2), (0.4, 0.05, 0.1, 0.05, 0.4))
                ),
            ]
        )
        stripes = []
        for k, (a, b) in enumerate(zip(cuts, cuts[1:], strict=False)):
            outline = _stripe(w, depth, corner, (w * (float(a) - 0.5), w * (float(b) - 0.5)))
            stripes.append(((ground, accent, second)[(0, 1, 0, 2, 1)[k]], [prism(outline, 0.0, h, 0.0)]))
        d.solid("Rug", *stripes, soft=True)
        return

    def rounded(inset: float, radius: float, x: float = 0.0, y: float = 0.0) -> FloatArray:
        return rounded_rect(w - 2 * inset, depth - 2 * inset, radius, 8) + (x, y)

    m = min(w, depth)
    if design == "line":
        outlines = [rounded(0, corner), rounded(0.08 * m, 0.7 * corner), rounded(0.1 * m, 0.6 * corner)]
        d.solid("Rug", *_inlay(outlines, [ground, accent, ground], h), soft=True)
    else:
        outlines = [
            rounded(0, corner),
            rounded(0.1 * m, 0.3 * m, -0.05 * m, 0.03 * m),
            rounded(0.19 * m, 0.26 * m, 0.02 * m, -0.02 * m),
            rounded(0.29 * m, 0.2 * m, -0.06 * m, 0.04 * m),
        ]
        d.solid("Rug", *_inlay(outlines, [ground, accent, ground, second], h), soft=True)


def _classic_rug(d: Draft) -> None:
    """Several borders, a field with a pointed medallion, and fringes on the short sides."""
    w, depth, h = d.width, d.depth, d.height
    field, border = d.pick(((BURGUNDY, NAVY), (NAVY, BURGUNDY), (SLATE_BLUE, NAVY), (TERRACOTTA_CLOTH, NAVY)))
    gold, ivory = MUSTARD, OAT
    fringe = 0.03 * max(w, depth)
    along_x = w >= depth
    bw, bd = (w - 2 * fringe, depth) if along_x else (w, depth - 2 * fringe)
    m = min(bw, bd)

    def rounded(inset: float) -> FloatArray:
        return rounded_rect(bw - 2 * inset, bd - 2 * inset, 0.02 * m, 2)

    def medallion(share: float, waves: float, around: FloatArray) -> FloatArray:
        """A scalloped diamond, its points at the same angles as those of the outline around it."""
        angle = np.arctan2(around[:, 1] / bd, around[:, 0] / bw)
        pointed = np.abs(np.cos(angle)) ** 1.25 + np.abs(np.sin(angle)) ** 1.25
        radius = share * (1 + waves * np.cos(16 * angle)) / pointed
        return np.column_stack([radius * bw / 2 * np.cos(angle), radius * bd / 2 * np.sin(angle)])

    borders = [rounded(x * m) for x in (0.0, 0.035, 0.05, 0.13, 0.145, 0.17)]
    centre = [_dense(borders[-1], 13)]
    centre += [
        medallion(share, waves, centre[0])
        for share, waves in ((0.68, 0.05), (0.63, 0.05), (0.32, 0.07), (0.27, 0.07))
    ]
    parts = _inlay(borders, [border, gold, border, ivory, gold], h)
    parts += _inlay(centre, [field, gold, border, ivory, field], h, rim=False)
    threads = []
    for end in (-1, 1):
        for t in np.linspace(-0.49, 0.49, 44):
            length = fringe * d.between(0.9, 1.0)
            start = (bw if along_x else bd) / 2 - 0.003
            low, high = sorted((end * start, end * (start + length)))
            across = t * (bd if along_x else bw)
            thin = (across - 0.0035, across + 0.0035)
            x, y = ((low, high), thin) if along_x else (thin, (low, high))
            threads.append(block(x, y, (0.0, 0.35 * h), 0.0))
    d.solid("Rug", *parts, (ivory, threads), soft=True)


def _industrial_rug(d: Draft) -> None:
    """Worn blocks of grey and one warm colour, woven in uneven bands."""
    w, depth, h = d.width, d.depth, d.height
    warm = d.pick((TERRACOTTA_CLOTH, MUSTARD, SLATE_BLUE))
    corner = 0.03 * min(w, depth)
    shares = np.array([d.between(0.6, 1.6) for _ in range(9)])
    cuts = np.concatenate([[0.0], np.cumsum(shares) / shares.sum()])
    order = (CHARCOAL, GREY_CLOTH, CHARCOAL, warm, CHARCOAL, LINEN, GREY_CLOTH, warm, CHARCOAL)
    bands = [
        (cloth, [prism(_stripe(w, depth, corner, (w * (float(a) - 0.5), w * (float(b) - 0.5))), 0.0, h, 0.0)])
        for cloth, a, b in zip(order, cuts, cuts[1:], strict=False)
    ]
    d.solid("Rug", *bands, soft=True)
