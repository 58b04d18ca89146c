"""Requests that nobody means: endless, unprintable or random. Understood or refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenewright.agent.analyser import Setting, compile_request
from scenewright.agent.tokens import tokenise
from scenewright.executor.model.errors import ScenewrightError

from .graphs import ROOM, refusal, understood

HOSTILE = {
    "one long word": "a" * 10_000,
    "articles": "move the chair " + "a " * 5_000,
    "verbs": "move " * 2_000,
    "joiners": "and " * 2_500,
    "open list": "move the chair and " + "the table and " * 700,
    "many clauses": "move the chair 30 cm left. " * 370 + "no",
    "one long noun": "move the " + "chair " * 1_600 + "30 cm left",
    "one long number": "1" * 10_000,
    "numbers": "move the chair " + "1 " * 5_000,
    "halves": "move the chair " + "half a " * 1_400,
    "places": "put the mug " + "on the desk " * 800,
    "escape codes": "move the chair 30 cm left " + "\x00\x07\x1b[31m" * 1_000 + "x",
    "emoji": "🪑" * 5_000,
    "quotes": "'" * 10_000,
    "combining marks": "e\u0301\u200b\u202e" * 2_500,
}


@pytest.mark.timeout(5)
@pytest.mark.parametrize("kind", HOSTILE)
def test_ten_thousand_characters_are_refused_soon(kind: str):
    assert refusal(HOSTILE[kind]) is not None


@pytest.mark.timeout(5)
@pytest.mark.parametrize("kind", HOSTILE)
def test_ten_thousand_characters_are_refused_in_one_short_printable_line(kind: str):
    error = refusal(HOSTILE[kind])
    assert error is not None
    assert error.one_line().isprintable()
    assert len(error.one_line()) <= 1_000


@pytest.mark.parametrize("words", ["cha\x1b[31mir", "\x00chair", "chair\u202e", "cha\u0000ir"])
def test_control_characters_do_not_reach_the_terminal(words: str):
    error = refusal(f"remove the {words} quickly")
    assert error is not None
    assert error.one_line().isprintable()


WORDS = [
    "move",
    "rotate",
    "scale",
    "remove",
    "paint",
    "put",
    "make",
    "turn",
    "the",
    "a",
    "all",
    "both",
    "every",
    "it",
    "them",
    "chair",
    "table",
    "stool",
    "stools",
    "Bench.003",
    "desk",
    "mug",
    "sofa",
    "red",
    "blue",
    "light",
    "dark",
    "left",
    "right",
    "forward",
    "up",
    "north",
    "clockwise",
    "around",
    "on",
    "onto",
    "to",
    "by",
    "and",
    "then",
    ",",
    ".",
    ";",
    "?",
    "%",
    "°",
    '"',
    "'",
    "cm",
    "m",
    "mm",
    "ft",
    "in",
    "degrees",
    "times",
    "twice",
    "half",
    "bigger",
    "smaller",
    "percent",
    "as",
    "big",
    "large",
    "small",
    "size",
    "of",
    "2",
    "30",
    "-5",
    "1,5",
    "0",
    "90",
    "one",
    "two",
    "a",
    "quarter",
    "please",
    "not",
    "don't",
    "away",
    "from",
    "in",
    "x",
    "+x",
    "-z",
    "with",
    "under",
    "next",
    "unknownword",
    "Ünicode",
    "椅子",
    "½",
    "−",
    "/",
    "🪑",
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
@example("move the chair -5 cm left")
@example("put it on it")
def test_any_mix_of_known_words_is_understood_or_refused(request_: str):
    try:
        requirements = compile_request(request_, Setting(ROOM))
    except ScenewrightError as error:
        assert error.one_line().strip() and "\n" not in error.one_line()
        return
    assert requirements and all(r.predicate is not None and r.predicate.subject for r in requirements)


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_understood_or_refused(request_: str):
    try:
        compile_request(request_, Setting(ROOM))
    except ScenewrightError as error:
        assert error.code


VALID = [
    "move the chair 30 cm left",
    "move the chair 2 ft 3 in up",
    "rotate the sofa 45 degrees clockwise",
    "scale the table by 2",
    "make the table 20 % bigger",
    "paint the chair red",
    "put the mug on the desk",
    "remove the chair",
]


@settings(max_examples=300)
@given(
    st.sampled_from(VALID).map(str.split),
    st.sampled_from(
        ["7", "7 cm", "7 m", "7 degrees", "7 %", "seven", "seven cm", "-7 cm", "7 times", "7 in", "7 feet"]
    ),
    st.data(),
)
def test_a_number_put_anywhere_into_a_request_is_used_or_refused(words: list[str], extra: str, data: st.DataObject):
    at = data.draw(st.integers(0, len(words)))
    request = " ".join([*words[:at], extra, *words[at:]])
    try:
        predicates = understood(request)
    except ScenewrightError:
        return
    numbers = sum(t.kind == "number" or t.key == "seven" for t in tokenise(request))
    room_for = sum(bool({"offset", "angle_deg", "factor"} & p.qualifiers.keys()) for p in predicates)
    feet_and_inches = numbers == 2 and any(w in request for w in ("ft", "feet")) and "in" in request.split()
    assert numbers <= room_for or feet_and_inches, (request, predicates)
