"""Commands of glade as processes, and what every ending of one must leave behind."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

import glade

BEGIN = "import sys; from glade.cli.main import main; print('begun', flush=True); main()"
DEFECT = 1


@dataclass
class Tally:
    """How often something was tried, and how it ended."""

    what: str
    endings: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        parts = ", ".join(f"{n} {ending}" for ending, n in sorted(self.endings.items()))
        return f"\n{self.what}: {self.endings.total()} tried ({parts})"


def start(arguments: list[str], folder: Path, **how: object) -> subprocess.Popen[str]:
    """A command that runs, in a session of its own, so that all of its processes are known.

    It prints "begun" first: what interrupts Python before glade's own first line is Python's to answer.
    """
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        **how,  # type: ignore[call-overload]
    )


def list_processes(session: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                state, _, _, own = (place / "stat").read_text().rpartition(")")[2].split()[:4]
            except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                continue
            if int(own) == session and state != "Z":
                found.append(int(place.name))
    return found


def assert_whole(path: Path) -> None:
    """A file that is there is there whole."""
    if path.suffix == ".glade":
        glade.load(path)
    elif path.suffix == ".html":
        assert path.read_text("utf-8").rstrip().endswith("</html>"), f"{path.name} ends in the middle"
    elif path.suffix == ".parquet":
        pq.read_table(path)
    elif path.suffix == ".csv":
        assert path.read_text("utf-8").endswith("\n"), f"{path.name} ends in the middle of a line"


def assert_ended_well(code: int, errors: str, allowed: set[int]) -> None:
    """The exit code is one that is expected, and nobody sees a traceback."""
    assert code in allowed, f"exit code {code} is none of {sorted(allowed)}: {errors[-2000:]}"
    assert "Traceback" not in errors, errors[-2000:]
    assert "a defect of glade" not in errors, errors[-2000:]


def make_environment(**changed: str | None) -> dict[str, str]:
    """The environment of this process with some variables set, or taken out where None is given."""
    whole = {**os.environ, **{name: value for name, value in changed.items() if value is not None}}
    return {name: value for name, value in whole.items() if name not in changed or changed[name] is not None}
