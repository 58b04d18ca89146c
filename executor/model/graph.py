"""The scene graph as the outside sees it (contract, section 3): JSON in and out through pydantic.

Lengths are metres, angles degrees, world space, Z up, whatever the file's own units are.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Vec2: TypeAlias = tuple[float, float]
Vec3: TypeAlias = tuple[float, float, float]
Role: TypeAlias = Literal[
    "furniture",
    "manipulable",
    "covering",
    "wall_mounted",
    "ceiling_mounted",
    "structure",
    "light",
    "camera",
    "splat",
    "other",
]
FrontSource: TypeAlias = Literal["property", "asset", "geometry", "name", "none"]
OpeningKind: TypeAlias = Literal["door", "window", "opening"]
RelationKind: TypeAlias = Literal[
    "on",
    "inside",
    "under",
    "against",
    "mounted",
    "near",
    "facing",
    "left_of",
    "right_of",
    "front_of",
    "behind",
]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Box(_Frozen):
    """An upright oriented box: it turns about world Z only."""

    center: Vec3
    half: Vec3
    yaw: float


class Aabb(_Frozen):
    """A world-axis-aligned box."""

    min: Vec3
    max: Vec3


class Support(_Frozen):
    """What carries a thing: an object's id, ``floor``, a wall's id, ``ceiling`` or ``none``."""

    on: str
    surface: str | None = None
    gap: float | None = None


class Surface(_Frozen):
    """A level patch that things can stand on.

    Attributes:
        polygon: outer ring in plan, counter-clockwise, not closed.
        z: height of the patch.
        clearance: free height above it, capped at 3 m.
        area: square metres.
    """

    id: str
    polygon: list[Vec2]
    z: float
    clearance: float
    area: float


class Entity(_Frozen):
    """One thing a person would name, whatever number of Blender objects it is made of."""

    id: str
    name: str
    category: str
    role: Role
    box: Box
    aabb: Aabb
    front: Vec2 | None
    front_source: FrontSource
    up: Vec3
    support: Support
    surfaces: list[Surface]
    collections: list[str]
    colors: list[str]
    materials: list[str]
    room: str | None
    zone: str | None
    protected: bool
    hidden: bool
    entity_of: list[str]


class Room(_Frozen):
    """A storey's enclosed (or at least floored) region; the polygon follows the walls' inner faces."""

    id: str
    floor_polygon: list[Vec2]
    floor_z: float
    ceiling_z: float | None
    walls: list[str]
    area: float


class Wall(_Frozen):
    """One straight inner face of a wall; ``normal`` points into the room."""

    id: str
    object_id: str
    start: Vec2
    end: Vec2
    normal: Vec2
    height: float
    openings: list[str]


class Opening(_Frozen):
    """A door, window or plain hole; ``sill`` is its lower edge above the floor."""

    id: str
    object_id: str | None
    kind: OpeningKind
    wall: str | None
    center: Vec3
    width: float
    height: float
    sill: float
    swing: str | None


class Relation(_Frozen):
    """One relation, from its subject to its object; ids of objects or walls."""

    kind: RelationKind
    subject: str
    object: str


class Zone(_Frozen):
    """A part of the floor that somebody named."""

    id: str
    name: str
    polygon: list[Vec2]
    objects: list[str]


class SceneGraph(_Frozen):
    """Everything understood about one view layer of one scene."""

    schema_version: int = Field(default=1, alias="schema")
    unit: Literal["m"] = "m"
    north_deg: float = 0.0
    warnings: list[str]
    rooms: list[Room]
    walls: list[Wall]
    openings: list[Opening]
    objects: list[Entity]
    relations: list[Relation]
    zones: list[Zone]

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    def entity(self, entity_id: str) -> Entity:
        """The object with this id; raises KeyError when there is none."""
        for entity in self.objects:
            if entity.id == entity_id:
                return entity
        raise KeyError(entity_id)
