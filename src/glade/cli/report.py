"""`glade report`: a page that shows a model to a person."""

import warnings
from pathlib import Path
from typing import Any

import click

from glade.cli.options import force_option, no_data_option, take_reading, with_reading_options
from glade.cli.partitions import in_one_file
from glade.core.kinds import FOREST, RULES
from glade.files.read import stem_of

FOLDS = 5


@click.command()
@click.argument("model")
@click.argument("table")
@click.option("-o", "--output", metavar="PAGE", help="Write the page here.  [TABLE with the ending -report.html]")
@click.option(
    "--folds",
    type=click.IntRange(0),
    help=f"Fit the model again in so many folds for its error; 0: do not.  [{FOLDS}; rules: 0, they know theirs]",
)
@click.option("--jobs", default=1, show_default=True, help="Cores to use for the folds; -1 for all.")
@no_data_option
@force_option
@with_reading_options
def report(
    model: str,
    table: str,
    output: str | None,
    folds: int | None,
    jobs: int,
    no_data: bool,
    force: bool,
    **given: Any,
) -> None:
    """Write one HTML page about MODEL and TABLE: how good it is, its rules, a what-if panel. It needs no network.

    Of a folder or a pattern of Parquet files ('parts/*.parquet') rows are drawn at random.
    """
    from glade.cli.outputs import check_output, tell_lines
    from glade.cli.stored_models import blame_input, open_model, read_rows, tell_notes
    from glade.report.page import write_report

    page = output or f"{stem_of(table).replace('*', '') or 'table'}-report.html"
    check_output(page, force)
    fitted = open_model(model)
    with in_one_file(table) as (file, said):
        X, y = read_rows(file, fitted, take_reading(given))
    n_folds = (0 if fitted.kind == RULES else FOLDS) if folds is None else folds
    with warnings.catch_warnings(record=True) as notes, blame_input():
        warnings.simplefilter("always")
        measured = _cross_validate(fitted, X, y, n_folds, jobs) if n_folds and y is not None else {}
        write_report(fitted, X, y, page, name=Path(table).name, with_rows=not no_data, **measured)
    tell_notes(notes)
    tell_lines([*said, f"wrote {page} ({Path(page).stat().st_size / 1e6:.1f} MB): open it in a browser"])


def _cross_validate(fitted: Any, X: Any, y: Any, folds: int, jobs: int) -> dict[str, Any]:
    """Errors in folds of the table, beside those of boosted trees and of a guess, and what the model said there."""
    from sklearn.base import clone

    from glade.cli.cross_validation import add_drawn, collect_unseen, cross_validate, describe_errors
    from glade.cli.estimators import BOOSTING, ModelRequest, make_yardstick
    from glade.cli.tables import UserTable, list_nominal
    from glade.data.folds import check_fold_count

    check_fold_count(folds, len(X))
    model = clone(fitted).set_params(missing_targets="ignore")
    rivals = {BOOSTING: make_yardstick(ModelRequest(FOREST, seed=0), list_nominal(y), y.shape[1])}
    data = UserTable(X, y, None, None, X.shape[1] + y.shape[1], (), {}, [])
    models = add_drawn({**rivals, "this model": model}, model)
    result = cross_validate(models, data, folds, 0, jobs)
    return {"errors": describe_errors(result, f"{folds}-fold error"), "unseen": collect_unseen(result)}
