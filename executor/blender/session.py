"""What a command works on: the scene it opened, or the one already open in Blender."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ..model.errors import ScenewrightError
from ..model.history import History
from .files import OpenedFile, already_open, open_scene, restore_modes
from .history import purge, read_history
from .marks import last_turn
from .render import render_overview

OPEN_FILE = "-"
"""The SCENE that means what is open in Blender."""


def file_of(scene: str) -> Path | None:
    """The file of a SCENE, or None if it is the open one and was never saved."""
    if scene != OPEN_FILE:
        return Path(scene)
    return Path(bpy.data.filepath) if bpy.data.filepath else None


def open_for(scene: str) -> OpenedFile:
    """Open a SCENE, or take the open one.

    Raises:
        ScenewrightError: ``bad_input`` if it cannot be read, or if none is open.
    """
    file = file_of(scene)
    if file is not None and scene != OPEN_FILE:
        return open_scene(file)
    if file is None and not bpy.context.scene.objects:
        raise ScenewrightError("bad_input", "No scene is open.", "Name a file, or open one in Blender first.")
    return already_open(file)


@contextmanager
def open_for_change() -> Iterator[OpenedFile]:
    """The open scene, out of Edit and other modes; they are gone back to if the block raises.

    After a change they are not: a step of Blender's undo that is made in Edit Mode holds the edited mesh alone (4.3),
    and objects could not be taken back. A step made in Object Mode holds all, and undoing it leads back into the mode.

    Raises:
        ScenewrightError: ``bad_input`` if there is none.
    """
    opened = open_for(OPEN_FILE)
    try:
        yield opened
    except BaseException:
        restore_modes(opened)
        raise


def context() -> bpy.types.Context:
    """Blender's context: its scene and view layer are what commands work on."""
    return bpy.context


def history() -> History:
    """The versions that the scene keeps of itself."""
    last = last_turn(bpy.context.scene)
    return read_history(bpy.context.scene) or History(root=last, current=last)


def purge_history() -> int:
    """Forget them; returns how many datablocks that only they kept are deleted."""
    return purge(bpy.context.scene, last_turn(bpy.context.scene))


def picture() -> bytes:
    """A PNG of the scene for a report."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "scene.png")
        render_overview(bpy.context, output)
        return output.read_bytes()
