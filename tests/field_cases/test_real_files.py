"""Every real file is read without loss: nothing left out, nothing twice, bounds as Blender draws them."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from .product import Product

SCENES = "scenes/gltf_blender_io/tests/scenes"
FILES = [
    *(
        f"{SCENES}/{name}.blend"
        for name in (
            "00_scene_export",
            "01_linked_collection",
            "01_multiple_collection_instances",
            "02_material_instancing",
            "02_node_hierarchy",
            "02_shared_mesh",
            "03_skinned_cylinder",
            "04_lights",
            "06_parent-inverse-anim",
            "11_loose_geometry",
            "21_scene",
            "22_simple_GN",
            "23_use_active_collection_nested",
            "25_mesh_instances",
            "32_gpu_instancing_with_instancing",
            "A",
            "B",
            "C",
            "collection_to_link",
            "gn_nested_instances",
        )
    ),
    *(
        f"furniture/zeyuli/{name}.blend"
        for name in ("bed", "bookshelf", "chair", "door", "drawer", "dresser", "lamp", "plate", "simple_desk")
    ),
    "furniture/zeyuli/chair.fbx",
    "scenes/workspace/room.glb",
    "scenes/io7m_bedroom/books.blend",
]


def drawn_bounds() -> np.ndarray:
    """``(2, 3)`` world box of all that the open scene draws, instance by instance."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        owner = (instance.parent if instance.is_instance else instance.object).original
        obj = instance.object
        seen = owner.visible_get() and (instance.is_instance or instance.show_self)
        if not seen or (owner.hide_render and owner.display_type in {"WIRE", "BOUNDS"}):
            continue
        if obj.type not in {"MESH", "CURVE", "FONT", "SURFACE"}:
            continue
        mesh = obj.data if obj.type == "MESH" else obj.to_mesh()
        local = np.empty(len(mesh.vertices) * 3, np.float32)
        mesh.vertices.foreach_get("co", local)
        matrix = np.array(instance.matrix_world)
        points = local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
        if len(points):
            low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return np.array([low, high])


@pytest.mark.parametrize("file", FILES)
def test_nothing_is_lost_doubled_or_misplaced(product: Product, field_data: Path, file: str):
    graph = product.graph(field_data / file)

    listed = sorted(n for e in graph.objects for n in e.entity_of)
    assert listed == sorted(o.name for o in bpy.context.scene.objects)
    assert len({e.id for e in graph.objects}) == len(graph.objects)
    boxes = np.array([(e.aabb.min, e.aabb.max) for e in graph.objects if not e.hidden and e.aabb.min != e.aabb.max])
    union = np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    scale = bpy.context.scene.unit_settings.scale_length
    assert union == pytest.approx(drawn_bounds() * scale, abs=1e-4)
