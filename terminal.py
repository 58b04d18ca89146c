"""What reaches the terminal: one JSON document or a table on stdout, progress and warnings on stderr."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pydantic import JsonValue

from .agent.loop import Progress
from .executor.model.errors import ScenewrightError
from .executor.model.result import EditResult, ErrorReport


@dataclass(frozen=True, slots=True)
class Streams:
    """Where we print: results to `out`, everything said about them to `err`."""

    out: TextIO
    err: TextIO


_BAR = 24
_PATIENCE = 2.0
"""Seconds of work from which progress is shown."""


@contextmanager
def own_streams(verbose: bool) -> Iterator[Streams]:
    """The real stdout and stderr, for us alone; what Blender and its importers print meanwhile is dropped.

    Args:
        verbose: let it through to stderr instead.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    ours = [os.dup(1), os.dup(2)]
    chatter = os.dup(2) if verbose else os.open(os.devnull, os.O_WRONLY)
    os.dup2(chatter, 1)
    os.dup2(chatter, 2)
    os.close(chatter)
    _flush_c_streams()  # what Blender printed before we were called, as far as it still holds it
    out, err = (os.fdopen(fd, "w", encoding="utf-8", errors="backslashreplace", closefd=False) for fd in ours)
    try:
        yield Streams(out, err)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        _flush_c_streams()
        for number, (fd, stream) in enumerate(zip(ours, (out, err), strict=True), 1):
            stream.flush()
            os.dup2(fd, number)
            os.close(fd)


def _flush_c_streams() -> None:
    """Have C's stdio written out now: what Blender printed may lie in its buffers, and would go to our stdout later."""
    library = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
    library.fflush(None)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, also within Blender, whose own handler only asks renders to stop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        # Within Blender the handler before was not set from Python, and None tells so.
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def run_to_end(steps: Generator[Progress, None, EditResult], quiet: bool, err: TextIO) -> EditResult:
    """Run the loop to its result, showing progress on a terminal once it takes longer than two seconds."""
    shows = not quiet and err.isatty()
    began = time.monotonic()
    try:
        while True:
            try:
                progress = next(steps)
            except StopIteration as end:
                result: EditResult = end.value
                return result
            if shows and time.monotonic() - began > _PATIENCE:
                filled = round(progress.done * _BAR)
                err.write(f"\r[{'█' * filled}{'·' * (_BAR - filled)}] {progress.doing[:50]:50}")
                err.flush()
    finally:
        steps.close()
        if shows:
            err.write("\r\033[K")


def timed(work: Callable[[], None]) -> float:
    """Do something and return the seconds it took."""
    began = time.perf_counter()
    work()
    return round(time.perf_counter() - began, 3)


def write_text(path: Path, text: str) -> None:
    """Write a text file so that a crash leaves the old one or the new one.

    Raises:
        ScenewrightError: ``bad_input`` if it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.resolve().parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except OSError as error:
        raise ScenewrightError(
            "bad_input", f"{path} cannot be written: {error.strerror}.", "Check the path."
        ) from error


def tell_error(error: ScenewrightError, as_json: bool, streams: Streams) -> None:
    """One line on stderr, or the refusal as JSON on stdout."""
    if as_json:
        status = "error" if error.exit_code == 3 else "refused"
        report = ErrorReport(
            code=error.code, message=error.message, hint=error.hint, candidates=error.candidates
        ).model_dump_json()
        streams.out.write(f'{{"status":"{status}","error":{report}}}\n')
    else:
        streams.err.write(f"scenewright: {error.one_line()}\n")


def tell_result(result: EditResult, as_json: bool, out: TextIO) -> None:
    """The result as JSON, or as a table for a person."""
    if as_json:
        out.write(result.model_dump_json(indent=1) + "\n")
        return
    marks = {"satisfied": "✓", "unsatisfied": "✗", "unknown": "?"}
    for requirement in result.requirements:
        out.write(f"{marks[requirement.status]} {requirement.text}\n")
        measured = requirement.measured.get("reason") or _measured(requirement.measured)
        if measured:
            out.write(f"    {measured}\n")
        if requirement.repair_hint:
            out.write(f"    → {requirement.repair_hint}\n")
    for change in result.changes:
        carried = f" (carried by {change.carried_by})" if change.carried_by else ""
        out.write(f"  {change.kind:9}{change.name}{carried}\n")
    kept = result.preservation
    untouched = "unchanged" if not kept.changed else f"{len(kept.changed)} CHANGED: {', '.join(kept.changed[:5])}"
    out.write(f"  {kept.non_targets} other objects: {untouched}\n")
    new = result.physical.introduced
    for collision in new.collisions:
        out.write(f"  new collision: {collision.a} is {collision.depth * 1000:.1f} mm deep in {collision.b}\n")
    for thing in new.floating:
        out.write(f"  now floating: {thing}\n")
    for warning in result.warnings:
        out.write(f"  note: {warning}\n")
    out.write(f"{result.status}: {result.output or 'nothing written (--dry-run)'}\n")


def _measured(measured: dict[str, JsonValue]) -> str:
    return ", ".join(f"{name} {value}" for name, value in measured.items())
