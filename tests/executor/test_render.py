"""Pictures: the same each time, and no trace of them in the scene."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from scenewright.assets_index.parametric import Opening, build, room_shell
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.pieces import add_piece
from scenewright.executor.blender.read import SceneReader
from scenewright.executor.blender.render import render_overview, render_view

from .rooms import block


@pytest.fixture(autouse=True)
def _chair(blender) -> None:
    add_piece(Journal(), bpy.context, build("chair"), "Chair", (0, 0, 0))


def settings() -> dict[str, object]:
    """Every simple setting of the scene that a render may depend on."""
    scene = bpy.context.scene
    found: dict[str, object] = {
        "camera": scene.camera,
        "world": scene.world,
        "objects": [o.name for o in scene.objects],
        "data": [len(c) for c in (bpy.data.objects, bpy.data.cameras, bpy.data.worlds, bpy.data.images)],
    }
    for owner in (
        scene.render,
        scene.render.image_settings,
        scene.view_settings,
        scene.display,
        scene.display.shading,
    ):
        for prop in owner.bl_rna.properties:
            if prop.type in {"BOOLEAN", "INT", "FLOAT", "ENUM", "STRING"} and not prop.is_readonly:
                value = getattr(owner, prop.identifier)
                plain = isinstance(value, (bool, int, float, str, set))
                found[f"{owner.bl_rna.identifier}.{prop.identifier}"] = value if plain else tuple(value)
    return found


def test_a_picture_leaves_no_trace(tmp_path: Path):
    scene = bpy.context.scene
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Punchy"
    scene.display.shading.light = "MATCAP"
    scene.display.shading.studio_light = "ceramic_dark.exr"
    before = settings()

    render_overview(bpy.context, tmp_path / "chair.png", (64, 64))

    # An unused render result is Blender's own and not saved.
    if image := bpy.data.images.get("Render Result"):
        bpy.data.images.remove(image)
    assert settings() == before


def test_a_picture_is_the_same_whatever_the_file_is_set_to(tmp_path: Path):
    def picture(name: str) -> bytes:
        render_overview(bpy.context, tmp_path / name, (64, 64))
        image = bpy.data.images.load(str(tmp_path / name))
        return bytes(round(255 * value) for value in image.pixels)

    first = picture("first.png")
    bpy.context.scene.view_settings.exposure = 3
    bpy.context.scene.display.shading.light = "FLAT"
    bpy.context.scene.display.shading.show_xray = True

    assert picture("second.png") == first


@pytest.mark.parametrize("view", ["top", "corner1", "corner2", "corner3", "corner4", "close:chair"])
def test_a_room_is_looked_into_over_the_walls_and_the_ceiling_in_between(tmp_path: Path, view: str):
    windows = [Opening(wall, 0, 1.5, 1.2, 0.9) for wall in ("north", "east", "south", "west")]
    add_piece(Journal(), bpy.context, room_shell(3, 3, 2.6, windows), "Bedroom", (0, 0, 0))
    bpy.ops.mesh.primitive_plane_add(size=3, location=(0, 0, 2.6))
    bpy.context.object.name = "Ceiling"
    for material in bpy.data.objects["Chair"].data.materials:
        node = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
        node.inputs[0].default_value = material.diffuse_color = (1, 0, 0, 1)
    bpy.context.view_layer.update()

    render_view(bpy.context, SceneReader().read(bpy.context), view, tmp_path / "room.png", (120, 80))

    pixels = np.array(bpy.data.images.load(str(tmp_path / "room.png")).pixels).reshape(-1, 4)
    red = pixels[:, 0] > 2 * pixels[:, 1:3].max(axis=1)
    assert red.sum() >= 10
    assert not any(o.hide_render for o in bpy.context.scene.objects)


@pytest.mark.parametrize("resolution", [(120, 80), (80, 120), (90, 90), (160, 40), (40, 160)])
@pytest.mark.parametrize("view", ["top", "corner1", "corner2", "close:crate"])
@pytest.mark.parametrize("size", [(1, 1, 1), (6, 0.5, 0.5), (0.5, 6, 0.5), (0.5, 0.5, 6), (4, 3, 0.1)], ids=str)
def test_what_is_looked_at_fills_the_picture_and_none_of_it_is_cut_off(
    tmp_path: Path, view: str, resolution: tuple[int, int], size: tuple[float, float, float]
):
    bpy.data.objects.remove(bpy.data.objects["Chair"])
    block("Crate", size, (1, 2, 3), color=(1, 0, 0))

    render_view(bpy.context, SceneReader().read(bpy.context), view, tmp_path / "crate.png", resolution)

    pixels = np.array(bpy.data.images.load(str(tmp_path / "crate.png")).pixels).reshape(*reversed(resolution), 4)
    rows, columns = np.nonzero(pixels[..., 0] > 1.5 * pixels[..., 1:3].max(axis=2))
    edges = np.array([rows.min(), columns.min(), resolution[1] - 1 - rows.max(), resolution[0] - 1 - columns.max()])
    assert edges.min() >= 1
    share = max(np.ptp(rows) / resolution[1], np.ptp(columns) / resolution[0])
    assert share > (0.85 if view == "top" else 0.7)


@pytest.mark.parametrize("asked", [True, False])
def test_the_camera_looks_through_the_back_of_a_wall_if_the_file_says_so(tmp_path: Path, asked: bool):
    bpy.data.objects.remove(bpy.data.objects["Chair"])
    block("Crate", (1, 1, 1), (0, 0, 0), color=(1, 0, 0))
    bpy.ops.mesh.primitive_plane_add(size=4, location=(0, -2, 0.5), rotation=(-np.pi / 2, 0, 0))  # it faces the crate
    bpy.ops.object.camera_add(location=(0, -6, 0.5), rotation=(np.pi / 2, 0, 0))
    bpy.context.scene.camera = bpy.context.object
    bpy.context.scene.display.shading.show_backface_culling = asked

    render_overview(bpy.context, tmp_path / "crate.png", (60, 40))

    middle = np.array(bpy.data.images.load(str(tmp_path / "crate.png")).pixels).reshape(40, 60, 4)[20, 30]
    assert (middle[0] > 1.5 * middle[1:3].max()) == asked
