"""What models are compared on: a table of inputs, targets of known kinds, and perhaps groups of rows."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name
from glade.data.columns import Column
from glade.data.frames import open_table
from glade.data.groups import Groups
from glade.data.table import read_table
from glade.data.targets import CLASSIFICATION, MIXED, REGRESSION, read_targets, to_label_array
from glade.evaluate.datasets import DataSet, load_dataset


@dataclass(frozen=True)
class Problem:
    """A data set as the harness sees it.

    X and y are as they came, for the models; targets and groups are read, for the judge; the digest names the content.
    """

    name: str
    X: Any
    y: Any
    targets: tuple[Column, ...]
    groups: NDArray[np.int64] | None
    digest: str

    @property
    def n_rows(self) -> int:
        return len(self.targets[0].values)

    def classes_of(self, target: int) -> NDArray[Any] | None:
        """The classes of a nominal target, in the order of their codes."""
        labels = self.targets[target].labels
        return None if labels is None else to_label_array(labels)


def read_problems(data: Any, task: str, folder: str | Path | None = None) -> list[Problem]:
    """The problems in what a user gives: names of stored sets, or a mapping from names to (X, y) or (X, y, groups)."""
    if isinstance(data, (str, DataSet)):
        data = [data]
    if isinstance(data, Mapping):
        given: list[tuple[str, Any]] = [(str(name), value) for name, value in data.items()]
    elif isinstance(data, Iterable) and not hasattr(data, "shape"):
        given = [(item.name if isinstance(item, DataSet) else str(item), item) for item in data]
    else:
        raise InputError(f"data is a {type(data).__name__}: give names of stored sets, or a mapping name -> (X, y)")
    if not given:
        raise InputError("data is empty: give at least one data set")
    return [_read_problem(name, _unpack(name, value, folder), task) for name, value in given]


def _unpack(name: str, value: Any, folder: str | Path | None) -> tuple[Any, Any, Any]:
    if isinstance(value, str):
        value = load_dataset(value, folder)
    if isinstance(value, DataSet):
        return value.X, value.y, None
    if isinstance(value, tuple) and len(value) in (2, 3):
        return value if len(value) == 3 else (*value, None)
    raise InputError(f"data set {quote_name(name)} is a {type(value).__name__}: give (X, y) or (X, y, groups)")


def _read_problem(name: str, parts: tuple[Any, Any, Any], task: str) -> Problem:
    X, y, groups = parts
    try:
        raw = open_table(X)
        table, targets = read_table(raw), tuple(read_targets(y, task))
        _check_lengths(table.n_rows, targets)
        codes = None if groups is None else Groups.read(groups, table.n_rows).codes
    except (ValueError, TypeError) as fault:
        raise InputError(f"data set {quote_name(name)}: {fault}") from fault
    digest = _digest([*table.columns, *targets], codes)
    return Problem(name, raw.native, _squeeze(y, len(targets)), targets, codes, digest)


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


def _digest(columns: list[Column], groups: NDArray[np.int64] | None) -> str:
    """A name for the content: the same for the same values, whatever library holds them."""
    content = hashlib.sha256()
    for column in columns:
        content.update(repr((column.name, column.kind, column.labels)).encode())
        content.update(np.ascontiguousarray(column.values).tobytes())
    if groups is not None:
        content.update(groups.tobytes())
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
