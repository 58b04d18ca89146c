"""The versions kept in a .blend: written with every request, gone back to exactly.

They lie in a custom property of the scene, so that Blender's undo, saving and copying take them along. What a version
holds that the scene does not show any more (removed objects, replaced materials) stays in the file with a fake user.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import bpy
from pydantic import JsonValue, ValidationError

from ..model.edit import (
    Block,
    CreationEdit,
    Edit,
    MembershipEdit,
    State,
    StateEdit,
    ValueEdit,
    in_new_names,
    is_same,
    key_of,
)
from ..model.errors import ScenewrightError
from ..model.history import History, Turn
from .animation import is_animated
from .blocks import reference, resolve
from .edits import GoneError, block_of, read_value, state_of
from .journal import Journal
from .marks import BLOCK_UID, ENTITY, HISTORY, JOINT, REAL_NAME, is_note

_PLAIN = 100_000
"""Characters from which a history is kept compressed: Blender 4.5 saves files uncompressed by default."""
_PACKED = "zlib:"
_LARGEST = 2**26
"""Bytes to which a history may unfold: a file from anywhere may hold little that unfolds to more than there is room."""
_STEM = 50
_OF_AN_OBJECT = ("data", "parent", "location", "rotation_euler", "rotation_quaternion", "scale")
_OF_A_CHILD = ("matrix_parent_inverse",)
_WRITTEN = re.compile(
    r"(location|rotation_(euler|quaternion|axis_angle)|scale|delta_\w+)(\[\d\])?|name|data|hide_(viewport|render)"
    r"|parent|parent_type|parent_bone|matrix_parent_inverse|material_slots\[\d+\]\.(link|material)|materials"
    r"|collection\.children"
    rf"|\[\"({ENTITY}|{JOINT})\"\]"
)
"""What turns write. A file from anywhere may say that others were written: those are not put back."""
_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""By the version of the layout that they start from: what makes the next one of it."""


@dataclass(slots=True)
class Passage:
    """What going from one state to another came to.

    Attributes:
        objects: full names of the objects that changed.
        gone: what could not be put back, since it is not in the file any more.
    """

    objects: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


# --- in the file ----------------------------------------------------------------------------------------------


def read_history(scene: bpy.types.Scene) -> History | None:
    """The scene's history; None if it has none.

    Raises:
        ScenewrightError: ``unsupported`` if a newer version wrote it, ``bad_input`` if it is damaged.
    """
    stored = scene.get(HISTORY)
    if stored is None:
        return None
    try:
        if stored.startswith(_PACKED):
            stored = zlib.decompressobj().decompress(base64.b64decode(stored[len(_PACKED) :]), _LARGEST).decode("utf-8")
        fields = json.loads(stored)
        newest = History().version
        if fields["version"] > newest:
            raise ScenewrightError(
                "unsupported",
                "A newer Scenewright keeps its history in this file, and this one would lose it.",
                "Update Scenewright.",
            )
        while fields["version"] < newest:
            fields = _MIGRATIONS[fields["version"]](fields)
        history = History.model_validate(fields)
        if foreign := _foreign(history):
            raise ValueError(foreign)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError, zlib.error, ValidationError) as error:
        raise ScenewrightError(
            "bad_input",
            f"The history in this file is damaged ({type(error).__name__}).",
            "Start it anew with `scenewright history FILE purge`.",
        ) from error
    return history if _is_of(history, scene) else None


def _is_of(history: History, scene: bpy.types.Scene) -> bool:
    """Whether a history is the scene's own, and not one that a copy of another scene brought along."""
    own = history.scene
    if own is None or own.uid is None:
        return True
    namesakes = [s for s in bpy.data.scenes if s.get(BLOCK_UID) == own.uid]
    return scene in namesakes and (len(namesakes) == 1 or scene.name == own.name)


def write_history(journal: Journal, scene: bpy.types.Scene, history: History) -> None:
    """Keep a history in its scene, and in the file all that it needs."""
    if foreign := _foreign(history):
        raise ValueError(f"{foreign} would not be put back")
    _keep(journal, history)
    history.scene = journal.identified(scene)
    text = json.dumps(
        {**json.loads(history.model_dump_json(exclude_defaults=True)), "version": history.version},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    if len(text) > _PLAIN:
        text = _PACKED + base64.b64encode(zlib.compress(text.encode("utf-8"))).decode()
    journal.assign(scene, f'["{HISTORY}"]', text)


def _foreign(history: History) -> set[str]:
    """Paths of properties that turns do not write."""
    paths = {e.path for t in history.turns for e in t.states if isinstance(e, ValueEdit)}
    return {path for path in paths if not _WRITTEN.fullmatch(path)}


def kept_blocks(history: History) -> list[bpy.types.ID]:
    """Datablocks that only the history keeps in the file."""
    return [block for ref in history.kept if (block := resolve(ref)) is not None]


def purge(scene: bpy.types.Scene, last: int) -> int:
    """Forget all turns; the scene stays as it is. Returns how many datablocks are gone with them.

    Args:
        scene: whose history.
        last: the number that the state has from now on.
    """
    try:
        history = read_history(scene) or History()
    except ScenewrightError:
        history = History()
    for block in kept_blocks(history):
        if block.users <= 1:
            block.use_fake_user = False
    made = [edit.block for turn in history.turns for edit in turn.edits if isinstance(edit, CreationEdit)]
    refs, gone = [*history.kept, *made], 0
    while unused := {block for ref in refs if (block := resolve(ref)) is not None and block.users == 0}:
        bpy.data.batch_remove(unused)  # what only these used is unused by now
        gone += len(unused)
    write_history(Journal(), scene, History(root=last, current=last))
    return gone


def _keep(journal: Journal, history: History) -> None:
    """Give what no one uses any more a fake user, and take it from what is used again."""
    kept = []
    seen = set()
    for ref in [*history.kept, *(ref for turn in history.turns for edit in turn.edits for ref in _blocks_of(edit))]:
        block = resolve(ref)
        if block is None or block.library is not None or block.session_uid in seen:
            continue
        seen.add(block.session_uid)
        ours = ref in history.kept
        if block.users - block.use_fake_user > 0:
            if ours:
                journal.assign(block, "use_fake_user", False)
        elif ours or not block.use_fake_user:
            journal.assign(block, "use_fake_user", True)
            kept.append(ref)
    history.kept = kept


def _blocks_of(edit: Edit) -> Iterator[Block]:
    yield edit.block
    if isinstance(edit, ValueEdit):
        yield from _blocks_in(edit.old)
        yield from _blocks_in(edit.new)
    elif isinstance(edit, MembershipEdit):
        yield from (ref for state in (edit.old, edit.new) for ref, _ in state.places)


def _blocks_in(value: Any) -> Iterator[Block]:
    if isinstance(value, list):
        for item in value:
            yield from _blocks_in(item)
    elif isinstance(value, dict) and set(value) == {"block"}:
        yield Block.model_validate(value["block"])


# --- between states -------------------------------------------------------------------------------------------


def add_turn(journal: Journal, scene: bpy.types.Scene, history: History, turn: Turn) -> None:
    """Make a turn the newest of a history and the current one, and keep it in the file."""
    history.turns.append(turn)
    history.current = turn.number
    write_history(journal, scene, history)


def lasting_edits(edits: Iterable[Edit]) -> list[Edit]:
    """What of some edits is worth remembering: all but our own notes, and what left things as they were."""
    return [e for e in edits if not isinstance(e, ValueEdit) or not (is_note(e.path) or _is_idle(e))]


def left_with(edits: Iterable[Edit]) -> dict[Block, dict[str, JsonValue]]:
    """Where each object that some edits wrote to is now, and what belongs to it, so that it is noticed when somebody
    changes that.
    """
    found: dict[Block, dict[str, JsonValue]] = {}
    for edit in edits:
        obj = resolve(edit.block)
        if isinstance(obj, bpy.types.Object) and obj.library is None and edit.block not in found:
            links = [f"material_slots[{k}].link" for k in range(len(obj.material_slots))]
            own = [f"material_slots[{s.slot_index}].material" for s in obj.material_slots if s.link == "OBJECT"]
            placing = [*_OF_A_CHILD] if obj.parent is not None else []
            found[edit.block] = {path: read_value(obj, path) for path in (*_OF_AN_OBJECT, *placing, *links, *own)}
    return found


def _is_idle(edit: ValueEdit) -> bool:
    return json.dumps(edit.old) == json.dumps(edit.new)  # 0.0 is another value than -0.0


def changed_by_hand(history: History) -> list[Edit]:
    """How what the current turn's line wrote differs now from what it wrote; what is gone by now is left out."""
    expected: dict[tuple[object, ...], StateEdit] = {}
    for turn in history.line(history.current):
        for edit in turn.states:
            if isinstance(edit, ValueEdit) and edit.path == "name":
                expected = {key_of(e): e for e in (in_new_names(e, edit) for e in expected.values())}
            expected[key_of(edit)] = edit
    found: list[Edit] = []
    for edit in expected.values():
        with suppress(GoneError):
            if not is_same(edit.new, now := state_of(edit)) and not _changes_over_time(edit):
                found.append(edit.model_copy(update={"old": edit.new, "new": now}))
    return found


def _changes_over_time(edit: StateEdit) -> bool:
    """Whether an edit is about a property that animation or a driver writes."""
    return isinstance(edit, ValueEdit) and is_animated(block_of(edit), re.sub(r"\[\d\]$", "", edit.path))


def go_to(journal: Journal, history: History, number: int, only: Container[bpy.types.Object] | None = None) -> Passage:
    """Bring the scene into the state of a turn, or some objects of it.

    Args:
        journal: records what is written.
        history: whose current turn the scene is in.
        number: of the turn, or of the root.
        only: the objects; what is theirs (their animation, their mesh) comes along. None: everything.
    """
    passage = Passage()
    net: dict[tuple[object, ...], tuple[Edit, State]] = {}
    for edit, _, state in history.steps(history.current, number):
        try:
            if only is None or any(obj in only for obj in objects_of(edit)):
                net.setdefault(key_of(edit), (edit, state_of(edit)))
                if isinstance(edit, ValueEdit) and edit.path == "name":
                    _free_name(journal, block_of(edit), str(state))
                journal.put(edit, state)
        except GoneError as gone:
            passage.gone.append(str(gone))
    _give_names_back(journal)
    bpy.context.view_layer.update()
    for changed, old in net.values():
        with suppress(GoneError):
            if not is_same(old, state_of(changed)):
                passage.objects += [obj.name_full for obj in objects_of(changed)]
    return passage


def _free_name(journal: Journal, block: bpy.types.ID, name: str) -> None:
    """Take a name from what is only kept for the history, so that something that is brought back can have it."""
    kind = reference(block).kind
    holder = resolve(Block(kind=kind, name=name))
    if holder is None or holder == block:
        return
    if holder.users > holder.use_fake_user:
        raise GoneError(f"the name {name}")
    journal.assign(holder, f'["{REAL_NAME}"]', name)
    journal.assign(holder, "name", f"{name[:_STEM]} (kept)")


def _give_names_back(journal: Journal) -> None:
    """What had lent its name, and is used again, gets it back."""
    for block in [o for o in bpy.data.objects if o.get(REAL_NAME) and o.users_collection]:
        name = block[REAL_NAME]
        with suppress(GoneError):
            _free_name(journal, block, name)
            journal.assign(block, "name", name)
            journal.assign(block, f'["{REAL_NAME}"]', {})


def objects_of(edit: Edit) -> list[bpy.types.Object]:
    """The objects that an edit is about: itself, or those that use the mesh, the action or the like that it is about.

    Raises:
        GoneError: there is no such datablock.
    """
    block = block_of(edit)
    if isinstance(block, bpy.types.Object):
        return [block]
    return [o for o in bpy.data.objects if block == o.data or (o.animation_data and o.animation_data.action == block)]
