"""Forests' parameters outside their range or against one another: one sentence, before any work (c56)."""

import numpy as np
import pytest
from sklearn.utils._param_validation import InvalidParameterError

from glade import ForestClassifier, ForestRegressor
from tests.robustness.toys import make_inputs, refusal

X = make_inputs()
Y = X["a"].to_numpy() + X["b"].to_numpy()

WRONG = {
    "n_estimators": [0, -1, 2.5, "many", True],
    "method": ["forest", None, 1],
    "max_depth": [0, 1.5, "deep"],
    "max_features": [0, 1.5, "all"],
    "on_no_split": ["stop", None],
    "features_per_tree": [0, 2.0, "some"],
    "bootstrap": ["yes", 2, None],
    "max_samples": [0, 1.5, -0.5, "half"],
    "learning_rate": [-0.1, 1.5, None, np.nan],
    "random_size": ["nodes", 3],
    "mean_size": [1.9, -1, "large"],
    "per_target": [None, "yes", 1],
    "voting": ["soft", None],
    "oob_score": ["yes", None],
    "warm_start": ["yes", None],
    "n_jobs": [1.5, "all"],
    "verbose": [-1, "yes"],
    "criterion": ["mse", 3],
    "random_state": [-1, "x"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_c56_a_wrong_parameter_is_named_with_its_value(name, value, monkeypatch):
    monkeypatch.setattr("glade.models.base.open_table", None)  # refused before the table is looked at
    said = refusal(InvalidParameterError, ForestRegressor(**{name: value}).fit, X, Y)
    assert said.startswith(f"The '{name}' parameter of ForestRegressor must be ")
    assert said.endswith(f"Got {value!r} instead.")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {"method": "boosting", "oob_score": True},
            "oob_score needs trees that do not depend on one another: set learning_rate=0, or oob_score=False",
        ),
        (
            {"method": "boosting", "criterion": "entropy"},
            "criterion='entropy' judges classes, but trees with learning_rate above 0 are grown to the gradient of the"
            " loss: leave criterion at its default",
        ),
        (
            {"method": "isle", "learning_rate": 0.1, "voting": "majority"},
            "voting='majority' needs trees that predict classes: set learning_rate=0, or voting='distribution'",
        ),
        (
            {"method": "extra_trees", "oob_score": True},
            "oob_score needs rows that a tree has not seen: set bootstrap=True, or max_samples below 1",
        ),
        (
            {"method": "extra_trees", "n_estimators": "auto"},
            "n_estimators='auto' needs rows that a tree has not seen: set bootstrap=True, or max_samples below 1",
        ),
        (
            {"bootstrap": False, "max_samples": 30, "oob_score": True},
            "oob_score needs rows that a tree has not seen: set bootstrap=True, or max_samples below 1",
        ),
        (
            {"bootstrap": False, "max_samples": 31},
            "max_samples=31 is more than the 30 rows there are: lower it, or set bootstrap=True to draw with"
            " replacement",
        ),
        (
            {"f_test": 0.1, "criterion": "entropy"},
            "f_test compares sums of squares: use it with the variance or Gini criterion",
        ),
    ],
)
def test_c56_settings_that_contradict_one_another(settings, expected):
    model = ForestClassifier(**settings)
    said = refusal(ValueError, model.fit, X, np.where(Y > 0, "yes", "no"))
    assert said == expected
    assert not hasattr(model, "forests_")


def test_c56_too_few_rows_to_hold_some_out():
    said = refusal(ValueError, ForestRegressor("auto", method="boosting").fit, X[:1], Y[:1])
    assert said == "n_estimators='auto' keeps rows to judge by and needs at least 2, got 1 sample: give a number"


def test_c3_c59_one_or_two_rows():
    for n_rows in (1, 2):
        for method in ("random_forest", "extra_trees", "boosting", "isle"):
            model = ForestRegressor(3, method=method, max_samples=1.0, random_state=0)
            model.fit(X[:n_rows], np.arange(n_rows) + 5.0)
            assert np.isfinite(model.predict(X)).all()


def test_c58_no_rows_to_predict():
    assert ForestRegressor(2).fit(X, Y).predict(X[:0]).shape == (0,)
    assert ForestClassifier(2).fit(X, Y > 0).predict_proba(X[:0]).shape == (0, 2)


def test_c13_huge_and_tiny_targets():
    for scale in (1e300, 1e-300):
        for method in ("random_forest", "boosting"):
            model = ForestRegressor(5, method=method, random_state=0).fit(X, Y * scale)
            plain = ForestRegressor(5, method=method, random_state=0).fit(X, Y)
            np.testing.assert_allclose(model.predict(X) / scale, plain.predict(X), rtol=1e-6)
            assert np.isfinite(model.target_importances_.to_numpy()).all()
