"""Whatever holds columns becomes a list of named raw columns; what does not is refused in one sentence.

Taken are NumPy arrays, lists, and dataframes of any eager library narwhals knows (pandas, polars, pyarrow, ...) or of
narwhals itself. What the columns hold is for `columns` to say.
"""

from collections import Counter
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from glade.core.names import list_names, quote_name

INPUT, TARGET = "column", "target"
LETTER = {INPUT: "x", TARGET: "y"}
LONG_TEXT = 1_000  # letters


@dataclass(frozen=True)
class RawColumn:
    """A column as it came: a narwhals series, or a NumPy array with one dimension. `str` names it in a sentence."""

    name: str
    values: Any
    role: str = INPUT

    def __str__(self) -> str:
        return f"{self.role} {quote_name(self.name)}"

    def __len__(self) -> int:
        return len(self.values)


def to_table(X: Any) -> Any:
    """X as a dataframe of its own library or as an array with two dimensions; has at least one column."""
    return nw.to_native(_open_table(X), pass_through=True)


def _open_table(X: Any) -> Any:
    """The same, as a narwhals frame or an array."""
    table = _open(X, "X", INPUT)
    if table.shape == (0,):
        raise ValueError("Found array with 0 sample(s) (shape=(0,)): X has 0 rows and no columns")
    if len(table.shape) == 1:
        raise ValueError(
            "Expected X to be a table with two dimensions, but it has one. Reshape your data: X.reshape(-1, 1) for a"
            " single input, X.reshape(1, -1) for a single row (of a series, X.to_frame())"
        )
    if len(table.shape) != 2:
        raise ValueError(f"Expected X to be a table with two dimensions, but its shape is {table.shape}")
    if table.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={table.shape}) while a minimum of 1 is required.")
    return table


def holds_numbers(X: Any) -> bool:
    """Whether X is an array of numbers, or a pandas dataframe that NumPy's numbers are all of: these are read whole."""
    if isinstance(X, np.ndarray):
        return X.dtype.kind in "iuf"
    if not nw.dependencies.is_pandas_dataframe(X):
        return False
    return all(isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in X.dtypes.tolist())


def has_long_integers(X: Any) -> bool:
    """Whether a table that holds numbers has columns of integers of 64 bits."""
    dtypes = [X.dtype] if isinstance(X, np.ndarray) else X.dtypes.tolist()
    return any(dtype.kind in "iu" and dtype.itemsize == 8 for dtype in dtypes)


def name_columns(X: Any, role: str) -> tuple[str, ...]:
    """What the columns of an array or a dataframe are called."""
    if isinstance(X, np.ndarray):
        return numbered_names(X.shape[1], role)
    return tuple(_to_text(name, role) for name in names_as_given(X))


def column_at(X: Any, j: int) -> NDArray[Any]:
    """One column of a table that holds numbers."""
    values: NDArray[Any] = X[:, j] if isinstance(X, np.ndarray) else X.iloc[:, j].to_numpy()
    return values


def list_columns(X: Any) -> list[RawColumn]:
    """The columns of a table of inputs."""
    table = _open_table(X)
    return _columns_of_array(table, INPUT) if isinstance(table, np.ndarray) else _columns_of_frame(table, INPUT)


def list_targets(y: Any) -> list[RawColumn]:
    """The columns of the targets; a series or an array with one dimension is one."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None")
    table = _open(y, "y", TARGET)
    if isinstance(table, nw.Series):
        name = "y" if table.name is None or table.name == "" else _to_text(table.name, TARGET)
        return [RawColumn(name, _to_plain(table.to_native()), TARGET)]
    if isinstance(table, nw.DataFrame):
        targets = _columns_of_frame(table, TARGET)
    elif table.ndim == 1 or (table.ndim == 2 and table.shape[1] == 1):
        targets = [RawColumn("y", table.reshape(-1), TARGET)]
    elif table.ndim == 2:
        targets = _columns_of_array(table, TARGET)
    else:
        raise ValueError(f"Expected y to have one or two dimensions, but its shape is {table.shape}")
    if not targets:
        raise ValueError("there is no target: y has no columns")
    return targets


def library_of(data: Any) -> str:
    """The library a dataframe or series is of, "numpy" for all else."""
    frame = nw.from_native(data, allow_series=True, pass_through=True)
    return frame.implementation.name.lower() if isinstance(frame, (nw.DataFrame, nw.Series)) else "numpy"


@lru_cache(maxsize=16)
def numbered_names(n_columns: int, role: str = TARGET) -> tuple[str, ...]:
    """What the columns of an array are called."""
    return tuple(f"{LETTER[role]}{j}" for j in range(n_columns))


def names_as_given(frame: Any) -> list[Any]:
    """The column names of a dataframe, text or not; an empty list for anything else."""
    names: Any = getattr(frame, "column_names", None)  # pyarrow, where `columns` are the columns themselves
    names = getattr(frame, "columns", []) if names is None else names
    return names.tolist() if hasattr(names, "tolist") else list(names)  # the first is faster, where there is one


def _open(data: Any, what: str, role: str) -> Any:
    """A narwhals frame or series, or an array."""
    if isinstance(data, np.ndarray):
        return _to_array(data, what)
    data = nw.to_native(data, pass_through=True)
    try:
        opened = nw.from_native(data, allow_series=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        _check_names(data, role)
        raise
    if isinstance(opened, nw.LazyFrame):
        raise TypeError(f"{what} is a lazy table ({type(data).__name__}): collect it first, e.g. {what}.collect()")
    if isinstance(opened, nw.DataFrame):
        _check_names(data, role)
    return opened if isinstance(opened, (nw.DataFrame, nw.Series)) else _to_array(data, what)


def _to_array(data: Any, what: str) -> NDArray[Any]:
    """An array of what is not a dataframe. Masked cells become missing; values in lists keep their types."""
    if sparse.issparse(data):
        raise TypeError(f"sparse input is not supported: pass {what}.toarray() or a dataframe")
    if isinstance(data, np.ma.MaskedArray):
        values = np.array(data, dtype=float if data.dtype.kind in "iuf" else object)
        values[np.ma.getmaskarray(data)] = None  # NaN among floats
        return values
    try:
        array = np.asarray(_leave_out_long_text(data))
        if array.dtype.kind in "US" and not isinstance(data, np.ndarray):
            array = np.array(data, dtype=object)  # NumPy makes text of the numbers that stand beside text
    except ValueError:
        raise ValueError(f"{what} is not a table: {_find_ragged_row(data)}") from None
    if array.ndim == 0:
        raise ValueError(f"Expected {what} to be an array, a list or a dataframe, but it is a {type(data).__name__}")
    return array


def _leave_out_long_text(data: Any) -> Any:
    """The same lists with nothing in place of long text: NumPy makes every cell as long as the longest."""
    if isinstance(data, (list, tuple)):
        return [_leave_out_long_text(item) for item in data]
    return "" if isinstance(data, str) and len(data) > LONG_TEXT else data


def _find_ragged_row(data: Sequence[Any]) -> str:
    lengths = [len(row) if isinstance(row, Sized) else 1 for row in data]
    odd = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
    return "a cell holds a list" if odd is None else f"row {odd} has {lengths[odd]} values, row 0 has {lengths[0]}"


def _to_text(name: Any, role: str) -> str:
    """A column's name as text; numbered columns are called as those of an array: x0, x1, ..."""
    if isinstance(name, tuple):
        raise TypeError(
            "the column names have several levels: flatten them, e.g. df.columns = df.columns.map('_'.join)"
        )
    return f"{LETTER[role]}{name}" if isinstance(name, (int, np.integer)) else str(name)


def _check_names(frame: Any, role: str) -> None:
    counts = Counter(_to_text(name, role) for name in names_as_given(frame))
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise ValueError(f"{role} names must be unique, but there are several {list_names(repeated)}: rename them")


def _columns_of_array(array: NDArray[Any], role: str) -> list[RawColumn]:
    names = numbered_names(array.shape[1], role)
    return [RawColumn(name, array[:, j], role) for j, name in enumerate(names)]


def _columns_of_frame(frame: Any, role: str) -> list[RawColumn]:
    native = frame.to_native()
    names = [_to_text(name, role) for name in names_as_given(native)]
    if frame.implementation.is_pandas():  # narwhals would take as long as all the rest to wrap each column
        columns = [_to_plain(series) for _, series in native.items()]
    else:
        columns = [_to_plain(series.to_native()) for series in frame.iter_columns()]
    return [RawColumn(name, values, role) for name, values in zip(names, columns, strict=True)]


def _to_plain(native: Any) -> Any:
    """The series, for narwhals; an array where it holds one of plain numbers, or a type narwhals does not know or half
    knows."""
    if isinstance(getattr(native, "dtype", None), np.dtype) and native.dtype.kind in "biuf":
        return native.to_numpy()
    series = nw.from_native(native, series_only=True)
    if series.dtype == nw.Unknown:  # sparse, byte-swapped, extended, complex, periods, null
        return series.to_numpy()
    if series.dtype == nw.Categorical and hasattr(getattr(native, "dtype", None), "pyarrow_dtype"):
        import pyarrow as pa  # type: ignore[import-untyped]  # pandas shows no categories of an Arrow dictionary, Arrow itself does

        array = pa.array(native.array)
        chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
        return nw.from_native(pa.chunked_array(chunks, array.type), series_only=True)
    return series
