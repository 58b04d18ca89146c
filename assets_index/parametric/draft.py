"""The workpiece that a kind's function fills: box, style and chance in, a finished `Piece` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar
from zlib import crc32

import numpy as np

from ...executor.geometry.mesh import FloatArray
from ...executor.model.piece import Joint, Light, Material, Piece, Role, Solid, Style, Surface, Vec2, Vec3
from .shape import Shape, joined

T = TypeVar("T")


class Draft:
    """Collects solids, lights and surfaces of one piece.

    Attributes:
        kind, style, seed: what is being built.
        width, depth, height: the box wanted along x, y, z, metres.
        rng: chance, the same for the same kind, style and seed (and independent of the size).
    """

    def __init__(self, kind: str, size: Vec3, style: Style, seed: int) -> None:
        self.kind = kind
        self.width, self.depth, self.height = size
        self.style: Style = style
        self.seed = seed
        self.rng = np.random.default_rng([crc32(kind.encode()), crc32(style.encode()), seed % 2**32])
        self._solids: list[Solid] = []
        self._materials: dict[Material, int] = {}
        self._lights: list[Light] = []
        self._surfaces: list[Surface] = []

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, by chance."""
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return bool(self.rng.random() < probability)

    def between(self, low: float, high: float) -> float:
        """A number between the two, by chance."""
        return float(self.rng.uniform(low, high))

    def solid(
        self,
        name: str,
        *parts: tuple[Material, Sequence[Shape]],
        parent: str | None = None,
        joint: Joint | None = None,
        soft: bool = False,
        sharp_angle_deg: float = 35.0,
    ) -> None:
        """Add one body made of the given shapes, by material."""
        whole = joined(shape for _, shapes in parts for shape in shapes)
        index = [
            np.full(sum(len(shape.faces) for shape in shapes), self._slot(material), np.int32)
            for material, shapes in parts
            if shapes
        ]
        self._solids.append(
            Solid(
                name,
                whole.vertices,
                whole.faces,
                np.concatenate(index),
                whole.smooth,
                sharp_angle_deg,
                parent,
                joint,
                soft,
            )
        )

    def light(self, light: Light) -> None:
        """Add a light."""
        self._lights.append(light)

    def surface(self, name: str, z: float, x: Vec2, y: Vec2) -> None:
        """Add the hint that things can stand at height ``z`` within a rectangle, metres."""
        self._surfaces.append(Surface(name, z, x, y))

    def _slot(self, material: Material) -> int:
        return self._materials.setdefault(material, len(self._materials))

    def box(self) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest corner of what has been added, each ``(3,)``, metres."""
        vertices = np.concatenate([solid.vertices for solid in self._solids])
        return vertices.min(0), vertices.max(0)

    def piece(self, *, category: str, role: Role, front: Vec2 | None, mass_kg: float, fit_box: bool = True) -> Piece:
        """The finished piece, drawn to the wanted box exactly.

        Kinds are built to size already; what is left to correct is the last percent that bent, slanted or
        random parts miss. Rooms, whose box is their interior, come without this (``fit_box``).
        """
        low, high = self.box()
        size = np.array([self.width, self.depth, self.height])
        factor = size / (high - low) if fit_box else np.ones(3)
        shift = np.array([-size[0] / 2, -size[1] / 2, 0.0]) - low * factor if fit_box else np.zeros(3)

        def fit(point: Vec3) -> Vec3:
            x, y, z = np.array(point) * factor + shift
            return (float(x), float(y), float(z))

        def fit_joint(joint: Joint | None) -> Joint | None:
            return joint and replace(joint, origin=fit(joint.origin))

        def fit_surface(hint: Surface) -> Surface:
            (x0, y0, z), (x1, y1, _) = (fit((hint.x[k], hint.y[k], hint.z)) for k in (0, 1))
            return Surface(hint.name, z, (x0, x1), (y0, y1))

        return Piece(
            kind=self.kind,
            category=category,
            role=role,
            size=(self.width, self.depth, self.height),
            front=front,
            mass_kg=mass_kg,
            solids=tuple(
                replace(solid, vertices=np.asarray(solid.vertices * factor + shift), joint=fit_joint(solid.joint))
                for solid in self._solids
            ),
            materials=tuple(self._materials),
            lights=tuple(replace(light, location=fit(light.location)) for light in self._lights),
            surfaces=tuple(map(fit_surface, self._surfaces)),
            style=self.style,
            seed=self.seed,
        )
