"""The operators inside Blender: what they change, what they tell, and that undo and history never disagree."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

import scenewright
from scenewright.agent import loop
from scenewright.executor.blender import session

from ..executor.operations import state
from ..executor.rooms import furnished, new_file, save

MOVE = "move the chair 20 cm left"
MOVE_BACK = "move the chair 20 cm right"


@pytest.fixture(autouse=True)
def room() -> Iterator[None]:
    """The furnished room, open in a Blender that has the extension and keeps steps of its undo."""
    furnished()
    scenewright.register()
    bpy.ops.ed.undo_push(message="Original")
    yield
    scenewright.unregister()


def request(text: str, **options: object) -> set[str]:
    return bpy.ops.scenewright.edit("EXEC_DEFAULT", True, request=text, **options)


def restore(turn: int) -> set[str]:
    return bpy.ops.scenewright.restore("EXEC_DEFAULT", True, turn=turn)


def undone() -> tuple[dict[str, object], list[int]]:
    """The version that undo leads to."""
    bpy.ops.ed.undo()
    return version()


def redone() -> tuple[dict[str, object], list[int]]:
    bpy.ops.ed.redo()
    return version()


def version() -> tuple[dict[str, object], list[int]]:
    """What the scene is like, and the turns that it knows of."""
    return state(), turns()


def turns() -> list[int]:
    return [turn.number for turn in session.history().turns]


def refused(text: str, message: str, **options: object) -> None:
    before = version()
    with pytest.raises(RuntimeError) as raised:  # what bpy.ops makes of an error that is reported
        request(text, **options)
    line = str(raised.value).strip()
    assert (line.startswith("Error: "), message in line, "\n" in line) == (True, True, False), line
    assert version() == before


def chair_x() -> float:
    return bpy.data.objects["Chair"].matrix_world.translation.x


def edit_mode(name: str) -> None:
    """Go into Edit Mode of an object as a user does, and lift its vertices by a metre."""
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    bpy.ops.object.mode_set("EXEC_DEFAULT", True, mode="EDIT")
    bpy.ops.mesh.select_all("EXEC_DEFAULT", True, action="SELECT")
    lift()


def lift() -> None:
    bpy.ops.transform.translate("EXEC_DEFAULT", True, value=(0, 0, 1))


def foot(name: str) -> tuple[str, float]:
    """The mode that an object is in, and how high its first vertex is."""
    obj = bpy.data.objects[name]
    if obj.mode == "EDIT":
        obj.update_from_editmode()
    return obj.mode, obj.data.vertices[0].co.z


# Run in a fresh interpreter, as Blender starts.
REGISTER = """
import os, sys, bpy, scenewright
scenewright.register()
heavy = {"jinja2", "pydantic", "scipy", "shapely", "scenewright.agent", "scenewright.executor"} & sys.modules.keys()
print(sorted(heavy), bpy.ops.scenewright.edit.get_rna_type().name, flush=True)
os._exit(0)
"""


def test_at_blenders_start_nothing_heavy_is_loaded():
    done = subprocess.run([sys.executable, "-c", REGISTER], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip().endswith("[] Scenewright: carry out a request"), done.stdout + done.stderr


# --- undo ---------------------------------------------------------------------------------------------------------


def test_a_request_is_one_step_of_blenders_undo():
    before = version()
    assert request("move the chair 20 cm left, remove the sofa and paint the table red") == {"FINISHED"}
    after = version()
    assert after[1] == [1]
    assert (undone(), redone(), undone()) == (before, after, before)


def test_a_refused_request_is_no_step_of_it():
    before = version()
    request(MOVE)
    refused("move the chair 9 m left", "in the way")
    refused("move the piano", "no piano")
    assert undone() == before


def test_a_restored_version_is_one_step_of_it_and_a_turn():
    before = version()
    request("move the chair 20 cm left and remove the sofa")
    between = version()
    assert restore(0) == {"FINISHED"}
    after = version()
    assert after == (before[0], [1, 2])
    assert (undone(), redone(), undone(), undone()) == (between, after, between, before)


def test_b10_after_undo_the_same_request_is_applied_once():
    for _ in range(3):
        request(MOVE)
        assert (chair_x(), turns()) == (pytest.approx(1.3), [1])
        bpy.ops.ed.undo()
    request(MOVE)
    request(MOVE)
    assert (chair_x(), turns()) == (pytest.approx(1.1), [1, 2])


def test_b10_what_was_removed_and_undone_is_removed_again():
    objects = len(bpy.data.objects)
    for _ in range(3):
        request("remove the sofa")
        assert "Sofa" not in bpy.context.scene.objects
        bpy.ops.ed.undo()
        assert "Sofa" in bpy.context.scene.objects
    assert len(bpy.data.objects) == objects


def test_after_undo_nothing_counts_as_changed_by_hand():
    request(MOVE)
    request("turn the chair by 30 degrees")
    bpy.ops.ed.undo()
    request(MOVE_BACK)
    assert [(t.kind, t.parent) for t in session.history().turns] == [("request", 0), ("request", 1)]


def test_things_keep_their_ids_through_undo_and_redo():
    request(MOVE)
    bpy.data.objects["Chair"].name = "Renamed"
    bpy.ops.ed.undo_push(message="Rename")
    request("move the table 10 cm left")
    bpy.ops.ed.undo()
    bpy.ops.ed.redo()
    assert bpy.data.objects["Renamed"]["scenewright_id"] == "chair"


# --- modes --------------------------------------------------------------------------------------------------------


def test_undo_of_a_request_in_edit_mode_leads_back_into_it():
    edit_mode("Crate")
    assert request(MOVE) == {"FINISHED"}
    assert (chair_x(), foot("Crate"), turns()) == (pytest.approx(1.3), ("OBJECT", 1), [1])
    bpy.ops.ed.undo()
    assert (chair_x(), foot("Crate"), turns()) == (pytest.approx(1.5), ("EDIT", 1), [])
    bpy.ops.ed.redo()
    assert (chair_x(), foot("Crate"), turns()) == (pytest.approx(1.3), ("OBJECT", 1), [1])
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert foot("Crate") == ("EDIT", 0)


def test_a_refused_request_leaves_edit_mode_as_it_was():
    edit_mode("Crate")
    with pytest.raises(RuntimeError):
        request("move the chair 9 m left")
    assert foot("Crate") == ("EDIT", 1)
    lift()
    assert foot("Crate") == ("EDIT", 2)
    bpy.ops.ed.undo()
    assert foot("Crate") == ("EDIT", 1)
    bpy.ops.ed.undo()
    assert foot("Crate") == ("EDIT", 0)


def test_objects_in_modes_of_their_own_are_left_and_gone_back_to():
    edit_mode("Crate")
    bpy.context.view_layer.objects.active = bpy.data.objects["Table"]  # as without Lock Object Modes
    with pytest.raises(RuntimeError):
        request("move the chair 9 m left")
    assert (foot("Crate"), bpy.context.view_layer.objects.active.name) == (("EDIT", 1), "Table")
    assert request("move the crate 20 cm right") == {"FINISHED"}
    assert (foot("Crate"), bpy.context.view_layer.objects.active.name) == (("OBJECT", 1), "Table")


@pytest.mark.parametrize("mode", ["VERTEX_PAINT", "WEIGHT_PAINT", "TEXTURE_PAINT"])
def test_undo_of_a_request_while_painting_takes_it_back(mode: str):
    bpy.context.view_layer.objects.active = bpy.data.objects["Crate"]
    bpy.ops.object.mode_set("EXEC_DEFAULT", True, mode=mode)
    request(MOVE)
    bpy.ops.ed.undo()
    assert (chair_x(), bpy.data.objects["Crate"].mode) == (pytest.approx(1.5), mode)


def test_from_sculpt_mode_there_is_no_request_since_it_could_not_be_undone():
    bpy.context.view_layer.objects.active = bpy.data.objects["Crate"]
    bpy.ops.object.mode_set("EXEC_DEFAULT", True, mode="SCULPT")
    assert not bpy.ops.scenewright.edit.poll()
    with pytest.raises(RuntimeError, match="Leave Sculpt Mode first"):
        restore(0)
    assert bpy.data.objects["Crate"].mode == "SCULPT"


# --- what is told ---------------------------------------------------------------------------------------------------


def test_what_changed_is_told_in_a_line(capfd: pytest.CaptureFixture[str]):
    request("move the table 20 cm left and paint the chair red")
    assert "Info: Turn 1: moved Table, Book, Mug; restyled Chair\n" in printed(capfd)


def test_of_several_requirements_the_unmet_one_is_told_with_its_reason(capfd: pytest.CaptureFixture[str]):
    assert request("move the chair 20 cm left and move the table 9 m left") == {"FINISHED"}
    told = printed(capfd)
    assert "Info: Turn 1: moved Chair\n" in told
    (unmet,) = [line for line in told.splitlines() if "Not satisfied" in line]
    assert unmet.startswith("Warning: Not satisfied: move the table 9 m left. ")
    assert "in the way of Table" in unmet


def test_doubts_about_scene_and_file_are_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    bpy.context.scene["north_deg"] = "up"
    library = save(tmp_path / "library.blend")
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.meshes = ["Mug"]
    library.unlink()
    request(MOVE)
    told = printed(capfd)
    assert "Warning: The scene's north_deg is no number of degrees" in told
    assert "Warning: Missing libraries: " in told


def test_names_cannot_break_the_line(capfd: pytest.CaptureFixture[str]):
    bpy.data.objects["Chair"].name = "Chair\nError: \x1b[31m"
    request(MOVE)
    assert "moved Chair\\nError: \\u001b[31m\n" in printed(capfd)


def test_questions_are_answered_in_another_call():
    copy = bpy.data.objects["Chair"].copy()
    copy.location.x = -1.5
    bpy.context.scene.collection.objects.link(copy)
    refused(MOVE, "--answer which_chair=ID")
    assert request(MOVE, answer="which_chair=chair") == {"FINISHED"}
    assert chair_x() == pytest.approx(1.3)
    refused(MOVE, "answers nothing", answer="chair")


def test_options_hold_for_one_call_only():
    assert request("move the chair 1.2 m left", allow_collision=True, frame="world") == {"FINISHED"}
    bpy.ops.ed.undo()
    refused("move the chair 1.2 m left", "in the way")
    refused(MOVE, "no front that is known", frame="object")
    assert request(MOVE) == {"FINISHED"}


def test_without_anything_open_that_is_told():
    new_file()
    bpy.ops.ed.undo_push(message="Original")
    with pytest.raises(RuntimeError, match="No scene is open"):
        request(MOVE)


def test_a_fault_of_ours_is_one_line_and_changes_nothing(monkeypatch: pytest.MonkeyPatch):
    def faulty(*worlds: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(loop, "introduced_faults", faulty)
    edit_mode("Crate")
    with pytest.raises(RuntimeError) as raised:
        request(MOVE)
    assert str(raised.value).startswith("Error: Scenewright failed with ZeroDivisionError: by zero.")
    assert len(str(raised.value).strip().splitlines()) == 1
    assert (chair_x(), foot("Crate")) == (pytest.approx(1.5), ("EDIT", 1))


def printed(capfd: pytest.CaptureFixture[str]) -> str:
    """What Blender has printed of reports so far."""
    return capfd.readouterr().out
