"""Work in bounded pieces: whoever waits may draw, stop or do something else between two."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]
"""Work that yields after each bounded piece and returns what it came to."""


def finish(steps: Steps[T]) -> T:
    """Do all of it at once."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            value: T = stop.value
            return value
