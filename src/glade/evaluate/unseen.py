"""What models of one comparison say of rows that they had not seen, target by target, for figures over all rows."""

from typing import NamedTuple

import numpy as np

from glade.data.targets import TargetSchema
from glade.evaluate.comparison import Comparison
from glade.models.errors import Metric, Rows, find_explained, measure_target


class JudgedTarget(NamedTuple):
    """One target of a comparison on one table.

    Attributes
    ----------
    name : str
        Of the target.
    labels : tuple or None
        Its classes; None for a number.
    rows : dict
        For each model what it said of the rows that all models were tested on.
    """

    name: str
    labels: tuple[object, ...] | None
    rows: dict[str, Rows]

    def measure(self, model: str) -> dict[str, Metric]:
        """The metrics of a model by their names."""
        event = 1 if self.labels is not None and len(self.labels) == 2 else None
        found = measure_target(self.rows[model], 0, self.labels is not None, event)
        return {own.name: own for own in found}

    def find_explained(self, model: str) -> tuple[float, float] | None:
        """The share of what varies that a model explains, and its standard error; None where nothing varies."""
        return find_explained(self.rows[model], self.labels is not None)

    def find_gain(self, model: str, other: str) -> tuple[float, float] | None:
        """By how much of what varies the squares of a model are below those of another, and the standard error."""
        own, compared = self.rows[model], self.rows[other]
        squares, guess = own.find_squares(self.labels is not None)
        difference = compared.find_squares(self.labels is not None)[0] - squares
        whole = own.mean(guess)
        if whole <= 0:
            return None
        mean = own.mean(difference)
        return mean / whole, own.find_error((difference - mean) / whole)


def judge_targets(result: Comparison) -> list[JudgedTarget]:
    """Return what is known of each target that some tested row knows.

    Parameters
    ----------
    result
        Of several models on one table, each row of which is in at most one test.
    """
    problem = result.problem
    schema = TargetSchema.of(list(problem.targets))
    values = {model: result.out_of_fold(model) for model in result.models}
    said = {model: result.named_out_of_fold(model) for model in result.models}
    is_tested = ~np.any([np.isnan(own).any(axis=1) for own in values.values()], axis=0)
    judged, fold = [], np.full(problem.n_rows, -1)
    for k, (_, test) in enumerate(result.folds()):
        fold[test] = k
    for t, column in enumerate(problem.targets):
        truth = np.where(is_tested, column.values, np.nan)
        rows = {
            model: Rows.of(
                truth, own[:, schema.channels_of(t)], groups=problem.groups, fold=fold, said=said[model][:, t]
            )
            for model, own in values.items()
        }
        if len(next(iter(rows.values())).truth):
            judged.append(JudgedTarget(column.name, column.labels, rows))
    return judged
