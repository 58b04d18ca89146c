"""The terminal: one JSON document or a table on stdout, progress and warnings on stderr, and Ctrl-C."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn, TextIO

from pydantic import JsonValue

from .agent.loop import Progress
from .executor.model.errors import ScenewrightError, printable
from .executor.model.history import Difference, Version
from .executor.model.result import EditResult, ErrorReport
from .executor.model.steps import each_piece

_BAR = 24
_PATIENCE = 2.0
"""Seconds of work from which progress is shown."""


@dataclass(frozen=True, slots=True)
class Streams:
    """Where we print: results to `out`, everything said about them to `err`."""

    out: TextIO
    err: TextIO

    def tell(self, lines: Iterable[str], done: str = "Nothing was written.") -> None:
        """Print a result.

        Args:
            lines: the result.
            done: what to say of the work if they cannot be printed.

        Raises:
            ScenewrightError: ``unprinted`` if the disk is full, or the reader has gone.
        """
        try:
            self.out.write("".join(f"{printable(line)}\n" for line in lines))
            self.out.flush()
        except OSError as error:
            raise ScenewrightError("unprinted", f"The result cannot be printed: {error.strerror}.", done) from error

    def say(self, line: str) -> None:
        """Print a line about the work; where that fails, there is nowhere left to say so."""
        with suppress(OSError):
            self.err.write(f"{printable(line)}\n")
            self.err.flush()


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
            with suppress(OSError):  # whoever printed this was told that it failed
                stream.flush()
            os.dup2(fd, number)
            os.close(fd)


def _flush_c_streams() -> None:
    """Have C's stdio written out now: what Blender printed may lie in its buffers, and would go to our stdout later."""
    # On Windows that is the C library which Blender and its modules share; msvcrt is another, with buffers of its own.
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    library.fflush(None)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C does nothing within the block, but where `allow_interrupts` lets it; afterwards all is as before."""
    before = signal.getsignal(signal.SIGINT)
    hold_interrupts()
    try:
        yield
    finally:
        # Within Blender the handler before was not set from Python, and None tells so.
        _on_interrupt(signal.SIG_DFL if before is None else before)


def allow_interrupts() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt, also within Blender, whose own handler only asks renders to stop.

    It raises once: the cleaning up that follows is not interrupted again.
    """
    _on_interrupt(_interrupt)


def hold_interrupts() -> None:
    """From here on Ctrl-C comes too late: what is being put in place is put there whole, and told.

    Raises:
        KeyboardInterrupt: it came before, and code that calls Python for us (an importer, a finaliser) made something
            else of it.
    """
    lost = signal.getsignal(signal.SIGINT) is _interrupted
    _on_interrupt(signal.SIG_IGN)
    if lost:
        raise KeyboardInterrupt


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    _on_interrupt(_interrupted)
    raise KeyboardInterrupt


def _interrupted(number: int, frame: FrameType | None) -> None:
    """The first Ctrl-C is on its way to `main`."""


def _on_interrupt(handler: Callable[[int, FrameType | None], object] | int) -> None:
    if threading.current_thread() is threading.main_thread():  # elsewhere it cannot be set, and is not raised
        signal.signal(signal.SIGINT, handler)


def run_to_end(steps: Generator[Progress, None, EditResult], quiet: bool, err: TextIO) -> EditResult:
    """Run the loop to its result, showing progress on a terminal once it takes longer than two seconds."""
    shows = not quiet and err.isatty()
    began = time.monotonic()
    results: list[EditResult] = []
    try:
        for progress in each_piece(steps, results.append):
            if shows and time.monotonic() - began > _PATIENCE:
                filled = round(progress.done * _BAR)
                err.write(f"\r[{'█' * filled}{'·' * (_BAR - filled)}] {printable(progress.doing)[:50]:50}")
                err.flush()
        return results[0]
    finally:
        steps.close()
        if shows:
            err.write("\r\033[K")


def tell_error(error: ScenewrightError, as_json: bool, streams: Streams) -> int:
    """One line on stderr, or the refusal as JSON on stdout; returns the exit code."""
    if as_json and error.code != "unprinted":
        status = "error" if error.exit_code == 3 else "refused"
        document = f'{{"status":"{status}","error":{ErrorReport.of(error).model_dump_json()}}}'
        with suppress(ScenewrightError):  # cannot be printed: then for a person
            streams.tell([document])
            return error.exit_code
    streams.say(f"scenewright: {error.one_line()}")
    return error.exit_code


def result_lines(result: EditResult) -> Iterator[str]:
    """The result as a table for a person."""
    marks = {"satisfied": "✓", "unsatisfied": "✗", "unknown": "?"}
    for requirement in result.requirements:
        yield f"{marks[requirement.status]} {requirement.text}"
        measured = requirement.measured.get("reason") or _measured(requirement.measured)
        if measured:
            yield f"    {measured}"
        if requirement.repair_hint:
            yield f"    → {requirement.repair_hint}"
    for change in result.changes:
        carried = f" (carried by {change.carried_by})" if change.carried_by else ""
        yield f"  {change.kind:9}{change.name}{carried}"
    kept = result.preservation
    untouched = "unchanged" if not kept.changed else f"{len(kept.changed)} CHANGED: {', '.join(kept.changed[:5])}"
    yield f"  {kept.non_targets} other objects: {untouched}"
    new = result.physical.introduced
    for collision in new.collisions:
        yield f"  new collision: {collision.a} is {collision.depth * 1000:.1f} mm deep in {collision.b}"
    for thing in new.floating:
        yield f"  now floating: {thing}"
    for warning in result.warnings:
        yield f"  note: {warning}"
    yield f"{result.status}: {result.output or 'nothing written (--dry-run)'}"


def history_lines(versions: Sequence[Version]) -> Iterator[str]:
    """The versions of a scene as a table for a person."""
    for version in versions:
        here = "→" if version.current else " "
        came_from = f"from {version.parent}" if version.parent not in (None, version.turn - 1) else ""
        said = "the start of this history" if version.kind == "source" else version.request
        yield f"{here} {version.turn:>3} {came_from:9}{said}  {version.status}".rstrip()
        for change in version.changes:
            yield f"               {change.kind:9}{change.name}"
    size, kept = sum(v.bytes for v in versions) / 1000, sum(len(v.kept) for v in versions)
    blocks = "1 datablock is" if kept == 1 else f"{kept} datablocks are"
    yield f"{size:.1f} kB of notes; {blocks} kept in the file only to go back to."


def difference_lines(differences: Sequence[Difference]) -> Iterator[str]:
    """What differs between two versions as a table for a person."""
    for found in differences:
        yield f"{found.object}: {found.what} {found.before} → {found.after}"
    if not differences:
        yield "No difference."


def _measured(measured: dict[str, JsonValue]) -> str:
    return ", ".join(f"{name} {value}" for name, value in measured.items())
