"""What can be edited at all; taking things out of the scene, hiding, renaming and sorting them into collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import bpy

from ..model.errors import ScenewrightError
from .animation import is_animated
from .journal import Journal
from .scenes import others, own_collections, shown_collections


def topmost(objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The objects that none of the others is an ancestor of: moving them moves all."""
    found = list(objects)
    names = {o.name_full for o in found}

    def has_ancestor(obj: bpy.types.Object) -> bool:
        parent = obj.parent
        while parent is not None:
            if parent.name_full in names:
                return True
            parent = parent.parent
        return False

    return [o for o in found if not has_ancestor(o)]


def check_editable(objects: Iterable[bpy.types.Object], name: str) -> None:
    """Refuse linked objects: edits to them raise nothing and are gone on reload.

    Raises:
        ScenewrightError: ``unsupported``.
    """
    for obj in objects:
        if not obj.is_editable:
            library = obj.library.filepath if obj.library else "a library"
            raise ScenewrightError(
                "unsupported",
                f"{name} is linked from {library} and cannot be edited here.",
                "Make a library override of it, or edit the library.",
            )


# --- removal --------------------------------------------------------------------------------------------------


def remove(journal: Journal, scene: bpy.types.Scene, objects: Sequence[bpy.types.Object], name: str) -> None:
    """Take objects out of a scene; they stay in the file.

    Collections that only other scenes hold, or that are instanced, keep them. Parents, constraints, drivers and
    modifiers that point at them keep pointing, so that restoring is exact.

    Args:
        journal: records old values.
        scene: what they are taken out of.
        objects: what to remove.
        name: what a refusal calls the thing.

    Raises:
        ScenewrightError: ``unsupported`` if another scene shows a collection that one would be taken out of, or if the
            collection is a library override, out of which Blender takes nothing.
    """
    own = own_collections(scene)
    shared = {c: other for other in others(scene) for c in shown_collections(other)}
    for obj in objects:
        left = []
        for collection in obj.users_collection:
            if collection in own:
                _check_not_held(name, collection, shared)
            else:
                left.append(collection)
        journal.relink(obj, left)
    bpy.context.view_layer.update()


def _check_not_held(
    name: str, collection: bpy.types.Collection, shared: Mapping[bpy.types.Collection, bpy.types.Scene]
) -> None:
    if collection in shared:
        raise ScenewrightError(
            "unsupported",
            f"{name} is in the collection “{collection.name}”, which the scene “{shared[collection].name}” shows, too: "
            "it would be gone from there as well.",
            "Give one of the scenes a collection of its own first.",
        )


def referring_to(objects: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """A scene's objects that point at some others: as parents, or by constraints, modifiers or drivers."""
    users = bpy.data.user_map(subset=list(objects), value_types={"OBJECT"})
    pointing = {user for found in users.values() for user in found}
    return [o for o in scene.objects if o in pointing]


# --- what is seen, and where it is listed ---------------------------------------------------------------------


def hide(journal: Journal, layer: bpy.types.ViewLayer, objects: Iterable[bpy.types.Object]) -> None:
    """Close the eyes of objects in a view layer, and leave them out of renders.

    Raises:
        ScenewrightError: ``unsupported`` if one's visibility is animated.
    """
    for obj in objects:
        _check_not_animated(obj, "hide_render")
        journal.hide(obj, layer, hidden=True)
        journal.assign(obj, "hide_render", True)
    layer.update()


def show(journal: Journal, layer: bpy.types.ViewLayer, objects: Iterable[bpy.types.Object], name: str) -> None:
    """Show objects in a view layer and in renders.

    Raises:
        ScenewrightError: ``unsupported`` if a collection that is hidden or excluded holds them: it may hold more; and
            if the visibility of one is animated.
    """
    for obj in objects:
        _check_not_animated(obj, "hide_viewport", "hide_render")
        journal.hide(obj, layer, hidden=False)
        for path in ("hide_viewport", "hide_render"):
            journal.assign(obj, path, False)
    layer.update()
    for obj in objects:
        if not obj.visible_get(view_layer=layer):
            places = ", ".join(f"“{c.name}”" for c in obj.users_collection)
            raise ScenewrightError(
                "unsupported",
                f"{name} stays hidden, since its collection {places} is hidden or excluded.",
                "Show the collection in Blender: there may be more in it.",
            )


def _check_not_animated(obj: bpy.types.Object, *paths: str) -> None:
    if any(is_animated(obj, path) for path in paths):
        raise ScenewrightError(
            "unsupported",
            f"Whether {obj.name} is seen is animated: a change would not last.",
            "Remove that animation, or change its keys.",
        )


def rename(journal: Journal, block: bpy.types.ID, name: str) -> None:
    """Give a datablock another name.

    Raises:
        ScenewrightError: ``bad_input`` if it is empty, too long or taken: Blender would change it without a word.
    """
    longest = 255 if bpy.app.version >= (5, 0) else 63
    if not name or len(name.encode("utf-8")) > longest:
        raise ScenewrightError("bad_input", f"A name has 1 to {longest} bytes.", "Choose another name.")
    before = block.name
    journal.assign(block, "name", name)
    if block.name != name:
        raise ScenewrightError("bad_input", f"{before} cannot be called {name}: that name is taken.", "Choose another.")


def sort_into(
    journal: Journal, scene: bpy.types.Scene, objects: Iterable[bpy.types.Object], name: str
) -> bpy.types.Collection:
    """Put objects into a collection of the scene, and out of its others; one of that name is made if there is none."""
    own = own_collections(scene)
    collection = next((c for c in own if c.name == name), None)
    if collection is None:
        with journal.creating():
            collection = bpy.data.collections.new(name)
        journal.assign(scene, "collection.children", [*scene.collection.children, collection])
    for obj in objects:
        journal.relink(obj, [collection, *(c for c in obj.users_collection if c not in own)])
    return collection
