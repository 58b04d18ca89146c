"""Furniture built by rule, put into a scene and read back."""

from __future__ import annotations

from collections import Counter

import bpy
import numpy as np
import pytest

from scenewright.assets_index.parametric import Opening, build, kinds, room_shell
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.pieces import add_piece
from scenewright.executor.blender.read import SceneReader
from scenewright.executor.model.graph import Entity, SceneGraph

from .rooms import new_file

KINDS = [(info.kind, style) for info in kinds() for style in info.styles]


@pytest.fixture(autouse=True)
def _empty_scene(blender) -> None:
    pass


def read() -> SceneGraph:
    return SceneReader().read(bpy.context).graph


def only_thing() -> Entity:
    (entity,) = read().objects
    return entity


def size_of(entity: Entity) -> np.ndarray:
    return np.subtract(entity.aabb.max, entity.aabb.min)


@pytest.mark.parametrize(("kind", "style"), KINDS)
def test_a_piece_is_one_thing_of_its_size_and_category(kind: str, style: str):
    piece = build(kind, style=style)
    add_piece(Journal(), bpy.context, piece, kind.replace("_", " ").title(), (1.0, -2.0, 0.5))

    thing = only_thing()
    assert (thing.category, thing.role) == (piece.category, piece.role)
    assert size_of(thing) == pytest.approx(piece.size, abs=1e-5)
    assert thing.aabb.min[2] == pytest.approx(0.5, abs=1e-5)
    assert np.add(thing.aabb.max, thing.aabb.min)[:2] / 2 == pytest.approx((1.0, -2.0), abs=1e-5)


def test_the_front_turns_with_the_piece():
    add_piece(Journal(), bpy.context, build("wardrobe"), "Wardrobe", (0, 0, 0), yaw_deg=90)

    thing = only_thing()
    assert thing.front_source == "property"
    assert thing.front == pytest.approx((1.0, 0.0), abs=1e-6)


def test_what_has_no_front_gets_none():
    add_piece(Journal(), bpy.context, build("rug"), "Rug", (0, 0, 0))

    assert only_thing().front is None


def test_a_scene_in_centimetres_has_the_piece_in_its_true_size():
    bpy.context.scene.unit_settings.scale_length = 0.01
    nightstand = build("nightstand")
    root = add_piece(Journal(), bpy.context, nightstand, "Nightstand", (1, 2, 0))

    assert tuple(root.location) == pytest.approx((100, 200, 0))
    assert size_of(only_thing()) == pytest.approx(nightstand.size, abs=1e-5)


def test_light_falls_off_alike_whatever_the_units():
    def lit_by(scale_length: float) -> float:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.context.scene.unit_settings.scale_length = scale_length
        add_piece(Journal(), bpy.context, build("table_lamp"), "Lamp", (0, 0, 0))
        return next(light.energy for light in bpy.data.lights) * scale_length**2

    assert lit_by(0.01) == pytest.approx(lit_by(1.0), rel=1e-6)


def test_drawers_belong_to_their_nightstand_and_hang_under_what_carries_them():
    piece = build("nightstand")
    add_piece(Journal(), bpy.context, piece, "Bedside", (0, 0, 0))

    names = {"Bedside", *(f"Bedside {solid.name}" for solid in piece.solids)}
    assert set(only_thing().entity_of) == names
    for solid in piece.solids:
        parent = bpy.data.objects[f"Bedside {solid.name}"].parent
        assert parent.name == (f"Bedside {solid.parent}" if solid.parent else "Bedside")


def test_a_lamp_brings_its_light_along():
    root = add_piece(Journal(), bpy.context, build("floor_lamp"), "Lamp", (2, 0, 0))
    (light,) = (o for o in root.children if o.type == "LIGHT")

    thing = only_thing()
    assert light.name in thing.entity_of
    at = np.array(light.matrix_world.translation)
    assert (np.array(thing.aabb.min) <= at).all() and (at <= np.array(thing.aabb.max)).all()


def test_a_name_that_says_something_else_does_not_split_a_piece():
    add_piece(Journal(), bpy.context, build("potted_plant"), "Green Pot by the Door", (0, 0, 0))

    assert only_thing().category == "plant"


def test_two_of_a_kind_are_two_things_of_shared_materials():
    for x in (0, 2):
        add_piece(Journal(), bpy.context, build("nightstand", seed=4), "Nightstand", (x, 0, 0))

    assert Counter(e.category for e in read().objects) == {"nightstand": 2}
    assert len(bpy.data.materials) == len(build("nightstand", seed=4).materials)


def test_a_material_that_was_changed_since_is_not_shared():
    first = add_piece(Journal(), bpy.context, build("rug"), "Rug", (0, 0, 0))
    for material in first.data.materials:
        node = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
        node.inputs[0].default_value = (0.1, 0.9, 0.1, 1)
    second = add_piece(Journal(), bpy.context, build("rug"), "Rug", (3, 0, 0))

    assert not set(first.data.materials) & set(second.data.materials)


def test_materials_look_as_described():
    piece = build("bed_double")
    add_piece(Journal(), bpy.context, piece, "Bed", (0, 0, 0))

    for look in piece.materials:
        material = bpy.data.materials[look.name]
        node = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
        values = {socket.identifier: socket.default_value for socket in node.inputs}
        assert tuple(values["Base Color"]) == pytest.approx(look.base_color)
        for name, value in (
            ("Metallic", look.metallic),
            ("Roughness", look.roughness),
            ("Transmission Weight", look.transmission),
            ("Sheen Weight", look.sheen),
            ("Coat Weight", look.coat),
            ("Emission Strength", look.emission_strength),
        ):
            assert values[name] == pytest.approx(value), name


def test_a_room_shell_becomes_a_room_with_its_openings():
    openings = (Opening("north", 0.3, 1.2, 1.2, 0.9), Opening("east", 0, 0.9, 2.05, kind="door"))
    add_piece(Journal(), bpy.context, room_shell(5, 4, 2.6, openings), "Bedroom", (0, 0, 0))

    graph = read()
    (room,) = graph.rooms
    assert room.area == pytest.approx(20.0, abs=0.01)
    assert len(graph.walls) == 4
    assert {o.kind for o in graph.openings} == {"window", "door"}
    assert {e.name for e in graph.objects if e.category == "wall"} == {
        "Wall North",
        "Wall East",
        "Wall South",
        "Wall West",
    }


def test_a_piece_goes_into_the_collection_asked_for():
    furniture = bpy.data.collections.new("Furniture")
    bpy.context.scene.collection.children.link(furniture)
    root = add_piece(Journal(), bpy.context, build("desk"), "Desk", (0, 0, 0), collection=furniture)

    assert {o.users_collection for o in (root, *root.children_recursive)} == {(furniture,)}


def test_b54_the_same_piece_three_times_is_three_things_and_none_when_taken_back():
    new_file()
    blocks = set(bpy.data.user_map())
    journal = Journal(lasting=True)
    places = [(0, 0, 0), (1, 0, 0), (2, 0.5, 0)]
    roots = [add_piece(journal, bpy.context, build("chair"), "Chair", place) for place in places]
    assert [tuple(root.location) for root in roots] == places
    assert len({root.name for root in roots}) == len({root["scenewright_uid"] for root in roots}) == 3
    journal.roll_back(0)
    assert set(bpy.data.user_map()) == blocks
