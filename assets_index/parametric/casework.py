"""Parts that cabinets share: carcasses, panelled fronts, drawers, doors, handles and feet."""

from __future__ import annotations

from collections.abc import Sequence

from ...executor.model.piece import Joint, Material, Vec2, Vec3
from .draft import Draft
from .shape import Shape
from .shapes import block, prism, rectangle, tube, turned

GAP = 0.003
"""Play around drawers and doors, metres."""


def carcass(x: Vec2, y: Vec2, z: Vec2, thickness: float, back: float = 0.008) -> list[Shape]:
    """An open-fronted box of boards: two sides, bottom, top and a back panel."""
    (x0, x1), (z0, z1), y1, t = x, z, y[1], thickness
    inside = (x0 + t, x1 - t)
    return [
        block((x0, x0 + t), y, z),
        block((x1 - t, x1), y, z),
        block(inside, y, (z0, z0 + t), 0.001),
        block(inside, y, (z1 - t, z1), 0.001),
        block(inside, (y1 - back, y1), (z0 + t, z1 - t), 0.0),
    ]


def framed_panel(x: Vec2, z: Vec2, front: float, thickness: float, rail: float, *, raised: bool = True) -> list[Shape]:
    """A frame-and-panel front facing −Y from y = ``front``: stiles, rails, a sunk panel, its field raised."""
    (x0, x1), (z0, z1) = x, z
    rail = min(rail, (x1 - x0) / 4, (z1 - z0) / 4)
    back = front + thickness
    inner_x, inner_z = (x0 + rail, x1 - rail), (z0 + rail, z1 - rail)
    shapes = [
        block((x0, inner_x[0]), (front, back), z),
        block((inner_x[1], x1), (front, back), z),
        block(inner_x, (front, back), (z0, inner_z[0])),
        block(inner_x, (front, back), (inner_z[1], z1)),
        block(inner_x, (front + 0.55 * thickness, back), inner_z, 0.0),
    ]
    if raised:
        edge = min(0.025, (inner_x[1] - inner_x[0]) / 6, (inner_z[1] - inner_z[0]) / 6)
        width, height = inner_x[1] - inner_x[0] - 2 * edge, inner_z[1] - inner_z[0] - 2 * edge
        field = prism(rectangle(width, height), front + 0.15 * thickness, front + 0.7 * thickness, 0.012, axis="y")
        shapes.append(field.moved(x=(x0 + x1) / 2, z=(z0 + z1) / 2))
    return shapes


def grooved_panel(x: Vec2, z: Vec2, front: float, thickness: float, boards: int) -> list[Shape]:
    """A front of upright boards with V-grooves between them, facing −Y from y = ``front``."""
    step = (x[1] - x[0]) / boards
    return [
        block((x[0] + k * step, x[0] + (k + 1) * step), (front, front + thickness), z, min(0.004, thickness / 3))
        for k in range(boards)
    ]


def knob(x: float, front: float, z: float, radius: float = 0.014, reach: float = 0.024) -> Shape:
    """A turned knob that stands out by ``reach`` from a front at y = ``front``."""
    profile = [(0.45, 0.0), (0.42, 0.35), (0.95, 0.6), (1.0, 0.78), (0.8, 0.95), (0.0, 1.0)]
    shape = turned([(r * radius, t * reach) for r, t in profile], segments=12)
    return shape.turned(x=90).moved(x, front, z)


def bar_handle(start: Vec3, end: Vec3, reach: float = 0.024, radius: float = 0.005) -> Shape:
    """A bent rod from one point of a front to another, standing out towards −Y by ``reach``."""
    out = reach - radius
    path = [
        start,
        (start[0], start[1] - out, start[2]),
        (end[0], end[1] - out, end[2]),
        end,
    ]
    return tube(path, radius, 8)


def cup_handle(x: float, front: float, z: float, width: float = 0.09, reach: float = 0.022) -> Shape:
    """A half-shell pull, open downwards."""
    shell = turned(
        [
            (1.0, 0.0),
            (0.93, 0.35),
            (0.7, 0.75),
            (0.35, 0.97),
            (0.02, 1.0),
            (0.02, 0.9),
            (0.3, 0.86),
            (0.62, 0.66),
            (0.84, 0.3),
            (0.9, 0.0),
        ],
        segments=20,
        ring=True,
    )
    # Only the upper half is wanted: press the lower half flat against the middle line.
    vertices = shell.vertices.copy()
    vertices[vertices[:, 1] < 0, 1] *= 0.12
    shape = Shape(vertices, shell.faces, shell.smooth).scaled(width / 2, width / 4, reach)
    return shape.turned(x=90).moved(x, front, z)


def drawer(
    draft: Draft,
    name: str,
    *,
    x: Vec2,
    z: Vec2,
    front: float,
    back: float,
    front_shapes: Sequence[Shape],
    front_thickness: float,
    front_material: Material,
    box_material: Material,
    fittings: tuple[Material, Sequence[Shape]],
    parent: str,
) -> None:
    """Add a drawer: its front, a real open box behind it, and a slide towards −Y over 80 % of the depth.

    Args:
        draft: the piece.
        name: of the solid.
        x, z: the opening that it fills.
        front, back: y of the front's face and of the end of the box.
        front_shapes: the front, facing −Y.
        front_thickness: thickness of the front.
        front_material, box_material: of front and box.
        fittings: handles, with their material.
        parent: the carcass.
    """
    t = 0.01
    x0, x1 = x[0] + 0.008, x[1] - 0.008
    z0, z1 = z[0] + 0.006, z[0] + 0.006 + 0.75 * (z[1] - z[0])
    y0, y1 = front + front_thickness, back - 0.01
    box = [
        block((x0, x0 + t), (y0, y1), (z0, z1), 0.0),
        block((x1 - t, x1), (y0, y1), (z0, z1), 0.0),
        block((x0 + t, x1 - t), (y1 - t, y1), (z0, z1), 0.0),
        block((x0 + t, x1 - t), (y0, y1 - t), (z0 + 0.004, z0 + 0.012), 0.0),
    ]
    centre = ((x[0] + x[1]) / 2, front, (z[0] + z[1]) / 2)
    joint = Joint("slide", (0.0, -1.0, 0.0), centre, round(0.8 * (y1 - front), 4))
    draft.solid(name, (front_material, front_shapes), (box_material, box), fittings, parent=parent, joint=joint)


def inner(x: Vec2, gap: float = GAP) -> Vec2:
    """A range shrunk by the play on either side."""
    return (x[0] + gap, x[1] - gap)


def divided(low: float, high: float, count: int, between: float) -> list[Vec2]:
    """``count`` equal ranges from low to high with ``between`` left between neighbours."""
    each = (high - low - (count - 1) * between) / count
    return [(low + k * (each + between), low + k * (each + between) + each) for k in range(count)]
