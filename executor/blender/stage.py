"""One open scene to work on: read it, change it under a journal, prove what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import bpy
import numpy as np

from ..geometry.mesh import FloatArray
from ..model.edit import Block, Edit
from ..model.history import History, Turn, TurnKind, Written
from ..model.result import EditResult
from ..model.steps import Steps
from ..reading.scene_world import SceneWorld
from ..reading.snapshot import Snapshot
from . import marks, scenes, write
from .blocks import resolve
from .fingerprint import Fingerprint, fingerprints
from .history import Passage, add_turn, changed_by_hand, go_to, lasting_edits, left_with, read_history
from .operations import Operations, by_name
from .read import SceneReader


class Stage(Operations):
    """Hands and eyes on a context's view layer, and its versions. All lengths it takes and gives are metres.

    Args:
        context: whose scene and view layer to work on.
        scale_factor: metres per scene unit as a multiple of what the file claims.
    """

    def __init__(self, context: bpy.types.Context, scale_factor: float = 1.0) -> None:
        super().__init__(context, scale_factor)
        self._reader = SceneReader()
        self._snapshot: Snapshot | None = None
        self._history: History | None = None
        self._mark = 0

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

    def fingerprints(self) -> Steps[dict[str, Fingerprint]]:
        """Fingerprints of all objects in the state that was last read, by full name, object by object, and of what
        other scenes of the file hold.
        """
        assert self._snapshot is not None
        return fingerprints(by_name(bpy.data.objects), self._snapshot, scenes.others(self._context.scene))

    def other_scenes_with(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Which of some objects, given by full name, other scenes hold, too: by the scene's name."""
        wanted = set(names)
        held = {s.name: sorted(wanted.intersection(by_name(s.objects))) for s in scenes.others(self._context.scene)}
        return {scene: found for scene, found in held.items() if found}

    def settle_evaluation(self) -> None:
        """Evaluate the current frame anew, without any edit: shows which geometry changes by itself."""
        scene = self._context.scene
        scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)

    def referring_to(self, names: Iterable[str]) -> list[str]:
        """Full names of the scene's objects that point at some others: as parents, or by constraints and the like."""
        known = by_name(bpy.data.objects)
        return [o.name_full for o in write.referring_to([known[n] for n in names], self._context.scene)]

    @property
    def blender(self) -> str:
        """Which Blender this is."""
        return str(bpy.app.version_string)

    # --- versions -----------------------------------------------------------------------------------------

    def begin(self) -> History:
        """Start a turn: what somebody changed since the last one of what it wrote becomes a turn of its own.

        Returns:
            The versions so far.
        """
        scene = self._context.scene
        last = marks.last_turn(scene)
        history = read_history(scene) or History(root=last, current=last)
        edits = changed_by_hand(history)
        if edits:
            number = history.last + 1
            told = "Changed by hand"
            history.turns.append(Turn(number=number, parent=history.current, kind="by_hand", request=told, edits=edits))
            history.current = number
        self._history, self._mark = history, self.journal.mark()
        return history

    def go_to(self, number: int, only: Iterable[Block] | None = None) -> Passage:
        """Bring the scene into the state of a turn, or some objects of it."""
        assert self._history is not None
        objects = None if only is None else [obj for ref in only if (obj := resolve(ref)) is not None]
        return go_to(self.journal, self._history, number, objects)

    def remember(
        self, result: EditResult, world: SceneWorld, prints: Mapping[str, Fingerprint], kind: TurnKind, of: int | None
    ) -> int:
        """Close a turn: write ids and what was done into the file.

        Args:
            result: what the turn came to.
            world: the scene after it.
            prints: fingerprints after it.
            kind: what sort of turn it is.
            of: the turn that was returned to, or whose things were taken back.

        Returns:
            The number of the turn.
        """
        assert self._history is not None
        history, scene = self._history, self._context.scene
        ids, traces = self._write_ids(world)
        edits = [] if kind == "restore" else lasting_edits(self.journal.since(self._mark))
        turn = Turn(
            number=max(history.last, marks.last_turn(scene)) + 1,
            parent=history.current if kind != "restore" or of is None else of,
            kind=kind,
            of=of,
            request=result.request,
            status=result.status,
            requirements=result.requirements,
            changes=result.changes,
            edits=edits,
            written=_written(edits, world, prints),
            blender=self.blender,
        )
        marks.remember_turn(self.journal, scene, turn.number, ids, traces)
        add_turn(self.journal, scene, history, turn)
        return turn.number

    def _write_ids(self, world: SceneWorld) -> tuple[dict[str, str], dict[str, marks.RootTrace]]:
        known = self._known()
        ids: dict[str, str] = {}
        traces: dict[str, marks.RootTrace] = {}
        for entity, thing in zip(world.scene.graph.objects, world.scene.things, strict=True):
            root = thing.root
            ids[entity.id] = root.name
            traces[entity.id] = marks.RootTrace(data=root.data_name, at=root.world_from_local[:3, 3].tolist())
            obj = known.get(root.name)  # None: it is another scene's, drawn behind this one
            if obj is not None and root.keeps_marks and root.marks.get("id") != entity.id:
                marks.write_id(self.journal, obj, entity.id)
        return ids, traces


def _written(edits: Iterable[Edit], world: SceneWorld, prints: Mapping[str, Fingerprint]) -> list[Written]:
    """The objects that some edits wrote to, with the things that they are part of."""
    owners = {name: thing.id for thing in world.scene.graph.objects for name in world.member_names(thing.id)}
    found = []
    for ref, values in left_with(edits).items():
        obj = resolve(ref)
        assert obj is not None
        thing = owners.get(obj.name_full, obj.get(marks.OBJECT_ID))
        digest = prints[obj.name_full].made_from.hex() if obj.name_full in prints else ""
        found.append(Written(thing=thing, block=ref, values=values, digest=digest))
    return found
