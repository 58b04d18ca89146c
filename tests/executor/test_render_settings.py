"""What a file is set to render with neither shows in our pictures nor runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from scenewright.assets_index.parametric import build
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.pieces import add_piece
from scenewright.executor.blender.render import render_overview

from .test_render import settings

SIZE = (60, 40)


@pytest.fixture(autouse=True)
def _chair(blender) -> None:
    add_piece(Journal(), bpy.context, build("chair"), "Chair", (0, 0, 0))


def picture(folder: Path, name: str) -> np.ndarray:
    """``(height, width, 4)`` pixels of a picture taken now."""
    render_overview(bpy.context, folder / name, SIZE)
    image = bpy.data.images.load(str(folder / name))
    pixels = np.array(image.pixels).reshape(image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return pixels


def compositor(folder: Path) -> None:
    """Inverts the picture, and writes files into a folder, as a user's compositor may."""
    scene = bpy.context.scene
    if hasattr(scene, "compositing_node_group"):
        tree = scene.compositing_node_group = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")
    else:
        scene.use_nodes = True
        tree = scene.node_tree
        tree.nodes.clear()
    layers = tree.nodes.new("CompositorNodeRLayers")
    written = tree.nodes.new("CompositorNodeOutputFile")
    if hasattr(written, "base_path"):
        written.base_path = str(folder / "theirs")
    else:
        written.directory = str(folder / "theirs")
        written.file_output_items.new("RGBA", "Image")
    inverted = tree.nodes.new("CompositorNodeInvert")
    tree.links.new(layers.outputs["Image"], inverted.inputs["Color"])
    tree.links.new(inverted.outputs["Color"], written.inputs[0])
    if hasattr(scene, "compositing_node_group"):
        tree.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
        out = tree.nodes.new("NodeGroupOutput")
    else:
        out = tree.nodes.new("CompositorNodeComposite")
    tree.links.new(inverted.outputs["Color"], out.inputs[0])
    scene.render.use_compositing = True


def video_strips(folder: Path) -> None:
    """A red strip over all frames."""
    scene = bpy.context.scene
    scene.sequence_editor_create()
    editor = scene.sequence_editor
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences
    length = {"frame_end": 250} if bpy.app.version < (5, 0) else {"length": 250}
    strips.new_effect("Red", "COLOR", 1, frame_start=1, **length).color = (1, 0, 0)
    scene.render.use_sequencer = True


def border(folder: Path) -> None:
    """The lower left quarter only."""
    render = bpy.context.scene.render
    render.use_border = render.use_crop_to_border = True
    render.border_max_x = render.border_max_y = 0.5


def two_eyes(folder: Path) -> None:
    """A picture for each eye, side by side or in files of their own."""
    bpy.context.scene.render.use_multiview = True


def broad_pixels(folder: Path) -> None:
    """Anamorphic pixels."""
    bpy.context.scene.render.pixel_aspect_x = 2


def stamp(folder: Path) -> None:
    """Text burnt into the picture."""
    render = bpy.context.scene.render
    render.use_stamp = render.use_stamp_note = True
    render.stamp_note_text = "DRAFT"
    render.stamp_font_size = 20


def video(folder: Path) -> None:
    """A film instead of a picture, in a format of its own (since 5.0 behind a choice of medium)."""
    output = bpy.context.scene.render.image_settings
    if hasattr(output, "media_type"):
        output.media_type = "VIDEO"
    else:
        output.file_format = "FFMPEG"


def freestyle(folder: Path) -> None:
    """Lines along all edges."""
    bpy.context.scene.render.use_freestyle = True


def colours_of_its_own(folder: Path) -> None:
    """A film-like look for what is written to files, whatever the scene shows."""
    output = bpy.context.scene.render.image_settings
    output.color_management = "OVERRIDE"
    output.view_settings.exposure = 5


@pytest.mark.parametrize(
    "setting",
    [compositor, video_strips, border, two_eyes, broad_pixels, stamp, video, freestyle, colours_of_its_own],
)
def test_a_picture_is_the_same_whatever_the_file_renders_with(setting: Callable[[Path], None], tmp_path: Path):
    plain = picture(tmp_path, "plain.png")
    setting(tmp_path)
    bpy.context.view_layer.update()
    before = settings()

    taken = picture(tmp_path, "taken.png")

    assert taken.shape == (SIZE[1], SIZE[0], 4)
    assert np.abs(taken - plain).max() <= 1 / 255
    assert sorted(os.listdir(tmp_path)) == ["plain.png", "taken.png"]
    assert {k: v for k, v in settings().items() if k != "data"} == {k: v for k, v in before.items() if k != "data"}


def test_a_picture_does_not_tell_where_and_when_it_was_taken(tmp_path: Path):
    picture(tmp_path, "first.png")
    assert b"tEXt" not in (tmp_path / "first.png").read_bytes()
