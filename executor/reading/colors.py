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


def base_colors(parts: Sequence[Part]) -> tuple[FloatArray, FloatArray]:
    """Base colours of what a thing shows, with their areas.

    Returns:
        ``(n, 3)`` linear RGB and ``(n,)`` areas in square metres; surfaces whose colour is not known are left out.
    """
    colors: list[FloatArray] = []
    areas: list[FloatArray] = []
    for part in parts:
        shape = part.shape
        if not len(shape.mesh.triangles):
            continue
        linear = part.world_from_local[:3, :3]
        cross = shape.mesh.cross_products() @ np.linalg.inv(linear) * np.linalg.det(linear)
        triangle_areas = np.sqrt((cross**2).sum(axis=1)) / 2
        for slot in np.unique(shape.triangle_materials):
            look = part.materials[slot] if slot < len(part.materials) else None
            shown = shape.triangle_materials == slot
            if look is None:
                continue
            if look.palette is not None and shape.triangle_uvs is not None:
                colors.append(_sampled(look.palette, shape.triangle_uvs[shown]))
                areas.append(triangle_areas[shown])
            elif look.palette is not None:
                colors.append(look.palette.reshape(-1, 3).mean(axis=0)[None])
                areas.append(triangle_areas[shown].sum()[None])
            elif look.color is not None:
                colors.append(np.array([look.color]))
                areas.append(triangle_areas[shown].sum()[None])
    if not colors:
        return np.empty((0, 3)), np.empty(0)
    return np.concatenate(colors), np.concatenate(areas)


def color_words(parts: Sequence[Part]) -> list[str]:
    """Names of the colours that cover at least 15 % of a thing, most first (the most common one in any case)."""
    colors, areas = base_colors(parts)
    if not len(areas):
        return []
    coarse = np.round(np.sqrt(np.clip(colors, 0, 1)) * _STEPS) / _STEPS
    distinct, which = np.unique(coarse**2, axis=0, return_inverse=True)
    weights = np.bincount(which.ravel(), areas, minlength=len(distinct))
    total: dict[str, float] = defaultdict(float)
    for word, weight in zip(nearest_terms(distinct), weights, strict=True):
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
