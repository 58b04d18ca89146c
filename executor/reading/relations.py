"""Relations between things, as the graph lists them: few, certain and useful for telling things apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from shapely import Polygon

from ..geometry.boxes import meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.mesh import FloatArray
from ..model.graph import Relation, RelationKind
from .structure import STOREY, Structure
from .support import Carrier
from .things import Measured, Thing

_AGAINST = 0.10
_NEAREST, _FURTHEST = 0.25, 1.0
_FACING_COS = np.cos(np.radians(15))
_FACING_REACH = 3.0
_UNDER_SHARE = 0.5
_HEADROOM = 1.0
"""How far above a thing another one may hang for it to be under that, metres."""

_Triple = tuple[RelationKind, str, str]


class RelationFinder:
    """Finds relations; pairs that have not moved are not measured again."""

    def __init__(self) -> None:
        self._under: dict[tuple[bytes, bytes], bool] = {}

    def relations(
        self,
        things: Sequence[Thing],
        ids: Sequence[str],
        carriers: Sequence[Carrier],
        fronts: Sequence[FloatArray | None],
        structure: Structure,
        wall_ids: Sequence[str],
        rooms: Sequence[int | None],
    ) -> list[Relation]:
        """All relations, sorted; subjects and objects are ids of things or walls.

        Args:
            things, ids, carriers, fronts, rooms: one each per entity; rooms and walls are numbered as in `structure`.
        """
        found: set[_Triple] = set()
        for i, carrier in enumerate(carriers):
            if carrier.thing is not None:
                found.add((_carried_as(things, i, carrier), ids[i], ids[carrier.thing]))
        movable = np.array([i for i, t in enumerate(things) if t.is_solid and not t.is_structure], np.intp)
        large = np.array([i for i in movable if things[i].role == "furniture"], np.intp)
        for i, wall in _against(things, movable, structure):
            found.add(("against", ids[i], wall_ids[wall]))
        apart = _Apart(things, structure, rooms)
        for i, j in _near(things, large, apart):
            found |= {("near", ids[i], ids[j]), ("near", ids[j], ids[i])}
        for i, j in self._under_pairs(things, movable, carriers, apart):
            found.add(("under", ids[i], ids[j]))
        for i, j in _facing(things, large, fronts, apart):
            found.add(("facing", ids[i], ids[j]))
        return [Relation(kind=k, subject=s, object=o) for k, s, o in sorted(found)]

    def _under_pairs(
        self, things: Sequence[Thing], movable: NDArray[np.intp], carriers: Sequence[Carrier], apart: _Apart
    ) -> list[tuple[int, int]]:
        """Things half below another's matter: ``(lower, upper)``."""
        if len(movable) < 2:
            return []
        bounds = np.array([things[i].measured.bounds for i in movable])
        reach = bounds.copy()
        reach[:, 1, 2] += _HEADROOM
        found: list[tuple[int, int]] = []
        used: dict[tuple[bytes, bytes], bool] = {}
        pairs = np.array(meeting_pairs(Boxes(reach[:, 0], reach[:, 1])), np.intp).reshape(-1, 2)
        both_ways = np.concatenate([pairs, pairs[:, ::-1]])
        maybe = both_ways[_may_be_under(bounds[both_ways[:, 0]], bounds[both_ways[:, 1]])]
        candidates = movable[maybe]
        for i, j in candidates[~apart.by_floor(candidates)].tolist():
            if carriers[i].thing != j and carriers[j].thing != i:
                key = (things[i].measured.key, things[j].measured.key)
                known = self._under.get(key)
                used[key] = known if known is not None else _is_under(things[i].measured, things[j].measured)
                if used[key]:
                    found.append((i, j))
        self._under = used
        return found


class _Apart:
    """What floors and walls keep apart; pairs are given by number, ``(n, 2)``."""

    def __init__(self, things: Sequence[Thing], structure: Structure, rooms: Sequence[int | None]) -> None:
        self._structure = structure
        self._centers = np.array([t.measured.box.center[:2] for t in things]).reshape(-1, 2)
        self._spans = np.array([t.measured.bounds[:, 2] for t in things]).reshape(-1, 2)
        self._levels = np.array([np.nan if r is None else structure.rooms[r].floor_z for r in rooms], float)

    def by_floor(self, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which are in rooms one over the other."""
        levels = self._levels[pairs]
        return np.asarray(np.abs(levels[:, 0] - levels[:, 1]) >= STOREY)

    def by_floor_or_wall(self, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which stand on two storeys, or on two sides of a wall."""
        feet = self._spans[pairs, 0]
        found = self.by_floor(pairs) | (np.abs(feet[:, 0] - feet[:, 1]) >= STOREY)
        rest = pairs[~found]
        low, high = self._spans[rest, 0].max(axis=1), self._spans[rest, 1].min(axis=1)
        spans = np.sort(np.stack([low, high], axis=1), axis=1)
        found[~found] = self._structure.parted(shapely.linestrings(self._centers[rest]), spans)
        return found


def _carried_as(things: Sequence[Thing], i: int, carrier: Carrier) -> RelationKind:
    """``inside`` if it rests below the carrier's rim within its box, ``mounted`` if it hangs, else ``on``."""
    if carrier.kind == "hangs":
        return "mounted"
    assert carrier.thing is not None
    thing, host = things[i].measured, things[carrier.thing].measured
    local = host.box.axes @ (thing.box.center[:2] - host.box.center[:2])
    within = bool((np.abs(local) <= host.box.half[:2]).all())
    rim = host.bounds[1, 2]
    below_rim = thing.bounds[0, 2] < rim - 0.03 and thing.box.center[2] < rim
    return "inside" if within and below_rim and not things[carrier.thing].is_structure else "on"


def _against(things: Sequence[Thing], movable: NDArray[np.intp], structure: Structure) -> list[tuple[int, int]]:
    """Furniture and coverings whose side is within 10 cm of a wall of their storey: ``(thing, wall)``."""
    stands = np.array([i for i in movable if things[i].role in ("furniture", "covering")], np.intp)
    lines = structure.wall_lines
    if not len(stands) or not len(lines.starts):
        return []
    bounds = np.array([things[i].measured.bounds for i in stands])
    plans = shapely.box(*bounds[:, :, :2].reshape(-1, 4).T)
    faces = shapely.linestrings(np.stack([lines.starts, lines.ends], axis=1))
    w, k = shapely.STRtree(plans).query(faces, predicate="dwithin", distance=_AGAINST)
    on_storey = lines.beside(w, bounds[k, 0, 2], bounds[k, 1, 2])
    w, k = w[on_storey], k[on_storey]
    boxes = [things[i].measured.box for i in stands]
    centers, axes = np.array([b.center[:2] for b in boxes])[k], np.array([b.axes for b in boxes])[k]
    half = np.array([b.half[:2] for b in boxes])[k]
    depth = (np.abs((axes * lines.normals[w, None]).sum(axis=2)) * half).sum(axis=1)
    gap = ((centers - lines.starts[w]) * lines.normals[w]).sum(axis=1) - depth
    close = np.abs(gap) <= _AGAINST
    return [(int(i), int(wall)) for i, wall in zip(stands[k[close]], w[close], strict=True)]


def _near(things: Sequence[Thing], large: NDArray[np.intp], apart: _Apart) -> list[tuple[int, int]]:
    """Pairs of furniture no farther apart than the longer of their sides, within 0.25 to 1 m, no wall between."""
    if len(large) < 2:
        return []
    bounds = np.array([things[i].measured.bounds for i in large])
    pairs = np.array(meeting_pairs(Boxes(bounds[:, 0] - _FURTHEST / 2, bounds[:, 1] + _FURTHEST / 2)), np.intp)
    if not len(pairs):
        return []
    footprints = np.array([Polygon(things[i].measured.box.footprint()) for i in large], object)
    sides = 2 * np.array([things[i].measured.box.half[:2].max() for i in large])
    gaps = shapely.distance(footprints[pairs[:, 0]], footprints[pairs[:, 1]])
    limit = np.clip(np.maximum(sides[pairs[:, 0]], sides[pairs[:, 1]]), _NEAREST, _FURTHEST)
    close = large[pairs[gaps <= limit]]
    return [(i, j) for i, j in close[~apart.by_floor_or_wall(close)].tolist()]


def _may_be_under(lower: FloatArray, upper: FloatArray) -> NDArray[np.bool_]:
    """Pairs whose boxes, ``(n, 2, 3)`` each, lie one above the other by half of the smaller's plan."""
    common = np.minimum(lower[:, 1, :2], upper[:, 1, :2]) - np.maximum(lower[:, 0, :2], upper[:, 0, :2])
    shared = np.maximum(common, 0).prod(axis=1)
    smaller = np.minimum(
        (lower[:, 1, :2] - lower[:, 0, :2]).prod(axis=1), (upper[:, 1, :2] - upper[:, 0, :2]).prod(axis=1)
    )
    above = lower[:, 1, 2] <= upper[:, 1, 2] - 0.05
    overlaps: NDArray[np.bool_] = above & (shared > 0) & (shared >= _UNDER_SHARE * smaller)
    return overlaps


def _is_under(lower: Measured, upper: Measured) -> bool:
    """Footprints overlap by half of the smaller, and the upper one's matter over that begins above the lower one."""
    one, two = (Polygon(m.box.footprint()) for m in (lower, upper))
    common = one.intersection(two)
    if common.area < _UNDER_SHARE * min(one.area, two.area) or common.is_empty:
        return False
    centre = common.representative_point()
    near = (np.abs(upper.body.centroids[:, :2] - [centre.x, centre.y]) < 0.15).all(axis=1)
    heights = upper.body.centroids[near, 2]
    return len(heights) > 0 and float(heights.min()) >= lower.bounds[1, 2] - 0.005


def _facing(
    things: Sequence[Thing], large: NDArray[np.intp], fronts: Sequence[FloatArray | None], apart: _Apart
) -> list[tuple[int, int]]:
    """Each piece of furniture with a front, and the nearest one within 15° of it and 3 m, no wall between."""
    if len(large) < 2:
        return []
    centers = np.array([things[i].measured.box.center[:2] for i in large])
    tree = cKDTree(centers)
    ahead: list[tuple[int, int]] = []
    for k, i in enumerate(large):
        front = fronts[i]
        if front is None:
            continue
        others = np.array([n for n in tree.query_ball_point(centers[k], _FACING_REACH) if n != k], np.intp)
        away = centers[others] - centers[k]
        length = np.hypot(away[:, 0], away[:, 1])
        before = np.flatnonzero((length > 1e-6) & (away @ front >= _FACING_COS * length))
        ahead += [(int(i), int(large[n])) for n in others[before[np.argsort(length[before], kind="stable")]]]
    pairs = np.array(ahead, np.intp).reshape(-1, 2)
    nearest: dict[int, int] = {}
    for i, j in pairs[~apart.by_floor_or_wall(pairs)].tolist():
        nearest.setdefault(i, j)
    return list(nearest.items())
