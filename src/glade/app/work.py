"""What the app does with a table: read its columns, check it, fit a model, keep the page. One table at a time."""

import re
import tempfile
from pathlib import Path
from typing import Any

from glade.app.jobs import Job
from glade.core.errors import InputError
from glade.core.names import show_name
from glade.files.read import SUFFIXES, read_file

MODELS = ("rules", "score-card", "tree", "forest")
MAX_BYTES = 500_000_000  # of a table
MAX_LABELS = 12  # of a column that are told
MAX_TARGETS, MAX_DROPPED = 500, 5_000


class AppFolder:
    """A folder with a table, the model that is fitted to it, and its page; as a context, the folder goes at its end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="glade-app-")
        self.folder = Path(self._folder.name)
        self.table: Path | None = None
        self.columns: list[str] = []
        self.pairs: dict[str, list[str]] = {}  # the labels of columns that have two
        self.job: Job | None = None

    def __enter__(self) -> "AppFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._folder.cleanup()

    @property
    def page(self) -> Path:
        """Where the page of the last fit is."""
        return self.folder / "page.html"

    @property
    def model(self) -> Path:
        """Where the model of the last fit is."""
        return self.folder / "model.glade"

    def take_table(self, name: str, content: bytes) -> dict[str, Any]:
        """Keep a table, and tell its columns."""
        self.stop()
        path = self.folder / safe_name(name)
        path.write_bytes(content)
        frame = read_file(path).frame
        if self.table not in (None, path):
            self.table.unlink()  # type: ignore[union-attr]
        for old in (self.page, self.model):
            old.unlink(missing_ok=True)
        self.table, self.columns = path, [str(column) for column in frame.columns]
        told = [_tell_column(str(name), frame[name]) for name in frame.columns]
        self.pairs = {own["name"]: own["labels"] for own in told if own["kind"] == "labels" and own["distinct"] == 2}
        return {"name": path.name, "rows": len(frame), "columns": told}

    def check(self, asked: Any) -> dict[str, Any]:
        """What `glade check` says of the table."""
        job = Job.start(["check", self._given_table(), *self._take_columns(asked)], self.folder)
        job.wait()
        return job.tell()

    def fit(self, asked: Any) -> None:
        """Begin to fit a model."""
        model, max_rules = asked.get("model", MODELS[0]), asked.get("max_rules")
        if model not in MODELS:
            raise InputError(f"there is no model {model!r}: choose one of {', '.join(MODELS)}")
        arguments = ["fit", self._given_table(), *self._take_columns(asked), "--model", model]
        arguments += self._take_events(asked)
        if max_rules is not None:
            if not isinstance(max_rules, int) or not 1 <= max_rules <= 10_000:
                raise InputError("the number of rules must be between 1 and 10,000")
            arguments += ["--max-rules", str(max_rules)]
        self.stop()
        for old in (self.page, self.model):
            old.unlink(missing_ok=True)
        self.job = Job.start([*arguments, "-o", self.model.name, "--report", self.page.name], self.folder)

    def tell_job(self) -> dict[str, Any]:
        """How the fit goes on, and whether there is a page."""
        told: dict[str, Any] = {"code": None, "said": [], "remarks": []} if self.job is None else self.job.tell()
        return told | {"started": self.job is not None, "page": told["code"] == 0 and self.page.exists()}

    def stop(self) -> None:
        """End a fit that runs."""
        if self.job is not None:
            self.job.stop()
            self.job = None

    def _given_table(self) -> str:
        if self.table is None:
            raise InputError("there is no table yet: choose a file first")
        return self.table.name

    def _take_columns(self, asked: Any) -> list[str]:
        """Targets and columns to leave out, as options; each must be a column of the table."""
        targets, dropped = asked.get("targets", []), asked.get("drop", [])
        if not targets:
            raise InputError("choose at least one target: the column to predict")
        if len(targets) > MAX_TARGETS or len(dropped) > MAX_DROPPED:
            raise InputError("these are too many columns")
        strange = [name for name in (*targets, *dropped) if name not in self.columns]
        if strange:
            raise InputError(f"the table has no column {show_name(strange[0])!r}")
        return [*(f"--target={name}" for name in targets), *(f"--drop={name}" for name in dropped)]

    def _take_events(self, asked: Any) -> list[str]:
        """Of targets with two labels the one that is looked for, where it is chosen, as options."""
        events, targets = asked.get("events", {}), asked.get("targets", [])
        if not isinstance(events, dict):
            raise InputError("events are given as a label for each target")
        for name, label in events.items():
            if name not in targets or label not in self.pairs.get(name, []):
                raise InputError(f"{show_name(str(label))!r} is not one of two labels of a target")
        return [f"--event={label if len(targets) == 1 else f'{name}={label}'}" for name, label in events.items()]


def safe_name(name: str) -> str:
    """A name for a file of the user's: its letters and digits, and the ending that says what it holds.

    >>> safe_name("../../etc/crops 2026.csv.gz"), safe_name("t.exe"), safe_name("")
    ('crops-2026.csv.gz', 't-exe.csv', 'table.csv')
    """
    plain = re.sub(r"[/\\\\]", "/", name).rpartition("/")[2].lower()
    ending = ""
    while (found := next((suffix for suffix in SUFFIXES if plain.endswith(suffix)), "")) and len(plain) > len(found):
        plain, ending = plain[: -len(found)], found + ending
    stem = re.sub(r"[^a-z0-9_-]+", "-", plain).strip("-")[:60] or "table"
    return stem + (ending or ".csv")


def _tell_column(name: str, column: Any) -> dict[str, Any]:
    """A column for a person to choose from: how many values it has, and the first few of few labels."""
    known = column.dropna()
    distinct = known.unique()
    is_number = column.dtype.kind in "iuf"
    labels = [] if is_number and len(distinct) > MAX_LABELS else [str(value) for value in distinct[:MAX_LABELS]]
    about = {"kind": "numbers" if is_number else "labels", "distinct": len(distinct), "labels": labels}
    return {"name": name, "shown": show_name(name), **about, "missing": len(column) - len(known)}
