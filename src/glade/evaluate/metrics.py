"""Measures of error and of agreement.

Each takes the truth and the predictions of one target, shape (rows,), and gives a number; or those of several targets,
(rows, targets), and gives an array with a number for each. Where the truth is unknown (NaN, None) a row does not count
for that target. `arrmse`, `mean_accuracy` and `exact_match` give one number for all targets.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError

Values = NDArray[Any]


def rmse(y_true: Any, y_pred: Any) -> Any:
    """Root mean squared error.

    Parameters
    ----------
    y_true : array-like of shape (rows,) or (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float or ndarray of shape (targets,)
        The error in the unit of the target; an array with one for each target, where `y_true` has two dimensions.

    Examples
    --------
    >>> from glade.metrics import rmse
    >>> rmse([1.0, 2.0, 4.0, 5.0], [1.0, 2.0, 4.0, 7.0])
    1.0
    """
    return _for_each_target(lambda y, p: np.sqrt(np.mean((y - p) ** 2)), y_true, y_pred)


def mae(y_true: Any, y_pred: Any) -> Any:
    """Mean absolute error.

    Parameters
    ----------
    y_true : array-like of shape (rows,) or (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float or ndarray of shape (targets,)
        The error in the unit of the target; an array with one for each target, where `y_true` has two dimensions.

    Examples
    --------
    >>> from glade.metrics import mae
    >>> mae([1.0, 2.0], [1.5, 3.5])
    1.0
    """
    return _for_each_target(lambda y, p: np.mean(np.abs(y - p)), y_true, y_pred)


def mape(y_true: Any, y_pred: Any) -> Any:
    """Mean absolute error relative to the truth, in percent; infinite where a true value is zero and missed.

    Parameters
    ----------
    y_true : array-like of shape (rows,) or (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float or ndarray of shape (targets,)
        The error in percent; an array with one for each target, where `y_true` has two dimensions.

    Examples
    --------
    >>> from glade.metrics import mape
    >>> mape([100.0, 200.0], [110.0, 180.0])
    10.0
    """
    return _for_each_target(_mean_percentage, y_true, y_pred)


def _mean_percentage(y: Values, p: Values) -> float:
    gap = np.abs(y - p)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(100.0 * np.mean(np.where(gap == 0, 0.0, gap / np.abs(y))))


def rrmse(y_true: Any, y_pred: Any, train_mean: Any) -> Any:
    """Root of the squared error relative to that of predicting the training mean.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (rows,) or (rows, targets)
        Over several folds, all their test rows: the sums run over all of them (pooled). The mean of the values of
        single folds is something else, and a poor one where a target is skewed.
    train_mean : float or array-like of shape (targets,) or of the shape of `y_true`
        The mean of the training targets; for pooled folds, each row has that of its own fold.

    Returns
    -------
    float or ndarray of shape (targets,)
        The relative error; an array with one for each target, where `y_true` has two dimensions.

    Examples
    --------
    >>> from glade.metrics import rrmse
    >>> rrmse([1.0, 3.0], [1.0, 2.0], train_mean=[2.0, 2.0])
    0.7071067811865476
    """
    truth = np.asarray(y_true)
    reference = np.broadcast_to(np.asarray(train_mean, dtype=float), truth.shape)
    return _for_each_target(_relative_error, y_true, y_pred, reference)


def _relative_error(y: Values, p: Values, reference: Values) -> float:
    error, spread = np.sum((y - p) ** 2), np.sum((y - reference) ** 2)
    if spread == 0:
        return 0.0 if error == 0 else float("inf")
    return float(np.sqrt(error / spread))


def arrmse(y_true: Any, y_pred: Any, train_mean: Any) -> float:
    """The mean of `rrmse` over targets.

    Parameters
    ----------
    y_true : array-like of shape (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.
    train_mean : float or array-like of shape (targets,) or of the shape of `y_true`
        The mean of the training targets, as `rrmse` takes it.

    Returns
    -------
    float
        The mean over the targets.

    Examples
    --------
    >>> from glade.metrics import arrmse
    >>> arrmse([[1.0, 5.0], [3.0, 7.0]], [[1.0, 6.0], [3.0, 6.0]], train_mean=[2.0, 6.0])
    0.5
    """
    return float(np.mean(rrmse(y_true, y_pred, train_mean)))


def correlation(y_true: Any, y_pred: Any) -> Any:
    """Pearson's correlation of predictions and truth; NaN where either is constant.

    Parameters
    ----------
    y_true : array-like of shape (rows,) or (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float or ndarray of shape (targets,)
        The coefficient; an array with one for each target, where `y_true` has two dimensions.

    Examples
    --------
    >>> from glade.metrics import correlation
    >>> correlation([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    1.0
    """
    return _for_each_target(_pearson, y_true, y_pred)


def _pearson(y: Values, p: Values) -> float:
    if len(y) < 2 or np.ptp(y) == 0 or np.ptp(p) == 0:
        return float("nan")
    return float(np.corrcoef(y, p)[0, 1])


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """The share of rows whose class is predicted.

    Parameters
    ----------
    y_true : array-like of shape (rows,) or (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float or ndarray of shape (targets,)
        The fraction of rows; an array with one for each target, where `y_true` has two dimensions.

    Examples
    --------
    >>> from glade.metrics import accuracy
    >>> accuracy(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.75
    """
    return _for_each_target(lambda y, p: np.mean(y == p), y_true, y_pred)


def mean_accuracy(y_true: Any, y_pred: Any) -> float:
    """The mean of `accuracy` over targets.

    Parameters
    ----------
    y_true : array-like of shape (rows, targets)
        The true values; rows where one is unknown do not count for that target.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float
        The mean over the targets.

    Examples
    --------
    >>> from glade.metrics import mean_accuracy
    >>> mean_accuracy([["a", "x"], ["b", "y"]], [["a", "x"], ["b", "x"]])
    0.75
    """
    return float(np.mean(accuracy(y_true, y_pred)))


def exact_match(y_true: Any, y_pred: Any) -> float:
    """The share of rows all of whose known classes are predicted.

    Parameters
    ----------
    y_true : array-like of shape (rows, targets)
        The true values; one that is unknown is not compared.
    y_pred : array-like of the shape of `y_true`
        The predictions.

    Returns
    -------
    float
        The fraction of rows.

    Examples
    --------
    >>> from glade.metrics import exact_match
    >>> exact_match([["a", "x"], ["b", "y"]], [["a", "x"], ["b", "x"]])
    0.5
    """
    truth, predicted = _to_columns(y_true), _to_columns(y_pred)
    _check_shapes(truth, predicted)
    return float(np.mean(np.all((truth == predicted) | _unknown(truth), axis=1)))


def auc(y_true: Any, proba: Any, classes: Any) -> float:
    """Area under the ROC curve: how well the probabilities of a class rank its rows above the others.

    Parameters
    ----------
    y_true : array-like of shape (rows,)
        The true classes; rows where one is unknown do not count.
    proba : array-like of shape (rows, classes)
        The predicted probabilities.
    classes : array-like of shape (classes,)
        The classes the columns of `proba` stand for. Two classes have one area; of more, the mean over the classes
        that some rows have and some have not is given, NaN where there is none.

    Returns
    -------
    float
        The area; 0.5 is that of chance.

    Examples
    --------
    >>> from glade.metrics import auc
    >>> auc(["no", "yes", "no", "yes"], [[0.8, 0.2], [0.4, 0.6], [0.3, 0.7], [0.1, 0.9]], ["no", "yes"])
    0.75
    """
    from scipy.stats import rankdata

    truth, scores, labels = np.asarray(y_true), np.asarray(proba, dtype=float), np.asarray(classes)
    known = ~_unknown(truth)
    areas = []
    for k in range(1 if len(labels) == 2 else 0, len(labels)):
        positive = truth[known] == labels[k]
        n_positive, n_negative = np.count_nonzero(positive), np.count_nonzero(~positive)
        if n_positive and n_negative:
            ranks = rankdata(scores[known, k])[positive].sum()
            areas.append((ranks - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))
    return float(np.mean(areas)) if areas else float("nan")


def _for_each_target(measure: Callable[..., Any], y_true: Any, y_pred: Any, *more: Values) -> Any:
    """The measure of the rows whose truth is known: a number for one target, an array for several."""
    truth, predicted = _to_columns(y_true), _to_columns(y_pred)
    _check_shapes(truth, predicted)
    others = [_to_columns(values) for values in more]
    results = []
    for t in range(truth.shape[1]):
        known = ~_unknown(truth[:, t])
        columns = [values[known, t] for values in (truth, predicted, *others)]
        results.append(float(measure(*columns)) if known.any() else float("nan"))
    return results[0] if np.ndim(y_true) == 1 else np.array(results)


def _to_columns(values: Any) -> Values:
    array = np.asarray(values)
    return array[:, None] if array.ndim == 1 else array


def _check_shapes(truth: Values, predicted: Values) -> None:
    if truth.shape != predicted.shape:
        raise InputError(f"y_true has shape {truth.shape}, y_pred {predicted.shape} (rows, targets): they must agree")
    if truth.shape[0] == 0:
        raise InputError("y_true has 0 rows: there is nothing to judge")


def _unknown(values: Values) -> NDArray[np.bool_]:
    if values.dtype.kind in "iub":
        return np.zeros(values.shape, bool)
    if values.dtype.kind == "f":
        return np.isnan(values)
    import pandas as pd

    return np.asarray(pd.isna(values), dtype=bool)
