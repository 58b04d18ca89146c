"""Frames of reference: which way left, forward and north are."""

from __future__ import annotations

import numpy as np

from .mesh import FloatArray

_STRAIGHT_DOWN_DEG = 20.0

COMPASS = {"north": (0.0, 1.0), "south": (0.0, -1.0), "east": (1.0, 0.0), "west": (-1.0, 0.0)}


def viewer_forward(world_from_camera: FloatArray | None) -> FloatArray:
    """Where somebody looking through a camera looks, in plan: a unit vector ``(2,)``.

    A camera within 20° of straight down gives its up vector; without one the viewer stands at −Y and looks to +Y.

    Args:
        world_from_camera: ``(4, 4)``; the camera looks along its −Z, its up is +Y.
    """
    if world_from_camera is None:
        return np.array([0.0, 1.0])
    axes = world_from_camera[:3, :3] / np.maximum(np.linalg.norm(world_from_camera[:3, :3], axis=0), 1e-12)
    looking = -axes[:, 2]
    if looking[2] < -np.cos(np.radians(_STRAIGHT_DOWN_DEG)):
        looking = axes[:, 1]
    flat = looking[:2]
    length = float(np.hypot(*flat))
    return flat / length if length > 1e-6 else np.array([0.0, 1.0])


def direction_in_plan(word: str, forward: FloatArray) -> FloatArray:
    """A unit vector in plan for ``left``, ``right``, ``forward``, ``back`` as seen by somebody looking forward."""
    left = np.array([-forward[1], forward[0]])
    return {"forward": forward, "back": -forward, "left": left, "right": -left}[word]


def compass(word: str, north_deg: float) -> FloatArray:
    """A unit vector in plan for a compass word; north is +Y turned by `north_deg` counter-clockwise."""
    x, y = COMPASS[word]
    turn = np.radians(north_deg)
    return np.array([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)])
