"""Several things and several parts of a request: what goes along, what is undone again, what may not change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from scenewright.agent.loop import Options, run
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.steps import finish

from .. import zoo
from ..executor.rooms import block, edit, furnished, new_file, open_blend, save, shell, worlds_in


def test_a_thing_and_its_child_that_are_moved_together_each_move_once(tmp_path: Path):
    furnished()
    bpy.data.objects["Mug"].parent = bpy.data.objects["Table"]
    bpy.data.objects["Mug"].matrix_parent_inverse = bpy.data.objects["Table"].matrix_world.inverted()
    bpy.context.view_layer.update()
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table and the mug 10 cm left", tmp_path / "out.blend")
    assert done.code == 0
    moved = {c["id"]: c for c in done.json["changes"] if c["kind"] == "moved"}
    for thing in ("table", "mug"):
        way = [a - b for a, b in zip(moved[thing]["after"]["origin"], moved[thing]["before"]["origin"], strict=True)]
        assert sum(w * w for w in way) ** 0.5 == pytest.approx(0.1, abs=1e-5)


def test_what_goes_on_one_of_several_is_asked(tmp_path: Path):
    furnished()
    block("Table.001", (0.6, 0.6, 0.5), (1.5, -1.4, 0))
    source = save(tmp_path / "room.blend")
    done = edit(source, "put the mug on the tables", tmp_path / "out.blend")
    assert done.code == 2
    assert done.json["error"]["code"] == "ambiguous"
    assert len(done.json["error"]["candidates"]) == 2


# --- what follows a target ---


def table_with_a_child(tmp_path: Path, **child: object) -> Path:
    new_file()
    shell()
    table = block("Table", (1.2, 0.8, 0.74), (0, 0, 0))
    lamp = block("Lamp", (0.1, 0.1, 0.3), (0.3, 0, 0.74), parent=table)
    for key, value in child.items():
        if key == "protected":
            lamp["scenewright_protected"] = value
        else:
            setattr(lamp, key, value)
    return save(tmp_path / "room.blend")


def test_nothing_protected_moves_along_with_its_parent(tmp_path: Path):
    source = table_with_a_child(tmp_path, protected=True)
    done = edit(source, "move the table 20 cm left", tmp_path / "out.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "protected")
    assert not (tmp_path / "out.blend").exists()


def test_a_hidden_child_counts_as_carried_and_not_as_a_change_elsewhere(tmp_path: Path):
    source = table_with_a_child(tmp_path, hide_viewport=True)
    done = edit(source, "move the table 20 cm left", tmp_path / "out.blend")
    assert (done.code, done.result.preservation.changed) == (0, [])
    assert [(c.id, c.carried_by) for c in done.result.changes] == [("table", None), ("lamp", "table")]


def tied(tmp_path: Path, protected: bool) -> Path:
    """A drone that keeps its distance from the table by a constraint: nothing the reader knows of."""
    new_file()
    shell()
    table = block("Table", (1.2, 0.8, 0.74), (0, 0, 0))
    drone = block("Drone", (0.1, 0.1, 0.1), (0, 0, 0))
    constraint = drone.constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset = table, True
    drone.location = (1.5, 1, 1.5)
    if protected:
        drone["scenewright_protected"] = True
    return save(tmp_path / "room.blend")


def test_what_changes_elsewhere_is_told_and_is_no_success(tmp_path: Path):
    done = edit(tied(tmp_path, protected=False), "move the table 20 cm left", tmp_path / "out.blend")
    assert (done.code, done.result.status, done.result.preservation.changed) == (1, "partial", ["Drone"])
    asked, kept = done.result.requirements
    assert (asked.status, kept.type, kept.status, kept.measured) == (
        "satisfied",
        "preserve",
        "unsatisfied",
        {"changed": ["Drone"]},
    )
    assert kept.priority < asked.priority


def test_nothing_protected_changes_by_a_constraint(tmp_path: Path):
    done = edit(tied(tmp_path, protected=True), "move the table 20 cm left", tmp_path / "out.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "protected")


# --- a thing and what is on it, both named ---


@pytest.mark.parametrize("both", ["the table and the lamp", "the lamp and the table"])
def test_a_thing_and_its_child_that_are_turned_together_each_turn_once(both: str, tmp_path: Path):
    source = table_with_a_child(tmp_path)
    done = edit(source, f"turn {both} by 30 degrees", tmp_path / "out.blend")
    assert done.code == 0
    after = worlds_in(tmp_path / "out.blend")
    for name in ("Table", "Lamp"):
        assert np.degrees(np.arctan2(after[name][1, 0], after[name][0, 0])) == pytest.approx(30, abs=1e-3)


def test_a_thing_and_its_child_that_are_scaled_together_each_grow_once(tmp_path: Path):
    source = table_with_a_child(tmp_path)
    assert edit(source, "scale the lamp and the table by 1.2", tmp_path / "out.blend").code == 0
    after = worlds_in(tmp_path / "out.blend")
    for name in ("Table", "Lamp"):
        assert np.linalg.norm(after[name][:3, 0]) == pytest.approx(1.2, abs=1e-5)


def test_what_stands_on_a_thing_that_grows_with_it_still_stands_on_it(tmp_path: Path):
    furnished()
    source = save(tmp_path / "room.blend")
    done = edit(source, "scale the mug and the table by 1.3", tmp_path / "out.blend")
    assert (done.code, done.result.physical.introduced.floating) == (0, [])
    assert worlds_in(tmp_path / "out.blend")["Mug"][2, 3] == pytest.approx(0.74 * 1.3, abs=1e-5)


# --- placing with a load ---


def shelf_and_tray(tmp_path: Path, clearance: float) -> Path:
    """A tray with a bottle of 30 cm on it, and a rack with one board below another."""
    new_file()
    shell()
    rack = block("Rack", (1.0, 0.5, 0.02), (1.5, 0, 0.5))
    block("Rack top", (1.0, 0.5, 0.02), (1.5, 0, 0.52 + clearance), parent=rack)
    for x in (1.02, 1.98):
        block(f"Rack side {x}", (0.04, 0.5, 0.54 + clearance), (x, 0, 0), parent=rack)
    block("Tray", (0.4, 0.3, 0.02), (-1, 0, 0))
    block("Bottle", (0.08, 0.08, 0.3), (-1, 0, 0.02))
    return save(tmp_path / "room.blend")


def test_what_stands_on_a_placed_thing_needs_its_room_too(tmp_path: Path):
    source = shelf_and_tray(tmp_path, clearance=0.2)
    assert edit(source, "put the tray on the rack", tmp_path / "out.blend").code == 0
    after = worlds_in(tmp_path / "out.blend")
    assert after["Tray"][2, 3] == pytest.approx(0.74, abs=2e-3)  # on top: between the boards the bottle has no room
    assert after["Bottle"][2, 3] == pytest.approx(0.76, abs=2e-3)


def test_a_load_that_fits_goes_between_the_boards_when_the_top_is_taken(tmp_path: Path):
    source = shelf_and_tray(tmp_path, clearance=0.4)
    open_blend(source)
    block("Box", (0.98, 0.48, 0.3), (1.5, 0, 0.94))
    save(source)
    assert edit(source, "put the tray on the rack", tmp_path / "out.blend").code == 0
    assert worlds_in(tmp_path / "out.blend")["Bottle"][2, 3] == pytest.approx(0.54, abs=2e-3)


# --- parts of a request that undo one another ---


@pytest.mark.parametrize(
    "request_",
    [
        "put the mug on the crate and remove the crate",
        "remove the crate and put the mug on the crate",
        "remove the chair and move it 20 cm left",
        "paint the chair red and remove it",
        "paint the chair red and paint the chair blue",
        "put the mug on the crate and put the mug on the table",
        "put the mug on the book and put the book on the mug",
    ],
)
def test_a_request_that_takes_back_what_it_asks_for_is_refused(tmp_path: Path, request_: str):
    furnished()
    done = edit(save(tmp_path / "room.blend"), request_, tmp_path / "out.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "contradiction")
    assert not (tmp_path / "out.blend").exists()


def test_what_a_later_part_undid_is_not_called_satisfied(tmp_path: Path):
    furnished()
    done = edit(
        save(tmp_path / "room.blend"), "put the mug on the crate and move the crate 50 cm up", tmp_path / "out.blend"
    )
    statuses = [r.status for r in done.result.requirements]
    assert (done.code, statuses) == (0, ["satisfied", "satisfied"])  # carried along, so it still rests there
    done = edit(
        save(tmp_path / "room.blend"), "put the mug on the crate and move the mug 50 cm up", tmp_path / "out2.blend"
    )
    assert (done.code, [r.status for r in done.result.requirements]) == (1, ["unsatisfied", "satisfied"])


# --- what is in the way ---


def test_the_obstacle_that_is_named_is_the_one_that_stops_it(tmp_path: Path):
    new_file()
    shell()
    block("Chair", (0.45, 0.45, 0.9), (1.0, 0, 0))
    block("Rug", (0.8, 0.8, 0.01), (1.9, 0, 0))
    done = edit(save(tmp_path / "room.blend"), "move the chair 2 m right", tmp_path / "out.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")
    assert done.json["error"]["message"].startswith("Wall_E is in the way of Chair: 1.275 m are free")


def test_a_rug_is_not_pushed_into_a_wall(tmp_path: Path):
    new_file()
    shell()
    block("Rug", (0.8, 0.8, 0.01), (1.9, 0, 0))
    done = edit(save(tmp_path / "room.blend"), "move the rug 30 cm right", tmp_path / "out.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")


@pytest.mark.parametrize("matrix", [Matrix.Diagonal((-1, 1, 1, 1)), Matrix.Diagonal((1, -1, -1, 1))])
def test_the_turn_of_a_mirrored_or_upside_down_thing_is_among_the_changes(tmp_path: Path, matrix: Matrix):
    new_file()
    shell()
    block("Chair", (0.45, 0.45, 0.9), (0, 0, 0))
    chair = bpy.data.objects["Chair"]
    chair.matrix_world = Matrix.Translation((0, 0, 0.9 if matrix[2][2] < 0 else 0)) @ matrix
    done = edit(save(tmp_path / "room.blend"), "turn the chair by 30 degrees", tmp_path / "out.blend")
    assert (done.code, [c.kind for c in done.result.changes]) == (0, ["rotated"])


# --- the journal ---


def test_a_refused_request_leaves_what_an_earlier_one_did_on_the_same_stage(tmp_path: Path):
    furnished()
    stage = Stage(bpy.context)
    finish(run("move the chair 20 cm left", stage, Options()))
    done = finish(run("put the sofa on the mug", stage, Options()))
    assert done.status == "refused"
    assert bpy.data.objects["Chair"].location.x == pytest.approx(1.3, abs=1e-6)


# --- shapes that do not follow their object ---


def mirrored_about_another() -> None:
    sofa = block("Sofa", (0.9, 0.8, 0.7), (0.6, 0, 0))
    middle = bpy.data.objects.new("Middle", None)
    bpy.context.scene.collection.objects.link(middle)
    sofa.modifiers.new("Mirror", "MIRROR").mirror_object = middle


def spread_toward_another() -> None:
    sofa = block("Sofa", (0.4, 0.8, 0.7), (-1, 0, 0))
    end = bpy.data.objects.new("End", None)
    bpy.context.scene.collection.objects.link(end)
    array = sofa.modifiers.new("Array", "ARRAY")
    array.use_relative_offset, array.use_object_offset, array.offset_object = False, True, end
    array.count = 2


def hooked_to_another() -> None:
    sofa = block("Sofa", (0.9, 0.8, 0.7), (0, 0, 0))
    hand = bpy.data.objects.new("Hand", None)
    bpy.context.scene.collection.objects.link(hand)
    hook = sofa.modifiers.new("Hook", "HOOK")
    hook.object = hand
    hook.vertex_indices_set([4, 5, 6, 7])


@pytest.mark.parametrize("make", [mirrored_about_another, spread_toward_another, hooked_to_another])
@pytest.mark.parametrize("request_", ["move the sofa 20 cm left", "turn the sofa by 30 degrees"])
def test_a_shape_that_hangs_on_something_else_is_not_torn(tmp_path: Path, make: Callable[[], None], request_: str):
    new_file()
    shell()
    make()
    done = edit(save(tmp_path / "room.blend"), request_, tmp_path / "out.blend")
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")
    assert "does not follow" in done.json["error"]["message"]


def test_a_mirror_within_the_thing_itself_is_no_hindrance(tmp_path: Path):
    new_file()
    shell()
    block("Sofa", (0.9, 0.8, 0.7), (0.6, 0, 0)).modifiers.new("Mirror", "MIRROR")
    assert edit(save(tmp_path / "room.blend"), "move the sofa 20 cm left", tmp_path / "out.blend").code == 0


# --- what rests on what is scaled ---


def bookshelf(tmp_path: Path) -> Path:
    new_file()
    shell()
    boards = [((0.8, 0.3, 0.02), (0, 0, z)) for z in (0.1, 0.6, 1.1)]
    sides = [((0.02, 0.3, 1.12), (x, 0, 0)) for x in (-0.41, 0.41)]
    shelf = zoo.put("Bookshelf", zoo.mesh("Bookshelf", [*boards, *sides]), (0, 1, 0))
    assert shelf is not None
    block("Book", (0.05, 0.2, 0.25), (0.2, 1, 0.62))
    block("Vase", (0.1, 0.1, 0.3), (-0.2, 1, 1.12))
    return save(tmp_path / "room.blend")


def test_what_stands_on_any_board_of_a_shelf_that_grows_stays_on_that_board(tmp_path: Path):
    done = edit(bookshelf(tmp_path), "make the bookshelf 20 % bigger", tmp_path / "out.blend")
    assert (done.code, done.result.physical.introduced.floating) == (0, [])
    after = worlds_in(tmp_path / "out.blend")
    assert after["Book"][:3, 3] == pytest.approx([0.24, 1, 0.62 * 1.2], abs=1e-5)
    assert after["Vase"][:3, 3] == pytest.approx([-0.24, 1, 1.12 * 1.2], abs=1e-5)


def test_what_stands_on_a_table_that_shrinks_does_not_end_beside_it(tmp_path: Path):
    furnished()
    done = edit(save(tmp_path / "room.blend"), "make the table half as big", tmp_path / "out.blend")
    assert (done.code, done.result.physical.introduced.floating) == (0, [])
    assert worlds_in(tmp_path / "out.blend")["Mug"][:3, 3] == pytest.approx([0.15, 0.05, 0.37], abs=1e-5)


# --- left in the air ---


@pytest.mark.parametrize("request_", ["remove the desk", "move the lamp 1 m right"])
def test_a_lamp_left_in_the_air_is_told(tmp_path: Path, request_: str):
    new_file()
    shell()
    block("Desk", (1.2, 0.6, 0.74), (0, 0, 0))
    block("Table lamp", (0.15, 0.15, 0.4), (0.2, 0, 0.74))
    done = edit(save(tmp_path / "room.blend"), request_, tmp_path / "out.blend")
    assert done.result.physical.introduced.floating == ["table_lamp"]


def test_a_book_lifted_off_its_board_hovers_though_it_is_within_the_shelf(tmp_path: Path):
    done = edit(bookshelf(tmp_path), "move the book 10 cm up", tmp_path / "out.blend")
    assert done.result.physical.introduced.floating == ["book"]


# --- places between and over others ---


def test_what_stands_in_the_corners_leaves_the_middle_free_though_it_is_one_object(tmp_path: Path):
    new_file()
    shell()
    block("Desk", (1.4, 0.7, 0.74), (0, 0, 0))
    corners = [((0.03, 0.03, 0.2), (x, y, 0.74)) for x in (-0.6, 0.6) for y in (-0.3, 0.3)]
    zoo.put("Candles", zoo.mesh("Candles", corners))
    block("Book", (0.2, 0.15, 0.03), (1.5, 1, 0))
    assert edit(save(tmp_path / "room.blend"), "put the book on the desk", tmp_path / "out.blend").code == 0
    assert worlds_in(tmp_path / "out.blend")["Book"][2, 3] == pytest.approx(0.74, abs=1e-3)


def test_what_is_put_on_a_made_bed_stands_on_its_bedding(tmp_path: Path):
    new_file()
    shell()
    block("Bed", (1.6, 2.0, 0.4), (0, 0, 0))
    block("Duvet", (1.6, 2.0, 0.06), (0, 0, 0.4))
    block("Cup", (0.08, 0.08, 0.1), (1.5, 1, 0))
    done = edit(save(tmp_path / "room.blend"), "put the cup on the bed", tmp_path / "out.blend")
    assert done.code == 0
    assert worlds_in(tmp_path / "out.blend")["Cup"][2, 3] == pytest.approx(0.46, abs=1e-3)
