"""Tables in files, CSV (also gzipped) and Parquet, to pandas dataframes; a fault of a file is said with its line."""

import csv
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name

MISSING = ("", "?", "NA", "NaN")
CSV_SUFFIXES, PARQUET_SUFFIXES = (".csv", ".csv.gz"), (".parquet", ".pq")
MAX_CELL = 2**24  # characters


def read_file(path: str | Path) -> Any:
    """The table in a file, as a pandas dataframe.

    Parameters
    ----------
    path
        Ends in .csv, .csv.gz (UTF-8, comma, a header line) or .parquet. In CSV, an empty field, ?, NA and NaN are
        missing; every line must have as many fields as the header.
    """
    path = Path(path)
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise InputError(f"{quote_name(path)} {what}: give a table in a file")
    name = path.name.lower()
    if name.endswith(PARQUET_SUFFIXES):
        return _read_parquet(path)
    if name.endswith(CSV_SUFFIXES):
        return _read_csv(path)
    raise InputError(f"{quote_name(path)} is of no known kind: give {', '.join((*CSV_SUFFIXES, *PARQUET_SUFFIXES))}")


def _read_parquet(path: Path) -> Any:
    import pandas as pd

    try:
        table = pd.read_parquet(path)
    except ImportError:
        raise InputError("reading Parquet needs pyarrow: pip install 'glade[parquet]'") from None
    except (ValueError, OSError) as fault:  # pyarrow's errors are of these two kinds
        raise InputError(f"{quote_name(path)} cannot be read as Parquet: {fault}") from None
    _check_columns(path, [str(name) for name in table.columns], len(table))
    return table.reset_index(drop=True)


def _read_csv(path: Path) -> Any:
    import pandas as pd

    with _explain_faults(path):
        names, n_rows = _check_lines(path)
    _check_columns(path, names, n_rows)
    return pd.read_csv(path, keep_default_na=False, na_values=list(MISSING), low_memory=False)


def _check_lines(path: Path) -> tuple[list[str], int]:
    """The header and the number of rows, if every row has the header's length: pandas would shift or fill columns."""
    csv.field_size_limit(MAX_CELL)
    with _open_text(path) as file:
        reader = csv.reader(file, strict=True)
        names, n_rows = next(reader, []), 0
        for fields in reader:
            if fields and len(fields) != len(names):
                raise InputError(
                    f"{quote_name(path)}, line {reader.line_num}: {len(fields)} fields, but the header has"
                    f" {len(names)}; correct the line, or quote fields that hold commas"
                )
            n_rows += bool(fields)
    return names, n_rows


def _open_text(path: Path) -> IO[str]:
    if path.name.lower().endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return open(path, encoding="utf-8-sig", newline="")


@contextmanager
def _explain_faults(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as fault:
        raise InputError(
            f"{quote_name(path)} is not UTF-8 (byte {fault.object[fault.start]:#04x}): save it as UTF-8"
        ) from None
    except csv.Error as fault:
        raise InputError(f"{quote_name(path)} is no CSV table: {fault}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise InputError(f"{quote_name(path)} is damaged or cut short: {fault}") from None
    except PermissionError:
        raise InputError(f"{quote_name(path)} may not be read: check its permissions") from None


def _check_columns(path: Path, names: list[str], n_rows: int) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(f"{quote_name(path)} has several columns {list_names(repeated)}: rename them")
    if n_rows == 0:
        raise InputError(f"{quote_name(path)} has no rows")
    if len(names) == 1:
        raise InputError(
            f"{quote_name(path)} has only 1 column, {quote_name(names[0])}: are its fields split by commas?"
        )
