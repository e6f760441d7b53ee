"""Make docs/dev/newcomer.md: the commands of the README, one after another, as somebody who has nothing yet runs them.

    python -m docs.make_newcomer

The last commit is cloned into a temporary folder, where no compiled code is kept from before. The commands are read
from the README: those of its first block, those of its `console` blocks, and its block of Python as a script. Then come
`make demo`, and what `make test` sets up before it runs the tests. It takes some minutes and a package index.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from docs.run_pages import read_blocks

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "dev" / "newcomer.md"
SHELL = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPT = "readme.py"  # the README's block of Python
SET_UP = ("make demo", "make .venv/.installed-test browser")
MAX_LINES, WIDTH = 36, 120
TITLE = """# The first quarter of an hour

What somebody meets who has a fresh copy of the repository and nothing else: the commands of the README in their order,
with what they print (standard error too, as no terminal is there to draw bars on) and the seconds that passed. No file
was opened. Long outputs are cut; of `pip` only the last line is kept, without its warnings about the package index.
"""


def list_commands(readme: str) -> Iterator[str]:
    """What the README tells a newcomer to run, in order."""
    shell = SHELL.search(readme)
    if shell is None:
        raise ValueError("the README has no block of bash")
    yield from (line for line in shell[1].splitlines() if line)
    for block in read_blocks(readme):
        if block.kind == "console":
            yield from re.findall(r"^\$ (.*)$", block.text, re.MULTILINE)
        elif block.kind == "python":
            yield f"python {SCRIPT}  # the block of Python in the README"
    yield from SET_UP


def run(command: str, copy: Path) -> tuple[str, float]:
    """What a command prints, and the seconds it takes; a failure ends this script."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS")}
    own = {"PATH": f"{copy / '.venv' / 'bin'}{os.pathsep}{kept['PATH']}", "NUMBA_CACHE_DIR": str(copy.parent / "cache")}
    begin = time.perf_counter()
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=copy,
        env=kept | own | {"COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{command!r} ended with exit code {done.returncode}:\n{done.stdout}")
    return done.stdout, time.perf_counter() - begin


def shorten(command: str, printed: str, copy: Path) -> list[str]:
    """The lines that are shown, without the folder of this run."""
    lines = printed.replace(f"{copy}/", "").replace(str(copy), ".").splitlines()
    lines = [
        line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines if not line.startswith("WARNING: ")
    ]
    if "pip " in command:
        return [line for line in lines if line.startswith("Successfully")]
    more = [f"... {len(lines) - MAX_LINES} more lines"] if len(lines) > MAX_LINES else []
    return [*lines[:MAX_LINES], *more]


def main() -> None:
    """Clone, run and write."""
    readme = (ROOT / "README.md").read_text("utf-8")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    made = f"Made by `python -m docs.make_newcomer` at commit {commit.stdout.strip()}, on {machine}."
    parts = [TITLE, made, ""]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "glade"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
        script = next(block.text for block in read_blocks(readme) if block.kind == "python")
        (copy / SCRIPT).write_text(script, encoding="utf-8")
        total = 0.0
        for command in list_commands(readme):
            printed, seconds = run(command, copy)
            total += seconds
            print(f"{seconds:6.1f} s  {command}", flush=True)
            parts += ["```text", f"$ {command}", *shorten(command, printed, copy), "```", f"{seconds:.0f} s", ""]
    parts += [f"All of it took {total:.0f} s.", ""]
    DOCUMENT.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
