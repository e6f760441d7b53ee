"""How long one model for all targets takes, against one for each target."""

from typing import Any

from glade.evaluate.comparison import REPETITION, Comparison
from glade.evaluate.measures import LOSS
from studies.figures import Figure, Table
from studies.modt.models import (
    BAGGING,
    BAGGING_EACH,
    FOREST,
    FOREST_EACH,
    TREE,
    TREES_EACH,
)
from studies.modt.runs import TASKS, Runs

PAIRS = {TREE: TREES_EACH, BAGGING: BAGGING_EACH, FOREST: FOREST_EACH}
ENSEMBLES = [BAGGING, FOREST]
PUBLISHED_RATIO = 2.03


class Seconds:
    """Wall seconds of fits, the median over folds, for each task, data set and repetition."""

    def __init__(self, runs: Runs):
        self._runs = runs
        self._of_models = {task: _tabulate(runs.crossed[task]) for task in TASKS}

    def ratios(self, task: str) -> Any:
        """(Data set, repetition) x methods: seconds of one model for each target over those of one for all."""
        seconds = self._of_models[task]
        return seconds[list(PAIRS)].copy().assign(**{one: seconds[each] / seconds[one] for one, each in PAIRS.items()})

    def judge(self) -> Figure:
        """The mean ratio over the source's tables, both tasks and both ensembles: it does not say what it averages."""
        import pandas as pd

        parts = [self.ratios(task).loc[self._runs.of_source(task), ENSEMBLES] for task in TASKS]
        means = pd.concat(parts).stack().groupby("repetition").mean()
        row, metric = "seconds per target / of one ensemble for all", "mean ratio"
        return Figure(row, metric, PUBLISHED_RATIO, tuple(means), decimals=2, lower_is_better=None)

    def table(self) -> Table:
        """Data sets x methods, medians over repetitions."""
        rows = []
        for task in TASKS:
            seconds, ratios = (_over_repetitions(part) for part in (self._of_models[task], self.ratios(task)))
            for label in ratios.index:
                own = seconds.loc[label]
                cells = [f"{own[m]:.3f}, {own[PAIRS[m]]:.3f} ({ratios.loc[label, m]:.2f})" for m in PAIRS]
                rows.append((f"{label}, {task}", *cells))
        title = "Seconds of a fit for all targets, of fits for each target (their ratio)"
        return Table(title, ("", *PAIRS), tuple(rows))

    def explain(self) -> str:
        """Where one model for all targets is slower, and what forests gain over bagging."""
        slower = [
            f"{label} ({method}, {task})"
            for task in TASKS
            for (label, method), ratio in _over_repetitions(self.ratios(task))[ENSEMBLES].stack().items()
            if ratio < 1
        ]
        gains = [
            f"{(self._of_models[task][BAGGING] / self._of_models[task][FOREST]).median():.1f} ({task})"
            for task in TASKS
        ]
        return (
            "Both sides of a ratio run the same code on one core, the inputs coded once for all targets. An ensemble"
            f" for all targets was slower on {', '.join(slower) or 'none of the tables'}. Forests were {gains[0]} and"
            f" {gains[1]} times as fast as bagging, in the median."
        )


def _tabulate(result: Comparison) -> Any:
    table = result.frame(LOSS.values(), by=REPETITION).drop_duplicates(["data", "model", "repetition"])
    return table.pivot_table(index=["data", "repetition"], columns="model", values="fit_seconds", sort=False)


def _over_repetitions(table: Any) -> Any:
    return table.groupby(level="data", sort=False).median()
