"""`glade archetype`: one tree that says what any saved model says, as nearly as a tree of its size can."""

import warnings
from typing import Any

import click

from glade.cli.options import SizeType, force_option, take_reading, with_reading_options
from glade.cli.width import end_with, wrap
from glade.core.kinds import MULTITREE

MAX_LEAVES = 20
OWN_SETTINGS = ("max_leaf_nodes", "random_state")  # which have options of their own


@click.command()
@click.argument("model")
@click.argument("table")
@click.option(
    "--max-leaves",
    type=SizeType(("none",)),
    default=MAX_LEAVES,
    show_default=True,
    metavar="N|none",
    help="The most leaves; none: as large as it grows.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of the rows it invents.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any parameter of glade.archetype.")
@click.option("-o", "--output", metavar="TREE", required=True, help="Write the tree here.")
@with_reading_options
@force_option
def archetype(
    model: str,
    table: str,
    max_leaves: int | str,
    seed: int,
    settings: tuple[str, ...],
    output: str,
    force: bool,
    **given: Any,
) -> None:
    """Write the tree that is most like MODEL to a file; TABLE has rows such as those that MODEL was fitted to.

    The tree is a model like any other: predict, rules, explain, report and export take it. Of a multitree it is one of
    its own trees.
    """
    from glade.cli.outputs import check_output, tell_lines
    from glade.cli.show import choose_targets, show_model
    from glade.cli.stored_models import blame_input, open_model, read_inputs, tell_notes

    check_output(output, force)
    fitted = open_model(model)
    X = read_inputs(table, fitted, take_reading(given))
    limit = None if max_leaves == "none" else max_leaves
    with warnings.catch_warnings(record=True) as notes, blame_input():
        warnings.simplefilter("always")
        tree = _find(fitted, X, {"max_leaf_nodes": limit, "random_state": seed}, settings)
    tell_notes(notes)
    tree.save(output)
    tell_lines([*show_model(tree, choose_targets(tree, ())), "", *wrap(_tell_likeness(tree, fitted), 2)])
    tell_lines(end_with(f"wrote {output}", f"explain {output} {table} --row 0"))


def _find(fitted: Any, X: Any, own: dict[str, Any], settings: tuple[str, ...]) -> Any:
    """The tree, by whoever can say it best: a multi-tree knows its own."""
    from inspect import signature

    from glade import archetype as find_archetype
    from glade.cli.settings import check_known, read_settings

    find: Any = fitted.archetype if fitted.kind == MULTITREE else find_archetype
    known = [name for name in signature(find).parameters if name not in ("model", "X", *OWN_SETTINGS)]
    chosen = read_settings(settings)
    check_known(chosen, known, "an archetype")
    return fitted.archetype(**own, **chosen) if fitted.kind == MULTITREE else find_archetype(fitted, X, **own, **chosen)


def _tell_likeness(tree: Any, fitted: Any) -> str:
    """How well the tree agrees with the model."""
    if fitted.kind == MULTITREE:
        return f"of its trees of that size the one most like all of them (likeness {tree.similarity_:.0%})"
    if tree.target_schema_.classes[0] is None:
        return f"it follows {tree.agreement_:.0%} of the variation in the model's predictions for other rows"
    return f"it agrees with the model on {tree.agreement_:.0%} of other rows"
