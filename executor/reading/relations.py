"""Relations between things, as the graph lists them: few, certain and useful for telling things apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely import Point, Polygon

from ..geometry.boxes import meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.mesh import FloatArray
from ..model.graph import Relation, RelationKind
from .structure import Structure
from .support import Carrier
from .things import Thing

_AGAINST = 0.10
_NEAREST = 0.25
_FURTHEST = 1.0
_FACING_DEG = 15.0
_FACING_REACH = 3.0
_UNDER_SHARE = 0.5


def relations(
    things: Sequence[Thing],
    ids: Sequence[str],
    carriers: Sequence[Carrier],
    fronts: Sequence[FloatArray | None],
    structure: Structure,
    wall_ids: Sequence[str],
) -> list[Relation]:
    """All relations, sorted; subjects and objects are ids of things or walls."""
    found: set[tuple[RelationKind, str, str]] = set()
    for i, carrier in enumerate(carriers):
        if carrier.thing is not None:
            found.add((_carried_as(things, i, carrier), ids[i], ids[carrier.thing]))
    movable = [i for i, t in enumerate(things) if t.is_solid and not t.is_structure]
    footprints = [Polygon(things[i].measured.box.footprint()) for i in movable]
    found |= _against(things, ids, movable, structure, wall_ids)
    found |= _pairs(things, ids, carriers, fronts, movable, footprints)
    return [Relation(kind=k, subject=s, object=o) for k, s, o in sorted(found)]


def _carried_as(things: Sequence[Thing], i: int, carrier: Carrier) -> RelationKind:
    """``inside`` if it rests below the carrier's rim within its footprint, ``mounted`` if it hangs, else ``on``."""
    if carrier.kind == "hangs":
        return "mounted"
    assert carrier.thing is not None
    bottom = things[i].measured.bounds[0, 2]
    host = things[carrier.thing].measured
    centre = things[i].measured.box.center
    within = Polygon(host.box.footprint()).contains(Point(*centre[:2]))
    below_rim = bottom < host.bounds[1, 2] - 0.03
    enclosed = centre[2] < host.bounds[1, 2]
    return "inside" if within and below_rim and enclosed and not things[carrier.thing].is_structure else "on"


def _against(
    things: Sequence[Thing],
    ids: Sequence[str],
    movable: Sequence[int],
    structure: Structure,
    wall_ids: Sequence[str],
) -> set[tuple[RelationKind, str, str]]:
    found: set[tuple[RelationKind, str, str]] = set()
    for wall, wall_id in zip(structure.walls, wall_ids, strict=True):
        line = wall.line()
        for i in movable:
            if things[i].role not in ("furniture", "covering"):
                continue
            box = things[i].measured.box
            gap = (box.center[:2] - wall.start) @ wall.normal - box.extent_along(wall.normal)
            if -_AGAINST <= gap <= _AGAINST and line.distance(Point(*box.center[:2])) <= box.half[:2].max() + 0.2:
                found.add(("against", ids[i], wall_id))
    return found


def _pairs(
    things: Sequence[Thing],
    ids: Sequence[str],
    carriers: Sequence[Carrier],
    fronts: Sequence[FloatArray | None],
    movable: Sequence[int],
    footprints: Sequence[Polygon],
) -> set[tuple[RelationKind, str, str]]:
    found: set[tuple[RelationKind, str, str]] = set()
    big = [k for k, i in enumerate(movable) if things[i].role == "furniture"]
    if len(big) > 1:
        bounds = np.array([things[movable[k]].measured.bounds for k in big])
        for a, b in meeting_pairs(Boxes(bounds[:, 0] - _FURTHEST / 2, bounds[:, 1] + _FURTHEST / 2)):
            i, j = movable[big[a]], movable[big[b]]
            longer = 2 * max(things[i].measured.box.half[:2].max(), things[j].measured.box.half[:2].max())
            if shapely.distance(footprints[big[a]], footprints[big[b]]) <= np.clip(longer, _NEAREST, _FURTHEST):
                found |= {("near", ids[i], ids[j]), ("near", ids[j], ids[i])}
    bounds = np.array([things[i].measured.bounds for i in movable]).reshape(-1, 2, 3)
    overhead = bounds.copy()
    overhead[:, 1, 2] += 1.0
    for a, b in meeting_pairs(Boxes(overhead[:, 0], overhead[:, 1])) if len(movable) > 1 else []:
        for lower, upper in ((a, b), (b, a)):
            i, j = movable[lower], movable[upper]
            if carriers[i].thing == j or carriers[j].thing == i:
                continue
            if bounds[lower, 1, 2] <= bounds[upper, 1, 2] - 0.05 and _is_under(
                footprints[lower], footprints[upper], bounds[lower], things[j]
            ):
                found.add(("under", ids[i], ids[j]))
    for k in big:
        i = movable[k]
        target = _faced(i, fronts[i], things, [movable[m] for m in big])
        if target is not None:
            found.add(("facing", ids[i], ids[target]))
    return found


def _is_under(lower: Polygon, upper: Polygon, bounds: FloatArray, host: Thing) -> bool:
    """Footprints overlap by half of the smaller, and the host's matter over it begins above it."""
    common = lower.intersection(upper)
    if common.area < _UNDER_SHARE * min(lower.area, upper.area) or common.is_empty:
        return False
    body = host.measured.body
    centre = common.representative_point()
    over = (np.abs(body.centroids[:, :2] - [centre.x, centre.y]) < 0.15).all(axis=1)
    heights = body.centroids[over, 2]
    return len(heights) > 0 and float(heights.min()) >= bounds[1, 2] - 0.005


def _faced(i: int, front: FloatArray | None, things: Sequence[Thing], others: Sequence[int]) -> int | None:
    """The nearest piece of furniture within 15° of where a thing's front points and 3 m of it."""
    if front is None:
        return None
    here = things[i].measured.box.center[:2]
    best: tuple[float, int] | None = None
    for j in others:
        if j == i:
            continue
        away = things[j].measured.box.center[:2] - here
        length = float(np.hypot(*away))
        if 1e-6 < length <= _FACING_REACH and away @ front / length >= np.cos(np.radians(_FACING_DEG)):
            best = min(best or (length, j), (length, j))
    return best[1] if best else None
