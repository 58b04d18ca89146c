"""Furniture made of named pieces is one thing; what could be lifted off it is another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import bpy
import pytest
from mathutils import Matrix

from .. import zoo
from .product import Graph, Product, size_of

Piece = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Size and bottom centre."""

WARDROBE: Mapping[str, Piece] = {
    "Body": ((1.0, 0.6, 2.0), (0, 0, 0)),
    "Door L": ((0.5, 0.02, 1.9), (-0.25, -0.31, 0.05)),
    "Door R": ((0.5, 0.02, 1.9), (0.25, -0.31, 0.05)),
    "Mirror": ((0.3, 0.01, 1.2), (0.25, -0.325, 0.6)),
    "Shelf": ((0.95, 0.5, 0.02), (0, 0, 1.2)),
    "Rail": ((0.9, 0.03, 0.03), (0, 0, 1.8)),
}
COMPOSED: Mapping[str, Mapping[str, Piece]] = {
    "Wardrobe": WARDROBE,
    "Toilet": {
        "Bowl": ((0.4, 0.5, 0.4), (0, 0, 0)),
        "Seat": ((0.38, 0.45, 0.03), (0, 0, 0.4)),
        "Tank": ((0.4, 0.2, 0.4), (0, 0.3, 0.4)),
    },
    "Kitchen cabinet": {
        "Box": ((0.6, 0.6, 0.85), (0, 0, 0)),
        "Door": ((0.58, 0.02, 0.8), (0, -0.31, 0.03)),
        "Countertop": ((0.62, 0.62, 0.04), (0, 0, 0.85)),
        "Sink": ((0.4, 0.4, 0.15), (0, 0, 0.77)),
        "Tap": ((0.03, 0.03, 0.3), (0, 0.25, 0.89)),
    },
    "Front door": {
        "Frame": ((1.0, 0.1, 2.1), (0, 0, 0)),
        "Panel": ((0.9, 0.04, 2.0), (0, 0, 0)),
        "Handle": ((0.1, 0.1, 0.03), (0.35, -0.06, 1.0)),
        "Window": ((0.3, 0.05, 0.5), (0, 0, 1.25)),
    },
    "Bench": {
        "Plank": ((1.6, 0.12, 0.04), (0, 0, 0.43)),
        "Plank.001": ((1.6, 0.12, 0.04), (0, 0.13, 0.43)),
        "Leg": ((0.05, 0.3, 0.43), (-0.7, 0.06, 0)),
        "Leg.001": ((0.05, 0.3, 0.43), (0.7, 0.06, 0)),
    },
    "Garden bench": {f"plank {n}": ((1.6, 0.12, 0.04), (0, 0.125 * n, 0.43)) for n in range(4)},
    "Floor lamp": {
        "Plate": ((0.3, 0.3, 0.02), (0, 0, 0)),
        "Tube": ((0.03, 0.03, 1.5), (0, 0, 0.01)),
        "Shade": ((0.3, 0.3, 0.3), (0, 0, 1.45)),
    },
    "Potted plant": {
        "Pot": ((0.3, 0.3, 0.3), (0, 0, 0)),
        "Soil": ((0.28, 0.28, 0.02), (0, 0, 0.28)),
        "Plant": ((0.5, 0.5, 0.8), (0, 0, 0.3)),
    },
    "Piano": {
        "Body": ((1.5, 0.6, 1.2), (0, 0, 0)),
        "Keyboard": ((1.3, 0.2, 0.05), (0, -0.35, 0.72)),
        "Pedal": ((0.05, 0.1, 0.02), (0, -0.35, 0.04)),
    },
    "Bookshelf": {
        "Side": ((0.02, 0.3, 2.0), (-0.4, 0, 0)),
        "Side.001": ((0.02, 0.3, 2.0), (0.4, 0, 0)),
        "Shelf": ((0.78, 0.3, 0.02), (0, 0, 0.1)),
        "Shelf.001": ((0.78, 0.3, 0.02), (0, 0, 0.7)),
        "Shelf.002": ((0.78, 0.3, 0.02), (0, 0, 1.3)),
    },
    "Desk": {
        "Table top": ((1.4, 0.7, 0.03), (0, 0, 0.715)),
        "Cabinet": ((0.4, 0.6, 0.715), (0.45, 0, 0)),
        "Leg": ((0.05, 0.6, 0.715), (-0.65, 0, 0)),
    },
    "Fridge": {
        "Body": ((0.6, 0.6, 1.8), (0, 0, 0)),
        "Door": ((0.58, 0.04, 1.2), (0, -0.32, 0.6)),
        "Shelf": ((0.5, 0.5, 0.01), (0, 0, 1.0)),
    },
}


def compose(name: str, pieces: Mapping[str, Piece], at: Sequence[float] = (0, 0, 0)) -> bpy.types.Object:
    """An empty with boxes under it."""
    root = zoo.put(name, None, at)
    for piece, (size, place) in pieces.items():
        zoo.box(piece, size, place, parent=root)
    return root


def shown(graph: Graph) -> list[str]:
    """Names of the things with geometry."""
    return sorted(e.name for e in graph.objects if size_of(e).max() > 0)


@pytest.mark.parametrize("name", COMPOSED)
def test_furniture_of_named_pieces_under_an_empty_is_one_thing(product: Product, name: str):
    compose(name, COMPOSED[name], (1, 2, 0))
    graph = product.graph()
    assert [e.name for e in graph.objects] == [name]
    assert len(graph.objects[0].entity_of) == len(COMPOSED[name]) + 1
    assert [o.kind for o in graph.openings] == (["door"] if name == "Front door" else [])


@pytest.mark.parametrize("name", ["Wardrobe", "Fridge", "Piano"])
def test_furniture_of_named_pieces_under_its_body_is_one_thing(product: Product, name: str):
    pieces = dict(COMPOSED[name])
    body = zoo.box(name, *pieces.pop("Body"))
    for piece, (size, place) in pieces.items():
        zoo.box(piece, size, place, parent=body)
    graph = product.graph()
    assert [e.name for e in graph.objects] == [name]


def test_pieces_below_a_piece_belong_to_the_same_thing(product: Product):
    root = zoo.put("Wardrobe", None)
    body = zoo.box("Body", *WARDROBE["Body"], parent=root)
    parts = zoo.put("parts", None, parent=root)
    for piece, parent in (("Door L", body), ("Door R", body), ("Mirror", parts), ("Shelf", parts)):
        zoo.box(piece, *WARDROBE[piece], parent=parent)
    assert shown(product.graph()) == ["Wardrobe"]


def test_the_whole_toilet_goes(product: Product):
    zoo.room()
    compose("Toilet", COMPOSED["Toilet"])
    product.do("remove the toilet")
    left = {o.name for o in bpy.context.view_layer.objects}
    assert not left & {"Toilet", "Bowl", "Seat", "Tank"}


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_names_does_not_matter(product: Product, order: int):
    names = list(COMPOSED["Kitchen cabinet"])[::order]
    root = zoo.put("Kitchen cabinet", None)
    for n, piece in enumerate(names):
        made = zoo.box(f"{n} {piece}", *COMPOSED["Kitchen cabinet"][piece], parent=root)
        assert made.parent is root
    assert shown(product.graph()) == ["Kitchen cabinet"]


# --- things of their own -------------------------------------------------------------------------------------

LIFTED: Mapping[str, tuple[str, Piece]] = {
    "Bottle in a fridge": ("Fridge", ((0.08, 0.08, 0.3), (0, 0, 1.01))),
    "Books on a shelf": ("Bookshelf", ((0.4, 0.2, 0.25), (0, 0, 0.72))),
    "Stool before a piano": ("Piano", ((0.35, 0.35, 0.45), (0, -0.9, 0))),
    "Box on a wardrobe": ("Wardrobe", ((0.4, 0.4, 0.3), (0, 0, 2.0))),
    "Table lamp on a desk": ("Desk", ((0.2, 0.2, 0.4), (-0.3, 0, 0.745))),
    "Desk lamp on a desk": ("Desk", ((0.2, 0.2, 0.4), (-0.3, 0, 0.745))),
    "Keyboard on a desk": ("Desk", ((0.45, 0.15, 0.03), (0, -0.2, 0.745))),
    "Mirror on a desk": ("Desk", ((0.4, 0.05, 0.5), (0, 0.2, 0.745))),
    "Waste bin under a desk": ("Desk", ((0.25, 0.25, 0.3), (-0.2, 0, 0))),
    "Box under a desk": ("Desk", ((0.25, 0.25, 0.3), (-0.2, 0, 0))),
    "Chair at a desk": ("Desk", ((0.45, 0.45, 0.7), (-0.2, -0.2, 0))),
    "Coat in a wardrobe": ("Wardrobe", ((0.4, 0.1, 0.9), (0, 0, 0.9))),
}


@pytest.mark.parametrize("name", LIFTED)
def test_what_could_be_lifted_off_is_a_thing_of_its_own(product: Product, name: str):
    whole, (size, place) = LIFTED[name]
    root = compose(whole, COMPOSED[whole])
    what = re.split(" (?:in|on|before|under|at) ", name)[0]
    zoo.box(what, size, place, parent=root)
    assert shown(product.graph()) == sorted([whole, what])


def test_what_lies_on_a_table_of_one_mesh_is_a_thing_of_its_own(product: Product):
    table = zoo.table("Table", (1, 1, 0), yaw_deg=20)
    tray = zoo.box("Tray", (0.4, 0.3, 0.02), (0, 0, 0.75), parent=table)
    zoo.cup("Cup", (0.1, 0, 0.02), parent=tray)
    zoo.box("Table lamp", (0.2, 0.2, 0.4), (0.4, 0, 0.75), parent=table)
    zoo.box("Box", (0.3, 0.3, 0.3), (0, 0, 0), parent=table)
    zoo.chair(at=(0, -0.4, 0), parent=table)
    assert shown(product.graph()) == ["Box", "Chair", "Cup", "Table", "Table lamp", "Tray"]


def test_books_within_a_bookshelf_of_one_mesh_are_things_of_their_own(product: Product):
    boards = [((0.02, 0.3, 1.5), (x, 0, 0)) for x in (-0.4, 0.4)] + [((0.8, 0.3, 0.02), (0, 0, z)) for z in (0.1, 0.6)]
    shelf = zoo.put("Bookshelf", zoo.mesh("Bookshelf", boards))
    for n in range(3):
        zoo.box(f"Book {n}", (0.04, 0.2, 0.28), (0.05 * n, 0, 0.62), parent=shelf)
    graph = product.graph()
    assert shown(graph) == ["Book 0", "Book 1", "Book 2", "Bookshelf"]
    assert {graph.thing(f"Book {n}").support.on for n in range(3)} == {"bookshelf"}


def test_an_empty_called_after_one_of_the_things_under_it_makes_them_no_parts(product: Product):
    desk = zoo.put("Desk", None)
    zoo.box("Monitor", (0.5, 0.1, 0.4), (0, 0, 0.75), parent=desk)
    zoo.box("Mug", (0.08, 0.08, 0.1), (0.5, 0, 0.75), parent=desk)
    graph = product.graph()
    assert shown(graph) == ["Monitor", "Mug"]
    assert graph.thing("Desk").category == "unknown"


def test_a_chair_alone_under_an_empty_of_another_name_is_a_chair(product: Product):
    zoo.chair(parent=zoo.put("Turntable", None))
    assert shown(product.graph()) == ["Chair"]


# --- structure ---------------------------------------------------------------------------------------------------


def test_what_follows_a_wall_and_has_a_name_is_a_thing_of_its_own(product: Product):
    zoo.room()
    wall = bpy.data.objects["Wall north"]
    for name, size, z in (
        ("Window", (1.2, 0.2, 1.0), 0.9),
        ("Wall lamp", (0.2, 0.1, 0.2), 1.6),
        ("Door", (0.9, 0.2, 2.0), 0),
    ):
        zoo.box(name, size, (len(name) - 6, 0 if size[1] == 0.2 else -0.15, z), parent=wall)
    graph = product.graph()
    assert [graph.thing(n).category for n in ("Window", "Wall lamp", "Door")] == ["window", "wall lamp", "door"]
    assert len(graph.openings) == 2


def test_nameless_things_that_stand_on_their_parent_floor_are_no_part_of_it(product: Product):
    zoo.room()
    floor = bpy.data.objects["Floor"]
    floor.location.z = 0
    floor.data.transform(Matrix.Translation((0, 0, -0.1)))
    zoo.table("Cube", (0, 0, 0), parent=floor)
    zoo.cup("Cylinder", (0, 0, 0.75), parent=floor)
    zoo.box("Pot", (0.2, 0.2, 0.2), (2, 2, 0), parent=floor)
    zoo.box("Floor lamp", (0.3, 0.3, 1.5), (-2, 2, 0), parent=floor)
    graph = product.graph()
    assert graph.thing("Floor").entity_of == ["Floor"]
    assert graph.thing("Cylinder").support.on == graph.thing("Cube").id
    assert graph.thing("Floor lamp").category == "floor lamp"


def test_what_is_set_into_a_wall_or_named_as_its_part_stays_part_of_it(product: Product):
    zoo.room()
    wall = bpy.data.objects["Wall north"]
    zoo.box("Cube", (0.5, 0.1, 0.5), (0, 0, 1), parent=wall)
    zoo.box("trim", (6.0, 0.02, 0.1), (0, -0.11, 0), parent=wall)
    zoo.box("Cube.001", (0.5, 0.03, 0.5), (2, -0.115, 1), parent=wall)
    graph = product.graph()
    assert graph.thing("Wall north").entity_of == ["Wall north", "Cube", "trim"]
    assert graph.thing("Cube.001").entity_of == ["Cube.001"]


def test_everything_under_a_nameless_floor_is_a_thing_of_its_own(product: Product):
    data = bpy.data.meshes.new("Plane")
    data.from_pydata([(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0)], [], [(0, 1, 2, 3)])
    floor = zoo.put("Plane", data)
    zoo.table("Cube", (0, 0, 0), parent=floor)
    zoo.chair("Cube.001", (1.5, 0, 0), parent=floor)
    zoo.cup("Cylinder", (0, 0, 0.75), parent=floor)
    graph = product.graph()
    assert len(graph.objects) == 4
    assert graph.thing("Plane").category == "floor"
    assert graph.thing("Cylinder").support.on == graph.thing("Cube").id


# --- wrappers ----------------------------------------------------------------------------------------------------


def test_a_named_wrapper_of_an_importer_is_the_thing_that_it_wraps(product: Product):
    top = zoo.put("GLTF_SceneRootNode", None, parent=zoo.put("root", None, parent=zoo.put("Sketchfab_model", None)))
    for name, child in (("Table_0", "Object_4"), ("Chair_2", "Object_6"), ("Chair.001_4", "Object_8")):
        node = zoo.put(name, None, parent=top)
        make = zoo.table if name.startswith("Table") else zoo.chair
        make(child, (len(bpy.data.objects), 0, 0), parent=node)
    lamp = zoo.put("lamp_10", None, parent=top)
    zoo.box("Object_14", (0.2, 0.2, 0.5), (0, 3, 0.02), parent=lamp)
    zoo.box("Object_15", (0.1, 0.1, 0.02), (0, 3, 0), parent=lamp)
    graph = product.graph()
    assert {e.name: e.category for e in graph.objects if size_of(e).max() > 0} == {
        "Table_0": "table",
        "Chair_2": "chair",
        "Chair.001_4": "chair",
        "lamp_10": "lamp",
    }
    assert [(e.category, e.role) for e in graph.objects if size_of(e).max() == 0] == [("unknown", "other")]
    product.do("move the table 20 cm north")


def test_wrappers_that_name_nothing_leave_the_name_to_what_they_wrap(product: Product):
    table = zoo.table("Table")
    wheel = zoo.put("wheelWideAsset", None, (2, 0, 0))
    zoo.box("wheelWide", (0.2, 0.6, 0.6), parent=zoo.put("geo", None, parent=wheel))
    zoo.box("Lamp", (0.2, 0.2, 0.4), (0, 0, 0.75), parent=zoo.put("node", None, parent=table))
    graph = product.graph()
    assert shown(graph) == ["Lamp", "Table", "wheelWideAsset"]
    assert all(size_of(e).max() > 0 for e in graph.objects)


# --- what draws nothing ------------------------------------------------------------------------------------------


def _light(name: str, kind: str = "SPOT") -> bpy.types.Object:
    return zoo.put(name, bpy.data.lights.new(name, kind), (0, 0, 2))


def test_what_draws_nothing_is_no_furniture(product: Product):
    for name in ("Desk Spot", "bedsideThingPoint", "Desk lamp"):
        _light(name)
    zoo.put("Sofa target", None)
    zoo.put("Sofa", None, (1, 0, 0))
    zoo.put("Photo", None).empty_display_type = "IMAGE"
    zoo.put("View of the bed", bpy.data.cameras.new("View"))
    graph = product.graph()
    assert {e.name: (e.category, e.role) for e in graph.objects} == {
        "Desk Spot": ("unknown", "light"),
        "bedsideThingPoint": ("unknown", "light"),
        "Desk lamp": ("desk lamp", "light"),
        "Sofa target": ("unknown", "other"),
        "Sofa": ("unknown", "other"),
        "Photo": ("unknown", "other"),
        "View of the bed": ("camera", "camera"),
    }


@pytest.mark.parametrize("other", ["Sofa target", "Sofa", "sofas"])
def test_a_request_means_the_thing_and_not_an_empty_called_like_it(product: Product, other: str):
    zoo.box("Sofa.001", (1.8, 0.8, 0.8))
    zoo.put(other, None, (3, 0, 0))
    answer = product.do("move the sofa 30 cm north")
    assert list(answer.changes("moved")) == ["Sofa.001"]


def test_a_request_means_the_lamp_and_not_the_light_in_another_one(product: Product):
    zoo.box("Lamp.001", (0.2, 0.2, 0.4))
    _light("Lamp")
    answer = product.do("move the lamp 30 cm north")
    assert list(answer.changes("moved")) == ["Lamp.001"]
    assert product.edit("move the sofa 30 cm north").refusal == "unknown_object"
