"""Derived properties of meshes: closed or not, inside or out, where the weight is."""

import numpy as np
import pytest
import trimesh
from trimesh.transformations import rotation_matrix, translation_matrix

from scenewright.executor.geometry.body import SKIN, Body, winding_number
from scenewright.executor.geometry.mesh import TriMesh, concatenate


def body(mesh: trimesh.Trimesh) -> Body:
    return Body(TriMesh(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int32)))


def tub() -> trimesh.Trimesh:
    """A cube without its lid."""
    mesh = trimesh.creation.box((1, 1, 1))
    mesh.update_faces(mesh.face_normals[:, 2] < 0.9)
    return mesh


def test_a_mesh_is_watertight_even_if_its_vertices_are_split_along_seams() -> None:
    split = trimesh.creation.icosphere(2)
    split.unmerge_vertices()
    assert body(split).is_watertight
    assert not body(tub()).is_watertight


def test_one_open_part_does_not_open_the_others() -> None:
    closed, opened = trimesh.creation.box((1, 1, 1)), tub()
    opened.apply_translation((3, 0, 0))
    both = Body(concatenate([body(closed).mesh, body(opened).mesh]))
    assert not both.is_watertight
    assert both.encloses(np.array([[0, 0, 0], [3, 0, 0], [9, 9, 9]])).tolist() == [True, False, False]


def test_inconsistent_winding_is_not_watertight() -> None:
    mesh = trimesh.creation.box((1, 1, 1))
    mesh.faces[0] = mesh.faces[0][::-1]
    assert not body(mesh).is_watertight


def test_the_centre_of_mass_is_of_the_volume_or_else_of_the_surface() -> None:
    cone = trimesh.creation.cone(1, 4, sections=64)
    assert body(cone).centre_of_mass == pytest.approx(cone.center_mass)
    cone.invert()
    assert body(cone).centre_of_mass == pytest.approx([0, 0, 1], abs=1e-6)
    assert body(tub()).centre_of_mass == pytest.approx([0, 0, -0.1])


def test_flat_meshes_have_their_centre_in_their_plane() -> None:
    corners = np.array([[0, 0, 0.7], [2, 0, 0.7], [2, 1, 0.7], [0, 1, 0.7]])
    paper = np.array([[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]], np.int32)
    assert Body(TriMesh(corners, paper)).centre_of_mass == pytest.approx([1, 0.5, 0.7])


def test_winding_numbers_tell_inside_from_outside() -> None:
    ball = body(trimesh.creation.icosphere(3))
    points = np.array([[0, 0, 0], [0.5, 0.4, 0.3], [1.1, 0, 0], [5, 5, 5]])
    assert winding_number(points, ball.surface.corners) == pytest.approx([1, 1, 0, 0], abs=1e-9)
    assert winding_number(np.zeros((1, 3)), body(tub()).surface.corners) == pytest.approx(5 / 6)


def test_the_skin_lies_just_below_the_surface() -> None:
    thing = body(trimesh.creation.box((1, 1, 1)))
    depth = thing.skin.boxes.hull().low - thing.hull.low
    assert (depth > SKIN / 2).all()
    assert (depth < SKIN).all()


def test_a_moved_body_is_the_body_of_the_moved_mesh() -> None:
    original = body(trimesh.creation.annulus(0.5, 1, 0.3))
    for matrix in (translation_matrix((1, 2, 3)) @ rotation_matrix(1, (1, 2, 0)), np.diag([1.0, -1, 1, 1])):
        moved, anew = original.transformed(matrix), Body(original.mesh.transformed(matrix))
        assert moved.is_watertight
        assert (moved.outward == 1).all()
        assert moved.centre_of_mass == pytest.approx(anew.centre_of_mass)
        assert moved.skin.corners == pytest.approx(anew.skin.corners, abs=1e-9)
        assert len(moved.underside.edges.corners) == len(anew.underside.edges.corners)
