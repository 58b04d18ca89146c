"""Furniture built by rule: kinds with a size, a style and a seed, each a plain-data `Piece`.

Needs Blender's bmesh: ``import bpy`` must have run before this package is imported.
"""

from __future__ import annotations

from ...executor.model.piece import Joint, Light, Material, Piece, Solid, Surface
from . import (  # noqa: F401  (they register their kinds)
    beds,
    coverings,
    decor,
    lighting,
    plants,
    seating,
    storage,
    tables,
    upholstery,
    wardrobes,
)
from .palette import materials
from .registry import STYLES, KindInfo, build, kinds
from .room import Opening, room_shell

__all__ = [
    "STYLES",
    "Joint",
    "KindInfo",
    "Light",
    "Material",
    "Opening",
    "Piece",
    "Solid",
    "Surface",
    "build",
    "kinds",
    "materials",
    "room_shell",
]
