"""A refusal seen from outside: one line for a person, one document for a program, and nothing written."""

from __future__ import annotations

from pathlib import Path

from ..executor.rooms import digest, scenewright

REQUEST = "move the table 20 cm left"


def listing(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}


def assert_refused(folder: Path, *arguments: object, code: str = "bad_input") -> str:
    """Run once for a person and once for a program; returns the line that the person sees."""
    before = listing(folder)
    seen = scenewright(*arguments)
    assert seen.code == 2
    assert seen.out == ""
    assert "Traceback" not in seen.err
    line = seen.error_line
    assert seen.err.endswith(f"{line}\n"), "something is said after the error"
    assert len(line) < 400

    told = scenewright(*arguments, "--json")
    assert told.code == 2
    document = told.json
    assert document["status"] == "refused"
    assert document["error"].keys() == {"code", "message", "hint", "candidates"}
    assert document["error"]["code"] == code
    assert document["error"]["message"] and "\n" not in document["error"]["message"]
    assert "Traceback" not in told.out + told.err
    assert not [x for x in told.err.splitlines() if x.startswith("scenewright: ")]

    assert listing(folder) == before, "something was written"
    return line
