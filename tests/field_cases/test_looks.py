"""Colour is changed on one thing only, whatever else shares its material or mesh."""

from __future__ import annotations

import bpy
import pytest

from .. import zoo
from .product import Product

OAK = (0.25, 0.13, 0.06)


def _oak_everywhere() -> None:
    oak = zoo.material("Oak", OAK)
    zoo.box("Floor", (4, 4, 0.1), (0, 0, -0.1)).data.materials.append(oak)
    zoo.box("Door", (0.9, 0.05, 2.0), (0, 1.9, 0)).data.materials.append(oak)
    zoo.box("Frame", (0.1, 0.1, 2.1), (0.55, 1.9, 0)).data.materials.append(oak)


def _base_color(material: bpy.types.Material) -> tuple[float, ...]:
    shader = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    return tuple(shader.inputs[0].default_value)[:3]


def _shown(name: str) -> list[str]:
    return [s.material.name for s in bpy.data.objects[name].material_slots]


def test_b17_painting_the_door_leaves_frame_and_floor_in_oak(product: Product):
    _oak_everywhere()
    answer = product.do("paint the door red")
    assert list(answer.changes("restyled")) == ["Door"]
    assert _shown("Floor") == _shown("Frame") == ["Oak"]
    assert _shown("Door") != ["Oak"]
    assert _base_color(bpy.data.materials["Oak"]) == pytest.approx(OAK)
    graph = product.graph()
    assert graph.thing("Door").colors == ["red"]
    assert "red" not in graph.thing("Frame").colors + graph.thing("Floor").colors


def test_b17_one_of_two_chairs_of_one_mesh_is_painted(product: Product):
    data = zoo.mesh("Chair", zoo.CHAIR.values())
    data.materials.append(zoo.material("Oak", OAK))
    for n, x in enumerate((0, 2)):
        zoo.put("Chair" if not n else "Chair.001", data, (x, 0, 0))
    product.do("paint Chair.001 blue")
    assert bpy.data.meshes["Chair"].users == 2
    assert _shown("Chair") == ["Oak"]
    graph = product.graph()
    assert "blue" in graph.thing("Chair.001").colors
    assert "blue" not in graph.thing("Chair").colors


def test_b17_a_thing_without_a_material_gets_one_of_its_own(product: Product):
    data = zoo.mesh("Chair", zoo.CHAIR.values())
    for n, x in enumerate((0, 2)):
        zoo.put("Chair" if not n else "Chair.001", data, (x, 0, 0))
    product.do("paint Chair.001 green")
    assert len(bpy.data.objects["Chair"].material_slots) == 0
    assert "green" in product.graph().thing("Chair.001").colors


def test_painting_a_chair_of_parts_paints_all_of_it_and_nothing_else(product: Product):
    zoo.chair_of_parts()
    zoo.table(at=(2, 0, 0)).data.materials.append(zoo.material("Oak", OAK))
    product.do("paint the chair yellow")
    graph = product.graph()
    assert graph.thing("Chair").colors == ["yellow"]
    assert "yellow" not in graph.thing("Table").colors


def test_colors_are_read_from_the_base_color(product: Product):
    for n, (word, rgb) in enumerate(
        {"red": (0.8, 0.01, 0.01), "black": (0.01, 0.01, 0.01), "white": (1, 1, 1)}.items()
    ):
        zoo.chair(f"Chair {word}", (n, 0, 0)).data.materials.append(zoo.material(word, rgb))
    graph = product.graph()
    for word in ("red", "black", "white"):
        assert word in graph.thing(f"Chair {word}").colors
    product.do("move the red chair 1 m north")
    assert zoo.world("Chair red")[1, 3] == pytest.approx(1)
