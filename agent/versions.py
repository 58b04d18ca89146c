"""Going through the versions of a scene: what they are, how they differ, and back to one of them."""

from __future__ import annotations

import time
from collections.abc import Container, Generator, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from ..executor.model.edit import Block, CreationEdit, Edit, KeysEdit, MembershipEdit, ValueEdit
from ..executor.model.errors import ScenewrightError
from ..executor.model.history import ChangeNote, Difference, History, Version
from ..executor.model.result import EditResult, Requirement
from .loop import Progress, shown
from .outcome import changes_between, introduced_faults, preservation, told_besides
from .references import noun_phrase_of
from .setting import Setting

if TYPE_CHECKING:
    from ..executor.blender.fingerprint import Fingerprint
    from ..executor.blender.history import Passage
    from ..executor.blender.stage import Stage
    from ..executor.reading.scene_world import SceneWorld

_READING, _GOING, _CHECKING = "Reading the scene", "Going back", "Checking everything else"


def listed(history: History) -> list[Version]:
    """All versions, oldest first."""
    source = Version(
        turn=history.root,
        parent=None,
        kind="source",
        of=None,
        request="",
        status="",
        changes=[],
        bytes=0,
        kept=[],
        current=history.current == history.root,
    )
    found = [source]
    told: set[Block] = set()
    for turn in history.turns:
        mentioned = {edit.block for edit in turn.edits}
        kept = [ref for ref in history.kept if ref in mentioned and ref not in told]
        told |= set(kept)
        found.append(
            Version(
                turn=turn.number,
                parent=turn.parent,
                kind=turn.kind,
                of=turn.of,
                request=turn.request,
                status=turn.status,
                changes=[ChangeNote(id=c.id, name=c.name, kind=c.kind) for c in turn.changes],
                bytes=turn.bytes,
                kept=[ref.name for ref in kept],
                current=turn.number == history.current,
            )
        )
    return found


def compared(history: History, start: int, end: int) -> list[Difference]:
    """What differs between two versions, property by property.

    Raises:
        ScenewrightError: ``bad_input`` if one of them is not there.
    """
    for number in (start, end):
        check_known(history, number)
    owners = {w.block: w.thing for turn in history.turns for w in turn.written}
    return [
        Difference(
            id=owners.get(edit.block),
            object=edit.block.name,
            what=_what(edit),
            before=_plain(edit, "old"),
            after=_plain(edit, "new"),
        )
        for edit in history.difference(start, end)
    ]


def restore(number: int, only: str | None, stage: Stage) -> Generator[Progress, None, EditResult]:
    """Bring a scene back into the state of a turn, or one thing of it.

    Args:
        number: of the turn; the root's is the state before all of them.
        only: what to bring back, in words or by id; None: everything that turns have changed.
        stage: the scene.

    Raises:
        ScenewrightError: ``bad_input`` if there is no such turn, ``protected`` if that would change what is.
    """
    began = time.perf_counter()
    yield Progress(_READING, 0.0)
    history = stage.begin()
    check_known(history, number)
    before = yield from shown(_READING, 0.1, stage.read())
    prints = yield from shown(_READING, 0.3, stage.fingerprints())
    blocks = _objects_of(only, history, before) if only is not None else None
    seconds = {"load": round(time.perf_counter() - began, 3)}
    came_from = history.current
    with stage.journal.transaction():
        yield Progress(_GOING, 0.4)
        passage = stage.go_to(number, blocks)
        after = yield from shown(_GOING, 0.5, stage.read())
        yield Progress(_CHECKING, 0.7)
        after_prints = yield from shown(_CHECKING, 0.8, stage.fingerprints())
        touched = _touched(passage, before, after)
        _refuse_protected(touched, before)
        goal = _requirement(number, only, passage)
        result = EditResult(
            status="satisfied" if goal.status == "satisfied" else "partial",
            request=f"restore {number}" + (f" only {only}" if only else ""),
            requirements=[goal],
            changes=changes_between(before, after, touched),
            preservation=preservation(before, prints, after, after_prints, touched),
            physical=introduced_faults(before, after, touched),
            warnings=[
                *after.scene.graph.warnings,
                *_by_hand(history, came_from),
                *_unlike(stage, history, number, after_prints, blocks),
            ],
        )
        result.warnings += told_besides(result.changes, before, stage)
        result.turn = stage.remember(result, after, after_prints, "restore" if only is None else "revert", number)
        seconds["execute"] = round(time.perf_counter() - began - seconds["load"], 3)
        result.seconds = seconds
        yield Progress("Done", 1.0)
        return result


def check_known(history: History, number: int) -> None:
    """Refuse a version that is not there."""
    if not history.knows(number):
        there = [history.root, *(turn.number for turn in history.turns)]
        raise ScenewrightError(
            "bad_input",
            f"There is no turn {number}.",
            f"There are {', '.join(map(str, there))}: see `scenewright history FILE list`.",
        )


def _objects_of(only: str, history: History, world: SceneWorld) -> list[Block]:
    """The objects of a thing, which may have been removed since, that turns have written to."""
    written = [w for turn in history.turns for w in turn.written]
    things = {only} if any(w.thing == only for w in written) else set()
    if not things:
        things = set(Setting(world.scene.graph).resolver.resolve(noun_phrase_of(only)))
    return list(dict.fromkeys(w.block for w in written if w.thing in things))


def _touched(passage: Passage, before: SceneWorld, after: SceneWorld) -> dict[str, str | None]:
    """The things that the way back changed, and what follows them as their children."""
    changed = set(passage.objects)
    touched: dict[str, str | None] = {}
    for world in (before, after):
        for entity in world.scene.graph.objects:
            if changed.intersection(world.member_names(entity.id)):
                touched.setdefault(entity.id, None)
                for child in world.children(entity.id):
                    touched.setdefault(child, entity.id)
    return touched


def _refuse_protected(touched: Iterable[str], before: SceneWorld) -> None:
    hit = [t for t in touched if before.knows(t) and before.scene.graph.entity(t).protected]
    if hit:
        raise ScenewrightError(
            "protected",
            f"{before.scene.graph.entity(hit[0]).name} is protected, and going back would change it.",
            "Unprotect it, or bring back other things with --only.",
            hit,
        )


def _requirement(number: int, only: str | None, passage: Passage) -> Requirement:
    """That what is brought back is as it was, judged by what could be put back."""
    lost = list(dict.fromkeys(passage.gone))
    return Requirement(
        id="r1",
        type="edit",
        text=f"{only or 'the scene'} as after turn {number}",
        status="unsatisfied" if lost else "satisfied",
        failure_mode="gone" if lost else None,
        repair_hint="These were deleted from the file by hand, and cannot be brought back." if lost else None,
        measured={"gone": list[JsonValue](lost)} if lost else {},
    )


def _by_hand(history: History, came_from: int) -> list[str]:
    turn = history.turn(came_from)
    if turn is None or turn.kind != "by_hand":
        return []
    names = ", ".join(dict.fromkeys(edit.block.name for edit in turn.edits))
    return [f"What was changed by hand since the last turn ({names}) is kept as turn {came_from}."]


def _unlike(
    stage: Stage, history: History, number: int, prints: Mapping[str, Fingerprint], blocks: Container[Block] | None
) -> list[str]:
    """Objects that are not what they were after a turn, though what turns wrote is: the user did more to them."""
    as_then: dict[Block, str] = {}
    for turn in history.line(number):
        if turn.blender != stage.blender:
            return []  # another Blender has other properties
        as_then |= {w.block: w.digest for w in turn.written if blocks is None or w.block in blocks}
    other = [
        ref.name
        for ref, digest in as_then.items()
        if digest and ref.name in prints and prints[ref.name].made_from.hex() != digest
    ]
    return [f"Changed besides by hand, and left so: {', '.join(other)}."] if other else []


def _what(edit: Edit) -> str:
    if isinstance(edit, ValueEdit):
        return edit.path
    return f"{edit.path}[{edit.index}] keys" if isinstance(edit, KeysEdit) else "collections"


def _plain(edit: Edit, side: Literal["old", "new"]) -> JsonValue:
    """A state for a person: names instead of references, collections by name."""
    if isinstance(edit, CreationEdit):
        return None
    state = getattr(edit, side)
    if isinstance(edit, KeysEdit):
        return "as they were" if side == "old" else "changed"
    if isinstance(edit, MembershipEdit):
        return [ref.name for ref, _ in state.places]
    return _named(state)


def _named(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_named(item) for item in value]
    if isinstance(value, dict) and set(value) == {"block"}:
        return Block.model_validate(value["block"]).name
    return None if value == {} else value
