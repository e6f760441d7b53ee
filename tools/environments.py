"""Run the smoke test, or the whole suite, in an environment of its own for each Python and for the oldest dependencies.

`smoke` runs on every supported Python but the oldest, which runs the whole suite anyway, and on the oldest with the
oldest declared dependencies (constraints/oldest.txt), in as many environments at a time as there are cores: each has to
compile, in one thread. `suite` runs all tests on every Python but the oldest, or those that are named. The environments
are kept in the folder .environments and made again when pyproject.toml or the constraints change.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.pythons import ROOT, find_pythons

FOLDER = ROOT / ".environments"
PROJECT, OLDEST = ROOT / "pyproject.toml", ROOT / "constraints" / "oldest.txt"


class Environment(NamedTuple):
    """A Python, and which versions of the dependencies it gets."""

    name: str
    python: Path
    constraints: Path | None = None

    @property
    def executable(self) -> Path:
        """The Python inside the environment."""
        return FOLDER / self.name / "bin" / "python"

    def install(self, extra: str) -> None:
        """Make the environment, unless it is there and newer than what it is made from."""
        done = FOLDER / self.name / f".installed{extra}"
        sources = [PROJECT, *([self.constraints] if self.constraints else [])]
        if done.exists() and all(done.stat().st_mtime > source.stat().st_mtime for source in sources):
            return
        run([self.python, "-m", "venv", "--clear", FOLDER / self.name])
        limits = ["-c", self.constraints] if self.constraints else []
        run([self.executable, "-m", "pip", "install", "--quiet", *limits, "-e", f".{extra}"])
        done.touch()


def run(command: Sequence[str | Path]) -> None:
    """Run a command in the project's folder; a failure ends this script with its exit code."""
    found = subprocess.run(command, cwd=ROOT)
    if found.returncode:
        sys.exit(found.returncode)


def check(environment: Environment, extra: str, *module: str) -> None:
    """Run a module in an environment, which is made if need be."""
    environment.install(extra)
    run([environment.executable, "-m", *module])


def list_environments(with_oldest_dependencies: bool) -> list[Environment]:
    """The Pythons other than the oldest, and the oldest with the oldest dependencies."""
    pythons = find_pythons()
    if not pythons:
        sys.exit("no supported Python was found: install one, or name it in GLADE_PYTHONS")
    (_, first), *others = pythons.items()
    found = [Environment(".".join(map(str, version)), python) for version, python in others]
    if with_oldest_dependencies:
        found.append(Environment("oldest", first, OLDEST))
    return found


def smoke(environments: Sequence[Environment], also: Path | None) -> None:
    """Run the smoke test in all environments, and with one more Python, as many at a time as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        first = [pool.submit(run, [also, "-m", "tests.smoke"])] if also else []
        others = [pool.submit(check, environment, "", "tests.smoke") for environment in environments]
        for done in [*first, *others]:
            done.result()  # raises what ended it


def main() -> None:
    """Make the environments and run what was asked for in each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["smoke", "suite"])
    parser.add_argument("tests", nargs="*", help="suite: the files of tests to run, all by default")
    parser.add_argument("--also", metavar="PYTHON", type=Path, help="smoke: run with this Python too, as it is")
    arguments = parser.parse_args()
    environments = list_environments(with_oldest_dependencies=arguments.what == "smoke")
    print(f"{arguments.what} runs in: {', '.join(environment.name for environment in environments)}", flush=True)
    if arguments.what == "smoke":
        smoke(environments, arguments.also)
    else:
        for environment in environments:
            check(environment, "[test]", "pytest", "-n", "2", "--dist", "worksteal", *arguments.tests)


if __name__ == "__main__":
    main()
