"""The error of an ensemble as it grows, and when that has become flat."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.error_curve import ErrorsBySize
from glade.core.names import show_plainly

WINDOW = 20  # trees
LEAST_FALL = 0.005  # of the best error, over a window
MAX_TREES = 1_000


def is_flat(errors: list[float]) -> bool:
    """Whether the best error fell by less than 0.5 % over the last 20 trees.

    >>> is_flat([1 / m for m in range(1, 100)]), is_flat([1.0] * 39), is_flat([1.0] * 40)
    (False, False, True)
    """
    if len(errors) < 2 * WINDOW:
        return False
    if np.isnan(errors).all():  # every tree sees every row: there is nothing to wait for
        return True
    return min(errors) > (1.0 - LEAST_FALL) * min(errors[:-WINDOW])


@dataclass(frozen=True)
class ErrorCurve(ErrorsBySize):
    """Errors by the number of trees, on rows that these trees did not see.

    For a numeric target the squared error over the variance, for a nominal one the share of wrong classes (of a
    boosted ensemble: the deviance over that of the classes' shares); `error` is their mean, weighted as the targets
    are.
    """

    unit = "trees"

    error: NDArray[np.float64]
    per_target: NDArray[np.float64]  # numbers of trees x targets
    names: tuple[str, ...]

    @property
    def trees(self) -> NDArray[np.int64]:
        return np.arange(1, len(self.error) + 1)

    def frame(self) -> Any:
        """A dataframe: trees, error, and a column for each target if there are several."""
        import pandas as pd

        frame = pd.DataFrame({"trees": self.trees, "error": self.error})
        if len(self.names) > 1:
            of_targets = pd.DataFrame(self.per_target, columns=[f"error of {name}" for name in self.names])
            frame = pd.concat([frame, of_targets], axis=1)
        return frame

    def _draw(self, ax: Any) -> None:
        if len(self.names) > 1:
            for t, name in enumerate(self.names):
                ax.plot(self.trees, self.per_target[:, t], linewidth=0.8, alpha=0.6, label=show_plainly(name))
        label = "mean" if len(self.names) > 1 else show_plainly(self.names[0])
        ax.plot(self.trees, self.error, color="black", label=label)
