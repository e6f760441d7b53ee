"""All fits of the study: every method on every table, in cross-validation and on all rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import CLASSIFICATION, REGRESSION
from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from studies.figures import Settings
from studies.modt.models import SIZED, make_models
from studies.modt.sets import StudySet, choose_sets

TASKS = (CLASSIFICATION, REGRESSION)


@dataclass(frozen=True)
class Scale:
    """How much is run."""

    n_trees: int
    n_folds: int
    n_repetitions: int


FULL = Scale(n_trees=100, n_folds=10, n_repetitions=1)
QUICK = Scale(n_trees=10, n_folds=2, n_repetitions=2)


class AllRows:
    """A splitter that trains on every row: the source prints the sizes of models of whole tables."""

    def split(self, X: NDArray[Any], y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        rows = np.arange(len(X))
        yield rows, rows


@dataclass(frozen=True)
class Runs:
    """The results by task: in cross-validation, and of whole tables."""

    scale: Scale
    sets: dict[str, tuple[StudySet, ...]]
    crossed: dict[str, Comparison]
    whole: dict[str, Comparison]

    def of_source(self, task: str) -> list[str]:
        """The labels of the tables that the source has too."""
        return [s.label for s in self.sets[task] if s.number is not None]


def run_all(settings: Settings) -> Runs:
    """Fit everything; what is in the store is not fitted again."""
    scale = QUICK if settings.quick else FULL
    sets = {task: choose_sets(task, settings.quick) for task in TASKS}
    how: dict[str, Any] = {"n_jobs": settings.n_jobs, "store": settings.store, "progress": settings.progress}
    crossed, whole = {}, {}
    for task in TASKS:
        models, data = make_models(task, scale.n_trees), {s.label: s.load(settings) for s in sets[task]}
        sized = {name: models[name] for name in SIZED}
        crossed[task] = compare(models, data, folds=scale.n_folds, repetitions=scale.n_repetitions, **how)
        whole[task] = compare(sized, data, folds=[AllRows()] * scale.n_repetitions, **how)
    return Runs(scale, sets, crossed, whole)
