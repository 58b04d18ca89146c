"""Putting things on others: resting exactly, free of everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..executor.geometry.mesh import FloatArray
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.steps import Steps
from ..executor.placement.on_support import Support, shift_onto
from .company import Company, to_be_moved
from .hands import Hands, Step, name_of

if TYPE_CHECKING:
    from ..executor.reading.scene_world import SceneWorld


def place(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Put things on one host; what they carry goes along."""
    if len(predicate.object) > 1:
        raise ScenewrightError("ambiguous", "That can go on one of them only.", "Name the one.", list(predicate.object))
    host = predicate.object[0]
    led = [Company.of(s, world) for s in predicate.subject]
    touched = hands.touched(led, world)
    if host in touched:
        raise ScenewrightError(
            "contradiction", f"{name_of(host, world)} cannot be put on itself or on what it carries."
        )
    current = world
    for company in led:
        shift = shift_onto_or_over(company, host, current)
        hands.stage.move(current, to_be_moved(company.members, current), shift)
        current = yield from hands.stage.read()
    return Step(predicate, current, touched)


def shift_onto_or_over(
    company: Company, host: str, world: SceneWorld, near: FloatArray | None = None, is_copy: bool = False
) -> FloatArray:
    """How far a thing has to be moved to rest on a host, or else on what covers it: on a bed's blanket, on a rug.

    Args:
        company: the thing, with all that goes along.
        host: what it is put on.
        world: the scene as it is.
        near: ``(3,)`` metres, where the middle of its underside is wanted, or None; a cover is as good as the host
            then, if that is nearer.
        is_copy: the thing itself stays where it is.

    Raises:
        ScenewrightError: ``infeasible``, with the numbers that do not fit.
    """
    found: list[FloatArray] = []
    refusal: ScenewrightError | None = None
    for support in [host, *_covers_of(host, company, world)]:
        try:
            found.append(_shift_onto(company, support, world, near, is_copy))
        except ScenewrightError as error:
            refusal = refusal or error
        if found and near is None:
            break
    if not found:
        assert refusal is not None
        raise refusal
    if near is None:
        return found[0]
    box = world.box(company.leader)
    return min(found, key=lambda shift: float(np.linalg.norm((box.center + shift - near)[:2])))


def _covers_of(host: str, company: Company, world: SceneWorld) -> list[str]:
    """What lies over a host, the largest first."""
    above = Company.of(host, world).others
    if world.is_structure(host):
        above = tuple(t for t in world.ids() if world.carried_by(t) == host)
    covers = [t for t in above if _covers(t, world) and t not in company.members]
    return sorted(covers, key=lambda t: -float(np.prod(world.box(t).half[:2])))


def _covers(thing: str, world: SceneWorld) -> bool:
    """Whether it lies over what carries it: cloth, bedding or a rug, and flat."""
    soft = world.has(thing) and (world.is_soft(thing) or world.scene.graph.entity(thing).role == "covering")
    half = world.box(thing).half
    return soft and bool(half[2] <= half[:2].min() / 2)


def _shift_onto(company: Company, host: str, world: SceneWorld, near: FloatArray | None, is_copy: bool) -> FloatArray:
    """How far a thing, with all that goes along, has to be moved to rest on a host."""
    solid = [t for t in world.ids() if not world.body(t).mesh.is_empty]
    others = [t for t in solid if t != host and (is_copy or t not in company.members)]
    patches = world.scene.patches[world.scene.index_of(host)]
    return shift_onto(
        world.body(company.leader),
        world.body(host),
        [Support(p.polygon, p.z, p.clearance) for p in patches],
        [world.body(t) for t in others if not world.is_structure(t)],
        [world.body(t) for t in others if world.is_structure(t)],
        name_of(company.leader, world),
        name_of(host, world),
        load=[world.body(t) for t in solid if t in company.others],
        near=near,
    )
