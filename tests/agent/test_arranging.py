"""Hiding, naming, painting with a material, and what belongs to what in the file."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from ..executor.rooms import block, edit, furnished, open_blend, save, worlds_in


def satisfied(path: Path, request: str, out: Path) -> list[tuple[str, str]]:
    """Ids and kinds of what a request, which is satisfied, changed; nothing else did, and nothing moved."""
    done = edit(path, request, out)
    assert (done.code, done.result.status, done.result.preservation.changed) == (0, "satisfied", []), done.out
    before, after = worlds_in(path), worlds_in(out)
    assert all(np.allclose(after[name], world, atol=1e-6) for name, world in before.items() if name in after)
    open_blend(out)
    return [(c.id, c.kind) for c in done.result.changes]


def test_what_is_hidden_is_neither_seen_nor_rendered(room: Path, out: Path):
    assert satisfied(room, "hide the chair", out) == [("chair", "hidden")]
    chair = bpy.data.objects["Chair"]
    assert (chair.hide_get(), chair.hide_render) == (True, True)


def test_what_is_hidden_is_shown_again(room: Path, out: Path):
    edit(room, "hide the chair", out)
    again = out.with_name("again.blend")
    assert satisfied(out, "show the chair", again) == [("chair", "shown")]
    assert not bpy.data.objects["Chair"].hide_get()


def test_a_new_name_is_the_objects_and_the_id_stays(room: Path, out: Path):
    assert satisfied(room, "rename the chair to “Reading Chair”", out) == [("chair", "renamed")]
    assert bpy.data.objects["Reading Chair"]["scenewright_id"] == "chair"


def test_a_name_that_is_taken_is_refused(room: Path, out: Path):
    done = edit(room, "rename the chair to Table", out)
    assert (done.code, done.json["error"]["code"]) == (2, "bad_input")


def test_a_group_hangs_under_one_empty_and_its_members_stay_things(room: Path, out: Path):
    changes = satisfied(room, "group the chair and the crate as Corner", out)
    assert changes == [("chair", "regrouped"), ("crate", "regrouped")]
    assert {bpy.data.objects[n].parent.name for n in ("Chair", "Crate")} == {"Corner"}
    assert edit(out, "move the chair 10 cm back", out.with_name("again.blend")).code == 0


def test_a_group_of_one_is_refused(room: Path, out: Path):
    assert edit(room, "group the chair", out).json["error"]["code"] == "not_understood"


def test_what_is_attached_follows(room: Path, out: Path):
    assert satisfied(room, "attach the chair to the table", out) == [("chair", "regrouped")]
    again = out.with_name("again.blend")
    assert edit(out, "move the table 20 cm left", again).code == 0
    shift = worlds_in(again)["Chair"][:3, 3] - worlds_in(out)["Chair"][:3, 3]
    assert shift == pytest.approx([-0.2, 0, 0], abs=1e-5)


def test_nameless_things_stay_things_whatever_they_follow(source: Path, out: Path):
    furnished()
    block("Foo", (0.2, 0.2, 0.2), (-1, 0.5, 0))
    block("Cube", (0.2, 0.2, 0.2), (0.1, -0.2, 0.74))
    done = edit(save(source), "attach the cube to the table and group foo and the crate", out)
    assert (done.code, done.result.preservation.changed) == (0, []), done.out
    assert edit(out, "move foo 5 cm back and paint the cube red", out.with_name("again.blend")).code == 0


def test_a_duplicate_of_what_is_marked_as_one_thing_is_another(source: Path, out: Path):
    furnished()
    bpy.data.objects["Chair"]["scenewright_entity"] = "throne"
    assert satisfied(save(source), "duplicate the chair", out) == [("chair_001", "added")]


def test_what_is_detached_follows_nobody(room: Path, out: Path):
    edit(room, "attach the chair to the table", out)
    again = out.with_name("again.blend")
    assert satisfied(out, "detach the chair from the table", again) == [("chair", "regrouped")]
    assert bpy.data.objects["Chair"].parent is None


def test_nothing_is_attached_to_what_follows_it(room: Path, out: Path):
    edit(room, "attach the chair to the table", out)
    done = edit(out, "attach the table to the chair", out.with_name("again.blend"))
    assert (done.code, done.json["error"]["code"]) == (2, "contradiction")


@pytest.mark.parametrize("words", ["into the collection Seats", "in the Seats collection", "to the collection “Seats”"])
def test_a_thing_goes_into_a_collection_that_is_made_if_there_is_none(words: str, room: Path, out: Path):
    assert satisfied(room, f"put the chair {words}", out) == [("chair", "sorted")]
    assert [c.name for c in bpy.data.objects["Chair"].users_collection] == ["Seats"]


@pytest.mark.parametrize(
    "words", ["make the table of oak", "make the table out of Oak", "give the table the material Oak"]
)
def test_a_thing_is_made_of_a_material_that_comes_with_us(words: str, room: Path, out: Path):
    assert satisfied(room, words, out) == [("table", "restyled")]
    table = bpy.data.objects["Table"]
    assert table.material_slots[0].material.name == "Oak"
    assert table.data.materials[0].name == "Table material"


def test_a_material_of_the_file_comes_before_one_of_ours(source: Path, out: Path):
    furnished()
    own = bpy.data.materials.new("Oak")
    own.use_fake_user = True
    satisfied(save(source), "set the material of the table to oak", out)
    assert bpy.data.objects["Table"].material_slots[0].material == bpy.data.materials["Oak"]
    assert len([m for m in bpy.data.materials if m.name.startswith("Oak")]) == 1


def test_a_material_that_nobody_has_is_refused_with_those_there_are(room: Path, out: Path):
    error = edit(room, "make the table of oack", out).json["error"]
    assert error["code"] == "unknown_object"
    assert "Oak" in error["hint"]


@pytest.mark.parametrize("verb", ["hide", "rename", "make"])
def test_protected_things_are_let_be(verb: str, room: Path, out: Path):
    words = {"hide": "hide the chair", "rename": "rename the chair to Stool", "make": "make the chair of oak"}[verb]
    done = edit(room, words, out, "--protect", "the chair")
    assert (done.code, done.json["error"]["code"]) == (2, "protected")


@pytest.mark.parametrize(
    ("request_", "aim"),
    [
        ("move the chair 20 cm toward the table", (-0.2, 0)),
        ("move the chair 20 cm away from the table", (0.2, 0)),
        ("push the crate 30 cm closer to the sofa", (0.0773, 0.2899)),
    ],
)
def test_toward_a_thing_is_the_shortest_way_to_it(request_: str, aim: tuple[float, float], room: Path, out: Path):
    assert edit(room, request_, out).code == 0
    before, after = worlds_in(room), worlds_in(out)
    moved = next(n for n in before if not np.array_equal(before[n], after[n]))
    assert after[moved][:2, 3] - before[moved][:2, 3] == pytest.approx(aim, abs=1e-3)


def test_what_surrounds_a_thing_is_in_no_single_direction(source: Path, out: Path):
    furnished()
    walls = [bpy.data.objects[f"Wall_{side}"] for side in "NSEW"]
    with bpy.context.temp_override(active_object=walls[0], selected_editable_objects=walls):
        bpy.ops.object.join()
    done = edit(save(source), "move the chair 10 cm toward Wall_N", out)
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")


def test_what_goes_into_a_hidden_collection_is_there_and_hidden(source: Path, out: Path):
    furnished()
    hidden = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(hidden)
    bpy.context.view_layer.layer_collection.children["Hidden"].exclude = True
    done = edit(save(source), "put the chair into the collection Hidden", out)
    assert (done.code, [c.kind for c in done.result.changes]) == (0, ["hidden", "sorted"]), done.out
