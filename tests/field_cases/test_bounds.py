"""Bounds come from evaluated geometry in the world: scales, parents, modifiers and instances count."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from .. import zoo
from .product import Product, size_of

GLTF_IO = "scenes/gltf_blender_io/tests/scenes"


def test_b01_height_counts_the_scale_of_the_parent(product: Product):
    empty = zoo.put("Empty", None, (2, 0, 0))
    empty.scale = (0.3, 0.3, 0.3)
    box = zoo.box("Chair", (0.5, 0.5, 1.0), parent=empty)
    assert tuple(box.scale) == (1, 1, 1)

    chair = product.graph().thing("Chair")

    assert size_of(chair) == pytest.approx([0.15, 0.15, 0.30], abs=1e-6)
    assert chair.category == "chair"


def test_b01_a_move_is_in_metres_of_the_world_and_keeps_the_size(product: Product):
    empty = zoo.put("Empty", None, (2, 0, 0))
    empty.scale = (0.3, 0.3, 0.3)
    zoo.box("Chair", (0.5, 0.5, 1.0), parent=empty)
    before = zoo.bounds("Chair")

    product.do("move the chair 1 m east")

    assert zoo.bounds("Chair") == pytest.approx(zoo.shifted(before, [1, 0, 0]), abs=1e-5)


@pytest.mark.parametrize("turned", [(0, 0, 45), (0, 0, 30), (45, 0, 0), (20, 70, 110)])
def test_b02_a_ball_is_as_wide_as_its_diameter_whatever_its_rotation(product: Product, turned: tuple[float, ...]):
    zoo.tilt(zoo.ball("Ball", 1.0), turned)
    ball = product.graph().thing("Ball")
    assert size_of(ball) == pytest.approx([1, 1, 1], abs=0.003)
    assert 2 * np.array(ball.box.half) == pytest.approx([1, 1, 1], abs=0.003)


def test_b02_a_turned_ball_may_roll_right_up_to_the_wall_and_no_further(product: Product):
    zoo.room(width=6.0)
    zoo.tilt(zoo.ball("Ball", 1.0, (1, 0, 0)), (0, 0, 45))
    scene = product.save()

    answer = product.edit("move the ball 1.6 m east", scene=scene)
    assert (answer.code, answer.refusal) == (2, "blocked")
    assert "1.50" in answer.said

    product.do("move the ball 1.499 m east", scene=scene)
    assert 3.0 - zoo.bounds("Ball")[1, 0] == pytest.approx(0.001, abs=1e-4)


def _instanced_table(product: Product) -> bpy.types.Collection:
    zoo.room()
    source = zoo.collection("Table", linked=False)
    zoo.table("TableMesh", collection=source)
    zoo.instance("Table", source, (2, 1, 0), yaw_deg=30)
    return source


def test_b05_an_instanced_table_is_listed_with_its_real_bounds(product: Product):
    _instanced_table(product)
    table = product.graph().thing("Table")
    assert table.category == "table"
    assert table.box.center == pytest.approx([2, 1, 0.375], abs=1e-5)
    assert sorted(2 * np.array(table.box.half)) == pytest.approx([0.75, 0.8, 1.2], abs=1e-5)
    assert table.box.yaw % 90 == pytest.approx(30, abs=1e-3)
    assert table.support.on == "floor"
    assert max(s.z for s in table.surfaces) == pytest.approx(0.75, abs=1e-5)


def test_b05_a_cup_goes_onto_an_instanced_table_and_the_source_stays(product: Product):
    source = _instanced_table(product)
    zoo.cup("Mug", (-1, 0, 0))
    before = [(o.name, tuple(o.location)) for o in source.objects]

    product.do("put the mug on the table")

    low, high = zoo.bounds("Mug")
    assert low[2] == pytest.approx(0.75, abs=0.002)
    assert np.hypot(*((low + high) / 2 - [2, 1, 0])[:2]) < 0.6
    assert [(o.name, tuple(o.location)) for o in bpy.data.collections["Table"].objects] == before
    assert product.graph().thing("Mug").support.on == product.graph().thing("Table").id


@pytest.mark.parametrize("offset", [(0, 0, 0), (5, 5, 0)])
def test_instances_count_the_collections_offset(product: Product, offset: tuple[float, ...]):
    source = zoo.collection("Chair", linked=False)
    zoo.chair("ChairMesh", (5, 5, 0), collection=source)
    source.instance_offset = offset
    zoo.instance("Chair", source, (1, 0, 0))
    chair = product.graph().thing("Chair")
    assert chair.aabb.min == pytest.approx([6 - offset[0] - 0.22, 5 - offset[1] - 0.22, 0], abs=1e-5)


def test_nested_instances_are_one_thing_with_everything_in_it(product: Product):
    seat = zoo.collection("Seat", linked=False)
    zoo.box("SeatMesh", (0.5, 0.5, 0.4), collection=seat)
    pair = zoo.collection("Sofa", linked=False)
    for x in (0.0, 1.0):
        inner = zoo.instance(f"Seat {x}", seat, (x, 0, 0), scale=(2, 1, 1))
        bpy.context.scene.collection.objects.unlink(inner)
        pair.objects.link(inner)
    zoo.instance("Sofa", pair, (0, 3, 0), yaw_deg=90)

    graph = product.graph()

    assert len(graph.objects) == 1
    sofa = graph.thing("Sofa")
    assert sofa.aabb.min == pytest.approx([-0.25, 2.5, 0], abs=1e-5)
    assert sofa.aabb.max == pytest.approx([0.25, 4.5, 0.4], abs=1e-5)


def test_instances_from_vertices_and_faces_are_no_things_of_their_own(product: Product):
    stand = zoo.box("Stand", (1, 1, 0.5))
    stand.instance_type = "VERTS"
    zoo.box("Knob", (0.05, 0.05, 0.05), parent=stand)
    graph = product.graph()
    assert graph.thing("Stand").aabb.max[2] == pytest.approx(0.55, abs=1e-5)
    assert not any(e.name == "Knob" and not e.hidden for e in graph.objects)


def test_b06_geometry_nodes_instances_give_the_bounds(product: Product, field_data: Path):
    cube = product.graph(field_data / GLTF_IO / "22_simple_GN.blend").thing("Cube")
    assert size_of(cube) == pytest.approx([2.4, 2.4, 2.6], abs=1e-4)  # its own evaluated mesh is empty


def _instances_by_nodes(name: str, spacing: float) -> bpy.types.Object:
    """An object whose own mesh is empty: geometry nodes put a cube on each corner of a grid."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    grid = tree.nodes.new("GeometryNodeMeshGrid")
    cube = tree.nodes.new("GeometryNodeMeshCube")
    spread = tree.nodes.new("GeometryNodeInstanceOnPoints")
    out = tree.nodes.new("NodeGroupOutput")
    for name_, value in (("Size X", spacing), ("Size Y", spacing), ("Vertices X", 2), ("Vertices Y", 2)):
        grid.inputs[name_].default_value = value
    cube.inputs["Size"].default_value = (0.2, 0.2, 0.2)
    tree.links.new(grid.outputs["Mesh"], spread.inputs["Points"])
    tree.links.new(cube.outputs["Mesh"], spread.inputs["Instance"])
    tree.links.new(spread.outputs["Instances"], out.inputs[0])
    obj = zoo.put(name, bpy.data.meshes.new(name), (0, 0, 0.1))
    obj.modifiers.new("nodes", "NODES").node_group = tree
    return obj


def test_b06_geometry_made_by_nodes_alone_has_bounds_and_carries_things(product: Product):
    _instances_by_nodes("Pedestals", 1.0)
    zoo.cup(at=(3, 0, 0))
    pedestals = product.graph().thing("Pedestals")
    assert pedestals.aabb.min == pytest.approx([-0.6, -0.6, 0], abs=1e-5)
    assert pedestals.aabb.max == pytest.approx([0.6, 0.6, 0.2], abs=1e-5)

    product.do("put the cup on the pedestals")

    low, high = zoo.bounds("Cup")
    assert low[2] == pytest.approx(0.2, abs=0.002)
    assert np.abs((low + high)[:2] / 2) == pytest.approx([0.5, 0.5], abs=0.06)


def test_v12_points_made_by_nodes_have_bounds(product: Product, field_data: Path):
    path = field_data / GLTF_IO / "38_pointcloud_GN.blend"
    if bpy.app.version < (4, 5):  # cannot open what 5.1 saved
        answer = product.refused_graph(path)
        assert (answer.code, answer.refusal) == (2, "bad_input")
        assert "newer" in answer.said
        return
    graph = product.graph(path)
    assert size_of(graph.thing("Cube")).max() > 0.5
    newer = bpy.data.version[:2] > bpy.app.version[:2]
    assert any("newer" in w for w in graph.warnings) == newer


def test_v12_instances_of_instances_have_bounds(product: Product, field_data: Path):
    graph = product.graph(field_data / GLTF_IO / "gn_nested_instances.blend")
    assert (size_of(graph.thing("Cube")) > 0.5).all()
    assert size_of(graph.thing("instancier")).max() > 2.0


def test_uneven_scale_counts_axis_by_axis(product: Product):
    zoo.box("Crate", (1, 1, 1), yaw_deg=90).scale = (2.0, 0.5, 0.25)
    assert size_of(product.graph().thing("Crate")) == pytest.approx([0.5, 2.0, 0.25], abs=1e-5)


def test_negative_scale_mirrors_and_measures_the_same(product: Product):
    mirrored = zoo.put("Desk", zoo.mesh("Desk", [((1, 0.5, 0.7), (0.5, 0, 0))]))
    mirrored.scale = (-1, 1, 1)
    desk = product.graph().thing("Desk")
    assert desk.aabb.min == pytest.approx([-1, -0.25, 0], abs=1e-6)
    assert max(s.z for s in desk.surfaces) == pytest.approx(0.7)


def test_all_negative_scale_keeps_tops_upward(product: Product):
    desk = zoo.put("Desk", zoo.mesh("Desk", [((1, 0.5, 0.7), (0, 0, -0.7))]))
    desk.scale = (-1, -1, -1)
    found = product.graph().thing("Desk")
    assert found.aabb.max[2] == pytest.approx(0.7, abs=1e-6)
    assert [s.z for s in found.surfaces] == pytest.approx([0.7])


@pytest.mark.parametrize(
    ("kind", "settings", "size"),
    [
        (
            "ARRAY",
            {"count": 3, "use_relative_offset": True, "relative_offset_displace": (1, 0, 0)},
            (3, 1, 1),
        ),
        ("MIRROR", {"use_axis": (False, True, False)}, (1, 1, 1)),
        ("SOLIDIFY", {"thickness": 0.2, "offset": 1.0, "use_even_offset": True}, (1.4, 1.4, 1.4)),
        ("BEVEL", {"width": 0.1, "segments": 3}, (1, 1, 1)),
    ],
)
def test_modifiers_count(product: Product, kind: str, settings: dict[str, object], size: tuple[float, ...]):
    modifier = zoo.box("Crate", (1, 1, 1)).modifiers.new("m", kind)
    for name, value in settings.items():
        setattr(modifier, name, value)
    assert size_of(product.graph().thing("Crate")) == pytest.approx(size, abs=1e-4)


def test_a_modifier_switched_off_in_the_viewport_does_not_count(product: Product):
    modifier = zoo.box("Crate", (1, 1, 1)).modifiers.new("m", "ARRAY")
    modifier.count, modifier.show_viewport = 5, False
    assert size_of(product.graph().thing("Crate")) == pytest.approx([1, 1, 1], abs=1e-5)


def test_v1_a_file_saved_in_edit_mode_shows_its_true_bounds(product: Product, field_data: Path):
    graph = product.graph(field_data / GLTF_IO / "11_loose_geometry.blend")
    assert (size_of(graph.thing("Cube")) > 1.9).all()


def test_v1_io7m_old_style_was_saved_in_edit_mode(product: Product, field_data: Path):
    graph = product.graph(field_data / "scenes/io7m_bedroom/oldStyle.blend")
    assert size_of(graph.thing("oldStyle")) == pytest.approx([0.5, 1.0, 1.0], abs=1e-5)


def test_v9_a_scale_of_a_hundredth_on_the_node_counts(product: Product):
    chair = zoo.put("Chair", zoo.mesh("Chair", [((50, 50, 90), (0, 0, 0))]))
    chair.scale = (0.01, 0.01, 0.01)
    graph = product.graph()
    assert size_of(graph.thing("Chair")) == pytest.approx([0.5, 0.5, 0.9], abs=1e-5)
    assert graph.warnings == []
