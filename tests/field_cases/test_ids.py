"""An id means one thing for as long as the file lives: through new names, copies, removals and links."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from .. import zoo
from .product import Graph, Product


def _scene_after_a_turn(product: Product) -> None:
    """A room with two stools and a vase, whose things have been given their ids: the vase has moved."""
    zoo.room()
    zoo.box("Stool", (0.4, 0.4, 0.5), (-1, 0, 0))
    zoo.box("Bench", (1.2, 0.4, 0.5), (1, 0, 0))
    zoo.box("Vase", (0.2, 0.2, 0.4), (0, 1, 0))
    product.do("move the vase 10 cm left")


def _copied(name: str, at: zoo.Vector, linked: bool = False) -> bpy.types.Object:
    """A duplicate as Shift+D or, linked, Alt+D makes it: custom properties and all."""
    original = bpy.data.objects[name]
    copy = original.copy()
    if not linked:
        copy.data = original.data.copy()
    copy.location = at
    bpy.context.scene.collection.objects.link(copy)
    return copy


def _ids(graph: Graph) -> dict[str, str]:
    return {e.name: e.id for e in graph.objects}


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize(("original", "copy"), [("Z", "A"), ("A", "Z"), ("Stool.001", "Stool")])
def test_a_thing_keeps_its_id_when_it_and_its_copy_get_new_names(
    product: Product, original: str, copy: str, linked: bool
):
    _scene_after_a_turn(product)
    duplicate = _copied("Stool", (-1, 1.5, 0), linked)
    bpy.data.objects["Stool"].name = "Other"
    duplicate.name = copy
    bpy.data.objects["Other"].name = original
    ids = _ids(product.graph(product.save()))
    assert ids[original] == "stool" != ids[copy]


def test_a_moved_thing_keeps_its_id_and_the_copy_left_in_its_place_gets_its_own(product: Product):
    _scene_after_a_turn(product)
    _copied("Stool", (-1, 0, 0))
    bpy.data.objects["Stool"].location.x = -1.5
    ids = _ids(product.graph(product.save()))
    assert ids["Stool"] == "stool" != ids["Stool.001"]


def test_the_ids_that_copies_have_got_stay(product: Product):
    _scene_after_a_turn(product)
    _copied("Stool", (-1, 1.5, 0)).name = "Aa"
    product.do("move the vase 10 cm right")
    first = _ids(product.graph(product.save()))
    bpy.data.objects["Aa"].name = "Zz"
    bpy.data.objects["Stool"].name = "Yy"
    second = _ids(product.graph(product.save()))
    assert (second["Yy"], second["Zz"]) == (first["Stool"], first["Aa"]) and first["Stool"] == "stool"


def test_a_new_thing_of_a_removed_ones_name_gets_an_id_of_its_own(product: Product):
    _scene_after_a_turn(product)
    bpy.data.objects.remove(bpy.data.objects["Stool"])
    zoo.box("Stool", (0.5, 0.3, 0.6), (-2, 1, 0))
    product.do("move the vase 10 cm left")
    bpy.data.objects.remove(bpy.data.objects["Stool"])
    zoo.box("Stool", (0.5, 0.5, 0.4), (-1, 1, 0))
    ids = _ids(product.graph(product.save()))
    assert ids["Stool"] not in ("stool", "stool_2")
    assert ids["Bench"] == "bench"


def test_a_thing_that_we_removed_leaves_its_id_to_nobody(product: Product):
    _scene_after_a_turn(product)
    product.do("remove the stool")
    bpy.data.objects["Stool"].name = "Removed"  # it stays in the file, so that it can come back
    zoo.box("Stool", (0.5, 0.5, 0.4), (-1, 1, 0))
    assert _ids(product.graph(product.save()))["Stool"] != "stool"


def test_a_thing_keeps_its_id_when_another_of_its_parts_comes_to_name_it(product: Product):
    zoo.room()
    zoo.chair_of_parts()
    zoo.box("Vase", (0.2, 0.2, 0.4), (0, 1, 0))
    product.do("move the vase 10 cm left")
    before = product.graph(product.save()).thing("Chair back")
    bpy.data.objects["Chair"].name = "Xyz"
    after = product.graph(product.save()).thing("Chair back")
    assert (before.name, after.name) == ("Chair", "Chair back")
    assert len(after.entity_of) == len(before.entity_of) == 8
    assert after.id == before.id == "chair"


def test_linked_things_that_can_carry_no_mark_keep_their_ids(product: Product, tmp_path: Path):
    zoo.box("Stool", (0.4, 0.4, 0.5), (-1, 0, 0))
    library = product.save("library.blend")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    zoo.room()
    zoo.box("Vase", (0.2, 0.2, 0.4), (0, 1, 0))
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = ["Stool"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    product.do("move the vase 10 cm left")
    zoo.box("Stool", (0.5, 0.3, 0.6), (1, 0, 0))
    graph = product.graph(product.save())
    ids = {e.box.center[0] < 0: e.id for e in graph.objects if e.name == "Stool"}
    assert ids[True] == "stool" != ids[False]


def test_what_is_drawn_behind_a_scene_keeps_its_ids(product: Product):
    _scene_after_a_turn(product)
    del bpy.data.objects["Stool"]["scenewright_id"]
    room = bpy.context.scene
    front = bpy.data.scenes.new("Front")
    front.background_set = room
    vase = bpy.data.objects["Vase"]
    room.collection.objects.unlink(vase)
    front.collection.objects.link(vase)
    bpy.context.window.scene = front
    product.do("move the vase 10 cm left")
    assert _ids(product.graph(product.save()))["Stool"] == "stool"
