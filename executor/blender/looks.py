"""Materials as `MaterialLook`s: the base colour, found by node type so that any UI language works."""

from __future__ import annotations

import bpy
import numpy as np

from ..geometry.colors import linear_from_srgb
from ..geometry.mesh import FloatArray
from ..reading.snapshot import MaterialLook

_COLOR_INPUT = {"BSDF_PRINCIPLED": 0, "BSDF_DIFFUSE": 0, "EMISSION": 0, "BSDF_GLOSSY": 0, "BSDF_GLASS": 0}
"""Shader node type to the index of its colour input; names are localised, indices are not."""

_PALETTE_EDGE = 64
_LARGEST_TEXTURE = 2048 * 2048
"""Bigger textures are not decoded for a colour word: that would dominate the time of a read."""

_FACTORY_GREY = 0.8


class LookCache:
    """Looks of materials and small copies of their textures, kept between reads."""

    def __init__(self) -> None:
        self._palettes: dict[tuple[str, int, int], FloatArray | None] = {}

    def begin(self) -> LookPass:
        """Start one walk; materials may be edited between two."""
        return LookPass(self)

    def palette(self, image: bpy.types.Image) -> FloatArray | None:
        """``(h, w, 3)`` linear RGB, at most 64 pixels a side, or None when the image cannot be read."""
        width, height = image.size
        key = (image.name_full, width, height)
        if key not in self._palettes:
            self._palettes[key] = _small_copy(image, width, height)
        return self._palettes[key]


class LookPass:
    """One walk over the materials."""

    def __init__(self, cache: LookCache) -> None:
        self._cache = cache
        self._by_pointer: dict[int, MaterialLook] = {}

    def look_of(self, material: bpy.types.Material | None) -> MaterialLook | None:
        """What the reader can tell of a material; None for an empty slot."""
        if material is None:
            return None
        pointer = material.as_pointer()
        if pointer not in self._by_pointer:
            color, image = base_color(material)
            palette = self._cache.palette(image) if image is not None else None
            self._by_pointer[pointer] = MaterialLook(material.name, color, palette)
        return self._by_pointer[pointer]


def base_color(
    material: bpy.types.Material,
) -> tuple[tuple[float, float, float] | None, bpy.types.Image | None]:
    """The material's linear base colour, or the image that gives it, or neither when nodes mix it."""
    socket = color_socket(material)
    if socket is None:
        r, g, b = material.diffuse_color[:3]
        grey = all(abs(c - _FACTORY_GREY) < 1e-6 for c in (r, g, b))
        return (None, None) if grey and _has_nodes(material) else ((r, g, b), None)
    for _ in range(16):
        if not socket.is_linked:
            r, g, b = socket.default_value[:3]
            return (r, g, b), None
        node = socket.links[0].from_node
        if node.type == "TEX_IMAGE":
            return None, node.image
        if node.type == "RGB":
            r, g, b = node.outputs[0].default_value[:3]
            return (r, g, b), None
        upstream = next((i for i in node.inputs if i.type == "RGBA" and i.is_linked), None)
        if upstream is None:
            upstream = next((i for i in node.inputs if i.type == "RGBA"), None)
            if upstream is None:
                return None, None
        socket = upstream
    return None, None


def color_socket(material: bpy.types.Material) -> bpy.types.NodeSocket | None:
    """The input that carries the base colour of the shader nearest to the active output, or None."""
    if not _has_nodes(material):
        return None
    outputs = [n for n in material.node_tree.nodes if n.type == "OUTPUT_MATERIAL"]
    output = next((n for n in outputs if n.is_active_output), outputs[0] if outputs else None)
    queue = [output.inputs[0]] if output else []
    seen: set[int] = set()
    while queue:
        socket = queue.pop(0)
        for link in socket.links:
            node = link.from_node
            if node.as_pointer() in seen:
                continue
            seen.add(node.as_pointer())
            if node.type in _COLOR_INPUT:
                return node.inputs[_COLOR_INPUT[node.type]]
            queue.extend(i for i in node.inputs if i.type == "SHADER")
    return None


def _has_nodes(material: bpy.types.Material) -> bool:
    return material.node_tree is not None and (bpy.app.version >= (5, 0) or material.use_nodes)


def _small_copy(image: bpy.types.Image, width: int, height: int) -> FloatArray | None:
    if not 0 < width * height <= _LARGEST_TEXTURE or image.channels < 3:
        return None
    pixels = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    step_x, step_y = max(1, width // _PALETTE_EDGE), max(1, height // _PALETTE_EDGE)
    small = pixels.reshape(height, width, image.channels)[::step_y, ::step_x, :3].astype(np.float64)
    if image.is_float or image.colorspace_settings.name == "Non-Color":
        return small
    return linear_from_srgb(small)
