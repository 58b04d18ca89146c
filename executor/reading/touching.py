"""Which objects touch, rest on one another, or are stuck into one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..geometry.body import MAX_SLOPE
from ..geometry.boxes import bounds_of, meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.mesh import FloatArray, concatenate
from .family import Family

_TOUCH_SHARE = 0.01
"""Parts touch when their boxes come within this share of the larger one's diagonal, …"""
_TOUCH_LIMIT = 0.02
"""… but never over more than this, in metres at life size."""
_REST_SHARE = 0.05
"""A thing rests on what is this near below it, as a share of its own largest extent: people place by eye, …"""
_REST_LIMITS = (0.002, 0.02)
"""… but in metres at least the sinking that the contract allows, and no more than parts may be apart."""
_MOST_BEARING = 3
"""Of five points of a footprint, the centre and four about it, those that a surface must bear."""
_WITHIN = 0.9
"""A box lies in another one if it shares this much of its volume: knobs and hinges stick out."""
_SUNK = 0.5
"""A thing is set into a slab if half of it is: a picture hangs on a wall that it only dips into."""
_SLAB = 0.25
"""A box is a slab if its thickness is at most this share of its next extent: walls and floors, no shells of rooms."""
_MOST_PARTS = 200
"""Pieces of one object up to which its vertices are looked at; scattered instances count by their box."""
_FLAT = 1e-4


def touching_pairs(boxes: Sequence[FloatArray | None]) -> list[tuple[int, int]]:
    """Pairs of indices of boxes that touch; None touches nothing."""
    known = [i for i, box in enumerate(boxes) if box is not None]
    if len(known) < 2:
        return []
    corners = np.array([boxes[i] for i in known])
    low, high = corners[:, 0], corners[:, 1]
    reach = np.minimum(_TOUCH_SHARE * np.linalg.norm(high - low, axis=1), _TOUCH_LIMIT)[:, None]
    return [(known[a], known[b]) for a, b in meeting_pairs(Boxes(low - reach / 2, high + reach / 2))]


class Touching:
    """How groups of objects hang together; found when asked, since few groups are ever in doubt."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._vertices: dict[str, FloatArray] = {}
        self._level: dict[str, FloatArray] = {}

    def meet(self, group: Sequence[str], others: Sequence[str]) -> bool:
        """Whether a group's box touches an object of the others."""
        box = self._family.group_box(group)
        return box is not None and bool(self._near(others, box, _touch(box)))

    def hang_together(self, groups: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
        """Pairs of groups whose boxes touch."""
        return touching_pairs([self._family.group_box(g) for g in groups])

    def lies_in(self, group: Sequence[str], others: Sequence[str]) -> bool:
        """Whether a group's box is within the box around the others, but for a little."""
        small, large = self._family.group_box(group), self._family.group_box(others)
        return small is not None and large is not None and _shared(small, large) >= _WITHIN

    def stands_beside(self, group: Sequence[str], others: Sequence[str]) -> bool:
        """Whether a group reaches as far down as the others: it stands on its own feet."""
        one, two = self._family.group_box(group), self._family.group_box(others)
        return one is not None and (two is None or bool(one[0, 2] <= two[0, 2] + _reach(one)))

    def rests_on(self, group: Sequence[str], others: Sequence[str]) -> bool:
        """Whether the group's foot lies on level faces of the others, so that it could be lifted off."""
        box, foot = self._family.group_box(group), self._foot(group)
        if box is None or foot is None:
            return False
        middle, half = foot[:, :2].mean(axis=0), (foot[1, :2] - foot[0, :2]) / 2
        about = np.array([[0, 0], [-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]])
        points = np.column_stack([middle + about * half, np.full(5, box[0, 2])])
        borne = np.zeros(5, bool)
        for name in self._near(others, box, _reach(box)):
            borne |= _bear(self._level_faces(name), points, _reach(box))
        return bool(borne[0] and borne.sum() >= _MOST_BEARING)

    def holds_up(self, group: Sequence[str], others: Sequence[str]) -> bool:
        """Whether one of the others stands on a group or is stuck in it: without the group, it would fall."""
        box = self._family.group_box(group)
        if box is None:
            return False
        reach = _reach(box)
        for name in self._near(others, box, reach):
            foot = self._foot([name])
            if foot is None:
                continue
            stuck = (foot[0] >= box[0] - reach).all() and (foot[1] <= box[1] + reach).all()
            common = np.minimum(foot[1], box[1])[:2] - np.maximum(foot[0], box[0])[:2]
            on_top = abs(foot[0, 2] - box[1, 2]) <= reach and (common > reach).all()
            if stuck or on_top:
                return True
        return False

    def is_set_into(self, group: Sequence[str], host: str) -> bool:
        """Whether a slab holds half of a group, or corners of a shell of slabs reach into it: a pane, a moulding."""
        small, large = self._family.group_box(group), self._family.boxes[host]
        if small is None or large is None:
            return False
        thin, wide = np.sort(large[1] - large[0])[:2]
        if thin <= _SLAB * wide:
            return _shared(small, large) >= _SUNK
        points, reach = self._points(host), _reach(small)
        return bool(((points >= small[0] - reach) & (points <= small[1] + reach)).all(axis=1).any())

    def _near(self, names: Sequence[str], box: FloatArray, reach: float) -> list[str]:
        """Which objects' boxes come as near to a box as that."""
        known = [(n, other) for n in names if (other := self._family.boxes[n]) is not None]
        if not known:
            return []
        others = np.array([other for _, other in known])
        near = ((others[:, 0] <= box[1] + reach) & (others[:, 1] >= box[0] - reach)).all(axis=1)
        return [known[k][0] for k in np.nonzero(near)[0]]

    def _foot(self, group: Sequence[str]) -> FloatArray | None:
        """``(2, 3)`` box around the lowest points of a group, or None if it draws nothing."""
        box = self._family.group_box(group)
        if box is None:
            return None
        level = box[0, 2] + _reach(box)
        low = [self._points(n) for n in group if (own := self._family.boxes[n]) is not None and own[0, 2] <= level]
        points = np.concatenate(low)
        return bounds_of(points[points[:, 2] <= level])

    def _points(self, name: str) -> FloatArray:
        """Vertices of what an object draws, world; corners of its box if it draws very many pieces or has no mesh."""
        if name not in self._vertices:
            parts = self._family.records[name].parts
            box = self._family.boxes[name]
            if box is not None and (not parts or len(parts) > _MOST_PARTS):
                choice = (np.arange(8)[:, None] >> np.arange(3)) & 1
                self._vertices[name] = np.where(choice, box[1], box[0])
            else:
                meshes = [p.shape.mesh.transformed(p.world_from_local) for p in parts]
                self._vertices[name] = concatenate(meshes).vertices
        return self._vertices[name]

    def _level_faces(self, name: str) -> FloatArray:
        """``(m, 3, 3)`` triangles on which things may lie, world; by either side, since many normals point inward."""
        if name not in self._level:
            parts = self._family.records[name].parts
            few = parts if len(parts) <= _MOST_PARTS else ()
            mesh = concatenate([p.shape.mesh.transformed(p.world_from_local) for p in few])
            cross = mesh.cross_products()
            level = np.abs(cross[:, 2]) >= MAX_SLOPE * np.maximum(np.linalg.norm(cross, axis=1), 1e-15)
            self._level[name] = mesh.vertices[mesh.triangles[level]]
        return self._level[name]


def _touch(box: FloatArray) -> float:
    return min(_TOUCH_SHARE * float(np.linalg.norm(box[1] - box[0])), _TOUCH_LIMIT)


def _reach(box: FloatArray) -> float:
    least, most = _REST_LIMITS
    return min(max(_REST_SHARE * float(np.linalg.norm(box[1] - box[0], ord=np.inf)), least), most)


def _shared(small: FloatArray, large: FloatArray) -> float:
    """Share of a box that lies in another one; along an axis that it has no extent on, all or nothing."""
    extent = small[1] - small[0]
    common = np.minimum(small[1], large[1]) - np.maximum(small[0], large[0])
    between = (small[0] > large[0] + _FLAT) & (small[1] < large[1] - _FLAT)
    shares = np.where(extent > _FLAT, np.clip(common, 0, None) / np.maximum(extent, _FLAT), between)
    return float(np.prod(shares))


def _bear(triangles: FloatArray, points: FloatArray, reach: float) -> FloatArray:
    """Which points lie on one of some level triangles, up to a height difference.

    Args:
        triangles: ``(m, 3, 3)``, world.
        points: ``(k, 3)``, world.
        reach: metres.
    """
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    first, last = points.min(axis=0) - reach, points.max(axis=0) + reach
    a, b, c = np.moveaxis(triangles[((low <= last) & (high >= first)).all(axis=1)], 1, 0)
    u, v = (b - a)[:, None], (c - a)[:, None]
    w = points[None] - a[:, None]
    area = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    area = np.where(np.abs(area) < 1e-15, np.inf, area)
    s = (w[..., 0] * v[..., 1] - w[..., 1] * v[..., 0]) / area
    t = (u[..., 0] * w[..., 1] - u[..., 1] * w[..., 0]) / area
    inside = (s >= -_FLAT) & (t >= -_FLAT) & (s + t <= 1 + _FLAT) & np.isfinite(area)
    near = np.abs(w[..., 2] - s * u[..., 2] - t * v[..., 2]) <= reach
    found: FloatArray = (inside & near).any(axis=0)
    return found
