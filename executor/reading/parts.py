"""What is part of what, by category: knowledge that neither a parent nor a box tells."""

from __future__ import annotations

from .lexicon import Lexicon

_PARTS_OF = (
    ("seat", "cushion"),
    ("bed", "mattress"),
    ("bed", "headboard"),
    ("electronics", "monitor"),
    ("appliance", "monitor"),
    ("lamp", "light bulb"),
    ("window", "drinking glass"),
    ("door frame", "door"),
    ("door", "door frame"),
)
"""Whole and part by category: a child of the second kind belongs to a root of the first."""
_BUILT_IN = (
    ("storage", "shelf"),
    ("furniture", "kitchen counter"),
    ("furniture", "sink"),
    ("furniture", "tap"),
    ("furniture", "shower head"),
    ("lamp", "cable"),
    ("appliance", "cable"),
    ("vehicle", "wheel"),
    ("vehicle", "lamp"),
    ("vehicle", "seat"),
    ("ceiling fan", "lamp"),
)
"""Whole and part by category if they touch."""
_COMPONENTS = (
    "keyboard",
    "mirror",
    "plate",
    "bowl",
    "box",
    "basket",
    "bucket",
    "tank",
    "barrel",
    "plank",
    "cable",
    "wheel",
    "led strip",
)
"""Categories whose words also name parts: a keyboard of a piano, a tank of a toilet. Where such a thing is held, and
neither lies nor stands by itself, it is one; a coat on a rack never is."""


def is_kin(part: str, whole: str, lexicon: Lexicon) -> bool:
    """Whether a category is the other one, a kind of it or always part of it."""
    return lexicon.is_a(part, whole) or lexicon.is_a(whole, part) or _is_pair(part, whole, _PARTS_OF, lexicon)


def is_always_part(part: str, whole: str, lexicon: Lexicon) -> bool:
    """Whether things of one category are always parts of one of the other where both are the same thing."""
    return _is_pair(part, whole, _PARTS_OF, lexicon)


def is_built_in(part: str, whole: str, lexicon: Lexicon) -> bool:
    """Whether a thing of one category is part of one of the other that it touches."""
    return _is_pair(part, whole, _BUILT_IN, lexicon)


def is_component(category: str, lexicon: Lexicon) -> bool:
    """Whether what a category is called is a common name of parts, too."""
    return any(lexicon.is_a(category, k) for k in _COMPONENTS)


def _is_pair(part: str, whole: str, pairs: tuple[tuple[str, str], ...], lexicon: Lexicon) -> bool:
    return any(lexicon.is_a(whole, w) and lexicon.is_a(part, p) for w, p in pairs)
