"""Rugs: coverings of the floor."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Material, Vec2
from .draft import Draft
from .palette import (
    BURGUNDY,
    CHARCOAL,
    FABRICS,
    GREY_CLOTH,
    LINEN,
    MUSTARD,
    NAVY,
    OAT,
    SLATE_BLUE,
    TERRACOTTA_CLOTH,
    WHITE_COTTON,
)
from .registry import kind
from .shape import Shape
from .shapes import block, loft, prism, rounded_rect


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
                *d.pick(((0.3, 0.1, 0.34, 0.06, 0.2), (0.12, 0.08, 0.3, 0.3, 0.2), (0.4, 0.05, 0.1, 0.05, 0.4))),
            ]
        )
        stripes = []
        for k, (a, b) in enumerate(pairwise(cuts)):
            outline = _stripe(w, depth, corner, (w * (float(a) - 0.5), w * (float(b) - 0.5)))
            stripes.append(((ground, accent, second)[(0, 1, 0, 2, 1)[k]], [prism(outline, 0.0, h, 0.0)]))
        d.solid("Rug", *stripes, soft=True)
        return

    def rounded(inset: float, radius: float, x: float = 0.0, y: float = 0.0) -> FloatArray:
        return rounded_rect(w - 2 * inset, depth - 2 * inset, radius, 8) + np.array((x, y))

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
        medallion(share, waves, centre[0]) for share, waves in ((0.68, 0.05), (0.63, 0.05), (0.32, 0.07), (0.27, 0.07))
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
