"""What the view layer does not show is listed as hidden and is never a target, an obstacle or a support."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from .. import zoo
from .product import Product, size_of

HIDINGS = ["eye", "monitor", "excluded", "collection eye", "collection monitor", "helper"]


def hide(obj: bpy.types.Object, how: str) -> None:
    """Hide an object in one of the ways that Blender has; its collection must hold nothing else."""
    layer = zoo.layer_of(obj.users_collection[0])
    if how == "eye":
        obj.hide_set(True)
    elif how == "monitor":
        obj.hide_viewport = True
    elif how == "excluded":
        layer.exclude = True
    elif how == "collection eye":
        layer.hide_viewport = True
    elif how == "collection monitor":
        obj.users_collection[0].hide_viewport = True
    else:
        obj.display_type, obj.hide_render = "WIRE", True


def _four_excluded_chairs() -> None:
    zoo.room()
    chairs = zoo.collection("Seating")
    for n, x in enumerate((-1.5, -0.5, 0.5, 1.5)):
        zoo.chair(f"Chair {n + 1}", (x, 0, 0), collection=chairs)
    zoo.layer_of(chairs).exclude = True


def test_b13_excluded_chairs_are_listed_as_hidden_where_they_are(product: Product):
    _four_excluded_chairs()
    chairs = [e for e in product.graph().objects if e.category == "chair"]
    assert len(chairs) == 4
    assert all(e.hidden for e in chairs)
    assert sorted(e.box.center[0] for e in chairs) == pytest.approx([-1.5, -0.5, 0.5, 1.5], abs=1e-5)


@pytest.mark.parametrize(
    ("request_", "candidates"),
    [("remove the chairs", 4), ("move Chair 1 1 m east", 1), ("paint all chairs red", 4)],
)
def test_b13_excluded_chairs_are_asked_about_before_they_are_touched(product: Product, request_: str, candidates: int):
    _four_excluded_chairs()
    answer = product.edit(request_)
    assert (answer.code, answer.refusal) == (2, "unknown_object")
    assert "hidden" in answer.said and "excluded" in answer.said
    assert len(answer.data["error"]["candidates"]) == candidates
    assert ("4 of them" in answer.said) == (candidates == 4)


def test_b13_only_the_active_view_layer_counts(product: Product):
    zoo.room()
    chairs = zoo.collection("Seating")
    zoo.chair(collection=chairs)
    bpy.context.scene.view_layers.new("Second").layer_collection.children["Seating"].exclude = True
    path = product.save()
    chair = product.graph(path).thing("Chair")
    assert chair.hidden == (bpy.context.view_layer.name == "Second")
    product.do("move the chair 20 cm north", scene=path)
    assert bpy.context.scene.view_layers["Second"].layer_collection.children["Seating"].exclude


@pytest.mark.parametrize("how", HIDINGS)
def test_b14_a_cup_goes_on_the_table_that_is_seen(product: Product, how: str):
    zoo.room()
    zoo.table(at=(1, 0, 0))
    hide(zoo.table("Table copy", (1, 0, 0.65), collection=zoo.collection("Stash")), how)
    zoo.cup(at=(-1, 0, 0))

    product.do("put the cup on the table")

    assert zoo.bounds("Cup")[0, 2] == pytest.approx(0.75, abs=0.002)


@pytest.mark.parametrize("how", HIDINGS)
def test_hidden_things_are_listed_as_hidden_and_carry_nothing(product: Product, how: str):
    zoo.room()
    shelf = zoo.box("Shelf", (1, 0.4, 0.8), (0, 0, 0), collection=zoo.collection("Stash"))
    hide(shelf, how)
    zoo.cup(at=(0, 0, 0.8))
    graph = product.graph()
    assert graph.thing("Shelf").hidden
    assert size_of(graph.thing("Shelf")) == pytest.approx([1, 0.4, 0.8], abs=1e-5)
    assert graph.thing("Cup").support.on == "none"
    assert not any("shelf" in (r.subject, r.object) for r in graph.relations)


@pytest.mark.parametrize("how", HIDINGS)
def test_hidden_things_are_no_obstacles(product: Product, how: str):
    zoo.room()
    hide(zoo.box("Crate", (0.5, 0.5, 0.5), (1, 0, 0), collection=zoo.collection("Stash")), how)
    zoo.chair()
    product.do("move the chair 1 m east")
    assert zoo.bounds("Chair").mean(axis=0)[:2] == pytest.approx([1, 0], abs=1e-5)


@pytest.mark.parametrize("how", ["excluded", "monitor", "collection monitor"])
def test_hidden_children_of_moved_parents_are_where_they_belong(product: Product, how: str):
    # The depsgraph does not evaluate these, so their matrix_world is stale.
    desk = zoo.table("Desk", (2, 0, 0))
    hide(zoo.box("Drawer", (0.3, 0.3, 0.1), (0, 0, 0.5), parent=desk, collection=zoo.collection("Stash")), how)
    desk.location.x = 3
    assert product.graph().thing("Drawer").box.center == pytest.approx([3, 0, 0.55], abs=1e-5)


def test_what_is_only_left_out_of_renders_is_still_there(product: Product):
    zoo.box("Crate", (0.5, 0.5, 0.5)).hide_render = True
    zoo.cup(at=(0, 0, 0.5))
    graph = product.graph()
    assert not graph.thing("Crate").hidden
    assert graph.thing("Cup").support.on == graph.thing("Crate").id


def test_a_hidden_part_does_not_hide_nor_stretch_its_thing(product: Product):
    root = zoo.chair_of_parts()
    cutter = zoo.box("Chair cutter", (3, 3, 3), parent=root)
    cutter.hide_set(True)
    chair = product.graph().thing("Chair seat")
    assert not chair.hidden
    assert size_of(chair) == pytest.approx([0.44, 0.44, 0.9], abs=1e-5)


def test_the_instanced_collection_of_a_hidden_source_is_seen_once(product: Product):
    source = zoo.collection("Table")
    zoo.table("TableMesh", (0, 0, 0), collection=source)
    zoo.layer_of(source).exclude = True
    zoo.instance("Table instance", source, (2, 0, 0))
    graph = product.graph()
    shown = [e for e in graph.objects if not e.hidden]
    assert [e.name for e in shown] == ["Table instance"]
    assert graph.thing("TableMesh").hidden
    zoo.cup(at=(0, 3, 0))
    product.do("put the cup on the table")
    assert np.abs(zoo.bounds("Cup").mean(axis=0)[:2] - [2, 0]).max() < 0.6


@pytest.mark.parametrize("how", HIDINGS)
def test_hiding_is_kept_by_an_edit(product: Product, how: str):
    hide(zoo.box("Crate", (0.5, 0.5, 0.5), (3, 0, 0), collection=zoo.collection("Stash")), how)
    zoo.chair()
    product.do("move the chair 10 cm east")
    assert product.graph().thing("Crate").hidden
