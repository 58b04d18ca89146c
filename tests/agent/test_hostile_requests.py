"""Requests that nobody means: endless, unprintable or random. Understood or refused in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenewright.agent.analyser import compile_request
from scenewright.agent.phrasebook import Table
from scenewright.agent.setting import Setting
from scenewright.agent.tokens import Token, tokenise
from scenewright.executor.model.errors import ScenewrightError

from .graphs import ROOM, refusal, understood

LONGEST = 2000
"""Characters of a request that are read at most."""

HOSTILE = {
    "one long word": ("a" * LONGEST, "not_understood", "No verb"),
    "articles": ("move the chair " + "a " * 990, "not_understood", "“a a a a"),
    "verbs": ("move " * 400, "unknown_object", "move move"),
    "joiners": ("and " * 500, "not_understood", "No verb"),
    "open list": ("move the chair and " + "the table and " * 140, "not_understood", "“and”"),
    "many clauses": ("move the chair 30 cm left. " * 74 + "no", "not_understood", "“no”"),
    "one long noun": ("move the " + "chair " * 320 + "30 cm left", "unknown_object", "chair chair"),
    "one long number": ("1" * LONGEST, "not_understood", "No verb"),
    "numbers": ("move the chair " + "1 " * 990, "not_understood", "“1 1 1 1"),
    "halves": ("move the chair " + "half a " * 280, "not_understood", "“half a half a"),
    "places": ("put the mug " + "on the desk " * 165, "not_understood", "“on the desk on the desk"),
    "escape codes": ("move the chair 30 cm left " + "\x00\x07\x1b[31m" * 280, "not_understood", "[ "),
    "emoji": ("🪑" * LONGEST, "not_understood", "🪑"),
    "quotes": ("'" * LONGEST, "not_understood", "'" * 10),
    "combining marks": ("e\u0301\u200b\u202e" * 500, "not_understood", "e\u0301"),
}


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The indices at which phrases were looked for, one per look."""
    found: list[int] = []
    match = Table.match

    def noted(self: Table, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
        found.append(at)
        return match(self, tokens, at)

    monkeypatch.setattr(Table, "match", noted)
    yield found


@pytest.mark.parametrize("length", [LONGEST + 1, 10_000, 1_000_000])
def test_what_is_too_long_is_refused_unread(length: int, looked_up: list[int]):
    error = refusal("a" * length)
    assert error is not None and error.code == "not_understood"
    assert f"{length} characters; {LONGEST} are the most" in error.message
    assert looked_up == []


@pytest.mark.parametrize("kind", HOSTILE)
def test_two_thousand_characters_are_refused_in_one_short_printable_line(kind: str):
    request, code, says = HOSTILE[kind]
    assert len(request) <= LONGEST
    error = refusal(request)
    assert error is not None and error.code == code
    assert says in error.message
    assert error.one_line().isprintable()
    assert len(error.one_line()) <= 300


@pytest.mark.parametrize("kind", HOSTILE)
def test_work_grows_with_the_length_of_a_request_and_no_faster(kind: str, looked_up: list[int]):
    request = HOSTILE[kind][0]
    counts = []
    for length in (400, 1600):
        looked_up.clear()
        refusal(request[:length])
        counts.append(len(looked_up))
    assert counts[1] <= 5 * counts[0]


@pytest.mark.parametrize("words", ["cha\x1b[31mir", "\x00chair", "chair\u202e", "cha\u0000ir"])
def test_control_characters_do_not_reach_the_terminal(words: str):
    error = refusal(f"remove the {words} quickly")
    assert error is not None and error.code == "not_understood"
    assert error.one_line().isprintable()


UNDERSTANDING = {"not_understood", "unknown_object", "ambiguous", "contradiction"}
"""What a request can be refused for before anything is touched."""

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
    "quarter",
    "please",
    "not",
    "don't",
    "away",
    "from",
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
        assert error.code in UNDERSTANDING
        assert error.one_line().isprintable()
        return
    assert requirements and all(r.predicate is not None and r.predicate.subject for r in requirements)


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_understood_or_refused(request_: str):
    try:
        compile_request(request_, Setting(ROOM))
    except ScenewrightError as error:
        assert error.code in UNDERSTANDING
        assert error.one_line().isprintable()


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
