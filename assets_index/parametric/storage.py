"""Cabinets and shelves: nightstand, wardrobe, bookshelf."""

from __future__ import annotations

from .casework import (
    GAP,
    bar_handle,
    carcass,
    cup_handle,
    divided,
    drawer,
    framed_panel,
    grooved_panel,
    inner,
    knob,
)
from .draft import Draft
from .palette import ASH, METALS, PAINTS, WOODS
from .piece import Joint, Material, Vec2
from .registry import kind
from .shape import Shape
from .shapes import bar, block, leg, prism, rectangle, tube, turned


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
    {"modern": _modern_nightstand, "classic": _classic_nightstand, "industrial": _industrial_nightstand}[
        d.style
    ](d)


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
    rails = [
        block((x[0] + t, x[1] - t), body_y, (a[1], b[0]), 0.001) for a, b in zip(rows, rows[1:], strict=False)
    ]
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
    floor = block(
        (-w / 2 + post, w / 2 - post), (y[0] + 0.004, y[1] - 0.016), (box_z[0], box_z[0] + 0.01), 0.001
    )
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
    "wardrobe",
    category="wardrobe",
    role="furniture",
    size=(1.20, 0.62, 2.05),
    smallest=(0.60, 0.40, 1.50),
    largest=(2.60, 0.80, 2.60),
    mass_kg=95.0,
)
def wardrobe(d: Draft) -> None:
    """A wardrobe with hinged doors, a hanging rail and a shelf inside."""
    {"modern": _modern_wardrobe, "classic": _classic_wardrobe, "industrial": _industrial_wardrobe}[d.style](d)


def _door_count(width: float) -> int:
    return 2 * max(1, round(width / 1.25))


def _interior(x: Vec2, y: Vec2, z: Vec2, t: float, doors: int) -> tuple[list[Shape], list[Shape]]:
    """Boards (dividers between pairs of doors, a hat shelf) and rails of a wardrobe."""
    bays = divided(x[0] + t, x[1] - t, doors // 2, t)
    shelf_z = z[1] - 0.36
    boards = [
        block((a[1], b[0]), y, (z[0] + t, z[1] - t), 0.001) for a, b in zip(bays, bays[1:], strict=False)
    ]
    boards += [block(bay, (y[0] + 0.02, y[1] - 0.01), (shelf_z, shelf_z + t), 0.001) for bay in bays]
    middle_y = (y[0] + y[1]) / 2
    rails = [
        tube([(bay[0], middle_y, shelf_z - 0.06), (bay[1], middle_y, shelf_z - 0.06)], 0.0125, 10)
        for bay in bays
    ]
    return boards, rails


def _door(
    d: Draft, index: int, x: Vec2, front: float, *parts: tuple[Material, list[Shape]], parent: str = "Carcass"
) -> None:
    """Add a hinged door; even ones hang on their left edge as seen from the front, odd ones on their right."""
    left = index % 2 == 0
    joint = Joint("hinge", (0.0, 0.0, -1.0 if left else 1.0), (x[0] if left else x[1], front, 0.0), 110.0)
    d.solid(f"Door {index + 1}", *parts, parent=parent, joint=joint)


def _modern_wardrobe(d: Draft) -> None:
    """A plain box on a set-back plinth; slab, grooved or half-and-half doors with long slim handles."""
    wood, metal = d.pick(WOODS["modern"]), d.pick(METALS["modern"])
    front_material = d.pick((wood, *PAINTS["modern"]))
    w, h, reach, t = d.width, d.height, 0.026, 0.02
    y0, y1 = -d.depth / 2 + reach, d.depth / 2
    y, z = (y0 + t + 0.002, y1), (0.07, h)
    doors = _door_count(w)
    boards, rails = _interior((-w / 2, w / 2), (y[0], y1), z, t, doors)
    plinth = block((-w / 2 + 0.02, w / 2 - 0.02), (y0 + 0.05, y1 - 0.01), (0.0, z[0]), 0.002)
    d.solid("Carcass", (wood, [*carcass((-w / 2, w / 2), y, z, t), *boards, plinth]), (metal, rails))
    _wardrobe_hints(d, y, z[0] + t, t)
    grooved = d.chance(0.5)
    for index, x in enumerate(divided(-w / 2, w / 2, doors, GAP)):
        zz = (z[0] + 0.002, h)
        if grooved:
            leaf = grooved_panel(x, zz, y0, t, max(4, round((x[1] - x[0]) / 0.085)))
        else:
            leaf = [block(x, (y0, y0 + t), zz, 0.0025)]
        grip = x[1] - 0.035 if index % 2 == 0 else x[0] + 0.035
        middle = z[0] + 0.48 * (h - z[0])
        handle = bar_handle(
            (grip, y0 + 0.002, middle - 0.17), (grip, y0 + 0.002, middle + 0.17), reach + 0.002, 0.006
        )
        _door(d, index, x, y0, (front_material, leaf), (metal, [handle]))


def _classic_wardrobe(d: Draft) -> None:
    """A cornice on top, framed doors with two raised fields each, a drawer below, and bun feet."""
    wood = d.pick((*WOODS["classic"], PAINTS["classic"][0]))
    brass = d.pick(METALS["classic"])
    w, h, reach, t = d.width, d.height, 0.024, 0.022
    y0, y1 = -d.depth / 2 + reach, d.depth / 2
    foot, base, crown = 0.07, 0.05, 0.11
    x = (-w / 2 + 0.035, w / 2 - 0.035)
    body_y = (y0 + 0.035, y1 - 0.005)
    drawer_z = (foot + base + t, foot + base + t + 0.2)
    z = (foot + base, h - crown)
    doors = _door_count(w)
    door_z = (drawer_z[1] + t, h - crown)
    boards, rails = _interior(x, body_y, (drawer_z[1], z[1]), t, doors)
    mouldings = [
        prism(rectangle(w - inset, y1 - y0 - inset), low, high, bevel).moved(y=(y0 + y1) / 2)
        for inset, low, high, bevel in (
            (0.02, foot, foot + base, 0.012),
            (0.05, h - crown, h - crown + 0.04, 0.006),
            (0.025, h - crown + 0.035, h - 0.035, 0.014),
            (0.0, h - 0.04, h, 0.01),
        )
    ]
    profile = [(0.7, 0.0), (0.95, 0.15), (1.0, 0.45), (0.8, 0.8), (0.5, 0.9), (0.6, 1.0)]
    feet = [
        turned([(0.042 * r, s * foot) for r, s in profile], at=(sx * (w / 2 - 0.07), yy), segments=16)
        for sx in (-1, 1)
        for yy in (y0 + 0.07, y1 - 0.07)
    ]
    shell = carcass(x, body_y, z, t)
    sill = block((x[0] + t, x[1] - t), body_y, (drawer_z[1], drawer_z[1] + t), 0.001)
    d.solid("Carcass", (wood, [*shell, sill, *boards, *mouldings, *feet]), (brass, rails))
    _wardrobe_hints(d, body_y, drawer_z[1] + t, t)
    front = body_y[0] - 0.022
    for index, xx in enumerate(divided(*x, doors, GAP)):
        zz = inner(door_z, 0.002)
        split = zz[0] + 0.42 * (zz[1] - zz[0])
        leaf = framed_panel(xx, (zz[0], split), front, 0.02, 0.06) + framed_panel(
            xx, (split, zz[1]), front, 0.02, 0.06
        )
        grip = xx[1] - 0.03 if index % 2 == 0 else xx[0] + 0.03
        _door(
            d, index, xx, front, (wood, leaf), (brass, [knob(grip, front, split, 0.016, front - y0 + reach)])
        )
    xx, zz = inner((x[0] + t, x[1] - t)), inner(drawer_z)
    face = body_y[0] + 0.001
    drawer(
        d,
        "Drawer",
        x=xx,
        z=zz,
        front=face,
        back=body_y[1] - 0.01,
        front_shapes=framed_panel(xx, zz, face, 0.02, 0.035),
        front_thickness=0.02,
        front_material=wood,
        box_material=ASH,
        fittings=(brass, [knob(sx * 0.25 * w, face, sum(zz) / 2, 0.016, 0.03) for sx in (-1, 1)]),
        parent="Carcass",
    )


def _industrial_wardrobe(d: Draft) -> None:
    """A steel locker: louvred doors with latch plates, on short legs; or planked doors in a steel frame."""
    planked = d.chance(0.5)
    steel = d.pick(METALS["industrial"])
    body = steel if planked else d.pick(PAINTS["industrial"])
    wood = d.pick(WOODS["industrial"])
    w, h, reach, t = d.width, d.height, 0.026, 0.015
    y0, y1 = -d.depth / 2 + reach, d.depth / 2
    y, z = (y0 + 0.02, y1), (0.12, h)
    doors = _door_count(w)
    boards, rails = _interior((-w / 2, w / 2), y, z, t, doors)
    legs = [
        block((cx - 0.018, cx + 0.018), (cy - 0.018, cy + 0.018), (0.0, z[0]), 0.002)
        for cx in (-w / 2 + 0.03, w / 2 - 0.03)
        for cy in (y[0] + 0.03, y1 - 0.03)
    ]
    d.solid("Carcass", (body, [*carcass((-w / 2, w / 2), y, z, t), *boards, *legs]), (steel, rails))
    _wardrobe_hints(d, y, z[0] + t, t)
    for index, x in enumerate(divided(-w / 2, w / 2, doors, GAP)):
        zz = (z[0] + 0.002, h - 0.002)
        grip = x[1] - 0.03 if index % 2 == 0 else x[0] + 0.03
        middle = z[0] + 0.5 * (h - z[0])
        plate = block(
            (grip - 0.014, grip + 0.014), (y0 - 0.003, y0 + 0.001), (middle - 0.08, middle + 0.08), 0.001
        )
        pull = bar_handle((grip, y0, middle - 0.05), (grip, y0, middle + 0.05), reach, 0.006)
        metal_parts = [plate, pull]
        if planked:
            rim, inside = 0.03, (zz[0] + 0.03, zz[1] - 0.03)
            frame = framed_panel(x, zz, y0, 0.018, rim, raised=False)
            planks = grooved_panel((x[0] + rim, x[1] - rim), inside, y0 + 0.004, 0.01, 5)
            brace = [
                block((x[0] + rim, x[1] - rim), (y0 + 0.001, y0 + 0.006), (zb, zb + 0.04))
                for zb in _thirds(inside)
            ]
            _door(d, index, x, y0, (steel, [*frame, *brace, *metal_parts]), (wood, planks))
        else:
            leaf = [block(x, (y0 + 0.002, y0 + 0.018), zz, 0.004)]
            half = 0.3 * (x[1] - x[0])
            centre = (x[0] + x[1]) / 2
            louvres = [
                block(
                    (centre - half, centre + half), (y0 - 0.004, y0 + 0.006), (zl, zl + 0.012), 0.003
                ).turned(x=-20, about=(0.0, y0, zl))
                for start in (zz[0] + 0.12, zz[1] - 0.3)
                for zl in (start + 0.032 * k for k in range(6))
            ]
            label = block(
                (centre - 0.04, centre + 0.04), (y0 - 0.001, y0 + 0.004), (zz[1] - 0.42, zz[1] - 0.38), 0.001
            )
            _door(d, index, x, y0, (body, [*leaf, *louvres]), (steel, [*metal_parts, label]))


def _thirds(z: Vec2) -> tuple[float, float]:
    return (z[0] + (z[1] - z[0]) / 3 - 0.02, z[0] + 2 * (z[1] - z[0]) / 3 - 0.02)


def _wardrobe_hints(d: Draft, y: Vec2, floor_z: float, t: float) -> None:
    inside = (-d.width / 2 + t, d.width / 2 - t)
    d.surface("inside", floor_z, inside, y)


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
    {"modern": _modern_bookshelf, "classic": _classic_bookshelf, "industrial": _industrial_bookshelf}[
        d.style
    ](d)


def _levels(low: float, high: float, t: float) -> list[Vec2]:
    """Boards (low, high z) between a bottom and a top board, about 0.34 m apart."""
    bays = divided(low + t, high - t, max(2, round((high - low) / 0.36)), t)
    return [(a[1], b[0]) for a, b in zip(bays, bays[1:], strict=False)]


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
                uprights.append(
                    block((at - t / 2, at + t / 2), (y[0] + 0.012, board_y[1]), (low, high), 0.001)
                )
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
        block(xx, (y0 + s, y1 - s), (h - 0.02, h - 0.004), 0.001)
        for xx in ((-w / 2, -w / 2 + s), (w / 2 - s, w / 2))
    ]
    cross = [
        bar((sx * inside[0], y1 - 0.0035, tops[0]), (sx * inside[1], y1 - 0.0035, tops[-1] - t), 0.003, 0.022)
        for sx in (1, -1)
    ]
    d.solid("Shelf", (wood, boards), (steel, [*posts, *rails, *ties, *ends, *cross]))
    _shelf_hints(d, tops, inside, (y0, y1))
