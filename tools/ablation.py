"""What each trick of the growth core gains: the CPU seconds of whole fits without it, over those with it.

    python -m tools.ablation                                  # all tricks, all tables
    python -m tools.ablation --trick ranks --table wq --repeats 9
    python -m tools.ablation --checkout ../glade-before       # another commit in the place of a trick

A trick stays in the code if fits are at least 1.3 times as fast with it on two tables that users would have
(docs/dev/speed.md). Each trick is taken out of a copy of the package by replacing a few lines of text, and the copy has
a process of its own. All processes take turns, fit by fit, so that they meet the same noise of the machine; what counts
is the least of the repeats. `base` stands in the table twice: the second shows how much is noise.

Every copy compiles its own kernels; with NUMBA_CACHE_DIR set to a folder of its own, a second run finds them there.
The real tables are read from the folder of shared data (GLADE_DATA); where it is absent only the made ones are fitted.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("ablation_worker.py")
REPEATS = 5
BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SPLIT = "grow/_split.py"

# What to replace, by what, in which file; each text has to occur once, so that a slip of the pen is seen.
Patch = list[tuple[str, str, str]]
TRICKS: dict[str, Patch] = {
    "base": [],
    "all cuts first": [
        (SPLIT, "if settings.is_plain and not some_missing:", "if settings.is_plain > 1 and not some_missing:")
    ],
    "ranks": [("data/_order.py", "RANK_MAX = ", "RANK_MAX = 0 * ")],
    "no reference counts": [("core/_compile.py", '    "_nrt": False,\n', "")],
    "pasted": [
        ("core/_compile.py", 'return numba.njit(inline="always", **OPTIONS)(function)', "return part(function)")
    ],
}
TABLES = ("wq", "cpu_act", "scm20d", "house_8L", "car", "made, 14 targets", "made, 1 target")
FITS = ("tree", "tree of depth 6", "forest", "forest of depth 6", "rules")


def copy_without(trick: str, folder: Path) -> Path:
    """A copy of the package's folder `src` from which a trick is taken out."""
    copy = folder / trick.replace(" ", "-")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in TRICKS[trick]:
        path = copy / "src" / "glade" / name
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise ValueError(f"{name} does not hold this text once, by which {trick!r} is taken out: {old!r}")
        path.write_text(text.replace(old, new), encoding="utf-8")
    return copy


class Worker:
    """A process that fits by one copy of the package, whose kernels are kept in the folder `cache`."""

    def __init__(self, copy: Path, cache: Path):
        environment = {
            **os.environ,
            **dict.fromkeys(BLAS, "1"),
            "PYTHONPATH": os.pathsep.join((str(copy / "src"), str(ROOT))),
            "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(cache)),
        }
        command = [sys.executable, str(WORKER)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def fit(self, kind: str, table: str) -> float | None:
        """CPU seconds of a fit; None where the table is absent."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([kind, table]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"a fit of {kind} to {table!r} ended its process: the error stands above")
        answer: Any = json.loads(line)
        return answer

    def end(self) -> None:
        """Let the process end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def measure(workers: dict[str, Worker], kind: str, table: str, repeats: int) -> list[str] | None:
    """Milliseconds of the base, and the ratio of each variant to it; the first fit of each is not counted."""
    least = dict.fromkeys(workers, float("inf"))
    for turn in range(repeats + 1):
        for name, worker in workers.items():
            seconds = worker.fit(kind, table)
            if seconds is None:
                return None
            if turn:
                least[name] = min(least[name], seconds)
    base = least["base"]
    return [f"{1e3 * base:.1f}", *(f"{least[name] / base:.2f}" for name in workers if name != "base")]


def main() -> None:
    """Print a table of what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trick", choices=[name for name in TRICKS if name != "base"], action="append")
    parser.add_argument("--table", choices=TABLES, action="append")
    parser.add_argument("--fit", choices=FITS, action="append")
    parser.add_argument("--checkout", type=Path, help="of another commit, which takes the place of the tricks")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    options = parser.parse_args()
    tricks = options.trick or ([] if options.checkout else [name for name in TRICKS if name != "base"])
    with tempfile.TemporaryDirectory() as folder:
        caches = Path(folder) / "caches"
        workers = {name: Worker(copy_without(name, Path(folder)), caches) for name in ("base", *tricks)}
        if options.checkout:
            workers[options.checkout.name] = Worker(options.checkout.resolve(), caches)
            tricks.append(options.checkout.name)
        workers["base again"] = Worker(Path(folder) / "base", caches)
        print("| table | fit | ms | " + " | ".join([*tricks, "base again"]) + " |")
        print("|" + "---|" * (len(tricks) + 4))
        for table in options.table or TABLES:
            for kind in options.fit or FITS:
                cells = measure(workers, kind, table, options.repeats)
                if cells is not None:
                    print(f"| {table} | {kind} | " + " | ".join(cells) + " |", flush=True)
        for worker in workers.values():
            worker.end()


if __name__ == "__main__":
    main()
