"""List the Pythons on this machine that glade supports, one of each minor version, the oldest first.

A Python is looked for in the variable GLADE_PYTHONS (paths, separated as in PATH), on the PATH, and among pyenv's
versions. `--oldest` prints the oldest one only, `--others` all but that.
"""

import argparse
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = re.compile(r"python3(\.\d+)?")
ASK = "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.implementation.name)"


def list_candidates() -> Iterator[Path]:
    """Everything that may be a Python, in the order of preference."""
    yield from map(Path, filter(None, os.environ.get("GLADE_PYTHONS", "").split(os.pathsep)))
    for folder in map(Path, os.environ.get("PATH", "").split(os.pathsep)):
        if folder.is_dir():
            yield from sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/*/bin/python"), reverse=True)


def ask_version(python: Path) -> tuple[int, int] | None:
    """The minor version of a CPython that starts; a shim that leads nowhere has none."""
    try:
        found = subprocess.run([python, "-c", ASK], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = found.stdout.split()
    if found.returncode or len(lines) != 2 or lines[1] != "cpython":
        return None
    major, minor = map(int, lines[0].split("."))
    return major, minor


def read_oldest_supported() -> tuple[int, int]:
    """The version that `requires-python` of pyproject.toml names."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    major, minor = map(int, declared.removeprefix(">=").split("."))
    return major, minor


def find_pythons() -> dict[tuple[int, int], Path]:
    """The first Python found of each supported minor version, by version."""
    oldest, found = read_oldest_supported(), dict[tuple[int, int], Path]()
    for python in list_candidates():
        version = ask_version(python)
        if version is not None and version >= oldest:
            found.setdefault(version, python)
    return dict(sorted(found.items()))


def main() -> None:
    """Print the paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--oldest", action="store_true")
    which.add_argument("--others", action="store_true")
    arguments = parser.parse_args()
    pythons = list(find_pythons().values())
    first, last = (1 if arguments.others else 0), (1 if arguments.oldest else len(pythons))
    for python in pythons[first:last]:
        print(python)


if __name__ == "__main__":
    main()
