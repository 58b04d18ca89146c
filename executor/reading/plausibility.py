"""Doubts about scale and orientation, said once: things far from life size, a scene lying on its side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .lexicon import UNKNOWN, Lexicon
from .things import Thing

_TOO_LARGE, _TOO_SMALL = 1.2, 0.6
_WORTH_SAYING = 1.8
_VAST = 60.0
"""Size in metres from which a thing that nothing is known of is doubted: that is a building, or another unit."""
_FACTORS = (100.0, 39.3701, 10.0, 0.1, 0.01, 0.0254, 1000.0, 0.001)


def scene_scale(things: Sequence[Thing], lexicon: Lexicon) -> float:
    """How many times life size a scene is: 1 unless most known things agree that it is not.

    The median of measured over typical size, if at least half of the known things are implausible as they are.
    """
    ratios = _ratios(things, lexicon)
    outside = [t for _, t in ratios if not _plausible(t, lexicon, 1.0)]
    if not ratios or len(outside) < max(1, len(ratios) / 2):
        return 1.0
    typical = float(np.median([r for r, _ in ratios]))
    return typical if not 1 / _WORTH_SAYING < typical < _WORTH_SAYING else 1.0


def doubts(things: Sequence[Thing], lexicon: Lexicon, scale: float) -> list[str]:
    """Warnings for a person, each a sentence that names its evidence.

    Args:
        things: the scene.
        lexicon: typical sizes.
        scale: what `scene_scale` says.
    """
    return [*_scale_doubt(things, lexicon, scale), *_axis_doubt(things, lexicon)]


def _ratios(things: Sequence[Thing], lexicon: Lexicon) -> list[tuple[float, Thing]]:
    """Measured over typical size of each thing whose category has one."""
    found = []
    for thing in things:
        entry = lexicon.categories.get(thing.category)
        if entry is not None and entry.size and entry.limits and thing.is_solid and not thing.is_structure:
            found.append((_largest(thing) / max(entry.size), thing))
    return [(ratio, thing) for ratio, thing in found if ratio > 0]


def _scale_doubt(things: Sequence[Thing], lexicon: Lexicon, scale: float) -> list[str]:
    """One warning if known things agree that the scene is too large or too small, one each for the odd ones out."""
    outside = [(r, t) for r, t in _ratios(things, lexicon) if not _plausible(t, lexicon, 1.0)]
    if scale != 1.0:
        examples = sorted(outside, key=lambda rt: abs(np.log(rt[0] / scale)))[:2]
        shown = " and ".join(f"{t.category} “{t.root.title}” {_largest(t):.2f} m" for _, t in examples)
        return [
            f"The scene looks about {_rounded(scale)} times life size ({shown}); "
            f"if so, pass --scale-factor {_factor(scale):.4g}."
        ]
    strange = sorted((t for _, t in outside), key=lambda t: t.root.name)
    vast = [t for t in things if t.is_solid and not t.is_structure and t.category == UNKNOWN and _largest(t) > _VAST]
    if vast and not strange:
        return [
            f"{vast[0].root.title} measures {_largest(vast[0]):.0f} m: if the file's unit is not the metre, pass "
            "--scale-factor 0.0254 (inches) or 0.01 (centimetres)."
        ]
    return [f"{t.root.title} measures {_largest(t):.3g} m, which is unlikely for a {t.category}." for t in strange[:8]]


def _plausible(thing: Thing, lexicon: Lexicon, scene_scale: float) -> bool:
    limits = lexicon.categories[thing.category].limits
    assert limits is not None
    return limits[0] * _TOO_SMALL <= _largest(thing) / scene_scale <= limits[1] * _TOO_LARGE


def _largest(thing: Thing) -> float:
    return float(2 * thing.measured.box.half.max())


def _factor(typical: float) -> float:
    """What to multiply by: a usual unit slip if one is near, else the plain inverse."""
    near = [f for f in _FACTORS if 0.6 < typical / f < 1.6]
    return 1 / (near[0] if near else float(_rounded(typical)))


def _rounded(value: float) -> float:
    return float(f"{value:.2g}")


def _axis_doubt(things: Sequence[Thing], lexicon: Lexicon) -> list[str]:
    """Floors, slabs and ceilings that stand upright, and doors that lie, outvoting those that do not."""
    votes = {"z": 0.0, "other": 0.0}
    examples: list[str] = []
    for thing in things:
        flat = any(lexicon.is_a(thing.category, k) for k in ("floor", "ceiling", "roof", "ground"))
        if not flat or not thing.is_solid:
            continue
        size = np.ptp(thing.measured.bounds, axis=0)
        thin = int(size.argmin())
        if size[thin] > 0.35 * np.median(size):
            continue
        if thin == 2:
            votes["z"] += 1
        else:
            votes["other"] += 1
            examples.append(thing.root.title)
    if votes["other"] > votes["z"]:
        return [
            f"The up axis looks wrong: {examples[0]} stands upright. "
            "Was the file written Z-up and read as Y-up? Turn it, or export it again."
        ]
    return []
