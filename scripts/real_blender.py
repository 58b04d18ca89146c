"""Install the extension zip in a real Blender, use its command and its operators: `real_blender.py dist/ZIP`.

The Blender is the one that Debian 13 packages (4.3.2 on Python 3.13), kept in a folder of its own so that
the machine's packages and the user's Blender settings stay as they are. Making that folder takes about two
minutes and 1.5 GB; SCENEWRIGHT_BLENDER_ROOT says where, else it goes to the user's cache.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ["blender", "python3-numpy", "libgl1-mesa-dri", "libegl1", "libegl-mesa0"]
INSTALL_SECONDS = 1200
BLENDER_SECONDS = 180

UNDO = Path(__file__).with_name("real_blender_undo.py")
SAVE_SCENE = "import bpy, sys; bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])"


def main() -> int:
    """Check the zip that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zip", type=Path)
    args = parser.parse_args()
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit("The real-Blender check installs Blender into a folder: it needs root on Debian or Ubuntu")

    root = blender_root()
    if not root.exists():
        install_blender(root)
    with proc_mounted(root), tempfile.TemporaryDirectory(dir=root / "tmp") as work:
        blender = Blender(root, Path(work))
        check_extension(blender, args.zip)
        check_undo(blender)
    return 0


def blender_root() -> Path:
    """Return the folder that holds the system with Blender."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    chosen = os.environ.get("SCENEWRIGHT_BLENDER_ROOT")
    return Path(chosen or cache / "scenewright" / "debian-blender").absolute()


def install_blender(root: Path) -> None:
    """Make `root`, a minimal Debian 13 with Blender; it appears once it is complete."""
    print(f"Making a Debian system with Blender in {root}; about two minutes", flush=True)
    if not shutil.which("debootstrap"):
        run("apt-get", "update")
        run("apt-get", "install", "-y", "--no-install-recommends", "debootstrap")
    partial = root.with_name(f"{root.name}.partial")
    unmount_leftover(partial)
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    run("debootstrap", "--variant=minbase", "trixie", partial)
    reach_the_network_like_the_host(partial)
    with proc_mounted(partial):
        run("chroot", partial, "apt-get", "update")
        run("chroot", partial, "apt-get", "install", "-y", "--no-install-recommends", *PACKAGES)
        run("chroot", partial, "apt-get", "clean")
    partial.rename(root)


def reach_the_network_like_the_host(root: Path) -> None:
    """Copy the host's name servers, certificates and apt settings."""
    for path in ["etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/apt/apt.conf.d"]:
        ours, theirs = Path("/", path), root / path
        theirs.parent.mkdir(parents=True, exist_ok=True)
        if ours.is_dir():
            shutil.copytree(ours, theirs, dirs_exist_ok=True)
        elif ours.exists():
            shutil.copyfile(ours, theirs)


@contextlib.contextmanager
def proc_mounted(root: Path) -> Iterator[None]:
    """Give the system its /proc for as long as it is used."""
    unmount_leftover(root)
    run("mount", "-t", "proc", "proc", root / "proc")
    try:
        yield
    finally:
        # Lazily: a process that outlived its time limit must not keep the mount.
        run("umount", "--lazy", root / "proc")


def unmount_leftover(root: Path) -> None:
    """Take away the /proc that a killed run left."""
    if (root / "proc").is_mount():
        run("umount", "--lazy", root / "proc")


def run(*command: str | Path) -> None:
    """Run a set-up command; when it fails, its output is what the developer needs."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


class Blender:
    """The Blender in `root`, with settings and files in `work`, a folder below it."""

    def __init__(self, root: Path, work: Path) -> None:
        self.root = root
        self.work = work

    def inside(self, name: str) -> str:
        """Return the path of a file of the work folder as Blender sees it."""
        return f"/{(self.work / name).relative_to(self.root)}"

    def __call__(self, *arguments: str) -> str:
        """Run Blender in the background and return its standard output; stop when it fails."""
        settings = {
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": self.inside(""),
            "BLENDER_USER_RESOURCES": self.inside("resources"),
        }
        enter = ["chroot", self.root, "env", "-i", *(f"{name}={value}" for name, value in settings.items())]
        command = [*enter, "blender", "--background", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=BLENDER_SECONDS)
        if done.returncode:
            said = f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
            sys.exit(f"blender {' '.join(arguments)}: {said}")
        return done.stdout


def check_extension(blender: Blender, archive: Path) -> None:
    """Validate, install and enable the zip, then ask the background command for a scene's graph."""
    shutil.copy(archive, blender.work)
    print(blender("--version").splitlines()[0])
    blender("--factory-startup", "--command", "extension", "validate", blender.inside(archive.name))
    blender("--command", "extension", "install-file", "-r", "user_default", "-e", blender.inside(archive.name))
    blender("--factory-startup", "--python-expr", SAVE_SCENE, "--", blender.inside("scene.blend"))
    answer = blender(blender.inside("scene.blend"), "--command", "scenewright", "graph", "-", "--json")
    names = [entry["name"] for entry in json.loads(answer)["objects"]]
    if "Cube" not in names:
        sys.exit(f"The start-up scene's cube is missing from the graph: {names}")
    print(f"{archive.name}: installed, enabled, and `--command scenewright graph` names {', '.join(names)}")


def check_undo(blender: Blender) -> None:
    """Make requests, undo and redo in the open scene; Blender stops with an error where something does not hold."""
    shutil.copy(UNDO, blender.work)
    told = blender("--python-exit-code", "1", "--python", blender.inside(UNDO.name))
    held = re.findall(r"^(\w+): holds$", told, flags=re.MULTILINE)
    print(f"Blender's undo and the history agree: {', '.join(name.replace('_', ' ') for name in held)}")


if __name__ == "__main__":
    sys.exit(main())
