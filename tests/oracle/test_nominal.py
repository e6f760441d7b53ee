"""Tests on nominal inputs: the best of all subsets where theory promises it, close to it elsewhere."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.nominal_loss import CATEGORIES, TARGETS, best_subset_gain, draw_problem, measure_loss
from glade import TreeClassifier, TreeRegressor
from tests.reference.tree import Criterion, Target


def best_gain_by_hand(categories, criterion):
    """The highest gain over every subset of the categories; the missing rows are one more category."""
    labels = np.nan_to_num(categories, nan=-1.0)
    present = np.unique(labels)
    rows = np.arange(len(categories))
    gains = []
    for subset in range(1, 2 ** (len(present) - 1)):  # the last one stays out: complements are the same division
        inside = [label for k, label in enumerate(present) if subset >> k & 1]
        gains.append(criterion.gain(rows, np.isin(labels, inside)))
    return max(gains) / criterion.weights.sum() * criterion.unit


def fit_stump(categories, target, criterion, weights):
    X = pd.DataFrame({"x": pd.Series([None if np.isnan(c) else f"c{int(c)}" for c in categories], dtype="str")})
    if criterion == "variance":
        return TreeRegressor(max_depth=1).fit(X, target.values, weights), X
    return TreeClassifier(criterion=criterion, max_depth=1).fit(X, target.values.astype(int), weights), X


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("criterion", ["variance", "gini", "entropy"])
def test_exact_for_one_number_or_two_classes(criterion, missing):
    """One numeric or one two-class target: no subset of the categories, missing ones included, does better."""
    for seed in range(25):
        rng = np.random.default_rng([seed, missing, *map(ord, criterion)])
        n_rows, n_categories = int(rng.integers(10, 60)), int(rng.integers(2, 9))
        categories = rng.integers(0, n_categories, n_rows).astype(float)
        effect = rng.normal(size=n_categories + 1)
        y = effect[categories.astype(int)] + rng.normal(size=n_rows)
        if missing:
            lacks = rng.random(n_rows) < 0.2
            categories[lacks] = np.nan
            y[lacks] += effect[-1]
        target = Target(y) if criterion == "variance" else Target((y > np.median(y)).astype(float), nominal=True)
        weights = rng.exponential(size=n_rows) if seed % 3 == 0 else np.ones(n_rows)
        if len(np.unique(np.nan_to_num(categories, nan=-1))) < 2:
            continue
        model, X = fit_stump(categories, target, criterion, weights)
        reference = Criterion([target], weights, "gini" if criterion == "variance" else criterion)
        best = best_gain_by_hand(categories, reference)
        assert model.tree_.split_gain[0] == pytest.approx(best, rel=1e-9, abs=1e-13)
        goes_left = model.apply(X) == 1
        made = reference.gain(np.arange(n_rows), goes_left) / weights.sum() * reference.unit
        assert made == pytest.approx(best, rel=1e-9, abs=1e-13)  # the rows go where the gain was counted


def test_quick_search_of_all_subsets_is_right():
    """The quick exhaustive search, by which the loss is measured, equals the slow one."""
    rng = np.random.default_rng(0)
    for kind in ("3 classes", "4 numbers"):
        categories, y = draw_problem(rng, kind, 6)
        is_classes = kind.endswith("classes")
        targets = [Target(y.astype(float), nominal=True)] if is_classes else [Target(column) for column in y.T]
        slow = best_gain_by_hand(categories.astype(float), Criterion(targets, np.ones(len(y))))
        quick = best_subset_gain(categories, np.eye(TARGETS[kind])[y] if is_classes else y)
        assert quick / len(targets) == pytest.approx(slow, rel=1e-9)


@pytest.mark.parametrize("kind", TARGETS)
def test_little_is_lost_for_many_targets(kind):
    """Several targets or classes: the gain is on average within one percent of the best of all subsets."""
    rng = np.random.default_rng([0, *map(ord, kind)])
    losses = np.array([measure_loss(rng, kind, n_categories) for n_categories in CATEGORIES for _ in range(70)])
    assert losses.min() > -1e-9  # never better than the best: the two count the same thing
    assert losses.mean() < 0.01
    assert np.mean(losses < 1e-9) > 0.8


def test_unseen_and_missing_categories_go_together():
    """A category that the node never saw takes the side of missing values."""
    X = pd.DataFrame({"x": ["a", "b", "c", None] * 10})
    y = np.tile([0.0, 0.0, 5.0, 5.0], 10)
    model = TreeRegressor().fit(X, y)
    assert model.predict(pd.DataFrame({"x": ["a", "c", None]})).tolist() == [0, 5, 5]
    with pytest.warns(UserWarning, match="unseen"):
        assert model.predict(pd.DataFrame({"x": ["d"]})).tolist() == [5]


def test_ten_thousand_categories():
    """High cardinality is not quadratic: 10,000 categories in 50,000 rows grow, and the categories are told apart."""
    rng = np.random.default_rng(0)
    categories = rng.integers(0, 10_000, 50_000)
    effect = rng.normal(size=10_000)
    y = effect[categories] + 0.1 * rng.normal(size=50_000)
    X = pd.DataFrame({"x": pd.Categorical.from_codes(categories, [f"c{k}" for k in range(10_000)])})
    model = TreeRegressor(max_leaf_nodes=50).fit(X, y)
    assert model.get_n_leaves() == 50
    assert model.score(X, y) > 0.98
    labels = rng.permutation(10_000) % 5
    many = TreeClassifier(max_leaf_nodes=50).fit(X, labels[categories])
    assert many.score(X, labels[categories]) > 0.95
