"""Moving, turning and scaling objects so that the change holds at every frame and after a reload.

``matrix_world`` is never assigned: that rewrites scale and rotation of mirrored things, is lost on animated ones and
wrong under vertex parents and constraints. Instead the value that decides is changed: F-curves where there are keys,
deltas where drivers, the NLA or an action write that others use, too (linked ones stay linked), the plain properties
elsewhere. What does not follow is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray

from ..model.errors import ScenewrightError
from .animation import Moment, curves_of, telling_moments
from .edits import KEY_FIELDS, key_values
from .journal import Journal

_EXACT = 1e-4
"""How far a world position may be off what was asked, relative to 1 + its distance from the origin."""


class Rigid:
    """A rigid motion of the world: turn about an axis through a pivot, then shift; scene units.

    Args:
        shift: ``(3,)``.
        turn_deg: counter-clockwise seen against the axis: from above, if that is vertical.
        pivot: ``(3,)`` any point of the axis.
        axis: ``(3,)`` its direction.
    """

    def __init__(
        self,
        shift: Iterable[float],
        turn_deg: float = 0.0,
        pivot: Iterable[float] = (0, 0, 0),
        axis: Iterable[float] = (0, 0, 1),
    ) -> None:
        self.rotation = Matrix.Rotation(np.radians(turn_deg), 3, Vector(axis))
        self.turns = abs(turn_deg) > 0
        at = Vector(pivot)
        self.matrix = Matrix.Translation(Vector(shift) + at) @ self.rotation.to_4x4() @ Matrix.Translation(-at)


def move_rigidly(journal: Journal, objects: Iterable[bpy.types.Object], motion: Rigid, name: str) -> None:
    """Carry out a rigid motion on objects whose parents do not take part in it.

    Args:
        journal: records old values.
        objects: the topmost objects of what moves.
        motion: in scene units.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``blocked`` if a transform is locked, ``unsupported`` if a parent's uneven scale does not let
            it, or if something else decides the transform (constraints, an animated parent), so that the change would
            not hold.
    """
    moved = list(objects)
    with held_at_all_frames(moved, motion.matrix, name):
        for obj in moved:
            target = motion.matrix @ obj.matrix_world
            if motion.turns:
                _turn(journal, obj, motion.rotation, name)
            bpy.context.view_layer.update()
            _shift(journal, obj, target.translation - obj.matrix_world.translation, name)
        bpy.context.view_layer.update()


def scale_about(
    journal: Journal,
    objects: Iterable[bpy.types.Object],
    factors: Sequence[float],
    axes: Iterable[Iterable[float]],
    pivot: Iterable[float],
    name: str,
) -> None:
    """Scale objects about a point.

    Args:
        journal: records old values.
        objects: the topmost objects of what is scaled.
        factors: ``(3,)`` by axis.
        axes: ``(3, 3)`` orthonormal world directions, one per row.
        pivot: ``(3,)`` the point that stays, scene units.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: as for `move_rigidly`, and ``unsupported`` if objects stand across the axes and would be
            sheared.
    """
    at, frame = Vector(pivot), Matrix(axes)
    linear = frame.transposed() @ Matrix.Diagonal(factors) @ frame
    matrix = Matrix.Translation(at) @ linear.to_4x4() @ Matrix.Translation(-at)
    scaled = list(objects)
    with held_at_all_frames(scaled, matrix, name):
        for obj in scaled:
            target = matrix @ obj.matrix_world
            _stretch(journal, obj, linear, name)
            bpy.context.view_layer.update()
            _shift(journal, obj, target.translation - obj.matrix_world.translation, name)
        bpy.context.view_layer.update()


def bring_to(journal: Journal, obj: bpy.types.Object, world: Matrix, name: str) -> None:
    """Give an object a world matrix, by its own values: turned, scaled along its own axes, and shifted.

    Raises:
        ScenewrightError: as for `scale_about`.
    """
    now, target = obj.matrix_world.to_3x3(), world.to_3x3()
    sizes = [[max(column.length, 1e-12) for column in matrix.col] for matrix in (now, target)]
    upright = [m @ Matrix.Diagonal([1 / s for s in size]) for m, size in zip((now, target), sizes, strict=True)]
    rotation = upright[1] @ upright[0].inverted_safe()
    if not _is_rotation(rotation) or rotation.determinant() < 0:
        raise _sheared(name)
    _turn(journal, obj, rotation, name)
    bpy.context.view_layer.update()
    turned = obj.matrix_world.to_3x3()
    _stretch(journal, obj, target @ turned.inverted_safe(), name)
    bpy.context.view_layer.update()
    _shift(journal, obj, world.translation - obj.matrix_world.translation, name)
    bpy.context.view_layer.update()


def parent_space(obj: bpy.types.Object) -> Matrix:
    """World matrix of the space that the object's own transform lives in."""
    if obj.parent is None:
        return Matrix.Identity(4)
    if obj.parent_type == "OBJECT":
        return obj.parent.matrix_world @ obj.matrix_parent_inverse
    return obj.matrix_world @ obj.matrix_basis.inverted_safe()


def _shift(journal: Journal, obj: bpy.types.Object, offset: Vector, name: str) -> None:
    """Add a world offset to what decides the object's location."""
    if offset.length < 1e-9:
        return
    space = parent_space(obj).to_3x3()
    local = space.inverted_safe() @ offset
    if (space @ local - offset).length > _EXACT * offset.length:
        raise ScenewrightError(
            "unsupported",
            f"{name} is under a parent that is scaled to nothing in the way it should move.",
            "Give the parent's scale a value on each axis first.",
        )
    if any(locked and abs(d) > 1e-7 for locked, d in zip(obj.lock_location, local, strict=True)):
        raise _locked(name, "location")
    keyed = _curves(obj, "location")
    if _written_by_others(obj, "location") or (keyed and not _has_own_action(obj)):
        journal.assign(obj, "delta_location", obj.delta_location + local)
        return
    for curve in keyed:
        if abs(local[curve.array_index]) > 0:
            _offset_curve(journal, obj, curve, local[curve.array_index])
    for k in set(range(3)) - {c.array_index for c in keyed}:
        journal.assign(obj, f"location[{k}]", obj.location[k] + local[k])


def _turn(journal: Journal, obj: bpy.types.Object, rotation: Matrix, name: str) -> None:
    """Turn an object about its own origin by a world rotation."""
    space = parent_space(obj).to_3x3()
    local = space.inverted_safe() @ rotation @ space
    if not _is_rotation(local):
        raise ScenewrightError(
            "unsupported",
            f"{name} is under an unevenly scaled parent and would be sheared by turning.",
            "Apply the parent's scale first.",
        )
    if any(obj.lock_rotation):
        raise _locked(name, "rotation")
    keyed = any(_curves(obj, path) for path in ("rotation_euler", "rotation_quaternion", "rotation_axis_angle"))
    others = any(
        _written_by_others(obj, path) for path in ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")
    )
    if obj.rotation_mode == "AXIS_ANGLE":
        if keyed or others:
            raise ScenewrightError(
                "unsupported",
                f"{name} is animated in axis-angle mode.",
                "Change its rotation mode to quaternion.",
            )
        angle, *axis = obj.rotation_axis_angle
        turned = local.to_quaternion() @ Quaternion(axis, angle)
        axis_after, angle_after = turned.to_axis_angle()
        journal.assign(obj, "rotation_axis_angle", [angle_after, *axis_after])
    elif obj.rotation_mode == "QUATERNION":
        on_delta = keyed or others or obj.delta_rotation_quaternion != Quaternion()
        path = "delta_rotation_quaternion" if on_delta else "rotation_quaternion"
        journal.assign(obj, path, local.to_quaternion() @ getattr(obj, path))
    else:
        on_delta = keyed or others or any(obj.delta_rotation_euler)
        path = "delta_rotation_euler" if on_delta else "rotation_euler"
        old = getattr(obj, path)
        turned = local @ old.to_matrix()
        journal.assign(obj, path, turned.to_euler(old.order, old))


def _stretch(journal: Journal, obj: bpy.types.Object, linear: Matrix, name: str) -> None:
    """Scale an object about its own origin by a world matrix that has the object's axes for its own."""
    world = obj.matrix_world.to_3x3()
    local = np.array(world.inverted_safe() @ linear @ world)
    factors = np.diag(local)
    if np.abs(local - np.diag(factors)).max() > _EXACT * np.abs(factors).max():
        raise _sheared(name)
    if np.abs(factors - 1).max() < 1e-7:
        return
    if any(obj.lock_scale):
        raise _locked(name, "scale")
    on_delta = _curves(obj, "scale") or _written_by_others(obj, "scale")
    path = "delta_scale" if on_delta else "scale"
    journal.assign(obj, path, [s * f for s, f in zip(getattr(obj, path), factors.tolist(), strict=True)])


def _sheared(name: str) -> ScenewrightError:
    return ScenewrightError(
        "unsupported",
        f"{name} has parts that stand at an angle to the axes of the change, and would be sheared.",
        "Scale it evenly, or apply its rotation first.",
    )


def _is_rotation(matrix: Matrix) -> bool:
    difference = np.array(matrix @ matrix.transposed()) - np.eye(3)
    return bool(np.abs(difference).max() < 1e-4)


def _locked(name: str, what: str) -> ScenewrightError:
    return ScenewrightError("blocked", f"The {what} of {name} is locked.", "Unlock it in Blender's item panel.")


# --- animation ------------------------------------------------------------------------------------------------


def _curves(obj: bpy.types.Object, path: str) -> list[bpy.types.FCurve]:
    """F-curves that key a property of an object through its action."""
    data = obj.animation_data
    if data is None or data.action is None:
        return []
    return [c for c in curves_of(data.action, getattr(data, "action_slot", None)) if c.data_path == path]


def _has_own_action(obj: bpy.types.Object) -> bool:
    """Whether nobody else is animated by the object's curves: else they are not ours to change."""
    data = obj.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    users = len(slot.users()) if slot is not None else action.users - action.use_fake_user
    return bool(action.is_editable and users <= 1)


def _written_by_others(obj: bpy.types.Object, path: str) -> bool:
    """Whether a driver or an NLA strip writes a property."""
    data = obj.animation_data
    if data is None:
        return False
    driven = any(driver.data_path == path for driver in data.drivers)
    stripped = data.action is None and any(track.strips and not track.mute for track in data.nla_tracks)
    return driven or stripped


def _offset_curve(journal: Journal, obj: bpy.types.Object, curve: bpy.types.FCurve, offset: float) -> None:
    moved = {}
    for field in KEY_FIELDS:
        moved[field] = key_values(curve, field)
        moved[field][1::2] += np.float32(offset)
    slot = getattr(obj.animation_data, "action_slot", None)
    journal.assign_keys(curve, slot.handle if slot is not None else 0, moved)


# --- trial ----------------------------------------------------------------------------------------------------


@contextmanager
def held_at_all_frames(objects: Sequence[bpy.types.Object], matrix: Matrix, name: str) -> Iterator[None]:
    """Check that a change took objects where a world matrix says, now and, if anything is animated, at other frames.

    At other frames an object has the matrix's turn and scale, and the shift that it has now: a thing that travels is
    turned about where it is at the time.
    """
    whole, now = np.array(matrix), _now()
    moments = telling_moments(objects, bpy.context.scene)
    try:
        before = {moment: _worlds_at(objects, moment) for moment in moments}
        _go_to(now)
        shifts = [whole[:3, :3] @ old[:3, 3] + whole[:3, 3] - old[:3, 3] for old in before[now]]
        yield
        for moment in moments:
            after = _worlds_at(objects, moment)
            for old, new, shift in zip(before[moment], after, shifts, strict=True):
                wanted = np.concatenate([whole[:3, :3] @ old[:3, :3], (old[:3, 3] + shift)[:, None]], axis=1)
                tolerance = _EXACT * (1 + float(np.abs(wanted[:, 3]).max()))
                if np.abs(wanted - new[:3]).max() > tolerance:
                    raise ScenewrightError(
                        "unsupported",
                        f"{name} is placed by a constraint, a driver or an animated parent: the change would not hold.",
                        "Change what places it, or disable that first.",
                    )
    finally:
        _go_to(now)


def _now() -> Moment:
    scene = bpy.context.scene
    return scene.frame_current, scene.frame_subframe


def _go_to(moment: Moment) -> None:
    if _now() != moment:
        bpy.context.scene.frame_set(moment[0], subframe=moment[1])


def _worlds_at(objects: Sequence[bpy.types.Object], moment: Moment) -> list[NDArray[np.float64]]:
    _go_to(moment)
    return [np.array(o.matrix_world) for o in objects]
