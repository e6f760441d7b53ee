"""Missing inputs and missing target values."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold

from glade import TreeClassifier, TreeRegressor
from glade.grow.node_table import SplitKind
from tests.datasets import load_dataset


def test_missing_rows_take_the_side_they_belong_to():
    """Few rows or many: where missing rows behave like one side, they go there."""
    for repeats in (1, 30):
        X = np.array([1.0, 2, 3, 4, np.nan, np.nan] * repeats).reshape(-1, 1)
        for y, expected in (([0, 0, 1, 1, 1, 1], 1.0), ([0, 0, 1, 1, 0, 0], 0.0)):
            tree = TreeRegressor(max_depth=1).fit(X, y * repeats)
            assert tree.predict([[np.nan]])[0] == expected
            assert tree.score(X, y * repeats) == 1.0


def test_missing_alone_can_be_the_test():
    X = np.array([1.0, 2, 3, 4, np.nan, np.nan] * 5).reshape(-1, 1)
    y = [0, 0, 0, 0, 1, 1] * 5
    tree = TreeClassifier().fit(X, y)
    assert tree.get_n_leaves() == 2
    assert tree.tree_.split_kind.tolist() == [SplitKind.IS_MISSING]
    assert tree.score(X, y) == 1.0


def test_a_node_without_missing_rows_sends_them_to_its_larger_child():
    X = np.arange(10.0).reshape(-1, 1)
    tree = TreeRegressor(max_depth=1).fit(X, [0] * 3 + [1] * 7)
    assert tree.predict([[np.nan]])[0] == 1.0
    assert TreeRegressor(max_depth=1).fit(X, [0] * 7 + [1] * 3).predict([[np.nan]])[0] == 0.0


def test_an_unseen_category_goes_with_the_missing():
    X = pd.DataFrame({"soil": ["clay"] * 6 + ["sand"] * 4})
    tree = TreeRegressor().fit(X, [0] * 6 + [1] * 4)
    with pytest.warns(UserWarning, match="unseen in training"):
        assert tree.predict(pd.DataFrame({"soil": ["peat"]}))[0] == tree.predict(pd.DataFrame({"soil": [None]}))[0]


def test_masked_cars_are_classified_better_than_imputed_ones():
    """The benchmark (benchmarks/missing.py) in small: 30 % of the cells of car, three masks."""
    X, Y = load_dataset("car")
    X, y = X.astype(object), Y.iloc[:, 0].astype(str).to_numpy()
    difference = []
    for seed in range(3):
        masked = X.mask(np.random.default_rng(seed).random(X.shape) < 0.3)
        for train, test in KFold(5, shuffle=True, random_state=seed).split(X):
            mode = masked.iloc[train].mode().iloc[0]
            native = TreeClassifier(min_samples_leaf=10).fit(masked.iloc[train], y[train])
            imputed = TreeClassifier(min_samples_leaf=10).fit(masked.iloc[train].fillna(mode), y[train])
            difference.append(
                native.score(masked.iloc[test], y[test]) - imputed.score(masked.iloc[test].fillna(mode), y[test])
            )
    assert np.mean(difference) > 0.005


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_bridges_with_missing_targets():
    """All 104 bridges, each counting for the targets it has: better than the mode of each."""
    X, Y = load_dataset("bridges_full")
    Y = Y.astype(object).where(Y.notna(), None)
    assert Y.isna().any().all() or Y.isna().to_numpy().any()
    with pytest.raises(ValueError, match="missing_targets='ignore'"):
        TreeClassifier().fit(X, Y)
    tree = TreeClassifier(missing_targets="ignore", min_samples_leaf=5).fit(X, Y)
    predicted = pd.DataFrame(tree.predict(X), columns=Y.columns)
    for target in Y.columns:
        known = Y[target].notna()
        accuracy = (predicted.loc[known.to_numpy(), target].to_numpy() == Y.loc[known, target].to_numpy()).mean()
        assert accuracy > Y.loc[known, target].value_counts(normalize=True).iloc[0]
