"""The lasso's path over rules against scikit-learn, skglm and celer: CPU seconds of one thread, at equal objective.

    python benchmarks/lasso.py [--quick] [--once] [--only paths|growth] [--rows 2000 20000] [--targets 1 5] [--end 0.01]
                               [--peers scikit-learn skglm celer]

All get the same rules, penalties (100, down to a share of the largest) and rows: those of five folds and all rows where
there are up to 5,000, else all rows once, as the peers take minutes there. Ours start from the table; the peers are
given their dense matrix, centred, its time not counted. `gap` is the largest excess of an objective over the lowest of
all, as a share of that without terms: the peers stop at their own default tolerance, ours at 1e-4.
"""

import argparse
import os
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from sklearn.linear_model import enet_path
from sklearn.linear_model import lasso_path as sklearn_path
from sklearn.model_selection import KFold

from glade import ForestRegressor
from glade.losses.targets import TargetLosses
from glade.rules.coverage import cover, drop_duplicates
from glade.rules.design import Design, TargetRows
from glade.rules.extract import extract_forest_rules
from glade.rules.linear import LinearTerms
from glade.weights.lasso import TOLERANCE, Lasso, LassoPath
from glade.weights.problem import FoldProblem, Problem
from measuring import cpu_seconds
from tables import make_numeric

N_PENALTIES = 100
DENSE_FOLDS_UP_TO = 5_000  # rows


def make_problem(n_rows, n_targets, n_rules):
    """Rules of boosted trees over 20 inputs, targets of mean 0 and deviation 1."""
    X, Y = make_numeric(n_rows, 20, n_targets, 0)
    Y = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    n_trees = 2 * n_rules // 5 + 20
    forest = ForestRegressor(
        n_trees, method="boosting", learning_rate=0.05, max_samples=min(0.5, 2_000 / n_rows), random_size="leaves",
        mean_size=4, random_state=0,
    ).fit(X, Y)  # fmt: skip
    rules = extract_forest_rules(forest.forests_, forest.schema_, forest.target_schema_, "nodes")
    rules = rules.take(drop_duplicates(rules, cover(rules, X), n_rows)[0])
    rules = rules.take(np.arange(min(n_rules, len(rules))))
    return X, Y, Design.of(rules, LinearTerms.of(X, forest.schema_))


def list_parts(n_rows, n_folds, once):
    """The rows of each path."""
    everything = np.arange(n_rows)
    if once or n_rows > DENSE_FOLDS_UP_TO:
        return [everything]
    return [train for train, _ in KFold(n_folds, shuffle=True, random_state=0).split(everything)] + [everything]


def follow_ours(X, Y, design, penalties):
    losses = TargetLosses.of_numbers(Y.shape[1])
    track = LassoPath(Problem(design, TargetRows(X, Y)), losses, 1.0, None)
    weights = np.zeros((len(penalties), len(design), Y.shape[1]))
    for k, penalty in enumerate(penalties):
        found = track.descend(penalty, TOLERANCE)
        weights[k, found.terms] = found.weights.T
    return weights


def follow_scikit_learn(Z, Y, penalties):
    if Y.shape[1] == 1:
        return arrange(sklearn_path(Z, Y[:, 0], alphas=penalties)[1][:, None], Z, Y)
    return arrange(enet_path(Z, Y, l1_ratio=1.0, alphas=penalties)[1], Z, Y)


def follow_celer(Z, Y, penalties):
    from celer.homotopy import celer_path, mtl_path

    if Y.shape[1] == 1:
        return arrange(celer_path(Z, Y[:, 0], "lasso", alphas=penalties)[1][:, None], Z, Y)
    return arrange(mtl_path(Z, Y, alphas=penalties)[1], Z, Y)


def follow_skglm(Z, Y, penalties):
    from skglm import Lasso
    from skglm.estimators import MultiTaskLasso

    if Y.shape[1] == 1:
        return arrange(Lasso(fit_intercept=False).path(Z, Y[:, 0], penalties)[1][:, None], Z, Y)
    return arrange(MultiTaskLasso(fit_intercept=False).path(Z, Y, penalties)[1], Z, Y)


def arrange(coefs, Z, Y):
    """Penalties x terms x targets, of an array whose last axis are the penalties."""
    return coefs.transpose((2, 0, 1) if coefs.shape[:2] == (Z.shape[1], Y.shape[1]) else (2, 1, 0))


PEERS = {"scikit-learn": follow_scikit_learn, "celer": follow_celer, "skglm": follow_skglm}


def find_objectives(Z, Y, penalties, weights):
    values = []
    for penalty, w in zip(penalties, weights, strict=True):
        used = np.flatnonzero(w.any(axis=1))
        residual = Y - Z[:, used] @ w[used]
        values.append((residual**2).sum() / 2 / len(Z) + penalty * np.linalg.norm(w[used], axis=1).sum())
    return np.array(values)


def centre(X, Y, design):
    Z = np.asfortranarray(design.values(X))
    Z -= Z.mean(axis=0)
    return Z, np.asfortranarray(Y - Y.mean(axis=0))


def compare(n_rows, n_targets, options, peers):
    n_rules, end = options.rules, options.end
    X, Y, design = make_problem(n_rows, n_targets, n_rules)
    parts = list_parts(n_rows, 5, options.once)
    largest = np.linalg.norm(design.values(X).T @ Y - np.outer(design.values(X).sum(axis=0), Y.mean(axis=0)), axis=1)
    penalties = np.geomspace(1.0, end, N_PENALTIES) * largest.max() / n_rows
    seconds, excess = dict.fromkeys(("ours", *peers), 0.0), dict.fromkeys(("ours", *peers), 0.0)
    terms = 0
    for rows in parts:
        x, y = X[rows], Y[rows]
        Z, y_centred = centre(x, y, design)
        found = {}
        own, weights = cpu_seconds(lambda x=x, y=y: follow_ours(x, y, design, penalties), 1)
        seconds["ours"] += own
        found["ours"] = find_objectives(Z, y_centred, penalties, weights)
        terms = int(weights[-1].any(axis=1).sum())
        for name in peers:
            own, weights = cpu_seconds(lambda name=name, Z=Z, y=y_centred: PEERS[name](Z, y, penalties), 1)
            seconds[name] += own
            found[name] = find_objectives(Z, y_centred, penalties, weights)
        lowest, null = np.min(list(found.values()), axis=0), (y_centred**2).sum() / 2 / len(y)
        for name, values in found.items():
            excess[name] = max(excess[name], float(((values - lowest) / null).max()))
    cells = [f"{name} {seconds[name]:.2f} s (gap {excess[name]:.0e})" for name in seconds]
    best = min((seconds[name] for name in peers), default=np.nan)
    print(
        f"| {n_rows:,} | {n_targets} | {len(design):,} | {end:g} | {len(parts)} | {terms} | " + " | ".join(cells)
        + f" | {best / seconds['ours']:.1f} |", flush=True,
    )  # fmt: skip


def compare_all(options):
    peers = [name for name in options.peers if name in PEERS]
    for n_targets in (1, 3):  # compile or load
        X, Y, design = make_problem(300, n_targets, 100)
        penalties = np.geomspace(0.1, 0.05, 3)
        follow_ours(X, Y, design, penalties)
        for name in peers:
            PEERS[name](*centre(X, Y, design), penalties)
    print(
        "| rows | targets | terms | end | paths | terms in at the end | " + " | ".join(["ours", *peers]) + " | ratio |"
    )
    print("|" + "---|" * (8 + len(peers)))
    for n_rows in options.rows:
        for n_targets in options.targets:
            compare(n_rows, n_targets, options, peers)


def measure_growth(options):
    """The whole path with five-fold cross-validation, refitted weights and the early stop."""

    def fit(n_rows, n_targets, n_rules):
        X, Y, design = make_problem(n_rows, n_targets, n_rules)
        folds = KFold(5, shuffle=True, random_state=0).split(X)
        folds = [FoldProblem(design, TargetRows(X[a], Y[a]), held_out=TargetRows(X[b], Y[b])) for a, b in folds]
        whole = Problem(design, TargetRows(X, Y))
        losses = TargetLosses.of_numbers(n_targets)
        seconds, path = cpu_seconds(lambda: Lasso().judge(whole, folds, losses).find_path(whole), 1)
        return f"{seconds:.2f} ({len(path.steps[-1].terms)} of {len(design):,} terms)"

    rules = [500, 1_000] if options.quick else [1_250, 2_500, 5_000]
    rows = [1_000, 2_000] if options.quick else [2_000, 8_000, 32_000]
    print("growth of the cross-validated path, CPU seconds (terms at the lowest validation error)")
    print("  rules   " + "  ".join(f"{m:,}: {fit(2_000, 1, m)}" for m in rules), flush=True)
    print("  rows    " + "  ".join(f"{n:,}: {fit(n, 1, rules[-1])}" for n in rows), flush=True)
    print("  targets " + "  ".join(f"{t}: {fit(2_000, t, rules[0])}" for t in (1, 2, 5)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rules and rows")
    parser.add_argument("--once", action="store_true", help="the path over all rows only, no folds")
    parser.add_argument("--only", choices=["paths", "growth"])
    parser.add_argument("--rows", type=int, nargs="+", default=None)
    parser.add_argument("--targets", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--rules", type=int, default=None)
    parser.add_argument("--end", type=float, default=1e-2)
    parser.add_argument("--peers", nargs="*", default=list(PEERS))
    options = parser.parse_args()
    options.rows = options.rows or ([1_000] if options.quick else [2_000, 20_000])
    options.rules = options.rules or (500 if options.quick else 5_000)
    warnings.simplefilter("ignore")
    for name, part in {"paths": compare_all, "growth": measure_growth}.items():
        if options.only in (None, name):
            part(options)
