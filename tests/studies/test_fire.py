"""The study of FIRE: its folds, its models, its figures."""

import numpy as np
import pytest
from joblib import Memory

from glade import FIRERegressor, TreeRegressor
from studies import fire
from studies.figures import Settings
from tests.datasets import find_folder, load_dataset


def test_folds_are_those_of_clus():
    """The row at place i of a permutation is in fold i % 10."""
    order = np.random.RandomState(0).permutation(37)
    for k, (train, test) in enumerate(fire.FoldsInTurn(0).split(np.zeros((37, 2)))):
        assert sorted(order[k::10]) == test.tolist()
        assert sorted({*range(37)} - {*test}) == train.tolist()


def test_pooled_errors_over_all_folds_are_the_harness_s_and_over_some_by_hand():
    X, y = load_dataset("edm")
    result = fire._compare(
        {"tree": TreeRegressor(max_depth=2)}, ["edm"], 1, Settings(folder=find_folder(), progress=False)
    )
    assert fire._pool(result, "edm", "tree", 10) == pytest.approx(fire._mean_errors(result, "edm", "tree")[0])
    y = np.asarray(y, dtype=float)
    square, total = np.zeros((2, y.shape[1]))
    for train, test in list(fire.FoldsInTurn(0).split(y))[:3]:
        predicted = TreeRegressor(max_depth=2).fit(X.iloc[train], y[train]).predict(X.iloc[test])
        square += ((predicted - y[test]) ** 2).sum(axis=0)
        total += ((y[train].mean(axis=0) - y[test]) ** 2).sum(axis=0)
    assert fire._pool(result, "edm", "tree", 3) == pytest.approx(np.sqrt(square / total).mean())


def test_all_sizes_on_the_same_rows_are_one_fit(tmp_path):
    memory = Memory(tmp_path, verbose=0)
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 3)), random.normal(size=(60, 2))
    small, whole = (fire.FIREOfSize(memory, k, random_state=3).fit(X, y) for k in (5, None))
    assert len(list(tmp_path.rglob("output.pkl"))) == 1
    np.testing.assert_array_equal(whole.predict(X), FIRERegressor(random_state=3).fit(X, y).predict(X))
    assert small.size_.rules <= 5
