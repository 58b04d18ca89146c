"""Objects that are no meshes, scenes that hold nothing, and several scenes in one file."""

from __future__ import annotations

import bpy
import pytest

from .. import zoo
from .product import Product, size_of


def _text(name: str, body: str, at: tuple[float, ...]) -> bpy.types.Object:
    data = bpy.data.curves.new(name, "FONT")
    data.body, data.size, data.extrude = body, 0.3, 0.01
    return zoo.put(name, data, at)


def _cable() -> bpy.types.Object:
    data = bpy.data.curves.new("Cable", "CURVE")
    data.dimensions, data.bevel_depth = "3D", 0.01
    spline = data.splines.new("POLY")
    spline.points.add(1)
    spline.points[0].co, spline.points[1].co = (0, 0, 0.01, 1), (2, 0, 0.01, 1)
    return zoo.put("Cable", data)


def _grease_pencil() -> bpy.types.Object:
    blocks = bpy.data.grease_pencils_v3 if hasattr(bpy.data, "grease_pencils_v3") else bpy.data.grease_pencils
    return zoo.put("Sketch", blocks.new("Sketch"))


def _menagerie() -> None:
    zoo.put("Camera", bpy.data.cameras.new("Camera"), (0, -5, 2))
    zoo.put("Sun", bpy.data.lights.new("Sun", "SUN"), (0, 0, 4))
    zoo.put("Area", bpy.data.lights.new("Area", "AREA"), (0, 0, 3))
    zoo.put("Marker", None, (0, 0, 0.75))
    zoo.put("Rig", bpy.data.armatures.new("Rig"))
    zoo.put("Cage", bpy.data.lattices.new("Cage"), (0, 0, 1))
    zoo.put("Speaker", bpy.data.speakers.new("Speaker"))
    zoo.put("Probe", bpy.data.lightprobes.new("Probe", "SPHERE" if bpy.app.version >= (4, 1) else "CUBE"))
    zoo.put("Blob", bpy.data.metaballs.new("Blob"))
    zoo.put("Empty curve", bpy.data.curves.new("Empty curve", "CURVE"))
    zoo.put("Empty mesh", bpy.data.meshes.new("Empty mesh"))
    zoo.put("Volume", bpy.data.volumes.new("Volume"))
    _grease_pencil()
    _text("Exit sign", "EXIT", (1, 2, 2))
    _cable()


def test_b21_every_kind_of_object_is_read(product: Product):
    _menagerie()
    graph = product.graph()
    assert len(graph.objects) == len(bpy.context.scene.objects)
    roles = {e.name: e.role for e in graph.objects}
    assert roles["Camera"] == "camera"
    assert roles["Sun"] == roles["Area"] == "light"
    for name in ("Camera", "Sun", "Marker", "Cage", "Speaker", "Empty curve", "Empty mesh"):
        assert size_of(graph.thing(name)) == pytest.approx([0, 0, 0], abs=1e-6), name
        assert graph.thing(name).surfaces == []


def test_b21_text_and_curves_have_their_real_bounds(product: Product):
    _menagerie()
    graph = product.graph()
    sign, cable = graph.thing("Exit sign"), graph.thing("Cable")
    assert 0.5 < size_of(sign)[0] < 1.2
    assert size_of(sign)[2] == pytest.approx(0.02, abs=1e-4)
    assert sign.aabb.min[0] == pytest.approx(1, abs=0.05)
    assert size_of(cable) == pytest.approx([2.0, 0.02, 0.02], abs=0.005)


def test_b21_empties_and_cameras_carry_nothing(product: Product):
    _menagerie()
    zoo.cup(at=(0, 0, 0.75))
    assert product.graph().thing("Cup").support.on == "none"
    answer = product.edit("put the cup on the marker")
    assert (answer.code, answer.refusal) == (2, "infeasible")


def test_b21_the_exit_sign_moves_up_by_what_was_said(product: Product):
    _menagerie()
    answer = product.edit("move the exit sign 30 cm up")
    assert answer.code == 0, answer.data
    assert tuple(bpy.data.objects["Exit sign"].location) == pytest.approx((1, 2, 2.3), abs=1e-5)
    assert answer.data["preservation"]["changed"] == []


def test_b22_an_empty_file_has_an_empty_graph(product: Product):
    graph = product.graph(product.save())
    assert (graph.objects, graph.rooms, graph.relations) == ([], [], [])


def test_b22_an_empty_file_refuses_in_one_line(product: Product):
    answer = product.edit("put the cup on the table")
    assert (answer.code, answer.refusal) == (2, "unknown_object")
    assert "\n" not in answer.said


def test_b22_one_cube_right_under_the_scene_and_nothing_active(product: Product):
    zoo.box("Cube", (0.4, 0.4, 0.4))
    bpy.context.view_layer.objects.active = None
    assert [e.name for e in product.graph().objects] == ["Cube"]
    product.do("move the cube 1 m east")
    assert zoo.bounds("Cube").mean(axis=0) == pytest.approx([1, 0, 0.2], abs=1e-5)
    assert bpy.context.view_layer.objects.active is None


def test_only_the_active_scene_is_read_and_edited(product: Product):
    zoo.chair()
    other = bpy.data.scenes.new("Other")
    data = bpy.data.objects["Chair"].data
    chair = bpy.data.objects.new("Chair elsewhere", data)
    other.collection.objects.link(chair)
    path = product.save()

    assert [e.name for e in product.graph(path).objects] == ["Chair"]
    product.do("move the chair 1 m east", scene=path)

    assert tuple(bpy.data.objects["Chair elsewhere"].location) == (0, 0, 0)
    assert sorted(s.name for s in bpy.data.scenes) == ["Other", "Scene"]
    assert bpy.context.scene.name == "Scene"


def test_an_object_shared_by_two_scenes_is_one_thing(product: Product):
    chair = zoo.chair()
    bpy.data.scenes.new("Other").collection.objects.link(chair)
    assert len(product.graph(product.save()).objects) == 1


def test_an_object_in_two_collections_is_one_thing(product: Product):
    chair = zoo.chair()
    for name in ("Seating", "Favourites"):
        zoo.collection(name).objects.link(chair)
    found = product.graph().objects
    assert len(found) == 1
    assert {"Seating", "Favourites"} <= set(found[0].collections)


def test_a_lamp_that_gives_light_is_a_lamp_with_its_light(product: Product):
    lamp = zoo.box("Floor lamp", (0.3, 0.3, 1.5))
    zoo.put("Floor lamp bulb", bpy.data.lights.new("bulb", "POINT"), (0, 0, 1.4), parent=lamp)
    found = product.graph().thing("Floor lamp")
    assert set(found.entity_of) == {"Floor lamp", "Floor lamp bulb"}
    assert size_of(found) == pytest.approx([0.3, 0.3, 1.5], abs=1e-5)
