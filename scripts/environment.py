"""Make a virtual environment with Blender as a module: `python3 scripts/environment.py .venv --bpy 4.5`.

Runs on a machine that has nothing but Python: it needs the standard library only.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "scripts" / "wheels.lock.txt"

# Blender series to the Python it is built for; the first that this machine can serve is the default.
PYTHON_OF = {"4.5": "3.11", "5.3": "3.13", "4.2": "3.11", "5.2": "3.13"}

# The exit code by which a caller can tell "skip this Blender" from a failure.
NO_SUCH_PYTHON = 77

# What bpy and its off-screen rendering open, and the Debian package that has it.
SHARED_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libICE.so.6": "libice6",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libgomp.so.1": "libgomp1",
    "libxkbcommon.so.0": "libxkbcommon0",
}


def main() -> int:
    """Make or refresh the environment that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bpy", choices=sorted(PYTHON_OF), help="Blender series; default: the best one here")
    parser.add_argument(
        "--kind",
        choices=["bare", "run", "dev"],
        default="run",
        help="bare: Blender's own packages only, as the extension finds them; dev: with test tools",
    )
    args = parser.parse_args()
    if not is_current(args.folder, args.bpy, args.kind):
        series = args.bpy or default_series()
        python = find_python(PYTHON_OF[series])
        if python is None:
            print(f"bpy {series} needs Python {PYTHON_OF[series]}, which is not on this machine")
            return NO_SUCH_PYTHON
        create(args.folder, python, series, args.kind)
    return 0


def is_current(folder: Path, series: str | None, kind: str) -> bool:
    """Tell whether the environment was made from today's lists, for this Blender, with enough in it."""
    try:
        made = json.loads(stamp(folder).read_text())
    except FileNotFoundError:
        return False
    enough = ["run", "dev"] if kind == "run" else [kind]
    return made in [description(series or made["bpy"], kind) for kind in enough]


def create(folder: Path, python: str, series: str, kind: str) -> None:
    """Make the environment anew and install what `kind` asks for."""
    check_venv(python, PYTHON_OF[series])
    print(f"{folder}: Python {PYTHON_OF[series]} with bpy {series} ({kind}); a few minutes", flush=True)
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    if kind == "bare":
        import tomllib  # since 3.11; an older Python gets as far as telling what is missing

        wanted = tomllib.loads(PYPROJECT.read_text())["project"]["optional-dependencies"]["bpy"]
    else:
        constraints = folder / "constraints.txt"
        constraints.write_text("\n".join(locked_versions()))
        extras = "bpy,dev" if kind == "dev" else "bpy"
        wanted = ["--constraint", constraints, "--editable", f"{ROOT}[{extras}]"]
    subprocess.run([*pip, f"bpy=={series}.*", *wanted], check=True)
    provide_shared_libraries()
    stamp(folder).write_text(json.dumps(description(series, kind)))


def default_series() -> str:
    """Return the first Blender series whose Python is on this machine."""
    for series, version in PYTHON_OF.items():
        if find_python(version):
            return series
    sys.exit("Python 3.11 or 3.13 is needed (the bpy wheels exist for no other)")


def find_python(version: str) -> str | None:
    """Return the path of a working Python `version`, from PATH or from pyenv's installed ones."""
    candidates = [f"python{version}"]
    if pyenv := shutil.which("pyenv"):
        # pyenv puts a shim on PATH that fails unless its version is the selected one.
        home = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=True).stdout.strip()
        candidates += map(str, sorted(Path(home, "versions").glob(f"{version}.*/bin/python{version}")))
    for candidate in candidates:
        if path := shutil.which(candidate):
            tell = [path, "-c", "import sys; print(sys.executable)"]
            asked = subprocess.run(tell, capture_output=True, text=True)
            if asked.returncode == 0:
                return asked.stdout.strip()
    return None


def check_venv(python: str, version: str) -> None:
    """Stop if a Python cannot make environments: Debian and Ubuntu package that by itself."""
    if subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True).returncode:
        sys.exit(f"{python} has no venv module. On Debian or Ubuntu: sudo apt-get install python{version}-venv")


def locked_versions() -> list[str]:
    """Return `name==version` of each wheel the extension bundles: tests run on what is shipped."""
    return re.findall(r"^[\w-]+==[\w.]+", LOCK.read_text(), flags=re.MULTILINE)


def description(series: str, kind: str) -> dict[str, str]:
    """Return all that decides the content of an environment."""
    inputs = hashlib.sha256(PYPROJECT.read_bytes() + LOCK.read_bytes()).hexdigest()
    # An editable installation is of one checkout.
    checkout = "" if kind == "bare" else str(ROOT)
    return {"bpy": series, "kind": kind, "inputs": inputs, "checkout": checkout}


def stamp(folder: Path) -> Path:
    """Return the file that says what an environment was made from."""
    return folder / "scenewright-environment.json"


def provide_shared_libraries() -> None:
    """Install the system libraries that bpy opens, or say how to."""
    if sys.platform != "linux":
        return
    missing = [package for library, package in SHARED_LIBRARIES.items() if not loads(library)]
    if not missing:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"bpy needs system libraries. On Debian or Ubuntu: sudo {' '.join(command)}")
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run(["apt-get", "update"], check=True, **quiet)
    subprocess.run(command, check=True, **quiet)


def loads(library: str) -> bool:
    """Tell whether the dynamic loader finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"The environment was not made: `{shlex.join(map(str, error.cmd))}` failed")
