"""Things to test on, made in the open scene: bottom centre at a point, in scene units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, radians, sin

import bpy
import numpy as np
from mathutils import Euler

Vector = Sequence[float]
Block = tuple[Vector, Vector]
"""Size and bottom centre of a box within a mesh."""

_QUADS = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))

TABLE: tuple[Block, ...] = (
    ((1.2, 0.8, 0.05), (0, 0, 0.70)),
    *(((0.06, 0.06, 0.70), (x, y, 0)) for x in (-0.55, 0.55) for y in (-0.35, 0.35)),
)
"""A table 0.75 m high with a top of 1.2 × 0.8 m."""

CHAIR: dict[str, Block] = {
    "seat": ((0.44, 0.44, 0.04), (0, 0, 0.42)),
    "back": ((0.44, 0.04, 0.44), (0, 0.20, 0.46)),
    **{
        f"leg {n}": ((0.04, 0.04, 0.42), (x, y, 0))
        for n, (x, y) in enumerate(((-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2)), 1)
    },
    "rung": ((0.36, 0.03, 0.03), (0, 0.2, 0.2)),
}
"""A chair 0.9 m high in seven pieces; it faces −Y."""


def mesh(name: str, blocks: Iterable[Block]) -> bpy.types.Mesh:
    """One mesh of boxes."""
    vertices: list[Vector] = []
    faces: list[Sequence[int]] = []
    for (width, depth, height), (x, y, z) in blocks:
        first = len(vertices)
        for low in (z, z + height):
            for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                vertices.append((x + sx * width / 2, y + sy * depth / 2, low))
        faces += [[first + k for k in quad] for quad in _QUADS]
    data = bpy.data.meshes.new(name)
    data.from_pydata(vertices, [], faces)
    return data


def put(
    name: str,
    data: bpy.types.ID | None,
    at: Vector = (0, 0, 0),
    yaw_deg: float = 0.0,
    parent: bpy.types.Object | None = None,
    collection: bpy.types.Collection | None = None,
) -> bpy.types.Object:
    """An object in the scene, or in a collection; with a parent, its place is in the parent's space."""
    obj = bpy.data.objects.new(name, data)
    obj.location = at
    obj.rotation_euler = (0, 0, radians(yaw_deg))
    obj.parent = parent
    (collection or bpy.context.scene.collection).objects.link(obj)
    return obj


def box(name: str, size: Vector, at: Vector = (0, 0, 0), **placing: object) -> bpy.types.Object:
    """A box of one mesh."""
    return put(name, mesh(name, [(size, (0, 0, 0))]), at, **placing)  # type: ignore[arg-type]


def table(name: str = "Table", at: Vector = (0, 0, 0), **placing: object) -> bpy.types.Object:
    """A table 0.75 m high, top 1.2 × 0.8 m, of one mesh."""
    return put(name, mesh(name, TABLE), at, **placing)  # type: ignore[arg-type]


def chair(name: str = "Chair", at: Vector = (0, 0, 0), **placing: object) -> bpy.types.Object:
    """A chair 0.9 m high that faces −Y, of one mesh."""
    return put(name, mesh(name, CHAIR.values()), at, **placing)  # type: ignore[arg-type]


def chair_of_parts(name: str = "Chair", at: Vector = (0, 0, 0), **placing: object) -> bpy.types.Object:
    """An empty with the seven meshes of a chair under it."""
    root = put(name, None, at, **placing)  # type: ignore[arg-type]
    for part, block in CHAIR.items():
        put(f"{name} {part}", mesh(part, [block]), parent=root, collection=root.users_collection[0])
    return root


def ball(name: str, diameter: float, at: Vector = (0, 0, 0), segments: int = 64) -> bpy.types.Object:
    """A ball; its origin is its centre."""
    rings = segments // 2
    vertices: list[Vector] = [(0, 0, -diameter / 2), (0, 0, diameter / 2)]
    for ring in range(1, rings):
        tilt = pi * ring / rings
        for k in range(segments):
            turn = 2 * pi * k / segments
            vertices.append(
                (
                    sin(tilt) * cos(turn) * diameter / 2,
                    sin(tilt) * sin(turn) * diameter / 2,
                    -cos(tilt) * diameter / 2,
                )
            )
    faces: list[Sequence[int]] = []
    for k in range(segments):
        after = (k + 1) % segments
        last = 2 + (rings - 2) * segments
        faces += [(0, 2 + after, 2 + k), (1, last + k, last + after)]
        for ring in range(rings - 2):
            low = 2 + ring * segments
            faces.append((low + k, low + after, low + segments + after, low + segments + k))
    data = bpy.data.meshes.new(name)
    data.from_pydata(vertices, [], faces)
    return put(name, data, (at[0], at[1], at[2] + diameter / 2))


def cup(name: str = "Cup", at: Vector = (0, 0, 0), **placing: object) -> bpy.types.Object:
    """A solid cylinder, 8 cm wide and 10 cm high."""
    ring = [(0.04 * cos(k * pi / 12), 0.04 * sin(k * pi / 12)) for k in range(24)]
    data = bpy.data.meshes.new(name)
    sides = [(k, (k + 1) % 24, 24 + (k + 1) % 24, 24 + k) for k in range(24)]
    data.from_pydata(
        [(x, y, z) for z in (0.0, 0.1) for x, y in ring],
        [],
        [list(reversed(range(24))), list(range(24, 48)), *sides],
    )
    return put(name, data, at, **placing)  # type: ignore[arg-type]


def room(width: float = 6.0, depth: float = 5.0, height: float = 2.6, unit: float = 1.0) -> None:
    """A floor at z = 0 about the origin, four walls 20 cm thick around it; metres, ``unit`` to one."""
    w, d, h = width * unit, depth * unit, height * unit
    thick = 0.2 * unit
    box("Floor", (w + 2 * thick, d + 2 * thick, 0.1 * unit), (0, 0, -0.1 * unit))
    box("Wall north", (w + 2 * thick, thick, h), (0, d / 2 + thick / 2, 0))
    box("Wall south", (w + 2 * thick, thick, h), (0, -d / 2 - thick / 2, 0))
    box("Wall east", (thick, d, h), (w / 2 + thick / 2, 0, 0))
    box("Wall west", (thick, d, h), (-w / 2 - thick / 2, 0, 0))


def collection(name: str, parent: bpy.types.Collection | None = None, linked: bool = True) -> bpy.types.Collection:
    """A collection, linked to the scene or to another one unless said."""
    made = bpy.data.collections.new(name)
    if linked:
        (parent or bpy.context.scene.collection).children.link(made)
    return made


def instance(
    name: str,
    of: bpy.types.Collection,
    at: Vector = (0, 0, 0),
    yaw_deg: float = 0.0,
    scale: Vector = (1, 1, 1),
    **placing: object,
) -> bpy.types.Object:
    """An empty that instances a collection."""
    empty = put(name, None, at, yaw_deg, **placing)  # type: ignore[arg-type]
    empty.instance_type = "COLLECTION"
    empty.instance_collection = of
    empty.scale = scale
    return empty


def material(name: str, rgb: Vector) -> bpy.types.Material:
    """A material with a Principled shader of one linear colour."""
    made = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0):
        made.use_nodes = True
    shader = next(n for n in made.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    shader.inputs[0].default_value = (*rgb, 1.0)
    return made


def layer_of(made: bpy.types.Collection) -> bpy.types.LayerCollection:
    """The active view layer's entry of a collection, at any depth."""
    queue = [bpy.context.view_layer.layer_collection]
    while queue:
        layer = queue.pop()
        if layer.collection == made:
            return layer
        queue.extend(layer.children)
    raise KeyError(made.name)


def tilt(obj: bpy.types.Object, degrees: Vector) -> None:
    """Set an object's XYZ rotation."""
    obj.rotation_euler = Euler([radians(d) for d in degrees])


# --- what is there now --------------------------------------------------------------------------------------


def world(name: str) -> np.ndarray:
    """``(4, 4)`` world matrix of an object, evaluated now."""
    bpy.context.view_layer.update()
    return np.array(bpy.data.objects[name].matrix_world)


def vertices(name: str) -> np.ndarray:
    """``(n, 3)`` evaluated vertices of a mesh object in the world."""
    bpy.context.view_layer.update()
    evaluated = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    local = np.array([v.co for v in evaluated.data.vertices])
    matrix = np.array(evaluated.matrix_world)
    return local @ matrix[:3, :3].T + matrix[:3, 3]


def shifted(points: np.ndarray, by: Vector) -> np.ndarray:
    """Points moved by an offset."""
    return points + np.array(by)


def bounds(name: str) -> np.ndarray:
    """``(2, 3)`` world box of a mesh object's evaluated vertices."""
    points = vertices(name)
    return np.array([points.min(axis=0), points.max(axis=0)])
