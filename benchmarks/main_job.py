"""The main job: `glade fit TABLE -t TARGET` with its honest error, from the file to the written model.

    python benchmarks/main_job.py                         penguins, 2,000 and 20,000 rows, a number as target, one core
    python benchmarks/main_job.py --rows 200000           one size (200,000 and more take minutes)
    python benchmarks/main_job.py --kinds number,two,five,four --cores 1,2
    python benchmarks/main_job.py --only stages|peers|growth|memory|cold|one-row

Every run of the command is a process of its own. CPU seconds hold its imports and all its threads; the peak of memory
is that of the process less what it holds after its imports. Inputs are 17 numbers and 3 labels of six. The share that
`--jobs` reaches is that of the stages in `job_stages.py` whose work is divided among threads. Peers fit in one process,
one after the other, to the same rows, from memory (the slow ones to 2,000 or 20,000 rows at most, none that is not
installed); R2 is of 20,000 new rows. Ratios of one run count, seconds do not.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import pandas as pd
from sklearn.metrics import r2_score

from job_stages import STAGES
from measuring import peak_megabytes
from peers import one_hot

HERE = Path(__file__).parent
PENGUINS = HERE.parent / "src" / "glade" / "data" / "penguins.csv"
N_TARGETS = {"number": 1, "two": 1, "five": 1, "four": 4}
NEW_ROWS = 20_000
SHORT = "growth", "coverage", "sums of products", "ridge", "choice", "yardstick", "imports"


def make_table(n_rows, kind="number", n_inputs=20, seed=0):
    """Interacting inputs, three of them labels, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_inputs - 3)).astype(np.float32).astype(float)
    labels, effects = rng.integers(0, 6, (n_rows, 3)), np.random.default_rng(9).normal(size=(3, 6))

    def signal(k):
        a = [X[:, (j + 3 * k) % (n_inputs - 3)] for j in range(5)]
        label = labels[:, k % 3]
        smooth = 10 * np.sin(np.pi * a[0] * a[1]) + 20 * (a[2] - 0.5) ** 2 + 5 * a[4]
        return smooth + 10 * a[3] * (label < 3) + 3 * effects[k % 3][label] + 2 * rng.normal(size=n_rows)

    table = pd.DataFrame(X.round(5), columns=[f"x{j}" for j in range(n_inputs - 3)])
    for j in range(3):
        table[f"n{j}"] = np.array(list("abcdef"))[labels[:, j]]
    for k in range(N_TARGETS[kind]):
        value = signal(k)
        if kind in ("two", "five"):
            n_classes = {"two": 2, "five": 5}[kind]
            cuts = np.quantile(value, np.arange(1, n_classes) / n_classes)
            value = np.array(list("pqrst"))[np.digitize(value, cuts)]
        table[f"y{k}"] = value
    return table


def run_command(path, targets, cores=1, more=(), environment=()):
    """Facts of one run of the command, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        facts, model = Path(folder) / "facts.json", Path(folder) / "model.glade"
        options = [part for name in targets for part in ("-t", name)]
        begin = time.monotonic()
        command = [sys.executable, str(HERE / "job_stages.py"), str(facts), "fit", str(path), *options]
        command += ["-o", str(model), "--jobs", str(cores), *more]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **dict(environment)})
        if done.returncode:
            raise SystemExit(done.stderr)
        return {**json.loads(facts.read_text()), "wall": time.monotonic() - begin, "said": done.stderr}


def run_job(n_rows, kind, cores, more=()):
    if n_rows == 344:
        return run_command(PENGUINS, ["species"], cores, more)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        make_table(n_rows, kind).to_csv(path, index=False)
        return run_command(path, [f"y{k}" for k in range(N_TARGETS[kind])], cores, more)


def find_share(facts):
    """Of the CPU time, without imports and reading, what lies in stages that threads share."""
    work = {stage: own for stage, own in facts["seconds"].items() if stage not in ("imports", "reading")}
    return sum(own for stage, own in work.items() if stage in STAGES and STAGES[stage][1]) / sum(work.values())


def show_job(rows, kinds, cores):
    print(f"| rows | target | cores | CPU s | wall s | peak MB | reached by jobs | {' | '.join(SHORT)} | other |")
    print("|" + "---|" * (8 + len(SHORT)))
    for n_rows in rows:
        for kind in kinds if n_rows != 344 else ["five"]:
            for n in cores:
                facts = run_job(n_rows, kind, n)
                spent = facts["seconds"]
                parts = [spent.get(stage, 0.0) for stage in SHORT]
                cells = [f"{own:.2f}" for own in (*parts, facts["total"] - sum(parts))]
                name = "three classes" if n_rows == 344 else kind
                start = [f"{n_rows:,}", name, n, f"{facts['total']:.1f}", f"{facts['wall']:.1f}"]
                line = [*start, f"{facts['peak_mb'] - facts['imports_mb']:.0f}", f"{find_share(facts):.0%}", *cells]
                print("| " + " | ".join(map(str, line)) + " |", flush=True)


def list_peers(n_rows):
    """Models to fit, by name; peers that are not installed are left out."""
    from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

    from glade import ForestRegressor, RuleEnsembleRegressor, RuleFitRegressor

    peers = {
        "glade, 20 rules": lambda: RuleEnsembleRegressor(max_rules=20, random_state=0),
        "glade, 20 rules, cv=5": lambda: RuleEnsembleRegressor(max_rules=20, cv=5, random_state=0),
        "glade RuleFit, 20": lambda: RuleFitRegressor(max_rules=20, random_state=0),
        "glade boosting": lambda: ForestRegressor(100, method="boosting", max_leaf_nodes=31, max_bins=255),
        "scikit-learn HGB": lambda: HistGradientBoostingRegressor(random_state=0),
    }
    if n_rows <= 20_000:
        peers["scikit-learn forest"] = lambda: RandomForestRegressor(random_state=0, n_jobs=1)
    for name, module, make, most_rows in (
        ("XGBoost", "xgboost", lambda own: own.XGBRegressor(n_jobs=1, random_state=0), None),
        ("CatBoost", "catboost", lambda own: own.CatBoostRegressor(thread_count=1, verbose=0, random_state=0), None),
        ("imodels FIGS", "imodels", lambda own: own.FIGSRegressor(max_rules=20, random_state=0), 20_000),
        ("imodels RuleFit", "imodels", lambda own: own.RuleFitRegressor(random_state=0), 2_000),
        ("EBM", "interpret.glassbox", lambda own: own.ExplainableBoostingRegressor(n_jobs=1, random_state=0), 2_000),
    ):
        if most_rows is not None and n_rows > most_rows:
            continue
        try:
            own = import_module(module)
        except ImportError as fault:
            print(f"{name} is left out: {fault}")
        else:
            peers[name] = partial(make, own)
    return peers


def show_peers(rows):
    print("| rows | model | CPU s of the fit | R2 on new rows | times glade's 20 rules |\n|---|---|---|---|---|")
    for n_rows in rows:
        table = make_table(n_rows + NEW_ROWS)
        X, y = table.drop(columns="y0"), table["y0"]
        X = X.astype({f"n{j}": "category" for j in range(3)})
        own = None
        for name, make in list_peers(n_rows).items():
            model = make() if "glade" in name else one_hot(make(), X)
            if own is None:
                make().fit(X[:2_100], y[:2_100])  # compiles, or loads
            begin = time.process_time()
            model.fit(X[:n_rows], y[:n_rows])
            seconds = time.process_time() - begin
            own = own or seconds
            score = r2_score(y[n_rows:], model.predict(X[n_rows:]))
            print(f"| {n_rows:,} | {name} | {seconds:.2f} | {score:.3f} | {seconds / own:.2f} |", flush=True)


def show_growth():
    """The fit alone, from memory: how its CPU seconds grow with inputs, targets and classes."""
    from glade import RuleEnsembleClassifier, RuleEnsembleRegressor

    print("| rows | inputs | target | CPU s of the fit |\n|---|---|---|---|")
    cases = [(2_000, p, "number") for p in (20, 80, 320)] + [(n, 20, k) for n in (2_000, 20_000) for k in N_TARGETS]
    for n_rows, n_inputs, kind in dict.fromkeys(cases):
        table = make_table(n_rows, kind, n_inputs)
        y = table[[f"y{k}" for k in range(N_TARGETS[kind])]]
        X, y = table.drop(columns=y.columns), y if kind == "four" else y.iloc[:, 0]
        model = (RuleEnsembleClassifier if kind in ("two", "five") else RuleEnsembleRegressor)(
            max_rules=20, random_state=0
        )
        model.fit(X[:2_100], y[:2_100])
        begin = time.process_time()
        model.fit(X, y)
        print(f"| {n_rows:,} | {n_inputs} | {kind} | {time.process_time() - begin:.2f} |", flush=True)


def show_memory():
    """Megabytes above what the process held before the fit."""
    print("| rows | targets | model | peak MB |\n|---|---|---|---|")
    make = "from glade import {0}\nmodel = {0}(max_rules=20, random_state=0{1})"
    for n_rows, n_targets, kind, more in (
        (420, 20, "RuleFitRegressor", ""),
        (420, 20, "RuleEnsembleRegressor", ""),
        (2_000, 20, "RuleEnsembleRegressor", ""),
        (20_000, 1, "RuleEnsembleRegressor", ", cv=5"),
    ):
        peak = peak_megabytes(make.format(kind, more), n_rows, n_targets)
        print(f"| {n_rows:,} | {n_targets} | {kind}{more} | {peak:.0f} |", flush=True)


def show_cold():
    """With an empty cache: what `glade warm-up` takes, and whether any command after it compiles."""
    with tempfile.TemporaryDirectory() as cache:
        empty = {"NUMBA_CACHE_DIR": cache, "XDG_CACHE_HOME": cache}
        code = "import time, sys; from glade.cli.main import run; run(sys.argv[1:]); print(time.process_time())"
        print("| command, in this order | CPU s | says that it compiles |\n|---|---|---|")
        for more in (["warm-up"], ["warm-up"], ["warm-up", "--soft"]):
            command = [sys.executable, "-c", code, *more]
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **empty}, check=True)
            seconds = float(done.stdout.split()[-1])
            print(f"| glade {' '.join(more)} | {seconds:.1f} | {'compiling' in done.stderr} |", flush=True)
        for n_rows, kind in ((344, "five"), (2_000, "number"), (2_000, "five")):
            facts = run_job_with(n_rows, kind, empty)
            print(f"| glade fit, {n_rows} rows, {kind} | {facts['total']:.1f} | {'compiling' in facts['said']} |")


def run_job_with(n_rows, kind, environment):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        make_table(n_rows, kind).to_csv(path, index=False)
        return run_command(path, [f"y{k}" for k in range(N_TARGETS[kind])], 1, (), environment.items())


def show_one_row():
    """Microseconds of CPU for one row, and millions of rows a second; the best of several."""
    from glade import RuleEnsembleRegressor

    rng = np.random.default_rng(0)
    X = rng.random((5_000, 20))
    y = 10 * np.sin(3 * X[:, 0] * X[:, 1]) + X[:, 2] + 5 * (X[:, 3] > 0.5)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(20)])
    of_array = RuleEnsembleRegressor(max_rules=20, random_state=0).fit(X, y)
    of_frame = RuleEnsembleRegressor(max_rules=20, random_state=0).fit(frame, y)
    dense = RuleEnsembleRegressor(weights="ridge", max_rules=None, random_state=0).fit(X, y)

    def take(predict, n):
        best = np.inf
        for _ in range(10):
            begin = time.process_time()
            for _ in range(n):
                predict()
            best = min(best, (time.process_time() - begin) / n)
        return best

    many = np.vstack([X] * 20)
    print("| what | figure |\n|---|---|")
    for name, predict in (
        ("array", lambda: of_array.predict(X[:1])),
        ("dataframe", lambda: of_frame.predict(frame[:1])),
        (f"array, {len(dense.terms_):,} terms", lambda: dense.predict(X[:1])),
    ):
        print(f"| one row, {name} | {take(predict, 200) * 1e6:.0f} us |")
    print(f"| {len(many):,} rows, array | {len(many) / take(lambda: of_array.predict(many), 3) / 1e6:.1f} M rows a s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="344,2000,20000")
    parser.add_argument("--kinds", default="number")
    parser.add_argument("--cores", default="1")
    parser.add_argument("--only", choices=["stages", "peers", "growth", "memory", "cold", "one-row"])
    given = parser.parse_args()
    rows, cores = ([int(part) for part in text.split(",")] for text in (given.rows, given.cores))
    parts = {
        "stages": lambda: show_job(rows, given.kinds.split(","), cores),
        "peers": lambda: show_peers([n for n in rows if n != 344]),
        "growth": show_growth,
        "memory": show_memory,
        "cold": show_cold,
        "one-row": show_one_row,
    }
    for name, show in parts.items():
        if given.only in (None, name):
            print(f"\n### {name}\n", flush=True)
            show()


if __name__ == "__main__":
    main()
