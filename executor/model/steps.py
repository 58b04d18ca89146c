"""Work in bounded pieces: whoever waits may draw, stop or do something else between two."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TypeAlias, TypeVar

P = TypeVar("P")
T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]
"""Work that yields after each bounded piece and returns what it came to."""


def each_piece(steps: Generator[P, None, T], keep: Callable[[T], object]) -> Iterator[P]:
    """What some work yields after each piece; what it comes to is given to `keep`."""
    keep((yield from steps))


def finish(steps: Generator[object, None, T]) -> T:
    """Do all of it at once; returns what it comes to."""
    found: list[T] = []
    for _ in each_piece(steps, found.append):
        pass
    return found[0]
