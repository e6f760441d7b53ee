"""The fit of an estimator to a table in partitions: a look, a fit of a sample in memory, passes over all rows."""

from copy import copy
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

from sklearn.base import clone

from glade.core.errors import InputError
from glade.core.kinds import RULES
from glade.core.notices import warn_user
from glade.core.progress import follow
from glade.core.seeds import draw_seed
from glade.models.ensemble import ForestEstimator
from glade.models.errors import KeepsMetrics, measure_errors
from glade.models.folds import FOLDS_OF_MANY
from glade.models.number_loss import find_number_loss
from glade.models.rule_ensemble import RuleEnsembleEstimator
from glade.models.rule_stages import ENOUGH_ROWS
from glade.scale.checkpoints import Checkpoints, LookForm
from glade.scale.draws import JUDGE, SAMPLE
from glade.scale.executors import Executor
from glade.scale.grow import TREES_OF_A_SAMPLE, Drawn, FitSample, GrowTrees, fit_one, grow_apart, join_rows, list_tasks
from glade.scale.honest import correct_metrics
from glade.scale.look import Look, LookAtPart, sort_labels
from glade.scale.partitions import DrawRows, Partitions
from glade.scale.reading import Reader
from glade.scale.refine import AllRows
from glade.scale.roles import Roles

MANY_ROWS = 1_000_000  # of the sample, for what gains by more rows: trees, forests, models of all terms
JUDGED_ROWS = 100_000  # beside the sample, by which trees and forests are judged
NO_MATTER = {"n_estimators": 1, "n_jobs": None, "verbose": False}  # parameters that say nothing of a single tree
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
    fit = Fit(table, roles, seed, executor, kept, count_sample(model, len(table), len(roles.columns)))
    if isinstance(model, RuleEnsembleEstimator):
        twin = fit.fit_rules(copy(model))
    elif isinstance(model, ForestEstimator) and model.grows_apart and fit.n_rows < len(table):
        twin = fit.fit_forest(model)
    else:
        twin = fit.fit_sample(copy(model))
    twin.random_state = model.random_state
    if isinstance(model, ForestEstimator):
        twin.set_params(**{name: getattr(model, name) for name in NO_MATTER})
    vars(model).clear()
    vars(model).update(vars(twin))


@dataclass(frozen=True)
class Fit:
    """A fit of some estimator to a table.

    Parameters
    ----------
    table
        The inputs.
    roles
        Which columns are what.
    seed
        Of all draws.
    executor
        Does the tasks.
    kept
        What is finished of them.
    n_rows
        Of a sample.
    """

    table: Partitions
    roles: Roles
    seed: int
    executor: Executor
    kept: Checkpoints
    n_rows: int

    def fit_rules(self, twin: Any) -> Any:
        """Terms by a sample, weights and errors by all rows."""
        found = self._look(self._draw(self.n_rows, SAMPLE), None)
        sample = found.collect_sample()
        if len(sample) < found.n_rows:
            tell_sample("terms are found on", len(sample), found.n_rows, "; weights and errors are those of all rows")
        X, y, weights, groups = self.roles.divide(sample)
        numbers, is_all = sample.index.to_numpy(), len(sample) == found.n_rows
        others = AllRows(self.table.parts, self.executor, self.roles, self.seed, numbers, groups, is_all, self.kept)
        twin.random_state = self.seed
        twin.fit_sample(X, y, weights, groups, others)
        if "metrics_" in vars(twin):
            twin.metrics_ = tuple(correct_metrics(twin.metrics_, len(sample), others.judged, twin.target_schema_))
        return twin

    def fit_forest(self, model: ForestEstimator) -> Any:
        """Trees that grow where the rows are, each few on rows of their own; one sample gives kinds and edges."""
        n_rows, n_columns = self.n_rows, len(self.roles.columns)
        judge = self._draw(min(JUDGED_ROWS, len(self.table) // 10), JUDGE)
        found = self._look(self._draw(min(n_rows, ENOUGH_ROWS), SAMPLE), judge)
        tell_sample(f"each {TREES_OF_A_SAMPLE} trees are grown on their own, about", n_rows, found.n_rows)
        twin = clone(model).set_params(random_state=self.seed, **NO_MATTER)
        edges = twin.prepare_apart(*self.roles.divide(found.collect_sample()))
        reader = Reader(self.roles, twin.schema_, twin.target_schema_)
        work = GrowTrees(twin, edges, reader, self.table.parts, Drawn(n_rows / len(self.table), judge.share, self.seed))
        tasks = list_tasks(int(model.n_estimators), n_rows, n_columns, self.table.parts)
        grow_apart(work, tasks, self.executor, self.kept)
        judge_on_others(twin, found, self.roles)
        return twin

    def fit_sample(self, twin: Any) -> Any:
        """All of a model on a sample, judged on other rows if it can be."""
        draw = self._draw(self.n_rows, SAMPLE)
        others = replace(self._draw(JUDGED_ROWS, JUDGE), without=((SAMPLE, draw.share),))
        found = self._look(replace(draw, share=0.0), others)
        if self.n_rows < found.n_rows:
            tell_sample("trees are grown on about", self.n_rows, found.n_rows)
        twin.random_state = self.seed
        if isinstance(twin, ForestEstimator):
            twin.n_jobs = None  # which says nothing of the trees
        labels = {name: sort_labels(name, own) for name, own in found.labels.items()}
        model = fit_one(FitSample(twin, self.roles, labels, self.table.parts, draw), self.executor, self.kept)
        judge_on_others(model, found, self.roles)
        return model

    def _draw(self, n_rows: int, purpose: int) -> DrawRows:
        return DrawRows(self.roles.columns, n_rows / len(self.table), self.seed, purpose)

    def _look(self, draw: DrawRows, others: DrawRows | None) -> Look:
        """The labels of the table, and the drawn rows."""
        found, parts = Look(), self.table.parts
        looks = self.kept.map("look", self.executor, LookAtPart(self.roles.columns, draw, others), parts, LookForm())
        for own in follow("look, part", looks, len(parts)):
            found.add(own)
        return found


def judge_on_others(model: Any, found: Look, roles: Roles) -> None:
    """Keep how good a forest's predictions are of rows that it was not fitted to, if there are any."""
    if not isinstance(model, KeepsMetrics) or not found.others:
        return
    others = found.collect_others()
    rows = Reader(roles, model.schema_, model.target_schema_).take(others, others.index.to_numpy())
    if len(rows.numbers) == 0:
        return
    labels = None if roles.group is None else others.loc[rows.numbers, roles.group]
    judged = join_rows([(rows, labels)], model.schema_)
    values = model.predict_values(rows.matrix)
    model.metrics_ = measure_errors(judged, rows.targets, values, model.target_schema_, find_number_loss(model))


def count_sample(model: Any, n_rows: int, n_columns: int) -> int:
    """How many rows are fitted in memory: few terms gain nothing by more than some hundred thousand."""
    few = model.kind == RULES and model.max_rules is not None and model.generator is None
    return min(n_rows, ENOUGH_ROWS if few else MANY_ROWS, max(MOST_CELLS // n_columns, 1))


def tell_sample(what: str, n_drawn: int, n_rows: int, others: str = "") -> None:
    """Say what is found on a sample."""
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
