"""A scene with some of everything that Blender has, and that an edit might trip over."""

from __future__ import annotations

from pathlib import Path

import bpy

from .depending import animated, boned, constrained, driven, made_by_nodes, modified, shaped, simulated
from .of_all_kinds import key, named, of_every_type, plain_things, put, with_properties
from .rooms import block, new_file, open_blend, save


def everything(folder: Path) -> Path:
    """Make it in a folder, where its library lies, too, and open it; returns its file."""
    _make_library(folder / "library.blend")
    new_file()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    plain_things()
    animated()
    driven()
    constrained()
    shaped()
    boned()
    modified()
    made_by_nodes()
    of_every_type()
    simulated()
    _in_collections()
    with_properties()
    file = folder / "everything.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file), check_existing=False)  # the library's path is relative to it
    _linked(folder / "library.blend")
    _in_other_scenes()
    scene.frame_set(7)
    named("Keyed").select_set(True)
    named("Crate").select_set(True)
    bpy.context.view_layer.objects.active = named("Crate")
    save(file)
    open_blend(file)
    return file


# --- where things are listed ----------------------------------------------------------------------------------------


def collection(name: str, *parents: bpy.types.Collection) -> bpy.types.Collection:
    made = bpy.data.collections.new(name)
    for parent in parents:
        parent.children.link(made)
    return made


def layer_of(name: str) -> bpy.types.LayerCollection:
    queue = list(bpy.context.view_layer.layer_collection.children)
    while queue:
        found = queue.pop()
        if found.name == name:
            return found
        queue.extend(found.children)
    raise KeyError(name)


def _in_collections() -> None:
    """Nested, in several parents, hidden in each way, excluded, instanced, and instanced within instanced."""
    root = bpy.context.scene.collection
    outer = collection("Outer", root)
    inner = collection("Inner", outer)
    collection("Twice", outer, root).objects.link(block("In two places", (0.2, 0.2, 0.2), (-3, -3, 0)))
    for k, home in enumerate((outer, inner)):
        obj = block(f"Nested {k}", (0.2, 0.2, 0.2), (-3.4, -3 + 0.3 * k, 0))
        root.objects.unlink(obj)
        home.objects.link(obj)
    inner.objects.link(named("Crate"))
    for name in ("Excluded", "Eye of the layer", "Eye of the file", "No render"):
        home = collection(name, root)
        obj = block(f"In {name}", (0.2, 0.2, 0.2), (-3.6, -2, 0))
        home.objects.link(obj)
        root.objects.unlink(obj)
    block("Child of the excluded", (0.1, 0.1, 0.1), (-3.6, -2, 0.2), parent=named("In Excluded"))
    layer_of("Excluded").exclude = True
    layer_of("Eye of the layer").hide_viewport = True
    bpy.data.collections["Eye of the file"].hide_viewport = True
    bpy.data.collections["No render"].hide_render = True
    lamp = collection("Lamp set")
    lamp.instance_offset = (0.1, 0, 0)
    for name, size, at in (("Shade", (0.2, 0.2, 0.2), (0, 0, 0.3)), ("Stand", (0.05, 0.05, 0.3), (0, 0, 0))):
        obj = block(name, size, at)
        lamp.objects.link(obj)
        root.objects.unlink(obj)
    for k in range(2):
        empty = put(f"Lamp {k}", None, (3.5, -2 + k, 0))
        empty.instance_type, empty.instance_collection = "COLLECTION", lamp
    nested = collection("Lamp pair")
    within = put("Lamp within", None, (0.3, 0, 0))
    within.instance_type, within.instance_collection = "COLLECTION", lamp
    nested.objects.link(within)
    root.objects.unlink(within)
    pair = put("Pair", None, (3.5, 0.5, 0))
    pair.instance_type, pair.instance_collection = "COLLECTION", nested
    pair.scale = (1, -1, 1)
    dots = block("Dots", (0.5, 0.5, 0.02), (3, 1, 0))
    dots.instance_type = "VERTS"
    block("Dot", (0.05, 0.05, 0.05), (3, 1, 0), parent=dots)


# --- from a library, and in other scenes ------------------------------------------------------------------------


def _make_library(path: Path) -> None:
    new_file()
    root = bpy.context.scene.collection
    chair = bpy.data.collections.new("Library chair")
    root.children.link(chair)
    seat = block("Library seat", (0.4, 0.4, 0.4), (0, 0, 0), color=(0.3, 0.2, 0.1))
    back = block("Library back", (0.4, 0.05, 0.5), (0, 0.2, 0.4), color=(0.3, 0.2, 0.1), parent=seat)
    for obj in (seat, back):
        chair.objects.link(obj)
        root.objects.unlink(obj)
    back.constraints.new("LIMIT_ROTATION").use_limit_x = True
    mug = block("Library mug", (0.1, 0.1, 0.1), (0, 0, 0), color=(0.9, 0.9, 0.9))
    key(mug, "location", {1: (0, 0, 0), 40: (0, 0, 0.2)})
    block("Library book", (0.1, 0.2, 0.05), (0, 0, 0), color=(0.2, 0.2, 0.9))
    save(path)


def _linked(library: Path) -> None:
    with bpy.data.libraries.load(str(library), link=True, relative=True) as (_, wanted):
        wanted.collections, wanted.objects = ["Library chair"], ["Library mug", "Library book"]
    chair, (mug, book) = wanted.collections[0], wanted.objects
    root = bpy.context.scene.collection
    for k in range(2):
        empty = put(f"Linked chair {k}", None, (-2 + k, 0.5, 0))
        empty.instance_type, empty.instance_collection = "COLLECTION", chair
    root.objects.link(mug)  # as it is
    root.objects.link(book)
    override = book.override_create(remap_local_usages=True)
    override.location.x = 1
    chair.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    borrowed = put("Linked mesh", bpy.data.meshes["Library seat"], (-2, 1.5, 0))
    borrowed.material_slots[0].link = "OBJECT"
    put("Linked action", None, (-2.5, 1.5, 0)).animation_data_create().action = mug.animation_data.action


def _in_other_scenes() -> None:
    """A scene that shares objects and a collection with the first, and one of its own; several view layers."""
    first = bpy.context.scene
    second = bpy.data.scenes.new("Second")
    second.collection.children.link(bpy.data.collections["Outer"])
    for name in ("Crate", "Keyed"):
        second.collection.objects.link(named(name))
    second.collection.objects.link(bpy.data.objects.new("Only second", named("Bare").data))
    second.view_layers.new("Its other layer")
    third = bpy.data.scenes.new("Third")
    third.background_set = first
    layer = first.view_layers.new("Other layer")
    layer.layer_collection.children["Outer"].exclude = True
    named("Bare").hide_set(True, view_layer=layer)
    named("Child").select_set(True, view_layer=layer)
    layer.objects.active = named("Child")
