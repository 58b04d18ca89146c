"""Install the extension zip in Blender as a module, compare both doors: `PYTHON install_check.py dist/ZIP`.

PYTHON has bpy and none of the bundled packages (environment.py --kind bare), so that the zip must bring them.
The package's two names never meet in one process: that crashes Blender 4.5 at exit.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300

SAVE_SCENE = """
import bpy, sys
bpy.ops.wm.read_homefile(use_factory_startup=True)
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
"""

# The last one reads back what the one before it wrote.
JOBS = [
    ["graph", "scene.blend", "--json"],
    ["edit", "scene.blend", "move the cube 20 cm left", "-o", "out.blend", "--report", "report", "--json"],
    ["graph", "out.blend", "--json"],
]

INSTALL = """
import bpy, sys
install = bpy.ops.extensions.package_install_files
install(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.scenewright" in bpy.context.preferences.addons, "installed, but not enabled"
"""

# Wheels are unpacked below the user's extensions; a package from elsewhere would hide that one is missing.
USE = """
import bpy, importlib, sys
import addon_utils  # on the path once bpy is imported
name = "bl_ext.user_default.scenewright"
addon_utils.enable(name)  # the module starts without the user's preferences
code = importlib.import_module(name + ".cli").main(sys.argv[1:])
assert "scenewright" not in sys.modules, "the extension imported the package by its pip name"
for bundled in ("pydantic", "scipy", "shapely", "jinja2"):
    where = importlib.import_module(bundled).__file__
    assert "extensions" in where, f"{bundled} comes from {where}"
sys.exit(code)
"""


def main() -> int:
    """Check the zip that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zip", type=Path)
    archive = parser.parse_args().zip.resolve()

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        python(work, "-c", SAVE_SCENE, str(work / "scene.blend"))
        python(work, "-c", INSTALL, str(archive))
        extension_says = [answer(work, job, "-c", USE) for job in JOBS]

        # The other door: the checkout under its pip name, on the same bundled packages.
        (work / "scenewright").symlink_to(ROOT)
        (wheels,) = work.glob("resources/extensions/.local/lib/python*/site-packages")
        package_says = [answer(work, job, "-m", "scenewright", path=[work, wheels]) for job in JOBS]

    for job, one, other in zip(JOBS, extension_says, package_says, strict=True):
        if not same(one, other):
            sys.exit(f"The doors differ on {job}:\n{json.dumps(one)}\n{json.dumps(other)}")
    print(f"{archive.name}: installed and enabled; {len(JOBS)} jobs say the same through both doors")
    return 0


def answer(work: Path, job: list[str], *door: str, path: list[Path] = ()) -> object:
    """What a job says through a door; a report is looked at, and taken away before the next one."""
    said = json.loads(python(work, *door, *job, path=path))
    if "--report" in job:
        report = work / "report"
        page = (report / "index.html").read_text(encoding="utf-8")
        if said["request"] not in page or not (report / "after.png").read_bytes().startswith(b"\x89PNG"):
            sys.exit(f"The report of {job} is not one:\n{page}")
        shutil.rmtree(report)
    return said


def python(work: Path, *arguments: str, path: list[Path] = ()) -> str:
    """Run this Python with Blender's user files in `work`; return its standard output or stop."""
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(work / "resources")}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, path))
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=work,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode:
        sys.exit(f"exit code {done.returncode} of {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def same(one: object, other: object) -> bool:
    """Tell whether two answers agree: numbers to 1e-5, and but for the time they took."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = (one.keys() | other.keys()) - {"seconds"}
        return all(key in one and key in other and same(one[key], other[key]) for key in keys)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=0, abs_tol=1e-5)
    return one == other


if __name__ == "__main__":
    sys.exit(main())
