"""The lexicon's files: the table of categories and the two word lists, read as plain data."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "executor" / "reading"
LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru", "tr", "ja", "zh", "ko", "ar"]
COLUMNS = ["category", "parent", "role", "front", "soft", "size", "limits", *LANGUAGES]
# Of contract section 3; camera and splat are told by the type of the object.
ROLES = {
    "furniture",
    "manipulable",
    "covering",
    "wall_mounted",
    "ceiling_mounted",
    "structure",
    "light",
    "other",
}
FRONTS = {"back", "doors", "screen", "face", "none"}
ABSTRACT = [
    "seat",
    "storage",
    "lamp",
    "table",
    "furniture",
    "appliance",
    "electronics",
    "container",
    "plant",
    "tableware",
    "food",
    "vehicle",
    "toy",
    "tool",
    "decor",
]
SEPARATE_PLURALS = {"glasses"}  # eyeglasses, not two drinking glasses

Row = dict[str, str]


def _rows() -> list[Row]:
    lines = (FOLDER / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    table = (line for line in lines if not line.startswith("#"))
    return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


ROWS = _rows()
BY_NAME = {row["category"]: row for row in ROWS}


def _forms(row: Row) -> list[tuple[str, str]]:
    """(language, form) of every name of a category, its canonical one first."""
    named = [("en", row["category"])]
    return named + [(lang, form) for lang in LANGUAGES for form in row[lang].split("; ") if form]


def _folded(text: str) -> str:
    """Lower case; marks are dropped from Latin and Cyrillic letters, and kept in kana and Hangul."""
    letters = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "ı": "i", "đ": "d", "æ": "ae", "œ": "oe"})
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(letters))
    kept = "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", kept)


def _singular(word: str) -> str:
    if not re.fullmatch("[a-z0-9]{4,}", word) or word in SEPARATE_PLURALS:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search("(s|x|z|ch|sh)es$", word):
        return word[:-2]
    return word if re.search("(ss|us|is)$", word) else re.sub("s$", "", word)


def _key(form: str) -> str:
    """What the reader tells apart: no case, marks, spaces, hyphens or plural."""
    words = [w for w in re.split(r"[\s\-'’/]+", _folded(form)) if w]
    return "".join([*words[:-1], _singular(words[-1])])


def _words(file_name: str) -> list[str]:
    lines = (FOLDER / file_name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def _size(row: Row) -> tuple[float, ...]:
    return tuple(float(v) for v in row["size"].split("x"))


def test_the_table_has_the_agreed_columns_and_no_stray_space() -> None:
    lines = (FOLDER / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == COLUMNS
    for line in lines:
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        assert len(cells) == len(COLUMNS), line[:60]
        assert all(cell == cell.strip() for cell in cells), line[:60]
        assert all(form for cell in cells[7:] if cell for form in cell.split("; ")), line[:60]


def test_categories_are_english_nouns_in_lower_case_each_once() -> None:
    assert len(ROWS) >= 350
    assert len(BY_NAME) == len(ROWS)
    assert [c for c in BY_NAME if not re.fullmatch("[a-z0-9]+([ -][a-z0-9]+)*", c)] == []


def test_a_surface_form_names_one_category_only() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for row in ROWS:
        for language, form in _forms(row):
            owners[_key(form)].add(f"{row['category']} ({language}: {form})")
    clashes = [sorted(o) for o in owners.values() if len({x.split(" (")[0] for x in o}) > 1]
    assert clashes == []


def test_a_cell_says_nothing_twice() -> None:
    for row in ROWS:
        for language in LANGUAGES:
            forms = [f.casefold() for f in row[language].split("; ") if f]
            assert len(forms) == len(set(forms)), (row["category"], language)


def test_parents_are_lines_of_the_table_and_form_shallow_trees() -> None:
    for row in ROWS:
        steps, parent = 0, row["parent"]
        while parent:
            assert parent in BY_NAME, (row["category"], parent)
            steps, parent = steps + 1, BY_NAME[parent]["parent"]
            assert steps <= 3, row["category"]


@pytest.mark.parametrize("name", ABSTRACT)
def test_super_categories_exist_and_have_kinds(name: str) -> None:
    assert name in BY_NAME
    assert any(row["parent"] == name for row in ROWS)


def test_roles_fronts_and_softness_are_of_the_contract() -> None:
    assert {row["role"] for row in ROWS} <= ROLES
    assert {row["front"] for row in ROWS} <= FRONTS
    assert {row["soft"] for row in ROWS} <= {"", "1"}


def test_typical_sizes_lie_within_their_limits() -> None:
    for row in ROWS:
        assert bool(row["size"]) == bool(row["limits"]), row["category"]
        if not row["size"]:
            continue
        size = _size(row)
        low, high = (float(v) for v in row["limits"].split("-"))
        assert len(size) == 3 and min(size) > 0, row["category"]
        assert low <= max(size) <= high, (row["category"], size)


def test_furniture_is_of_furniture_size() -> None:
    for row in ROWS:
        if row["role"] == "furniture" and row["size"]:
            assert 0.1 <= max(_size(row)) <= 4, row["category"]


def test_furniture_has_names_in_german_french_and_spanish() -> None:
    missing = [
        (row["category"], language)
        for row in ROWS
        for language in ("de", "fr", "es")
        if row["role"] == "furniture" and not row[language]
    ]
    assert missing == []


def test_names_are_written_in_their_language_s_script() -> None:
    scripts = {
        "ru": "[Ѐ-ӿ]",
        "ko": "[가-힣]",
        "ar": "[؀-ۿ]",
        "ja": "[぀-ヿ一-鿿]|^[a-z ]+$",
        "zh": "[一-鿿]|^[a-z]+$",
    }
    wrong = [
        (row["category"], language, form)
        for row in ROWS
        for language, form in _forms(row)
        if language in scripts and not re.search(scripts[language], form)
    ]
    assert wrong == []
    latin = [lang for lang in LANGUAGES if lang not in scripts]
    foreign = [(row["category"], f) for row in ROWS for lang, f in _forms(row) if lang in latin and _not_latin(f)]
    assert foreign == []


def _not_latin(form: str) -> bool:
    return any(c.isalpha() and not unicodedata.name(c).startswith("LATIN") for c in form)


@pytest.mark.parametrize("file_name", ["part_words.txt", "piece_words.txt", "ignored_words.txt"])
def test_word_lists_hold_single_lower_case_words_each_once(file_name: str) -> None:
    words = _words(file_name)
    assert [w for w in words if not w or w != w.strip().lower() or re.search(r"\s", w)] == []
    assert len(words) == len(set(words))


def test_ignored_words_name_neither_things_nor_parts() -> None:
    ignored = {_key(w) for w in _words("ignored_words.txt")}
    assert ignored & {_key(form) for row in ROWS for _, form in _forms(row)} == set()
    assert ignored & {_key(w) for w in _words("part_words.txt")} == set()


def test_words_for_pieces_name_parts() -> None:
    assert {_key(w) for w in _words("piece_words.txt")} <= {_key(w) for w in _words("part_words.txt")}


def test_words_for_both_a_part_and_a_thing_are_marked_as_such() -> None:
    text = (FOLDER / "part_words.txt").read_text(encoding="utf-8")
    marked = {_key(w) for w in text.split("# ---- both a part and a thing")[1].splitlines() if w and w[0] != "#"}
    things = {_key(form) for row in ROWS for _, form in _forms(row)}
    assert {_key(w) for w in _words("part_words.txt")} & things == marked


@pytest.mark.parametrize(
    ("form", "category"),
    [
        ("night stand", "nightstand"),
        ("Nachttisch", "nightstand"),
        ("mesilla de noche", "nightstand"),
        ("couch", "sofa"),
        ("canapé", "sofa"),
        ("Bücherregal", "bookshelf"),
        ("本棚", "bookshelf"),
        ("isu", "chair"),
        ("стул", "chair"),
        ("沙发", "sofa"),
        ("diannao", "computer"),
        ("light", "lamp"),
        ("screen", "monitor"),
        ("mouse", "computer mouse"),
        ("glass", "drinking glass"),
        ("bookcase", "bookshelf"),
        ("colour", None),
        ("frame", None),
        ("board", None),
        ("handle", None),
    ],
)
def test_well_known_names(form: str, category: str | None) -> None:
    found = {row["category"] for row in ROWS for _, known in _forms(row) if _key(known) == _key(form)}
    assert found == ({category} if category else set())
