"""Walls in plan: spans of panels joined along an edge, and level parts of meshes whichever way their faces look."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.mesh import TriMesh
from scenewright.executor.geometry.plan import joined_segments, level_patches, section, united_spans
from scenewright.executor.reading.walls import spans_along

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=12)


@given(SPANS)
def test_united_spans_cover_what_the_spans_cover_and_lie_apart(drawn: list[tuple[int, int]]):
    spans = np.array([(low, low + size) for low, size in drawn], float).reshape(-1, 2)
    joined = united_spans(spans)
    points = np.arange(0.5, 60)
    of_any = ((spans[:, :1] < points) & (points < spans[:, 1:])).any(axis=0)
    of_joined = ((joined[:, :1] < points) & (points < joined[:, 1:])).any(axis=0)
    assert (of_any == of_joined).all()
    assert (joined[1:, 0] > joined[:-1, 1]).all()


POINTS = st.tuples(st.integers(-3, 3), st.integers(-3, 3))


@given(st.lists(st.tuples(POINTS, POINTS), max_size=12), st.floats(0, 2 * np.pi), st.sampled_from([0.0, 500.0]))
def test_joined_segments_cover_what_the_segments_cover(drawn: list[object], turn: float, away: float):
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    segments = np.array(drawn, float).reshape(-1, 2, 2) @ axes + away
    before, after = shapely.linestrings(segments), shapely.linestrings(joined_segments(segments))
    long = shapely.union_all(before[shapely.length(before) > 0])
    assert long.is_empty or shapely.hausdorff_distance(long, shapely.union_all(after), densify=0.1) < 1e-4
    assert len(after) <= (shapely.length(before) > 0).sum()


def test_sections_of_a_box_join_to_its_four_sides():
    cuts = np.concatenate([section(_box(flipped=False), z) for z in (0.2, 0.8, 1.3)])
    assert len(cuts) == 24
    assert sorted(np.linalg.norm(np.diff(joined_segments(cuts), axis=1), axis=2).ravel()) == pytest.approx([4, 4, 5, 5])


@given(st.floats(0, 2 * np.pi), st.floats(-50, 50), st.floats(-0.15, 0.15))
def test_only_what_runs_along_an_edge_has_spans_on_it(turn: float, shift: float, apart: float):
    along, outward = np.array([np.cos(turn), np.sin(turn)]), np.array([np.sin(turn), -np.cos(turn)])
    start = np.array([shift, -shift])
    parallel = [start + apart * outward - along, start + apart * outward + 2 * along]
    across = [start, start + outward]
    beyond = [start + 5 * along, start + 6 * along]
    spans, offsets, kept = spans_along(np.array([parallel, across, beyond]), start, along, 4.0)
    assert kept.tolist() == [0]
    assert spans[0] == pytest.approx([0, 2], abs=1e-9)
    assert offsets[0] == pytest.approx(apart, abs=1e-9)


def _box(flipped: bool) -> Body:
    x, y, z = (g.ravel() for g in np.meshgrid([0.0, 4.0], [0.0, 5.0], [0.0, 2.6], indexing="ij"))
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], np.int32)
    return Body(TriMesh(np.stack([x, y, z], axis=1), triangles[:, ::-1] if flipped else triangles))


@pytest.mark.parametrize("flipped", [False, True])
def test_level_parts_of_a_shell_are_its_floor_and_ceiling_however_its_faces_look(flipped: bool):
    body = _box(flipped)
    assert [z for z, _ in level_patches(body, 0.25)] == pytest.approx([2.6])
    assert [z for z, _ in level_patches(body, 0.25, either_way=True)] == pytest.approx([2.6, 0.0])
