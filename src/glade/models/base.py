"""What all estimators share: reading tables and targets, scikit-learn's contract, predictions in the user's terms."""

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import Tags, compute_sample_weight
from sklearn.utils.validation import check_is_fitted, validate_data

from glade.core.names import show_name
from glade.core.parameters import check_parameters
from glade.data.table import NOMINAL, Column, Schema, Table, check_two_dimensions, read_table
from glade.data.targets import (
    CLASSIFICATION,
    MIXED,
    REGRESSION,
    TargetSchema,
    check_known,
    read_targets,
    warn_if_constant,
)
from glade.data.weights import read_weights


class Size(NamedTuple):
    """How large a model is; None where a count does not apply."""

    trees: int | None = None
    nodes: int | None = None
    leaves: int | None = None
    rules: int | None = None
    conditions: int | None = None
    terms: int | None = None


@dataclass(frozen=True)
class TrainingSet:
    """Rows of positive weight, read."""

    table: Table
    targets: list[Column]
    weights: NDArray[np.float64]


class TabularEstimator(BaseEstimator):  # type: ignore[misc]
    """Takes any table, nominal and missing inputs included."""

    _task: str
    _parameter_constraints: dict[str, Any] = {}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags

    def _read_training(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        """Check everything about the input before any long work; remember the schemas."""
        parameters = self.get_params(deep=False)
        check_parameters(self._parameter_constraints, parameters, type(self).__name__)
        validate_data(self, X, skip_check_array=True)
        table = read_table(X)
        if table.n_rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape=(0, {len(table.columns)})): there are 0 rows to fit")
        targets = read_targets(y, self._task)
        if len(targets[0].values) != table.n_rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: X has {table.n_rows} rows, y has"
                f" {len(targets[0].values)}"
            )
        check_known(targets, self.missing_targets)
        _warn_about(X, y, table, targets)
        weights = read_weights(sample_weight, table.n_rows)
        used = weights > 0
        if not used.all():
            table, weights = table.take(used), weights[used]
            targets = [_drop_unused_classes(Column(c.name, c.kind, c.values[used], c.labels)) for c in targets]
        weights = weights * self._class_weights(targets)
        used = weights > 0
        if not used.all():  # a class of weight zero
            table, weights = table.take(used), weights[used]
            targets = [Column(c.name, c.kind, c.values[used], c.labels) for c in targets]
        warn_if_constant(targets)
        self.schema_ = Schema.of(table)
        self.target_schema_ = TargetSchema.of(targets)
        self.n_outputs_ = len(targets)
        self._target_library = _library_of(y)
        return TrainingSet(table, targets, weights)

    def _class_weights(self, targets: list[Column]) -> NDArray[np.float64]:
        return np.ones(len(targets[0].values))

    def _encode(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        check_two_dimensions(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self.schema_.encode(X)

    def _channel_values(self, X: Any) -> NDArray[np.float64]:
        """Rows x channels: means of numeric targets, class shares of nominal ones."""
        raise NotImplementedError

    def _restore_on_failure(self) -> "_Restore":
        """An interrupted or failed fit leaves the estimator as it was."""
        return _Restore(self)


class _Restore:
    def __init__(self, estimator: BaseEstimator):
        self.estimator, self.before = estimator, dict(vars(estimator))

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            vars(self.estimator).clear()
            vars(self.estimator).update(self.before)


def _drop_unused_classes(column: Column) -> Column:
    """Classes that only rows of weight zero have do not exist."""
    if column.kind != NOMINAL or column.labels is None:
        return column
    used, codes = np.unique(column.values, return_inverse=True)
    known = ~np.isnan(used)
    values = np.where(np.isnan(column.values), np.nan, codes.reshape(-1))
    return Column(column.name, column.kind, values, tuple(column.labels[int(k)] for k in used[known]))


def _library_of(y: Any) -> str:
    frame = nw.from_native(y, eager_only=True, allow_series=True, pass_through=True)
    return frame.implementation.name.lower() if isinstance(frame, (nw.DataFrame, nw.Series)) else "numpy"


def _warn_about(X: Any, y: Any, table: Table, targets: list[Column]) -> None:
    """What a careful colleague would ask about before fitting."""
    notes = []
    for column in table.columns:
        known = column.values[~np.isnan(column.values)]
        name = show_name(column.name)
        if len(known) == 0:
            notes.append(f"column {name!r} has no known value: it is ignored, but must be present to predict")
        elif column.kind == NOMINAL and len(known) > 100 and len(np.unique(known)) > 0.9 * len(known):
            notes.append(f"column {name!r} has a category of its own for nearly every row: leave out identifiers")
    if table.n_rows > 1 and all((c.values == c.values[0]).all() or np.isnan(c.values).all() for c in table.columns):
        notes.append("every column is constant: there is nothing to split on")
    if hasattr(X, "columns"):
        inputs = {column.name for column in table.columns}
        notes += [
            f"target {show_name(c.name)!r} is also an input: leave it out of X" for c in targets if c.name in inputs
        ]
    if hasattr(X, "index") and hasattr(y, "index") and not callable(X.index) and not callable(y.index):
        if len(X.index) == len(y.index) and not X.index.equals(y.index) and set(X.index) == set(y.index):
            notes.append("X and y have the same index labels in a different order: rows are matched by position")
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=4)


class RegressionOutput(RegressorMixin, TabularEstimator):  # type: ignore[misc]
    """Numeric targets."""

    _task = REGRESSION

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The prediction for each row: (rows,) for one target, (rows, targets) for several."""
        values = self._channel_values(X)
        return values[:, 0] if self.n_outputs_ == 1 else values


class ClassificationOutput(ClassifierMixin, TabularEstimator):  # type: ignore[misc]
    """Nominal targets."""

    _task = CLASSIFICATION

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _read_training(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        training = super()._read_training(X, y, sample_weight)
        classes = list(self.target_schema_.classes)
        self.classes_ = classes[0] if self.n_outputs_ == 1 else classes
        self.n_classes_ = len(classes[0]) if self.n_outputs_ == 1 else [len(c) for c in classes]  # type: ignore[arg-type]
        return training

    def _class_weights(self, targets: list[Column]) -> NDArray[np.float64]:
        if self.class_weight is None:
            return super()._class_weights(targets)
        labels = []
        for column in targets:
            classes = np.array(column.labels)
            labels.append(classes[np.where(np.isnan(column.values), 0, column.values).astype(int)])
        y = labels[0] if len(labels) == 1 else np.column_stack(labels)
        return np.asarray(compute_sample_weight(self.class_weight, y), dtype=float)

    def predict_proba(self, X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """Class probabilities: (rows, classes), or a list of them, one for each target."""
        values = self._channel_values(X)
        parts = [values[:, self.target_schema_.channels_of(t)] for t in range(self.n_outputs_)]
        return parts[0] if self.n_outputs_ == 1 else parts

    def predict_log_proba(self, X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The logarithms of `predict_proba`."""
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba) if isinstance(proba, np.ndarray) else [np.log(p) for p in proba]

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class for each row: (rows,) for one target, (rows, targets) for several."""
        labels = pick_classes(self._channel_values(X), self.target_schema_)
        return labels[0] if self.n_outputs_ == 1 else _stack_labels(labels)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; with several targets its mean over them."""
        truth, predicted = _as_columns(y), _as_columns(self.predict(X))
        return float(
            np.mean([accuracy_score(a, b, sample_weight=sample_weight) for a, b in zip(truth, predicted, strict=True)])
        )


def pick_classes(values: NDArray[np.float64], targets: TargetSchema) -> list[NDArray[Any]]:
    """The likeliest class of each nominal target; the mean of each numeric one."""
    columns = []
    for t, classes in enumerate(targets.classes):
        value = values[:, targets.channels_of(t)]
        columns.append(value[:, 0] if classes is None else classes[value.argmax(axis=1)])
    return columns


def _stack_labels(labels: list[NDArray[Any]]) -> NDArray[Any]:
    if len({column.dtype.kind for column in labels}) == 1:
        return np.column_stack(labels)
    return np.column_stack([column.astype(object) for column in labels])


def _as_columns(y: Any) -> list[NDArray[Any]]:
    array = np.asarray(y)
    return [array] if array.ndim == 1 else list(array.T)


class MixedOutput(TabularEstimator):
    """Numeric and nominal targets together, as a dataframe."""

    _task = MIXED

    def _to_frame(self, columns: dict[str, Any]) -> Any:
        library = "pandas" if self._target_library == "numpy" else self._target_library
        return nw.from_dict(columns, backend=library).to_native()

    def predict(self, X: Any) -> Any:
        """A dataframe of the targets, in the library `y` came in (pandas for arrays)."""
        columns = pick_classes(self._channel_values(X), self.target_schema_)
        return self._to_frame(dict(zip(self.target_schema_.names, columns, strict=True)))

    def predict_proba(self, X: Any) -> dict[str, Any]:
        """For each nominal target, a dataframe with a column of probabilities for each class."""
        values = self._channel_values(X)
        frames = {}
        for t, (name, classes) in enumerate(zip(self.target_schema_.names, self.target_schema_.classes, strict=True)):
            if classes is not None:
                proba = values[:, self.target_schema_.channels_of(t)]
                frames[name] = self._to_frame({str(label): proba[:, k] for k, label in enumerate(classes)})
        return frames

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The mean over targets of R2 (numeric) and accuracy (nominal), over the rows where each is known."""
        truth = read_targets(y, MIXED)
        weights = read_weights(sample_weight, len(truth[0].values))
        predicted = pick_classes(self._channel_values(X), self.target_schema_)
        scores = []
        for t, classes in enumerate(self.target_schema_.classes):
            known = ~np.isnan(truth[t].values) & (weights > 0)
            if classes is None:
                scores.append(r2_score(truth[t].values[known], predicted[t][known], sample_weight=weights[known]))
            else:
                labels = np.array(truth[t].labels, dtype=object)[truth[t].values[known].astype(int)]
                scores.append(np.average(labels == predicted[t][known], weights=weights[known]))
        return float(np.mean(scores))
