"""Moving, turning and scaling through the command line: exact, with what is carried, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..executor.rooms import block, edit, furnished, new_file, open_blend, save, shell, worlds, worlds_in

EXACT = 1e-5


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    furnished()
    return save(tmp_path_factory.mktemp("room") / "room.blend")


def shifts(source: Path, output: Path) -> dict[str, np.ndarray]:
    """How far each object's origin moved, by name."""
    before, after = worlds_in(source), worlds_in(output)
    assert before.keys() == after.keys()
    return {name: after[name][:3, 3] - before[name][:3, 3] for name in before}


def assert_only_moved(source: Path, output: Path, expected: dict[str, tuple[float, float, float]]) -> None:
    """The named ones moved exactly so without turning; all others are what they were, to the last bit."""
    before, after = worlds_in(source), worlds_in(output)
    for name, old in before.items():
        if name in expected:
            assert after[name][:3, 3] - old[:3, 3] == pytest.approx(expected[name], abs=EXACT), name
            assert after[name][:3, :3] == pytest.approx(old[:3, :3], abs=1e-6), name
        else:
            assert np.array_equal(after[name], old), name


# --- exact, and nothing else ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "offset"),
    [
        ("move the table 20 cm left", (-0.2, 0, 0)),
        ("move the table 123 mm right", (0.123, 0, 0)),
        ("move the table 1 foot back", (0, -0.3048, 0)),
        ("move the table 2 ft 3 in back", (0, -0.6858, 0)),
        ("move the table half a metre south", (0, -0.5, 0)),
    ],
)
def test_a_stated_displacement_is_exact_and_all_that_rests_on_it_comes_along(
    request_: str, offset: tuple[float, float, float], room: Path, out: Path
):
    done = edit(room, request_, out)
    assert done.code == 0
    result = done.result
    assert_only_moved(room, out, dict.fromkeys(("Table", "Mug", "Book"), offset))
    assert {c.name: (c.kind, c.carried_by) for c in result.changes} == {
        "Table": ("moved", None),
        "Mug": ("moved", "table"),
        "Book": ("moved", "table"),
    }
    for change in result.changes:
        moved = np.subtract(change.after["center"], change.before["center"])
        assert moved == pytest.approx(offset, abs=EXACT)
    assert result.preservation.changed == []
    assert result.preservation.non_targets == 8
    assert result.physical.introduced.collisions == [] and result.physical.introduced.floating == []


def test_what_rests_on_what_is_carried_comes_along_too(out: Path, tmp_path: Path):
    furnished()
    block("Plate", (0.1, 0.1, 0.02), (-0.2, 0, 0.77))  # on the book, which is on the table
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 20 cm left", out)
    assert_only_moved(source, out, dict.fromkeys(("Table", "Mug", "Book", "Plate"), (-0.2, 0, 0)))
    assert {c.name: c.carried_by for c in done.result.changes}["Plate"] is not None


def test_a_child_that_also_rests_on_its_parent_moves_once(out: Path, tmp_path: Path):
    furnished()
    mug, table = bpy.data.objects["Mug"], bpy.data.objects["Table"]
    mug.parent, mug.matrix_parent_inverse = table, table.matrix_world.inverted()
    block("Plate", (0.1, 0.1, 0.02), (-0.2, 0, 0.77), parent=bpy.data.objects["Book"])
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 20 cm left", out).code == 0
    assert_only_moved(source, out, dict.fromkeys(("Table", "Mug", "Book", "Plate"), (-0.2, 0, 0)))


def test_a_thing_of_many_meshes_under_an_empty_moves_as_one(out: Path, tmp_path: Path):
    new_file()
    shell()
    root = bpy.data.objects.new("Chair", None)
    bpy.context.scene.collection.objects.link(root)
    root.location, root.rotation_euler, root.scale = (1, 0, 0), (0, 0, 0.7), (2, 2, 2)
    bpy.context.view_layer.update()
    for k, (x, y) in enumerate(((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))):
        leg = block(f"leg.{k:03}", (0.02, 0.02, 0.2), (0, 0, 0))
        leg.parent, leg.location = root, (x, y, 0)
    seat = block("seat", (0.22, 0.22, 0.02), (0, 0, 0))
    seat.parent, seat.location = root, (0, 0, 0.2)
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the chair 20 cm left", out)
    assert done.code == 0
    names = ["Chair", "seat", *(f"leg.{k:03}" for k in range(4))]
    assert_only_moved(source, out, dict.fromkeys(names, (-0.2, 0, 0)))
    assert [c.name for c in done.result.changes] == ["Chair"]


@pytest.mark.parametrize(
    "space",
    [
        Matrix.Rotation(0.9, 4, "X") @ Matrix.Rotation(0.4, 4, "Z"),
        Matrix.Diagonal((3, 3, 3, 1)),
        Matrix.Diagonal((-1, 1, 1, 1)),
        Matrix.Diagonal((0.5, 2, 1, 1)) @ Matrix.Rotation(0.5, 4, "Z"),
    ],
    ids=["rotated", "scaled", "mirrored", "sheared"],
)
def test_the_displacement_is_the_worlds_whatever_space_the_parent_has(space: Matrix, out: Path, tmp_path: Path):
    furnished()
    holder = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.matrix_world = space
    bpy.context.view_layer.update()
    chair = bpy.data.objects["Chair"]
    chair.parent, chair.matrix_parent_inverse = holder, holder.matrix_world.inverted()
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the chair 20 cm back", out).code == 0
    assert_only_moved(source, out, {"Chair": (0, -0.2, 0)})


def test_a_linked_duplicate_moves_alone(out: Path, tmp_path: Path):
    furnished()
    twin = bpy.data.objects.new("Stool", bpy.data.objects["Chair"].data)
    bpy.context.scene.collection.objects.link(twin)
    twin.location = (1.5, -1.2, 0)
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the stool 20 cm left", out).code == 0
    assert_only_moved(source, out, {"Stool": (-0.2, 0, 0)})


def test_a_collection_instance_moves(out: Path, tmp_path: Path):
    furnished()
    made = bpy.data.collections.new("Stool made of parts")
    for name, size, z in (("stool_seat", (0.3, 0.3, 0.05), 0.4), ("stool_foot", (0.1, 0.1, 0.4), 0)):
        part = block(name, size, (0, 0, z))
        bpy.context.scene.collection.objects.unlink(part)
        made.objects.link(part)
    instance = bpy.data.objects.new("Stool", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", made
    instance.location = (1.5, -1.2, 0)
    bpy.context.scene.collection.objects.link(instance)
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the stool 20 cm left", out).code == 0
    assert_only_moved(source, out, {"Stool": (-0.2, 0, 0)})


def test_a_plural_moves_all_of_them_and_what_each_carries(out: Path, tmp_path: Path):
    new_file()
    shell()
    for k in (1, 2, 3):
        block(f"Stool.{k:03}", (0.3, 0.3, 0.45), (k - 2, 0, 0))
    block("Mug", (0.08, 0.08, 0.1), (0, 0, 0.45))
    source = save(tmp_path / "room.blend")
    done = edit(source, "move all stools 30 cm forward", out)
    assert done.code == 0
    names = ["Stool.001", "Stool.002", "Stool.003", "Mug"]
    assert_only_moved(source, out, dict.fromkeys(names, (0, 0.3, 0)))
    assert {c.name: c.carried_by for c in done.result.changes}["Mug"] == "stool_002"


def test_hidden_and_excluded_things_stay(out: Path, tmp_path: Path):
    furnished()
    hidden = block("Lamp", (0.1, 0.1, 0.3), (0.1, -0.2, 0.74))
    hidden.hide_set(True)
    shelf = bpy.data.collections.new("Store")
    bpy.context.scene.collection.children.link(shelf)
    stored = block("Vase", (0.1, 0.1, 0.3), (-0.4, -0.2, 0.74))
    bpy.context.scene.collection.objects.unlink(stored)
    shelf.objects.link(stored)
    bpy.context.view_layer.layer_collection.children["Store"].exclude = True
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 20 cm left", out)
    assert done.code == 0 and done.result.preservation.changed == []
    open_blend(out)
    assert tuple(bpy.data.objects["Vase"].location) == pytest.approx((-0.4, -0.2, 0.74))
    assert bpy.data.objects["Lamp"].hide_get()
    assert bpy.context.view_layer.layer_collection.children["Store"].exclude


# --- units and frames -----------------------------------------------------------------------------------------------


def test_lengths_are_metres_in_a_scene_drawn_in_centimetres(out: Path, tmp_path: Path):
    furnished()
    bpy.context.scene.unit_settings.scale_length = 0.01
    for obj in bpy.context.scene.objects:
        obj.location = [100 * c for c in obj.location]
        obj.scale = (100, 100, 100)
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 20 cm left", out)
    assert done.code == 0
    moved = shifts(source, out)
    for name in ("Table", "Mug", "Book"):
        assert moved[name] == pytest.approx([-20, 0, 0], abs=1e-3)
    assert np.abs(moved["Chair"]).max() == 0
    change = next(c for c in done.result.changes if c.name == "Table")
    assert change.after["center"] == pytest.approx([-0.2, 0, 0.37], abs=EXACT)


def test_a_scale_factor_says_what_a_unit_is(out: Path, tmp_path: Path):
    furnished()
    for obj in bpy.context.scene.objects:
        obj.location = [39.3701 * c for c in obj.location]
        obj.scale = (39.3701,) * 3
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the table 10 inches left", out, "--scale-factor", "0.0254")
    assert done.code == 0
    assert shifts(source, out)["Mug"] == pytest.approx([-10, 0, 0], abs=1e-3)


def test_left_is_the_cameras_left(out: Path, tmp_path: Path):
    furnished()
    data = bpy.data.cameras.new("Camera")
    camera = bpy.data.objects.new("Camera", data)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    camera.matrix_world = Matrix.Translation((0, 0, 1.5)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    camera.matrix_world = Matrix.Rotation(np.radians(-30), 4, "Z") @ camera.matrix_world  # looks 30° east of north
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 20 cm left", out).code == 0
    left = 0.2 * np.array([-np.cos(np.radians(30)), np.sin(np.radians(30)), 0])
    assert shifts(source, out)["Table"] == pytest.approx(left, abs=EXACT)
    done = edit(source, "move the table 20 cm left", out, "--frame", "world")
    assert done.result.requirements[0].predicate.qualifiers["frame"] == "world"  # type: ignore[union-attr]
    assert shifts(source, out)["Table"] == pytest.approx([-0.2, 0, 0], abs=EXACT)


def test_north_is_where_the_scene_says(out: Path, tmp_path: Path):
    furnished()
    bpy.context.scene["north_deg"] = 90.0
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 20 cm north", out).code == 0
    assert shifts(source, out)["Table"] == pytest.approx([-0.2, 0, 0], abs=EXACT)


def picture_on_the_east_wall() -> None:
    furnished()
    block("Picture", (0.03, 0.6, 0.4), (2.485, 0, 1.3))


def test_a_picture_slides_along_its_wall(out: Path, tmp_path: Path):
    picture_on_the_east_wall()
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the picture 20 cm forward", out).code == 0
    assert_only_moved(source, out, {"Picture": (0, 0.2, 0)})
    assert edit(source, "move the picture 15 cm up", out).code == 0
    assert_only_moved(source, out, {"Picture": (0, 0, 0.15)})
    refused = edit(source, "move the picture 20 cm left", out)  # straight off the wall
    assert (refused.code, refused.json["error"]["code"]) == (2, "infeasible")


def test_a_slanting_direction_keeps_its_length_along_the_wall(out: Path, tmp_path: Path):
    picture_on_the_east_wall()
    bpy.context.scene["north_deg"] = -40.0
    source = save(tmp_path / "room.blend")
    done = edit(source, "move the picture 20 cm north", out)
    assert done.code == 0
    assert_only_moved(source, out, {"Picture": (0, 0.2, 0)})


# --- blocked --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "obstacle", "free"),
    [
        ("move the chair 1 m right", "Wall_E", 0.775),
        ("move the table 80 cm forward", "Sofa", 0.65),
        ("move the chair 1 m left", "Table", 0.675),  # the mug on it comes later
        ("move the chair 3 m right", "Wall_E", 0.775),
        ("move the sofa 30 cm forward", "Wall_N", 0.05),
    ],
)
def test_a_blocked_move_names_the_obstacle_and_what_is_free(
    request_: str, obstacle: str, free: float, room: Path, out: Path
):
    done = edit(room, request_, out)
    assert done.code == 2 and not out.exists()
    error = done.json["error"]
    assert error["code"] == "blocked"
    assert obstacle in error["message"]
    (said,) = [float(n) for n in re.findall(r"(\d+\.\d+) m are free", error["message"])]
    assert said == pytest.approx(free, abs=0.01)
    assert said <= free + 1e-9, "who moves by what is said to be free would be blocked again"
    assert "--allow-collision" in error["hint"]


def test_up_to_the_wall_is_free_and_a_hand_further_is_not(room: Path, out: Path):
    assert edit(room, "move the chair 775 mm right", out).code == 0
    assert edit(room, "move the chair 785 mm right", out).code == 2


def test_what_is_carried_is_blocked_too(out: Path, tmp_path: Path):
    furnished()
    block("Plank", (0.1, 1.0, 0.04), (0.5, 0.2, 0.74))  # reaches 30 cm over the table's edge toward the sofa
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the table 30 cm forward", out).code == 0
    out.unlink()
    done = edit(source, "move the table 40 cm forward", out)
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")
    assert "Plank" in done.json["error"]["message"] and "Sofa" in done.json["error"]["message"]


def test_collisions_are_allowed_on_request_and_reported(room: Path, out: Path):
    done = edit(room, "move the chair 1 m right", out, "--allow-collision")
    assert done.code == 0
    assert_only_moved(room, out, {"Chair": (1, 0, 0)})
    (collision,) = done.result.physical.introduced.collisions
    assert {collision.a, collision.b} == {"chair", "wall_e"}
    assert collision.depth > 0.002


def test_leaving_the_room_is_refused_unless_allowed(room: Path, out: Path):
    done = edit(room, "move the chair 3 m right", out)
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")
    assert not out.exists()
    assert edit(room, "move the chair 3 m right", out, "--allow-collision").code == 0
    assert_only_moved(room, out, {"Chair": (3, 0, 0)})


def test_a_collision_that_was_there_before_does_not_block(out: Path, tmp_path: Path):
    furnished()
    bpy.data.objects["Crate"].location = (-2.35, -1.4, 0)  # 5 cm inside the west wall
    source = save(tmp_path / "room.blend")
    assert edit(source, "move the crate 20 cm forward", out).code == 0
    assert edit(source, "move the crate 20 cm left", out).code == 2


@pytest.mark.parametrize("distance", [60, 65, 70, 75, 80, 85, 95])
def test_a_partition_blocks_however_deep_a_thing_would_end_in_it(distance: int, out: Path, tmp_path: Path):
    """A thing that ends astride a wall is not mounted on it."""
    furnished()
    block("Wall_Partition", (0.1, 1.6, 2.6), (0.75, -1.2, 0))
    chair = bpy.data.objects["Chair"]
    chair.location = (1.5, -1.2, 0)  # 0.475 m from the partition
    source = save(tmp_path / "room.blend")
    done = edit(source, f"move the chair {distance} cm left", out)
    assert (done.code, done.json["status"]) == (2, "refused")
    assert "Wall_Partition" in done.json["error"]["message"]


@pytest.mark.parametrize(
    ("request_", "obstacle"),
    [
        ("rotate the sofa 90 degrees", "Wall_N"),
        ("scale the sofa by 2", "Wall_N"),
        ("move the mug 5 cm down", "Table"),
    ],
)
def test_turns_scales_and_drops_are_blocked_too(request_: str, obstacle: str, room: Path, out: Path):
    done = edit(room, request_, out)
    assert (done.code, done.json["error"]["code"]) == (2, "blocked")
    assert obstacle in done.json["error"]["message"]
    assert not out.exists()


@pytest.mark.parametrize("request_", ["rotate both benches 90 degrees", "scale the benches by 3"])
def test_things_that_turn_or_grow_together_may_not_run_into_each_other(request_: str, out: Path, tmp_path: Path):
    new_file()
    shell()
    for k, x in ((1, -0.3), (2, 0.3)):
        block(f"Bench.{k:03}", (0.3, 1.0, 0.45), (x, 0, 0))
    source = save(tmp_path / "room.blend")
    done = edit(source, request_, out)
    assert (done.code, done.json["status"]) == (2, "refused")
    assert done.json["error"]["code"] == "blocked" and "Bench" in done.json["error"]["message"]
    allowed = edit(source, request_, out, "--allow-collision")
    (collision,) = allowed.result.physical.introduced.collisions
    assert {collision.a, collision.b} == {"bench_001", "bench_002"}


@pytest.mark.parametrize("request_", ["move the mug 1 m left", "move the mug 20 cm up"])
def test_what_would_hang_in_the_air_is_refused_or_reported(request_: str, room: Path, out: Path):
    done = edit(room, request_, out)
    assert done.code == 2 or done.result.physical.introduced.floating == ["mug"]


# --- turning and scaling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "angle"),
    [
        ("rotate the table 90 degrees", 90),
        ("rotate the table 30 degrees clockwise", -30),
        ("turn the table around", 180),
    ],
)
def test_a_turn_is_about_the_things_middle_and_takes_what_it_carries_along(
    request_: str, angle: float, room: Path, out: Path
):
    done = edit(room, request_, out)
    assert done.code == 0
    turn = np.array(Matrix.Rotation(np.radians(angle), 4, "Z"))
    before, after = worlds_in(room), worlds_in(out)
    for name in before:
        expected = turn @ before[name] if name in ("Table", "Mug", "Book") else before[name]
        assert after[name] == pytest.approx(expected, abs=EXACT), name
    assert {c.name for c in done.result.changes} == {"Table", "Mug", "Book"}
    assert done.result.preservation.changed == []


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE"])
def test_a_turn_is_exact_in_every_rotation_mode(mode: str, out: Path, tmp_path: Path):
    furnished()
    chair = bpy.data.objects["Chair"]
    chair.rotation_euler = (0, 0, 0.3)
    bpy.context.view_layer.update()
    chair.rotation_mode = mode
    source = save(tmp_path / "room.blend")
    assert edit(source, "rotate the chair 45 degrees", out).code == 0
    before, after = worlds_in(source)["Chair"], worlds_in(out)["Chair"]
    turn = np.array(Matrix.Rotation(np.radians(45), 3, "Z"))
    assert after[:3, :3] == pytest.approx(turn @ before[:3, :3], abs=EXACT)
    assert after[:3, 3] == pytest.approx(before[:3, 3], abs=EXACT)
    open_blend(out)
    assert bpy.data.objects["Chair"].rotation_mode == mode


def test_a_turn_under_an_unevenly_scaled_parent_is_exact_or_refused(out: Path, tmp_path: Path):
    furnished()
    holder = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.scale = (1, 2, 1)
    bpy.context.view_layer.update()
    chair = bpy.data.objects["Chair"]
    chair.parent = holder
    source = save(tmp_path / "room.blend")
    done = edit(source, "rotate the chair 45 degrees", out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")


def test_scaling_keeps_the_underside_in_place_and_lifts_what_stands_on_it(room: Path, out: Path):
    done = edit(room, "scale the table by 1.1", out)
    assert done.code == 0
    before, after = worlds_in(room), worlds_in(out)
    assert after["Table"][:3, :3] == pytest.approx(1.1 * before["Table"][:3, :3], abs=EXACT)
    assert after["Table"][:3, 3] == pytest.approx([0, 0, 0], abs=EXACT)
    for rider in ("Mug", "Book"):
        assert after[rider][2, 3] == pytest.approx(1.1 * 0.74, abs=EXACT)
        assert after[rider][:3, :3] == pytest.approx(before[rider][:3, :3], abs=EXACT)
    assert done.result.preservation.changed == []
    assert done.result.physical.introduced.floating == []


def test_scaling_down_keeps_everything_that_stood_on_it_on_it(room: Path, out: Path):
    done = edit(room, "scale the table by 0.5", out)
    assert done.code in (0, 2)
    if done.code == 0:
        assert done.result.physical.introduced.floating == []


# --- several requirements -------------------------------------------------------------------------------------------


def test_a_part_that_cannot_be_done_is_told_and_the_rest_is_written(room: Path, out: Path):
    done = edit(room, "move the table 20 cm left, move the chair 1 m right and paint the sofa red", out)
    assert done.code == 1
    result = done.result
    assert [r.status for r in result.requirements] == ["satisfied", "unsatisfied", "satisfied"]
    failed = result.requirements[1]
    assert failed.failure_mode == "blocked" and failed.repair_hint and "Wall_E" in str(failed.measured["reason"])
    assert [a.outcome for a in result.attempts] == ["accepted", "rejected", "accepted"]
    assert_only_moved(room, out, dict.fromkeys(("Table", "Mug", "Book"), (-0.2, 0, 0)))
    assert "Chair" not in {c.name for c in result.changes}
    assert result.preservation.changed == []


def test_when_everything_fails_the_request_is_refused_and_nothing_is_written(room: Path, out: Path):
    done = edit(room, "move the chair 1 m right, rotate the sofa 90 degrees", out)
    assert done.code == 2 and not out.exists()
    result = done.result
    assert result.status == "refused" and result.error is not None and result.error.code == "blocked"
    assert [r.status for r in result.requirements] == ["unsatisfied", "unsatisfied"]
    assert result.changes == []


def test_later_clauses_see_what_earlier_ones_did(room: Path, out: Path):
    done = edit(room, "move the chair 60 cm right and move the chair 60 cm left", out)
    assert done.code == 0
    assert shifts(room, out)["Chair"] == pytest.approx([0, 0, 0], abs=EXACT)
    done = edit(room, "move the chair 50 cm right and move it 50 cm right", out)
    assert done.code == 1
    assert shifts(room, out)["Chair"] == pytest.approx([0.5, 0, 0], abs=EXACT)
    assert [r.status for r in done.result.requirements] == ["satisfied", "unsatisfied"]


def test_a_thing_that_was_moved_and_removed_again_is_gone(room: Path, out: Path):
    done = edit(room, "move the chair 20 cm left and remove it", out)
    assert done.code == 0
    assert "Chair" not in worlds_in(out)


def test_removing_the_table_tells_what_hangs_in_the_air_now(room: Path, out: Path):
    done = edit(room, "remove the table", out)
    assert done.code == 0
    assert sorted(done.result.physical.introduced.floating) == ["book", "mug"]
    after = worlds_in(out)
    assert "Table" not in after and "Mug" in after


def test_the_scene_in_memory_is_not_needed_for_the_result(room: Path, out: Path):
    """What is written is what a fresh Blender reads."""
    edit(room, "move the table 20 cm left", out)
    in_memory = worlds()
    for name, matrix in worlds_in(out).items():
        assert np.array_equal(matrix, in_memory[name]), name
