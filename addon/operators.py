"""Requests and versions inside Blender: what changes the scene is one step of Blender's own undo.

Called from a script, an operator makes that step only if it is told to: ``bpy.ops.scenewright.edit("EXEC_DEFAULT",
True, request="…")``; and in the background Blender keeps no steps at all before ``bpy.ops.ed.undo_push()`` is called.
"""

# No `from __future__ import annotations`: Blender reads the values of these classes' annotations.
import traceback
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import bpy

if TYPE_CHECKING:
    from ..agent.loop import Progress
    from ..executor.blender.stage import Stage
    from ..executor.model.result import EditResult

    Steps: TypeAlias = Generator[Progress, None, EditResult]

# Else Blender hands the options of one call on to the next, a permission to collide too.
_ANEW = {"SKIP_SAVE"}
_FRAMES = [
    ("viewer", "Viewer", "As the scene's camera sees them"),
    ("object", "Object", "Those of the thing itself, looking where it faces"),
    ("world", "World", "Those of somebody who looks north"),
]


class _Authoring:
    """What the operators that change the scene have in common."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        # Undone into Sculpt Mode, a step leaves objects as they were after it (4.3); into any other mode it does not.
        if context.mode.startswith("SCULPT"):
            cls.poll_message_set("Leave Sculpt Mode first: from there a change could not be undone")  # type: ignore[attr-defined]
            return False
        return True


class SCENEWRIGHT_OT_edit(_Authoring, bpy.types.Operator):
    """Make true of the scene what is asked for, and prove that everything else stays"""

    bl_idname = "scenewright.edit"
    bl_label = "Scenewright: carry out a request"

    request: bpy.props.StringProperty(  # type: ignore[valid-type]
        name="Request", description="What should be true, in plain English", options=_ANEW
    )
    frame: bpy.props.EnumProperty(  # type: ignore[valid-type]
        name="Frame", description="Whose left and right are meant", items=_FRAMES, options=_ANEW
    )
    allow_collision: bpy.props.BoolProperty(  # type: ignore[valid-type]
        name="Allow Collision", description="Let explicit moves end in collisions", options=_ANEW
    )
    answer: bpy.props.StringProperty(  # type: ignore[valid-type]
        name="Answer", description="QUESTION=ID for what a former call asked, more of them after spaces", options=_ANEW
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        from .. import commands
        from ..agent.loop import Options, run
        from ..executor.blender import session

        def work(stage: "Stage") -> "Steps":
            file = session.file_of(session.OPEN_FILE)
            how = Options(
                self.frame,
                self.allow_collision,
                answers=commands.answers(self.answer.split()),
                folders=[file.parent] if file is not None else [],
            )
            return run(self.request, stage, how)

        return _author(self, work)


class SCENEWRIGHT_OT_restore(_Authoring, bpy.types.Operator):
    """Bring the scene back as it was after a turn, which is a turn of its own"""

    bl_idname = "scenewright.restore"
    bl_label = "Scenewright: restore a version"

    turn: bpy.props.IntProperty(  # type: ignore[valid-type]
        name="Turn", description="Number of the version; the first one is the source", min=0, options=_ANEW
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..agent import versions

        return _author(self, lambda stage: versions.restore(self.turn, None, stage))


register, unregister = bpy.utils.register_classes_factory((SCENEWRIGHT_OT_edit, SCENEWRIGHT_OT_restore))


def _author(operator: bpy.types.Operator, work: Callable[["Stage"], "Steps"]) -> set[str]:
    """Do some work on the open scene, and report what came of it.

    Args:
        operator: that was called.
        work: the steps of it.

    Returns:
        What the operator ends as: finished if the scene was changed, and there is something to undo.
    """
    from ..executor.blender import session
    from ..executor.blender.stage import Stage
    from ..executor.model.errors import ScenewrightError

    try:
        with session.open_for_change() as opened:
            result = _watched(work(Stage(session.context())))
            refusal = result.refusal()
            if refusal is not None:
                raise refusal
    except ScenewrightError as error:
        operator.report({"ERROR"}, error.one_line())
        return {"CANCELLED"}
    except Exception as fault:  # noqa: BLE001 - a door: nothing of ours may end in a traceback
        traceback.print_exc()
        hint = "Nothing was changed; the console tells where, for a report."
        operator.report({"ERROR"}, ScenewrightError.internal(fault, hint).one_line())
        return {"CANCELLED"}
    result.warnings = [*opened.warnings, *result.warnings]
    for severity, line in _told(result):
        operator.report({severity}, line)
    return {"FINISHED"}


def _watched(steps: "Steps") -> "EditResult":
    """Run some work to its result, with its progress at the mouse cursor."""
    from ..executor.model.steps import each_piece

    results: list[Any] = []
    manager = bpy.context.window_manager
    manager.progress_begin(0, 1)
    try:
        for progress in each_piece(steps, results.append):
            manager.progress_update(progress.done)
    finally:
        steps.close()
        manager.progress_end()
    return results[0]


def _told(result: "EditResult") -> Iterator[tuple[str, str]]:
    """A result in lines with their severity, the one that Blender's status bar should show last."""
    from ..executor.model.errors import printable

    for warning in result.warnings:
        yield "WARNING", printable(warning)
    names: dict[str, list[str]] = {}
    for change in result.changes:
        names.setdefault(change.kind, []).append(change.name)
    changes = "; ".join(f"{kind} {', '.join(things)}" for kind, things in names.items()) or "nothing had to change"
    yield "INFO", printable(f"Turn {result.turn}: {changes}")
    for requirement in result.requirements:
        if requirement.status != "satisfied":
            why = requirement.measured.get("reason"), requirement.repair_hint
            yield "WARNING", printable(" ".join([f"Not satisfied: {requirement.text}.", *(str(w) for w in why if w)]))
