"""The fit of an estimator to a table in partitions: a look, a fit of a sample in memory, passes over all rows."""

from copy import copy
from numbers import Integral
from typing import Any

import numpy as np

from glade.core.errors import InputError
from glade.core.kinds import RULES
from glade.core.notices import warn_user
from glade.core.progress import follow
from glade.core.seeds import draw_seed
from glade.data.groups import Groups
from glade.data.table import Table
from glade.models.base import TrainingSet
from glade.models.errors import JudgedOnUnseen, measure_errors
from glade.models.folds import FOLDS_OF_MANY
from glade.models.rule_ensemble import RuleEnsembleEstimator
from glade.models.rule_stages import ENOUGH_ROWS
from glade.scale.checkpoints import Checkpoints, LookForm
from glade.scale.draws import JUDGE, SAMPLE
from glade.scale.honest import correct_metrics
from glade.scale.look import Look, LookAtPart
from glade.scale.partitions import DrawRows, Partitions
from glade.scale.reading import Reader
from glade.scale.refine import AllRows
from glade.scale.roles import Roles

MANY_ROWS = 1_000_000  # of the sample, for what gains by more rows: trees, forests, models of all terms
JUDGED_ROWS = 100_000  # beside the sample, by which trees and forests are judged
MOST_CELLS = 100_000_000  # of the sample: 800 MB as doubles


def fit_model(model: Any, table: Partitions, roles: Roles) -> None:
    """Fit an estimator; it is left as it was where that fails.

    Parameters
    ----------
    model
        The estimator.
    table
        The inputs.
    roles
        Which columns are inputs, targets, weights and groups.
    """
    if isinstance(model, RuleEnsembleEstimator):
        check_folds(model)
    seed = draw_seed(model.random_state)
    kept, executor = Checkpoints.at(table.resume), table.make_executor(getattr(model, "n_jobs", None))
    n_rows = count_sample(model, len(table), len(roles.columns))
    draw = DrawRows(roles.columns, n_rows / len(table), seed, SAMPLE)
    found = Look()
    judge = None if model.kind == RULES else DrawRows(roles.columns, JUDGED_ROWS / len(table), seed, JUDGE)
    looks = kept.map("look", executor, LookAtPart(roles.columns, draw, judge), table.parts, LookForm())
    for own in follow("look, part", looks, len(table.parts)):
        found.add(own)
    sample = found.collect_sample()
    tell_sample(len(sample), found.n_rows, is_rules=model.kind == RULES)
    twin = copy(model)
    twin.random_state = seed
    X, y = sample[list(roles.inputs)], sample[list(roles.targets)]
    y = y if y.shape[1] > 1 else y.iloc[:, 0]
    weights, groups = (None if name is None else sample[name] for name in (roles.weight, roles.group))
    X, y = X.reset_index(drop=True), y.reset_index(drop=True)
    if isinstance(model, RuleEnsembleEstimator):
        numbers, is_all = sample.index.to_numpy(), len(sample) == found.n_rows
        others = AllRows(table.parts, executor, roles, seed, numbers, groups, is_all, kept)
        twin.fit_sample(X, y, weights, groups, others)
        if "metrics_" in vars(twin):
            twin.metrics_ = tuple(correct_metrics(twin.metrics_, len(sample), others.judged, twin.target_schema_))
    else:
        twin.fit(X, y, weights, groups)
        judge_on_others(twin, found, roles)
    twin.random_state = model.random_state
    vars(model).clear()
    vars(model).update(vars(twin))


def judge_on_others(model: Any, found: Look, roles: Roles) -> None:
    """Keep how good a forest's predictions are of rows that it was not fitted to, if there are any."""
    if not isinstance(model, JudgedOnUnseen) or not found.others:
        return
    others = found.collect_others()
    reader = Reader(roles, model.schema_, model.target_schema_)
    rows = reader.take(others, others.index.to_numpy())
    if len(rows.numbers) == 0:
        return
    groups = None if roles.group is None else Groups.read(others[roles.group], len(others))
    table = Table.of(rows.matrix.T, model.schema_.names, model.schema_.kinds, model.schema_.labels, ())
    judged = TrainingSet(table, rows.targets, rows.weights, np.arange(len(rows.numbers)), groups)
    values = model.predict_values(rows.matrix)
    model.metrics_ = measure_errors(judged, rows.targets, values, model.target_schema_, model._number_loss)


def count_sample(model: Any, n_rows: int, n_columns: int) -> int:
    """How many rows are fitted in memory: few terms gain nothing by more than some hundred thousand."""
    few = model.kind == RULES and model.max_rules is not None and model.generator is None
    return min(n_rows, ENOUGH_ROWS if few else MANY_ROWS, max(MOST_CELLS // n_columns, 1))


def tell_sample(n_drawn: int, n_rows: int, is_rules: bool) -> None:
    """Say what is found on a sample."""
    if n_drawn < n_rows:
        what = "terms are found on" if is_rules else "trees are grown on"
        others = "; weights and errors are those of all rows" if is_rules else ""
        warn_user(f"{what} {n_drawn:,} of {n_rows:,} rows, drawn at random{others}")


def count_own_folds(settings: Any) -> int:
    """Into how many folds all rows are divided."""
    return FOLDS_OF_MANY if settings.cv is None else int(settings.cv)


def check_folds(settings: Any) -> None:
    """Refuse folds that need all rows in memory."""
    if settings.validation_fraction is not None or not (settings.cv is None or isinstance(settings.cv, Integral)):
        raise InputError(
            "a table in partitions has folds by number, drawn by the numbers of its rows: set cv to a number, and leave"
            " validation_fraction out"
        )
