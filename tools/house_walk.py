"""What running code says of the house: the walk through a fit, and the parameters that `help()` describes.

This file runs as a script in a process of its own, whose PYTHONPATH names the source to measure, and prints JSON:

    PYTHONPATH=src python tools/house_walk.py walk

It uses only what every commit offers: public names of the package, and the entry point of its command line.
"""

import contextlib
import inspect
import io
import json
import os
import re
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

# Work that wants doing once: what it is, and the names of the functions that do it, today's and their successors'.
# Rename a function and its old name stays here, so that older commits can still be measured.
ONCE = {
    "table read": {"read_table"},
    "table coded": {"code_inputs"},
    "targets encoded": {"encode_targets"},
    "rows covered": {"cover"},
}
PIECES = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>"}  # frames that are no functions
SECTION = re.compile(r"^(?P<title>[A-Z][\w ]*)\n-{3,}$", re.MULTILINE)


class Tracer:
    """Counts the calls of a package's Python functions while it is switched on.

    A change of room is a call from a function of one room, or from outside the package, to a function of another room.
    """

    def __init__(self, package: Path):
        self._prefix = str(package) + os.sep
        self._places: dict[CodeType, tuple[str, str, int] | None] = {}
        self.calls: Counter[tuple[str, str, int]] = Counter()
        self.room_changes = 0

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Count a call, as `sys.setprofile` tells of it."""
        if event != "call":
            return
        place = self._place_of(frame.f_code)
        if place is None:
            return
        self.calls[place] += 1
        if self._caller_room(frame) != room_of(place[0]):
            self.room_changes += 1

    def _place_of(self, code: CodeType) -> tuple[str, str, int] | None:
        """File, name and first line of a function of the package; None for all else."""
        if code not in self._places:
            ours = code.co_filename.startswith(self._prefix) and code.co_name not in PIECES
            file = code.co_filename.removeprefix(self._prefix).replace(os.sep, "/")
            self._places[code] = (file, code.co_name, code.co_firstlineno) if ours else None
        return self._places[code]

    def _caller_room(self, frame: FrameType) -> str | None:
        """The room of the nearest function of the package that led to this call."""
        caller = frame.f_back
        while caller is not None:
            place = self._place_of(caller.f_code)
            if place is not None:
                return room_of(place[0])
            caller = caller.f_back
        return None

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Trace this thread and those that it starts."""
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def figures(self) -> dict[str, int]:
        """The counts of the walk."""
        by_name: Counter[str] = Counter()
        for (_, name, _), n in self.calls.items():
            by_name[name] += n
        return {
            "calls": sum(self.calls.values()),
            "files": len({file for file, _, _ in self.calls}),
            "functions": len(self.calls),
            "room_changes": self.room_changes,
            **{label: sum(by_name[name] for name in names) for label, names in ONCE.items()},
        }


def room_of(file: str) -> str:
    """The first folder of a file in the package; none for those beside the rooms."""
    return file.split("/")[0] if "/" in file else ""


def list_walks(folder: Path) -> dict[str, Callable[[], object]]:
    """The walks by name: each a call that does the same at every time."""
    import glade

    penguins = glade.load_penguins().dropna()
    y, numeric = penguins["body_mass_g"], penguins[["bill_length_mm", "flipper_length_mm"]]
    mixed = penguins.drop(columns=["body_mass_g", "year"], errors="ignore")
    tree, forest = glade.TreeRegressor(), glade.ForestRegressor(8, random_state=0)
    rules = glade.RuleEnsembleRegressor(max_rules=20, random_state=0)
    table = folder / "penguins.csv"
    penguins.to_csv(table, index=False)
    return {
        "TreeRegressor.fit": lambda: tree.fit(numeric, y),
        "TreeRegressor.predict": lambda: tree.predict(numeric),
        "ForestRegressor(8).fit": lambda: forest.fit(numeric, y),
        "ForestRegressor(8).predict": lambda: forest.predict(numeric),
        "RuleEnsembleRegressor(max_rules=20).fit": lambda: rules.fit(mixed, y),
        "glade fit --report": lambda: fit_and_report(table),
    }


def fit_and_report(table: Path) -> None:
    """`glade fit TABLE --target body_mass_g --report page.html`, in this process."""
    from glade.cli.main import run

    files = [str(table.with_suffix(ending)) for ending in (".glade", ".html")]
    command = ["fit", str(table), "--target", "body_mass_g", "-o", files[0], "--report", files[1], "--force"]
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        code = run(command)
    if code != 0:
        raise SystemExit(f"glade {' '.join(command)} ended with exit code {code}:\n{shown.getvalue()}")


def walk(package: Path) -> dict[str, dict[str, int]]:
    """Do everything twice, and trace the second time: nothing is compiled or imported then."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, go in list_walks(Path(folder)).items():
            go()
            tracer = Tracer(package)
            with tracer.on():
                go()
            found[name] = tracer.figures()
    return found


def documented_parameters(docstring: str) -> set[str]:
    """The names in the Parameters section of a numpydoc docstring that a text follows.

    >>> text = '''A line.
    ...
    ... Parameters
    ... ----------
    ... size, colour : int
    ...     How much of it.
    ... seed : int
    ... '''
    >>> sorted(documented_parameters(text))
    ['colour', 'size']
    """
    text = inspect.cleandoc(docstring)
    parts = SECTION.split(text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    lines = [line for line in sections.get("Parameters", "").splitlines() if line.strip()]
    described = [here for here, below in pairwise(lines) if here[0] != " " and below[0] == " "]
    return {name.strip().lstrip("*") for line in described for name in line.split(" :")[0].split(",")}


def describe_parameters() -> dict[str, dict[str, Any]]:
    """For each public estimator: how many parameters its constructor has, and which its own docstring leaves out."""
    import glade

    kinds = [getattr(glade, name) for name in sorted(glade.__all__)]
    found = {}
    for kind in kinds:
        if inspect.isclass(kind) and hasattr(kind, "get_params"):
            names, known = list(inspect.signature(kind).parameters), documented_parameters(kind.__doc__ or "")
            found[kind.__name__] = {"all": len(names), "without_text": [name for name in names if name not in known]}
    return found


def main(arguments: list[str]) -> None:
    """Print what is asked for as JSON."""
    import glade

    found: dict[str, object] = {"parameters": describe_parameters()}
    if "walk" in arguments:
        found["walk"] = walk(Path(glade.__file__).parent)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
