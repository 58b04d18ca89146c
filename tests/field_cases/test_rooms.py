"""Rooms whatever they are modelled of: one shell, panels, storeys, over a terrain; their doors, windows and holes."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest

from .. import zoo
from .product import Graph, Product


def _shell(name: str, size: Sequence[float] = (4, 5, 2.6), inward: bool = False) -> bpy.types.Object:
    """A room of one closed box that stands on z = 0."""
    shell = zoo.box(name, size)
    if inward:
        shell.data.flip_normals()
    return shell


def _furnish() -> None:
    zoo.table()
    zoo.chair(at=(1.2, 1, 0))


def _without_top(shell: bpy.types.Object) -> None:
    top = max(shell.data.polygons, key=lambda p: p.center.z)
    faces = [tuple(p.vertices) for p in shell.data.polygons if p.index != top.index]
    corners = [tuple(v.co) for v in shell.data.vertices]
    shell.data.clear_geometry()
    shell.data.from_pydata(corners, [], faces)


def _solidify(shell: bpy.types.Object) -> None:
    modifier = shell.modifiers.new("thick", "SOLIDIFY")
    modifier.thickness, modifier.offset = 0.1, 1.0


def _check_only_room(graph: Graph, area: float, walls: int = 4) -> None:
    assert len(graph.rooms) == 1, graph.rooms
    room = graph.rooms[0]
    assert room.area == pytest.approx(area, abs=0.02)
    assert room.floor_z == pytest.approx(0, abs=1e-4)
    assert len(room.walls) == len(graph.walls) == walls


# --- rooms of one shell ---


@pytest.mark.parametrize("inward", [False, True])
@pytest.mark.parametrize("name", ["Room", "Cube"])
def test_a_closed_box_with_furniture_in_it_is_a_room_whichever_way_its_normals_look(
    product: Product, name: str, inward: bool
):
    _shell(name, inward=inward)
    _furnish()
    graph = product.graph()
    _check_only_room(graph, 20)
    assert graph.rooms[0].ceiling_z == pytest.approx(2.6, abs=1e-4)
    assert {graph.thing(n).support.on for n in ("Table", "Chair")} == {"floor"}
    assert {graph.thing(n).room for n in ("Table", "Chair")} == {graph.rooms[0].id}


def test_the_inside_of_a_thick_shell_is_its_room(product: Product):
    _solidify(_shell("Room"))
    _furnish()
    graph = product.graph()
    _check_only_room(graph, 20)
    assert graph.rooms[0].ceiling_z == pytest.approx(2.6, abs=1e-4)
    assert graph.thing("Table").support.on == "floor"


def test_a_shell_without_its_top_is_a_room_without_a_ceiling(product: Product):
    _without_top(_shell("Room"))
    _furnish()
    graph = product.graph()
    _check_only_room(graph, 20)
    assert graph.rooms[0].ceiling_z is None
    assert graph.thing("Table").support.on == "floor"


@pytest.mark.parametrize("depth", [0.0, 0.02, 0.2])
def test_a_shell_on_the_ground_keeps_its_own_floor(product: Product, depth: float):
    zoo.box("Ground", (40, 40, 0), (0, 0, -depth))
    _shell("Room")
    _furnish()
    graph = product.graph()
    _check_only_room(graph, 20)
    assert {graph.thing(n).support.on for n in ("Table", "Chair")} == {"floor"}


def test_what_hangs_from_the_top_of_a_shell_hangs_from_the_ceiling(product: Product):
    _shell("Room")
    _furnish()
    zoo.box("Lamp", (0.3, 0.3, 0.3), (0, 0, 2.3))
    lamp = product.graph().thing("Lamp")
    assert lamp.support.on == "ceiling"


def test_a_solid_block_called_wall_is_no_room(product: Product):
    zoo.box("Wall", (4, 1.2, 3))
    zoo.table(at=(0, 3, 0))
    assert product.graph().rooms == []


def test_a_large_nameless_cube_on_a_plane_is_no_wall(product: Product, field_data: Path):
    graph = product.graph(field_data / "scenes/io7m_bedroom/glowCube.blend")
    assert graph.walls == []
    assert [r.floor_z for r in graph.rooms] == pytest.approx([0], abs=1e-4)
    assert graph.thing("glowCube").support.on == "floor"
    assert graph.thing("Plane").category == "floor"


def test_a_shelf_that_belongs_to_a_wall_is_no_room(product: Product, field_data: Path):
    kit = field_data / "furniture/kaykit_restaurant/addons/kaykit_restaurant_bits/Assets/gltf"
    graph = product.graph(kit / "wall_decorated.gltf")
    assert graph.rooms == []
    assert graph.walls == []


# --- walls ---


@pytest.mark.parametrize("panels", [1, 2, 3, 4, 7])
def test_panels_in_a_row_are_one_wall(product: Product, panels: int):
    zoo.box("Floor", (6, 6, 0.1), (0, 0, -0.1))
    width = 6 / panels
    for k in range(panels):
        at = (k + 0.5) * width - 3
        for side, yaw in (("n", 0), ("w", 90), ("s", 180), ("e", 270)):
            x, y = np.round([[at, 3.1], [-3.1, at], [at, -3.1], [3.1, at]]["nwse".index(side)], 6)
            zoo.box(f"wall_{side}.{k:03}", (width, 0.2, 3), (x, y, 0), yaw_deg=yaw)
    zoo.table()
    graph = product.graph()
    _check_only_room(graph, 36)
    for wall in graph.walls:
        assert np.linalg.norm(np.subtract(wall.end, wall.start)) == pytest.approx(6, abs=0.01)
        assert graph.thing("wall_n.000").category == "wall"
        assert wall.height == pytest.approx(3, abs=1e-4)


@pytest.mark.parametrize(("gap", "walls"), [(0.0, 4), (0.05, 4), (0.1, 4), (0.19, 4), (0.4, 0)])
def test_walls_may_stand_a_hand_outside_the_floor(product: Product, gap: float, walls: int):
    zoo.box("Floor", (4, 5, 0.1), (0, 0, -0.1))
    zoo.box("Wall N", (5, 0.1, 2.6), (0, 2.55 + gap, 0))
    zoo.box("Wall S", (5, 0.1, 2.6), (0, -2.55 - gap, 0))
    zoo.box("Wall E", (0.1, 5, 2.6), (2.05 + gap, 0, 0))
    zoo.box("Wall W", (0.1, 5, 2.6), (-2.05 - gap, 0, 0))
    zoo.table()
    graph = product.graph()
    assert len(graph.rooms) == 1
    assert len(graph.walls) == walls
    if gap > 0.06 and walls:  # the room reaches to its walls
        assert sorted(abs(w.start[0]) for w in graph.walls) == pytest.approx([2 + gap] * 4, abs=0.01)


def test_a_wall_across_the_edge_of_a_floor_does_not_back_it(product: Product):
    zoo.box("Floor", (4, 5, 0.1), (0, 0, -0.1))
    zoo.box("Wall N", (4, 0.1, 2.6), (0, 2.55, 0))
    zoo.box("Wall E", (2, 0.1, 2.6), (3, 0, 0))
    zoo.table()
    graph = product.graph()
    ends = {w.object_id: np.linalg.norm(np.subtract(w.end, w.start)) for w in graph.walls}
    assert ends.pop(graph.thing("Wall N").id) == pytest.approx(4, abs=0.02)
    assert all(length < 0.2 for length in ends.values())  # of the other one, its end at most


@pytest.mark.parametrize(
    "names",
    [
        ("Wall_front", "Wall_back", "Wall_side", "Wall_side.001"),
        ("wall_interior", "wall_exterior", "Wall Segment 3", "Wall corner"),
        ("Mur devant", "Mur arrière", "Mur côté", "Mur côté.001"),
    ],
)
def test_walls_that_are_called_after_a_side_or_a_piece_are_walls(product: Product, names: tuple[str, ...]):
    zoo.room(4, 5)
    for side, name in zip(("north", "south", "east", "west"), names, strict=True):
        bpy.data.objects[f"Wall {side}"].name = name
    bpy.data.objects["Floor"].name = "floor_base"
    zoo.table()
    graph = product.graph()
    _check_only_room(graph, 20)
    assert len(graph.walls) == 4
    assert all(graph.thing(name).category == "wall" and graph.thing(name).entity_of == [name] for name in names)


# --- storeys and terrain ---


def _two_storeys() -> None:
    for number, z in enumerate((0, 2.8)):
        zoo.box(f"Floor {number}", (4.2, 5.2, 0.2), (0, 0, z - 0.2))
        for side, x, y, size in (
            ("N", 0, 2.55, (4.2, 0.1)),
            ("S", 0, -2.55, (4.2, 0.1)),
            ("E", 2.05, 0, (0.1, 5)),
            ("W", -2.05, 0, (0.1, 5)),
        ):
            zoo.box(f"Wall {side}{number}", (*size, 2.6), (x, y, z))


def test_u12_what_is_upstairs_belongs_to_the_room_upstairs(product: Product):
    _two_storeys()
    zoo.table("Table")
    zoo.table("Desk", (0, 0, 2.8))
    zoo.box("Lamp", (0.3, 0.3, 0.1), (0, 1, 2.5))
    zoo.box("Picture", (0.6, 0.03, 0.4), (0, 2.485, 4.2))
    graph = product.graph()
    lower, upper = sorted(graph.rooms, key=lambda r: r.floor_z)
    assert (lower.floor_z, upper.floor_z) == pytest.approx((0, 2.8), abs=1e-4)
    assert lower.ceiling_z == pytest.approx(2.6, abs=1e-4)
    assert upper.ceiling_z is None
    for name, room in (
        ("Table", lower),
        ("Lamp", lower),
        ("Wall N0", lower),
        ("Floor 0", lower),
        ("Desk", upper),
        ("Picture", upper),
        ("Wall N1", upper),
        ("Floor 1", upper),
    ):
        assert graph.thing(name).room == room.id, name
    assert graph.thing("Picture").support.on in upper.walls


def test_a_picture_upstairs_hangs_on_the_upper_wall_of_one_mesh(product: Product):
    for number, z in enumerate((0, 2.8)):
        zoo.box(f"Floor {number}", (4, 5, 0.2), (0, 0, z - 0.2))
    sides = [((4.2, 0.1), (0, 2.55)), ((4.2, 0.1), (0, -2.55)), ((0.1, 5), (2.05, 0)), ((0.1, 5), (-2.05, 0))]
    zoo.put("Walls", zoo.mesh("Walls", [((*size, 5.4), (*at, 0)) for size, at in sides]))
    zoo.table()
    zoo.box("Picture", (0.6, 0.03, 0.4), (0, 2.485, 4.2))
    graph = product.graph()
    upper = max(graph.rooms, key=lambda r: r.floor_z)
    assert graph.thing("Picture").support.on in upper.walls


@pytest.mark.parametrize("depth", [0.0, 0.03, 0.06, 0.2, 0.6])
def test_a_terrain_below_a_floor_is_no_second_room(product: Product, depth: float):
    zoo.room(4, 5)
    zoo.box("Ground", (40, 40, 0), (0, 0, -depth))
    zoo.table()
    graph = product.graph()
    _check_only_room(graph, 20)
    assert graph.thing("Table").room == graph.rooms[0].id


def test_a_platform_in_a_room_does_not_take_its_floor_away(product: Product):
    zoo.room(6, 5)
    zoo.box("Floor platform", (2, 2, 0.2), (-2, 1.5, 0))
    zoo.table(at=(1, -1, 0))
    graph = product.graph()
    room = next(r for r in graph.rooms if r.floor_z == pytest.approx(0, abs=1e-4))
    assert room.area == pytest.approx(30, abs=0.02)
    assert graph.thing("Table").room == room.id


# --- doors, windows, holes ---


def _wall_with_holes() -> None:
    """A room of 4 × 5 m whose north wall has a hole for a door and one for a window."""
    zoo.room(4, 5)
    bpy.data.objects.remove(bpy.data.objects["Wall north"])
    blocks = [
        ((1.3, 0.2, 2.6), (-1.55, 2.6, 0)),  # left of the window
        ((1.2, 0.2, 1.0), (-0.3, 2.6, 0)),  # below it
        ((1.2, 0.2, 0.6), (-0.3, 2.6, 2.0)),  # above it
        ((0.3, 0.2, 2.6), (0.45, 2.6, 0)),
        ((0.9, 0.2, 0.5), (1.05, 2.6, 2.1)),  # above the door
        ((0.7, 0.2, 2.6), (1.85, 2.6, 0)),
    ]
    zoo.put("Wall north", zoo.mesh("Wall north", blocks))
    zoo.table()


def test_holes_in_a_wall_are_openings(product: Product):
    _wall_with_holes()
    graph = product.graph()
    _check_only_room(graph, 20)
    door, window = sorted(graph.openings, key=lambda o: o.sill)
    assert {door.kind, window.kind} == {"opening"}
    assert (door.width, door.height, door.sill) == pytest.approx((0.9, 2.1, 0), abs=0.02)
    assert (window.width, window.height, window.sill) == pytest.approx((1.2, 1.0, 1.0), abs=0.02)
    assert door.center[:2] == pytest.approx((1.05, 2.5), abs=0.02)
    assert door.object_id == graph.thing("Wall north").id
    assert next(w for w in graph.walls if w.id == door.wall).openings == sorted(o.id for o in graph.openings)


def test_a_door_and_a_window_fill_their_holes(product: Product):
    _wall_with_holes()
    zoo.box("Door", (0.9, 0.05, 2.1), (1.05, 2.6, 0))
    zoo.box("Window", (1.2, 0.05, 1.0), (-0.3, 2.6, 1.0))
    openings = product.graph().openings
    assert sorted(o.kind for o in openings) == ["door", "window"]
    assert [o.width for o in openings] == pytest.approx([0.9, 1.2], abs=1e-4)


@pytest.mark.parametrize("swung", [0, 30, 60, 90])
def test_an_open_door_is_as_wide_as_its_leaf(product: Product, swung: float):
    _wall_with_holes()
    leaf = zoo.put("Door", zoo.mesh("Door", [((0.9, 0.05, 2.1), (-0.45, 0, 0))]), (1.5, 2.475, 0))
    leaf.rotation_euler.z = radians(swung)
    graph = product.graph()
    (door,) = (o for o in graph.openings if o.kind == "door")
    assert door.width == pytest.approx(0.9, abs=1e-3)
    assert door.wall is not None
    assert [o.kind for o in graph.openings if o is not door] == ["opening"]  # the window


def test_doors_of_furniture_are_no_doors_of_the_room(product: Product):
    zoo.room(4, 5)
    zoo.box("Cabinet", (1, 0.5, 0.9), (0, 2.2, 0))
    zoo.box("Cabinet door", (0.48, 0.02, 0.85), (-0.25, 1.94, 0.02))
    zoo.box("Door.001", (0.48, 0.02, 0.85), (0.25, 1.94, 0.02))
    zoo.box("Fridge", (0.6, 0.6, 1.8), (-1.65, 2.1, 0))
    zoo.box("Fridge door", (0.58, 0.04, 1.7), (-1.65, 1.78, 0.05))
    zoo.box("Door", (0.9, 0.2, 2.0), (1.2, 2.6, 0))
    graph = product.graph()
    assert [o.object_id for o in graph.openings] == [graph.thing("Door").id]
    for name in ("Cabinet door", "Door.001", "Fridge door"):
        assert graph.thing(name).role == "other", name


def test_a_door_that_lies_on_the_floor_is_no_opening(product: Product):
    zoo.room(4, 5)
    zoo.box("Door", (0.9, 2.0, 0.05), (0, 0, 0))
    assert product.graph().openings == []


# --- fronts beside walls ---


def test_a_screen_beside_a_wall_does_not_look_along_itself(product: Product):
    zoo.room(4, 5)
    zoo.box("Desk", (1.4, 0.7, 0.7), (-1.25, 1, 0))
    zoo.box("Monitor", (0.6, 0.1, 0.4), (-1.65, 1, 0.7))
    assert product.graph().thing("Monitor").front is None


@pytest.mark.parametrize("yaw", [0, 90, 180])
def test_a_screen_looks_where_its_display_does(product: Product, yaw: float):
    zoo.room(4, 5)
    monitor = zoo.box("Monitor", (0.6, 0.1, 0.4), (0, 0, 0.7), yaw_deg=yaw)
    data = bpy.data.lights.new("Screen glow", "AREA")
    zoo.put("Screen glow", data, (0, 0, 0.2), parent=monitor).rotation_euler.x = radians(90)
    shine = -np.array(zoo.world("Screen glow"))[:3, 2]
    assert product.graph().thing("Monitor").front == pytest.approx(shine[:2], abs=1e-5)


def test_io7m_fronts_are_those_that_one_sees(product: Product, field_data: Path):
    graph = product.graph(field_data / "scenes/io7m_bedroom/bedroom.blend")
    for name in ("screen.000", "screen.001"):
        assert graph.thing(name).front == pytest.approx((0, -1), abs=1e-3)
    assert graph.thing("rack").front == pytest.approx((1, 0), abs=1e-3)
    room = next(r for r in graph.rooms if r.area < 20)
    assert room.area == pytest.approx(15.74, abs=0.01)
    assert len(room.walls) == 2


def test_a_shelf_does_not_open_into_the_wall_behind_it(product: Product):
    zoo.room(4, 5)
    sides = [((0.02, 0.4, 1.8), (x, 0, 0)) for x in (-0.4, 0.4)]
    boards = [((0.8, 0.4, 0.02), (0, 0, z)) for z in (0.1, 0.6, 1.1, 1.6)]
    front = [((0.8, 0.02, 1.8), (0, -0.19, 0))]  # the one closed side looks into the room
    zoo.put("Bookshelf", zoo.mesh("Bookshelf", [*sides, *boards, *front]), (0, 2.25, 0))
    assert product.graph().thing("Bookshelf").front == pytest.approx((0, -1), abs=1e-5)


def test_in_a_corner_a_cupboard_has_its_back_to_the_wall_that_it_touches(product: Product):
    zoo.room(4, 3)
    zoo.box("Fridge", (0.6, 0.65, 1.8), (1.6, 1.17, 0))
    zoo.box("Wardrobe", (1.2, 0.6, 2.1), (-1.39, 1.16, 0))
    graph = product.graph()
    for name in ("Fridge", "Wardrobe"):
        assert graph.thing(name).front == pytest.approx((0, -1), abs=1e-5)
