"""Moves, turns and sizes are exact under parents, mirrors, constraints and shared data, and when reloaded."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from .. import zoo
from .product import Product, size_of


def _mirrored_nightstands() -> None:
    zoo.room()
    zoo.box("Bed", (1.6, 2.0, 0.5), (0, 1.5, 0))
    data = zoo.mesh("Nightstand", [((0.4, 0.4, 0.5), (0, 0, 0)), ((0.3, 0.02, 0.05), (0.04, -0.21, 0.3))])
    zoo.put("Nightstand", data, (-1.2, 2.0, 0))
    zoo.put("Nightstand.001", data, (1.4, 2.0, 0)).scale = (-1, 1, 1)


def test_b03_a_mirrored_copy_moves_exactly_and_stays_mirrored(product: Product):
    _mirrored_nightstands()
    before = zoo.vertices("Nightstand.001")
    front = product.graph().thing("Nightstand.001").front

    product.do("move Nightstand.001 20 cm west")

    assert zoo.vertices("Nightstand.001") == pytest.approx(before - [0.2, 0, 0], abs=1e-5)
    assert tuple(bpy.data.objects["Nightstand.001"].scale) == (-1, 1, 1)
    assert tuple(bpy.data.objects["Nightstand.001"].rotation_euler) == (0, 0, 0)
    assert bpy.data.meshes["Nightstand"].users == 2
    assert product.graph().thing("Nightstand.001").front == front


def test_b03_a_mirrored_copy_moves_toward_what_it_stands_beside(product: Product):
    _mirrored_nightstands()
    before = zoo.vertices("Nightstand.001")

    product.do("Move the right nightstand 20 cm toward the bed")

    assert zoo.vertices("Nightstand.001") == pytest.approx(before - [0.2, 0, 0], abs=1e-5)
    assert tuple(bpy.data.objects["Nightstand.001"].scale) == (-1, 1, 1)


def test_b03_both_copies_read_alike(product: Product):
    _mirrored_nightstands()
    graph = product.graph()
    left, right = graph.thing("Nightstand"), graph.thing("Nightstand.001")
    assert size_of(left) == pytest.approx(size_of(right), abs=1e-6)
    assert left.front == pytest.approx(right.front)
    assert right.support.on == "floor"


def test_b03_a_mirrored_copy_turns_about_its_middle_and_stays_mirrored(product: Product):
    _mirrored_nightstands()
    before = zoo.vertices("Nightstand.001")
    middle = np.array(product.graph().thing("Nightstand.001").box.center)

    product.do("turn Nightstand.001 by 90 degrees counterclockwise", "--allow-collision")

    away = before - middle
    turned = np.stack([-away[:, 1], away[:, 0], away[:, 2]], axis=1) + middle
    assert zoo.vertices("Nightstand.001") == pytest.approx(turned, abs=1e-5)
    assert np.linalg.det(zoo.world("Nightstand.001")[:3, :3]) < 0


@pytest.mark.parametrize(
    "request_",
    [
        "move the table 2 m north and put the cup on it",
        "move the table 2 m north and put the cup on the table",
    ],
)
def test_b07_the_second_step_sees_what_the_first_did(product: Product, request_: str):
    zoo.room(width=6, depth=6)
    zoo.table(at=(0, -1, 0))
    zoo.cup(at=(2, 2, 0))

    product.do(request_)

    low, high = zoo.bounds("Cup")
    assert low[2] == pytest.approx(0.75, abs=0.002)
    assert abs(low[0] + high[0]) / 2 < 0.6
    assert abs((low[1] + high[1]) / 2 - 1) < 0.4
    assert zoo.bounds("Table").mean(axis=0)[1] == pytest.approx(1, abs=1e-5)


def _cabinet_with_drawers() -> None:
    zoo.room()
    cabinet = zoo.box("Cabinet", (0.8, 0.5, 1.0), (0.5, 0.3, 0), yaw_deg=30)
    bpy.context.view_layer.update()
    for n, height in enumerate((0.2, 0.6), 1):
        drawer = zoo.put(
            f"Cabinet drawer {n}",
            zoo.mesh("drawer", [((0.7, 0.02, 0.3), (0, -0.26, height))]),
            (0.5, 0.3, 0),
            30,
        )
        bpy.context.view_layer.update()
        drawer.parent = cabinet
        drawer.matrix_parent_inverse = cabinet.matrix_world.inverted()
    assert zoo.bounds("Cabinet drawer 1")[0, 2] == pytest.approx(0.2)


def _drawers_in_cabinet() -> list[np.ndarray]:
    inverse = np.linalg.inv(zoo.world("Cabinet"))
    return [inverse @ zoo.world(f"Cabinet drawer {n}") for n in (1, 2)]


@pytest.mark.parametrize("request_", ["move the cabinet 1 m west", "turn the cabinet by 45°"])
def test_b08_drawers_keep_their_place_in_a_cabinet(product: Product, request_: str):
    _cabinet_with_drawers()
    before = _drawers_in_cabinet()
    product.do(request_)
    assert _drawers_in_cabinet() == [pytest.approx(m, abs=1e-5) for m in before]


def test_b08_a_cabinet_moves_exactly_and_its_drawers_belong_to_it(product: Product):
    _cabinet_with_drawers()
    assert len(product.graph().thing("Cabinet").entity_of) == 3
    before = zoo.vertices("Cabinet drawer 2")
    inverse = np.array(bpy.data.objects["Cabinet drawer 2"].matrix_parent_inverse)

    answer = product.do("move the cabinet 1 m west")

    assert zoo.vertices("Cabinet drawer 2") == pytest.approx(before - [1, 0, 0], abs=1e-5)
    assert np.array(bpy.data.objects["Cabinet drawer 2"].matrix_parent_inverse) == pytest.approx(inverse, abs=0)
    assert list(answer.changes("moved")) == ["Cabinet"]


@pytest.mark.parametrize("lamp_alone", [True, False])
def test_b09_twenty_nudges_of_a_centimetre_are_twenty_centimetres(product: Product, lamp_alone: bool):
    empty = zoo.put("Rig", None, (0.3, 0.1, 0), yaw_deg=40)
    empty.scale = (0.5, 0.5, 0.5)
    lamp = zoo.box("Lamp", (0.4, 0.4, 0.8), parent=empty)
    if lamp_alone:
        lamp["scenewright_entity"] = ""
    before, scale = zoo.vertices("Lamp"), tuple(lamp.scale)

    product.do("nudge the lamp 1 cm east")
    for _ in range(19):
        product.do("nudge the lamp 1 cm east")

    assert zoo.vertices("Lamp") == pytest.approx(zoo.shifted(before, [0.2, 0, 0]), abs=1e-5)
    assert tuple(bpy.data.objects["Lamp"].scale) == pytest.approx(scale, abs=1e-5)
    assert tuple(bpy.data.objects["Rig"].scale) == pytest.approx((0.5, 0.5, 0.5), abs=1e-6)


def _followed(kind: str) -> None:
    target = zoo.put("Target", None, (1, 1, 0), yaw_deg=20)
    constraint = zoo.box("Lamp", (0.2, 0.2, 0.4)).constraints.new(kind)
    constraint.target = target


@pytest.mark.parametrize("kind", ["COPY_LOCATION", "COPY_TRANSFORMS"])
def test_b09_a_lamp_placed_by_a_constraint_is_refused(product: Product, kind: str):
    _followed(kind)
    answer = product.edit("nudge the lamp 1 cm east")
    assert (answer.code, answer.refusal) == (2, "unsupported")
    assert "constraint" in answer.said


def test_b09_a_lamp_that_would_turn_as_it_moves_is_refused(product: Product):
    _followed("TRACK_TO")
    answer = product.edit("nudge the lamp 10 cm north")
    assert (answer.code, answer.refusal) == (2, "unsupported")
    assert "constraint" in answer.said


@pytest.mark.parametrize("kind", ["CHILD_OF", "COPY_ROTATION"])
def test_b09_a_lamp_under_a_constraint_that_lets_it_move_never_drifts(product: Product, kind: str):
    _followed(kind)
    before = zoo.world("Lamp")
    for _ in range(3):
        assert product.edit("nudge the lamp 10 cm north").code == 0
    bpy.context.scene.frame_set(10)
    assert zoo.world("Lamp")[:3, 3] - before[:3, 3] == pytest.approx([0, 0.3, 0], abs=1e-4)


def test_a_muted_constraint_does_not_hinder(product: Product):
    _followed("COPY_LOCATION")
    bpy.data.objects["Lamp"].constraints[0].mute = True
    product.do("move the lamp 10 cm east")
    assert zoo.world("Lamp")[0, 3] == pytest.approx(0.1, abs=1e-6)


def _four_chairs_of_one_mesh() -> None:
    zoo.room()
    data = zoo.mesh("Chair", zoo.CHAIR.values())
    for n, x in enumerate((-1.5, -0.5, 0.5, 1.5)):
        zoo.put(f"Chair.{n:03}" if n else "Chair", data, (x, 0, 0))


@pytest.mark.parametrize("request_", ["make Chair.002 20 % smaller", "scale Chair.002 to 80 %"])
def test_b16_one_of_four_chairs_of_one_mesh_gets_smaller(product: Product, request_: str):
    _four_chairs_of_one_mesh()
    before = {n: zoo.vertices(n) for n in ("Chair", "Chair.001", "Chair.003")}

    answer = product.do(request_)

    assert zoo.bounds("Chair.002")[:, 2] == pytest.approx([0, 0.9 * 0.8], abs=1e-5)
    assert list(answer.changes("scaled")) == ["Chair.002"]
    assert bpy.data.meshes["Chair"].users == 4
    for name, old in before.items():
        assert zoo.vertices(name) == pytest.approx(old, abs=0)


def test_b16_a_smaller_chair_keeps_its_place_on_the_floor(product: Product):
    _four_chairs_of_one_mesh()
    middle = zoo.bounds("Chair.001").mean(axis=0)
    product.do("make Chair.001 half the size")
    assert zoo.bounds("Chair.001").mean(axis=0)[:2] == pytest.approx(middle[:2], abs=1e-5)
    assert zoo.bounds("Chair.001")[0, 2] == pytest.approx(0, abs=1e-6)


def _y_up_chairs() -> None:
    """Both authored Y-up: one stands by a rotated root, the other by its own rotation."""
    upright = Matrix.Rotation(radians(-90), 4, "X")
    for name, x in (("Chair", -1.0), ("Chair.001", 1.0)):
        data = zoo.mesh(name, zoo.CHAIR.values())
        data.transform(upright)
        if name == "Chair":
            root = zoo.put("Chair root", None, (x, 0, 0))
            zoo.tilt(root, (90, 0, 0))
            zoo.put("Chair", data, parent=root)
        else:
            zoo.tilt(zoo.put("Chair.001", data, (x, 0, 0)), (90, 0, 0))


def test_b26_y_up_roots_and_nodes_read_alike(product: Product):
    _y_up_chairs()
    graph = product.graph()
    one, other = graph.thing("Chair"), graph.thing("Chair.001")
    for found in (one, other):
        assert size_of(found) == pytest.approx([0.44, 0.44, 0.9], abs=1e-5)
        assert found.up == pytest.approx([0, 0, 1], abs=1e-5)
        assert found.front == pytest.approx([0, -1], abs=1e-3)


def test_b26_y_up_things_turn_about_the_worlds_vertical(product: Product):
    _y_up_chairs()
    product.do("turn both chairs by 30 degrees")
    graph = product.graph()
    for name in ("Chair", "Chair.001"):
        assert zoo.bounds(name)[:, 2] == pytest.approx([0, 0.9], abs=1e-5)
        front = graph.thing(name).front
        assert front == pytest.approx([np.sin(radians(30)), -np.cos(radians(30))], abs=1e-3)


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
def test_turns_are_exact_in_every_rotation_mode(product: Product, mode: str):
    sofa = zoo.box("Sofa", (2, 0.9, 0.8))
    zoo.tilt(sofa, (0, 0, 10))
    sofa.rotation_mode = mode
    before = zoo.vertices("Sofa")
    product.do("turn the sofa 35 degrees clockwise")
    angle = radians(-35)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    assert bpy.data.objects["Sofa"].rotation_mode == mode
    assert zoo.vertices("Sofa") == pytest.approx(before @ turn.T, abs=1e-5)


def test_a_keyed_chair_moves_in_all_frames(product: Product):
    obj = zoo.chair()
    for frame, x in ((1, 0.0), (50, 2.0)):
        obj.location.x = x
        obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    product.do("move the chair 30 cm north")
    for frame, x in ((1, 0.0), (50, 2.0)):
        bpy.context.scene.frame_set(frame)
        assert zoo.world("Chair")[:3, 3] == pytest.approx([x, 0.3, 0], abs=1e-5)


def test_a_locked_transform_is_honoured(product: Product):
    zoo.chair().lock_location = (True, True, True)
    answer = product.edit("move the chair 1 m east")
    assert (answer.code, answer.refusal) == (2, "blocked")
    assert "locked" in answer.said


def test_what_rests_on_a_table_follows_it(product: Product):
    zoo.table()
    zoo.cup(at=(0.2, 0.1, 0.75))
    zoo.box("Book", (0.2, 0.15, 0.03), (-0.3, 0, 0.75))
    zoo.cup("Cup small", (-0.3, 0, 0.78))
    before = {n: zoo.vertices(n) for n in ("Cup", "Book", "Cup small")}

    answer = product.do("move the table 1 m north")

    for name, old in before.items():
        assert zoo.vertices(name) == pytest.approx(zoo.shifted(old, [0, 1, 0]), abs=1e-5)
    carriers = {c["name"]: c["carried_by"] for c in answer.data["changes"]}
    table = product.graph().thing("Table").id
    assert carriers == {"Table": None, "Cup": table, "Book": table, "Cup small": table}


def test_of_two_directions_none_is_swallowed(product: Product):
    zoo.chair()
    answer = product.edit("move the chair back 10 cm north")
    assert (answer.code, answer.refusal) == (2, "not_understood")
