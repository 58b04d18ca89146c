"""Broad phase: which boxes of one set meet boxes of another, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .mesh import FloatArray

Indices = NDArray[np.intp]

FANOUT = 4
"""Children of a tree node."""

TOP = 16
"""Nodes of the topmost level, at most: descending from one root would only cost calls."""

CHUNK = 1 << 17
"""Pairs of nodes looked at together (about 20 MB)."""


class Boxes(NamedTuple):
    """Axis-aligned boxes: ``low`` and ``high``, each ``(n, 3) float64``."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def around(cls, corners: FloatArray) -> Boxes:
        """The boxes of primitives given by their corners, ``(n, k, 3)``."""
        low = high = corners[:, 0]
        for k in range(1, corners.shape[1]):  # five times as fast as NumPy's min over axis 1
            low, high = np.minimum(low, corners[:, k]), np.maximum(high, corners[:, k])
        return cls(low, high)

    def take(self, index: Indices) -> Boxes:
        return Boxes(self.low[index], self.high[index])

    def hull(self) -> Boxes:
        """The one box around all, as ``(3,)`` arrays; turned inside out when there are none."""
        return Boxes(self.low.min(0, initial=np.inf), self.high.max(0, initial=-np.inf))

    def distance(self, other: Boxes) -> FloatArray:
        """Distance to other boxes, paired one to one or one to many; 0 where they meet."""
        apart = np.maximum(np.maximum(self.low - other.high, other.low - self.high), 0)
        distance: FloatArray = np.sqrt((apart**2).sum(-1))
        return distance


class BoxTree(NamedTuple):
    """Boxes in spatial order and, above them, ever coarser levels: node k has the children 4k … 4k + 3.

    Attributes:
        order: ``(n,)`` indices of the original boxes.
        levels: coarsest first; the last are the boxes themselves, in ``order``.
    """

    order: Indices
    levels: list[Boxes]

    @classmethod
    def of(cls, boxes: Boxes) -> BoxTree:
        if len(boxes.low) <= TOP:  # one level: nothing to sort for
            return cls(np.arange(len(boxes.low)), [boxes])
        order = _z_order(0.5 * (boxes.low + boxes.high))
        return cls.of_sorted(order, boxes.take(order))

    @classmethod
    def of_sorted(cls, order: Indices, boxes: Boxes) -> BoxTree:
        """The tree of boxes that are in spatial order already."""
        levels = [boxes]
        while len(levels[0].low) > TOP:
            starts = np.arange(0, len(levels[0].low), FANOUT)
            low, high = levels[0]
            levels.insert(0, Boxes(np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)))
        return cls(order, levels)

    def level(self, depth: int) -> Boxes:
        """The nodes at a depth; below the tree's own depth, its boxes."""
        return self.levels[min(depth, len(self.levels) - 1)]


def top_pairs(a: BoxTree, b: BoxTree) -> tuple[Indices, Indices]:
    """All pairs of the trees' topmost nodes."""
    count_a, count_b = len(a.levels[0].low), len(b.levels[0].low)
    return np.repeat(np.arange(count_a), count_b), np.tile(np.arange(count_b), count_a)


def child_pairs(a: BoxTree, b: BoxTree, depth: int, i: Indices, j: Indices) -> tuple[Indices, Indices]:
    """All pairs of children of paired nodes at a depth. A tree that ends there keeps its boxes."""
    for tree in (a, b):
        if depth + 1 < len(tree.levels):
            below = (FANOUT * i[:, None] + np.arange(FANOUT)).ravel()
            exists = below < len(tree.levels[depth + 1].low)
            i, j = below[exists], np.repeat(j, FANOUT)[exists]
        i, j = j, i
    return i, j


def tree_pairs(
    a: BoxTree, b: BoxTree, low: FloatArray | float = 0.0, high: FloatArray | float = 0.0
) -> Iterator[tuple[Indices, Indices]]:
    """Index pairs of boxes that meet (touching included), in chunks of at most `CHUNK`.

    Both trees are descended together (Gottschalk, Lin and Manocha 1996), a level at a time for many pairs
    at once.

    Args:
        a: one set.
        b: the other.
        low: ``(3,)``, added to the lower corners of ``a``: to sweep or grow it.
        high: ``(3,)``, added to the upper corners of ``a``.
    """
    low, high = np.broadcast_to(low, 3), np.broadcast_to(high, 3)
    depth_of_leaves = max(len(a.levels), len(b.levels)) - 1
    stack = [(0, *top_pairs(a, b))]
    while stack:
        depth, i, j = stack.pop()
        boxes_a, boxes_b = a.level(depth), b.level(depth)
        for axis in range(3):
            meets = boxes_a.low[i, axis] + low[axis] <= boxes_b.high[j, axis]
            meets &= boxes_a.high[i, axis] + high[axis] >= boxes_b.low[j, axis]
            i, j = i[meets], j[meets]
        if depth < depth_of_leaves:
            i, j = child_pairs(a, b, depth, i, j)
            stack += [(depth + 1, i[k : k + CHUNK], j[k : k + CHUNK]) for k in range(0, len(i), CHUNK)]
        elif len(i):
            yield a.order[i], b.order[j]


def box_pairs(a: Boxes, b: Boxes) -> Iterator[tuple[Indices, Indices]]:
    """`tree_pairs` for boxes asked about once."""
    return tree_pairs(BoxTree.of(a), BoxTree.of(b))


def _z_order(points: FloatArray) -> Indices:
    """Indices of points ``(n, 3)`` along a Z-order curve, which keeps neighbours together (Morton 1966)."""
    low = points.min(0, initial=np.inf)
    size = max(float((points - low).max(initial=0.0)), 1e-30)
    cell = ((points - low) * (1023 / size)).astype(np.int64)
    for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
        cell = (cell | cell << shift) & mask  # two zeros between the bits of each coordinate
    return np.argsort(cell[:, 0] | cell[:, 1] << 1 | cell[:, 2] << 2)
