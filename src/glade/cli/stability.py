"""`glade stability`: whether the rules of a table come out the same again on other rows."""

from typing import Any

import click

from glade.cli.estimators import RULE_MODELS, ModelRequest, make_model, suit_folds
from glade.cli.options import model_options, take_columns, with_column_options
from glade.cli.width import fit_table, wrap
from glade.core.kinds import TREE


@click.command()
@click.argument("table")
@with_column_options
@model_options((*RULE_MODELS, TREE))
@click.option("--resamples", type=click.IntRange(2), default=20, show_default=True, help="How often to fit again.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of all that is random.")
@click.option("--jobs", default=1, show_default=True, help="Cores to use; -1 for all.")
def stability(table: str, resamples: int, **given: Any) -> None:
    """Fit a model to halves of the rows of TABLE, and print how often each of its rules comes back."""
    from glade.cli.description import describe_table
    from glade.cli.outputs import echo_lines
    from glade.cli.tables import list_nominal, open_table
    from glade.evaluate.stability import stability as find_stability

    data = open_table(table, take_columns(given))
    choice = ModelRequest(**given)
    echo_lines(describe_table(data))
    model = suit_folds(make_model(choice, list_nominal(data.y), data.y.shape[1]), data.n_groups)
    y = data.y if data.y.shape[1] > 1 else data.y.iloc[:, 0]
    shared = {"groups": data.groups, "sample_weight": data.weights, "random_state": choice.seed}
    echo_lines(("", *_show(find_stability(model, data.X, y, resamples, **shared))))


def _show(found: Any) -> list[str]:
    """The terms with how often each comes back, and how alike two fits are."""
    table = found.frame()
    shares = [f"{share:.0%}" for share in table["comes_back"]]
    rows = [["rule", "comes back"], *([*row] for row in zip(table["term"], shares, strict=True))]
    lines = fit_table(rows, [False, True], 0)
    return [
        *lines,
        "",
        *wrap(
            f"fitted {len(found.lists)} times, each time to half of the rows, with another seed: two fits have"
            f" {found.dice:.0%} of their rules in common (Dice), and their predictions correlate by"
            f" {found.correlation:.2f}. Rules are the same if their conditions agree and their cuts lie in the same"
            " tenth of the input's values.",
            0,
        ),
    ]
