"""Parameters outside their range: all of them in one message, before any work (c56)."""

import numpy as np
import pytest
from sklearn.utils._param_validation import InvalidParameterError

from glade import MixedTree, TreeClassifier, TreeRegressor
from tests.robustness.toys import ESTIMATORS, assert_same_tree, fit_quietly, make_inputs, make_target, refusal

X = make_inputs()
Y = make_target(TreeRegressor)

WRONG = {
    "criterion": ["mse", 3, ""],
    "max_bins": [1, 256, 2.5, "many"],
    "max_depth": [0, -1, 1.5, np.nan, "deep", True],
    "max_leaf_nodes": [1, 0, 2.5],
    "min_samples_split": [1, 0, -2, 1.5, np.nan],
    "min_samples_leaf": [0, -1, 1.0, 1.5, np.nan, "few", False],
    "min_impurity_decrease": [-0.1, np.nan, np.inf],
    "max_features": [0, -1, 0.0, 1.5, "auto", True],
    "f_test": [0, 1, -0.5, np.nan],
    "target_weights": ["x", 3],
    "ccp_alpha": [-1.0, np.nan, np.inf, "auto", True],
    "ccp_rule": ["best", None],
    "cv": [1, 0, -3, "five"],
    "missing_targets": ["drop", 3],
    "random_state": [-1, "x", 1.5],
}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_c56_a_wrong_parameter_is_named_with_its_value(estimator, name, value, monkeypatch):
    monkeypatch.setattr("glade.models.base.open_table", None)  # refused before the table is looked at
    said = refusal(InvalidParameterError, estimator(**{name: value}).fit, X, make_target(estimator))
    assert said.startswith(f"The '{name}' parameter of {estimator.__name__} must be ")
    assert said.endswith(f"Got {value!r} instead.")


def test_c56_all_wrong_parameters_are_listed():
    model = TreeRegressor(criterion="mse", max_depth=0, min_samples_leaf=-1, ccp_alpha="auto")
    said = refusal(InvalidParameterError, model.fit, X, Y).split("\n")
    assert [line.split("'")[1] for line in said] == ["ccp_alpha", "criterion", "max_depth", "min_samples_leaf"]


def test_c56_folds_that_are_none():
    said = refusal(ValueError, TreeRegressor(ccp_alpha="cv", cv=[]).fit, X, Y)
    assert said == "cv holds no splits: give at least one"
    said = refusal(ValueError, TreeRegressor(ccp_alpha="cv").fit, X[:1], Y[:1])
    assert said == "cross-validation needs at least 2 rows, got 1 sample: set ccp_alpha to a number"
    single = [(np.arange(15), np.arange(15, 30))]
    for rule in ("min", "1se"):
        assert fit_quietly(TreeRegressor(ccp_alpha="cv", ccp_rule=rule, cv=single), X, Y).get_n_leaves() > 1


@pytest.mark.parametrize("value", ["heavy", 3])
def test_c56_a_wrong_class_weight(value):
    said = refusal(InvalidParameterError, TreeClassifier(class_weight=value).fit, X, make_target(TreeClassifier))
    assert said.startswith("The 'class_weight' parameter of TreeClassifier must be ")


@pytest.mark.parametrize(
    ("estimator", "wrong"), [(TreeRegressor, "gini"), (TreeClassifier, "variance"), (MixedTree, "variance")]
)
def test_c56_a_criterion_of_another_task(estimator, wrong):
    said = refusal(InvalidParameterError, estimator(criterion=wrong).fit, X, make_target(estimator))
    assert said.endswith(f"Got {wrong!r} instead.")


def test_c56_criteria_that_do_not_fit_together():
    said = refusal(ValueError, MixedTree(criterion="gain_ratio").fit, X, make_target(MixedTree))
    assert said == "criterion='gain_ratio' is for nominal targets: use 'gini' or 'entropy' with numeric ones"
    model = TreeClassifier(criterion="entropy", f_test=0.05)
    said = refusal(ValueError, model.fit, X, make_target(TreeClassifier))
    assert said == "f_test compares sums of squares: use it with the variance or Gini criterion"


def test_c56_numpy_scalars_are_numbers():
    plain = TreeRegressor(
        max_depth=3, min_samples_leaf=2, min_samples_split=0.1, ccp_alpha=0.5, max_features=0.5, random_state=3
    )
    scalars = TreeRegressor(
        max_depth=np.int64(3),
        min_samples_leaf=np.int32(2),
        min_samples_split=np.float64(0.1),
        ccp_alpha=np.float32(0.5),
        max_features=np.float64(0.5),
        random_state=np.int64(3),
    )
    assert_same_tree(fit_quietly(scalars, X, Y), fit_quietly(plain, X, Y))


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("settings", [{"min_samples_leaf": 31}, {"min_samples_leaf": 16}, {"min_samples_split": 31}])
def test_c56_leaves_larger_than_the_table_make_a_single_leaf(estimator, settings):
    assert fit_quietly(estimator(**settings), X, make_target(estimator)).get_n_leaves() == 1


def test_c56_more_features_than_there_are_means_all():
    assert_same_tree(fit_quietly(TreeRegressor(max_features=100), X, Y), TreeRegressor().fit(X, Y))
