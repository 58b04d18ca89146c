"""The HTML report of a request: what was asked, what is true now, what changed, and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, PackageLoader

from ..executor.model.result import EditResult


def write_report(folder: Path, result: EditResult, pictures: Mapping[str, str]) -> Path:
    """Write ``index.html`` into a folder.

    Args:
        folder: exists; the pictures lie in it.
        result: what to report.
        pictures: file names, by ``before`` and ``after``.
    """
    environment = Environment(loader=PackageLoader(__package__, "."), autoescape=True)
    page = environment.get_template("report.html.jinja").render(result=result, pictures=pictures)
    path = folder / "index.html"
    path.write_text(page, encoding="utf-8")
    return path
