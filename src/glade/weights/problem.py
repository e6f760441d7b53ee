"""What every solver is given: terms, rows with targets, and for folds the rows to judge the weights by."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, TargetRows
from glade.rules.path import TermWeights


@dataclass(frozen=True)
class Problem:
    """Terms, and the rows to find their weights on.

    Columns of quadratic losses come centred, in units of their standard deviation, times the root of the target's
    weight. `supports` are small models that are ready made but for their weights: terms, for each of the first sizes of
    a path. `limits` on the
    conditions of a rule are those that the folds choose between. The terms `kept` are in every model. `readable` says
    which terms may be chosen for a model of few; None stands for all.
    """

    design: Design
    rows: TargetRows
    supports: tuple[NDArray[np.int64], ...] = ()
    limits: tuple[int | None, ...] = (None,)
    kept: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    readable: NDArray[np.bool_] | None = None

    @property
    def all_y(self) -> NDArray[np.float64]:
        """The columns of y over all rows that there are."""
        return self.rows.y


@dataclass(frozen=True)
class FoldProblem(Problem):
    """A problem with rows that had no part in its terms, by which the weights are judged."""

    held_out: TargetRows = field(kw_only=True)

    @property
    def all_y(self) -> NDArray[np.float64]:
        return np.concatenate((self.rows.y, self.held_out.y))

    def predict_held_out(self, model: TermWeights) -> NDArray[np.float64]:
        """Rows held out x columns of y: what a model of these terms says of them."""
        terms = self.design if len(model.terms) == len(self.design) else self.design.take(model.terms)
        return terms.predict(self.held_out.matrix, model.weights) + model.offset


def find_row_errors(rows: TargetRows, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each row its part in the mean squared errors of all columns of y: their mean is the errors' sum."""
    known = ~np.isnan(rows.y)
    counts = rows.counts[:, None] * known
    square = np.where(known, (predicted - np.where(known, rows.y, 0.0)) ** 2, 0.0)
    return len(known) * (counts * square / np.maximum(counts.sum(axis=0), 1e-300)).sum(axis=1)
