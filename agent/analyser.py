"""The offline compiler: plain English to requirements, understood whole or refused whole.

A clause is cut into typed pieces (verb, quantity, direction, colour, relation, noun phrases); frames then ask for the
pieces they need, in any order. A word that belongs to no piece refuses the request, so nothing is silently dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..executor.model.errors import ScenewrightError
from ..executor.model.result import Requirement
from .consistency import refuse_contradictions
from .cutting import EXAMPLES, cut, verb_at
from .frames import Clause, missing, predicates_of
from .phrasebook import phrasebook
from .references import BROUGHT_BY, NounPhrase, with_names_joined
from .setting import Setting
from .tokens import Token, quote, shortened, tokenise

_LONGEST = 2000
"""Characters of a request from which it is refused unread."""
_WITHOUT_NOUNS = ("add", "open", "close")
"""Verbs that are about no thing that is there already, or find theirs themselves."""


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
        raise ScenewrightError("not_understood", "The request is empty.", EXAMPLES)
    requirements: list[Requirement] = []
    spoken_of: list[str] = []
    for words in _clauses(request, tokens):
        clause = _read(request, words, spoken_of, setting)
        for predicate in predicates_of(clause):
            number = len(requirements) + 1
            requirements.append(
                Requirement(
                    id=f"r{number}",
                    type="edit",
                    text=clause.said,
                    priority=number,
                    predicate=predicate,
                    depends_on=[i.removeprefix(BROUGHT_BY) for i in predicate.subject if i.startswith(BROUGHT_BY)],
                    matched_ids=[*predicate.subject, *predicate.object],
                )
            )
            spoken_of = predicate.subject or [BROUGHT_BY + f"r{number}"]
    refuse_contradictions([r.predicate for r in requirements if r.predicate is not None], setting.graph)
    return requirements


def _read(request: str, words: list[Token], spoken_of: Sequence[str], setting: Setting) -> Clause:
    """A clause cut up, with the things that its nouns mean."""
    pieces, said = cut(request, words), quote(request, words)
    hidden_too = pieces.verb == "show"
    subjects = [i for n in pieces.nouns for i in _meant(n, spoken_of, setting, hidden_too)]
    if not subjects and pieces.verb not in _WITHOUT_NOUNS:
        raise missing(said, "what it is about")
    related = _meant(pieces.related, spoken_of, setting) if pieces.related is not None else []
    return Clause(said, pieces, list(dict.fromkeys(subjects)), related, spoken_of, setting)


def _meant(phrase: NounPhrase, spoken_of: Sequence[str], setting: Setting, hidden_too: bool = False) -> list[str]:
    """Ids of what a phrase means; a pronoun means what the clause before was about, or brings in."""
    if not phrase.pronoun:
        return setting.resolver.resolve(phrase, hidden_too)
    if not spoken_of:
        raise ScenewrightError(
            "not_understood", f"Nothing was named before that “{phrase.text}” could mean.", "Name it."
        )
    return list(spoken_of)


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
        if (full or stop or joiner) and (full or verb_at(tokens, behind) is not None):
            clauses.append([])
            at = behind
            continue
        clauses[-1].append(tokens[at])
        at += 1
    clauses = [c for c in clauses if c]
    if not clauses:
        raise ScenewrightError("not_understood", f"“{shortened(request)}” says nothing to do.", EXAMPLES)
    return clauses
