"""Wardrobes."""

from __future__ import annotations

from itertools import pairwise

from ...executor.model.piece import Joint, Material, Vec2
from .casework import (
    GAP,
    bar_handle,
    carcass,
    divided,
    drawer,
    framed_panel,
    grooved_panel,
    inner,
    knob,
)
from .draft import Draft
from .palette import ASH, METALS, PAINTS, WOODS
from .registry import kind
from .shape import Shape
from .shapes import block, prism, rectangle, tube, turned


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
    boards = [block((a[1], b[0]), y, (z[0] + t, z[1] - t), 0.001) for a, b in pairwise(bays)]
    boards += [block(bay, (y[0] + 0.02, y[1] - 0.01), (shelf_z, shelf_z + t), 0.001) for bay in bays]
    middle_y = (y[0] + y[1]) / 2
    rails = [tube([(bay[0], middle_y, shelf_z - 0.06), (bay[1], middle_y, shelf_z - 0.06)], 0.0125, 10) for bay in bays]
    return boards, rails


def _door(
    d: Draft, index: int, x: Vec2, front: float, *parts: tuple[Material, list[Shape]], parent: str = "Carcass"
) -> None:
    """Add a hinged door; seen from the front, even ones hang on their left edge, odd ones on their right."""
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
        handle = bar_handle((grip, y0 + 0.002, middle - 0.17), (grip, y0 + 0.002, middle + 0.17), reach + 0.002, 0.006)
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
        leaf = framed_panel(xx, (zz[0], split), front, 0.02, 0.06) + framed_panel(xx, (split, zz[1]), front, 0.02, 0.06)
        grip = xx[1] - 0.03 if index % 2 == 0 else xx[0] + 0.03
        _door(d, index, xx, front, (wood, leaf), (brass, [knob(grip, front, split, 0.016, front - y0 + reach)]))
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
        plate = block((grip - 0.014, grip + 0.014), (y0 - 0.003, y0 + 0.001), (middle - 0.08, middle + 0.08), 0.001)
        pull = bar_handle((grip, y0, middle - 0.05), (grip, y0, middle + 0.05), reach, 0.006)
        metal_parts = [plate, pull]
        if planked:
            rim, inside = 0.03, (zz[0] + 0.03, zz[1] - 0.03)
            frame = framed_panel(x, zz, y0, 0.018, rim, raised=False)
            planks = grooved_panel((x[0] + rim, x[1] - rim), inside, y0 + 0.004, 0.01, 5)
            brace = [
                block((x[0] + rim, x[1] - rim), (y0 + 0.001, y0 + 0.006), (zb, zb + 0.04)) for zb in _thirds(inside)
            ]
            _door(d, index, x, y0, (steel, [*frame, *brace, *metal_parts]), (wood, planks))
        else:
            leaf = [block(x, (y0 + 0.002, y0 + 0.018), zz, 0.004)]
            half = 0.3 * (x[1] - x[0])
            centre = (x[0] + x[1]) / 2
            louvres = [
                block((centre - half, centre + half), (y0 - 0.004, y0 + 0.006), (zl, zl + 0.012), 0.002).turned(
                    x=-20, about=(0.0, y0, zl)
                )
                for start in (zz[0] + 0.12, zz[1] - 0.3)
                for zl in (start + 0.032 * k for k in range(6))
            ]
            label = block((centre - 0.04, centre + 0.04), (y0 - 0.001, y0 + 0.004), (zz[1] - 0.42, zz[1] - 0.38), 0.001)
            _door(d, index, x, y0, (body, [*leaf, *louvres]), (steel, [*metal_parts, label]))


def _thirds(z: Vec2) -> tuple[float, float]:
    return (z[0] + (z[1] - z[0]) / 3 - 0.02, z[0] + 2 * (z[1] - z[0]) / 3 - 0.02)


def _wardrobe_hints(d: Draft, y: Vec2, floor_z: float, t: float) -> None:
    inside = (-d.width / 2 + t, d.width / 2 - t)
    d.surface("inside", floor_z, inside, y)
