"""Scene units, life size, up axes and places far from the origin: honoured, or said aloud."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from .. import zoo
from .product import Product, size_of

USD = "scenes/usd_wg/test_assets/foundation/stage_configuration"
CAR = "scenes/usd_wg/full_assets/Vehicles/USD_Mini_Car_Kit/assets/vehicles/4wd/asset/4wdBodyAsset.usda"


def _room_in_centimetres(scale_length: float = 0.01) -> None:
    bpy.context.scene.unit_settings.scale_length = scale_length
    zoo.room(4, 3, 2.6, unit=100)
    zoo.box("Sofa", (200, 90, 80), (20, 0, 0))


def test_b23_a_room_drawn_in_centimetres_is_read_in_metres(product: Product):
    _room_in_centimetres()
    graph = product.graph()
    assert size_of(graph.thing("Sofa")) == pytest.approx([2, 0.9, 0.8], abs=1e-5)
    assert graph.rooms[0].area == pytest.approx(12, abs=0.01)
    assert graph.warnings == []


def test_b23_thirty_centimetres_are_thirty_units_and_reported_as_metres(product: Product):
    _room_in_centimetres()
    answer = product.do("move the sofa 30 cm left")
    assert tuple(bpy.data.objects["Sofa"].location) == pytest.approx((-10, 0, 0), abs=1e-3)
    moved = answer.changes("moved")["Sofa"]
    assert moved["before"]["center"][0] - moved["after"]["center"][0] == pytest.approx(0.30, abs=1e-5)
    offset = answer.data["requirements"][0]["measured"]["offset"]
    assert next(iter(offset.values())) == pytest.approx([-0.3, 0, 0], abs=1e-5)


def test_b23_a_cup_is_put_down_exactly_in_centimetres(product: Product):
    _room_in_centimetres()
    zoo.box("Table", (120, 60, 75), (0, -100, 0))
    cup = zoo.cup(at=(-150, 100, 0))
    cup.scale = (100, 100, 100)
    product.do("put the cup on the table")
    assert zoo.bounds("Cup")[0, 2] == pytest.approx(75, abs=0.2)
    assert tuple(bpy.data.objects["Cup"].scale) == pytest.approx((100, 100, 100))


def test_b23_a_room_of_400_units_is_doubted_once(product: Product):
    _room_in_centimetres(scale_length=1.0)
    graph = product.graph()
    assert size_of(graph.thing("Sofa")) == pytest.approx([200, 90, 80], abs=1e-3)
    assert len(graph.warnings) == 1
    assert "--scale-factor 0.01" in graph.warnings[0]


def test_b23_the_scale_factor_settles_the_doubt(product: Product):
    _room_in_centimetres(scale_length=1.0)
    graph = product.graph("-", "--scale-factor", "0.01")
    assert size_of(graph.thing("Sofa")) == pytest.approx([2, 0.9, 0.8], abs=1e-5)
    assert graph.warnings == []
    product.do("move the sofa 30 cm left", "--scale-factor", "0.01")
    assert bpy.data.objects["Sofa"].location.x == pytest.approx(-10, abs=1e-3)


@pytest.mark.parametrize(("system", "scale"), [("IMPERIAL", 1.0), ("IMPERIAL", 0.3048), ("NONE", 1.0), ("METRIC", 1.0)])
def test_the_unit_system_is_only_a_display(product: Product, system: str, scale: float):
    settings = bpy.context.scene.unit_settings
    settings.system, settings.scale_length = system, scale
    zoo.chair().scale = (1 / scale,) * 3
    assert size_of(product.graph().thing("Chair")) == pytest.approx([0.44, 0.44, 0.9], abs=1e-5)
    product.do("move the chair 2 ft east")
    assert zoo.world("Chair")[0, 3] * scale == pytest.approx(0.6096, abs=1e-5)
    assert bpy.context.scene.unit_settings.system == system


@pytest.mark.parametrize(
    ("amount", "metres"),
    [
        ("5 mm", 0.005),
        ("30 cm", 0.3),
        ("half a metre", 0.5),
        ("1,5 m", 1.5),
        ("1.5 metres", 1.5),
        ("10 inches", 0.254),
    ],
)
def test_amounts_are_exact(product: Product, amount: str, metres: float):
    zoo.chair()
    product.do(f"move the chair {amount} north")
    assert zoo.world("Chair")[:3, 3] == pytest.approx([0, metres, 0], abs=1e-6)


def test_b53_far_from_the_origin_no_false_accuracy_is_claimed(product: Product):
    for obj_at in (0, 2):
        zoo.chair(f"Chair {obj_at}", (1_746_700 + obj_at, 0, 0))
    graph = product.graph()
    assert any("from the origin" in w for w in graph.warnings)
    answer = product.edit("move Chair 0 5 mm east")

    assert (answer.code, answer.refusal) == (2, "infeasible")
    assert "0.005 m" in answer.data["error"]["message"] and "0.000 m" in answer.data["error"]["message"]


def test_b53_far_from_the_origin_whole_metres_still_move(product: Product):
    zoo.chair(at=(1_746_700, 0, 0))
    answer = product.edit("move the chair 2 m east")
    assert answer.code == 0, answer.data
    assert zoo.world("Chair")[0, 3] == pytest.approx(1_746_702, abs=0.13)


@pytest.mark.parametrize(
    ("file", "doubted"),
    [
        ("upAxis_X.usda", True),
        ("upAxis_Y.usda", False),
        ("upAxis_Z.usda", False),
        ("upAxis_invalid.usda", True),
    ],
)
def test_v2_an_up_axis_that_blender_misreads_is_warned_of(product: Product, field_data: Path, file: str, doubted: bool):
    graph = product.graph(field_data / USD / "upAxis" / file)
    assert any("upAxis" in w for w in graph.warnings) == doubted


def test_v3_a_car_of_218_metres_is_doubted(product: Product, field_data: Path):
    graph = product.graph(field_data / CAR)
    assert max(size_of(e).max() for e in graph.objects) > 200
    assert any("measures" in w and "--scale-factor" in w for w in graph.warnings)


@pytest.mark.parametrize("piece", ["bed_double_A", "couch", "rug_rectangle_A", "chair_A", "shelf_B_large_decorated"])
def test_v10_kaykit_is_measured_as_it_is(product: Product, field_data: Path, piece: str):
    path = field_data / f"furniture/kaykit/{piece}.gltf"
    gltf = json.loads(path.read_text())
    positions = [gltf["accessors"][p["attributes"]["POSITION"]] for m in gltf["meshes"] for p in m["primitives"]]
    low = np.min([p["min"] for p in positions], axis=0)
    high = np.max([p["max"] for p in positions], axis=0)

    graph = product.graph(path)

    shown = [e for e in graph.objects if size_of(e).max() > 0]
    assert len(shown) == 1
    assert size_of(shown[0]) == pytest.approx((high - low)[[0, 2, 1]], abs=1e-4)


def test_v10_a_bed_three_metres_wide_is_doubted(product: Product, field_data: Path):
    graph = product.graph(field_data / "furniture/kaykit/bed_double_A.gltf")
    assert graph.thing("bed_double_A").category == "double bed"
    assert any("bed" in w for w in graph.warnings)


def test_v10_a_thing_goes_on_top_of_the_books_that_are_part_of_a_shelf(product: Product, field_data: Path):
    bpy.ops.import_scene.gltf(filepath=str(field_data / "furniture/kaykit/cabinet_medium_decorated.gltf"))
    cabinet = bpy.context.view_layer.objects.active.name
    zoo.cup(at=(5, 0, 0))
    path = product.save()
    surfaces = product.graph(path).thing(cabinet).surfaces
    assert surfaces

    product.do(f"put the cup on {cabinet}", scene=path)

    bottom = zoo.bounds("Cup")[0]
    inside = product.graph().thing("Cup")
    assert inside.support.on == product.graph().thing(cabinet).id
    assert np.abs([s.z - bottom[2] for s in surfaces]).min() < 0.005


def test_a_table_of_life_size_is_not_doubted(product: Product):
    zoo.table()
    zoo.chair(at=(2, 0, 0))
    assert product.graph().warnings == []


# --- shapes and rooms that are not of this world ---


@pytest.mark.parametrize("size", [(1.2, 0.7, 3.5), (1.8, 0.9, 3.5), (2.6, 1.5, 3.5)])
@pytest.mark.parametrize("alone", [True, False])
def test_a_table_three_and_a_half_metres_high_is_doubted_once(product: Product, size: tuple[float, ...], alone: bool):
    zoo.box("Table", size)
    if not alone:
        zoo.room(6, 6, 5)
        zoo.chair(at=(2, 0, 0))
        zoo.box("Sofa", (2, 0.9, 0.8), (0, -2.4, 0))
    (said,) = product.graph().warnings
    assert "Table is 3.5 m high" in said


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Bar table", (0.7, 0.7, 1.1)),
        ("Bed", (1.6, 2.1, 2.1)),  # a four-poster
        ("Floor lamp", (1.6, 0.35, 2.0)),  # an arc lamp
        ("Sofa", (3.2, 2.4, 0.8)),  # a corner sofa
        ("Desk", (1.8, 1.8, 0.75)),
        ("Plant", (0.8, 0.8, 2.4)),
        ("Table", (3.0, 1.1, 0.75)),
    ],
)
def test_unusual_but_real_furniture_is_not_doubted(product: Product, name: str, size: tuple[float, ...]):
    zoo.box(name, size)
    assert product.graph().warnings == []


@pytest.mark.parametrize(("unit", "factors"), [(39.3701, ["0.0254"]), (100, ["0.01"]), (65, ["0.01", "0.0254"])])
def test_the_slip_of_the_unit_is_named(product: Product, unit: float, factors: list[str]):
    zoo.box("Table", (1.2 * unit, 0.75 * unit, 0.74 * unit))
    (said,) = product.graph().warnings
    assert [f for f in ("0.01", "0.0254") if f in said] == factors


@pytest.mark.parametrize(("unit", "factor"), [(100, "0.01"), (39.3701, "0.0254")])
def test_a_room_hundreds_of_metres_wide_is_doubted_whatever_is_in_it(product: Product, unit: float, factor: str):
    zoo.room(4, 5, 2.6, unit=unit)
    zoo.box("Cube", (50, 50, 50))
    (said,) = product.graph().warnings
    assert "room" in said
    assert f"--scale-factor {factor}" in said


def test_a_hall_is_not_doubted(product: Product):
    zoo.room(80, 50, 12)
    zoo.box("Cube", (5, 5, 5))
    assert product.graph().warnings == []


# --- things on their side ---

ASSETS = {
    "Plate": (0.26, 0.03, 0.26),
    "Bottle": (0.08, 0.3, 0.08),
    "Door": (0.9, 2.0, 0.05),
    "Wardrobe": (1.0, 2.0, 0.6),
}


@pytest.mark.parametrize("name", ASSETS)
def test_v11_an_asset_alone_on_its_side_is_doubted(product: Product, name: str):
    if name == "Plate":
        zoo.tilt(zoo.ball(name, 0.26), (0, 0, 0))
        bpy.data.objects[name].scale = (1, 0.1, 1)
    else:
        zoo.box(name, ASSETS[name])
    (said,) = product.graph().warnings
    assert f"{name} lies on its side" in said
    assert "Y-up" in said


def test_v11_a_plate_that_was_exported_y_up_is_doubted(product: Product, field_data: Path):
    (file,) = field_data.rglob("bread_plate_2_visual.obj")
    (said,) = product.graph(file).warnings
    assert "lies on its side" in said


def test_v11_a_nameless_plate_in_a_collection_of_its_name_is_doubted(product: Product, field_data: Path):
    graph = product.graph(field_data / "furniture/zeyuli/plate.blend")
    assert [e.category for e in graph.objects] == ["plate"]
    assert any("lies on its side" in w and "Y-up" in w for w in graph.warnings)


@pytest.mark.parametrize("with_room", [False, True])
def test_v11_assets_that_all_lie_are_doubted_once(product: Product, with_room: bool):
    if with_room:
        zoo.room()
    for k, name in enumerate(("Bottle", "Door", "Wardrobe")):
        zoo.box(name, ASSETS[name], (2 * k - 2, 0, 0))
    (said,) = product.graph().warnings
    assert "Bottle, Door, Wardrobe lie on their side" in said


def test_v11_one_bottle_or_book_on_its_side_in_a_furnished_room_was_laid_there(product: Product):
    zoo.room()
    zoo.table()
    zoo.chair(at=(1.5, 0, 0))
    zoo.box("Bottle", ASSETS["Bottle"], (0, 0, 0.75))
    zoo.box("Book", (0.03, 0.16, 0.23), (0.4, 0, 0.75))
    assert product.graph().warnings == []


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Book", (0.03, 0.16, 0.23)),
        ("Shelf", (1.6, 0.3, 0.4)),
        ("Cabinet", (1.6, 0.45, 0.8)),
        ("Bench", (1.5, 0.4, 0.45)),
        ("Chair", (0.46, 0.52, 0.88)),
        ("Bottle", (0.08, 0.08, 0.3)),
    ],
)
def test_v11_what_stands_as_it_may_is_not_doubted(product: Product, name: str, size: tuple[float, ...]):
    zoo.box(name, size)
    assert product.graph().warnings == []
