"""Doubts about scale and orientation, said once: things far from life size, a scene lying on its side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .lexicon import Lexicon
from .things import Thing

_TOO_LARGE, _TOO_SMALL = 1.5, 0.6
_WORTH_SAYING = 1.8
_FACTORS = (100.0, 39.3701, 10.0, 0.1, 0.01, 0.0254, 1000.0, 0.001)


def doubts(things: Sequence[Thing], lexicon: Lexicon) -> list[str]:
    """Warnings for a person, each a sentence that names its evidence."""
    shown = [t for t in things if t.is_solid and t.measured.box.half.max() > 0]
    return [*_scale_doubt(shown, lexicon), *_axis_doubt(shown, lexicon)]


def _scale_doubt(things: Sequence[Thing], lexicon: Lexicon) -> list[str]:
    """One warning if known things agree that the scene is too large or too small, one each for the odd ones out."""
    ratios: list[tuple[float, Thing]] = []
    for thing in things:
        entry = lexicon.categories.get(thing.category)
        if entry is None or entry.size is None or entry.limits is None or thing.is_structure:
            continue
        largest = float(2 * thing.measured.box.half.max())
        ratios.append((largest / max(entry.size), thing))
    if not ratios:
        return []
    typical = float(np.median([r for r, _ in ratios]))
    outside = [(r, t) for r, t in ratios if not _plausible(t, lexicon, 1.0)]
    if len(outside) >= max(1, len(ratios) // 2) and not 1 / _WORTH_SAYING < typical < _WORTH_SAYING:
        examples = sorted(outside, key=lambda rt: abs(np.log(rt[0] / typical)))[:2]
        shown = " and ".join(f"{t.category} “{t.root.title}” {_largest(t):.2f} m" for _, t in examples)
        return [
            f"The scene looks about {_rounded(typical)} times life size ({shown}); "
            f"if so, pass --scale-factor {_factor(typical):.4g}."
        ]
    strange = [t for _, t in outside if not _plausible(t, lexicon, typical)]
    strange.sort(key=lambda t: t.root.name)
    return [
        f"{t.root.title} measures {_largest(t):.3g} m, which is unlikely for a {t.category}." for t in strange[:8]
    ]


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
        if not flat:
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
