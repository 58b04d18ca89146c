"""What a request can bring in: built-in kinds, materials, and files of the user's folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import ClassVar

from ..executor.model.errors import ScenewrightError
from ..executor.reading.lexicon import lexicon
from ..executor.reading.names import singular

_SHOWN = 8


@dataclass(frozen=True)
class Stock:
    """What there is to choose from.

    Attributes:
        kinds: built-in kinds, with the category and the role of each.
        materials: names of the file's materials, then of those that come with us.
        folders: where files that a request names are looked for, best first; nothing outside them is read.
    """

    SUFFIXES: ClassVar = (".blend", ".glb", ".gltf", ".usd", ".usda", ".usdc", ".usdz", ".obj", ".fbx")

    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    materials: Sequence[str] = ()
    folders: Sequence[Path] = ()

    def kind(self, words: Sequence[str], on_something: bool) -> str | None:
        """The built-in kind that some words name, or None: by its own name, else the first of that category.

        Args:
            words: folded.
            on_something: it goes onto a thing, so small ones come first; else those that stand by themselves.
        """
        name = "_".join([*words[:-1], singular(words[-1])])
        if name in self.kinds:
            return name
        category = lexicon().lookup(" ".join(words))
        found = [(role, kind) for kind, (of, role) in self.kinds.items() if of == category]
        return min(found, key=lambda f: ((f[0] == "manipulable") != on_something, f[1]), default=("", None))[1]

    def material(self, text: str) -> str:
        """The name of a material, written in any case.

        Raises:
            ScenewrightError: ``unknown_object`` if there is none.
        """
        by_key = {name.casefold(): name for name in reversed(self.materials)}
        found = by_key.get(text.casefold())
        if found is None:
            close = [by_key[key] for key in get_close_matches(text.casefold(), by_key, n=_SHOWN, cutoff=0.5)]
            hint = f"There are: {', '.join(close or sorted(self.materials)[:_SHOWN])}."
            raise ScenewrightError("unknown_object", f"There is no material called “{text}”.", hint)
        return found

    def file(self, text: str) -> Path:
        """A file that a request names, within one of the folders.

        Raises:
            ScenewrightError: ``bad_input`` if there is none.
        """
        for folder in self.folders:
            path = (folder / text).resolve()
            if path.is_relative_to(folder.resolve()) and path.is_file():
                return path
        told = ", ".join(str(folder) for folder in self.folders) or "no folder"
        raise ScenewrightError(
            "bad_input", f"There is no file {text} in {told}.", "Name its folder with --library, or copy it there."
        )
