"""Is the error that `glade fit` reports the error on new rows? Beside folds within folds, which it once reported.

    python benchmarks/honest_error.py run RESULTS.jsonl [--seeds 10] [--rows 600] [--sets kin8nm,car]
    python benchmarks/honest_error.py show RESULTS.jsonl
    python benchmarks/honest_error.py run AFTER.jsonl --ways own           only the model of `glade fit`
    python benchmarks/honest_error.py between BEFORE.jsonl AFTER.jsonl     what a change of the code has changed

`run` goes on where it stopped: what RESULTS.jsonl holds is not computed again. For every set and seed some rows (half
of the set, at most `--rows`) are fitted, and all others (at most 5,000) are new rows:

own       the model of `glade fit` (20 rules, 5 folds), and what its `oof_prediction_` says
nested    the model of 0.1 (its own 3 or 2 folds), and 5 folds in each of which it is fitted with folds of its own

Both errors are compared with the error of the model at hand on the new rows. The distance is |reported - true| / true,
of the relative RMSE (a mean over targets), or of the root of the Brier score for classes. `show` gives the mean of the
paired differences of distances with an interval over the sets, the bias, and how the two models differ on new rows.
`between` compares two runs of *own* by the same sets and seeds. Takes some 3 CPU seconds for a set and seed.
"""

import argparse
import json
import os
import time
import warnings
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.base import clone

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.data.folds import draw_folds
from glade.data.targets import MIXED, read_targets
from tables import load_real
from test_sets import CHOICE_SETS

SETS = [
    *("kin8nm", "cpu_act", "house_8L", "abalone", "auto_mpg", "strike", "quake"),
    *("car", "tic_tac_toe", "tae", "hepatitis", "post_operative"),
    *("enb", "jura", "wq"),
]
assert set(SETS) <= {name for names in CHOICE_SETS.values() for name in names}
NEW_ROWS = 5_000


def read(name):
    X, y = load_real(name)
    y = y.iloc[:, 0] if getattr(y, "ndim", 1) > 1 and y.shape[1] == 1 else y
    is_class = all(column.labels is not None for column in read_targets(y, MIXED))
    known = ~np.asarray(pd.isna(y)).reshape(len(y), -1).all(axis=1)
    return X[known].reset_index(drop=True), y[known].reset_index(drop=True), is_class


def find_error(truth, said, classes):
    """The relative RMSE, a mean over targets; of classes the root of the Brier score."""
    if classes is not None:
        of_class = np.asarray(truth)[:, None] == np.asarray(classes)
        return float(np.sqrt(((said - of_class) ** 2).sum(axis=1).mean()))
    truth, said = (np.asarray(values, float).reshape(len(truth), -1) for values in (truth, said))
    spread = np.nanstd(truth, axis=0)
    return float(np.mean(np.sqrt(np.nanmean((truth - said) ** 2, axis=0)) / np.where(spread > 0, spread, 1.0)))


def say(model, X):
    return model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)


def nest(model, X, y, seed):
    """Predictions of all rows by models of five folds, each fitted with folds of its own."""
    said = None
    for train, test in draw_folds(5, read_targets(y, MIXED), seed):
        own = clone(model).fit(X.iloc[train], y.iloc[train])
        part = say(own, X.iloc[test])
        if hasattr(own, "classes_"):  # a class may be absent from a fold
            part = pd.DataFrame(part, columns=own.classes_).reindex(columns=np.unique(y), fill_value=0.0).to_numpy()
        said = np.empty((len(X), *part.shape[1:])) if said is None else said
        said[test] = part
    return said


def measure(name, seed, most, ways):
    X, y, is_class = read(name)
    order = np.random.default_rng((seed, 7)).permutation(len(X))
    n = min(len(X) // 2, most)
    fitted, new = order[:n], order[n : n + NEW_ROWS]
    X1, y1, X2, y2 = X.iloc[fitted], y.iloc[fitted], X.iloc[new], y.iloc[new]
    kind = RuleEnsembleClassifier if is_class else RuleEnsembleRegressor
    row = {"set": name, "seed": seed, "rows": n}
    for way in ways:
        cv = {"own": 5, "nested": None}[way]
        begin = time.process_time()
        model = kind(max_rules=20, cv=cv, missing_targets="ignore", random_state=seed)
        whole = clone(model).fit(X1, y1)
        said = whole.oof_prediction_ if cv else nest(model, X1, y1, seed)
        row[f"{way} seconds"] = time.process_time() - begin
        row[f"{way} reported"] = find_error(y1, said, np.unique(y1) if is_class else None)
        row[f"{way} true"] = find_error(y2, say(whole, X2), whole.classes_ if is_class else None)
    return row


def run(path, names, seeds, most, ways):
    done = (
        {(row["set"], row["seed"]) for row in map(json.loads, path.read_text().splitlines())} if path.exists() else ()
    )
    for seed in seeds:
        for name in names:
            if (name, seed) not in done:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    row = measure(name, seed, most, ways)
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")


def tell_interval(of_sets):
    """A mean over sets with its 95 % interval."""
    half = stats.t.ppf(0.975, len(of_sets) - 1) * of_sets.std(ddof=1) / np.sqrt(len(of_sets))
    return f"{of_sets.mean():+.4f} [{of_sets.mean() - half:+.4f}, {of_sets.mean() + half:+.4f}]"


def load(path):
    return pd.DataFrame(map(json.loads, path.read_text().splitlines()))


def show_between(before, after):
    """What two commits say of the same sets and seeds: the errors of the model, the errors told, CPU seconds."""
    both = load(before).merge(load(after), on=["set", "seed", "rows"], suffixes=(" before", " after"))
    columns = {}
    for what in ("true", "reported", "seconds"):
        both[what] = np.log(both[f"own {what} after"] / both[f"own {what} before"])
        columns[what] = "mean"
    of_sets = both.groupby("set", sort=False).agg({"seed": "count", **columns}).rename(columns={"seed": "seeds"})
    print(
        "| set | seeds | log of error on new rows, after / before | of error told | of CPU seconds |\n"
        + "|---" * 5
        + "|"
    )
    for name, row in of_sets.iterrows():
        print(f"| {name} | {row['seeds']:.0f} | {row['true']:+.4f} | {row['reported']:+.4f} | {row['seconds']:+.2f} |")
    print(f"\nlog of the error on new rows, after / before: {tell_interval(of_sets['true'])} (mean over sets)")
    print(
        f"of the error told: {tell_interval(of_sets['reported'])}; of CPU seconds: {tell_interval(of_sets['seconds'])}"
    )


def show(path):
    frame = load(path)
    for way in ("own", "nested"):
        ratio = frame[f"{way} reported"] / frame[f"{way} true"]
        frame[f"{way} bias"], frame[f"{way} distance"] = ratio - 1, (ratio - 1).abs()
    frame["further"] = frame["own distance"] - frame["nested distance"]
    frame["model"] = np.log(frame["own true"] / frame["nested true"])
    columns = ["own bias", "nested bias", "own distance", "nested distance", "further", "model"]
    of_sets = frame.groupby("set", sort=False).agg({"seed": "count", "rows": "max", **dict.fromkeys(columns, "mean")})
    of_sets = of_sets.rename(columns={"seed": "seeds"})
    print("| set | " + " | ".join(of_sets.columns) + " |\n" + "|---" * (len(of_sets.columns) + 1) + "|")
    for name, row in of_sets.iterrows():
        print(f"| {name} | " + " | ".join(f"{value:.4g}" for value in row) + " |")
    print(f"\nown is further from the truth than nested by {tell_interval(of_sets['further'])} (mean over sets)")
    print(f"bias of own {tell_interval(of_sets['own bias'])}, of nested {tell_interval(of_sets['nested bias'])}")
    print(f"error of the model on new rows, log of own / nested: {tell_interval(of_sets['model'])}")
    seconds = [frame[f"{way} seconds"].sum() for way in ("own", "nested")]
    print(f"CPU seconds {seconds[0]:.0f} against {seconds[1]:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "show", "between"])
    parser.add_argument("results", type=Path)
    parser.add_argument("after", type=Path, nargs="?")
    parser.add_argument("--ways", default="own,nested")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--sets", default=",".join(SETS))
    given = parser.parse_args()
    ways, seeds = given.ways.split(","), range(given.first, given.first + given.seeds)
    if given.what == "run":
        run(given.results, given.sets.split(","), seeds, given.rows, ways)
    if given.what == "between":
        show_between(given.results, given.after)
    elif len(ways) > 1:
        show(given.results)


if __name__ == "__main__":
    main()
