"""Random tables for every estimator that takes signs of classes: no probability goes the wrong way.

`GLADE_FUZZ_SECONDS` says how long it runs (15), `GLADE_FUZZ_SEED` which tables it makes. A failure names its case.
"""

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

import glade
from tests.fuzz.measuring import SECONDS, SEED

MAKERS = {
    "tree": lambda cst, r: glade.TreeClassifier(
        monotonic_cst=cst,
        cuts=str(r.choice(["nice", "exact"])),
        criterion=str(r.choice(["gini", "entropy", "gain_ratio"])),
        smoothing=r.choice([None, 5.0]),
        nominal_splits=str(r.choice(["binary", "multiway"])),
    ),
    "forest": lambda cst, r: glade.ForestClassifier(
        4, monotonic_cst=cst, method=str(r.choice(["random_forest", "extra_trees", "bagging"])), random_state=0
    ),
    "boosting": lambda cst, _: glade.ForestClassifier(4, method="boosting", monotonic_cst=cst, random_state=0),
    "rules": lambda cst, r: glade.RuleEnsembleClassifier(
        glade.ForestClassifier(5, max_depth=3),
        monotonic_cst=cst,
        max_rules=(4, None, "auto")[int(r.integers(3))],
        cv=2,
        random_state=0,
    ),
    "mixed": lambda cst, _: glade.MixedForest(3, monotonic_cst={"kind": cst}, random_state=0),
}


def make_table(random: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """Inputs of any scale, with gaps and categories, and two to four classes that go with the first input."""
    n, n_classes = int(random.choice([12, 40, 150])), int(random.choice([2, 3, 4]))
    X = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n).round(1)})
    X["c"] = random.choice(list("xyz"), n)
    place = X["a"] + random.normal(size=n) * random.choice([0.3, 1.5])
    X["a"] *= float(random.choice([1.0, 1e-300, 1e300, 1e12]))
    X.loc[random.random(n) < random.choice([0.0, 0.2]), "a"] = np.nan
    codes = np.clip(((place + 2) / 4 * n_classes).astype(int), 0, n_classes - 1)
    return X, np.array(list("pqrs"))[codes]


def check_case(seed: int, number: int) -> bool:
    """Fit one model and go along its first input. Returns whether there was one."""
    random = np.random.default_rng((seed, number))
    X, y = make_table(random)
    classes = sorted(set(y))
    if len(classes) < 2:
        return False
    name, sign = list(MAKERS)[int(random.integers(len(MAKERS)))], int(random.choice([-1, 1]))
    own, *others = map(str, random.permutation(classes))
    signs: dict[str, dict[str, int]] = {own: {"a": sign}}
    if name != "boosting" and len(classes) > 2 and random.random() < 0.3:
        signs[others[0]] = {"a": -sign}
    targets: Any = pd.DataFrame({"kind": y, "amount": X["b"] ** 2}) if name == "mixed" else y
    model = MAKERS[name](signs, random).fit(X, targets)
    for row in (0, len(X) // 2):
        grid = pd.DataFrame({"a": np.unique(X["a"].dropna()), "b": X["b"].iloc[row], "c": X["c"].iloc[row]})
        shares = model.predict_proba(grid)
        shares = np.asarray(shares["kind"] if name == "mixed" else shares)
        for label, way in signs.items():
            steps = way["a"] * np.diff(shares[:, classes.index(label)])
            assert (steps >= -1e-9).all(), f"case {number} of seed {seed}: {model}, class {label}"
    return True


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_probability_goes_against_its_sign(capsys):
    n_models, number, end = 0, 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        n_models += check_case(SEED, number)
        number += 1
    with capsys.disabled():
        print(f"\nsigns of classes, seed {SEED}: {n_models} models of {number} tables")
    assert n_models > 0
