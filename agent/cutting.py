"""A clause cut into typed pieces: verb, things, amounts, directions, what something should become."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..executor.model.errors import ScenewrightError
from .part_phrases import PartPhrase, read_part_phrase
from .phrasebook import phrasebook
from .quantities import read_angle, read_factor, read_length, read_number, read_stretch
from .references import NounPhrase, read_noun_phrase
from .tokens import Token, quote, shortened

EXAMPLES = "Try “move the chair 30 cm left”, “put the lamp on the desk” or “paint the door red”."


@dataclass(slots=True)
class Pieces:
    """A clause cut up.

    Attributes:
        verb: what is to be done.
        nouns: the things that it is about.
        relation, related: where to, or whose: ``on`` the desk, ``toward`` the bed, ``to`` the table.
        length, angle, factor: amounts: metres, degrees, a ratio.
        dimension: the only one that the ratio is of: ``tall``, ``wide``, ….
        direction, turn, color, posture: words of those tables.
        source: what is to be brought in.
        copied: the source is a copy of what is there.
        part: a drawer, door or the like.
        name, collection, material: as they are written.
        doubled: a kind of piece that was given twice.
    """

    verb: str
    nouns: list[NounPhrase] = field(default_factory=list)
    relation: str | None = None
    related: NounPhrase | None = None
    length: float | None = None
    angle: float | None = None
    factor: float | None = None
    dimension: str | None = None
    direction: str | None = None
    turn: str | None = None
    color: str | None = None
    posture: str | None = None
    source: NounPhrase | None = None
    part: PartPhrase | None = None
    name: str | None = None
    collection: str | None = None
    material: str | None = None
    copied: bool = False
    doubled: str | None = None

    def put(self, name: str, value: object) -> None:
        """Fill in a piece; a second one of its kind is noted, as it cannot be meant as well."""
        if getattr(self, name) is not None:
            self.doubled = name
        setattr(self, name, value)


SOLE = ("relation", "length", "angle", "factor", "dimension", "direction", "turn", "color", "posture", "source",
        "part", "name", "collection", "material")  # fmt: skip
"""Pieces of which a clause has one at most, and that a frame must have a use for."""

_ENDS: Mapping[str, Sequence[str]] = {
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


def verb_at(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """The verb that starts at an index, polite words before it aside, and the index behind it."""
    book = phrasebook()
    while filler := book["fillers"].match(tokens, at):
        at = filler[1]
    return book["verbs"].match(tokens, at)


def cut(request: str, clause: list[Token]) -> Pieces:
    """The pieces of a clause.

    Raises:
        ScenewrightError: ``not_understood`` with the words that are no piece, or a piece that is given twice.
    """
    verb = verb_at(clause, 0)
    if verb is None:
        raise ScenewrightError(
            "not_understood",
            f"No verb that is known begins “{shortened(quote(request, clause))}”.",
            EXAMPLES,
        )
    pieces = Pieces(verb[0])
    at = verb[1]
    stops = _stops(pieces.verb, clause)
    unknown: list[Token] = []
    while at < len(clause):
        behind = _take(pieces, request, clause, at, stops)
        if behind is None:
            unknown.append(clause[at])
            behind = at + 1
        at = behind
    said = shortened(quote(request, clause))
    if unknown:
        words = shortened(" ".join(t.text for t in unknown))
        raise ScenewrightError("not_understood", f"“{words}” is not understood in “{said}”.", EXAMPLES)
    if pieces.doubled:
        raise ScenewrightError(
            "not_understood", f"“{said}” gives more than one {pieces.doubled}.", "Ask in two sentences."
        )
    return pieces


def _take(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    """Take the piece that starts at an index; returns the index behind it, or None if nothing known starts there.

    Args:
        pieces: what was taken so far.
        request: the whole text.
        clause: all tokens.
        at: where to look.
        stops: indices at which a noun that began earlier ends.
    """
    book = phrasebook()
    small = _small_piece(pieces, clause, at)
    if small is not None:
        return small
    own = _OWN.get(pieces.verb)
    if own is not None and (behind := own(pieces, request, clause, at, stops)) is not None:
        return behind
    relation = book["relations"].match(clause, at)
    if relation and (pieces.nouns or pieces.source) and pieces.relation is None:
        return _related(pieces, relation[0], clause, relation[1], stops)
    if filler := book["fillers"].match(clause, at):
        return filler[1]
    if by := book["by"].match(clause, at):
        return by[1] if _measure_at(pieces.verb, clause, by[1]) else None
    if (to := book["to"].match(clause, at)) and pieces.verb in ("scale", "make"):
        return _percentage_of_size(pieces, clause, to[1]) or (
            to[1] if _measure_at(pieces.verb, clause, to[1]) else None
        )
    if clause[at].key == ",":
        return at + 1
    if joiner := book["joiners"].match(clause, at):
        return joiner[1] if joiner[1] < len(clause) else None
    joined = at > 0 and (clause[at - 1].key in (",", "and"))
    phrase = read_noun_phrase(clause, at, stops)
    if phrase is None or (pieces.nouns and not joined):
        return None
    pieces.nouns.append(phrase[0])
    return phrase[1]


def _related(pieces: Pieces, relation: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    found = read_noun_phrase(clause, at, stops)
    if found is None:
        return None
    pieces.put("relation", relation)
    pieces.related = found[0]
    return found[1]


# --- what single verbs have a use for -----------------------------------------------------------------------


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
        return _related(pieces, aim[0], clause, aim[1], stops)
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
    return _related(pieces, "to", clause, to[1], stops) if to else None


def _of_detach(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    off = phrasebook()["off"].match(clause, at) if pieces.nouns else None
    return _related(pieces, "from", clause, off[1], stops) if off else None


def _of_opening(pieces: Pieces, request: str, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    found = read_part_phrase(clause, at, stops)
    if found is None:
        return None
    pieces.put("part", found[0])
    return found[1]


_OWN: Mapping[str, Callable[[Pieces, str, list[Token], int, Sequence[int]], int | None]] = {
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


# --- amounts and words of closed tables ---------------------------------------------------------------------


def _measure_at(verb: str, clause: list[Token], at: int) -> bool:
    """Whether an amount that a verb has a use for starts at an index."""
    probe = Pieces(verb)
    _small_piece(probe, clause, at)
    return any(amount is not None for amount in (probe.length, probe.angle, probe.factor))


def _percentage_of_size(pieces: Pieces, clause: list[Token], at: int) -> int | None:
    """``(to) 80 %``: a share of what the size is now."""
    number = read_number(clause, at)
    if number is None or number[1] >= len(clause) or clause[number[1]].key not in ("%", "percent"):
        return None
    pieces.put("factor", number[0] / 100)
    return number[1] + 1


def _small_piece(pieces: Pieces, clause: list[Token], at: int) -> int | None:
    """Take a quantity, direction or colour, if one starts here that the verb has a use for."""
    book = phrasebook()
    verb = pieces.verb
    if verb in ("scale", "make") and (stretch := read_stretch(clause, at)):
        pieces.put("factor", stretch[0])
        pieces.put("dimension", stretch[1])
        return stretch[2]
    if verb in ("scale", "make") and (factor := read_factor(clause, at)):
        pieces.put("factor", factor[0])
        return factor[1]
    if verb == "scale" and (number := read_number(clause, at)) and clause[at].kind == "number":
        if number[1] < len(clause) and clause[number[1]].key in ("%", "percent"):
            raise ScenewrightError(
                "not_understood",
                f"{number[0]:g} % may be how much it changes, or what becomes of it.",
                f"Say “{number[0]:g} % larger”, “{number[0]:g} % smaller” or “to {number[0]:g} %”.",
            )
        pieces.put("factor", number[0])
        return number[1]
    if length := read_length(clause, at):
        pieces.put("length", length[0])
        return length[1]
    if verb in ("rotate", "open", "close") and (angle := read_angle(clause, at)):
        pieces.put("angle", angle[0])
        return angle[1]
    if verb == "rotate" and (turn := book["turns"].match(clause, at)):
        pieces.put("turn", turn[0])
        return turn[1]
    if verb == "move" and (direction := book["directions"].match(clause, at)):
        pieces.put("direction", direction[0])
        return direction[1]
    if verb in ("place", "rotate", "tip") and (posture := book["postures"].match(clause, at)):
        pieces.put("posture", posture[0])
        return posture[1]
    if verb in ("color", "make") and pieces.nouns and (color := book["colors"].match(clause, at)):
        pieces.put("color", color[0])
        return color[1]
    return None


def _stops(verb: str, clause: list[Token]) -> list[int]:
    """Indices at which something begins that ends a noun before it, rising."""
    book = phrasebook()
    stops = []
    for at, token in enumerate(clause):
        probe = Pieces(verb, nouns=[NounPhrase("", ())])
        if (
            token.kind in ("stop", "number")
            or any(
                book[name].match(clause, at)
                for name in (*_ENDS.get(verb, ()), "relations", "by", "to", "joiners", "fillers")
            )
            or _small_piece(probe, clause, at) is not None
        ):
            stops.append(at)
    return stops
