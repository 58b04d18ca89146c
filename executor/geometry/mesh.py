"""Triangle meshes as plain arrays, and the frames they live in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, eq=False, slots=True)
class TriMesh:
    """Triangles in one frame (the owner says which: local or world).

    Attributes:
        vertices: ``(n, 3) float64``, metres.
        triangles: ``(m, 3) int32``, indices into ``vertices``, counter-clockwise seen from outside.
    """

    vertices: FloatArray
    triangles: IntArray

    def transformed(self, matrix: FloatArray) -> TriMesh:
        """The mesh in another frame; a mirroring matrix also flips the winding, so normals stay outward.

        Args:
            matrix: ``(4, 4) float64``, target_from_source, affine.
        """
        vertices = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        mirrored = np.linalg.det(matrix[:3, :3]) < 0
        return TriMesh(vertices, self.triangles[:, ::-1] if mirrored else self.triangles)

    @property
    def is_empty(self) -> bool:
        return len(self.triangles) == 0

    def corners(self) -> FloatArray:
        """Triangle corners, ``(m, 3, 3)``: triangle, corner, xyz."""
        return self.vertices[self.triangles]

    def cross_products(self) -> FloatArray:
        """Unnormalised face normals, ``(m, 3)``; the length is twice the triangle's area."""
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        u, v = b - a, c - a
        out = np.empty_like(u)
        out[:, 0] = u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1]
        out[:, 1] = u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2]
        out[:, 2] = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
        return out


def concatenate(meshes: list[TriMesh]) -> TriMesh:
    """One mesh holding the given ones, which must share a frame; vertices are not merged."""
    if not meshes:
        return TriMesh(np.empty((0, 3)), np.empty((0, 3), np.int32))
    offsets = np.cumsum([0] + [len(m.vertices) for m in meshes[:-1]])
    return TriMesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.triangles + o for m, o in zip(meshes, offsets, strict=True)]).astype(np.int32),
    )
