"""Tables in files, CSV (also gzipped), Parquet and ARFF, to pandas dataframes; a fault is said with its line."""

import io
import os
from pathlib import Path
from typing import Any

from glade.core.advice import Advice, Setting
from glade.core.errors import InputError, ResourceError
from glade.core.names import list_names, quote_name
from glade.files.options import FileTable, ReadOptions
from glade.files.patterns import find_columns
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
        return FileTable(_read_parquet(source, options))
    if name.endswith((".parquet", ".pq")):
        raise InputError(f"{source} is no Parquet file, or only a part of one")
    from glade.files.encodings import to_utf8

    content = to_utf8(source, options.encoding)
    if name.endswith(ARFF_SUFFIXES) or _starts_as_arff(content):
        from glade.files.arff_table import read_arff

        return read_arff(source, content)
    from glade.files.csv_table import read_csv
    from glade.files.guesses import guess_signs

    default = "\t" if name.endswith(TAB_SUFFIXES) else ","
    options, notes = guess_signs(content, options, default)
    table = read_csv(source, content, options, options.sep or default)
    table.notes[:0] = notes
    return table


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


def _read_parquet(source: Source, options: ReadOptions) -> Any:
    try:
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise InputError("reading Parquet needs pyarrow: pip install 'glade[parquet]'") from None
    try:
        file = pq.ParquetFile(io.BytesIO(source.content))
        _check_memory(source, file.metadata.num_rows, file.metadata.num_columns)
        unread = _list_unread(source, file.schema_arrow, options)
        kept = [name for name in file.schema_arrow.names if name not in unread]
        table = file.read(columns=kept).to_pandas().assign(**dict.fromkeys(unread))
        table = table[file.schema_arrow.names] if unread else table
    except (InputError, ResourceError, MemoryError):
        raise
    except Exception as fault:  # what pyarrow and pandas make of damaged metadata is of any kind
        raise InputError(f"{source} cannot be read as Parquet: {' '.join(str(fault).split())}") from None
    names = [str(name) for name in table.columns]
    if len(set(names)) < len(names):
        repeated = sorted({name for k, name in enumerate(names) if name in names[:k]})
        raise InputError(f"{source} has several columns {list_names(repeated)}: rename them")
    if not len(table):
        raise InputError(f"{source} has no rows")
    table.columns = names
    return table.reset_index(drop=True)


def _list_unread(source: Source, schema: Any, options: ReadOptions) -> list[str]:
    """Columns of types that no model reads, which are dropped; one that is not is refused before anything is read."""
    import pyarrow.types as types

    strange = (types.is_nested, types.is_binary, types.is_large_binary, types.is_fixed_size_binary, types.is_duration)
    found = {own.name: own.type for own in schema if any(is_so(own.type) for is_so in strange)}
    dropped = find_columns(sorted(options.drop), schema.names)
    for name, kind in found.items():
        if name not in dropped:
            sentence = f"{source}: column {quote_name(name)} is of type {kind}, which no model reads: "
            raise InputError(Advice(sentence, "leave it out (", Setting("drop", (name,)), ")"))
    return list(found)


def _check_memory(source: Source, n_rows: int, n_columns: int) -> None:
    """A small file may claim any number of rows."""
    needed = n_rows * n_columns * CELL_BYTES
    if hasattr(os, "sysconf") and needed > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"):
        raise ResourceError(
            f"{source} says it has {n_rows:,} rows of {n_columns:,} columns: {needed / 2**30:,.0f} GiB, more than this"
            " machine has"
        )
