"""How good predictions of unseen rows are: figures as scikit-learn has them, and standard errors that are true."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    brier_score_loss,
    log_loss,
    mean_absolute_error,
    mean_poisson_deviance,
    r2_score,
    roc_auc_score,
    root_mean_squared_error,
)

import glade
from glade.losses.poisson import Poisson
from glade.models.errors import Rows, find_explained, measure_target

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(200, 3)).round(2), columns=["a", "b", "c"])


def read(model):
    return model.errors_.set_index(["target", "metric"])["value"]


def test_figures_of_numbers_are_those_of_scikit_learn():
    y = np.maximum(X["a"] + RNG.normal(size=200), 0).round(1).rename("y")
    model = glade.RuleEnsembleRegressor(glade.ForestRegressor(10, max_depth=3), max_rules=4, random_state=0).fit(X, y)
    said, found = model.oof_prediction_, read(model)["y"]
    assert found["rmse"] == pytest.approx(root_mean_squared_error(y, said))
    assert found["mae"] == pytest.approx(mean_absolute_error(y, said))
    assert found["r2"] == pytest.approx(r2_score(y, said))
    rows = Rows.of(y.to_numpy(), np.exp(said)[:, None])
    counted = {own.name: own.value for own in measure_target(rows, 0, False, of_numbers=Poisson.of(None))}
    assert counted["poisson_deviance"] == pytest.approx(mean_poisson_deviance(y, np.exp(said)))


def test_figures_of_classes_are_those_of_scikit_learn(tmp_path):
    y = np.where(RNG.random(200) < 1 / (1 + np.exp(-2 * X["a"])), "up", "down")
    forest = glade.ForestClassifier(40, min_samples_leaf=5, oob_score=True, random_state=0).fit(X, y)
    shares, found = forest.oob_prediction_, read(forest)["y"]
    assert found["auc"] == pytest.approx(roc_auc_score(y == "up", shares[:, 1]))
    assert found["log_loss"] == pytest.approx(log_loss(y, shares))
    assert found["brier"] == pytest.approx(brier_score_loss(y == "up", shares[:, 1]))
    assert found["error"] == pytest.approx(np.mean(forest.classes_[shares.argmax(axis=1)] != y))
    forest.save(tmp_path / "m.glade")
    pd.testing.assert_frame_equal(glade.load(tmp_path / "m.glade").errors_, forest.errors_)


def test_another_size_and_a_forest_without_rows_out_of_bag_have_no_errors():
    model = glade.RuleEnsembleRegressor(glade.ForestRegressor(10, max_depth=3), max_rules=4, random_state=0)
    model.fit(X, X["a"] + X["b"])
    assert len(model.errors_) == 3
    for other in (model.with_rules(1), glade.ForestRegressor(3).fit(X, X["a"])):
        with pytest.raises(AttributeError, match="with this max_rules, with oob_score=True"):
            other.errors_  # noqa: B018


def measure(y, shares, group=None, fold=None):
    found = measure_target(Rows.of(y, shares, groups=group, fold=fold), 0, True, 1)
    return {own.name: (own.value, own.standard_error) for own in found}


def test_standard_errors_are_the_spread_over_samples():
    samples = []
    for _ in range(200):
        z = RNG.normal(size=200) * 1.5
        p = 1 / (1 + np.exp(-1.6 * z))
        own = measure((RNG.random(200) < 1 / (1 + np.exp(-z))).astype(float), np.column_stack([1 - p, p]))
        samples.append(list(own.values()))
    values, errors = np.array(samples).transpose(2, 0, 1)
    np.testing.assert_allclose(errors.mean(axis=0), values.std(axis=0), rtol=0.25)
    assert values.mean(axis=0)[-1] == pytest.approx(1 / 1.6, abs=0.03)  # the slope: log-odds are 1.6 times too large


def test_rows_of_a_group_do_not_count_as_many():
    z = RNG.normal(size=50)
    p = 1 / (1 + np.exp(-z))
    y = (RNG.random(50) < p).astype(float)
    once, often = np.column_stack([1 - p, p]), np.repeat(np.column_stack([1 - p, p]), 10, axis=0)
    single, grouped = measure(y, once), measure(np.repeat(y, 10), often, np.repeat(np.arange(50), 10))
    for name, (value, error) in single.items():
        assert grouped[name] == pytest.approx((value, error), rel=1e-6)


def test_ranks_are_compared_within_folds():
    y, fold = RNG.integers(0, 2, 300).astype(float), np.repeat([0, 1, 2], 100)
    p = np.array([0.3, 0.5, 0.7])[fold]
    assert measure(y, np.column_stack([1 - p, p]), fold=fold)["auc"][0] == 0.5


def test_classes_that_are_told_apart_and_a_target_that_does_not_vary():
    y = np.array([0.0, 0.0, 1.0, 1.0])
    found = measure(y, np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]]))
    assert found["auc"][0] == 1.0
    assert np.isnan(found["calibration_slope"][0])
    assert find_explained(Rows.of(np.ones(4), np.ones((4, 1))), False) is None


def test_predictions_far_larger_than_the_tiniest_truths_are_squared():
    rows = Rows.of(np.array([0.0, 5e-324]), np.array([[0.0], [1e-10]]))
    with np.errstate(all="raise", under="ignore"):
        assert [np.isfinite(own).all() for own in rows.find_squares(False)] == [True, True]


def test_out_of_bag_scores_of_the_largest_numbers_are_numbers():
    X = np.arange(40.0)[:, None]
    make = partial(glade.ForestRegressor, 20, oob_score=True, random_state=0)
    with np.errstate(all="raise", under="ignore"):
        large = make().fit(X, 1e300 * X[:, 0])
    assert large.oob_score_ == pytest.approx(make().fit(X, X[:, 0]).oob_score_)
