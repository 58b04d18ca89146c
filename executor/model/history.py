"""The versions of a scene: a tree of turns, each with what was asked, what came of it and what was written for it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from .edit import Block, CreationEdit, Edit, State, StateEdit, ValueEdit, is_same, key_of
from .result import Change, ChangeKind, Requirement

_MOST = 2**31

TurnKind: TypeAlias = Literal["request", "restore", "revert", "by_hand"]


class Written(BaseModel):
    """An object that a turn wrote to.

    Attributes:
        thing: id of the thing that it is part of, or None.
        block: the object.
        values: where it is and what belongs to it after the turn, by RNA path.
        digest: fingerprint of what it is made from after the turn.
    """

    model_config = ConfigDict(extra="forbid")

    thing: str | None
    block: Block
    values: dict[str, JsonValue] = Field(default_factory=dict)
    digest: str = ""


class Turn(BaseModel):
    """One version of the scene, and how it came about.

    Attributes:
        number: rises from turn to turn.
        parent: the turn whose state it started from.
        kind: a request, a return to another turn (`of`), the taking back of single things, or what somebody changed
            between two of our turns.
        of: the turn that was returned to, or whose things were taken back.
        request: as it was said.
        status: of the request's result.
        requirements: what had to be true, with what came of it.
        changes: what became of things.
        edits: what was written, in order.
        written: the objects that were written to.
        blender: version that it was made with: another one fingerprints otherwise.
    """

    model_config = ConfigDict(extra="forbid")

    number: int = Field(ge=1, lt=_MOST)
    parent: int = Field(ge=0)
    kind: TurnKind
    of: int | None = None
    request: str = ""
    status: str = ""
    requirements: list[Requirement] = Field(default_factory=list)
    changes: list[Change] = Field(default_factory=list)
    edits: list[Edit] = Field(default_factory=list)
    written: list[Written] = Field(default_factory=list)
    blender: str = ""

    @property
    def states(self) -> list[StateEdit]:
        """The edits that have an old and a new state, and after them what each written object was left with."""
        left = [
            ValueEdit(do="value", block=w.block, path=path, old=value, new=value)
            for w in self.written
            for path, value in w.values.items()
        ]
        return [*(e for e in self.edits if not isinstance(e, CreationEdit)), *left]

    @property
    def bytes(self) -> int:
        """What it takes in the file, uncompressed."""
        return len(self.model_dump_json(exclude_defaults=True).encode("utf-8"))


class History(BaseModel):
    """All turns of a scene that can be gone back to.

    Attributes:
        version: of this layout.
        scene: whose history it is; a copy of the scene has none of its own.
        root: number of the state before the first of the turns: 0, or the last turn that was purged.
        current: the turn whose state the scene is in.
        turns: in the order of their numbers.
        kept: what the scene does not use any more, and which stays in the file so that a turn can be gone back to.
    """

    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    scene: Block | None = None
    root: int = Field(default=0, ge=0)
    current: int = Field(default=0, ge=0)
    turns: list[Turn] = Field(default_factory=list)
    kept: list[Block] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_a_tree(self) -> History:
        """Numbers rise, and each turn starts from an earlier one."""
        known = {self.root}
        for turn in self.turns:
            if turn.number <= max(known) or turn.parent not in known:
                raise ValueError(f"turn {turn.number} does not follow from {turn.parent}")
            known.add(turn.number)
        if self.current not in known:
            raise ValueError(f"there is no turn {self.current}")
        return self

    @property
    def last(self) -> int:
        """The highest number given so far."""
        return max([self.root, *(turn.number for turn in self.turns)])

    def turn(self, number: int) -> Turn | None:
        """The turn of a number; None for the root and where there is none."""
        return next((turn for turn in self.turns if turn.number == number), None)

    def knows(self, number: int) -> bool:
        """Whether there is a state of this number."""
        return number == self.root or self.turn(number) is not None

    def line(self, number: int) -> list[Turn]:
        """The turns from the root to a state, in order."""
        found: list[Turn] = []
        while (turn := self.turn(number)) is not None:
            found.append(turn)
            number = turn.parent
        return found[::-1]

    def steps(self, start: int, end: int) -> list[tuple[StateEdit, State, State]]:
        """What leads from one state to another: each with the state that it finds and the one that it leaves."""
        back, forth = self._path(start, end)
        steps: list[tuple[StateEdit, State, State]] = []
        for turn in back:
            steps += [(e, e.new, e.old) for e in reversed(turn.states)]
        for turn in forth:
            steps += [(e, e.old, e.new) for e in turn.states]
        return steps

    def difference(self, start: int, end: int) -> list[StateEdit]:
        """The net changes between two states, one per property."""
        net: dict[tuple[object, ...], tuple[StateEdit, State, State]] = {}
        for edit, old, new in self.steps(start, end):
            key = key_of(edit)
            net[key] = (edit, net[key][1] if key in net else old, new)
        return [e.model_copy(update={"old": a, "new": b}) for e, a, b in net.values() if not is_same(a, b)]

    def _path(self, start: int, end: int) -> tuple[list[Turn], list[Turn]]:
        """What has to be taken back, newest first, and then done again, oldest first, to get from one to another."""
        back, forth = self.line(start), self.line(end)
        shared = sum(1 for a, b in zip(back, forth, strict=False) if a.number == b.number)
        return back[shared:][::-1], forth[shared:]


class ChangeNote(BaseModel):
    """What became of one thing, in short."""

    id: str
    name: str
    kind: ChangeKind


class Version(BaseModel):
    """One version as `history list` tells it.

    Attributes:
        turn, parent, kind, of, request, status: as in `Turn`; the first version, of kind ``source``, has no parent.
        changes: what became of things.
        bytes: what its notes take in the file, uncompressed.
        kept: datablocks that stay in the file only so that it can be gone back to, or left again.
        current: the scene is in this state.
    """

    turn: int
    parent: int | None
    kind: TurnKind | Literal["source"]
    of: int | None
    request: str
    status: str
    changes: list[ChangeNote]
    bytes: int
    kept: list[str]
    current: bool


class Difference(BaseModel):
    """One property that differs between two versions, as `history diff` tells it.

    Attributes:
        id: the thing, if it is known.
        object: name of the datablock.
        what: the property.
        before, after: its values; datablocks by name.
    """

    id: str | None
    object: str
    what: str
    before: JsonValue
    after: JsonValue
