"""Duplicates, new things, and things in others' places."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from ..executor.rooms import block, edit, furnished, new_file, open_blend, save, worlds_in

ALL_SATISFIED = {"satisfied"}


def added(path: Path, request: str, out: Path, *options: object) -> dict[str, np.ndarray]:
    """World matrices of the objects that a request, which is satisfied, brought in."""
    done = edit(path, request, out, *options)
    assert (done.code, {r.status for r in done.result.requirements}) == (0, ALL_SATISFIED), done.out
    assert done.result.preservation.changed == []
    assert done.result.physical.introduced.collisions == []
    before, after = worlds_in(path), worlds_in(out)
    assert all(np.array_equal(after[name], world) for name, world in before.items() if name in after)
    return {name: world for name, world in after.items() if name not in before}


# --- duplicates -----------------------------------------------------------------------------------------------------


def test_a_duplicate_stands_free_beside_the_original(room: Path, out: Path):
    made = added(room, "duplicate the chair", out)
    assert list(made) == ["Chair.001"]
    shift = made["Chair.001"][:3, 3] - worlds_in(room)["Chair"][:3, 3]
    assert shift[2] == pytest.approx(0, abs=1e-5)
    assert 0.45 <= np.abs(shift).max() < 0.6


def test_duplicates_share_their_mesh_and_stand_on_what_the_originals_stand_on(room: Path, out: Path):
    made = added(room, "copy the mug and the book", out)
    assert {name: round(float(world[2, 3]), 3) for name, world in made.items()} == {"Mug.001": 0.74, "Book.001": 0.74}
    assert bpy.data.objects["Mug.001"].data == bpy.data.objects["Mug"].data


def test_what_stands_on_the_original_is_not_duplicated(room: Path, out: Path):
    assert list(added(room, "duplicate the table", out)) == ["Table.001"]


def test_a_picture_is_duplicated_along_its_wall(source: Path, out: Path):
    furnished()
    block("Picture", (0.6, 0.03, 0.4), (1, 1.985, 1.5))
    (world,) = added(save(source), "duplicate the picture", out).values()
    assert world[1:3, 3] == pytest.approx([1.985, 1.5], abs=1e-5)
    assert abs(world[0, 3] - 1) >= 0.6


def test_where_there_is_no_room_nothing_is_duplicated(source: Path, out: Path):
    furnished()
    block("Small Table", (0.3, 0.3, 0.5), (-1, 0, 0))
    block("Vase", (0.25, 0.25, 0.3), (-1, 0, 0.5))
    done = edit(save(source), "duplicate the vase", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")


def test_a_duplicate_of_many_parts_is_a_thing_of_its_own(source: Path, out: Path):
    furnished()
    for number in range(3):
        block(f"Badge {number}", (0.1, 0.01, 0.1), (1, 1.995 - number / 100, 1.5), parent=None)
    badges = [bpy.data.objects[f"Badge {n}"] for n in range(3)]
    for badge in badges[1:]:
        badge.parent, badge.matrix_parent_inverse = badges[0], badges[0].matrix_world.inverted()
    made = added(save(source), "duplicate Badge 0", out)
    assert {name.split(".")[0] for name in made} == {"Badge 0", "Badge 1", "Badge 2"}


def test_what_hangs_is_duplicated_only_where_something_holds_it(source: Path, out: Path):
    furnished()
    block("Post", (0.1, 0.1, 2), (-1, 0, 0))
    block("Poster", (0.2, 0.01, 0.3), (-1, -0.055, 1))
    done = edit(save(source), "duplicate the poster", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")


# --- new things -----------------------------------------------------------------------------------------------------


def test_a_new_thing_stands_on_the_floor_of_the_room(room: Path, out: Path):
    assert added(room, "add an armchair", out)["Armchair"][2, 3] == pytest.approx(0, abs=1e-4)


def test_a_new_thing_goes_onto_what_is_named(room: Path, out: Path):
    assert added(room, "add a table lamp on the table", out)["Table lamp"][2, 3] == pytest.approx(0.74, abs=1e-4)


@pytest.mark.parametrize(
    ("request_", "name"), [("add a lamp", "Floor lamp"), ("add a lamp on the table", "Table lamp")]
)
def test_of_several_kinds_the_one_that_fits_the_place_is_taken(request_: str, name: str, room: Path, out: Path):
    assert name in added(room, request_, out)


@pytest.mark.parametrize("words", ["another mug", "a copy of the mug"])
def test_one_more_of_what_is_there_is_a_copy_of_it(words: str, room: Path, out: Path):
    added(room, f"add {words} on the table", out)
    assert bpy.data.objects["Mug.001"].data == bpy.data.objects["Mug"].data


def test_a_new_thing_has_its_true_size_in_any_unit(source: Path, out: Path):
    furnished()
    bpy.context.scene.unit_settings.scale_length = 0.01
    for obj in bpy.context.scene.objects:
        obj.scale *= 100
        obj.location *= 100
    done = edit(save(source), "add a chair on the floor", out)
    assert done.code == 0
    graph = {e.id: e for e in done.result.changes}
    assert "chair_001" in graph
    open_blend(out)
    heights = [
        o.dimensions.z for o in bpy.data.objects["Chair.001"].children_recursive or [bpy.data.objects["Chair.001"]]
    ]
    assert 60 < max(heights) < 110


def test_what_nobody_has_is_not_brought_in(room: Path, out: Path):
    done = edit(room, "add a unicorn", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unknown_object")
    assert "armchair" in done.json["error"]["hint"]


def test_without_a_floor_nothing_is_put_on_it(source: Path, out: Path):
    new_file()
    bpy.data.objects.new("Nothing", None)
    done = edit(save(source), "add a chair", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")


# --- in another one's place -----------------------------------------------------------------------------------------


def replaced(path: Path, request: str, out: Path) -> dict[str, np.ndarray]:
    """World matrices after a replacement, which succeeds."""
    done = edit(path, request, out)
    assert (done.code, {r.status for r in done.result.requirements}) == (0, ALL_SATISFIED), done.out
    assert done.result.preservation.changed == []
    return worlds_in(out)


def test_what_replaces_a_thing_stands_in_its_place(room: Path, out: Path):
    found = replaced(room, "replace the chair with an armchair", out)
    assert "Chair" not in found
    assert found["Armchair"][:3, 3] == pytest.approx([1.5, 0, 0], abs=1e-3)


def test_it_is_told_as_one_change(room: Path, out: Path):
    (change,) = edit(room, "replace the chair with an armchair", out).result.changes
    assert (change.kind, change.id, change.before["id"]) == ("replaced", "armchair", "chair")


def test_what_stood_on_it_stands_on_the_new_one(room: Path, out: Path):
    before = worlds_in(room)
    found = replaced(room, "replace the table with a desk", out)
    top = found["Mug"][2, 3]
    assert top != pytest.approx(0.74, abs=1e-4)
    assert found["Book"][2, 3] == pytest.approx(top, abs=1e-4)
    for name in ("Mug", "Book"):
        assert found[name][:2, 3] == pytest.approx(before[name][:2, 3], abs=1e-3), name


def test_it_looks_where_the_old_one_looked(source: Path, out: Path):
    furnished()
    bpy.data.objects["Chair"].rotation_euler.z = np.radians(90)
    bpy.data.objects["Chair"]["scenewright_front"] = [0.0, -1.0]
    found = replaced(save(source), "replace the chair with an armchair", out)
    assert found["Armchair"][:3, 1] == pytest.approx([-1, 0, 0], abs=1e-5)


def test_what_follows_the_old_one_follows_the_new_one(source: Path, out: Path):
    furnished()
    table, mug = bpy.data.objects["Table"], bpy.data.objects["Mug"]
    mug.parent, mug.matrix_parent_inverse = table, table.matrix_world.inverted()
    replaced(save(source), "replace the table with a desk", out)
    assert bpy.data.objects["Mug"].parent.name.startswith("Desk")


def test_a_thing_of_the_scene_can_take_the_place(room: Path, out: Path):
    found = replaced(room, "replace the crate with a copy of the chair", out)
    assert found["Chair.001"][:2, 3] == pytest.approx(worlds_in(room)["Crate"][:2, 3], abs=1e-4)


def test_it_stands_in_the_same_collection(source: Path, out: Path):
    furnished()
    seats = bpy.data.collections.new("Seats")
    bpy.context.scene.collection.children.link(seats)
    chair = bpy.data.objects["Chair"]
    bpy.context.scene.collection.objects.unlink(chair)
    seats.objects.link(chair)
    replaced(save(source), "replace the chair with an armchair", out)
    assert {c.name for c in bpy.data.objects["Armchair"].users_collection} == {"Seats"}


def test_what_does_not_fit_there_is_refused_with_the_numbers(room: Path, out: Path):
    error = edit(room, "replace the sofa with a bed", out).json["error"]
    assert error["code"] == "infeasible"
    assert "the nearest that is free is" in error["message"]


def test_what_does_not_fit_on_the_new_one_is_refused(source: Path, out: Path):
    furnished()
    block("Chest", (0.9, 0.6, 0.2), (0, 0, 0.74))
    done = edit(save(source), "replace the table with a nightstand", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")


def test_protected_things_are_not_replaced(room: Path, out: Path):
    done = edit(room, "replace the table with a desk", out, "--protect", "the mug")
    assert (done.code, done.json["error"]["code"]) == (2, "protected")


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("add a table lamp on the table and turn it by 45 degrees", "Table lamp"),
        ("replace the chair with an armchair and turn it by 45 degrees", "Armchair"),
    ],
)
def test_it_means_what_the_clause_before_brought_in(request_: str, name: str, room: Path, out: Path):
    done = edit(room, request_, out)
    assert (done.code, done.result.requirements[-1].depends_on) == (0, ["r1"]), done.out
    assert worlds_in(out)[name][:2, 0] == pytest.approx([np.sqrt(0.5)] * 2, abs=1e-5)


def test_a_duplicate_can_be_named_at_once(room: Path, out: Path):
    assert "Second Chair" in added(room, "duplicate the chair and rename it to Second Chair", out)


def test_what_is_yet_to_come_has_no_shortest_way_to_anything(room: Path, out: Path):
    done = edit(room, "duplicate the chair and move it 10 cm toward the table", out)
    assert done.code == 2


def test_if_nothing_came_what_it_should_become_fails_with_it(room: Path, out: Path):
    done = edit(room, "replace the sofa with a bed and paint it red", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")
