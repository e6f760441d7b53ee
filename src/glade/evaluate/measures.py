"""The metrics of a comparison by name: what targets each is for, which way is better, how it is computed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.data.columns import NOMINAL, NUMERIC
from glade.evaluate import metrics


@dataclass(frozen=True)
class TargetPredictions:
    """The truth of one target beside what a model says, row by row: floats, or positions of classes."""

    truth: NDArray[np.float64]
    predicted: NDArray[np.float64]
    reference: NDArray[np.float64]  # what a model that looks at no input says: the mean, or the commonest class
    probabilities: NDArray[np.float64] | None

    @property
    def n_known(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.truth)))


@dataclass(frozen=True)
class Measure:
    """A metric of one target."""

    kind: str
    compute: Callable[[TargetPredictions], float]
    lower_is_better: bool = True


def _auc(judged: TargetPredictions) -> float:
    if judged.probabilities is None:
        return float("nan")
    return metrics.auc(judged.truth, judged.probabilities, np.arange(judged.probabilities.shape[1], dtype=float))


MEASURES = {
    "rmse": Measure(NUMERIC, lambda j: metrics.rmse(j.truth, j.predicted)),
    "mae": Measure(NUMERIC, lambda j: metrics.mae(j.truth, j.predicted)),
    "mape": Measure(NUMERIC, lambda j: metrics.mape(j.truth, j.predicted)),
    "rrmse": Measure(NUMERIC, lambda j: metrics.rrmse(j.truth, j.predicted, j.reference)),
    "correlation": Measure(NUMERIC, lambda j: metrics.correlation(j.truth, j.predicted), lower_is_better=False),
    "accuracy": Measure(NOMINAL, lambda j: metrics.accuracy(j.truth, j.predicted), lower_is_better=False),
    "error": Measure(NOMINAL, lambda j: 1.0 - metrics.accuracy(j.truth, j.predicted)),
    "auc": Measure(NOMINAL, _auc, lower_is_better=False),
}
DEFAULTS = ("rmse", "rrmse", "error", "auc")
LOSS = {NUMERIC: "rrmse", NOMINAL: "error"}  # what models are ranked by where nothing else is asked for


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of metrics, all known."""
    names = tuple(names)
    for name in names:
        if name not in MEASURES:
            raise InputError(f"there is no metric {quote_name(name)}: choose among {', '.join(MEASURES)}")
    return names
