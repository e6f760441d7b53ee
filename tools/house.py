"""Measure the house: how large it is, how hard to read, and how far a fit walks through it.

    python -m tools.house                                      all figures of this checkout
    python -m tools.house --no-walk --only grow                one room
    python -m tools.house --source ../old --json old.json      another commit, checked out elsewhere
    python -m tools.house --against docs/dev/house-before.json side by side with stored figures

docs/dev/house.md says what each figure means. Uses the standard library only; the walk runs in a process of its own.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tools import house_walk
from tools.house_source import PACKAGE, measure_landmarks, measure_rooms

ROOT = Path(__file__).parents[1]
N_COMMITS = 150
COLUMNS = ("lower", "upper", "all")
ROWS = {  # the figures of a room, in the order in which they are printed
    "files": "files",
    "lines": "lines",
    "code_lines": "lines without docstrings, comments and blank lines",
    "functions": "functions",
    "p95_lines": "95th percentile of their lines (no docstring)",
    "over_30_lines": "functions over 30 lines",
    "over_60_lines": "functions over 60 lines",
    "over_8_parameters": "functions with more than 8 parameters",
    "too_many_parameters": "  of these outside kernels",
    "too_many_in_kernels": "  kernels with more than 10",
    "most_parameters": "most parameters of a function",
    "complex": "functions with complexity over 10",
    "private_reads": "private attributes read across rooms",
    "asks_what_model": "hasattr(model, ...)",
}
NAMED = {  # listed by name below the table
    "over_60_lines": "over 60 lines",
    "too_many_parameters": "more than 8 parameters, outside kernels",
    "too_many_in_kernels": "more than 10 parameters, in kernels",
    "complex": "complexity over 10",
    "private_reads": "private attributes read across rooms",
}


def measure(source: Path, *, with_walk: bool, only: str | None) -> dict[str, Any]:
    """All figures of a checkout; of one room only those that can be read from its text."""
    package = source / "src" / "glade"
    figures: dict[str, Any] = {"commit": run_git(source, "rev-parse", "--short", "HEAD").strip() or "no commit"}
    figures["rooms"] = measure_rooms(package, only)
    if only is None:
        figures["landmarks"] = measure_landmarks(package)
        figures["commits"] = measure_commits(source)
        figures |= measure_running(source, with_walk)
    return figures


def measure_commits(source: Path) -> dict[str, int]:
    """Of the last commits (merges aside): how many touch src, and how many of these touch tests."""
    log = run_git(source, "log", f"-{N_COMMITS}", "--no-merges", "--name-only", "--format=%x00")
    commits = [text.split() for text in log.split("\0") if text.strip()]
    of_source = [files for files in commits if any(file.startswith("src/") for file in files)]
    with_tests = sum(any(file.startswith("tests/") for file in files) for files in of_source)
    return {"last": N_COMMITS, "touch_src": len(of_source), "touch_tests_too": with_tests}


def run_git(source: Path, *arguments: str) -> str:
    """What git says of a checkout; nothing where it is none."""
    return subprocess.run(["git", "-C", source, *arguments], capture_output=True, text=True, check=False).stdout


def measure_running(source: Path, with_walk: bool) -> dict[str, Any]:
    """What `house_walk.py` finds in a process that imports the package from this checkout."""
    command = [sys.executable, house_walk.__file__, *(["walk"] if with_walk else [])]
    environment = {**os.environ, "PYTHONPATH": str((source / "src").resolve())}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the walk through {source} ended with exit code {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def count(value: Any) -> int:
    """A figure as a number: a list of places counts its places."""
    return value if isinstance(value, int) else len(value)


def list_parameters(figures: dict[str, Any]) -> dict[str, int]:
    """Constructor parameters of all public estimators, and those without text in their own class."""
    kinds = figures["parameters"].values()
    return {"all": sum(k["all"] for k in kinds), "without_text": sum(len(k["without_text"]) for k in kinds)}


def list_facts(figures: dict[str, Any]) -> dict[str, str]:
    """The figures that are of the whole house, in words."""
    if "landmarks" not in figures:
        return {}
    core, commits, own = figures["landmarks"], figures["commits"], list_parameters(figures)
    share = round(100 * commits["touch_tests_too"] / max(1, commits["touch_src"]))
    facts = {
        "growth core": f"{len(core['growth_core'])} files, {core['growth_core_lines']:,} lines",
        "estimator of rules": f"{core['rule_estimator_lines']} lines, {core['rule_estimator_imports']} imports",
        "constructor parameters without text": f"{own['without_text']} of {own['all']}",
        "commits to src that touch tests": f"{commits['touch_tests_too']} of {commits['touch_src']} ({share} %)",
    }
    for name, walked in figures.get("walk", {}).items():
        steps = ", ".join(f"{walked[key]:,} {key}" for key in ("calls", "files", "functions"))
        facts[name] = f"{steps}, {walked['room_changes']:,} changes of room"
        repeated = ", ".join(f"{label}: {walked[label]}" for label in house_walk.ONCE if walked.get(label))
        if repeated:
            facts[f"  times in {name}"] = repeated
    return facts


def show(figures: dict[str, Any], before: dict[str, Any] | None) -> str:
    """The whole answer, as text."""
    blocks = [_show_commits(figures, before), _show_rooms(figures, before), _show_facts(figures, before)]
    return "\n\n".join(block for block in [*blocks, *_list_places(figures)] if block)


def _show_commits(figures: dict[str, Any], before: dict[str, Any] | None) -> str:
    if before is None:
        return f"commit {figures['commit']}"
    return f"before: commit {before['commit']}; after: commit {figures['commit']}"


def _show_rooms(figures: dict[str, Any], before: dict[str, Any] | None) -> str:
    rooms = figures["rooms"]
    columns = COLUMNS if "all" in rooms else tuple(rooms)
    sides: list[tuple[str, Callable[[str], dict[str, Any]]]] = [("", rooms.__getitem__)]
    if before is not None:
        stored = before["rooms"]
        sides = [(" before", lambda room: stored.get(room, {})), (" after", rooms.__getitem__)]
    lines = [["", *(f"{room}{when}" for room in columns for when, _ in sides)]]
    for key, label in ROWS.items():
        cells = [side(room).get(key) for room in columns for _, side in sides]
        lines.append([label, *("-" if cell is None else f"{count(cell):,}" for cell in cells)])
    return "\n".join(align(lines))


def align(lines: list[list[str]]) -> Iterator[str]:
    """Columns of one width each, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *others in lines:
        yield "  ".join(
            [first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(others, widths[1:], strict=True))]
        ).rstrip()


def _show_facts(figures: dict[str, Any], before: dict[str, Any] | None) -> str:
    now, then = list_facts(figures), {} if before is None else list_facts(before)
    lines = []
    for label, fact in now.items():
        indent = label[: len(label) - len(label.lstrip())]
        lines.append(f"{label}: {fact}" if before is None else f"{label}\n{indent}  before  {then.get(label, '-')}")
        if before is not None:
            lines.append(f"{indent}  after   {fact}")
    return "\n".join(lines)


def _list_places(figures: dict[str, Any]) -> Iterator[str]:
    """Below the table, by name, what is too long, too wide or too complex, and the files of the growth core."""
    rooms = figures["rooms"]
    own = rooms.get("all") or next(iter(rooms.values()))
    for key, title in NAMED.items():
        if own[key]:
            yield "\n".join([f"{title}:", *(f"  {place}" for place in own[key])])
    if "landmarks" in figures:
        yield "the growth core: " + ", ".join(figures["landmarks"]["growth_core"])


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description="Measure the house.")
    parser.add_argument("--source", type=Path, default=ROOT, help="a checkout of any commit [this one]")
    parser.add_argument("--no-walk", action="store_true", help="leave out the walk, which takes minutes")
    parser.add_argument("--only", metavar="ROOM", help=f"the figures of one room ({PACKAGE}: files in no room)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--against", type=Path, metavar="FILE", help="figures of another commit to print beside")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Measure, write, print."""
    given = read_arguments(arguments)
    package = given.source / "src" / "glade"
    if not package.is_dir():
        raise SystemExit(f"there is no src/glade in {given.source}: give the folder of a checkout")
    if given.only and given.only != PACKAGE and not (package / given.only).is_dir():
        raise SystemExit(f"there is no room {given.only!r} in {package}")
    before = json.loads(given.against.read_text(encoding="utf-8")) if given.against else None
    figures = measure(given.source, with_walk=not given.no_walk, only=given.only)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(show(figures, before))


if __name__ == "__main__":
    main()
