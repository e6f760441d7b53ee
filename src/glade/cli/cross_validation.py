"""An honest error of the model at hand, beside one that looks at no input and a forest: the same folds for all."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import PredefinedSplit
from sklearn.utils.validation import check_is_fitted

from glade.cli.outputs import show_amount
from glade.core.errors import InputError
from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.data.folds import check_fold_count
from glade.evaluate.baseline import Baseline
from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare

MEAN = "always-mean"
METRICS = {"rmse": "RMSE", "error": "error"}  # in the target's unit; the share of wrong classes
MAX_TARGETS = 12


class WeightedByColumn(BaseEstimator):  # type: ignore[misc]
    """Fits a model with the weights in one column of the table, which the model does not see.

    So weights go wherever rows go in a cross-validation.

    Examples
    --------
    >>> import pandas as pd
    >>> from glade import TreeRegressor
    >>> X = pd.DataFrame({"x": [0, 0, 1], "w": [3.0, 1.0, 1.0]})
    >>> model = WeightedByColumn(TreeRegressor(), "w").fit(X, pd.Series([0.0, 4.0, 9.0]))
    >>> model.predict(X).tolist()
    [1.0, 1.0, 9.0]
    """

    def __init__(self, model: Any, column: str):
        self.model = model
        self.column = column

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to the other columns."""
        self.model_ = clone(self.model).fit(X.drop(columns=self.column), y, X[self.column])
        return self

    @property
    def size_(self) -> Any:
        """How large the model is."""
        return self.model_.size_

    def predict(self, X: Any) -> Any:
        """Predict from the other columns."""
        check_is_fitted(self)
        return self.model_.predict(X.drop(columns=self.column))


def check_folds(folds: int, data: Any) -> None:
    """Folds that are asked for can be drawn."""
    if folds:
        check_fold_count(folds, len(data.X), None if data.groups is None else data.groups.to_numpy())


def cross_validate(models: dict[str, Any], data: Any, folds: int, seed: int | None, jobs: int) -> Comparison:
    """Baseline and models on the same folds of a table; one that fails says why, instead of a table with a gap."""
    X, models = carry_weights(models, data)
    return _compare(models, (X, data.y, data.groups), folds=folds, random_state=seed, n_jobs=jobs)


def test_on(models: dict[str, Any], data: Any, held_out: Any, seed: int | None) -> Comparison:
    """Baseline and models fitted to one table and judged on another."""
    import pandas as pd

    X, models = carry_weights(models, data)
    other, _ = carry_weights({}, held_out)
    fold = np.repeat([-1, 0], [len(X), len(other)])  # -1: never tested on
    X, y = (pd.concat(parts, ignore_index=True) for parts in ((X, other), (data.y, held_out.y)))
    return _compare(models, (X, y), folds=PredefinedSplit(fold), random_state=seed)


def carry_weights(models: dict[str, Any], data: Any) -> tuple[Any, dict[str, Any]]:
    """The inputs with a column of weights, and models that take it for what it is; or both as they are."""
    if data.weights is None:
        return data.X, models
    name = str(data.weights.name)
    X = data.X.copy()
    X[name] = data.weights
    return X, {label: WeightedByColumn(model, name) for label, model in models.items()}


def _compare(models: dict[str, Any], parts: Any, **how: Any) -> Comparison:
    result = compare({MEAN: Baseline(), **models}, {"table": parts}, **how)
    for failure in result.failures().itertuples():
        raise InputError(f"{failure.model} could not be fitted in fold {failure.fold}: {failure.error}")
    return result


def show_errors(result: Comparison, title: str) -> list[str]:
    """A line for each target, a column for each model."""
    table = result.frame(tuple(METRICS), by="repetition")
    metric_of = dict(zip(table["target"], table["metric"], strict=True))
    errors = table.pivot(index="target", columns="model", values="value")
    targets = list(metric_of)
    rows = [[title, *result.models]]
    for name in targets[:MAX_TARGETS]:
        cells = [show_amount(float(errors.loc[name, model])) for model in result.models]
        rows.append([f"  {show_name(name)} {METRICS[metric_of[name]]}", *cells])
    more = [f"  … {len(targets) - MAX_TARGETS} more targets"] if len(targets) > MAX_TARGETS else []
    return [*align_columns(rows, [False, *[True] * len(result.models)]), *more]
