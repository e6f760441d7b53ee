"""What grows where rows are read: a task draws rows of its own from all parts, and grows trees on them.

Boosted and single trees are one task. Of a forest, tree m depends on the table, the settings, the seed and m alone: on
its rows, which are drawn by their numbers in the table and by the number of its task, and on edges that one sample
gives to all tasks. Nothing large goes to a task; what comes back are its trees.
"""

import warnings
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from glade.core.notices import silence_warnings, warn_user
from glade.core.progress import follow
from glade.core.threads import count_shares
from glade.data.coding import Edges
from glade.data.columns import Column
from glade.data.groups import Groups
from glade.data.table import Schema, Table
from glade.grow.node_table import NodeTable
from glade.models.base import TrainingSet
from glade.models.ensemble import ForestEstimator
from glade.models.saved.file import load
from glade.scale.checkpoints import Checkpoints
from glade.scale.draws import JUDGE, TREES
from glade.scale.executors import Executor
from glade.scale.look import Look
from glade.scale.partitions import DrawRows
from glade.scale.parts import CELL_BYTES, COPIES, Partition
from glade.scale.reading import Reader, TableRows
from glade.scale.roles import Roles

FEWER_COLUMNS = "take fewer columns"
TREES_OF_A_SAMPLE = 5  # that grow on the same rows: a task reads the whole table for them


@dataclass(frozen=True)
class SomeTrees:
    """The task to grow the trees of some numbers."""

    start: int  # the number of the first
    n_trees: int
    n_rows: int  # that are drawn for them
    bytes_needed: int

    def __str__(self) -> str:
        last = self.start + self.n_trees - 1
        which = f"tree {self.start}" if self.n_trees == 1 else f"trees {self.start} to {last}"
        return f"a sample of {self.n_rows:,} rows for {which}"

    @property
    def remedy(self) -> str:
        return FEWER_COLUMNS


@dataclass(frozen=True)
class OneSample:
    """The task to fit a whole model to one sample."""

    n_rows: int
    bytes_needed: int
    start: int = 0

    def __str__(self) -> str:
        return f"a sample of {self.n_rows:,} rows"

    @property
    def remedy(self) -> str:
        return FEWER_COLUMNS


class Drawn(NamedTuple):
    """What a task knows of its draw."""

    share: float  # of the rows, that each task draws
    judged: float  # of the rows, that no task draws, since they judge the forest
    seed: int


@dataclass(frozen=True)
class GrowTrees:
    """Grows some trees of a forest.

    Parameters
    ----------
    model
        The forest, prepared by `prepare_apart`.
    edges
        By which inputs are coded.
    reader
        Of the rows.
    parts
        Of the table.
    drawn
        How rows are drawn.
    """

    model: ForestEstimator
    edges: Edges
    reader: Reader
    parts: tuple[Partition, ...]
    drawn: Drawn

    def __call__(self, task: SomeTrees) -> list[NodeTable]:
        """The trees, in a table for each forest of the model."""
        numbers = range(task.start, task.start + task.n_trees)
        with silence_warnings():  # the client has warned by its own sample
            return self.model.grow_apart(self.read(task), numbers, count_shares())

    def read(self, task: SomeTrees) -> TrainingSet:
        """The rows of a task, in the order of the table."""
        of_task = TREES + task.start // TREES_OF_A_SAMPLE
        columns, (share, judged, seed) = self.reader.roles.columns, self.drawn
        draw = DrawRows(columns, share, seed, of_task, without=((JUDGE, judged),))
        return join_rows(draw_blocks(self.reader, draw, self.parts), self.reader.schema, self.edges)


def draw_blocks(reader: Reader, draw: DrawRows, parts: Sequence[Partition]) -> list[tuple[TableRows, Any]]:
    """The drawn rows of all parts, block by block, as a model sees them; with the labels of their groups, if any."""
    found = []
    for part in parts:
        for block in part.draw(draw.columns, draw.choose):
            rows = reader.take_of(part, block, block.index.to_numpy())
            group = reader.roles.group
            found.append((rows, None if group is None else block.loc[rows.numbers, group]))
    return found


def join_rows(blocks: Sequence[tuple[TableRows, Any]], schema: Schema, edges: Edges | None = None) -> TrainingSet:
    """Blocks of rows as one training set."""
    import pandas as pd

    rows = [own for own, _ in blocks]
    values = np.concatenate([own.matrix.T for own in rows], axis=1)
    table = Table.of(np.ascontiguousarray(values), schema.names, schema.kinds, schema.labels, ())
    targets = [join_columns(columns) for columns in zip(*(own.targets for own in rows), strict=True)]
    labels = [own for _, own in blocks if own is not None]
    groups = Groups.read(pd.concat(labels), table.n_rows) if labels else None
    weights = np.concatenate([own.weights for own in rows])
    return TrainingSet(table, targets, weights, np.arange(table.n_rows), groups, edges)


def join_columns(columns: Sequence[Column]) -> Column:
    """Columns of the same name, one after another."""
    first = columns[0]
    return Column(first.name, first.kind, np.concatenate([own.values for own in columns]), first.labels)


class TreesForm:
    """Trees as arrays: the columns of their tables."""

    def to_arrays(self, result: list[NodeTable]) -> dict[str, Any]:
        """Their names begin with the number of the forest."""
        return {f"{k} {name}": own for k, table in enumerate(result) for name, own in vars(table).items()}

    def from_arrays(self, arrays: dict[str, Any]) -> list[NodeTable]:
        """The same tables."""
        forests: dict[int, dict[str, Any]] = {}
        for name, own in arrays.items():
            k, _, column = name.partition(" ")
            forests.setdefault(int(k), {})[column] = own
        return [NodeTable(**forests[k]) for k in sorted(forests)]


@dataclass(frozen=True)
class FitSample:
    """Fits a model to the rows of a draw.

    Parameters
    ----------
    model
        The estimator, which is not changed.
    roles
        Which columns are what.
    labels
        Those of the columns of text, of the whole table.
    parts
        Of the table.
    draw
        How rows are drawn.
    """

    model: Any
    roles: Roles
    labels: dict[str, list[Any]]
    parts: tuple[Partition, ...]
    draw: DrawRows

    def __call__(self, task: OneSample) -> tuple[Any, list[str]]:
        """The fitted model, and what users are to be warned of."""
        labels = {name: set(own) for name, own in self.labels.items()}
        rows = Look(labels, frames=[self.draw(part) for part in self.parts]).collect_sample()
        model = copy(self.model)
        if isinstance(model, ForestEstimator):
            model.set_params(n_jobs=count_shares())
        with warnings.catch_warnings(record=True) as caught:  # a worker's would be seen by nobody
            warnings.simplefilter("always", UserWarning)
            model.fit(*self.roles.divide(rows))
        return model, [str(note.message) for note in caught if issubclass(note.category, UserWarning)]


class ModelForm:
    """A fitted model as arrays: its file."""

    def to_arrays(self, result: tuple[Any, list[str]]) -> dict[str, Any] | None:
        """None for a forest with predictions out of bag, which no file keeps."""
        model, notes = result
        if "oob_prediction_" in vars(model):
            return None
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.glade"
            model.save(path)
            return {"model": np.frombuffer(path.read_bytes(), np.uint8), "notes": np.array(notes, dtype=str)}

    def from_arrays(self, arrays: dict[str, Any]) -> tuple[Any, list[str]]:
        """The model as its file has it."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.glade"
            path.write_bytes(arrays["model"].tobytes())
            return load(path), arrays["notes"].tolist()


def count_bytes(n_rows: int, n_columns: int, parts: Sequence[Partition]) -> int:
    """What a task takes that draws so many rows: one part while it is read, and the rows."""
    return max(part.bytes_needed for part in parts) + COPIES * CELL_BYTES * n_rows * n_columns


def list_tasks(n_trees: int, n_rows: int, n_columns: int, parts: Sequence[Partition]) -> list[SomeTrees]:
    """The tasks for so many trees, each with rows of its own, so many."""
    needed = count_bytes(n_rows, n_columns, parts)
    firsts = range(0, n_trees, TREES_OF_A_SAMPLE)
    return [SomeTrees(first, min(TREES_OF_A_SAMPLE, n_trees - first), n_rows, needed) for first in firsts]


def grow_apart(work: GrowTrees, tasks: Sequence[SomeTrees], executor: Executor, kept: Checkpoints) -> None:
    """Grow a forest's trees task by task, and let the model have them."""
    found = kept.map("trees", executor, work, tasks, TreesForm())
    work.model.take_trees(follow("trees, sample", found, len(tasks)), sum(task.n_rows for task in tasks))


def fit_one(work: FitSample, executor: Executor, kept: Checkpoints) -> Any:
    """Fit a model to a sample, wherever there is a worker; warn of what it has to say."""
    n_rows = min(sum(part.n_rows for part in work.parts), round(work.draw.share * sum(p.n_rows for p in work.parts)))
    task = OneSample(n_rows, count_bytes(n_rows, len(work.draw.columns), work.parts))
    ((model, notes),) = kept.map("sample", executor, work, [task], ModelForm())
    for note in notes:
        warn_user(note)
    return model
