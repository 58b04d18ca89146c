"""Which parts of which thing a request means: drawers, doors, lids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..executor.model.errors import ScenewrightError
from ..executor.reading.ids import slug
from ..executor.reading.moving_parts import MovingPart
from .part_phrases import PartPhrase
from .setting import Setting
from .tokens import shortened

_AJAR = 0.005
"""Opened further, a part is open, metres or degrees."""
_LEVEL = 0.05
"""Parts whose middles differ by less are level with one another, or above one another, metres."""


def parts_meant(phrase: PartPhrase, setting: Setting, spoken_of: Sequence[str], to_shut: bool) -> tuple[str, list[str]]:
    """The thing that a phrase is about, and the full names of the objects of its parts that are meant.

    Without a thing named, the one that the clause before was about counts first, then any that has such a part. To be
    shut, parts that are open count first, and of a thing as a whole all do.

    Raises:
        ScenewrightError: ``unknown_object`` if nothing has such a part, ``ambiguous`` if several have.
    """
    things = _whole(phrase, setting, spoken_of)
    having = {t: [p for p in setting.parts_of(t) if phrase.kind in (None, p.kind)] for t in things}
    having = {t: parts for t, parts in having.items() if parts}
    if to_shut and not phrase.plural:
        ajar = {t: [p for p in parts if p.opened > _AJAR] for t, parts in having.items()}
        having = {t: parts for t, parts in ajar.items() if parts} or having
    if not having:
        raise _nothing_opens(phrase, things, setting)
    if len(having) > 1:
        having = {t: parts for t, parts in having.items() if t in spoken_of} or having
    if len(having) > 1:
        having = {t: having[t] for t in [_answered(phrase, list(having), setting)]}
    thing, parts = next(iter(having.items()))
    chosen = parts if to_shut and phrase.kind is None else _chosen(phrase, parts, thing, setting)
    return thing, [name for part in chosen for name in part.objects]


def _whole(phrase: PartPhrase, setting: Setting, spoken_of: Sequence[str]) -> list[str]:
    """Ids of the things that may be meant."""
    if phrase.whole is None:
        return [e.id for e in setting.graph.objects if not e.hidden]
    if phrase.whole.pronoun:
        return list(spoken_of)
    return setting.resolver.resolve(phrase.whole)


def _answered(phrase: PartPhrase, things: list[str], setting: Setting) -> str:
    question = f"which_{slug(phrase.text)}"
    setting.resolver.asked.add(question)
    answer = setting.answers.get(question)
    if answer in things:
        return str(answer)
    raise ScenewrightError(
        "ambiguous",
        f"Which {shortened(phrase.text)}? There is one of {', '.join(things)}.",
        f"Answer with --answer {question}=ID, or say whose it is.",
        things,
        question=question,
    )


def _chosen(phrase: PartPhrase, parts: Sequence[MovingPart], thing: str, setting: Setting) -> list[MovingPart]:
    """Of the parts of the kind that is meant, those in the place that is."""
    name = setting.graph.entity(thing).name
    found = list(parts)
    if phrase.place is not None:
        found = _placed(phrase.place, found, thing, setting)
    if phrase.number is not None:
        found = found[phrase.number - 1 : phrase.number]
    if not found:
        raise ScenewrightError(
            "unknown_object", f"{name} has no {shortened(phrase.text)}; it has {_told(parts)}.", "Name one of these."
        )
    if phrase.count is not None and len(found) != phrase.count:
        raise ScenewrightError("ambiguous", f"{name} has {_told(found)}, not {phrase.count}.", "Say “all”.")
    doors = [p for p in found if p.kind == "door"]
    if phrase.kind is None and doors:
        return doors  # to open a wardrobe is to open its doors
    if phrase.plural or len(found) == 1:
        return found
    raise ScenewrightError(
        "ambiguous",
        f"Which of them? {name} has {_told(found)}.",
        "Say which one: “the top drawer”, “the left door”, or “all drawers”.",
        [thing],
    )


def _placed(place: str, parts: list[MovingPart], thing: str, setting: Setting) -> list[MovingPart]:
    """Parts in a place, as seen by somebody who faces the front of the thing."""
    front = setting.graph.entity(thing).front or (0.0, -1.0)
    rightwards = np.array([-front[1], front[0], 0.0])  # of who looks at the front
    axis = np.array([0.0, 0.0, 1.0]) if place in ("top", "bottom") else rightwards
    if place == "middle":
        axis = np.array([0.0, 0.0, 1.0]) if np.ptp([p.center[2] for p in parts]) > _LEVEL else rightwards
    along = np.array([float(p.center @ axis) for p in parts])
    if np.ptp(along) < _LEVEL:
        return []
    if place == "middle":
        inner = (along > along.min() + _LEVEL) & (along < along.max() - _LEVEL)
        return [p for p, is_inner in zip(parts, inner, strict=True) if is_inner]
    end = along.max() if place in ("top", "right") else along.min()
    return [p for p, at in zip(parts, along, strict=True) if abs(at - end) < _LEVEL]


def _told(parts: Sequence[MovingPart]) -> str:
    """How many parts of which kinds there are, in words."""
    kinds = [p.kind for p in parts]
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    return " and ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts.items())


def _nothing_opens(phrase: PartPhrase, things: Sequence[str], setting: Setting) -> ScenewrightError:
    if phrase.whole is None:
        return ScenewrightError(
            "unknown_object",
            f"Nothing here has a {phrase.kind} that opens.",
            "Only parts that are objects of their own open.",
        )
    name = setting.graph.entity(things[0]).name if things else phrase.whole.text
    having = _told(setting.parts_of(things[0])) if things else ""
    told = f"it has {having}" if having else "only parts that are objects of their own, and are named so, do"
    return ScenewrightError(
        "unknown_object", f"{name} has no {phrase.kind or 'part'} that opens; {told}.", "Name another part.", [*things]
    )
