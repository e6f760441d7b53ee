"""The result of one fit of a comparison: a model fitted on a fold, and what it predicts of the test rows."""

import time
import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from glade.core.names import quote_name
from glade.data.columns import Column
from glade.data.folds import Fold
from glade.data.frames import RawColumn, list_targets
from glade.data.rows import take_rows
from glade.evaluate.fit_parameters import find_fit_parameters
from glade.evaluate.problems import ComparisonData
from glade.evaluate.sizes import measure_size

MAX_NOTES = 20  # distinct warnings of a fit that are kept


@dataclass(frozen=True)
class FitResult:
    """What a fit leaves behind; any metric can be computed from it later.

    Numeric targets are floats in the user's unit, nominal ones the positions of classes among the problem's.
    """

    predicted: tuple[NDArray[np.float64], ...] = ()  # per target, for each test row
    probabilities: tuple[NDArray[np.float64] | None, ...] = ()  # per target: test rows x classes, where offered
    reference: tuple[float, ...] = ()  # per target: mean, or commonest class, of the training rows
    size: dict[str, int] = field(default_factory=dict)
    fit_seconds: float = float("nan")
    predict_seconds: float = float("nan")
    notes: tuple[str, ...] = ()  # what the fit warned of
    error: str | None = None


def run_fit(model: Any, problem: ComparisonData, fold: Fold, seed: int) -> FitResult:
    """Fit a copy of the model and predict; a failure is a result too."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            return _fit_and_predict(_seeded(model, seed), problem, fold, caught)
        except Exception as fault:  # whatever a model may raise: it must not end the other models' run
            return FitResult(error=f"{type(fault).__name__}: {fault}", notes=_list_notes(caught))


def run_fit_aside(model: Any, problem: ComparisonData, fold: Fold) -> FitResult:
    """The same in a thread, where warnings cannot be kept; the model has its own random state."""
    try:
        return _fit_and_predict(clone(model), problem, fold, [])
    except Exception as fault:
        return FitResult(error=f"{type(fault).__name__}: {fault}")


def _fit_and_predict(model: Any, problem: ComparisonData, fold: Fold, caught: list[Any]) -> FitResult:
    train, _ = fold
    X_train, y_train = (take_rows(part, train) for part in (problem.X, problem.y))
    given = (None if values is None else values[train] for values in (problem.groups, problem.weights))
    more = find_fit_parameters(model, *given)
    begin = time.perf_counter()
    model.fit(X_train, y_train, **more)
    fitted = time.perf_counter()
    return replace(predict_fold(model, problem, fold), fit_seconds=fitted - begin, notes=_list_notes(caught))


def predict_fold(model: Any, problem: ComparisonData, fold: Fold) -> FitResult:
    """What a fitted model says of the test rows."""
    train, test = fold
    X_test = take_rows(problem.X, test)
    begin = time.perf_counter()
    raw = model.predict(X_test)
    predicted_at = time.perf_counter()
    return FitResult(
        predicted=_read_predictions(raw, problem, len(test)),
        probabilities=_read_probabilities(model, X_test, problem),
        reference=_find_references(problem, train),
        size=measure_size(model),
        predict_seconds=predicted_at - begin,
    )


def read_held_out(model: Any, problem: ComparisonData, fold: Fold) -> FitResult:
    """What the folds of a rule ensemble's own fit have said of the test rows, which they held out."""
    train, test = fold
    values, schema = model.held_out_.values[test], model.target_schema_
    predicted: list[NDArray[np.float64]] = []
    probabilities: list[NDArray[np.float64] | None] = []
    for t, (target, classes) in enumerate(zip(problem.targets, schema.classes, strict=True)):
        own = values[:, schema.channels_of(t)]
        if classes is None:
            predicted.append(own[:, 0])
            probabilities.append(None)
            continue
        labels = list(target.labels or ())
        places = np.array([labels.index(label) for label in classes], float)
        predicted.append(places[schema.decision_of(t).pick(own)])
        probabilities.append(_align(own, list(classes), labels))
    size = measure_size(model)
    return FitResult(tuple(predicted), tuple(probabilities), _find_references(problem, train), size)


def _seeded(model: Any, seed: int) -> Any:
    """A copy whose open random states are drawn from the seed, so that a fit is the same wherever it runs."""
    model = clone(model)
    states = sorted(name for name in model.get_params() if name == "random_state" or name.endswith("__random_state"))
    draw = np.random.RandomState(seed)
    parameters = model.get_params()
    drawn = {name: int(draw.randint(np.iinfo(np.int32).max)) for name in states if parameters[name] is None}
    return model.set_params(**drawn)


def _find_references(problem: ComparisonData, train: NDArray[np.int64]) -> tuple[float, ...]:
    return tuple(_find_reference(target, train) for target in problem.targets)


def _find_reference(target: Column, train: NDArray[np.int64]) -> float:
    """What a model that looks at no input predicts."""
    known = target.values[train]
    known = known[~np.isnan(known)]
    if len(known) == 0:
        return float("nan")
    return float(known.mean() if target.labels is None else np.bincount(known.astype(int)).argmax())


def _read_predictions(raw: Any, problem: ComparisonData, n_rows: int) -> tuple[NDArray[np.float64], ...]:
    columns = list_targets(raw)
    if len(columns) != len(problem.targets) or len(columns[0]) != n_rows:
        raise ValueError(
            f"predict gave {len(columns[0])} rows of {len(columns)} target(s), expected {n_rows} rows of"
            f" {len(problem.targets)}"
        )
    return tuple(_read_prediction(column, target) for column, target in zip(columns, problem.targets, strict=True))


def _read_prediction(raw: RawColumn, target: Column) -> NDArray[np.float64]:
    values = raw.values.to_list() if hasattr(raw.values, "to_list") else raw.values.tolist()
    if target.labels is None:
        numbers = np.array(values, dtype=np.float64)
        if np.isnan(numbers).any():
            raise ValueError(f"predict gave NaN for target {quote_name(target.name)} in {np.isnan(numbers).sum()} rows")
        return numbers
    position = {label: float(k) for k, label in enumerate(target.labels)}
    strange = next((value for value in values if value not in position), None)
    if strange is not None:
        raise ValueError(f"predict gave {strange!r}, which is no class of target {quote_name(target.name)}")
    return np.array([position[value] for value in values])


def _read_probabilities(model: Any, X: Any, problem: ComparisonData) -> tuple[NDArray[np.float64] | None, ...]:
    """For each nominal target, rows x classes of the problem; None for numeric ones, or where a model offers none."""
    labels = [target.labels for target in problem.targets]
    if not any(labels) or not hasattr(model, "predict_proba"):
        return (None,) * len(labels)
    offered = model.predict_proba(X)
    if isinstance(offered, dict):
        return tuple(_read_frame(offered.get(target.name), target) for target in problem.targets)
    tables = offered if isinstance(offered, list) else [offered]
    classes = model.classes_ if isinstance(offered, list) else [model.classes_]
    return tuple(
        _align(np.asarray(table), list(given), list(own or ()))
        for table, given, own in zip(tables, classes, labels, strict=True)
    )


def _read_frame(table: Any, target: Column) -> NDArray[np.float64] | None:
    """The same from the dataframe that a mixed estimator gives for a nominal target."""
    if table is None or target.labels is None:
        return None
    return _align(np.asarray(table), [str(name) for name in table.columns], [str(label) for label in target.labels])


def _align(table: NDArray[np.float64], given: Any, own: list[Any]) -> NDArray[np.float64]:
    """The columns in the order of the problem's classes; a class unseen in training has probability zero."""
    aligned = np.zeros((len(table), len(own)))
    for k, label in enumerate(own):
        if label in given:
            aligned[:, k] = table[:, given.index(label)]
    return aligned


def _list_notes(caught: list[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(warning.message) for warning in caught))[:MAX_NOTES]
