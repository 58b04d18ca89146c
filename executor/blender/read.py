"""From Blender's view layer to a `Snapshot`, and from there to the scene graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import bpy
import numpy as np

from ..geometry.mesh import FloatArray
from ..model.steps import Steps, finish
from ..reading.build import Scene, SceneBuilder
from ..reading.snapshot import AssetNote, HiddenBy, ObjectRecord, Part, Shape, Snapshot
from . import marks
from .contents import Contents, homes_in
from .looks import LookCache, LookPass
from .shapes import ShapeCache, ShapePass

_FLOAT32_STEP = 2.0**-23


class SceneReader:
    """Reads the active view layer; keep one per session, so that a second read costs what has changed."""

    def __init__(self) -> None:
        self._shapes = ShapeCache()
        self._looks = LookCache()
        self._builder = SceneBuilder()

    def read(self, context: bpy.types.Context, scale_factor: float = 1.0) -> Scene:
        """Understand the context's view layer as it is now."""
        return finish(self.understand(self.snapshot(context, scale_factor)))

    def understand(self, snapshot: Snapshot) -> Steps[Scene]:
        """Understand a snapshot that this reader took, piece by piece: nothing of it is Blender's any more."""
        return self._builder.build(snapshot)

    def snapshot(self, context: bpy.types.Context, scale_factor: float = 1.0) -> Snapshot:
        """Copy what the view layer shows into arrays, in metres: in one piece, since Blender may evaluate anew, and
        free what it evaluated, whenever it has its turn.

        Args:
            context: whose scene and view layer to read.
            scale_factor: metres per scene unit as a multiple of what the file claims.
        """
        scene, view_layer = context.scene, context.view_layer
        metres = metres_per_unit(scene) * scale_factor
        depsgraph = context.evaluated_depsgraph_get()
        walk = _Walk(self._shapes.begin(), self._looks.begin(), metres)
        drawn = walk.drawn_parts(depsgraph)
        in_layer = {o.name_full for o in view_layer.objects}
        own = {o.name_full for o in scene.objects}
        records = [
            walk.record(obj, drawn.get(obj.name_full), homes, _hidden_by(obj, view_layer, in_layer))
            for obj, homes in _objects_of(scene)
        ]
        records += [
            replace(
                walk.record(obj, drawn.get(obj.name_full), homes, None if obj.name_full in drawn else "excluded"),
                keeps_marks=False,  # what is drawn behind a scene is not changed with it
            )
            for behind in _background_of(scene)
            for obj, homes in _objects_of(behind)
            if obj.name_full not in own
        ]
        records.sort(key=lambda r: r.name)
        self._shapes.keep_only({p.shape.key for r in records for p in r.parts})
        return Snapshot(
            objects=tuple(records),
            metres_per_unit=metres,
            north_deg=marks.north_deg(scene),
            memory=marks.scene_memory(scene),
            warnings=(*marks.doubts(scene), *_doubts(scene, records, walk.nowhere)),
        )


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """What one Blender unit is in metres: the scene's unit scale, whatever system it displays in."""
    return float(scene.unit_settings.scale_length) or 1.0


class _Walk:
    """One walk over a view layer, sharing what is read of meshes and materials.

    Attributes:
        nowhere: names of objects whose matrix holds no finite numbers, as far as it came.
    """

    def __init__(self, shapes: ShapePass, looks: LookPass, metres: float) -> None:
        self._shapes = shapes
        self._looks = looks
        self._metres = metres
        self._contents = Contents()
        self.nowhere: list[str] = []

    def drawn_parts(self, depsgraph: bpy.types.Depsgraph) -> dict[str, list[Part]]:
        """What the depsgraph draws, by the name of the scene object on whose behalf it does."""
        drawn: dict[str, list[Part]] = {}
        for instance in depsgraph.object_instances:
            source = instance.object  # of instances, too: `instance_object` is what they stem from, not what is drawn
            owner = instance.parent if instance.is_instance else instance.object
            parts = drawn.setdefault(owner.original.name_full, [])
            shows = instance.is_instance or instance.show_self
            shape = self._shapes.shape_of(source) if shows else None
            if shape is None and not instance.is_instance:
                continue
            matrix = self._matrix(instance.matrix_world)
            if not np.isfinite(matrix).all():
                continue
            part = None if shape is None else self._part(source, shape, matrix)
            if part is not None:
                parts.append(part)
            if instance.is_instance:
                self._contents.add(instance, matrix, part)
        return drawn

    def record(
        self,
        obj: bpy.types.Object,
        drawn: list[Part] | None,
        collections: tuple[str, ...],
        hidden: HiddenBy | None,
    ) -> ObjectRecord:
        """One object; hidden ones are read from their own data, since the depsgraph may not evaluate them."""
        if drawn and not hidden and drawn[0].name == obj.name and not obj.is_instancer:
            matrix = drawn[0].world_from_local
        else:
            matrix = self._matrix(world_matrix(obj) if hidden else obj.matrix_world)
        nowhere = not np.isfinite(matrix).all()
        if nowhere:
            self.nowhere.append(obj.name)
            matrix = np.eye(4)
        parts = drawn or []
        if hidden:
            shape = self._shapes.shape_of(obj)
            parts = [] if shape is None or nowhere else [self._part(obj, shape, matrix)]
        instanced = obj.instance_collection if obj.instance_type == "COLLECTION" else None
        found = ObjectRecord(
            name=obj.name_full,
            title=obj.name,
            kind=obj.type,
            world_from_local=matrix,
            parent=obj.parent.name_full if obj.parent else None,
            on_bone=obj.parent_type == "BONE",
            collections=collections,
            parts=tuple(parts),
            bounds=self._bounds(obj, matrix) if not parts else None,
            hidden=hidden,
            instance_of=instanced.name if instanced else None,
            data_name=obj.data.name if obj.data else None,
            marks=marks.object_marks(obj),
            asset=_asset_note(obj) or (_asset_note(instanced) if instanced else None),
            session_key=(obj.session_uid,),
            keeps_marks=marks.can_carry_id(obj),
        )
        return found if instanced is None else replace(found, holds=self._contents.of(obj, found, self.record))

    def _part(self, source: bpy.types.Object, shape: Shape, matrix: FloatArray) -> Part:
        slots = tuple(self._looks.look_of(s.material) for s in source.material_slots)
        return Part(shape, matrix, slots, source.name)

    def _matrix(self, matrix: object) -> FloatArray:
        out = np.array(matrix, np.float64)
        out[:3] *= self._metres
        return out

    def _bounds(self, obj: bpy.types.Object, world: FloatArray) -> FloatArray | None:
        if obj.type not in {"VOLUME", "GPENCIL", "GREASEPENCIL", "CURVES", "GAUSSIAN_SPLAT"}:
            return None
        corners = np.array([tuple(c) for c in obj.bound_box], np.float64)
        return corners @ world[:3, :3].T + world[:3, 3]


def world_matrix(obj: bpy.types.Object) -> object:
    """World matrix of an object that the depsgraph may not have evaluated: from its own values, up the chain.

    ``matrix_world`` is stale for excluded and disabled objects. Constraints and drivers are not applied here.
    """
    world = obj.matrix_basis
    while obj.parent is not None:
        world = obj.parent.matrix_basis @ obj.matrix_parent_inverse @ world
        obj = obj.parent
    return world


def _hidden_by(obj: bpy.types.Object, view_layer: bpy.types.ViewLayer, in_layer: set[str]) -> HiddenBy | None:
    if obj.name_full not in in_layer:
        return "excluded"
    if obj.hide_get(view_layer=view_layer):
        return "eye"
    if not obj.visible_get(view_layer=view_layer):
        return "viewport"
    if obj.hide_render and obj.display_type in {"WIRE", "BOUNDS"}:
        return "helper"
    return None


def _objects_of(scene: bpy.types.Scene) -> Iterator[tuple[bpy.types.Object, tuple[str, ...]]]:
    """A scene's objects by name, each with the collections that hold it."""
    homes = homes_in(scene.collection)
    for obj in sorted(scene.objects, key=lambda o: o.name_full):
        yield obj, homes[obj.name_full]


def _background_of(scene: bpy.types.Scene) -> list[bpy.types.Scene]:
    """The scenes that are drawn behind a scene: its background set, that one's, and so on."""
    found: list[bpy.types.Scene] = []
    behind = scene.background_set
    while behind is not None and behind != scene and behind not in found:
        found.append(behind)
        behind = behind.background_set
    return found


def _asset_note(block: bpy.types.ID | None) -> AssetNote | None:
    data = block.asset_data if block is not None else None
    if data is None:
        return None
    return AssetNote(tuple(t.name for t in data.tags), data.description or "", data.catalog_simple_name or "")


def _doubts(scene: bpy.types.Scene, records: list[ObjectRecord], nowhere: list[str]) -> list[str]:
    doubts = []
    shown = [r.world_from_local[:3, 3] for r in records if r.parts and not r.hidden]
    reach = max((float(np.abs(p).max()) for p in shown), default=0.0)
    if reach * _FLOAT32_STEP > 1e-4:
        doubts.append(
            f"The scene lies {reach / 1000:.0f} km from the origin: Blender stores positions to about "
            f"{reach * _FLOAT32_STEP * 1000:.0f} mm there, so finer distances cannot be checked."
        )
    broken = [r.title for r in records if any(p.shape.left_out for p in r.parts)]
    if broken:
        doubts.append(f"Some vertices have no place (no finite number) and are left out: {', '.join(broken)}.")
    if nowhere:
        doubts.append(f"Without a finite place, and therefore not read: {', '.join(nowhere)}.")
    others = [s.name for s in bpy.data.scenes if s not in (scene, *_background_of(scene)) and len(s.objects)]
    if others:
        doubts.append(f"Only the scene “{scene.name}” is read; the file also holds {', '.join(others)}.")
    edited = [o.name for o in scene.objects if o.mode == "EDIT"]
    if edited:
        doubts.append(f"Read without modifiers, being in Edit Mode: {', '.join(sorted(edited))}.")
    return doubts
