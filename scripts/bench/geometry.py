"""Times of collision and contact on made-up meshes and a real room, as ratios to Blender's BVH trees.

Run with bpy: ``PYTHONPATH=.dev python scripts/bench/geometry.py``. The room is ``scenes/io7m_bedroom`` of the
folder that SCENEWRIGHT_FIELD_DATA names, or of ``../shared/data``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import bpy
import numpy as np
import trimesh
from mathutils.bvhtree import BVHTree
from trimesh.transformations import translation_matrix

from scenewright.executor.geometry.body import Body
from scenewright.executor.geometry.broad_phase import Boxes, box_pairs
from scenewright.executor.geometry.contact import contacts, resting_gap
from scenewright.executor.geometry.distance import surface_distance
from scenewright.executor.geometry.mesh import TriMesh
from scenewright.executor.geometry.penetration import is_deeper_than, penetration_depth
from scenewright.executor.geometry.sweep import crossing_pairs

Pair = tuple[Body, Body]
FIELD = Path(os.environ.get("SCENEWRIGHT_FIELD_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def balls(subdivisions: int) -> list[Pair]:
    """Two equal balls, 10 mm deep in each other; 20 · 4^n triangles each."""
    ball = trimesh.creation.icosphere(subdivisions, 0.5)
    left = Body(TriMesh(np.asarray(ball.vertices), np.asarray(ball.faces, np.int32)))
    return [(left.transformed(translation_matrix((0.99, 0.01, 0.02))), left)]


def room(path: Path) -> list[Pair]:
    """All pairs of evaluated meshes whose boxes come within 5 mm, both ways."""
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    bodies = list(_bodies())
    hulls = Boxes(np.array([b.hull.low for b in bodies]), np.array([b.hull.high for b in bodies]))
    near = box_pairs(Boxes(hulls.low - 0.005, hulls.high + 0.005), hulls)
    return [(bodies[i], bodies[j]) for chunk in near for i, j in zip(*chunk, strict=True) if i != j]


def _bodies() -> Iterator[Body]:
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        if instance.object.type != "MESH" or not instance.show_self:
            continue
        mesh = instance.object.to_mesh()
        mesh.calc_loop_triangles()
        vertices = np.empty(3 * len(mesh.vertices), np.float32)
        triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
        mesh.vertices.foreach_get("co", vertices)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        local = TriMesh(vertices.reshape(-1, 3).astype(float), triangles.reshape(-1, 3))
        if not local.is_empty:
            yield Body(local.transformed(np.array(instance.matrix_world)))


def prepare(body: Body) -> None:
    """Everything that is cached per mesh."""
    for tree in (body.skin, body.surface, body.underside.edges, body.bearing.faces, body.topside.faces):
        _ = tree.tree
    _ = body.probes, body.hull, body.vertex_tree


def report(title: str, pairs: Sequence[Pair]) -> None:
    """Prints milliseconds per pair and the ratio to a BVH overlap plus a nearest point per vertex."""
    bodies = list({id(body): body for pair in pairs for body in pair}.values())
    trees: dict[int, BVHTree] = {}

    def build_tree(body: Body) -> None:
        trees[id(body)] = BVHTree.FromPolygons(body.mesh.vertices.tolist(), body.mesh.triangles.tolist())

    def bvh(a: Body, b: Body) -> None:
        trees[id(a)].overlap(trees[id(b)])
        for vertex in a.mesh.vertices:
            trees[id(b)].find_nearest(vertex, 0.05)

    print(f"{title}: {len(pairs)} pairs, {sum(len(b.mesh.triangles) for b in bodies)} triangles")
    built = _per_call(build_tree, [(b,) for b in bodies])
    prepared = _per_call(prepare, [(b,) for b in bodies])
    print(f"  {'per mesh: prepare':34s}{prepared:9.2f} ms {prepared / built:9.2f} × building a BVH")
    overlap = _per_call(bvh, pairs)
    work: dict[str, Callable[[Body, Body], object]] = {
        "crossing_pairs": crossing_pairs,
        "is_deeper_than 2 mm": lambda a, b: is_deeper_than(a, b, 0.002),
        "penetration_depth up to 50 mm": penetration_depth,
        "contacts": contacts,
        "resting_gap": resting_gap,
        "surface_distance up to 0.5 m": lambda a, b: surface_distance(a, b, 0.5),
    }
    for name, function in work.items():
        taken = _per_call(function, pairs)
        print(f"  {name:34s}{taken:9.2f} ms {taken / overlap:9.2f} × BVH overlap and vertex nearest")


def _per_call(function: Callable[..., object], arguments: Sequence[tuple[Body, ...]]) -> float:
    """Mean milliseconds."""
    begin = time.perf_counter()
    for each in arguments:
        function(*each)
    return (time.perf_counter() - begin) / max(len(arguments), 1) * 1e3


def main() -> int:
    """Prints all."""
    for subdivisions in (2, 4):
        report(f"balls of {20 * 4**subdivisions} triangles", balls(subdivisions))
    bedroom = FIELD / "scenes" / "io7m_bedroom" / "bedroom.blend"
    if bedroom.is_file():
        report("io7m bedroom", room(bedroom))
    else:
        print(f"no {bedroom}: SCENEWRIGHT_FIELD_DATA may name the folder")
    return 0


if __name__ == "__main__":
    sys.exit(main())
