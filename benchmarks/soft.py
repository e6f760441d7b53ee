"""Soft rules: what softening costs beside the rest of a fit, how it grows, and that nothing ever fails.

python benchmarks/soft.py cost          seconds of processor time, at 1,000 and 20,000 rows
python benchmarks/soft.py growth        with rows, rules and inputs of a rule
python benchmarks/soft.py accuracy      Friedman 1 with RuleFit's generator, hard and soft
python benchmarks/soft.py many          many targets: hard, soft, both, and chosen by validation
python benchmarks/soft.py random        100,000 random rules: no failure, no value that is not finite
"""

import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.model_selection import KFold

sys.path.insert(0, str(Path(__file__).parent.parent))

import glade.models.candidates as candidates
from glade import RuleEnsembleRegressor, RuleFitRegressor
from glade.rules.soften import soften
from studies.datasets import load_dataset
from tests.rules.random_rules import KINDS, draw_numbers, draw_rules

MODELS = {"rule ensemble": RuleEnsembleRegressor, "RuleFit": RuleFitRegressor}


def time_softening(model, X, y):
    """Seconds of a fit, and of the softening in it."""
    spent = []

    def timed(*args, **named):
        start = time.process_time()
        found = soften(*args, **named)
        spent.append(time.process_time() - start)
        return found

    candidates.soften = timed
    start = time.process_time()
    model.fit(X, y)
    whole = time.process_time() - start
    candidates.soften = soften
    return whole, sum(spent)


def measure_cost():
    names = f"{'hard fit':>9s} {'soft fit':>9s} {'softening':>10s} {'rest':>7s} {'ratio':>6s} {'soft/hard':>9s}"
    print(f"{'model':14s} {'rows':>7s} {names}")
    for n_rows in (1_000, 20_000):
        X, y = make_friedman1(n_rows, noise=1.0, random_state=0)
        for name, kind in MODELS.items():
            small_X, small_y = make_friedman1(60, random_state=0)
            kind(soft=True, random_state=0).fit(small_X, small_y)  # compile
            hard, _ = time_softening(kind(random_state=0), X, y)
            whole, softening = time_softening(kind(soft=True, random_state=0), X, y)
            rest = whole - softening
            cells = (
                f"{hard:9.1f} {whole:9.1f} {softening:10.1f} {rest:7.1f} {softening / rest:6.2f} {whole / hard:9.2f}"
            )
            print(f"{name:14s} {n_rows:7,d} {cells}", flush=True)


def measure_growth():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    for is_exact in (False, True):
        soften(draw_rules(rng, X, 10, 2), X, is_exact)  # compile
    for n_rows, n_rules, n_conditions in (
        *((n, 200, 2) for n in (250, 1_000, 4_000, 16_000)),
        *((1_000, k, 2) for k in (100, 400, 1_600)),
        *((1_000, 200, d) for d in (1, 2, 3, 4, 6)),
    ):
        X = rng.normal(size=(n_rows, 10))
        rules = draw_rules(rng, X, 3 * n_rules, n_conditions)
        rules = rules.take(np.flatnonzero(rules.n_conditions == n_conditions)[:n_rules])
        seconds = []
        for is_exact in (False, True):
            start = time.process_time()
            soften(rules, X, is_exact)
            seconds.append(1000 * (time.process_time() - start) / len(rules))
        size = f"{n_rows:6,d} rows {len(rules):5,d} rules {n_conditions} inputs"
        print(f"{size}: {seconds[0]:6.2f} ms a rule (fast), {seconds[1]:7.2f} (exact)", flush=True)


def measure_accuracy(n_seeds=5):
    print("Friedman 1, 1,000 + 1,000 rows, RuleFit's generator: R2 on the test rows")
    for seed in range(n_seeds):
        X, y = make_friedman1(2_000, noise=1.0, random_state=seed)
        scores = [
            RuleFitRegressor(soft=soft, random_state=seed).fit(X[:1000], y[:1000]).score(X[1000:], y[1000:])
            for soft in (False, True)
        ]
        print(f"seed {seed}: hard {scores[0]:.4f}, soft {scores[1]:.4f}", flush=True)


def measure_many(n_folds=5):
    """aRRMSE over the rows of all folds; "chosen" is the form with the lowest validation error in each fold."""
    forms = {"hard": False, "soft": True, "both": "both"}
    print(f"{'':6s}" + "".join(f"{name:>8s}" for name in (*forms, "chosen")) + f"{'seconds (mean of a fit)':>30s}")
    for name in ("andro", "edm", "jura", "enb", "wq"):
        data = load_dataset(name)
        y = np.asarray(data.y, dtype=float)
        square, base, seconds = np.zeros((4, y.shape[1])), np.zeros(y.shape[1]), np.zeros(3)
        for train, test in KFold(n_folds, shuffle=True, random_state=0).split(y):
            losses, validation = [], []
            for k, soft in enumerate(forms.values()):
                start = time.process_time()
                model = RuleEnsembleRegressor(soft=soft, random_state=0).fit(data.X.iloc[train], y[train])
                seconds[k] += (time.process_time() - start) / n_folds
                losses.append(((model.predict(data.X.iloc[test]) - y[test]) ** 2).sum(axis=0))
                validation.append(model.path_.error.min())
            square += [*losses, losses[int(np.argmin(validation))]]
            base += ((y[train].mean(axis=0) - y[test]) ** 2).sum(axis=0)
        errors = np.sqrt(square / base).mean(axis=1)
        cells = "".join(f"{error:8.4f}" for error in errors)
        print(f"{name:6s}{cells}{' / '.join(f'{s:.1f}' for s in seconds):>30s}", flush=True)


def try_random_rules(n_rules=100_000):
    rng = np.random.default_rng(0)
    done, softened, start = 0, 0, time.process_time()
    while done < n_rules:
        n_rows, kind = int(rng.integers(3, 300)), KINDS[rng.integers(len(KINDS))]
        X = draw_numbers(rng, n_rows, int(rng.integers(1, 8)), kind)
        soft = soften(draw_rules(rng, X, 250, 6), X, is_exact=bool(rng.random() < 0.1))
        far = np.vstack((X, 1e250 * X, np.full_like(X, np.nan)))
        parts = (soft.values(far), soft.constant, soft.scale, soft.curves.linear, soft.curves.square)
        assert all(np.isfinite(part).all() for part in parts), (n_rows, kind)
        done, softened = done + 250, softened + len(soft)
    seconds = time.process_time() - start
    print(f"{done:,} random rules, {softened:,} soft, no failure, all values finite: {seconds:.0f} s")


COMMANDS = {
    "cost": measure_cost,
    "growth": measure_growth,
    "accuracy": measure_accuracy,
    "many": measure_many,
    "random": try_random_rules,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*map(int, sys.argv[2:]))
