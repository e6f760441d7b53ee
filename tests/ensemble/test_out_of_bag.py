"""Out-of-bag predictions by brute force, their score and curve, and the number of trees they choose."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import r2_score

from glade import ForestClassifier, ForestRegressor, MixedForest
from glade.ensemble.curve import MAX_TREES, is_flat
from tests.ensemble.tables import ESTIMATORS, make_table, target_of

X, Y = make_table(150)


def brute_force(model, plan):
    """Rows x channels: the mean over the trees in whose sample a row is not."""
    matrix = model.schema_.encode(X)
    predictions = np.full((len(model.trees_), len(X), model.trees_[0].value.shape[1]), np.nan)
    for number, tree in enumerate(model.trees_):
        out = np.setdiff1d(np.arange(len(X)), plan.draw(number).rows)
        predictions[number, out] = tree.value[tree.route(matrix)][out]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that are always in
        return np.nanmean(predictions, axis=0)


def fit(estimator, n_trees=60, **settings):
    model = estimator(n_trees, oob_score=True, random_state=0, **settings)
    y = target_of(estimator, Y, several=True)
    model.fit(X, y)
    (group,) = model._make_parts(model._read_training(X, y, None))
    return model, y, group.plan


@pytest.mark.parametrize("settings", [{}, {"method": "extra_trees", "max_samples": 0.7}, {"method": "isle"}])
def test_regression(settings):
    model, y, plan = fit(ForestRegressor, **settings)
    expected = brute_force(model, plan)
    np.testing.assert_allclose(model.oob_prediction_, expected, rtol=1e-12)
    assert model.oob_score_ == pytest.approx(r2_score(y, expected))
    share = np.mean((y - expected) ** 2, axis=0) / np.var(y.to_numpy(), axis=0)
    np.testing.assert_allclose(model.oob_curve_.per_target[-1], share)
    assert model.oob_curve_.error[-1] == pytest.approx(share.mean())
    assert len(model.oob_curve_.error) == 60


def test_classification():
    model, y, plan = fit(ForestClassifier, smoothing=None)
    expected = brute_force(model, plan)
    np.testing.assert_allclose(np.column_stack(model.oob_prediction_), expected, rtol=1e-12)
    labels = [c[p.argmax(axis=1)] for c, p in zip(model.classes_, model.oob_prediction_, strict=True)]
    assert model.oob_score_ == pytest.approx(np.mean(np.column_stack(labels) == y))
    assert 1 - model.oob_curve_.error[-1] == pytest.approx(model.oob_score_)
    one = ForestClassifier(60, oob_score=True, random_state=0).fit(X, Y["label"])
    assert one.oob_prediction_.shape == (150, 3)


def test_mixed():
    model, y, plan = fit(MixedForest)
    expected = brute_force(model, plan)
    np.testing.assert_allclose(model.oob_prediction_["number"], expected[:, 0])
    assert (model.oob_prediction_["label"] == model.target_schema_.classes[1][expected[:, 1:].argmax(axis=1)]).all()
    r2, accuracy = r2_score(y["number"], expected[:, 0]), np.mean(model.oob_prediction_["label"] == y["label"])
    assert model.oob_score_ == pytest.approx((r2 + accuracy) / 2)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_rows_that_every_tree_has_seen(estimator):
    with pytest.warns(UserWarning, match="of 150 rows have no out-of-bag prediction.*grow more trees"):
        model = estimator(2, oob_score=True, random_state=0).fit(X, target_of(estimator, Y))
    missing = pd.DataFrame(np.asarray(model.oob_prediction_)).isna().all(axis=1)
    assert 0 < missing.sum() < 100
    assert np.isfinite(model.oob_score_)


def test_rows_of_weight_zero_keep_their_place():
    weights = np.r_[np.zeros(10), np.ones(140)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = ForestRegressor(80, oob_score=True, random_state=0).fit(X, Y["number"], weights)
    assert model.oob_prediction_.shape == (150,)
    assert np.isnan(model.oob_prediction_[:10]).all()
    rest = ForestRegressor(80, oob_score=True, random_state=0).fit(X[10:], Y["number"][10:])
    np.testing.assert_array_equal(model.oob_prediction_[10:], rest.oob_prediction_)


def test_a_forest_for_each_target():
    y = Y[["number", "other"]]
    model = ForestRegressor(40, per_target=True, oob_score=True, random_state=0).fit(X, y)
    alone = [ForestRegressor(40, oob_score=True, random_state=0).fit(X, y[t]) for t in y]
    np.testing.assert_array_equal(model.oob_prediction_, np.column_stack([a.oob_prediction_ for a in alone]))
    np.testing.assert_array_equal(model.predict(X), np.column_stack([a.predict(X) for a in alone]))
    assert [c.names for c in model.oob_curve_] == [("number",), ("other",)]
    assert model.size_.trees == 80


def test_the_rule_for_flat_curves():
    assert not is_flat([1.0] * 39)
    assert is_flat([1.0] * 40)
    falling = [0.999**m for m in range(100)]  # 2 % in 20 trees
    assert not is_flat(falling)
    assert is_flat([0.9999**m for m in range(100)])  # 0.2 %
    assert is_flat([1.0] * 20 + [0.996] * 20)
    assert not is_flat([1.0] * 20 + [0.994] * 20)
    assert is_flat([0.5] + [1.0] * 39)  # the best error counts, not the last


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_trees_until_the_error_is_flat(estimator):
    y = target_of(estimator, Y)
    model = estimator("auto", random_state=0).fit(X, y)
    errors = model.oob_curve_.error.tolist()
    assert 40 <= model.n_estimators_ == len(errors) < MAX_TREES
    assert is_flat(errors)
    assert not any(is_flat(errors[:m]) for m in range(40, len(errors)))
    same = estimator(model.n_estimators_, oob_score=True, random_state=0).fit(X, y)
    np.testing.assert_array_equal(same._channel_values(X), model._channel_values(X))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_boosting_until_the_loss_on_rows_held_out_is_least(estimator):
    y = target_of(estimator, Y)
    model = estimator("auto", method="boosting", learning_rate=0.3, random_state=0).fit(X, y)
    errors = model.validation_curve_.error
    assert is_flat(errors.tolist())
    assert model.n_estimators_ == errors.argmin() + 1
    assert all(tree.rows[0] == 135 for tree in model.trees_)
    assert errors.min() < 0.6
    assert not hasattr(model, "oob_curve_")


def test_the_curve_as_a_table_and_a_picture():
    model, _, _ = fit(ForestRegressor)
    frame = model.oob_curve_.frame()
    assert frame.columns.tolist() == ["trees", "error", "error of number", "error of other"]
    assert frame["trees"].tolist() == list(range(1, 61))
    np.testing.assert_allclose(frame.iloc[:, 2:].mean(axis=1), frame["error"])
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    axes = model.oob_curve_.plot(pyplot.figure().add_subplot())
    assert [line.get_label() for line in axes.lines] == ["number", "other", "mean"]
    pyplot.close("all")


def test_target_weights_weigh_errors():
    model = ForestRegressor(40, oob_score=True, target_weights={"number": 3.0}, random_state=0)
    curve = model.fit(X, Y[["number", "other"]]).oob_curve_
    np.testing.assert_allclose(curve.error, curve.per_target @ [0.75, 0.25])
