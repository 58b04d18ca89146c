"""What predicates and placement may ask of a scene.

The product answers from the evaluated meshes that were read out of Blender; tests answer from plain meshes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from .geometry.body import Body
from .geometry.boxes import UprightBox
from .geometry.mesh import FloatArray


class World(Protocol):
    """One state of a scene. Things are named by their ids; lengths are metres, world space."""

    def ids(self) -> Sequence[str]:
        """Ids of all shown things."""

    def has(self, thing: str) -> bool:
        """Whether a shown thing has this id."""

    def body(self, thing: str) -> Body:
        """Triangles of a thing."""

    def box(self, thing: str) -> UprightBox:
        """Upright box of a thing."""

    def is_soft(self, thing: str) -> bool:
        """Whether things may sink into it, or it into them."""

    def is_structure(self, thing: str) -> bool:
        """Whether it is a floor, a wall or the like."""

    def may_enter(self, thing: str, host: str) -> bool:
        """Whether a thing belongs into another's matter: an opening or a mounted thing into what holds it,
        a covering under things, a child into its parent.
        """

    def carried_by(self, thing: str) -> str | None:
        """Id of what carries a thing, or None."""

    def base_colors(self, thing: str) -> tuple[FloatArray, FloatArray]:
        """Linear RGB ``(n, 3)`` and areas ``(n,)`` of what a thing shows."""

    def pose(self, thing: str) -> FloatArray:
        """``(4, 4)`` world_from_local of the object that carries the thing's id."""

    def knows(self, thing: str) -> bool:
        """Whether there is a thing of this id, shown or hidden."""

    def name(self, thing: str) -> str:
        """What a thing is called in the file."""

    def ancestors(self, thing: str) -> Iterable[str]:
        """Full names of the objects that a thing's objects follow as children, its own among them."""

    def member_names(self, thing: str) -> Sequence[str]:
        """Full names of a thing's objects."""

    def collections(self, thing: str) -> Sequence[str]:
        """Names of the collections that hold a thing's objects."""

    def materials(self, thing: str) -> Sequence[str]:
        """Names of the materials that a thing shows."""

    def is_mounted(self, thing: str) -> bool:
        """Whether a thing hangs on what carries it, or is set into that."""

    def front(self, thing: str) -> FloatArray | None:
        """Direction in plan, ``(2,)``, in which a thing looks, or None."""

    def own_up(self, thing: str) -> FloatArray:
        """World direction, ``(3,)``, that is up when a thing stands as it is made to."""

    def part_pose(self, thing: str, part: str) -> FloatArray:
        """``(4, 4)`` world_from_local of one of a thing's objects, given by full name."""
