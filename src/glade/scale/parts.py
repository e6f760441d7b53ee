"""Parts of a table: where their rows are, which numbers these have in the whole table, and how they are read."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError, ResourceError
from glade.core.names import list_names, quote_name
from glade.scale.memory import show_bytes

MAGIC = b"PAR1"  # the first and the last bytes of a Parquet file
BLOCK_ROWS = 2**14  # rows of a part that are looked at together
PART_ROWS = 2**20  # row groups of a file are put together up to so many rows
CELL_BYTES, COPIES = 8, 3  # of a cell; as read, as a dataframe, as a matrix
TEXT_BYTES = 64  # of a cell of text, as an object of Python
SMALLER_GROUPS = "write the table with smaller row groups (row_group_size=100_000)"
NOTHING = "missing values only"  # what a column of Arrow's null type holds: it may be of any type in other parts

Choose = Callable[[NDArray[np.int64]], NDArray[np.bool_]]  # of some numbers of rows, which are wanted


class Task(Protocol):
    """Something to be worked on by itself: a part of a table, or what is made of rows of all parts."""

    @property
    def n_rows(self) -> int: ...
    @property
    def start(self) -> int:
        """The number of the first row in the whole table, or of whatever else tasks are counted by."""

    @property
    def bytes_needed(self) -> int:
        """The memory that it takes at most, as far as can be known before it begins."""

    @property
    def remedy(self) -> str:
        """What helps, beside more memory, where that is too much."""

    def __str__(self) -> str:
        """What sentences call it."""


class Partition(Task, Protocol):
    """Some consecutive rows of a table."""

    def read(self, columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Blocks of some thousand rows, as pandas dataframes, each with the number of its first row."""

    def draw(self, columns: Sequence[str], choose: Choose) -> Iterator[Any]:
        """The rows whose numbers are chosen, as pandas dataframes whose index holds these numbers."""


@dataclass(frozen=True)
class ParquetPart:
    """Row groups of a Parquet file that follow one another."""

    path: str
    groups: tuple[int, ...]
    start: int
    n_rows: int
    bytes_needed: int

    def __str__(self) -> str:
        first, last = self.groups[0], self.groups[-1]
        which = f"row group {first}" if first == last else f"row groups {first} to {last}"
        return f"{quote_name(self.path)}, {which}"

    @property
    def remedy(self) -> str:
        return SMALLER_GROUPS

    def read(self, columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Blocks of rows as dataframes, each with the number of its first row."""
        for first, batch in self._read_batches(columns):
            yield first, batch.to_pandas()

    def draw(self, columns: Sequence[str], choose: Choose) -> Iterator[Any]:
        """The rows whose numbers are chosen, as dataframes with these numbers as index; no others leave Arrow."""
        for first, batch in self._read_batches(columns):
            numbers = np.arange(first, first + batch.num_rows)
            chosen = choose(numbers)
            yield (batch if chosen.all() else batch.filter(chosen)).to_pandas().set_index(numbers[chosen])

    def _read_batches(self, columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Blocks of rows as Arrow reads them, each with the number of its first row."""
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        first = self.start
        try:
            with pq.ParquetFile(self.path) as file:
                for batch in file.iter_batches(BLOCK_ROWS, row_groups=list(self.groups), columns=list(columns)):
                    yield first, batch
                    first += batch.num_rows
        except OSError as fault:
            raise InputError(f"{self} cannot be read: {fault}; write the file again, or leave it out") from None
        if first - self.start != self.n_rows:
            raise InputError(f"{self}: the file has changed since it was opened; open the table again")


def _find_files(path: Path) -> list[Path]:
    """The file of this path, the Parquet files in this folder and below, or the files that a pattern fits."""
    if path.is_dir():
        every = (file for file in path.rglob("*") if file.suffix in (".parquet", ".pq"))
        return sorted(file for file in every if not file.name.startswith((".", "_")))
    if path.exists():
        return [path]
    return sorted(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor)))) if path.parts else []


def list_files(path: Any) -> list[str]:
    """The Parquet files that a path, a folder, a pattern or a list of these means, in order of their names."""
    if isinstance(path, (list, tuple)):
        return [file for own in path for file in list_files(own)]
    path = Path(path)
    found = _find_files(path)
    if path.is_dir() and not found:
        raise InputError(
            f"{quote_name(str(path))} is a folder without Parquet files, and only Parquet is read in parts: give a"
            " file, a folder or a pattern of such files"
        )
    if not found:
        raise InputError(f"{quote_name(str(path))} names no Parquet file: give a file, a folder or a pattern")
    return [str(p) for p in found]


def _is_whole(path: str) -> bool:
    """Whether a file begins and ends as Parquet does."""
    with open(path, "rb") as file:
        first = file.read(len(MAGIC))
        file.seek(-min(len(MAGIC), os.path.getsize(path)), os.SEEK_END)
        return first == MAGIC == file.read()


def open_parquet(files: Sequence[str]) -> tuple[list[ParquetPart], dict[str, str]]:
    """The parts of Parquet files that hold one table, and the types of its columns, by the files' own records."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError("reading Parquet needs pyarrow: pip install 'glade[parquet]'") from None
    parts: list[ParquetPart] = []
    types: dict[str, str] = {}
    start = 0
    for path in files:
        if not _is_whole(path):
            raise InputError(
                f"{quote_name(path)} is no Parquet file, or only a part of one: leave it out, or write it as Parquet"
            )
        try:
            about = pq.ParquetFile(path)
        except (OSError, ValueError) as fault:  # pyarrow's errors are of these two kinds
            raise InputError(f"{quote_name(path)} cannot be read as Parquet: {fault}; leave it out") from None
        with about:
            own = {field.name: name_type(field.type) for field in about.schema_arrow}
            types = types or own
            check_same_columns(path, own, files[0], types)
            types = {name: own[name] if kind == NOTHING else kind for name, kind in types.items()}
            new = _list_parts(path, about.metadata, start, own)
        start += sum(part.n_rows for part in new)
        parts += new
    if start == 0:
        raise InputError(f"{quote_name(files[0])} has no rows: give a table with some")
    return parts, types


def name_type(kind: Any) -> str:
    """What a column of this type of Arrow's holds: numbers, truth values, text, times or something else."""
    import pyarrow.types as of

    if of.is_dictionary(kind):
        return "ordered categories" if kind.ordered else "text"
    families = {
        "numbers": (of.is_integer, of.is_floating, of.is_decimal),
        "truth values": (of.is_boolean,),
        "text": (of.is_string, of.is_large_string),
        NOTHING: (of.is_null,),
        "times": (of.is_temporal,),
    }
    return next((name for name, tests in families.items() if any(test(kind) for test in tests)), str(kind))


def check_same_columns(path: str, own: dict[str, str], first: str, types: dict[str, str]) -> None:
    """Refuse a part whose columns are not those of the first."""
    lacks, more = [n for n in types if n not in own], [n for n in own if n not in types]
    other = [
        f"{quote_name(n)} ({own[n]}, not {kind})"
        for n, kind in types.items()
        if len({own.get(n, kind), kind, NOTHING}) > 2
    ]
    faults = [f"lacks {list_names(lacks)}"] if lacks else []
    faults += [f"has {list_names(more)} in addition"] if more else []
    faults += [f"has other types in {', '.join(other)}"] if other else []
    if faults:
        raise InputError(f"{quote_name(path)} {', '.join(faults)}, compared with {quote_name(first)}: leave it out")


def _list_parts(path: str, about: Any, start: int, types: dict[str, str]) -> list[ParquetPart]:
    """Row groups, small ones put together."""
    parts: list[ParquetPart] = []
    for k in range(about.num_row_groups):
        group = about.row_group(k)
        if group.num_rows == 0:
            continue
        cells = sum(group.num_rows * (TEXT_BYTES if kind == "text" else CELL_BYTES) for kind in types.values())
        needed = max(COPIES * group.total_byte_size, cells)
        last = parts[-1] if parts else None
        if last is not None and last.n_rows + group.num_rows <= PART_ROWS:
            parts[-1] = ParquetPart(
                path,
                (*last.groups, k),
                last.start,
                last.n_rows + group.num_rows,
                max(last.bytes_needed, needed),  # one row group is in memory at a time
            )
        else:
            parts.append(ParquetPart(path, (k,), start, group.num_rows, needed))
        start += group.num_rows
    return parts


def count_at_once(tasks: Sequence[Task], wanted: int, memory: int) -> int:
    """How many tasks may be worked on at the same time, at most so many; an error where there is no room for one."""
    largest = max(tasks, key=lambda task: task.bytes_needed)
    if largest.bytes_needed > memory:
        raise ResourceError(
            f"{largest} would take about {show_bytes(largest.bytes_needed)}, and {show_bytes(memory)} may be used: give"
            f" more memory, or {largest.remedy}"
        )
    return max(1, min(wanted, len(tasks), memory // max(largest.bytes_needed, 1)))
