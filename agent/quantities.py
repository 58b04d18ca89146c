"""Lengths, angles and factors as people write them."""

from __future__ import annotations

from collections.abc import Sequence

from .phrasebook import phrasebook
from .tokens import Token


def read_number(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A number in digits (``1.5``, ``1,5``) or words (``half a``, ``two``), and the index behind it."""
    if at < len(tokens) and tokens[at].kind == "number":
        return float(tokens[at].key.replace(",", ".")), at + 1
    found = phrasebook()["numbers"].match(tokens, at)
    return (float(found[0]), found[1]) if found else None


def read_length(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A length in metres (``30 cm``, ``half a metre``, ``2 ft 3 in``), and the index behind it."""
    number = read_number(tokens, at)
    if number is None:
        return None
    unit = phrasebook()["lengths"].match(tokens, number[1])
    if unit is None:
        return None
    length, end = number[0] * float(unit[0]), unit[1]
    if float(unit[0]) == 0.3048 and end < len(tokens) and tokens[end].kind == "number":
        inches = phrasebook()["lengths"].match(tokens, end + 1)
        if inches and float(inches[0]) == 0.0254:
            return length + float(tokens[end].key.replace(",", ".")) * 0.0254, inches[1]
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


def read_factor(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """A size factor (``twice as large``, ``1.5 times``, ``20 % bigger``, ``half the size``), and the index behind it."""
    book = phrasebook()
    percent = read_number(tokens, at)
    if percent and percent[1] < len(tokens) and tokens[percent[1]].key in ("%", "percent"):
        end = percent[1] + 1
        if larger := book["sizes"].match(tokens, end):
            sign = {"larger": 1, "smaller": -1}.get(larger[0])
            if sign is not None:
                return 1 + sign * percent[0] / 100, larger[1]
    named = book["factors"].match(tokens, at)
    if named:
        size = book["sizes"].match(tokens, named[1])
        return float(named[0]), size[1] if size and size[0] == "size_nouns" else named[1]
    if percent:
        size = book["sizes"].match(tokens, percent[1])
        if size and size[0] == "size_nouns":
            return percent[0], size[1]
    return None
