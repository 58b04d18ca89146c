"""A clause cut into typed pieces: verb, things, amounts, directions, what something should become."""

from __future__ import annotations

from collections.abc import Sequence

from ..executor.model.errors import ScenewrightError
from .phrasebook import phrasebook
from .pieces import Pieces
from .quantities import read_angle, read_factor, read_length, read_number, read_stretch
from .references import NounPhrase, read_noun_phrase
from .tokens import Token, quote, shortened
from .verb_pieces import ENDS, OWN, take_related

EXAMPLES = "Try “move the chair 30 cm left”, “put the lamp on the desk” or “paint the door red”."


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
    own = OWN.get(pieces.verb)
    if own is not None and (behind := own(pieces, request, clause, at, stops)) is not None:
        return behind
    relation = book["relations"].match(clause, at)
    if relation and (pieces.nouns or pieces.source) and pieces.relation is None:
        return take_related(pieces, relation[0], clause, relation[1], stops)
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
                for name in (*ENDS.get(verb, ()), "relations", "by", "to", "joiners", "fillers")
            )
            or _small_piece(probe, clause, at) is not None
        ):
            stops.append(at)
    return stops
