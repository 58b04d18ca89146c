"""Fetch the wheels that the extension bundles, as wheels.lock.txt pins them: `wheels.py fetch linux-x64`.

One folder holds the wheels of both Pythons: Blender 4.2 to 5.0 runs on 3.11; 5.1 and later, and Debian's
4.3, on 3.13. numpy is never among them, as Blender brings its own. `wheels.py lock` renews the hashes after a
version was changed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "scripts" / "wheels.lock.txt"
WHEELS = ROOT / "wheels"
PYTHONS = ["3.11", "3.13"]

# Blender's name of a platform, and the oldest wheel tag that all locked packages offer for it.
PLATFORMS = {
    "linux-x64": "manylinux2014_x86_64",
    "windows-x64": "win_amd64",
    "macos-arm64": "macosx_12_0_arm64",
}


def fetch(platform: str) -> list[Path]:
    """Return the locked wheels of a platform, downloading them when the lock changed since the last time.

    pip refuses a file whose hash is not in the lock.
    """
    folder = WHEELS / platform
    fetched_for = folder / LOCK.name
    if not (fetched_for.exists() and fetched_for.read_text() == LOCK.read_text()):
        shutil.rmtree(folder, ignore_errors=True)
        for python in PYTHONS:
            download(["--requirement", LOCK], python, platform, folder)
        shutil.copy(LOCK, fetched_for)
    return sorted(folder.glob("*.whl"))


def download(wanted: list[str | Path], python: str, platform: str, folder: Path) -> None:
    """Download wheels for a Python and platform that need not be this machine's."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    target = ["--only-binary=:all:", "--implementation=cp", "--python-version", python]
    target += ["--platform", PLATFORMS[platform], "--dest", folder]
    subprocess.run([*pip, *target, *wanted], check=True)


def lock() -> None:
    """Rewrite the lock: the versions it names, with the hashes of what the package index serves today."""
    versions = re.findall(r"^[\w-]+==[\w.]+", LOCK.read_text(), flags=re.MULTILINE)
    entries = []
    for version in versions:
        with tempfile.TemporaryDirectory() as folder:
            for platform in PLATFORMS:
                for python in PYTHONS:
                    download([version], python, platform, Path(folder))
            hashes = {hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in Path(folder).glob("*.whl")}
        entries.append(" \\\n".join([version, *(f"    --hash=sha256:{digest}" for digest in sorted(hashes))]))
    LOCK.write_text("\n".join(entries) + "\n")


def main() -> int:
    """Run the command that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("lock", help="renew the hashes")
    fetching = commands.add_parser("fetch", help="download wheels")
    fetching.add_argument("platform", nargs="+", choices=PLATFORMS)
    args = parser.parse_args()
    if args.command == "lock":
        lock()
    else:
        for platform in args.platform:
            print(*fetch(platform), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
