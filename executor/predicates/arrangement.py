"""What things are called, and what they belong to in the file."""

from __future__ import annotations

from ..model.predicate import Predicate, Verdict
from ..world import World


def hidden(predicate: Predicate, world: World, before: World) -> Verdict:
    """Every subject is in the scene, and none is shown."""
    left = [t for t in predicate.subject if not world.knows(t) or world.has(t)]
    return Verdict.of(not left, "still_shown", left=left)


def shown(predicate: Predicate, world: World, before: World) -> Verdict:
    """Every subject is shown."""
    left = [t for t in predicate.subject if not world.has(t)]
    return Verdict.of(not left, "still_hidden", left=left)


def named(predicate: Predicate, world: World, before: World) -> Verdict:
    """The subject is called ``name`` in the file."""
    names = {t: world.name(t) for t in predicate.subject}
    return Verdict.of(set(names.values()) == {predicate.qualifiers["name"]}, "called_otherwise", names=names)


def follows(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject follows an object of the object as its child, or nobody where there is none."""
    parents = {t: set(world.ancestors(t)) - set(world.member_names(t)) for t in predicate.subject}
    if predicate.object:
        carriers = {name for host in predicate.object for name in world.member_names(host)}
        free = [t for t, found in parents.items() if not found & carriers]
        return Verdict.of(not free, "follows_nobody", free=free)
    bound = [t for t, found in parents.items() if found]
    return Verdict.of(not bound, "still_follows", bound=bound)


def grouped(predicate: Predicate, world: World, before: World) -> Verdict:
    """All subjects follow one and the same object that none of them is part of."""
    shared = set.intersection(*(set(world.ancestors(t)) for t in predicate.subject))
    common = sorted(shared - {name for t in predicate.subject for name in world.member_names(t)})
    return Verdict.of(bool(common), "apart", common=common)


def in_collection(predicate: Predicate, world: World, before: World) -> Verdict:
    """Each subject is in the ``collection``."""
    outside = [t for t in predicate.subject if predicate.qualifiers["collection"] not in world.collections(t)]
    return Verdict.of(not outside, "elsewhere", outside=outside)
