"""Furnish a bedroom, change it by three requests, and prove it: `make demo`, or `demo.py FOLDER`.

Writes room.blend, demo.blend, before.png, after.png, before-after.png and report/index.html.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import bpy
import numpy as np
from mathutils import Vector

from scenewright.assets_index.parametric import Opening, Piece, build, room_shell
from scenewright.executor.blender.files import new_scene, open_scene, save_blend
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.pieces import add_piece
from scenewright.executor.blender.read import SceneReader
from scenewright.executor.blender.render import render_overview
from scenewright.executor.predicates.physical import collisions
from scenewright.executor.reading.scene_world import SceneWorld
from scenewright.terminal import own_streams

ROOT = Path(__file__).resolve().parent.parent
WIDTH, DEPTH, HEIGHT = 5.0, 4.0, 2.6
PICTURE = (1200, 800)
OPENINGS = (
    Opening("north", 0.20, 1.6, 1.25, 0.95),
    Opening("east", -1.15, 0.9, 2.05, kind="door"),
)
REQUESTS = (
    "put the table lamp on the desk",
    "move the armchair 60 cm to the left and turn it 30 degrees counterclockwise",
    "move the desk and the chair 40 cm to the left, turn the chair 30 degrees and paint the wardrobe mustard",
)


@dataclass(frozen=True, slots=True)
class Place:
    """A piece and where it goes.

    Attributes:
        name: of the thing.
        kind, style, seed: what to build.
        at: middle of its footprint, metres.
        yaw_deg: its heading; at 0 it faces south.
        on: name of the piece it stands on, or None for the floor.
        size: its box, metres, or None for the usual one.
    """

    name: str
    kind: str
    at: tuple[float, float]
    yaw_deg: float = 0.0
    on: str | None = None
    style: str = "modern"
    seed: int = 0
    size: tuple[float, float, float] | None = None


BEDROOM = (
    Place("Rug", "rug", (0.75, -0.85)),
    Place("Bed", "bed_double", (-1.40, -0.30), 90),
    Place("North Nightstand", "nightstand", (-2.28, 0.84), 90),
    Place("South Nightstand", "nightstand", (-2.28, -1.44), 90),
    Place("Table Lamp", "table_lamp", (-2.30, -1.44), on="South Nightstand"),
    Place("Alarm Clock", "alarm_clock", (-2.26, 0.84), 80, on="North Nightstand"),
    Place("Wardrobe", "wardrobe", (-1.85, 1.67)),
    Place("Desk", "desk", (0.20, 1.63)),
    Place("Chair", "chair", (0.20, 1.05), 180),
    Place("Bookshelf", "bookshelf", (1.45, 1.82)),
    Place("Plant", "potted_plant", (2.18, 1.68)),
    Place("Armchair", "armchair", (1.95, 0.25), -75),
    Place("Floor Lamp", "floor_lamp", (2.22, 1.08)),
)


def main() -> int:
    """Build, edit and picture the room; 0 if every requirement is satisfied."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent / "out")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with own_streams(verbose=False) as streams:
        return demonstrate(folder, streams.out)


def demonstrate(folder: Path, out: TextIO) -> int:
    """All of it, telling what is done."""
    furnish()
    faults = faults_of_room()
    if faults:
        print("The furnished room is faulty:", *faults, sep="\n  ", file=out)
        return 1
    scene = folder / "room.blend"
    save_blend(scene, None, force=True)
    picture(scene, folder / "before.png")
    for number, request in enumerate(REQUESTS, 1):
        last = number == len(REQUESTS)
        result = folder / ("demo.blend" if last else f"edit{number}.blend")
        arguments = ["edit", scene.name, request, "-o", result.name]
        if last:
            arguments += ["--report", "report"]
        print(f"$ scenewright {shlex.join(arguments)}", file=out)
        command = [sys.executable, "-m", "scenewright", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        print(done.stdout + done.stderr, file=out, flush=True)
        if done.returncode:
            return done.returncode
        scene = result
    picture(scene, folder / "after.png")
    beside(folder / "before.png", folder / "after.png", folder / "before-after.png")
    print(f"Look at {folder / 'before-after.png'} and {folder / 'report' / 'index.html'}.", file=out)
    return 0


# --- the room -----------------------------------------------------------------------------------------------


def furnish() -> None:
    """Open a new scene and put the bedroom into it."""
    new_scene()
    context = bpy.context
    shell = without_outside(room_shell(WIDTH, DEPTH, HEIGHT, OPENINGS, skirting=True), "Wall South")
    add_piece(Journal(), context, shell, "Bedroom", (0, 0, 0))
    tops: dict[str, float] = {}
    for place in BEDROOM:
        piece = build(place.kind, place.size, place.style, place.seed)
        foot = tops[place.on] if place.on else 0.0
        add_piece(Journal(), context, piece, place.name, (*place.at, foot), place.yaw_deg)
        if piece.surfaces:
            tops[place.name] = foot + piece.surfaces[0].z
    data = bpy.data.cameras.new("Camera")
    data.lens = 40
    camera = bpy.data.objects.new("Camera", data)
    camera.location = (0.0, -7.6, 4.6)
    camera.rotation_euler = (Vector((0.0, 0.1, 0.82)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    context.scene.collection.objects.link(camera)
    context.scene.camera = camera
    context.scene.display.shading.show_backface_culling = True  # pictures look through the south wall's back


def without_outside(shell: Piece, wall: str) -> Piece:
    """The shell with one wall reduced to its inner face, which a camera outside sees through."""
    solids = []
    for solid in shell.solids:
        if solid.name == wall:
            inner = np.isclose(solid.vertices[:, 1], -DEPTH / 2)
            kept = [i for i, face in enumerate(solid.faces) if inner[list(face)].all()]
            solid = replace(
                solid,
                faces=tuple(solid.faces[i] for i in kept),
                material_index=solid.material_index[kept],
                smooth=solid.smooth[kept],
            )
        solids.append(solid)
    return replace(shell, solids=tuple(solids))


def faults_of_room() -> list[str]:
    """What does not stand on its support exactly, stands elsewhere than planned, or runs into something."""
    world = SceneWorld(SceneReader().read(bpy.context))
    names = {entity.name: entity for entity in world.scene.graph.objects}
    faults = []
    for place in BEDROOM:
        entity = names[place.name]
        support = names[place.on].id if place.on else "floor"
        height = names[place.on].surfaces[0].z if place.on else 0.0
        if entity.support.on != support or abs(entity.aabb.min[2] - height) > 1e-5:
            faults.append(f"{place.name} stands on {entity.support.on} at {entity.aabb.min[2]} m")
        faults += [f"{c.a} is {c.depth} m deep in {c.b}" for c in collisions([entity.id], world)]
    return faults


# --- pictures -----------------------------------------------------------------------------------------------


def picture(scene: Path, output: Path) -> None:
    """Render a file through its camera."""
    open_scene(scene)
    render_overview(bpy.context, output, PICTURE)


def beside(left: Path, right: Path, output: Path) -> None:
    """Two pictures at half their size side by side in one small PNG."""
    halves = [half_size(path) for path in (left, right)]
    gap = np.ones((halves[0].shape[0], 8, 4), np.float32)
    pixels = np.concatenate([halves[0], gap, halves[1]], axis=1)
    image = bpy.data.images.new("pair", pixels.shape[1], pixels.shape[0])
    image.pixels.foreach_set(np.ascontiguousarray(pixels).ravel())
    image.filepath_raw, image.file_format = str(output), "PNG"
    image.save(quality=100)


def half_size(path: Path) -> np.ndarray:
    """A picture's pixels, each four averaged: ``(height / 2, width / 2, 4) float32``."""
    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(height // 2, 2, width // 2, 2, 4).mean(axis=(1, 3))


if __name__ == "__main__":
    code = main()
    # Without Python's and Blender's clean-up, which prints what Blender still held back, and may crash (4.2).
    os._exit(code)
