"""A move that ends in something is refused with the obstacle and the free distance, unless it is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import bpy
import pytest

from ..executor.rooms import block, edit, furnished, new_file, save, shell
from .moves import assert_only_moved


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
def test_what_hangs_in_the_air_after_a_stated_move_is_told(request_: str, room: Path, out: Path):
    done = edit(room, request_, out)
    assert done.code == 0
    assert done.result.physical.introduced.floating == ["mug"]
