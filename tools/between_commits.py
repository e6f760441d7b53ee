"""The same fits by two checkouts of this repository: did a change make them slower, or other models?

    git worktree add ../glade-before e80a7b9
    python -m tools.between_commits speed ../glade-before            # CPU seconds of rules, against this checkout
    python -m tools.between_commits models ../glade-before           # predictions of all estimators, to 1e-9
    python -m tools.between_commits speed ../glade-before --model lasso --table classes --repeats 9

Each checkout has a process of its own, with its own compiled kernels. The two take turns, fit by fit, so that both meet
the same noise of the machine. CPU seconds are those of all threads, the least of the repeats; the first fit of each is
not counted.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("fit_worker.py")
REPEATS, TOLERANCE = 5, 1e-9
BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

# What is fitted, as family and settings; every estimator is there, each with its own way to the model.
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "rules": ("RuleEnsemble", {}),
    "20 terms": ("RuleEnsemble", {"max_rules": 20}),
    "all terms": ("RuleEnsemble", {"max_rules": None}),
    "greedy": ("RuleEnsemble", {"weights": "greedy", "max_rules": 20}),
    "lasso": ("RuleFit", {}),
    "FIRE": ("FIRE", {"max_rules": 20}),
    "soft": ("SoftRules", {}),
}
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "tree": ("Tree", {"min_samples_leaf": 3}),
    "pruned tree": ("Tree", {"ccp_alpha": "cv"}),
    "forest": ("Forest", {"n_estimators": 20}),
    "extra trees": ("Forest", {"n_estimators": 20, "method": "extra_trees"}),
    "boosting": ("Forest", {"n_estimators": 20, "method": "boosting"}),
    "isle": ("Forest", {"n_estimators": 20, "method": "isle"}),
    "multi-tree": ("MultiTree", {"n_alternatives": 10}),
}
TABLES = ("numbers", "nominal inputs", "4 targets", "classes", "two classes", "mixed targets", "many rows")


class Worker:
    """A process that fits what it is asked to, by one checkout."""

    def __init__(self, checkout: str, cache: Path, *options: str):
        package = Path(checkout).resolve() / "src"
        if not (package / "glade").is_dir():
            sys.exit(f"{checkout} is no checkout of glade: it has no src/glade")
        environment = {
            **os.environ,
            **dict.fromkeys(BLAS, "1"),
            "PYTHONPATH": str(package),
            "NUMBA_CACHE_DIR": str(cache),
        }
        command = [sys.executable, str(WORKER), *options]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def fit(self, model: tuple[str, dict[str, Any]], table: str) -> dict[str, Any] | None:
        """The answer of the process; None where the model does not fit such a table."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([model, table]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"the fit of {model} to {table!r} ended the process: its error stands above")
        return json.loads(line)

    def end(self) -> None:
        """Let the process end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def compare_speed(workers: Sequence[Worker], model: tuple[str, dict[str, Any]], table: str, repeats: int) -> str | None:
    """Cells of the two least numbers of seconds, and their ratio; None where there is no such fit."""
    runs = [[worker.fit(model, table) for worker in workers] for _ in range(repeats + 1)]
    if any(answer is None for answer in runs[0]):
        return None
    before, after = (min(answer["seconds"] for answer in own if answer) for own in zip(*runs[1:], strict=True))
    return f"{before:.2f} | {after:.2f} | {after / before:.2f}"


def compare_models(workers: Sequence[Worker], model: tuple[str, dict[str, Any]], table: str, _: int) -> str | None:
    """A cell that says by how much predictions differ, relative to the largest; None where there is no such fit."""
    answers = [worker.fit(model, table) for worker in workers]
    if any(answer is None for answer in answers):
        return None
    return describe_difference(*(answer["predictions"] for answer in answers if answer))


def describe_difference(before: list[float], after: list[float]) -> str:
    """In words, how much numbers differ.

    >>> describe_difference([1.0, 2.0], [1.0, 2.0]), describe_difference([1.0, 2.0], [1.0, 2.1])
    ('the same bits', 'differ by 0.05')
    """
    if before == after:
        return "the same bits"
    if len(before) != len(after):
        return f"{len(before)} numbers, then {len(after)}"
    one, other = np.array(before), np.array(after)
    gap = float(np.abs(one - other).max() / np.abs(one).max())
    return f"equal to {TOLERANCE:g}" if gap <= TOLERANCE else f"differ by {gap:.2g}"


def main() -> None:
    """Print a table of what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "models"])
    parser.add_argument("before", help="a folder with a checkout")
    parser.add_argument("after", nargs="?", default=str(ROOT), help="another; by default this one")
    parser.add_argument("--model", choices=[*RULES, *OTHERS], action="append")
    parser.add_argument("--table", choices=TABLES, action="append")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--cache", type=Path, help="a folder in which compiled kernels are kept for the next run")
    options = parser.parse_args()
    is_speed, known = options.what == "speed", {**RULES, **OTHERS}
    with tempfile.TemporaryDirectory() as folder:
        cache = (options.cache or Path(folder)).resolve()
        asked = () if is_speed else ("--predictions",)
        workers = [Worker(options.before, cache / "before", *asked), Worker(options.after, cache / "after", *asked)]
        print("| fit | table | before, CPU s | after | ratio |" if is_speed else "| fit | table | predictions |")
        print("|" + "---|" * (5 if is_speed else 3))
        compare = compare_speed if is_speed else compare_models
        for name in options.model or (RULES if is_speed else known):
            for table in options.table or TABLES:
                cells = compare(workers, known[name], table, options.repeats)
                if cells is not None:
                    print(f"| {name} | {table} | {cells} |", flush=True)
        for worker in workers:
            worker.end()


if __name__ == "__main__":
    main()
