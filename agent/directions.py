"""Where a direction, or a dimension of a thing, points in the world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import JsonValue
from shapely import Polygon
from shapely.ops import nearest_points

from ..executor.geometry.frames import COMPASS, compass, direction_in_plan, viewer_forward
from ..executor.geometry.mesh import FloatArray
from ..executor.model.errors import ScenewrightError
from ..executor.model.graph import Entity
from .references import BROUGHT_BY
from .setting import Setting

_AXES = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
_TOUCHING = 0.01
"""Distance in plan up to which two things touch, metres."""


def offset_to(subjects: Sequence[str], related: Sequence[str], length: float, setting: Setting) -> FloatArray:
    """The world offset of a length in plan from the subject towards what is related: the way that the gap between
    their footprints is shortest, or between their middles where they overlap.
    """
    graph = setting.graph
    if len(subjects) > 1 or len(related) > 1 or subjects[0].startswith(BROUGHT_BY):
        raise ScenewrightError(
            "ambiguous",
            "Several things have no single direction from one to the other.",
            "Name one thing to move and one to move it to.",
            [*subjects, *related],
        )
    subject, goal = graph.entity(subjects[0]), graph.entity(related[0])
    starts, ends = _footprint(subject), _footprint(goal)
    here, there = nearest_points(starts, ends)
    way = np.array([there.x - here.x, there.y - here.y])
    if np.linalg.norm(way) < _TOUCHING:
        way = np.subtract(goal.box.center, subject.box.center)[:2]
    distance = float(np.linalg.norm(way))
    surrounds = goal.role == "structure" and starts.intersects(ends)
    if surrounds or distance < _TOUCHING:
        raise ScenewrightError(
            "infeasible",
            f"{subject.name} is at {goal.name} already, or within it: no single direction leads there.",
            "Name a direction, such as left or north.",
        )
    return np.array([*(way / distance * length), 0.0])


def _footprint(entity: Entity) -> Polygon:
    box = entity.box
    yaw = np.radians(box.yaw)
    across, along = np.array([np.cos(yaw), np.sin(yaw)]), np.array([-np.sin(yaw), np.cos(yaw)])
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return Polygon([np.add(box.center[:2], x * box.half[0] * across + y * box.half[1] * along) for x, y in corners])


def offset_along(direction: str, length: float, subjects: Sequence[str], setting: Setting) -> tuple[FloatArray, str]:
    """The world offset that a direction and a length mean, and the frame that was used."""
    if direction in ("up", "down"):
        return np.array([0.0, 0.0, length if direction == "up" else -length]), "world"
    if direction in _AXES:
        return np.array(_AXES[direction], float) * length, "world"
    if direction in COMPASS:
        return np.array([*(compass(direction, setting.graph.north_deg) * length), 0.0]), "world"
    if setting.frame == "world":
        forward = np.array([0.0, 1.0])
    elif setting.frame == "object":
        fronts = {setting.graph.entity(s).front for s in subjects}
        front = next(iter(fronts))
        if len(fronts) > 1:
            raise ScenewrightError(
                "ambiguous",
                f"They face different ways, so their own {direction} is not one direction.",
                "Move them one by one, or use --frame viewer.",
                list(subjects),
            )
        if front is None:
            raise ScenewrightError(
                "ambiguous",
                f"{subjects[0]} has no front that is known, so its own {direction} is not either.",
                "Use --frame viewer, or a compass direction.",
            )
        forward = np.array(front)
    else:
        forward = viewer_forward(setting.viewer)
    return np.array([*(direction_in_plan(direction, forward) * length), 0.0]), setting.frame


def axis_of(dimension: str, entity: Entity) -> list[JsonValue]:
    """World direction of a dimension: wide is across the way a thing looks, deep along it; of what looks nowhere, long
    is the longer side of its base, wide and deep the shorter.
    """
    if dimension == "tall":
        return [0.0, 0.0, 1.0]
    yaw = np.radians(entity.box.yaw)
    across, along = (float(np.cos(yaw)), float(np.sin(yaw)), 0.0), (-float(np.sin(yaw)), float(np.cos(yaw)), 0.0)
    longer, shorter = (across, along) if entity.box.half[0] >= entity.box.half[1] else (along, across)
    if dimension == "long" or entity.front is None:
        return list(longer if dimension == "long" else shorter)
    looks = abs(float(np.dot(entity.front, across[:2]))) > abs(float(np.dot(entity.front, along[:2])))
    deep, wide = (across, along) if looks else (along, across)
    return list(deep if dimension == "deep" else wide)
