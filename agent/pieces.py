"""What a clause is cut into."""

from __future__ import annotations

from dataclasses import dataclass, field

from .part_phrases import PartPhrase
from .references import NounPhrase


@dataclass(slots=True)
class Pieces:
    """A clause cut up.

    Attributes:
        verb: what is to be done.
        nouns: the things that it is about.
        relation, related: where to, or whose: ``on`` the desk, ``toward`` the bed, ``to`` the table.
        length, angle, factor: amounts: metres, degrees, a ratio.
        dimension: the only one that the ratio is of: ``tall``, ``wide``, ….
        direction, turn, color, posture: words of those tables.
        source: what is to be brought in.
        copied: the source is a copy of what is there.
        part: a drawer, door or the like.
        name, collection, material: as they are written.
        doubled: a kind of piece that was given twice.
    """

    verb: str
    nouns: list[NounPhrase] = field(default_factory=list)
    relation: str | None = None
    related: NounPhrase | None = None
    length: float | None = None
    angle: float | None = None
    factor: float | None = None
    dimension: str | None = None
    direction: str | None = None
    turn: str | None = None
    color: str | None = None
    posture: str | None = None
    source: NounPhrase | None = None
    part: PartPhrase | None = None
    name: str | None = None
    collection: str | None = None
    material: str | None = None
    copied: bool = False
    doubled: str | None = None

    def put(self, name: str, value: object) -> None:
        """Fill in a piece; a second one of its kind is noted, as it cannot be meant as well."""
        if getattr(self, name) is not None:
            self.doubled = name
        setattr(self, name, value)


SOLE = ("relation", "length", "angle", "factor", "dimension", "direction", "turn", "color", "posture", "source",
        "part", "name", "collection", "material")  # fmt: skip
"""Pieces of which a clause has one at most, and that a frame must have a use for."""
