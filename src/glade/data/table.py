"""Any table in: NumPy, pandas, polars, pyarrow or lists become columns of floats, each with its kind.

Kinds follow values, not dtype names: text, booleans and categoricals are nominal, ordered categoricals (polars: Enum)
ordinal, all numbers numeric. A nominal or ordinal column's values are the positions of its labels. Missing is NaN.
"""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array

from glade.core.names import show_name

NUMERIC, ORDINAL, NOMINAL = "numeric", "ordinal", "nominal"
EXACT_INTEGERS = 2**53  # beyond, neighbouring whole numbers are one and the same double

Labels = tuple[Hashable, ...]


@dataclass(frozen=True)
class Column:
    """One column: its values as floats, or the positions of its labels."""

    name: str
    kind: str
    values: NDArray[np.float64]
    labels: Labels | None = None


@dataclass(frozen=True)
class Table:
    """Columns of the same length."""

    columns: list[Column]
    n_rows: int

    def take(self, rows: NDArray[Any]) -> "Table":
        """The table of these rows (positions or a mask)."""
        columns = [Column(c.name, c.kind, c.values[rows], c.labels) for c in self.columns]
        return Table(columns, len(np.arange(self.n_rows)[rows]))


@dataclass(frozen=True)
class Schema:
    """What a model remembers of its training table, and how it reads another one."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[Labels | None, ...]
    has_missing: tuple[bool, ...]

    @classmethod
    def of(cls, table: Table) -> "Schema":
        return cls(
            tuple(c.name for c in table.columns),
            tuple(c.kind for c in table.columns),
            tuple(c.labels for c in table.columns),
            tuple(bool(np.isnan(c.values).any()) for c in table.columns),
        )

    def encode(self, X: Any) -> NDArray[np.float64]:
        """Rows x inputs as floats: numbers, or positions of labels; missing and unseen are NaN."""
        if all(kind == NUMERIC for kind in self.kinds) and _is_number_array(X):
            matrix = np.ascontiguousarray(_check_numbers(X, self.names), dtype=np.float64)
            return matrix if matrix.flags.writeable else matrix.copy()
        columns = _list_columns(X)
        matrix = np.empty((len(columns[0][1]), len(columns)))
        for j, (_, raw) in enumerate(columns):
            name, labels = self.names[j], self.labels[j]
            if labels is None:
                matrix[:, j] = _read_numeric(name, raw)
            else:
                matrix[:, j] = _match_labels(name, raw, labels)
        return matrix


def read_table(X: Any) -> Table:
    """Read the inputs of a training table and find the kind of each column."""
    if _is_number_array(X):
        array = _check_numbers(X)
        columns = np.array(array.T, dtype=np.float64, order="C")
        return Table([Column(f"x{j}", NUMERIC, v) for j, v in enumerate(columns)], len(array))
    columns = [read_column(name, raw) for name, raw in _list_columns(X)]
    return Table(columns, len(columns[0].values))


def read_column(name: str, raw: Any) -> Column:
    """Find the kind of one column (a narwhals series, or an array of objects) and read it."""
    if isinstance(raw, nw.Series):
        dtype = raw.dtype
        if dtype == nw.Boolean:
            return Column(name, NOMINAL, _to_floats(raw), (False, True))
        if isinstance(dtype, (nw.Categorical, nw.Enum)):
            labels = tuple(raw.cat.get_categories().to_list())
            kind = ORDINAL if isinstance(dtype, nw.Enum) else NOMINAL
            return Column(name, kind, _positions(_to_objects(raw), labels), labels)
        if dtype.is_numeric():
            return Column(name, NUMERIC, _read_numeric(name, raw))
        _refuse_dtype(name, dtype)
    values = _to_objects(raw)
    known = values[~_is_missing(values)]
    if _holds_numbers(name, known):
        return Column(name, NUMERIC, _read_numeric(name, values))
    labels = tuple(sorted(set(known.tolist())))
    return Column(name, NOMINAL, _positions(values, labels), labels)


def check_two_dimensions(X: Any) -> None:
    """A single row or column is not a table."""
    if np.ndim(X) == 1 if isinstance(X, (np.ndarray, list)) else hasattr(X, "to_frame") and not hasattr(X, "columns"):
        raise ValueError(
            "Expected a table with two dimensions, got one. Reshape your data: X.reshape(-1, 1) for a single input,"
            " X.reshape(1, -1) for a single row"
        )


def _is_number_array(X: Any) -> bool:
    return isinstance(X, np.ndarray) and X.dtype.kind in "biuf"


def _check_numbers(X: NDArray[Any], names: Sequence[str] | None = None) -> NDArray[Any]:
    """scikit-learn's checks of shape, and ours of the values."""
    if isinstance(X, np.ma.MaskedArray):
        X = X.astype(float).filled(np.nan)
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=0 if names else 1)
    if array.dtype.kind in "iu":
        _warn_if_inexact("X", array)
    elif array.dtype.kind == "f" and np.isinf(array.astype(float).sum()) and np.isinf(array).any():
        row, j = np.argwhere(np.isinf(array))[0]
        _refuse_infinite(names[j] if names else f"x{j}", array[row, j], row)
    return array


def _list_columns(X: Any) -> list[tuple[str, Any]]:
    """Names and columns (narwhals series, or arrays of objects) of anything with two dimensions."""
    if sparse.issparse(X):
        raise TypeError("sparse input is not supported: pass X.toarray() or a dataframe")
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        _check_frame(frame)
        return [(str(name), frame.get_column(name)) for name in frame.columns]
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=0)
    return [(f"x{j}", array[:, j]) for j in range(array.shape[1])]


def _check_frame(frame: Any) -> None:
    names = frame.columns
    if any(isinstance(name, tuple) for name in names):
        raise TypeError(
            "the column names have several levels: flatten them, e.g. df.columns = df.columns.map('_'.join)"
        )
    repeated = sorted({show_name(n) for n in names if names.count(n) > 1}) if len(set(names)) < len(names) else []
    if repeated:
        raise ValueError(f"column names must be unique, but {', '.join(repeated)} occurs more than once: rename it")
    if len(names) == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={frame.shape}) while a minimum of 1 is required.")


def _refuse_dtype(name: str, dtype: Any) -> None:
    """Stop at a kind of column that trees cannot use; text and objects are looked at value by value."""
    if isinstance(dtype, (nw.Datetime, nw.Date, nw.Duration, nw.Time)):
        raise ValueError(
            f"column {show_name(name)!r} holds dates or times ({dtype}): turn it into numbers (a year, a count of days)"
            " or leave it out"
        )
    if not isinstance(dtype, (nw.String, nw.Object)):
        raise ValueError(f"column {show_name(name)!r} is of type {dtype}: only numbers, text and booleans can be used")


def _holds_numbers(name: str, known: NDArray[Any]) -> bool:
    """Whether objects are all numbers; text or booleans are not; anything else, or a mixture, is refused."""
    types = set(map(type, known.tolist()))
    if all(issubclass(t, (Real, Decimal)) and not issubclass(t, bool) for t in types):
        return True
    if all(issubclass(t, str) for t in types) or all(issubclass(t, bool) for t in types):
        return False
    odd = sorted(t.__name__ for t in types if not issubclass(t, (Real, Decimal, str)))
    if odd:
        row = next(i for i, v in enumerate(known.tolist()) if type(v).__name__ == odd[0])
        raise ValueError(
            f"column {show_name(name)!r} holds a value of type {odd[0]} ({show_name(repr(known[row]))}):"
            " only numbers, text and booleans can be used"
        )
    kinds = " and ".join(sorted(t.__name__ for t in types))
    raise ValueError(
        f"column {show_name(name)!r} mixes {kinds}: make it all text (nominal) or all numbers, e.g. X[name].astype(str)"
    )


def _to_objects(raw: Any) -> NDArray[Any]:
    values = raw.to_numpy() if isinstance(raw, nw.Series) else np.asarray(raw)
    return (
        np.array(values.tolist() + [None], dtype=object)[:-1] if values.dtype.kind in "USO" else values.astype(object)
    )


def _is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    import pandas as pd

    return np.asarray(pd.isna(values), dtype=bool)


def _to_floats(raw: Any) -> NDArray[np.float64]:
    """A narwhals series of numbers or booleans; null becomes NaN."""
    return np.array(raw.cast(nw.Float64).to_numpy(), dtype=np.float64)


def _read_numeric(name: str, raw: Any) -> NDArray[np.float64]:
    if isinstance(raw, nw.Series):
        if raw.dtype.is_numeric() or raw.dtype == nw.Boolean:
            if raw.dtype.is_integer():
                _warn_if_inexact(name, raw.drop_nulls().to_numpy())
            return _check_finite(name, _to_floats(raw))
        raw = _to_objects(raw)
    if raw.dtype.kind in "biuf":
        return _check_finite(name, np.array(raw, dtype=np.float64))
    values = np.full(len(raw), np.nan)
    known = np.flatnonzero(~_is_missing(raw))
    for i in known:
        if isinstance(raw[i], str) or not isinstance(raw[i], (Real, Decimal)):
            raise ValueError(
                f"column {show_name(name)!r} is numeric, but row {i} holds {show_name(repr(raw[i]))}:"
                " correct it, or leave it missing"
            )
        values[i] = float(raw[i])
    return _check_finite(name, values)


def _check_finite(name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        _refuse_infinite(name, values[infinite[0]], infinite[0])
    return values + 0.0  # one zero, not two


def _refuse_infinite(name: str, value: float, row: int) -> None:
    raise ValueError(
        f"column {show_name(name)!r} holds {value} in row {row}: replace infinite values, or leave them missing (NaN)"
    )


def _warn_if_inexact(name: str, values: NDArray[Any]) -> None:
    if values.dtype.itemsize == 8 and values.size and max(int(values.max()), -int(values.min())) > EXACT_INTEGERS:
        warnings.warn(
            f"column {show_name(name)!r} holds whole numbers beyond 2**53, which floats cannot tell apart: if they are"
            " identifiers, make them text or leave them out",
            UserWarning,
            stacklevel=2,
        )


def _positions(values: NDArray[Any], labels: Labels) -> NDArray[np.float64]:
    """The position of each value among the labels; NaN where it is missing or not among them."""
    import pandas as pd

    positions = pd.Index(labels, dtype=object).get_indexer(pd.Index(values, dtype=object)).astype(float)
    positions[positions < 0] = np.nan
    return positions


def _match_labels(name: str, raw: Any, labels: Labels) -> NDArray[np.float64]:
    """Positions by label, whatever order or type the categories have now; unseen ones are counted in a warning."""
    values = _to_objects(raw)
    positions = _positions(values, labels)
    unseen = np.flatnonzero(np.isnan(positions) & ~_is_missing(values))
    if len(unseen):
        warnings.warn(
            f"column {show_name(name)!r}: {len(unseen)} row(s) hold a category unseen in training, such as"
            f" {show_name(repr(values[unseen[0]]))}; they are treated as missing",
            UserWarning,
            stacklevel=2,
        )
    return positions
