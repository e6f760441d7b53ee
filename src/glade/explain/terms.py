"""Rule ensembles as sums: a rule adds its effect where it covers, a linear term its effect times its value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.explain.averages import Averages, TermAverages
from glade.rules.weighted import WeightedTerms


@dataclass(frozen=True)
class TermExplainer:
    """Weighted terms, under their names and in their order."""

    weighted: WeightedTerms
    adds_scores = True  # for classes: not probabilities

    @property
    def terms(self) -> Sequence[str]:
        return self.weighted.design.names

    @property
    def offset(self) -> NDArray[np.float64]:
        return self.weighted.offset

    def contributions(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms x channels."""
        return self.weighted.design.values(matrix)[:, :, None] * self.weighted.effect

    def averages(self, rows: NDArray[np.float64]) -> Averages:
        return TermAverages(self.weighted, rows)

    def local_importance(self, matrix: NDArray[np.float64], targets: TargetSchema) -> NDArray[np.float64]:
        """Inputs x targets: what the terms change in these rows, beside what they do on average, shared by inputs."""
        return self.weighted.input_importance(self.weighted.local_importance(matrix))
