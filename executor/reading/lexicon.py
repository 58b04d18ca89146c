"""The lexicon of things: categories with their roles, sizes and names in many languages, read from our own table."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal, TypeAlias, cast, get_args

from ..model.graph import Role
from .names import fold, singular, strip_number, words_of

FrontRule: TypeAlias = Literal["back", "doors", "screen", "face", "none"]
UNKNOWN = "unknown"

_HEAPS = frozenset(["stack", "pile", "heap", "bundle", "set", "pair", "bunch", "row"])
"""Heads that are some of what they are made of: a ``cd stack`` is cds."""
_SUNDRIES = frozenset(["object", "thing", "stuff", "item", "prop", "accessory", "clutter", "misc", "assembly"])
"""Heads that say several things and not which: ``table objects`` is no table."""

_INFO_COLUMNS = ("category", "parent", "role", "front", "soft", "size", "limits")


@dataclass(frozen=True, slots=True)
class Category:
    """One line of the table.

    Attributes:
        name: canonical English noun.
        parent: hypernym, or None.
        role: what such things are to a room.
        front: which part tells where the front is.
        soft: things may sink into it.
        size: typical width, depth, height in metres, or None.
        limits: plausible range of the largest dimension in metres, or None.
    """

    name: str
    parent: str | None
    role: Role
    front: FrontRule
    soft: bool
    size: tuple[float, float, float] | None
    limits: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class NameReading:
    """What a name says.

    Attributes:
        category: the category it names, or None.
        part: it names a part of a thing (``leg``, ``handle``), not a thing.
        group: it names a number of things without saying which (``stack``, ``table objects``).
        meaningless: it says nothing (``Cube.003``, ``Collection``).
        words: folded words without the meaningless ones.
        others: further categories it names, the later ones first: a ``couch_pillows`` may be a couch with pillows.
    """

    category: str | None
    part: bool
    group: bool
    meaningless: bool
    words: tuple[str, ...]
    others: tuple[str, ...] = ()


class Lexicon:
    """Lookup by phrase. Load it once with `lexicon()`."""

    def __init__(
        self,
        categories: dict[str, Category],
        phrases: dict[tuple[str, ...], str],
        part_words: frozenset[str],
        ignored_words: frozenset[str],
    ) -> None:
        self.categories = categories
        self._phrases = phrases
        self._part_words = part_words
        self._ignored = ignored_words
        self._longest = max(len(p) for p in phrases)
        self._joined = {"".join(p): c for p, c in phrases.items() if len("".join(p)) > 5}
        self._cache: dict[str, NameReading] = {}

    def is_a(self, category: str, ancestor: str) -> bool:
        """Whether a category is another one or a kind of it (a nightstand is a table)."""
        seen: str | None = category
        while seen is not None:
            if seen == ancestor:
                return True
            entry = self.categories.get(seen)
            seen = entry.parent if entry else None
        return False

    @property
    def roles(self) -> frozenset[str]:
        """Every role there is."""
        return frozenset(get_args(Role))

    def is_part_word(self, word: str) -> bool:
        """Whether a folded word names a part (``leg``, ``handles``)."""
        return word in self._part_words or singular(word) in self._part_words

    def lookup(self, phrase: str) -> str | None:
        """The category that this whole phrase names, or None."""
        return self._match(words_of(phrase))

    def read_name(self, name: str) -> NameReading:
        """Read an object name: the last thing it names is the head (``sofa table`` is a table).

        A name whose head is a part word (``table_leg``) names a part and no category.
        """
        key = strip_number(name)
        reading = self._cache.get(key)
        if reading is None:
            reading = self._cache[key] = self._read(words_of(key))
        return reading

    def whole_of(self, part: NameReading) -> str | None:
        """The category that a part's name says it is a part of (``chair leg``), or None."""
        return self._head(tuple(w for w in part.words if not self.is_part_word(w)))

    def _read(self, all_words: tuple[str, ...]) -> NameReading:
        words = tuple(w for w in all_words if w not in self._ignored and len(w) > 1)
        whole = self._match(all_words)
        head = singular(all_words[-1]) if all_words else ""
        if whole is None and head not in _SUNDRIES:
            whole = self._match(words)
        if whole and not (len(words) == 1 and self.is_part_word(words[0])):
            return NameReading(whole, False, False, False, words or all_words)
        if head in _HEAPS or head in _SUNDRIES:
            made_of = self._head(words[:-1] if words[-1:] == all_words[-1:] else words) if head in _HEAPS else None
            return NameReading(made_of, False, made_of is None, False, words)
        if not words:
            return NameReading(None, False, False, True, ())
        if self.is_part_word(words[-1]) and not self._ends_in_phrase(words):
            return NameReading(whole, True, False, False, words)
        category = self._head(words)
        others = tuple(k for k in self._named(words) if k != category)
        return NameReading(category, False, False, False, words, others)

    def _ends_in_phrase(self, words: tuple[str, ...]) -> bool:
        """Whether the last two or more words name a thing together (``plant pot``)."""
        starts = range(max(0, len(words) - self._longest), len(words) - 1)
        return any(self._match(words[start:]) for start in starts)

    def _head(self, words: tuple[str, ...]) -> str | None:
        """The last category named, but that an abstract one (``storage``) gives way to a kind of it, a room to a
        thing in it, and an opening to the wall that a kit names after it (``wall_window``).
        """
        found = self._named(words)
        if not found:
            return None
        if found[-1] == "wall" and found[0] in ("door", "window"):
            return "wall"
        if self.categories[found[0]].size is None:
            specific = [k for k in found if self.categories[k].size is not None and self.is_a(k, found[0])]
            things = [k for k in found if not self.is_a(k, "room")]
            return (specific or things or found)[0]
        return found[0]

    def _named(self, words: tuple[str, ...]) -> list[str]:
        """Every category that a name names, last first."""
        found: list[str] = []
        end = len(words)
        while end > 0:
            starts = range(max(0, end - self._longest), end)
            match = next(((k, s) for s in starts if (k := self._match(words[s:end]))), None)
            if match:
                found.append(match[0])
            end = match[1] if match else end - 1
        return found

    def _match(self, words: tuple[str, ...]) -> str | None:
        if not words:
            return None
        found = self._phrases.get(words) or self._phrases.get((*words[:-1], singular(words[-1])))
        return found or self._joined.get("".join(words))


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The built-in lexicon."""
    folder = resources.files(__package__)
    table = (folder / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t")
    categories: dict[str, Category] = {}
    phrases: dict[tuple[str, ...], str] = {}
    for row in rows:
        name = row["category"]
        categories[name] = _category(row)
        for column, forms in row.items():
            if column in _INFO_COLUMNS or not forms:
                continue
            for form in forms.split(";"):
                _add_phrase(phrases, form, name)
        _add_phrase(phrases, name, name)
    return Lexicon(categories, phrases, _word_list("part_words.txt"), _word_list("ignored_words.txt"))


def _category(row: dict[str, str]) -> Category:
    size = tuple(float(v) for v in row["size"].split("x")) if row["size"] else None
    limits = tuple(float(v) for v in row["limits"].split("-")) if row["limits"] else None
    return Category(
        name=row["category"],
        parent=row["parent"] or None,
        role=cast(Role, row["role"]),
        front=cast(FrontRule, row["front"] or "none"),
        soft=row["soft"] == "1",
        size=cast("tuple[float, float, float] | None", size),
        limits=cast("tuple[float, float] | None", limits),
    )


def _add_phrase(phrases: dict[tuple[str, ...], str], form: str, category: str) -> None:
    plain = form.islower() and form.replace(" ", "").isalpha()
    words = tuple(fold(form).split()) if plain else words_of(form)
    if words:
        phrases.setdefault(words, category)
        one = singular(words[-1])
        if one != words[-1]:
            phrases.setdefault((*words[:-1], one), category)


def _word_list(file_name: str) -> frozenset[str]:
    lines = (resources.files(__package__) / file_name).read_text(encoding="utf-8").splitlines()
    return frozenset(fold(line.strip()) for line in lines if line.strip() and not line.startswith("#"))
