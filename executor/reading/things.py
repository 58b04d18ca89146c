"""A draft measured: world geometry, boxes, category and role of one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np

from ..geometry.body import Body
from ..geometry.boxes import UprightBox, bounds_of, upright_box, wrap_deg
from ..geometry.mesh import FloatArray, concatenate
from ..model.graph import Role
from ..model.steps import Steps
from .entities import Draft, surface_area
from .lexicon import UNKNOWN, Lexicon, NameReading
from .names import singular
from .parts import is_always_part
from .snapshot import ObjectRecord, Part

_SAME_FORM = 6
"""Decimals, in metres, to which parts must lie alike for two things to share a form."""
_PLURAL_SLACK, _SINGULAR_SLACK = 1.2, 3.0
"""Factor beyond the plausible range from which the head of a name is doubted; the second is larger since a scene may be
drawn a few times too large."""
_UPRIGHT_COS = np.cos(np.radians(10))


@dataclass(frozen=True, eq=False)
class Form:
    """What things of equal shape share, wherever they stand: geometry turned upright to a heading of 0 at the origin.

    Attributes:
        key: digest: equal keys, equal forms (to a micrometre).
        body: its triangles.
        cloud: all its points, ``(n, 3)``, n ≥ 1.
    """

    key: bytes
    body: Body
    cloud: FloatArray

    @cached_property
    def box(self) -> UprightBox:
        """Upright box around all points."""
        return upright_box(self.cloud, 0.0)


@dataclass(frozen=True, eq=False)
class Measured:
    """Geometry of one thing, kept from read to read while its parts neither change nor move.

    Attributes:
        key: digest of the geometry: equal keys, equal geometry in the same place.
        form: its shape.
        yaw_deg: heading it stands at.
        origin: ``(3,)`` where the form's origin is, world, metres.
        body: its triangles, world; empty for cameras, lights and bare empties.
        box: upright box around all its points, a point for things without geometry.
        bounds: ``(2, 3)`` world-axis-aligned box.
    """

    key: bytes
    form: Form
    yaw_deg: float
    origin: FloatArray
    body: Body
    box: UprightBox
    bounds: FloatArray

    @property
    def has_geometry(self) -> bool:
        return not self.body.mesh.is_empty

    @property
    def turn(self) -> FloatArray:
        """Rotation in plan from the form to the world, ``(2, 2)``."""
        return world_from_standing(self.yaw_deg, self.origin)[:2, :2]

    @classmethod
    def of(cls, key: bytes, form: Form, yaw_deg: float, origin: FloatArray) -> Measured:
        """The form standing at a place."""
        matrix = world_from_standing(yaw_deg, origin)
        points = form.cloud @ matrix[:3, :3].T + origin
        box = UprightBox(matrix[:3, :3] @ form.box.center + origin, form.box.half, wrap_deg(form.box.yaw_deg + yaw_deg))
        return cls(key, form, yaw_deg, origin, form.body.stood(matrix), box, bounds_of(points))


@dataclass(eq=False, slots=True)
class Thing:
    """One thing on its way to becoming an entity of the graph; stages fill in what they find.

    Attributes:
        draft: which objects it is.
        root: the object that carries its name.
        members: all its objects, root first.
        measured: its geometry.
        category: canonical category, or ``unknown``.
        role: what it is to a room.
        hidden: not shown by the view layer.
    """

    draft: Draft
    root: ObjectRecord
    members: tuple[ObjectRecord, ...]
    measured: Measured
    category: str
    role: Role
    hidden: bool

    @property
    def parts(self) -> list[Part]:
        return [p for m in self.members for p in m.parts]

    @property
    def is_solid(self) -> bool:
        """Whether it is there to be stood on or bumped into."""
        return not self.hidden and self.measured.has_geometry

    @property
    def is_structure(self) -> bool:
        return self.role == "structure"


class Measurer:
    """Measures things, remembering what it measured in the last read."""

    def __init__(self) -> None:
        self._forms: dict[bytes, Form] = {}
        self._known: dict[bytes, Measured] = {}

    def measure_all(self, drafts: Sequence[Draft], records: dict[str, ObjectRecord]) -> Steps[list[Measured]]:
        """Geometry of all drafts; whatever none of them needs any more is forgotten."""
        found = []
        for draft in drafts:
            found.append(self._measure([records[n] for n in draft.members], records[draft.root]))
            yield
        self._known = {m.key: m for m in found}
        self._forms = {m.form.key: m.form for m in found}
        return found

    def _measure(self, members: list[ObjectRecord], root: ObjectRecord) -> Measured:
        parts = [p for m in members for p in m.parts]
        bounds = [m.bounds for m in members if m.bounds is not None]
        digest = blake2b(root.world_from_local.tobytes(), digest_size=16)
        for part in parts:
            digest.update(part.shape.key)
            digest.update(part.world_from_local.tobytes())
        for corners in bounds:
            digest.update(corners.tobytes())
        key = digest.digest()
        if key in self._known:
            return self._known[key]
        yaw, origin = own_yaw_deg(root.world_from_local) or 0.0, root.world_from_local[:3, 3].copy()
        return Measured.of(key, self._form(parts, bounds, yaw, origin), yaw, origin)

    def _form(self, parts: list[Part], bounds: list[FloatArray], yaw: float, origin: FloatArray) -> Form:
        standing_from_world = world_from_standing(-yaw, np.zeros(3)) @ world_from_standing(0.0, -origin)
        matrices = [standing_from_world @ p.world_from_local for p in parts]
        corners = [b @ standing_from_world[:3, :3].T + standing_from_world[:3, 3] for b in bounds]
        digest = blake2b(digest_size=16)
        for part, matrix in zip(parts, matrices, strict=True):
            digest.update(part.shape.key)
            digest.update((np.round(matrix, _SAME_FORM) + 0.0).tobytes())
        for points in corners:
            digest.update((np.round(points, _SAME_FORM) + 0.0).tobytes())
        key = digest.digest()
        if key not in self._forms:
            body = Body(concatenate([p.shape.mesh.transformed(m) for p, m in zip(parts, matrices, strict=True)]))
            cloud = [points for points in (body.mesh.vertices, *corners) if len(points)]
            self._forms[key] = Form(key, body, np.concatenate(cloud) if cloud else np.zeros((1, 3)))
        return self._forms[key]


def world_from_standing(yaw_deg: float, origin: FloatArray) -> FloatArray:
    """``(4, 4)`` rigid motion: turn about Z, then shift."""
    yaw = np.radians(yaw_deg)
    matrix = np.eye(4)
    matrix[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    matrix[:3, 3] = origin
    return matrix


def own_yaw_deg(world_from_local: FloatArray) -> float | None:
    """Heading of an object about world Z: of its local X, or of Y if X is its vertical axis; None if it lies askew.

    Assets authored Y-up keep their heading this way, and mirrored ones their own axes.
    """
    axes = world_from_local[:3, :3]
    lengths = np.linalg.norm(axes, axis=0)
    if (lengths < 1e-12).any():
        return None
    unit = axes / lengths
    vertical = int(np.abs(unit[2]).argmax())
    if abs(unit[2, vertical]) < _UPRIGHT_COS:
        return None
    x = unit[:, 1 if vertical == 0 else 0]
    return float(np.degrees(np.arctan2(x[1], x[0])))


def categorise(
    members: Sequence[ObjectRecord], root: ObjectRecord, largest: float, lexicon: Lexicon, alone: bool = False
) -> str:
    """Category from the user's mark, then asset data, then names; ``unknown`` when none of them says.

    Names are asked in the order root, instanced collection, largest member, mesh data, own collection. What draws
    nothing is a lamp or a camera or unknown, whatever it is called: a light `Desk Spot` is no desk.

    Args:
        members: all objects of the thing.
        root: the one that carries its name.
        largest: its largest dimension, metres.
        lexicon: what names mean.
        alone: nothing else is shown of the collection that it is in.
    """
    for record in (root, *members):
        mark = record.marks.get("category")
        if isinstance(mark, str) and mark:
            return lexicon.lookup(mark) or mark
    for record in (root, *members):
        if record.asset:
            for text in (*record.asset.tags, record.asset.catalog):
                category = lexicon.lookup(text)
                if category:
                    return category
    if all(not m.parts and m.bounds is None for m in members):
        return _category_by_kind(members, lexicon)
    largest_member = max(members, key=surface_area) if len(members) > 1 else root
    names = [root.title, root.instance_of, largest_member.title, root.data_name, largest_member.data_name]
    readings = [lexicon.read_name(name) for name in names if name]
    sure = (_that_fits(r, largest, lexicon) for r in readings if r.category and not r.part)
    either = (r.category for r in readings if r.category)  # a screen of its own, not a part of anything
    named = next(sure, None) or next(either, None)
    home = _home_category(root, members, lexicon, alone)
    if named and home and is_always_part(named, home, lexicon):
        return home
    return named or _category_of_parts(members, lexicon) or home or UNKNOWN


def _category_of_parts(members: Sequence[ObjectRecord], lexicon: Lexicon) -> str | None:
    """What several members say they are parts of: ``shelf side`` and ``shelf board`` make a shelf."""
    readings = [lexicon.read_name(m.title) for m in members]
    wholes = [lexicon.whole_of(r) for r in readings if r.part]
    return wholes[0] if len(wholes) >= 2 and len(set(wholes)) == 1 else None


def _category_by_kind(members: Sequence[ObjectRecord], lexicon: Lexicon) -> str:
    """Category of something without geometry."""
    for record in members:
        if record.kind == "CAMERA":
            return "camera"
        if record.kind == "LIGHT":
            names = (lexicon.read_name(m.title).category for m in (record, members[0]))
            return next((k for k in names if k and lexicon.is_a(k, "lamp")), UNKNOWN)
    return UNKNOWN


def _that_fits(reading: NameReading, largest: float, lexicon: Lexicon) -> str | None:
    """The head of a name, or another thing that it names if its size says so.

    A plural is often what something comes with: `couch_pillows` of 3 m are a couch with pillows. A singular is so if it
    is far from any plausible size: a `shelf_papertowel` of 2 m is a shelf. Words that name a thing together, singular
    (`floor lamp`), are in no doubt.
    """
    head, together = reading.category, not reading.besides
    plural = bool(reading.words) and singular(reading.words[-1]) != reading.words[-1]
    if head is None or largest <= 0 or (together and not plural):
        return head
    off = _misfit(head, largest, lexicon)
    sized = [k for k in reading.others if (entry := lexicon.categories.get(k)) and entry.size]
    if plural and not together:
        sized.append(head)
    elif off <= (_PLURAL_SLACK if plural else _SINGULAR_SLACK):
        return head
    else:
        sized = [k for k in sized if _misfit(k, largest, lexicon) <= _PLURAL_SLACK]
    return min(sized, key=lambda k: _from_typical(k, largest, lexicon), default=head)


def _misfit(category: str, largest: float, lexicon: Lexicon) -> float:
    """Factor by which a size is out of what is plausible for a category; 1 within it, or if nothing is known."""
    entry = lexicon.categories.get(category)
    if entry is None or entry.limits is None:
        return 1.0
    return max(1.0, largest / entry.limits[1], entry.limits[0] / largest)


def _from_typical(category: str, largest: float, lexicon: Lexicon) -> float:
    return abs(float(np.log(largest / max(lexicon.categories[category].size or (1.0,)))))


def _home_category(root: ObjectRecord, members: Sequence[ObjectRecord], lexicon: Lexicon, alone: bool) -> str | None:
    """What the collection is called that holds several members of a thing and nothing else of it, or the thing alone:
    no place, though.
    """
    home = root.collections[0] if len(root.collections) == 1 else None
    if home is None or any(m.collections not in ((home,), ()) for m in members):
        return None
    category = lexicon.read_name(home).category
    if category is None or lexicon.is_a(category, "room") or (len(members) < 2 and not alone):
        return None
    return category
