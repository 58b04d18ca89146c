"""Doubts about the up axis, said once: a scene, or the assets in it, that lie on their side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..geometry.mesh import FloatArray
from .lexicon import Category, Lexicon
from .things import Thing

_FLAT = ("floor", "ceiling", "roof", "ground")
_SHELL = (*_FLAT, "wall", "room", "building")
_PLANAR = 0.35
_FITS = 0.5
"""Misfit up to which a thing has the proportions of its kind …"""
_BETTER, _CLEARLY_BETTER = 0.6, 1.5
"""… and by how much lying must fit better than standing: more for small things, which come in any shape."""
_AS_GOOD = 0.1
_FOOT = 0.01
_STABLE = 0.5
_SHOWN = 3


def axis_doubts(things: Sequence[Thing], lexicon: Lexicon) -> list[str]:
    """At most one warning: floors that stand upright, else things that lie on their side."""
    return _upright_floors(things, lexicon) or _lying_things(things, lexicon)


def _upright_floors(things: Sequence[Thing], lexicon: Lexicon) -> list[str]:
    """Floors, slabs and ceilings that stand upright, outvoting those that do not."""
    level, upright = 0, []
    for thing in things:
        if not thing.is_solid or not any(lexicon.is_a(thing.category, k) for k in _FLAT):
            continue
        size = np.ptp(thing.measured.bounds, axis=0)
        thin = int(size.argmin())
        if size[thin] > _PLANAR * np.median(size):
            continue
        if thin == 2:
            level += 1
        else:
            upright.append(thing.root.title)
    if len(upright) <= level:
        return []
    return [
        f"The up axis looks wrong: {upright[0]} stands upright. "
        "Was the file written Z-up and read as Y-up? Turn it, or export it again."
    ]


def _lying_things(things: Sequence[Thing], lexicon: Lexicon) -> list[str]:
    """Things of whose kind another dimension is the height, if they are all there is, or most and of several kinds.

    One bottle that lies in a furnished room was laid there.
    """
    all_solid = [t for t in things if t.is_solid and t.category not in _SHELL]
    named = [(t, lexicon.categories[t.category]) for t in all_solid if t.category in lexicon.categories]
    known = [(thing, kind) for thing, kind in named if kind.size is not None]
    if not known:
        return []
    extents = np.array([t.measured.box.half for t, _ in known])
    as_is, best = _misfits(extents, np.array([k.size for _, k in known]))
    better = np.where([k.role == "manipulable" for _, k in known], _CLEARLY_BETTER, _BETTER)
    fits = (best <= _FITS) & (as_is - best > better)
    lying = [t for (t, k), lies in zip(known, fits, strict=True) if lies and not _may_stand_so(t, k, lexicon)]
    standing = int((as_is <= best + _AS_GOOD).sum())
    alone = len(all_solid) == 1
    if not lying or not (alone or (len({t.category for t in lying}) > 1 and len(lying) > 2 * standing)):
        return []
    names = ", ".join(t.root.title for t in lying[:_SHOWN]) + (" and others" if len(lying) > _SHOWN else "")
    verb = "lies on its side" if len(lying) == 1 else "lie on their side"
    return [f"{names} {verb}; the file may be Y-up. Turn it, or export it again with Z up."]


def lies(thing: Thing, lexicon: Lexicon) -> bool | None:
    """Whether a thing has its kind's proportions only with another dimension as the height; None if none is known."""
    kind = lexicon.categories.get(thing.category)
    if kind is None or kind.size is None:
        return None
    as_is, best = _misfits(thing.measured.box.half[None], np.array([kind.size]))
    return bool(as_is[0] - best[0] > _BETTER)


def _may_stand_so(thing: Thing, kind: Category, lexicon: Lexicon) -> bool:
    """Whether a kind's things stand that way, too: thin ones on a firm edge, shelves that are made for a wall."""
    if kind.role == "manipulable" and kind.size is not None and kind.size[2] <= min(kind.size):
        return _stands_firm(thing)
    head = kind.name.split()[-1]
    kin = [k.size for k in lexicon.categories.values() if k.role == "wall_mounted" and k.name.split()[-1] == head]
    sizes = np.array([size for size in kin if size is not None]).reshape(-1, 3)
    extents = np.broadcast_to(thing.measured.box.half, sizes.shape)
    return bool((_misfits(extents, sizes)[0] <= _FITS).any())


def _misfits(extents: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far things' proportions are from their kinds', as they are and with the best of their axes upright.

    Sums of squared logarithms of measured over typical lengths about their mean: size does not matter.

    Args:
        extents: along the things' own axes, ``(n, 3)``, in any unit.
        sizes: typical width, depth and height, ``(n, 3)``.
    """
    extents = np.maximum(extents, 1e-4)
    typical = np.concatenate([np.sort(sizes[:, :2], axis=1), sizes[:, 2:]], axis=1)
    found = []
    for up in range(3):
        lengths = np.concatenate([np.sort(np.delete(extents, up, axis=1), axis=1), extents[:, [up]]], axis=1)
        ratios = np.log(lengths / typical)
        found.append(((ratios - ratios.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
    return found[2], np.minimum.reduce(found)


def _stands_firm(thing: Thing) -> bool:
    """Whether a thing stands on a base half as wide as itself: a book does, a plate on edge does not."""
    box, points = thing.measured.box, thing.measured.body.mesh.vertices
    base = points[points[:, 2] <= thing.measured.bounds[0, 2] + _FOOT * 2 * box.half[2]]
    spread = np.ptp((base[:, :2] - box.center[:2]) @ box.axes.T, axis=0)
    return bool((spread >= _STABLE * 2 * box.half[:2]).all())
