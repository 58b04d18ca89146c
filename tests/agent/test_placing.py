"""“Put A on B” through the command line: it rests there, free of everything else, or is refused with the numbers."""

from __future__ import annotations

import itertools
from pathlib import Path

import bpy
import numpy as np
import pytest

from ..executor.rooms import block, edit, furnished, new_file, open_blend, save, shell, worlds_in

RESTS = 0.002


def boxes(path: Path) -> dict[str, np.ndarray]:
    """``(2, 3)`` world bounds of every mesh in a file, by name."""
    open_blend(path)
    found = {}
    for obj in bpy.context.scene.objects:
        if obj.type == "MESH":
            points = np.array([obj.matrix_world @ v.co for v in obj.data.vertices])
            found[obj.name] = np.array([points.min(axis=0), points.max(axis=0)])
    return found


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """How deep two boxes are in each other, negative when apart."""
    return float((np.minimum(a[1], b[1]) - np.maximum(a[0], b[0])).min())


def assert_rests(found: dict[str, np.ndarray], name: str, height: float, host: str) -> None:
    low, high = found[name]
    assert abs(low[2] - height) <= RESTS
    middle = (low + high)[:2] / 2
    assert (middle >= found[host][0, :2]).all() and (middle <= found[host][1, :2]).all()
    for other, box in found.items():
        if other != name:
            assert overlap(found[name], box) <= RESTS, f"{name} is in {other}"


def test_it_rests_in_the_middle_of_a_free_surface(source: Path, out: Path):
    furnished()
    save(source)
    done = edit(source, "put the mug on the sofa", out)
    assert done.code == 0
    found = boxes(out)
    assert_rests(found, "Mug", 0.8, "Sofa")
    assert (found["Mug"].sum(axis=0) / 2)[:2] == pytest.approx([0, 1.5], abs=0.02)
    (requirement,) = done.result.requirements
    assert requirement.status == "satisfied" and abs(float(str(requirement.measured["gap"]))) <= RESTS
    assert [(c.name, c.kind) for c in done.result.changes] == [("Mug", "moved")]
    assert done.result.changes[0].after["on"] == "sofa"
    assert done.result.preservation.changed == []
    before, after = worlds_in(source), worlds_in(out)
    assert after["Mug"][:3, :3] == pytest.approx(before["Mug"][:3, :3], abs=1e-6)
    assert all(np.array_equal(before[n], after[n]) for n in before if n != "Mug")


def crowded(gap: float) -> None:
    """A table covered with boxes but for one square of a size."""
    furnished()
    for name in ("Mug", "Book"):
        bpy.data.objects.remove(bpy.data.objects[name])
    for i, j in itertools.product(range(6), range(4)):
        side = 0.19 if (i, j) != (4, 2) else 0
        if side:
            block(f"Box.{i}{j}", (side, side, 0.2), (-0.5 + 0.2 * i, -0.3 + 0.2 * j, 0.74))
    block("Vase", (gap, gap, 0.3), (-1.8, -1.4, 0.4))


def test_on_a_crowded_table_the_one_free_place_is_found(source: Path, out: Path):
    crowded(0.16)
    save(source)
    done = edit(source, "put the vase on the table", out)
    assert done.code == 0
    found = boxes(out)
    assert_rests(found, "Vase", 0.74, "Table")
    assert (found["Vase"].sum(axis=0) / 2)[:2] == pytest.approx([0.3, 0.1], abs=0.03)
    assert done.result.physical.introduced.collisions == []


def test_on_a_full_table_it_is_infeasible_with_the_sizes(source: Path, out: Path):
    crowded(0.25)
    save(source)
    done = edit(source, "put the vase on the table", out)
    assert done.code == 2 and not out.exists()
    error = done.json["error"]
    assert error["code"] == "infeasible"
    assert error["message"] == "Vase needs 0.25 × 0.25 m and finds no free place on Table (1.20 × 0.80 m)."


def bookcase() -> None:
    """Three boards 0.30 m apart under a ceiling that leaves 0.10 m above the top."""
    furnished()
    width, depth, board = 0.9, 0.35, 0.02
    sides = 3 * 0.32 + board
    root = bpy.data.objects.new("Bookcase", None)
    bpy.context.scene.collection.objects.link(root)
    root.location = (-2.2, 0.5, 0)
    bpy.context.view_layer.update()
    for k in range(4):
        block(f"board.{k:03}", (depth, width, board), (-2.2, 0.5, 0.32 * k), parent=root)
    for k, y in enumerate((-width / 2 - 0.01, width / 2 + 0.01)):
        block(f"side.{k:03}", (depth, 0.02, sides), (-2.2, 0.5 + y, 0), parent=root)
    block("back.001", (0.02, width + 0.04, sides), (-2.2 - depth / 2 - 0.01, 0.5, 0), parent=root)
    block("Ceiling", (5.2, 4.2, 0.1), (0, 0, sides + 0.1))
    for name in ("Wall_N", "Wall_S", "Wall_E", "Wall_W"):
        bpy.data.objects[name].scale.z = (sides + 0.1) / 2.6


def test_too_tall_for_the_shelf_is_infeasible_with_both_heights(source: Path, out: Path):
    bookcase()
    block("Vase", (0.1, 0.1, 0.5), (1.5, -1.4, 0))
    save(source)
    done = edit(source, "put the vase on the bookcase", out)
    assert done.code == 2 and not out.exists()
    error = done.json["error"]
    assert error["code"] == "infeasible"
    assert "0.30 m are free in height; it is 0.50 m high" in error["message"]


def test_what_fits_between_the_boards_goes_there(source: Path, out: Path):
    bookcase()
    block("Vase", (0.1, 0.1, 0.25), (1.5, -1.4, 0))
    save(source)
    done = edit(source, "put the vase on the bookcase", out)
    assert done.code == 0
    found = boxes(out)
    low = found["Vase"][0, 2]
    assert min(abs(low - (0.32 * k + 0.02)) for k in range(3)) <= RESTS
    assert max(overlap(found["Vase"], box) for name, box in found.items() if name != "Vase") <= RESTS


def test_two_things_on_one_host_do_not_collide(source: Path, out: Path):
    furnished()
    save(source)
    done = edit(source, "put the mug and the book on the crate", out)
    assert done.code == 0
    found = boxes(out)
    assert_rests(found, "Mug", 0.4, "Crate")
    assert_rests(found, "Book", 0.4, "Crate")


def test_two_clauses_that_use_one_host_do_not_collide_either(source: Path, out: Path):
    furnished()
    save(source)
    done = edit(source, "put the mug on the crate and put the book on the crate", out)
    assert done.code == 0
    found = boxes(out)
    assert overlap(found["Mug"], found["Book"]) <= RESTS


def test_the_second_of_two_that_do_not_both_fit_is_told(source: Path, out: Path):
    furnished()
    block("Plant", (0.35, 0.35, 0.5), (1.5, -1.4, 0))
    block("Vase", (0.35, 0.35, 0.5), (0.5, -1.4, 0))
    save(source)
    done = edit(source, "put the plant on the crate and put the vase on the crate", out)
    assert done.code == 1
    assert [r.status for r in done.result.requirements] == ["satisfied", "unsatisfied"]
    assert done.result.requirements[1].failure_mode == "infeasible"
    before, after = worlds_in(source), worlds_in(out)
    assert np.array_equal(before["Vase"], after["Vase"])


def test_what_stands_on_it_comes_along_exactly(source: Path, out: Path):
    furnished()
    block("Cup", (0.06, 0.06, 0.08), (-1.75, -1.35, 0.4))
    save(source)
    done = edit(source, "put the crate on the table", out)
    assert done.code == 0
    before, after = worlds_in(source), worlds_in(out)
    shift = after["Crate"][:3, 3] - before["Crate"][:3, 3]
    assert after["Cup"][:3, 3] - before["Cup"][:3, 3] == pytest.approx(shift, abs=1e-5)
    assert {c.name: c.carried_by for c in done.result.changes} == {"Crate": None, "Cup": "crate"}


@pytest.mark.parametrize("request_", ["put the table on the mug", "put the table on the table"])
def test_nothing_is_put_on_itself_or_on_what_it_carries(request_: str, source: Path, out: Path):
    furnished()
    save(source)
    done = edit(source, request_, out)
    assert (done.code, done.json["error"]["code"]) == (2, "contradiction")
    assert not out.exists()


def test_it_can_be_put_on_the_floor(source: Path, out: Path):
    furnished()
    save(source)
    done = edit(source, "put the mug on the floor", out)
    assert done.code == 0
    found = boxes(out)
    assert_rests(found, "Mug", 0, "Floor")
    assert (np.abs(found["Mug"][:, :2]) <= (2.5, 2)).all()


@pytest.mark.parametrize("thing", ["Mug", "Crate"])  # a mug of 8 cm, a crate of 40 cm: it fits in the middle only
def test_on_a_round_table_it_does_not_hang_over_the_edge(thing: str, source: Path, out: Path):
    furnished()
    bpy.ops.mesh.primitive_cylinder_add(radius=0.3, depth=0.5, location=(1.5, -1.3, 0.25))
    bpy.context.object.name = "Side table"
    save(source)
    done = edit(source, f"put the {thing.lower()} on the side table", out)
    assert done.code == 0
    low, high = boxes(out)[thing]
    corners = np.array([[x, y] for x in (low[0], high[0]) for y in (low[1], high[1])])
    assert (np.hypot(*(corners - (1.5, -1.3)).T) <= 0.3).all()
    assert low[2] == pytest.approx(0.5, abs=RESTS)


def test_a_slope_has_no_place_to_put_things(source: Path, out: Path):
    furnished()
    ramp = block("Ramp", (1, 0.6, 0.1), (1.2, -1.2, 0.3))
    ramp.rotation_euler = (0, 0.6, 0)
    save(source)
    done = edit(source, "put the mug on the ramp", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")


def test_a_thing_keeps_its_place_among_the_gaps_of_a_grid_of_legs(source: Path, out: Path):
    """A stool whose legs are wider apart than the gap: it must stand on the host with all four."""
    new_file()
    shell()
    block("Table", (1.2, 0.8, 0.74), (0, 0, 0))
    root = bpy.data.objects.new("Stool", None)
    bpy.context.scene.collection.objects.link(root)
    root.location = (1.5, 0, 0)
    bpy.context.view_layer.update()
    for k, (x, y) in enumerate(itertools.product((-0.15, 0.15), repeat=2)):
        block(f"leg.{k:03}", (0.03, 0.03, 0.4), (1.5 + x, y, 0), parent=root)
    block("seat", (0.35, 0.35, 0.03), (1.5, 0, 0.4), parent=root)
    block("Mug", (0.08, 0.08, 0.1), (0, 0, 0.74))
    save(source)
    done = edit(source, "put the stool on the table", out)
    assert done.code == 0
    found = boxes(out)
    for k in range(4):
        assert found[f"leg.{k:03}"][0, 2] == pytest.approx(0.74, abs=RESTS)
        low, high = found[f"leg.{k:03}"]
        assert (low[:2] >= (-0.6, -0.4)).all() and (high[:2] <= (0.6, 0.4)).all()
    parts = [n for n in found if n.startswith(("leg", "seat"))]
    assert all(overlap(found[n], found["Mug"]) <= RESTS for n in parts)
