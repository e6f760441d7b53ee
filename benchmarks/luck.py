"""How much of the error of rule ensembles is the luck of the draw: the same rows with one seed after another.

    python benchmarks/luck.py fit now.jsonl                    four sets, five seeds, 20 rules and all rules
    python benchmarks/luck.py fit now.jsonl --seconds 240      begin nothing new after so long; say it again to go on
    python benchmarks/luck.py table before.jsonl now.jsonl     standard deviations over seeds, and their ratio

For another commit, whose package may not read these tables, give both commands the same `--tables FILE`: whoever comes
first writes it, `PYTHONPATH=OTHER/src python benchmarks/luck.py fit before.jsonl --tables FILE` reads it.

2,000 rows of a set, drawn once, are fitted, and 1,000 others judge: RRMSE, 1 is always the mean. Only `random_state`
changes. Models of 10 and 20 terms are steps of the fit with `max_rules=20`.
"""

import argparse
import os
import time
import warnings
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import pandas as pd

from glade import RuleEnsembleRegressor
from stored import Stored

SETS = ("kin8nm", "cpu_act", "house_8L", "abalone")
LEARN, JUDGE = 2_000, 1_000
FEW, ALL = (10, 20), "all"


def draw_tables(sets, path):
    """{set: (inputs, target)}, from the file where there is one."""
    if path and Path(path).exists():
        return pd.read_pickle(path)
    from tables import load_real

    found = {}
    for name in sets:
        X, Y = load_real(name)
        rows = np.random.default_rng(0).permutation(len(X))[: LEARN + JUDGE]
        found[name] = X.iloc[rows].reset_index(drop=True), Y.iloc[rows, 0].to_numpy(float)
    if path:
        pd.to_pickle(found, path)
    return found


def measure(X, y, kind, seed):
    """Errors of a fit's models, and its CPU seconds."""
    learn, judge = slice(0, LEARN), slice(LEARN, None)
    start = time.process_time()
    model = RuleEnsembleRegressor(max_rules=None if kind == ALL else max(FEW), random_state=seed)
    model.fit(X.iloc[learn], y[learn])
    seconds = time.process_time() - start
    models = [model] if kind == ALL else [model.with_rules(size) for size in FEW]
    around_mean = ((y[judge] - y[learn].mean()) ** 2).sum()
    squares = [((own.predict(X.iloc[judge]) - y[judge]) ** 2).sum() for own in models]
    return [*np.sqrt(np.array(squares) / around_mean), seconds]


def collect(path, sets, seeds, tables=None, seconds=None):
    """A row for each model of each seed; without tables only what is stored."""
    stored, rows = Stored(path, seconds if tables else -1.0), []
    for seed in range(seeds):
        for name in sets:
            for kind in ("few", ALL):
                found = stored.find((name, kind, seed), lambda n=name, k=kind, s=seed: measure(*tables[n], k, s))
                if found is not None:
                    sizes = [ALL] if kind == ALL else FEW
                    own = {"set": name, "seed": seed, "seconds": found[-1]}
                    rows += [own | {"terms": size, "error": error} for size, error in zip(sizes, found, strict=False)]
    return pd.DataFrame(rows)


def compare(paths, sets, seeds):
    """Mean, and standard deviation over seeds, of each file; the ratio is that of the last over the first."""
    tables = []
    for path in paths:
        groups = collect(path, sets, seeds).groupby(["terms", "set"], sort=False)
        tables.append(groups.agg(mean=("error", "mean"), deviation=("error", "std"), CPU=("seconds", "median")))
    table = pd.concat(dict(zip(map(str, paths), tables, strict=True)), axis=1)
    table["ratio"] = tables[-1].deviation / tables[0].deviation
    print(table.round(4).to_string())
    for terms, own in table.groupby(level=0, sort=False):
        first, last = (np.sqrt((own[str(path), "deviation"] ** 2).mean()) for path in (paths[0], paths[-1]))
        print(f"{terms}: root mean square of the deviations {first:.4f}, {last:.4f}: ratio {last / first:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("fit", "table"))
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--tables", metavar="FILE")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    sets = given.sets.split(",")
    if given.do == "table":
        compare(given.files, sets, given.seeds)
    else:
        tables = draw_tables(sets, given.tables)
        measure(*tables[sets[0]], "few", 0)  # what is compiled is compiled now
        print(collect(given.files[0], sets, given.seeds, tables, given.seconds).round(4).to_string())


if __name__ == "__main__":
    main()
