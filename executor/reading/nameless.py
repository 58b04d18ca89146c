"""Floors and walls whose names say nothing, told by their shape and by what they do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from ..geometry.plan import joined_segments, section
from .lexicon import UNKNOWN, Lexicon
from .things import Measured, Thing
from .walls import lines_of

FLOOR_WORDS = ("floor", "ground")

_SMALLEST_FLOOR = 4.0
_SMALLEST_SHELL = 1.8
_CARRIES_ALONE = 4.0
"""How many times larger in plan than the one thing on it a floor is."""
_WALL_HEIGHT, _WALL_LENGTH, _WALL_FILL = 1.9, 1.5, 0.4


def mark_structure(things: Sequence[Thing], lexicon: Lexicon) -> None:
    """Give nameless floors and walls their role and category, by shape and by what they do.

    A floor is flat, at least 4 m², and carries other things. A wall is at least 1.9 m high and 1.5 m long, mostly
    upright faces, and either a thin slab that stands on a floor's edge or a shell with things inside.
    """
    solid = [t for t in things if t.is_solid]
    nameless = [t for t in solid if t.category == UNKNOWN]
    if not nameless:
        return
    floors = [t for t in solid if is_floor(t, lexicon)]
    if not floors:
        candidates = [t for t in nameless if _looks_like_floor(t.measured) and _carries(t, solid)]
        for thing in sorted(candidates, key=lambda t: -_plan_area(t.measured))[:1]:
            thing.category, thing.role = "floor", "structure"
            floors = [thing]
    walls = [t for t in solid if lexicon.is_a(t.category, "wall")]
    for thing in nameless:
        if thing.category != UNKNOWN:
            continue
        slab = any(_stands_at(thing.measured, floor.measured) for floor in floors) and _is_slab(thing.measured)
        shell = not walls and _contains_any(thing, solid) and _is_hollow(thing.measured)
        if (slab or shell) and _is_upright(thing.measured):
            thing.category, thing.role = "wall", "structure"


def is_floor(thing: Thing, lexicon: Lexicon) -> bool:
    """Whether a thing is called a floor or is known to be one."""
    return any(lexicon.is_a(thing.category, w) for w in FLOOR_WORDS)


def _carries(floor: Thing, things: Sequence[Thing]) -> bool:
    """Whether two things have their foot on a thing's top, or the only other one has, if it is much smaller."""
    top = floor.measured.bounds[1, 2]
    others = [t for t in things if t is not floor]
    borne = [t for t in others if abs(t.measured.bounds[0, 2] - top) < 0.05 and _covers(floor.measured, t.measured)]
    if len(borne) != 1 or len(others) != 1:
        return len(borne) >= 2
    return _plan_area(floor.measured) >= _CARRIES_ALONE * _plan_area(borne[0].measured)


def _contains_any(shell: Thing, things: Sequence[Thing]) -> bool:
    """Whether anything stands within a thing's plan, near the height of its foot; not if it is a mere closet."""
    low, high = shell.measured.bounds
    if 2 * shell.measured.box.half[:2].min() < _SMALLEST_SHELL:
        return False
    return any(
        t is not shell
        and abs(t.measured.bounds[0, 2] - low[2]) <= 0.3
        and _covers(shell.measured, t.measured)
        and bool((t.measured.bounds[0, :2] >= low[:2]).all() and (t.measured.bounds[1, :2] <= high[:2]).all())
        and np.prod(t.measured.box.half) < np.prod(shell.measured.box.half) / 4
        for t in things
    )


def _covers(host: Measured, guest: Measured) -> bool:
    local = host.box.axes @ (guest.box.center[:2] - host.box.center[:2])
    return bool((np.abs(local) < host.box.half[:2]).all())


def _stands_at(wall: Measured, floor: Measured) -> bool:
    """Whether a thing begins at most 30 cm above a floor and meets its plan."""
    apart = np.maximum(wall.bounds[0, :2] - floor.bounds[1, :2], floor.bounds[0, :2] - wall.bounds[1, :2]).max()
    return bool(apart <= 0.3 and wall.bounds[0, 2] <= floor.bounds[1, 2] + 0.3)


def _plan_area(measured: Measured) -> float:
    return float(4 * measured.box.half[0] * measured.box.half[1])


def _looks_like_floor(measured: Measured) -> bool:
    body, box = measured.body, measured.box
    level = float((body.areas * (np.abs(body.normals[:, 2]) > 0.98)).sum())
    flat = box.half[2] * 2 <= 0.35 and box.half[2] < 0.1 * box.half[:2].min()
    return flat and _plan_area(measured) >= _SMALLEST_FLOOR and level >= 0.6 * _plan_area(measured)


def _is_slab(measured: Measured) -> bool:
    long, deep = 2 * float(measured.box.half[:2].max()), 2 * float(measured.box.half[:2].min())
    return deep <= 1.0 and long >= 2.5 * deep


def _is_upright(measured: Measured) -> bool:
    """At least 1.9 m high and 1.5 m long, with enough surface along it."""
    box, body = measured.box, measured.body
    long, high = 2 * float(box.half[:2].max()), 2 * float(box.half[2])
    if high < _WALL_HEIGHT or long < _WALL_LENGTH:
        return False
    upright = np.abs(body.normals[:, 2]) < 0.05
    along = np.abs(body.normals[:, :2] @ box.axes.T)
    facing = max(float(body.areas[upright & (along[:, k] > 0.98)].sum()) for k in (0, 1))
    return facing >= _WALL_FILL * _WALL_HEIGHT * long


def _is_hollow(measured: Measured) -> bool:
    """Whether most of its plan is free from 0.25 m to 1.75 m above its foot, as a shell of walls is."""
    box = measured.box
    foot = float(measured.bounds[0, 2])
    cuts = [section(measured.body, foot + h) for h in (0.3, 0.8, 1.3, 1.7)]
    lines = lines_of(joined_segments(np.concatenate(cuts)))
    if not len(lines):
        return False
    steps = (np.arange(10) + 0.5) / 5 - 1
    grid = np.stack(np.meshgrid(steps * box.half[0], steps * box.half[1]), axis=-1).reshape(-1, 2)
    points = shapely.points(box.center[:2] + grid @ box.axes)
    solid = shapely.union_all(shapely.buffer(lines, 0.05))
    return bool((shapely.distance(points, solid) > 0).mean() > 0.7)
