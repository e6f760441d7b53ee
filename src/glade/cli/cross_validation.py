"""An honest error of the model at hand, beside one that looks at no input and boosted trees: the same folds for all."""

from typing import Any

import numpy as np

from glade.cli.outputs import show_amount
from glade.cli.width import find_width, fit_table, wrap
from glade.core.errors import InputError
from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.data.folds import check_fold_count
from glade.data.groups import Groups
from glade.evaluate.baseline import Baseline
from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from glade.evaluate.own_folds import judge_by_own_folds, judge_on_rows

MEAN = "guessing"  # always the mean, or the commonest class
METRICS = {"rmse": "RMSE", "error": "error"}  # in the target's unit; the share of wrong classes
GUESSES = {"RMSE": "the mean", "error": "the commonest class"}
SUBJECTS = {  # of others there are several
    "forest": ("this forest is", "it"),
    "this tree": ("this tree is", "it"),
    "this card": ("this card is", "it"),
}
MAX_TARGETS = 40
SAME = 1e-6  # of an error: less is no difference


def check_folds(folds: int, data: Any) -> None:
    """Folds that are asked for can be drawn."""
    if folds:
        check_fold_count(folds, len(data.X), None if data.groups is None else data.groups.factorize()[0])


def cross_validate(models: dict[str, Any], data: Any, folds: int, seed: int | None, jobs: int) -> Comparison:
    """Baseline and models on the same folds of a table; one that fails says why, instead of a table with a gap."""
    parts = (data.X, data.y, data.groups)
    return _compare(models, parts, sample_weight=data.weights, folds=folds, random_state=seed, n_jobs=jobs)


def read_own_folds(label: str, model: Any, others: dict[str, Any], data: Any, jobs: int) -> Comparison:
    """A fitted rule ensemble by what the folds of its own fit have said, beside others fitted on the same folds."""
    parts, how = (data.X, data.y, data.groups), {"sample_weight": data.weights, "n_jobs": jobs}
    return _check(judge_by_own_folds(label, model, {MEAN: Baseline(), **others}, parts, **how))


def test_on(label: str, model: Any, others: dict[str, Any], data: Any, held_out: Any, jobs: int) -> Comparison:
    """A fitted model, and others fitted to the same table, of whose groups a fit divides none, on another table."""
    import pandas as pd

    n_rows, n_others = len(data.X), len(held_out.X)
    fold = np.arange(n_rows), np.arange(n_rows, n_rows + n_others)
    X, y = (pd.concat(parts, ignore_index=True) for parts in ((data.X, held_out.X), (data.y, held_out.y)))
    groups = None if data.groups is None else _number_groups(data.groups, n_others)
    weights = None if data.weights is None else pd.concat([data.weights, held_out.weights], ignore_index=True)
    models, how = {MEAN: Baseline(), **others}, {"sample_weight": weights, "n_jobs": jobs}
    return _check(judge_on_rows(label, model, models, (X, y, groups), fold, **how))


def _number_groups(groups: Any, n_others: int) -> Any:
    """The groups of a table as numbers, followed by one group of so many rows of another table."""
    codes = Groups.read(groups, len(groups)).codes
    return np.concatenate([codes, np.full(n_others, -1)])


def _compare(models: dict[str, Any], parts: Any, **how: Any) -> Comparison:
    return _check(compare({MEAN: Baseline(), **models}, {"table": parts}, **how))


def _check(result: Comparison) -> Comparison:
    """The comparison, unless a model could not be fitted: a table with a gap would not say why."""
    for failure in result.failures().itertuples():
        raise InputError(f"{failure.model} could not be fitted in fold {failure.fold}: {failure.error}")
    return result


def tabulate_errors(result: Comparison) -> list[tuple[str, str, list[float]]]:
    """For each target its metric, and the errors of the models."""
    table = result.frame(tuple(METRICS), by="repetition")
    metric_of = dict(zip(table["target"], table["metric"], strict=True))
    errors = table.pivot(index="target", columns="model", values="value")
    return [
        (name, METRICS[metric], [float(errors.loc[name, model]) for model in result.models])
        for name, metric in metric_of.items()
    ]


def describe_errors(result: Comparison, how: str) -> dict[str, Any]:
    """The same, as a report takes them."""
    from glade.report.error_facts import make_line

    lines = [make_line(*line) for line in tabulate_errors(result)]
    return {"how": how, "models": list(result.models), "lines": lines}


def collect_unseen(result: Comparison) -> Any:
    """What the last of the models said of the rows of the folds that held them out, as a report takes it."""
    from glade.report.honest import Unseen

    how = f"in {len(result.folds())} folds, by models that were fitted without the rows they judge"
    return Unseen(result.out_of_fold(result.models[-1]), how)


def show_errors(result: Comparison, title: str) -> list[str]:
    """A line for each target, a column for each model."""
    lines = tabulate_errors(result)
    rows = [[title, *result.models]]
    for name, metric, errors in lines[:MAX_TARGETS]:
        rows.append([f"  {show_name(name)} {metric}", *map(show_amount, errors)])
    more = [f"  … {len(lines) - MAX_TARGETS} more targets"] if len(lines) > MAX_TARGETS else []
    sides = [False, *[True] * len(result.models)]
    table = fit_table(rows, sides, 0) or align_columns(rows, sides, widest=find_width() // 3)
    return [*table, *more, *tell_harm(result)]


def tell_harm(result: Comparison) -> list[str]:
    """A warning, where the model at hand predicts worse than a guess that looks at no input; else nothing."""
    worse: dict[str, list[str]] = {}
    for name, metric, errors in tabulate_errors(result):
        guessed, own = errors[0], errors[-1]
        if own > guessed * (1.0 + SAME):
            told = f"{show_name(name)} ({metric} {show_amount(own)}, guessing {show_amount(guessed)})"
            worse.setdefault(GUESSES[metric], []).append(told)
    subject, it = SUBJECTS.get(result.models[-1], (f"{result.models[-1]} are", "them"))
    lines = []
    for guess, targets in worse.items():
        shown = [
            *targets[:MAX_TARGETS],
            *([f"{len(targets) - MAX_TARGETS} more"] if len(targets) > MAX_TARGETS else []),
        ]
        sentence = f"{subject} worse than always guessing {guess} of {', '.join(shown)}: do not predict with {it}"
        lines += wrap(f"warning  {sentence}")
    return lines
