"""Predicates as data: a name of the contract, who it is about, and how it is qualified."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue

PredicateName: TypeAlias = Literal[
    "exists",
    "absent",
    "on_top_of",
    "move_delta",
    "rotation_delta",
    "scale_ratio",
    "posture",
    "opened",
    "replaced",
    "color",
    "material",
    "hidden",
    "shown",
    "named",
    "follows",
    "grouped",
    "in_collection",
    "no_collision",
]

Status: TypeAlias = Literal["satisfied", "unsatisfied", "unknown"]


class Predicate(BaseModel):
    """One checkable statement.

    Attributes:
        name: one of the contract's predicates, or of those that say what an operation leaves.
        subject: ids of the things it is about; none as long as they are to be made.
        object: ids of what they are related to, if anything.
        qualifiers: numbers and frames, by name: ``offset`` ``[x, y, z]`` metres, ``angle_deg``, ``factor``,
            ``color``, ``frame``, ….
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: PredicateName
    subject: list[str]
    object: list[str] = Field(default_factory=list)
    qualifiers: dict[str, JsonValue] = Field(default_factory=dict)


class Verdict(BaseModel):
    """What a predicate came to on a scene.

    Attributes:
        status: ``unknown`` when it cannot be decided on this scene.
        measured: the numbers it was decided on, by name.
        failure_mode: a short name for how it failed, or None.
        repair_hint: what would mend it, or None.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Status
    measured: dict[str, JsonValue] = Field(default_factory=dict)
    failure_mode: str | None = None
    repair_hint: str | None = None

    @classmethod
    def of(cls, holds: bool, failure_mode: str = "", repair_hint: str = "", **measured: object) -> Verdict:
        """A decided verdict; the failure's name and hint are dropped when it holds."""
        return cls(
            status="satisfied" if holds else "unsatisfied",
            measured=cast("dict[str, JsonValue]", measured),
            failure_mode=None if holds else failure_mode or None,
            repair_hint=None if holds else repair_hint or None,
        )
