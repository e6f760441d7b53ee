"""What a study has found, as a file: the page of all studies is made from these files, whenever each was run.

A file holds the figures, notes and tables of one study, and when, from which commit and by which command they came. The
pictures lie beside the page.
"""

import json
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from glade.core.files import write_whole
from glade.core.version import __version__
from studies.figures import Between, Figure, Picture, PValue, Reproduction, Table

FOLDER = "reproduction"  # beside the page
MAIN = "main"
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "numba")
KINDS = {kind.__name__: kind for kind in (Figure, PValue, Between)}


@dataclass(frozen=True)
class Record:
    """A study, when and how it was run."""

    reproduction: Reproduction
    command: str
    date: str
    commit: str
    versions: str

    @classmethod
    def now(cls, reproduction: Reproduction, command: str) -> "Record":
        """Of a study that has just been run from this copy of the repository."""
        versions = ", ".join([f"glade {__version__}", *(f"{name} {version(name)}" for name in PACKAGES)])
        date = datetime.now(UTC).strftime("%Y-%m-%d")
        return cls(reproduction, command, date, find_commit(), f"Python {platform.python_version()}, {versions}")

    def save(self, folder: Path) -> Path:
        """Write the file of the study into the folder of records beside a page."""
        own = self.reproduction
        content = {
            **{name: getattr(self, name) for name in ("command", "date", "commit", "versions")},
            **{name: getattr(own, name) for name in ("study", "title", "protocol", "notes", "has_verdicts")},
            "figures": [{"kind": type(figure).__name__, **asdict(figure)} for figure in own.figures],
            "tables": [asdict(table) for table in own.tables],
            "pictures": [{"name": picture.name, "caption": picture.caption} for picture in own.pictures],
        }
        path = folder / FOLDER / f"{own.study}.json"
        path.parent.mkdir(exist_ok=True)
        write_whole(path, (json.dumps(content, indent=1, ensure_ascii=False, default=float) + "\n").encode())
        return path


def read_record(path: Path) -> Record:
    """A study as it was written to a file; its pictures are drawn already."""
    content = json.loads(path.read_text(encoding="utf-8"))
    reproduction = Reproduction(
        study=content["study"],
        title=content["title"],
        protocol=content["protocol"],
        figures=tuple(_read_figure(entry) for entry in content["figures"]),
        notes=tuple(content["notes"]),
        pictures=tuple(Picture(entry["name"], entry["caption"], _refuse_to_draw) for entry in content["pictures"]),
        tables=tuple(
            Table(entry["title"], tuple(entry["header"]), tuple(map(tuple, entry["rows"])))
            for entry in content["tables"]
        ),
        has_verdicts=content["has_verdicts"],
    )
    return Record(reproduction, *(content[name] for name in ("command", "date", "commit", "versions")))


def find_commit() -> str:
    """The last commit that this copy shares with the branch main, with a plus sign where the code differs from it.

    It is "unknown" outside a repository. A branch's own commits may never reach main as they are.
    """
    here = Path(__file__).parent
    try:
        commit = _ask_git(here, "merge-base", "HEAD", MAIN if _has_main(here) else "HEAD")
        differs = _ask_git(here, "diff", "--name-only", commit, "--", "../src", ".")
        return commit[:10] + ("+" if differs else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _has_main(folder: Path) -> bool:
    return MAIN in _ask_git(folder, "branch", "--format=%(refname:short)").split()


def _ask_git(folder: Path, *question: str) -> str:
    done = subprocess.run(["git", *question], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _read_figure(entry: dict[str, Any]) -> Figure:
    kind = KINDS[entry.pop("kind")]
    return kind(**{**entry, "ours": tuple(entry["ours"])})


def _refuse_to_draw() -> Any:
    raise RuntimeError("a picture of a recorded study is drawn when the study is run")
