"""What the sizes would be if the source had grown its trees in other ways: why it is read as it is."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from sklearn.base import BaseEstimator, clone

from glade.data.targets import CLASSIFICATION, REGRESSION
from glade.evaluate.harness import compare
from glade.models.forest import ForestRegressor
from studies.figures import Settings, Table
from studies.modt.models import (
    BAGGING,
    FOREST,
    FOREST_EACH,
    SIZED,
    ClassifierOfTwoDraws,
    make_models,
)
from studies.modt.runs import FULL, AllRows, Runs
from studies.modt.sets import StudySet, to_classes


class Reading(NamedTuple):
    """A size of Table 4 under another reading."""

    words: str
    task: str
    number: int  # of the table
    method: str
    change_model: Callable[[BaseEstimator], BaseEstimator] = clone
    change_targets: Callable[[Any], Any] | None = None


def _require_two_rows(model: BaseEstimator) -> BaseEstimator:
    return ForestRegressor(**model.get_params()).set_params(min_samples_leaf=2)


def _draw_on(model: BaseEstimator) -> BaseEstimator:
    return clone(model).set_params(on_no_split="redraw")


def _standardise(model: BaseEstimator) -> BaseEstimator:
    return clone(model).set_params(standardise_targets=True)


def _leave_apart(model: BaseEstimator) -> BaseEstimator:
    return ClassifierOfTwoDraws(**model.get_params())


READINGS = (
    Reading("leaves of two different rows", REGRESSION, 13, FOREST, _require_two_rows),
    Reading("inputs are drawn until one can split", REGRESSION, 9, FOREST, _draw_on),
    Reading("all targets count alike", REGRESSION, 8, FOREST, _standardise),
    Reading("all targets count alike", REGRESSION, 9, FOREST, _standardise),
    Reading("leaves of the same classes are not joined", CLASSIFICATION, 8, BAGGING, _leave_apart),
    Reading("a class for each abundance", CLASSIFICATION, 13, FOREST_EACH, change_targets=to_classes),
)


def tabulate_readings(runs: Runs, settings: Settings) -> Table:
    """Published nodes, ours, and ours under the other reading."""
    factor = FULL.n_trees / runs.scale.n_trees
    rows = []
    for reading in READINGS:
        for table in (s for s in runs.sets[reading.task] if s.number == reading.number):
            own = runs.whole[reading.task].errors("nodes").loc[table.label, reading.method]
            published = (table.sizes or ())[SIZED.index(reading.method)]
            words = f"{reading.words} ({table.label}, {reading.task}, {reading.method})"
            sizes = (published, factor * own, factor * _count_nodes(reading, table, runs, settings))
            rows.append((words, *(f"{size:,.0f}" for size in sizes)))
    return Table("Nodes if the source is read otherwise", ("", "published", "as read", "otherwise"), tuple(rows))


def _count_nodes(reading: Reading, table: StudySet, runs: Runs, settings: Settings) -> float:
    model = make_models(reading.task, runs.scale.n_trees)[reading.method]
    other = table if reading.change_targets is None else replace(table, prepare=reading.change_targets)
    result = compare(
        {reading.words: reading.change_model(model)},
        {table.label: other.load(settings)},
        folds=[AllRows()] * runs.scale.n_sized,
        n_jobs=settings.n_jobs,
        store=settings.store,
        progress=settings.progress,
    )
    return float(result.errors("nodes").iloc[0, 0])
