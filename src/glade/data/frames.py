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
from glade.data.elsewhere import find_elsewhere

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


@dataclass(frozen=True)
class RawTable:
    """A table as it came, opened and checked once: it has two dimensions, at least one column, and distinct names."""

    opened: Any  # a narwhals frame, a dataframe of pandas, or an array
    names: tuple[str, ...]
    role: str = INPUT

    @property
    def native(self) -> Any:
        """The dataframe of its own library, or the array."""
        return nw.to_native(self.opened, pass_through=True)

    @property
    def is_array(self) -> bool:
        """Whether the table has no columns of its own, only values."""
        return isinstance(self.opened, np.ndarray)

    @property
    def holds_numbers(self) -> bool:
        """Whether it is an array of numbers, or a pandas dataframe of NumPy's numbers only: these are read whole."""
        if self.is_array:
            return self.opened.dtype.kind in "iuf"
        native = self.native
        if not nw.dependencies.is_pandas_dataframe(native):
            return False
        return all(isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in native.dtypes.tolist())

    def to_doubles(self) -> NDArray[np.float64]:
        """Rows x columns, of a table that holds numbers; not a copy where none is needed."""
        with np.errstate(over="ignore"):  # extended precision beyond doubles becomes infinite, and is refused as such
            values: NDArray[np.float64] = (
                self.opened.astype(np.float64, copy=False) if self.is_array else self.native.to_numpy(np.float64)
            )
        return values

    def list_columns(self) -> list[RawColumn]:
        """The columns, each by itself."""
        if self.is_array:
            return [RawColumn(name, self.opened[:, j], self.role) for j, name in enumerate(self.names)]
        columns = _list_series(self.opened)
        return [RawColumn(name, values, self.role) for name, values in zip(self.names, columns, strict=True)]


def open_table(X: Any) -> RawTable:
    """Open a table of inputs of any kind; one that is open already is returned as it is."""
    if isinstance(X, RawTable):
        return X
    table = _open(X, "X", INPUT)
    if getattr(X, "dtype", None) is not None and getattr(X.dtype, "names", None):
        raise ValueError("X is a structured array, whose fields are no columns: pass pd.DataFrame(X)")
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
    return _name_columns(table, INPUT)


def to_table(X: Any) -> Any:
    """X as a dataframe of its own library or as an array with two dimensions; has at least one column."""
    return open_table(X).native


def _name_columns(table: Any, role: str) -> RawTable:
    """An array's columns are numbered, those of a dataframe have names."""
    if isinstance(table, np.ndarray):
        return RawTable(table, numbered_names(table.shape[1], role), role)
    return RawTable(table, _read_names(nw.to_native(table, pass_through=True), role), role)


def list_columns(X: Any) -> list[RawColumn]:
    """The columns of a table of inputs."""
    return open_table(X).list_columns()


def list_targets(y: Any) -> list[RawColumn]:
    """The columns of the targets; a series or an array with one dimension is one."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None")
    table = _open(y, "y", TARGET)
    if isinstance(table, nw.Series):
        name = "y" if table.name is None or table.name == "" else _to_text(table.name, TARGET)
        return [RawColumn(name, _to_plain(table.to_native()), TARGET)]
    if not isinstance(table, np.ndarray):
        targets = _name_columns(table, TARGET).list_columns()
    elif table.ndim == 1 or (table.ndim == 2 and table.shape[1] == 1):
        targets = [RawColumn("y", table.reshape(-1), TARGET)]
    elif table.ndim == 2:
        targets = _name_columns(table, TARGET).list_columns()
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
    """A narwhals frame or series, a dataframe of pandas, or an array."""
    if isinstance(data, np.ndarray):
        return _to_array(data, what)
    data = nw.to_native(data, pass_through=True)
    if nw.dependencies.is_pandas_dataframe(data):  # to wrap one takes as long as to predict a row of it
        return data
    elsewhere = find_elsewhere(data)
    if elsewhere is not None:
        raise elsewhere.refuse(what)
    try:
        opened = nw.from_native(data, allow_series=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        _read_names(data, role)
        raise
    if isinstance(opened, nw.LazyFrame):
        raise TypeError(f"{what} is a lazy table ({type(data).__name__}): collect it first, e.g. {what}.collect()")
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


def _read_names(frame: Any, role: str) -> tuple[str, ...]:
    """The names of a dataframe's columns, which have to be distinct."""
    names = tuple(_to_text(name, role) for name in names_as_given(frame))
    if len(set(names)) < len(names):
        repeated = [name for name, count in Counter(names).items() if count > 1]
        raise ValueError(f"{role} names must be unique, but there are several {list_names(repeated)}: rename them")
    return names


def _list_series(frame: Any) -> list[Any]:
    """The columns of a dataframe."""
    if not isinstance(frame, nw.DataFrame):  # but of pandas
        return [_to_plain(series) for _, series in frame.items()]
    return [_to_plain(series.to_native()) for series in frame.iter_columns()]


def _to_plain(native: Any) -> Any:
    """The series, for narwhals; an array where it holds one of plain numbers, or a type narwhals does not know or half
    knows."""
    if isinstance(getattr(native, "dtype", None), np.dtype) and native.dtype.kind in "biuf":
        return native.to_numpy()
    series = nw.from_native(native, series_only=True)
    if series.dtype == nw.Unknown:  # sparse, byte-swapped, extended, complex, periods, null
        values = series.to_numpy()
        if values.ndim > 1:  # intervals in polars; their cells are refused as what they are
            values = np.array([*series.to_list(), None], dtype=object)[:-1]
        return values
    if series.dtype == nw.Categorical and hasattr(getattr(native, "dtype", None), "pyarrow_dtype"):
        import pyarrow as pa  # type: ignore[import-untyped]  # pandas shows no categories of an Arrow dictionary, Arrow itself does

        array = pa.array(native.array)
        chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
        return nw.from_native(pa.chunked_array(chunks, array.type), series_only=True)
    return series
