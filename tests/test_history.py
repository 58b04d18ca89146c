"""`history`: what was done to a scene, and back to any of it, whatever happened to the file in between."""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender.blocks import all_blocks

from .executor.rooms import Done, digest, edit, furnished, open_blend, save, scenewright, worlds_in

REQUESTS = ("move the table 20 cm left", "paint the chair red and remove the sofa", "turn the chair by 30 degrees")


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a room and what becomes of it with each of three requests."""
    folder = tmp_path_factory.mktemp("room")
    furnished()
    source = save(folder / "room.blend")
    for number, request in enumerate(REQUESTS):
        output = folder / f"{number}.blend"
        assert edit(source, request, output).code == 0
        source = output
    return folder


@pytest.fixture
def edited(originals: Path, tmp_path: Path) -> Path:
    """A room after three requests, in a folder of its own with what it was before."""
    shutil.copytree(originals, tmp_path, dirs_exist_ok=True)
    return tmp_path / "2.blend"


def history(path: Path, *arguments: object) -> Done:
    return scenewright("history", path, *arguments, "--json")


def restored(path: Path, turn: int, *options: object) -> Path:
    """The file after going back to a turn, which succeeds."""
    output = path.with_name(f"{path.stem}-{turn}.blend")
    done = history(path, "restore", turn, "-o", output, *options)
    assert (done.code, done.json["status"], done.json["output"]) == (0, "satisfied", str(output)), done.out
    return output


def changed_by_hand(path: Path) -> Path:
    """Save what is open as somebody would who has edited it by hand."""
    return save(path.with_name(f"{path.stem}-hand.blend"))


# --- what is told ---------------------------------------------------------------------------------------------------


def test_the_list_tells_what_was_asked_what_came_of_it_and_what_it_costs(edited: Path):
    source, *turns = history(edited, "list").json
    assert (source["turn"], source["kind"], source["parent"]) == (0, "source", None)
    assert [(t["turn"], t["parent"], t["kind"], t["request"], t["status"]) for t in turns] == [
        (n, n - 1, "request", request, "satisfied") for n, request in enumerate(REQUESTS, 1)
    ]
    assert {"id": "sofa", "name": "Sofa", "kind": "removed"} in turns[1]["changes"]
    assert [t["kept"] for t in turns] == [[], ["Sofa"], []]
    assert [t["current"] for t in turns] == [False, False, True]
    assert all(t["bytes"] > 200 for t in turns)


def test_without_an_action_the_history_is_listed(edited: Path):
    assert history(edited).json == history(edited, "list").json


def test_a_person_reads_one_line_per_turn_and_what_is_kept(edited: Path):
    lines = scenewright("history", edited).out.splitlines()
    assert lines[0].split() == ["0", "the", "start", "of", "this", "history"]
    assert any(line.startswith("→   3") and REQUESTS[2] in line for line in lines)
    assert lines[-1].endswith("; 1 datablock is kept in the file only to go back to.")


def test_a_scene_that_was_never_edited_has_its_start_only(source: Path):
    furnished()
    (start,) = history(save(source)).json
    assert (start["turn"], start["current"]) == (0, True)


def test_a_difference_tells_each_property_once_with_its_first_and_last_value(edited: Path):
    rows = {(r["object"], r["what"]): (r["before"], r["after"]) for r in history(edited, "diff", 0, 3).json}
    assert rows["Table", "location[0]"] == pytest.approx((0, -0.2))
    assert rows["Sofa", "collections"] == (["Scene"], [])
    assert rows["Chair", "material_slots[0].link"] == ("DATA", "OBJECT")
    assert history(edited, "diff", 3, 3).json == []
    there, back = history(edited, "diff", 1, 2).json, history(edited, "diff", 2, 1).json
    assert {(r["object"], r["what"], str(r["before"])) for r in there} == {
        (r["object"], r["what"], str(r["after"])) for r in back
    }


def test_looking_changes_no_file(edited: Path):
    before = digest(edited)
    history(edited, "list")
    history(edited, "diff", 0, 2)
    assert digest(edited) == before


# --- back and forth -------------------------------------------------------------------------------------------------


def test_any_turn_is_gone_back_to_and_left_again(edited: Path, tmp_path: Path):
    states = [worlds_in(tmp_path / name) for name in ("room.blend", "0.blend", "1.blend", "2.blend")]
    path = edited
    for turn in (1, 3, 0, 2):
        path = restored(path, turn)
        found = worlds_in(path)
        assert found.keys() == states[turn].keys()
        for name, world in states[turn].items():
            assert (found[name] == world).all(), (turn, name)


def test_going_back_is_a_turn_and_the_way_on_branches_off_there(edited: Path):
    path = restored(edited, 1)
    output = path.with_name("other.blend")
    assert edit(path, "move the chair 10 cm back", output).result.turn == 5
    turns = {t["turn"]: t for t in history(output).json}
    assert (turns[4]["kind"], turns[4]["of"], turns[4]["parent"]) == ("restore", 1, 1)
    assert turns[5]["parent"] == 4
    assert worlds_in(restored(output, 3))["Chair"] == pytest.approx(worlds_in(edited)["Chair"], abs=0)


def test_what_is_brought_back_is_told_as_changes(edited: Path):
    done = history(edited, "restore", 0, "--dry-run")
    assert {(c["id"], c["kind"]) for c in done.json["changes"]} == {
        ("sofa", "added"), ("chair", "restyled"), ("chair", "rotated"), ("table", "moved"), ("book", "moved"),
        ("mug", "moved"),
    }  # fmt: skip
    assert done.json["preservation"]["changed"] == []


def test_one_thing_is_brought_back_and_the_others_stay(edited: Path):
    before = worlds_in(edited)
    found = worlds_in(restored(edited, 0, "--only", "the table"))
    assert found["Table"][0, 3] == 0
    assert "Sofa" not in found
    assert (found["Chair"] == before["Chair"]).all()


def test_a_removed_thing_is_brought_back_alone(edited: Path):
    assert "Sofa" in worlds_in(restored(edited, 1, "--only", "sofa"))


def test_after_a_rollback_the_rollback_is_taken_back(edited: Path):
    """B71: three requests, back to before the second, and a change of mind."""
    after = worlds_in(edited)
    again = worlds_in(restored(restored(edited, 1), 3))
    assert after.keys() == again.keys()
    assert all((after[name] == again[name]).all() for name in after)


def test_a_file_that_came_from_a_restore_is_edited_as_any_other(edited: Path, out: Path):
    done = edit(restored(edited, 1), "remove the sofa", out)
    assert (done.code, done.result.preservation.changed) == (0, [])


# --- what somebody did in between -----------------------------------------------------------------------------------


def test_what_was_moved_by_hand_becomes_a_turn_that_is_not_lost(edited: Path):
    open_blend(edited)
    bpy.data.objects["Table"].location.y = 0.25
    path = changed_by_hand(edited)
    done = history(path, "restore", 1, "-o", path.with_name("back.blend"))
    assert any("by hand" in w and "turn 4" in w and "Table" in w for w in done.json["warnings"])
    assert worlds_in(path.with_name("back.blend"))["Table"][1, 3] == 0
    assert worlds_in(restored(path.with_name("back.blend"), 4))["Table"][1, 3] == 0.25


def test_before_the_next_request_what_was_done_by_hand_is_noted(edited: Path, out: Path):
    open_blend(edited)
    bpy.data.objects["Table"].location.y = 0.25
    assert edit(changed_by_hand(edited), "move the chair 10 cm back", out).result.turn == 5
    assert [t["kind"] for t in history(out).json][-2:] == ["by_hand", "request"]
    assert worlds_in(restored(out, 3))["Table"][1, 3] == 0


def test_a_mesh_that_gets_its_id_later_is_not_taken_for_another_one(source: Path, out: Path):
    """The crate and the chair share it: the crate is moved, and then the chair gets one of its own to be painted."""
    furnished()
    crate, chair = (bpy.data.objects[name] for name in ("Crate", "Chair"))
    crate.data.materials.clear()
    chair.data = crate.data
    save(source)
    for request in ("move the crate 5 cm right", "paint the chair red", "move the table 20 cm left"):
        assert edit(source, request, out).code == 0
        shutil.copy(out, source)
    assert [t["kind"] for t in history(out).json] == ["source", "request", "request", "request"]


def test_what_no_turn_has_written_to_stays_as_somebody_made_it(edited: Path):
    open_blend(edited)
    bpy.data.objects["Crate"].location.x = 1.0
    bpy.data.objects["Table"].modifiers.new("Bevel", "BEVEL")
    found = worlds_in(restored(changed_by_hand(edited), 0))
    assert found["Crate"][0, 3] == 1.0
    assert found["Table"][0, 3] == 0
    assert [m.name for m in bpy.data.objects["Table"].modifiers] == ["Bevel"]


@pytest.mark.parametrize("name", ["Esstisch", "Chair"])
def test_things_are_found_again_by_any_name(name: str, edited: Path):
    open_blend(edited)
    bpy.data.objects["Chair"].name = "Stuhl"
    bpy.data.objects["Table"].name = name
    assert worlds_in(restored(changed_by_hand(edited), 0))[name][0, 3] == 0


def test_a_copy_that_somebody_made_is_left_alone(edited: Path):
    open_blend(edited)
    table = bpy.data.objects["Table"]
    copy = table.copy()
    bpy.context.scene.collection.objects.link(copy)
    copy.location.y = 1.5
    assert copy.name == "Table.001"
    found = worlds_in(restored(changed_by_hand(edited), 0))
    assert found["Table"][0, 3] == 0
    assert found["Table.001"][:2, 3] == pytest.approx([-0.2, 1.5])


def test_what_was_deleted_for_good_is_named(edited: Path):
    open_blend(edited)
    bpy.data.objects.remove(bpy.data.objects["Sofa"])
    output = edited.with_name("back.blend")
    done = history(changed_by_hand(edited), "restore", 1, "-o", output)
    assert (done.code, done.json["status"]) == (1, "partial")
    assert done.json["requirements"][0]["measured"] == {"gone": ["Sofa (objects)"]}
    open_blend(output)
    assert bpy.data.objects["Chair"].material_slots[0].link == "DATA"


def test_a_copy_of_the_scene_has_a_history_of_its_own(edited: Path, out: Path):
    open_blend(edited)
    bpy.ops.scene.new(type="FULL_COPY")
    copied = bpy.context.scene.name
    path = changed_by_hand(edited)
    assert [(t["turn"], t["current"]) for t in history(path).json] == [(3, True)]
    assert edit(path, "move the table 10 cm back", out).result.turn == 4
    assert [t["turn"] for t in history(out).json] == [3, 4]
    open_blend(restored(out, 3))
    assert bpy.context.scene.name == copied
    assert tuple(bpy.data.objects["Table"].location) == pytest.approx((-0.2, 0, 0))


# --- limits ---------------------------------------------------------------------------------------------------------


def test_purging_forgets_the_turns_and_what_only_they_kept(edited: Path, out: Path):
    before = worlds_in(edited)
    assert history(edited, "purge", "-o", out).json == {"output": str(out), "deleted": 1}
    assert [t["turn"] for t in history(out).json] == [3]
    after = worlds_in(out)
    assert after.keys() == before.keys()
    assert "Sofa" not in bpy.data.objects
    assert edit(out, "move the chair 10 cm back", out.with_name("next.blend")).result.turn == 4


def test_a_turn_that_is_not_there_is_refused_with_those_that_are(edited: Path, out: Path):
    done = history(edited, "restore", 7, "-o", out)
    assert (done.code, done.json["error"]["code"]) == (2, "bad_input")
    assert "0, 1, 2, 3" in done.json["error"]["hint"]
    assert not out.exists()


@pytest.mark.parametrize("turn", ["-1", "two", "1.5", ""])
def test_what_is_no_number_of_a_turn_is_refused(turn: str, edited: Path, out: Path):
    assert scenewright("history", edited, "restore", turn, "-o", out).code == 2


def test_protected_things_are_not_taken_back(edited: Path, out: Path):
    open_blend(edited)
    bpy.data.objects["Table"]["scenewright_protected"] = True
    done = history(changed_by_hand(edited), "restore", 0, "-o", out)
    assert (done.code, done.json["error"]["code"]) == (2, "protected")


@pytest.mark.parametrize("stored", ["{", "[]", '{"version":1,"turns":[{"number":1}]}', "zlib:AAAA", 7])
def test_a_damaged_history_is_told_and_can_be_started_anew(stored: object, edited: Path, out: Path):
    open_blend(edited)
    bpy.context.scene["scenewright_history"] = stored
    path = changed_by_hand(edited)
    for done in (history(path), history(path, "restore", 1, "-o", out), edit(path, REQUESTS[0], out)):
        assert (done.code, done.json["error"]["code"]) == (2, "bad_input")
        assert "purge" in done.json["error"]["hint"]
    assert history(path, "purge", "-o", out).code == 0
    assert edit(out, REQUESTS[0], out.with_name("next.blend")).code == 0


@pytest.mark.parametrize(
    ("turn", "field", "value"),
    [(0, "parent", 2), (1, "parent", 2), (1, "number", 1), (1, "number", 2**80), (1, "parent", 0.5), (2, "parent", 7)],
)
def test_turns_that_follow_from_none_are_damage(turn: int, field: str, value: float, edited: Path, out: Path):
    open_blend(edited)
    stored = json.loads(bpy.context.scene["scenewright_history"])
    stored["turns"][turn][field] = value
    bpy.context.scene["scenewright_history"] = json.dumps(stored)
    done = history(changed_by_hand(edited), "restore", 0, "-o", out)
    assert (done.code, done.json["error"]["code"]) == (2, "bad_input")


def test_a_history_that_unfolds_to_too_much_is_damage(edited: Path):
    open_blend(edited)
    bomb = zlib.compress(b"[" * 2**27, 9)
    bpy.context.scene["scenewright_history"] = "zlib:" + base64.b64encode(bomb).decode()
    assert history(changed_by_hand(edited)).json["error"]["code"] == "bad_input"


def test_a_history_of_a_newer_version_is_left_alone(edited: Path, out: Path):
    open_blend(edited)
    stored = json.loads(bpy.context.scene["scenewright_history"])
    bpy.context.scene["scenewright_history"] = json.dumps({**stored, "version": 2})
    done = edit(changed_by_hand(edited), REQUESTS[0], out)
    assert (done.code, done.json["error"]["code"]) == (2, "unsupported")


def test_a_long_history_is_kept_compressed(source: Path, out: Path):
    furnished()
    path = save(source)
    for k in range(60):
        output = path.with_name(f"{k}.blend")
        assert edit(path, f"move the table 1 cm {('left', 'right')[k % 2]}", output).code == 0
        path = output
    open_blend(path)
    assert bpy.context.scene["scenewright_history"].startswith("zlib:")
    assert len(bpy.context.scene["scenewright_history"]) < 60_000
    assert worlds_in(restored(path, 0))["Table"][0, 3] == 0


def test_what_a_file_says_was_written_reaches_no_more_than_edits_write(edited: Path, out: Path):
    """A file from anywhere may name any property: those that requests never write are not written."""
    open_blend(edited)
    stored = json.loads(bpy.context.scene["scenewright_history"])
    edits = stored["turns"][0]["edits"]
    edits[0]["path"], edits[0]["old"] = "animation_data.drivers[0].driver.expression", "__import__('os')"
    edits[1]["path"], edits[1]["old"] = "hide_select", True
    bpy.context.scene["scenewright_history"] = json.dumps(stored)
    done = history(changed_by_hand(edited), "restore", 0, "-o", out)
    assert (done.code, done.json["error"]["code"]) == (2, "bad_input")


def test_purging_leaves_nothing_of_what_was_made_and_taken_back(originals: Path, tmp_path: Path):
    added, back, purged = (tmp_path / f"{name}.blend" for name in ("added", "back", "purged"))
    assert edit(originals / "room.blend", "replace the chair with an armchair", added).code == 0
    assert history(added, "restore", 0, "-o", back).code == 0
    assert history(back, "purge", "-o", purged).code == 0
    found = []
    for path in (originals / "room.blend", purged):
        open_blend(path)
        found.append({(kind, block.name) for kind, block in all_blocks()})
    assert found[1] == found[0]
