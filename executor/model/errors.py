"""The one exception family. It is raised anywhere and caught at the doors only."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
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
    "unprinted",
    "cancelled",
]

EXIT_CODES: dict[str, int] = {"endpoint_failed": 3, "internal": 3, "unprinted": 74, "cancelled": 130}
"""Exit codes of the contract; every other error is a refusal, which is 2. (74 is EX_IOERR of BSD's sysexits.h.)"""


class ScenewrightError(Exception):
    """Something a person can act on: what is wrong, and what to do about it.

    Args:
        code: one of the contract's error codes.
        message: one line saying what is wrong.
        hint: one line saying what to do; may be empty when the message says it all.
        candidates: names or ids to choose from, best first.
        question: id of the question that one of the candidates answers (``--answer QUESTION=ID``), if there is one.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        hint: str = "",
        candidates: Sequence[str] = (),
        question: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = printable(message)
        self.hint = printable(hint)
        self.candidates = list(candidates)
        self.question = question

    @classmethod
    def internal(cls, fault: Exception, hint: str) -> ScenewrightError:
        """What a door makes of a fault of ours."""
        return cls("internal", f"Scenewright failed with {type(fault).__name__}: {fault}.", hint)

    @property
    def exit_code(self) -> int:
        return EXIT_CODES.get(self.code, 2)

    def one_line(self) -> str:
        """The message and hint as the one line that a terminal shows."""
        return f"{self.message} {self.hint}".strip()


def printable(text: str) -> str:
    r"""Text for one line of a terminal: what would end the line, steer the terminal or turn the writing is escaped.

    Names in scenes and files may hold anything: ``Chair\x1b[31m`` is shown as ``Chair\u001b[31m``. The escapes are
    those of JSON, so that within a JSON string they change nothing.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or unicodedata.category(c) == "Zs" else json.dumps(c)[1:-1] for c in text)
