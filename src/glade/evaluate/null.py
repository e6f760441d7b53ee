"""What a model would find if no inputs interacted: Friedman and Popescu's parametric bootstrap.

Boosted stumps are fitted to the targets: a sum of functions of single inputs. Targets are drawn that follow this sum
and vary about it as the true ones do, and the model is fitted to them as it was to the true ones. Whatever interactions
it finds there are noise.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from glade.core.errors import InputError
from glade.core.kinds import RULES
from glade.core.notices import silence_warnings
from glade.data.columns import Column
from glade.data.frames import to_table
from glade.data.rows import take_rows
from glade.data.targets import CLASSIFICATION, MIXED, REGRESSION, TargetSchema, match_classes
from glade.models.forest import ForestClassifier, ForestRegressor, MixedForest
from glade.weights.solvers import read_solver

FORESTS = {REGRESSION: ForestRegressor, CLASSIFICATION: ForestClassifier, MIXED: MixedForest}
N_STUMPS = 200
N_FOLDS = 5
HELD_OUT = 0.25  # of the rows: one split, where the model's weights were chosen by several, costs half as much


def fit_null_models(model: Any, X: Any, y: Any, n_models: int, seed: int) -> Iterator[Any]:
    """Models like the given one, each fitted to targets in which no inputs interact.

    Parameters
    ----------
    model
        Fitted; its parameters are used, and its size.
    X, y
        What it was fitted on.
    n_models
        How many.
    seed
        For the targets drawn, and for the fits.
    """
    X = to_table(X)
    truth = model.read_truth(y, X.shape[0])
    for column, classes in zip(truth, model.target_schema_.classes, strict=True):
        if classes is not None and (match_classes(column, classes) < 0).any():
            raise InputError(f"target {column.name!r} has classes here that the model does not know")
    with silence_warnings():
        additive = AdditiveTargets.of(model, X, truth, seed)
    for k in range(n_models):
        random = np.random.default_rng((seed, k))
        twin = _make_twin(model, int(random.integers(2**31)))
        with silence_warnings():
            yield _take_size(twin.fit(X, additive.draw(random)), model)


def _make_twin(model: Any, seed: int) -> Any:
    """An unfitted model with the same parameters, and of the same size where a limit led to that."""
    twin = clone(model)
    parameters = twin.get_params(deep=False)
    if "random_state" in parameters:
        twin.set_params(random_state=seed)
    if model.kind == RULES:
        if not _chooses_terms(model):
            twin.set_params(max_rules=None)  # all terms, as the model has, also where the twin would do without
        elif parameters.get("max_rules") is not None:
            twin.set_params(max_rules=max(1, len(model.terms_)))
        if "validation_fraction" in parameters and model.validation_fraction is None:
            twin.set_params(validation_fraction=HELD_OUT)
    if "ccp_alpha" in parameters:
        twin.set_params(ccp_alpha=model.ccp_alpha_)
    return twin


def _take_size(twin: Any, model: Any) -> Any:
    """The fitted twin, of the model's size also where no limit led to that."""
    if model.kind != RULES or model.max_rules is not None:
        return twin
    return twin.with_rules(max(1, len(model.terms_))) if _chooses_terms(model) else twin


def _chooses_terms(model: Any) -> bool:
    """Whether a model of rules can have few of its candidates."""
    return not hasattr(model, "weights") or read_solver(model.weights).needs.chooses_terms


class AdditiveTargets:
    """Targets that are sums of functions of single inputs, and noise."""

    def __init__(
        self, schema: TargetSchema, mean: NDArray[np.float64], residual: NDArray[np.float64], known: NDArray[np.bool_],
        index: Any,
    ):  # fmt: skip
        self._schema, self._mean, self._residual, self._known, self._index = schema, mean, residual, known, index

    @classmethod
    def of(cls, model: Any, X: Any, truth: list[Column], seed: int) -> "AdditiveTargets":
        """Fitted to the true targets; residuals are those of rows that the stumps have not seen."""
        schema = model.target_schema_
        known = ~np.isnan(np.column_stack([column.values for column in truth]))
        index = getattr(X, "index", None)
        y = _to_frame(schema, [_values_of(c, own) for c, own in zip(truth, schema.classes, strict=True)], known, index)
        stumps = FORESTS[model.task](
            N_STUMPS, method="boosting", max_depth=1, missing_targets="ignore", random_state=seed
        )
        mean = order_channels(stumps.fit(X, y), schema, X)
        unseen = mean if len(y) < 2 * N_FOLDS else _predict_unseen(stumps, schema, X, y, seed)
        residual = np.full(known.shape, np.nan)
        for t, (column, classes) in enumerate(zip(truth, schema.classes, strict=True)):
            if classes is None:
                residual[:, t] = column.values - unseen[:, schema.channels_of(t).start]
        return cls(schema, mean, residual, known, index)

    def draw(self, random: np.random.Generator) -> Any:
        """A dataframe of targets: the sum plus the residuals of other rows; classes by their probabilities."""
        row = random.permutation(len(self._mean))
        known, columns = self._known.copy(), []
        for t, classes in enumerate(self._schema.classes):
            mean = self._mean[:, self._schema.channels_of(t)]
            if classes is None:
                columns.append(mean[:, 0] + self._residual[row, t])
                known[:, t] = self._known[row, t]
            else:
                bounds = mean.cumsum(axis=1)
                drawn = (random.random(len(mean))[:, None] * bounds[:, -1:] > bounds).sum(axis=1)
                columns.append(classes[np.minimum(drawn, len(classes) - 1)])
        return _to_frame(self._schema, columns, known, self._index)


def _values_of(column: Column, classes: NDArray[Any] | None) -> NDArray[Any]:
    """A target's values as the user has them; any class where it is unknown."""
    if classes is None:
        return column.values
    return classes[np.nan_to_num(match_classes(column, classes)).astype(int)]


def _to_frame(schema: TargetSchema, columns: list[NDArray[Any]], known: NDArray[np.bool_], index: Any) -> Any:
    import pandas as pd

    whole = {}
    for t, values in enumerate(columns):
        series = pd.Series(values, index=index)
        whole[schema.names[t]] = series if known[:, t].all() else series.where(known[:, t])
    return pd.DataFrame(whole, index=index)


def order_channels(model: Any, schema: TargetSchema, X: Any) -> NDArray[np.float64]:
    """Predictions with a channel for each class of the schema, those that the fit has not seen empty."""
    values, own = model.predict_values(model.encode(X)), model.target_schema_
    ordered = np.zeros((len(values), int(schema.start[-1])))
    for t, classes in enumerate(schema.classes):
        at, found = schema.channels_of(t), values[:, own.channels_of(t)]
        if classes is None:
            ordered[:, at] = found
        else:
            place = {label: k for k, label in enumerate(classes.tolist())}
            ordered[:, [at.start + place[label] for label in own.classes[t].tolist()]] = found
    return ordered


def _predict_unseen(stumps: Any, schema: TargetSchema, X: Any, y: Any, seed: int) -> NDArray[np.float64]:
    """Predictions for each row by stumps fitted to the rows of the other folds."""
    fold = np.random.default_rng(seed).permutation(len(y)) % N_FOLDS
    values = np.empty((len(y), int(schema.start[-1])))
    for k in range(N_FOLDS):
        rest, own = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        values[own] = order_channels(clone(stumps).fit(take_rows(X, rest), y.iloc[rest]), schema, take_rows(X, own))
    return values
