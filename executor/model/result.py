"""Requirements, changes and the result of a request, as the contract's section 2 has them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from .errors import ErrorCode, ScenewrightError
from .predicate import Predicate, Status

RequirementType: TypeAlias = Literal["hard", "edit", "style", "preserve", "forbid"]
ChangeKind: TypeAlias = Literal[
    "added", "removed", "moved", "rotated", "scaled", "replaced", "restyled",
    "opened", "hidden", "shown", "renamed", "regrouped", "sorted",
]  # fmt: skip


class _Open(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Requirement(_Open):
    """One thing that should be true, and what came of it."""

    id: str
    type: RequirementType
    text: str
    priority: int = 0
    depends_on: list[str] = Field(default_factory=list)
    predicate: Predicate | None = None
    status: Status = "unknown"
    source: Literal["rule", "model", "both"] = "rule"
    matched_ids: list[str] = Field(default_factory=list)
    failure_mode: str | None = None
    repair_hint: str | None = None
    measured: dict[str, JsonValue] = Field(default_factory=dict)


class Change(_Open):
    """What became of one thing; `before` and `after` are read back from the scene."""

    id: str
    name: str
    kind: ChangeKind
    carried_by: str | None = None
    before: dict[str, JsonValue] = Field(default_factory=dict)
    after: dict[str, JsonValue] = Field(default_factory=dict)


class Preservation(_Open):
    """How many objects, and other scenes of the file, were no targets, and which of them changed all the same."""

    non_targets: int = 0
    changed: list[str] = Field(default_factory=list)


class Collision(_Open):
    """Two things that interpenetrate, and how deep, in metres."""

    a: str
    b: str
    depth: float


class Faults(_Open):
    """Physical faults, by kind; ids of things."""

    out_of_bounds: list[str] = Field(default_factory=list)
    collisions: list[Collision] = Field(default_factory=list)
    floating: list[str] = Field(default_factory=list)
    blocked_openings: list[str] = Field(default_factory=list)


class Physical(Faults):
    """All faults of what the request touched, and those that it introduced."""

    introduced: Faults = Field(default_factory=Faults)


class Attempt(_Open):
    """One try at a requirement."""

    step: int
    card: str
    args: dict[str, JsonValue]
    candidates: int
    outcome: Literal["accepted", "rejected"]
    reason: str = ""


class Question(_Open):
    """Something that neither the request nor the scene decides; ``--answer ID=CANDIDATE`` does."""

    id: str
    text: str
    candidates: list[str] = Field(default_factory=list)


class ModelUse(_Open):
    """What a model was asked."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class ErrorReport(_Open):
    """A refusal as the outside sees it."""

    code: str
    message: str
    hint: str
    candidates: list[str] = Field(default_factory=list)

    @classmethod
    def of(cls, error: ScenewrightError) -> ErrorReport:
        """What the outside sees of an error."""
        return cls(code=error.code, message=error.message, hint=error.hint, candidates=error.candidates)


class EditResult(_Open):
    """The JSON that `edit` and `build` print."""

    status: Literal["satisfied", "partial", "refused", "error"]
    output: str | None = None
    turn: int | None = None
    request: str
    requirements: list[Requirement] = Field(default_factory=list)
    changes: list[Change] = Field(default_factory=list)
    preservation: Preservation = Field(default_factory=Preservation)
    physical: Physical = Field(default_factory=Physical)
    attempts: list[Attempt] = Field(default_factory=list)
    degradations: list[str] = Field(default_factory=list)
    questions: list[Question] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    model: ModelUse = Field(default_factory=ModelUse)
    seconds: dict[str, float] = Field(default_factory=dict)
    error: ErrorReport | None = None

    @classmethod
    def refused(cls, request: str, error: ScenewrightError, **found: Any) -> EditResult:
        """The result of a request that nothing came of; `found` are further fields."""
        questions = []
        if error.question is not None:
            questions.append(Question(id=error.question, text=error.message, candidates=error.candidates))
        report = ErrorReport.of(error)
        return cls(status="refused", request=request, error=report, questions=questions, **found)

    def refusal(self) -> ScenewrightError | None:
        """The error that a refusal stands for, or None if this is no refusal."""
        if self.error is None:
            return None
        code = cast(ErrorCode, self.error.code)
        question = self.questions[0].id if self.questions else None
        return ScenewrightError(code, self.error.message, self.error.hint, self.error.candidates, question)
