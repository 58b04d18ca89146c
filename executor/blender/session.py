"""What a command works on: the scene it opened, or the one already open in Blender."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..model.errors import ScenewrightError
from .files import OpenedFile, open_scene
from .render import render_overview


def open_for(path: Path | None) -> OpenedFile | None:
    """Open a scene, or take the open one if no path is given (then nothing about it is known, and None returned)."""
    if path is None:
        if not bpy.context.scene.objects and not bpy.data.filepath:
            raise ScenewrightError("bad_input", "No scene is open.", "Name a file, or open one in Blender first.")
        return None
    return open_scene(path)


def make_folder(folder: Path) -> None:
    """Make a folder for results, if it is not there yet.

    Raises:
        ScenewrightError: ``bad_input`` if it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScenewrightError("bad_input", f"{folder} cannot be made: {error.strerror}.", "Choose another.") from error


def context() -> bpy.types.Context:
    """Blender's context: its scene and view layer are what commands work on."""
    return bpy.context


class Pictures:
    """Pictures for a report, taken before and after.

    Args:
        folder: where they go; exists.
    """

    def __init__(self, folder: Path) -> None:
        self.taken: dict[str, str] = {}
        self._folder = folder

    def take(self, name: str) -> None:
        """Take the picture of that name."""
        render_overview(bpy.context, self._folder / f"{name}.png")
        self.taken[name] = f"{name}.png"
