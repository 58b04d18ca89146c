"""Build the extension zip: `extension.py linux-x64`.

Blender's own tool, which the bpy module brings along, packs and validates it. pyproject.toml decides what
belongs in it (packages and package data), so that both doors ship the same files.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from wheels import PLATFORMS, ROOT, fetch

DIST = ROOT / "dist"


def main() -> int:
    """Build and validate one zip for each platform that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("platforms", nargs="+", metavar="PLATFORM", choices=PLATFORMS)
    args = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    for platform in args.platforms:
        archive = build(DIST, platform, fetch(platform))
        print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size / 1e6:.1f} MB, valid")
    return 0


def build(output: Path, platform: str, wheels: list[Path]) -> Path:
    """Build the zip for a platform into the folder `output`, validate it, and return its path."""
    manifest = (ROOT / "blender_manifest.toml").read_text()
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        for path in shipped_files():
            copy(ROOT / path, stage / path)
        for wheel in wheels:
            copy(wheel, stage / "wheels" / wheel.name)
        (stage / "blender_manifest.toml").write_text(wheel_entries(platform, wheels) + manifest)
        output.mkdir(parents=True, exist_ok=True)
        blender_extension("build", "--source-dir", stage, "--output-dir", output, "--split-platforms")
    version = tomllib.loads(manifest)["version"]
    archive = output / f"scenewright-{version}-{platform.replace('-', '_')}.zip"
    blender_extension("validate", archive)
    return archive


def shipped_files() -> list[Path]:
    """Return what the extension consists of beside manifest and wheels, relative to the root."""
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    files = [Path("LICENSE"), Path("README.md")]
    for package in setuptools["packages"]:
        folder = ROOT.joinpath(*package.split(".")[1:])
        data = [] if folder == ROOT else setuptools["package-data"]["*"]
        for pattern in ["*.py", *data]:
            files += sorted(path.relative_to(ROOT) for path in folder.glob(pattern))
    return files


def wheel_entries(platform: str, wheels: list[Path]) -> str:
    """Return the manifest lines that say which platform and wheels a zip has.

    TOML wants them before the first table.
    """
    entries = f"platforms = {json.dumps([platform])}\n"
    if wheels:  # the validator rejects an empty list
        entries += f"wheels = {json.dumps([f'./wheels/{wheel.name}' for wheel in wheels], indent=4)}\n"
    return entries


def copy(source: Path, target: Path) -> None:
    """Copy a file, making its folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def blender_extension(command: str, *arguments: str | Path) -> None:
    """Run a command of Blender's extension tool; when it fails, its output says why."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        sys.exit("Building needs Blender's own extension tool: pip install bpy")
    tool = next(Path(spec.origin).parent.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    done = subprocess.run([sys.executable, tool, command, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"extension {command} failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
