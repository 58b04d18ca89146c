"""Drawers and doors by request: which are meant, how far they go, what goes along, and back again."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from scenewright.assets_index.parametric import build
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.pieces import add_piece

from ..executor.rooms import block, edit, furnished, open_blend, save, worlds_in

AT = (1.4, -1.0, 0.0)


def beside(x: float, y: float, z: float) -> tuple[float, float, float]:
    return AT[0] + x, AT[1] + y, AT[2] + z


def cabinet(yaw_deg: float = 0.0, mirrored: bool = False) -> bpy.types.Object:
    """A cabinet at `AT` with three drawers, whose fronts face −Y unturned; their parent inverses are no identity."""
    carcass = block("Cabinet", (0.6, 0.5, 0.8), AT)
    for number, z in enumerate((0.55, 0.3, 0.05), 1):
        drawer = block(f"Drawer {number}", (0.5, 0.46, 0.2), beside(0, -0.03, z), parent=carcass)
        block(f"Drawer {number} Handle", (0.1, 0.03, 0.03), beside(0, -0.275, z + 0.1), parent=drawer)
    carcass.rotation_euler.z = np.radians(yaw_deg)
    if mirrored:
        carcass.scale.y = -1
    bpy.context.view_layer.update()
    return carcass


@pytest.fixture
def drawers(source: Path) -> Path:
    furnished()
    cabinet()
    return save(source)


@pytest.fixture
def wardrobe(source: Path) -> Path:
    """The furnished room with a built-in wardrobe of two doors in the middle of a wall."""
    furnished()
    bpy.data.objects.remove(bpy.data.objects["Sofa"])
    add_piece(Journal(), bpy.context, build("wardrobe"), "Wardrobe", (0, 1.6, 0))
    return save(source)


def went(source: Path, request: str, out: Path, *options: object) -> dict[str, np.ndarray]:
    """How far each object went that did, by a request that is satisfied."""
    done = edit(source, request, out, *options)
    assert (done.code, done.result.preservation.changed) == (0, []), done.out
    before, after = worlds_in(source), worlds_in(out)
    assert before.keys() == after.keys()
    return {
        name: after[name][:3, 3] - before[name][:3, 3]
        for name in before
        if not np.allclose(after[name], before[name], atol=1e-6)
    }


def yaws(source: Path, out: Path) -> dict[str, float]:
    """By how many degrees each object was turned about Z that was."""
    before, after = worlds_in(source), worlds_in(out)
    turned = {n: after[n][:3, :3] @ np.linalg.inv(before[n][:3, :3]) for n in before}
    angles = {n: float(np.degrees(np.arctan2(m[1, 0], m[0, 0]))) for n, m in turned.items()}
    return {n: a for n, a in angles.items() if abs(a) > 0.01}


def test_b08_a_drawer_travels_along_the_front_of_a_cabinet_that_was_moved(drawers: Path, out: Path):
    moved = drawers.with_name("moved.blend")
    shifts = went(drawers, "Move the cabinet 1 m left", moved, "--allow-collision")
    assert set(shifts) == {"Cabinet", *(f"Drawer {n}{part}" for n in (1, 2, 3) for part in ("", " Handle"))}
    assert all(shift == pytest.approx([-1, 0, 0], abs=1e-5) for shift in shifts.values())
    opened = went(moved, "open the top drawer 20 cm", out)
    assert set(opened) == {"Drawer 1", "Drawer 1 Handle"}
    assert opened["Drawer 1"] == pytest.approx([0, -0.2, 0], abs=1e-5)


@pytest.mark.parametrize(("yaw", "mirrored"), [(30, False), (90, False), (180, False), (0, True), (40, True)])
def test_a_drawer_comes_out_at_the_side_where_it_is(yaw: float, mirrored: bool, source: Path, out: Path):
    furnished()
    cabinet(yaw, mirrored)
    opened = went(save(source), "open the top drawer of the cabinet 10 cm", out)
    turn = np.radians(yaw)
    way = np.array([np.sin(turn), -np.cos(turn), 0]) * (-1 if mirrored else 1)
    assert opened["Drawer 1"] == pytest.approx(0.1 * way, abs=1e-5)


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("the bottom drawer", {3}),
        ("the middle drawer", {2}),
        ("the second drawer of the cabinet", {2}),
        ("the lowest cabinet drawer", {3}),
        ("all drawers", {1, 2, 3}),
        ("the drawers of the cabinet", {1, 2, 3}),
    ],
)
def test_a_drawer_is_named_by_its_place(words: str, numbers: set[int], drawers: Path, out: Path):
    opened = went(drawers, f"open {words} 10 cm", out)
    assert {n for n in opened if "Handle" not in n} == {f"Drawer {n}" for n in numbers}


def test_what_is_opened_is_told_with_how_far_it_went(drawers: Path, out: Path):
    done = edit(drawers, "open the top drawer 20 cm", out)
    (requirement,) = done.result.requirements
    assert requirement.measured == {"went": {"Drawer 1": 0.2}}
    assert [(c.id, c.kind) for c in done.result.changes] == [("cabinet", "opened")]


def test_opened_and_closed_it_is_as_it_was(drawers: Path, out: Path):
    edit(drawers, "open the top drawer 20 cm", out)
    again = out.with_name("again.blend")
    assert edit(out, "close the drawer", again).code == 0
    before, after = worlds_in(drawers), worlds_in(again)
    assert all(np.allclose(after[n], w, atol=1e-6) for n, w in before.items())


def test_what_is_in_a_drawer_goes_along(source: Path, out: Path):
    furnished()
    carcass = block("Cabinet", (0.6, 0.5, 0.3), AT)
    tray = block("Drawer", (0.5, 0.46, 0.05), beside(0, -0.03, 0.35), parent=carcass)
    assert tray.parent == carcass
    block("Mug.001", (0.08, 0.08, 0.1), beside(0, -0.1, 0.4))
    opened = went(save(source), "open the drawer of the cabinet 20 cm", out)
    assert opened["Mug.001"] == pytest.approx([0, -0.2, 0], abs=1e-5)


def test_a_drawer_goes_no_further_than_it_can(drawers: Path, out: Path):
    error = edit(drawers, "open the top drawer 60 cm", out).json["error"]
    assert error["code"] == "infeasible"
    assert "0.368 m" in error["message"]


def test_what_stands_before_a_drawer_blocks_it(source: Path, out: Path):
    furnished()
    cabinet()
    block("Basket", (0.3, 0.3, 0.9), beside(0, -0.6, 0))
    path = save(source)
    done = edit(path, "open the top drawer 20 cm", out)
    assert (done.code, done.json["error"]["code"], done.json["error"]["candidates"]) == (2, "blocked", ["basket"])
    assert went(path, "open the top drawer", out)["Drawer 1"][1] == pytest.approx(-0.092, abs=1e-3)


@pytest.mark.parametrize(("words", "turned"), [("the left door", {1}), ("both doors", {1, 2}), ("the right door", {2})])
def test_doors_turn_about_their_outer_edges(words: str, turned: set[int], wardrobe: Path, out: Path):
    went(wardrobe, f"open {words} of the wardrobe 45 degrees", out)
    expected = {1: -45, 2: 45}
    assert yaws(wardrobe, out) == {f"Wardrobe Door {n}": pytest.approx(expected[n], abs=0.01) for n in turned}


def test_a_wardrobe_is_opened_and_closed_as_a_whole(wardrobe: Path, out: Path):
    went(wardrobe, "open the wardrobe", out)
    assert yaws(wardrobe, out) == {
        "Wardrobe Door 1": pytest.approx(-90, abs=0.01), "Wardrobe Door 2": pytest.approx(90, abs=0.01)
    }  # fmt: skip
    again = out.with_name("again.blend")
    went(out, "close it".replace("it", "the wardrobe"), again)
    assert yaws(wardrobe, again) == {}


def test_an_open_wardrobe_that_was_turned_is_closed_as_it_was_made(wardrobe: Path, out: Path):
    edit(wardrobe, "open the left door of the wardrobe 30 degrees and move the wardrobe 10 cm left", out)
    again = out.with_name("again.blend")
    went(out, "close the wardrobe", again)
    open_blend(again)
    door, whole = (bpy.data.objects[n] for n in ("Wardrobe Door 1", "Wardrobe"))
    assert np.allclose(door.matrix_world, whole.matrix_world, atol=1e-5)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("open the table", "unknown_object"),
        ("open the lid of the cabinet", "unknown_object"),
        ("open the fourth drawer of the cabinet", "unknown_object"),
        ("open the drawer", "ambiguous"),
        ("open both drawers", "ambiguous"),
        ("open the top drawer 30 degrees", "not_understood"),
        ("open", "not_understood"),
    ],
)
def test_what_does_not_open_so_is_refused(request_: str, code: str, drawers: Path, out: Path):
    done = edit(drawers, request_, out)
    assert (done.code, done.json["error"]["code"]) == (2, code), done.out


def test_a_protected_thing_stays_shut(drawers: Path, out: Path):
    done = edit(drawers, "open the top drawer 10 cm", out, "--protect", "the cabinet")
    assert (done.code, done.json["error"]["code"]) == (2, "protected")
