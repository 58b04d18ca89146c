"""The sculptor: how a requirement is made true, by the kind of its predicate."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import PredicateName
from ..executor.model.result import Requirement
from ..executor.model.steps import Steps
from . import arranging, displacing, making, opening, putting
from .blocking import refuse_if_blocked, refuse_if_not_moved, refuse_if_torn
from .hands import Hands, Method, Step

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld

_METHODS: Mapping[PredicateName, Method] = MappingProxyType(
    {
        "move_delta": displacing.move,
        "rotation_delta": displacing.turn,
        "scale_ratio": displacing.scale,
        "posture": displacing.lay,
        "on_top_of": putting.place,
        "opened": opening.open_parts,
        "exists": making.create,
        "replaced": making.replace,
        "absent": arranging.remove,
        "color": arranging.recolor,
        "material": arranging.set_material,
        "hidden": arranging.hide,
        "shown": arranging.show,
        "named": arranging.rename,
        "follows": arranging.set_parent,
        "grouped": arranging.group,
        "in_collection": arranging.sort_into,
    }
)
_DISPLACEMENTS = ("move_delta", "rotation_delta", "scale_ratio", "posture")


class Sculptor:
    """Carries out one requirement on a stage.

    Args:
        hands: what it is carried out with.
        allow_collision: let explicit displacements end in collisions or outside the room.
    """

    def __init__(self, hands: Hands, allow_collision: bool) -> None:
        self._hands = hands
        self._allow_collision = allow_collision

    def carry_out(self, requirement: Requirement, world: SceneWorld) -> Steps[Step]:
        """Make a requirement true, piece by piece.

        Raises:
            ScenewrightError: it cannot be done as asked; the caller rolls back.
        """
        predicate = requirement.predicate
        assert predicate is not None
        is_there = world.knows if predicate.name == "shown" else world.has
        gone = [t for t in (*predicate.subject, *predicate.object) if not is_there(t)]
        if gone:
            raise ScenewrightError("unknown_object", f"{gone[0]} is no longer there.", "", gone)
        method = making.create if making.is_new(predicate) else _METHODS[predicate.name]
        step = yield from method(self._hands, predicate, world)
        if predicate.name in _DISPLACEMENTS:
            refuse_if_torn(step, world)
        if predicate.name == "move_delta":
            refuse_if_not_moved(step, world)
        if predicate.name in (*_DISPLACEMENTS, "opened", "replaced") and not self._allow_collision:
            refuse_if_blocked(step, world)
        return step
