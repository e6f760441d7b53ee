"""Build the wheel, install it alone in an environment of its own, and run the smoke test and `glade demo` there."""

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> None:
    """Run a command in a folder, without the copy on PYTHONPATH; a failure ends this script with its exit code."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run(command, cwd=folder, env=kept | environment)
    if found.returncode:
        sys.exit(found.returncode)


def main() -> None:
    """Build, install, run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = folder / "venv" / "bin" / "python"
        venv.create(folder / "venv", with_pip=True)
        run([python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT], folder)
        run([python, "-m", "pip", "install", "--quiet", *folder.glob("*.whl")], folder)
        run([python, "-m", "glade", "demo"], folder)
        (folder / "tests").mkdir()
        for file in ("__init__.py", "smoke.py"):
            (folder / "tests" / file).write_text((ROOT / "tests" / file).read_text())
        run([python, "-m", "tests.smoke"], folder)
    print("the wheel installs alone, and every estimator works from it")


if __name__ == "__main__":
    main()
