"""Which way a thing faces: from a mark, asset data, its shape and category, then the wall behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..geometry.mesh import FloatArray
from ..geometry.plan import segment_distances
from ..model.graph import FrontSource
from ..model.steps import Steps
from .lexicon import FrontRule, Lexicon
from .snapshot import ObjectRecord
from .structure import Structure
from .things import Form, Thing

_AXES = {"+x": (1.0, 0.0), "-x": (-1.0, 0.0), "+y": (0.0, 1.0), "-y": (0.0, -1.0)}
_TAG = re.compile(r"(?:front|facing|faces)\s*[:=]?\s*([+-]?[xy])", re.IGNORECASE)
_OFF_CENTRE = 0.25
"""How far the upper part's centre must lie off the middle, as a share of the half extent, to be a back."""
_OPEN_SIDE = 0.35
_NEAR_WALL, _BLOCKED = 0.15, 0.3
"""How near a wall is that a thing has its back to, and that a door cannot open toward, metres."""
_NARROW = 0.4
"""A side is no back if it is narrower than that share of the thing's depth."""
_AS_WIDE = 0.8
_FLAT = 0.9
"""How much of a part's faces must look one way for it to be flat."""
_FRONT_PARTS = ("drawer", "door", "handle", "knob", "shutter", "screen", "display", "keyhole")


class FrontFinder:
    """Finds fronts; what a shape tells is remembered while it stays."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, str], FloatArray | None] = {}

    def fronts(
        self, things: Sequence[Thing], lexicon: Lexicon, structure: Structure
    ) -> Steps[list[tuple[FloatArray | None, FrontSource]]]:
        """Unit direction in plan that each thing faces, and how that is known; ``(None, "none")`` if nothing tells."""
        known: dict[tuple[bytes, str], FloatArray | None] = {}
        found = []
        for thing in things:
            entry = lexicon.categories.get(thing.category)
            rule = entry.front if entry else "none"
            key = (thing.measured.form.key, rule)
            known[key] = shape = self._known[key] if key in self._known else _from_shape(thing.measured.form, rule)
            found.append(_front_of(thing, rule, shape, structure))
            yield
        self._known = known
        return found


def _front_of(
    thing: Thing, rule: FrontRule, shape: FloatArray | None, structure: Structure
) -> tuple[FloatArray | None, FrontSource]:
    marked = _from_mark(thing)
    if marked is not None:
        return marked, "property"
    asset = _from_asset(thing)
    if asset is not None:
        return asset, "asset"
    if rule == "none" or thing.is_structure or not thing.measured.has_geometry:
        return None, "none"
    direction = _from_named_parts(thing) if rule in ("doors", "screen", "face") else None
    if direction is None and shape is not None:
        direction = thing.measured.turn @ shape
        direction = None if rule == "doors" and _faces_wall(thing, direction, structure) else direction
    if direction is None:
        direction = _from_wall(thing, structure)
    return (direction, "geometry") if direction is not None else (None, "none")


def _from_shape(form: Form, rule: FrontRule) -> FloatArray | None:
    """What the form itself tells, in its own heading."""
    if form.body.mesh.is_empty:
        return None
    if rule == "back":
        return _from_back(form)
    return _from_open_side(form) if rule == "doors" else None


def _from_mark(thing: Thing) -> FloatArray | None:
    """A direction in the object's own frame, ``[x, y]``, ``[x, y, z]`` or degrees from its +X: it turns with it."""
    for record in thing.members:
        mark = record.marks.get("front")
        if isinstance(mark, (int, float)):
            local = np.array([np.cos(np.radians(mark)), np.sin(np.radians(mark)), 0.0])
        elif isinstance(mark, Sequence) and not isinstance(mark, str) and len(mark) in (2, 3):
            local = np.array([*mark, 0.0][:3], float)
        elif isinstance(mark, str) and mark.casefold() in _AXES:
            local = np.array([*_AXES[mark.casefold()], 0.0])
        else:
            continue
        return _in_plan(record.world_from_local[:3, :3] @ local)
    return None


def _from_asset(thing: Thing) -> FloatArray | None:
    for record in thing.members:
        if record.asset is None:
            continue
        for text in (*record.asset.tags, record.asset.description):
            found = _TAG.search(text)
            if found:
                axis = found.group(1).lower()
                local = np.array([*_AXES[axis if axis[0] in "+-" else f"+{axis}"], 0.0])
                return _in_plan(record.world_from_local[:3, :3] @ local)
    return None


def _from_back(form: Form) -> FloatArray | None:
    """Away from the side where the tallest part (backrest, headboard) stands."""
    body, box = form.body, form.box
    low, high = box.center[2] - box.half[2], box.center[2] + box.half[2]
    local = (body.centroids[:, :2] - box.center[:2]) @ box.axes.T / np.maximum(box.half[:2], 1e-6)
    for share in (0.8, 0.65, 0.5):
        upper = body.centroids[:, 2] > low + share * (high - low)
        weight = body.areas[upper].sum()
        if weight <= 0:
            continue
        offset = body.areas[upper] @ local[upper] / weight
        axis = int(np.abs(offset).argmax())
        if abs(offset[axis]) > _OFF_CENTRE:
            return np.asarray(-np.sign(offset[axis]) * box.axes[axis])
    return None


def _from_named_parts(thing: Thing) -> FloatArray | None:
    """Toward members named after what a front has: drawers, doors, handles; or where a flat one (a screen) looks."""
    named = [m for m in thing.members if any(word in m.title.casefold() for word in _FRONT_PARTS)]
    parts = [m for m in named if m is not thing.root] or named
    if len(thing.members) < 2 or not parts:
        return None
    box = thing.measured.box
    meshes = [p.shape.mesh.transformed(p.world_from_local) for m in parts for p in m.parts]
    if meshes:
        points, weights = [m.vertices.mean(axis=0) for m in meshes], [max(len(m.triangles), 1) for m in meshes]
        offset = (np.average(points, axis=0, weights=weights)[:2] - box.center[:2]) @ box.axes.T
        offset /= np.maximum(box.half[:2], 1e-6)
        axis = int(np.abs(offset).argmax())
        if abs(offset[axis]) >= 0.5:
            return np.asarray(np.sign(offset[axis]) * box.axes[axis])
    looks = _gaze(parts) @ box.axes.T
    axis = int(np.abs(looks).argmax())
    return np.asarray(np.sign(looks[axis]) * box.axes[axis]) if abs(looks[axis]) >= _FLAT else None


def _gaze(parts: Sequence[ObjectRecord]) -> FloatArray:
    """Mean direction in plan in which faces of some parts look and lights shine (along −Z), 1 long if they agree."""
    meshes = [p.shape.mesh.transformed(p.world_from_local) for m in parts for p in m.parts]
    shine = [-m.world_from_local[:3, 2] for m in parts if m.kind == "LIGHT"]
    rays = np.concatenate([*(m.cross_products() for m in meshes), *(s[None] for s in shine), np.zeros((1, 3))])
    gaze: FloatArray = rays.sum(axis=0)[:2] / max(float(np.linalg.norm(rays, axis=1).sum()), 1e-12)
    return gaze


def _from_open_side(form: Form) -> FloatArray | None:
    """Toward the side that is open, or where only handles stick out: its outermost slab holds the least surface."""
    body, box = form.body, form.box
    local = (body.centroids - box.center)[:, :2] @ box.axes.T
    normals = body.normals[:, :2] @ box.axes.T
    filled = {}
    for axis in (0, 1):
        side_area = 4 * box.half[1 - axis] * box.half[2]
        for sign in (1.0, -1.0):
            outer = local[:, axis] * sign > 0.94 * box.half[axis]
            facing = np.abs(normals[:, axis])
            filled[axis, sign] = min(1.0, float((body.areas * facing)[outer].sum() / max(side_area, 1e-9)))
    axis, sign = min(filled, key=lambda side: filled[side] - filled[side[0], -side[1]])
    if filled[axis, -sign] - filled[axis, sign] < _OPEN_SIDE:
        return None
    return np.asarray(sign * box.axes[axis])


def _faces_wall(thing: Thing, direction: FloatArray, structure: Structure) -> bool:
    """Whether a thing's side in some direction stands against a wall."""
    near = _walls_near(thing, structure, _BLOCKED)
    return any(direction @ structure.wall_lines.normals[k] < -0.9 for _, k in near)


def _from_wall(thing: Thing, structure: Structure) -> FloatArray | None:
    """Away from the wall that its box stands against with its widest side, snapped to the box's own axes; of sides
    that are nearly as wide, as in a corner, with the one that is nearest to its wall.

    What only has its narrow side at a wall (a screen on a desk beside it) faces neither toward nor from it.
    """
    box = thing.measured.box
    found: list[tuple[float, float, FloatArray]] = []
    for gap, k in _walls_near(thing, structure, _NEAR_WALL):
        normal = structure.wall_lines.normals[k]
        along = box.axes @ normal
        axis = int(np.abs(along).argmax())
        wide, deep = float(box.half[1 - axis]), float(box.half[axis])
        if wide >= _NARROW * deep:
            snapped = np.sign(along[axis]) * box.axes[axis] if abs(along[axis]) > 0.9 else normal
            found.append((wide, gap, snapped))
    widest = max((wide for wide, _, _ in found), default=0.0)
    broad = [(gap, -wide, k) for k, (wide, gap, _) in enumerate(found) if wide >= _AS_WIDE * widest]
    return found[min(broad)[2]][2] if broad else None


def _walls_near(thing: Thing, structure: Structure, reach: float) -> list[tuple[float, int]]:
    """Wall faces at a thing's height that its box comes as near to as that: the gap, and which."""
    box, lines = thing.measured.box, structure.wall_lines
    around = structure.walls_around(box.center[:2], float(np.hypot(*box.half[:2])) + reach)
    if not len(around):
        return []
    low, high = thing.measured.bounds[:, 2]
    beside = around[(lines.spans[around, 0] < high) & (lines.spans[around, 1] > low)]
    depth = np.abs(lines.normals[beside] @ box.axes.T) @ box.half[:2]
    gaps = segment_distances(box.center[:2], lines.starts[beside], lines.ends[beside]) - depth
    near = np.flatnonzero(gaps <= reach)
    return list(zip(gaps[near].tolist(), beside[near].tolist(), strict=True))


def _in_plan(direction: FloatArray) -> FloatArray | None:
    length = float(np.hypot(direction[0], direction[1]))
    return direction[:2] / length if length > 1e-6 else None
