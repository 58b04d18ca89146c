"""Opening any scene file, and saving a .blend that is as complete as what was opened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ..model.errors import ScenewrightError
from .outputs import atomically

_ZSTD, _GZIP, _BLEND = b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"BLENDER"
_IMPORTERS = {
    ".glb": ("import_scene.gltf",),
    ".gltf": ("import_scene.gltf",),
    ".usd": ("wm.usd_import",),
    ".usda": ("wm.usd_import",),
    ".usdc": ("wm.usd_import",),
    ".usdz": ("wm.usd_import",),
    ".obj": ("wm.obj_import",),
    ".fbx": ("wm.fbx_import", "import_scene.fbx"),
}
"""Operators that import a kind of file, best first; which there are depends on the Blender and on its add-ons."""
_TOLD = 5
"""Missing images that a warning lists."""
READABLE = (".blend", *_IMPORTERS)


@dataclass(slots=True)
class OpenedFile:
    """What is open, and what its next save has to respect.

    Attributes:
        compressed: the source was a compressed .blend; a save keeps that.
        modes: object modes that were left for reading, by object name, to be restored for saving.
        warnings: doubts, a sentence each.
        damage_on_save: why saving would degrade the file, or None.
        libraries: files that it links to.
    """

    compressed: bool = False
    modes: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    damage_on_save: str | None = None
    libraries: list[Path] = field(default_factory=list)


def open_scene(path: Path) -> OpenedFile:
    """Open or import a scene with scripts disabled, leaving Edit and other modes.

    Raises:
        ScenewrightError: ``bad_input`` if the file is missing, a folder, empty, truncated or of a kind that cannot
            be read.
    """
    check_readable(path)
    if is_blend(path):
        _load_blend(path)
        return already_open(path)
    new_scene()
    import_file(path)
    return OpenedFile(warnings=_import_doubts(path))


def already_open(path: Path | None) -> OpenedFile:
    """What is open in Blender, leaving Edit and other modes.

    Args:
        path: the .blend that it comes from, or None if it was never saved.
    """
    opened = OpenedFile(compressed=path is not None and path.is_file() and _is_packed(_magic(path)))
    _note_blend_doubts(opened)
    _leave_modes(opened)
    return opened


def new_scene() -> None:
    """An empty scene with factory settings."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def is_blend(path: Path) -> bool:
    """Whether a file is Blender's own by its name; all others are imported."""
    return path.suffix.lower() == ".blend"


def check_readable(path: Path) -> None:
    """Make sure that a file can be opened or imported, as far as its name and its first bytes tell.

    Raises:
        ScenewrightError: ``bad_input`` if it is missing, a folder, empty or of a kind that cannot be read.
    """
    try:
        if not path.exists():
            raise ScenewrightError("bad_input", f"There is no file {path}.", "Check the path.")
        if path.is_dir():
            raise ScenewrightError("bad_input", f"{path} is a folder.", "Name a scene file in it.")
        if path.suffix.lower() not in READABLE:
            hint = f"Readable are {' '.join(READABLE)}."
            raise ScenewrightError("bad_input", f"{path.name} is not a scene file.", hint)
        if path.stat().st_size == 0:
            raise ScenewrightError("bad_input", f"{path} is empty.", "Was it saved completely?")
        magic = _magic(path)
    except OSError as error:
        raise ScenewrightError("bad_input", f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    if is_blend(path) and not (magic.startswith(_BLEND) or _is_packed(magic)):
        raise ScenewrightError("bad_input", f"{path} is not a Blender file.", "Its header says otherwise.")


def _magic(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def _is_packed(magic: bytes) -> bool:
    return magic.startswith((_ZSTD, _GZIP))


def _load_blend(path: Path) -> None:
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.resolve()), load_ui=True, use_scripts=False)
    except RuntimeError as error:
        raise ScenewrightError(
            "bad_input",
            f"Blender cannot open {path}: {reason(error)}",
            f"It may be damaged, or made by a Blender newer than {bpy.app.version_string}.",
        ) from error


def import_file(path: Path, options: Mapping[str, Mapping[str, object]] | None = None) -> None:
    """Import a file that is no .blend into the context's scene.

    Args:
        path: a readable file.
        options: of importers that are asked for something, by operator.

    Raises:
        ScenewrightError: ``unsupported`` if this Blender has no importer for it, ``bad_input`` if it cannot be read or
            holds no objects.
    """
    suffix = path.suffix.lower()
    found = next(((name, run) for name in _IMPORTERS[suffix] if (run := _operator(name)) is not None), None)
    if found is None:
        raise ScenewrightError(
            "unsupported",
            f"This Blender has no importer for {suffix} files.",
            "Enable the add-on that imports them, or save the scene as a .blend.",
        )
    name, importer = found
    try:
        importer(filepath=str(path.resolve()), **(options or {}).get(name, {}))
    except RuntimeError as error:  # whatever an importer raises, its operator makes this of it
        raise ScenewrightError(
            "bad_input", f"{path} cannot be imported: {reason(error)}", "It may be damaged or incomplete."
        ) from error
    if not bpy.context.scene.objects:
        raise ScenewrightError("bad_input", f"{path} holds no objects.", "It may be damaged or incomplete.")
    bpy.context.view_layer.update()


def _operator(name: str) -> Callable[..., object] | None:
    """An operator by its name, if this Blender has it; bpy.ops itself answers to any."""
    module, function = name.split(".")
    operators = getattr(bpy.ops, module)
    operator: Callable[..., object] | None = getattr(operators, function) if function in dir(operators) else None
    return operator


def reason(error: Exception) -> str:
    """What an operator's error comes to, as a sentence."""
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
    paths = {lib.filepath: Path(bpy.path.abspath(lib.filepath)) for lib in bpy.data.libraries}
    opened.libraries = list(paths.values())
    missing = sorted(name for name, path in paths.items() if not path.exists())
    if missing:
        opened.warnings.append(f"Missing libraries: {', '.join(missing)}.")
        if made_by < (3, 0):
            opened.damage_on_save = (
                "its linked libraries are missing and it holds proxies from before Blender 3.0, which would be lost"
            )
    lost = sorted({image.filepath for image in bpy.data.images if _is_lost(image)})
    if lost:
        more = f" and {len(lost) - _TOLD} more" if len(lost) > _TOLD else ""
        opened.warnings.append(f"Missing images: {', '.join(lost[:_TOLD])}{more}; the file keeps their paths.")


def _is_lost(image: bpy.types.Image) -> bool:
    """Whether an image that something uses is to be read from a file that is not there."""
    read = image.source == "FILE" and image.packed_file is None and bool(image.filepath) and image.users > 0
    return read and not Path(bpy.path.abspath(image.filepath, library=image.library)).exists()


def _leave_modes(opened: OpenedFile) -> None:
    """Leave Edit and other modes: in Edit Mode evaluated meshes are empty and mesh edits are overwritten later."""
    opened.modes = {o.name: o.mode for o in bpy.context.view_layer.objects if o.mode != "OBJECT"}
    _go_to_modes(dict.fromkeys(opened.modes, "OBJECT"))


def restore_modes(opened: OpenedFile) -> None:
    """Go back to the modes that were left, as far as the objects that were in them are still there."""
    _go_to_modes(opened.modes)


def _go_to_modes(modes: Mapping[str, str]) -> None:
    objects = bpy.context.view_layer.objects
    active = objects.active
    for name, mode in modes.items():
        obj = objects.get(name)
        if obj is not None and obj.mode != mode:  # one takes along what is edited with it
            objects.active = obj  # it need not have been: objects may be in several modes at once
            bpy.ops.object.mode_set(mode=mode)
    objects.active = active
    bpy.context.view_layer.update()


def _import_doubts(path: Path) -> list[str]:
    if not path.suffix.lower().startswith(".usd"):
        return []
    with path.open("rb") as file:
        head = file.read(65536).decode("utf-8", "replace")
    axis = re.search(r'upAxis\s*=\s*"([^"]*)"', head)
    if axis and axis.group(1) not in ("Y", "Z"):
        return [
            f'The stage says upAxis = "{axis.group(1)}", which Blender reads as Y-up: the scene may lie on its side.'
        ]
    return []


@contextmanager
def saved_blend(output: Path, opened: OpenedFile | None, force: bool = False) -> Iterator[None]:
    """Save the open scene, keeping in memory what was open: the file takes its place when the block ends.

    If the block raises, the file that was there before stays. Relative paths are remapped for the target's folder; the
    modes that were left for reading are saved as they were.

    Raises:
        ScenewrightError: ``unsupported`` if saving would degrade the file, ``bad_input`` if it cannot be written.
    """
    if opened is not None and opened.damage_on_save and not force:
        raise ScenewrightError(
            "unsupported",
            f"Saving would harm the file: {opened.damage_on_save}.",
            "Bring the libraries, or --force.",
        )
    with atomically(output) as temporary:
        modes = opened.modes if opened is not None else {}
        _go_to_modes(modes)
        try:
            bpy.ops.wm.save_as_mainfile(
                filepath=str(temporary),
                copy=True,
                check_existing=False,
                compress=bool(opened and opened.compressed),
            )
        except RuntimeError as error:
            raise ScenewrightError(
                "bad_input", f"{output} cannot be written: {reason(error)}", "Is the disk full?"
            ) from error
        finally:
            _go_to_modes(dict.fromkeys(modes, "OBJECT"))
        yield


def save_blend(output: Path, opened: OpenedFile | None, force: bool = False) -> None:
    """Save the open scene at once, as `saved_blend` does."""
    with saved_blend(output, opened, force):
        pass
