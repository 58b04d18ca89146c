"""Doubts about scale, said once: things and rooms far from life size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .lexicon import UNKNOWN, Lexicon
from .orientation import axis_doubts
from .structure import RoomShape, Structure
from .things import Thing

_TOO_LARGE, _TOO_SMALL = 1.2, 0.6
_WORTH_SAYING = 1.8
_TOO_HIGH, _TOO_BROAD = 3.0, 3.5
"""How many times its typical height, and typical side of its footprint, no piece of furniture reaches …"""
_SPREAD = 1.2
"""… unless its kind's sizes spread that far: this times the largest size over the typical one."""
_VAST = 60.0
"""Size in metres from which a thing that nothing is known of is doubted: that is a building, or another unit."""
_VAST_ROOM, _VAST_WALL = 150.0, 25.0
_STOREY = 2.6
"""Usual height of a wall, metres."""
_FACTORS = (100.0, 39.3701, 10.0, 0.1, 0.01, 0.0254, 1000.0, 0.001)
_NAMES = {0.01: "centimetres", 0.0254: "inches"}
_NEAR_FACTOR, _MAYBE_FACTOR = 1.6, 2.0


def scene_scale(things: Sequence[Thing], lexicon: Lexicon) -> float:
    """How many times life size a scene is: 1 unless most known things agree that it is not.

    The median of measured over typical size, if at least half of the known things are implausible as they are.
    """
    ratios = _ratios(things, lexicon)
    outside = [t for _, t in ratios if not _in_limits(t, lexicon)]
    if not ratios or len(outside) < max(1, len(ratios) / 2):
        return 1.0
    typical = float(np.median([r for r, _ in ratios]))
    return typical if not 1 / _WORTH_SAYING < typical < _WORTH_SAYING else 1.0


def doubts(things: Sequence[Thing], lexicon: Lexicon, scale: float, structure: Structure) -> list[str]:
    """Warnings for a person, each a sentence that names its evidence.

    Args:
        things: the scene.
        lexicon: typical sizes.
        scale: what `scene_scale` says.
        structure: rooms and their walls.
    """
    odd = {id(t): said for _, t in _ratios(things, lexicon) if (said := _odd_shape(t, lexicon))}
    upright = [t for t in things if id(t) not in odd]
    return [*_scale_doubts(things, lexicon, scale, structure, odd), *axis_doubts(upright, lexicon)]


def _ratios(things: Sequence[Thing], lexicon: Lexicon) -> list[tuple[float, Thing]]:
    """Measured over typical size of each thing whose category has one."""
    found = []
    for thing in things:
        entry = lexicon.categories.get(thing.category)
        if entry is not None and entry.size and entry.limits and thing.is_solid and not thing.is_structure:
            found.append((_largest(thing) / max(entry.size), thing))
    return [(ratio, thing) for ratio, thing in found if ratio > 0]


def _scale_doubts(
    things: Sequence[Thing], lexicon: Lexicon, scale: float, structure: Structure, odd: dict[int, str]
) -> list[str]:
    """One warning if known things agree that the scene is too large or too small, one each for the odd ones out."""
    ratios = _ratios(things, lexicon)
    outside = [(r, t) for r, t in ratios if not _in_limits(t, lexicon)]
    if scale != 1.0:
        examples = sorted(outside, key=lambda rt: abs(np.log(rt[0] / scale)))[:2]
        shown = " and ".join(f"{t.category} “{t.root.title}” {_largest(t):.2f} m" for _, t in examples)
        return [f"The scene looks about {_rounded(scale)} times life size ({shown}); if so, pass {_remedy(scale)}."]
    strange = sorted((t for _, t in outside), key=lambda t: t.root.name)
    said = [f"{t.root.title} measures {_largest(t):.3g} m, which is unlikely for a {t.category}." for t in strange]
    in_limits = {id(t) for _, t in ratios} - {id(t) for t in strange}
    said += [odd[id(t)] for t in sorted(things, key=lambda t: t.root.name) if id(t) in odd and id(t) in in_limits]
    return said[:8] or _vast(things, structure)


def _vast(things: Sequence[Thing], structure: Structure) -> list[str]:
    """Another unit than the metre, told by rooms or by a thing that nothing is known of."""
    for room in structure.rooms:
        if len(room.walls) >= 2 and (_width(room) > _VAST_ROOM or room.walls[0].height > _VAST_WALL):
            high = max(w.height for w in room.walls)
            return [
                f"A room of {_width(room):.0f} m with walls {high:.0f} m high is hardly one in metres; if the file's "
                f"unit is another one, pass {_remedy(high / _STOREY)}."
            ]
    vast = [t for t in things if t.is_solid and not t.is_structure and t.category == UNKNOWN and _largest(t) > _VAST]
    return [
        f"{t.root.title} measures {_largest(t):.0f} m: if the file's unit is not the metre, pass "
        "--scale-factor 0.0254 (inches) or 0.01 (centimetres)."
        for t in vast[:1]
    ]


def _width(room: RoomShape) -> float:
    low_x, low_y, high_x, high_y = room.polygon.bounds
    return float(max(high_x - low_x, high_y - low_y))


def _in_limits(thing: Thing, lexicon: Lexicon) -> bool:
    limits = lexicon.categories[thing.category].limits
    assert limits is not None
    return limits[0] * _TOO_SMALL <= _largest(thing) <= limits[1] * _TOO_LARGE


def _odd_shape(thing: Thing, lexicon: Lexicon) -> str | None:
    """What is wrong with a piece of furniture that is far too high or broad for its kind, though not too long."""
    kind = lexicon.categories[thing.category]
    if thing.role != "furniture" or kind.size is None or kind.limits is None:
        return None
    width, depth, height = kind.size
    spread = _SPREAD * kind.limits[1] / max(kind.size)
    half = thing.measured.box.half
    high, broad = 2 * float(half[2]), 2 * float(np.sqrt(half[0] * half[1]))
    if high > height * max(_TOO_HIGH, spread):
        return f"{thing.root.title} is {high:.3g} m high, which is unlikely for a {thing.category}."
    if broad > np.sqrt(width * depth) * max(_TOO_BROAD, spread):
        sides = " × ".join(f"{2 * h:.3g}" for h in half[:2])
        return f"{thing.root.title} is {sides} m in plan, which is unlikely for a {thing.category}."
    return None


def _largest(thing: Thing) -> float:
    return float(2 * thing.measured.box.half.max())


def _remedy(typical: float) -> str:
    """The option that brings a scene to life size: the unit slip that is nearest, if any is near, else the inverse.

    Between centimetres and inches the size of a table does not tell: then both are said.
    """
    near = sorted(_FACTORS, key=lambda f: abs(np.log(typical / f)))
    if not 1 / _NEAR_FACTOR < typical / near[0] < _NEAR_FACTOR:
        return f"--scale-factor {1 / _rounded(typical):.4g}"
    slips = [float(f"{1 / f:.4g}") for f in near if 1 / _MAYBE_FACTOR < typical / f < _MAYBE_FACTOR]
    if len(slips) > 1 and all(s in _NAMES for s in slips):
        return "--scale-factor " + " or ".join(f"{s:g} ({_NAMES[s]})" for s in slips)
    return f"--scale-factor {slips[0]:g}"


def _rounded(value: float) -> float:
    return float(f"{value:.2g}")
