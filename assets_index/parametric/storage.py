"""Cabinets and shelves: nightstand, bookshelf."""

from __future__ import annotations

from itertools import pairwise

from ...executor.model.piece import Vec2
from .casework import (
    bar_handle,
    carcass,
    cup_handle,
    divided,
    drawer,
    framed_panel,
    inner,
    knob,
)
from .draft import Draft
from .palette import ASH, METALS, PAINTS, WOODS
from .registry import kind
from .shapes import bar, block, leg, prism, rectangle, turned


@kind(
    "nightstand",
    category="nightstand",
    role="furniture",
    size=(0.46, 0.40, 0.55),
    smallest=(0.30, 0.28, 0.35),
    largest=(0.80, 0.60, 0.85),
    mass_kg=16.0,
)
def nightstand(d: Draft) -> None:
    """A bedside cabinet with real drawers."""
    {"modern": _modern_nightstand, "classic": _classic_nightstand, "industrial": _industrial_nightstand}[d.style](d)


def _modern_nightstand(d: Draft) -> None:
    """A box on splayed legs: two drawers, or a drawer over an open niche."""
    wood, metal = d.pick(WOODS["modern"]), d.pick(METALS["modern"])
    front_material = d.pick((wood, *PAINTS["modern"]))
    w, h, reach, t = d.width, d.height, 0.02, 0.018
    y = (-d.depth / 2 + reach, d.depth / 2)
    z = (0.3 * h, h)
    spread, inset = w / 2 - 0.02, 0.05
    feet = [
        leg((sx * (spread - inset), yt, z[0]), (sx * spread, yf, 0.0), 0.03, 0.018, round_=True)
        for sx in (-1, 1)
        for yt, yf in ((y[0] + inset + 0.01, y[0] + 0.02), (y[1] - inset - 0.01, y[1] - 0.02))
    ]
    open_niche = d.chance(0.5)
    rows = divided(z[0] + t, z[1] - t, 2, t)
    shelf = block((-w / 2 + t, w / 2 - t), y, (rows[0][1], rows[1][0]), 0.001)
    d.solid("Body", (wood, [*carcass((-w / 2, w / 2), y, z, t), shelf, *feet]))
    d.surface("top", h, (-w / 2, w / 2), y)
    if open_niche:
        d.surface("niche", rows[0][0], (-w / 2 + t, w / 2 - t), y)
    for number, row in enumerate(rows[1:] if open_niche else reversed(rows), 1):
        x, zz, zc = inner((-w / 2 + t, w / 2 - t)), inner(row), sum(row) / 2
        pull = (
            bar_handle((-0.16 * w, y[0] + 0.002, zc), (0.16 * w, y[0] + 0.002, zc), reach + 0.002)
            if metal.name == "Black Steel"
            else knob(0.0, y[0] + 0.001, zc, 0.013, reach + 0.001)
        )
        drawer(
            d,
            f"Drawer {number}",
            x=x,
            z=zz,
            front=y[0] + 0.001,
            back=y[1] - 0.008,
            front_shapes=[block(x, (y[0] + 0.001, y[0] + 0.019), zz, 0.0015)],
            front_thickness=0.018,
            front_material=front_material,
            box_material=ASH,
            fittings=(metal, [pull]),
            parent="Body",
        )


def _classic_nightstand(d: Draft) -> None:
    """A small chest: moulded top, panelled drawers, bun feet."""
    wood = d.pick((*WOODS["classic"], PAINTS["classic"][0]))
    brass = d.pick(METALS["classic"])
    w, h, reach, t = d.width, d.height, 0.022, 0.02
    overhang = 0.014
    y = (-d.depth / 2 + reach, d.depth / 2)
    x = (-w / 2 + overhang, w / 2 - overhang)
    foot, base, top = 0.055, 0.035, 0.024
    z = (foot + base, h - top)
    profile = [(0.7, 0.0), (0.95, 0.15), (1.0, 0.45), (0.8, 0.75), (0.5, 0.85), (0.6, 1.0)]
    feet = [
        turned([(0.028 * r, s * foot) for r, s in profile], at=(sx * (w / 2 - 0.045), yy), segments=16)
        for sx in (-1, 1)
        for yy in (y[0] + 0.035, y[1] - 0.04)
    ]
    middle_y = (y[0] + y[1]) / 2
    plinth = prism(rectangle(w, y[1] - y[0]), foot, foot + base, 0.01).moved(y=middle_y)
    slab = prism(rectangle(w, y[1] - y[0]), h - top, h, 0.008).moved(y=middle_y)
    cove = prism(rectangle(w - 0.014, y[1] - y[0] - 0.007), h - top - 0.012, h - top, 0.004)
    body_y = (y[0] + overhang, y[1] - 0.002)
    count = 2 if h - 0.15 < 0.45 else 3
    rows = divided(z[0] + t, z[1] - t, count, t)
    rails = [block((x[0] + t, x[1] - t), body_y, (a[1], b[0]), 0.001) for a, b in pairwise(rows)]
    d.solid(
        "Body",
        (wood, [*carcass(x, body_y, z, t), *rails, plinth, slab, cove.moved(y=middle_y + 0.003), *feet]),
    )
    d.surface("top", h, (-w / 2, w / 2), y)
    for number, row in enumerate(reversed(rows), 1):
        xx, zz, zc = inner((x[0] + t, x[1] - t)), inner(row), sum(row) / 2
        front = body_y[0] + 0.001
        pulls = [knob(sx * 0.22 * w, front + 0.001, zc, 0.013, front + 0.001 + d.depth / 2) for sx in (-1, 1)]
        drawer(
            d,
            f"Drawer {number}",
            x=xx,
            z=zz,
            front=front,
            back=body_y[1] - 0.008,
            front_shapes=framed_panel(xx, zz, front, 0.018, 0.024),
            front_thickness=0.018,
            front_material=wood,
            box_material=ASH,
            fittings=(brass, pulls if w > 0.4 else pulls[:1]),
            parent="Body",
        )


def _industrial_nightstand(d: Draft) -> None:
    """A steel frame with a thick wooden top, one drawer and a slatted shelf."""
    wood, steel = d.pick(WOODS["industrial"]), d.pick(METALS["industrial"])
    w, h, reach, post = d.width, d.height, 0.022, 0.024
    y = (-d.depth / 2 + reach, d.depth / 2)
    top = 0.032
    posts = [
        block((cx - post / 2, cx + post / 2), (cy - post / 2, cy + post / 2), (0.0, h - top), 0.002)
        for cx in (-w / 2 + post / 2, w / 2 - post / 2)
        for cy in (y[0] + post / 2, y[1] - post / 2)
    ]
    box_z = (h - top - max(0.13, 0.32 * h), h - top)
    low = 0.16 * h
    rails = [
        block((-w / 2 + post, w / 2 - post), yy, zz, 0.001)
        for yy in ((y[0] + 0.003, y[0] + post - 0.003), (y[1] - post + 0.003, y[1] - 0.003))
        for zz in ((low, low + 0.02), (box_z[0] - 0.018, box_z[0]))
    ] + [
        block(xx, (y[0] + post, y[1] - post), (low, low + 0.02), 0.001)
        for xx in ((-w / 2 + 0.003, -w / 2 + post - 0.003), (w / 2 - post + 0.003, w / 2 - 0.003))
    ]
    slats = [
        block(xx, (y[0] + 0.004, y[1] - 0.004), (low + 0.02, low + 0.038), 0.002)
        for xx in divided(-w / 2 + post + 0.002, w / 2 - post - 0.002, 4, 0.008)
    ]
    sides = [
        block(xx, (y[0] + post, y[1] - post), box_z, 0.001)
        for xx in ((-w / 2 + 0.004, -w / 2 + 0.018), (w / 2 - 0.018, w / 2 - 0.004))
    ]
    back = block((-w / 2 + post, w / 2 - post), (y[1] - 0.016, y[1] - 0.006), box_z, 0.001)
    floor = block((-w / 2 + post, w / 2 - post), (y[0] + 0.004, y[1] - 0.016), (box_z[0], box_z[0] + 0.01), 0.001)
    slab = block((-w / 2, w / 2), y, (h - top, h), 0.004)
    d.solid("Body", (wood, [slab, *slats, *sides, back, floor]), (steel, [*posts, *rails]))
    d.surface("top", h, (-w / 2, w / 2), y)
    d.surface("shelf", low + 0.038, (-w / 2 + post, w / 2 - post), y)
    x, zz = inner((-w / 2 + post, w / 2 - post)), inner((box_z[0] + 0.01, box_z[1]))
    front = y[0] + 0.003
    drawer(
        d,
        "Drawer",
        x=x,
        z=zz,
        front=front,
        back=y[1] - 0.016,
        front_shapes=[block(x, (front, front + 0.018), zz, 0.002)],
        front_thickness=0.018,
        front_material=wood,
        box_material=ASH,
        fittings=(steel, [cup_handle(0.0, front + 0.001, sum(zz) / 2, 0.1, front + 0.001 + d.depth / 2)]),
        parent="Body",
    )


@kind(
    "bookshelf",
    category="bookshelf",
    role="furniture",
    size=(0.85, 0.32, 1.85),
    smallest=(0.40, 0.20, 0.80),
    largest=(2.00, 0.50, 2.60),
    mass_kg=42.0,
)
def bookshelf(d: Draft) -> None:
    """Open shelves for books."""
    {"modern": _modern_bookshelf, "classic": _classic_bookshelf, "industrial": _industrial_bookshelf}[d.style](d)


def _levels(low: float, high: float, t: float) -> list[Vec2]:
    """Boards (low, high z) between a bottom and a top board, about 0.34 m apart."""
    bays = divided(low + t, high - t, max(2, round((high - low) / 0.36)), t)
    return [(a[1], b[0]) for a, b in pairwise(bays)]


def _shelf_hints(d: Draft, tops: list[float], x: Vec2, y: Vec2) -> None:
    for number, top in enumerate(tops, 1):
        d.surface(f"board {number}", top, x, y)


def _modern_bookshelf(d: Draft) -> None:
    """Sides, boards and a coloured back; upright dividers set off from bay to bay."""
    wood = d.pick((*WOODS["modern"], PAINTS["modern"][0]))
    back_material = d.pick((wood, *PAINTS["modern"][1:]))
    w, h, t = d.width, d.height, 0.022
    x, y, z = (-w / 2, w / 2), (-d.depth / 2, d.depth / 2), (0.06, h)
    inside = (x[0] + t, x[1] - t)
    board_y = (y[0] + 0.006, y[1] - 0.008)
    levels = _levels(*z, t)
    *shell, _ = carcass(x, y, z, t)
    boards = [block(inside, board_y, level, 0.0015) for level in levels]
    plinth = block((x[0] + 0.012, x[1] - 0.012), (y[0] + 0.03, y[1]), (0.0, z[0]), 0.002)
    uprights = []
    if w > 0.6 and d.chance(0.7):
        floors = [z[0] + t, *(level[1] for level in levels)]
        heads = [*(level[0] for level in levels), h - t]
        for number, (low, high) in enumerate(zip(floors, heads, strict=True)):
            at = (0.17, -0.17, 0.0)[number % 3] * w
            if number % 3 != 2:
                uprights.append(block((at - t / 2, at + t / 2), (y[0] + 0.012, board_y[1]), (low, high), 0.001))
    back = block(inside, (y[1] - 0.008, y[1]), (z[0] + t, h - t), 0.0)
    d.solid("Shelf", (wood, [*shell, *boards, plinth, *uprights]), (back_material, [back]))
    _shelf_hints(d, [z[0] + t, *(level[1] for level in levels), h], inside, board_y)


def _classic_bookshelf(d: Draft) -> None:
    """Cornice, fluted stiles, thick boards and a moulded plinth."""
    wood = d.pick((*WOODS["classic"], PAINTS["classic"][0]))
    w, h, t = d.width, d.height, 0.024
    y0, y1 = -d.depth / 2, d.depth / 2
    base, crown, lip = 0.1, 0.08, 0.018
    x, y, z = (-w / 2 + lip, w / 2 - lip), (y0 + lip, y1), (base, h - crown)
    centre = (y0 + y1) / 2
    mouldings = [
        prism(rectangle(w - inset, d.depth - inset / 2), low, high, bevel).moved(y=centre + inset / 4)
        for inset, low, high, bevel in (
            (0.0, 0.0, base, 0.01),
            (0.03, h - crown, h - crown + 0.03, 0.005),
            (0.015, h - crown + 0.026, h - 0.026, 0.01),
            (0.0, h - 0.03, h, 0.008),
        )
    ]
    stile = 0.055
    stiles = []
    for sx in (-1, 1):
        left = sx * (x[1] - stile / 2) - stile / 2
        stiles.append(block((left, left + stile), (y0 + 0.008, y[0] + 0.006), z, 0.002))
        stiles += [
            block((left + a, left + a + 0.007), (y0 + 0.004, y0 + 0.012), (z[0] + 0.05, z[1] - 0.05), 0.002)
            for a in (0.012, 0.024, 0.036)
        ]
    head = block((x[0] + stile, x[1] - stile), (y0 + 0.008, y[0] + 0.006), (z[1] - 0.05, z[1]), 0.002)
    levels = _levels(z[0], z[1] - 0.04, t)
    inside = (x[0] + t, x[1] - t)
    board_y = (y[0] + 0.004, y1 - 0.008)
    boards = [block(inside, board_y, level, 0.004) for level in levels]
    d.solid("Shelf", (wood, [*carcass(x, y, z, t), *mouldings, *stiles, head, *boards]))
    _shelf_hints(d, [z[0] + t, *(level[1] for level in levels), h], inside, board_y)


def _industrial_bookshelf(d: Draft) -> None:
    """Plank boards on a black steel frame, stiffened by a cross of flat steel at the back."""
    wood, steel = d.pick(WOODS["industrial"]), d.pick(METALS["industrial"])
    w, h, s, t = d.width, d.height, 0.025, 0.03
    y0, y1 = -d.depth / 2, d.depth / 2
    posts = [
        block((cx - s / 2, cx + s / 2), (cy - s / 2, cy + s / 2), (0.0, h), 0.002)
        for cx in (-w / 2 + s / 2, w / 2 - s / 2)
        for cy in (y0 + s / 2, y1 - s / 2)
    ]
    count = max(3, round(h / 0.4))
    tops = [0.1 + t + k * (h - 0.1 - t - 0.06) / (count - 1) for k in range(count)]
    inside = (-w / 2 + s, w / 2 - s)
    boards = [block(inside, (y0 + 0.002, y1 - 0.006), (top - t, top), 0.003) for top in tops]
    rails = [
        block(xx, (y0 + s, y1 - s), (top - t, top - t + 0.02), 0.001)
        for top in tops
        for xx in ((-w / 2 + 0.002, -w / 2 + s), (w / 2 - s, w / 2 - 0.002))
    ]
    ties = [block(inside, (y, y + 0.016), (h - 0.02, h - 0.004), 0.001) for y in (y0 + 0.004, y1 - 0.02)]
    ends = [
        block(xx, (y0 + s, y1 - s), (h - 0.02, h - 0.004), 0.001) for xx in ((-w / 2, -w / 2 + s), (w / 2 - s, w / 2))
    ]
    cross = [
        bar((sx * inside[0], y1 - 0.0035, tops[0]), (sx * inside[1], y1 - 0.0035, tops[-1] - t), 0.003, 0.022)
        for sx in (1, -1)
    ]
    d.solid("Shelf", (wood, boards), (steel, [*posts, *rails, *ties, *ends, *cross]))
    _shelf_hints(d, tops, inside, (y0, y1))
