"""Evaluated geometry as `Shape`s, read once per datablock and recognised by content across reads."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..geometry.mesh import TriMesh
from ..reading.snapshot import Shape

_FARTHEST = 1e12
"""Coordinates beyond this, in local units, are no places."""


class ShapeCache:
    """Shapes by content; an unchanged mesh keeps its very Shape object from read to read.

    Later stages key their own caches by shape, so a second read after one move recomputes only what moved.
    """

    def __init__(self) -> None:
        self._by_key: dict[bytes, Shape] = {}

    def begin(self) -> ShapePass:
        """Start one walk over the evaluated scene."""
        return ShapePass(self)

    def get(self, key: bytes, make: Callable[[], Shape]) -> Shape:
        """The shape with this content, made on first sight."""
        shape = self._by_key.get(key)
        if shape is None:
            shape = self._by_key[key] = make()
        return shape

    def keep_only(self, keys: set[bytes]) -> None:
        """Forget shapes that the last read did not meet, so that a long session does not grow."""
        self._by_key = {k: s for k, s in self._by_key.items() if k in keys}


class ShapePass:
    """One walk: pointers of evaluated data are valid, and shared between objects, within it only."""

    def __init__(self, cache: ShapeCache) -> None:
        self._cache = cache
        self._by_pointer: dict[int, Shape | None] = {}

    def shape_of(self, obj: bpy.types.Object) -> Shape | None:
        """Geometry of an object, evaluated or original, or None if it draws nothing that we can measure.

        An object in Edit Mode gives the mesh as it entered that mode, without modifiers: its evaluated mesh is
        empty (4.5, background).
        """
        if obj.type == "MESH":
            mesh = obj.original.data if obj.original.mode == "EDIT" else obj.data
            pointer = mesh.as_pointer()
            if pointer not in self._by_pointer:
                self._by_pointer[pointer] = self._of_mesh(mesh)
            return self._by_pointer[pointer]
        if obj.type in {"CURVE", "SURFACE", "META", "FONT"}:
            return self._of_converted(obj)
        if obj.type == "POINTCLOUD":
            return self._of_points(obj.data)
        return None

    def _of_converted(self, obj: bpy.types.Object) -> Shape | None:
        try:
            mesh = obj.to_mesh()
        except RuntimeError:  # a curve without splines, a hidden member of a metaball family
            return None
        shape = self._of_mesh(mesh) if mesh is not None else None
        obj.to_mesh_clear()
        return shape

    def _of_points(self, points: bpy.types.PointCloud) -> Shape | None:
        count = len(points.attributes["position"].data) if "position" in points.attributes else 0
        if count == 0:
            return None
        positions = _read(points.attributes["position"].data, "vector", count * 3, np.float32)
        return self._cache.get(
            _content_key(positions),
            lambda: _shape(_content_key(positions), positions, np.empty((0, 3), np.int32), np.empty(0, np.int32)),
        )

    def _of_mesh(self, mesh: bpy.types.Mesh) -> Shape | None:
        if len(mesh.vertices) == 0:
            return None
        layers = _layers(mesh)
        starts = _read(mesh.polygons, "loop_start", len(mesh.polygons), np.int32)
        key = _content_key(starts, *(layers[name] for name in sorted(layers)))
        return self._cache.get(key, lambda: _triangulated(key, mesh, layers))


def _triangulated(key: bytes, mesh: bpy.types.Mesh, layers: dict[str, NDArray[Any]]) -> Shape:
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    triangles = _read(mesh.loop_triangles, "vertices", count * 3, np.int32).reshape(-1, 3)
    polygons = _read(mesh.loop_triangles, "polygon_index", count, np.int32)
    slots = layers.get("material_index", np.zeros(len(mesh.polygons), np.int32))
    active = mesh.uv_layers.active
    uvs = layers.get(active.name) if active is not None else None
    centres = None
    if uvs is not None:
        loops = _read(mesh.loop_triangles, "loops", count * 3, np.int32).reshape(-1, 3)
        centres = uvs.reshape(-1, 2)[loops].mean(axis=1).astype(np.float64)
    return _shape(key, layers["position"], triangles, slots[polygons], centres)


def _shape(
    key: bytes,
    positions: NDArray[np.float32],
    triangles: NDArray[np.int32],
    slots: NDArray[np.int32],
    uvs: NDArray[np.float64] | None = None,
) -> Shape:
    """The shape of some triangles, less vertices whose place is no place: broken files hold NaN and infinity."""
    points = positions.reshape(-1, 3).astype(np.float64)
    sound = (np.abs(points) < _FARTHEST).all(axis=1)  # NaN is less than nothing
    if sound.all():
        return Shape(key, TriMesh(points, triangles), slots, uvs)
    kept = sound[triangles].all(axis=1)
    renumbered = (np.cumsum(sound) - 1).astype(np.int32)
    mesh = TriMesh(points[sound], renumbered[triangles[kept]])
    return Shape(key, mesh, slots[kept], uvs[kept] if uvs is not None else None, int((~sound).sum()))


_FIELDS: dict[str, tuple[str, int, type]] = {
    "FLOAT": ("value", 1, np.float32),
    "INT": ("value", 1, np.int32),
    "BOOLEAN": ("value", 1, np.bool_),
    "FLOAT_VECTOR": ("vector", 3, np.float32),
    "FLOAT2": ("vector", 2, np.float32),
    "FLOAT_COLOR": ("color", 4, np.float32),
    "BYTE_COLOR": ("color", 4, np.float32),
    "INT8": ("value", 1, np.int32),
    "INT32_2D": ("value", 2, np.int32),
    "QUATERNION": ("value", 4, np.float32),
}
"""Attribute data type to the field that holds its values, how many there are, and of what kind."""

_DERIVED = frozenset([".corner_edge"])
"""Attributes that follow from the others."""


def _layers(mesh: bpy.types.Mesh) -> dict[str, NDArray[Any]]:
    """Values of all attributes by name: places, corners, material slots, UV maps, colours, sharp and loose edges."""
    layers = {}
    for attribute in mesh.attributes:
        name, data = attribute.name, attribute.data
        field = _FIELDS.get(attribute.data_type)
        if field is not None and name not in _DERIVED and len(data):
            value, width, dtype = field
            layers[name] = _read(data, value, len(data) * width, dtype)
    return layers


def _read(collection: bpy.types.bpy_prop_collection, field: str, count: int, dtype: type) -> NDArray[Any]:
    out: NDArray[Any] = np.empty(count, dtype)
    if count:
        collection.foreach_get(field, out)
    return out


def _content_key(*arrays: NDArray[Any]) -> bytes:
    digest = blake2b(np.array([len(a) for a in arrays], np.int64).data, digest_size=16)
    for array in arrays:
        digest.update(array.data)
    return digest.digest()
