"""Scenewright: say what should be true of a scene, and have it made true in your own .blend.

This package is both an installable Python package (``scenewright``) and a Blender extension
(``bl_ext.<repository>.scenewright``). Nothing here imports bpy at module level, so that the pure
floors can be used and tested without Blender.
"""

__version__ = "0.1.0"


def register() -> None:
    """Register the extension's classes and its background command (called by Blender)."""
    from . import addon

    addon.register()


def unregister() -> None:
    """Undo `register` (called by Blender)."""
    from . import addon

    addon.unregister()
