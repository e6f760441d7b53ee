"""Rule ensembles as sums: a rule adds its effect where it covers, a linear term its effect times its value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.explain.averages import Averages, TermAverages
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
    has_shares
        Whether scores of classes are about probabilities, those of two classes the difference of these.
    in_shares
        Whether to split that difference, so that the contributions of two classes add up to probabilities as well.
    """

    weighted: WeightedTerms
    has_shares: bool
    in_shares: bool = False
    adds_scores = True  # for classes: not probabilities

    @property
    def terms(self) -> Sequence[str]:
        return self.weighted.design.names

    @property
    def offset(self) -> NDArray[np.float64]:
        return self._shown.offset

    def readable(self) -> "TermExplainer":
        return replace(self, in_shares=self.has_shares)

    def contributions(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms x channels."""
        return self._shown.design.values(matrix)[:, :, None] * self._shown.effect

    def averages(self, rows: NDArray[np.float64]) -> Averages:
        return TermAverages(self._shown, rows)

    @cached_property
    def _shown(self) -> WeightedTerms:
        """The terms with scores, or shares, of both of two classes."""
        effect, offset = self.weighted.effect.copy(), self.weighted.offset.copy()
        targets = self.weighted.design.rules.targets
        for t, classes in enumerate(targets.classes):
            if classes is None or len(classes) != 2:
                continue
            first, second = targets.start[t], targets.start[t] + 1
            if self.in_shares:
                effect[:, second] /= 2.0
                offset[second] = (1.0 + offset[second]) / 2.0
            effect[:, first] = -effect[:, second]
            offset[first] = float(self.in_shares) - offset[second]
        return replace(self.weighted, effect=effect, offset=offset)

    def local_importance(self, matrix: NDArray[np.float64], targets: TargetSchema) -> NDArray[np.float64]:
        """Inputs x targets: what the terms change in these rows, beside what they do on average, shared by inputs."""
        return self.weighted.input_importance(self.weighted.local_importance(matrix))
