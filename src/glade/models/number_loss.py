"""The loss of numeric targets that a user asks for: its parameters, and what it takes of the targets."""

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from glade.core.names import quote_name
from glade.data.columns import Column
from glade.losses.base import Loss
from glade.losses.poisson import Poisson
from glade.losses.registry import NUMBER_LOSSES, make_number_loss
from glade.losses.squared import Squared

LOSS_CONSTRAINTS: dict[str, Any] = {
    "loss": [StrOptions(set(NUMBER_LOSSES))],
    "quantile": [Interval(Real, 0.0, 1.0, closed="neither")],
}


class SquaredNumbers:
    """An estimator that lowers the squared errors of numbers."""

    @property
    def _number_loss(self) -> Loss:
        """The loss of each numeric target."""
        return Squared.of(None)


class ChosenLoss(SquaredNumbers):
    """An estimator with the parameters `loss` and `quantile`."""

    loss: str
    quantile: float

    @property
    def _number_loss(self) -> Loss:
        return make_number_loss(self.loss, self.quantile)


def find_number_loss(estimator: Any) -> Loss:
    """Return the loss of each numeric target that an estimator lowers: the squared error where it has no choice."""
    return estimator._number_loss if isinstance(estimator, SquaredNumbers) else Squared.of(None)


def check_amounts(loss: Loss, targets: list[Column], rows: Any) -> None:
    """Raise an error where the loss is one of counts and a target has a value below zero.

    Parameters
    ----------
    loss
        Of each numeric target.
    targets
        As read; unknown values are NaN.
    rows
        The positions of their values in the table as given.
    """
    if not isinstance(loss, Poisson):
        return
    for column in targets:
        if column.labels is not None:
            continue
        is_negative = column.values < 0
        if is_negative.any():
            first = int(np.argmax(is_negative))
            raise ValueError(
                f'loss="poisson" is for counts and other amounts that are not negative, but target'
                f" {quote_name(column.name)} is {column.values[first]:g} in row {int(rows[first])}: use another loss"
            )
        if not (column.values > 0).any():
            raise ValueError(
                f'loss="poisson" needs a count above 0, but target {quote_name(column.name)} is 0 in all rows: leave'
                " it out"
            )
