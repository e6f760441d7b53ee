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
from studies.modt.models import SIZED, make_mixed_models, make_models
from studies.modt.sets import MIXED_QUICK, MIXED_SETS, StudySet, choose_sets, load_mixed

TASKS = (CLASSIFICATION, REGRESSION)


@dataclass(frozen=True)
class Scale:
    """How much is run."""

    n_trees: int
    n_folds: int
    n_repetitions: int
    n_sized: int  # seeds of the models of whole tables


FULL = Scale(n_trees=100, n_folds=10, n_repetitions=1, n_sized=2)
REDUCED = Scale(n_trees=100, n_folds=3, n_repetitions=1, n_sized=1)
QUICK = Scale(n_trees=10, n_folds=2, n_repetitions=2, n_sized=2)


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
    mixed: Comparison

    def of_source(self, task: str) -> list[str]:
        """The labels of the tables that the source has too."""
        return [s.label for s in self.sets[task] if s.number is not None]


def run_all(settings: Settings) -> Runs:
    """Fit everything; what is in the store is not fitted again."""
    scale = settings.choose(FULL, reduced=REDUCED, quick=QUICK)
    sets = {task: choose_sets(task, settings) for task in TASKS}
    how: dict[str, Any] = {"n_jobs": settings.n_jobs, "store": settings.store, "progress": settings.progress}
    crossed, whole = {}, {}
    for task in TASKS:
        models, data = make_models(task, scale.n_trees), {s.label: s.load(settings) for s in sets[task]}
        sized = {name: models[name] for name in SIZED}
        crossed[task] = compare(models, data, folds=scale.n_folds, repetitions=scale.n_repetitions, **how)
        whole[task] = compare(sized, data, folds=[AllRows()] * scale.n_sized, **how)
    mixed = {name: load_mixed(name, settings) for name in settings.choose(tuple(MIXED_SETS), quick=MIXED_QUICK)}
    both = make_mixed_models(scale.n_trees)
    of_mixed = compare(both, mixed, folds=scale.n_folds, repetitions=scale.n_repetitions, **how)
    return Runs(scale, sets, crossed, whole, of_mixed)
