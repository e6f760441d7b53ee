"""The metrics against scikit-learn and against their formulas."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as peer

from glade import metrics
from glade.core.errors import InputError


@pytest.fixture
def numbers():
    rng = np.random.default_rng(0)
    truth = rng.normal(10, 2, (50, 3))
    return truth, truth + rng.normal(0, [1, 2, 3], (50, 3))


def test_errors_of_many_targets_equal_scikit_learns(numbers):
    truth, predicted = numbers
    raw = {"multioutput": "raw_values"}
    assert_allclose(metrics.rmse(truth, predicted), peer.root_mean_squared_error(truth, predicted, **raw))
    assert_allclose(metrics.mae(truth, predicted), peer.mean_absolute_error(truth, predicted, **raw))
    percentage = peer.mean_absolute_percentage_error(truth, predicted, **raw)
    assert_allclose(metrics.mape(truth, predicted), 100 * percentage)
    assert_allclose(
        metrics.correlation(truth, predicted), [np.corrcoef(truth.T, predicted.T)[t, 3 + t] for t in range(3)]
    )


def test_rrmse_of_the_test_mean_is_the_root_of_one_less_r2(numbers):
    truth, predicted = numbers
    expected = np.sqrt(1 - peer.r2_score(truth, predicted, multioutput="raw_values"))
    assert_allclose(metrics.rrmse(truth, predicted, truth.mean(axis=0)), expected)
    assert metrics.arrmse(truth, predicted, truth.mean(axis=0)) == pytest.approx(expected.mean())


def test_rrmse_is_pooled_over_folds_with_the_mean_of_each_rows_own_fold(numbers):
    truth, predicted = numbers[0][:, 0], numbers[1][:, 0]
    means = np.repeat([9.0, 11.0], 25)
    expected = np.sqrt(np.sum((truth - predicted) ** 2) / np.sum((truth - means) ** 2))
    assert metrics.rrmse(truth, predicted, means) == pytest.approx(expected)
    by_fold = [metrics.rrmse(truth[k : k + 25], predicted[k : k + 25], means[k]) for k in (0, 25)]
    assert metrics.rrmse(truth, predicted, means) != pytest.approx(np.mean(by_fold))


def test_a_constant_target_has_no_scale_to_be_relative_to():
    assert metrics.rrmse([3.0, 3.0], [3.0, 3.0], 3.0) == 0.0
    assert metrics.rrmse([3.0, 3.0], [3.0, 4.0], 3.0) == np.inf


def test_mape_of_zeros_is_infinite_unless_they_are_hit():
    assert metrics.mape([0.0, 2.0], [0.0, 1.0]) == 25.0
    assert metrics.mape([0.0, 2.0], [1.0, 2.0]) == np.inf


def test_unknown_truth_does_not_count_for_its_target_alone():
    truth = np.array([[1.0, np.nan], [2.0, 5.0], [3.0, 7.0]])
    predicted = np.array([[1.0, 99.0], [2.0, 5.0], [3.0, 8.0]])
    assert_allclose(metrics.mae(truth, predicted), [0.0, 0.5])
    labels = np.array([["a", None], ["b", "x"]], dtype=object)
    assert_allclose(metrics.accuracy(labels, [["a", "y"], ["a", "x"]]), [0.5, 1.0])
    assert metrics.exact_match(labels, [["a", "y"], ["a", "x"]]) == 0.5


@pytest.mark.parametrize("n_classes", [2, 4])
def test_auc_equals_scikit_learns_with_ties(n_classes):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, n_classes, 80)
    proba = rng.dirichlet(np.ones(n_classes), 80).round(1)
    proba[:, -1] = 1 - proba[:, :-1].sum(axis=1)
    expected = (
        peer.roc_auc_score(truth, proba[:, 1])
        if n_classes == 2
        else np.mean([peer.roc_auc_score(truth == k, proba[:, k]) for k in range(n_classes)])
    )
    assert metrics.auc(truth, proba, np.arange(n_classes)) == pytest.approx(expected)


def test_auc_of_one_class_is_not_defined():
    assert np.isnan(metrics.auc(["a", "a"], [[0.5, 0.5], [0.2, 0.8]], ["a", "b"]))


def test_shapes_that_differ_are_refused():
    with pytest.raises(InputError, match=r"y_true has shape \(2, 1\), y_pred \(3, 1\)"):
        metrics.rmse([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="0 rows"):
        metrics.rmse([], [])
