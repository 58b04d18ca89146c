"""Gaps between surfaces."""

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from trimesh.transformations import random_rotation_matrix, rotation_matrix, translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.distance import surface_distance, triangle_gaps
from scenewright.executor.geometry.mesh import TriMesh

EXACT = 0.1e-3


def body(mesh: trimesh.Trimesh) -> Body:
    return Body(TriMesh(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int32)))


def box(*size: float, at: tuple[float, float, float] = (0, 0, 0)) -> Body:
    return body(trimesh.creation.box(size)).transformed(translation_matrix(at))


def test_faces_edges_and_corners_have_their_own_distances() -> None:
    assert surface_distance(box(1, 1, 1), box(1, 1, 1, at=(1.25, 0.3, 0.2))) == pytest.approx(0.25)
    assert surface_distance(box(1, 1, 1), box(1, 1, 1, at=(1.3, 1.4, 0))) == pytest.approx(0.5)
    assert surface_distance(box(1, 1, 1), box(1, 1, 1, at=(1.1, 1.2, 1.2))) == pytest.approx(0.3)


def test_crossed_bars_are_as_far_as_their_edges() -> None:
    bar = box(1, 0.1, 0.1).transformed(rotation_matrix(np.pi / 4, (1, 0, 0)))
    across = bar.transformed(translation_matrix((0, 0, 0.5)) @ rotation_matrix(np.pi / 2, (0, 0, 1)))
    assert surface_distance(bar, across) == pytest.approx(0.5 - 0.1 * np.sqrt(2))


def test_touching_and_crossing_things_have_no_gap() -> None:
    assert surface_distance(box(1, 1, 1), box(1, 1, 1, at=(1, 0.2, 0))) == pytest.approx(0, abs=1e-9)
    assert surface_distance(box(1, 1, 1), box(1, 1, 1, at=(0.9, 0.2, 0.1))) == 0
    assert surface_distance(box(3, 0.1, 0.1), box(0.1, 3, 0.1)) == 0


def test_the_inside_of_a_box_is_measured_to_its_walls() -> None:
    assert surface_distance(box(0.2, 0.2, 0.2, at=(0.1, 0, 0)), box(1, 1, 1)) == pytest.approx(0.3)


def test_a_dense_ball_is_as_far_from_a_coarse_wall_as_from_a_dense_one() -> None:
    ball = body(trimesh.creation.icosphere(5, 0.5)).transformed(translation_matrix((0.4, 1.5, 0.3)))
    wall = trimesh.creation.box((6, 0.1, 3))
    dense = wall.subdivide().subdivide().subdivide().subdivide()
    assert surface_distance(ball, body(wall)) == pytest.approx(0.95, abs=EXACT)
    assert surface_distance(ball, body(dense)) == pytest.approx(0.95, abs=EXACT)
    assert surface_distance(body(dense), ball) == pytest.approx(0.95, abs=EXACT)


def test_nothing_is_looked_for_beyond_the_limit() -> None:
    near, far = box(1, 1, 1, at=(1.4, 0, 0)), box(1, 1, 1, at=(1.3, 1.3, 1.3))
    assert surface_distance(box(1, 1, 1), near, limit=0.5) == pytest.approx(0.4)
    assert surface_distance(box(1, 1, 1), near, limit=0.4) == pytest.approx(0.4)
    assert surface_distance(box(1, 1, 1), far, limit=0.5) == np.inf


def test_an_empty_mesh_is_infinitely_far() -> None:
    empty = Body(TriMesh(np.empty((0, 3)), np.empty((0, 3), np.int32)))
    assert surface_distance(empty, box(1, 1, 1)) == np.inf


def test_slivers_do_not_pull_things_together() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 5], [1, 0, 5], [0, 1, 5]])
    sliver = Body(TriMesh(corners, np.array([[0, 1, 2]], np.int32)))
    triangle = Body(TriMesh(corners, np.array([[3, 4, 5]], np.int32)))
    assert surface_distance(sliver, triangle) == pytest.approx(5)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_triangle_gaps_are_the_smallest_over_all_their_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, q = rng.normal(size=(2, 1, 3, 3))
    q += rng.normal(size=3)
    gap = float(np.linalg.norm(triangle_gaps(p, q)))
    steps = np.array([(i / 30, j / 30, 1 - i / 30 - j / 30) for i in range(31) for j in range(31 - i)])
    sampled = np.linalg.norm((steps @ p[0])[:, None] - (steps @ q[0])[None], axis=2).min()
    assert sampled - 0.2 <= gap <= sampled + 1e-12


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_distance_is_symmetric_and_the_same_wherever_both_are_carried(seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion = random_rotation_matrix(rng.random(3))
    motion[:3, 3] = rng.uniform(-10, 10, 3)
    a = body(trimesh.creation.torus(0.5, 0.1, 12, 8))
    b = body(trimesh.creation.icosphere(2, 0.2)).transformed(translation_matrix(rng.uniform(-1.5, 1.5, 3)))
    gap = surface_distance(a, b)
    assert surface_distance(b, a) == pytest.approx(gap, abs=EXACT)
    assert surface_distance(a.transformed(motion), b.transformed(motion)) == pytest.approx(gap, abs=EXACT)
    i, j = np.divmod(np.arange(len(a.mesh.triangles) * len(b.mesh.triangles)), len(b.mesh.triangles))
    every = np.linalg.norm(triangle_gaps(a.surface.corners[i], b.surface.corners[j]), axis=1)
    assert gap == pytest.approx(every.min(), abs=EXACT)
