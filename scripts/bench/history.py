"""What keeping versions costs, next to what a user would do instead; prints the table of docs/benchmarks.md.

    python scripts/bench/history.py

Beside it: a copy of the file saved per version and opened to go back, and Blender's undo, which ends with the session.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bpy
from speed import calibration, furnish

from scenewright.agent.loop import Options, run
from scenewright.agent.versions import restore
from scenewright.executor.blender.history import go_to, read_history
from scenewright.executor.blender.journal import Journal
from scenewright.executor.blender.stage import Stage
from scenewright.executor.model.steps import finish

SIZES = (250, 3000)
TURNS = 50


def timed(work: Callable[[], object]) -> float:
    """Seconds of one run."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def rows_of(count: int, folder: Path) -> list[tuple[str, float]]:
    """Seconds by what was done, in a scene of so many objects."""
    furnish(count)
    stage = Stage(bpy.context)
    finish(stage.read())
    name = next(o.name for o in sorted(bpy.context.scene.objects, key=lambda o: o.name) if o.name.startswith("Chair"))
    prints = timed(lambda: finish(stage.fingerprints()))
    began = timed(stage.begin)
    ways = [f"move {name} 1 cm {'left' if k % 2 else 'right'}" for k in range(TURNS)]
    options = Options(allow_collision=True)
    seconds = [timed(lambda r=request: finish(run(r, stage, options))) for request in ways]
    history = read_history(bpy.context.scene)
    assert history is not None and len(history.turns) == TURNS
    journal = Journal(lasting=True)
    back = [timed(lambda t=turn: go_to(journal, history, t.number)) for turn in history.turns]
    copy = folder / "version.blend"
    bpy.ops.ed.undo_push(message="before")
    bpy.context.scene.objects[name].location.x += 0.01
    bpy.ops.ed.undo_push(message="after")
    rows = [
        (f"a request, the last of {TURNS}", seconds[-1]),
        ("its fingerprints before and after", 2 * prints),
        ("looking for changes by hand", began),
        (f"going through {TURNS} turns, the longest way", max(back)),
        ("`history restore`, which reads and proves before and after", timed(lambda: finish(restore(1, None, stage)))),
        ("Blender's undo", timed(bpy.ops.ed.undo)),
        ("a copy of the file", timed(lambda: bpy.ops.wm.save_as_mainfile(filepath=str(copy), copy=True))),
        ("opening that copy", timed(lambda: bpy.ops.wm.open_mainfile(filepath=str(copy)))),
    ]
    return [(f"{count} objects: {what}", taken) for what, taken in rows]


def main() -> int:
    """Print the table."""
    unit = min(calibration() for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for count in SIZES for row in rows_of(count, Path(folder))]
    print(f"calibration loop: {unit:.3f} s\n")
    print("| what | seconds | ratio to the calibration loop |\n|---|---|---|")
    for what, seconds in rows:
        print(f"| {what} | {seconds:.3f} | {seconds / unit:.2f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
