"""What a built piece of furniture is: plain data, ready to be turned into objects of any 3D program.

Everything is in the piece's own frame: metres, Z up, origin at the bottom centre of its box, front to −Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vec2: TypeAlias = tuple[float, float]
Vec3: TypeAlias = tuple[float, float, float]
Face: TypeAlias = tuple[int, ...]
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int32]
BoolArray: TypeAlias = NDArray[np.bool_]
Style: TypeAlias = Literal["modern", "classic", "industrial"]
Role: TypeAlias = Literal[
    "furniture", "manipulable", "covering", "wall_mounted", "ceiling_mounted", "structure", "light", "other"
]
Substance: TypeAlias = Literal[
    "wood", "metal", "fabric", "leather", "paint", "plastic", "ceramic", "glass", "stone", "plant", "soil"
]


@dataclass(frozen=True, slots=True)
class Material:
    """Parameters of one Principled shader.

    Attributes:
        name: what a person would call it, such as ``Oak``.
        substance: what it is made of.
        base_color: linear RGBA.
        metallic, roughness, transmission, sheen, coat: Principled weights, 0 to 1.
        emission_color: linear RGB.
        emission_strength: Principled emission strength; 0 does not glow.
    """

    name: str
    substance: Substance
    base_color: tuple[float, float, float, float]
    metallic: float = 0.0
    roughness: float = 0.5
    transmission: float = 0.0
    sheen: float = 0.0
    coat: float = 0.0
    emission_color: Vec3 = (1.0, 1.0, 1.0)
    emission_strength: float = 0.0


@dataclass(frozen=True, slots=True)
class Joint:
    """How a movable part moves; the part is delivered closed.

    Attributes:
        kind: ``slide`` along ``axis`` (drawers) or ``hinge`` about it (doors), right-handed.
        axis: unit vector.
        origin: a point of the axis, metres.
        limit: how far it opens from closed: metres for a slide, degrees for a hinge; always positive.
    """

    kind: Literal["slide", "hinge"]
    axis: Vec3
    origin: Vec3
    limit: float


@dataclass(frozen=True, eq=False, slots=True)
class Solid:
    """One rigid or soft body of a piece: one object in the scene.

    Attributes:
        name: unique within the piece, such as ``Drawer 1``.
        vertices: ``(n, 3) float64``, metres, piece frame.
        faces: convex polygons, counter-clockwise seen from outside.
        material_index: ``(len(faces),) int32`` into the piece's ``materials``.
        smooth: ``(len(faces),) bool``; smooth faces share normals over edges below ``sharp_angle_deg``.
        sharp_angle_deg: edges bent by more than this are sharp.
        parent: name of the solid that carries this one, or None for a body of its own.
        joint: how it moves against its parent, or None.
        soft: bedding, cushions, foliage: may be pressed in by what touches it.
    """

    name: str
    vertices: FloatArray
    faces: tuple[Face, ...]
    material_index: IntArray
    smooth: BoolArray
    sharp_angle_deg: float = 35.0
    parent: str | None = None
    joint: Joint | None = None
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Light:
    """A light that belongs to a piece.

    Attributes:
        kind: ``point``, ``spot`` (shining down) or ``area`` (shining down).
        location: metres, piece frame.
        energy: radiant power as Blender counts it, watts.
        color: linear RGB.
        radius: metres; soft shadows.
    """

    kind: Literal["point", "spot", "area"]
    location: Vec3
    energy: float
    color: Vec3 = (1.0, 0.83, 0.64)
    radius: float = 0.03


@dataclass(frozen=True, slots=True)
class Surface:
    """A flat area made to carry things: a hint; what counts is measured on the geometry.

    Attributes:
        name: such as ``top`` or ``board 2``.
        z: height, metres.
        x, y: its rectangle, ``(low, high)``, metres.
    """

    name: str
    z: float
    x: Vec2
    y: Vec2


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A piece of furniture built by rule.

    Attributes:
        kind: the registered kind, such as ``table_lamp``.
        category: what a person would call it, such as ``lamp``.
        role: the scene graph's role.
        size: box along x, y, z, metres; the box is centred on the origin in x and y and starts at z = 0.
        front: unit direction in xy in which it looks, or None for what has no front (round things, rugs).
        up: unit vector.
        mass_kg: plausible mass.
        solids, materials, lights, surfaces: what it consists of.
        style, seed: what it was built from.
    """

    kind: str
    category: str
    role: Role
    size: Vec3
    front: Vec2 | None
    mass_kg: float
    solids: tuple[Solid, ...]
    materials: tuple[Material, ...]
    lights: tuple[Light, ...] = ()
    surfaces: tuple[Surface, ...] = ()
    style: Style = "modern"
    seed: int = 0
    up: Vec3 = (0.0, 0.0, 1.0)
