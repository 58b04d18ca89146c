"""What moves in time: the curves that apply, and the moments at which a change has to be looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

import bpy
import numpy as np

Moment: TypeAlias = tuple[int, float]
"""A frame and the part of one after it."""

_MOST_KEYS = 32
"""Keys beyond this many are thinned out evenly: each moment that is tried evaluates the scene twice."""

_LAST_FRAME = 1048574
"""Blender's MAXFRAME: frames beyond it, or below its negative, cannot be set."""

_BETWEEN = 0.38
"""Where between two keys it is looked, too: at no simple fraction, since whole turns look the same at those."""


def curves_of(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> list[bpy.types.FCurve]:
    """F-curves of an action that a slot stands for; actions are slotted since 4.4, and only so since 5.0."""
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    if slot is None:
        return []
    bags = (strip.channelbag(slot) for layer in action.layers for strip in layer.strips)
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def is_animated(block: bpy.types.ID, path: str) -> bool:
    """Whether a driver, an action or a strip of the NLA writes a property of a datablock."""
    data = block.animation_data
    if data is None:
        return False
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    actions = [(a.action, getattr(a, "action_slot", None)) for a in (data, *strips) if a.action is not None]
    curves = [curve for action, slot in actions for curve in curves_of(action, slot)]
    return any(curve.data_path == path for curve in (*data.drivers, *curves))


def telling_moments(objects: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> list[Moment]:
    """Moments that tell whether a change of objects holds over time: now, and if anything that places them may move,
    the ends of the frame range, the keys of all that places them, and one moment between each two of those.

    Args:
        objects: what is changed.
        scene: whose time it is.
    """
    now = (scene.frame_current, scene.frame_subframe)
    placing = _placing(objects)
    if not any(_may_move(block) for block in placing):
        return [now]
    keys = sorted({time for block in placing for time in _key_times(block) if abs(time) < _LAST_FRAME})
    kept = [keys[k] for k in np.linspace(0, len(keys) - 1, min(len(keys), _MOST_KEYS)).round().astype(int)]
    times = sorted({float(scene.frame_start), float(scene.frame_end), *kept})
    between = [one + _BETWEEN * (other - one) for one, other in pairwise(times)]
    return list(dict.fromkeys([now, *(_moment(time) for time in sorted([*times, *between]))]))


def _moment(time: float) -> Moment:
    frame, thousandths = divmod(round(time * 1000), 1000)
    return frame, thousandths / 1000


def _placing(objects: Iterable[bpy.types.Object]) -> list[bpy.types.ID]:
    """Objects, their parents, what their constraints and drivers look at, and so on, with their data."""
    found: dict[bpy.types.ID, None] = {}
    queue: list[bpy.types.ID | None] = list(objects)
    while queue:
        block = queue.pop()
        if block is None or block in found:
            continue
        found[block] = None
        queue += [t.id for d in _drivers(block) for v in d.driver.variables for t in v.targets]
        if isinstance(block, bpy.types.Object):
            queue += [block.parent, block.data, getattr(block.data, "shape_keys", None), *_targets(block)]
    return list(found)


def _targets(obj: bpy.types.Object) -> Iterator[bpy.types.Object | None]:
    for constraint in _constraints(obj):
        yield getattr(constraint, "target", None)
        for target in getattr(constraint, "targets", ()):  # an Armature constraint's
            yield target.target


def _constraints(obj: bpy.types.Object) -> Iterator[bpy.types.Constraint]:
    """What constrains an object or one of its bones, unless it is muted."""
    bones = obj.pose.bones if obj.pose is not None else ()
    for owner in (obj, *bones):
        yield from (c for c in owner.constraints if not c.mute)


def _drivers(block: bpy.types.ID) -> Iterable[bpy.types.FCurve]:
    data = getattr(block, "animation_data", None)
    return data.drivers if data is not None else ()


def _may_move(block: bpy.types.ID) -> bool:
    constrained = isinstance(block, bpy.types.Object) and any(_constraints(block))
    return constrained or getattr(block, "animation_data", None) is not None


def _key_times(block: bpy.types.ID) -> Iterator[float]:
    """Frames of the keys that animate a datablock, by its action and by strips of the NLA."""
    data = getattr(block, "animation_data", None)
    if data is None:
        return
    if data.action is not None:
        yield from _times(data.action, getattr(data, "action_slot", None))
    for strip in (s for track in data.nla_tracks if not track.mute for s in track.strips):
        yield from (strip.frame_start, strip.frame_end)
        if strip.action is not None:
            for time in _times(strip.action, getattr(strip, "action_slot", None)):
                yield strip.frame_start + (time - strip.action_frame_start) * strip.scale


def _times(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> set[float]:
    found: set[float] = set()
    for curve in curves_of(action, slot):
        points = np.empty(len(curve.keyframe_points) * 2, np.float32)
        curve.keyframe_points.foreach_get("co", points)
        found.update(points[::2].tolist())
    return found
