"""Which parts of a thing open, and how: drawers that slide, doors and lids that turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..geometry.mesh import FloatArray

if TYPE_CHECKING:
    from .scene_world import SceneWorld

PartKind: TypeAlias = Literal["drawer", "door", "lid", "flap"]


@dataclass(frozen=True, eq=False, slots=True)
class MovingPart:
    """A part that opens.

    Attributes:
        kind: what a person would call it.
        objects: full names of the topmost objects that move together; what follows them as children is not listed.
        motion: ``slide`` along the axis, or ``hinge`` about it.
        axis: ``(3,)`` unit, world: the way it opens; about a hinge a right-handed turn opens.
        origin: ``(3,)`` metres, world, a point of the axis.
        limit: how far it opens from closed, metres or degrees.
        opened: how far it is open now, metres or degrees.
        center: ``(3,)`` metres, world, its middle.
    """

    kind: PartKind
    objects: tuple[str, ...]
    motion: Literal["slide", "hinge"]
    axis: FloatArray
    origin: FloatArray
    limit: float
    opened: float
    center: FloatArray


def moving_parts(world: SceneWorld, thing: str) -> list[MovingPart]:
    """The parts of a thing that open."""
    return []
