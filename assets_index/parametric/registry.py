"""The catalogue of kinds: each is one function, entered here by the decorator `kind`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import TypeAlias

from ...executor.model.errors import ScenewrightError
from ...executor.model.piece import Piece, Role, Style, Vec3
from .draft import Draft

STYLES: tuple[Style, ...] = ("modern", "classic", "industrial")

Maker: TypeAlias = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class KindInfo:
    """What the catalogue knows about a kind before anything is built.

    Attributes:
        kind: its name, words with underscores.
        category: what a person would call it.
        role: the scene graph's role.
        size: default box, metres.
        smallest, largest: limits of each side of the box, metres.
        styles: styles it comes in; the first is its usual one.
        mass_kg: mass at the default size.
        has_front: whether it looks somewhere (towards −Y).
        size_in_style: default boxes of styles that differ from ``size``.
    """

    kind: str
    category: str
    role: Role
    size: Vec3
    smallest: Vec3
    largest: Vec3
    styles: tuple[Style, ...]
    mass_kg: float
    has_front: bool
    size_in_style: Mapping[str, Vec3] = field(default_factory=dict)

    def default_size(self, style: str) -> Vec3:
        """The default box in a style, metres."""
        return self.size_in_style.get(style, self.size)


_KINDS: dict[str, tuple[KindInfo, Maker]] = {}


def kind(
    name: str,
    *,
    category: str,
    role: Role,
    size: Vec3,
    smallest: Vec3,
    largest: Vec3,
    mass_kg: float,
    styles: tuple[Style, ...] = STYLES,
    has_front: bool = True,
    size_in_style: Mapping[str, Vec3] | None = None,
) -> Callable[[Maker], Maker]:
    """Register the decorated function as the maker of a kind; arguments as in `KindInfo`."""
    sizes = MappingProxyType(dict(size_in_style or {}))
    info = KindInfo(name, category, role, size, smallest, largest, styles, mass_kg, has_front, sizes)

    def enter(maker: Maker) -> Maker:
        if name in _KINDS:
            raise ValueError(f"kind {name!r} is registered twice")
        _KINDS[name] = (info, maker)
        return maker

    return enter


def kinds() -> list[KindInfo]:
    """Everything that can be built, by name."""
    return [_KINDS[name][0] for name in sorted(_KINDS)]


def build(kind: str, size: Vec3 | None = None, style: str = "modern", seed: int = 0) -> Piece:
    """Build a piece; the same arguments always give the same piece.

    Args:
        kind: one of `kinds`.
        size: box along x, y, z, metres, honoured exactly; None takes the kind's default.
        style: one of the kind's styles; it changes parts and proportions.
        seed: chooses colours and small variations.

    Raises:
        ScenewrightError: ``bad_input`` for an unknown kind or style, or a size outside the kind's limits.
    """
    if kind not in _KINDS:
        close = get_close_matches(kind, _KINDS, n=5, cutoff=0.4)
        raise ScenewrightError(
            "bad_input",
            f"There is no furniture kind '{kind}'.",
            f"Known: {', '.join(sorted(_KINDS))}.",
            close,
        )
    info, maker = _KINDS[kind]
    chosen = next((known for known in info.styles if known == style), None)
    if chosen is None:
        raise ScenewrightError(
            "bad_input",
            f"A {_words(kind)} does not come in the style '{style}'.",
            f"Choose {_either(info.styles)}.",
            list(info.styles),
        )
    box = info.default_size(chosen) if size is None else _checked(info, size)
    draft = Draft(kind, box, chosen, seed)
    maker(draft)
    volume = box[0] * box[1] * box[2]
    usual = info.default_size(chosen)
    mass_kg = info.mass_kg * volume / (usual[0] * usual[1] * usual[2])
    return draft.piece(
        category=info.category,
        role=info.role,
        front=(0.0, -1.0) if info.has_front else None,
        mass_kg=round(mass_kg, 3),
    )


def _checked(info: KindInfo, size: Vec3) -> Vec3:
    limits = [(lo, hi) for lo, hi in zip(info.smallest, info.largest, strict=True)]
    if len(size) != 3 or not all(lo - 1e-9 <= side <= hi + 1e-9 for side, (lo, hi) in zip(size, limits, strict=True)):
        x, y, z = (f"{lo:g}–{hi:g}" for lo, hi in limits)
        given = " × ".join(f"{side:g}" for side in size)
        raise ScenewrightError(
            "bad_input",
            f"A {_words(info.kind)} of {given} m is outside its limits.",
            f"It can be {x} m wide, {y} m deep and {z} m high.",
        )
    return (float(size[0]), float(size[1]), float(size[2]))


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _either(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
