"""Rule ensembles as sums: a rule adds its effect where it covers, a linear term its effect times its value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.explain.averages import Averages, TermAverages
from glade.rules.scores import Scores
from glade.rules.weighted import WeightedTerms


@dataclass(frozen=True)
class TermExplainer:
    """Weighted terms, under their names and in their order.

    Of two classes the terms have a score for the second alone, its own less that of the first; here the first has what
    speaks for it, the same with the other sign.

    Parameters
    ----------
    weighted
        The terms.
    scores
        What their sums mean.
    """

    weighted: WeightedTerms
    scores: Scores
    adds_scores = True  # for classes: not probabilities

    @property
    def terms(self) -> Sequence[str]:
        return self.weighted.design.names

    @property
    def links(self) -> Sequence[str]:
        return [loss.link.name for loss in self.scores.losses.losses]

    @property
    def order(self) -> NDArray[np.int64]:
        """Terms by importance, whatever their kind; those of a list in its order."""
        if self.weighted.design.is_in_order:
            return np.arange(len(self.weighted))
        return np.argsort(-self.weighted.importance.mean(axis=1), kind="stable")

    def to_values(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.scores.values(scores)

    @property
    def offset(self) -> NDArray[np.float64]:
        return self._shown.offset

    def contributions(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms x channels."""
        return self._shown.design.values(matrix)[:, :, None] * self._shown.effect

    def averages(self, rows: NDArray[np.float64]) -> Averages:
        return TermAverages(self._shown, rows)

    @cached_property
    def _shown(self) -> WeightedTerms:
        """The terms with scores, or values, of both of two classes."""
        effect, offset, scores = self.weighted.effect, self.weighted.offset[None], self.scores
        return replace(self.weighted, effect=scores.expand(effect), offset=scores.expand(offset)[0])

    def local_importance(self, matrix: NDArray[np.float64], targets: TargetSchema) -> NDArray[np.float64]:
        """Inputs x targets: what the terms change in these rows, beside what they do on average, shared by inputs."""
        return self.weighted.input_importance(self.weighted.local_importance(matrix))
