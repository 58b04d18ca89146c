"""A room that is one collection instance is read as the room and what stands in it; a chair that is one, as a chair."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from .. import zoo
from .product import Graph, Product


def _collection(name: str, within: bpy.types.Collection | None = None) -> bpy.types.Collection:
    made = bpy.data.collections.new(name)
    if within is not None:
        within.children.link(made)
    return made


def _furnished(name: str = "Bedroom") -> bpy.types.Collection:
    """A collection of a room of 4 × 4 m with a bed, a table with a cup on it, and two chairs that are instances."""
    room = _collection(name)
    shell, furniture, chair = _collection("Shell", room), _collection("Furniture", room), _collection("Chair")
    zoo.chair_of_parts(collection=chair)
    zoo.box("Floor", (4.2, 4.2, 0.1), (0, 0, -0.1), collection=shell)
    for side, x, y, size in (("N", 0, 2.05, (4.2, 0.1)), ("S", 0, -2.05, (4.2, 0.1)), ("E", 2.05, 0, (0.1, 4))):
        zoo.box(f"Wall {side}", (*size, 2.6), (x, y, 0), collection=shell)
    zoo.box("Bed", (1, 2, 0.5), (1.5, 1, 0), collection=furniture)
    table = zoo.table(collection=furniture)
    zoo.cup("Cup", (0.3, 0, 0.75), parent=table, collection=furniture)
    for number, x in enumerate((-1, 1)):
        zoo.instance(f"Chair {number}", chair, (x, 0, 0), yaw_deg=90 * x, collection=furniture)
    return room


def _check_room(graph: Graph, middle: tuple[float, float]) -> None:
    (room,) = (r for r in graph.rooms if np.allclose(np.mean(r.floor_polygon, axis=0), middle, atol=0.1))
    inside = [e for e in graph.objects if e.room == room.id]
    assert sorted(e.category for e in inside) == ["bed", "chair", "chair", "cup", "floor", "table", *["wall"] * 3]
    by_category = {e.category: e for e in inside}
    assert by_category["cup"].support.on == by_category["table"].id
    assert by_category["table"].support.on == "floor"
    assert by_category["table"].box.center[:2] == pytest.approx(middle, abs=1e-4)
    assert by_category["chair"].support.on == "floor"
    assert by_category["chair"].front is not None
    assert len(room.walls) == 3


@pytest.mark.parametrize("name", ["Bedroom", "Zimmer.001", "Scene_A"])
def test_a_furnished_room_in_one_instance_is_read_as_its_things(product: Product, name: str):
    zoo.instance(f"{name} instance", _furnished(name), (5, 1, 0), yaw_deg=90)
    graph = product.graph()
    _check_room(graph, (5, 1))
    assert len({e.id for e in graph.objects}) == len(graph.objects)
    assert all(o.startswith(f"{name} instance") for e in graph.objects for o in e.entity_of)


def test_a_storey_in_one_instance_is_read_as_its_things(product: Product):
    zoo.instance("Ground floor", _furnished("Ground floor"), (5, 1, 0))
    _check_room(product.graph(), (5, 1))


def test_two_instances_of_a_room_are_two_rooms(product: Product):
    source = _furnished()
    for x in (-5, 5):
        zoo.instance(f"Bedroom {x}", source, (x, 0, 0))
    graph = product.graph()
    assert len(graph.rooms) == 2
    for x in (-5, 5):
        _check_room(graph, (x, 0))
    names = [o for e in graph.objects for o in e.entity_of]
    assert len(set(names)) == len(names)
    assert len({e.id for e in graph.objects}) == len(graph.objects)


def test_a_room_in_an_instance_of_an_instance_is_read_as_its_things(product: Product):
    house = _collection("House")
    zoo.instance("Bedroom", _furnished(), (3, 0, 0), collection=house)
    zoo.instance("House", house, (2, 1, 0))
    _check_room(product.graph(), (5, 1))


def test_a_room_of_a_library_is_read_as_its_things(product: Product, tmp_path: Path):
    _furnished().use_fake_user = True
    library = product.save("library.blend")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.collections = ["Bedroom"]
    zoo.instance("Bedroom", wanted.collections[0], (5, 1, 0))
    _check_room(product.graph(), (5, 1))


@pytest.mark.parametrize("name", ["Chair", "Chair.003", "Empty", "GEO-seat"])
def test_a_chair_of_seven_meshes_in_one_instance_is_a_chair(product: Product, name: str):
    source = _collection("Chair")
    zoo.chair_of_parts("Chair", collection=source)
    empty = zoo.instance(name, source, (1, 0, 0))
    (chair,) = product.graph().objects
    assert chair.entity_of == [empty.name]


def test_a_shelf_with_books_in_one_instance_is_a_shelf(product: Product):
    source = _collection("Bookshelf")
    zoo.box("Bookshelf", (1, 0.3, 1), collection=source)
    for number in range(3):
        zoo.box(f"Book {number}", (0.04, 0.2, 0.3), (0.1 * number, 0, 1), collection=source)
    zoo.instance("Bookshelf", source)
    (shelf,) = product.graph().objects
    assert shelf.category == "bookshelf"


def test_an_instance_marked_as_one_thing_stays_one(product: Product):
    room = zoo.instance("Bedroom", _furnished(), (5, 1, 0))
    room["scenewright_entity"] = "set"
    (thing,) = product.graph().objects
    assert thing.entity_of == ["Bedroom"]


def test_what_an_instance_holds_keeps_its_ids_and_carries_new_things(product: Product):
    source = _furnished()
    for x in (-5, 5):
        zoo.instance(f"Bedroom {x}", source, (x, 0, 0))
    zoo.box("Vase", (0.1, 0.1, 0.2), (0, 0, 0))
    before = {o: e.id for e in product.graph().objects for o in e.entity_of}
    table = before["Bedroom 5/Table"]
    product.do(f"put the vase on {table}")
    graph = product.graph()
    assert {o: e.id for e in graph.objects for o in e.entity_of} == before
    assert graph.thing("Vase").support.on == table
    bpy.data.objects.remove(bpy.data.objects["Bedroom -5"])
    left = {o: e.id for e in product.graph(product.save()).objects for o in e.entity_of}
    assert left == {o: i for o, i in before.items() if not o.startswith("Bedroom -5")}


def test_a_thing_that_an_instance_holds_is_not_moved_alone_but_with_it(product: Product):
    zoo.instance("Bedroom", _furnished(), (5, 1, 0))
    path = product.save()
    refused = product.edit("move the table 20 cm north", scene=path)
    assert refused.code == 2 and refused.refusal == "unsupported"
    assert "Bedroom" in refused.said and "Make Instances Real" in refused.said
    before = product.graph(path).thing("Bedroom/Table").box.center
    answer = product.do(f"move {product.graph(path).thing('Bedroom').id} 20 cm north", scene=path)
    assert answer.data["preservation"]["changed"] == []
    after = product.graph().thing("Bedroom/Table").box.center
    assert np.subtract(after, before) == pytest.approx([0, 0.2, 0], abs=1e-5)


def test_a_picture_of_an_instanced_room_is_drawn(product: Product, tmp_path: Path):
    zoo.instance("Bedroom", _furnished(), (5, 1, 0))
    picture = tmp_path / "room.png"
    product._run("render", str(product.save()), "-o", str(picture), "--view", "corner1")
    assert picture.stat().st_size > 0
