"""Trees as sums: each split on a row's way credits its input with the change of node value.

The root's value is what every row gets. Where the sums of a forest are scores of classes (boosted trees), so are
the credits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.ensemble.forest import Forest
from glade.explain.averages import Averages, ForestAverages, SideBySide
from glade.explain.credits import CreditedForest


@dataclass(frozen=True)
class PathExplainer:
    """Forests for parts of the targets, side by side; the terms are the inputs."""

    terms: Sequence[str]
    forests: Sequence[CreditedForest]
    n_threads: int = 1

    @classmethod
    def of(
        cls, forests: Sequence[Forest], inputs: Sequence[str], voting: str = "distribution", n_threads: int = 1
    ) -> "PathExplainer":
        return cls(inputs, [CreditedForest.of(forest, voting) for forest in forests], n_threads)

    @property
    def offset(self) -> NDArray[np.float64]:
        return np.concatenate([forest.offset for forest in self.forests])

    def contributions(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x inputs x channels."""
        return np.concatenate([forest.credits(matrix, self.n_threads) for forest in self.forests], axis=2)

    @property
    def links(self) -> Sequence[str]:
        return [link.name for credited in self.forests for link in credited.forest.links]

    @property
    def order(self) -> NDArray[np.int64]:
        """Inputs by what their splits gain; as they stand in the table where sums are predictions."""
        if not self.adds_scores:
            return np.arange(len(self.terms))
        gains = np.zeros(len(self.terms))
        for credited in self.forests:
            nodes = credited.forest.nodes
            gains += np.bincount(nodes.split_input, nodes.split_gain, len(gains))
        return np.argsort(-gains, kind="stable")

    def to_values(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        values, first = scores.copy(), 0
        for credited in self.forests:
            schema = credited.forest.schema
            for t, link in enumerate(credited.forest.links):
                own = schema.channels_of(t)
                at = slice(first + own.start, first + own.stop)
                values[:, at] = link.inverse(scores[:, at].T).T
            first += int(schema.start[-1])
        return values

    @property
    def adds_scores(self) -> bool:
        """Boosted trees add scores."""
        return any(credited.forest.learning_rate > 0 for credited in self.forests)

    def averages(self, rows: NDArray[np.float64]) -> Averages:
        return SideBySide([ForestAverages(credited, rows) for credited in self.forests])

    def local_importance(self, matrix: NDArray[np.float64], targets: TargetSchema) -> NDArray[np.float64]:
        """Inputs x targets: how much the splits on an input change the predictions of these rows."""
        square = np.add.reduceat(self.contributions(matrix) ** 2, targets.start[:-1], axis=2)
        return np.sqrt(square).mean(axis=0)
