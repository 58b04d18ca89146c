"""The lexicon of things: categories with their roles, sizes and names in many languages, read from our own table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from ..model.graph import Role
from .names import fold, singular, strip_number, words_of

FrontRule: TypeAlias = Literal["back", "doors", "screen", "face", "none"]
UNKNOWN = "unknown"

_HEAPS = frozenset(["stack", "pile", "heap", "bundle", "set", "pair", "bunch", "row"])
"""Heads that are some of what they are made of: a ``cd stack`` is cds."""
_SUNDRIES = frozenset(["object", "thing", "stuff", "item", "prop", "accessory", "clutter", "misc", "assembly"])
"""Heads that say several things and not which: ``table objects`` is no table."""

_AIDS = frozenset(["target", "pivot", "aim", "tracker", "controller"])
"""Heads that belong to the rig and not to what they are for: a ``sofa target`` is no sofa."""
_DENIALS = frozenset(["no", "non", "without"])
"""Words that deny the next one: a ``CubeNoMat`` is no mat."""
_MATERIALS = frozenset(["glass", "iron", "brick", "bricks", "stone", "rock", "plank", "planks", "cardboard", "rope"])
"""Words that name what a thing is made of when they come behind it: ``door_full_glass_wood`` is a door."""
_SHELL = ("wall", "floor", "ceiling", "roof", "ground")
"""Structure that is called after its pieces and sides."""
_SHORT, _SHORTEST_JOINED, _SHORTEST_PIECE = 3, 6, 3
"""A word of another language this short counts as a whole name only, but for walls and floors, whose names go on: in
English names it is a particle or cut off (``Vase vis``). Words may be written apart or together from these lengths on
(``papertowel``, ``book shelf``)."""

_COUNTED = re.compile(r"(?<![^\W_])[1-9]\d?-?([^\W\d_]+)")
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
        besides: the words that do not take part in naming its category: of a ``laptop_keyboard``, ``laptop``.
    """

    category: str | None
    part: bool
    group: bool
    meaningless: bool
    words: tuple[str, ...]
    others: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()


class Mention(NamedTuple):
    """A category that some words of a name stand for, ``words[start:end]``."""

    category: str
    start: int
    end: int


class Lexicon:
    """Lookup by phrase. Load it once with `lexicon()`."""

    def __init__(
        self,
        categories: dict[str, Category],
        phrases: dict[tuple[str, ...], str],
        whole_names: dict[tuple[str, ...], str],
        part_words: frozenset[str],
        piece_words: frozenset[str],
        ignored_words: frozenset[str],
    ) -> None:
        self.categories = categories
        self._phrases = phrases
        self._whole_names = whole_names
        self._part_words = part_words
        self._piece_words = piece_words
        self._ignored = ignored_words
        self._longest = max(len(p) for p in phrases)
        self._joined = {"".join(p): c for p, c in phrases.items() if len("".join(p)) >= _SHORTEST_JOINED}
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
        return self._match_whole(words_of(phrase))

    def read_name(self, name: str) -> NameReading:
        """Read an object name: the last thing it names is the head (``sofa table`` is a table).

        A name whose head is a part word (``table_leg``) names a part and no category.
        """
        key = strip_number(name)
        reading = self._cache.get(key)
        if reading is None:
            reading = self._cache[key] = self._read(words_of(self._without_counted_parts(key)))
        return reading

    def whole_of(self, part: NameReading) -> str | None:
        """The category that a part's name says it is a part of (``chair leg``), or None."""
        whole = self._head(tuple(w for w in part.words if not self.is_part_word(w)))
        return whole.category if whole else None

    def _read(self, all_words: tuple[str, ...]) -> NameReading:
        words = tuple(w for w in _undenied(all_words) if w not in self._ignored and len(w) > 1)
        whole = self._match_whole(all_words)
        head = singular(all_words[-1]) if all_words else ""
        if whole is None and head not in _SUNDRIES:
            whole = self._match_whole(words)
        if whole and not (len(words) == 1 and self.is_part_word(words[0])):
            parts = (m.category for k in range(len(words)) for m in self._mentions(words[k : k + 1]))
            others = tuple(dict.fromkeys(k for k in parts if k != whole)) if len(words) > 1 else ()
            return NameReading(whole, False, False, False, words or all_words, others)
        if not words:
            return NameReading(None, False, False, True, ())
        if head in _HEAPS or head in _SUNDRIES:
            made_of = self._head(words[:-1] if words[-1:] == all_words[-1:] else words) if head in _HEAPS else None
            kind = made_of.category if made_of else None
            return NameReading(kind, False, made_of is None, False, words, besides=words)
        if head in _AIDS:
            return NameReading(None, False, False, False, words, besides=words)
        if self.is_part_word(words[-1]) and not self._ends_in_phrase(words):
            shell = self._shell_of(words)
            if shell is not None:
                return NameReading(shell, False, False, False, words)
            return NameReading(whole, True, False, False, words, besides=words)
        found = self._head(words)
        if found is None:
            return NameReading(None, False, False, False, words, besides=words)
        others = tuple(m.category for m in self._mentions(words) if m.category != found.category)
        return NameReading(
            found.category, False, False, False, words, others, words[: found.start] + words[found.end :]
        )

    def _without_counted_parts(self, name: str) -> str:
        """A name without how many parts the thing has: a ``Couch_3Seat`` is a couch."""
        rest = _COUNTED.sub(lambda found: "" if self.is_part_word(fold(found[1])) else found[0], name)
        return rest if words_of(rest) else name

    def _shell_of(self, words: tuple[str, ...]) -> str | None:
        """The structure whose piece or side some words name, or None."""
        found = self._head(tuple(w for w in words if singular(w) not in self._piece_words))
        category = found.category if found is not None and singular(words[-1]) in self._piece_words else None
        return category if category and any(self.is_a(category, k) for k in _SHELL) else None

    def _ends_in_phrase(self, words: tuple[str, ...]) -> bool:
        """Whether the last two or more words name a thing together (``plant pot``)."""
        starts = range(max(0, len(words) - self._longest), len(words) - 1)
        return any(self._match(words[start:]) for start in starts)

    def _head(self, words: tuple[str, ...]) -> Mention | None:
        """The last category named, but that an abstract one (``storage``) gives way to a kind of it, a room to a
        thing in it, a material to what is made of it, and an opening to the wall that a kit names after it
        (``wall_window``).
        """
        found = self._mentions(words)
        while len(found) > 1 and words[found[0].start : found[0].end] in {(w,) for w in _MATERIALS}:
            found = found[1:]
        if not found:
            return None
        if found[-1].category == "wall" and found[0].category in ("door", "window"):
            return found[-1]
        last = found[0].category
        if self.categories[last].size is None:
            kinds = [m for m in found if self.categories[m.category].size is not None and self.is_a(m.category, last)]
            things = [m for m in found if not self.is_a(m.category, "room")]
            return (kinds or things or found)[0]
        return found[0]

    def _mentions(self, words: tuple[str, ...]) -> list[Mention]:
        """Every category that a name names, last first."""
        found: list[Mention] = []
        end = len(words)
        while end > 0:
            starts = range(max(0, end - self._longest), end)
            match = next((Mention(k, s, end) for s in starts if (k := self._match(words[s:end]))), None)
            if match:
                found.append(match)
            end = match.start if match else end - 1
        return found

    def _match_whole(self, words: tuple[str, ...]) -> str | None:
        """The category that these words stand for if there are no others."""
        return self._match(words) or self._whole_names.get(words)

    def _match(self, words: tuple[str, ...]) -> str | None:
        if not words:
            return None
        found = self._phrases.get(words) or self._phrases.get((*words[:-1], singular(words[-1])))
        if found is None and (len(words) == 1 or self._may_be_joined(words)):
            found = self._joined.get("".join(words))
        return found

    def _may_be_joined(self, words: tuple[str, ...]) -> bool:
        """Whether words may be one written apart (``book shelf``); a ``desk top`` is the top of a desk, no desktop."""
        part_of = self.is_part_word(words[-1]) and words[:-1] in self._phrases
        return not part_of and min(map(len, words)) >= _SHORTEST_PIECE


def _undenied(words: tuple[str, ...]) -> Iterator[str]:
    """Words of a name without denials and what they deny."""
    before = ""
    for word in words:
        if word not in _DENIALS and before not in _DENIALS:
            yield word
        before = word


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The built-in lexicon."""
    folder = resources.files(__package__)
    table = (folder / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t")
    false_friends = _word_list("false_friends.txt")
    categories: dict[str, Category] = {}
    phrases: dict[tuple[str, ...], str] = {}
    whole_names: dict[tuple[str, ...], str] = {}
    for row in rows:
        name = row["category"]
        categories[name] = _category(row)
        for column, forms in row.items():
            if column in _INFO_COLUMNS or not forms:
                continue
            for form in forms.split(";"):
                for words in _phrases_of(form):
                    cut_off = form.strip().isascii() and len(words[0]) <= _SHORT and row["role"] != "structure"
                    doubtful = len(words) == 1 and (cut_off or words[0] in false_friends)
                    if column == "en" or not doubtful:
                        phrases.setdefault(words, name)
                    elif "".join(words) == form.strip().lower():  # as it is written, no accent lost, no ending cut
                        whole_names.setdefault(words, name)
        for words in _phrases_of(name):
            phrases.setdefault(words, name)
    parts, pieces, ignored = (_word_list(f"{kind}_words.txt") for kind in ("part", "piece", "ignored"))
    return Lexicon(categories, phrases, whole_names, parts, pieces, ignored)


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


def _phrases_of(form: str) -> Iterator[tuple[str, ...]]:
    """A form of the table as words, and its English singular."""
    plain = form.islower() and form.replace(" ", "").isalpha()
    words = tuple(fold(form).split()) if plain else words_of(form)
    if words:
        yield words
        one = singular(words[-1])
        if one != words[-1]:
            yield (*words[:-1], one)


def _word_list(file_name: str) -> frozenset[str]:
    lines = (resources.files(__package__) / file_name).read_text(encoding="utf-8").splitlines()
    return frozenset(fold(line.strip()) for line in lines if line.strip() and not line.startswith("#"))
