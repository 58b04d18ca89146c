"""Small rooms built in Blender, and the command line run within this process."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from scenewright.cli import main
from scenewright.executor.model.result import EditResult

ROOM = (5.0, 4.0, 2.6)
WALL = 0.1


def new_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def block(
    name: str,
    size: Sequence[float],
    at: Sequence[float],
    *,
    color: Sequence[float] | None = None,
    parent: bpy.types.Object | None = None,
) -> bpy.types.Object:
    """A box of a size in metres whose origin is in the middle of its underside, standing at a point."""
    x, y, z = np.array(size) * (0.5, 0.5, 1)
    mesh = bpy.data.meshes.new(name)
    corners = [(sx * x, sy * y, sz * z) for sz in (0, 1) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh.from_pydata(corners, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    if color is not None:
        mesh.materials.append(material(f"{name} material", color))
    if parent is not None:
        obj.parent = parent
        obj.matrix_parent_inverse = parent.matrix_world.inverted()
    obj.location = at
    bpy.context.view_layer.update()
    return obj


def material(name: str, color: Sequence[float]) -> bpy.types.Material:
    made = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0):
        made.use_nodes = True
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1)
    made.diffuse_color = (*color, 1)
    return made


def shell() -> None:
    """A closed room of 5 × 4 × 2.6 m around the origin, its floor at 0."""
    (w, d, h), t = ROOM, WALL
    block("Floor", (w, d, t), (0, 0, -t))
    block("Wall_N", (w + 2 * t, t, h), (0, (d + t) / 2, 0))
    block("Wall_S", (w + 2 * t, t, h), (0, -(d + t) / 2, 0))
    block("Wall_E", (t, d, h), ((w + t) / 2, 0, 0))
    block("Wall_W", (t, d, h), (-(w + t) / 2, 0, 0))


def furnished() -> None:
    """The shell with a table (a mug and a book on it), a chair, a sofa, a crate and a shelf with two boards."""
    new_file()
    shell()
    block("Table", (1.2, 0.8, 0.74), (0, 0, 0), color=(0.2, 0.1, 0.05))
    block("Mug", (0.08, 0.08, 0.1), (0.3, 0.1, 0.74), color=(0.8, 0.8, 0.8))
    block("Book", (0.15, 0.2, 0.03), (-0.2, 0, 0.74), color=(0.01, 0.02, 0.3))
    block("Chair", (0.45, 0.45, 0.9), (1.5, 0, 0), color=(0.6, 0.02, 0.02))
    block("Sofa", (2, 0.9, 0.8), (0, 1.5, 0), color=(0.2, 0.2, 0.2))
    block("Crate", (0.4, 0.4, 0.4), (-1.8, -1.4, 0), color=(0.5, 0.4, 0.2))


def save(path: Path, compress: bool = False) -> Path:
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, copy=True, compress=compress)
    return path


def open_blend(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)


def worlds() -> dict[str, np.ndarray]:
    """World matrices of all objects in the open scene, by name."""
    bpy.context.view_layer.update()
    return {o.name: np.array(o.matrix_world) for o in bpy.context.scene.objects}


def worlds_in(path: Path) -> dict[str, np.ndarray]:
    open_blend(path)
    return worlds()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- the command line -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """What a run of the command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """The one JSON document that stdout holds."""
        return json.loads(self.out)

    @property
    def result(self) -> EditResult:
        return EditResult.model_validate_json(self.out)

    @property
    def error_line(self) -> str:
        """The one line on stderr that says what is wrong."""
        ours = [line for line in self.err.splitlines() if line.startswith("scenewright: ")]
        assert len(ours) == 1, self.err
        return ours[0]


# Never closed: importers keep hold of the stream that they first logged to.
_STDOUT = open(1, "w", closefd=False)  # noqa: SIM115
_STDERR = open(2, "w", closefd=False)  # noqa: SIM115


def scenewright(*arguments: object) -> Done:
    """Run a command within this process. What C code buffers for stdout is seen by none of the runs."""
    _flush()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = contextlib.redirect_stdout(_STDOUT), contextlib.redirect_stderr(_STDERR)
        with _redirected(1, out.fileno()), _redirected(2, err.fileno()), streams[0], streams[1]:
            try:
                code = main([str(a) for a in arguments])
            except SystemExit as exit_:
                code = int(exit_.code or 0)
            _STDOUT.flush()
            _STDERR.flush()
        _flush()
        out.seek(0)
        err.seek(0)
        return Done(code, out.read().decode(errors="replace"), err.read().decode(errors="replace"))


def edit(source: Path, request: str, output: Path, *options: object) -> Done:
    return scenewright("edit", source, request, "-o", output, "--json", *options)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)


@contextlib.contextmanager
def _redirected(descriptor: int, target: int) -> Iterator[None]:
    saved = os.dup(descriptor)
    os.dup2(target, descriptor)
    try:
        yield
    finally:
        os.dup2(saved, descriptor)
        os.close(saved)
