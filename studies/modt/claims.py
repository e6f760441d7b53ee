"""Wilcoxon's tests over targets: the published p-values beside ours."""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from glade.data.targets import CLASSIFICATION, REGRESSION
from glade.evaluate.comparison import REPETITION, Comparison
from glade.evaluate.measures import LOSS
from glade.evaluate.statistics import wilcoxon
from studies.figures import PValue, Table
from studies.modt.models import (
    BAGGING,
    BAGGING_EACH,
    BOOSTING,
    BOOSTING_EACH,
    FOREST,
    FOREST_EACH,
    PRUNED,
    TREE,
    TREES_EACH,
)
from studies.modt.runs import TASKS, Runs
from studies.modt.sets import REPEATED

SHORT = {CLASSIFICATION: "classes", REGRESSION: "numbers"}


class Claim(NamedTuple):
    """That one method is better than another, and the published p-value for each task."""

    better: str
    worse: str
    published: dict[str, float | None]

    @property
    def row(self) -> str:
        return f"{self.better} > {self.worse}"


def _publish(classification: float | None, regression: float | None) -> dict[str, float | None]:
    return {CLASSIFICATION: classification, REGRESSION: regression}


CLAIMS = (
    Claim(BAGGING, TREE, _publish(5.14e-6, 2.44e-3)),
    Claim(FOREST, TREE, _publish(6.61e-7, 2.03e-5)),
    Claim(BAGGING, PRUNED, _publish(5.14e-6, 2.44e-3)),  # it does not say whether its single trees are pruned
    Claim(FOREST, PRUNED, _publish(6.61e-7, 2.03e-5)),
    Claim(TREE, TREES_EACH, _publish(None, None)),
    Claim(BAGGING, BAGGING_EACH, _publish(0.301, 1.28e-6)),
    Claim(FOREST, FOREST_EACH, _publish(0.451, 0.094)),
    Claim(FOREST, BAGGING, _publish(0.025, 0.060)),
    Claim(FOREST_EACH, BAGGING_EACH, _publish(0.047, 2.37e-5)),
    Claim(BOOSTING, PRUNED, _publish(None, None)),  # further work of the source
    Claim(BOOSTING, FOREST, _publish(None, None)),
    Claim(BOOSTING, BOOSTING_EACH, _publish(None, None)),
)


class Outcome(NamedTuple):
    """A test of ours."""

    p_value: float
    n_won: int
    n_lost: int


def run_test(errors: Any, better: str, worse: str) -> Outcome:
    """Wilcoxon's signed-rank test, two-sided, of two columns of errors.

    >>> import pandas as pd
    >>> run_test(pd.DataFrame({"a": [1, 2, 3, 4.0], "b": [2, 4, 6, 4.0]}), "a", "b")[1:]
    (3, 0)
    """
    p_value = float(wilcoxon(errors[[better, worse]]).iloc[0, 1])
    gaps = (errors[worse] - errors[better]).to_numpy()
    return Outcome(p_value, int((gaps > 0).sum()), int((gaps < 0).sum()))


def errors_by_repetition(result: Comparison, names: Collection[str]) -> list[Any]:
    """For each repetition, targets x models: the losses on these data sets."""
    table = result.frame(LOSS.values(), by=REPETITION)
    table = table[table["data"].isin(list(names))]
    return [
        part.pivot_table(index=["data", "target"], columns="model", values="value", sort=False)
        for _, part in table.groupby("repetition")
    ]


def judge_claims(runs: Runs) -> list[PValue]:
    """Each claim over the targets of the source's tables that we have."""
    errors = {task: errors_by_repetition(runs.crossed[task], runs.of_source(task)) for task in TASKS}
    return [_judge(claim, task, errors[task]) for claim in CLAIMS for task in TASKS]


def _judge(claim: Claim, task: str, errors: list[Any]) -> PValue:
    outcomes = [run_test(of_repetition, claim.better, claim.worse) for of_repetition in errors]
    return PValue(
        row=claim.row,
        metric=f"p {task}",
        published=claim.published[task],
        ours=tuple(outcome.p_value for outcome in outcomes),
        ahead=bool(np.median([outcome.n_won - outcome.n_lost for outcome in outcomes]) > 0),
    )


def tabulate_choices(runs: Runs) -> Table:
    """The same tests over other choices of targets, with the losses averaged over the repetitions."""
    header, columns = ["better > worse"], []
    for task in TASKS:
        once = [s.label for s in runs.sets[task] if s.number is not None and s.number not in REPEATED]
        losses = runs.crossed[task].errors()
        of_set = losses.index.get_level_values("data")
        for words, chosen in (("once", losses[of_set.isin(once)]), ("all", losses)):
            header.append(f"{SHORT[task]}, {words}")
            columns.append([_show(run_test(chosen, claim.better, claim.worse)) for claim in CLAIMS])
    rows = zip([claim.row for claim in CLAIMS], *columns, strict=True)
    title = "The same tests with each target counted once, and on all sets: p (targets better : worse)"
    return Table(title, tuple(header), tuple(rows))


def _show(outcome: Outcome) -> str:
    return f"{outcome.p_value:.2g} ({outcome.n_won} : {outcome.n_lost})"
