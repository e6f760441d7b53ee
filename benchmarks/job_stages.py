"""One run of the command line in this process, with the CPU seconds of each stage: what `main_job.py` starts.

    python benchmarks/job_stages.py RESULT.json fit TABLE -t y ...

A stage is a list of functions of the package (`STAGES`). Each is wrapped, and counts the CPU seconds of its thread
without those of the stages inside it. What no stage counts is "other"; "imports" is what the process took before.
A name that is no longer there is an error: change it here when the function moves.
"""

import json
import resource
import sys
import threading
import time
from functools import wraps
from importlib import import_module

STAGES = {  # the stage: its functions, and whether `n_jobs` reaches it
    "reading": (["glade.cli.tables.open_table"], False),
    "growth": (["glade.models.candidates.CandidateFinder.grow"], True),
    "coverage": (["glade.rules.coverage.cover"], True),
    "duplicates": (["glade.rules.coverage.drop_duplicates"], True),
    "candidates, all else": (["glade.models.candidates.CandidateFinder.pose"], True),
    "sums of products": (
        ["glade.weights.problem_sums.ProblemSums.of", "glade.weights.products.CountedProducts.whole"],
        True,
    ),
    "ridge": (["glade.weights.ridge.DenseRidge.weights", "glade.weights.ridge.DenseRidge.__init__"], True),
    "predictions": (["glade.rules.design.Design.predict"], True),
    "choice": (["glade.weights.greedy.select_terms", "glade.weights.greedy.judge_refits"], True),
    "solver, all else": (["glade.weights.solver.Solver.judge"], False),
    "path of the whole": (["glade.weights.auto.ValidatedSquares.find_path"], False),
    "measures of the model": (["glade.rules.model.RuleModel.of"], False),
    "yardstick": (["glade.evaluate.fit_results.run_fit_aside"], True),
}
spent, own_threads = {}, threading.local()


def timed(stage, function):
    @wraps(function)
    def run(*given, **named):
        stack = own_threads.__dict__.setdefault("stack", [])
        begin = time.thread_time()
        stack.append(0.0)
        try:
            return function(*given, **named)
        finally:
            whole = time.thread_time() - begin
            spent[stage] = spent.get(stage, 0.0) + whole - stack.pop()
            if stack:
                stack[-1] += whole

    return run


def find_owner(path):
    """The module or class that holds a function, and the function's name."""
    parts = path.split(".")
    for k in range(len(parts) - 1, 0, -1):
        try:
            owner = import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for name in parts[k:-1]:
            owner = getattr(owner, name)
        return owner, parts[-1]
    raise SystemExit(f"there is no {path}")


def wrap_all():
    for stage, (paths, _) in STAGES.items():
        for path in paths:
            owner, name = find_owner(path)
            before = vars(owner)[name]
            inner = before.__func__ if isinstance(before, classmethod) else before
            new = timed(stage, inner)
            setattr(owner, name, classmethod(new) if isinstance(before, classmethod) else new)
            for module in [m for m in sys.modules.values() if getattr(m, "__name__", "").startswith("glade")]:
                for alias, value in list(vars(module).items()):
                    if value is before:
                        setattr(module, alias, new)


def main():
    result, *arguments = sys.argv[1:]
    import_module("glade.cli.main")
    for name in ("glade.models.rules", "glade.cli.fit", "glade.evaluate.own_folds"):
        import_module(name)
    wrap_all()
    imported, held = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.argv = ["glade", *arguments]
    try:
        from glade.cli.main import main as glade

        glade()
    finally:
        total = time.process_time()
        seconds = {"imports": imported, **spent}
        seconds["other"] = total - sum(seconds.values())
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        facts = {
            "seconds": seconds,
            "total": total,
            "children": usage.ru_utime + usage.ru_stime,
            "imports_mb": held,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        with open(result, "w") as file:
            json.dump(facts, file)


if __name__ == "__main__":
    main()
