"""What the graph promises whatever a scene is called and however deep it nests."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.read import SceneReader

from .. import zoo
from .rooms import block, new_file, save, scenewright, shell


def test_every_id_means_one_thing_even_if_objects_are_called_like_walls_and_rooms(tmp_path: Path):
    new_file()
    shell()
    for number, side in enumerate("NSEW", 1):
        bpy.data.objects[f"Wall_{side}"].name = f"Wall {number}"
    block("Door 1", (0.9, 0.06, 2.0), (0.5, 2.0, 0))
    block("Room 1", (0.2, 0.2, 0.2), (0, 0, 0))
    block("None", (0.2, 0.2, 0.2), (1, 1, 0))
    graph = json.loads(scenewright("graph", save(tmp_path / "room.blend")).out)
    ids = [entry["id"] for kind in ("objects", "walls", "rooms", "openings") for entry in graph[kind]]
    assert len(ids) == len(set(ids))
    assert len(graph["walls"]) == 4
    assert "none" not in ids
    assert next(o["id"] for o in graph["objects"] if o["name"] == "Wall 3") == "wall_3"


def test_a_flat_thing_with_a_flat_front_part_has_no_front_of_nan(tmp_path: Path):
    new_file()
    tv = block("TV", (1.2, 0.0, 0.7), (0, 0, 0.5))
    block("TV Screen", (1.1, 0.0, 0.6), (0, 0, 0.55), parent=tv)
    graph = json.loads(scenewright("graph", save(tmp_path / "room.blend")).out)
    assert all(o["front"] is None or all(isinstance(c, float) for c in o["front"]) for o in graph["objects"])


def test_a_scene_that_was_read_stays_as_it_was_read(blender: object):
    zoo.room()
    zoo.table(at=(1, 1, 0))
    reader = SceneReader()
    first = reader.read(bpy.context)
    floors, walls = [r.floor for r in first.structure.rooms], [w.thing for w in first.structure.walls]
    bpy.data.objects["Table"].location.x += 0.1
    bpy.context.view_layer.update()
    reader.read(bpy.context)
    assert all(a is b for a, b in zip(floors, [r.floor for r in first.structure.rooms], strict=True))
    assert all(a is b for a, b in zip(walls, [w.thing for w in first.structure.walls], strict=True))
    assert all(any(thing is own for own in first.things) for thing in [*floors, *walls])


@pytest.mark.parametrize("hidden", [False, True])
def test_a_chain_of_a_thousand_parents_is_read(blender: object, hidden: bool):
    parent = None
    for number in range(1500):
        parent = zoo.put(f"Link.{number:04}", None, (0, 0, 0.001), parent=parent)
    lamp = zoo.box("Lamp", (0.1, 0.1, 0.3), parent=parent)
    lamp.hide_viewport = hidden
    bpy.context.view_layer.update()
    graph = SceneReader().read(bpy.context).graph
    (found,) = (e for e in graph.objects if "Lamp" in e.entity_of)
    assert found.box.center[2] == pytest.approx(1.5 + 0.15, abs=1e-3)
    assert found.hidden is hidden


# --- broken files ---


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -3.4e38])
def test_a_vertex_that_is_nowhere_is_left_out_and_told(tmp_path: Path, value: float):
    new_file()
    shell()
    table = block("Table", (1.2, 0.8, 0.74), (0, 0, 0))
    table.data.vertices[7].co.x = value
    graph = json.loads(scenewright("graph", save(tmp_path / "room.blend")).out)
    box = next(o["aabb"] for o in graph["objects"] if o["name"] == "Table")
    assert box["max"] == pytest.approx([0.6, 0.4, 0.74], abs=1e-5)
    assert any("Table" in w and "no place" in w for w in graph["warnings"])


def test_an_object_that_is_nowhere_is_not_read_and_told(tmp_path: Path):
    new_file()
    shell()
    block("Table", (1.2, 0.8, 0.74), (0, 0, 0))
    block("Ghost", (1, 1, 1), (0, 0, 0)).location.x = float("nan")
    done = scenewright("graph", save(tmp_path / "room.blend"))
    assert "NaN" not in done.out
    graph = json.loads(done.out)
    assert all(c is not None for o in graph["objects"] for c in o["box"]["center"])
    assert any("Ghost" in w and "finite place" in w for w in graph["warnings"])


# --- several scenes ---


def test_what_is_drawn_behind_a_scene_belongs_to_what_is_read(tmp_path: Path):
    new_file()
    shell()
    room = bpy.context.scene
    front = bpy.data.scenes.new("Front")
    front.background_set = room
    bpy.context.window.scene = front
    front.collection.objects.link(bpy.data.objects.new("Chair", zoo.mesh("Chair", zoo.CHAIR.values())))
    bpy.context.view_layer.update()
    graph = json.loads(scenewright("graph", save(tmp_path / "room.blend")).out)
    assert len(graph["rooms"]) == 1
    chair = next(o for o in graph["objects"] if o["name"] == "Chair")
    assert chair["support"]["on"] == "floor"
    assert graph["warnings"] == []


def test_scenes_that_are_not_read_are_told(tmp_path: Path):
    new_file()
    shell()
    other = bpy.data.scenes.new("Attic")
    other.collection.objects.link(bpy.data.objects.new("Trunk", zoo.mesh("Trunk", zoo.TABLE)))
    graph = json.loads(scenewright("graph", save(tmp_path / "room.blend")).out)
    assert any("Attic" in w for w in graph["warnings"])
