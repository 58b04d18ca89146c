"""Things from files, put into the open scene: each as one thing, in its size, standing where it is wanted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..geometry.mesh import FloatArray
from ..model.errors import ScenewrightError
from .incoming import Brought, SideScene, bring, needs, side_scene
from .journal import Journal
from .marks import NOTES
from .read import SceneReader, metres_per_unit
from .transform import Rigid, move_rigidly, scale_about

_LARGEST = 50.0
"""Metres: what is wider than that is in other units than it says."""
_SMALLEST = 1e-5
_OFF = 1e-4
"""How far a part may be off where the root should carry it, relative to 1 + its distance from the origin."""
_UNSEEN = {"CAMERA", "LIGHT", "LIGHT_PROBE", "SPEAKER"}


def add_from_file(
    journal: Journal,
    context: bpy.types.Context,
    path: Path,
    name: str,
    location: Sequence[float],
    yaw_deg: float = 0.0,
    collection: bpy.types.Collection | None = None,
    link: bool = False,
    scale_factor: float = 1.0,
) -> bpy.types.Object:
    """Put what a file holds into a scene, as one thing.

    Of a .blend that is its only asset, if it has one, else what its scene shows. Cameras and lights that stand around
    stay behind, unless there is nothing else; hidden objects come along if something needs them. Nothing else of the
    file comes: no scene, no world, no collections but those that are instanced, no scripts.

    Args:
        journal: records what is made.
        context: whose scene it is added to.
        path: a .blend, or a file that Blender has an importer for.
        name: of the object that carries the thing.
        location: ``(3,)`` metres, where the middle of the bottom of its bounding box goes.
        yaw_deg: how far it is turned about that point, counter-clockwise from above; at 0 it heads as it was made.
        collection: where its objects go; default: the scene's own.
        link: leave it in its file, which must be a .blend, and show it by an instance.
        scale_factor: metres per scene unit as a multiple of what the scene claims.

    Returns:
        The object that carries the thing: its only root if that is free to, else an empty.

    Raises:
        ScenewrightError: ``bad_input`` if the file cannot be read, shows nothing, or something larger than a house;
            ``unsupported`` if there is no importer for it, it cannot be linked, or parts of it are held in place by
            something else. The scene is as it was.
    """
    scene = context.scene
    units = 1 / (metres_per_unit(scene) * scale_factor)
    with journal.transaction():
        with journal.creating(), side_scene(context) as side:
            brought = bring(side, path, link)
            shown, hidden = _thing(side, brought, name, link)
            low, high = _box(shown)
            if not _is_unseen(shown):
                _check_size((high - low) * brought.metres_per_unit, path)
            foot = Vector(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]))
            root = _root(side, [*shown, *hidden], name, foot, 0.1 / brought.metres_per_unit)
            _place(shown, root, name, brought.metres_per_unit * units, foot, Vector(location) * units, yaw_deg)
        for obj in (root, *(o for o in (*shown, *hidden) if o != root)):
            journal.relink(obj, [collection or scene.collection, *obj.users_collection])
        for layer in scene.view_layers:
            layer.update()  # before, it does not know them
            for obj in hidden:
                journal.hide(obj, layer, True)
        context.view_layer.update()
    return root


# --- what of it -----------------------------------------------------------------------------------------------


def _thing(
    side: SideScene, brought: Brought, name: str, link: bool
) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """The objects of a thing, in the side scene, and those that are not shown but needed; all else is removed."""
    objects = brought.objects
    side.show(objects)
    shown = [o for o in objects if o not in _bystanders(objects)]
    if link:
        shown = [_instance(shown, brought, name)]
    needed = side.keep_only(shown)
    _disarm(needed, name)
    hidden = [] if link else _needed_objects(shown, needed)
    for obj in side.home.objects[:]:
        if obj not in shown:
            side.home.objects.unlink(obj)
    side.show(shown)
    side.show(hidden, hidden=True)
    return shown, hidden


def _bystanders(objects: Sequence[bpy.types.Object]) -> set[bpy.types.Object]:
    """Cameras and lights that stand around the rest, with what only carries them; none if there is nothing else.

    A light within the box of the rest belongs to it: the bulb of a lamp.
    """
    trees: dict[bpy.types.Object, set[bpy.types.Object]] = {}
    for obj in objects:
        trees.setdefault(_topmost(obj, objects), set()).add(obj)
    unseen = [tree for tree in trees.values() if _is_unseen(tree)]
    rest = set(objects).difference(*unseen)
    if not unseen or not rest:
        return set()
    low, high = _box(rest)
    found: set[bpy.types.Object] = set()
    for tree in unseen:
        bulbs = np.array([tuple(o.matrix_world.translation) for o in tree if o.type == "LIGHT"]).reshape(-1, 3)
        inside = ((bulbs >= low) & (bulbs <= high)).all(axis=1).any()
        users = set().union(*bpy.data.user_map(subset=tree).values())
        if not inside and not users & rest:
            found |= tree
    return found


def _topmost(obj: bpy.types.Object, among: Collection[bpy.types.Object]) -> bpy.types.Object:
    while obj.parent is not None and obj.parent in among:
        obj = obj.parent
    return obj


def _is_unseen(tree: Iterable[bpy.types.Object]) -> bool:
    kinds = {o.type if o.type != "EMPTY" or o.instance_type == "NONE" else "INSTANCE" for o in tree}
    return bool(kinds & _UNSEEN) and kinds <= {*_UNSEEN, "EMPTY"}


def _instance(shown: Sequence[bpy.types.Object], brought: Brought, name: str) -> bpy.types.Object:
    """An empty that shows objects which stay in another file: linked ones can be moved in no other way."""
    fitting = (c for c in brought.collections if {o for o in c.all_objects if not o.hide_viewport} == set(shown))
    home = next(fitting, None)
    if home is None:
        home = bpy.data.collections.new(name)
        for obj in shown:
            home.objects.link(obj)
    empty = bpy.data.objects.new(name, None)
    empty.instance_type = "COLLECTION"
    empty.instance_collection = home
    return empty


def _needed_objects(shown: Sequence[bpy.types.Object], needed: set[bpy.types.ID]) -> list[bpy.types.Object]:
    """Objects that the shown ones need where they are: parents, cutters, targets.

    What is instanced is drawn where the instance is, and bones are drawn as their shapes wherever those are.
    """
    operands = {m.collection for o in shown for m in o.modifiers if m.type == "BOOLEAN"}
    bones = [bone for o in needed if isinstance(o, bpy.types.Object) and o.pose is not None for bone in o.pose.bones]
    shapes = {bone.custom_shape for bone in bones}
    attached = needs(shown, needed, lambda block: not isinstance(block, bpy.types.Collection) or block in operands)
    found = [o for o in attached if isinstance(o, bpy.types.Object) and o not in shapes and o not in shown]
    return sorted((o for o in found if o.library is None), key=lambda o: o.name)


def _disarm(blocks: Iterable[bpy.types.ID], name: str) -> None:
    """Make blocks as if they had been made here: without our notes, unmarked as assets, kept by their users alone, and
    with nothing that Blender would run as a program.

    Raises:
        ScenewrightError: ``unsupported`` if they are linked, so that programs in them cannot be kept from running.
    """
    for block in blocks:
        owners = [block, getattr(block, "node_tree", None)]
        drivers = [d for o in owners for d in getattr(getattr(o, "animation_data", None), "drivers", ())]
        programs = [d for d in drivers if d.driver.type == "SCRIPTED" and not d.driver.is_simple_expression]
        if block.library is not None:
            if programs and bpy.context.preferences.filepaths.use_scripts_auto_execute:
                raise ScenewrightError(
                    "unsupported",
                    f"{name} holds drivers written in Python, which would run if it is linked.",
                    "Add it without linking it: then they are muted.",
                )
            continue
        for driver in programs:
            driver.mute = True
        for note in NOTES & set(block.keys()):
            del block[note]
        if block.asset_data is not None:
            block.asset_clear()
        block.use_fake_user = False
        if isinstance(block, bpy.types.Text):
            block.use_module = False


# --- where and how large ----------------------------------------------------------------------------------------


def _box(objects: Collection[bpy.types.Object]) -> tuple[FloatArray, FloatArray]:
    """Lower and upper corner of what objects show in the side scene, or of where they are if they show nothing; in its
    units.
    """
    names = {o.name_full for o in objects}
    records = [r for r in SceneReader().snapshot(bpy.context).objects if r.name in names and not r.hidden]
    points = [part.shape.mesh.transformed(part.world_from_local).vertices for r in records for part in r.parts]
    points += [r.bounds for r in records if r.bounds is not None]
    cloud = np.vstack(points or [o.matrix_world.translation for o in objects])
    return cloud.min(axis=0), cloud.max(axis=0)


def _check_size(size: FloatArray, path: Path) -> None:
    """Refuse what cannot be meant in metres.

    Raises:
        ScenewrightError: ``bad_input``.
    """
    if size.max() < _SMALLEST:
        raise ScenewrightError("bad_input", f"{path} shows nothing that has an extent.", "Is it empty, or a point?")
    if size.max() > _LARGEST:
        measured = " × ".join(f"{side:.1f}" for side in size)
        raise ScenewrightError(
            "bad_input",
            f"{path.name} would be {measured} m large.",
            "Its units are not what it says (of a USD file, those of what it references are ignored): scale it first.",
        )


def _root(
    side: SideScene, objects: Sequence[bpy.types.Object], name: str, foot: Vector, display_size: float
) -> bpy.types.Object:
    """The object that carries the others: their only root, or a new empty at their foot."""
    tops = [o for o in objects if o.parent not in objects]
    if len(tops) == 1 and _is_free(tops[0]):
        tops[0].name = name
        return tops[0]
    root = bpy.data.objects.new(name, None)
    root.empty_display_size = display_size
    root.location = foot
    side.show([root])
    for top in tops:
        top.parent = root
        top.matrix_parent_inverse = root.matrix_world.inverted()
    return root


def _is_free(obj: bpy.types.Object) -> bool:
    """Whether nothing but an object's own values decides where it is, and these may be changed."""
    locked = any((*obj.lock_location, *obj.lock_rotation, *obj.lock_scale))
    held = bool(obj.constraints) or obj.animation_data is not None or obj.override_library is not None
    return not (locked or held or obj.rigid_body is not None or 0 in obj.scale)


def _place(
    shown: Sequence[bpy.types.Object],
    root: bpy.types.Object,
    name: str,
    factor: float,
    foot: Vector,
    target: Vector,
    yaw_deg: float,
) -> None:
    """Scale a thing from the file's units to the scene's, and move its foot to a point, turned about it.

    Raises:
        ScenewrightError: ``unsupported`` if a part does not follow its root.
    """
    unrecorded = Journal()  # of what is made here, there is no earlier state to return to
    scaling = Matrix.Scale(factor, 4)
    motion = Rigid(target - foot * factor, yaw_deg, foot * factor)
    wanted = {o: np.array(motion.matrix @ scaling @ o.matrix_world) for o in shown}
    scale_about(unrecorded, [root], [factor] * 3, np.eye(3).tolist(), (0, 0, 0), name)
    move_rigidly(unrecorded, [root], motion, name)
    for obj, world in wanted.items():
        if np.abs(np.array(obj.matrix_world) - world).max() > _OFF * (1 + np.abs(world[:3, 3]).max()):
            raise ScenewrightError(
                "unsupported",
                f"{obj.name} of {name} is held in place by a constraint or a driver, and would not go with the rest.",
                "Remove that in the file first, or apply it.",
            )
