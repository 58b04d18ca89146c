"""Desks and tables. Who works at a desk sits on its −Y side, where its drawers are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...executor.model.piece import Vec2
from .casework import GAP, bar_handle, carcass, cup_handle, divided, drawer, framed_panel, inner, knob
from .draft import Draft
from .palette import ASH, METALS, PAINTS, WOODS
from .registry import kind
from .shape import Shape
from .shapes import bar, block, leg, prism, rectangle, rounded_rect, tube


@kind(
    "desk",
    category="desk",
    role="furniture",
    size=(1.40, 0.70, 0.75),
    smallest=(0.80, 0.45, 0.60),
    largest=(2.20, 1.10, 1.10),
    mass_kg=38.0,
)
def desk(d: Draft) -> None:
    """A desk with a flat top, room for knees, and drawers."""
    {"modern": _modern_desk, "classic": _classic_desk, "industrial": _industrial_desk}[d.style](d)


def _modern_desk(d: Draft) -> None:
    """A slim top with two shallow drawers under it on splayed legs, or legs on one side and a pedestal."""
    wood, metal = d.pick(WOODS["modern"]), d.pick(METALS["modern"])
    front_material = d.pick((wood, *PAINTS["modern"]))
    w, h = d.width, d.height
    y0, y1 = -d.depth / 2, d.depth / 2
    top = 0.026
    slab = prism(rounded_rect(w, d.depth, 0.03, 4), h - top, h, 0.004)
    tray = (h - top - 0.105, h - top)
    box_x, box_y = (-w / 2 + 0.06, w / 2 - 0.06), (y0 + 0.035, y1 - 0.04)
    pedestal = d.chance(0.45)
    case = (box_x[1] - 0.4, box_x[1])
    legs = [
        leg((sx * (box_x[1] - 0.05), yt, tray[0]), (sx * (w / 2 - 0.03), yf, 0.0), 0.044, 0.026, round_=True)
        for sx in ((-1,) if pedestal else (-1, 1))
        for yt, yf in ((box_y[0] + 0.06, y0 + 0.04), (box_y[1] - 0.06, y1 - 0.04))
    ]
    panel = block((box_x[0] + 0.02, box_x[1] - 0.02), (y1 - 0.075, y1 - 0.06), (tray[0] - 0.22, tray[0]), 0.003)
    shapes = [slab, *carcass(box_x, box_y, tray, 0.014), *legs, panel]
    columns = divided(box_x[0] + 0.014, box_x[1] - 0.014, 2, 0.014)
    shapes.append(block((columns[0][1], columns[1][0]), box_y, (tray[0] + 0.014, tray[1] - 0.014), 0.0))
    if pedestal:
        shapes += carcass(case, box_y, (0.06, tray[0]), 0.018)
        shapes.append(block((case[0] + 0.02, case[1] - 0.02), (box_y[0] + 0.04, box_y[1] - 0.02), (0.0, 0.06), 0.001))
    d.solid("Desk", (wood, shapes))
    d.surface("top", h, (-w / 2, w / 2), (y0, y1))
    openings = [(x, (tray[0] + 0.014, tray[1] - 0.014)) for x in columns]
    if pedestal:
        inside = (case[0] + 0.018, case[1] - 0.018)
        openings += [(inside, row) for row in reversed(divided(0.078, tray[0] - 0.018, 3, 0.004))]
    front = box_y[0] + 0.001
    for number, (x, z) in enumerate(openings, 1):
        x, z = inner(x), inner(z, 0.002)
        middle, grip = sum(x) / 2, min(0.08, 0.25 * (x[1] - x[0]))
        pull = bar_handle((middle - grip, front, sum(z) / 2), (middle + grip, front, sum(z) / 2), 0.022, 0.0045)
        drawer(
            d,
            f"Drawer {number}",
            x=x,
            z=z,
            front=front,
            back=box_y[1] - 0.01,
            front_shapes=[block(x, (front, front + 0.016), z, 0.0015)],
            front_thickness=0.016,
            front_material=front_material,
            box_material=ASH,
            fittings=(metal, [pull]),
            parent="Desk",
        )


def _classic_desk(d: Draft) -> None:
    """A pedestal desk: a moulded top on two stacks of panelled drawers, one drawer over the knees."""
    wood, brass = d.pick(WOODS["classic"]), d.pick(METALS["classic"])
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    top, plinth, t = 0.03, 0.07, 0.018
    slab = prism(rectangle(w, d.depth), h - top, h, 0.009)
    y = (y0 + 0.03, y1 - 0.02)
    edge = w / 2 - 0.03
    case = 0.29 * w
    frieze = h - top - 0.11
    stacks = ((-edge, -edge + case), (edge - case, edge))
    shapes = [slab, prism(rectangle(w - 0.035, d.depth - 0.03), h - top - 0.012, h - top, 0.005)]
    openings: list[tuple[Vec2, Vec2]] = []
    for x in stacks:
        shapes += carcass(x, y, (plinth, h - top), t)
        middle_x = (x[0] + x[1]) / 2
        foot = prism(rectangle(case + 0.02, y[1] - y[0] + 0.02), 0.0, plinth, 0.009)
        shapes.append(foot.moved(middle_x, (y[0] + y[1]) / 2))
        rows = [*divided(plinth + t, frieze - t, 2, 0.012), (frieze, h - top - t)]
        inside = (x[0] + t, x[1] - t)
        shapes += [block(inside, y, (a[1], b[0]), 0.001) for a, b in pairwise(rows) if b[0] > a[1]]
        openings += [(inside, row) for row in reversed(rows)]
        for outer, face in ((x[0], -1), (x[1], 1)):
            if abs(outer) == edge:
                shapes += _side_panels(outer, face, y, (plinth + 0.03, h - top - 0.04))
    knee = (stacks[0][1], stacks[1][0])
    shapes += [
        block(knee, (y[0] + 0.004, y[1]), (frieze - t, frieze), 0.001),
        block(knee, (y[1] - 0.03, y[1] - 0.012), (plinth + 0.1, frieze - t), 0.002),
    ]
    openings.append((knee, (frieze, h - top - 0.012)))
    d.solid("Desk", (wood, shapes))
    d.surface("top", h, (-w / 2, w / 2), (y0, y1))
    front = y[0] + 0.001
    for number, (x, z) in enumerate(openings, 1):
        x, z = inner(x), inner(z)
        pulls = [knob(sum(x) / 2 + dx, front, sum(z) / 2, 0.012, 0.02) for dx in _pull_places(x)]
        drawer(
            d,
            f"Drawer {number}",
            x=x,
            z=z,
            front=front,
            back=y[1] - 0.04,
            front_shapes=framed_panel(x, z, front, 0.018, 0.02, raised=False),
            front_thickness=0.018,
            front_material=wood,
            box_material=ASH,
            fittings=(brass, pulls),
            parent="Desk",
        )


def _side_panels(x: float, face: int, y: Vec2, z: Vec2) -> list[Shape]:
    """A frame laid on a pedestal's outer side."""
    lo, hi = sorted((x, x + face * 0.006))
    r = 0.05
    return [
        block((lo, hi), (y[0], y[0] + r), z, 0.001),
        block((lo, hi), (y[1] - r, y[1]), z, 0.001),
        block((lo, hi), (y[0] + r, y[1] - r), (z[0], z[0] + r), 0.001),
        block((lo, hi), (y[0] + r, y[1] - r), (z[1] - r, z[1]), 0.001),
    ]


def _pull_places(x: Vec2) -> tuple[float, ...]:
    width = x[1] - x[0]
    return (0.0,) if width < 0.3 else (-0.27 * width, 0.27 * width)


def _industrial_desk(d: Draft) -> None:
    """A thick plank top on two steel trestles with a stretcher, and a drawer box hung under one side."""
    wood, steel = d.pick(WOODS["industrial"]), d.pick(METALS["industrial"])
    w, h, y0, y1 = d.width, d.height, -d.depth / 2, d.depth / 2
    top, s = 0.038, 0.03
    planks = [block((-w / 2, w / 2), y, (h - top, h), 0.0015) for y in divided(y0, y1, 4, 0.0)]
    under = h - top
    frame = []
    for x in (-w / 2 + 0.16, w / 2 - 0.16):
        for sy in (-1, 1):
            frame.append(leg((x, sy * 0.1 * d.depth, under - 0.012), (x, sy * (d.depth / 2 - 0.05), 0.0), s, s))
        frame.append(block((x - s / 2, x + s / 2), (y0 + 0.06, y1 - 0.06), (under - 0.024, under), 0.002))
        low = 0.26 * h
        spread = float(np.interp(low, (0, under), (d.depth / 2 - 0.05, 0.1 * d.depth)))
        frame.append(bar((x, -spread, low), (x, spread, low), 0.022, 0.022))
    beam_z = 0.26 * h
    frame.append(bar((-w / 2 + 0.16, 0.0, beam_z), (w / 2 - 0.16, 0.0, beam_z), 0.022, 0.022))
    foot_x = w / 2 - 0.16
    right = foot_x - s
    case_x, case_y, case_z = (
        (right - min(0.34, 0.24 * w), right),
        (y0 + 0.05, y1 - 0.08),
        (under - 0.13, under),
    )
    brace_at_case = float(np.interp(case_x[0], (0.02, foot_x), (under, beam_z)))
    if brace_at_case < case_z[0] - 0.01:
        frame += [tube([(sx * foot_x, 0.0, beam_z), (sx * 0.02, 0.0, under - 0.004)], 0.006, 8) for sx in (-1, 1)]
    frame += carcass(case_x, case_y, case_z, 0.012)
    panel = block((-w / 2 + 0.18, case_x[0] - 0.06), (y1 - 0.1, y1 - 0.088), (under - 0.25, under), 0.002)
    d.solid("Desk", (wood, planks), (steel, [*frame, panel]))
    d.surface("top", h, (-w / 2, w / 2), (y0, y1))
    opening_x, opening_z = inner(case_x, GAP + 0.012), inner(case_z, GAP + 0.012)
    front = case_y[0] + 0.001
    drawer(
        d,
        "Drawer",
        x=opening_x,
        z=opening_z,
        front=front,
        back=case_y[1] - 0.01,
        front_shapes=[block(opening_x, (front, front + 0.016), opening_z, 0.0015)],
        front_thickness=0.016,
        front_material=wood,
        box_material=steel,
        fittings=(steel, [cup_handle(sum(opening_x) / 2, front, sum(opening_z) / 2, 0.09, 0.022)]),
        parent="Desk",
    )
