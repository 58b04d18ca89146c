"""Requests, undo and redo by turns, in a Blender that has the extension: `blender --python real_blender_undo.py`.

Its last line is HOLDS if all does. With a window, which is drawn anew after each step, it closes Blender at the end.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import bpy

HOLDS = "undo and history agree"
EXTENSION = "bl_ext.user_default.scenewright"
SECONDS_BETWEEN = 0.05

MOVE = "move the armchair 20 cm left"
MOVE_BACK = "move the armchair 20 cm right"
REFUSED = "move the armchair 9 m left"
REMOVE = "remove the table lamp"


def main() -> None:
    """Do everything: at once, or step by step as a window is redrawn."""
    steps = all_holds()
    if bpy.app.background:
        while advance(steps):
            pass
    else:
        bpy.app.timers.register(lambda: advance_in_window(steps), first_interval=1.0)


def advance(steps: Iterator[None]) -> bool:
    """Do the next step; tells whether there was one."""
    for _ in steps:
        return True
    print(HOLDS, flush=True)
    return False


def advance_in_window(steps: Iterator[None]) -> float | None:
    """Do the next step as from the first 3D viewport; returns the seconds until the one after it."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(bpy.ops.wm.quit_blender)
        with bpy.context.temp_override(window=window, area=area, region=region):
            goes_on = advance(steps)
        if goes_on:
            at_the_end.pop_all()
        return SECONDS_BETWEEN if goes_on else None


def all_holds() -> Iterator[None]:
    """Each check in a room of its own; yields between two steps."""
    for check in (
        request_undo_redo_request,
        what_is_refused_is_no_step,
        a_version_is_restored_as_one_step,
        what_was_removed_is_removed_again,
        ten_requests_and_undos,
        edit_mode,
    ):
        room()
        yield from check()
        print(f"{check.__name__}: holds", flush=True)


# --- the checks -------------------------------------------------------------------------------------------------


def request_undo_redo_request() -> Iterator[None]:
    """Each is applied once, ids stay, and nothing counts as changed by hand."""
    before = scene()
    yield request(MOVE)
    after = scene()
    expect(x() == -0.2 and turns() == ["request"] and bpy.data.objects["Armchair"]["scenewright_id"] == "armchair")
    yield undo()
    expect(scene() == before)
    yield redo()
    expect(scene() == after)
    yield request(MOVE)
    expect(x() == -0.4 and turns() == ["request", "request"])
    yield undo()
    expect(scene() == after)
    yield request(MOVE_BACK)
    expect(x() == 0 and turns() == ["request", "request"])


def what_is_refused_is_no_step() -> Iterator[None]:
    """Undo after it takes back what was done before."""
    before = scene()
    yield request(MOVE)
    after = scene()
    yield refused(REFUSED, "in the way")
    yield refused("move the piano 1 m left", "no piano")
    expect(scene() == after)
    yield undo()
    expect(scene() == before)


def a_version_is_restored_as_one_step() -> Iterator[None]:
    """Going back is taken back, and taken back again."""
    start = scene()
    yield request(f"{MOVE} and {REMOVE}")
    between = scene()
    yield restore(0)
    after = scene()
    expect(after[0] == start[0] and turns() == ["request", "restore"])
    for step, found in ((undo, between), (redo, after), (undo, between), (undo, start), (redo, between)):
        yield step()
        expect(scene() == found)
    yield restore(0)
    expect(scene() == after)


def what_was_removed_is_removed_again() -> Iterator[None]:
    """Undone, it is there again as one thing."""
    before, objects = scene(), len(bpy.data.objects)
    for _ in range(3):
        yield request(REMOVE)
        expect("Table Lamp" not in scene()[0] and turns() == ["request"])
        yield undo()
        expect(scene() == before and len(bpy.data.objects) == objects)


def ten_requests_and_undos() -> Iterator[None]:
    """Nothing is applied twice, and no datablock comes to be twice."""
    before, blocks = scene(), datablocks()
    for number in range(10):
        yield request((MOVE, "paint the desk red", "turn the table lamp by 30 degrees")[number % 3])
        expect(turns() == ["request"])
        yield undo()
        expect(scene() == before and datablocks() == blocks)
    for number in range(10):
        yield request((MOVE, MOVE_BACK)[number % 2])
    expect(x() == 0 and turns() == ["request"] * 10)
    for _ in range(10):
        yield undo()
    expect(scene() == before and datablocks() == blocks)
    for _ in range(10):
        yield redo()
    yield request(MOVE)
    expect(x() == -0.2 and turns() == ["request"] * 11)


def edit_mode() -> Iterator[None]:
    """A request leaves it, undo leads back into it, and what is refused leaves it as it was."""
    bpy.context.view_layer.objects.active = bpy.data.objects["Crate"]
    yield done(bpy.ops.object.mode_set("EXEC_DEFAULT", True, mode="EDIT"))
    yield done(bpy.ops.mesh.select_all("EXEC_DEFAULT", True, action="SELECT"))
    yield lift()
    expect(crate() == ("EDIT", 1) and x() == 0)
    yield request(MOVE)
    expect(crate() == ("OBJECT", 1) and x() == -0.2 and turns() == ["request"])
    yield undo()
    expect(crate() == ("EDIT", 1) and x() == 0 and turns() == [])
    yield redo()
    expect(crate() == ("OBJECT", 1) and x() == -0.2 and turns() == ["request"])
    yield undo()
    yield refused(REFUSED, "in the way")
    expect(crate() == ("EDIT", 1))
    yield lift()
    expect(crate() == ("EDIT", 2))
    yield undo()
    yield undo()
    expect(crate() == ("EDIT", 0) and x() == 0)


# --- doing --------------------------------------------------------------------------------------------------------


def room() -> None:
    """A room with an armchair, a desk with a lamp, and a crate; the start of Blender's undo."""
    parametric, pieces, journal = (
        product(name) for name in ("assets_index.parametric", "executor.blender.pieces", "executor.blender.journal")
    )
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.data.batch_remove(list(bpy.data.objects))
    for key in [key for key in bpy.context.scene.keys() if key.startswith("scenewright")]:  # noqa: SIM118
        del bpy.context.scene[key]

    def add(piece: Any, name: str, *at: float) -> None:
        pieces.add_piece(journal.Journal(), bpy.context, piece, name, at)

    desk = parametric.build("desk")
    add(parametric.room_shell(5, 4, 2.6), "Room", 0, 0, 0)
    add(parametric.build("armchair"), "Armchair", 0, 0, 0)
    add(desk, "Desk", 0, 1.5, 0)
    add(parametric.build("table_lamp"), "Table Lamp", 0, 1.5, desk.surfaces[0].z)
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(-2, -1.5, 0.2))
    bpy.context.active_object.name = "Crate"
    bpy.ops.ed.undo_push(message="Room")


def product(module: str) -> Any:
    """A module of the installed extension."""
    return importlib.import_module(f"{EXTENSION}.{module}")


def request(text: str) -> None:
    """Carry out a request, which succeeds."""
    done(bpy.ops.scenewright.edit("EXEC_DEFAULT", True, request=text))


def refused(text: str, because: str) -> None:
    """Make a request that is refused."""
    try:
        bpy.ops.scenewright.edit("EXEC_DEFAULT", True, request=text)
    except RuntimeError as error:
        expect(because in str(error))
    else:
        raise AssertionError(f"“{text}” was not refused")


def restore(turn: int) -> None:
    """Go back to a version."""
    done(bpy.ops.scenewright.restore("EXEC_DEFAULT", True, turn=turn))


def undo() -> None:
    """Take the last step back."""
    done(bpy.ops.ed.undo())


def redo() -> None:
    """Do again what was taken back."""
    done(bpy.ops.ed.redo())


def lift() -> None:
    """Move the selected vertices up by a metre."""
    done(bpy.ops.transform.translate("EXEC_DEFAULT", True, value=(0, 0, 1)))


def done(ended: set[str]) -> None:
    """Refuse an operator that did nothing."""
    expect(ended == {"FINISHED"})


def expect(holds: bool) -> None:
    """Stop where something does not hold."""
    if not holds:
        raise AssertionError(f"at {x()} m, {turns()}, {crate()}, {sorted(scene()[0])}")


# --- seeing -------------------------------------------------------------------------------------------------------


def scene() -> tuple[dict[str, Any], dict[str, str], list[tuple[int, str]]]:
    """Places and materials of the scene's objects by name, their ids, and what `history list` tells."""
    bpy.context.view_layer.update()
    objects = {obj.name: obj for obj in bpy.context.scene.objects}
    shown = {
        name: (
            [round(value, 6) for row in obj.matrix_world for value in row],
            [slot.material and slot.material.name for slot in obj.material_slots],
        )
        for name, obj in objects.items()
    }
    ids = {name: obj["scenewright_id"] for name, obj in objects.items() if "scenewright_id" in obj}
    return shown, ids, [(version.turn, version.kind) for version in versions()]


def turns() -> list[str]:
    """Kinds of the versions but the source: what was asked for, restored, or changed by hand."""
    return [version.kind for version in versions()][1:]


def versions() -> list[Any]:
    """What `history list` tells."""
    return product("agent.versions").listed(product("executor.blender.session").history())


def x() -> float:
    """How far east the armchair is, metres."""
    return round(bpy.data.objects["Armchair"].matrix_world.translation.x, 5)


def crate() -> tuple[str, float]:
    """The mode that the crate is in, and how far its first vertex is from where it was."""
    obj = bpy.data.objects["Crate"]
    if obj.mode == "EDIT":
        obj.update_from_editmode()
    return obj.mode, round(obj.data.vertices[0].co.z + 0.2, 5)


def datablocks() -> dict[str, int]:
    """How many of each kind there are."""
    kinds: tuple[str, ...] = ("objects", "meshes", "materials", "collections", "lights", "actions", "texts")
    return {kind: len(getattr(bpy.data, kind)) for kind in kinds}


main()
