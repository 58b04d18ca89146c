"""Parts of things in words: “the top drawer”, “both doors of the wardrobe”, “the left cabinet door”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..executor.reading.names import singular
from .phrasebook import phrasebook
from .references import NounPhrase, read_noun_phrase
from .tokens import Token


@dataclass(frozen=True, slots=True)
class PartPhrase:
    """What a request calls a part.

    Attributes:
        text: as written.
        kind: ``drawer``, ``door``, ``lid`` or ``flap``; None means whatever of the thing opens.
        place: ``top``, ``left``, …, or None.
        number: which of them, counted from 1, or None.
        plural: all that match are meant.
        count: how many it says there are, or None.
        whole: the thing that it is part of, or None if that is not said.
    """

    text: str
    kind: str | None = None
    place: str | None = None
    number: int | None = None
    plural: bool = False
    count: int | None = None
    whole: NounPhrase | None = None


def read_part_phrase(tokens: Sequence[Token], at: int, stops: Sequence[int]) -> tuple[PartPhrase, int] | None:
    """A part, or a thing that has parts, that starts at an index, and the index behind it.

    Args:
        tokens: the clause.
        at: where it would start.
        stops: indices, rising, at which something else begins.
    """
    book = phrasebook()
    end = next((s for s in stops if s > at), len(tokens))
    if (determiner := book["determiners"].match(tokens, at)) is None:
        start, plural = at, False
    else:
        start = determiner[1]
        plural = book["plural_determiners"].match(tokens, at) is not None
    nouns = next((i for i in range(start, end) if book["part_kinds"].match(tokens, i)), None)
    if nouns is None:
        found = read_noun_phrase(tokens, at, stops)
        return (PartPhrase(found[0].text, whole=found[0]), found[1]) if found else None
    kind = book["part_kinds"].match(tokens, nouns)
    assert kind is not None
    place, number, rest = _before(tokens, start, nouns)
    behind, whole = kind[1], None
    if rest:
        whole = NounPhrase(" ".join(t.text for t in rest), tuple(t.key for t in rest))
    elif of := book["part_of"].match(tokens, behind):
        found = read_noun_phrase(tokens, of[1], [s for s in stops if s >= of[1]])
        if found is None:
            return None
        whole, behind = found
    return (
        PartPhrase(
            text=" ".join(t.text for t in tokens[start:behind]),
            kind=kind[0],
            place=place,
            number=number,
            plural=plural or tokens[nouns].key != singular(tokens[nouns].key),
            count=2 if determiner is not None and tokens[at].key == "both" else None,
            whole=whole,
        ),
        behind,
    )


def _before(tokens: Sequence[Token], start: int, end: int) -> tuple[str | None, int | None, list[Token]]:
    """Place and number among the words before a part's name, and the words that are neither."""
    book = phrasebook()
    place: str | None = None
    number: int | None = None
    rest: list[Token] = []
    at = start
    while at < end:
        if found := book["part_places"].match(tokens, at):
            place, at = found
        elif found := book["ordinals"].match(tokens, at):
            number, at = int(found[0]), found[1]
        else:
            rest.append(tokens[at])
            at += 1
    return place, number, rest
