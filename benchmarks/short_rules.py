"""How much a person has to read in rule ensembles, what it costs, and whether the rules come back: in one table.

    python benchmarks/short_rules.py                          the twelve sets by which defaults were chosen
    python benchmarks/short_rules.py --fresh                  eight sets that took no part in any choice
    python benchmarks/short_rules.py --resamples 10           with stability over half-samples and over seeds
    python benchmarks/short_rules.py --many                   eight sets of many targets, ten folds, 10, 20 and 50 terms
    python benchmarks/short_rules.py --store now.jsonl        keep what is measured; the same command goes on
    python benchmarks/short_rules.py table old.jsonl now.jsonl   means over seeds and sets that all these stores have
    PYTHONPATH=OTHER/src python benchmarks/short_rules.py     the same of another checkout, to compare with

The model is `RuleEnsembleRegressor` (of classes `RuleEnsembleClassifier`) with `max_rules=20` and no other setting.
Each set is cut to `--rows` rows and divided into three folds; a seed changes what is drawn inside a fit. The error is
the squared error over that of the mean (of classes, of their probabilities), its root, a mean over the targets. The
models of 10 and of 5 terms are steps of the same fit. Stability: fits to halves of the rows, or to 95 % of them, each
with its own seed; Dice of the lists of terms (the same rule by the definition of SIRUS) and the correlation of the
predictions, both a mean over pairs.

The eight fresh sets, named on 2026-11-19 before any of them was looked at: ailerons, california, delta_ailerons,
boston, servo, cloud, balance_scale, ecoli.
"""

import argparse
import json
import os
import time
import warnings
from itertools import combinations
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import pandas as pd

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.explain.readability import Readability
from glade.rules.likeness import Tenths, find_dice, identify_terms
from tables import TEN_SETS, FoldsInTurn, load_real

CHOICE = [
    "kin8nm",
    "cpu_act",
    "house_8L",
    "bias_ucl",
    "abalone",
    "collembola",
    "scpf",
    "pbc",
    "strike",
    "jura",
    "enb",
    "auto_mpg",
]
FRESH = ["ailerons", "california", "delta_ailerons", "boston", "servo", "cloud", "balance_scale", "ecoli"]
SIZES, OF_MANY = (20, 10, 5), (50, 20, 10)
N_FOLDS = 3
MEASURES = ("longest", "digits", "most_digits", "gaps_in_words", "most_categories", "wrong_side", "idle_terms")


def load(name, n_rows):
    """Inputs, targets as columns of numbers (of classes their zeros and ones), and the target as a fit takes it."""
    X, frame = load_real(name)
    known = ~frame.isna().any(axis=1)
    X, frame = X[known], frame[known]
    rows = np.random.default_rng(0).permutation(len(X))[:n_rows]
    X, frame = X.iloc[rows].reset_index(drop=True), frame.iloc[rows].reset_index(drop=True)
    is_classes = not all(pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes)
    if is_classes:
        y = frame.iloc[:, 0].astype(str)
        return X, pd.get_dummies(y).sort_index(axis=1).to_numpy(float), y.to_numpy(), True
    values = frame.to_numpy(float)
    return X, values, values if values.shape[1] > 1 else values[:, 0], False


def fit(X, y, is_classes, seed, max_rules=SIZES[0]):
    kind = RuleEnsembleClassifier if is_classes else RuleEnsembleRegressor
    return kind(max_rules=max_rules, random_state=seed).fit(X, y)


def predict(model, X, is_classes, y):
    """Rows x columns; a class that a fold does not know has probability 0."""
    if not is_classes:
        return np.asarray(model.predict(X)).reshape(len(X), -1)
    found = pd.DataFrame(model.predict_proba(X), columns=model.classes_)
    return found.reindex(columns=sorted(set(y)), fill_value=0.0).to_numpy()


def draw_folds(n_rows):
    place = np.random.default_rng(1).permutation(n_rows)
    fold = np.empty(n_rows, int)
    fold[place] = np.arange(n_rows) % N_FOLDS
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(N_FOLDS)]


def split_in_turn(n_rows):
    """The ten folds of the comparisons with CLUS."""
    return list(FoldsInTurn(0).split(np.zeros((n_rows, 1))))


def measure(name, n_rows, seed, sizes=SIZES, split=draw_folds):
    """Errors, what there is to read, and CPU seconds of one set, with one seed."""
    X, Y, y, is_classes = load(name, n_rows)
    squares, baseline, parts = dict.fromkeys(sizes, 0.0), 0.0, []
    for train, test in split(len(X)):
        start = time.process_time()
        model = fit(X.iloc[train], y[train], is_classes, seed, sizes[0])
        row = {"cpu": time.process_time() - start}
        baseline = baseline + ((Y[test] - Y[train].mean(axis=0)) ** 2).sum(axis=0)
        for k in sizes:
            smaller = model.with_rules(k)
            wrong = predict(smaller, X.iloc[test], is_classes, y) - Y[test]
            squares[k] = squares[k] + (wrong**2).sum(axis=0)
            row[f"conditions {k}"] = smaller.size_.conditions
        read = Readability.of(model.model_)
        parts.append(row | {name: getattr(read, name) for name in MEASURES})
    errors = {
        f"error {k}": np.sqrt(squares[k].sum() / baseline.sum() if is_classes else squares[k] / baseline) for k in sizes
    }
    return {k: float(np.mean(e)) for k, e in errors.items()} | pd.DataFrame(parts).mean().to_dict()


def resample(name, n_rows, n_resamples):
    """Dice of the lists and correlation of the predictions, over halves and over seeds."""
    X, _, y, is_classes = load(name, n_rows)
    out = {}
    for kind, share in (("half", 0.5), ("seed", 0.95)):
        lists, predictions, tenths = [], [], None
        for k in range(n_resamples):
            rows = np.random.default_rng((7, k)).permutation(len(X))[: round(share * len(X))]
            model = fit(X.iloc[rows], y[rows], is_classes, 100 + k)
            tenths = tenths or Tenths.of(model.encode(X), model.schema_)
            lists.append(identify_terms(model.model_.terms.design, tenths))
            predictions.append(predict(model, X, is_classes, y))
        pairs = list(combinations(range(n_resamples), 2))
        out[f"dice {kind}"] = np.mean([find_dice(lists[a], lists[b]) for a, b in pairs])
        out[f"corr {kind}"] = np.mean([correlate(predictions[a], predictions[b]) for a, b in pairs])
    return out


def correlate(one, other):
    """The mean over columns; 1 where both are constant."""
    found = []
    for a, b in zip(one.T, other.T, strict=True):
        is_flat = a.std() < 1e-12, b.std() < 1e-12
        found.append(float(all(is_flat)) if any(is_flat) else np.corrcoef(a, b)[0, 1])
    return np.mean(found)


def read_store(path):
    """What is measured already: {(set, part): figures}."""
    lines = Path(path).read_text().splitlines() if path and Path(path).exists() else []
    return {(line["set"], line["part"]): line["found"] for line in map(json.loads, lines)}


def average(found):
    """Sets x measures: means over the seeds, and in the last row over the sets."""
    rows = {}
    for (name, part), own in found.items():
        rows.setdefault(name, []).append(pd.Series(own, name=part))
    table = pd.DataFrame({name: pd.concat(own, axis=1).mean(axis=1) for name, own in rows.items()}).T
    table.loc["mean"] = table.mean()
    return table


def compare_stores(paths):
    """The means of each store over what all of them have, one below the other."""
    stores = {path: read_store(path) for path in paths}
    common = set.intersection(*(set(found) for found in stores.values()))
    names = sorted({name for name, _ in common})
    print(f"{len(names)} sets: {', '.join(names)}; {len(common)} parts")
    tables = {Path(path).stem: average({k: found[k] for k in sorted(common)}) for path, found in stores.items()}
    print(pd.concat(tables).swaplevel().loc[[*names, "mean"]].T.round(3).to_string())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="*", help="table STORE...: compare what is stored, and measure nothing")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--many", action="store_true")
    parser.add_argument("--sets")
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--resamples", type=int, default=0)
    parser.add_argument("--store")
    parser.add_argument("--seconds", type=float, default=np.inf, help="begin nothing new after so long")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.what:
        compare_stores(given.what[1:])
        return
    usual = FRESH if given.fresh else TEN_SETS[:8] if given.many else CHOICE
    sets = given.sets.split(",") if given.sets else usual
    how = {"sizes": OF_MANY, "split": split_in_turn} if given.many else {}
    wanted = [(name, f"seed {seed}") for seed in range(given.seeds) for name in sets]
    if given.resamples:
        wanted += [(name, f"{given.resamples} resamples") for name in sets]
    found, began = read_store(given.store), time.monotonic()
    missing = [key for key in wanted if key not in found]
    if missing:
        X, _, y, is_classes = load(sets[0], 100)
        fit(X, y, is_classes, 0)  # what is compiled is compiled now
    for name, part in missing:
        if time.monotonic() - began > given.seconds:
            print("stopped: the same command goes on")
            break
        number, kind = part.split() if part.endswith("resamples") else reversed(part.split())
        own = (
            resample(name, given.rows, int(number))
            if kind == "resamples"
            else measure(name, given.rows, int(number), **how)
        )
        found[name, part] = {k: float(v) for k, v in own.items()}
        if given.store:
            with open(given.store, "a") as out:
                out.write(json.dumps({"set": name, "part": part, "found": found[name, part]}) + "\n")
        print(name, part, {k: round(v, 3) for k, v in found[name, part].items()}, flush=True)
    print(average({key: found[key] for key in wanted if key in found}).round(3).to_string())


if __name__ == "__main__":
    main()
