"""What can be done to the things of a scene: each an exact edit of their objects, under one journal.

Things are given by the ids of a `SceneWorld` that was read since the last edit of them. All lengths are metres.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import bpy
import numpy as np

from ..geometry.mesh import FloatArray
from ..model.errors import ScenewrightError
from ..model.piece import Material, Piece
from ..reading.scene_world import SceneWorld
from . import copies, family, marks, scenes, write
from .additions import add_from_file
from .journal import Journal
from .paint import recolor, set_material
from .pieces import add_piece, material_of
from .read import metres_per_unit
from .transform import Rigid, move_rigidly, scale_about

_UP = np.array([0.0, 0.0, 1.0])


class Operations:
    """Edits of a context's view layer.

    Args:
        context: whose scene and view layer to work on.
        scale_factor: metres per scene unit as a multiple of what the file claims.
    """

    def __init__(self, context: bpy.types.Context, scale_factor: float = 1.0) -> None:
        self.journal = Journal(lasting=True)
        self._context = context
        self._scale_factor = scale_factor
        self._metres = metres_per_unit(context.scene) * scale_factor

    # --- where things are ---------------------------------------------------------------------------------

    def move(self, world: SceneWorld, things: Sequence[str], offset: FloatArray) -> None:
        """Shift things by ``(3,)`` metres, world."""
        known = self._known()
        for thing in things:
            objects, name = _topmost(world, thing, known)
            move_rigidly(self.journal, objects, Rigid(offset / self._metres), name)

    def turn(
        self, world: SceneWorld, things: Sequence[str], angle_deg: float, pivot: FloatArray, axis: FloatArray = _UP
    ) -> None:
        """Turn things about an axis ``(3,)`` through a point ``(3,)``, metres, world; right-handed."""
        known = self._known()
        for thing in things:
            objects, name = _topmost(world, thing, known)
            move_rigidly(self.journal, objects, Rigid((0, 0, 0), angle_deg, pivot / self._metres, axis), name)

    def scale(
        self, world: SceneWorld, thing: str, factor: float, pivot: FloatArray, axis: FloatArray | None = None
    ) -> None:
        """Scale a thing about a point, ``(3,)`` metres: uniformly, or along an axis ``(3,)``, level or vertical."""
        objects, name = _topmost(world, thing, self._known())
        frame = np.eye(3) if axis is None or abs(axis[2]) > 0 else np.array([axis, np.cross(_UP, axis), _UP])
        along = np.ones(3) if axis is None else np.abs(frame @ axis)
        scale_about(self.journal, objects, (1 + (factor - 1) * along).tolist(), frame, pivot / self._metres, name)

    def slide_part(self, world: SceneWorld, thing: str, parts: Sequence[str], offset: FloatArray) -> None:
        """Shift some objects of a thing, given by full name, by ``(3,)`` metres, world; the others stay."""
        self._move_part(world, thing, parts, Rigid(offset / self._metres))

    def swing_part(
        self, world: SceneWorld, thing: str, parts: Sequence[str], angle_deg: float, pivot: FloatArray, axis: FloatArray
    ) -> None:
        """Turn some objects of a thing, given by full name, about an axis ``(3,)`` through a point ``(3,)``, metres."""
        self._move_part(world, thing, parts, Rigid((0, 0, 0), angle_deg, pivot / self._metres, axis))

    def mark_joint(self, world: SceneWorld, thing: str, part: str, mark: Mapping[str, object]) -> None:
        """Write on an object of a thing, given by full name, how it moves."""
        objects, _ = _members(world, thing, self._known())
        self.journal.assign(next(o for o in objects if o.name_full == part), f'["{marks.JOINT}"]', dict(mark))

    def _move_part(self, world: SceneWorld, thing: str, parts: Sequence[str], motion: Rigid) -> None:
        objects, name = _members(world, thing, self._known())
        move_rigidly(self.journal, write.topmost(o for o in objects if o.name_full in parts), motion, name)

    # --- what there is ------------------------------------------------------------------------------------

    def add_piece(
        self, piece: Piece, name: str, location: FloatArray, yaw_deg: float, beside: str | None = None
    ) -> str:
        """Put a built piece into the scene.

        Args:
            piece: what to add.
            name: of the thing; a number is added where it is taken.
            location: ``(3,)`` metres, where the middle of its bottom goes.
            yaw_deg: its heading; at 0 it faces −Y.
            beside: full name of an object whose collection it goes into; default: the scene's active one.

        Returns:
            The full name of the object that carries it.
        """
        home = self._collection_of(beside)
        root = add_piece(self.journal, self._context, piece, name, location.tolist(), yaw_deg, home, self._scale_factor)
        return str(root.name_full)

    def add_from_file(
        self, path: Path, name: str, location: FloatArray, yaw_deg: float, beside: str | None = None
    ) -> str:
        """Put what a file holds into the scene, as one thing; arguments and result as of `add_piece`."""
        home = self._collection_of(beside)
        root = add_from_file(
            self.journal, self._context, path, name, location.tolist(), yaw_deg, home, scale_factor=self._scale_factor
        )
        return str(root.name_full)

    def duplicate(self, world: SceneWorld, thing: str, offset: FloatArray) -> str:
        """Duplicate a thing, ``(3,)`` metres from itself; returns the full name of the object that carries that."""
        objects, name = _members(world, thing, self._known())
        made = copies.duplicate(self.journal, self._context.scene, objects)
        move_rigidly(self.journal, write.topmost(made), Rigid(offset / self._metres), name)
        return str(made[0].name_full)

    def remove(self, world: SceneWorld, thing: str) -> None:
        """Take a thing out of the scene; it stays in the file, and in other scenes that hold it."""
        objects, name = _members(world, thing, self._known())
        write.remove(self.journal, self._context.scene, objects, name)

    def hide(self, world: SceneWorld, thing: str) -> None:
        """Close a thing's eyes, and leave it out of renders."""
        objects, _ = _members(world, thing, self._known())
        write.hide(self.journal, self._context.view_layer, objects)

    def show(self, world: SceneWorld, thing: str) -> None:
        """Show a thing in the viewport and in renders."""
        objects, name = _members(world, thing, self._known())
        write.show(self.journal, self._context.view_layer, objects, name)

    # --- how they are -------------------------------------------------------------------------------------

    def recolor(self, world: SceneWorld, thing: str, color: FloatArray) -> None:
        """Give a thing a base colour, linear RGB ``(3,)``."""
        objects, name = _members(world, thing, self._known())
        recolor(self.journal, objects, color, name)

    def set_material(self, world: SceneWorld, thing: str, material: str | Material) -> None:
        """Make a thing of a material: of the file, by name, or one made by rule."""
        objects, name = _members(world, thing, self._known())
        if isinstance(material, Material):
            with self.journal.creating():
                made = material_of(material)
        else:
            made = bpy.data.materials[material]
        set_material(self.journal, objects, made, name)

    def materials(self) -> list[str]:
        """Names of the file's materials; of namesakes, the file's own."""
        return sorted({m.name for m in bpy.data.materials})

    def rename(self, world: SceneWorld, thing: str, name: str) -> None:
        """Give the object that carries a thing another name."""
        objects, _ = _members(world, thing, self._known())
        write.rename(self.journal, objects[0], name)

    # --- what belongs together ----------------------------------------------------------------------------

    def set_parent(self, world: SceneWorld, thing: str, parent: str | None) -> None:
        """Make a thing the child of another one, or nobody's; it stays where it is."""
        known = self._known()
        objects, name = _topmost(world, thing, known)
        carrier = _members(world, parent, known)[0][0] if parent is not None else None
        family.set_parent(self.journal, objects, carrier, name)

    def keep_apart(self, world: SceneWorld, thing: str) -> None:
        """Mark a thing's objects as one thing of its own, whatever they follow or touch."""
        objects, _ = _members(world, thing, self._known())
        for obj in objects:
            self.journal.assign(obj, f'["{marks.ENTITY}"]', thing if len(objects) > 1 else "")

    def group(self, world: SceneWorld, things: Sequence[str], name: str) -> str:
        """Put things under an empty; returns its full name."""
        known = self._known()
        objects = [o for thing in things for o in _topmost(world, thing, known)[0]]
        return str(family.group(self.journal, write.topmost(objects), name).name_full)

    def sort_into(self, world: SceneWorld, thing: str, collection: str) -> None:
        """Put a thing into a collection, given by name, and out of the scene's others."""
        objects, _ = _members(world, thing, self._known())
        write.sort_into(self.journal, self._context.scene, objects, collection)

    # --- finding objects ----------------------------------------------------------------------------------

    def _collection_of(self, beside: str | None) -> bpy.types.Collection | None:
        """The collection of this scene that new things go into: an object's, else the active one."""
        if beside is None:
            active: bpy.types.Collection = self._context.collection
            usable = active in scenes.own_collections(self._context.scene) and not scenes.is_fixed(active)
            return active if usable else None
        return next(iter(scenes.homes_beside(self._context.scene, self._known()[beside])), None)

    def _known(self) -> dict[str, bpy.types.Object]:
        """The scene's objects as they are now, by full name; not kept, since an undo makes them invalid."""
        return by_name(self._context.scene.objects)


def by_name(objects: Iterable[bpy.types.Object]) -> dict[str, bpy.types.Object]:
    """Objects by full name: looking up by short name may find a linked namesake."""
    return {obj.name_full: obj for obj in objects}


def _members(
    world: SceneWorld, thing: str, known: Mapping[str, bpy.types.Object]
) -> tuple[list[bpy.types.Object], str]:
    """All objects of a thing, which can be edited, and what to call it."""
    entity = world.scene.things[world.scene.index_of(thing)]
    title = entity.root.title
    within = next((m.within for m in entity.members if m.within), "")
    if within:
        raise ScenewrightError(
            "unsupported",
            f"{title} is part of a collection instance: {within.rstrip('/')}.",
            "Change the instance as a whole, or make it real in Blender first (Object > Apply > Make Instances Real).",
        )
    if any(m.name not in known for m in entity.members):
        raise ScenewrightError(
            "unknown_object",
            f"{title} is not in this scene: it was taken out, or belongs to the scene drawn behind.",
            "Read the scene again, or open the scene that it belongs to.",
        )
    objects = [known[m.name] for m in entity.members]
    write.check_editable(objects, title)
    return objects, title


def _topmost(
    world: SceneWorld, thing: str, known: Mapping[str, bpy.types.Object]
) -> tuple[list[bpy.types.Object], str]:
    """The objects of a thing that carry its others along, which can be edited, and what to call it."""
    objects, title = _members(world, thing, known)
    return write.topmost(objects), title
