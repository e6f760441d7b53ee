"""Tables that are not in memory: what an estimator asks of one, without knowing what it is.

`glade.scale`, which stands above the estimators, has such tables. Only its name is known here, and only where a Dask
dataframe comes in, which cannot have the methods of its own accord.
"""

from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

DASK = ("dask", "dask_expr")


class ElsewhereTable(Protocol):
    """A table whose rows are somewhere else, and which has estimators work there."""

    def fit_model(self, model: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        """Fit an estimator to these inputs."""

    def predict_values(self, model: Any) -> NDArray[np.float64]:
        """Return rows x channels of predictions."""

    def refuse(self, what: str) -> TypeError:
        """Return the error for whoever needs the table in memory."""


def find_elsewhere(X: Any) -> ElsewhereTable | None:
    """The table as one that is elsewhere; None if it is in memory."""
    if hasattr(type(X), "fit_model"):
        return cast(ElsewhereTable, X)
    if type(X).__module__.partition(".")[0] in DASK:
        opened: ElsewhereTable = import_module("glade.scale.partitions").open_partitions(X)
        return opened
    return None
