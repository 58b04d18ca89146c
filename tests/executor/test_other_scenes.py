"""A file of several scenes: one is edited, and the others keep what they hold, or it is told what changes in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.fingerprint import Fingerprint
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.steps import finish

from .rooms import block, edit, furnished, open_blend, save


def night(*names: str) -> bpy.types.Scene:
    """The furnished room, and another scene that holds some of its objects by itself."""
    furnished()
    scene = bpy.data.scenes.new("Night")
    for name in names:
        scene.collection.objects.link(bpy.data.objects[name])
    return scene


def furniture() -> bpy.types.Collection:
    """The chair and the sofa of the furnished room in a collection of the scene."""
    made = bpy.data.collections.new("Furniture")
    scene = bpy.context.scene.collection
    scene.children.link(made)
    for name in ("Chair", "Sofa"):
        made.objects.link(bpy.data.objects[name])
        scene.objects.unlink(bpy.data.objects[name])
    return made


def test_what_is_removed_from_one_scene_stays_in_the_other_as_it_was(source: Path, out: Path):
    night("Chair", "Sofa")
    save(source)
    done = edit(source, "remove the chair", out)
    assert done.code == 0, done.out
    assert [(c.name, c.kind) for c in done.result.changes] == [("Chair", "removed")]
    assert done.result.preservation.changed == []
    assert "The scene “Night” keeps Chair." in done.result.warnings
    open_blend(out)
    assert "Chair" not in bpy.data.scenes["Scene"].objects
    assert [o.name for o in bpy.data.scenes["Night"].collection.objects] == ["Chair", "Sofa"]
    assert not bpy.data.objects["Chair"].use_fake_user


def test_a_collection_that_two_scenes_share_is_not_emptied_for_both(source: Path, out: Path):
    scene = night()
    scene.collection.children.link(furniture())
    save(source)
    done = edit(source, "remove the chair", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "Furniture" in done.json["error"]["message"] and "Night" in done.json["error"]["message"]
    assert done.json["error"]["hint"]


def test_a_collection_that_another_scene_instances_is_not_emptied_for_both(source: Path, out: Path):
    scene = night()
    empty = bpy.data.objects.new("Group", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", furniture()
    scene.collection.objects.link(empty)
    save(source)
    done = edit(source, "remove the chair", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "Night" in done.json["error"]["message"]


def test_what_another_scene_shows_is_moved_there_too_and_that_is_told(source: Path, out: Path):
    night("Chair")
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 0, done.out
    assert [w for w in done.result.warnings if "Night” holds Chair, too" in w]


def test_nothing_is_told_of_scenes_that_hold_none_of_what_changed(source: Path, out: Path):
    night("Sofa")
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert not [w for w in done.result.warnings if "too" in w or "keeps" in w]


def test_what_only_another_scene_holds_and_follows_along_counts_as_changed(source: Path, out: Path):
    """A lamp of the other scene hangs on the chair as its child."""
    scene = night()
    lamp = block("Lamp", (0.1, 0.1, 0.3), (1.5, 0, 1), parent=bpy.data.objects["Chair"])
    bpy.context.scene.collection.objects.unlink(lamp)
    scene.collection.objects.link(lamp)
    save(source)
    done = edit(source, "move the chair 20 cm right", out)
    assert done.code == 1
    assert done.result.preservation.changed == ["Lamp"]


def unlink(scene: bpy.types.Scene) -> None:
    scene.collection.objects.unlink(bpy.data.objects["Chair"])


def hide(scene: bpy.types.Scene) -> None:
    bpy.data.objects["Chair"].hide_set(True, view_layer=scene.view_layers[0])


def exclude(scene: bpy.types.Scene) -> None:
    scene.view_layers[0].layer_collection.children["Dark"].exclude = True


def move(scene: bpy.types.Scene) -> None:
    bpy.data.objects["Moon"].location.x += 0.1


def repaint(scene: bpy.types.Scene) -> None:
    bpy.data.objects["Moon"].color = (1, 0, 0, 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (unlink, "the scene “Night”"),
        (hide, "the scene “Night”"),
        (exclude, "the scene “Night”"),
        (move, "Moon"),
        (repaint, "Moon"),
    ],
)
def test_a_fingerprint_tells_what_changes_in_another_scene(change: Callable[[bpy.types.Scene], None], told: str):
    scene = night("Chair")
    scene.collection.children.link(bpy.data.collections.new("Dark"))
    scene.collection.objects.link(bpy.data.objects.new("Moon", None))
    stage = Stage(bpy.context)

    def prints() -> dict[str, Fingerprint]:
        finish(stage.read())
        return finish(stage.fingerprints())

    before = prints()
    assert prints() == before
    change(scene)
    after = prints()
    assert [name for name in before if after[name] != before[name]] == [told]
