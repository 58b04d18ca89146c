"""Materials as `MaterialLook`s: the base colour that a render shows."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b

import bpy
import numpy as np

from ..geometry.colors import linear_from_srgb
from ..geometry.mesh import FloatArray
from ..reading.snapshot import MaterialLook
from .shaders import Groups, colored_shaders, has_nodes, origin

_PALETTE_EDGE = 64
_LARGEST_TEXTURE = 2048 * 2048
"""Bigger textures are not decoded for a colour word: that would dominate the time of a read."""


@dataclass(frozen=True, slots=True)
class _TexturedLook(MaterialLook):
    """A look that is another one when its texture is: what was derived from an equal look is not derived anew.

    Attributes:
        pixels: hash of the palette.
    """

    pixels: bytes = b""


@dataclass(frozen=True, eq=False, slots=True)
class _Texture:
    """``(h, w, 3)`` linear RGB, at most 64 pixels a side (None: the image cannot be read), and its hash."""

    palette: FloatArray | None
    pixels: bytes

    @classmethod
    def of(cls, image: bpy.types.Image) -> _Texture:
        palette = _small_copy(image)
        return cls(palette, blake2b(palette.tobytes(), digest_size=16).digest() if palette is not None else b"")


class LookCache:
    """Small copies of textures, kept between reads."""

    def __init__(self) -> None:
        self._textures: dict[str, tuple[tuple[object, ...], _Texture]] = {}

    def begin(self) -> LookPass:
        """Start one walk; materials and images may be edited between two."""
        return LookPass(self)

    def texture(self, image: bpy.types.Image) -> _Texture:
        """A small copy of an image as it is now."""
        if image.is_dirty:  # painted on: nothing cheaper than its pixels tells one state from the next
            return _Texture.of(image)
        state = image_state(image)
        known = self._textures.get(image.name_full)
        if known is None or known[0] != state:
            known = self._textures[image.name_full] = state, _Texture.of(image)
        return known[1]


class LookPass:
    """One walk over the materials."""

    def __init__(self, cache: LookCache) -> None:
        self._cache = cache
        self._by_pointer: dict[int, MaterialLook] = {}
        self._textures: dict[int, _Texture] = {}

    def look_of(self, material: bpy.types.Material | None) -> MaterialLook | None:
        """What the reader can tell of a material; None for an empty slot."""
        if material is None:
            return None
        pointer = material.as_pointer()
        if pointer not in self._by_pointer:
            self._by_pointer[pointer] = self._look(material)
        return self._by_pointer[pointer]

    def _look(self, material: bpy.types.Material) -> MaterialLook:
        color, image = base_color(material)
        if image is None:
            return MaterialLook(material.name, color)
        pointer = image.as_pointer()
        if pointer not in self._textures:
            self._textures[pointer] = self._cache.texture(image)
        texture = self._textures[pointer]
        return _TexturedLook(material.name, color, texture.palette, texture.pixels)


def image_state(image: bpy.types.Image) -> tuple[object, ...]:
    """What tells one state of an image from another without decoding it; paint that is not saved does not show here."""
    packed = [blake2b(p.packed_file.data, digest_size=16).digest() for p in image.packed_files if p.packed_file]
    saved: tuple[int, ...] = ()
    if not packed and image.source != "GENERATED":
        with suppress(OSError):  # missing, or a pattern of several files
            found = os.stat(bpy.path.abspath(image.filepath, library=image.library))
            saved = (found.st_mtime_ns, found.st_size)
    generated = (image.generated_type, *image.generated_color, image.generated_width, image.generated_height)
    return (
        *(image.name_full, image.source, image.filepath, image.alpha_mode, image.colorspace_settings.name),
        *(generated, saved, *packed),
    )


def base_color(
    material: bpy.types.Material,
) -> tuple[tuple[float, float, float] | None, bpy.types.Image | None]:
    """The material's linear base colour, or the image that gives it, or neither when nodes make it.

    Of several shaders that show, colours count by their share, and an image where its shader shows most.
    """
    if not has_nodes(material):
        r, g, b = material.diffuse_color[:3]
        return (r, g, b), None
    shaders = colored_shaders(material)
    if not shaders:
        return None, None
    looks = [_input_color(shown.color, shown.groups) for shown in shaders]
    most = max(range(len(shaders)), key=lambda k: shaders[k].share)
    if looks[most][0] is None:
        return looks[most]
    known = [(color, shown.share) for (color, _), shown in zip(looks, shaders, strict=True) if color is not None]
    r, g, b = np.average([color for color, _ in known], axis=0, weights=[share for _, share in known]).tolist()
    return (r, g, b), None


def _input_color(
    socket: bpy.types.NodeSocket, groups: Groups
) -> tuple[tuple[float, float, float] | None, bpy.types.Image | None]:
    """The colour or the image that an input gets; of what mixes several, the first."""
    for _ in range(16):
        at = origin(socket, groups)
        if at is None:
            break
        if at.node is None and at.socket.type == "RGBA":
            r, g, b = at.socket.default_value[:3]
            return (r, g, b), None
        if at.node is None:
            break
        if at.node.type == "TEX_IMAGE":
            return None, at.node.image
        if at.node.type == "RGB":
            r, g, b = at.node.outputs[0].default_value[:3]
            return (r, g, b), None
        colors = [i for i in at.node.inputs if i.type == "RGBA"]
        if not colors:
            break
        socket, groups = next((i for i in colors if i.is_linked), colors[0]), at.groups
    return None, None


def _small_copy(image: bpy.types.Image) -> FloatArray | None:
    width, height = image.size
    if not 0 < width * height <= _LARGEST_TEXTURE or image.channels < 3:
        return None
    pixels = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    step_x, step_y = max(1, width // _PALETTE_EDGE), max(1, height // _PALETTE_EDGE)
    small = pixels.reshape(height, width, image.channels)[::step_y, ::step_x, :3].astype(np.float64)
    if image.is_float or image.colorspace_settings.name == "Non-Color":
        return small
    return linear_from_srgb(small)
