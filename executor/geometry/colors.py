"""Colours: linear RGB to CIE Lab, the CIEDE2000 difference, and the names that people give to colours."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from .mesh import FloatArray

# sRGB primaries under D65 to XYZ (IEC 61966-2-1), and the white point itself.
_XYZ_FROM_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])

# Hex values of the xkcd colour name survey (Munroe 2010, 222,500 respondents, CC0): what most people mean.
_TERMS = {
    "red": "e50000", "green": "15b01a", "blue": "0343df", "yellow": "ffff14", "orange": "f97306",
    "purple": "7e1e9c", "pink": "ff81c0", "brown": "653700", "grey": "929591", "black": "000000",
    "white": "ffffff", "beige": "e6daa6", "turquoise": "06c2ac", "teal": "029386", "cyan": "00ffff",
    "magenta": "c20078", "violet": "9a0eea", "lavender": "c79fef", "maroon": "650021", "navy": "01153e",
    "olive": "6e750e", "tan": "d1b26f", "salmon": "ff796c", "lime": "aaff32", "gold": "dbb40c",
    "silver": "c5c9c7", "cream": "ffffc2", "peach": "ffb07c", "mustard": "ceb301", "rust": "a83c09",
    "charcoal": "343837", "burgundy": "610023", "crimson": "8c000f", "coral": "fc5a50", "indigo": "380282",
    "khaki": "aaa662", "light blue": "95d0fc", "sky blue": "75bbfd", "dark blue": "00035b",
    "light green": "96f97b", "dark green": "033500", "olive green": "677a04", "light brown": "ad8150",
    "dark brown": "341c02", "light grey": "d8dcd6", "dark grey": "363737", "dark red": "840000",
    "light pink": "ffd1df", "dark purple": "35063e", "light purple": "bf77f6", "light yellow": "fffe7a",
}  # fmt: skip


def linear_from_srgb(srgb: FloatArray) -> FloatArray:
    """Decode sRGB values in 0..1, any shape (IEC 61966-2-1)."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def lab(linear_rgb: FloatArray) -> FloatArray:
    """CIE L*a*b* (D65) of linear sRGB colours ``(..., 3)``; values over 1 count as 1."""
    t = np.clip(linear_rgb, 0, 1) @ _XYZ_FROM_RGB.T / _WHITE
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def ciede2000(one: FloatArray, two: FloatArray) -> FloatArray:
    """Colour difference ΔE00 between Lab colours ``(..., 3)``, broadcasting.

    Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes" (2005).
    """
    l1, a1, b1 = one[..., 0], one[..., 1], one[..., 2]
    l2, a2, b2 = two[..., 0], two[..., 1], two[..., 2]
    mean_c7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - np.sqrt(mean_c7 / (mean_c7 + 25.0**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    colourless = c1 * c2 == 0
    dh = np.where(colourless, 0, (h2 - h1 + 180) % 360 - 180)
    total_h = h1 + h2
    far = np.abs(h1 - h2) > 180
    mean_h = np.where(far, np.where(total_h < 360, total_h + 360, total_h - 360), total_h) / 2
    mean_h = np.where(colourless, total_h, mean_h)
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    big_dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2))
    t = (
        1
        - 0.17 * np.cos(np.radians(mean_h - 30))
        + 0.24 * np.cos(np.radians(2 * mean_h))
        + 0.32 * np.cos(np.radians(3 * mean_h + 6))
        - 0.20 * np.cos(np.radians(4 * mean_h - 63))
    )
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / np.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    rotation = 30 * np.exp(-(((mean_h - 275) / 25) ** 2))
    r_t = -2 * np.sqrt(mean_c**7 / (mean_c**7 + 25.0**7)) * np.sin(np.radians(2 * rotation))
    dl, dc, dhh = (l2 - l1) / s_l, (c2 - c1) / s_c, big_dh / s_h
    return np.sqrt(np.maximum(dl**2 + dc**2 + dhh**2 + r_t * dc * dhh, 0))


def _decode(hex_value: str) -> FloatArray:
    srgb = np.array([int(hex_value[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    return linear_from_srgb(srgb)


COLOR_TERMS: Mapping[str, FloatArray] = MappingProxyType({name: _decode(h) for name, h in _TERMS.items()})
"""Linear RGB of each colour name."""

_TERM_NAMES = list(COLOR_TERMS)
_TERM_LABS = lab(np.array([COLOR_TERMS[n] for n in _TERM_NAMES]))


def nearest_terms(linear_rgb: FloatArray) -> list[str]:
    """The colour name nearest to each linear RGB colour ``(n, 3)``, by CIEDE2000."""
    if len(linear_rgb) == 0:
        return []
    differences = ciede2000(lab(linear_rgb)[:, None], _TERM_LABS[None])
    return [_TERM_NAMES[i] for i in differences.argmin(axis=1)]
