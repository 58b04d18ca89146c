"""What can be edited at all, and taking things out of the scene."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import bpy

from ..model.errors import ScenewrightError
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
    """Take objects out of a scene; they stay in the file, with a fake user if no scene holds them any more.

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
        state = _Membership.of(obj, own)
        for collection, _ in state.places:
            _check_not_held(name, collection, shared)
        journal.record(lambda state=state: state.restore())  # type: ignore[misc]
        for collection, _ in state.places:
            collection.objects.unlink(obj)
        if not obj.users_scene:
            obj.use_fake_user = True
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
    if collection.override_library is not None:
        raise ScenewrightError(
            "unsupported",
            f"{name} is in the collection “{collection.name}”, a library override: nothing can be taken out of it.",
            "Make the collection local, or edit the library.",
        )


def referring_to(objects: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """A scene's objects that point at some others: as parents, or by constraints, modifiers or drivers."""
    users = bpy.data.user_map(subset=list(objects), value_types={"OBJECT"})
    pointing = {user for found in users.values() for user in found}
    return [o for o in scene.objects if o in pointing]


@dataclass(frozen=True, slots=True)
class _Membership:
    """Where among some collections an object is linked, in which order, and how the view layers show it."""

    obj: bpy.types.Object
    places: list[tuple[bpy.types.Collection, int]]
    fake_user: bool
    shown: list[tuple[bpy.types.ViewLayer, bool, bool, bool]]

    @classmethod
    def of(cls, obj: bpy.types.Object, collections: Container[bpy.types.Collection]) -> _Membership:
        places = [(c, list(c.objects).index(obj)) for c in obj.users_collection if c in collections]
        shown = [
            (
                layer,
                obj.select_get(view_layer=layer),
                obj.hide_get(view_layer=layer),
                layer.objects.active == obj,
            )
            for scene in obj.users_scene
            for layer in scene.view_layers
            if obj.name in layer.objects
        ]
        return cls(obj, places, obj.use_fake_user, shown)

    def restore(self) -> None:
        """Link the object at its old place by relinking all that came after it.

        Nothing in between may sync the view layer: neighbours would lose their selection and eye state.
        """
        for collection, index in self.places:
            tail = list(collection.objects)[index:]
            for obj in tail:
                collection.objects.unlink(obj)
            collection.objects.link(self.obj)
            for obj in tail:
                collection.objects.link(obj)
        self.obj.use_fake_user = self.fake_user
        for layer, selected, hidden, active in self.shown:
            self.obj.select_set(selected, view_layer=layer)
            self.obj.hide_set(hidden, view_layer=layer)
            if active:
                layer.objects.active = self.obj
