"""Where glade stands among what a user would pick instead: 30 tables, everyone at defaults, on the same rows.

    python benchmarks/field.py fit --minutes 5              fits what is not stored yet, for five minutes; say it again
    python benchmarks/field.py fit --models few,all --sets jura,car --seeds 1
    python benchmarks/field.py table                        the table, from what is stored
    python benchmarks/field.py table --write docs/dev       the same as the page field.md, with the diagrams

Tables have at most 3,000 rows (drawn once; FIELD_ROWS sets another number), each divided into 3 folds, once for each of
2 seeds, which are the models' seeds too. Of a fit its predictions and CPU seconds are stored (in `build/field` or
`--store`), one small file each. Peers need catboost, xgboost, lightgbm, interpret-core and imodels; models whose
library is absent are left out.

Errors: numbers RRMSE (root of the squared error over that of the training mean), classes log loss (no probability below
1e-6), many targets the mean RRMSE (aRRMSE). Each of glade's models is ranked alone among the peers.
"""

import argparse
import os
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

from field_models import CLASSES, MANY, NUMBERS, OURS, PEERS, as_table
from tables import load_dataset
from test_sets import TEST_SETS

SETS = {
    NUMBERS: (*TEST_SETS[NUMBERS], "kin8nm", "cpu_act", "house_8L", "abalone", "strike", "auto_mpg"),
    CLASSES: (*TEST_SETS[CLASSES], "hepatitis", "tic_tac_toe", "car", "tae"),
    MANY: (*TEST_SETS[MANY], "bias_ucl", "collembola", "scpf", "jura", "enb"),
}
MOST_ROWS, FOLDS = int(os.environ.get("FIELD_ROWS", "3000")), 3


def load(name, task):
    """Inputs and targets: classes as text, those of the first target; rows whose targets are unknown are left out."""
    data = load_dataset(name)
    Y = data.y.iloc[:, :1] if task != MANY else data.y
    known = np.flatnonzero(Y.notna().all(axis=1))
    rows = np.random.RandomState(0).permutation(known)[:MOST_ROWS]
    Y = Y.iloc[rows].to_numpy(str if task == CLASSES else float)
    return as_table(data.X.iloc[rows].reset_index(drop=True)), Y


def split(task, X, Y, seed):
    """The folds of a seed; of classes each has its share."""
    kind = StratifiedKFold if task == CLASSES else KFold
    return list(kind(FOLDS, shuffle=True, random_state=seed).split(X, Y[:, 0] if task == CLASSES else Y))


def fit_cells(settings):
    """Fit and store what is not stored, until the minutes are over."""
    end = time.monotonic() + 60 * settings.minutes
    models = OURS | PEERS
    chosen = settings.models.split(",") if settings.models else list(models)
    for seed in range(settings.first_seed, settings.first_seed + settings.seeds):
        for task, sets in SETS.items():
            for name in sets:
                if not is_wanted(settings, name):
                    continue
                todo = [
                    (f, m)
                    for f in range(settings.folds)
                    for m in chosen
                    if not find_file(settings, m, name, seed, f).is_file()
                ]
                if not todo:
                    continue
                X, Y = load(name, task)
                folds = split(task, X, Y, seed)
                for fold, model in todo:
                    if time.monotonic() > end:
                        print("more is left", flush=True)
                        return
                    fit_cell(settings, models[model], model, task, (name, seed, fold), X, Y, folds[fold])
    print("all is stored", flush=True)


def is_wanted(settings, name):
    """Whether a data set is asked for."""
    asked, left_out = ((own or "").split(",") for own in (settings.sets, settings.without))
    return (not settings.sets or name in asked) and name not in left_out


def find_file(settings, model, name, seed, fold):
    """Where a cell is stored."""
    folder = settings.ours if model in OURS else "peers"
    return Path(settings.store, folder, f"{name}-{seed}-{fold}-{model}.npz")


def fit_cell(settings, how, model, task, cell, X, Y, rows):
    """Fit one model on one fold, and store what it predicts."""
    name, seed, fold = cell
    train, test = rows
    start = time.process_time()
    try:
        found = how(task, X.iloc[train], Y[train], X.iloc[test], seed)
    except ImportError as fault:
        print(f"{model} is left out: {fault}", flush=True)
        return
    seconds = time.process_time() - start
    path = find_file(settings, model, name, seed, fold)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, seconds=seconds, **found)
    unfinished.replace(path)
    print(f"{name} {seed} {fold} {model}: {seconds:.1f} s", flush=True)


# ------------------------------------------------------------------------------------------------------------- judging


def judge(task, Y, train, test, predicted):
    """The error of a prediction, and for classes accuracy as well."""
    if task != CLASSES:
        truth, mean = Y[test], Y[train].mean(axis=0)
        relative = ((predicted - truth) ** 2).sum(axis=0) / ((truth - mean) ** 2).sum(axis=0)
        return {"error": np.sqrt(relative).mean()}
    labels = np.unique(Y[train])
    shares = np.clip(predicted, 1e-6, 1.0)
    shares = shares / shares.sum(axis=1, keepdims=True)
    is_own = Y[test] == labels
    own = np.where(is_own.any(axis=1), (shares * is_own).sum(axis=1), 1e-6)
    hit = labels[predicted.argmax(axis=1)] == Y[test, 0]
    brier = ((shares - is_own) ** 2).sum(axis=1).mean()
    return {"error": -np.log(own).mean(), "accuracy": hit.mean(), "Brier": brier}


def collect(settings):
    """A row for each stored prediction."""
    rows, models = [], settings.models.split(",") if settings.models else OURS | PEERS
    for task, sets in SETS.items():
        for name in sets:
            if not is_wanted(settings, name):
                continue
            X, Y = load(name, task)
            for seed in range(settings.seeds):
                for fold, (train, test) in enumerate(split(task, X, Y, seed)[: settings.folds]):
                    for model in models:
                        path = find_file(settings, model, name, seed, fold)
                        if path.is_file():
                            rows += read_cell(path, task, (name, seed, fold), Y, train, test)
    return pd.DataFrame(rows)


def tell_how(settings):
    """Which part of all cells a table is made from."""
    left_out = f" Left out: {settings.without}." if settings.without else ""
    return f"Here tables have at most {MOST_ROWS:,} rows.{left_out}{settings.note and ' ' + settings.note}"


def read_cell(path, task, cell, Y, train, test):
    """The rows of a stored file."""
    stored = np.load(path)
    where = dict(zip(("set", "seed", "fold"), cell, strict=True)) | {"task": task, "seconds": float(stored["seconds"])}
    terms = float(stored["terms of auto"][0, 0]) if "terms of auto" in stored else np.nan
    return [
        {**where, "model": name, "terms": terms if name == "rules auto" else np.nan}
        | judge(task, Y, train, test, stored[name])
        for name in stored.files
        if name not in ("seconds", "terms of auto")
    ]


if __name__ == "__main__":
    from field_tables import print_tables

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("fit", "table"))
    parser.add_argument("--models", help="of glade: " + ", ".join(OURS) + "; peers: " + ", ".join(PEERS))
    parser.add_argument("--sets", help="names of data sets, with commas between")
    parser.add_argument("--without", help="names of data sets to leave out, where a peer takes too long")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--folds", type=int, default=FOLDS, help="how many of the folds to fit, or to judge by")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many")
    parser.add_argument("--store", default="build/field")
    parser.add_argument(
        "--ours", default="glade", help="the folder of glade's own cells, to keep those of two commits apart"
    )
    parser.add_argument("--write", metavar="FOLDER", help="write field.md and its diagrams")
    parser.add_argument("--note", default="", help="a sentence for the page, such as which commit was fitted")
    given = parser.parse_args()
    if given.do == "fit":
        fit_cells(given)
    else:
        print_tables(collect(given), given.write, tell_how(given))
