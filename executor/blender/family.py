"""Who is whose child: parents given and taken without anything moving, and groups under an empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy
from mathutils import Matrix, Vector

from ..model.errors import ScenewrightError
from .journal import Journal
from .scenes import homes_beside
from .transform import bring_to, held_at_all_frames, parent_space


def set_parent(
    journal: Journal, objects: Sequence[bpy.types.Object], parent: bpy.types.Object | None, name: str
) -> None:
    """Make objects the children of another one, or nobody's; they stay where they are.

    Args:
        journal: records old values.
        objects: the topmost objects of a thing.
        parent: None frees them.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``contradiction`` if the parent is among what it would carry, ``unsupported`` if they would
            not stay where they are, now or at another frame.
    """
    for obj in objects:
        if parent is not None and obj in (parent, *_ancestors(parent)):
            raise ScenewrightError("contradiction", f"{parent.name} is a part of {name}, and cannot carry it.")
    with held_at_all_frames(objects, Matrix.Identity(4), name):
        for obj in objects:
            world, space = obj.matrix_world.copy(), parent_space(obj)
            if obj.parent_type != "OBJECT":
                journal.assign(obj, "parent_bone", "")  # else Blender forgets it with the parent, unrecorded
                journal.assign(obj, "parent_type", "OBJECT")
            journal.assign(obj, "parent", parent)
            if parent is None:
                bpy.context.view_layer.update()
                bring_to(journal, obj, world, name)
            else:
                journal.assign(obj, "matrix_parent_inverse", parent.matrix_world.inverted_safe() @ space)
        bpy.context.view_layer.update()


def group(journal: Journal, objects: Sequence[bpy.types.Object], name: str) -> bpy.types.Object:
    """Put objects under an empty, which stands on the ground amid them.

    Args:
        journal: records what is made and old values.
        objects: the topmost objects of all that goes into the group.
        name: of the empty.
    """
    with journal.creating():
        empty = bpy.data.objects.new(name, None)
    journal.relink(empty, homes_beside(bpy.context.scene, objects[0]))
    places = [obj.matrix_world.translation for obj in objects]
    middle = sum(places, Vector((0, 0, 0))) / len(places)
    empty.location = (middle.x, middle.y, min(p.z for p in places))
    bpy.context.view_layer.update()
    set_parent(journal, objects, empty, name)
    return empty


def _ancestors(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    while (obj := obj.parent) is not None:
        yield obj
