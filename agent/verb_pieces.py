"""Pieces that only single verbs have a use for: what to add, what to call it, what to attach it to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .part_phrases import read_part_phrase
from .phrasebook import phrasebook
from .pieces import Pieces
from .references import read_noun_phrase
from .tokens import Token, quote

ENDS: Mapping[str, Sequence[str]] = {
    "move": ("aims", "into_collection"),
    "place": ("into_collection",),
    "tip": ("over",),
    "replace": ("replaced_by",),
    "group": ("called",),
    "rename": ("called",),
    "make": ("made_of",),
    "give": ("the_material",),
    "add": ("into_scene", "into_collection"),
    "detach": ("off",),
}
"""By verb: phrases behind which something begins that is no part of a thing's name."""


def take_related(pieces: Pieces, relation: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    """Take a relation and the noun phrase behind it; returns the index behind that, or None if none starts there."""
    found = read_noun_phrase(clause, at, stops)
    if found is None:
        return None
    pieces.put("relation", relation)
    pieces.related = found[0]
    return found[1]


def _take_source(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    """``a chair``, ``a copy of the chair``, ``chair.glb`` behind “add” or “replace … with”."""
    copies = phrasebook()["copies"].match(clause, at)
    found = read_noun_phrase(clause, copies[1] if copies else at, stops)
    if found is None:
        return None
    pieces.put("source", found[0])
    pieces.copied = copies is not None
    return found[1]


def _of_add(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    if (behind := _of_collection(pieces, request, clause, at, stops)) is not None:
        return behind
    if pieces.source is None:
        return _take_source(pieces, request, clause, at, stops)
    scene = phrasebook()["into_scene"].match(clause, at)
    return scene[1] if scene else None


def _of_replace(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    by = phrasebook()["replaced_by"].match(clause, at) if pieces.nouns else None
    return _take_source(pieces, request, clause, by[1], stops) if by else None


def _of_move(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    aim = phrasebook()["aims"].match(clause, at)
    if aim and pieces.nouns:
        return take_related(pieces, aim[0], clause, aim[1], stops)
    return _of_collection(pieces, request, clause, at, stops)


def _of_collection(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    """``into the collection Props``, ``to the Props collection``."""
    book = phrasebook()
    into = book["into_collection"].match(clause, at)
    if into is None or not pieces.nouns:
        return None
    start, end = into[1], len(clause)
    if clause[start].key == "collection":
        start += 1
    elif clause[-1].key == "collection":
        end -= 1
    else:
        return None
    return _raw(pieces, "collection", request, clause[start:end]) and len(clause)


def _of_naming(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    called = phrasebook()["called"].match(clause, at) if pieces.nouns else None
    return called and _raw(pieces, "name", request, clause[called[1] :]) and len(clause)


def _of_tip(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    over = phrasebook()["over"].match(clause, at) if pieces.nouns else None
    return over[1] if over else None


def _of_material(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    book = phrasebook()
    of = (book["the_material"] if pieces.verb == "give" else book["made_of"]).match(clause, at)
    return of and _raw(pieces, "material", request, clause[of[1] :]) and len(clause) if pieces.nouns else None


def _of_material_set(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    to = phrasebook()["to"].match(clause, at) if pieces.nouns else None
    return to and _raw(pieces, "material", request, clause[to[1] :]) and len(clause)


def _of_attach(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    to = phrasebook()["to"].match(clause, at) if pieces.nouns else None
    return take_related(pieces, "to", clause, to[1], stops) if to else None


def _of_detach(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    off = phrasebook()["off"].match(clause, at) if pieces.nouns else None
    return take_related(pieces, "from", clause, off[1], stops) if off else None


def _of_opening(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    found = read_part_phrase(clause, at, stops) if pieces.part is None else None
    if found is None:
        return None
    pieces.put("part", found[0])
    return found[1]


OWN: Mapping[str, Callable[[Pieces, str, list[Token], int, Sequence[int]], int | None]] = {
    "add": _of_add,
    "replace": _of_replace,
    "move": _of_move,
    "place": _of_collection,
    "tip": _of_tip,
    "rename": _of_naming,
    "group": _of_naming,
    "make": _of_material,
    "give": _of_material,
    "set_material": _of_material_set,
    "attach": _of_attach,
    "detach": _of_detach,
    "open": _of_opening,
    "close": _of_opening,
}


def _raw(pieces: Pieces, name: str, request: str, tokens: list[Token]) -> bool:
    """Take some tokens as they are written, quotes aside."""
    if not tokens:
        return False
    pieces.put(name, tokens[0].text if len(tokens) == 1 else quote(request, tokens))
    return True
