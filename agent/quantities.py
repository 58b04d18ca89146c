"""Lengths, angles and factors as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .phrasebook import phrasebook
from .tokens import Token

_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
"""Digits that may be grouped by thousands or may be a decimal fraction; in millimetres either is likely."""
_MILLIMETRE = "0.001"
_LARGEST = 1e6
"""Numbers beyond this are no measure of a room."""


def read_number(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A number in digits (``1.5``, ``1,5``) or words (``half a``, ``two``), and the index behind it."""
    if at < len(tokens) and tokens[at].kind == "number":
        value = _digits(tokens[at].key)
        return (value, at + 1) if value is not None else None
    found = phrasebook()["numbers"].match(tokens, at)
    return (float(found[0]), found[1]) if found else None


def _digits(text: str) -> float | None:
    """A number in digits, None if it is none that is used here, or could be two (``1,000``: one or a thousand?)."""
    if "," in text and _THOUSANDS.fullmatch(text):
        return None
    value = float(text.replace(",", "."))
    return value if abs(value) <= _LARGEST else None


def read_length(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A length in metres (``30 cm``, ``half a metre``, ``2 ft 3 in``), and the index behind it."""
    number = read_number(tokens, at)
    if number is None:
        return None
    unit = phrasebook()["lengths"].match(tokens, number[1])
    if unit is None or (unit[0] == _MILLIMETRE and _THOUSANDS.fullmatch(tokens[at].key)):
        return None
    length, end = number[0] * float(unit[0]), unit[1]
    if float(unit[0]) == 0.3048 and end < len(tokens) and tokens[end].kind == "number":
        inches = phrasebook()["lengths"].match(tokens, end + 1)
        if inches and float(inches[0]) == 0.0254:
            more = _digits(tokens[end].key)
            return (length + more * 0.0254, inches[1]) if more is not None else None
    return length, end


def read_angle(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """An angle in degrees (``45°``, ``a quarter turn``), and the index behind it."""
    turn = phrasebook()["quarter_turns"].match(tokens, at)
    if turn:
        return float(turn[0]), turn[1]
    number = read_number(tokens, at)
    if number is None:
        return None
    unit = phrasebook()["angles"].match(tokens, number[1])
    return (number[0], unit[1]) if unit else None


def read_stretch(tokens: Sequence[Token], at: int) -> tuple[float, str, int] | None:
    """A factor of one dimension (``20 % wider``, ``twice as tall``), the dimension, and the index behind it."""
    book = phrasebook()
    number = book["factors"].match(tokens, at) or read_number(tokens, at)
    if number is None or not float(number[0]):
        return None
    value, end = float(number[0]), number[1]
    if end < len(tokens) and tokens[end].key in ("%", "percent"):
        for table, sign in (("stretched", 1), ("shrunk_in", -1)):
            if dimension := book[table].match(tokens, end + 1):
                return 1 + sign * value / 100, dimension[0], dimension[1]
        return None
    dimension = book["as_much"].match(tokens, end)
    return (value, dimension[0], dimension[1]) if dimension else None


def read_factor(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A size factor (``twice as large``, ``20 % bigger``, ``half the size``), and the index behind it."""
    book = phrasebook()
    percent = read_number(tokens, at)
    if percent and percent[1] < len(tokens) and tokens[percent[1]].key in ("%", "percent"):
        end = percent[1] + 1
        if larger := book["sizes"].match(tokens, end):
            sign = {"larger": 1, "smaller": -1}.get(larger[0])
            if sign is not None:
                return 1 + sign * percent[0] / 100, larger[1]
    number = book["factors"].match(tokens, at) or percent
    if number is None or not float(number[0]):
        return None
    size = book["sizes"].match(tokens, number[1])
    if size and size[0] == "size_nouns":
        return float(number[0]), size[1]
    if size and size[0] == "shrunk":
        return 1 / float(number[0]), size[1]
    return None if number is percent else (float(number[0]), number[1])
