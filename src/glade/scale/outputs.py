"""What a fitted model says of a table in partitions, part by part."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.scale.parts import Part


@dataclass(frozen=True)
class PredictPart:
    """Predicts the rows of a part.

    Parameters
    ----------
    model
        A fitted estimator.
    columns
        The inputs.
    """

    model: Any
    columns: tuple[str, ...]

    def __call__(self, part: Part) -> NDArray[np.float64]:
        """Rows x channels."""
        found = [
            self.model.predict_values(self.model.encode(block[list(self.columns)]))
            for _, block in part.read(self.columns)
        ]
        return np.concatenate(found)
