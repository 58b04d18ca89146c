"""Random operations on whatever a scene holds, and what tells one state of a scene from another."""

from __future__ import annotations

import random
from collections.abc import Callable

import bpy
import numpy as np

from scenewright.assets_index.parametric import build
from scenewright.executor.blender import copies, family, paint, write
from scenewright.executor.blender.fingerprint import fingerprints
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.pieces import add_piece
from scenewright.executor.blender.read import SceneReader
from scenewright.executor.blender.scenes import holdings, others
from scenewright.executor.blender.transform import Rigid, move_rigidly, scale_about
from scenewright.executor.model.steps import finish

Operation = Callable[[Journal, random.Random], None]


def someone(chance: random.Random) -> bpy.types.Object:
    """Any object of the scene, often one that a library has a part in; what is linked as it is, is refused."""
    objects = sorted(bpy.context.scene.objects, key=lambda o: o.name_full)
    from_libraries = [o for o in objects if o.override_library or _linked(o.data) or _linked(o.instance_collection)]
    obj: bpy.types.Object = chance.choice(from_libraries if from_libraries and chance.random() < 0.2 else objects)
    write.check_editable([obj], obj.name)
    return obj


def _linked(block: bpy.types.ID | None) -> bool:
    return block is not None and block.library is not None


def move(journal: Journal, chance: random.Random) -> None:
    obj = someone(chance)
    move_rigidly(journal, [obj], Rigid([chance.uniform(-1, 1) for _ in range(3)]), obj.name)


def turn(journal: Journal, chance: random.Random) -> None:
    obj, axis = someone(chance), chance.choice([(0, 0, 1), (1, 0, 0), (0.6, 0, 0.8)])
    move_rigidly(
        journal, [obj], Rigid((0, 0, 0), chance.uniform(-180, 180), obj.matrix_world.translation, axis), obj.name
    )


def scale(journal: Journal, chance: random.Random) -> None:
    obj, factor = someone(chance), chance.uniform(0.5, 2)
    factors = chance.choice([(factor, factor, factor), (factor, 1, 1)])
    axes = np.array(obj.matrix_world.to_quaternion().to_matrix()).T
    scale_about(journal, [obj], factors, axes.tolist(), obj.matrix_world.translation, obj.name)


def remove(journal: Journal, chance: random.Random) -> None:
    obj = someone(chance)
    write.remove(journal, bpy.context.scene, [obj], obj.name)


def recolor(journal: Journal, chance: random.Random) -> None:
    obj = someone(chance)
    paint.recolor(journal, [obj], [chance.random() for _ in range(3)], obj.name)


def set_material(journal: Journal, chance: random.Random) -> None:
    obj, materials = someone(chance), sorted(bpy.data.materials, key=lambda m: m.name_full)
    if materials:
        paint.set_material(journal, [obj], chance.choice(materials), obj.name)


def replace(journal: Journal, chance: random.Random) -> None:
    """A duplicate of one thing takes the place of another."""
    old, new = someone(chance), someone(chance)
    [twin] = copies.duplicate(journal, bpy.context.scene, [new])
    move_rigidly(journal, [twin], Rigid(old.matrix_world.translation - twin.matrix_world.translation), twin.name)
    write.remove(journal, bpy.context.scene, [old], old.name)


def duplicate(journal: Journal, chance: random.Random) -> None:
    obj = someone(chance)
    copies.duplicate(journal, bpy.context.scene, [obj, *(c for c in obj.children if c.is_editable)])


def add(journal: Journal, chance: random.Random) -> None:
    kind = chance.choice(["chair", "table_lamp", "rug"])
    add_piece(journal, bpy.context, build(kind), kind, (chance.uniform(-2, 2), chance.uniform(-2, 2), 0))


def parent(journal: Journal, chance: random.Random) -> None:
    obj = someone(chance)
    family.set_parent(journal, [obj], chance.choice([None, someone(chance)]), obj.name)


def group(journal: Journal, chance: random.Random) -> None:
    family.group(journal, list(dict.fromkeys(someone(chance) for _ in range(2))), "Group")


def rename(journal: Journal, chance: random.Random) -> None:
    write.rename(journal, someone(chance), f"Called {chance.randrange(10_000)}")


def hide(journal: Journal, chance: random.Random) -> None:
    write.hide(journal, bpy.context.view_layer, [someone(chance)])


def show(journal: Journal, chance: random.Random) -> None:
    obj = someone(chance)
    write.show(journal, bpy.context.view_layer, [obj], obj.name)


def sort_into(journal: Journal, chance: random.Random) -> None:
    write.sort_into(journal, bpy.context.scene, [someone(chance)], chance.choice(["Things", "More things"]))


OPERATIONS: dict[Operation, int] = {
    move: 4, turn: 3, scale: 3, remove: 3, recolor: 3, set_material: 1, duplicate: 2, replace: 2, add: 1, parent: 2,
    group: 1, rename: 1, hide: 1, show: 1, sort_into: 1,
}  # fmt: skip
"""Each kind, with how often it is drawn."""


def draw(chance: random.Random) -> Operation:
    return chance.choices(list(OPERATIONS), list(OPERATIONS.values()))[0]


def state() -> dict[str, object]:
    """Fingerprints of all objects, what all scenes hold, and what is selected, active and open."""
    bpy.context.view_layer.update()
    snapshot = SceneReader().snapshot(bpy.context)
    objects = {o.name_full: o for o in bpy.data.objects}
    found: dict[str, object] = dict(finish(fingerprints(objects, snapshot, others(bpy.context.scene))))
    scene, layer = bpy.context.scene, bpy.context.view_layer
    found["scene"] = list(holdings(scene)), scene.frame_current, scene.frame_subframe, tuple(scene.cursor.location)
    active = layer.objects.active
    found["layer"] = sorted(o.name_full for o in layer.objects if o.select_get()), active and active.name_full
    return found
