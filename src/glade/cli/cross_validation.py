"""An honest error of the model at hand, beside one that looks at no input and boosted trees: the same folds for all."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from glade.cli.outputs import show_amount
from glade.cli.width import find_width, fit_table, wrap
from glade.core.errors import InputError
from glade.core.kinds import MULTITREE
from glade.core.layout import align_columns
from glade.core.names import join_words, show_name
from glade.data.folds import check_fold_count
from glade.data.groups import Groups
from glade.evaluate.baseline import Baseline
from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from glade.evaluate.own_folds import judge_by_own_folds, judge_on_rows
from glade.evaluate.unseen import JudgedTarget, judge_targets
from glade.report.verdicts import ERRORS, NOTHING, word_verdict

MEAN = "guessing"  # always the mean, or the commonest class
ONE_TREE = "one of its trees"  # that a multi-tree is shown by
METRICS = {"rmse": "RMSE", "error": "error"}  # in the target's unit; the share of wrong classes
GUESSES = {"RMSE": "the mean", "error": "the commonest class"}
SUBJECTS = {  # of others there are several
    "forest": ("this forest is", "it"),
    "this tree": ("this tree is", "it"),
    "this card": ("this card is", "it"),
}
MAX_TARGETS = 40
FEW = 3  # targets that a verdict names
NEARLY = 0.05  # of what varies: a model that explains so much less is nearly as good
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
    """For each target its metric, and the errors of the models over all rows that they were tested on."""
    lines = []
    for own in judge_targets(result):
        name = "rmse" if own.labels is None else "error"
        lines.append((own.name, METRICS[name], [own.measure(model)[name].value for model in result.models]))
    return lines


def describe_errors(result: Comparison, how: str) -> dict[str, Any]:
    """The same, as a report takes them."""
    from glade.report.error_facts import make_line

    lines = [make_line(*line) for line in tabulate_errors(result)]
    return {"how": how, "models": list(result.models), "lines": lines}


def add_drawn(models: dict[str, Any], model: Any) -> dict[str, Any]:
    """Before the others, of a multi-tree also the one of its trees that is shown: its errors are not those of all."""
    from glade.evaluate.drawn_tree import DrawnTree
    from glade.report.facts import MAX_LEAVES

    return {ONE_TREE: DrawnTree(model, MAX_LEAVES), **models} if model.kind == MULTITREE else models


def collect_unseen(result: Comparison) -> Any:
    """What the last of the models said of the rows of the folds that held them out, as a report takes it."""
    from glade.report.honest import Unseen

    how = f"in {len(result.folds())} folds, by models that were fitted without the rows they judge"
    drawn = result.out_of_fold(ONE_TREE) if ONE_TREE in result.models else None
    return Unseen(result.out_of_fold(result.models[-1]), how, drawn)


def show_errors(result: Comparison, title: str) -> list[str]:
    """The verdict in words; then a line for each target, a column for each model, the last with its standard error."""
    judged = judge_targets(result)
    rows = [[title, *result.models]]
    n_shown = min(len(judged), MAX_TARGETS)
    for own in judged[:n_shown]:
        measured = [own.measure(model) for model in result.models]
        for metric, shown in _choose_metrics(own, len(judged)):
            cells = [_show_figure(each[metric].value, metric) for each in measured]
            se = measured[-1][metric].standard_error
            if not np.isnan(se):
                cells[-1] += f" ± {_show_figure(se, metric, 2)}"
            rows.append([f"  {show_name(own.name)} {shown}", *cells])
    more = [f"  … {len(judged) - n_shown} more targets"] if len(judged) > n_shown else []
    sides = [False, *[True] * len(result.models)]
    table = fit_table(rows, sides, 0) or align_columns(rows, sides, widest=find_width() // 3)
    return [*wrap(f"quality  {tell_quality(judged, result.models)}"), *table, *more, *tell_harm(result)]


def _choose_metrics(own: JudgedTarget, n_targets: int) -> list[tuple[str, str]]:
    """Metrics of a target with what they are called: of few targets all that a person looks for first."""
    known, is_alone = own.measure(next(iter(own.rows))), n_targets == 1
    if own.labels is None:
        return [("rmse", "RMSE"), *([("r2", "R2")] if is_alone and "r2" in known else [])]
    more = [("auc", "AUC"), ("log_loss", "log loss")] if is_alone else []
    return [("error", "wrong"), *(pair for pair in more if pair[0] in known)]


def _show_figure(value: float, metric: str, digits: int = 0) -> str:
    """A figure with the digits that it needs."""
    if metric == "error":
        return f"{value:.1%}"
    if metric in ("auc", "log_loss", "r2"):
        return f"{value:.3f}"
    return show_amount(float(f"{value:.{digits}g}") if digits else value)


def tell_quality(judged: Sequence[JudgedTarget], models: Sequence[str]) -> str:
    """Whether the last of the models is better than guessing, and than the one before it, in words."""
    if not judged:
        return "no row is left to tell it by"
    verdicts = [_word_one(own, models[-1]) for own in judged]
    told = _count_words(verdicts, [own.name for own in judged])
    if len(models) < 3 or not any("better" in words or "perfect" in words for words in verdicts):
        return told
    gains = [own.find_gain(models[-1], models[-2]) for own in judged]
    known = [gain for gain in gains if gain is not None]
    mean = float(np.mean([gain for gain, _ in known]))
    se = float(np.sqrt(np.sum([error**2 for _, error in known]))) / len(known)
    return f"{told}, {_word_gain(mean, se)} {models[-2]}"


def _word_one(own: JudgedTarget, model: str) -> str:
    found = own.find_explained(model)
    words = NOTHING if found is None else word_verdict(*found)
    if len(own.labels or ()) < 2 or found is None:
        return words
    codes = own.rows[model].truth.astype(int)
    commonest = show_name((own.labels or ())[int(np.bincount(codes).argmax())])
    return words.replace("than guessing", f"than always guessing {commonest}")


def _count_words(verdicts: Sequence[str], names: Sequence[str]) -> str:
    """One verdict for all targets, or which is for how many of them."""
    if len(verdicts) == 1:
        return verdicts[0]
    plain = [re.sub(r"always guessing .*", "guessing", words) for words in verdicts]
    kinds = list(dict.fromkeys(plain))
    if len(kinds) == 1:
        return f"{kinds[0]} for all {len(verdicts)} targets"
    own = {words: [name for name, said in zip(names, plain, strict=True) if said == words] for words in kinds}
    told = []
    for words, who in own.items():
        named = join_words([show_name(name) for name in who]) if len(who) <= FEW else f"{len(who)} targets"
        told.append(f"{words} for {named}")
    return "; ".join(told)


def _word_gain(mean: float, se: float) -> str:
    """How a model stands beside another, by the mean difference of what they explain and its standard error."""
    if abs(mean) <= max(ERRORS * se, SAME):
        return "as good as"
    return "better than" if mean > 0 else "nearly as good as" if mean > -NEARLY else "not as good as"


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
