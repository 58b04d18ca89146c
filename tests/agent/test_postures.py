"""Laying things on their side and standing them up: they end up resting, on what they were on or on what is named."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from ..executor.rooms import block, edit, furnished, open_blend, save, worlds_in

RADIUS, HEIGHT, TABLE = 0.035, 0.24, 0.74


@pytest.fixture
def bottled(source: Path) -> Path:
    """The furnished room with a bottle on its table."""
    furnished()
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([RADIUS * np.cos(angles), RADIUS * np.sin(angles)], axis=1)
    corners = [(*p, z) for z in (0, HEIGHT) for p in ring.tolist()]
    sides = [(i, (i + 1) % 32, 32 + (i + 1) % 32, 32 + i) for i in range(32)]
    mesh = bpy.data.meshes.new("Bottle")
    mesh.from_pydata(corners, [], [*sides, tuple(range(31, -1, -1)), tuple(range(32, 64))])
    bottle = bpy.data.objects.new("Bottle", mesh)
    bpy.context.scene.collection.objects.link(bottle)
    bottle.location = (0.1, -0.2, TABLE)
    return save(source)


def vertices(path: Path, name: str) -> np.ndarray:
    open_blend(path)
    obj = bpy.data.objects[name]
    return np.array([obj.matrix_world @ v.co for v in obj.data.vertices])


@pytest.mark.parametrize(
    "request_",
    ["Lay the bottle on its side on the table", "lay the bottle on its side", "tip the bottle over", "turn it over"],
)
def test_b33_what_is_laid_down_touches_what_it_lies_on(request_: str, bottled: Path, out: Path):
    request_ = request_.replace("turn it over", "move the bottle 1 cm left and lay it on its side")
    done = edit(bottled, request_, out)
    assert (done.code, {r.status for r in done.result.requirements}) == (0, {"satisfied"})
    found = vertices(out, "Bottle")
    assert found[:, 2].min() == pytest.approx(TABLE, abs=0.001)
    assert np.ptp(found[:, 2]) == pytest.approx(2 * RADIUS, abs=0.001)
    axis = worlds_in(out)["Bottle"][:3, 2]
    assert axis[2] == pytest.approx(0, abs=1e-5)


def test_b33_it_lies_where_it_stood(bottled: Path, out: Path):
    edit(bottled, "lay the bottle on its side", out)
    before, after = (vertices(path, "Bottle").mean(axis=0) for path in (bottled, out))
    assert after[:2] == pytest.approx(before[:2], abs=0.01)


def test_laid_down_and_stood_up_again_it_is_as_it_was(bottled: Path, out: Path):
    edit(bottled, "lay the bottle on its side", out)
    again = out.with_name("again.blend")
    assert edit(out, "stand the bottle upright", again).code == 0
    assert vertices(again, "Bottle")[:, 2] == pytest.approx(vertices(bottled, "Bottle")[:, 2], abs=0.001)


def test_what_stands_already_stays(bottled: Path, out: Path):
    done = edit(bottled, "stand the bottle upright", out)
    assert (done.code, done.result.changes) == (0, [])


def test_upside_down_its_top_is_what_it_stands_on(bottled: Path, out: Path):
    assert edit(bottled, "turn the bottle upside down", out).code == 0
    assert worlds_in(out)["Bottle"][2, 2] == pytest.approx(-1)
    assert vertices(out, "Bottle")[:, 2].min() == pytest.approx(TABLE, abs=0.001)


def test_a_thing_lies_on_its_broader_side(source: Path, out: Path):
    furnished()
    block("Picture Book", (0.3, 0.03, 0.2), (0.3, -0.25, TABLE))
    assert edit(save(source), "lay the picture book on its side", out).code == 0
    assert np.ptp(vertices(out, "Picture Book")[:, 2]) == pytest.approx(0.03, abs=0.001)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("lay the table on its side", "infeasible"),  # things stand on it
        ("lay the bottle on its back", "ambiguous"),  # it has none
        ("lay the bottle 20 cm on its side", "not_understood"),
    ],
)
def test_what_cannot_lie_so_is_refused(request_: str, code: str, bottled: Path, out: Path):
    done = edit(bottled, request_, out)
    assert (done.code, done.json["error"]["code"]) == (2, code)


def test_what_lies_is_not_laid_down_again(bottled: Path, out: Path):
    edit(bottled, "lay the bottle on its side", out)
    done = edit(out, "lay the bottle on its side", out.with_name("again.blend"))
    assert (done.code, done.json["error"]["code"]) == (2, "infeasible")
