"""What was written into a file, as plain data: old and new values that can be put back after any reload.

Old values, not inverse operations: in float32 ``x + d - d`` differs from ``x`` in a third of all cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Block(_Plain):
    """Which datablock is meant.

    Attributes:
        kind: the collection of ``bpy.data`` that holds it; ``scenes`` where a collection is meant: the scene's own.
        name: what it was called.
        library: path of the library that it is linked from.
        uid: an id of its own, which outlives renaming; None where none can be carried (linked data, overrides).
    """

    kind: str
    name: str
    library: str | None = None
    uid: str | None = None


class Shown(_Plain):
    """How one view layer shows an object."""

    scene: str
    layer: str
    selected: bool
    hidden: bool
    active: bool


class Membership(_Plain):
    """Which collections hold an object, each with its index there, and how the view layers show it."""

    places: tuple[tuple[Block, int], ...] = ()
    shown: tuple[Shown, ...] = ()


class ValueEdit(_Plain):
    """A property got another value.

    Attributes:
        block: whose property.
        path: from the datablock on, as in RNA: ``location``, ``material_slots[0].link``, ``["my_property"]``.
        old, new: as they are in the file. Datablocks are ``{"block": …}``; ``{}`` is a custom property that is absent.
    """

    do: Literal["value"]
    block: Block
    path: str
    old: JsonValue
    new: JsonValue


class KeysEdit(_Plain):
    """The keys of an F-curve were changed.

    Attributes:
        block: the action.
        slot: handle of the action's slot, or 0 where there are none.
        path, index: what the curve animates.
        old, new: float32 values of each field of all keys, base64.
    """

    do: Literal["keys"]
    block: Block
    slot: int
    path: str
    index: int
    old: dict[str, str]
    new: dict[str, str]


class MembershipEdit(_Plain):
    """An object was put into collections, or taken out of some."""

    do: Literal["membership"]
    block: Block
    old: Membership
    new: Membership


class CreationEdit(_Plain):
    """A datablock was made. Taken back at once it is deleted; in the history it stays in the file, unused."""

    do: Literal["creation"]
    block: Block


StateEdit: TypeAlias = ValueEdit | KeysEdit | MembershipEdit
"""What has an old and a new state."""

Edit: TypeAlias = Annotated[ValueEdit | KeysEdit | MembershipEdit | CreationEdit, Field(discriminator="do")]

State: TypeAlias = JsonValue | Mapping[str, str] | Membership | None
"""What an edit has an old and a new one of."""


def key_of(edit: Edit) -> tuple[object, ...]:
    """What an edit changes: edits of the same key follow one another."""
    block = (edit.block.kind, edit.block.uid or (edit.block.name, edit.block.library))
    if isinstance(edit, ValueEdit):
        return (*block, edit.path)
    if isinstance(edit, KeysEdit):
        return (*block, edit.slot, edit.path, edit.index)
    return (*block, edit.do)


def is_same(one: State, other: State) -> bool:
    """Whether two states are the same but for the order of things in collections, and for what is selected."""
    if isinstance(one, Membership) and isinstance(other, Membership):
        hidden, hidden_there = ({(s.scene, s.layer) for s in m.shown if s.hidden} for m in (one, other))
        return hidden == hidden_there and _hold_the_same(one, other) and _hold_the_same(other, one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    blocks = [referred(state) for state in (one, other)]
    if blocks[0] is not None and blocks[1] is not None:
        return _is_same_block(blocks[0], blocks[1])
    return one == other


def in_new_names(edit: StateEdit, renaming: ValueEdit) -> StateEdit:
    """An edit with a datablock called what another edit has called it since: not all carry an id."""
    old, new = (renaming.block.model_copy(update={"name": name}) for name in (renaming.old, renaming.new))

    def now(ref: Block) -> Block:
        return new if _is_same_block(ref, old) else ref

    states = {"old": _with_blocks(edit.old, now), "new": _with_blocks(edit.new, now)}
    return edit.model_copy(update={"block": now(edit.block), **states})


def _with_blocks(state: State, now: Callable[[Block], Block]) -> State:
    """A state in which each datablock that it refers to is another reference."""
    if isinstance(state, Membership):
        return state.model_copy(update={"places": tuple((now(ref), index) for ref, index in state.places)})
    if isinstance(state, list):
        return [_with_blocks(item, now) for item in state]  # type: ignore[misc]
    block = referred(state)
    if block is None:
        return state
    renamed: dict[str, JsonValue] = {"block": now(block).model_dump()}
    return renamed


def referred(state: object) -> Block | None:
    """The datablock that is a property's value; None if that is something else."""
    return Block.model_validate(state["block"]) if isinstance(state, dict) and set(state) == {"block"} else None


def _hold_the_same(one: Membership, other: Membership) -> bool:
    return all(any(_is_same_block(ref, known) for known, _ in other.places) for ref, _ in one.places)


def _is_same_block(one: Block, other: Block) -> bool:
    """By their ids, unless one was told of before it had any."""
    if one.kind == other.kind and one.uid is not None and other.uid is not None:
        return one.uid == other.uid
    return (one.kind, one.name, one.library) == (other.kind, other.name, other.library)
