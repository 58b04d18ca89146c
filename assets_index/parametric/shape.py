"""A bare closed surface while a piece is being put together: vertices, faces, and how they are shaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import BoolArray, Face, Vec2, Vec3


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """One or more closed shells with outward faces.

    Attributes:
        vertices: ``(n, 3) float64``, metres.
        faces: convex polygons, counter-clockwise seen from outside.
        smooth: ``(len(faces),) bool``.
    """

    vertices: FloatArray
    faces: tuple[Face, ...]
    smooth: BoolArray

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Shape:
        """Shifted by metres."""
        return Shape(self.vertices + np.array((x, y, z)), self.faces, self.smooth)

    def turned(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, about: Vec3 = (0.0, 0.0, 0.0)) -> Shape:
        """Turned by degrees about the x axis, then y, then z, each through the point ``about``."""
        matrix = _rotation(2, z) @ _rotation(1, y) @ _rotation(0, x)
        return Shape((self.vertices - about) @ matrix.T + about, self.faces, self.smooth)

    def scaled(self, x: float = 1.0, y: float = 1.0, z: float = 1.0, about: Vec3 = (0.0, 0.0, 0.0)) -> Shape:
        """Scaled by factors through ``about``; faces stay outward when that mirrors."""
        faces = self.faces if x * y * z > 0 else tuple(face[::-1] for face in self.faces)
        return Shape((self.vertices - about) * (x, y, z) + about, faces, self.smooth)

    def mirrored(self) -> Shape:
        """Its mirror image in the plane x = 0."""
        return self.scaled(x=-1.0)

    def fitted(self, x: Vec2, y: Vec2, z: Vec2) -> Shape:
        """Scaled and shifted along each axis so that its box is exactly the given one."""
        low, high = self.vertices.min(0), self.vertices.max(0)
        want_low, want_high = np.array([x, y, z], np.float64).T
        factor = (want_high - want_low) / np.where(high > low, high - low, 1.0)
        return Shape((self.vertices - low) * factor + want_low, self.faces, self.smooth)

    def bent(self, where: Callable[[FloatArray], FloatArray]) -> Shape:
        """Every vertex moved by a function of ``(n, 3)`` that does not turn the shape inside out."""
        return Shape(where(self.vertices), self.faces, self.smooth)

    def flat(self) -> Shape:
        """The same with every face shaded flat."""
        return Shape(self.vertices, self.faces, np.zeros(len(self.faces), np.bool_))


def _rotation(axis: int, degrees: float) -> FloatArray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    return matrix


def joined(shapes: Iterable[Shape]) -> Shape:
    """All shapes as one; vertices are not merged."""
    parts = list(shapes)
    faces: list[Face] = []
    offset = 0
    for part in parts:
        faces.extend(tuple(index + offset for index in face) for face in part.faces)
        offset += len(part.vertices)
    return Shape(
        np.concatenate([part.vertices for part in parts]),
        tuple(faces),
        np.concatenate([p.smooth for p in parts]),
    )


def both_sides(shapes: Sequence[Shape]) -> list[Shape]:
    """The shapes and their mirror images in the plane x = 0."""
    return [*shapes, *(shape.mirrored() for shape in shapes)]
