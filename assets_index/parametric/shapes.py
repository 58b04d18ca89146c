"""Hard shapes to build furniture from: blocks, prisms, legs, turned and bent parts.

All return closed shells with outward faces. Lengths in metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import bmesh
import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Face, Vec2, Vec3
from .shape import Shape

Axis: TypeAlias = Literal["x", "y", "z"]

_FINE_BEVEL = 0.0025
"""Bevels up to this are one chamfer; wider ones are rounded in two steps."""


def block(x: Vec2, y: Vec2, z: Vec2, bevel: float = 0.002) -> Shape:
    """A box between three ``(low, high)`` pairs with bevelled edges and flat faces."""
    size = np.array([x[1] - x[0], y[1] - y[0], z[1] - z[0]])
    centre = np.array([x[0] + x[1], y[0] + y[1], z[0] + z[1]]) / 2
    bevel = min(bevel, 0.45 * float(size.min()))
    bm = bmesh.new()
    try:
        bmesh.ops.create_cube(bm, size=1.0)
        for vertex in bm.verts:
            vertex.co = [c * s for c, s in zip(vertex.co, size, strict=True)]
        if bevel > 0:
            bmesh.ops.bevel(
                bm,
                geom=list(bm.edges),
                offset=bevel,
                segments=1 if bevel <= _FINE_BEVEL else 2,
                profile=0.5,
                affect="EDGES",
            )
        shape = _from_bmesh(bm)
    finally:
        bm.free()
    flat = np.array([_is_axis_aligned(shape.vertices[list(face)]) for face in shape.faces])
    # bmesh works in single precision: snap the outermost vertices to the exact box.
    vertices = np.where(
        np.abs(np.abs(shape.vertices) - size / 2) < 1e-6, np.sign(shape.vertices) * size / 2, shape.vertices
    )
    return Shape(vertices + centre, shape.faces, ~flat)


def _is_axis_aligned(corners: FloatArray) -> bool:
    return bool((np.ptp(corners, axis=0) < 1e-6).any())


def _from_bmesh(bm: bmesh.types.BMesh) -> Shape:
    bm.verts.index_update()
    vertices = np.array([vertex.co[:] for vertex in bm.verts], np.float64)
    faces = tuple(tuple(vertex.index for vertex in face.verts) for face in bm.faces)
    return Shape(vertices, faces, np.zeros(len(faces), np.bool_))


def rounded_rect(width: float, depth: float, radius: float, segments: int = 4) -> FloatArray:
    """Outline of a rectangle with round corners about the origin, counter-clockwise, ``(k, 2)``."""
    radius = min(radius, 0.499 * width, 0.499 * depth)
    angles = np.linspace(0.0, np.pi / 2, segments + 1)
    corner = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    quarters = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = np.cos(k * np.pi / 2).round(), np.sin(k * np.pi / 2).round()
        turned = corner @ np.array([[c, s], [-s, c]])
        quarters.append(turned + np.array((sx * (width / 2 - radius), sy * (depth / 2 - radius))))
    return np.concatenate(quarters)


def rectangle(width: float, depth: float) -> FloatArray:
    """Outline of a rectangle about the origin, counter-clockwise, ``(4, 2)``."""
    x, y = width / 2, depth / 2
    return np.array([(x, y), (-x, y), (-x, -y), (x, -y)])


def ellipse(width: float, depth: float, segments: int = 24) -> FloatArray:
    """Outline of an ellipse about the origin, counter-clockwise, ``(segments, 2)``."""
    angles = np.arange(segments) * 2 * np.pi / segments
    return np.column_stack([width / 2 * np.cos(angles), depth / 2 * np.sin(angles)])


def arc(centre: Vec2, radius: float, start_deg: float, end_deg: float, segments: int) -> FloatArray:
    """Points on a circle, ``(segments + 1, 2)``."""
    angles = np.radians(np.linspace(start_deg, end_deg, segments + 1))
    return np.array(centre) + radius * np.column_stack([np.cos(angles), np.sin(angles)])


def curve(points: Sequence[Sequence[float]] | FloatArray, steps: int = 4) -> FloatArray:
    """A smooth line through points of any dimension (uniform Catmull–Rom), ``(m, dim)``."""
    p = np.array(points, np.float64)
    padded = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0.0, 1.0, steps, endpoint=False)[:, None]
    pieces = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    ]
    return np.vstack([*pieces, p[-1:]])


def loft(rings: Sequence[FloatArray], *, ends: bool = True, loop: bool = False, smooth: bool = True) -> Shape:
    """Skin closed rings of equal point count, counter-clockwise seen from where the rings go to.

    Args:
        rings: each ``(k, 3)``.
        ends: close the first and last ring with a flat face.
        loop: join the last ring to the first instead (a torus); no ends then.
        smooth: shade the skin smooth; ends are flat always.
    """
    count, k = len(rings), len(rings[0])
    faces: list[Face] = []
    for r in range(count if loop else count - 1):
        a, b = r * k, (r + 1) % count * k
        faces.extend((a + i, a + (i + 1) % k, b + (i + 1) % k, b + i) for i in range(k))
    shading = [smooth] * len(faces)
    if ends and not loop:
        faces.append(tuple(range(k - 1, -1, -1)))
        faces.append(tuple(range((count - 1) * k, count * k)))
        shading += [False, False]
    return Shape(np.concatenate(rings), tuple(faces), np.array(shading, np.bool_))


def _inward(outline: FloatArray) -> tuple[FloatArray, float]:
    """How each point of an outline moves when all edges move in by 1, and how far until one vanishes."""
    edge = np.roll(outline, -1, 0) - outline
    length = np.linalg.norm(edge, axis=1)
    along = edge / length[:, None]
    inward = np.column_stack([-along[:, 1], along[:, 0]])
    mitre = inward + np.roll(inward, 1, 0)
    mitre /= (mitre * inward).sum(1, keepdims=True)
    shortening = -((np.roll(mitre, -1, 0) - mitre) * along).sum(1)
    return mitre, float((length / np.maximum(shortening, 1e-12)).min())


def prism(outline: FloatArray, low: float, high: float, bevel: float = 0.002, axis: Axis = "z") -> Shape:
    """An outline extruded along an axis with bevelled rims.

    Args:
        outline: ``(k, 2)`` counter-clockwise, in (x, y), (y, z) or (x, z) for the axis z, x or y.
        low, high: where it starts and ends along the axis.
        bevel: width of the rims' bevel; less where the outline is too fine for it.
        axis: the direction of extrusion.
    """
    mitre, room = _inward(outline)
    bevel = min(bevel, 0.45 * (high - low), 0.9 * room)
    steps: list[Vec2] = [(0.0, 0.0)]
    if bevel > 0:
        quarter = [0.0, 90.0] if bevel <= _FINE_BEVEL else [0.0, 45.0, 90.0]
        steps = [(bevel * (1 - np.sin(np.radians(a))), bevel * (1 - np.cos(np.radians(a)))) for a in quarter]
    rings = [_ring(outline + inset * mitre, low + rise) for inset, rise in steps]
    rings += [_ring(outline + inset * mitre, high - rise) for inset, rise in reversed(steps)]
    shape = with_convex_faces(loft(rings))
    x, y, z = shape.vertices.T
    if axis == "x":
        return Shape(np.column_stack([z, x, y]), shape.faces, shape.smooth)
    if axis == "y":
        turned = Shape(np.column_stack([x, z, y]), shape.faces, shape.smooth)
        return Shape(turned.vertices, tuple(face[::-1] for face in turned.faces), shape.smooth)
    return shape


def _ring(outline: FloatArray, z: float) -> FloatArray:
    return np.column_stack([outline, np.full(len(outline), z)])


def with_convex_faces(shape: Shape) -> Shape:
    """Split n-gon faces that are concave, because a fan over them would fold."""
    bm = bmesh.new()
    try:
        verts = [bm.verts.new(v) for v in shape.vertices]
        made = [bm.faces.new([verts[i] for i in face]) for face in shape.faces]
        for face, smooth in zip(made, shape.smooth, strict=True):
            face.smooth = bool(smooth)
        wide = [face for face in made if len(face.verts) > 4]
        bmesh.ops.connect_verts_concave(bm, faces=wide)
        bm.verts.index_update()
        faces = tuple(tuple(v.index for v in face.verts) for face in bm.faces)
        return Shape(shape.vertices, faces, np.array([face.smooth for face in bm.faces], np.bool_))
    finally:
        bm.free()


def leg(top: Vec3, foot: Vec3, top_width: float, foot_width: float, *, round_: bool = False) -> Shape:
    """A straight tapered leg, cut level at both ends, so that a slanted one stands flat on the floor.

    Args:
        top, foot: centres of its ends.
        top_width, foot_width: its thickness there.
        round_: round section instead of square with softened edges.
    """
    return post([foot, top], [foot_width, top_width], round_=round_)


def post(
    points: Sequence[Vec3] | FloatArray,
    widths: Sequence[float],
    depths: Sequence[float] | None = None,
    *,
    round_: bool = False,
) -> Shape:
    """An upright member through points going up, its sections level: bent chair posts, slanted legs.

    Args:
        points: centres of the sections.
        widths, depths: along x and y at each point; depths default to widths.
        round_: elliptic sections instead of rectangles with softened edges.
    """
    rings = []
    for point, width, depth in zip(points, widths, depths or widths, strict=True):
        softened = min(width, depth) * 0.18
        section = ellipse(width, depth, 14) if round_ else rounded_rect(width, depth, softened, 2)
        rings.append(_ring(section, 0.0) + np.array(point))
    return loft(rings)


def turned(
    profile: Sequence[Vec2] | FloatArray, *, at: Vec2 = (0.0, 0.0), segments: int = 24, ring: bool = False
) -> Shape:
    """A part from the lathe, about a vertical axis.

    Args:
        profile: (radius, z) going up the outside; an end of radius 0 is a point, others a flat face.
        at: where its axis stands.
        segments: sides around.
        ring: the profile is a closed loop (up the outside, down the inside): a hollow shade, a tyre.
    """
    points = np.array(profile, np.float64)
    low_tip, high_tip = (bool(not ring and points[k, 0] < 1e-9) for k in (0, -1))
    circle = ellipse(2.0, 2.0, segments)
    rings = [_ring(circle * radius, z) for radius, z in points[int(low_tip) : len(points) - int(high_tip)]]
    skin = loft(rings, loop=ring, ends=False)
    vertices, faces = [skin.vertices], list(skin.faces)
    around = range(segments)
    first_high = (len(rings) - 1) * segments
    if low_tip:
        faces += [((i + 1) % segments, i, len(skin.vertices)) for i in around]
        vertices.append(np.array([[0.0, 0.0, points[0, 1]]]))
    elif not ring:
        faces.append(tuple(reversed(around)))
    if high_tip:
        tip = len(skin.vertices) + int(low_tip)
        faces += [(first_high + i, first_high + (i + 1) % segments, tip) for i in around]
        vertices.append(np.array([[0.0, 0.0, points[-1, 1]]]))
    elif not ring:
        faces.append(tuple(first_high + i for i in around))
    smooth = np.array([len(face) < 5 for face in faces], np.bool_)
    return Shape(np.concatenate(vertices) + np.array((*at, 0.0)), tuple(faces), smooth)


def cylinder(radius: float, z: Vec2, *, at: Vec2 = (0.0, 0.0), bevel: float = 0.001, segments: int = 24) -> Shape:
    """An upright cylinder with bevelled rims."""
    return prism(ellipse(2 * radius, 2 * radius, segments), z[0], z[1], bevel).moved(*at)


def ball(radius: float, at: Vec3, segments: int = 12) -> Shape:
    """A sphere."""
    angles = np.radians(np.linspace(-90, 90, segments // 2 + 1))
    profile = np.column_stack([radius * np.cos(angles), radius * np.sin(angles)])
    profile[[0, -1], 0] = 0.0
    return turned(profile, segments=segments).moved(*at)


def tube(path: Sequence[Vec3] | FloatArray, radius: float, sides: int = 10, *, loop: bool = False) -> Shape:
    """A round tube along a path with flat ends (or closed on itself); no corner may fold back."""
    section = ellipse(2 * radius, 2 * radius, sides)
    return swept(path, section, loop=loop)


def bar(start: Vec3, end: Vec3, width: float, height: float | None = None, bevel: float = 0.001) -> Shape:
    """A straight bar of rectangular section; ``height`` is towards up (towards −Y when it is upright)."""
    height = width if height is None else height
    corners = rounded_rect(width, height, min(bevel, width / 4, height / 4), 1)
    return swept([start, end], corners)


def swept(path: Sequence[Vec3] | FloatArray, section: FloatArray, *, loop: bool = False) -> Shape:
    """A section carried along a path without twist, mitred at corners.

    Args:
        path: ``(n, 3)``.
        section: ``(k, 2)`` counter-clockwise: first coordinate sideways (horizontal), second up.
        loop: the path closes on itself.
    """
    points = np.array(path, np.float64)
    step = np.roll(points, -1, 0) - points
    step /= np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-12)
    before = np.roll(step, 1, 0)
    if not loop:
        step[-1] = step[-2]
        before[0] = step[0]
    tangent = step + before
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    up = np.array([0.0, 0.0, 1.0]) if abs(step[0, 2]) < 0.999 else np.array([0.0, -1.0, 0.0])
    up = up - (up @ step[0]) * step[0]
    up /= np.linalg.norm(up)
    rings = []
    for k, point in enumerate(points):
        if k:
            up = _carried(up, step[k - 1], step[k])
        side = np.cross(up, step[k])
        offsets = section[:, :1] * side + section[:, 1:] * up
        # Slide each point along the segment onto the mitre plane, so that the thickness stays true in bends.
        slide = (offsets @ tangent[k]) / (step[k] @ tangent[k])
        rings.append(point + offsets - slide[:, None] * step[k])
    return loft(rings, loop=loop)


def _carried(up: FloatArray, old: FloatArray, new: FloatArray) -> FloatArray:
    """A normal of direction ``old`` turned by the smallest turn that brings ``old`` to ``new``."""
    axis = np.cross(old, new)
    return np.asarray(up + np.cross(axis, up) + np.cross(axis, np.cross(axis, up)) / (1 + old @ new))
