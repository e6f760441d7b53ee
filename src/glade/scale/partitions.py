"""A table in partitions, which `fit` and `predict` of many estimators take in the place of a dataframe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name
from glade.data.elsewhere import find_elsewhere
from glade.scale.draws import SAMPLE, draw_uniform
from glade.scale.executors import Executor, make_executor
from glade.scale.memory import show_bytes
from glade.scale.parts import Partition, list_files, open_parquet


@dataclass(frozen=True, eq=False)
class Partitions:
    """A table in parts, of which only some are in memory at a time; `open_partitions` makes one.

    `table[["a", "b"]]` are some of its columns and `table["y"]` is one, as of a dataframe; nothing is read then.

    Parameters
    ----------
    parts : tuple of parts
        In the order of their rows.
    columns : tuple of str
        The names of the columns.
    types : dict
        What each column of the files holds, in words.
    cluster : str, Client or None
        The Dask cluster whose workers read the parts; None stands for threads of this process.
    memory : int, str or None
        How much memory parts may take while they are read; None is half of what is free.
    resume : str or None
        A folder that keeps what is finished of a fit, so that the same fit goes on there after it was interrupted.

    Examples
    --------
    >>> import tempfile
    >>> from glade import RuleEnsembleRegressor, load_penguins, open_partitions
    >>> folder = tempfile.mkdtemp()
    >>> load_penguins().dropna().to_parquet(f"{folder}/1.parquet")
    >>> table = open_partitions(folder)
    >>> len(table), table[["species", "sex"]]
    (333, <partitions of 333 rows x 2 columns, in 1 part>)
    >>> model = RuleEnsembleRegressor(max_rules=2, random_state=0)
    >>> model.fit(table[["species", "sex"]], table["body_mass_g"]).predict(table[["species", "sex"]]).shape
    (333,)
    """

    parts: tuple[Partition, ...]
    columns: tuple[str, ...]
    types: dict[str, str]
    cluster: Any = None
    memory: int | str | None = None
    resume: str | None = None

    def __getitem__(self, names: str | Sequence[str]) -> "Partitions":
        wanted = (names,) if isinstance(names, str) else tuple(names)
        unknown = [name for name in wanted if name not in self.columns]
        if unknown:
            raise KeyError(f"there is no column {list_names(unknown)}: the table has {list_names(self.columns)}")
        return replace(self, columns=wanted)

    def drop(self, columns: str | Sequence[str]) -> "Partitions":
        """Return the table without some columns.

        Parameters
        ----------
        columns : str or list of str
            Their names.

        Returns
        -------
        Partitions
            The same parts with the other columns.
        """
        left_out = self[columns].columns
        return replace(self, columns=tuple(name for name in self.columns if name not in left_out))

    def __len__(self) -> int:
        return sum(part.n_rows for part in self.parts)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self), len(self.columns)

    def __repr__(self) -> str:
        n_rows, n_columns = self.shape
        parts = "1 part" if len(self.parts) == 1 else f"{len(self.parts):,} parts"
        return f"<partitions of {n_rows:,} rows x {n_columns:,} columns, in {parts}>"

    @property
    def bytes_as_doubles(self) -> int:
        """What the table would take in memory if every cell were a double."""
        return 8 * len(self) * len(self.columns)

    def make_executor(self, n_jobs: int | None = None) -> Executor:
        """Return who reads the parts.

        Parameters
        ----------
        n_jobs : int or None, default=None
            Threads, where no cluster was given.

        Returns
        -------
        Executor
            Threads of this process, or workers of the cluster.
        """
        return make_executor(self.cluster, n_jobs, self.memory)

    def sample(self, n: int, random_state: int = 0) -> Any:
        """Return about so many rows, drawn at random, in memory.

        Which rows these are depends on their numbers in the whole table alone, not on its division into parts.

        Parameters
        ----------
        n : int
            How many rows; all where there are no more.
        random_state : int, default=0
            The seed of the draw.

        Returns
        -------
        DataFrame
            The rows, of pandas, in the order of the table; the index holds their numbers in the table.
        """
        import pandas as pd

        found = list(self.make_executor().map(DrawRows(self.columns, n / len(self), random_state), self.parts))
        return pd.concat(found)

    def head(self, n: int = 5) -> Any:
        """Return the first rows, in memory.

        Parameters
        ----------
        n : int, default=5
            How many rows.

        Returns
        -------
        DataFrame
            The rows, of pandas.
        """
        import pandas as pd

        blocks, n_read = [], 0
        for _, block in read_all(self.parts, self.columns):
            blocks.append(block.iloc[: n - n_read])
            n_read += len(blocks[-1])
            if n_read >= n:
                break
        return pd.concat(blocks, ignore_index=True)

    def write_predictions(self, model: Any, folder: str) -> list[str]:
        """Write the predictions of a fitted model for these inputs, a Parquet file for each part.

        Parameters
        ----------
        model : estimator
            Fitted; the table has its inputs.
        folder : str
            Where the files go; it is made if it is not there.

        Returns
        -------
        list of str
            The files, in the order of the parts. Their columns are `row`, the number of the row in the whole table, a
            column for each target, and for classes their probabilities.
        """
        from glade.scale.outputs import write_parts

        return write_parts(model, self, folder)

    def write_explanations(self, model: Any, folder: str) -> list[str]:
        """Write what each term of a fitted model adds to each prediction, a Parquet file for each part.

        Parameters
        ----------
        model : estimator
            Fitted; the table has its inputs.
        folder : str
            Where the files go; it is made if it is not there.

        Returns
        -------
        list of str
            The files, in the order of the parts. Their columns are those of the method `explain` of estimators.
        """
        from glade.scale.outputs import write_parts

        return write_parts(model, self, folder, explains=True)

    # What an estimator asks of a table that is not in memory (`data.elsewhere`).

    def fit_model(self, model: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        """Fit an estimator to these inputs; called by its `fit`.

        Parameters
        ----------
        model : estimator
            What is fitted.
        y : Partitions or array-like
            The targets.
        sample_weight : Partitions, array-like or None
            The weights of the rows.
        groups : Partitions, array-like or None
            The groups that folds keep together.
        """
        from glade.scale.dask_frames import join_frames
        from glade.scale.fit import fit_model
        from glade.scale.roles import Roles

        given = [None if own is None else find_elsewhere(own) or own for own in (y, sample_weight, groups)]
        tables = [self, *(own for own in given if isinstance(own, Partitions))]
        if any(hasattr(part, "made") for part in self.parts):  # dataframes of Dask, which are not the same object
            whole = join_frames(tables)
            given = [replace(whole, columns=own.columns) if isinstance(own, Partitions) else own for own in given]
            fit_model(model, whole, Roles.of(replace(whole, columns=self.columns), *given))
        else:
            fit_model(model, self, Roles.of(self, *given))

    def predict_values(self, model: Any) -> NDArray[np.float64]:
        """Return rows x channels of predictions; called by an estimator's `predict`.

        Parameters
        ----------
        model : estimator
            A fitted one.

        Returns
        -------
        ndarray of shape (rows, channels)
            What is predicted, in the order of the table.
        """
        from glade.scale.outputs import PredictPart

        work = PredictPart(model, self.columns)
        return np.concatenate(list(self.make_executor(getattr(model, "n_jobs", None)).map(work, self.parts)))

    def refuse(self, what: str) -> TypeError:
        """Return the error that says what else can be done where a table has to be in memory.

        Parameters
        ----------
        what : str
            What the table is to whoever asks.

        Returns
        -------
        TypeError
            To be raised.
        """
        return TypeError(
            f"{what} is a table in partitions, and is needed in memory here: take rows of it, such as"
            f" table.sample(100_000); the whole would take about {show_bytes(self.bytes_as_doubles)}"
        )


@dataclass(frozen=True)
class DrawRows:
    """Draws rows of a part by their numbers.

    Parameters
    ----------
    columns
        That are wanted of the rows.
    share
        Of the rows that are drawn; all of them from 1 on.
    seed, purpose
        Of the draw.
    without
        Purposes and shares of draws whose rows are left out.
    """

    columns: tuple[str, ...]
    share: float
    seed: int
    purpose: int = SAMPLE
    without: tuple[tuple[int, float], ...] = ()

    def __call__(self, part: Partition) -> Any:
        """The rows as a dataframe, whose index holds their numbers."""
        import pandas as pd

        return pd.concat(list(part.draw(self.columns, self.choose)))

    def choose(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these rows are drawn."""
        drawn = self._is_drawn(numbers, self.purpose, self.share)
        for purpose, share in self.without:
            drawn &= ~self._is_drawn(numbers, purpose, share)
        return drawn

    def _is_drawn(self, numbers: NDArray[np.int64], purpose: int, share: float) -> NDArray[np.bool_]:
        return np.ones(len(numbers), bool) if share >= 1.0 else draw_uniform(self.seed, purpose, numbers) < share

    def take(self, block: Any, first: int) -> Any:
        """The drawn rows of a block."""
        numbers = np.arange(first, first + len(block))
        return block.set_index(numbers)[self.choose(numbers)]


def read_all(parts: Sequence[Partition], columns: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """The blocks of all parts, one after another."""
    for part in parts:
        yield from part.read(columns)


def open_partitions(
    table: Any, *, cluster: Any = None, memory: int | str | None = None, resume: str | None = None
) -> Partitions:
    """Open a table that need not fit into memory; its rows are read when a model is fitted or predicts.

    Parameters
    ----------
    table : str, path, list of these, or Dask dataframe
        A Parquet file, a folder of such files, a pattern such as ``"parts/*.parquet"``, or a dataframe of Dask. The
        rows of files are numbered in the order of the files' names.
    cluster : str, Client or None, default=None
        The address or the client of a running Dask cluster, whose workers then read the parts; they must see the files
        under the same names. None reads them in threads of this process.
    memory : int, str or None, default=None
        How much memory parts may take while they are read, in bytes or as "2GB"; None is half of what is free. On a
        cluster, the workers' own limits hold.
    resume : str or None, default=None
        A folder that keeps what is finished of a fit. The same fit, begun again after it was interrupted, goes on from
        there.

    Returns
    -------
    Partitions
        The table, for `fit` and `predict`.

    Examples
    --------
    >>> import tempfile
    >>> from glade import load_penguins, open_partitions
    >>> folder = tempfile.mkdtemp()
    >>> for k in range(3):
    ...     load_penguins().to_parquet(f"{folder}/{k}.parquet", row_group_size=100)
    >>> open_partitions(f"{folder}/*.parquet")
    <partitions of 1,032 rows x 8 columns, in 3 parts>
    """
    if isinstance(table, Partitions):
        return replace(table, cluster=cluster or table.cluster, memory=memory or table.memory, resume=resume)
    if type(table).__module__.partition(".")[0] in ("dask", "dask_expr"):
        from glade.scale.dask_frames import open_dask_frame

        return open_dask_frame(table, cluster, memory, resume)
    if not isinstance(table, (str, list, tuple)) and not hasattr(table, "__fspath__"):
        raise InputError(
            f"{quote_name(type(table).__name__)} holds no partitions: give Parquet files or a Dask dataframe"
        )
    parts, types = open_parquet(list_files(table))
    return Partitions(tuple(parts), tuple(types), types, cluster, memory, resume)
