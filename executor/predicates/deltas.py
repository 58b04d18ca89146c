"""Changes against the state before: moved, turned, scaled by a stated amount."""

from __future__ import annotations

import numpy as np

from ..geometry.boxes import wrap_deg
from ..geometry.mesh import FloatArray
from ..model.predicate import Predicate, Verdict
from ..world import World

MOVE_TOLERANCE = 0.005
TURN_TOLERANCE_DEG = 1.0
SCALE_TOLERANCE = 0.02


def move_delta(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject moved by ``offset`` (metres, world), to 5 mm."""
    wanted = np.array(predicate.qualifiers["offset"], np.float64)
    moved = {t: world.pose(t)[:3, 3] - before.pose(t)[:3, 3] for t in predicate.subject}
    worst = max(float(np.linalg.norm(m - wanted)) for m in moved.values())
    worst = max(worst, *(stray_geometry(t, world, before) for t in predicate.subject))
    return Verdict.of(
        worst <= MOVE_TOLERANCE,
        "moved_otherwise",
        offset={t: [round(float(c), 6) for c in m] for t, m in moved.items()},
        error=round(worst, 6),
    )


def rotation_delta(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject turned by ``angle_deg`` about world Z, counter-clockwise from above, to 1°."""
    wanted = float(str(predicate.qualifiers["angle_deg"]))
    turned = {t: turn_deg(before.pose(t), world.pose(t)) for t in predicate.subject}
    worst = max(abs(wrap_deg(angle - wanted)) for angle, _ in turned.values())
    tilt = max(tilt for _, tilt in turned.values())
    stray = max(stray_geometry(t, world, before) for t in predicate.subject)
    return Verdict.of(
        worst <= TURN_TOLERANCE_DEG and tilt <= TURN_TOLERANCE_DEG and stray <= MOVE_TOLERANCE,
        "turned_otherwise",
        angle_deg={t: round(angle, 4) for t, (angle, _) in turned.items()},
        error_deg=round(worst, 4),
    )


def scale_ratio(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject's dimensions are ``factor`` times what they were, to 2 %: those along its one of the ``axes``, if
    these are given, while the others stay.
    """
    factor = float(str(predicate.qualifiers["factor"]))
    axes = predicate.qualifiers.get("axes")
    if isinstance(axes, dict):
        frames = {t: _frame_of(np.array(axes[t], np.float64)) for t in predicate.subject}
        ratios = {t: _extents(world, t, f) / _extents(before, t, f) for t, f in frames.items()}
        wanted = np.array([factor, 1.0, 1.0])
    else:
        ratios = {t: _ratios(before.pose(t), world.pose(t)) for t in predicate.subject}
        wanted = np.full(3, factor)
    worst = max(float(np.abs(r / wanted - 1).max()) for r in ratios.values())
    stray = max(stray_geometry(t, world, before) for t in predicate.subject)
    return Verdict.of(
        worst <= SCALE_TOLERANCE and stray <= MOVE_TOLERANCE,
        "scaled_otherwise",
        ratio={t: [round(float(c), 5) for c in r] for t, r in ratios.items()},
    )


def _frame_of(axis: FloatArray) -> FloatArray:
    """Three directions square to one another, one a row, the first of them given."""
    other = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.5 else [1.0, 0.0, 0.0])
    other /= np.linalg.norm(other)
    return np.array([axis, other, np.cross(axis, other)])


def _extents(world: World, thing: str, frame: FloatArray) -> FloatArray:
    """Extents of a thing along some directions, metres, never quite nothing."""
    return np.maximum(np.ptp(world.body(thing).mesh.vertices @ frame.T, axis=0), 1e-6)


_POSTURES = {"upright": 1.0, "upside_down": -1.0}
"""Vertical part of a thing's own up; 0 in all postures in which it lies."""


def posture(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject's own up points up, down or sideways, as the ``posture`` says, to 1°, and its shape went with it."""
    wanted = _POSTURES.get(str(predicate.qualifiers["posture"]), 0.0)
    ups = {t: _turned_up(t, world, before) for t in predicate.subject}
    leaning = {t: float(np.degrees(np.arccos(np.clip(up[2], -1, 1)))) for t, up in ups.items()}
    worst = max(abs(angle - float(np.degrees(np.arccos(wanted)))) for angle in leaning.values())
    stray = max(stray_geometry(t, world, before) for t in predicate.subject)
    return Verdict.of(
        worst <= TURN_TOLERANCE_DEG and stray <= MOVE_TOLERANCE,
        "lies_otherwise",
        from_vertical_deg={t: round(angle, 3) for t, angle in leaning.items()},
    )


def _turned_up(thing: str, world: World, before: World) -> FloatArray:
    """Where a thing's own up of before points now."""
    rotation = _unit(world.pose(thing)) @ np.linalg.pinv(_unit(before.pose(thing)))
    return np.asarray(rotation @ before.own_up(thing))


def turned_otherwise_deg(old: FloatArray, new: FloatArray, axis: FloatArray, angle_deg: float) -> float:
    """By what angle the turn between two poses differs from one about an axis, degrees."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(angle_deg)
    wanted = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross  # Rodrigues' formula
    left = _unit(new) @ np.linalg.pinv(_unit(old)) @ wanted.T
    return float(np.degrees(np.arccos(np.clip((np.trace(left) - 1) / 2, -1, 1))))


def stray_geometry(thing: str, world: World, before: World) -> float:
    """How far a thing's evaluated geometry is from where its object went, metres beyond what noise does.

    An object may move without its shape: a modifier may tie vertices to others. Shapes that change a little by
    themselves (displacement in world space) are let be: by 2 % of their size, as long as that is less than half of
    how far the thing moved. Vertices are compared one by one, or by their box if modifiers made other ones.
    """
    old, new = before.body(thing).mesh.vertices, world.body(thing).mesh.vertices
    if not len(old) or not len(new):
        return 0.0
    motion = world.pose(thing) @ np.linalg.pinv(before.pose(thing))
    expected = old @ motion[:3, :3].T + motion[:3, 3]
    if len(old) != len(new):
        old, expected, new = (np.array([p.min(0), p.max(0)]) for p in (old, expected, new))
    moved = float(np.abs(expected - old).max())
    noise = min(0.02 * float(np.linalg.norm(np.ptp(expected, axis=0))), moved / 2)
    return max(0.0, float(np.abs(new - expected).max()) - noise)


def turn_deg(old: FloatArray, new: FloatArray) -> tuple[float, float]:
    """Angle about Z between two poses, flat ones too, and how far the turn's axis leans from it, degrees."""
    rotation = _unit(new) @ np.linalg.pinv(_unit(old))
    angle = float(np.degrees(np.arctan2(rotation[1, 0] - rotation[0, 1], rotation[0, 0] + rotation[1, 1])))
    tilt = float(np.degrees(np.arctan2(np.hypot(rotation[0, 2], rotation[1, 2]), rotation[2, 2])))
    return angle, tilt


def _unit(pose: FloatArray) -> FloatArray:
    return np.asarray(pose[:3, :3] / np.maximum(np.linalg.norm(pose[:3, :3], axis=0), 1e-12))


def _ratios(old: FloatArray, new: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(old[:3, :3], axis=0)
    return np.asarray(np.linalg.norm(new[:3, :3], axis=0) / np.maximum(lengths, 1e-12))
