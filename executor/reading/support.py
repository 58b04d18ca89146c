"""What carries each thing: contacts from below, then walls and ceilings, then things it is set into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np

from ..geometry.body import Body
from ..geometry.boxes import meeting_pairs
from ..geometry.broad_phase import Boxes
from ..geometry.contact import Contacts, contacts_of
from ..geometry.distance import surface_distance
from ..geometry.mesh import FloatArray, TriMesh
from ..model.steps import Steps
from .things import Measured, Thing

_BELOW, _SINK = 0.005, 0.002
"""Contact as the contract's `on_top_of` has it …"""
_LOOSE_BELOW, _LOOSE_SINK = 0.015, 0.03
"""… and as a person still sees it in scenes whose makers were not that exact."""
_TOUCHING_WALL, _ON_WALL = 0.01, 0.03
_REACH = 0.04
_THIN, _BESIDE = 0.0005, 0.02
"""What begins no lower than a thing, to half a millimetre, and rises 2 cm stands beside it, not under it."""
_LOW = 0.25
"""A thing rests on what begins below it or touches it in its lowest quarter: a shelf does not rest on its books."""


_TOGETHER = 100
"""Pairs whose contacts are found in one piece of work."""

_LAID = ("floor", "ground", "skirting", "stairs")
"""Structure that things stand on but do not hang on."""

_SHELL = ("wall", "floor", "ceiling", "room", "building", "ground", "roof")
"""Structure that carries the rest and hangs on nothing."""

_Situation: TypeAlias = tuple[object, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Carrier:
    """Who carries a thing: another thing, or ``ceiling``, or nobody.

    Attributes:
        thing: index of the carrying thing, or None.
        kind: ``rests`` on its upward faces, ``hangs`` on its side (walls) or underside (ceilings), is ``set_in`` it,
            or ``none``.
        height: height of the contact, metres, world.
        gap: smallest gap, vertical (resting) or any (hanging), metres, negative where sunk; None if not known.
        at: ``(3,)`` centre of what hangs, or None.
    """

    thing: int | None
    kind: str
    height: float | None = None
    gap: float | None = None
    at: FloatArray | None = None


class SupportFinder:
    """Finds carriers; what neither moved nor got other neighbours keeps the carrier of the last read."""

    def __init__(self) -> None:
        self._scale = 1.0
        self._known: dict[_Situation, Carrier] = {}
        self._contacts: dict[tuple[bytes, bytes], Contacts] = {}
        self._gaps: dict[tuple[bytes, bytes, bool], float] = {}
        self._sides: dict[bytes, Body] = {}

    def carriers(self, things: Sequence[Thing], scale: float = 1.0) -> Steps[list[Carrier]]:
        """The carrier of each thing, in order.

        Args:
            things: the scene.
            scale: how many times life size it is; tolerances grow with it.
        """
        if scale != self._scale:
            self._scale = scale
            self._known, self._contacts, self._gaps = {}, {}, {}
        neighbours = _neighbours(things, scale)
        faces = [_face(t) for t in things]
        situations = [(faces[i], tuple((j, faces[j]) for j in near)) for i, near in enumerate(neighbours)]
        yield from self._touch(things, neighbours, [i for i, s in enumerate(situations) if s not in self._known])
        found = []
        for i, situation in enumerate(situations):
            found.append(self._known.get(situation) or self._carrier(i, things, neighbours[i]))
            yield
        self._known = dict(zip(situations, found, strict=True))
        keys = {t.measured.key for t in things}
        self._contacts = {k: v for k, v in self._contacts.items() if k[0] in keys and k[1] in keys}
        self._sides = {k: v for k, v in self._sides.items() if k in keys}
        self._gaps = {k: v for k, v in self._gaps.items() if k[0] in keys and k[1] in keys}
        return _without_cycles(found, things)

    def _touch(self, things: Sequence[Thing], neighbours: Sequence[list[int]], wanted: Sequence[int]) -> Steps[None]:
        """Find all contacts from below of some things together."""
        missing: dict[tuple[bytes, bytes], tuple[Body, Body]] = {}
        for i in wanted:
            if things[i].is_solid:
                s = things[i].measured
                for t in (things[j].measured for j in self._below(i, things, neighbours[i])):
                    if (s.key, t.key) not in self._contacts:
                        missing[s.key, t.key] = (s.body, t.body)
                        _ = s.body.underside, t.body.bearing  # each takes a while where a body is seen first
                        yield
        pairs = list(missing.items())
        for start in range(0, len(pairs), _TOGETHER):
            some = pairs[start : start + _TOGETHER]
            found = contacts_of([p for _, p in some], _LOOSE_BELOW * self._scale, _LOOSE_SINK * self._scale)
            self._contacts |= {key: touching for (key, _), touching in zip(some, found, strict=True)}
            yield

    def _below(self, i: int, things: Sequence[Thing], near: Sequence[int]) -> list[int]:
        """Neighbours that a thing may rest on, by how high they begin and end."""
        if not near:
            return []
        bottom, top = things[i].measured.bounds[:, 2].tolist()
        low, high = np.array([things[j].measured.bounds[:, 2] for j in near]).T
        fits = (low <= bottom + _LOW * (top - bottom)) & (high >= bottom - _LOOSE_BELOW * self._scale)
        beside = (low > bottom - _THIN) & (high > bottom + _BESIDE)
        floats = things[i].is_structure
        return [near[k] for k in np.flatnonzero(fits & ~beside) if things[near[k]].is_structure or not floats]

    def _carrier(self, i: int, things: Sequence[Thing], near: list[int]) -> Carrier:
        """The first of: what it surely rests on, what it hangs on, what it may rest on; the same less strictly.

        Curtains, pictures and the like are asked first what they hang on, though they may touch something below.
        """
        thing = things[i]
        if not thing.is_solid:
            return Carrier(None, "none")
        below = self._below(i, things, near)
        hangs_first = thing.role in ("wall_mounted", "ceiling_mounted")
        for loose in (False, True):
            resting, sure = self._resting(thing, things, below, loose)
            if resting is not None and sure and not hangs_first:
                return resting
            hanging = None if thing.category in _SHELL else self._hanging(thing, things, near, loose)
            if hanging is not None:
                return hanging
            if resting is not None:
                return resting
        set_in = None if thing.category in _SHELL else self._set_in(thing, things, near)
        return set_in or Carrier(None, "none")

    def _resting(self, s: Thing, things: Sequence[Thing], below: list[int], loose: bool) -> tuple[Carrier | None, bool]:
        """What it touches from above: the one that carries its centre of mass alone, else the largest contact.

        Returns:
            The carrier, and whether all contacts together keep the thing from tipping over.
        """
        touched: list[tuple[bool, float, int, Contacts]] = []
        bottom, top = s.measured.bounds[:, 2].tolist()
        centre = s.measured.body.centre_of_mass
        for j in below:
            t = things[j].measured
            found = self._pair(s.measured, t, loose)
            if found is not None and (t.bounds[0, 2] < bottom or found.height <= bottom + _LOW * (top - bottom)):
                touched.append((found.carry(centre), _spread(found), j, found))
        if not touched:
            return None, False
        alone, _, j, best = max(touched, key=lambda c: (c[0], c[1], -c[2]))
        together = alone or reduce(lambda a, b: a + b, (c[3] for c in touched)).carry(centre)
        return Carrier(j, "rests", best.height, float(best.gaps.min())), together

    def _pair(self, s: Measured, t: Measured, loose: bool) -> Contacts | None:
        """Contacts of s on t, the close ones only or those as a person sees them."""
        found = self._contacts[s.key, t.key]
        if not loose and found:
            close = (found.gaps <= _BELOW * self._scale) & (found.gaps >= -_SINK * self._scale)
            found = Contacts(found.points[close], found.gaps[close])
        return found if found else None

    def _hanging(self, s: Thing, things: Sequence[Thing], near: list[int], loose: bool) -> Carrier | None:
        """The wall, ceiling or other upright structure that it touches, nearest first; notes hang on boards, too."""
        reach = (_ON_WALL if loose else _TOUCHING_WALL) * self._scale
        flat = _is_flat_upright(s.measured)
        touching = []
        for j in near:
            t = things[j]
            upright = t.is_structure and t.category not in _LAID
            board = loose and flat and not t.is_structure and _is_larger(t.measured, s.measured)
            if upright or board:
                gap = self._gap(s.measured, t.measured, t.is_structure and t.category != "ceiling")
                if gap <= reach:
                    touching.append((gap, j))
        if not touching:
            return None
        gap, j = min(touching)
        return Carrier(j, "hangs", gap=gap, at=s.measured.box.center)

    def _gap(self, s: Measured, t: Measured, of_sides: bool = False) -> float:
        """Distance of two surfaces, infinite beyond what counts as touching; of t only its sides and upper half,
        if asked: a lamp on the floor of a room's shell does not hang on it.
        """
        key = (s.key, t.key, of_sides)
        if key not in self._gaps:
            host = self._sides_of(t) if of_sides else t.body
            reach = _ON_WALL * self._scale
            self._gaps[key] = surface_distance(_near(s.body, host, reach), _near(host, s.body, reach), reach)
        return self._gaps[key]

    def _sides_of(self, t: Measured) -> Body:
        if t.key not in self._sides:
            middle = float(t.bounds[:, 2].mean())
            body = t.body
            kept = (np.abs(body.normals[:, 2]) < 0.7) | (body.centroids[:, 2] > middle)
            self._sides[t.key] = Body(TriMesh(body.mesh.vertices, body.mesh.triangles[kept]))
        return self._sides[t.key]

    def _set_in(self, s: Thing, things: Sequence[Thing], near: list[int]) -> Carrier | None:
        """The smallest thing whose box holds most of this one's, or that it touches at its side."""
        low, high = s.measured.bounds
        volume = float(np.prod(np.maximum(high - low, 1e-4)))
        inside = []
        for j in (j for j in near if not things[j].is_structure):
            t_low, t_high = things[j].measured.bounds
            common = float(np.prod(np.maximum(np.minimum(high, t_high) - np.maximum(low, t_low), 0.0) + 1e-9))
            host = float(np.prod(np.maximum(t_high - t_low, 1e-4)))
            if common >= 0.6 * volume and host > volume:
                inside.append((host, j))
        if inside:
            return Carrier(min(inside)[1], "set_in")
        touching = [
            j
            for j in near
            if np.prod(np.ptp(things[j].measured.bounds, axis=0) + 1e-3) > volume
            and self._gap(s.measured, things[j].measured) <= _BELOW * self._scale
        ]
        if not touching:
            return None
        best = max(
            touching,
            key=lambda j: (not things[j].is_structure, _plan_overlap(s.measured, things[j].measured)),
        )
        return Carrier(best, "set_in")


def _near(body: Body, other: Body, reach: float) -> Body:
    """The triangles of a body that may come within a distance of another."""
    low, high = other.hull
    boxes = body.surface.boxes
    kept = ((boxes.low <= high + reach) & (boxes.high >= low - reach)).all(axis=1)
    return body if kept.all() else Body(TriMesh(body.mesh.vertices, body.mesh.triangles[kept]))


def _plan_overlap(s: Measured, t: Measured) -> float:
    common = np.minimum(s.bounds[1, :2], t.bounds[1, :2]) - np.maximum(s.bounds[0, :2], t.bounds[0, :2])
    return float(np.prod(np.maximum(common, 0.0)))


def _face(thing: Thing) -> tuple[object, ...]:
    """What of a thing bears on who carries whom."""
    return (thing.measured.key, thing.role, thing.category, thing.hidden)


def _is_flat_upright(measured: Measured) -> bool:
    """Thin and standing, as a sheet on a wall is."""
    half = measured.box.half
    thin = half[:2].min()
    return bool(thin < 0.15 * half[:2].max() and thin < 0.15 * half[2])


def _is_larger(host: Measured, guest: Measured) -> bool:
    return bool(np.linalg.norm(host.box.half) > 1.5 * np.linalg.norm(guest.box.half))


def _neighbours(things: Sequence[Thing], scale: float) -> list[list[int]]:
    solid = [i for i, t in enumerate(things) if t.is_solid]
    near: list[list[int]] = [[] for _ in things]
    if len(solid) > 1:
        bounds = np.array([things[i].measured.bounds for i in solid])
        for a, b in meeting_pairs(Boxes(bounds[:, 0] - _REACH * scale / 2, bounds[:, 1] + _REACH * scale / 2)):
            near[solid[a]].append(solid[b])
            near[solid[b]].append(solid[a])
    return near


def _spread(found: Contacts) -> float:
    """Plan area of the contacts' bounding box, a cheap stand-in for their hull's."""
    width = np.ptp(found.points[:, :2], axis=0) + 1e-4
    return float(width[0] * width[1])


def _without_cycles(found: list[Carrier], things: Sequence[Thing]) -> list[Carrier]:
    """Break mutual support (a book between two boards): the lowest thing of a cycle rests on none of it."""
    for start in range(len(found)):
        path = [start]
        while (above := found[path[-1]].thing) is not None:
            if above in path:
                cycle = path[path.index(above) :]
                lowest = min(cycle, key=lambda k: (not things[k].is_structure, things[k].measured.bounds[0, 2]))
                found[lowest] = Carrier(None, "none")
                break
            path.append(above)
    return found
