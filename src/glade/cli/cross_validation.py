"""An honest error of the model at hand, beside one that looks at no input and a forest: the same folds for all."""

from typing import Any, Self

from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from glade.core.errors import InputError
from glade.core.layout import align_columns
from glade.core.names import quote_name, show_name
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

    def predict(self, X: Any) -> Any:
        """Predict from the other columns."""
        check_is_fitted(self)
        return self.model_.predict(X.drop(columns=self.column))


def cross_validate(models: dict[str, Any], data: Any, folds: int, seed: int, jobs: int) -> Comparison:
    """Baseline and models on the same folds of a table; one that fails says why, instead of a table with a gap."""
    X = data.X
    if data.weights is not None:
        name = str(data.weights.name)
        X = X.assign(**{name: data.weights})
        models = {label: WeightedByColumn(model, name) for label, model in models.items()}
    result = compare({MEAN: Baseline(), **models}, {"table": (X, data.y)}, folds=folds, random_state=seed, n_jobs=jobs)
    for failure in result.failures().itertuples():
        raise InputError(f"{failure.model} could not be fitted in fold {failure.fold}: {failure.error}")
    return result


def show_errors(result: Comparison, folds: int) -> list[str]:
    """A line for each target, a column for each model."""
    table = result.frame(tuple(METRICS), by="repetition")
    metric_of = dict(zip(table["target"], table["metric"], strict=True))
    errors = table.pivot(index="target", columns="model", values="value")
    targets = list(metric_of)
    rows = [[f"{folds}-fold error", *result.models]]
    for name in targets[:MAX_TARGETS]:
        cells = [f"{errors.loc[name, model]:.4g}" for model in result.models]
        rows.append([f"  {show_name(name)} {METRICS[metric_of[name]]}", *cells])
    more = [f"  … {len(targets) - MAX_TARGETS} more targets"] if len(targets) > MAX_TARGETS else []
    return [*align_columns(rows, [False, *[True] * len(result.models)]), *more]


def check_weights(weights: Any) -> None:
    """Weights are numbers; what else they must be, the fit says."""
    if weights is not None and weights.dtype.kind not in "iuf":
        raise InputError(f"the weights in column {quote_name(weights.name)} are no numbers")
