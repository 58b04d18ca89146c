"""How long reading takes, next to what a user would write instead; prints the table of docs/benchmarks.md.

    python scripts/bench/speed.py

Seconds depend on the machine, so each is also given as a ratio to a calibration loop timed in the same run.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import trimesh

from scenewright.executor.blender.files import new_scene, open_scene
from scenewright.executor.blender.read import SceneReader
from scenewright.executor.reading.lexicon import lexicon

HERE = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("SCENEWRIGHT_FIELD_DATA", HERE.parent / "shared" / "data"))
SIZES = (300, 1000, 3000, 10_000)


def calibration() -> float:
    """A fixed amount of plain Python and numpy work, seconds."""
    began = time.perf_counter()
    rng = np.random.default_rng(0)
    points = rng.random((20_000, 3))
    total = 0.0
    for k in range(300):
        total += float((points @ points[k]).max())
        total += sum(i * 0.5 for i in range(2000))
    return time.perf_counter() - began


def timed(work: Callable[[], object], repeat: int = 1) -> float:
    """Median seconds of some runs."""
    seconds = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def plain_loop() -> list[tuple[str, np.ndarray]]:
    """What one would write first: names and world boxes of the objects, by their bounding boxes' corners."""
    found = []
    for obj in bpy.data.objects:
        if obj.type == "MESH":
            matrix = np.array(obj.matrix_world)
            corners = np.array([tuple(c) for c in obj.bound_box]) @ matrix[:3, :3].T + matrix[:3, 3]
            found.append((obj.name, np.array([corners.min(0), corners.max(0)])))
    return found


def furnish(count: int) -> None:
    """Rooms of 5 × 4 m in a grid, each with a floor, four walls and 25 tables, chairs, books and cups."""
    new_scene()
    meshes = {
        "Table": _box_mesh("table", 1.2, 0.8, 0.75),
        "Chair": _box_mesh("chair", 0.45, 0.45, 0.9),
        "Book": _box_mesh("book", 0.2, 0.15, 0.03),
        "Cup": _box_mesh("cup", 0.08, 0.08, 0.1),
        "Floor": _box_mesh("floor", 5.0, 4.0, 0.1),
        "Long wall": _box_mesh("long wall", 5.2, 0.1, 2.6),
        "Short wall": _box_mesh("short wall", 0.1, 4.0, 2.6),
    }
    rng = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(count / 30)))
    collection = bpy.context.scene.collection
    made = 0
    while made < count:
        room = made // 30
        x, y = 6.0 * (room % side), 5.0 * (room // side)
        kind, at = _place(made % 30, rng)
        obj = bpy.data.objects.new(f"{kind}.{made:05}", meshes[kind])
        obj.location = (x + at[0], y + at[1], at[2])
        collection.objects.link(obj)
        made += 1
    bpy.context.view_layer.update()


def _place(slot: int, rng: np.random.Generator) -> tuple[str, tuple[float, float, float]]:
    if slot == 0:
        return "Floor", (0.0, 0.0, -0.1)
    if slot <= 2:
        return "Long wall", (0.0, (-2.05, 2.05)[slot - 1], 0.0)
    if slot <= 4:
        return "Short wall", ((-2.55, 2.55)[slot - 3], 0.0, 0.0)
    table, part = divmod(slot - 5, 7)
    x, y = (-1.6, 1.6)[table % 2], (-1.1, 1.1)[(table // 2) % 2]
    if part == 0:
        return "Table", (x, y, 0.0)
    if part <= 2:
        return "Chair", (x + (-0.3, 0.3)[part - 1], y - 0.65, 0.0)
    return ("Book", "Cup")[part % 2], (x - 0.45 + 0.22 * (part - 2), y + float(rng.uniform(-0.1, 0.1)), 0.75)


def _box_mesh(name: str, width: float, depth: float, height: float) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    x, y = width / 2, depth / 2
    corners = [(sx * x, sy * y, z) for z in (0, height) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh.from_pydata(corners, [], faces)
    return mesh


def main() -> int:
    """Print the table."""
    unit = min(calibration() for _ in range(3))
    rows: list[tuple[str, float]] = []
    lexicon_seconds = timed(lexicon)
    for name, path in (
        ("io7m bedroom, 252 objects", DATA / "scenes/io7m_bedroom/bedroom.blend"),
        ("room.glb, 104 objects", DATA / "scenes/workspace/room.glb"),
    ):
        if not path.exists():
            continue
        open_scene(path)
        reader = SceneReader()
        rows.append((f"{name}: first read", timed(lambda r=reader: r.read(bpy.context))))
        rows.append((f"{name}: second read after one move", _after_move(reader)))
        rows.append((f"{name}: plain loop over bound_box", timed(plain_loop, 3)))
        if path.suffix == ".glb":
            rows.append((f"{name}: trimesh.load + bounds", timed(lambda p=path: trimesh.load(p).bounds)))
    rows.append(("lexicon, once per process", lexicon_seconds))
    for count in SIZES:
        furnish(count)
        reader = SceneReader()
        rows.append((f"{count} synthetic objects: first read", timed(lambda r=reader: r.read(bpy.context))))
        rows.append((f"{count} synthetic objects: second read after one move", _after_move(reader)))
        rows.append((f"{count} synthetic objects: plain loop", timed(plain_loop)))
    print(f"calibration loop: {unit:.3f} s\n")
    print("| what | seconds | ratio to the calibration loop |\n|---|---|---|")
    for name, seconds in rows:
        print(f"| {name} | {seconds:.3f} | {seconds / unit:.2f} |")
    return 0


def _after_move(reader: SceneReader) -> float:
    """Median over several small things moved by a centimetre, one at a time."""
    small = [o for o in bpy.context.scene.objects if o.type == "MESH" and o.visible_get() and max(o.dimensions) < 0.4]
    seconds = []
    for obj in sorted(small, key=lambda o: o.name)[:: max(1, len(small) // 7)][:7]:
        obj.location.x += 0.01
        bpy.context.view_layer.update()
        seconds.append(timed(lambda: reader.read(bpy.context)))
    return statistics.median(seconds) if seconds else float("nan")


if __name__ == "__main__":
    raise SystemExit(main())
