"""What is done to things where they are: taken away, hidden, named, painted, and told what they belong to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..executor.geometry.colors import COLOR_TERMS
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate
from ..executor.model.steps import Steps
from .hands import Hands, Step

if TYPE_CHECKING:
    from ..executor.model.piece import Material
    from ..executor.reading.scene_world import SceneWorld


def _to_each(
    hands: Hands, predicate: Predicate, world: SceneWorld, act: Callable[[SceneWorld, str], object]
) -> Steps[Step]:
    """Do the same to each subject, and to nothing else."""
    hands.check_protected(predicate.subject, world)
    for thing in predicate.subject:
        act(world, thing)
    return Step(predicate, (yield from hands.stage.read()), dict.fromkeys(predicate.subject))


def remove(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Take things out of the scene."""
    return (yield from _to_each(hands, predicate, world, hands.stage.remove))


def hide(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Hide things."""
    return (yield from _to_each(hands, predicate, world, hands.stage.hide))


def show(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Show things that are hidden."""
    return (yield from _to_each(hands, predicate, world, hands.stage.show))


def recolor(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Give things a colour."""
    color = COLOR_TERMS[str(predicate.qualifiers["color"])]
    return (yield from _to_each(hands, predicate, world, lambda w, t: hands.stage.recolor(w, t, color)))


def set_material(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Make things of a material: one of the file, else one that comes with us."""
    name = str(predicate.qualifiers["material"])
    material = name if name in hands.stage.materials() else _built_in(name)
    return (yield from _to_each(hands, predicate, world, lambda w, t: hands.stage.set_material(w, t, material)))


def rename(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Give a thing another name."""
    name = str(predicate.qualifiers["name"])
    return (yield from _to_each(hands, predicate, world, lambda w, t: hands.stage.rename(w, t, name)))


def sort_into(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Put things into a collection."""
    name = str(predicate.qualifiers["collection"])
    return (yield from _to_each(hands, predicate, world, lambda w, t: hands.stage.sort_into(w, t, name)))


def set_parent(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Make things follow another one, or nobody."""
    if len(predicate.object) > 1:
        raise ScenewrightError("ambiguous", "They can follow one only.", "Name the one.", list(predicate.object))
    parent = predicate.object[0] if predicate.object else None
    step = yield from _to_each(hands, predicate, world, lambda w, t: hands.stage.set_parent(w, t, parent))
    return (yield from _kept_apart(hands, step, world))


def group(hands: Hands, predicate: Predicate, world: SceneWorld) -> Steps[Step]:
    """Put things under an empty, so that they move together."""
    hands.check_protected(predicate.subject, world)
    hands.stage.group(world, predicate.subject, str(predicate.qualifiers["name"]))
    step = Step(predicate, (yield from hands.stage.read()), dict.fromkeys(predicate.subject))
    return (yield from _kept_apart(hands, step, world))


def _kept_apart(hands: Hands, step: Step, before: SceneWorld) -> Steps[Step]:
    """The step, with marks on its things if they read as parts of others, now that they follow those."""
    subjects = step.predicate.subject
    if all(step.world.knows(t) and step.world.member_names(t) == before.member_names(t) for t in subjects):
        return step
    for thing in subjects:
        hands.stage.keep_apart(before, thing)
    return Step(step.predicate, (yield from hands.stage.read()), step.touched)


def _built_in(name: str) -> Material:
    """A material that built-in furniture is made of, by name."""
    from ..assets_index.parametric import materials  # Blender's bmesh

    return next(m for m in materials() if m.name == name)
