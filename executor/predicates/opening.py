"""How far drawers and doors are open."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..geometry.mesh import FloatArray
from ..model.predicate import Predicate, Verdict
from ..world import World
from .deltas import MOVE_TOLERANCE, TURN_TOLERANCE_DEG, turned_otherwise_deg


def opened(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each of the ``parts`` went by its ``amount`` along its ``axis`` (metres, 5 mm) or about it (degrees, 1°).

    What it went is measured against the state before; the rest of the thing stayed where it was.
    """
    thing = predicate.subject[0]
    parts = predicate.qualifiers["parts"]
    assert isinstance(parts, list)
    went: dict[str, float] = {}
    worst = 0.0
    for part in parts:
        assert isinstance(part, Mapping)
        name, axis = str(part["object"]), np.array(part["axis"], np.float64)
        old, new = before.part_pose(thing, name), world.part_pose(thing, name)
        wanted = float(str(part["amount"]))
        if part["motion"] == "slide":
            shift = new[:3, 3] - old[:3, 3]
            went[name] = round(float(shift @ axis), 5)
            worst = max(worst, float(np.linalg.norm(shift - axis * wanted)) / MOVE_TOLERANCE)
        else:
            pivot = np.array(part["origin"], np.float64)
            went[name] = round(_angle_about(axis, old, new), 3)
            worst = max(worst, turned_otherwise_deg(old, new, axis, wanted) / TURN_TOLERANCE_DEG)
            reach = [np.linalg.norm(np.cross(axis, p[:3, 3] - pivot)) for p in (old, new)]
            worst = max(worst, abs(float(reach[1] - reach[0])) / MOVE_TOLERANCE)
    return Verdict.of(worst <= 1.0, "opened_otherwise", went=went)


def _angle_about(axis: FloatArray, old: FloatArray, new: FloatArray) -> float:
    """Right-handed angle about an axis between two poses, degrees: of what is square to the axis."""
    rotation = new[:3, :3] @ np.linalg.pinv(old[:3, :3])
    across = np.cross(axis, [1.0, 0.0, 0.0] if abs(axis[0]) < 0.9 else [0.0, 1.0, 0.0])
    turned = rotation @ across
    return float(np.degrees(np.arctan2(np.cross(across, turned) @ axis, across @ turned)))
