"""Furniture built by rule: kinds with a size, a style and a seed, each a plain-data `Piece`.

Needs Blender's bmesh: ``import bpy`` must have run before this package is imported.
"""

from __future__ import annotations

from . import beds, decor, lighting, plants, seating, storage, tables  # noqa: F401  (registers their kinds)
from .piece import Joint, Light, Material, Piece, Solid, Surface
from .registry import STYLES, KindInfo, build, kinds

__all__ = ["STYLES", "Joint", "KindInfo", "Light", "Material", "Piece", "Solid", "Surface", "build", "kinds"]
