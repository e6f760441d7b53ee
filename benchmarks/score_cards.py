"""Our score cards beside FasterRisk's: AUC, log loss and CPU seconds, with the same number of lines.

    python benchmarks/score_cards.py --peer PYTHON [SETS] [--seeds 2] [--rows 2000] [--store FILE] [--seconds 500]

FasterRisk (PyPI: fasterrisk) pins old versions of NumPy, so it runs by another Python, of an environment with
fasterrisk in it. It needs inputs of zeros and ones: a number becomes a comparison with each of up to twenty quantiles
of the training rows, a category an input of its own, a gap an input "is missing". Three folds for each seed, at most so
many rows; five yes/no tables, of numeric targets whether they are above their median. Its points are from -5 to 5 and
its cards have exactly 5 and 8 lines; ours have at most so many.
"""

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from glade import ScoreCardClassifier
from stored import Stored, add_options
from tables import load_real

SETS = ("hepatitis", "tic_tac_toe", "house_8L", "pbc", "kin8nm")
LINES = (5, 8)
N_CUTS = 20
PEER = """
import json, sys, time
import numpy as np
from fasterrisk.fasterrisk import RiskScoreOptimizer, RiskScoreClassifier
data, found = np.load(sys.argv[1]), []
for k in json.loads(sys.argv[2]):
    start = time.process_time()
    optimizer = RiskScoreOptimizer(X=data["X"], y=data["y"], k=k)
    optimizer.optimize()
    multipliers, intercepts, points = optimizer.get_models()
    model = RiskScoreClassifier(multipliers[0], intercepts[0], points[0])
    found.append([time.process_time() - start, model.predict_prob(data["X_test"]).tolist()])
print(json.dumps(found))
"""


def load_yes_no(name, n_rows):
    """Inputs, and whether a row is of the second class, or above the median."""
    X, Y = load_real(name)
    y = Y.iloc[:, 0]
    rows = np.random.default_rng(0).permutation(len(X))[:n_rows]
    X, y = X.iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)
    if y.dtype.kind in "if" and y.nunique() > 2:
        return X, (y > y.median()).to_numpy()
    return X, (y == sorted(y.unique())[-1]).to_numpy()


def make_binary(X, X_test):
    """Zeros and ones by what the training rows say, of both tables."""
    parts = []
    for name in X.columns:
        own, other = X[name], X_test[name]
        if own.dtype.kind in "if":
            cuts = np.unique(own.dropna().quantile(np.arange(1, N_CUTS + 1) / (N_CUTS + 1), interpolation="lower"))
            parts += [(own <= cut, other <= cut) for cut in cuts]
        else:
            parts += [(own == label, other == label) for label in own.dropna().unique()]
        if own.isna().any():
            parts.append((own.isna(), other.isna()))
    varies = [pair for pair in parts if 0 < np.mean(pair[0]) < 1]
    return tuple(np.column_stack([np.asarray(pair[side], float) for pair in varies]) for side in (0, 1))


def fit_peer(python, X, y, X_test):
    """For each number of lines CPU seconds and probabilities."""
    own, test = make_binary(X, X_test)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npz"
        np.savez(path, X=own, y=np.where(y, 1.0, -1.0), X_test=test)
        command = [python, "-c", PEER, str(path), json.dumps(LINES)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(seconds, np.array(guess)) for seconds, guess in json.loads(lines[-1])]


def fit_own(X, y, X_test):
    """The same by our cards."""
    found = []
    for k in LINES:
        start = time.process_time()
        model = ScoreCardClassifier(max_lines=k, random_state=0).fit(X, y)
        found.append((time.process_time() - start, model.predict_proba(X_test)[:, 1]))
    return found


def measure(name, python, seed, n_rows):
    """Ways x lines x (AUC, log loss, seconds), means over folds."""
    X, y = load_yes_no(name, n_rows)
    found = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=seed).split(X, y):
        rows = X.iloc[train], y[train], X.iloc[test]
        ways = [fit_own(*rows), fit_peer(python, *rows)]
        found.append(
            [
                [(roc_auc_score(y[test], p), log_loss(y[test], np.clip(p, 1e-6, 1 - 1e-6)), s) for s, p in way]
                for way in ways
            ]
        )
    return np.mean(found, axis=0)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--peer", required=True, metavar="PYTHON", help="of an environment with fasterrisk")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", type=int, default=2_000)
    add_options(parser)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    ScoreCardClassifier(2, cv=2).fit(pd.DataFrame({"a": np.arange(40.0)}), np.arange(40) % 3 > 0)  # compiles
    found, stored = [], Stored(asked.store, asked.seconds)
    print("AUC, log loss, CPU seconds: ours, FasterRisk")
    for name in asked.sets:
        own = [
            stored.find((name, seed, asked.rows), partial(measure, name, asked.peer, seed, asked.rows))
            for seed in range(asked.seeds)
        ]
        own = [one for one in own if one is not None]
        if not own:
            continue
        found.append(np.mean(own, axis=0))
        for k, lines in enumerate(LINES):
            cells = "   ".join("{:.3f} {:.3f} {:5.2f}s".format(*found[-1][way, k]) for way in (0, 1))
            print(f"{name:12} {lines} lines   {cells}", flush=True)
    for k, lines in enumerate(LINES if found else ()):
        cells = "   ".join("{:.3f} {:.3f} {:5.2f}s".format(*np.mean(found, axis=0)[way, k]) for way in (0, 1))
        print(f"{'mean':12} {lines} lines   {cells}")


if __name__ == "__main__":
    main()
