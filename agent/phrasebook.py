"""The phrases of the offline analyser, read from our own table and matched longest first."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

from ..executor.geometry.colors import COLOR_TERMS
from .tokens import Token, tokenise


class Table:
    """Phrases of one kind, each with the value it stands for."""

    def __init__(self, phrases_by_value: Mapping[str, Sequence[str]]) -> None:
        self._values = {
            tuple(t.key for t in tokenise(phrase)): value
            for value, phrases in phrases_by_value.items()
            for phrase in phrases
        }
        self._longest = max((len(p) for p in self._values), default=0)

    def match(self, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
        """The value of the longest phrase that starts at an index, and the index behind it; None if none does."""
        for length in range(min(self._longest, len(tokens) - at), 0, -1):
            value = self._values.get(tuple(t.key for t in tokens[at : at + length]))
            if value is not None:
                return value, at + length
        return None


class Phrasebook:
    """All tables, by the names they have in ``phrases.toml``."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self._tables: dict[str, Table] = {}
        for name, content in data.items():
            if isinstance(content, dict):
                self._tables[name] = Table(content)
            elif isinstance(content, list):
                self._tables[name] = Table({name: content})
        self._tables["colors"] = Table({c: [c, c.replace("grey", "gray")] for c in COLOR_TERMS})

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]


@lru_cache(maxsize=1)
def phrasebook() -> Phrasebook:
    """The built-in phrases."""
    text = (resources.files(__package__) / "phrases.toml").read_text(encoding="utf-8")
    return Phrasebook(tomllib.loads(text))
