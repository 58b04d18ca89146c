"""Furniture built by rule: every kind keeps its size, is solid, can carry things, and looks at −Y."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from shapely import MultiPoint, Point

pytest.importorskip("bpy")

from scenewright.assets_index.parametric import (
    STYLES,
    Opening,
    Piece,
    Solid,
    build,
    kinds,
    room_shell,
)
from scenewright.assets_index.parametric.meshes import mesh_of
from scenewright.executor.model.errors import ScenewrightError

INFO = {info.kind: info for info in kinds()}
EVERY = [(kind, style) for kind, info in INFO.items() for style in info.styles]
TENTH_MM = 1e-4
FIRST_KINDS = {
    "alarm_clock", "armchair", "bed_double", "bookshelf", "chair", "desk", "floor_lamp", "nightstand",
    "potted_plant", "rug", "table_lamp", "wardrobe",
}  # fmt: skip


@st.composite
def orders(draw: st.DrawFn) -> tuple[str, tuple[float, float, float], str, int]:
    """A kind, a size within its limits (the limits themselves often), a style and a seed."""
    kind = draw(st.sampled_from(sorted(INFO)))
    info = INFO[kind]
    sides = zip(info.smallest, info.largest, strict=True)
    size = tuple(draw(st.sampled_from([lo, hi]) | st.floats(lo, hi)) for lo, hi in sides)
    return kind, size, draw(st.sampled_from(info.styles)), draw(st.integers(0, 10_000))


def check_sound(piece: Piece) -> None:
    """What holds for every piece and every room: indices, numbers, closed shells with outward faces."""
    for solid in piece.solids:
        where = f"{piece.kind} {piece.style} {piece.seed}: {solid.name}"
        assert np.isfinite(solid.vertices).all(), where
        assert len(solid.faces) == len(solid.material_index) == len(solid.smooth), where
        assert all(len(face) == len(set(face)) >= 3 for face in solid.faces), where
        used = {index for face in solid.faces for index in face}
        assert used == set(range(len(solid.vertices))), where
        assert set(solid.material_index.tolist()) <= set(range(len(piece.materials))), where
        edges = Counter((a, b) for face in solid.faces for a, b in zip(face, (*face[1:], face[0]), strict=True))
        assert max(edges.values()) == 1, where
        assert all((b, a) in edges for a, b in edges), f"{where} is open"
        assert min(shell_volumes(solid)) > 0, f"{where} is inside out"
        assert not folded_faces(solid), f"{where} has folded faces"
    names = [solid.name for solid in piece.solids]
    assert len(set(names)) == len(names)
    assert all(solid.parent is None or solid.parent in names for solid in piece.solids)


def shell_volumes(solid: Solid) -> list[float]:
    mesh = mesh_of(solid)
    a, b, c = np.moveaxis(mesh.corners(), 1, 0)
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    count = len(mesh.vertices)
    first, second = mesh.triangles[:, [0, 0]].ravel(), mesh.triangles[:, 1:].ravel()
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
    shells, label = connected_components(graph, directed=False)
    return [float(v) for v in np.bincount(label[mesh.triangles[:, 0]], volumes, shells)]


def folded_faces(solid: Solid) -> list[int]:
    """Wide faces whose fan has a triangle against the face: concave ones."""
    folded = []
    for number, face in enumerate(solid.faces):
        if len(face) > 4:
            p = solid.vertices[list(face)]
            fan = np.cross(p[1:-1] - p[0], p[2:] - p[0])
            total = fan.sum(0)
            if (fan @ total < -1e-9 * (total @ total)).any():
                folded.append(number)
    return folded


def stands(piece: Piece) -> bool:
    """The contract's `supported`: its centre of mass (by surface) lies over what touches the floor."""
    mesh = mesh_of(piece)
    area = np.linalg.norm(mesh.cross_products(), axis=1)
    centre = (mesh.corners().mean(1) * area[:, None]).sum(0) / area.sum()
    feet = mesh.vertices[mesh.vertices[:, 2] < 1e-3][:, :2]
    return bool(MultiPoint(feet).convex_hull.buffer(0.01).contains(Point(centre[:2])))


def test_the_first_kinds_are_there():
    assert set(INFO) >= FIRST_KINDS


@pytest.mark.parametrize(("kind", "style"), EVERY)
@pytest.mark.parametrize("seed", range(6))
def test_pieces_are_closed_outward_and_light(kind: str, style: str, seed: int):
    piece = build(kind, style=style, seed=seed)
    check_sound(piece)
    assert len(mesh_of(piece).triangles) <= 5000
    assert piece.size == INFO[kind].default_size(style)
    assert piece.mass_kg > 0
    assert stands(piece)


@given(orders())
def test_any_allowed_size_is_honoured_exactly(order: tuple[str, tuple[float, float, float], str, int]):
    kind, size, style, seed = order
    piece = build(kind, size, style, seed)
    check_sound(piece)
    vertices = mesh_of(piece).vertices
    low, high = vertices.min(0), vertices.max(0)
    assert np.abs(high - low - size).max() < TENTH_MM
    assert abs(low[2]) < TENTH_MM, "it does not stand at z = 0"
    assert np.abs(low[:2] + high[:2]).max() < TENTH_MM, "its origin is not in its middle"
    assert len(mesh_of(piece).triangles) <= 5000
    assert stands(piece)
    for light in piece.lights:
        assert (low < light.location).all() and (light.location < high).all()


@given(orders())
def test_the_same_order_gives_the_same_piece(order: tuple[str, tuple[float, float, float], str, int]):
    one, two = build(*order), build(*order)
    assert one.materials == two.materials and one.lights == two.lights and one.surfaces == two.surfaces
    for a, b in zip(one.solids, two.solids, strict=True):
        assert a.name == b.name and a.faces == b.faces and a.joint == b.joint
        assert np.array_equal(a.vertices, b.vertices) and np.array_equal(a.material_index, b.material_index)


@pytest.mark.parametrize(("kind", "style"), EVERY)
def test_what_has_a_front_looks_to_minus_y(kind: str, style: str):
    piece = build(kind, style=style)
    assert piece.front == ((0.0, -1.0) if INFO[kind].has_front else None)
    assert piece.up == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["chair", "armchair", "bed_double"])
def test_backs_and_headboards_are_at_plus_y(kind: str, style: str):
    """The front is a fact of the geometry, not only of the label."""
    vertices = mesh_of(build(kind, style=style)).vertices
    upper = vertices[vertices[:, 2] > 0.85 * vertices[:, 2].max()]
    assert upper[:, 1].min() > 0


@pytest.mark.parametrize("kind", sorted(INFO))
def test_styles_differ_in_parts_and_seeds_in_looks(kind: str):
    shapes = {style: {len(mesh_of(build(kind, style=style, seed=s)).vertices) for s in range(4)} for style in STYLES}
    assert all(shapes[a] != shapes[b] for a, b in product(STYLES, STYLES) if a < b)
    for style in STYLES:
        looks = {build(kind, style=style, seed=seed).materials for seed in range(8)}
        assert len(looks) >= 2


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("kind", "surface", "count"),
    [
        ("nightstand", "top", 1), ("desk", "top", 1), ("bookshelf", "board", 4), ("wardrobe", "inside", 1),
        ("rug", "rug", 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(3))
def test_supports_are_flat_and_as_large_as_they_say(kind: str, surface: str, count: int, style: str, seed: int):
    piece = build(kind, style=style, seed=seed)
    hints = [hint for hint in piece.surfaces if hint.name.startswith(surface)]
    assert len(hints) >= count
    mesh = mesh_of(piece)
    normals = mesh.cross_products()
    area = np.linalg.norm(normals, axis=1) / 2
    level = normals[:, 2] > 0.9999 * 2 * area
    for hint in hints:
        corners = mesh.corners()
        at_height = level & (np.abs(corners[:, :, 2] - hint.z) < TENTH_MM).all(1)
        middle = corners.mean(1)
        inside = (hint.x[0] <= middle[:, 0]) & (middle[:, 0] <= hint.x[1])
        wanted = (hint.x[1] - hint.x[0]) * (hint.y[1] - hint.y[0])
        assert area[at_height & inside].sum() > 0.75 * wanted, hint


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["nightstand", "desk", "wardrobe"])
def test_drawers_and_doors_are_solids_of_their_own_that_open_to_the_front(kind: str, style: str):
    piece = build(kind, style=style, seed=1)
    body = next(solid for solid in piece.solids if solid.parent is None)
    moving = [solid for solid in piece.solids if solid.joint]
    assert moving
    for solid in moving:
        joint = solid.joint
        assert joint is not None and solid.parent == body.name and joint.limit > 0
        centre = solid.vertices.mean(0)
        if joint.kind == "slide":
            assert joint.axis == (0.0, -1.0, 0.0)
            depth = np.ptp(solid.vertices[:, 1])
            assert 0.5 * depth < joint.limit < depth
        else:
            # The first small turn takes the leaf's middle towards −Y, out of the carcass.
            assert np.cross(joint.axis, centre - joint.origin)[1] < 0


def test_a_wardrobe_has_at_least_two_doors_a_shelf_and_a_rail():
    for style in STYLES:
        piece = build("wardrobe", style=style)
        assert sum(solid.name.startswith("Door") for solid in piece.solids) == 2
    wide = build("wardrobe", (2.4, 0.6, 2.1))
    assert sum(solid.name.startswith("Door") for solid in wide.solids) == 4


@pytest.mark.parametrize("kind", ["table_lamp", "floor_lamp"])
@pytest.mark.parametrize("style", STYLES)
def test_lamps_shine_out_of_an_open_shade(kind: str, style: str):
    piece = build(kind, style=style)
    (light,) = piece.lights
    assert light.energy > 0
    shade = mesh_of(next(solid for solid in piece.solids if solid.name == "Shade"))
    # Straight down from the bulb, no triangle of the shade is met.
    flat = shade.corners()[:, :, :2] - np.array(light.location[:2])
    below = shade.corners()[:, :, 2].max(1) < light.location[2]
    cross = [flat[:, k, 0] * flat[:, (k + 1) % 3, 1] - flat[:, k, 1] * flat[:, (k + 1) % 3, 0] for k in range(3)]
    covers = (np.sign(cross) == np.sign(cross[0])).all(0) & (np.abs(cross[0]) > 1e-12)
    assert not (below & covers).any()


def test_unknown_kinds_styles_and_sizes_are_refused_with_what_would_do():
    with pytest.raises(ScenewrightError) as refusal:
        build("nightstnad")
    assert refusal.value.code == "bad_input" and "nightstand" in refusal.value.candidates
    with pytest.raises(ScenewrightError, match="does not come in the style 'rococo'"):
        build("chair", style="rococo")
    for size in [(9.0, 0.4, 0.5), (0.45, 0.4), (0.45, 0.4, float("nan"))]:
        with pytest.raises(ScenewrightError) as refusal:
            build("nightstand", size)  # type: ignore[arg-type]
        assert refusal.value.code == "bad_input" and "0.3–0.8 m wide" in refusal.value.hint


# Rooms


DOOR = Opening("south", 1.0, 0.9, 2.05, 0.0, "door")
WINDOW = Opening("east", -0.5, 1.4, 1.3, 0.9, "window")


def solid_named(piece: Piece, name: str) -> Solid:
    return next(solid for solid in piece.solids if solid.name == name)


@given(st.floats(1.5, 20), st.floats(1.5, 20), st.floats(2.0, 5.0))
def test_a_rooms_interior_is_exactly_as_ordered(width: float, depth: float, height: float):
    room = room_shell(width, depth, height)
    check_sound(room)
    floor = solid_named(room, "Floor").vertices
    assert np.allclose(floor.max(0), (width / 2, depth / 2, 0.0), atol=1e-6)
    assert np.allclose(floor.min(0)[:2], (-width / 2, -depth / 2), atol=1e-6)
    inner = {"North": (1, "min", depth / 2), "South": (1, "max", -depth / 2)}
    inner |= {"East": (0, "min", width / 2), "West": (0, "max", -width / 2)}
    for side, (axis, end, expected) in inner.items():
        wall = solid_named(room, f"Wall {side}").vertices
        assert getattr(wall[:, axis], end)() == pytest.approx(expected, abs=1e-9)
        assert np.ptp(wall[:, axis]) == pytest.approx(0.1, abs=1e-9)
        assert (wall[:, 2].min(), wall[:, 2].max()) == pytest.approx((0.0, height))


def test_holes_are_real_where_ordered_and_filled_with_window_and_door():
    room = room_shell(4.0, 5.0, 2.6, [DOOR, WINDOW, Opening("east", 1.2, 0.6, 0.6, 1.2)], skirting=True)
    check_sound(room)
    names = [solid.name for solid in room.solids]
    assert {"Window", "Window 2", "Door", "Door Frame", "Skirting North"} <= set(names)
    east = solid_named(room, "Wall East").vertices
    assert {-1.2, 0.2} <= set(np.round(east[:, 1], 6)) and {0.9, 2.2} <= set(np.round(east[:, 2], 6))
    assert covered(solid_named(room, "Wall East"), axis=0, at=(0.0, 0.5))
    assert not covered(solid_named(room, "Wall East"), axis=0, at=(-0.5, 1.5))
    assert not covered(solid_named(room, "Wall South"), axis=1, at=(1.0, 1.0))
    assert covered(solid_named(room, "Wall South"), axis=1, at=(1.0, 2.3))
    window, door = solid_named(room, "Window").vertices, solid_named(room, "Door")
    assert np.allclose([window[:, 1].min(), window[:, 1].max()], [-1.2, 0.2], atol=1e-6)
    assert door.vertices[:, 0].min() >= 0.55 and door.vertices[:, 0].max() <= 1.45
    # Nothing but the floor reaches further into the room than a door handle.
    inside = [s for s in room.solids if s.name.startswith(("Wall", "Window"))]
    assert all(np.maximum(np.abs(s.vertices[:, 0]) - 2.0, np.abs(s.vertices[:, 1]) - 2.5).min() > -1e-9 for s in inside)


@pytest.mark.parametrize("wall", ["north", "east", "south", "west"])
def test_every_door_is_at_its_place_and_opens_into_the_room(wall: str):
    room = room_shell(4.0, 4.0, 2.6, [Opening(wall, 0.7, 0.9, 2.0, 0.0, "door")])  # type: ignore[arg-type]
    door = solid_named(room, "Door")
    along = 0 if wall in ("north", "south") else 1
    assert (door.vertices[:, along].min() + door.vertices[:, along].max()) / 2 == pytest.approx(0.7, abs=0.01)
    joint = door.joint
    assert joint is not None
    centre = door.vertices.mean(0)
    motion = np.cross(joint.axis, centre - joint.origin)
    assert motion @ -centre > 0


def covered(wall: Solid, axis: int, at: tuple[float, float]) -> bool:
    """Whether a ray through the wall at (along, z) meets it."""
    keep = [k for k in range(3) if k != axis]
    flat = mesh_of(wall).corners()[:, :, keep] - np.array(at)
    cross = np.array(
        [flat[:, k, 0] * flat[:, (k + 1) % 3, 1] - flat[:, k, 1] * flat[:, (k + 1) % 3, 0] for k in range(3)]
    )
    return bool(((cross > 0).all(0) | (cross < 0).all(0)).any())


@pytest.mark.parametrize(
    "openings",
    [
        [Opening("north", 1.8, 1.0, 1.0, 1.0)],
        [Opening("north", 0.0, 1.0, 1.0, 2.0)],
        [Opening("north", 0.0, 1.0, 1.0, 1.0), Opening("north", 0.5, 1.0, 1.0, 1.0)],
    ],
)
def test_openings_that_do_not_fit_are_refused(openings: list[Opening]):
    with pytest.raises(ScenewrightError) as refusal:
        room_shell(4.0, 4.0, 2.6, openings)
    assert refusal.value.code == "bad_input" and refusal.value.hint
