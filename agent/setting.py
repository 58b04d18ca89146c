"""What a request is read against."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..executor.geometry.frames import viewer_forward
from ..executor.geometry.mesh import FloatArray
from ..executor.model.graph import SceneGraph
from ..executor.reading.moving_parts import MovingPart
from .references import Resolver
from .stock import Stock


def _none_open(thing: str) -> Sequence[MovingPart]:
    return ()


@dataclass(frozen=True)
class Setting:
    """What a request is read against.

    Attributes:
        graph: the scene.
        frame: ``viewer``, ``object`` or ``world``: what left and right refer to.
        viewer: ``(4, 4)`` world_from_camera of the view, or None.
        answers: answers to questions of a former run, by question.
        stocked: tells what can be brought in; asked only if something is.
        parts_of: the drawers, doors and the like of a thing, by its id.
    """

    graph: SceneGraph
    frame: str = "viewer"
    viewer: FloatArray | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    stocked: Callable[[], Stock] = Stock
    parts_of: Callable[[str], Sequence[MovingPart]] = _none_open

    @cached_property
    def stock(self) -> Stock:
        """What can be brought in."""
        return self.stocked()

    @cached_property
    def resolver(self) -> Resolver:
        """Finds what noun phrases mean here."""
        return Resolver(self.graph, self.answers, viewer_forward(self.viewer))
