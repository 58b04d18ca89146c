"""The HTML report of a request: what was asked, what is true now, what changed, and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from jinja2 import Environment, PackageLoader

from ..executor.blender.outputs import atomically
from ..executor.model.errors import ScenewrightError
from ..executor.model.result import EditResult

FILES = ("index.html", "before.png", "after.png")
"""What a report may consist of."""


def write_report(folder: Path, result: EditResult, pictures: Mapping[str, bytes]) -> None:
    """Write a page and its pictures into a folder, all or none of them.

    Args:
        folder: is made if it is not there.
        result: what to report.
        pictures: PNG files, by ``before`` and ``after``.

    Raises:
        ScenewrightError: ``bad_input`` if they cannot be written.
    """
    environment = Environment(loader=PackageLoader(__package__, "."), autoescape=True)
    files = {f"{name}.png": data for name, data in pictures.items()}
    page = environment.get_template("report.html.jinja").render(result=result, pictures=pictures)
    files["index.html"] = page.encode("utf-8", "backslashreplace")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScenewrightError("bad_input", f"{folder} cannot be made: {error.strerror}.", "Choose another.") from error
    with ExitStack() as written:
        for name, data in files.items():
            written.enter_context(atomically(folder / name)).write_bytes(data)
