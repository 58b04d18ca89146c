"""What Blender changes by itself along with an edit goes back with it, and what it would not take is refused first."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender import copies, family, paint, write
from scenewright.executor.blender.history import add_turn, changed_by_hand, lasting_edits, left_with
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.scenes import holdings
from scenewright.executor.model.errors import ScenewrightError
from scenewright.executor.model.history import History, Turn, Written

from .everything import everything
from .of_all_kinds import named
from .rooms import open_blend, save


@pytest.fixture(autouse=True)
def _opened(tmp_path: Path) -> None:
    everything(tmp_path)


def overridden() -> bpy.types.Object:
    """A chair's seat in a collection that is a library override."""
    return next(o for o in bpy.data.objects if o.name == "Library seat" and o.override_library)


@pytest.mark.parametrize("parent", ["Crate", None])
def test_what_cannot_be_taken_off_its_bone_stays_on_it(parent: str | None):
    held, journal = named("On a bone"), Journal(lasting=True)
    place = held.matrix_world.copy()
    with pytest.raises(ScenewrightError, match="animated"), journal.transaction():
        family.set_parent(journal, [held], named(parent) if parent else None, "It")
    assert (held.parent, held.parent_type, held.parent_bone) == (named("Rig"), "BONE", "Lower")
    assert held.matrix_world == place


def test_a_duplicate_of_what_an_overridden_collection_holds_is_listed_in_what_holds_that():
    seat = overridden()
    assert seat.users_collection[0].override_library
    [twin] = copies.duplicate(Journal(lasting=True), bpy.context.scene, [seat])
    assert twin.users_collection == (bpy.context.scene.collection,)


def test_a_duplicate_of_an_override_is_local_and_the_hierarchy_lasts(out: Path):
    back = overridden().children[0]
    [twin] = copies.duplicate(Journal(lasting=True), bpy.context.scene, [back])
    assert (twin.override_library, twin.parent, twin.data) == (None, back.parent, back.data)
    for _ in range(3):
        open_blend(save(out))
        chair = overridden().users_collection[0]
        assert {o.name for o in chair.objects if o.override_library} == {"Library seat", "Library back"}
        assert all(o.override_library.hierarchy_root == chair for o in chair.objects)


def test_a_group_of_what_an_overridden_collection_holds_is_listed_in_what_holds_that():
    empty = family.group(Journal(lasting=True), [overridden()], "Group")
    assert empty.users_collection == (bpy.context.scene.collection,)


def test_a_group_is_listed_in_no_other_scene():
    """The crate is in one of the second scene's collections, too."""
    second = bpy.data.scenes["Second"]
    empty = family.group(Journal(lasting=True), [named("Crate")], "Group")
    assert named("Crate").name in second.collection.objects
    assert empty.name not in second.collection.objects


@pytest.mark.parametrize("what", ["removed", "sorted"])
def test_nothing_is_taken_out_of_an_overridden_collection(what: str):
    seat, journal = overridden(), Journal(lasting=True)
    before = seat.users_collection
    with pytest.raises(ScenewrightError, match="Library chair") as refused, journal.transaction():
        if what == "removed":
            write.remove(journal, bpy.context.scene, [seat], "The chair")
        else:
            write.sort_into(journal, bpy.context.scene, [seat], "Outer")
    assert (refused.value.code, seat.users_collection) == ("unsupported", before)


def test_nothing_is_put_into_an_overridden_collection():
    crate, journal = named("Bare"), Journal(lasting=True)
    with pytest.raises(ScenewrightError, match="Library chair"), journal.transaction():
        write.sort_into(journal, bpy.context.scene, [crate], overridden().users_collection[0].name)
    assert crate.users_collection == (bpy.context.scene.collection,)


@pytest.mark.parametrize("name", ["Crate", "Library seat"])
def test_a_parent_that_a_later_turn_renames_is_not_taken_for_another_one(name: str):
    """Neither a thing that gets its id with its new name, nor an override, which carries none."""
    parent = next(o for o in bpy.data.objects if o.name == name and o.is_editable)
    child, history = parent.children[0], History()
    for path, value in (("location[0]", 0.5), ("name", "Renamed")):
        journal = Journal(lasting=True)
        journal.assign(child if path != "name" else parent, path, value)
        keep_turn(journal, history)
    assert changed_by_hand(history) == []
    child.parent = named("Camera")
    assert "parent" in [edit.path for edit in changed_by_hand(history)]


@pytest.mark.parametrize("name", ["Driven", "Keyed"])
def test_what_is_another_value_at_another_frame_was_not_changed_by_hand(name: str):
    journal, history = Journal(lasting=True), History()
    copies.duplicate(journal, bpy.context.scene, [named(name)])
    write.rename(journal, named(name), "Renamed")
    keep_turn(journal, history)
    placed = [tuple(named("Renamed").matrix_world.translation), tuple(named("Renamed").rotation_euler)]
    bpy.context.scene.frame_set(30)
    assert placed != [tuple(named("Renamed").matrix_world.translation), tuple(named("Renamed").rotation_euler)]
    assert changed_by_hand(history) == []


@pytest.mark.parametrize("name", ["Blinks", "Driven eye"])
def test_what_appears_and_disappears_by_itself_is_neither_hidden_nor_shown(name: str):
    journal, layer = Journal(lasting=True), bpy.context.view_layer
    with pytest.raises(ScenewrightError, match="animated"):
        write.hide(journal, layer, [named(name)])
    with pytest.raises(ScenewrightError, match="animated"):
        write.show(journal, layer, [named(name)], "It")
    assert journal.since(0) == []


def keep_turn(journal: Journal, history: History) -> None:
    edits = lasting_edits(journal.since(0))
    written = [Written(thing=None, block=b, values=v) for b, v in left_with(edits).items()]
    turn = Turn(number=history.last + 1, parent=history.current, kind="request", edits=edits, written=written)
    add_turn(journal, bpy.context.scene, history, turn)


def book() -> bpy.types.Object:
    return next(o for o in bpy.data.objects if o.name == "Library book" and o.override_library)


def test_an_override_beside_what_it_overrides_is_hidden_and_shown_again():
    """Both have one name, and a view layer finds the linked one by it."""
    layer = bpy.context.view_layer
    linked = book().override_library.reference
    bpy.context.scene.collection.objects.link(linked)
    bpy.context.scene.collection.objects.unlink(book())
    bpy.context.scene.collection.objects.link(book())
    layer.update()
    assert layer.objects.get(linked.name) == linked
    journal = Journal(lasting=True)
    journal.hide(book(), layer, hidden=True)
    assert (book().hide_get(), linked.hide_get()) == (True, False)
    journal.roll_back(0)
    assert not book().hide_get()


def test_in_other_scenes_nothing_is_left_of_a_duplicate_that_is_taken_back():
    """Blender brings what they list up to date late: a removed object is None until then."""
    second, journal = bpy.data.scenes["Second"], Journal(lasting=True)
    before = [list(holdings(scene)) for scene in bpy.data.scenes]
    nested = named("Nested 1")
    assert nested.name in second.objects
    [twin] = copies.duplicate(journal, bpy.context.scene, [nested])
    write.hide(journal, second.view_layers[0], [twin])
    assert any(twin.name in told[1] for told in holdings(second) if len(told) == 2)
    journal.roll_back(0)
    assert [list(holdings(scene)) for scene in bpy.data.scenes] == before


@pytest.mark.parametrize("before", ["as it is", "painted"])
def test_an_overrides_own_material_given_to_it_again_lasts(before: str, out: Path):
    """Kept as what differs from the library, the slot would come back with a link to the object and nothing in it."""
    own, journal = book().material_slots[0].material, Journal(lasting=True)
    if before == "painted":
        paint.recolor(journal, [book()], (1, 0, 0), "The book")
        assert book().material_slots[0].material != own
    painted = book().material_slots[0].material
    paint.set_material(journal, [book()], own, "The book")
    assert painted == own or painted.users == 0
    open_blend(save(out))
    assert book().material_slots[0].material == bpy.data.materials["Library book material", "//library.blend"]


def test_an_override_with_a_mesh_of_its_own_is_not_given_what_would_not_last():
    own = book().material_slots[0].material
    book().data = named("Crate").data
    with pytest.raises(ScenewrightError, match="would not last"):
        paint.set_material(Journal(lasting=True), [book()], own, "The book")
