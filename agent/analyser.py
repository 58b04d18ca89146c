"""The offline compiler: plain English to requirements, understood whole or refused whole.

A clause is cut into typed pieces (verb, quantity, direction, colour, relation, noun phrases); frames then ask for the
pieces they need, in any order. A word that belongs to no piece refuses the request, so nothing is silently dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from pydantic import JsonValue

from ..executor.geometry.frames import COMPASS, compass, direction_in_plan, viewer_forward
from ..executor.geometry.mesh import FloatArray
from ..executor.model.errors import ScenewrightError
from ..executor.model.graph import SceneGraph
from ..executor.model.predicate import Predicate, PredicateName
from ..executor.model.result import Requirement
from .consistency import refuse_contradictions
from .phrasebook import phrasebook
from .quantities import read_angle, read_factor, read_length, read_number
from .references import NounPhrase, Resolver, read_noun_phrase, with_names_joined
from .tokens import Token, quote, shortened, tokenise

_AXES = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
_STEP = 0.25
"""Metres that “move it left” means."""
_LONGEST = 2000
"""Characters of a request from which it is refused unread."""
_EXAMPLES = "Try “move the chair 30 cm left”, “put the lamp on the desk” or “paint the door red”."


@dataclass(frozen=True)
class Setting:
    """What a request is read against.

    Attributes:
        graph: the scene.
        frame: ``viewer``, ``object`` or ``world``: what left and right refer to.
        viewer: ``(4, 4)`` world_from_camera of the view, or None.
        answers: answers to questions of a former run, by question.
    """

    graph: SceneGraph
    frame: str = "viewer"
    viewer: FloatArray | None = None
    answers: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def resolver(self) -> Resolver:
        """Finds what noun phrases mean here."""
        return Resolver(self.graph, self.answers)


@dataclass(slots=True)
class _Pieces:
    """A clause cut up."""

    verb: str
    nouns: list[NounPhrase] = field(default_factory=list)
    relation: str | None = None
    related: NounPhrase | None = None
    length: float | None = None
    angle: float | None = None
    factor: float | None = None
    direction: str | None = None
    turn: str | None = None
    color: str | None = None
    doubled: str | None = None

    def put(self, name: str, value: float | str) -> None:
        """Fill in a piece; a second one of its kind is noted, as it cannot be meant as well."""
        if getattr(self, name) is not None:
            self.doubled = name
        setattr(self, name, value)


def compile_request(request: str, setting: Setting) -> list[Requirement]:
    """Requirements of a request, in the order of its clauses.

    Raises:
        ScenewrightError: ``not_understood`` with the words in question, or what resolving its references raises.
    """
    if len(request) > _LONGEST:
        raise ScenewrightError(
            "not_understood",
            f"The request has {len(request)} characters; {_LONGEST} are the most.",
            "Ask in parts.",
        )
    tokens = with_names_joined(tokenise(request), request, setting.graph)
    if not tokens:
        raise ScenewrightError("not_understood", "The request is empty.", _EXAMPLES)
    resolver = setting.resolver
    requirements: list[Requirement] = []
    spoken_of: list[str] = []
    for clause in _clauses(request, tokens):
        pieces = _cut(request, clause)
        subjects = [i for n in pieces.nouns for i in _meant(n, spoken_of, resolver)]
        if not subjects:
            raise _missing(request, clause, "what it is about")
        related = _meant(pieces.related, spoken_of, resolver) if pieces.related is not None else []
        predicate = _predicate(pieces, list(dict.fromkeys(subjects)), related, setting, request, clause)
        number = len(requirements) + 1
        requirements.append(
            Requirement(
                id=f"r{number}",
                type="edit",
                text=quote(request, clause),
                priority=number,
                predicate=predicate,
                matched_ids=[*predicate.subject, *predicate.object],
            )
        )
        spoken_of = predicate.subject
    refuse_contradictions([r.predicate for r in requirements if r.predicate is not None], setting.graph)
    return requirements


def _meant(phrase: NounPhrase, spoken_of: list[str], resolver: Resolver) -> list[str]:
    """Ids of what a phrase means; a pronoun means what the clause before was about."""
    if not phrase.pronoun:
        return resolver.resolve(phrase)
    if not spoken_of:
        raise ScenewrightError(
            "not_understood", f"Nothing was named before that “{phrase.text}” could mean.", "Name it."
        )
    return spoken_of


def _clauses(request: str, tokens: list[Token]) -> list[list[Token]]:
    """Clauses end at a full stop or the like, and at a comma or “and” before a verb."""
    book = phrasebook()
    clauses: list[list[Token]] = [[]]
    at = 0
    while at < len(tokens):
        joiner = book["joiners"].match(tokens, at)
        stop = tokens[at].kind == "stop"
        behind = joiner[1] if joiner else at + 1
        if stop and joiner is None and (next_joiner := book["joiners"].match(tokens, behind)):
            behind = next_joiner[1]
        full = stop and tokens[at].key != ","
        if (full or stop or joiner) and (full or _verb_at(tokens, behind) is not None):
            clauses.append([])
            at = behind
            continue
        clauses[-1].append(tokens[at])
        at += 1
    clauses = [c for c in clauses if c]
    if not clauses:
        raise ScenewrightError("not_understood", f"“{shortened(request)}” says nothing to do.", _EXAMPLES)
    return clauses


def _verb_at(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    book = phrasebook()
    while filler := book["fillers"].match(tokens, at):
        at = filler[1]
    return book["verbs"].match(tokens, at)


def _cut(request: str, clause: list[Token]) -> _Pieces:
    verb = _verb_at(clause, 0)
    if verb is None:
        raise ScenewrightError(
            "not_understood",
            f"No verb that is known begins “{shortened(quote(request, clause))}”.",
            _EXAMPLES,
        )
    pieces = _Pieces(verb[0])
    at = verb[1]
    stops = _stops(pieces.verb, clause)
    unknown: list[Token] = []
    while at < len(clause):
        behind = _take(pieces, clause, at, stops)
        if behind is None:
            unknown.append(clause[at])
            behind = at + 1
        at = behind
    said = shortened(quote(request, clause))
    if unknown:
        words = shortened(" ".join(t.text for t in unknown))
        raise ScenewrightError("not_understood", f"“{words}” is not understood in “{said}”.", _EXAMPLES)
    if pieces.doubled:
        raise ScenewrightError(
            "not_understood", f"“{said}” gives more than one {pieces.doubled}.", "Ask in two sentences."
        )
    return pieces


def _take(pieces: _Pieces, clause: list[Token], at: int, stops: Sequence[int]) -> int | None:
    """Take the piece that starts at an index; returns the index behind it, or None if nothing known starts there.

    Args:
        pieces: what was taken so far.
        clause: all tokens.
        at: where to look.
        stops: indices at which a noun that began earlier ends.
    """
    book = phrasebook()
    small = _small_piece(pieces, clause, at)
    if small is not None:
        return small
    relation = book["relations"].match(clause, at)
    if relation and pieces.nouns and pieces.relation is None:
        found = read_noun_phrase(clause, relation[1], stops)
        if found:
            pieces.relation, pieces.related = relation[0], found[0]
            return found[1]
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


def _measure_at(verb: str, clause: list[Token], at: int) -> bool:
    """Whether an amount that a verb has a use for starts at an index."""
    probe = _Pieces(verb)
    _small_piece(probe, clause, at)
    return any(amount is not None for amount in (probe.length, probe.angle, probe.factor))


def _percentage_of_size(pieces: _Pieces, clause: list[Token], at: int) -> int | None:
    """``(to) 80 %``: a share of what the size is now."""
    number = read_number(clause, at)
    if number is None or number[1] >= len(clause) or clause[number[1]].key not in ("%", "percent"):
        return None
    pieces.put("factor", number[0] / 100)
    return number[1] + 1


def _small_piece(pieces: _Pieces, clause: list[Token], at: int) -> int | None:
    """Take a quantity, direction or colour, if one starts here that the verb has a use for."""
    book = phrasebook()
    verb = pieces.verb
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
    if verb == "rotate" and (angle := read_angle(clause, at)):
        pieces.put("angle", angle[0])
        return angle[1]
    if verb == "rotate" and (turn := book["turns"].match(clause, at)):
        pieces.put("turn", turn[0])
        return turn[1]
    if verb == "move" and (direction := book["directions"].match(clause, at)):
        pieces.put("direction", direction[0])
        return direction[1]
    if verb in ("color", "make") and pieces.nouns and (color := book["colors"].match(clause, at)):
        pieces.put("color", color[0])
        return color[1]
    return None


def _stops(verb: str, clause: list[Token]) -> list[int]:
    """Indices at which something begins that ends a noun before it, rising."""
    book = phrasebook()
    stops = []
    for at, token in enumerate(clause):
        probe = _Pieces(verb, nouns=[NounPhrase("", ())])
        if (
            token.kind in ("stop", "number")
            or any(book[name].match(clause, at) for name in ("relations", "by", "to", "joiners", "fillers"))
            or _small_piece(probe, clause, at) is not None
        ):
            stops.append(at)
    return stops


def _predicate(
    pieces: _Pieces,
    subjects: list[str],
    related: list[str],
    setting: Setting,
    request: str,
    clause: list[Token],
) -> Predicate:
    """The frame of the verb, filled; a piece that the frame has no use for refuses the clause."""
    used: set[str] = set()

    def need(name: str, what: str) -> object:
        value = getattr(pieces, name)
        if value is None:
            raise _missing(request, clause, what)
        used.add(name)
        return value

    name: PredicateName
    qualifiers: dict[str, JsonValue] = {}
    if pieces.verb == "remove":
        name = "absent"
    elif pieces.verb == "move" and pieces.relation is None:
        name = "move_delta"
        direction = str(need("direction", "which way"))
        length = _STEP if pieces.length is None else pieces.length
        used.add("length")
        if length <= 0:
            raise ScenewrightError(
                "not_understood", "A distance is more than zero.", "Turn the direction round instead."
            )
        offset, frame = _offset(direction, length, subjects, setting)
        qualifiers = {"offset": [float(c) for c in offset], "direction": direction, "frame": frame}
    elif pieces.verb == "rotate":
        name = "rotation_delta"
        angle = float(str(need("angle", "how far to turn")))
        used.add("turn")
        qualifiers = {"angle_deg": -angle if pieces.turn == "cw" else angle}
    elif pieces.verb in ("place", "move"):
        name = "on_top_of"
        need("relation", "where to put it")
        used.add("related")
    elif pieces.verb == "color" or (pieces.verb == "make" and pieces.color is not None):
        name = "color"
        qualifiers = {"color": str(need("color", "which colour"))}
    else:
        name = "scale_ratio"
        factor = float(str(need("factor", "how much")))
        if factor <= 0:
            raise ScenewrightError("not_understood", f"A size cannot become {factor:g} times what it was.", "")
        qualifiers = {"factor": factor}
    left = [n for n in ("relation", "length", "angle", "factor", "direction", "turn", "color") if n not in used]
    surplus = [n for n in left if getattr(pieces, n) is not None]
    if surplus:
        raise ScenewrightError(
            "not_understood",
            f"The {surplus[0]} in “{shortened(quote(request, clause))}” has no use with “{pieces.verb}”.",
            _EXAMPLES,
        )
    return Predicate(name=name, subject=subjects, object=related, qualifiers=qualifiers)


def _offset(direction: str, length: float, subjects: Sequence[str], setting: Setting) -> tuple[FloatArray, str]:
    """The world offset that a direction and a length mean, and the frame that was used."""
    if direction in ("up", "down"):
        return np.array([0.0, 0.0, length if direction == "up" else -length]), "world"
    if direction in _AXES:
        return np.array(_AXES[direction], float) * length, "world"
    if direction in COMPASS:
        return np.array([*(compass(direction, setting.graph.north_deg) * length), 0.0]), "world"
    if setting.frame == "world":
        forward = np.array([0.0, 1.0])
    elif setting.frame == "object":
        fronts = {setting.graph.entity(s).front for s in subjects}
        front = next(iter(fronts))
        if len(fronts) > 1:
            raise ScenewrightError(
                "ambiguous",
                f"They face different ways, so their own {direction} is not one direction.",
                "Move them one by one, or use --frame viewer.",
                list(subjects),
            )
        if front is None:
            raise ScenewrightError(
                "ambiguous",
                f"{subjects[0]} has no front that is known, so its own {direction} is not either.",
                "Use --frame viewer, or a compass direction.",
            )
        forward = np.array(front)
    else:
        forward = viewer_forward(setting.viewer)
    return np.array([*(direction_in_plan(direction, forward) * length), 0.0]), setting.frame


def _missing(request: str, clause: list[Token], what: str) -> ScenewrightError:
    return ScenewrightError("not_understood", f"“{shortened(quote(request, clause))}” does not say {what}.", _EXAMPLES)
