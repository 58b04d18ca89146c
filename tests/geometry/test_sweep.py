"""Crossing triangles, swept intervals and free ways."""

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from trimesh.transformations import rotation_matrix, translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.distance import triangle_gaps
from scenewright.executor.geometry.mesh import TriMesh
from scenewright.executor.geometry.sweep import crossing_pairs, free_distance, swept_intervals

X, Z = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])
EXACT = 0.05e-3


def box(size: tuple[float, float, float] = (1, 1, 1), at: tuple[float, float, float] = (0, 0, 0)) -> Body:
    mesh = trimesh.creation.box(size)
    return Body(TriMesh(np.asarray(mesh.vertices) + at, np.asarray(mesh.faces, np.int32)))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_swept_triangle_meets_another_exactly_within_its_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 1, 3, 3))
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    enter, leave = (interval[0, 0] for interval in swept_intervals(a, b, direction[None]))
    for shift in np.linspace(-4, 4, 41):
        apart = np.linalg.norm(triangle_gaps(a + shift * direction, b)) > 1e-9
        if min(abs(shift - enter), abs(shift - leave)) > 1e-6:
            assert apart != (enter < shift < leave)


def test_coplanar_triangles_only_touch_when_they_slide_over_each_other() -> None:
    triangle = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    enter, leave = swept_intervals(triangle, triangle + 3 * X, np.stack([X, Z]))
    assert (leave <= enter).all()


def test_crossing_leaves_out_what_touches() -> None:
    assert len(crossing_pairs(box(at=(0, 0, 1)), box())) == 0
    assert len(crossing_pairs(box(at=(0.2, 0.1, 0.999)), box())) > 0


def test_a_dense_and_a_coarse_mesh_cross_in_the_same_place() -> None:
    ball = trimesh.creation.icosphere(5, 0.5)
    pairs = crossing_pairs(Body(TriMesh(np.asarray(ball.vertices), np.asarray(ball.faces, np.int32))), box((3, 3, 0.4)))
    heights = ball.triangles[pairs[:, 0]][:, :, 2]
    assert (
        (heights.min(1) <= 0.2) & (heights.max(1) >= 0.2) | (heights.min(1) <= -0.2) & (heights.max(1) >= -0.2)
    ).all()
    assert len(np.unique(pairs[:, 0])) > 200


def test_the_free_way_ends_where_the_first_obstacle_is_touched() -> None:
    obstacles = [box(at=(3, 0, 0)), box(at=(2.12, 0.9, 0))]
    assert free_distance(box(), obstacles, X, 5) == pytest.approx(1.12, abs=EXACT)
    assert free_distance(box(), obstacles, X, 0.4) == 0.4
    assert free_distance(box(), obstacles, -X, 5) == 5
    assert free_distance(box(), [], X, 5) == 5


def test_a_free_way_may_be_endless() -> None:
    assert free_distance(box(), [box(at=(3, 0, 0))], -X, np.inf) == np.inf
    assert free_distance(box(), [box(at=(300, 0, 0))], X, np.inf) == pytest.approx(299, abs=EXACT)


def test_sliding_along_a_floor_and_between_neighbours_is_free_until_something_is_in_front() -> None:
    floor, left, right = box((20, 20, 1), (0, 0, -1)), box((4, 1, 1), (0, 1, 0)), box((4, 1, 1), (0, -1, 0))
    flush_cabinet = box(at=(2, 0, 0))
    assert free_distance(box(), [floor, left, right], X, 3) == 3
    assert free_distance(box(), [floor, left, right, flush_cabinet], X, 3) == pytest.approx(1, abs=EXACT)


def test_open_tube_legs_slide_along_the_floor_they_stand_on() -> None:
    tube = trimesh.creation.annulus(0.019, 0.02, 0.4)
    tube.update_faces(np.abs(tube.face_normals[:, 2]) < 0.5)
    legs = Body(TriMesh(np.asarray(tube.vertices) + 0.2 * Z, np.asarray(tube.faces, np.int32)))
    assert free_distance(legs, [box((4, 4, 1), (0, 0, -0.5))], X, 1) == 1


def test_what_already_touches_in_front_blocks_at_once() -> None:
    assert free_distance(box(), [box(at=(0, 0, -1))], -Z, 1) == 0


def test_a_turned_obstacle_is_met_by_its_corner() -> None:
    turned = box().transformed(translation_matrix((3, 0, 0)) @ rotation_matrix(np.pi / 4, (0, 0, 1)))
    assert free_distance(box(), [turned], X, 5) == pytest.approx(2.5 - np.sqrt(0.5), abs=EXACT)
