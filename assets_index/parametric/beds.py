"""Beds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Material, Vec2
from .draft import Draft
from .palette import FABRICS, METALS, OAT, WHITE_COTTON, WOODS
from .registry import kind
from .shape import Shape, both_sides
from .shapes import arc, block, leg, prism, tube, turned
from .soft import cushion, draped, over_mattress, pillow

_DUVET = 0.035
"""Thickness of a duvet lying flat, metres."""


@kind(
    "bed_double",
    category="bed",
    role="furniture",
    size=(1.70, 2.15, 1.05),
    smallest=(1.30, 1.90, 0.80),
    largest=(2.20, 2.40, 1.60),
    mass_kg=85.0,
)
def bed_double(d: Draft) -> None:
    """A double bed, made up: the duvet folded back, two pillows at the headboard (+Y)."""
    frame = {"modern": _modern_frame, "classic": _classic_frame, "industrial": _industrial_frame}[d.style]
    rest_z = 0.3 if d.height >= 0.95 else 0.3 * d.height / 0.95
    inside = frame(d, rest_z)
    _bedding(d, inside, rest_z, over_foot=d.style == "modern")


def _modern_frame(d: Draft, rest_z: float) -> Vec2:
    """A low platform with an upholstered or a panelled headboard; returns the mattress's y range."""
    w, y1 = d.width, d.depth / 2
    wood, cloth = d.pick(WOODS["modern"]), d.pick(FABRICS["modern"])
    board = 0.09
    foot_y = -d.depth / 2 + _DUVET
    half = w / 2 - 0.03
    rail = (rest_z - 0.17, rest_z)
    rails = [
        block((-half, half), (foot_y, foot_y + 0.03), rail, 0.006),
        block((-half + 0.03, half - 0.03), (foot_y + 0.03, y1 - board), (rest_z - 0.05, rest_z - 0.02), 0.0),
        *both_sides([block((half - 0.03, half), (foot_y + 0.03, y1 - board), rail, 0.006)]),
    ]
    feet = both_sides(
        [
            leg((half - 0.12, y, rail[0]), (half - 0.1, y, 0.0), 0.05, 0.034, round_=True)
            for y in (foot_y + 0.14, y1 - board - 0.1)
        ]
    )
    if d.chance(0.6):
        count = min(7, max(5, round(w / 0.24)))
        edges = np.linspace(-w / 2, w / 2, count + 1)
        channels = [
            cushion(
                (float(a), float(b)),
                (y1 - board, y1 - 0.02),
                (0.12, d.height),
                radius=0.035,
                puff=(0, 0.008, 0),
                edge=1,
                inner=2,
            )
            for a, b in pairwise(edges)
        ]
        back = block((-w / 2 + 0.02, w / 2 - 0.02), (y1 - 0.03, y1), (0.0, d.height - 0.02), 0.004)
        d.solid("Frame", (wood, [*rails, *feet]), (cloth, [*channels, back]))
    else:
        panels = [
            block((-w / 2, w / 2), (y1 - 0.065, y1 - 0.03), (z0, z1), 0.008)
            for z0, z1 in _shared(rest_z - 0.1, d.height, 3, 0.014)
        ]
        posts = both_sides([block((w / 2 - 0.35, w / 2 - 0.27), (y1 - 0.035, y1), (0.0, d.height - 0.05), 0.004)])
        d.solid("Frame", (wood, [*rails, *feet, *panels, *posts]))
    return (foot_y + 0.005, y1 - board - 0.005)


def _shared(low: float, high: float, count: int, between: float) -> list[Vec2]:
    each = (high - low + between) / count
    return [(low + k * each, low + (k + 1) * each - between) for k in range(count)]


def _classic_frame(d: Draft, rest_z: float) -> Vec2:
    """Turned posts with finials, an arched headboard and a lower footboard, both with a raised field."""
    wood = d.pick(WOODS["classic"])
    w, y0, y1 = d.width, -d.depth / 2, d.depth / 2
    post = 0.075
    shapes: list[Shape] = []
    for y, height, arch in ((y1 - post / 2, d.height, 0.16), (y0 + post / 2, rest_z + 0.4, 0.06)):
        shoulder = height - arch if y > 0 else height - 0.05
        shapes += both_sides([_bed_post(post, shoulder if y > 0 else height).moved(w / 2 - post / 2, y)])
        top = height if y > 0 else height - 0.03
        half = w / 2 - 0.6 * post
        outline = _arched(half, 0.18, top - arch - 0.1, top)
        field = _arched(half - 0.12, rest_z + 0.02 if y < 0 else rest_z + 0.12, top - arch - 0.17, top - 0.09)
        shapes += [
            prism(outline, y - 0.016, y + 0.016, 0.006, axis="y"),
            prism(field, y - 0.026, y + 0.026, 0.012, axis="y").flat(),
            _crest(outline, y),
        ]
    half = w / 2 - 0.03
    rails = both_sides([block((half - 0.03, half), (y0 + post, y1 - post), (rest_z - 0.14, rest_z + 0.03), 0.006)])
    slats = block((-half + 0.03, half - 0.03), (y0 + post, y1 - post), (rest_z - 0.03, rest_z), 0.0)
    d.solid("Frame", (wood, [*shapes, *rails, slats]))
    return (y0 + post + 0.005, y1 - post - 0.005)


def _bed_post(width: float, height: float) -> Shape:
    """A turned post with a ball finial, foot at z = 0."""
    r = width / 2
    profile = [(0.6, 0.0), (0.85, 0.03), (0.95, 0.07), (0.7, 0.1), (1.0, 0.14)]
    lower = [(r * share, z) for share, z in profile]
    neck = height - 2.3 * r
    upper = [
        (1.0, neck - 0.02),
        (0.6, neck),
        (0.95, neck + 0.5 * r),
        (1.0, neck + 1.1 * r),
        (0.8, neck + 1.8 * r),
        (0.0, height),
    ]
    return turned([*lower, *((r * share, z) for share, z in upper)], segments=12)


def _arched(half: float, low: float, shoulder: float, top: float) -> FloatArray:
    """Outline (x, z) of a board with a flat arch on top, counter-clockwise."""
    t = np.linspace(0.0, 1.0, 15)
    x = half * (1 - 2 * t)
    z = shoulder + (top - shoulder) * np.sin(np.pi * t) ** 0.8
    return np.concatenate([[(-half, low), (half, low)], np.column_stack([x, z])])


def _crest(outline: FloatArray, y: float) -> Shape:
    """A moulding along the arch of an outline from `_arched`."""
    path = outline[2:]
    return tube(np.column_stack([path[:, 0], np.full(len(path), y), path[:, 1] - 0.012]), 0.024, 6)


def _industrial_frame(d: Draft, rest_z: float) -> Vec2:
    """Bent steel tube hoops with upright bars at head and foot, on a steel frame."""
    steel = d.pick(METALS["industrial"])
    w, y0, y1, r = d.width, -d.depth / 2, d.depth / 2, 0.019
    shapes: list[Shape] = []
    for y, height in ((y1 - r, d.height), (y0 + r, rest_z + 0.33)):
        half, bend = w / 2 - r, 0.14 if height > 0.7 else 0.09
        right = arc((half - bend, height - r - bend), bend, 0, 90, 6)
        hoop = np.concatenate([[(half, 0.0)], right, right[::-1] * (-1, 1), [(-half, 0.0)]])
        shapes.append(tube(np.column_stack([hoop[:, 0], np.full(len(hoop), y), hoop[:, 1]]), r, 12))
        for z in (rest_z - 0.02, height - 0.17):
            shapes.append(tube([(-half, y, z), (half, y, z)], 0.011, 8))
        count = max(6, round(w / 0.17))
        for x in np.linspace(-half, half, count + 1)[1:-1]:
            top = height - r if abs(x) < half - bend else height - 0.17
            shapes.append(tube([(x, y, rest_z - 0.02), (x, y, top)], 0.008, 6))
        shapes += both_sides([turned([(0.026, 0.0), (0.028, 0.02), (0.02, 0.03)], at=(half, y), segments=12)])
    half = w / 2 - 0.035
    rails = both_sides([block((half - 0.03, half), (y0 + r, y1 - r), (rest_z - 0.06, rest_z), 0.002)])
    bed = block((-half + 0.03, half - 0.03), (y0 + 0.06, y1 - 0.06), (rest_z - 0.03, rest_z - 0.005), 0.0)
    d.solid("Frame", (steel, [*shapes, *rails, bed]))
    return (y0 + 2 * r + 0.01, y1 - 2 * r - 0.01)


def _bedding(d: Draft, inside: Vec2, rest_z: float, *, over_foot: bool) -> None:
    """Mattress, duvet with its top folded back, two pillows, and sometimes a throw."""
    y0, y1 = inside
    cloth = d.pick(FABRICS[d.style])
    cover = d.pick((WHITE_COTTON, OAT, cloth))
    accent = cloth if cover is not cloth else WHITE_COTTON
    half, top = d.width / 2 - 0.06, rest_z + 0.23
    d.solid(
        "Mattress",
        (WHITE_COTTON, [cushion((-half, half), (y0, y1), (rest_z, top), radius=0.05, inner=1)]),
        soft=True,
    )
    d.surface("bed", top + _DUVET, (-half, half), (y0, y1))
    fold_y = y1 - 0.62
    low = rest_z + 0.02 if d.style == "classic" else rest_z - 0.04
    wrinkle = _folds(d, 0.009, 0.016)

    def over_duvet(y_low: float, y_high: float) -> Callable[[float, float], float]:
        """The duvet's own waves, for a cloth that lies on it between two y."""
        return lambda across, along: wrinkle(across, (y_low + along * (y_high - y_low) - y0) / (fold_y - y0))

    duvet = draped(
        over_mattress(half + 0.004, top, low, flat=12),
        (y0, fold_y),
        _DUVET,
        hang=0.2 if over_foot else 0.0,
        steps=10,
        wrinkle=wrinkle,
    )
    d.solid("Duvet", (cover, [duvet]), parent="Mattress", soft=True, sharp_angle_deg=75)
    line = over_mattress(half + 0.01, top + _DUVET + 0.004, low + 0.02)
    y_fold = (fold_y - 0.27, fold_y + 0.035)
    band = draped(line, y_fold, 0.028, steps=3, wrinkle=over_duvet(*y_fold))
    d.solid("Duvet Fold", (accent, [band]), parent="Duvet", soft=True, sharp_angle_deg=75)
    if d.chance(0.6):
        line = over_mattress(half + 0.02, top + _DUVET + 0.004, low + 0.05, flat=12)
        y_throw = (y0 + 0.22, y0 + 0.75)
        throw = draped(line, y_throw, 0.02, round_ends=0.012, steps=4, wrinkle=over_duvet(*y_throw))
        d.solid("Throw", (d.pick(FABRICS[d.style]), [throw]), parent="Duvet", soft=True, sharp_angle_deg=75)
    _pillows(d, half, top, y1, accent)


def _folds(d: Draft, on_top: float, hanging: float) -> Callable[[float, float], float]:
    """Soft waves of cloth: slight on the flat top, deeper and upright where it hangs."""
    phases = [d.between(0, 6.28) for _ in range(6)]

    def wrinkle(across: float, along: float) -> float:
        flat = np.sin(13 * across + phases[0] + 5 * along) * np.sin(11 * along + phases[1] - 3 * across)
        flat = 0.7 * flat + 0.4 * np.sin(21 * across + 8 * along + phases[4]) * np.sin(5 * along + phases[5])
        drop = np.clip(abs(across - 0.5) * 2 * 1.6 - 0.75, 0.0, 1.0)
        wave = np.sin(19 * along + phases[2]) + 0.6 * np.sin(31 * along + phases[3])
        return float(on_top * flat * (1 - drop) + hanging * 0.5 * wave * drop)

    return wrinkle


def _pillows(d: Draft, half: float, top: float, head_y: float, accent: Material) -> None:
    width, depth, thickness = min(0.72, 0.92 * half), 0.46, 0.17
    lean = 24.0
    for side, x in (("Left", half / 2), ("Right", -half / 2)):
        shape = pillow(width, depth, thickness, steps=8).turned(x=lean, z=d.between(-3, 3))
        shape = shape.moved(x, head_y - 0.24, top - float(shape.vertices[:, 2].min()) - 0.008)
        shape = shape.moved(y=min(0.0, head_y - float(shape.vertices[:, 1].max())))
        d.solid(f"Pillow {side}", (WHITE_COTTON, [shape]), parent="Mattress", soft=True, sharp_angle_deg=120)
    if d.chance(0.6):
        shape = pillow(0.5, 0.32, 0.13, steps=6).turned(x=48)
        shape = shape.moved(0.0, head_y - 0.47, top - float(shape.vertices[:, 2].min()) + _DUVET - 0.02)
        d.solid("Scatter Pillow", (accent, [shape]), parent="Duvet", soft=True, sharp_angle_deg=120)
