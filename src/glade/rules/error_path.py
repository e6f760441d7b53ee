"""The models from small to large as a user sees them."""

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from glade.core.error_curve import ErrorsBySize

FEW_TERMS = 50
TICKS = (0, 5, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # of numbers of terms
INSTEAD = "path_ is no dataframe since glade 0.2: path_.frame() gives one, with the columns " + (
    "terms (formerly rules), conditions, error and standard_error"
)


@dataclass(frozen=True, eq=False)
class ErrorPath(ErrorsBySize):
    """Errors by the number of terms, on rows that had no part in the terms and their weights.

    The error is the squared error over the variance (1: always the mean; with logistic weights the deviance over that
    of the classes' shares), a mean over the targets. Its standard error comes from the folds, or from the rows where
    one split is used.
    """

    unit = "terms"

    terms: NDArray[np.int64]
    conditions: NDArray[np.int64]
    error: NDArray[np.float64]
    standard_error: NDArray[np.float64]

    def frame(self) -> Any:
        """A dataframe, the models from small to large: terms, conditions, error, standard_error."""
        import pandas as pd

        names = ("terms", "conditions", "error", "standard_error")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def _draw(self, ax: Any) -> None:
        low, high = self.error - self.standard_error, self.error + self.standard_error
        ax.fill_between(self.terms, low, high, color="black", alpha=0.15, linewidth=0, label="± one standard error")
        ax.plot(self.terms, self.error, color="black", marker=".", label="error")
        if self.terms.max() > FEW_TERMS:  # a scale on which small models, which are read, have room beside large ones
            ax.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
            ax.set_xticks([tick for tick in TICKS if tick <= self.terms.max()])

    def __getitem__(self, name: Any) -> NoReturn:
        raise TypeError(INSTEAD)

    def __len__(self) -> NoReturn:
        raise TypeError(INSTEAD)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name!r}: {INSTEAD}")
