"""The other scenes of a file: they are not read, and what they hold stays as it is, but for objects that are shared."""

from __future__ import annotations

from collections.abc import Iterator

import bpy


def others(scene: bpy.types.Scene) -> list[bpy.types.Scene]:
    """All scenes of the file but one."""
    return [s for s in bpy.data.scenes if s != scene]


def own_collections(scene: bpy.types.Scene) -> set[bpy.types.Collection]:
    """The collections that make up a scene, and those of its rigid bodies."""
    physics = scene.rigidbody_world
    bodies = {physics.collection, physics.constraints} - {None} if physics is not None else set()
    return {scene.collection, *scene.collection.children_recursive, *bodies}


def homes_beside(scene: bpy.types.Scene, obj: bpy.types.Object) -> list[bpy.types.Collection]:
    """The scene's collections in which something new is listed beside an object.

    Blender puts nothing into library overrides, nor into what is linked: what holds such a collection stands for it.
    """
    own = own_collections(scene)
    found: dict[bpy.types.Collection, None] = {}
    queue = [c for c in obj.users_collection if c in own]
    while queue:
        collection = queue.pop(0)
        if is_fixed(collection):
            queue += [c for c in own if collection in c.children.values()]
        else:
            found[collection] = None
    return list(found)


def is_fixed(collection: bpy.types.Collection) -> bool:
    """Whether a library decides what a collection holds: Blender puts nothing in, and takes nothing out."""
    return collection.library is not None or collection.override_library is not None


def shown_collections(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """The collections that a scene shows something of: its own, and those that its objects instance, at any depth."""
    found: dict[bpy.types.Collection, None] = {}
    queue = [scene.collection]
    while queue:
        collection = queue.pop(0)
        if collection is None or collection in found:
            continue
        found[collection] = None
        queue += collection.children
        queue += [o.instance_collection for o in collection.objects if o.instance_type == "COLLECTION"]
    return list(found)


def holdings(scene: bpy.types.Scene) -> Iterator[object]:
    """Plain values that tell which objects a scene holds, in which collections, and which of them its layers hide."""
    for collection in shown_collections(scene):
        yield (
            collection.name_full,
            [c.name_full for c in collection.children],
            [o.name_full for o in collection.objects],
        )
    for layer in scene.view_layers:
        yield layer.name, [o.name_full for o in objects_in(layer) if o.hide_get(view_layer=layer)]
        for part in _layer_collections(layer.layer_collection):
            yield part.name, part.exclude, part.hide_viewport, part.holdout, part.indirect_only


def objects_in(layer: bpy.types.ViewLayer) -> bpy.types.LayerObjects:
    """A view layer's objects as they are now.

    Blender brings those of a scene that is not shown up to date on few occasions (until 5.0): what was removed is None.
    """
    objects = layer.objects
    _ = objects.active
    return objects


def _layer_collections(part: bpy.types.LayerCollection) -> Iterator[bpy.types.LayerCollection]:
    yield part
    for child in part.children:
        yield from _layer_collections(child)
