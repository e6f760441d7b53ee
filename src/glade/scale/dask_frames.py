"""Dataframes of Dask as tables in partitions: each partition of Dask's is a part."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.scale.parts import BLOCK_ROWS, CELL_BYTES, COPIES, TEXT_BYTES


@dataclass(frozen=True, eq=False)
class DaskPart:
    """A partition of a dataframe of Dask, made where it is read."""

    name: str
    made: Any  # Dask's description of how the partition is made
    start: int
    n_rows: int
    bytes_needed: int

    def __str__(self) -> str:
        return self.name

    def read(self, columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Blocks of rows as dataframes, each with the number of its first row."""
        frame = self.made.compute(scheduler="synchronous")
        if len(frame) != self.n_rows:
            raise InputError(f"{self} had {self.n_rows:,} rows and now has {len(frame):,}: its source has changed")
        frame = frame[list(columns)]
        for first in range(0, len(frame), BLOCK_ROWS):
            yield self.start + first, frame.iloc[first : first + BLOCK_ROWS]


def open_dask_frame(frame: Any, cluster: Any, memory: int | str | None, resume: str | None) -> Any:
    """A dataframe (or a series) of Dask as partitions; their rows are counted now."""
    import dask
    from distributed import default_client

    from glade.scale.partitions import Partitions

    if not hasattr(frame, "to_delayed"):
        raise InputError(f"a {type(frame).__name__} of Dask holds no table: give a Dask dataframe")
    if cluster is None:
        with suppress(ValueError):
            cluster = default_client()  # the one that the user works with
    columns = tuple(map(str, frame.columns)) if hasattr(frame, "columns") else (str(frame.name),)
    kinds = list(frame.dtypes) if hasattr(frame, "columns") else [frame.dtype]
    if not hasattr(frame, "columns"):
        frame = frame.to_frame(name=columns[0])
    made = frame.to_delayed()
    counts = dask.compute(*[dask.delayed(len)(own) for own in made])
    width = sum(TEXT_BYTES if kind.kind not in "biuf" else CELL_BYTES * COPIES for kind in kinds)
    parts, start = [], 0
    for k, (own, count) in enumerate(zip(made, counts, strict=True)):
        if count:
            parts.append(DaskPart(f"partition {k} of {quote_name(frame._name)}", own, start, count, count * width))
            start += count
    if not parts:
        raise InputError("the Dask dataframe has no rows: give a table with some")
    types = {name: "numbers" if kind.kind in "iuf" else "text" for name, kind in zip(columns, kinds, strict=True)}
    return Partitions(tuple(parts), columns, types, cluster, memory, resume)
