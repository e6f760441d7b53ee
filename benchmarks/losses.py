"""Counts, quantiles and faulty readings: our losses beside scikit-learn's and beside squared errors.

    python benchmarks/losses.py [counts] [quantiles] [readings] [--seeds 2] [--rows 1000] [--store FILE]
        [--seconds 500]

counts: three-fold mean Poisson deviance of flares (sf1, sf2: a target each) and of visits to a doctor (statsmodels'
randhie). A model of squared errors is read as at least a hundredth of the mean, since its predictions may be negative.
quantiles: three-fold pinball loss of the quantiles 0.1, 0.5 and 0.9, over that of the constant.
readings: RMSE of rf1's target with a lone faulty reading, fitted to a sample that holds it, on other rows; and of
tables of which 1 % of the readings are off by fifty standard deviations, on rows that are right.
HGB is scikit-learn's HistGradientBoostingRegressor with its defaults and the same loss.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import PoissonRegressor
from sklearn.metrics import mean_pinball_loss, mean_poisson_deviance
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from glade import ForestRegressor, RuleEnsembleRegressor
from stored import Stored, add_options
from tables import load_real

LEVELS = (0.1, 0.5, 0.9)
OF_QUANTILES = ("kin8nm", "house_8L", "abalone", "cpu_act")
OF_READINGS = ("kin8nm", "cpu_act", "abalone")
FAULTY, OFF = 0.01, 50.0  # share of the readings, and by how many standard deviations


def as_codes(X):
    """Categories as codes, for scikit-learn."""
    return X.apply(lambda column: column if column.dtype.kind in "iuf" else column.astype("category").cat.codes)


def mean_over_folds(X, y, make, judge, n_seeds):
    """The mean of a judgement over folds and seeds, and CPU seconds a fit."""
    found, seconds = [], 0.0
    for seed in range(n_seeds):
        for train, test in KFold(3, shuffle=True, random_state=seed).split(X):
            start = time.process_time()
            model = make(seed).fit(X.iloc[train], y[train])
            seconds += time.process_time() - start
            found.append(judge(y[test], model.predict(X.iloc[test]), y[train]))
    return float(np.mean(found)), seconds / len(found)


def list_counts(n_rows):
    """Tables of counts: a name, inputs, the count."""
    for name in ("sf1", "sf2"):
        X, Y = load_real(name)
        for target in Y.columns:
            if Y[target].sum() >= 20:  # fewer flares than folds can share say nothing
                yield f"{name} {target}", X, Y[target].to_numpy(float)
    from statsmodels.datasets import randhie

    visits = randhie.load_pandas().data.sample(2 * n_rows, random_state=0)
    yield "randhie mdvis", visits.drop(columns="mdvis"), visits["mdvis"].to_numpy(float)


def judge_counts(truth, guess, known):
    """The deviance; predictions of squared errors are made positive."""
    return mean_poisson_deviance(truth, np.maximum(guess, 0.01 * known.mean()))


def compare_counts(n_seeds, n_rows, stored):
    """Print the table of deviances."""
    makers = {
        "constant": None,
        "rules 20 squared": lambda seed: RuleEnsembleRegressor(max_rules=20, random_state=seed),
        "rules 20": lambda seed: RuleEnsembleRegressor(loss="poisson", max_rules=20, random_state=seed),
        "rules all": lambda seed: RuleEnsembleRegressor(loss="poisson", max_rules=None, random_state=seed),
        "boosting": lambda seed: ForestRegressor("auto", method="boosting", loss="poisson", random_state=seed),
        "HGB": lambda seed: HistGradientBoostingRegressor(loss="poisson", random_state=seed),
        "GLM": lambda _: make_pipeline(
            OneHotEncoder(handle_unknown="ignore", min_frequency=5), PoissonRegressor(alpha=1e-3)
        ),
    }
    print(f"mean Poisson deviance, {n_seeds} x 3 folds\n{'':16}" + "".join(f"{name:>18}" for name in makers))
    total = []
    for name, X, y in list_counts(n_rows):
        row = []
        for way, make in makers.items():
            if make is None:
                parts = [KFold(3, shuffle=True, random_state=s).split(X) for s in range(n_seeds)]
                own = [mean_poisson_deviance(y[b], np.full(len(b), y[a].mean())) for folds in parts for a, b in folds]
                row.append((float(np.mean(own)), 0.0))
                continue
            table = as_codes(X) if way in ("HGB", "GLM") else X
            find = partial(mean_over_folds, table, y, make, judge_counts, n_seeds)
            row.append(stored.find(("counts", name, way, n_seeds, n_rows), find))
        if any(one is None for one in row):
            continue
        total.append([deviance / row[0][0] for deviance, _ in row])
        print(f"{name:16}" + "".join(f"{deviance:10.4f} ({s:4.1f}s)" for deviance, s in row), flush=True)
    if not total:
        return
    print(f"{'over constant':16}" + "".join(f"{mean:10.4f}        " for mean in np.mean(total, axis=0)))


def compare_quantiles(n_seeds, n_rows, stored):
    """Print the table of pinball losses over that of the constant."""
    print(f"pinball loss over that of the constant, {n_seeds} x 3 folds: rules 20, rules all, boosting, HGB")
    for name in OF_QUANTILES:
        X, Y = load_real(name)
        rows = np.random.default_rng(0).permutation(len(X))[:n_rows]
        X, y = as_codes(X.iloc[rows]), Y.iloc[rows, 0].to_numpy(float)
        for level in LEVELS:
            own = {"loss": "quantile", "quantile": level}

            def judge(truth, guess, known, level=level):
                constant = np.full(len(truth), np.quantile(known, level))
                return mean_pinball_loss(truth, guess, alpha=level) / mean_pinball_loss(truth, constant, alpha=level)

            makers = (
                lambda seed, own=own: RuleEnsembleRegressor(weights="lasso", max_rules=20, random_state=seed, **own),
                lambda seed, own=own: RuleEnsembleRegressor(weights="lasso", max_rules=None, random_state=seed, **own),
                lambda seed, own=own: ForestRegressor("auto", method="boosting", random_state=seed, **own),
                lambda seed, own=own: HistGradientBoostingRegressor(random_state=seed, **own),
            )
            cells = [
                stored.find(
                    ("quantiles", name, level, k, n_seeds, n_rows), partial(mean_over_folds, X, y, make, judge, n_seeds)
                )
                for k, make in enumerate(makers)
            ]
            if any(one is None for one in cells):
                continue
            print(f"{name:10} {level}" + "".join(f"{loss:9.4f} ({s:4.1f}s)" for loss, s in cells), flush=True)


def list_readings(n_rows, seed):
    """Tables with faulty readings: a name, rows to fit to, rows that are right."""
    random = np.random.default_rng(seed)
    X, Y = load_real("rf1")
    y = Y["NASI2_48H__0"].to_numpy(float)
    fault = int(np.argmax(y))
    others = random.permutation(np.delete(np.arange(len(y)), fault))
    train = np.append(others[:n_rows], fault)
    test = others[n_rows : 3 * n_rows]
    yield "rf1 NASI2", X.iloc[train], y[train], X.iloc[test], y[test]
    for name in OF_READINGS:
        X, Y = load_real(name)
        order, y = random.permutation(len(X)), Y.iloc[:, 0].to_numpy(float)
        train, test = order[:n_rows], order[n_rows : 3 * n_rows]
        faulty = y[train].copy()
        wrong = random.random(n_rows) < FAULTY
        faulty[wrong] += OFF * y.std() * random.choice([-1, 1], wrong.sum())
        yield name, as_codes(X.iloc[train]), faulty, as_codes(X.iloc[test]), y[test]


def compare_readings(n_seeds, n_rows, stored):
    """Print the table of errors, over the standard deviation of the right rows."""
    makers = {
        "rules squared": lambda seed: RuleEnsembleRegressor(max_rules=20, random_state=seed),
        "rules huber": lambda seed: RuleEnsembleRegressor(loss="huber", max_rules=20, random_state=seed),
        "boosting squared": lambda seed: ForestRegressor(200, method="boosting", random_state=seed),
        "boosting huber": lambda seed: ForestRegressor(200, method="boosting", loss="huber", random_state=seed),
        "HGB absolute": lambda seed: HistGradientBoostingRegressor(loss="absolute_error", random_state=seed),
    }
    found: dict[str, list[list[float]]] = {}
    for seed in range(n_seeds):
        for name, X, y, X_test, y_test in list_readings(n_rows, seed):

            def find(seed=seed, table=(X, y, X_test), truth=y_test):
                guesses = [make(seed).fit(*table[:2]).predict(table[2]) for make in makers.values()]
                return [float(np.sqrt(np.mean((guess - truth) ** 2)) / truth.std()) for guess in guesses]

            own = stored.find(("readings", name, seed, n_rows), find)
            if own is not None:
                found.setdefault(name, []).append(own)
    print(f"RMSE on right rows over their standard deviation, {n_seeds} samples of {n_rows} rows")
    print(
        pd.DataFrame({name: np.mean(own, axis=0) for name, own in found.items()}, index=list(makers))
        .T.round(3)
        .to_string()
    )


def main():
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["counts", "quantiles", "readings"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", type=int, default=1_000)
    add_options(parser)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    stored = Stored(asked.store, asked.seconds)
    tables = {"counts": compare_counts, "quantiles": compare_quantiles, "readings": compare_readings}
    for part in asked.parts:
        tables[part](asked.seeds, asked.rows, stored)


if __name__ == "__main__":
    main()
