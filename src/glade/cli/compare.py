"""`glade compare`: how well the targets of a table can be predicted, and by what."""

import io
from pathlib import Path
from typing import Any

import click

from glade.cli.options import COLUMNS, with_column_options

PICTURES = (".png", ".svg", ".pdf")


@click.command()
@click.argument("table")
@with_column_options
@click.option("--group", metavar="COL", help="Keep the rows of a group in one fold.")
@click.option("--folds", default=5, show_default=True, help="Folds of the cross-validation.")
@click.option("--repetitions", default=1, show_default=True, help="How often folds are drawn anew.")
@click.option("--seed", default=0, show_default=True, help="Of the folds.")
@click.option("--jobs", default=1, show_default=True, help="Processes; -1 for one on each core.")
@click.option("--store", metavar="DIR", help="Keep finished fits here, and go on from them.")
@click.option("--plot", metavar="FILE", help="Draw the losses of all folds (.png, .svg, .pdf).")
@click.option("--csv", metavar="FILE", help="Write the long table: a row for each fold, target and metric.")
def compare(table: str, plot: str | None, csv: str | None, **given: Any) -> None:
    """Compare models on TABLE (.csv, .csv.gz, .parquet): a baseline, a tree, pruned trees."""
    from glade.cli.outputs import echo_lines
    from glade.cli.summary import list_notes, summarise, tell_differences
    from glade.cli.tables import TableOptions, open_table

    _check_outputs(plot, csv)
    columns = {name: given.pop(name) for name in (*COLUMNS, "group")}
    data = open_table(table, TableOptions(**columns))
    echo_lines(data.describe())
    result = _compare_models(Path(table).name, data, **given)
    echo_lines(f"note     {note}" for note in list_notes(result))
    echo_lines(("", *summarise(result), "", *tell_differences(result)))
    echo_lines(f"wrote {path}" for path in _write(result, plot, csv))


def _compare_models(name: str, data: Any, folds: int, repetitions: int, seed: int, jobs: int, store: str | None) -> Any:
    from glade import MixedTree
    from glade.evaluate.baseline import Baseline
    from glade.evaluate.harness import compare as compare_models

    models = {
        "mean or mode": Baseline(),
        "tree": MixedTree(),
        "pruned tree": MixedTree(ccp_alpha="cv"),
        "small tree": MixedTree(ccp_alpha="cv", ccp_rule="1se"),
    }
    return compare_models(
        models,
        {name: (data.X, data.y, data.groups)},
        folds=folds,
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
        store=store,
    )


def _check_outputs(plot: str | None, csv: str | None) -> None:
    """Before any work: can what was asked for be written?"""
    from glade.cli.outputs import check_folder
    from glade.core.errors import InputError
    from glade.core.names import quote_name

    if plot is not None:
        import matplotlib  # noqa: F401  # a missing one is told now

        if Path(plot).suffix.lower() not in PICTURES:
            raise InputError(f"{quote_name(plot)} is no picture: end it in {', '.join(PICTURES)}")
    for path in filter(None, (plot, csv)):
        check_folder(path)


def _write(result: Any, plot: str | None, csv: str | None) -> list[str]:
    """Write the files that were asked for."""
    from glade.cli.outputs import to_csv, write_text
    from glade.core.files import write_whole

    if plot is not None:
        import matplotlib

        matplotlib.use("agg")  # a file needs no screen
        buffer = io.BytesIO()
        result.plot_folds().figure.savefig(buffer, format=Path(plot).suffix.lower().lstrip("."), dpi=120)
        write_whole(Path(plot), buffer.getvalue())
    if csv is not None:
        write_text(csv, to_csv(result.frame()))
    return [path for path in (plot, csv) if path is not None]
