"""Soft shapes: cushions, pillows, draped cloth and leaves. All closed, lengths in metres."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Face, Vec2, Vec3
from .shape import Shape
from .shapes import loft, with_convex_faces


def cushion(
    x: Vec2,
    y: Vec2,
    z: Vec2,
    *,
    radius: float = 0.03,
    puff: Vec3 = (0.0, 0.0, 0.01),
    edge: int = 2,
    inner: int = 3,
) -> Shape:
    """A box with round edges whose faces bulge.

    Args:
        x, y, z: its outer box, bulges included.
        radius: rounding of the edges.
        puff: how far the faces across each axis bulge in their middle.
        edge, inner: steps over an edge's half round and over a face's flat part.
    """
    lows, highs = np.array([x, y, z]).T
    half = (highs - lows) / 2 - np.array(puff)
    radius = min(radius, 0.98 * float(half.min()))
    # Half of each quarter round lies on either face: 45 degrees of it, laid out so that it is evenly divided.
    round_off = radius * (1 - np.tan(np.radians(np.linspace(45, 0, edge + 1))))
    axes = []
    for h in half:
        middle = np.linspace(-h + radius, h - radius, inner + 1)[1:-1]
        axes.append(np.concatenate([-h + round_off, middle, (h - round_off)[::-1]]))
    points, faces = _box_grid(axes)
    core = np.clip(points, -(half - radius), half - radius)
    out = points - core
    length = np.linalg.norm(out, axis=1, keepdims=True)
    points = core + radius * out / np.maximum(length, 1e-12)
    unit = points / half
    for axis in range(3):
        u, v = unit[:, (axis + 1) % 3], unit[:, (axis + 2) % 3]
        bulge = np.clip(1 - u**2, 0, 1) * np.clip(1 - v**2, 0, 1)
        points[:, axis] += puff[axis] * bulge * np.clip(unit[:, axis] * 1.5, -1, 1)
    shape = Shape(points, faces, np.ones(len(faces), np.bool_))
    return shape.fitted(x, y, z)


def _box_grid(axes: list[FloatArray]) -> tuple[FloatArray, tuple[Face, ...]]:
    """The surface of a lattice box: points and outward quads."""
    counts = [len(a) for a in axes]
    index: dict[tuple[int, ...], int] = {}
    lattice: list[list[float]] = []
    for ijk in product(*map(range, counts)):
        if any(i in (0, n - 1) for i, n in zip(ijk, counts, strict=True)):
            index[ijk] = len(lattice)
            lattice.append([a[i] for a, i in zip(axes, ijk, strict=True)])
    faces: list[Face] = []
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        for end, i, j in product((0, counts[axis] - 1), range(counts[b] - 1), range(counts[c] - 1)):
            quad = []
            for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                key = [0, 0, 0]
                key[axis], key[b], key[c] = end, i + di, j + dj
                quad.append(index[tuple(key)])
            faces.append(tuple(quad if end else quad[::-1]))
    return np.array(lattice, np.float64), tuple(faces)


def pillow(width: float, depth: float, thickness: float, *, pinch: float = 0.06, steps: int = 10) -> Shape:
    """A pillow lying about the origin, z from 0 to ``thickness``: full middle, drawn-out corners.

    Args:
        width, depth, thickness: its box.
        pinch: how far the sides are drawn in between the corners, as a share of the size.
        steps: grid steps along each side.
    """
    t = np.sin(np.linspace(-np.pi / 2, np.pi / 2, steps + 1))
    u, v = np.meshgrid(t, t, indexing="ij")
    x = u * (1 - pinch * (1 - v**2) * np.abs(u))
    y = v * (1 - pinch * (1 - u**2) * np.abs(v))
    swell = ((1 - np.abs(u) ** 2.4) * (1 - np.abs(v) ** 2.4)) ** 0.42
    surface = lens(np.stack([x * width / 2, y * depth / 2, 0 * u], -1), swell * thickness / 2)
    return surface.fitted((-width / 2, width / 2), (-depth / 2, depth / 2), (0.0, thickness))


def lens(middle: FloatArray, half_thickness: FloatArray) -> Shape:
    """A sheet given as a grid, made closed: two skins that share their border.

    Args:
        middle: ``(n, m, 3)``; the first index runs along x and the second along y for a sheet facing up.
        half_thickness: ``(n, m)`` along z; ignored on the border.
    """
    n, m, _ = middle.shape
    lift = np.zeros_like(middle)
    lift[..., 2] = half_thickness
    border = np.zeros((n, m), np.bool_)
    border[[0, -1], :] = border[:, [0, -1]] = True
    lift[border] = 0.0
    top = np.arange(n * m).reshape(n, m)
    bottom = top.copy()
    bottom[~border] = n * m + np.arange(int((~border).sum()))
    vertices = np.concatenate([(middle + lift).reshape(-1, 3), (middle - lift)[~border]])
    faces: list[Face] = []
    for skin, flip in ((top, False), (bottom, True)):
        for i, j in product(range(n - 1), range(m - 1)):
            quad = (int(skin[i, j]), int(skin[i + 1, j]), int(skin[i + 1, j + 1]), int(skin[i, j + 1]))
            faces.append(quad[::-1] if flip else quad)
    return Shape(vertices, tuple(faces), np.ones(len(faces), np.bool_))


def blade(
    path: FloatArray,
    widths: FloatArray,
    normals: FloatArray,
    *,
    fold: float = 0.15,
    thickness: float = 0.0015,
) -> Shape:
    """A leaf along a midrib.

    Args:
        path: ``(n, 3)`` midrib from stem to tip.
        widths: ``(n,)`` full width; made a point at both ends.
        normals: ``(n, 3)`` towards the upper side, about unit length.
        fold: how far the edges rise over the midrib, as a share of the half width (negative droops).
        thickness: at the midrib.
    """
    n = len(path)
    tangent = np.gradient(path, axis=0)
    side = np.cross(tangent, normals)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    up = np.cross(side, tangent)
    up /= np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9)
    half = widths[:, None] / 2
    edges = [path + s * half * side + fold * half * up for s in (-1.0, 1.0)]
    left, right = (e[1:-1] for e in edges)
    ribs = [(path + s * thickness / 2 * up)[1:-1] for s in (1.0, -1.0)]
    vertices = np.concatenate([path[:1], path[-1:], left, right, *ribs])
    k = n - 2
    rows = [2 + np.arange(k) + i * k for i in range(4)]
    faces: list[Face] = []
    for skin, flip in ((rows[2], False), (rows[3], True)):
        half_faces: list[tuple[int, ...]] = []
        for near, far in ((rows[0], skin), (skin, rows[1])):
            half_faces.append((0, int(far[0]), int(near[0])))
            half_faces += [(int(near[i]), int(far[i]), int(far[i + 1]), int(near[i + 1])) for i in range(k - 1)]
            half_faces.append((int(near[-1]), int(far[-1]), 1))
        faces += [face[::-1] if flip else face for face in half_faces]
    return Shape(vertices, tuple(faces), np.ones(len(faces), np.bool_))


_TUCK = 0.006
"""How far behind the top's fall the sides' cloth lies at a bed's foot, metres."""


def draped(
    across: FloatArray,
    along: Vec2,
    thickness: float,
    *,
    hang: float = 0.0,
    round_ends: float = 0.03,
    steps: int = 8,
    wrinkle: Callable[[float, float], float] = lambda _across, _along: 0.0,
) -> Shape:
    """Thick cloth hung over something: a line in the xz plane, from low right to low left, drawn along y.

    Args:
        across: ``(n, 2)`` the (x, z) line that the cloth's underside follows.
        along: from where to where it lies in y.
        thickness: of the cloth.
        hang: how far it also falls over the end at low y (a bed's foot).
        round_ends: length over which its ends at both y are rounded.
        steps: divisions along y between the ends.
        wrinkle: extra thickness as a function of the position across (0 right … 1 left) and along (0 … 1).
    """
    step = np.gradient(across, axis=0)
    normal = np.column_stack([step[:, 1], -step[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(across, axis=0), axis=1))])
    y0, y1 = along
    start = y0 - thickness if hang else y0
    angles = np.radians([0.0, 45.0, 90.0])
    # Each ring point: y, share of the thickness, and depth below the line.
    ends = [(1 - np.cos(a), np.sin(a)) for a in angles]
    upper = [(y0, 0.0, -hang), (start, 0.0, -hang), (start, 0.0, -hang / 2)] if hang else []
    upper += [(start + round_ends * run, rise, 0.0) for run, rise in ends]
    upper += [(y, 1.0, 0.0) for y in np.linspace(start + round_ends, y1 - round_ends, steps + 1)[1:-1]]
    upper += [(y1 - round_ends * run, rise, 0.0) for run, rise in reversed(ends)]
    upper += [(y0, 0.0, 0.0)] if hang else []
    rings = []
    for (x, z), (nx, nz), share_across in zip(across, normal, length / length[-1], strict=True):
        hem = min(1.0, 0.35 + 8 * min(share_across, 1 - share_across))
        # At the foot the cloth on the sides turns in behind the cloth from the top, as on a made bed.
        tuck = _TUCK * (1 - float(nz))
        ring = []
        for y, share, drop in upper:
            extra = wrinkle(float(share_across), (y - start) / (y1 - start))
            lift = share * hem * (thickness + extra) + drop
            ring.append((x + nx * lift, y + (tuck if y < y0 else 0.0), z + nz * lift))
        rings.append(np.array(ring))
    return with_convex_faces(loft(rings))


def over_mattress(half_width: float, top: float, low: float, *, radius: float = 0.05, flat: int = 8) -> FloatArray:
    """The line for `draped` over a box: up the right side, across the top and down, ``(n, 2)``."""
    side = np.linspace(low, top - radius, 4)[:-1]
    edge = radius * np.column_stack([np.cos(a := np.radians(np.linspace(0, 90, 4))), np.sin(a)])
    right = np.concatenate(
        [
            np.column_stack([np.full(len(side), half_width), side]),
            edge + np.array((half_width - radius, top - radius)),
        ]
    )
    across = np.linspace(half_width - radius, -half_width + radius, flat + 1)[1:-1]
    middle = np.column_stack([across, np.full(len(across), top)])
    return np.concatenate([right, middle, right[::-1] * (-1, 1)])


def round_plan(amount: float, half: Vec2, centre: Vec2 = (0.0, 0.0)) -> Callable[[FloatArray], FloatArray]:
    """For `Shape.bent`: rounds a rectangle's plan; ``amount`` 0 leaves it, 1 makes it an ellipse."""

    def bend(vertices: FloatArray) -> FloatArray:
        out = vertices.copy()
        u, v = ((vertices[:, k] - centre[k]) / half[k] for k in (0, 1))
        out[:, 0] = centre[0] + half[0] * u * np.sqrt(1 - amount * v**2 / 2)
        out[:, 1] = centre[1] + half[1] * v * np.sqrt(1 - amount * u**2 / 2)
        return out

    return bend
