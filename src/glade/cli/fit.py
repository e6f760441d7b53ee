"""`glade fit`: a model from a table, how good it is, what it says, where it was written."""

import time
import warnings
from pathlib import Path
from typing import Any

import click

from glade.cli.estimators import FIRE, FOREST, MODELS, MULTITREE, RULES, TREE, Choice, make_forest, make_model
from glade.cli.options import COLUMNS, force_option, with_column_options
from glade.core.layout import show_count

MAX_DEPTH = 6  # of a tree that is printed
MAX_INPUTS = 10  # of a forest that are listed
MAX_LEAVES = 20  # of a multi-tree's archetype that is printed
LABELS = {RULES: "these rules", FIRE: "these rules", TREE: "this tree", MULTITREE: "all its trees"}


@click.command()
@click.argument("table")
@with_column_options
@click.option("--weight", metavar="COL", help="How much each row counts.")
@click.option("--model", type=click.Choice(MODELS), default=RULES, show_default=True, help="What to fit.")
@click.option("--max-rules", type=click.IntRange(1), help="The most rules, or leaves of a tree.  [rules: 20]")
@click.option("--folds", type=click.IntRange(0), default=5, show_default=True, help="For the error; 0: none.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all that is random.")
@click.option("--jobs", default=1, show_default=True, help="Cores to use; -1 for all.")
@click.option("-o", "--output", metavar="FILE", help="Write the model here.  [TABLE with the ending .glade]")
@force_option
def fit(table: str, output: str | None, force: bool, folds: int, weight: str | None, **given: Any) -> None:
    """Fit a model to TABLE (.csv, .csv.gz, .parquet), print its error and its rules, and write it to a file."""
    from glade.cli.cross_validation import check_weights
    from glade.cli.outputs import check_output, echo_lines
    from glade.cli.tables import TableOptions, kind_of, open_table
    from glade.data.folds import check_fold_count

    path = output or name_model(table)
    check_output(path, force)
    data = open_table(table, TableOptions(**{name: given.pop(name) for name in COLUMNS}, weight=weight))
    check_weights(data.weights)
    if folds:
        check_fold_count(folds, len(data.X))
    choice = Choice(**given)
    nominal = [name for name in data.y.columns if kind_of(data.y[name]) == "nominal"]
    model = make_model(choice, nominal, data.y.shape[1])
    echo_lines((*data.describe(), *_tell_unknown(data.y)))
    echo_lines(_fit(model, data))
    if folds:
        echo_lines(_estimate_errors(model, choice, nominal, data, folds))
    echo_lines(("", *_show(model).splitlines(), ""))
    _set_threads(model, None)  # the cores are those of this run, not of the model
    model.save(path)
    following = f"predict {path} {table}" if choice.model == MULTITREE else f"explain {path} {table} --row 0"
    click.echo(f"wrote {path}      next: glade {following}")


def name_model(table: str) -> str:
    """The file for the model of a table: its name, in the current folder, with the ending .glade.

    >>> name_model("data/crops.csv.gz")
    'crops.glade'
    """
    name = Path(table).name
    for ending in (".gz", ".csv", ".parquet", ".pq"):
        name = name.removesuffix(ending)
    return f"{name or 'model'}.glade"


def _tell_unknown(y: Any) -> list[str]:
    """How rows are used in which targets are unknown."""
    unknown = y.isna()
    n_none, n_some = int(unknown.all(axis=1).sum()), int((unknown.any(axis=1) & ~unknown.all(axis=1)).sum())
    lines = [f"note     {n_none:,} row(s) know no target and are not used"] if n_none else []
    return lines + ([f"note     {n_some:,} row(s) know some targets only and count for these"] if n_some else [])


def _fit(model: Any, data: Any) -> list[str]:
    """Fit, with progress on standard error; gives what was done and what the fit warned of."""
    from glade.cli.stored_models import blame_input
    from glade.core.progress import ProgressLines, progress_to

    start = time.monotonic()
    with warnings.catch_warnings(record=True) as caught, ProgressLines() as shown, progress_to(shown), blame_input():
        warnings.simplefilter("always")
        y = data.y if data.y.shape[1] > 1 else data.y.iloc[:, 0]
        model.fit(data.X, y, sample_weight=data.weights)
    seconds = round(time.monotonic() - start)
    notes = [f"note     {note.message}" for note in caught if "target values are missing" not in str(note.message)]
    return [*notes, f"fitted   {_describe(model)}, {seconds // 60}:{seconds % 60:02d}"]


def _describe(model: Any) -> str:
    """How large a fitted model is, and what it was made of."""
    size = model.size_
    if hasattr(model, "generator_"):
        forests = model.generator_ if isinstance(model.generator_, list) else [model.generator_]
        trees, nodes = (sum(getattr(forest.size_, what) for forest in forests) for what in ("trees", "nodes"))
        return f"{trees:,} trees of {nodes:,} nodes, {size.terms:,} rules kept"
    if hasattr(model, "n_solutions_"):
        return f"{show_count(model.n_solutions_)} trees in one of {size.leaves:,} leaves"
    trees = "1 tree" if size.trees == 1 else f"{size.trees:,} trees"
    return f"{trees} of {size.leaves:,} leaves"


def _estimate_errors(model: Any, choice: Choice, nominal: list[str], data: Any, folds: int) -> list[str]:
    from sklearn.base import clone

    from glade.cli.cross_validation import cross_validate, show_errors

    models = {FOREST: make_forest(choice, nominal, data.y.shape[1])}
    if choice.model != FOREST:
        models[LABELS[choice.model]] = clone(model)
    for one in models.values():
        _set_threads(one, 1)  # the folds take the cores
    return show_errors(cross_validate(models, data, folds, choice.seed, choice.jobs), folds)


def _set_threads(model: Any, n_jobs: int | None) -> None:
    if "n_jobs" in model.get_params():
        model.set_params(n_jobs=n_jobs)


def _show(model: Any) -> str:
    """The model for a person to read; of a forest, what it looks at; of a multi-tree, one of its trees."""
    if hasattr(model, "archetype"):
        tree = model.archetype(max_leaf_nodes=MAX_LEAVES)
        like = f"of its trees with at most {MAX_LEAVES} leaves, the one most like all of them ({tree.similarity_:.0%}):"
        return f"{like}\n{tree.to_text(max_depth=MAX_DEPTH)}"
    if hasattr(model, "forests_"):
        from glade.core.layout import align_columns
        from glade.core.names import show_name

        shares = sorted(zip(model.feature_importances_, model.schema_.names, strict=True), reverse=True)
        rows = [[show_name(name), f"{share:.0%}"] for share, name in shares[:MAX_INPUTS]]
        return "\n".join(align_columns([["input", "importance"], *rows], [False, True]))
    return model.to_text(max_depth=MAX_DEPTH) if hasattr(model, "tree_") else model.to_text()
