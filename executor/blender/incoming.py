"""What a file holds, brought into a scene of its own beside the open one, which nothing of this can change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import bpy

from ..model.errors import ScenewrightError
from .blocks import all_blocks
from .files import check_readable, import_file, is_blend, reason
from .read import metres_per_unit

_FIRST = "\x01"
"""A name before all others: glTF's importer writes settings into the first scene of the file, whichever that is."""
_OPTIONS = {"import_scene.gltf": {"disable_bone_shape": True}}
"""Bone shapes would go into a collection that is there already if glTF was imported before."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of a file.

    Attributes:
        objects: those that it shows, in a scene of the file's or in the side scene.
        metres_per_unit: what one of its units is in metres.
        collections: that hold them in their file.
    """

    objects: list[bpy.types.Object]
    metres_per_unit: float = 1.0
    collections: Sequence[bpy.types.Collection] = ()


class SideScene:
    """A scene beside the open one, and what has come into the file since it was made.

    Attributes:
        scene: it has the animation settings of the open one, and its units are metres.
        home: the collection that holds what it shows.
    """

    def __init__(self, model: bpy.types.Scene) -> None:
        self._before = {(kind, block.session_uid) for kind, block in all_blocks()}
        self._model = model
        self.scene = bpy.data.scenes.new(_FIRST)
        self.home = bpy.data.collections.new(_FIRST)
        self.scene.collection.children.link(self.home)
        for setting in ("fps", "fps_base"):
            setattr(self.scene.render, setting, getattr(model.render, setting))
        for setting in ("frame_start", "frame_end"):
            setattr(self.scene, setting, getattr(model, setting))
        self.layer.update()
        self.layer.active_layer_collection = self.layer.layer_collection.children[0]

    @property
    def layer(self) -> bpy.types.ViewLayer:
        return self.scene.view_layers[0]

    def show(self, objects: Iterable[bpy.types.Object], hidden: bool = False) -> None:
        """Put objects into the scene, as they are at the frame that the open one is at."""
        shown, there = list(objects), set(self.home.objects)
        for obj in shown:
            if obj not in there:
                self.home.objects.link(obj)
        self.layer.update()
        for obj in shown if hidden else ():
            obj.hide_set(True, view_layer=self.layer)
        self.scene.frame_set(self._model.frame_current, subframe=self._model.frame_subframe)
        self.layer.update()

    def arrivals(self) -> set[bpy.types.ID]:
        """The datablocks that have come into the file, but for the scene itself."""
        own = (self.scene, self.home)
        return {b for kind, b in all_blocks() if (kind, b.session_uid) not in self._before and b not in own}

    def keep_only(self, objects: Iterable[bpy.types.Object]) -> set[bpy.types.ID]:
        """Remove what has come but is not needed by some objects; returns what is."""
        arrivals = self.arrivals()
        needed = needs(objects, arrivals)
        for scene in (s for s in arrivals if isinstance(s, bpy.types.Scene)):
            if scene.library is None and needed & bpy.data.user_map(subset=[scene])[scene]:
                scene.user_remap(self._model)  # what looks at its scene now looks at the one that it comes into
        sources = {block.library for block in needed} - {None}
        while any(parents := {source.parent for source in sources} - sources - {None}):
            sources |= parents
        bpy.data.batch_remove(arrivals - needed - sources)
        return needed

    def strike(self) -> None:
        """Take the scene away: what it shows stays in the file, in no scene."""
        bpy.data.scenes.remove(self.scene)
        bpy.data.collections.remove(self.home)


@contextmanager
def side_scene(context: bpy.types.Context) -> Iterator[SideScene]:
    """A scene that is the context's meanwhile; afterwards windows show what they showed.

    The window changes over, since overriding the context is not enough: importers that go into Edit Mode crash (4.5).
    """
    shown = [(w, w.scene, w.view_layer) for w in context.window_manager.windows]
    side = SideScene(context.scene)
    try:
        context.window.scene = side.scene
        yield side
    finally:
        if side.layer.objects.active is not None and side.layer.objects.active.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")  # an importer has failed
        for window, scene, layer in shown:
            window.scene = scene
            window.view_layer = layer
        side.strike()


def needs(
    objects: Iterable[bpy.types.Object],
    among: Container[bpy.types.ID],
    passing: Callable[[bpy.types.ID], bool] = lambda block: True,
) -> set[bpy.types.ID]:
    """Objects and all that they use, directly or not, but for scenes.

    Args:
        objects: where to start.
        among: what may be found.
        passing: whether to go on to what a datablock uses.
    """
    uses: dict[bpy.types.ID, list[bpy.types.ID]] = defaultdict(list)
    for block, users in bpy.data.user_map().items():
        for user in users:
            uses[user].append(block)
    found: set[bpy.types.ID] = set()
    queue: list[bpy.types.ID] = list(objects)
    while queue:
        block = queue.pop()
        if block in among and block not in found and not isinstance(block, bpy.types.Scene):
            found.add(block)
            if passing(block):
                queue += uses[block]
    return found


# --- from files -----------------------------------------------------------------------------------------------


def bring(side: SideScene, path: Path, link: bool) -> Brought:
    """Bring into the file what another one shows. To be called with the side scene as the context's.

    Of a .blend that is its only asset, if it has one, else all that the scene shows that was in use when it was saved.

    Args:
        side: where importers put it.
        path: of the file.
        link: leave it in that file, which must be a .blend.

    Raises:
        ScenewrightError: ``bad_input`` if it cannot be read or shows nothing, ``unsupported`` if there is no importer
            for it or it cannot be linked.
    """
    check_readable(path)
    if bpy.data.filepath and path.resolve() == Path(bpy.data.filepath).resolve():  # Blender 4.2 would crash
        raise ScenewrightError("bad_input", f"{path} is the file that is open.", "Copy what is in the scene instead.")
    if is_blend(path):
        brought = _linked(path) if link else _appended(side, path)
    elif link:
        raise ScenewrightError("unsupported", f"{path.name} cannot be linked.", "Only .blend files can.")
    else:
        import_file(path, _OPTIONS)
        brought = Brought(_shown(side.scene))
    if not brought.objects:
        raise ScenewrightError("bad_input", f"{path} shows no objects.", "Unhide what it holds, and save it.")
    return brought


@dataclass(frozen=True, slots=True)
class _Contents:
    """Names of what is wanted of a .blend: its scene in use, and with it its asset if there is only one; all objects
    if it has neither.
    """

    scenes: list[str]
    collections: list[str]
    objects: list[str]
    is_asset: bool


def _contents(path: Path) -> _Contents:
    with _reading(path):
        with bpy.data.libraries.load(str(path)) as (held, _):
            scenes, objects = list(held.scenes), list(held.objects)
        with bpy.data.libraries.load(str(path), assets_only=True) as (assets, _):
            collections, single = list(assets.collections), list(assets.objects)
        scenes = [_scene_in_use(path, scenes)] if scenes else []
    if len(collections) + len(single) == 1:
        return _Contents(scenes, collections, single, is_asset=True)
    return _Contents(scenes, [], [] if scenes else objects, is_asset=False)


def _scene_in_use(path: Path, scenes: list[str]) -> str:
    """Blender saves the name of the scene in use for render farms, apart from everything else."""
    if len(scenes) == 1:
        return scenes[0]
    import blend_render_info  # type: ignore[import-not-found]  # Blender's own

    with redirect_stderr(StringIO()):  # where it complains of files from later Blenders
        try:
            noted = [name for *_, name in blend_render_info.read_blend_rend_chunk(str(path))]
        except ImportError:  # a compressed file, and a Blender without the library that unpacks it
            noted = []
    return next((name for name in noted if name in scenes), scenes[0])


def _appended(side: SideScene, path: Path) -> Brought:
    contents = _contents(path)
    wanted = [
        *(f"Scene/{name}" for name in contents.scenes),
        *(f"Collection/{name}" for name in contents.collections),
        *(f"Object/{name}" for name in contents.objects),
    ]
    with _reading(path):
        if wanted:
            bpy.ops.wm.append(
                directory=f"{path.resolve()}/",
                filename=wanted[0],
                files=[{"name": name} for name in wanted],
                do_reuse_local_id=True,
                autoselect=False,
                instance_object_data=False,
            )
    arrivals = side.arrivals()
    scene = _called(contents.scenes[0], arrivals, bpy.types.Scene) if contents.scenes else None
    metres = metres_per_unit(scene) if scene is not None else 1.0
    if contents.is_asset:
        kind = bpy.types.Collection if contents.collections else bpy.types.Object
        return Brought(_of_asset(_called([*contents.collections, *contents.objects][0], arrivals, kind), scene), metres)
    return Brought(_shown(scene if scene is not None else side.scene), metres)


def _called(name: str, arrivals: Iterable[bpy.types.ID], kind: type[bpy.types.ID]) -> bpy.types.ID:
    """The datablock that was called so in its file: here that may have become ``.001``."""
    return min(
        (b for b in arrivals if isinstance(b, kind)), key=lambda b: (b.name != name, not b.name.startswith(name))
    )


def _linked(path: Path) -> Brought:
    contents = _contents(path)
    relative = bool(bpy.data.filepath) and bpy.context.preferences.filepaths.use_relative_paths
    with _reading(path), bpy.data.libraries.load(str(path.resolve()), link=True, relative=relative) as (_, wanted):
        wanted.scenes, wanted.collections, wanted.objects = contents.scenes, contents.collections, contents.objects
    scene = wanted.scenes[0] if wanted.scenes else None
    metres = metres_per_unit(scene) if scene is not None else 1.0
    if contents.is_asset:
        asset = (list(wanted.collections) + list(wanted.objects))[0]
        return Brought(_of_asset(asset, scene), metres, wanted.collections)
    if scene is None:
        return Brought([o for o in wanted.objects if not o.hide_viewport])
    return Brought(_shown(scene), metres, scene.collection.children_recursive)


def _of_asset(asset: bpy.types.ID, scene: bpy.types.Scene | None) -> list[bpy.types.Object]:
    """The objects of an asset that are not hidden; those that an object carries are part of it."""
    if isinstance(asset, bpy.types.Collection):
        held = list(asset.all_objects)
    else:
        carried = set(asset.children_recursive)
        held = [asset, *(o for o in scene.objects if o in carried)] if scene is not None else [asset]
    layer = scene.view_layers[0] if scene is not None else None
    return [o for o in held if not o.hide_viewport and not (layer is not None and o.hide_get(view_layer=layer))]


def _shown(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    return [o for o in scene.objects if o.visible_get(view_layer=scene.view_layers[0])]


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        raise ScenewrightError(
            "bad_input",
            f"{path} cannot be read: {reason(error)}",
            f"It may be damaged, or made by a Blender newer than {bpy.app.version_string}.",
        ) from error
