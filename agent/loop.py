"""The loop: from a request to a changed, verified and remembered scene, one requirement at a time.

It is a generator: it yields after each bounded piece of work (only the copying of a scene out of Blender is one whole),
so that a panel stays alive, ESC is answered and a batch can stop it. Closing it, or any error, leaves the scene as it
was at the start.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import JsonValue

from ..executor.model.errors import ScenewrightError
from ..executor.model.result import Attempt, EditResult, Requirement
from ..executor.model.steps import Steps, T, each_piece
from ..executor.predicates import check
from ..executor.reading.moving_parts import moving_parts
from .analyser import compile_request
from .hands import Hands
from .outcome import changes_between, introduced_faults, preservation, told_besides
from .references import BROUGHT_BY, noun_phrase_of
from .sculptor import Sculptor
from .setting import Setting
from .stock import Stock

if TYPE_CHECKING:
    from ..executor.blender.fingerprint import Fingerprint
    from ..executor.blender.stage import Stage
    from ..executor.reading.scene_world import SceneWorld


_TOLD = 5
"""Names that a hint lists."""

_LASTING = (
    "on_top_of", "color", "material", "absent", "exists", "hidden", "shown", "named", "follows", "grouped",
    "in_collection",
)  # fmt: skip
"""Predicates that have to hold at the end, too: a later requirement may have undone an earlier one."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a request is to be carried out.

    Attributes:
        frame: ``viewer``, ``object`` or ``world``: what left and right refer to.
        allow_collision: let explicit displacements end in collisions or outside the room.
        protect: what must not change, in words.
        answers: answers to questions of a former run, by question.
        folders: where files that the request names are looked for, best first.
    """

    frame: str = "viewer"
    allow_collision: bool = False
    protect: Sequence[str] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    folders: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the loop is: what it does now, and how much of the request is done (0…1)."""

    doing: str
    done: float


def run(request: str, stage: Stage, options: Options) -> Generator[Progress, None, EditResult]:
    """Carry out a request on a stage.

    Yields:
        What is being done, before it is done.

    Returns:
        The result. If every requirement failed, the scene is as it was and the result is a refusal.

    Raises:
        ScenewrightError: the request is refused as a whole: not understood, ambiguous, protected, ….
    """
    seconds = {}
    started = time.perf_counter()
    yield Progress("Reading the scene", 0.0)
    stage.begin()
    before = yield from shown("Reading the scene", 0.0, stage.read())
    prints = yield from shown("Reading the scene", 0.1, stage.fingerprints())
    seconds["load"] = time.perf_counter() - started
    yield Progress("Understanding the request", 0.2)
    setting = Setting(
        before.scene.graph,
        options.frame,
        stage.viewer(),
        options.answers,
        lambda: _stock(stage, options),
        lambda thing: moving_parts(before, thing),
    )
    requirements = compile_request(request, setting)
    protected = _protected(options, setting)
    unasked = sorted(set(options.answers) - setting.resolver.asked)
    seconds["plan"] = time.perf_counter() - started - sum(seconds.values())
    start = stage.journal.mark()
    with stage.journal.transaction():
        result = yield from _carry_out(request, requirements, stage, before, prints, protected, options, seconds)
        result.warnings += [f"--answer {q} answers a question that was not asked." for q in unasked]
        if result.status == "refused":
            stage.journal.roll_back(start)
        return result


def _carry_out(
    request: str,
    requirements: list[Requirement],
    stage: Stage,
    before: SceneWorld,
    prints: dict[str, Fingerprint],
    protected: frozenset[str],
    options: Options,
    seconds: dict[str, float],
) -> Generator[Progress, None, EditResult]:
    world = before
    attempts: list[Attempt] = []
    errors: list[ScenewrightError] = []
    touched: dict[str, str | None] = {}
    replaced: dict[str, str] = {}
    brought: dict[str, list[str]] = {}
    began = time.perf_counter()
    for number, requirement in enumerate(requirements):
        done = 0.3 + 0.5 * number / len(requirements)
        yield Progress(requirement.text, done)
        _bind(requirement, brought)
        sculptor = Sculptor(Hands(stage, protected), options.allow_collision)
        try:
            with stage.journal.transaction():
                step = yield from shown(requirement.text, done, sculptor.carry_out(requirement, world))
        except ScenewrightError as error:
            errors.append(error)
            attempts.append(_attempt(number, requirement, "rejected", error.one_line()))
            requirement.status = "unsatisfied"
            requirement.failure_mode, requirement.repair_hint = error.code, error.hint or None
            requirement.measured = {"reason": error.message}
            world = yield from shown(requirement.text, done, stage.read())
            continue
        touched |= {t: c for t, c in step.touched.items() if c is None or t not in touched}
        replaced |= step.replaced
        attempts.append(_attempt(number, requirement, "accepted", ""))
        requirement.predicate = step.predicate
        brought[BROUGHT_BY + requirement.id] = step.predicate.subject
        _judge(requirement, step.world, world)
        world = step.world
    seconds["execute"] = time.perf_counter() - began
    for requirement in requirements:
        lasting = requirement.predicate is not None and requirement.predicate.name in _LASTING
        if lasting and requirement.status == "satisfied":
            _judge(requirement, world, before)
    if errors and len(errors) == len(requirements):
        return EditResult.refused(
            request, errors[0], requirements=requirements, attempts=attempts, seconds=_rounded(seconds)
        )
    checking = "Checking everything else"
    yield Progress(checking, 0.85)
    began = time.perf_counter()
    after_prints = yield from shown(checking, 0.85, stage.fingerprints())
    kept = preservation(before, prints, world, after_prints, touched)
    if kept.changed:  # does it change by itself? then the fault is not ours
        stage.settle_evaluation()
        world = yield from shown(checking, 0.9, stage.read())
        settled_prints = yield from shown(checking, 0.95, stage.fingerprints())
        kept = preservation(before, prints, world, settled_prints, touched, unstable_since=after_prints)
    if kept.changed:
        _refuse_if_protected(kept.changed, protected, before)
        requirements.append(_kept_otherwise(kept.changed))
    satisfied = all(r.status == "satisfied" for r in requirements)
    changes = changes_between(before, world, touched, replaced)
    result = EditResult(
        status="satisfied" if satisfied else "partial",
        request=request,
        requirements=requirements,
        changes=changes,
        preservation=kept,
        physical=introduced_faults(before, world, touched),
        attempts=attempts,
        degradations=["Leaving the room is judged for explicit displacements only; blocked openings are not judged."],
        warnings=[*world.scene.graph.warnings, *told_besides(changes, before, stage)],
    )
    result.turn = stage.remember(result, world, after_prints, "request", None)
    seconds["verify"] = time.perf_counter() - began
    result.seconds = _rounded(seconds)
    yield Progress("Done", 1.0)
    return result


def shown(doing: str, done: float, steps: Steps[T]) -> Generator[Progress, None, T]:
    """Some work, with what it is yielded after each piece."""
    found: list[T] = []
    for _ in each_piece(steps, found.append):
        yield Progress(doing, done)
    return found[0]


def _bind(requirement: Requirement, brought: Mapping[str, list[str]]) -> None:
    """Put the things that earlier requirements brought in where a predicate only says by which."""
    assert requirement.predicate is not None
    subject = [i for s in requirement.predicate.subject for i in brought.get(s, [s])]
    requirement.predicate = requirement.predicate.model_copy(update={"subject": subject})
    requirement.matched_ids = [*subject, *requirement.predicate.object]


def _judge(requirement: Requirement, world: SceneWorld, before: SceneWorld) -> None:
    """Write into a requirement what its predicate comes to."""
    assert requirement.predicate is not None
    verdict = check(requirement.predicate, world, before)
    requirement.status, requirement.measured = verdict.status, verdict.measured
    requirement.failure_mode, requirement.repair_hint = verdict.failure_mode, verdict.repair_hint


def _refuse_if_protected(changed: Sequence[str], protected: frozenset[str], before: SceneWorld) -> None:
    """Something that follows a target in a way the reader does not know (a constraint, a driver) may be protected."""
    owners = {name: thing for thing in protected for name in before.member_names(thing)}
    hit = [name for name in changed if name in owners]
    if hit:
        raise ScenewrightError(
            "protected",
            f"{hit[0]} is protected, and would change along with what was asked.",
            "Unprotect it, or undo what ties it to the target.",
            [owners[name] for name in hit],
        )


def _kept_otherwise(changed: list[str]) -> Requirement:
    """The unspoken requirement, once it is broken: that nothing else changes."""
    more = f" and {len(changed) - _TOLD} more" if len(changed) > _TOLD else ""
    return Requirement(
        id="preserve",
        type="preserve",
        text="everything else stays as it is",
        priority=0,
        status="unsatisfied",
        failure_mode="changed",
        repair_hint=f"{', '.join(changed[:_TOLD])}{more} changed along: something ties it to what was asked for.",
        measured={"changed": list[JsonValue](changed)},
    )


def _stock(stage: Stage, options: Options) -> Stock:
    """What the request can bring in."""
    from ..assets_index.parametric import kinds, materials  # Blender's bmesh

    known = [*stage.materials(), *(m.name for m in materials())]
    return Stock({k.kind: (k.category, k.role) for k in kinds()}, known, options.folders)


def _protected(options: Options, setting: Setting) -> frozenset[str]:
    """Ids that nothing may touch: the user's marks in the file, and what the options name."""
    named = [i for query in options.protect for i in setting.resolver.resolve(noun_phrase_of(query))]
    return frozenset(named) | {e.id for e in setting.graph.objects if e.protected}


def _attempt(number: int, requirement: Requirement, outcome: Literal["accepted", "rejected"], reason: str) -> Attempt:
    predicate = requirement.predicate
    assert predicate is not None
    return Attempt(
        step=number + 1,
        card=predicate.name,
        args={"subject": list(predicate.subject), "object": list(predicate.object), **predicate.qualifiers},
        candidates=1,
        outcome=outcome,
        reason=reason,
    )


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {name: float(np.round(value, 3)) for name, value in seconds.items()}
