"""Dataframes of Dask as tables in partitions: each partition of Dask's is a part."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.scale.parts import BLOCK_ROWS, CELL_BYTES, COPIES, TEXT_BYTES, Choose


@dataclass(frozen=True, eq=False)
class DaskPart:
    """A partition of a dataframe of Dask, made where it is read."""

    name: str
    made: tuple[Any, ...]  # Dask's descriptions of how its columns are made; those of several frames stand side by side
    start: int
    n_rows: int
    bytes_needed: int

    def __str__(self) -> str:
        return self.name

    @property
    def remedy(self) -> str:
        return "divide the dataframe into smaller partitions (repartition)"

    def draw(self, columns: Sequence[str], choose: Choose) -> Iterator[Any]:
        """The rows whose numbers are chosen, as dataframes with these numbers as index."""
        for first, block in self.read(columns):
            numbers = np.arange(first, first + len(block))
            yield block.set_index(numbers)[choose(numbers)]

    def read(self, columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Blocks of rows as dataframes, each with the number of its first row."""
        import pandas as pd

        read = [own.compute(scheduler="synchronous").reset_index(drop=True) for own in self.made]
        frame = pd.concat(read, axis=1) if len(read) > 1 else read[0]
        if len(frame) != self.n_rows:
            raise InputError(f"{self} had {self.n_rows:,} rows and now has {len(frame):,}: its source has changed")
        frame = frame[list(columns)]
        for first in range(0, len(frame), BLOCK_ROWS):
            yield self.start + first, frame.iloc[first : first + BLOCK_ROWS]


def join_frames(tables: Sequence[Any]) -> Any:
    """Several dataframes of Dask that are divided alike, as one table in partitions."""
    first = tables[0]
    for other in tables[1:]:
        if [part.n_rows for part in other.parts] != [part.n_rows for part in first.parts]:
            raise InputError("the Dask dataframes of X and y are divided differently: take both from one dataframe")
    parts = [
        replace(own[0], made=tuple(made for part in own for made in part.made))
        for own in zip(*(t.parts for t in tables), strict=True)
    ]
    columns = tuple(name for table in tables for name in table.columns)
    if len(set(columns)) < len(columns):
        raise InputError("a column is both an input and a target: leave it out of one of them")
    return replace(first, parts=tuple(parts), columns=columns)


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
    if frame.ndim == 1:
        frame = frame.to_frame()
    columns, kinds = tuple(map(str, frame.columns)), [getattr(kind, "kind", "O") for kind in frame.dtypes]
    made = frame.to_delayed(optimize_graph=False)  # Dask would put small partitions together, by columns
    counts = dask.compute(*[dask.delayed(len)(own) for own in made])
    width = sum(CELL_BYTES * COPIES if kind in "biuf" else TEXT_BYTES for kind in kinds)
    title = quote_name(frame.__dask_keys__()[0][0])  # each key begins with the name of the collection
    parts, start = [], 0
    for k, (own, count) in enumerate(zip(made, counts, strict=True)):
        if count:
            parts.append(DaskPart(f"partition {k} of {title}", (own,), start, count, count * width))
            start += count
    if not parts:
        raise InputError("the Dask dataframe has no rows: give a table with some")
    types = {name: "numbers" if kind in "iuf" else "text" for name, kind in zip(columns, kinds, strict=True)}
    return Partitions(tuple(parts), columns, types, cluster, memory, resume)
