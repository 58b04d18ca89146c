"""A triangle mesh together with what collision and contact ask of it again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from .broad_phase import Boxes, BoxTree, Indices, tree_pairs
from .mesh import FloatArray, TriMesh

SKIN = 2e-5
"""How far `Body.skin` lies below the surface, metres: twenty times float32 noise at 10 m from the origin."""

LEVEL = 0.02
"""|n·z| from which a face is neither a wall nor a sliver."""

MAX_SLOPE = float(np.cos(np.radians(30)))
"""n·z of the steepest face that carries something (contract, `on_top_of`)."""

_FEW = 4096
"""Pairs that are compared outright."""

MOST_PROBES = 32
"""Loose parts asked whether they lie in something: a plant has hundreds of leaves."""


class Soup:
    """Loose primitives by their corners ``(n, k, 3)`` (k = 3: triangles, 2: edges), with boxes and a tree."""

    def __init__(self, corners: FloatArray) -> None:
        self.corners = corners

    @cached_property
    def boxes(self) -> Boxes:
        return Boxes.around(self.corners)

    @cached_property
    def tree(self) -> BoxTree:
        return BoxTree.of(self.boxes)


def soup_pairs(
    a: Soup, b: Soup, low: FloatArray | float = 0.0, high: FloatArray | float = 0.0
) -> Iterator[tuple[Indices, Indices]]:
    """`tree_pairs` of two soups; small ones are compared outright, which is quicker than any tree."""
    if len(a.corners) * len(b.corners) > _FEW:
        yield from tree_pairs(a.tree, b.tree, low, high)
        return
    one, two = a.boxes, b.boxes
    meets = (one.low[:, None] + low <= two.high).all(axis=2) & (one.high[:, None] + high >= two.low).all(axis=2)
    i, j = np.nonzero(meets)
    if len(i):
        yield i, j


class Side(NamedTuple):
    """The faces of a mesh that look up (or down), and the edges that can touch something there."""

    faces: Soup
    edges: Soup


@dataclass(frozen=True, eq=False)
class Topology:
    """How triangles hang together. Vertices are joined by position, since files repeat them along seams.

    Attributes:
        weld: ``(n,)`` one number per distinct position.
        edges: ``(e, 2)`` vertex indices of every edge, once.
        triangle_edges: ``(m, 3)`` the edge from corner k to corner k + 1.
        border: ``(e,) bool``, edge of one triangle only.
        part: ``(m,)`` number of the loose part a triangle belongs to.
        closed: ``(p,) bool``, the part is watertight: each edge is walked as often one way as the other.
    """

    weld: Indices
    edges: Indices
    triangle_edges: Indices
    border: NDArray[np.bool_]
    part: Indices
    closed: NDArray[np.bool_]

    @classmethod
    def of(cls, mesh: TriMesh) -> Topology:
        triangles = mesh.triangles.astype(np.int64)
        weld = _weld(mesh.vertices)
        begin = weld[triangles]
        end = begin[:, [1, 2, 0]]
        key = (np.minimum(begin, end) * (len(weld) + 1) + np.maximum(begin, end)).ravel()
        _, first, index = np.unique(key, return_index=True, return_inverse=True)
        index = index.reshape(-1)
        edges = np.stack([triangles.ravel()[first], triangles[:, [1, 2, 0]].ravel()[first]], 1)

        links = coo_matrix((np.ones(key.size), (begin.ravel(), end.ravel())), shape=(len(weld), len(weld)))
        _, part_of_vertex = connected_components(links, directed=False)
        parts, part = np.unique(part_of_vertex[begin[:, 0]], return_inverse=True)
        part = part.reshape(-1)

        balance = np.bincount(index, np.sign(end - begin).ravel(), minlength=len(edges))
        unpaired = (balance != 0)[index].reshape(-1, 3).any(1)
        closed = np.bincount(part, unpaired, minlength=len(parts)) == 0
        border = (np.bincount(index) == 1) & (weld[edges[:, 0]] != weld[edges[:, 1]])
        return cls(weld, edges, index.reshape(-1, 3), border, part, closed)


def _weld(vertices: FloatArray) -> Indices:
    """A number per position, positions rounded to a millionth of the mesh's size."""
    if not len(vertices):
        return np.empty(0, np.intp)
    low = vertices.min(0)
    size = max(float((vertices.max(0) - low).max()), 1e-30)
    cell = np.rint((vertices - low) * (2**20 / size)).astype(np.int64)
    _, index = np.unique(cell[:, 0] << 42 | cell[:, 1] << 21 | cell[:, 2], return_inverse=True)
    weld: Indices = index.reshape(-1)
    return weld


class Body:
    """A mesh and its derived arrays, each computed when first asked for. Treat everything as read-only.

    Build one per mesh and keep it; `transformed` moves it and keeps the (costlier) topology.
    """

    def __init__(self, mesh: TriMesh, topology: Topology | None = None) -> None:
        self.mesh = mesh
        self._topology = topology

    def transformed(self, matrix: FloatArray) -> Body:
        """The body in another frame; ``matrix`` is ``(4, 4)``, target_from_source."""
        mirrored = np.linalg.det(matrix[:3, :3]) < 0
        # Mirroring reverses the triangles, and with them the numbering of their edges.
        return Body(self.mesh.transformed(matrix), None if mirrored else self.topology)

    def stood(self, matrix: FloatArray) -> Body:
        """The body elsewhere, turned about the vertical only: ``matrix`` is such a ``(4, 4)`` rigid motion.

        Cheaper than `transformed`, since what looks up or down, and by how much, stays.
        """
        return _Stood(self, matrix)

    @property
    def topology(self) -> Topology:
        if self._topology is None:
            self._topology = Topology.of(self.mesh)
        return self._topology

    @cached_property
    def surface(self) -> Soup:
        return Soup(self.mesh.corners())

    @cached_property
    def hull(self) -> Boxes:
        """The bounding box of the triangles, ``low`` and ``high`` ``(3,)``."""
        return self.surface.boxes.hull()

    @cached_property
    def _cross(self) -> FloatArray:
        return self.mesh.cross_products()

    @cached_property
    def areas(self) -> FloatArray:
        """Triangle areas, ``(m,)``, m²."""
        areas: FloatArray = 0.5 * np.sqrt((self._cross**2).sum(1))
        return areas

    @cached_property
    def normals(self) -> FloatArray:
        """Unit face normals as modelled, ``(m, 3)``; zero for degenerate triangles."""
        normals: FloatArray = self._cross / np.maximum(2 * self.areas, 1e-30)[:, None]
        return normals

    @cached_property
    def centroids(self) -> FloatArray:
        centroids: FloatArray = self.surface.corners.sum(1) / 3
        return centroids

    @cached_property
    def outward(self) -> FloatArray:
        """Per triangle +1 if its normal points out of its part, −1 if the part is inside out, 0 if flat.

        ``(m,) float64``: the sign of the part's volume about its own centroid, so that open parts have one,
        too. A part with hardly any (a sheet) is two-sided.
        """
        part = self.topology.part
        weight = np.maximum(np.bincount(part, self.areas), 1e-30)
        centre = np.stack([np.bincount(part, self.areas * c) for c in self.centroids.T], 1) / weight[:, None]
        arm = self.centroids - centre[part]
        flux = np.bincount(part, self.areas * (arm * self.normals).sum(1))
        reach = np.bincount(part, self.areas * np.sqrt((arm**2).sum(1)))
        threshold = np.where(self.topology.closed, 1e-6, 0.05)
        sign: FloatArray = np.where(np.abs(flux) > threshold * reach, np.sign(flux), 0.0)
        return sign[part]

    @cached_property
    def skin(self) -> Soup:
        """The triangles, shrunk by `SKIN`: what merely touches the surface no longer meets it."""
        return Soup(self._skin_vertices[self.mesh.triangles])

    @cached_property
    def _skin_vertices(self) -> FloatArray:
        """The vertices, moved below the surface.

        Each vertex moves against its angle-weighted normal (Thürmer and Wüthrich 1998), border vertices also
        into their surface. So boxes side by side are apart, while a box that overlaps another with all sides
        aligned (only coplanar faces, no proper crossing) does cross it.
        """
        weld, triangles = self.topology.weld, self.mesh.triangles
        corners = self.surface.corners
        along = corners[:, [1, 2, 0]] - corners
        along /= np.maximum(np.sqrt((along**2).sum(2)), 1e-30)[:, :, None]
        angle = np.arccos(np.clip(-(along * along[:, [2, 0, 1]]).sum(2), -1, 1))
        push = (angle * self.outward[:, None])[:, :, None] * self.normals[:, None, :]
        border = self.topology.border[self.topology.triangle_edges]
        sideways = np.where(border[:, :, None], np.cross(along, self.normals[:, None, :]), 0.0) * (np.pi / 2)
        push += sideways + sideways[:, [2, 0, 1]]
        index, size = weld[triangles].ravel(), len(weld)
        total = np.stack([np.bincount(index, push[:, :, k].ravel(), minlength=size) for k in range(3)], 1)
        outward = total / np.maximum(np.sqrt((total**2).sum(1)), 1e-30)[:, None]
        shrunk: FloatArray = self.mesh.vertices - SKIN * outward[weld]
        return shrunk

    @cached_property
    def underside(self) -> Side:
        """Downward faces; their edges and all border edges (the rims of uncapped tube legs).

        Shrunk like `skin`, in plan only, so that a thing flush beside another does not lie over it.
        """
        facing = np.where(self.outward == 0, -np.sign(self.normals[:, 2]), self.outward)
        shrunk = np.concatenate([self._skin_vertices[:, :2], self.mesh.vertices[:, 2:]], 1)
        return self._side(self.normals[:, 2] * facing < -LEVEL, shrunk, with_border=True)

    @cached_property
    def topside(self) -> Side:
        """Upward faces; their edges and all border edges: all that something can fall onto."""
        return self._side(self._upward > LEVEL, self.mesh.vertices, with_border=True)

    @cached_property
    def bearing(self) -> Side:
        """Upward faces that are not too steep to carry something, and their edges."""
        return self._side(self._upward >= MAX_SLOPE, self.mesh.vertices, with_border=False)

    @property
    def _upward(self) -> FloatArray:
        """n·z per face. Open parts count from both sides: bowls are modelled as single shells."""
        two_sided = (self.outward == 0) | ~self.topology.closed[self.topology.part]
        rise = self.normals[:, 2]
        upward: FloatArray = np.where(two_sided, np.abs(rise), rise * self.outward)
        return upward

    def _side(self, faces: NDArray[np.bool_], vertices: FloatArray, with_border: bool) -> Side:
        topology = self.topology
        touched = topology.border.copy() if with_border else np.zeros(len(topology.edges), bool)
        touched[topology.triangle_edges[faces]] = True
        return Side(Soup(vertices[self.mesh.triangles[faces]]), Soup(vertices[topology.edges[touched]]))

    @cached_property
    def vertex_tree(self) -> cKDTree:
        return cKDTree(self.mesh.vertices[np.unique(self.mesh.triangles)])

    @property
    def is_watertight(self) -> bool:
        return not self.mesh.is_empty and bool(self.topology.closed.all())

    @cached_property
    def centre_of_mass(self) -> FloatArray:
        """Centroid of the volume if watertight, else of the surface: volumes of open cups mislead."""
        centre: FloatArray
        if self.is_watertight:
            origin = self.mesh.vertices.mean(0)
            corners = self.surface.corners - origin
            six_volumes = (corners[:, 0] * self._cross).sum(1) * self.outward
            volume = six_volumes.sum()
            if volume > 1e-12 * float(self.areas.sum()) ** 1.5:
                centre = origin + six_volumes @ corners.sum(1) / (4 * volume)
                return centre
        centre = self.areas @ self.centroids / max(float(self.areas.sum()), 1e-30)
        return centre

    @cached_property
    def probes(self) -> FloatArray:
        """One point just inside each of the largest loose parts, ``(p, 3)``.

        A part that crosses nothing lies in matter exactly if its probe does.
        """
        part = self.topology.part
        order = np.lexsort((-self.areas, part))
        largest = order[np.flatnonzero(np.diff(part[order], prepend=-1))]
        largest = largest[np.argsort(-self.areas[largest])[:MOST_PROBES]]
        inward = self.normals[largest] * self.outward[largest, None]
        probes: FloatArray = self.centroids[largest] - SKIN * inward
        return probes

    @cached_property
    def _shells(self) -> FloatArray:
        """Triangles of the watertight parts, ``(k, 3, 3)``."""
        shells: FloatArray = self.surface.corners[self.topology.closed[self.topology.part]]
        return shells

    def encloses(self, points: FloatArray) -> NDArray[np.bool_]:
        """Which points ``(n, 3)`` lie in the solid matter of a watertight part.

        Signs are taken as modelled, so the inside of a room modelled as an inward-looking box is not matter.
        Open parts enclose nothing: in a five-sided tub a winding number of 5/6 would be read as "inside".
        """
        inside = np.zeros(len(points), bool)
        if len(self._shells):
            near = ((points >= self.hull.low) & (points <= self.hull.high)).all(1)
            inside[near] = winding_number(points[near], self._shells) > 0.5
        return inside


class _Stood(Body):
    """A body after an upright rigid motion: its derived arrays are those of its source, moved."""

    def __init__(self, source: Body, matrix: FloatArray) -> None:
        super().__init__(source.mesh.transformed(matrix))
        self._source = source
        self._matrix = matrix

    @property
    def topology(self) -> Topology:
        return self._source.topology

    @cached_property
    def areas(self) -> FloatArray:
        return self._source.areas

    @cached_property
    def outward(self) -> FloatArray:
        return self._source.outward

    @cached_property
    def normals(self) -> FloatArray:
        normals: FloatArray = self._source.normals @ self._matrix[:3, :3].T
        return normals

    @cached_property
    def centre_of_mass(self) -> FloatArray:
        return self._moved(self._source.centre_of_mass)

    @cached_property
    def _skin_vertices(self) -> FloatArray:
        return self._moved(self._source._skin_vertices)

    @cached_property
    def underside(self) -> Side:
        return self._moved_side(self._source.underside)

    @cached_property
    def topside(self) -> Side:
        return self._moved_side(self._source.topside)

    @cached_property
    def bearing(self) -> Side:
        return self._moved_side(self._source.bearing)

    def _moved_side(self, side: Side) -> Side:
        return Side(Soup(self._moved(side.faces.corners)), Soup(self._moved(side.edges.corners)))

    def _moved(self, points: FloatArray) -> FloatArray:
        moved: FloatArray = points @ self._matrix[:3, :3].T + self._matrix[:3, 3]
        return moved


def winding_number(points: FloatArray, triangles: FloatArray) -> FloatArray:
    """How often triangles wrap around each point: 1 inside, 0 outside a closed surface, a fraction near an
    open one.

    Generalised winding numbers (Jacobson, Kavan and Sorkine-Hornung 2013), as the sum of the triangles'
    signed solid angles (Van Oosterom and Strackee 1983).

    Args:
        points: ``(n, 3)``.
        triangles: ``(m, 3, 3)`` corners.
    """
    step = max(1, (1 << 19) // max(len(triangles), 1))
    out = np.empty(len(points))
    for begin in range(0, len(points), step):
        arms = triangles[None] - points[begin : begin + step, None, None]
        a, b, c = arms[:, :, 0], arms[:, :, 1], arms[:, :, 2]
        la, lb, lc = (np.sqrt((x * x).sum(2)) for x in (a, b, c))
        triple = (a * np.cross(b, c)).sum(2)
        rest = la * lb * lc + (a * b).sum(2) * lc + (b * c).sum(2) * la + (c * a).sum(2) * lb
        out[begin : begin + step] = np.arctan2(triple, rest).sum(1) / (2 * np.pi)
    return out
