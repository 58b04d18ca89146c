"""Files that we write: refused early if they cannot be, and put in place whole or not at all.

A scene is never written, by whatever name it is called: no output may be the file that it was read from.
"""

from __future__ import annotations

import glob
import os
import platform
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from ..model.errors import ScenewrightError

_STEM = 40
_MACHINE = blake2b(platform.node().encode(), digest_size=3).hexdigest()
"""What tells the temporary files of this machine from those of others that share the folder."""
_LONGEST_NAME = 255


def check_output(output: Path, suffix: str, source: Path | None, force: bool = False) -> None:
    """Refuse an output that cannot be written, before any work is done.

    Args:
        output: the file to write.
        suffix: what its name has to end in.
        source: the scene's file, if it has one.
        force: the output may be the scene itself.

    Raises:
        ScenewrightError: ``bad_input``.
    """
    if output.suffix.lower() != suffix:
        raise ScenewrightError("bad_input", f"{output} is not a {suffix} file.", f"Give -o a name ending in {suffix}.")
    if len(os.fsencode(output.name)) > _LONGEST_NAME:
        raise ScenewrightError("bad_input", f"The name of {output} is too long.", "Choose a shorter one.")
    with _told(output):
        _check_replaceable(output)
        if not force and _is_same(output, source):
            hint = "Choose another -o, or add --force." if suffix == ".blend" else "Choose another -o."
            raise ScenewrightError("bad_input", f"{output} is the scene itself.", hint)
        folder = _target(output).parent
        if not folder.is_dir():
            raise ScenewrightError("bad_input", f"There is no folder {folder}.", "Make it first.")
    with _told(output), _temporary_beside(output) as temporary:
        temporary.touch()


def check_libraries(output: Path, libraries: Iterable[Path]) -> None:
    """Refuse an output that is a file which the scene links to: the scene would lose what it holds.

    Raises:
        ScenewrightError: ``bad_input``.
    """
    with _told(output):
        if any(_is_same(output, library) for library in libraries):
            raise ScenewrightError("bad_input", f"{output} is a library that the scene links to.", "Choose another -o.")


def check_folder(folder: Path, files: tuple[str, ...], source: Path | None, output: Path | None) -> None:
    """Refuse a folder that cannot be made, or in which one of the files cannot be written; nothing is made yet.

    Args:
        folder: what to make.
        files: names of what to write into it.
        source: the scene's file, if it has one.
        output: what else will be written, if anything.

    Raises:
        ScenewrightError: ``bad_input``.
    """
    with _told(folder):
        target = _target(folder)
        if output is not None and _target(output) in (target, *target.parents):
            raise ScenewrightError("bad_input", f"{output} cannot be a file and a folder.", "Choose another folder.")
        there = next(f for f in (folder, *folder.absolute().parents) if f.exists())
        if not there.is_dir():
            raise ScenewrightError("bad_input", f"{there} is not a folder.", "Choose another.")
        if not os.access(there, os.W_OK | os.X_OK):
            raise ScenewrightError("bad_input", f"Nothing can be written to {there}.", "Check its permissions.")
        for output in (folder / name for name in files):
            _check_replaceable(output)
            if _is_same(output, source):
                raise ScenewrightError("bad_input", f"{output} is the scene itself.", "Choose another folder.")


@contextmanager
def atomically(output: Path) -> Iterator[Path]:
    """A name beside an output to write to: it becomes the output when the block ends, and is removed if that raises.

    Raises:
        ScenewrightError: ``bad_input`` if it cannot be written.
    """
    with _told(output), _temporary_beside(output) as temporary:
        yield temporary
        os.replace(temporary, _target(output))


def write_text(output: Path, text: str) -> None:
    """Write a text file, atomically.

    Raises:
        ScenewrightError: ``bad_input`` if it cannot be written.
    """
    with atomically(output) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _check_replaceable(output: Path) -> None:
    if output.is_dir():
        raise ScenewrightError("bad_input", f"{output} is a folder.", "Give a file name.")
    if output.exists() and not output.is_file():
        raise ScenewrightError("bad_input", f"{output} is not a plain file.", "Choose another name.")


def _is_same(output: Path, source: Path | None) -> bool:
    return source is not None and output.exists() and source.exists() and output.samefile(source)


def _target(output: Path) -> Path:
    """The file that a name leads to: a link stays a link."""
    return Path(os.path.realpath(output))


@contextmanager
def _temporary_beside(output: Path) -> Iterator[Path]:
    """A file name of our own in the target's folder, removed whatever happens.

    The file is not made here: it gets the permissions that new files have, and Blender leaves no backup of it. What
    processes that were killed have left beside the target is swept away.
    """
    target = _target(output)
    stem = f".{target.stem[:_STEM]}"
    mine = f"{_MACHINE}-{os.getpid()}-{secrets.token_hex(4)}"
    _sweep(target.parent, stem)
    temporary = target.parent / f"{stem}.{mine}{target.suffix}"
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _sweep(folder: Path, stem: str) -> None:
    """Remove temporary files of processes of this machine that are no more."""
    if os.name != "posix":  # elsewhere, asking for a process by its number may end it
        return
    for path in folder.glob(f"{glob.escape(stem)}.{_MACHINE}-*"):
        process = path.name[len(stem) :].split("-")[1]
        if process.isdecimal() and not _is_running(int(process)):
            path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OverflowError, PermissionError):
        return True
    return True


@contextmanager
def _told(output: Path) -> Iterator[None]:
    """What the system says against an output, as our error."""
    try:
        yield
    except OSError as error:
        raise ScenewrightError(
            "bad_input", f"{output} cannot be written: {error.strerror}.", "Choose another."
        ) from error
