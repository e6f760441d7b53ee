"""Tables in files, CSV (also gzipped), Parquet and ARFF, to pandas dataframes; a fault is said with its line."""

import io
import os
from pathlib import Path
from typing import Any

from glade.core.errors import InputError, ResourceError
from glade.core.names import list_names
from glade.files.options import FileTable, ReadOptions
from glade.files.sources import PARQUET, Source, read_source

ARFF_SUFFIXES = (".arff", ".arff.gz")
TAB_SUFFIXES = (".tsv", ".tab", ".tsv.gz", ".tab.gz")
SUFFIXES = (".gz", ".csv", ".tsv", ".tab", ".parquet", ".pq", ".arff")
CELL_BYTES = 8


def read_file(path: str | Path, options: ReadOptions | None = None) -> FileTable:
    """The table in a file.

    Parameters
    ----------
    path
        CSV with a header line, Parquet or ARFF, known by its content and its ending; also gzipped. "-" is standard
        input.
    options
        What the file does not say itself.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "t.csv"
    >>> _ = file.write_text("plot,rain\\n007,1.5\\n008,\\n")
    >>> table = read_file(file)
    >>> table.frame["plot"].tolist(), table.frame["rain"].tolist()
    (['007', '008'], [1.5, nan])
    >>> table.reasons["plot"]
    "leading zeros, first in line 2 (numeric=[..., 'plot'] if they are amounts)"
    """
    options = ReadOptions() if options is None else options
    source, name = read_source(path), str(path).lower()
    if source.content.startswith(PARQUET):
        return FileTable(_read_parquet(source))
    if name.endswith((".parquet", ".pq")):
        raise InputError(f"{source} is no Parquet file, or only a part of one")
    from glade.files.encodings import to_utf8

    content = to_utf8(source, options.encoding)
    if name.endswith(ARFF_SUFFIXES) or _starts_as_arff(content):
        from glade.files.arff_table import read_arff

        return read_arff(source, content)
    from glade.files.csv_table import read_csv

    default = "\t" if name.endswith(TAB_SUFFIXES) else ","
    return read_csv(source, content, options, options.sep or default)


def stem_of(path: str) -> str:
    """The name of a table without folder and ending.

    >>> stem_of("data/crops.csv.gz"), stem_of("-")
    ('crops', 'model')
    """
    name = Path(path).name
    for ending in SUFFIXES:
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
    return name if name not in ("", "-") else "model"


def _starts_as_arff(content: bytes) -> bool:
    """Whether the first line that is no comment is one of ARFF."""
    for line in content[: 2**16].splitlines():
        line = line.strip()
        if line and not line.startswith(b"%"):
            return line.lower().startswith((b"@relation", b"@attribute"))
    return False


def _read_parquet(source: Source) -> Any:
    try:
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise InputError("reading Parquet needs pyarrow: pip install 'glade[parquet]'") from None
    try:
        file = pq.ParquetFile(io.BytesIO(source.content))
        _check_memory(source, file.metadata.num_rows, file.metadata.num_columns)
        table = file.read().to_pandas()
    except (ValueError, OSError) as fault:  # pyarrow's errors are of these two kinds
        raise InputError(f"{source} cannot be read as Parquet: {fault}") from None
    names = [str(name) for name in table.columns]
    if len(set(names)) < len(names):
        repeated = sorted({name for k, name in enumerate(names) if name in names[:k]})
        raise InputError(f"{source} has several columns {list_names(repeated)}: rename them")
    if not len(table):
        raise InputError(f"{source} has no rows")
    table.columns = names
    return table.reset_index(drop=True)


def _check_memory(source: Source, n_rows: int, n_columns: int) -> None:
    """A small file may claim any number of rows."""
    needed = n_rows * n_columns * CELL_BYTES
    if hasattr(os, "sysconf") and needed > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"):
        raise ResourceError(
            f"{source} says it has {n_rows:,} rows of {n_columns:,} columns: {needed / 2**30:,.0f} GiB, more than this"
            " machine has"
        )
