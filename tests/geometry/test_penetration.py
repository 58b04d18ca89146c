"""Penetration depth: known answers, and random boxes against the separating axis theorem."""

import numpy as np
import pytest
import trimesh
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from trimesh.transformations import random_rotation_matrix, rotation_matrix, translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.mesh import FloatArray, TriMesh, concatenate
from scenewright.executor.geometry.penetration import is_deeper_than, penetration_depth
from scenewright.executor.geometry.sweep import crossing_pairs

MM = 1e-3
EXACT = 0.05 * MM


def body(mesh: trimesh.Trimesh) -> Body:
    return Body(TriMesh(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int32)))


def box(size: tuple[float, float, float] = (1, 1, 1), at: tuple[float, float, float] = (0, 0, 0)) -> Body:
    return body(trimesh.creation.box(size)).transformed(translation_matrix(at))


def sheet(size: float, z: float = 0) -> Body:
    s = size / 2
    corners = np.array([[-s, -s, z], [s, -s, z], [s, s, z], [-s, s, z]])
    return Body(TriMesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32)))


def bowl(radius: float, thickness: float, sections: int = 24) -> Body:
    """A half shell, open at the top, its centre at the origin."""
    angles = np.linspace(0, np.pi / 2, 12)
    ring = np.stack([np.sin(angles), -np.cos(angles)], 1)
    profile = np.concatenate([radius * ring, (radius - thickness) * ring[::-1]])
    return body(trimesh.creation.revolve(profile, sections=sections))


def is_free(a: Body, b: Body) -> bool:
    return not len(crossing_pairs(a, b))


@pytest.mark.parametrize("depth", [1, 1.9, 2.1, 5, 30])
def test_a_box_sunk_into_another_is_as_deep_as_it_is_sunk(depth: float) -> None:
    upper = box(at=(0.2, 0.1, 1 - depth * MM))
    found = penetration_depth(upper, box())
    assert found.exact
    assert found.depth == pytest.approx(depth * MM, abs=EXACT)
    assert found.direction == pytest.approx([0, 0, 1])
    assert is_deeper_than(upper, box(), 2 * MM) == (depth > 2)


@pytest.mark.parametrize("depth", [1, 1.9, 2.1, 5, 30])
def test_yaw_does_not_change_the_depth(depth: float) -> None:
    yaw = rotation_matrix(np.radians(30), (0, 0, 1))
    right, left = box(at=(1 - depth * MM, 0.1, 0.2)).transformed(yaw), box().transformed(yaw)
    assert penetration_depth(right, left).depth == pytest.approx(depth * MM, abs=EXACT)
    assert is_deeper_than(right, left, 2 * MM) == (depth > 2)


@pytest.mark.parametrize("offset", [(0, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0.3, 0.4, 1), (0, 0, 1.1)])
def test_touching_faces_edges_and_corners_are_free(offset: tuple[float, float, float]) -> None:
    assert penetration_depth(box(at=offset), box()).depth == 0
    assert not is_deeper_than(box(at=offset), box(), 0)


def test_a_thing_that_fits_its_niche_exactly_is_free() -> None:
    walls = [box((0.1, 2, 2), (x, 0, 0)) for x in (-0.55, 0.55)] + [box((1.2, 2, 0.1), (0, 0, -0.55))]
    niche = Body(concatenate([w.mesh for w in walls]))
    assert penetration_depth(box((1, 1, 1)), niche).depth == 0


def test_boxes_in_a_row_that_overlap_with_all_sides_flush_are_found() -> None:
    found = penetration_depth(box((0.6, 0.4, 0.7), (0.57, 0, 0)), box((0.6, 0.4, 0.7)))
    assert found.depth == pytest.approx(30 * MM, abs=EXACT)
    assert found.direction == pytest.approx([1, 0, 0])


def test_a_duplicate_in_the_same_place_is_as_deep_as_it_is_thin() -> None:
    thing = box((0.6, 0.4, 0.3))
    assert penetration_depth(thing, thing, cap=1).depth == pytest.approx(0.3, abs=EXACT)
    assert is_deeper_than(thing, thing, 2 * MM)


def test_edge_on_edge_and_corner_in_face_are_exact() -> None:
    roof = box().transformed(rotation_matrix(np.pi / 4, (0, 1, 0)))
    keel = box().transformed(translation_matrix((0, 0, np.sqrt(2) - 5 * MM)) @ rotation_matrix(np.pi / 4, (1, 0, 0)))
    assert penetration_depth(keel, roof).depth == pytest.approx(5 * MM, abs=EXACT)

    tip = rotation_matrix(np.arccos(1 / np.sqrt(3)), (1, -1, 0))
    standing = box().transformed(translation_matrix((0.1, 0.1, 0.5 + np.sqrt(3) / 2 - 5 * MM)) @ tip)
    assert penetration_depth(standing, box()).depth == pytest.approx(5 * MM, abs=EXACT)


def test_an_open_sheet_through_a_box_is_freed_the_short_way() -> None:
    found = penetration_depth(sheet(4), box(at=(0, 0, 0.49)))
    assert found.depth == pytest.approx(10 * MM, abs=EXACT)
    assert found.direction == pytest.approx([0, 0, -1])


def test_a_box_wholly_inside_another_must_leave_it() -> None:
    inner, outer = box((0.2, 0.2, 0.2)), box()
    for a, b in ((inner, outer), (outer, inner)):
        assert penetration_depth(a, b, cap=1).depth == pytest.approx(0.6, abs=EXACT)
        assert is_deeper_than(a, b, 2 * MM)


def test_a_loose_part_inside_counts_even_if_the_rest_is_outside() -> None:
    pair = Body(concatenate([box((0.1, 0.1, 0.1)).mesh, box((0.1, 0.1, 0.1), (3, 0, 0)).mesh]))
    assert is_deeper_than(pair, box(), 2 * MM)


def test_things_in_an_open_tub_or_in_a_room_modelled_inward_are_free() -> None:
    tub = trimesh.creation.box((1, 1, 1))
    tub.update_faces(tub.face_normals[:, 2] < 0.9)
    assert not is_deeper_than(box((0.2, 0.2, 0.2)), body(tub), 2 * MM)

    room = trimesh.creation.box((5, 5, 3))
    room.invert()
    assert not is_deeper_than(box(), body(room), 2 * MM)


@pytest.mark.parametrize("depth", [0, 1.9, 2.1, 10])
def test_a_bowl_in_a_bowl_is_lifted_out(depth: float) -> None:
    nested = bowl(0.07, 0.005).transformed(translation_matrix((0, 0, -0.07 - depth * MM)))
    found = penetration_depth(nested, bowl(0.15, 0.01))
    assert found.depth == pytest.approx(depth * MM, abs=EXACT)
    assert is_deeper_than(nested, bowl(0.15, 0.01), 2 * MM) == (depth > 2)


def test_a_depth_beyond_the_cap_is_said_to_be_more() -> None:
    found = penetration_depth(bowl(0.15, 0.01).transformed(translation_matrix((0, 0, 0.06))), bowl(0.2, 0.15))
    assert not found.exact
    assert found.depth > 50 * MM


def test_an_empty_mesh_meets_nothing() -> None:
    empty = Body(TriMesh(np.empty((0, 3)), np.empty((0, 3), np.int32)))
    assert penetration_depth(empty, box()).depth == 0
    assert penetration_depth(box(), empty).depth == 0


def _box_at(half: FloatArray, pose: FloatArray) -> Body:
    return body(trimesh.creation.box(2 * half)).transformed(pose)


def _exact_depth(half_a: FloatArray, a: FloatArray, half_b: FloatArray, b: FloatArray) -> tuple[float, FloatArray]:
    """Depth and direction of two boxes by the fifteen axes of the separating axis theorem."""
    axes = [*a[:3, :3].T, *b[:3, :3].T]
    axes += [np.cross(u, v) for u in a[:3, :3].T for v in b[:3, :3].T]
    axes = [axis / np.linalg.norm(axis) for axis in axes if np.linalg.norm(axis) > 1e-6]
    offset = a[:3, 3] - b[:3, 3]
    axes = [axis if axis @ offset >= 0 else -axis for axis in axes]
    depths = [np.abs(axis @ a[:3, :3]) @ half_a + np.abs(axis @ b[:3, :3]) @ half_b - axis @ offset for axis in axes]
    best = int(np.argmin(depths))
    return float(depths[best]), axes[best]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), wanted=st.floats(0.5 * MM, 6 * MM))
def test_random_boxes_are_never_underestimated_and_hardly_overestimated(seed: int, wanted: float) -> None:
    rng = np.random.default_rng(seed)
    half_a, half_b = rng.uniform(0.05, 0.4, (2, 3))
    a, b = random_rotation_matrix(rng.random(3)), random_rotation_matrix(rng.random(3))
    a[:3, 3] = rng.normal(size=3) * 0.2
    depth, direction = _exact_depth(half_a, a, half_b, b)
    a[:3, 3] += direction * (depth - wanted)
    depth, _ = _exact_depth(half_a, a, half_b, b)
    assume(0.1 * MM < depth < 10 * MM)

    moved, still = _box_at(half_a, a), _box_at(half_b, b)
    found = penetration_depth(moved, still)
    assert -EXACT <= found.depth - depth <= 0.15 * depth + EXACT

    freed = moved.transformed(translation_matrix(found.direction * (found.depth + EXACT)))
    assert is_free(freed, still)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), depth=st.floats(0.2 * MM, 40 * MM))
def test_a_rigid_motion_of_both_changes_nothing(seed: int, depth: float) -> None:
    motion = random_rotation_matrix(np.random.default_rng(seed).random(3))
    motion[:3, 3] = np.random.default_rng(seed).uniform(-5, 5, 3)
    upper, lower = box(at=(0.2, 0.1, 1 - depth)).transformed(motion), box().transformed(motion)
    assert penetration_depth(upper, lower).depth == pytest.approx(depth, abs=EXACT)
