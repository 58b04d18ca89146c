"""One open scene to work on: read it, change it under a journal, prove what changed."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ..geometry.mesh import FloatArray
from ..model.errors import ScenewrightError
from ..model.steps import Steps
from ..reading.scene_world import SceneWorld
from ..reading.snapshot import Snapshot
from . import marks, write
from .fingerprint import Fingerprint, fingerprints
from .journal import Journal
from .read import SceneReader, metres_per_unit
from .transform import Rigid, move_rigidly, scale_about


class Stage:
    """Hands and eyes on the context's view layer. All lengths it takes and gives are metres.

    Args:
        context: whose scene and view layer to work on.
        scale_factor: metres per scene unit as a multiple of what the file claims.
    """

    def __init__(self, context: bpy.types.Context, scale_factor: float = 1.0) -> None:
        self.journal = Journal()
        self._context = context
        self._scale_factor = scale_factor
        self._reader = SceneReader()
        self._metres = metres_per_unit(context.scene) * scale_factor
        self._snapshot: Snapshot | None = None

    # --- eyes ---------------------------------------------------------------------------------------------

    def read(self) -> Steps[SceneWorld]:
        """Understand the scene as it is now, piece by piece."""
        self._snapshot = self._reader.snapshot(self._context, self._scale_factor)
        yield
        scene = yield from self._reader.understand(self._snapshot)
        return SceneWorld(scene)

    def viewer(self) -> FloatArray | None:
        """``(4, 4)`` world_from_camera of the scene's camera, or None."""
        camera = self._context.scene.camera
        return np.array(camera.matrix_world, np.float64) if camera is not None else None

    def fingerprints(self) -> dict[str, Fingerprint]:
        """Fingerprints of all objects in the state that was last read, by full name."""
        assert self._snapshot is not None
        return fingerprints(self._context.scene, self._context.view_layer, self._snapshot)

    def settle_evaluation(self) -> None:
        """Evaluate the current frame anew, without any edit: shows which geometry changes by itself."""
        scene = self._context.scene
        scene.frame_set(scene.frame_current)

    # --- hands --------------------------------------------------------------------------------------------

    def move(self, world: SceneWorld, things: Sequence[str], offset: FloatArray) -> None:
        """Shift things by ``(3,)`` metres, world."""
        for thing in things:
            objects, name = self._objects(world, thing)
            move_rigidly(self.journal, objects, Rigid(offset / self._metres), name)

    def turn(self, world: SceneWorld, things: Sequence[str], angle_deg: float, pivot: FloatArray) -> None:
        """Turn things about the vertical axis through ``(3,)`` metres, counter-clockwise from above."""
        for thing in things:
            objects, name = self._objects(world, thing)
            move_rigidly(self.journal, objects, Rigid((0, 0, 0), angle_deg, pivot / self._metres), name)

    def scale(self, world: SceneWorld, thing: str, factor: float, pivot: FloatArray) -> None:
        """Scale a thing uniformly about a point, ``(3,)`` metres."""
        objects, name = self._objects(world, thing)
        scale_about(self.journal, objects, factor, pivot / self._metres, name)

    def remove(self, world: SceneWorld, thing: str) -> None:
        """Take a thing out of the scene; it stays in the file, unlinked."""
        entity = world.scene.things[world.scene.index_of(thing)]
        objects = [self._object(m.name) for m in entity.members]
        write.check_editable(objects, entity.root.title)
        write.remove(self.journal, objects)

    def recolor(self, world: SceneWorld, thing: str, color: FloatArray) -> None:
        """Give a thing a base colour, linear RGB ``(3,)``."""
        entity = world.scene.things[world.scene.index_of(thing)]
        objects = [self._object(m.name) for m in entity.members]
        write.check_editable(objects, entity.root.title)
        write.recolor(self.journal, objects, color, entity.root.title)

    def remember(self, world: SceneWorld) -> int:
        """Write ids into the file and count the turn; returns its number."""
        scene = self._context.scene
        memory = marks.scene_memory(scene)
        turn = int(str(memory.get("turn", 0))) + 1
        ids: dict[str, str] = {}
        for entity, thing in zip(world.scene.graph.objects, world.scene.things, strict=True):
            ids[entity.id] = thing.root.name
            obj = self._object(thing.root.name)
            if marks.can_carry_id(obj) and thing.root.marks.get("id") != entity.id:
                marks.write_id(self.journal, obj, entity.id)
        marks.write_scene_memory(self.journal, scene, {**memory, "turn": turn, "ids": ids})
        return turn

    def _objects(self, world: SceneWorld, thing: str) -> tuple[list[bpy.types.Object], str]:
        entity = world.scene.things[world.scene.index_of(thing)]
        objects = write.topmost(self._object(m.name) for m in entity.members)
        write.check_editable(objects, entity.root.title)
        return objects, entity.root.title

    def _object(self, name: str) -> bpy.types.Object:
        obj = self._context.scene.objects.get(name)
        if obj is None or obj.name_full != name:
            obj = next((o for o in self._context.scene.objects if o.name_full == name), None)
        if obj is None:
            raise ScenewrightError("unknown_object", f"{name} is no longer in the scene.", "Read the scene again.")
        return obj
