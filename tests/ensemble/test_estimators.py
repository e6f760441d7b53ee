"""What a fitted forest offers, and what must not change it."""

import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from glade import ForestClassifier, ForestRegressor, MixedForest, TreeRegressor
from glade.core.progress import progress_to
from tests.ensemble.tables import ESTIMATORS, METHODS, make_table, same_trees, target_of, values_of

X, Y = make_table()


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("method", METHODS)
def test_threads_change_nothing(estimator, method):
    y = target_of(estimator, Y, several=True)
    models = [estimator(9, method=method, n_jobs=n, random_state=0).fit(X, y) for n in (None, 1, 2, 7, -1)]
    assert all(same_trees(models[0], model) for model in models[1:])
    assert all((values_of(models[0], X) == values_of(model, X)).all() for model in models[1:])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("per_target", [False, True])
def test_a_warm_start_goes_on_as_if_grown_at_once(method, per_target):
    y = Y[["number", "other"]]
    settings = {"method": method, "per_target": per_target, "random_state": 5}
    if method == "bagging":
        settings |= {"oob_score": True, "max_samples": 0.2}  # so small that no row is in all samples
    at_once = ForestRegressor(12, **settings).fit(X, y)
    grown = ForestRegressor(5, warm_start=True, **settings).fit(X, y)
    first = grown.trees_
    grown.set_params(n_estimators=12, n_jobs=2).fit(X, y)
    assert same_trees(grown, at_once)
    np.testing.assert_array_equal(grown.trees_[0].split_cut, first[0].split_cut)
    np.testing.assert_array_equal(grown.predict(X), at_once.predict(X))
    if method == "bagging":
        np.testing.assert_array_equal(grown.oob_prediction_, at_once.oob_prediction_)


def test_a_warm_start_without_a_random_state_keeps_its_seed():
    model = ForestRegressor(3, warm_start=True).fit(X, Y["number"])
    seed = model.seed_
    model.set_params(n_estimators=6).fit(X, Y["number"])
    assert model.seed_ == seed
    assert len({tree.rows[0] for tree in model.trees_} | {tree.value[0, 0] for tree in model.trees_}) > 6


def test_warm_starts_that_cannot_go_on():
    model = ForestRegressor(5, warm_start=True, random_state=0).fit(X, Y["number"])
    with pytest.raises(ValueError, match="n_estimators=3 must be larger or equal to the 5 trees there are"):
        model.set_params(n_estimators=3).fit(X, Y["number"])
    with pytest.warns(UserWarning, match="there are 5 trees already"):
        model.set_params(n_estimators=5).fit(X, Y["number"])
    with pytest.raises(ValueError, match="warm_start goes on from trees for other inputs, targets or labels"):
        model.set_params(n_estimators=6).fit(X.drop(columns="a"), Y["number"])
    with pytest.raises(ValueError, match="warm_start goes on from trees for other inputs, targets or labels"):
        model.fit(X, Y[["number", "other"]])
    assert len(model.trees_) == 5


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_leaves_the_estimator_as_it_was(estimator, n_jobs, monkeypatch):
    y = target_of(estimator, Y)
    model = estimator(5, random_state=0, n_jobs=n_jobs).fit(X, y)
    before, expected = dict(vars(model)), values_of(model, X)

    def interrupt(what, done, total):
        if done == 3:
            raise KeyboardInterrupt

    with progress_to(interrupt), pytest.raises(KeyboardInterrupt):
        model.set_params(n_estimators=50).fit(X, y)
    after = dict(vars(model))
    assert after.pop("n_estimators") == 50
    before.pop("n_estimators")
    assert after == before
    np.testing.assert_array_equal(values_of(model, X), expected)
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPoolExecutor")]


def test_a_fault_in_a_thread_reaches_the_user(monkeypatch):
    def fail(*args):
        raise MemoryError("no more")

    monkeypatch.setattr("glade.ensemble.loop.Plan.grow_one", fail)
    model = ForestRegressor(5, n_jobs=2)
    with pytest.raises(MemoryError, match="no more"):
        model.fit(X, Y["number"])
    assert not hasattr(model, "forests_")


def test_progress(capsys):
    seen = []
    with progress_to(lambda *step: seen.append(step)):
        ForestRegressor(4, n_jobs=2).fit(X, Y["number"])
        ForestRegressor(2, method="boosting").fit(X, Y["number"])
    assert seen == [("trees", k, 4) for k in range(1, 5)] + [("trees", 1, 2), ("trees", 2, 2)]
    ForestRegressor(4, verbose=True).fit(X, Y["number"])
    assert capsys.readouterr().err.startswith("trees 4 of 4, ")
    ForestRegressor(4).fit(X, Y["number"])
    assert capsys.readouterr().err == ""


def test_inside_a_grid_search():
    numbers = X[["a", "b", "c"]].to_numpy()
    search = GridSearchCV(ForestRegressor(5, random_state=0), {"max_depth": [2, None]}, cv=2, n_jobs=2)
    search.fit(numbers, Y["number"])
    alone = clone(search).set_params(n_jobs=1).fit(numbers, Y["number"])
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    assert same_trees(search.best_estimator_, alone.best_estimator_)


@pytest.mark.parametrize("method", METHODS)
def test_permuted_targets_permute_predictions(method):
    names = ["number", "other"]
    ours = ForestRegressor(10, method=method, random_state=0).fit(X, Y[names]).predict(X)
    other = ForestRegressor(10, method=method, random_state=0).fit(X, Y[names[::-1]]).predict(X)
    np.testing.assert_allclose(ours, other[:, ::-1], rtol=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_one_bagged_tree_of_all_rows_is_a_tree(estimator):
    y = Y["number"]
    if estimator is ForestRegressor:
        forest = ForestRegressor(1, method="bagging", bootstrap=False).fit(X, y)
        np.testing.assert_array_equal(forest.predict(X), TreeRegressor().fit(X, y).predict(X))
    forest = estimator(3, method="bagging", bootstrap=False).fit(X, target_of(estimator, Y))
    assert len({tree.value.tobytes() for tree in forest.trees_}) == 1


def test_whole_weights_are_repeated_rows():
    """A bootstrap draws a row of weight 3 when it would draw one of three in its place: the same trees."""
    numbers, y = X[["a", "c"]].to_numpy(), Y["number"].to_numpy()
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), counts)
    settings = {"n_estimators": 20, "max_features": 1, "random_state": 0}
    weighted = ForestRegressor(**settings).fit(numbers, y, counts).predict(numbers)
    repeated = ForestRegressor(**settings).fit(numbers[again], y[again]).predict(numbers)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-9)
    assert np.abs(weighted - ForestRegressor(**settings).fit(numbers, y).predict(numbers)).max() > 0.01


def test_classes_absent_from_a_sample_have_their_column():
    y = np.array(["rare", *["x"] * 60, *["y"] * 59])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in METHODS:
            proba = ForestClassifier(4, method=method, random_state=0).fit(X, y).predict_proba(X)
            assert proba.shape == (120, 3)
            np.testing.assert_allclose(proba.sum(axis=1), 1.0)


@pytest.mark.parametrize("method", METHODS)
def test_class_weights_move_predictions(method):
    y = np.where(np.random.default_rng(0).random(120) < 0.2, "few", "many")
    plain, heavy = (
        ForestClassifier(20, method=method, class_weight=w, min_samples_leaf=5, random_state=0).fit(X, y)
        for w in (None, {"few": 20.0, "many": 1.0})
    )
    np.testing.assert_array_equal(heavy.predict_proba(X), plain.predict_proba(X))
    assert (heavy.predict(X) == "few").sum() > (plain.predict(X) == "few").sum()


@pytest.mark.parametrize("method", METHODS)
def test_importances(method):
    table = X.assign(noise=np.random.default_rng(0).normal(size=len(X)))
    model = ForestRegressor(30, method=method, max_features=None, random_state=0).fit(table, Y[["number", "other"]])
    whole, of_targets = model.feature_importances_, model.target_importances_
    assert whole.shape == (6,)
    assert whole.sum() == pytest.approx(1.0)
    assert of_targets.index.tolist() == table.columns.tolist()
    np.testing.assert_allclose(of_targets.sum(), 1.0)
    assert of_targets.loc["c", "other"] > 2 * of_targets.loc["c", "number"]
    assert of_targets["number"].idxmax() == "a"
    of_one = ForestRegressor(30, method=method, max_features=None, random_state=0).fit(table, Y["number"])
    np.testing.assert_allclose(of_one.target_importances_["number"], of_one.feature_importances_, atol=0.02)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("per_target", [False, True])
def test_permutation_importances_out_of_bag(estimator, per_target):
    table = X.assign(noise=np.random.default_rng(0).normal(size=len(X)))
    y = target_of(estimator, Y, several=True)
    model = estimator(30, per_target=per_target, min_samples_leaf=2, random_state=0).fit(table, y)
    rises = model.oob_permutation_importances(table, y, n_repeats=2, random_state=0)
    assert rises.shape == (6, 2)
    assert rises.iloc[0, 0] == rises.iloc[:, 0].max()  # a
    assert abs(rises.loc["noise"]).max() < 0.1
    again = model.set_params(n_jobs=2).oob_permutation_importances(table, y, n_repeats=2, random_state=0)
    pd.testing.assert_frame_equal(rises, again)
    with pytest.raises(ValueError, match="give the table the forest was fitted on: it had 120 rows"):
        model.oob_permutation_importances(table[:50], y[:50])


def test_permutation_importance_of_one_tree_by_hand():
    table = X[["a", "c"]].to_numpy()
    y = Y["number"].to_numpy()
    model = ForestRegressor(1, random_state=0).fit(table, y)
    (group,) = model._make_parts(model._read_training(table, y, None))
    out = np.setdiff1d(np.arange(120), group.plan.draw(0).rows)
    (tree,) = model.trees_

    def error(matrix):
        return np.mean((tree.value[tree.route(matrix), 0] - y[out]) ** 2) / np.var(y)

    random, expected = np.random.default_rng((check_seed(7), 0)), []
    for j in range(2):
        shuffled = table[out].copy()
        shuffled[:, j] = random.permutation(shuffled[:, j])
        expected.append(error(shuffled) - error(table[out]))
    rises = model.oob_permutation_importances(table, y, n_repeats=1, random_state=7)
    np.testing.assert_allclose(rises.iloc[:, 0], expected)


def check_seed(random_state):
    from glade.core.seeds import draw_seed

    return draw_seed(random_state)


def test_mixed_outputs():
    y = Y[["number", "label"]]
    for method in METHODS:
        model = MixedForest(30, method=method, random_state=0).fit(X, y)
        assert model.predict(X).columns.tolist() == ["number", "label"]
        assert list(model.predict_proba(X)) == ["label"]
        np.testing.assert_allclose(model.predict_proba(X)["label"].sum(axis=1), 1.0)
