"""What colours a thing shows, by area, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ..geometry.colors import nearest_terms
from ..geometry.mesh import FloatArray
from .snapshot import MaterialLook, Part

_WORTH_NAMING = 0.15
"""Share of the surface from which a colour is one of the thing's colours."""

_STEPS = 24
"""Levels per channel (by square root of the linear value) that a texture's colours are told apart in for naming."""


def base_colors(parts: Sequence[Part], triangle_areas: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Base colours of what a thing shows, with their areas.

    Args:
        parts: what it draws.
        triangle_areas: world area of each triangle, the parts' one after the other.

    Returns:
        ``(n, 3)`` linear RGB and ``(n,)`` areas in square metres; surfaces whose colour is not known are left out.
    """
    colors: list[FloatArray] = []
    areas: list[FloatArray] = []
    begin = 0
    for part in parts:
        shape = part.shape
        own = triangle_areas[begin : begin + len(shape.mesh.triangles)]
        begin += len(own)
        for slot in np.unique(shape.triangle_materials):
            look = part.materials[slot] if slot < len(part.materials) else None
            shown = shape.triangle_materials == slot
            if look is None:
                continue
            if look.palette is not None and shape.triangle_uvs is not None:
                colors.append(_sampled(look.palette, shape.triangle_uvs[shown]))
                areas.append(own[shown])
            elif look.palette is not None or look.color is not None:
                mean = look.palette.reshape(-1, 3).mean(axis=0) if look.palette is not None else look.color
                colors.append(np.array([mean], np.float64))
                areas.append(own[shown].sum()[None])
    if not colors:
        return np.empty((0, 3)), np.empty(0)
    return np.concatenate(colors), np.concatenate(areas)


def color_words(parts: Sequence[Part], triangle_areas: FloatArray) -> list[str]:
    """Names of the colours that cover at least 15 % of a thing, most first (the most common one in any case)."""
    colors, areas = base_colors(parts, triangle_areas)
    if not len(areas):
        return []
    levels = np.round(np.sqrt(np.clip(colors, 0, 1)) * _STEPS).astype(np.int64)
    packed, which = np.unique(levels @ [1 << 20, 1 << 10, 1], return_inverse=True)
    distinct = np.stack([packed >> 20, (packed >> 10) & 1023, packed & 1023], axis=1) / _STEPS
    weights = np.bincount(which.ravel(), areas, minlength=len(distinct))
    total: dict[str, float] = defaultdict(float)
    for word, weight in zip(nearest_terms(distinct**2), weights, strict=True):
        total[word] += float(weight)
    ranked = sorted(total, key=lambda w: (-total[w], w))
    whole = sum(total.values()) or 1.0
    return [w for i, w in enumerate(ranked) if i == 0 or total[w] >= _WORTH_NAMING * whole]


def material_names(parts: Sequence[Part]) -> list[str]:
    """Names of the materials in use, in order of first use."""
    looks: list[MaterialLook] = [m for p in parts for m in p.materials if m is not None]
    return list(dict.fromkeys(look.name for look in looks))


def _sampled(palette: FloatArray, uvs: FloatArray) -> FloatArray:
    height, width = palette.shape[:2]
    column = np.clip((uvs[:, 0] % 1.0) * width, 0, width - 1).astype(int)
    row = np.clip((uvs[:, 1] % 1.0) * height, 0, height - 1).astype(int)
    return np.asarray(palette[row, column], np.float64)
