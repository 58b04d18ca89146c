"""A world of boxes: what predicates ask of a scene, answered without Blender."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import trimesh
from trimesh.transformations import rotation_matrix, translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.boxes import UprightBox, upright_box
from scenewright.executor.geometry.mesh import TriMesh
from scenewright.executor.model.predicate import Predicate, PredicateName, Verdict
from scenewright.executor.predicates import check


@dataclass(frozen=True)
class Thing:
    """A mesh in its own frame, and where it is."""

    mesh: TriMesh
    pose: np.ndarray
    soft: bool = False
    on: str | None = None
    enters: frozenset[str] = frozenset()
    colors: tuple[tuple[float, float, float], ...] = ()
    areas: tuple[float, ...] = ()
    front: tuple[float, float] | None = None
    hidden: bool = False
    mounted: bool = False
    names: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    parts: Mapping[str, np.ndarray] = field(default_factory=dict)

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> Thing:
        return replace(self, pose=translation_matrix((x, y, z)) @ self.pose)

    def turned(self, angle_deg: float, axis: tuple[float, float, float] = (0, 0, 1)) -> Thing:
        return replace(self, pose=self.pose @ rotation_matrix(np.radians(angle_deg), axis))

    def scaled(self, x: float, y: float, z: float) -> Thing:
        return replace(self, pose=self.pose @ np.diag([x, y, z, 1.0]))

    def bent(self, by: float) -> Thing:
        """Its first corner pulled off along X, in its own frame."""
        vertices = self.mesh.vertices.copy()
        vertices[0, 0] += by
        return replace(self, mesh=TriMesh(vertices, self.mesh.triangles))


def box(size: tuple[float, float, float], at: tuple[float, float, float] = (0, 0, 0), **more: object) -> Thing:
    """A box that stands on a point, its origin in the middle of its underside."""
    made = trimesh.creation.box(size)
    mesh = TriMesh(np.add(made.vertices, (0, 0, size[2] / 2)), np.asarray(made.faces, np.int32))
    return Thing(mesh, translation_matrix(at), **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class PlainWorld:
    """Things by their ids; see `World`."""

    things: dict[str, Thing] = field(default_factory=dict)

    def ids(self) -> Sequence[str]:
        return [t for t, own in self.things.items() if not own.hidden]

    def has(self, thing: str) -> bool:
        return thing in self.things and not self.things[thing].hidden

    def knows(self, thing: str) -> bool:
        return thing in self.things

    def body(self, thing: str) -> Body:
        return Body(self.things[thing].mesh.transformed(self.things[thing].pose))

    def box(self, thing: str) -> UprightBox:
        return upright_box(self.body(thing).mesh.vertices, 0.0)

    def is_soft(self, thing: str) -> bool:
        return self.things[thing].soft

    def is_structure(self, thing: str) -> bool:
        return False

    def may_enter(self, thing: str, host: str) -> bool:
        return host in self.things[thing].enters

    def carried_by(self, thing: str) -> str | None:
        return self.things[thing].on

    def base_colors(self, thing: str) -> tuple[np.ndarray, np.ndarray]:
        own = self.things[thing]
        return np.array(own.colors, float).reshape(-1, 3), np.array(own.areas, float)

    def is_mounted(self, thing: str) -> bool:
        return self.things[thing].mounted

    def pose(self, thing: str) -> np.ndarray:
        return self.things[thing].pose

    def part_pose(self, thing: str, part: str) -> np.ndarray:
        return self.things[thing].parts[part]

    def own_up(self, thing: str) -> np.ndarray:
        return self.things[thing].pose[:3, 2]

    def front(self, thing: str) -> np.ndarray | None:
        front = self.things[thing].front
        return None if front is None else np.array(front)

    def name(self, thing: str) -> str:
        return self.things[thing].names[0]

    def member_names(self, thing: str) -> Sequence[str]:
        return self.things[thing].names

    def ancestors(self, thing: str) -> Sequence[str]:
        return self.things[thing].under

    def collections(self, thing: str) -> Sequence[str]:
        return self.things[thing].collections

    def materials(self, thing: str) -> Sequence[str]:
        return self.things[thing].materials


def world(**things: Thing) -> PlainWorld:
    return PlainWorld(things)


def verdict(
    name: PredicateName,
    /,
    subject: str,
    now: PlainWorld,
    before: PlainWorld | None = None,
    to: str = "",
    **qualifiers: object,
) -> Verdict:
    """What a predicate comes to; things are given as words."""
    stated = Predicate(name=name, subject=subject.split(), object=to.split(), qualifiers=qualifiers)  # type: ignore[arg-type]
    return check(stated, now, before or now)
