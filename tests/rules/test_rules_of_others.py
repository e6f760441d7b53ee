"""Rules of fitted forests of scikit-learn, XGBoost and LightGBM cover the rows that these libraries send there."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import (
    AdaBoostRegressor,
    BaggingRegressor,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

import glade
from glade.core.errors import InputError
from glade.models.foreign_trees import read_trees

N_INPUTS = 4


def make_table(n_rows, gaps=True, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, N_INPUTS))
    X[:, 1] = np.round(X[:, 1], 1)  # many values at cuts
    X[:, 2] = rng.integers(0, 4, n_rows)
    y = X[:, 0] * (X[:, 1] > 0.3) + X[:, 2] + rng.normal(0, 0.1, n_rows)
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def draw_rows(trees, n_rows=4000):
    """Random rows, half of their values at the cuts, or the nearest floats beside them."""
    rng = np.random.default_rng(1)
    X, _ = make_table(n_rows, seed=2)
    for j in range(N_INPUTS):
        cuts = np.concatenate(
            [tree.cut[(tree.left >= 0) & (tree.input == j) & np.isfinite(tree.cut)] for tree in trees]
        )
        if len(cuts):
            own = rng.choice(cuts, n_rows)
            beside = np.stack((own, np.nextafter(own, -9), np.nextafter(own, 9), np.float32(own), own * (1 + 1e-8)))
            at = rng.random(n_rows) < 0.5
            X[at, j] = beside[rng.integers(0, 5, n_rows), np.arange(n_rows)][at]
    return X


def check(model, X, y, leaves_of):
    """Two rows are in one leaf of a tree for the library if and only if the same rule covers both."""
    rules = glade.rules_of(model, X, y, rules_from="leaves")
    rows = draw_rows(read_trees(model))
    covered, leaves = rules.covers(rows), leaves_of(rows)
    n_trees = 0
    for tree in np.unique(rules.tree):
        own = covered[:, rules.tree == tree]
        assert (own.sum(axis=1) == 1).all()
        pairs = np.unique(np.column_stack((own.argmax(axis=1), leaves[:, tree])), axis=0)
        assert len(pairs) == len(np.unique(pairs[:, 0])) == len(np.unique(pairs[:, 1])) > 1
        n_trees += 1
    assert n_trees > 0
    return rules


@pytest.mark.parametrize(
    ("model", "gaps"),
    [
        (RandomForestRegressor(5, random_state=0), True),
        (RandomForestClassifier(4, max_depth=6, random_state=0), True),
        (ExtraTreesClassifier(4, random_state=0), False),
        (GradientBoostingClassifier(n_estimators=5, random_state=0), False),
        (DecisionTreeRegressor(min_samples_leaf=3), True),
    ],
    ids=lambda own: type(own).__name__,
)
def test_scikit_learn(model, gaps):
    X, y = make_table(300, gaps)
    y = np.where(y > 1, "high", "low") if type(model).__name__.endswith("Classifier") else y
    fitted = model.fit(X, y)

    def leaves_of(rows):
        rows = rows if gaps else np.nan_to_num(rows)
        own = fitted.apply(rows)
        return own.reshape(len(rows), -1)

    if not gaps:
        rules = glade.rules_of(fitted, X, y, rules_from="leaves")
        rows = np.nan_to_num(draw_rows(read_trees(fitted)))
        covered, leaves = rules.covers(rows), leaves_of(rows)
        for tree in np.unique(rules.tree):
            own = covered[:, rules.tree == tree].argmax(axis=1)
            assert len(np.unique(np.column_stack((own, leaves[:, tree])), axis=0)) == len(np.unique(own))
        return
    check(fitted, X, y, leaves_of)


def test_bags_of_trees_on_some_inputs():
    X, y = make_table(200, gaps=False)
    bag = BaggingRegressor(n_estimators=4, max_features=2, random_state=0).fit(X, y)
    rules = glade.rules_of(bag, X, y, rules_from="leaves")
    covered = rules.covers(X)
    for k, (tree, inputs) in enumerate(zip(bag.estimators_, bag.estimators_features_, strict=True)):
        own = covered[:, rules.tree == k].argmax(axis=1)
        pairs = np.unique(np.column_stack((own, tree.apply(X[:, inputs]))), axis=0)
        assert len(pairs) == len(np.unique(own)) == tree.get_n_leaves()


def test_histogram_boosting():
    """It does not say which leaf a row is in: boosting that adds leaves' values up is found again from them."""
    X, y = make_table(400)
    model = HistGradientBoostingRegressor(max_iter=4, random_state=0).fit(X, y)
    rules = glade.rules_of(model, X, y, rules_from="leaves")
    rows = draw_rows(read_trees(model))
    own = rules.covers(rows)
    leaves = [np.flatnonzero(predictor.nodes["is_leaf"]) for step in model._predictors for predictor in step]
    assert [(rules.tree == k).sum() for k in range(4)] == [len(part) for part in leaves]
    raw = model.predict(rows)
    groups = np.unique(np.packbits(own, axis=1), axis=0, return_inverse=True)[1].ravel()
    spread = [np.ptp(raw[groups == g]) for g in np.unique(groups)]
    assert len(np.unique(groups)) > 20
    assert max(spread) < 1e-9


@pytest.mark.parametrize("kind", ["XGBRegressor", "XGBClassifier"])
def test_xgboost(kind):
    xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")
    X, y = make_table(300)
    y = np.digitize(y, [0, 2]) if kind == "XGBClassifier" else y
    model = getattr(xgboost, kind)(n_estimators=4, max_depth=5, n_jobs=1).fit(X, y)
    check(model, X, y, model.apply)
    booster = model.get_booster()
    assert len(glade.rules_of(booster, X, y)) == len(glade.rules_of(model, X, y))


@pytest.mark.parametrize("gaps", [True, False])
@pytest.mark.parametrize("kind", ["LGBMRegressor", "LGBMClassifier"])
def test_lightgbm(kind, gaps):
    """Where LightGBM saw no missing value in training, one counts as zero."""
    lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
    X, y = make_table(300, gaps)
    y = np.digitize(y, [0, 2]) if kind == "LGBMClassifier" else y
    model = getattr(lightgbm, kind)(n_estimators=4, min_child_samples=5, n_jobs=1, verbose=-1).fit(X, y)
    check(model, X, y, lambda rows: np.asarray(model.predict(rows, pred_leaf=True)).reshape(len(rows), -1))


def test_rules_say_the_means_of_the_rows_they_cover():
    X, y = make_table(300)
    table = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    forest = RandomForestRegressor(3, max_depth=4, random_state=0).fit(table, y)
    rules = glade.rules_of(forest, table, y)
    covered = rules.covers(table)
    for k in np.flatnonzero(covered.any(axis=0))[:20]:
        assert rules.value[k, 0] == pytest.approx(y[covered[:, k]].mean())
        assert rules.rows[k] == covered[:, k].sum()
    assert all(any(name in words for name in "abcd") for words in rules.words)
    frame = rules.to_frame()
    assert len(frame) == len(rules)


@pytest.mark.parametrize("library", ["sklearn", "xgboost", "lightgbm"])
def test_a_fitted_forest_is_a_generator(library):
    X, y = make_table(400)
    if library == "sklearn":
        forest = RandomForestRegressor(20, max_depth=4, random_state=0)
    elif library == "xgboost":
        forest = pytest.importorskip("xgboost").XGBRegressor(n_estimators=20, max_depth=3, n_jobs=1)
    else:
        forest = pytest.importorskip("lightgbm").LGBMRegressor(n_estimators=20, num_leaves=6, n_jobs=1, verbose=-1)
    forest.fit(X, y)
    model = glade.RuleEnsembleRegressor(forest, max_rules=8, cuts="exact", linear_terms=False, random_state=0).fit(X, y)
    assert 0 < model.size_.rules <= 8
    own = set(glade.rules_of(forest, X, y).words)
    assert sum(words in own for words in model.model_.terms.design.words) >= model.size_.rules / 2
    assert model.score(X, y) > 0.5
    assert np.isfinite(model.oof_prediction_).all()


def test_classes_from_a_fitted_forest():
    X, y = make_table(300)
    y = np.where(y > 1, "high", "low")
    forest = RandomForestClassifier(10, max_depth=3, random_state=0).fit(X, y)
    model = glade.RuleEnsembleClassifier([forest, glade.ForestClassifier(5, max_depth=3)], max_rules=6, random_state=0)
    assert model.fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda X, y: LinearRegression().fit(X, y), "a LinearRegression has no trees that glade can read"),
        (lambda X, y: AdaBoostRegressor(LinearRegression(), n_estimators=2).fit(X, y), "has parts that are no trees"),
        (lambda X, y: RandomForestRegressor(), "a RandomForestRegressor has no trees that glade can read"),
    ],
)
def test_what_has_no_trees_is_refused(make, fault):
    X, y = make_table(60, gaps=False)
    with pytest.raises(InputError, match=fault):
        glade.rules_of(make(X, y), X, y)


def test_tables_that_do_not_fit_are_refused():
    X, y = make_table(60, gaps=False)
    forest = RandomForestRegressor(2, random_state=0).fit(X, y)
    with pytest.raises(InputError, match="X has 3 inputs, but the forest was fitted to 4"):
        glade.rules_of(forest, X[:, :3], y)
    with pytest.raises(InputError, match="X must hold numbers only, as the forest does, but 'word' does not"):
        glade.rules_of(forest, pd.DataFrame(X[:, :3]).add_prefix("x").assign(word=["a", "b"] * 30), y)
    with pytest.raises(InputError, match="rules_from must be"):
        glade.rules_of(forest, X, y, rules_from="trees")
    mixed = pd.DataFrame(X).add_prefix("x").assign(x3=np.where(X[:, 3] > 0, "a", "b"))
    with pytest.raises(InputError, match="a forest of another library takes numbers only: 'x3' is nominal"):
        glade.RuleEnsembleRegressor(forest, max_rules=3).fit(mixed, y)
