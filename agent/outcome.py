"""What a request came to: changes, what stayed, and what is physically wrong, all read back from the scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from pydantic import JsonValue

from ..executor.geometry.distance import surface_distance
from ..executor.geometry.mesh import FloatArray
from ..executor.model.graph import Entity
from ..executor.model.result import Change, ChangeKind, Faults, Physical, Preservation
from ..executor.predicates.deltas import turn_deg
from ..executor.predicates.physical import collisions, introduced_collisions

if TYPE_CHECKING:
    from ..executor.blender.fingerprint import Fingerprint
    from ..executor.blender.stage import Stage
    from ..executor.reading.scene_world import SceneWorld

_TOUCHING = 0.005
"""Distance up to which what is set into something is held by it, metres."""
_MOVED, _TURNED_DEG, _SCALED, _SHIFTED = 1e-5, 1e-3, 1e-5, 1e-4


def changes_between(
    before: SceneWorld,
    after: SceneWorld,
    touched: Mapping[str, str | None],
    replaced: Mapping[str, str] = MappingProxyType({}),
) -> list[Change]:
    """What became of each touched thing; one change per kind, with the values that differ.

    Args:
        before: the scene before.
        after: the scene now.
        touched: what was meant to change, with what carried it along.
        replaced: ids of things that took the place of others, with the others' ids: one change for both.
    """
    changes: list[Change] = []
    for thing, carrier in touched.items():
        if not before.knows(thing) and not after.knows(thing):
            continue  # made and taken away again
        if thing in replaced.values():
            continue
        if thing in replaced:
            old = before.scene.graph.entity(replaced[thing])
            new = after.scene.graph.entity(thing)
            was: dict[str, JsonValue] = {"id": old.id, "name": old.name, **_placed(old)}
            changes.append(Change(id=thing, name=new.name, kind="replaced", before=was, after=_placed(new)))
            continue
        if not before.knows(thing):
            found = after.scene.graph.entity(thing)
            changes.append(Change(id=thing, name=found.name, kind="added", after=_placed(found), carried_by=carrier))
            continue
        old = before.scene.graph.entity(thing)
        if not after.knows(thing):
            changes.append(Change(id=thing, name=old.name, kind="removed", before=_placed(old), carried_by=carrier))
            continue
        new = after.scene.graph.entity(thing)
        for kind in _kinds(thing, old, new, before, after):
            changes.append(
                Change(
                    id=thing,
                    name=new.name,
                    kind=kind,
                    carried_by=carrier,
                    before=_values(kind, thing, old, before),
                    after=_values(kind, thing, new, after),
                )
            )
    return changes


def _kinds(thing: str, old: Entity, new: Entity, before: SceneWorld, after: SceneWorld) -> list[ChangeKind]:
    kinds: list[ChangeKind] = []
    if np.abs(before.pose(thing)[:3, 3] - after.pose(thing)[:3, 3]).max() > _MOVED:
        kinds.append("moved")
    angle, tilt = turn_deg(before.pose(thing), after.pose(thing))
    if max(abs(angle), tilt) > _TURNED_DEG:
        kinds.append("rotated")
    sizes = [np.linalg.norm(w.pose(thing)[:3, :3], axis=0) for w in (before, after)]
    if np.abs(sizes[1] / np.maximum(sizes[0], 1e-12) - 1).max() > _SCALED:
        kinds.append("scaled")
    if not (old.hidden or new.hidden) and (old.colors != new.colors or old.materials != new.materials):
        kinds.append("restyled")
    if old.hidden != new.hidden:
        kinds.append("hidden" if new.hidden else "shown")
    if old.name != new.name:
        kinds.append("renamed")
    if _follows(thing, before) != _follows(thing, after):
        kinds.append("regrouped")
    if set(old.collections) != set(new.collections):
        kinds.append("sorted")
    if any(np.abs(pose - there).max() > _SHIFTED for pose, there in zip(*_paired(thing, before, after), strict=True)):
        kinds.append("opened")
    return kinds


def _follows(thing: str, world: SceneWorld) -> list[str]:
    """Names of the objects of others that a thing follows as their child."""
    return sorted(set(world.ancestors(thing)) - set(world.member_names(thing)))


def _paired(thing: str, *worlds: SceneWorld) -> list[list[FloatArray]]:
    """Poses of a thing's objects in its own frame, of those that it has in all worlds."""
    names = sorted(set.intersection(*(set(w.member_names(thing)) for w in worlds)))
    return [[np.linalg.pinv(w.pose(thing)) @ w.part_pose(thing, n) for n in names] for w in worlds]


def _values(kind: ChangeKind, thing: str, entity: Entity, world: SceneWorld) -> dict[str, JsonValue]:
    if kind == "moved":
        return _placed(entity) | {"origin": [float(c) for c in world.pose(thing)[:3, 3]]}
    if kind == "rotated":
        return {"yaw": entity.box.yaw, "front": list(entity.front) if entity.front else None}
    if kind == "scaled":
        return {"size": [2 * h for h in entity.box.half]}
    if kind == "restyled":
        return {"colors": list(entity.colors), "materials": list(entity.materials)}
    if kind == "renamed":
        return {"name": entity.name}
    if kind == "regrouped":
        return {"follows": list[JsonValue](_follows(thing, world))}
    if kind == "sorted":
        return {"collections": list[JsonValue](entity.collections)}
    return {}


def _placed(entity: Entity) -> dict[str, JsonValue]:
    return {"center": list(entity.box.center), "on": entity.support.on}


def told_besides(changes: Sequence[Change], before: SceneWorld, stage: Stage) -> list[str]:
    """What changes mean to other scenes of the file, and to objects that point at what is gone, a sentence each."""
    known = [change for change in changes if before.knows(change.id)]
    things = {name: change.name for change in known for name in before.member_names(change.id)}
    gone = {name for change in known if change.kind == "removed" for name in before.member_names(change.id)}
    for change in changes:
        if change.kind == "replaced":
            old = str(change.before["id"])
            things |= dict.fromkeys(before.member_names(old), str(change.before["name"]))
            gone |= set(before.member_names(old))
    told = []
    for scene, names in stage.other_scenes_with(things).items():
        kept = _listed(things[n] for n in names if n in gone)
        changed = _listed(things[n] for n in names if n not in gone)
        told += [f"The scene “{scene}” keeps {kept}."] if kept else []
        told += [f"The scene “{scene}” holds {changed}, too: the change shows there as well."] if changed else []
    pointing = _listed(n for n in stage.referring_to(gone) if n not in gone) if gone else ""
    if pointing:
        told.append(f"Still pointing at what is gone (as a parent, or by a constraint or the like): {pointing}.")
    return told


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def preservation(
    before: SceneWorld,
    prints: Mapping[str, Fingerprint],
    after: SceneWorld,
    after_prints: Mapping[str, Fingerprint],
    touched: Mapping[str, str | None],
    unstable_since: Mapping[str, Fingerprint] | None = None,
) -> Preservation:
    """Which objects outside the targets differ from before.

    Args:
        before: the scene before the request.
        prints: its fingerprints.
        after: the scene now.
        after_prints: its fingerprints.
        touched: the targets and what they carry.
        unstable_since: fingerprints of the same state at an earlier evaluation: what shows something else since
            changes by itself, so only its place and what it is made from are compared.
    """
    targets = {
        m.name
        for world in (before, after)
        for entity, thing in zip(world.scene.graph.objects, world.scene.things, strict=True)
        if entity.id in touched
        for m in thing.members
    }
    changed = []
    for name, old in prints.items():
        if name in targets:
            continue
        new = after_prints.get(name)
        unstable = unstable_since is not None and new is not None and unstable_since[name].shown != new.shown
        looks_other = new is not None and old.shown != new.shown and not unstable
        if new is None or looks_other or (old.placed, old.made_from) != (new.placed, new.made_from):
            changed.append(name)
    return Preservation(non_targets=len(prints) - len(targets & set(prints)), changed=sorted(changed))


def introduced_faults(before: SceneWorld, after: SceneWorld, touched: Mapping[str, str | None]) -> Physical:
    """Faults of what was touched and of what it left behind, and which of them are new."""
    near = [t for t in touched if after.has(t)]
    left_behind = [t for t in after.ids() if t not in touched and before.has(t) and before.carried_by(t) in touched]
    floating = [t for t in [*near, *left_behind] if _floats(t, after)]
    return Physical(
        collisions=collisions(near, after),
        floating=floating,
        introduced=Faults(
            collisions=introduced_collisions(near, after, before),
            floating=[t for t in floating if not (before.has(t) and _floats(t, before))],
        ),
    )


def _floats(thing: str, world: SceneWorld) -> bool:
    """Whether nothing holds a thing: nothing touches it, though it may be within something."""
    if world.is_structure(thing) or world.body(thing).mesh.is_empty:
        return False
    carrier = world.carrier(thing)
    if carrier.kind != "set_in":
        return carrier.kind == "none"
    host = world.carried_by(thing)
    return host is not None and surface_distance(world.body(thing), world.body(host), _TOUCHING) > _TOUCHING
