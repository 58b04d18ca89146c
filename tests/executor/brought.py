"""Files to bring things from, and what tells that nothing else came along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np

from scenewright.executor.blender.additions import add_from_file
from scenewright.executor.blender.blocks import all_blocks
from scenewright.executor.blender.journal import Journal

from .dump import dump
from .rooms import block, new_file

AT = (1.2, -0.7, 0.3)
SIZE = (0.5, 0.6, 0.9)
EXPORTERS: dict[str, Callable[[str], object]] = {
    ".glb": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_lights=True, export_cameras=True),
    ".gltf": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_format="GLTF_SEPARATE"),
    ".usdc": lambda path: bpy.ops.wm.usd_export(filepath=path),
    ".obj": lambda path: bpy.ops.wm.obj_export(filepath=path),
    ".fbx": lambda path: bpy.ops.export_scene.fbx(filepath=path),
    ".blend": lambda path: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True),
}
WAYS = [*((suffix, False) for suffix in EXPORTERS), (".blend", True)]
"""Kinds of files, and whether what they hold is linked."""


def chair() -> bpy.types.Object:
    """A chair of 0.5 × 0.6 × 0.9 m that stands somewhere: a seat that carries a back."""
    seat = block("Seat", (0.5, 0.6, 0.45), (2, 3, 0.4), color=(0.5, 0.1, 0.1))
    block("Back", (0.5, 0.1, 0.45), (2, 3.25, 0.85), color=(0.1, 0.5, 0.1), parent=seat)
    return seat


def room() -> None:
    """A table and a mug on it, in an otherwise empty file."""
    new_file()
    block("Table", (1.2, 0.8, 0.74), (0, 0, 0), color=(0.2, 0.1, 0.05))
    block("Mug", (0.08, 0.08, 0.1), (0.3, 0.1, 0.74), color=(0.8, 0.8, 0.8))


def exported(path: Path, make: Callable[[], object] = chair) -> Path:
    """A file of what is made in an empty scene; the room is open afterwards."""
    new_file()
    make()
    EXPORTERS[path.suffix](str(path))
    room()
    return path


def add(path: Path, name: str = "Chair A", journal: Journal | None = None, **options: object) -> bpy.types.Object:
    return add_from_file(journal or Journal(lasting=True), bpy.context, path, name, AT, **options)


def box(root: bpy.types.Object, metres: float = 1.0) -> np.ndarray:
    """Lower and upper corner of what a thing draws, ``(2, 3)``, metres."""
    bpy.context.view_layer.update()
    own, found = {root, *root.children_recursive}, []
    for drawn in bpy.context.evaluated_depsgraph_get().object_instances:
        owner = drawn.parent if drawn.is_instance else drawn.object
        helper = owner.hide_render and owner.display_type in {"WIRE", "BOUNDS"}
        if owner.original in own and drawn.object.type == "MESH" and drawn.show_self and not helper:
            world = np.array(drawn.matrix_world)
            local = np.array([tuple(v.co) for v in drawn.object.data.vertices]).reshape(-1, 3)
            found.append(local @ world[:3, :3].T + world[:3, 3])
    cloud = np.vstack(found) * metres
    return np.array([cloud.min(axis=0), cloud.max(axis=0)])


def stands_at(root: bpy.types.Object, at: tuple[float, ...], metres: float = 1.0) -> bool:
    low, high = box(root, metres)
    return np.allclose([*(low + high)[:2] / 2, low[2]], at, atol=1e-4)


def everything() -> tuple[object, ...]:
    """All of the file, and what of it is selected, active and shown."""
    window, layer = bpy.context.window, bpy.context.view_layer
    seen = [(o.name_full, o.select_get(), o.hide_get()) for o in layer.objects]
    active = layer.objects.active and layer.objects.active.name, layer.active_layer_collection.name
    libraries = sorted(library.filepath for library in bpy.data.libraries)
    return dump(), seen, active, window.scene.name, window.view_layer.name, libraries


def names(kind: str) -> set[str]:
    return {b.name_full for k, b in all_blocks() if k == kind}


def rich() -> None:
    """Much of what importers bring besides objects: another frame rate, a world, a camera, a sun, bones, shapes."""
    scene, seat = bpy.context.scene, chair()
    scene.render.fps, scene.frame_start, scene.frame_end = 60, 5, 77
    scene.frame_set(11)
    scene.world = bpy.data.worlds.new("Sky")
    for kind, data in (("Camera", bpy.data.cameras.new("Camera")), ("Sun", bpy.data.lights.new("Sun", "SUN"))):
        obj = bpy.data.objects.new(kind, data)
        scene.collection.objects.link(obj)
        obj.location = (7, -7, 5)
    seat.shape_key_add(name="Basis")
    seat.shape_key_add(name="Wide")
    arm = bpy.data.objects.new("Bones", bpy.data.armatures.new("Bones"))
    scene.collection.objects.link(arm)
    bpy.context.view_layer.objects.active = arm
    bpy.ops.object.mode_set(mode="EDIT")
    bone = arm.data.edit_bones.new("Bone")
    bone.head, bone.tail = (2, 3, 0.4), (2, 3, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    seat.parent = arm
    seat.vertex_groups.new(name="Bone").add(range(8), 1.0, "REPLACE")
    seat.modifiers.new("Bones", "ARMATURE").object = arm
    seat.active_material.node_tree.nodes.new("ShaderNodeTexImage").image = image("wood")
    seat.keyframe_insert("location", frame=1)
    seat.location.x += 1
    seat.keyframe_insert("location", frame=40)


def image(name: str) -> bpy.types.Image:
    made = bpy.data.images.new(name, 4, 4)
    made.pixels = [0.5] * 64
    made.pack()
    return made


def with_a_cutter() -> None:
    body, cutter = block("Body", (1, 1, 1), (0, 0, 0)), block("Cutter", (2, 2, 1), (0, 0, 0.5))
    block("Spare", (3, 3, 3), (0, 0, 0)).hide_set(True)
    body.modifiers.new("Cut", "BOOLEAN").object = cutter
    cutter.hide_set(True)
