"""What rests on what: the cases of chairs, planks and trays."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from trimesh.transformations import rotation_matrix, translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.contact import Contacts, contacts, hull_contains, resting_gap
from scenewright.executor.geometry.mesh import TriMesh, concatenate

MM = 1e-3
Size = tuple[float, float, float]


def body(mesh: trimesh.Trimesh) -> Body:
    return Body(TriMesh(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int32)))


def moved(thing: Body, x: float, y: float, z: float) -> Body:
    return thing.transformed(translation_matrix((x, y, z)))


def box(size: Size, at: Size = (0, 0, 0)) -> Body:
    """A box standing on the point ``at``."""
    return moved(body(trimesh.creation.box(size)), at[0], at[1], at[2] + size[2] / 2)


def joined(*things: Body) -> Body:
    return Body(concatenate([thing.mesh for thing in things]))


FLOOR = box((6, 6, 0.1), (0, 0, -0.1))


def chair(leg: trimesh.Trimesh, short: float = 0) -> Body:
    """A seat on four legs; one may be too short."""
    corners = [(-0.2, -0.2), (-0.2, 0.2), (0.2, -0.2), (0.2, 0.2)]
    legs = [moved(body(leg), x, y, 0.2 + (short if k == 3 else 0)) for k, (x, y) in enumerate(corners)]
    return joined(box((0.45, 0.45, 0.04), (0, 0, 0.4)), *legs)


def solid_leg() -> trimesh.Trimesh:
    return trimesh.creation.box((0.04, 0.04, 0.4))


def tube_leg() -> trimesh.Trimesh:
    tube = trimesh.creation.cylinder(0.012, 0.4, sections=12)
    tube.update_faces(np.abs(tube.face_normals[:, 2]) < 0.5)
    return tube


def rests(s: Body, *on: Body) -> bool:
    found = Contacts(np.empty((0, 3)), np.empty(0))
    for t in on:
        found = found + contacts(s, t)
    return found.carry(s.centre_of_mass)


@pytest.mark.parametrize("leg", [solid_leg, tube_leg], ids=["solid legs", "open tube legs"])
@pytest.mark.parametrize(("gap", "expected"), [(0, True), (4, True), (6, False), (-1.9, True)])
def test_a_chair_rests_on_its_four_legs_within_five_millimetres(
    leg: Callable[[], trimesh.Trimesh], gap: float, expected: bool
) -> None:
    lifted = moved(chair(leg()), 0, 0, gap * MM)
    assert rests(lifted, FLOOR) == expected
    if expected:
        assert contacts(lifted, FLOOR).gap == pytest.approx(gap * MM, abs=1e-6)


def test_a_chair_with_one_short_leg_rests_on_three() -> None:
    tilting = chair(solid_leg(), short=0.05)
    found = contacts(tilting, FLOOR)
    assert found
    assert not hull_contains(found.points[:, :2], np.array([0.15, 0.15]))
    assert found.carry(tilting.centre_of_mass)  # the centre lies on the edge of the triangle


def test_a_plank_over_two_boxes_rests_though_no_vertex_lies_on_them() -> None:
    left, right = box((0.2, 0.2, 0.5), (-0.7, 0, 0)), box((0.2, 0.2, 0.5), (0.7, 0, 0))
    plank = box((2, 0.3, 0.02), (0, 0, 0.5))
    assert rests(plank, left, right)
    assert not rests(plank, left)
    assert contacts(plank, left).height == pytest.approx(0.5)


def test_a_tray_rests_on_a_narrow_post_only_if_centred() -> None:
    post = box((0.05, 0.05, 1))
    assert rests(box((0.5, 0.5, 0.02), (0, 0, 1)), post)
    assert not rests(box((0.5, 0.5, 0.02), (0.1, 0, 1)), post)


def test_a_thing_that_hangs_over_by_more_than_half_falls() -> None:
    table = box((1, 1, 0.7))
    assert rests(box((0.4, 0.2, 0.1), (0.48, 0, 0.7)), table)
    assert not rests(box((0.4, 0.2, 0.1), (0.52, 0, 0.7)), table)


def test_identical_boxes_stack_exactly() -> None:
    lower, upper = box((0.4, 0.3, 0.2)), box((0.4, 0.3, 0.2), (0, 0, 0.2))
    assert rests(upper, lower)
    assert resting_gap(upper, lower) == pytest.approx(0, abs=1e-9)


def test_what_stands_flush_beside_a_thing_does_not_lie_on_it() -> None:
    lower, beside = box((0.4, 0.3, 0.2)), box((0.4, 0.3, 0.2), (0.4, 0, 0.2))
    assert not contacts(beside, lower)
    assert resting_gap(beside, lower) == np.inf


def test_half_on_a_rug_and_half_on_the_floor_is_one_rest() -> None:
    rug = box((1, 2, 0.004), (0.5, 0, 0))
    crate = box((0.5, 0.5, 0.4), (0, 0, 0.004))
    assert rests(crate, rug, FLOOR)


def test_a_ball_and_a_box_on_its_edge_rest() -> None:
    ball = moved(body(trimesh.creation.icosphere(3, 0.1)), 0, 0, 0.1)
    assert rests(ball, FLOOR)
    tilted = box((0.2, 0.2, 0.2), (0, 0, -0.1)).transformed(rotation_matrix(np.pi / 4, (1, 0, 0)))
    assert rests(moved(tilted, 0, 0, 0.1 * np.sqrt(2)), FLOOR)


def test_steep_faces_carry_nothing_but_gentle_ones_do() -> None:
    for angle, expected in ((25, True), (35, False)):
        slope = rotation_matrix(np.radians(angle), (1, 0, 0))
        ramp = moved(body(trimesh.creation.box((2, 2, 0.2))), 0, 0, -0.1).transformed(slope)
        crate = moved(body(trimesh.creation.box((0.2, 0.2, 0.2))), 0, 0, 0.1).transformed(slope)
        assert bool(contacts(crate, ramp)) == expected


def test_inside_out_meshes_carry_and_rest_like_any_other() -> None:
    flipped = trimesh.creation.box((0.2, 0.2, 0.2))
    flipped.invert()
    can = moved(body(flipped), 0, 0, 0.1)
    assert rests(can, FLOOR)
    assert rests(box((0.1, 0.1, 0.1), (0, 0, 0.2)), can)


def test_single_sheets_carry_from_either_side() -> None:
    corners = np.array([[-1, -1, 0.5], [1, -1, 0.5], [1, 1, 0.5], [-1, 1, 0.5]])
    for order in ([[0, 1, 2], [0, 2, 3]], [[2, 1, 0], [3, 2, 0]]):
        board = Body(TriMesh(corners, np.array(order, np.int32)))
        assert rests(box((0.2, 0.2, 0.2), (0, 0, 0.5)), board)
        assert rests(moved(board, 0, 0, -0.5), FLOOR)


def test_a_sunk_thing_is_found_by_a_deeper_clip() -> None:
    mat = box((0.4, 0.3, 0.02), (0, 0, -9.7 * MM))
    assert not contacts(mat, FLOOR)
    assert contacts(mat, FLOOR, sink=0.025).gap == pytest.approx(-9.7 * MM, abs=1e-6)


def test_things_on_shelves_fall_to_the_board_below_them() -> None:
    shelf = joined(*[box((1, 0.3, 0.02), (0, 0, z)) for z in (0.3, 0.6, 0.9)])
    assert resting_gap(box((0.2, 0.1, 0.2), (0.1, 0, 0.35)), shelf) == pytest.approx(0.03)
    assert resting_gap(box((0.2, 0.1, 0.2), (0.1, 0, 2)), shelf) == pytest.approx(1.08)
    assert resting_gap(box((0.2, 0.1, 0.2), (0.1, 0, 0.05)), shelf) == np.inf


def test_a_ball_falls_into_a_ring_until_their_surfaces_meet() -> None:
    ring = body(trimesh.creation.annulus(0.05, 0.2, 0.1, sections=96))
    ball = moved(body(trimesh.creation.icosphere(5, 0.1)), 0, 0, 1)
    depth_of_rim = np.sqrt(0.1**2 - 0.05**2)
    assert resting_gap(ball, ring) == pytest.approx(1 - 0.05 - depth_of_rim, abs=0.5 * MM)


def test_crossed_bars_meet_where_their_edges_cross() -> None:
    keel = rotation_matrix(np.pi / 4, (1, 0, 0))
    lower = body(trimesh.creation.box((1, 0.1, 0.1))).transformed(keel)
    upper = lower.transformed(rotation_matrix(np.pi / 2, (0, 0, 1)))
    assert resting_gap(moved(upper, 0, 0, 0.5), lower) == pytest.approx(0.5 - 0.1 * np.sqrt(2), abs=1e-4)


def test_the_hull_is_grown_by_a_centimetre() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    assert hull_contains(square, np.array([1.009, 0.5]))
    assert not hull_contains(square, np.array([1.011, 0.5]))
    assert not hull_contains(np.empty((0, 2)), np.zeros(2))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), lift=st.floats(0, 2))
def test_a_dropped_thing_rests_where_it_lands_and_not_a_hair_lower(seed: int, lift: float) -> None:
    rng = np.random.default_rng(seed)
    ground = trimesh.creation.box((1, 1, 0.2)).subdivide().subdivide()
    ground.vertices[:, 2] += rng.uniform(0, 0.02, len(ground.vertices))
    ground.vertices[:] = trimesh.transform_points(ground.vertices, rotation_matrix(rng.uniform(0, 3), (0, 0, 1)))
    thing = body(trimesh.creation.icosphere(1, 0.2)).transformed(
        translation_matrix((*rng.uniform(-0.3, 0.3, 2), 0.5 + lift))
        @ rotation_matrix(rng.uniform(0, 3), rng.normal(size=3))
    )
    gap = resting_gap(thing, body(ground))
    landed = moved(thing, 0, 0, -gap)
    assert resting_gap(landed, body(ground)) == pytest.approx(0, abs=1e-6)
    assert contacts(landed, body(ground))


@settings(max_examples=30, deadline=None)
@given(yaw=st.floats(-3, 3), x=st.floats(-20, 20), y=st.floats(-20, 20), z=st.floats(-3, 3))
def test_turning_and_moving_both_changes_no_gap(yaw: float, x: float, y: float, z: float) -> None:
    motion = translation_matrix((x, y, z)) @ rotation_matrix(yaw, (0, 0, 1))
    s, t = chair(solid_leg()).transformed(motion), moved(FLOOR, 0, 0, -3 * MM).transformed(motion)
    assert contacts(s, t).gap == pytest.approx(3 * MM, abs=1e-6)
    assert resting_gap(s, t) == pytest.approx(3 * MM, abs=1e-6)
    assert rests(s, t)


@pytest.mark.parametrize(
    "name", ["chair_A", "table_low", "lamp_standing", "bed_double_A", "cabinet_medium", "cactus_medium_A"]
)
def test_furniture_from_the_field_lands_on_the_floor_and_rests(field_data: Path, name: str) -> None:
    files = sorted((field_data / "furniture" / "kaykit").rglob(f"{name}.gltf"))
    if not files:
        pytest.skip(f"{name} isn't there")
    scene = trimesh.load(files[0], force="mesh", process=False)
    upright = body(scene).transformed(rotation_matrix(np.pi / 2, (1, 0, 0)))
    thing = moved(upright, 0, 0, 0.3 - upright.hull.low[2])
    gap = resting_gap(thing, FLOOR)
    assert gap == pytest.approx(0.3, abs=1e-6)
    assert rests(moved(thing, 0, 0, -gap), FLOOR)
