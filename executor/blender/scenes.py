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
        yield layer.name, [o.name_full for o in layer.objects if o.hide_get(view_layer=layer)]
        for part in _layer_collections(layer.layer_collection):
            yield part.name, part.exclude, part.hide_viewport, part.holdout, part.indirect_only


def _layer_collections(part: bpy.types.LayerCollection) -> Iterator[bpy.types.LayerCollection]:
    yield part
    for child in part.children:
        yield from _layer_collections(child)
