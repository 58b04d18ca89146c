"""Noun phrases, and which things of the scene they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..executor.geometry.frames import direction_in_plan
from ..executor.geometry.mesh import FloatArray
from ..executor.model.errors import ScenewrightError
from ..executor.model.graph import Entity, SceneGraph
from ..executor.reading.ids import slug
from ..executor.reading.lexicon import lexicon
from ..executor.reading.names import singular, strip_number, words_of
from .phrasebook import phrasebook
from .tokens import Token, shortened, tokenise

BROUGHT_BY = "brought by "
"""Stands before the id of a requirement where the thing is meant that it is yet to bring in."""
_MOST_CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What a request calls a thing.

    Attributes:
        text: as written, without its determiner.
        words: the noun's words, folded.
        color: a colour it must show, or None.
        plural: it means all that match.
        count: how many it says there are, or None.
        any: any one that matches will do.
        side: ``left`` or ``right``: the one of two that is further that way for the viewer.
        pronoun: it means what the clause before was about.
    """

    text: str
    words: tuple[str, ...]
    color: str | None = None
    plural: bool = False
    count: int | None = None
    any: bool = False
    side: str | None = None
    pronoun: bool = False


def read_noun_phrase(tokens: Sequence[Token], at: int, stops: Sequence[int]) -> tuple[NounPhrase, int] | None:
    """A noun phrase that starts at an index, and the index behind it.

    Args:
        tokens: the clause.
        at: where the phrase would start.
        stops: indices, rising, at which something else begins (a quantity, a relation, …): the noun ends before.
    """
    book = phrasebook()
    pronoun = book["pronouns"].match(tokens, at)
    if pronoun:
        return NounPhrase(tokens[at].text, (), pronoun=True), pronoun[1]
    start = at
    determiner = book["determiners"].match(tokens, at)
    plural = free = False
    if determiner:
        plural = bool((found := book["plural_determiners"].match(tokens, at)) and found[1] == determiner[1])
        free = bool((found := book["free_determiners"].match(tokens, at)) and found[1] == determiner[1])
        start = determiner[1]
    side = book["sides"].match(tokens, start) if determiner else None
    if side is None or side[1] >= len(tokens) or side[1] in stops:
        side = None
    first = side[1] if side else start
    end = next((s for s in stops if s > first), len(tokens))
    color = book["colors"].match(tokens, first)
    noun = color[1] if color and color[1] < end else first
    nouns = tokens[noun:end]
    if not nouns or any(t.kind != "word" for t in nouns):
        return None
    words = tuple(t.key for t in nouns)
    last_is_plural = words[-1] != singular(words[-1]) and lexicon().lookup(" ".join(words)) is not None
    return (
        NounPhrase(
            text=" ".join(t.text for t in tokens[start:end]),
            words=words,
            color=color[0] if color and color[1] < end else None,
            plural=plural or last_is_plural,
            count=2 if determiner and tokens[at].key == "both" else None,
            any=free,
            side=side[0] if side else None,
        ),
        end,
    )


def noun_phrase_of(text: str) -> NounPhrase:
    """A whole text as a noun phrase, as options give them.

    Raises:
        ScenewrightError: ``not_understood`` if it is none.
    """
    tokens = tokenise(text)
    found = read_noun_phrase(tokens, 0, []) if tokens else None
    if found is None:
        raise ScenewrightError("not_understood", f"“{text}” names no thing.", "Say for example “the bed”.")
    return found[0]


def with_names_joined(tokens: Sequence[Token], request: str, graph: SceneGraph) -> list[Token]:
    """Tokens with each object name that is written out (``Red Chair 2``) as one, longest first.

    A name that is only the word for a sort of thing stays as it is: “table lamp” may mean others, too.
    """
    spoken = {n for e in graph.objects for n in (e.name.casefold(), e.id)}
    names = {n for n in spoken if lexicon().lookup(n) is None or any(c.isdigit() for c in n)}
    longest = max((len(tokenise(n)) for n in names), default=0)
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        for length in range(min(longest, len(tokens) - at), 1, -1):
            start, end = tokens[at].start, tokens[at + length - 1].end
            if request[start:end].casefold() in names:
                text = request[start:end]
                joined.append(Token(text, text.casefold(), "word", start, end))
                at += length
                break
        else:
            joined.append(tokens[at])
            at += 1
    return joined


class Resolver:
    """Finds what noun phrases mean in a scene.

    Args:
        graph: the scene.
        answers: answers to its questions of a former run, which decide between candidates.
        forward: ``(2,)`` where the viewer looks, in plan.
    """

    def __init__(self, graph: SceneGraph, answers: Mapping[str, str], forward: FloatArray) -> None:
        self._graph = graph
        self._forward = forward
        self._answers = answers
        self._lexicon = lexicon()
        self.asked: set[str] = set()

    def resolve(self, phrase: NounPhrase, hidden: bool = False) -> list[str]:
        """Ids of the things meant: one for a singular, all that match for a plural.

        Args:
            phrase: what they are called.
            hidden: hidden ones are meant, if there are any.

        Raises:
            ScenewrightError: ``unknown_object`` if nothing shown matches, ``ambiguous`` if a singular matches several,
                ``not_understood`` if nothing matches and the phrase says more than the name of a thing.
        """
        matching = self._matching(phrase)
        concealed = [e for e in matching if e.hidden] if hidden else []
        shown = concealed or _with_something_to_see([e for e in matching if not e.hidden], phrase.plural)
        if phrase.side is not None and not self._by_exact_name(phrase) and len(shown) <= 2:
            shown = sorted(shown, key=lambda e: -self._along(phrase.side, e))[: len(shown) - 1]
        if not shown:
            raise self._nothing(phrase, matching)
        if phrase.count is not None and len(shown) != phrase.count:
            raise ScenewrightError(
                "ambiguous",
                f"“{shortened(phrase.text)}” can mean {len(shown)} of the things here, not {phrase.count}.",
                "Name them, or say “all”.",
                [e.id for e in shown],
            )
        if phrase.plural or len(shown) == 1:
            return [e.id for e in shown]
        if phrase.any:
            return [min(shown, key=lambda e: e.id).id]
        question = f"which_{slug(phrase.text)}"
        self.asked.add(question)
        answer = self._answers.get(question)
        if answer is not None:
            if answer not in {e.id for e in shown}:
                raise ScenewrightError(
                    "bad_input",
                    f"“{answer}” does not answer {question}.",
                    "Choose one of the candidates.",
                    [e.id for e in shown],
                )
            return [answer]
        raise self._several(phrase, shown, question)

    def _along(self, side: str | None, entity: Entity) -> float:
        """How far a thing is to a side of the viewer."""
        return float(direction_in_plan(str(side), self._forward) @ np.array(entity.box.center[:2]))

    def _matching(self, phrase: NounPhrase) -> list[Entity]:
        found = self._by_exact_name(phrase)
        if not found and not any(c.isdigit() for word in phrase.words for c in word):
            found = self._by_category(phrase) or self._by_words(phrase)
            if phrase.color is not None:
                found = [e for e in found if phrase.color in e.colors]
        return found

    def _by_exact_name(self, phrase: NounPhrase) -> list[Entity]:
        """By id or full name as Blender shows it (``Chair.003``); a word for a sort of thing is no name."""
        text = phrase.text.casefold()
        if self._lexicon.lookup(text) is not None and not any(c.isdigit() for c in text):
            return []
        return [e for e in self._graph.objects if e.id == text or e.name.casefold() == text]

    def _by_category(self, phrase: NounPhrase) -> list[Entity]:
        """By exact category; kinds of it only if there is none (a table before a nightstand for “table”)."""
        category = self._lexicon.lookup(" ".join(phrase.words))
        if category is None:
            return []
        exact = [e for e in self._graph.objects if e.category == category]
        named = [e for e in self._graph.objects if e.category == "unknown" and self._is_named(e, phrase.words)]
        return exact + named or [e for e in self._graph.objects if self._lexicon.is_a(e.category, category)]

    def _by_words(self, phrase: NounPhrase) -> list[Entity]:
        return [e for e in self._graph.objects if self._is_named(e, phrase.words)]

    def _is_named(self, entity: Entity, words: Sequence[str]) -> bool:
        """Whether a thing's name consists of these words, but for Blender's number and words without meaning."""
        wanted = tuple(singular(w) for word in words for w in words_of(word))
        name = strip_number(entity.name)
        reading = self._lexicon.read_name(name)
        readings = [words_of(name)] + ([] if reading.group else [reading.words])  # table objects are no table
        return any(tuple(singular(w) for w in r) == wanted or "".join(r) == "".join(wanted) for r in readings)

    def _nothing(self, phrase: NounPhrase, hidden: Sequence[Entity]) -> ScenewrightError:
        if hidden:
            count = f"{len(hidden)} of them are" if len(hidden) > 1 else f"{hidden[0].name} is"
            return ScenewrightError(
                "unknown_object",
                f"No {phrase.text} is shown; {count} hidden or in an excluded collection.",
                "Show it first, then ask again.",
                [e.id for e in hidden][:_MOST_CANDIDATES],
            )
        category = self._lexicon.lookup(" ".join(phrase.words))
        if category is None and (beyond := _beyond_a_name(phrase.words)):
            raise ScenewrightError(
                "not_understood",
                f"“{shortened(beyond)}” is not understood in “{shortened(phrase.text)}”.",
                "Name each thing by itself, say for example “the bed”.",
            )
        kin = [e for e in self._graph.objects if not e.hidden and self._is_kin(category, e.category)]
        near = sorted({e.category for e in kin})
        hint = f"Of that sort there are: {', '.join(near)}." if near else "`scenewright graph` lists what there is."
        return ScenewrightError(
            "unknown_object",
            f"There is no {shortened(phrase.text)} here.",
            hint,
            [e.id for e in kin][:_MOST_CANDIDATES],
        )

    def _is_kin(self, wanted: str | None, other: str) -> bool:
        entry = self._lexicon.categories.get(wanted or "")
        if entry is None or entry.parent is None:
            return False
        return self._lexicon.is_a(other, entry.parent)

    def _several(self, phrase: NounPhrase, shown: Sequence[Entity], question: str) -> ScenewrightError:
        told = [f"{e.id} ({self._told_apart(e)})" for e in shown[:_MOST_CANDIDATES]]
        return ScenewrightError(
            "ambiguous",
            f"Which {phrase.text}? There are {len(shown)}: {', '.join(told)}.",
            f"Answer with --answer {question}=ID.",
            [e.id for e in shown],
            question=question,
        )

    def _told_apart(self, entity: Entity) -> str:
        colour = entity.colors[0] if entity.colors else None
        place = {"none": None, "floor": "on the floor"}.get(entity.support.on, f"on {entity.support.on}")
        x, y, _ = entity.box.center
        return ", ".join(filter(None, [colour, place, f"at {x:.1f}, {y:.1f}"]))


def _beyond_a_name(words: Sequence[str]) -> str:
    """What of these words no name consists of, from the first such word on: a negation, a place, a number, …."""
    book = phrasebook()
    for at, word in enumerate(words):
        token = [Token(word, word, "word", 0, 0)]
        if any(book[table].match(token, 0) for table in ("function_words", "determiners", "numbers")):
            return " ".join(words[at:])
    return ""


def _with_something_to_see(entities: list[Entity], plural: bool) -> list[Entity]:
    """Entities without those that draw nothing, unless none of them does: an empty called `Sofa` is not the sofa.

    Lights and cameras do count where all are meant.
    """
    seen = [e for e in entities if any(e.box.half) or (plural and e.role in ("light", "camera"))]
    return seen or entities
