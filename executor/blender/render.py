"""Pictures of a scene with Workbench: quick, the same on every machine, and leaving no trace in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..geometry.mesh import FloatArray
from ..model.errors import ScenewrightError
from ..reading.build import Scene
from ..reading.lexicon import lexicon
from .journal import Journal
from .read import metres_per_unit

_CORNERS = {"corner1": (-1, -1), "corner2": (1, -1), "corner3": (1, 1), "corner4": (-1, 1)}
_LENS = 35.0
_SENSOR = 36.0
_MARGIN = 1.05
_BACKGROUND = (0.82, 0.84, 0.87)
# The look first: there is one for some transforms only, and they are taken back in the opposite order.
_COLORS = {"look": "None", "view_transform": "Standard", "exposure": 0.0, "gamma": 1.0}
"""Colours as the materials have them: film-like transforms grey them."""
_SHADING = {
    "light": "STUDIO",
    "studio_light": "paint.sl",  # ships with Blender, bright all round; the default one may be anything
    "use_world_space_lighting": False,
    "color_type": "TEXTURE",
    "show_object_outline": False,
    "show_specular_highlight": True,
    "show_xray": False,
    "show_cavity": True,
    "cavity_type": "BOTH",
    "cavity_valley_factor": 1.5,
    "show_shadows": True,
    "shadow_intensity": 0.25,
}
_DISPLAY = {
    "render_aa": "8",
    "light_direction": (0.0, 1.0, 0.0),  # straight down, in these axes: walls throw no shadow into their room
    "shadow_focus": 0.0,
    "shadow_shift": 0.1,
    "matcap_ssao_samples": 32,
}
_SHAPE = {
    "resolution_percentage": 100,
    "pixel_aspect_x": 1.0,
    "pixel_aspect_y": 1.0,
    "use_border": False,
    "use_crop_to_border": False,
}
# The file's compositor and video strips could show anything instead of the scene, and write files of their own.
_NO_MORE = {
    "use_compositing": False,
    "use_sequencer": False,
    "use_multiview": False,
    "use_freestyle": False,
    "use_file_extension": False,
    "film_transparent": False,
}
# The medium first, where there is one (since 5.0): PNG is a format of images only.
_PNG = {
    "media_type": "IMAGE",
    "file_format": "PNG",
    "color_mode": "RGB",
    "color_depth": "8",
    "compression": 15,
    "color_management": "FOLLOW_SCENE",
}
_HOLLOWS = 0.5
"""Metres over which corners and what stands close together darken each other."""
VIEWS = ("camera", "top", *_CORNERS, "close:ID")


def render_view(
    context: bpy.types.Context,
    scene: Scene,
    view: str,
    output: Path,
    resolution: tuple[int, int] = (960, 640),
    scale_factor: float = 1.0,
) -> None:
    """Render one view to a PNG.

    Args:
        context: whose scene to render.
        scene: the scene as understood, for framing.
        view: one of `VIEWS`.
        output: a ``.png`` file.
        resolution: width and height in pixels.
        scale_factor: the one that the scene was read with.

    Raises:
        ScenewrightError: ``bad_input`` if there is no such view, camera or thing, or no file can be written.
    """
    if view == "camera":
        if context.scene.camera is None:
            raise ScenewrightError("bad_input", "The scene has no camera.", "Use --view corner1 or top.")
        _render(context, context.scene.camera, output, resolution)
        return
    units = metres_per_unit(context.scene) * scale_factor
    low, high = _framed(scene, view)
    with _temporary_camera(context) as camera:
        _aim(camera, view, low / units, high / units, resolution)
        aside = _in_the_way(scene, np.array(camera.matrix_world.translation) * units)
        _render(context, camera, output, resolution, aside, culled=not view.startswith("close:"))


def render_overview(context: bpy.types.Context, output: Path, resolution: tuple[int, int] = (960, 640)) -> None:
    """Render through the scene's camera, or from a corner above everything if there is none."""
    shown = [o for o in context.view_layer.objects if o.visible_get() and o.type == "MESH"]
    with _temporary_camera(context) as camera:
        chosen = context.scene.camera
        if chosen is None and shown:
            corners = np.array([o.matrix_world @ Vector(c) for o in shown for c in o.bound_box])
            _aim(camera, "corner1", corners.min(axis=0), corners.max(axis=0), resolution)
            chosen = camera
        _render(context, chosen or camera, output, resolution, culled=chosen is camera)


def _in_the_way(scene: Scene, eye: FloatArray) -> list[str]:
    """Objects that hide rooms from an eye: walls seen from behind, ceilings below it, and what is on those.

    Args:
        scene: the scene as understood.
        eye: ``(3,)`` metres, world.
    """
    walls = [(id(f.thing), (eye[:2] - f.start) @ f.normal < 0) for f in scene.structure.walls]
    aside = {wall for wall, behind in walls if behind} - {wall for wall, behind in walls if not behind}
    aside |= {
        id(t)
        for t in scene.things
        if t.is_solid and lexicon().is_a(t.category, "ceiling") and t.measured.bounds[0, 2] < eye[2]
    }
    aside |= {id(o.thing) for o in scene.structure.openings if o.wall and id(o.wall.thing) in aside}
    while True:
        on_those = {
            id(t)
            for t, carrier in zip(scene.things, scene.carriers, strict=True)
            if carrier.thing is not None and carrier.kind != "rests" and id(scene.things[carrier.thing]) in aside
        }
        if on_those <= aside:
            return [m.name for t in scene.things if id(t) in aside for m in t.members]
        aside |= on_those


def _framed(scene: Scene, view: str) -> tuple[FloatArray, FloatArray]:
    if view.startswith("close:"):
        try:
            measured = scene.things[scene.index_of(view[6:])].measured
        except KeyError:
            raise ScenewrightError(
                "bad_input", f"There is no thing with the id {view[6:]}.", "`scenewright graph` lists ids."
            ) from None
        return measured.bounds[0], measured.bounds[1]
    if view not in ("top", *_CORNERS):
        raise ScenewrightError("bad_input", f"There is no view “{view}”.", f"Views are {', '.join(VIEWS)}.")
    inside = [
        t.measured.bounds
        for t, e in zip(scene.things, scene.graph.objects, strict=True)
        if t.is_solid and (e.room is not None or not scene.structure.rooms)
    ]
    if not inside:
        return np.full(3, -1.0), np.full(3, 1.0)
    bounds = np.array(inside)
    low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
    for room in scene.structure.rooms:
        x0, y0, x1, y1 = room.polygon.bounds
        low[:2], high[:2] = np.minimum(low[:2], [x0, y0]), np.maximum(high[:2], [x1, y1])
    return low, high


def _aim(camera: bpy.types.Object, view: str, low: FloatArray, high: FloatArray, resolution: tuple[int, int]) -> None:
    """Place a camera so that a box fills the picture: from above, from a corner, or close by.

    The lens and the scale of a camera hold for the longer side of the picture.
    """
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-3)
    radius = float(np.linalg.norm(half))
    seen = np.array(resolution) / max(resolution)
    data = camera.data
    data.lens, data.sensor_width = _LENS, _SENSOR
    data.clip_start, data.clip_end = radius / 100, radius * 100
    if view == "top":
        data.type = "ORTHO"
        data.ortho_scale = 2 * _MARGIN * float((half[:2] / seen).max())
        camera.matrix_world = Matrix.Translation(Vector([*middle[:2], high[2] + radius]))
        data.clip_start = radius * 0.05
        return
    x, y = _CORNERS.get(view, (1, -1))
    direction = Vector((x, y, 0.8)).normalized()
    turn = direction.to_track_quat("Z", "Y").to_matrix()
    corners = np.array(list(product((-1, 1), repeat=3))) * half @ np.array(turn)
    slopes = seen * _SENSOR / (2 * _LENS)
    distance = float((corners[:, 2] + _MARGIN * (np.abs(corners[:, :2]) / slopes).max(axis=1)).max())
    camera.matrix_world = Matrix.Translation(Vector(middle) + direction * distance) @ turn.to_4x4()


@contextmanager
def _temporary_camera(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    data = bpy.data.cameras.new("scenewright view")
    camera = bpy.data.objects.new("scenewright view", data)
    context.scene.collection.objects.link(camera)
    try:
        yield camera
    finally:
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)
        context.view_layer.update()  # until then the layer lists None in its place


@contextmanager
def _temporary_world() -> Iterator[bpy.types.World]:
    world = bpy.data.worlds.new("scenewright view")
    world.color = _BACKGROUND
    try:
        yield world
    finally:
        bpy.data.worlds.remove(world)


def _render(
    context: bpy.types.Context,
    camera: bpy.types.Object,
    output: Path,
    resolution: Sequence[int],
    aside: Sequence[str] = (),
    culled: bool = False,
) -> None:
    """Render with our own settings, without the objects set aside, and put everything back.

    Faces seen from behind are left out only if asked, here or by the file's own setting: of things that are modelled
    inside out nothing would be seen.
    """
    scene, journal = context.scene, Journal()
    render = scene.render
    with _temporary_world() as world:
        place = {"resolution_x": resolution[0], "resolution_y": resolution[1], "filepath": _literal(output)}
        culling = {"show_backface_culling": True} if culled else {}
        no_stamp = dict.fromkeys((name for name in dir(render) if name.startswith("use_stamp")), False)
        try:
            journal.assign(scene, "camera", camera)
            journal.assign(scene, "world", world)
            for part, values in (
                ("render", {"engine": "BLENDER_WORKBENCH", **place, **_SHAPE, **_NO_MORE, **no_stamp}),
                ("render.image_settings", _PNG),
                ("view_settings", _COLORS),
                ("display", {**_DISPLAY, "matcap_ssao_distance": _HOLLOWS / metres_per_unit(scene)}),
                ("display.shading", {**_SHADING, **culling}),
            ):
                for name, value in values.items():
                    if hasattr(scene.path_resolve(part), name):
                        journal.assign(scene, f"{part}.{name}", value)
            for obj in scene.objects:
                if obj.name_full in aside or not obj.visible_get(view_layer=context.view_layer):
                    journal.assign(obj, "hide_render", True)
            for image in bpy.data.images:  # Workbench shows an opaque material's texture with the holes of its alpha
                if image.source == "FILE" and image.alpha_mode != "NONE":
                    journal.assign(image, "alpha_mode", "NONE")
            bpy.ops.render.render(write_still=True, scene=scene.name)
        except RuntimeError as error:
            raise ScenewrightError(
                "bad_input",
                f"No picture can be made: {str(error).strip().splitlines()[-1]}",
                "Check the path.",
            ) from error
        finally:
            journal.roll_back(0)


def _literal(path: Path) -> str:
    """A path that Blender takes as it is: since 4.5 braces in it stand for names of the file, the scene, …."""
    text = str(path.resolve())
    return text if bpy.app.version < (4, 5) else text.replace("{", "{{").replace("}", "}}")
