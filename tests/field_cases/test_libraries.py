"""Linked data: instances, overrides and linked meshes are edited or refused; libraries are never written."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import bpy
import pytest

from scenewright.executor.blender import files
from scenewright.executor.blender.read import SceneReader

from .. import zoo
from .product import Graph, Product, size_of


def _library(product: Product) -> Path:
    """A file beside the scene with a chair in a collection; the scene is empty again afterwards."""
    chair = zoo.chair("LibraryChair", collection=zoo.collection("Chair"))
    chair.data.materials.append(zoo.material("Oak", (0.3, 0.2, 0.1)))
    path = product.save("library.blend")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return path


def _link(library: Path, kind: str, name: str) -> bpy.types.ID:
    with bpy.data.libraries.load(str(library), link=True, relative=True) as (_, wanted):
        setattr(wanted, kind, [name])
    return getattr(wanted, kind)[0]


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _instanced(product: Product) -> Path:
    product.save()  # so that the library's path is relative to it
    library = _library(product)
    product.save()
    zoo.instance("Chair instance", _link(library, "collections", "Chair"), (1, 0, 0))
    return library


def test_b15_an_instance_of_a_linked_collection_moves_and_the_library_stays(product: Product):
    library = _instanced(product)
    digest = _digest(library)
    graph = product.graph()
    assert graph.thing("Chair instance").category == "chair"
    assert size_of(graph.thing("Chair instance")) == pytest.approx([0.44, 0.44, 0.9], abs=1e-5)

    product.do("move the chair 10 cm west")

    assert tuple(bpy.data.objects["Chair instance"].location) == pytest.approx((0.9, 0, 0), abs=1e-6)
    assert size_of(product.graph().thing("Chair instance")) == pytest.approx([0.44, 0.44, 0.9], abs=1e-5)
    assert _digest(library) == digest


def test_b15_the_library_is_found_again_from_another_folder(product: Product):
    _instanced(product)
    path = product.save()
    (product.folder / "deeper").mkdir()
    product.folder = product.folder / "deeper"
    product.do("move the chair 10 cm west", scene=path)
    assert not any(library.is_missing for library in bpy.data.libraries)
    assert size_of(product.graph().thing("Chair instance"))[2] == pytest.approx(0.9, abs=1e-5)


@pytest.mark.parametrize(
    "request_", ["move the chair 10 cm east", "make the chair 20 % smaller", "paint the chair red"]
)
def test_b15_a_directly_linked_object_is_refused_with_the_reason(product: Product, request_: str):
    library = _library(product)
    product.save()
    bpy.context.scene.collection.objects.link(_link(library, "objects", "LibraryChair"))
    answer = product.edit(request_)
    assert (answer.code, answer.refusal) == (2, "unsupported")
    assert "library.blend" in answer.said


def test_b15_painting_an_instance_of_a_linked_collection_is_refused(product: Product):
    library = _instanced(product)
    digest = _digest(library)
    answer = product.edit("paint the chair red")
    assert (answer.code, answer.refusal) == (2, "unsupported")
    assert _digest(library) == digest


def _overridden(product: Product) -> None:
    library = _library(product)
    product.save()
    linked = _link(library, "objects", "LibraryChair")
    bpy.context.scene.collection.objects.link(linked)
    override = linked.override_create(remap_local_usages=True)
    override.location.x = 1


@pytest.mark.parametrize(
    ("request_", "place", "scale"),
    [("move the chair 10 cm north", (1, 0.1, 0), 1.0), ("scale the chair to 50 %", (1, 0, 0), 0.5)],
)
def test_b15_an_override_is_changed_and_holds_after_a_reload(
    product: Product, request_: str, place: tuple[float, ...], scale: float
):
    _overridden(product)
    product.do(request_)
    chair = next(o for o in bpy.context.scene.objects if o.override_library)
    assert tuple(chair.location) == pytest.approx(place, abs=1e-6)
    assert tuple(chair.scale) == pytest.approx((scale,) * 3, abs=1e-6)


def test_b15_an_override_is_painted_and_holds_after_a_reload(product: Product):
    _overridden(product)
    product.do("paint the chair red")
    chair = next(o for o in bpy.context.scene.objects if o.override_library)
    assert "red" in product.graph().thing(chair.name).colors
    oak = next(m for m in bpy.data.materials if m.library)
    shader = next(n for n in oak.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    assert tuple(shader.inputs[0].default_value)[:3] == pytest.approx((0.3, 0.2, 0.1))


def test_b15_an_override_keeps_its_id_through_edits(product: Product):
    _overridden(product)
    product.do("move the chair 10 cm north")
    name = next(o.name for o in bpy.context.scene.objects if o.override_library)
    first = product.graph().thing(name).id
    zoo.chair("A chair", (4, 0, 0))
    product.do(f"move {name} 10 cm north")
    assert product.graph().thing(name).id == first


def test_b15_a_local_object_with_a_linked_mesh_can_be_painted(product: Product):
    library = _library(product)
    product.save()
    zoo.put("Chair", _link(library, "meshes", "LibraryChair"))
    product.do("paint the chair red")
    assert bpy.data.objects["Chair"].data.library is not None
    assert "red" in product.graph().thing("Chair").colors


def test_missing_libraries_are_said_and_do_not_crash(product: Product):
    library = _instanced(product)
    zoo.table(at=(3, 0, 0))
    path = product.save()
    library.unlink()
    graph = product.graph(path)
    assert any("library.blend" in w for w in graph.warnings)
    assert size_of(graph.thing("Table"))[2] == pytest.approx(0.75)


# --- io7m's bedroom: 20 libraries, 12 overrides, 15 instances, 69 generated instances, hidden volumes -------


@dataclass(frozen=True)
class Bedroom:
    """The bedroom as first read, and what Blender says is in it."""

    graph: Graph
    objects: list[str]
    instances: list[str]


def _bedroom_file(field_data: Path) -> Path:
    return field_data / "scenes/io7m_bedroom/bedroom.blend"


@pytest.fixture(scope="module")
def bedroom(field_data: Path) -> Bedroom:
    files.open_scene(_bedroom_file(field_data))
    graph = SceneReader().read(bpy.context).graph
    objects = bpy.context.scene.objects
    return Bedroom(
        Graph.model_validate(graph.model_dump(by_alias=True)),
        [o.name for o in objects],
        [o.name for o in objects if o.instance_collection],
    )


def test_v5_every_object_belongs_to_exactly_one_thing(bedroom: Bedroom):
    listed = sorted(n for e in bedroom.graph.objects for n in e.entity_of)
    assert listed == sorted(bedroom.objects)


def test_v5_fog_blocker_and_ceiling_are_hidden(bedroom: Bedroom):
    for name in ("fog", "blocker", "ceiling"):
        assert bedroom.graph.thing(name).hidden, name


def test_v5_fog_and_blocker_are_neither_furniture_nor_related_to_anything(bedroom: Bedroom):
    hidden = {bedroom.graph.thing(n).id for n in ("fog", "blocker")}
    assert not any({r.subject, r.object} & hidden for r in bedroom.graph.relations)
    assert not any(e.support.on in hidden for e in bedroom.graph.objects)
    assert [e.name for e in bedroom.graph.objects if e.id in hidden and e.role == "furniture"] == []


def test_v5_the_room_comes_from_its_walls(bedroom: Bedroom):
    bed = bedroom.graph.thing("bed")
    room = next(r for r in bedroom.graph.rooms if r.id == bed.room)
    assert room.area == pytest.approx(16, abs=1)
    assert room.floor_z == pytest.approx(0, abs=0.01)
    for name in ("workbench", "tallShelfRoot", "bedside", "carpet"):
        assert bedroom.graph.thing(name).room == bed.room, name


def test_v5_instances_of_linked_collections_are_things_with_bounds(bedroom: Bedroom):
    assert len(bedroom.instances) == 15
    for name in bedroom.instances:
        assert size_of(bedroom.graph.thing(name)).min() > 0.005, name


def test_v5_things_stand_where_a_person_sees_them(bedroom: Bedroom):
    def carrier(name: str) -> str:
        on = bedroom.graph.thing(name).support.on
        return next((e.name for e in bedroom.graph.objects if e.id == on), on)

    assert carrier("bed") == carrier("bedside") == carrier("workbench") == "floor"
    assert carrier("pillowCollection") == "bedding"
    assert carrier("bottleCollection") == carrier("alarmCollection") == "bedside"
    assert carrier("keyboard_proxy.001") == "workbench"
    assert carrier("painting.000").startswith("wall_")
    assert carrier("carpet") == "floor"


def test_v5_b15_the_lamp_is_asked_about_since_there_are_several(product: Product, field_data: Path):
    answer = product.edit("move the lamp 10 cm left", scene=_bedroom_file(field_data))
    assert (answer.code, answer.refusal) == (2, "ambiguous")
    assert len(answer.data["error"]["candidates"]) > 1


def test_b15_io7m_a_linked_pillow_moves_and_no_library_is_written(product: Product, field_data: Path):
    folder = field_data / "scenes/io7m_bedroom"
    digests = {p.name: _digest(p) for p in folder.glob("*.blend")}

    answer = product.edit("move pillowCollection 3 cm up", scene=_bedroom_file(field_data))

    assert answer.code == 0, answer.data
    moved = answer.changes("moved")["pillowCollection"]
    assert moved["after"]["center"][2] - moved["before"]["center"][2] == pytest.approx(0.03, abs=0.05)
    assert answer.data["preservation"]["changed"] == []
    assert {p.name: _digest(p) for p in folder.glob("*.blend")} == digests
    assert not any(library.is_missing for library in bpy.data.libraries)
    assert len(bpy.context.scene.objects) == 185
