"""Relations hold within a storey and a room: not through floors and walls."""

from __future__ import annotations

import pytest

from .. import zoo
from .product import Graph, Product


def _two_storeys(slab: float = 0.2) -> None:
    """Two rooms of 4 × 5 m one over the other, walls 2.6 m high."""
    for number, z in enumerate((0, 2.6 + slab)):
        zoo.box(f"Floor {number}", (4.2, 5.2, slab), (0, 0, z - slab))
        for side, at, size in (
            ("N", (0, 2.55), (4.2, 0.1)),
            ("S", (0, -2.55), (4.2, 0.1)),
            ("E", (2.05, 0), (0.1, 5)),
            ("W", (-2.05, 0), (0.1, 5)),
        ):
            zoo.box(f"Wall {side}{number}", (*size, 2.6), (*at, z))


def _two_rooms() -> None:
    """Two rooms side by side, with a doorway of 0.9 m in the middle of the wall of 10 cm at x = 0 between them."""
    zoo.room(8, 5)
    zoo.put(
        "Partition",
        zoo.mesh(
            "Partition", [((0.1, 2.05, 2.6), (0, y, 0)) for y in (-1.475, 1.475)] + [((0.1, 0.9, 0.5), (0, 0, 2.1))]
        ),
    )


def _related(graph: Graph, kind: str) -> set[tuple[str, str]]:
    """Pairs of names; walls by the name of the object they are of."""
    names = {e.id: e.name for e in graph.objects}
    names |= {w.id: names[w.object_id] for w in graph.walls}
    return {(names[r.subject], names[r.object]) for r in graph.relations if r.kind == kind}


@pytest.mark.parametrize("slab", [0.2, 0.02])
def test_things_stand_against_the_walls_of_their_storey(product: Product, slab: float):
    _two_storeys(slab)
    up = 2.6 + slab
    zoo.box("Wardrobe", (1, 0.6, 2.55), (0, 2.2, 0))
    zoo.box("Sideboard", (1, 0.4, 0.8), (1, 2.28, up))
    zoo.box("Rug", (1, 1, 0.01), (-1.45, 0, up))
    assert _related(product.graph(), "against") == {
        ("Wardrobe", "Wall N0"),
        ("Sideboard", "Wall N1"),
        ("Rug", "Wall W1"),
    }


def test_nothing_is_near_under_or_in_front_of_what_is_on_another_storey(product: Product):
    _two_storeys()
    zoo.box("Wardrobe", (1, 0.6, 2.3), (0, 2.2, 0))
    zoo.box("Bed", (1, 2, 0.5), (0, 1.4, 2.8))
    zoo.chair("Chair", (0, 1, 0))
    zoo.table("Table", (0, 0.2, 2.8))
    zoo.table("Desk", (0, -0.5, 0))
    graph = product.graph()
    pairs = {frozenset(p) for kind in ("near", "under", "facing") for p in _related(graph, kind)}
    upstairs = {"Bed", "Table"}
    assert pairs and all(pair <= upstairs or not pair & upstairs for pair in pairs)
    assert ("Chair", "Desk") in _related(graph, "facing")


def test_nothing_is_near_or_in_front_of_what_is_behind_a_wall(product: Product):
    _two_rooms()
    zoo.box("Sideboard", (0.4, 1.2, 0.8), (-0.25, 1.5, 0))
    zoo.box("Cabinet", (0.4, 1.2, 0.8), (0.25, 1.5, 0))
    zoo.chair("Chair", (0.6, -1.5, 0), yaw_deg=-90)
    zoo.table("Table", (-0.9, -1.5, 0))
    graph = product.graph()
    assert len(graph.rooms) == 2
    assert not _related(graph, "near") and not _related(graph, "facing")


def test_things_are_near_each_other_through_a_doorway(product: Product):
    _two_rooms()
    zoo.chair("Chair", (0.5, 0, 0), yaw_deg=-90)
    zoo.table("Table", (-0.9, 0, 0))
    graph = product.graph()
    assert ("Chair", "Table") in _related(graph, "near") & _related(graph, "facing")
