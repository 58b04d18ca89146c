"""The product's public door, driven in-process, for the cases from the field."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from scenewright.cli import main
from scenewright.executor.model.graph import Entity, SceneGraph


class Graph(SceneGraph):
    """What `graph` prints, validated."""

    def thing(self, object_name: str) -> Entity:
        """The one entry that a Blender object belongs to."""
        found = [e for e in self.objects if object_name in e.entity_of]
        assert len(found) == 1, f"{object_name} is in {[e.id for e in found]}"
        return found[0]


def size_of(entity: Entity) -> np.ndarray:
    """``(3,)`` extents of the world-axis-aligned box."""
    return np.subtract(entity.aabb.max, entity.aabb.min)


@dataclass(frozen=True)
class Answer:
    """What `edit` said: its exit code and JSON."""

    code: int
    data: dict[str, Any]

    @property
    def refusal(self) -> str:
        """Code of the refusal."""
        return self.data["error"]["code"]

    @property
    def said(self) -> str:
        """Everything that a person reads of a refusal."""
        error = self.data["error"]
        return f"{error['message']} {error['hint']}"

    def changes(self, kind: str) -> dict[str, dict[str, Any]]:
        """Changes of a kind, by name."""
        return {c["name"]: c for c in self.data["changes"] if c["kind"] == kind}


class Product:
    """`scenewright …` in this process."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capture = capture
        self._count = 0

    def graph(self, scene: Path | str = "-", *options: str) -> Graph:
        """The graph of a file, or of the open scene."""
        code, out = self._run("graph", str(scene), *options)
        assert code == 0, out
        return Graph.model_validate_json(out)

    def refused_graph(self, scene: Path) -> Answer:
        """What `graph` says of a file that it cannot read."""
        code, out = self._run("graph", str(scene))
        return Answer(code, json.loads(out))

    def edit(self, request: str, *options: str, scene: Path | None = None) -> Answer:
        """Carry out a request on a file, or on the open scene saved as one; the result is open afterwards."""
        source = scene or self.save()
        out_path = self.folder / f"out{self._count}.blend"
        self._count += 1
        before = source.read_bytes()
        code, out = self._run("edit", str(source), request, "-o", str(out_path), "--offline", *options)
        assert source.read_bytes() == before, "the source file was written"
        assert out_path.exists() == (code in (0, 1)), "output exists only if something was done"
        if out_path.exists():
            bpy.ops.wm.open_mainfile(filepath=str(out_path))
        return Answer(code, json.loads(out))

    def do(self, request: str, *options: str, scene: Path | None = None) -> Answer:
        """Carry out a request that must succeed, changing nothing else."""
        answer = self.edit(request, *options, scene=scene)
        assert answer.code == 0, answer.data.get("error") or answer.data["requirements"]
        assert answer.data["preservation"]["changed"] == []
        return answer

    def save(self, name: str | None = None) -> Path:
        """The open scene as a file of its own."""
        path = self.folder / (name or f"scene{self._count}.blend")
        bpy.context.view_layer.update()
        bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, compress=False)
        return path

    def _run(self, *arguments: str) -> tuple[int, str]:
        self._capture.readouterr()
        # Operators report through sys.stdout, which under pytest is not file descriptor 1.
        with redirect_stdout(sys.stderr):
            code = main([*arguments, "--json", "--quiet"])
        return code, self._capture.readouterr().out
