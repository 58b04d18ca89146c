"""Scene graphs written by hand: the analyser needs no Blender."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scenewright.agent.analyser import compile_request
from scenewright.agent.setting import Setting
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.graph import Aabb, Box, Entity, SceneGraph, Support
from scenewright.executor.model.predicate import Predicate
from scenewright.executor.reading.ids import slug
from scenewright.executor.reading.lexicon import lexicon


def thing(
    name: str,
    *colors: str,
    category: str | None = None,
    front: tuple[float, float] | None = None,
    on: str = "floor",
    at: tuple[float, float, float] = (0, 0, 0),
    hidden: bool = False,
) -> Entity:
    """A thing whose category is what its name says; half a metre in each direction."""
    category = category or lexicon().read_name(name).category or "unknown"
    return Entity(
        id=slug(name),
        name=name,
        category=category,
        role="furniture",
        box=Box(center=at, half=(0.25, 0.25, 0.25), yaw=0),
        aabb=Aabb(min=tuple(np.subtract(at, 0.25)), max=tuple(np.add(at, 0.25))),
        front=front,
        front_source="geometry" if front else "none",
        up=(0, 0, 1),
        support=Support(on=on),
        surfaces=[],
        collections=[],
        colors=list(colors),
        materials=[],
        room=None,
        zone=None,
        protected=False,
        hidden=hidden,
        entity_of=[name],
    )


def graph(*things: Entity, north_deg: float = 0) -> SceneGraph:
    return SceneGraph(
        north_deg=north_deg,
        warnings=[],
        rooms=[],
        walls=[],
        openings=[],
        objects=list(things),
        relations=[],
        zones=[],
    )


ROOM = graph(
    thing("Chair", "red", front=(1, 0), at=(1, 0, 0)),
    thing("Table", "brown", at=(0, 1, 0)),
    thing("Desk", "white", at=(3, 0, 0)),
    thing("Mug", "white", on="table"),
    thing("Floor Lamp", "dark blue"),
    thing("Sofa", "grey", front=(0, -1)),
    thing("Stool", "black", at=(-1, 0, 0)),
    thing("Stool.001", "white", at=(-2, 0, 0)),
    thing("Bench.003", "black"),
    thing("Bench.004", "white"),
    thing("Küchenschrank", category="cabinet"),
    thing("Rug", "green", hidden=True),
    thing("Door", "white"),
    thing("Wall_N", category="wall"),
)


def understood(
    request: str,
    scene: SceneGraph = ROOM,
    frame: str = "viewer",
    viewer: np.ndarray | None = None,
    answers: Mapping[str, str] | None = None,
) -> list[Predicate]:
    """The predicates that a request comes to, one per requirement."""
    requirements = compile_request(request, Setting(scene, frame, viewer, answers or {}))
    predicates = [r.predicate for r in requirements]
    assert all(p is not None for p in predicates)
    return [p for p in predicates if p is not None]


def refusal(request: str, scene: SceneGraph = ROOM, **setting: object) -> ScenewrightError | None:
    """Why a request is refused; None if it is understood."""
    try:
        understood(request, scene, **setting)  # type: ignore[arg-type]
    except ScenewrightError as error:
        return error
    return None
