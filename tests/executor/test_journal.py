"""The journal: what is taken back is exact, and no more than was asked."""

from __future__ import annotations

import bpy
import pytest

from scenewright.executor.blender.journal import Journal
from scenewright.executor.model.edit import MembershipEdit

from .rooms import block, new_file


@pytest.fixture
def journal() -> Journal:
    return Journal(lasting=True)


@pytest.fixture
def thing() -> bpy.types.Object:
    new_file()
    return block("Crate", (0.4, 0.4, 0.4), (0, 0, 0))


def test_rolling_back_to_a_mark_leaves_what_came_before_it(journal: Journal, thing: bpy.types.Object):
    journal.assign(thing, "location[0]", 1)
    mark = journal.mark()
    journal.assign(thing, "location[0]", 2)
    journal.assign(thing, "location[0]", 3)
    journal.roll_back(mark)
    assert tuple(thing.location) == (1, 0, 0)


def test_a_transaction_that_fails_takes_back_what_it_wrote_and_no_more(journal: Journal, thing: bpy.types.Object):
    journal.assign(thing, "location[0]", 1)
    with pytest.raises(KeyError), journal.transaction():
        journal.assign(thing, "location[0]", 2)
        raise KeyError
    assert tuple(thing.location) == (1, 0, 0)


def test_a_renamed_thing_gets_its_old_name_back(journal: Journal, thing: bpy.types.Object):
    journal.assign(thing, "location[0]", 1)
    journal.assign(thing, "name", "Box")
    journal.assign(thing, "location[0]", 2)
    journal.roll_back(0)
    assert (thing.name, tuple(thing.location), list(thing.keys())) == ("Crate", (0, 0, 0), [])


def test_after_a_rollback_things_are_where_they_were_at_once(journal: Journal, thing: bpy.types.Object):
    mark = journal.mark()
    journal.assign(thing, "location[0]", 2)
    bpy.context.view_layer.update()
    journal.roll_back(mark)
    assert thing.matrix_world.translation.x == 0


def test_how_a_new_thing_is_shown_is_recorded_at_once(journal: Journal, thing: bpy.types.Object):
    """Blender lists it in the view layer later: brought back, it would be selected or not as Blender likes."""
    new = bpy.data.objects.new("New", thing.data)
    journal.relink(new, [bpy.context.scene.collection])
    edit = journal.since(0)[-1]
    assert isinstance(edit, MembershipEdit)
    assert [(shown.layer, shown.selected, shown.hidden) for shown in edit.new.shown] == [("ViewLayer", False, False)]
