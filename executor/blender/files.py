"""Opening any scene file, and saving a .blend so that a crash leaves the old file or the new one."""

from __future__ import annotations

import os
import re
import secrets
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ..model.errors import ScenewrightError

_STEM = 40
_LONGEST_NAME = 255
_ZSTD, _GZIP, _BLEND = b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"BLENDER"
_IMPORTERS: dict[str, Callable[[str], object]] = {
    ".glb": lambda p: bpy.ops.import_scene.gltf(filepath=p),
    ".gltf": lambda p: bpy.ops.import_scene.gltf(filepath=p),
    ".usd": lambda p: bpy.ops.wm.usd_import(filepath=p),
    ".usda": lambda p: bpy.ops.wm.usd_import(filepath=p),
    ".usdc": lambda p: bpy.ops.wm.usd_import(filepath=p),
    ".usdz": lambda p: bpy.ops.wm.usd_import(filepath=p),
    ".obj": lambda p: bpy.ops.wm.obj_import(filepath=p),
    ".fbx": lambda p: bpy.ops.import_scene.fbx(filepath=p),
}
READABLE = (".blend", *_IMPORTERS)


@dataclass(slots=True)
class OpenedFile:
    """What is open, and what its next save has to respect.

    Attributes:
        path: the file.
        compressed: the source was a compressed .blend; a save keeps that.
        modes: object modes that were left for reading, by object name, to be restored for saving.
        active: name of the active object, or None.
        warnings: doubts, a sentence each.
        damage_on_save: why saving would degrade the file, or None.
    """

    path: Path
    compressed: bool = False
    modes: dict[str, str] = field(default_factory=dict)
    active: str | None = None
    warnings: list[str] = field(default_factory=list)
    damage_on_save: str | None = None


def open_scene(path: Path) -> OpenedFile:
    """Open or import a scene with scripts disabled, leaving Edit and other modes.

    Raises:
        ScenewrightError: ``bad_input`` if the file is missing, a folder, empty, truncated or of a kind that cannot
            be read.
    """
    suffix = path.suffix.lower()
    _check_readable(path, suffix)
    opened = OpenedFile(path)
    if suffix == ".blend":
        opened.compressed = _magic(path)[:4] == _ZSTD or _magic(path)[:2] == _GZIP
        _load_blend(path)
        _note_blend_doubts(opened)
        _leave_modes(opened)
    else:
        _import(path, suffix)
        opened.warnings += _import_doubts(path, suffix)
    return opened


def new_scene() -> None:
    """An empty scene with factory settings."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def _check_readable(path: Path, suffix: str) -> None:
    if not path.exists():
        raise ScenewrightError("bad_input", f"There is no file {path}.", "Check the path.")
    if path.is_dir():
        raise ScenewrightError("bad_input", f"{path} is a folder.", "Name a scene file in it.")
    if suffix not in READABLE:
        raise ScenewrightError("bad_input", f"{path.name} is not a scene file.", f"Readable are {' '.join(READABLE)}.")
    if not os.access(path, os.R_OK):
        raise ScenewrightError("bad_input", f"{path} cannot be read.", "Check its permissions.")
    if path.stat().st_size == 0:
        raise ScenewrightError("bad_input", f"{path} is empty.", "Was it saved completely?")
    if suffix == ".blend":
        magic = _magic(path)
        if not (magic.startswith(_BLEND) or magic[:4] == _ZSTD or magic[:2] == _GZIP):
            raise ScenewrightError("bad_input", f"{path} is not a Blender file.", "Its header says otherwise.")


def _magic(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def _load_blend(path: Path) -> None:
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.resolve()), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise ScenewrightError(
            "bad_input",
            f"Blender cannot open {path}: {_reason(error)}",
            f"It may be damaged, or made by a Blender newer than {bpy.app.version_string}.",
        ) from error


def _import(path: Path, suffix: str) -> None:
    new_scene()
    try:
        _IMPORTERS[suffix](str(path.resolve()))
    except (
        RuntimeError,
        OSError,
        ValueError,
        KeyError,
        IndexError,
        UnicodeDecodeError,
        struct.error,
        zlib.error,
    ) as e:
        raise ScenewrightError(
            "bad_input", f"{path} cannot be imported: {_reason(e)}", "It may be damaged or incomplete."
        ) from e
    if not bpy.context.scene.objects:
        raise ScenewrightError("bad_input", f"{path} holds no objects.", "It may be damaged or incomplete.")
    bpy.context.view_layer.update()


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if "Traceback" in str(error):  # an importer's own fault: what it was stands before Blender's note of where
        lines = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)][-1:]
    text = lines[0] if lines else type(error).__name__
    return re.sub(r"^Error:\s*", "", text).rstrip(".") + "."


def _note_blend_doubts(opened: OpenedFile) -> None:
    made_by = bpy.data.version[:2]
    if made_by > bpy.app.version[:2]:
        opened.warnings.append(
            f"The file was made by Blender {made_by[0]}.{made_by[1]}, newer than this {bpy.app.version_string}: "
            "settings that this version does not know are lost when it saves."
        )
    missing = sorted(lib.filepath for lib in bpy.data.libraries if not os.path.exists(bpy.path.abspath(lib.filepath)))
    if missing:
        opened.warnings.append(f"Missing libraries: {', '.join(missing)}.")
        if made_by < (3, 0):
            opened.damage_on_save = (
                "its linked libraries are missing and it holds proxies from before Blender 3.0, which would be lost"
            )


def _leave_modes(opened: OpenedFile) -> None:
    """Leave Edit and other modes: in Edit Mode evaluated meshes are empty and mesh edits are overwritten later."""
    view_layer = bpy.context.view_layer
    opened.active = view_layer.objects.active.name if view_layer.objects.active else None
    opened.modes = {o.name: o.mode for o in view_layer.objects if o.mode != "OBJECT"}
    if opened.modes and view_layer.objects.active is not None:
        bpy.ops.object.mode_set(mode="OBJECT")
        view_layer.update()


def _restore_modes(opened: OpenedFile) -> bool:
    """Go back to the mode that was left, if the object that was in it is still there; says whether it did."""
    view_layer = bpy.context.view_layer
    active = view_layer.objects.get(opened.active) if opened.active in opened.modes else None
    if active is None:
        return False
    view_layer.objects.active = active
    bpy.ops.object.mode_set(mode=opened.modes[active.name])
    return True


def _import_doubts(path: Path, suffix: str) -> list[str]:
    if not suffix.startswith(".usd"):
        return []
    with path.open("rb") as file:
        head = file.read(65536).decode("utf-8", "replace")
    axis = re.search(r'upAxis\s*=\s*"([^"]*)"', head)
    if axis and axis.group(1) not in ("Y", "Z"):
        return [
            f'The stage says upAxis = "{axis.group(1)}", which Blender reads as Y-up: the scene may lie on its side.'
        ]
    return []


def check_output(output: Path, source: Path | None, force: bool, suffix: str = ".blend") -> None:
    """Refuse an output that cannot be written, before any work is done.

    Raises:
        ScenewrightError: ``bad_input``.
    """
    if output.suffix.lower() != suffix:
        raise ScenewrightError("bad_input", f"{output} is not a {suffix} file.", f"Give -o a name ending in {suffix}.")
    if len(output.name.encode()) > _LONGEST_NAME:
        raise ScenewrightError("bad_input", f"The name of {output} is too long.", "Choose a shorter one.")
    if output.is_dir():
        raise ScenewrightError("bad_input", f"{output} is a folder.", "Give -o a file name.")
    if source is not None and output.exists() and source.exists() and output.samefile(source) and not force:
        raise ScenewrightError("bad_input", f"{output} is the scene itself.", "Choose another -o, or add --force.")
    folder = output.resolve().parent
    if not folder.is_dir():
        raise ScenewrightError("bad_input", f"There is no folder {folder}.", "Make it first.")
    try:
        with _temporary_beside(output) as temporary:
            temporary.touch()
    except OSError as error:
        raise ScenewrightError(
            "bad_input", f"{output} cannot be written: {error.strerror}.", "Choose another."
        ) from error


def save_blend(output: Path, opened: OpenedFile | None, force: bool = False) -> None:
    """Save the open scene to a file, atomically, keeping in memory what was open.

    Relative paths are remapped for the target's folder; the modes that were left for reading are saved as they were.

    Raises:
        ScenewrightError: ``unsupported`` if saving would degrade the file, ``bad_input`` if it cannot be written.
    """
    if opened is not None and opened.damage_on_save and not force:
        raise ScenewrightError(
            "unsupported",
            f"Saving would harm the file: {opened.damage_on_save}.",
            "Bring the libraries, or --force.",
        )
    with _temporary_beside(output) as temporary:
        in_mode = opened is not None and _restore_modes(opened)
        try:
            bpy.ops.wm.save_as_mainfile(
                filepath=str(temporary),
                copy=True,
                check_existing=False,
                compress=bool(opened and opened.compressed),
            )
        except RuntimeError as error:
            raise ScenewrightError(
                "bad_input", f"{output} cannot be written: {_reason(error)}", "Is the disk full?"
            ) from error
        finally:
            if in_mode:
                bpy.ops.object.mode_set(mode="OBJECT")
        os.replace(temporary, output.resolve())


@contextmanager
def _temporary_beside(output: Path) -> Iterator[Path]:
    """A file name of our own in the target's folder, removed whatever happens.

    The file is not made here: over one that exists, Blender would leave a backup.
    """
    temporary = output.resolve().parent / f".{output.stem[:_STEM]}.{secrets.token_hex(6)}{output.suffix}"
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
