"""The smallest gap between the surfaces of two meshes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .body import Body
from .broad_phase import Boxes, BoxTree, Indices, child_pairs, top_pairs
from .mesh import FloatArray

SLACK = 2e-5
"""Triangle pairs that could improve the result by less are not measured, metres."""

SEED = 24
"""Triangles of each mesh that are measured first."""

BLOCK = 1 << 11
"""Pairs of nodes or triangles looked at together."""


def surface_distance(a: Body, b: Body, limit: float = np.inf) -> float:
    """The smallest distance between two surfaces, 0 if they cross, infinite if it exceeds ``limit``.

    Exact to 0.02 mm. Surfaces, not solids: a ball within a closed box is as far from it as from the box's
    walls.

    Two trees of boxes are descended together, nearest pairs first, leaving out what cannot be nearer than
    the best so far. The boxes are taken in a frame that looks along the gap: parallel walls then prune each
    other at once.

    Args:
        a: one body.
        b: the other.
        limit: metres; nothing farther is looked for, which saves time.
    """
    if a.mesh.is_empty or b.mesh.is_empty or a.hull.distance(b.hull) > limit:
        return float(np.inf)
    guess = _first_guess(a, b)
    best = min(float(np.linalg.norm(guess)), limit + 2 * SLACK)
    frame = np.linalg.svd(guess[None])[2].T
    (tree_a, corners_a), (tree_b, corners_b) = _tree(a, frame), _tree(b, frame)
    depth_of_leaves = max(len(tree_a.levels), len(tree_b.levels)) - 1
    i, j = top_pairs(tree_a, tree_b)
    stack = [(0, i, j, tree_a.level(0).take(i).distance(tree_b.level(0).take(j)))]
    while stack:
        depth, i, j, bounds = stack.pop()
        near = bounds < best - SLACK
        i, j = i[near], j[near]
        if depth < depth_of_leaves:
            i, j = child_pairs(tree_a, tree_b, depth, i, j)
            bounds = tree_a.level(depth + 1).take(i).distance(tree_b.level(depth + 1).take(j))
            stack += [(depth + 1, i[part], j[part], bounds[part]) for part in _nearest_last(bounds, best)]
            continue
        p, q = corners_a[i], corners_b[j]
        bounds = _separation(p, q)
        for part in reversed(list(_nearest_last(bounds, best))):
            if bounds[part[0]] < best - SLACK:
                best = min(best, float(np.sqrt((triangle_gaps(p[part], q[part]) ** 2).sum(1).min())))
    return best if best <= limit else float(np.inf)


def _tree(body: Body, frame: FloatArray) -> tuple[BoxTree, FloatArray]:
    """A tree of the triangles' boxes in a turned frame ``(3, 3)``, and their corners in its order."""
    order = body.surface.tree.order
    corners = body.surface.corners[order] @ frame
    return BoxTree.of_sorted(order, Boxes.around(corners)), corners


def _nearest_last(bounds: FloatArray, best: float) -> Iterator[Indices]:
    """Blocks of the pairs that may be nearer than ``best``; the nearest come last, each block ascending."""
    order = np.argsort(bounds)
    order = order[: np.searchsorted(bounds[order], best - SLACK)]
    for begin in reversed(range(0, len(order), BLOCK)):
        yield order[begin : begin + BLOCK]


def _separation(p: FloatArray, q: FloatArray) -> FloatArray:
    """A lower bound of the distance of triangles: how far they are apart along normals and centre line."""
    ways = np.stack(
        [
            q.sum(1) - p.sum(1),
            np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]),
            np.cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]),
        ],
        2,
    )
    ways /= np.maximum(np.sqrt((ways**2).sum(1)), 1e-30)[:, None]
    along_p, along_q = p @ ways, q @ ways
    apart = np.maximum(along_q.min(1) - along_p.max(1), along_p.min(1) - along_q.max(1))
    bound: FloatArray = apart.max(1)
    return bound


def _first_guess(a: Body, b: Body) -> FloatArray:
    """A short vector from ``a`` to ``b``: between the nearest vertices, or the triangles around them."""
    if len(a.mesh.triangles) > len(b.mesh.triangles):
        return -_first_guess(b, a)
    distances, found = b.vertex_tree.query(a.vertex_tree.data)
    nearest = int(np.argmin(distances))
    p, q = a.vertex_tree.data[nearest], b.vertex_tree.data[found[nearest]]
    near_a = np.argsort(a.surface.boxes.distance(Boxes(q, q)))[:SEED]
    near_b = np.argsort(b.surface.boxes.distance(Boxes(p, p)))[:SEED]
    i, j = np.repeat(near_a, len(near_b)), np.tile(near_b, len(near_a))
    gaps = triangle_gaps(a.surface.corners[i], b.surface.corners[j])
    shortest: FloatArray = gaps[np.argmin((gaps**2).sum(1))]
    return shortest


def triangle_gaps(p: FloatArray, q: FloatArray) -> FloatArray:
    """The shortest vector from each triangle of ``p`` to the one of ``q``, ``(k, 3)``; zero where they cross.

    It runs between two edges, or from a vertex to the inside of the other triangle (Ericson, Real-Time
    Collision Detection, 2005, sections 5.1.9 and 5.1.10).

    Args:
        p: ``(k, 3, 3)`` corners.
        q: ``(k, 3, 3)`` corners, paired one to one.
    """
    edge, other = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    between_edges = _segment_gaps(p[:, edge], p[:, (edge + 1) % 3], q[:, other], q[:, (other + 1) % 3])
    from_p, p_pierces = _vertex_face_gaps(p, q)
    from_q, q_pierces = _vertex_face_gaps(q, p)
    gaps = np.concatenate([between_edges, from_p, -from_q], 1)
    shortest: FloatArray = gaps[np.arange(len(gaps)), np.argmin((gaps**2).sum(2), 1)]
    shortest[p_pierces | q_pierces] = 0
    return shortest


def _segment_gaps(p: FloatArray, p_end: FloatArray, q: FloatArray, q_end: FloatArray) -> FloatArray:
    """Shortest vectors from segments ``p … p_end`` to ``q … q_end``, all ``(k, n, 3)``."""
    u, v, w = p_end - p, q_end - q, p - q
    uu, vv, uv = (u * u).sum(2), (v * v).sum(2), (u * v).sum(2)
    uw, vw = (u * w).sum(2), (v * w).sum(2)
    area = uu * vv - uv * uv
    parallel = area <= 1e-12 * uu * vv
    s = np.where(parallel, 0, np.clip((uv * vw - vv * uw) / np.where(parallel, 1, area), 0, 1))
    t = np.clip((uv * s + vw) / np.maximum(vv, 1e-30), 0, 1)
    s = np.clip((uv * t - uw) / np.maximum(uu, 1e-30), 0, 1)
    gaps: FloatArray = t[:, :, None] * v - s[:, :, None] * u - w
    return gaps


def _vertex_face_gaps(p: FloatArray, q: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Vectors from p's corners straight to q, infinite where they meet it outside; which p pierce their q."""
    u, v = q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]
    normal = np.cross(u, v)
    square = (normal * normal).sum(1)
    sliver = square <= 1e-14 * (u * u).sum(1) * (v * v).sum(1)
    arms = p - q[:, :1]
    height = (arms * normal[:, None]).sum(2)
    feet = arms - (height / np.where(sliver, 1, square)[:, None])[:, :, None] * normal[:, None]

    def inside(points: FloatArray) -> NDArray[np.bool_]:
        beta = (np.cross(u[:, None], points) * normal[:, None]).sum(2)
        gamma = (np.cross(points, v[:, None]) * normal[:, None]).sum(2)
        within: NDArray[np.bool_] = (beta >= 0) & (gamma >= 0) & (beta + gamma <= square[:, None])
        within &= ~sliver[:, None]
        return within

    gaps: FloatArray = np.where(inside(feet)[:, :, None], feet - arms, np.inf)
    crosses = height * height[:, [1, 2, 0]] < 0
    way = np.where(crosses, height / np.where(crosses, height - height[:, [1, 2, 0]], 1), 0)
    pierces: NDArray[np.bool_] = crosses & inside(arms + way[:, :, None] * (arms[:, [1, 2, 0]] - arms))
    return gaps, pierces.any(1)
