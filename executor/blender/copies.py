"""New objects from old ones: duplicates that are a thing of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import bpy

from .journal import Journal
from .marks import BLOCK_UID, ENTITY, OBJECT_ID
from .scenes import homes_beside


def duplicate(journal: Journal, scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """Duplicates of objects, in the same collections of a scene and at the same place.

    They share meshes and materials with the originals. Whatever within them points at one of the others (parents,
    constraints, modifiers, drivers) points at its duplicate; what points elsewhere goes on doing so.

    Args:
        journal: records what is made.
        scene: which the objects are in.
        objects: all objects of a thing.

    Returns:
        The duplicates, in the same order.
    """
    with journal.creating():
        copies = [obj.copy() for obj in objects]
        twin_of = dict(zip(objects, copies, strict=True))
        for twin in copies:
            if twin.override_library is not None:
                twin.make_local()  # one more override in a hierarchy breaks it in loading: members are deleted (5.3)
            for note in (OBJECT_ID, BLOCK_UID):
                if note in twin:
                    del twin[note]
            if twin.get(ENTITY):  # objects with the same text are one thing
                twin[ENTITY] = copies[0].name
            _point_to_twins(twin, twin_of)
            twin.use_fake_user = False
    for obj, twin in twin_of.items():
        journal.relink(twin, homes_beside(scene, obj))
    bpy.context.view_layer.update()
    return copies


def _point_to_twins(twin: bpy.types.Object, twin_of: Mapping[bpy.types.Object, bpy.types.Object]) -> None:
    if twin.parent in twin_of:
        kept = twin.matrix_parent_inverse.copy()
        twin.parent = twin_of[twin.parent]
        twin.matrix_parent_inverse = kept
    structs: Iterable[bpy.types.bpy_struct] = [*twin.constraints, *twin.modifiers]
    if twin.pose is not None:
        structs = [*structs, *(c for bone in twin.pose.bones for c in bone.constraints)]
    if twin.animation_data is not None:
        variables = [v for curve in twin.animation_data.drivers for v in curve.driver.variables]
        structs = [*structs, *(target for variable in variables for target in variable.targets)]
    for struct in structs:
        for prop in struct.bl_rna.properties:
            if prop.type == "POINTER" and not prop.is_readonly and getattr(struct, prop.identifier) in twin_of:
                setattr(struct, prop.identifier, twin_of[getattr(struct, prop.identifier)])
