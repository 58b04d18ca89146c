"""What goes along when a thing is moved: what rests on it, and what follows it as Blender's children do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..executor.geometry.mesh import FloatArray

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld


@dataclass(frozen=True, slots=True)
class Company:
    """A thing and all that goes along with it.

    Attributes:
        leader: the thing that a request is about.
        others: ids of what rests on it or on one another, directly or not, and of all their children, hidden
            ones too.
    """

    leader: str
    others: tuple[str, ...]

    @property
    def members(self) -> list[str]:
        """All ids, the leader's first."""
        return [self.leader, *self.others]

    @classmethod
    def of(cls, leader: str, world: SceneWorld) -> Company:
        """The company of a thing; the structure carries nothing along but its children."""
        found = {leader: None}
        queue = [leader]
        while queue:
            host = queue.pop()
            for other in [*world.resting_on(host), *world.children(host)]:
                if other not in found:
                    found[other] = None
                    queue.append(other)
        return cls(leader, tuple(found)[1:])


def companies(subjects: Sequence[str], world: SceneWorld) -> list[Company]:
    """A company per subject; a subject that goes along with another one anyway leads none."""
    found = [Company.of(s, world) for s in dict.fromkeys(subjects)]
    led: list[Company] = []
    for number, company in enumerate(found, 1):
        if not any(company.leader in other.others for other in [*led, *found[number:]]):
            led.append(company)
    return led


def goes_with(company: Sequence[Company]) -> dict[str, str | None]:
    """Every thing that some companies change, with the leader that takes it along, or None for leaders."""
    touched: dict[str, str | None] = {c.leader: None for c in company}
    for one in company:
        for other in one.others:
            touched.setdefault(other, one.leader)
    return touched


def shifts_of_riders(thing: str, base: FloatArray, scaling: FloatArray, world: SceneWorld) -> dict[str, FloatArray]:
    """Where all that rests on a thing goes when it is scaled: each rider with the spot that it stands on.

    Args:
        thing: what is scaled; its children are scaled with it.
        base: ``(3,)`` fixed point of the scaling, metres.
        scaling: ``(3, 3)`` what it does to directions.
        world: the scene before.

    Returns:
        A shift, ``(3,)`` metres, for each rider that is not scaled itself.
    """
    scaled = {thing, *world.children(thing)}
    shifts: dict[str, FloatArray] = {}
    queue = list(scaled)
    while queue:
        host = queue.pop()
        for rider in world.resting_on(host):
            if rider not in scaled and rider not in shifts:
                spot = world.spot(rider)
                shifts[rider] = (scaling - np.eye(3)) @ (spot - base) if host in scaled else shifts[host]
                queue.append(rider)
    return shifts


def to_be_moved(things: Sequence[str], world: SceneWorld) -> list[str]:
    """Of things that move together, those that do not follow another of them as its children already."""
    parents = {name: t for t in things for name in world.member_names(t)}
    return [t for t in things if not any(parents.get(a, t) != t for a in world.ancestors(t))]
