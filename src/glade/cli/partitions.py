"""Tables in partitions on the command line: patterns, folders, and Parquet files that are larger than memory."""

import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from glade.cli.estimators import BEAM_TREE, RULE_LIST, RULE_MODELS, ModelRequest, make_model
from glade.cli.width import wrap_all
from glade.core.errors import InputError
from glade.core.kinds import MULTITREE
from glade.core.names import list_names, show_name

OPTIONS = ("cluster", "memory", "resume")  # what `partition_options` adds
LOOKED_AT = 10_000  # first rows, which tell what a column is
SHOWN_ROWS = 20_000  # of a page, and that are checked
IN_MEMORY = (MULTITREE, RULE_LIST, BEAM_TREE)  # models that are not fitted to tables in parts
NOT_HERE = ("test", "nominal", "numeric")  # options that need the table in memory


def partition_options(command: Any) -> Any:
    """Add the options for tables that need not fit into memory."""
    options = [
        click.option("--cluster", metavar="ADDRESS", help="Let the workers of this Dask cluster read the parts."),
        click.option("--memory", metavar="SIZE", help="Read larger tables in parts, e.g. 2GB.  [half of what is free]"),
        click.option("--resume", is_flag=True, help="Keep what is finished beside the model, and go on from there."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True)
class How:
    """How a table in partitions is read."""

    cluster: str | None = None
    memory: str | None = None
    resume: bool = False


def take_how(given: dict[str, Any]) -> How:
    """How the table is read, out of what a command was given."""
    return How(**{name: given.pop(name) for name in OPTIONS})


def is_in_parts(path: str, how: How = How()) -> bool:  # it does not change
    """Whether a table is read in parts: a pattern, a folder, or Parquet that is larger than the memory for it."""
    if how.cluster or Path(path).is_dir() or (not Path(path).exists() and any(sign in path for sign in "*?[")):
        return True
    if not path.lower().endswith((".parquet", ".pq")) or not Path(path).is_file():
        if how.resume:
            raise InputError("--resume is for Parquet that is read in parts: give a folder or a pattern of such files")
        return False
    from glade.scale.memory import read_memory
    from glade.scale.partitions import open_partitions

    return how.resume or open_partitions(path).bytes_as_doubles > read_memory(how.memory)


@contextmanager
def sample_in_file(path: str) -> Iterator[tuple[str, str]]:
    """A file with a sample of a table in partitions, for those who need one in memory; and a sentence about it."""
    from glade.scale.partitions import open_partitions

    table = open_partitions(path)
    with tempfile.TemporaryDirectory() as folder:
        file, sample = Path(folder) / "sample.parquet", table.sample(SHOWN_ROWS)
        sample.to_parquet(file, index=False)
        yield str(file), f"note     {len(sample):,} of {len(table):,} rows are looked at, drawn at random"


@contextmanager
def in_one_file(path: str) -> Iterator[tuple[str, list[str]]]:
    """A table for those who need it in memory: the file itself, or one with a sample of a table in parts, and notes."""
    if not is_in_parts(path):
        yield path, []
        return
    with sample_in_file(path) as (file, said):
        yield file, [said]


@contextmanager
def row_in_file(path: str, row: int) -> Iterator[str]:
    """A file with one row of a table in partitions."""
    import pandas as pd

    from glade.scale.partitions import open_partitions

    table = open_partitions(path)
    if not 0 <= row < len(table):
        raise InputError(f"there is no row {row}: {show_name(path)} has rows 0 to {len(table) - 1}")
    part = next(part for part in table.parts if part.start <= row < part.start + part.n_rows)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "row.parquet"
        pd.concat(list(part.draw(table.columns, lambda numbers: numbers == row))).to_parquet(file, index=False)
        yield str(file)


def _describe_parts(table: Any, n_inputs: int, targets: Any, how: How) -> list[str]:
    """How large a table in partitions is, what reads it, and what it is to predict."""
    from glade.scale.memory import read_memory, show_bytes

    n_parts = "1 part" if len(table.parts) == 1 else f"{len(table.parts):,} parts"
    means = "workers of the cluster" if how.cluster else f"{show_bytes(read_memory(how.memory))} of memory"
    return [
        f"table    {len(table):,} rows x {n_inputs + len(targets):,} columns in {n_parts},"
        f" {show_bytes(table.bytes_as_doubles)} as numbers: read in parts, with {means}",
        f"target   {', '.join(map(show_name, targets))}",
    ]


def fit_in_parts(path: str, output: str, page: str | None, columns: Any, how: How, given: dict[str, Any]) -> Any:
    """Fit a model to a table in partitions, save it, and say how good it is; returns the model."""
    from glade.cli.decisions import decide
    from glade.cli.outputs import tell_lines
    from glade.cli.stored_models import blame_input
    from glade.core.progress import ProgressLines, progress_to
    from glade.models.warm_up import warm_up
    from glade.scale.partitions import open_partitions

    choice = _suit(ModelRequest(**given))
    table = open_partitions(
        path, cluster=how.cluster, memory=how.memory, resume=f"{output}.resume" if how.resume else None
    )
    columns, inputs, notes = find_columns(table, columns)
    head = table[list(columns.targets)].head(LOOKED_AT)
    nominal = [name for name in columns.targets if _is_nominal(head[name])]
    model = make_model(choice, nominal, len(columns.targets))
    decide(model, head.astype(dict.fromkeys(nominal, "category")), choice.events, choice.threshold, choice.cost)
    tell_lines(wrap_all([*_describe_parts(table, len(inputs), columns.targets, how), *notes]))
    warm_up()
    start = time.monotonic()
    with (
        warnings.catch_warnings(record=True) as caught,
        blame_input(),
        ProgressLines("fitting, step") as shown,
        progress_to(shown),
    ):
        warnings.simplefilter("always")
        others = {"sample_weight": columns.weight, "groups": columns.group}
        targets = columns.targets[0] if len(columns.targets) == 1 else list(columns.targets)
        model.fit(table[inputs], table[targets], **{key: name and table[name] for key, name in others.items()})
    model.set_params(**({"n_jobs": None} if "n_jobs" in model.get_params() else {}))
    model.save(output)
    seconds = round(time.monotonic() - start)
    said = dict.fromkeys(f"note     {note.message}" for note in caught)
    tell_lines(wrap_all([*said, f"fitted   in {seconds // 60}:{seconds % 60:02d}", *_tell_errors(model)]))
    if page:
        sample = table.sample(SHOWN_ROWS)
        from glade.report.page import write_report

        write_report(model, sample[inputs], sample[list(columns.targets)], page, name=Path(path).name)
    return model


def _suit(choice: ModelRequest) -> ModelRequest:
    """The choice with the library's own number of folds, two, where the user has named none."""
    if choice.model in IN_MEMORY:
        raise InputError(
            f"--model {choice.model} needs the table in memory: fit it to a sample, which"
            " glade.open_partitions(...).sample(100_000) takes in Python"
        )
    context = click.get_current_context()
    for name in NOT_HERE:
        if context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise InputError(f"--{name} needs the table in memory, and it is read in parts: leave it out")
    if context.get_parameter_source("folds") != ParameterSource.COMMANDLINE:
        return replace(choice, folds=0)
    if choice.folds < 2 and choice.model in RULE_MODELS:
        raise InputError(f"--folds {choice.folds} is too few for a table in parts: give at least 2, or leave it out")
    return choice


def find_columns(table: Any, options: Any) -> tuple[Any, list[str], list[str]]:
    """The columns that are named, those that are inputs, and what is to be said of others.

    Times, and text or whole numbers of which the first rows all differ, are left out.
    """
    from glade.cli.tables import check_names
    from glade.data.identifiers import looks_like_identifier
    from glade.data.table import read_table

    options = options.of_columns(list(table.columns))
    check_names((*options.targets, *options.keep, *options.set_aside), table.columns)
    free = [name for name in table.columns if name not in {*options.targets, *options.set_aside}]
    known = ("numbers", "text", "truth values", "ordered categories")
    strange = [name for name in free if table.types[name] not in known]
    inputs = [name for name in free if name not in strange]
    if not inputs:
        raise InputError("no column is left to predict from: name fewer targets, drop fewer columns")
    columns = read_table(table[inputs].head(LOOKED_AT)).columns
    alike = [own.name for own in columns if own.name not in options.keep and looks_like_identifier(own)]
    alike = alike if len(alike) < len(inputs) else []
    notes = [f"note     {list_names(strange)} left out: neither numbers nor text (--drop)"] if strange else []
    notes += [f"note     {list_names(alike)} left out: the first rows all differ (--keep)"] if alike else []
    return options, [name for name in inputs if name not in alike], notes


def _is_nominal(column: Any) -> bool:
    """Whether a target is one of classes: text, truth values, or two whole numbers."""
    from glade.cli.tables import FEW_VALUES

    if column.dtype.kind not in "iuf":
        return True
    known = column.dropna()
    return known.nunique() <= FEW_VALUES and bool((known == known.round()).all())


def _tell_errors(model: Any) -> list[str]:
    """The metrics of rows that models had not seen."""
    from glade.cli.outputs import show_amount
    from glade.models.errors import KeepsMetrics

    if not isinstance(model, KeepsMetrics) or "metrics_" not in vars(model):
        return []
    lines = []
    for name, own in model.errors_.groupby("target", sort=False):
        figures = [
            f"{row.metric} {show_amount(row.value)} ± {show_amount(row.standard_error)}" for row in own.itertuples()
        ]
        lines.append(f"error    {show_name(str(name))}: {', '.join(figures)}, on rows held out")
    return lines


def predict_parts(model: Any, path: str, folder: str, force: bool) -> list[str]:
    """Write the predictions for a table in partitions, a Parquet file for each part; returns what to say."""
    from glade.scale.outputs import write_parts
    from glade.scale.partitions import open_partitions

    check_folder_of_parts(folder, force)
    table = open_partitions(path)
    names: Sequence[str] = model.schema_.names
    from glade.cli.tables import check_names

    check_names(names, table.columns)
    written = write_parts(model, table[list(names)], folder)
    return [f"wrote {folder}: {len(table):,} rows in {len(written):,} files"]


def check_folder_of_parts(folder: str, force: bool) -> None:
    """Refuse a folder that holds something, unless the user says otherwise."""
    if Path(folder).is_file():
        raise InputError(f"{show_name(folder)} is a file: name a folder for the predictions of a table in parts")
    if Path(folder).is_dir() and any(Path(folder).iterdir()) and not force:
        raise InputError(f"{show_name(folder)} holds files already: --force to write among them, or name another")
