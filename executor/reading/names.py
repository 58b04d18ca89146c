"""Object names as words: ``lampTable_old.003`` is ``lamp table``, ``Küchenstuhl-01`` is ``kuchenstuhl``."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_NUMBERED = re.compile(r"\.\d{3,}$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[^\w']+|_|(?<=\D)(?=\d)|(?<=\d)(?=\D)")


def strip_number(name: str) -> str:
    """The name without Blender's duplicate suffix: ``Chair.003`` is ``Chair``."""
    return _NUMBERED.sub("", name)


def fold(text: str) -> str:
    """Lower case without diacritics, so that ``Étagère`` and ``etagere`` are one word.

    Marks are dropped from Latin, Greek and Cyrillic letters only; in kana and Hangul they are part of the letter.
    """
    if text.isascii():
        return text.lower()
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", bare).translate(_STROKES)


_DIACRITICS = re.compile(r"(?<=[\u0000-\u04ff])[\u0300-\u036f]+")
_STROKES = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "ı": "i", "đ": "d", "æ": "ae", "œ": "oe"})
"""Letters that have no decomposition, as people type them on another keyboard."""


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """Folded words of an object name, numbers and separators left out, CamelCase split."""
    pieces = _SEPARATORS.split(_CAMEL.sub(" ", unicodedata.normalize("NFC", name)))
    return tuple(fold(p) for p in pieces if p and not p.isdigit())


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """An English plural's singular by rule: enough for furniture (``shelves``, ``benches``, ``vanities``)."""
    irregular = _IRREGULAR.get(word)
    if irregular:
        return irregular
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if word.endswith("s"):
        return word[:-1]
    return word


_IRREGULAR = {
    "shelves": "shelf",
    "knives": "knife",
    "leaves": "leaf",
    "loaves": "loaf",
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "scarves": "scarf",
    "potatoes": "potato",
    "tomatoes": "tomato",
    "canvas": "canvas",
    "glasses": "glasses",
    "scissors": "scissors",
    "trousers": "trousers",
    "clothes": "clothes",
    "stairs": "stairs",
    "blinds": "blinds",
    "headphones": "headphones",
    "pyjamas": "pyjamas",
    "series": "series",
    "chassis": "chassis",
    "gas": "gas",
    "lens": "lens",
    "bias": "bias",
}
