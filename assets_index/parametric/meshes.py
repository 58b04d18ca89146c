"""Pieces as triangles, for measuring them."""

from __future__ import annotations

import numpy as np

from ...executor.geometry.mesh import TriMesh, concatenate
from ...executor.model.piece import Piece, Solid


def mesh_of(thing: Piece | Solid) -> TriMesh:
    """All faces as triangles (fans, as faces are convex), piece frame, metres."""
    if isinstance(thing, Piece):
        return concatenate([mesh_of(solid) for solid in thing.solids])
    fans = [(f[0], f[k], f[k + 1]) for f in thing.faces for k in range(1, len(f) - 1)]
    return TriMesh(thing.vertices, np.array(fans, np.int32).reshape(-1, 3))
