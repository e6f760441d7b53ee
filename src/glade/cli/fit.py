"""`glade fit`: a model from a table, how good it is, what it says, where it was written."""

import time
import warnings
from pathlib import Path
from typing import Any

import click

from glade.cli.decisions import decide, threshold_options
from glade.cli.estimators import (
    BOOSTING,
    MODELS,
    RULE_MODELS,
    SCORE_CARD,
    SOFT_RULES,
    ModelRequest,
    make_model,
    make_yardstick,
    suit_folds,
)
from glade.cli.options import force_option, model_options, no_data_option, take_columns, with_column_options
from glade.cli.partitions import fit_in_parts, is_in_parts, partition_options, take_how
from glade.cli.width import end_with, fit_table, wrap, wrap_all
from glade.core.kinds import FOREST, MULTITREE, RULES, TREE
from glade.core.layout import show_count
from glade.files.read import stem_of

MAX_DEPTH = 6  # of a tree that is printed
FRACTIONS = {2: "half", 3: "a third", 5: "a fifth"}  # of the rows, that a fold holds out
MAX_INPUTS = 10  # of a forest that are listed
MAX_LEAVES = 20  # of a multi-tree's archetype that is printed
LOSSES = ("squared", "huber", "poisson", "quantile")
LABELS = dict.fromkeys(MODELS, "these rules") | {
    TREE: "this tree",
    FOREST: "forest",
    MULTITREE: "all its trees",
    SCORE_CARD: "this card",
}


@click.command()
@click.argument("table")
@with_column_options
@click.option("--test", metavar="TABLE", help="Tell the error on this held-out table too.")
@model_options(MODELS)
@click.option("--monotone", multiple=True, metavar="COL=up|down", help="Predictions may only rise (fall) with COL.")
@click.option("--loss", type=click.Choice(LOSSES), default=LOSSES[0], show_default=True, help="Of numeric targets.")
@click.option("--quantile", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="Which one.  [0.5]")
@click.option(
    "--event", "events", multiple=True, metavar="LABEL", help="Of two classes the one to look for; also TARGET=LABEL."
)
@threshold_options
@click.option("--folds", type=click.IntRange(0), default=5, show_default=True, help="For the error; 0: none.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of all that is random.")
@click.option("--jobs", default=-1, show_default=True, help="Cores to use; -1 for all.")
@click.option("-o", "--output", metavar="FILE", help="Write the model here.  [TABLE with the ending .glade]")
@click.option("--report", "page", metavar="PAGE", help="Write a page that shows the model here.")
@partition_options
@no_data_option
@force_option
def fit(
    table: str,
    test: str | None,
    output: str | None,
    page: str | None,
    no_data: bool,
    force: bool,
    **given: Any,
) -> None:
    """Fit a model to TABLE (CSV, Parquet, ARFF), print its error and its rules, and write it to a file.

    Parquet that is larger than --memory, a folder of such files or a pattern ('parts/*.parquet') is read in parts.
    """
    from glade.cli.cross_validation import check_folds, collect_unseen, show_errors
    from glade.cli.description import describe_table
    from glade.cli.outputs import check_output, tell_lines
    from glade.cli.tables import list_nominal, open_held_out, open_table
    from glade.core.progress import ProgressLines, expect_steps, progress_to
    from glade.evaluate.own_folds import STEPS_OF_FIT
    from glade.models.warm_up import warm_up

    path = output or f"{stem_of(table).replace('*', '') or 'model'}.glade"
    check_output(path, force)
    if page:
        check_output(page, force)
    columns, reading = take_columns(given), take_how(given)
    if is_in_parts(table, reading):
        model = fit_in_parts(table, path, page, columns, reading, given)
        tell_lines(("", *_show(model), "", *wrap(f"wrote {f'{path}, {page}' if page else path}")))
        return
    data = open_table(table, columns)
    held_out = open_held_out(test, data, columns) if test else None
    choice = ModelRequest(**given)
    check_folds(choice.folds, data)
    nominal = list_nominal(data.y)
    model = make_model(choice, nominal, data.y.shape[1])
    decide(model, data.y, choice.events, choice.threshold, choice.cost)
    if model.kind != RULES:  # whose folds are those that were checked
        model = suit_folds(model, data.n_groups)
    tell_lines((*describe_table(data), *wrap_all(_tell_unknown(data.y))))
    warm_up(soft=choice.model == SOFT_RULES)  # one wait, whatever the table is like
    with ProgressLines("fitting, step") as shown, progress_to(shown):
        expect_steps(_count_others(choice, held_out) * STEPS_OF_FIT)
        said = _fit(model, data)
        if model.kind != RULES:  # the folds have a line of their own
            shown.close()
        errors = _estimate_errors(model, choice, nominal, data, held_out)
    tell_lines(wrap_all(said))
    _set_threads(model, None)  # the cores are those of this run, not of the model
    model.save(path)
    if page:
        unseen = collect_unseen(next(iter(errors.values()))) if choice.folds else None
        about = {"name": Path(table).name, "with_rows": not no_data, "unseen": unseen}
        _write_page(model, data, errors, page, saved=path, **about)
    for how, result in errors.items():
        tell_lines(show_errors(result, how))
    tell_lines(("", *_show(model), ""))
    new = test or table
    following = f"explain {path} {new} --row 0"
    if choice.model == MULTITREE:
        following = f"archetype {path} {new} -o {Path(path).stem}-tree.glade"
    tell_lines(end_with(f"wrote {f'{path}, {page}' if page else path}", following))


def _write_page(model: Any, data: Any, errors: dict[str, Any], page: str, *, saved: str, **how: Any) -> None:
    """Write the page with the last of the errors; where that fails, the user knows that the model is saved."""
    from glade.cli.cross_validation import describe_errors
    from glade.cli.outputs import tell_lines
    from glade.report import page as report

    measured = [describe_errors(result, words) for words, result in errors.items()]
    try:
        report.write_report(model, data.X, data.y, page, errors=measured[-1] if measured else None, **how)
    except BaseException:
        tell_lines([f"wrote {saved}, but not {page}"])
        raise


def _tell_unknown(y: Any) -> list[str]:
    """How rows are used in which targets are unknown."""
    unknown = y.isna()
    n_none, n_some = int(unknown.all(axis=1).sum()), int((unknown.any(axis=1) & ~unknown.all(axis=1)).sum())
    lines = [f"note     {n_none:,} row(s) know no target and are not used"] if n_none else []
    return lines + ([f"note     {n_some:,} row(s) know some targets only and count for these"] if n_some else [])


def _fit(model: Any, data: Any) -> list[str]:
    """Fit; returns what was done and what the fit warned of."""
    from glade.cli.stored_models import blame_input
    from glade.cli.summary import SAID
    from glade.evaluate.fit_parameters import find_fit_parameters

    start = time.monotonic()
    with warnings.catch_warnings(record=True) as caught, blame_input():
        warnings.simplefilter("always")
        y = data.y if data.y.shape[1] > 1 else data.y.iloc[:, 0]
        model.fit(data.X, y, **find_fit_parameters(model, data.groups, data.weights))
    seconds = round(time.monotonic() - start)
    notes = [f"note     {note.message}" for note in caught if SAID not in str(note.message)]
    return [*notes, f"fitted   {_describe(model)}, {seconds // 60}:{seconds % 60:02d}", *_tell_coming_back(model)]


def _tell_coming_back(model: Any) -> list[str]:
    """How much there is to read, and how much of it the models of the fit's folds have too."""
    if model.kind != RULES or not model.size_.terms:
        return []
    size, n_folds = model.size_, model.held_out_.fold.max() + 1
    read = f"         {_count(size.terms, 'term')}, {_count(size.conditions, 'condition')}"
    comes_back = getattr(model, "comes_back_", None)
    if n_folds not in FRACTIONS or comes_back is None:
        return [read]
    n_back = round(float(comes_back.sum()))
    return [f"{read}; {n_back:,} of the {size.terms:,} come back when {FRACTIONS[n_folds]} of the rows is left out"]


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _describe(model: Any) -> str:
    """How large a fitted model is, and what it was made of."""
    from glade.rules.wording import count_terms

    size = model.size_
    if model.kind == RULES and not hasattr(model, "generator_"):
        return f"{_count(size.rules, 'rule')} in a list"
    if model.kind == RULES:
        forests = model.generator_ if isinstance(model.generator_, list) else [model.generator_]
        n_trees, n_nodes = (sum(getattr(forest.size_, part) for forest in forests) for part in ("trees", "nodes"))
        return f"{n_trees:,} trees of {n_nodes:,} nodes, {count_terms(size.rules, size.terms - size.rules)} kept"
    if model.kind == MULTITREE:
        return f"{show_count(model.n_solutions_)} trees in one of {size.leaves:,} leaves"
    trees = "1 tree" if size.trees == 1 else f"{size.trees:,} trees"
    return f"{trees} of {size.leaves:,} leaves"


def _count_others(choice: ModelRequest, held_out: Any) -> int:
    """How many models, of no input and boosted, are fitted beside the one at hand."""
    n_folds = choice.folds if choice.model in RULE_MODELS else 0  # others have a progress of their own
    return 2 * (n_folds + (held_out is not None))


def _estimate_errors(model: Any, choice: ModelRequest, nominal: list[str], data: Any, held_out: Any) -> dict[str, Any]:
    """The errors in folds and on the held-out table, beside those of boosted trees and of no model at all."""
    from sklearn.base import clone

    from glade.cli.cross_validation import add_drawn, cross_validate, read_own_folds, test_on

    label, others = LABELS[choice.model], {BOOSTING: make_yardstick(choice, nominal, data.y.shape[1])}
    errors = {}
    if choice.folds and model.kind == RULES:  # the folds by which the fit has chosen
        own = read_own_folds(label, model, others, data, choice.jobs)
        n_folds = len(own.folds())
        errors[f"{n_folds}-fold error" if n_folds > 1 else "error on rows held out"] = own
    elif choice.folds:
        models = add_drawn({**others, label: clone(model)}, model)
        for one in models.values():
            _set_threads(one, 1)  # the folds take the cores
        errors[f"{choice.folds}-fold error"] = cross_validate(models, data, choice.folds, choice.seed, choice.jobs)
    if held_out is not None:
        errors[f"error on {len(held_out.X):,} other rows"] = test_on(label, model, others, data, held_out, choice.jobs)
    return errors


def _set_threads(model: Any, n_jobs: int | None) -> None:
    if "n_jobs" in model.get_params():
        model.set_params(n_jobs=n_jobs)


def _show(model: Any) -> list[str]:
    """The model for a person to read; of a forest, what it looks at; of a multi-tree, one of its trees."""
    from glade.cli.show import choose_targets, show_model

    if model.kind == MULTITREE:
        tree = model.archetype(max_leaf_nodes=MAX_LEAVES)
        like = f"of its trees with at most {MAX_LEAVES} leaves, the one most like all of them ({tree.similarity_:.0%}):"
        return [*wrap(like, 0), *show_model(tree, choose_targets(tree, ()), MAX_DEPTH)]
    if model.kind == FOREST:
        from glade.core.names import show_name

        shares = sorted(zip(model.feature_importances_, model.schema_.names, strict=True), reverse=True)
        rows = [[show_name(name), f"{share:.0%}"] for share, name in shares[:MAX_INPUTS]]
        return fit_table([["input", "importance"], *rows], [False, True], 0)
    return show_model(model, choose_targets(model, ()), MAX_DEPTH)
