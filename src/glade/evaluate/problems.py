"""What models are compared on: a table of inputs, targets of known kinds, and perhaps groups of rows."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name
from glade.data.columns import Column
from glade.data.frames import to_table
from glade.data.groups import Groups
from glade.data.table import read_table
from glade.data.targets import CLASSIFICATION, MIXED, REGRESSION, read_targets, to_label_array
from glade.data.weights import read_weights


@dataclass(frozen=True)
class ComparisonData:
    """A data set as the harness sees it: X and y as they came, for the models; the rest is read, for the judge."""

    name: str
    X: Any
    y: Any
    targets: tuple[Column, ...]
    groups: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None

    @property
    def n_rows(self) -> int:
        return len(self.targets[0].values)

    def classes_of(self, target: int) -> NDArray[Any] | None:
        """The classes of a nominal target, in the order of their codes."""
        labels = self.targets[target].labels
        return None if labels is None else to_label_array(labels)


def read_problems(data: Any, task: str, sample_weight: Any = None) -> list[ComparisonData]:
    """Read the problems from a mapping from names to (X, y) or (X, y, groups), with weights by the same names."""
    if not isinstance(data, Mapping):
        raise InputError(
            f"data is a {type(data).__name__}: give a mapping from names to (X, y) or (X, y, groups), for example"
            ' {"my table": (X, y)}'
        )
    if not data:
        raise InputError("data is empty: give at least one data set")
    weights = _assign_weights(sample_weight, data)
    return [_read_problem(str(name), _unpack(str(name), value), weights[name], task) for name, value in data.items()]


def _assign_weights(sample_weight: Any, data: Mapping[Any, Any]) -> dict[Any, Any]:
    """The weights of each data set; those that are given without a name belong to the only one there is."""
    if sample_weight is None:
        return dict.fromkeys(data)
    if not isinstance(sample_weight, Mapping):
        if len(data) > 1:
            raise InputError(
                f"sample_weight is a {type(sample_weight).__name__}, but there are {len(data)} data sets: give a"
                " mapping from their names to weights"
            )
        return dict.fromkeys(data, sample_weight)
    strange = [name for name in sample_weight if name not in data]
    if strange:
        raise InputError(f"sample_weight names {list_names(strange)}; the data sets are {list_names(list(data))}")
    return {name: sample_weight.get(name) for name in data}


def _unpack(name: str, value: Any) -> tuple[Any, Any, Any]:
    if isinstance(value, tuple) and len(value) in (2, 3):
        return value if len(value) == 3 else (*value, None)
    raise InputError(f"data set {quote_name(name)} is a {type(value).__name__}: give (X, y) or (X, y, groups)")


def _read_problem(name: str, parts: tuple[Any, Any, Any], sample_weight: Any, task: str) -> ComparisonData:
    X, y, groups = parts
    try:
        X = to_table(X)
        n_rows, targets = X.shape[0], tuple(read_targets(y, task))
        _check_lengths(n_rows, targets)
        codes = None if groups is None else Groups.read(groups, n_rows).codes
        weights = None if sample_weight is None else _check_weights(sample_weight, n_rows)
    except (ValueError, TypeError) as fault:
        raise InputError(f"data set {quote_name(name)}: {fault}") from fault
    return ComparisonData(name, X, _squeeze(y, len(targets)), targets, codes, weights)


def _check_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Weights as they came, once they are known to be some: models of others may heed more than their ratios."""
    read_weights(sample_weight, n_rows)
    return np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), n_rows)


def _check_lengths(n_rows: int, targets: tuple[Column, ...]) -> None:
    if n_rows != len(targets[0].values):
        raise InputError(f"X has {n_rows} rows, y has {len(targets[0].values)}")
    empty = [target.name for target in targets if np.isnan(target.values).all()]
    if empty:
        raise InputError(f"no value is known of target {list_names(empty)}: leave it out")


def _squeeze(y: Any, n_targets: int) -> Any:
    """One target as a single column: scikit-learn's models take a table of one column for a slip."""
    if n_targets > 1 or len(getattr(y, "shape", (0,))) < 2:
        return y
    if hasattr(y, "iloc"):  # pandas
        return y.iloc[:, 0]
    return y[:, 0] if isinstance(y, np.ndarray) else y[y.columns[0]] if hasattr(y, "get_column") else y.column(0)


def digest_problem(problem: ComparisonData) -> str:
    """Return a name for the content: the same for the same values, whatever library holds them."""
    content = hashlib.sha256()
    try:
        columns = read_table(problem.X).columns
    except (ValueError, TypeError) as fault:
        raise InputError(f"data set {quote_name(problem.name)}: {fault}") from fault
    for column in [*columns, *problem.targets]:
        content.update(repr((column.name, column.kind, column.labels)).encode())
        content.update(np.ascontiguousarray(column.values).tobytes())
    for values in (problem.groups, problem.weights):
        if values is not None:
            content.update(values.tobytes())
    return content.hexdigest()


def find_task(models: Mapping[str, Any]) -> str:
    """Classification if the models are classifiers, regression if they are regressors, else as the targets are."""
    kinds = {name: (is_classifier(model), is_regressor(model)) for name, model in models.items()}
    classifiers = [name for name, (is_one, _) in kinds.items() if is_one]
    regressors = [name for name, (_, is_one) in kinds.items() if is_one]
    if classifiers and regressors:
        raise InputError(
            f"{list_names(classifiers)} are classifiers, {list_names(regressors)} regressors: compare one kind at a"
            " time, or use mixed estimators, which take both kinds of targets"
        )
    return CLASSIFICATION if classifiers else REGRESSION if regressors else MIXED
