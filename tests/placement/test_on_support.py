"""Where on a host a thing is put: which surface, which place, how exactly, and why not."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
import trimesh
from trimesh.transformations import translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.mesh import TriMesh, concatenate
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.placement.on_support import Support, shift_onto

Size = tuple[float, float, float]


def box(size: Size, at: Size = (0, 0, 0)) -> Body:
    """A box that stands on a point."""
    made = trimesh.creation.box(size, transform=translation_matrix(np.add(at, (0, 0, size[2] / 2))))
    return Body(TriMesh(np.asarray(made.vertices, float), np.asarray(made.faces, np.int32)))


def joined(*bodies: Body) -> Body:
    return Body(concatenate([b.mesh for b in bodies]))


def top(size: tuple[float, float], z: float, clearance: float = 5.0, at: tuple[float, float] = (0, 0)) -> Support:
    x, y = np.array(size) / 2
    return Support(shapely.box(at[0] - x, at[1] - y, at[0] + x, at[1] + y), z, clearance)


TABLE = box((1.2, 0.8, 0.7))
TABLE_TOP = top((1.2, 0.8), 0.7)
FAR = (5.0, 5.0, 0.0)


def place(
    thing: Body,
    host: Body = TABLE,
    supports: tuple[Support, ...] = (TABLE_TOP,),
    others: tuple[Body, ...] = (),
    structure: tuple[Body, ...] = (),
    load: tuple[Body, ...] = (),
) -> np.ndarray:
    """Where the middle of the thing's underside goes."""
    low, high = thing.hull
    shift = shift_onto(thing, host, supports, others, structure, "Mug", "Table", load)
    return np.array([*(low + high)[:2] / 2, low[2]]) + shift


def test_an_empty_surface_takes_it_in_its_middle_exactly():
    assert place(box((0.1, 0.2, 0.3), FAR)) == pytest.approx([0, 0, 0.7], abs=1e-6)


def test_the_free_place_nearest_to_the_middle_is_taken_a_finger_apart():
    vase = box((0.2, 0.2, 0.3), (0, 0, 0.7))
    x, y, z = place(box((0.1, 0.1, 0.1), FAR), others=(vase,))
    assert z == pytest.approx(0.7, abs=1e-6)
    assert max(abs(x), abs(y)) == pytest.approx(0.1 + 0.05 + 0.01, abs=2e-3)


def test_where_there_is_no_room_for_a_finger_it_stands_close():
    rails = tuple(box((1.2, 0.345, 0.3), (0, y, 0.7)) for y in (-0.2275, 0.2275))  # 11 cm between them
    _, y, z = place(box((0.1, 0.1, 0.1), FAR), others=rails)
    assert (abs(y) <= 0.006, z) == (True, pytest.approx(0.7, abs=1e-6))


def test_of_two_surfaces_the_higher_is_tried_first_and_the_lower_where_that_is_full():
    shelf = joined(box((1, 0.4, 0.02), (0, 0, 0.3)), box((1, 0.4, 0.02), (0, 0, 0.8)))
    boards = (top((1, 0.4), 0.32, 0.48), top((1, 0.4), 0.82))
    thing = box((0.2, 0.2, 0.2), FAR)
    assert place(thing, shelf, boards)[2] == pytest.approx(0.82, abs=1e-6)
    assert place(thing, shelf, boards, (box((1, 0.4, 0.5), (0, 0, 0.82)),))[2] == pytest.approx(0.32, abs=1e-6)


def test_the_larger_of_two_surfaces_of_one_height_is_tried_first():
    desk = joined(box((0.4, 0.4, 0.7), (-1, 0, 0)), box((1, 0.8, 0.7), (1, 0, 0)))
    parts = (top((0.4, 0.4), 0.7, at=(-1, 0)), top((1, 0.8), 0.7, at=(1, 0)))
    for supports in (parts, parts[::-1]):
        assert place(box((0.1, 0.1, 0.1), FAR), desk, supports) == pytest.approx([1, 0, 0.7], abs=1e-6)


@pytest.mark.parametrize(("height", "z"), [(0.46, 0.32), (0.48, None)])
def test_a_thing_needs_its_height_and_a_finger_of_air(height: float, z: float | None):
    cupboard = joined(box((1, 0.4, 0.02), (0, 0, 0.3)), box((1, 0.4, 0.02), (0, 0, 0.8)))
    thing = box((0.2, 0.2, height), FAR)
    if z is None:
        with pytest.raises(ScenewrightError, match=r"0\.48 m high; the free height on Table is 0\.48 m") as refused:
            place(thing, cupboard, (top((1, 0.4), 0.32, 0.48),))
        assert refused.value.code == "infeasible"
    else:
        assert place(thing, cupboard, (top((1, 0.4), 0.32, 0.48),))[2] == pytest.approx(z, abs=1e-6)


def test_what_it_carries_needs_room_above_and_around_too():
    tray, bottle = box((0.3, 0.3, 0.02), FAR), box((0.08, 0.08, 0.3), (5, 5, 0.02))
    board = (top((1.2, 0.8), 0.7, 0.2),)
    with pytest.raises(ScenewrightError, match=r"0\.32 m high"):
        place(tray, supports=board, load=(bottle,))
    beam = box((0.1, 0.8, 0.5), (0, 0, 0.85))  # over the table's middle, above the tray but not above the bottle
    x, _, z = place(tray, others=(beam,), load=(bottle,))
    assert abs(x) >= 0.05 + 0.04
    assert z == pytest.approx(0.7, abs=1e-6)


def test_what_it_carries_may_reach_over_the_edge_but_into_nothing():
    tray, plank = box((0.7, 0.7, 0.02), FAR), box((1.6, 0.1, 0.02), (5, 5, 0.02))
    wall = box((0.1, 4, 2), (0.75, 0, 0))  # 10 cm from the table's edge
    x, _, _ = place(tray, others=(wall,), load=(plank,))
    assert x + 0.8 <= 0.7 + 1e-6


def test_walls_stay_free_though_their_hull_is_everywhere():
    walls = joined(box((0.1, 4, 2)), box((0.1, 4, 2), (-3, 0, 0)))
    x, _, z = place(box((0.2, 0.2, 0.2), FAR), structure=(walls,))
    assert abs(x) >= 0.05 + 0.1 - 1e-3
    assert z == pytest.approx(0.7, abs=1e-6)


def test_a_wall_that_is_touched_is_let_be_and_one_that_would_be_entered_is_not():
    thing = box((0.1, 0.1, 0.1), FAR)
    for reach, stays in ((0.05, True), (0.045, False)):
        x, y, _ = place(thing, structure=(box((0.2, 4, 2), (reach + 0.1, 0, 0)),))
        assert (max(abs(x), abs(y)) < 1e-6) == stays


def test_what_stands_up_from_the_host_itself_stays_free_too():
    x, y, z = place(box((0.1, 0.1, 0.1), FAR), joined(TABLE, box((0.1, 0.1, 0.5), (0, 0, 0.7))))
    assert max(abs(x), abs(y)) >= 0.1 - 1e-3
    assert z == pytest.approx(0.7, abs=1e-6)


@pytest.mark.parametrize("side", [-1, 1])
def test_of_two_free_parts_the_one_nearer_to_the_middle_is_taken(side: int):
    beam = box((0.4, 0.8, 0.3), (side * 0.1, 0, 0.7))
    x, y, _ = place(box((0.1, 0.1, 0.1), FAR), others=(beam,))
    assert (x, y) == (pytest.approx(-side * 0.16, abs=2e-3), pytest.approx(0, abs=2e-3))


def test_what_is_below_or_high_above_the_surface_is_in_nobodys_way():
    stool, lamp = box((0.4, 0.4, 0.699)), box((0.4, 0.4, 0.3), (0, 0, 1.5))
    host = joined(box((1.2, 0.8, 0.001), (0, 0, 0.699)))
    assert place(box((0.1, 0.1, 0.1), FAR), host, others=(stool, lamp)) == pytest.approx([0, 0, 0.7], abs=1e-6)


def test_a_hole_in_a_surface_carries_nothing():
    frame = joined(
        *(box((0.2, 1, 0.7), (x, 0, 0)) for x in (-0.4, 0.4)), *(box((1, 0.2, 0.7), (0, y, 0)) for y in (-0.4, 0.4))
    )
    ring = Support(shapely.box(-0.5, -0.5, 0.5, 0.5) - shapely.box(-0.3, -0.3, 0.3, 0.3), 0.7, 5)
    x, y, z = place(box((0.1, 0.1, 0.1), FAR), frame, (ring,))
    assert max(abs(x), abs(y)) >= 0.35 - 1e-6
    assert z == pytest.approx(0.7, abs=1e-6)


def test_what_is_larger_than_the_surface_is_balanced_on_its_middle():
    assert place(box((1.6, 1.0, 0.05), FAR)) == pytest.approx([0, 0, 0.7], abs=1e-6)
    with pytest.raises(ScenewrightError, match="finds no free place"):
        place(box((1.6, 1.0, 0.05), FAR), others=(box((0.1, 0.1, 0.3), (0, 0, 0.7)),))


def test_what_would_tip_over_is_not_put_there():
    hammer = joined(box((0.1, 0.1, 0.5), FAR), box((1, 0.2, 0.2), (5.45, 5, 0.5)))  # its head is not over its foot
    with pytest.raises(ScenewrightError, match="finds no free place"):
        place(hammer)


def test_a_thing_stays_off_others_by_its_own_outline_and_not_the_mirrored_one():
    corners = np.array([[0, 0], [0.3, 0], [0, 0.3]])
    made = trimesh.convex.convex_hull([[*corner, z] for corner in corners for z in (0, 0.1)])
    wedge = Body(TriMesh(np.asarray(made.vertices, float), np.asarray(made.faces, np.int32)))
    x, y, _ = place(wedge, others=(box((0.2, 0.2, 0.3), (0, 0, 0.7)),))
    placed = shapely.Polygon(corners - 0.15 + [x, y])
    assert placed.distance(shapely.box(-0.1, -0.1, 0.1, 0.1)) == pytest.approx(0.01, abs=2e-3)


def test_without_a_level_surface_there_is_no_place():
    with pytest.raises(ScenewrightError, match="Table has no level surface") as refused:
        place(box((0.1, 0.1, 0.1)), supports=())
    assert refused.value.code == "infeasible"
