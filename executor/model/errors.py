"""The one exception family. It is raised anywhere and caught at the doors only."""

from __future__ import annotations

from typing import Literal, TypeAlias

ErrorCode: TypeAlias = Literal[
    "bad_input",
    "not_understood",
    "ambiguous",
    "contradiction",
    "unknown_object",
    "blocked",
    "infeasible",
    "protected",
    "unsupported",
    "endpoint_failed",
    "internal",
    "cancelled",
]

EXIT_CODES: dict[str, int] = {"endpoint_failed": 3, "internal": 3, "cancelled": 130}
"""Exit codes of the contract; every other error is a refusal, which is 2."""


class ScenewrightError(Exception):
    """Something a person can act on: what is wrong, and what to do about it.

    Args:
        code: one of the contract's error codes.
        message: one line saying what is wrong.
        hint: one line saying what to do; may be empty when the message says it all.
        candidates: names or ids to choose from, best first.
    """

    def __init__(self, code: ErrorCode, message: str, hint: str = "", candidates: list[str] | None = None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = "".join(c if c.isprintable() else " " for c in message)
        self.hint = hint
        self.candidates = candidates or []

    @property
    def exit_code(self) -> int:
        return EXIT_CODES.get(self.code, 2)

    def one_line(self) -> str:
        """The message and hint as the one line that a terminal shows."""
        return f"{self.message} {self.hint}".strip()
