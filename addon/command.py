"""The second door: `blender --background [FILE] --command scenewright ...` takes the CLI's arguments."""

from __future__ import annotations

from typing import Any

import bpy

_handle: Any = None


def _run(argv: list[str]) -> int:
    # The CLI loads every floor below it: not at Blender's start, only when the command is used.
    from .. import cli

    return cli.main(argv)


def register() -> None:
    """Make the command known to Blender (possible since 4.2)."""
    global _handle
    _handle = bpy.utils.register_cli_command("scenewright", _run)


def unregister() -> None:
    """Take the command back."""
    global _handle
    bpy.utils.unregister_cli_command(_handle)
    _handle = None
