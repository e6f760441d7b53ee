"""The losses there are, by name."""

from collections.abc import Mapping

from glade.losses.base import Loss
from glade.losses.huber import Huber
from glade.losses.logistic import Logistic
from glade.losses.multinomial import Multinomial
from glade.losses.poisson import Poisson
from glade.losses.quantile import Quantile
from glade.losses.squared import Squared

LOSSES: dict[str, type[Loss]] = {
    Squared.name: Squared,
    Logistic.name: Logistic,
    Multinomial.name: Multinomial,
    Huber.name: Huber,
    Poisson.name: Poisson,
    Quantile.name: Quantile,
}
NUMBER_LOSSES = (Squared.name, Huber.name, Poisson.name, Quantile.name)  # that a user can ask for


def make_loss(name: str, n_classes: int | None, settings: Mapping[str, float] | None = None) -> Loss:
    """The loss of this name for a target with so many classes; None stands for a numeric target.

    >>> make_loss("squared", None), make_loss("multinomial", 3)
    (<squared loss of 1 score>, <multinomial loss of 3 scores>)
    """
    if name not in LOSSES:
        raise ValueError(f"there is no loss {name[:40]!r}: the losses are {', '.join(LOSSES)}")
    return LOSSES[name].of(n_classes).with_settings(settings or {})


def make_number_loss(name: str, quantile: float) -> Loss:
    """The loss that a user asks for; only one loss has a quantile."""
    return make_loss(name, None, {"level": float(quantile)} if name == Quantile.name else None)


def make_deviance(n_classes: int | None) -> Loss:
    """Minus the logarithm of the probability of what is there: half the squared error of a number."""
    if n_classes is None:
        return Squared.of(None)
    return Logistic.of(2) if n_classes == 2 else Multinomial.of(n_classes)
