"""What each verb asks for: the pieces of a clause become predicates, and a piece without use refuses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from ..executor.geometry.mesh import FloatArray
from ..executor.model.errors import ScenewrightError
from ..executor.model.predicate import Predicate, PredicateName
from .cutting import EXAMPLES
from .directions import axis_of, offset_along, offset_to
from .pieces import SOLE, Pieces
from .references import BROUGHT_BY, NounPhrase
from .setting import Setting
from .tokens import shortened
from .which_part import parts_meant

_STEP = 0.25
"""Metres that “move it left” means."""
_OF_NEW_THINGS = ("move", "place", "rotate", "tip", "scale", "color", "make", "give", "set_material", "rename", "hide")
"""Verbs that need to know nothing of their things but which they are, unless directions are the things' own."""


@dataclass(slots=True)
class Clause:
    """A clause on its way to predicates.

    Attributes:
        said: as written.
        pieces: what it was cut into.
        subjects: ids of what it is about.
        related: ids of what that is related to.
        spoken_of: ids that the clause before was about.
        setting: what it is read against.
        used: pieces that a frame has a use for.
    """

    said: str
    pieces: Pieces
    subjects: list[str]
    related: list[str]
    spoken_of: Sequence[str]
    setting: Setting
    used: set[str] = field(default_factory=set)

    def need(self, name: str, what: str) -> object:
        """A piece that the clause cannot do without; `what` says what is missing else."""
        value = self.optional(name)
        if value is None:
            raise missing(self.said, what)
        return value

    def optional(self, name: str) -> object:
        """A piece that the frame has a use for, or None."""
        self.used.add(name)
        return getattr(self.pieces, name)

    def predicate(self, name: PredicateName, /, related: Sequence[str] = (), **qualifiers: JsonValue) -> Predicate:
        """A predicate about the clause's subjects."""
        return Predicate(name=name, subject=self.subjects, object=list(related), qualifiers=qualifiers)


def predicates_of(clause: Clause) -> list[Predicate]:
    """The predicates of a clause, in the order in which they are made true.

    Raises:
        ScenewrightError: ``not_understood`` if something is missing or has no use, and what the frames raise.
    """
    new = any(s.startswith(BROUGHT_BY) for s in clause.subjects)
    if new and (clause.pieces.verb not in _OF_NEW_THINGS or clause.pieces.dimension is not None):
        raise ScenewrightError(
            "not_understood",
            f"“{shortened(clause.said)}” is about a thing that is yet to be brought in.",
            "Ask for it in a second request.",
        )
    found = _FRAMES[clause.pieces.verb](clause)
    surplus = [n for n in SOLE if getattr(clause.pieces, n) is not None and n not in clause.used]
    if surplus:
        raise ScenewrightError(
            "not_understood",
            f"The {surplus[0]} in “{shortened(clause.said)}” has no use with “{clause.pieces.verb}”.",
            EXAMPLES,
        )
    return found


def missing(said: str, what: str) -> ScenewrightError:
    """The refusal of a clause that does not say something."""
    return ScenewrightError("not_understood", f"“{shortened(said)}” does not say {what}.", EXAMPLES)


# --- where things go ----------------------------------------------------------------------------------------


def _move(clause: Clause) -> list[Predicate]:
    pieces = clause.pieces
    if pieces.collection is not None:
        return _sort(clause)
    if pieces.relation == "on":
        return _place(clause)
    length = _STEP if clause.optional("length") is None else float(str(pieces.length))
    if length <= 0:
        raise ScenewrightError("not_understood", "A distance is more than zero.", "Turn the direction round instead.")
    if pieces.relation in ("toward", "away"):
        clause.used.add("relation")
        offset = offset_to(
            clause.subjects, clause.related, length if pieces.relation == "toward" else -length, clause.setting
        )
        return [_moved(clause, offset, f"{pieces.relation} {', '.join(clause.related)}", "world")]
    direction = str(clause.need("direction", "which way"))
    offset, frame = offset_along(direction, length, clause.subjects, clause.setting)
    return [_moved(clause, offset, direction, frame)]


def _moved(clause: Clause, offset: FloatArray, direction: str, frame: str) -> Predicate:
    way: list[JsonValue] = [float(c) for c in offset]
    return clause.predicate("move_delta", offset=way, direction=direction, frame=frame)


def _place(clause: Clause) -> list[Predicate]:
    if clause.pieces.collection is not None:
        return _sort(clause)
    if clause.pieces.posture is not None:
        return _tip(clause)
    clause.need("relation", "where to put it")
    return [clause.predicate("on_top_of", clause.related)]


def _rotate(clause: Clause) -> list[Predicate]:
    if clause.pieces.posture is not None and clause.pieces.angle is None:
        return _tip(clause)
    angle = float(str(clause.need("angle", "how far to turn")))
    turn = clause.optional("turn")
    return [clause.predicate("rotation_delta", angle_deg=-angle if turn == "cw" else angle)]


def _tip(clause: Clause) -> list[Predicate]:
    posture = clause.predicate("posture", posture=str(clause.optional("posture") or "on_side"))
    if clause.optional("relation") is None:
        return [posture]
    return [posture, clause.predicate("on_top_of", clause.related)]


def _scale(clause: Clause) -> list[Predicate]:
    factor = float(str(clause.need("factor", "how much")))
    if factor <= 0:
        raise ScenewrightError("not_understood", f"A size cannot become {factor:g} times what it was.", "")
    dimension = clause.optional("dimension")
    if dimension is None:
        return [clause.predicate("scale_ratio", factor=factor)]
    known = {e.id: e for e in clause.setting.graph.objects}
    axes: dict[str, JsonValue] = {s: axis_of(str(dimension), known[s]) for s in clause.subjects}
    return [clause.predicate("scale_ratio", factor=factor, dimension=str(dimension), axes=axes)]


def _open(clause: Clause) -> list[Predicate]:
    phrase = clause.pieces.part
    clause.used.add("part")
    if phrase is None:
        raise missing(clause.said, "what to open")
    thing, objects = parts_meant(phrase, clause.setting, clause.spoken_of, clause.pieces.verb == "close")
    qualifiers: dict[str, JsonValue] = {"objects": list[JsonValue](objects)}
    if clause.pieces.verb == "close":
        qualifiers["shut"] = True
    else:
        amounts = {"length": clause.optional("length"), "angle_deg": clause.optional("angle")}
        qualifiers |= {name: float(str(value)) for name, value in amounts.items() if value is not None}
    return [Predicate(name="opened", subject=[thing], qualifiers=qualifiers)]


# --- what there is ------------------------------------------------------------------------------------------


def _remove(clause: Clause) -> list[Predicate]:
    return [clause.predicate("absent")]


def _duplicate(clause: Clause) -> list[Predicate]:
    return [Predicate(name="exists", subject=[], qualifiers={"copy_of": list[JsonValue](clause.subjects)})]


def _add(clause: Clause) -> list[Predicate]:
    if clause.pieces.collection is not None:
        return _sort(clause)
    source = _source(clause, "what to add")
    if clause.optional("relation") is None:
        return [Predicate(name="exists", subject=[], qualifiers=source)]
    return [Predicate(name="on_top_of", subject=[], object=clause.related, qualifiers=source)]


def _replace(clause: Clause) -> list[Predicate]:
    source = _source(clause, "what to put in its place")
    return [Predicate(name="replaced", subject=[], object=clause.subjects, qualifiers=source)]


def _source(clause: Clause, what: str) -> dict[str, JsonValue]:
    """What is brought in: a file, a copy of what there is, or a built-in kind."""
    phrase = clause.need("source", what)
    assert isinstance(phrase, NounPhrase)
    stock, resolver = clause.setting.stock, clause.setting.resolver
    if phrase.words[-1].endswith(stock.SUFFIXES):
        return {"file": str(stock.file(phrase.text))}
    kind = None if clause.pieces.copied else stock.kind(phrase.words, _goes_onto_a_thing(clause))
    if kind is not None and phrase.color is None:
        return {"kind": kind}
    try:
        return {"copy_of": list[JsonValue](resolver.resolve(phrase))[:1]}
    except ScenewrightError as error:
        if error.code != "unknown_object":
            raise
        raise ScenewrightError(
            "unknown_object",
            f"There is no {shortened(phrase.text)} to bring in.",
            f"Built in are {', '.join(k.replace('_', ' ') for k in sorted(stock.kinds))}; or name a file.",
        ) from error


def _goes_onto_a_thing(clause: Clause) -> bool:
    """Whether what is brought in goes onto something other than the floor."""
    graph = clause.setting.graph
    hosts = clause.related or [graph.entity(s).support.on for s in clause.subjects]
    things = {e.id: e for e in graph.objects}
    return any(h in things and things[h].role != "structure" for h in hosts)


# --- how things are -----------------------------------------------------------------------------------------


def _color(clause: Clause) -> list[Predicate]:
    return [clause.predicate("color", color=str(clause.need("color", "which colour")))]


def _make(clause: Clause) -> list[Predicate]:
    if clause.pieces.color is not None:
        return _color(clause)
    return _material(clause) if clause.pieces.material is not None else _scale(clause)


def _material(clause: Clause) -> list[Predicate]:
    name = clause.setting.stock.material(str(clause.need("material", "which material")))
    return [clause.predicate("material", material=name)]


def _hide(clause: Clause) -> list[Predicate]:
    return [clause.predicate("hidden")]


def _show(clause: Clause) -> list[Predicate]:
    return [clause.predicate("shown")]


def _rename(clause: Clause) -> list[Predicate]:
    if len(clause.subjects) > 1:
        raise ScenewrightError("ambiguous", "Only one of them can have that name.", "Name the one.", clause.subjects)
    return [clause.predicate("named", name=str(clause.need("name", "what to call it")))]


def _group(clause: Clause) -> list[Predicate]:
    if len(clause.subjects) < 2:
        raise missing(clause.said, "what else goes into the group")
    return [clause.predicate("grouped", name=str(clause.optional("name") or "Group"))]


def _attach(clause: Clause) -> list[Predicate]:
    clause.need("relation", "what to attach it to")
    return [clause.predicate("follows", clause.related)]


def _detach(clause: Clause) -> list[Predicate]:
    clause.optional("relation")
    return [clause.predicate("follows")]


def _sort(clause: Clause) -> list[Predicate]:
    return [clause.predicate("in_collection", collection=str(clause.need("collection", "into which collection")))]


_FRAMES: Mapping[str, Callable[[Clause], list[Predicate]]] = {
    "move": _move,
    "place": _place,
    "rotate": _rotate,
    "tip": _tip,
    "scale": _scale,
    "open": _open,
    "close": _open,
    "remove": _remove,
    "duplicate": _duplicate,
    "add": _add,
    "replace": _replace,
    "color": _color,
    "make": _make,
    "give": _material,
    "set_material": _material,
    "hide": _hide,
    "show": _show,
    "rename": _rename,
    "group": _group,
    "attach": _attach,
    "detach": _detach,
}
