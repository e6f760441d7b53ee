"""`glade compare`: how well the targets of a table can be predicted, and by what."""

import io
from pathlib import Path
from typing import Any

import click

from glade.cli.estimators import MAX_RULES, MODELS, ModelRequest, is_for, make_forest, make_model, suit_folds
from glade.cli.options import take_columns, with_column_options
from glade.core.kinds import FOREST, RULES

PICTURES = (".png", ".svg", ".pdf")


@click.command()
@click.argument("table")
@with_column_options
@click.option(
    "--model",
    "names",
    multiple=True,
    type=click.Choice(MODELS),
    help="Compare these, as `glade fit` fits them.  [trees, a forest, rules]",
)
@click.option("--folds", default=5, show_default=True, help="Folds of the cross-validation.")
@click.option("--repetitions", default=1, show_default=True, help="How often folds are drawn anew.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of the folds.")
@click.option("--jobs", default=1, show_default=True, help="Processes; -1 for one on each core.")
@click.option("--store", metavar="DIR", help="Keep finished fits here, and go on from them.")
@click.option("--plot", metavar="FILE", help="Draw the losses of all folds (.png, .svg, .pdf).")
@click.option("--csv", metavar="FILE", help="Write the long table: a row for each fold, target and metric.")
def compare(table: str, plot: str | None, csv: str | None, **given: Any) -> None:
    """Compare models on TABLE (CSV, Parquet, ARFF): a baseline, trees, a forest, rules."""
    from glade.cli.description import describe_table
    from glade.cli.outputs import echo_lines, tell_lines
    from glade.cli.summary import list_notes, summarise, tell_differences
    from glade.cli.tables import open_table

    _check_outputs(plot, csv)
    show = echo_lines if plot is None and csv is None else tell_lines
    data = open_table(table, take_columns(given))
    show(describe_table(data))
    result = _compare_models(Path(table).name, data, **given)
    written = _write(result, plot, csv)
    show(f"note     {note}" for note in list_notes(result))
    show(("", *summarise(result), "", *tell_differences(result)))
    show(f"wrote {path}" for path in written)


def _compare_models(
    name: str,
    data: Any,
    names: tuple[str, ...],
    folds: int,
    repetitions: int,
    seed: int,
    jobs: int,
    store: str | None,
) -> Any:
    from glade.evaluate.baseline import Baseline
    from glade.evaluate.harness import compare as compare_models

    return compare_models(
        {"mean or mode": Baseline(), **_make_models(data, names)},
        {name: (data.X, data.y, data.groups)},
        sample_weight=data.weights,
        folds=folds,
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
        store=store,
    )


def _make_models(data: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The models of these names; by default trees, a forest, and rules where there are rules for such targets."""
    from glade import MixedTree
    from glade.cli.tables import list_nominal

    targets = list_nominal(data.y), data.y.shape[1]
    if names:
        made = {name: make_model(ModelRequest(name), *targets) for name in names}
        return {name: suit_folds(model, data.n_groups) for name, model in made.items()}
    models = {
        "tree": MixedTree(),
        "pruned tree": MixedTree(ccp_alpha="cv"),
        "small tree": MixedTree(ccp_alpha="cv", ccp_rule="1se"),
        FOREST: make_forest(ModelRequest(FOREST), *targets),
    }
    if is_for(RULES, *targets):
        models[f"{MAX_RULES} rules"] = make_model(ModelRequest(RULES), *targets)
    return {name: suit_folds(model, data.n_groups) for name, model in models.items()}


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
    from glade.cli.outputs import write_text
    from glade.core.files import write_whole
    from glade.core.spreadsheets import to_csv

    if plot is not None:
        import matplotlib

        matplotlib.use("agg")  # a file needs no screen
        buffer = io.BytesIO()
        result.plot_folds().figure.savefig(buffer, format=Path(plot).suffix.lower().lstrip("."), dpi=120)
        write_whole(Path(plot), buffer.getvalue())
    if csv is not None:
        write_text(csv, to_csv(result.frame()))
    return [path for path in (plot, csv) if path is not None]
