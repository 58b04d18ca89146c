"""What every way of making a requirement true needs: the stage, what is protected, and what it has to tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.steps import Steps
from .company import Company, goes_with

if TYPE_CHECKING:
    from ..executor.blender.stage import Stage
    from ..executor.reading.scene_world import SceneWorld


@dataclass(slots=True)
class Step:
    """What a step did.

    Attributes:
        predicate: what it made true: as asked, but about what it made, and in the plane of what a thing hangs on.
        world: the scene after it.
        touched: every thing it meant to change, with the thing that carried it along, or None.
        replaced: ids of things that took the place of others, with the others' ids.
    """

    predicate: Predicate
    world: SceneWorld
    touched: dict[str, str | None]
    replaced: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hands:
    """What a requirement is carried out with.

    Attributes:
        stage: hands and eyes.
        protected: ids that must not change.
    """

    stage: Stage
    protected: frozenset[str]

    def touched(self, led: Sequence[Company], world: SceneWorld) -> dict[str, str | None]:
        """All that some companies change, none of it protected."""
        touched = goes_with(led)
        self.check_protected(list(touched), world)
        return touched

    def check_protected(self, things: Sequence[str], world: SceneWorld) -> None:
        """Refuse to change what is protected.

        Raises:
            ScenewrightError: ``protected``.
        """
        hit = [t for t in things if t in self.protected]
        if hit:
            raise ScenewrightError(
                "protected",
                f"{name_of(hit[0], world)} is protected.",
                "Unprotect it, or leave it out.",
                hit,
            )


Method: TypeAlias = Callable[[Hands, Predicate, "SceneWorld"], Steps[Step]]
"""A way of making a predicate true on a scene, piece by piece."""


def name_of(thing: str, world: SceneWorld) -> str:
    """What the user calls a thing."""
    return world.scene.graph.entity(thing).name
