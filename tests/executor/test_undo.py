"""What fails, is cancelled or is closed half-way leaves the scene as it was: the fingerprints, and every bit."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from scenewright.agent.loop import Options, run
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.steps import finish

from .rooms import furnished, material
from .test_transform import keyed


def state() -> dict[str, object]:
    """Everything about the open file that an edit could leave changed, exactly."""
    bpy.context.view_layer.update()
    found: dict[str, object] = {}
    for obj in bpy.data.objects:
        found[obj.name] = (
            np.array(obj.matrix_world).tobytes(),
            tuple(
                tuple(getattr(obj, f)) for f in ("location", "rotation_euler", "scale", "delta_location", "delta_scale")
            ),
            tuple(obj.delta_rotation_euler),
            obj.use_fake_user,
            obj.data.name if obj.data else None,
            [(s.link, s.material.name if s.material else None) for s in obj.material_slots],
            dict(obj.items()),
            obj.name in bpy.context.scene.objects and (obj.select_get(), obj.hide_get()),
        )
    for collection in (bpy.context.scene.collection, *bpy.data.collections):
        found[f"collection {collection.name}"] = [o.name for o in collection.objects]
    found["materials"] = sorted((m.name, m.users) for m in bpy.data.materials)
    found["meshes"] = sorted((m.name, m.users, len(m.materials)) for m in bpy.data.meshes)
    found["scene"] = dict(bpy.context.scene.items())
    found["active"] = bpy.context.view_layer.objects.active.name if bpy.context.view_layer.objects.active else None
    found["frame"] = bpy.context.scene.frame_current
    for action in bpy.data.actions:
        curves = [c for bag in _bags(action) for c in bag.fcurves]
        found[f"action {action.name}"] = [(c.data_path, [tuple(p.co) for p in c.keyframe_points]) for c in curves]
    return found


def _bags(action: bpy.types.Action) -> list[object]:
    if not hasattr(action, "layers"):
        return [action]
    return [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]


@pytest.fixture
def stage() -> Stage:
    """A stage on the furnished room with some of everything that is hard to put back."""
    furnished()
    scene = bpy.context.scene
    scene.frame_end, scene.frame_current = 60, 20
    chair, sofa, crate = (bpy.data.objects[n] for n in ("Chair", "Sofa", "Crate"))
    chair.location = (1.5000001, 0.0123457, 0)
    chair.rotation_euler = (0, 0, 0.1234567)
    keyed(crate, "location", {1: (-1.8, -1.4, 0), 60: (-1.7, -1.3, 0)})
    scene.frame_set(20)
    sofa.select_set(True)
    bpy.context.view_layer.objects.active = sofa
    shared = material("shared", (0.3, 0.3, 0.3))
    sofa.data.materials.append(shared)
    furniture = bpy.data.collections.new("Furniture")
    scene.collection.children.link(furniture)
    for obj in (chair, sofa):
        furniture.objects.link(obj)
    return Stage(bpy.context)


BLOCKED = [
    "move the chair 1 m right",
    "rotate the sofa 90 degrees",
    "scale the sofa by 2",
    "move the crate 5 m right and move the sofa 2 m forward",
    "move the table 80 cm forward",
]


@pytest.mark.parametrize("request_", BLOCKED)
def test_a_refused_request_leaves_every_bit_as_it_was(request_: str, stage: Stage):
    finish(stage.read())
    prints, before = finish(stage.fingerprints()), state()
    steps = run(request_, stage, Options())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            assert end.value.status == "refused", end.value
            break
    finish(stage.read())
    assert finish(stage.fingerprints()) == prints
    assert state() == before


LONG = (
    "move the table 20 cm left, rotate the chair 10 degrees, scale the crate by 1.1, move the crate 5 cm right, "
    "paint the sofa red, put the mug on the sofa, remove the chair and remove the sofa"
)


@pytest.mark.parametrize("stop", range(1, 12))
@pytest.mark.parametrize("how", ["close", "ctrl-c"])
def test_a_request_that_is_stopped_leaves_every_bit_as_it_was(stop: int, how: str, stage: Stage):
    finish(stage.read())
    prints, before = finish(stage.fingerprints()), state()
    steps = run(LONG, stage, Options())
    doing = []
    for _ in range(stop):
        try:
            doing.append(next(steps).doing)
        except StopIteration:
            pytest.fail(f"over before step {stop}: {doing}")
    if how == "close":
        steps.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            steps.throw(KeyboardInterrupt())
    finish(stage.read())
    assert finish(stage.fingerprints()) == prints
    assert state() == before


def test_of_a_partial_request_the_failed_step_leaves_no_trace(stage: Stage):
    finish(stage.read())
    before = state()
    steps = run("move the table 20 cm left and move the chair 1 m right", stage, Options())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result = end.value
            break
    assert [r.status for r in result.requirements] == ["satisfied", "unsatisfied"]
    after = state()
    ids = {"scenewright_id"}
    for name in ("Chair", "Sofa", "Crate"):
        old, new = before[name], after[name]
        assert old[:6] == new[:6]  # type: ignore[index]
        assert {k: v for k, v in new[6].items() if k not in ids} == old[6]  # type: ignore[index]
    assert before["materials"] == after["materials"] and before["meshes"] == after["meshes"]


def test_the_request_pauses_after_each_object_whose_fingerprint_is_taken():
    """Whoever waits is never kept for longer than one object takes, however many there are."""
    furnished()
    stage = Stage(bpy.context)
    finish(stage.read())
    assert len(list(stage.fingerprints())) == len(bpy.context.scene.objects)
