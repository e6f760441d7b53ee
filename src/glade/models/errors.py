"""How good predictions of rows are that were made without them: metrics that suit each target, with standard errors.

A metric is told beside that of a guess that looks at no input (the mean, the median, the commonest class, the shares of
the classes). Its standard error comes from what each row (or each group of rows that belong together) adds to it: the
spread of these influences over the root of their number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, xlogy
from sklearn.utils.validation import check_is_fitted

from glade.data.table import Column
from glade.data.targets import TargetSchema
from glade.data.units import SQUARED_FROM, SQUARED_TO, find_unit
from glade.losses.base import Loss
from glade.losses.poisson import Poisson
from glade.losses.quantile import Quantile
from glade.models.base import TabularEstimator, TrainingSet

Floats = NDArray[np.float64]

LEAST_SHARE = 1e-15  # a probability of zero that came true costs as much as this one
LEAST_JUDGED = 1e-6  # of probabilities whose calibration is measured
MOST_ROWS = 20_000  # by which calibration is measured
STEPS = 50  # of Newton's method
ENOUGH = 1e-9


class Metric(NamedTuple):
    """One figure of one target.

    Attributes
    ----------
    target : int
        The place of the target.
    name : str
        What is measured.
    value, standard_error : float
        Of the model; NaN where it cannot be told.
    guess : float
        The same figure of a guess that looks at no input.
    """

    target: int
    name: str
    value: float
    standard_error: float
    guess: float


@dataclass(frozen=True)
class Rows:
    """Rows of one target whose truth and prediction are known.

    Parameters
    ----------
    truth
        Numbers, or places of classes.
    values
        Rows x channels.
    share
        The weight of each row; all add up to 1.
    group
        The number of the group of each row; None where each row stands by itself.
    fold
        The number of the fold in whose model's words the row is predicted; None where one model predicts all.
    said
        The place of the class that is predicted; None: the most probable one, and for numbers.
    """

    truth: Floats
    values: Floats
    share: Floats
    group: NDArray[np.intp] | None = None
    fold: NDArray[np.int64] | None = None
    said: NDArray[np.intp] | None = None

    @classmethod
    def of(
        cls,
        truth: Floats,
        values: Floats,
        weights: Floats | None = None,
        groups: Any = None,
        fold: Any = None,
        said: Any = None,
    ) -> "Rows":
        """Those in which both are known."""
        known = ~np.isnan(truth) & ~np.isnan(values).any(axis=1)
        weights = np.ones(len(truth)) if weights is None else weights
        share = weights[known] / (weights[known].sum() or 1.0)
        group = None if groups is None else np.unique(groups[known], return_inverse=True)[1]
        fold, said = (None if own is None else own[known] for own in (fold, said))
        return cls(truth[known], values[known], share, group, fold, said)

    @property
    def unit(self) -> float:
        """What numbers are divided by before they are squared: 1, unless squares would be no doubles."""
        return find_unit(self.truth, self.values)

    def find_squares(self, is_class: bool) -> tuple[Floats, Floats]:
        """The square of what each prediction is off, and that of what the mean, or the classes' shares, are off.

        Those of numbers are in squares of `unit`.
        """
        if not is_class:
            y, said = self.truth / self.unit, self.values[:, 0] / self.unit
            return (y - said) ** 2, (y - self.mean(y)) ** 2
        is_own = (self.truth[:, None] == np.arange(self.values.shape[1])).astype(float)
        return ((self.values - is_own) ** 2).sum(axis=1), ((self.share @ is_own - is_own) ** 2).sum(axis=1)

    def mean(self, of_rows: Floats) -> float:
        """The weighted mean."""
        return float(self.share @ of_rows)

    def find_error(self, influence: Floats) -> float:
        """The standard error of a figure by what each row adds to it, about zero."""
        parts = self.share * influence
        if self.group is not None:
            parts = np.bincount(self.group, parts).astype(np.float64)
        n, largest = len(parts), float(np.abs(parts).max(initial=0.0))
        if SQUARED_FROM < largest < SQUARED_TO:
            largest = 1.0
        parts = parts / (largest or 1.0)
        return float(np.sqrt((parts @ parts) * n / (n - 1))) * (largest or 1.0) if n > 1 else np.nan


Figure = tuple[str, float, Floats, float]  # name, value, influences, that of the guess


def measure_errors(
    training: TrainingSet,
    truth: Sequence[Column],
    values: Floats,
    targets: TargetSchema,
    of_numbers: Loss,
    fold: NDArray[np.int64] | None = None,
) -> tuple[Metric, ...]:
    """Return all metrics of all targets.

    Parameters
    ----------
    training
        The rows, their weights and groups.
    truth
        The targets, as they were before any value was moved.
    values
        Rows x channels: predictions by models without the row, NaN where there are none.
    targets
        What the channels stand for.
    of_numbers
        The loss of numeric targets.
    fold
        The number of the fold in whose model's words each row is predicted.
    """
    found: list[Metric] = []
    groups = None if training.groups is None else training.groups.codes
    for t, column in enumerate(truth):
        own, is_class = values[:, targets.channels_of(t)], column.labels is not None
        said = targets.decision_of(t).pick(own) if is_class else None
        rows = Rows.of(column.values, own, training.weights, groups, fold, said)
        if len(rows.truth):
            found += measure_target(rows, t, is_class, targets.events[t], of_numbers)
    return tuple(found)


def measure_target(
    rows: Rows, target: int, is_class: bool, event: int | None = None, of_numbers: Loss | None = None
) -> list[Metric]:
    """Return the metrics of one target.

    Parameters
    ----------
    rows
        What is known of it.
    target
        Its place.
    is_class
        Whether it is nominal.
    event
        Of two classes the one that is asked for.
    of_numbers
        The loss of numbers; None is squared errors.
    """
    figures = _measure_classes(rows, event) if is_class else _measure_numbers(rows, of_numbers)
    return [Metric(target, name, value, rows.find_error(influence), guess) for name, value, influence, guess in figures]


def find_explained(rows: Rows, is_class: bool) -> tuple[float, float] | None:
    """Return the share of what varies that predictions explain, and its standard error; None where nothing varies.

    What varies is the square of what a guess is off: always the mean, or for classes always their shares (the Brier
    score).

    Parameters
    ----------
    rows
        What is known of a target.
    is_class
        Whether it is nominal.
    """
    own, guess = rows.find_squares(is_class)
    if rows.mean(guess) <= 0:
        return None
    share = 1.0 - rows.mean(own) / rows.mean(guess)
    return share, rows.find_error((own - (1.0 - share) * guess) / rows.mean(guess))


def _measure_numbers(rows: Rows, loss: Loss | None) -> Iterator[Figure]:
    y, said = rows.truth, rows.values[:, 0]
    middle = _find_median(y, rows.share)
    size = np.abs(y - said)
    square, spread = rows.find_squares(False)
    total, of_guess = rows.mean(square), rows.mean(spread)
    root = np.sqrt(total)
    of_rows = rows.unit * ((square - total) / (2 * root) if root > 0 else square)
    yield "rmse", rows.unit * float(root), of_rows, rows.unit * float(np.sqrt(of_guess))
    yield "mae", rows.mean(size), size - rows.mean(size), rows.mean(np.abs(y - middle))
    if of_guess > 0:
        yield "r2", 1 - total / of_guess, (square - spread * total / of_guess) / of_guess, 0.0
    if isinstance(loss, Poisson):
        own, guess = (2 * (xlogy(y, y / mu) - y + mu) for mu in (said, np.full_like(y, rows.mean(y))))
        yield "poisson_deviance", rows.mean(own), own - rows.mean(own), rows.mean(guess)
    if isinstance(loss, Quantile):
        at = _find_quantile(y, rows.share, loss.level)
        own, guess = (np.maximum(loss.level * (y - q), (loss.level - 1) * (y - q)) for q in (said, at))
        yield "pinball", rows.mean(own), own - rows.mean(own), rows.mean(guess)


def _find_quantile(values: Floats, share: Floats, level: float) -> float:
    order = np.argsort(values, kind="stable")
    place = int(np.searchsorted(np.cumsum(share[order]), level))
    return float(values[order][min(place, len(values) - 1)])


_find_median = partial(_find_quantile, level=0.5)


def _measure_classes(rows: Rows, event: int | None) -> Iterator[Figure]:
    shown = np.clip(rows.values, 0.0, 1.0)
    codes, n_classes = rows.truth.astype(np.int64), shown.shape[1]
    is_class = (codes[:, None] == np.arange(n_classes)).astype(float)
    shares = rows.share @ is_class
    said = shown.argmax(axis=1) if rows.said is None else rows.said
    wrong = (said != codes).astype(float)
    loss = -np.log(np.maximum(shown[np.arange(len(codes)), codes], LEAST_SHARE))
    half = 0.5 if n_classes == 2 else 1.0  # of two classes the square of the event's, as scikit-learn has it
    brier = half * ((shown - is_class) ** 2).sum(axis=1)
    yield "error", rows.mean(wrong), wrong - rows.mean(wrong), float(1 - shares.max())
    there = [k for k in range(n_classes) if 0 < shares[k] < 1]
    if there:
        told = [event] if event is not None else there
        areas, influences = zip(*(_measure_area(shown[:, k], is_class[:, k], rows) for k in told), strict=True)
        yield "auc", float(np.mean(areas)), np.mean(influences, axis=0), 0.5
    yield "log_loss", rows.mean(loss), loss - rows.mean(loss), float(-xlogy(shares, shares).sum())
    yield "brier", rows.mean(brier), brier - rows.mean(brier), half * float(1 - shares @ shares)
    if len(there) > 1:
        yield "calibration_slope", *_measure_calibration(shown[:, there], is_class[:, there], rows), np.nan


def _measure_area(p: Floats, happened: Floats, rows: Rows) -> tuple[float, Floats]:
    """The area below the receiver's curve, and the influences (DeLong's placements); rows are compared within folds."""
    if rows.fold is None:
        return _measure_area_of(p, happened, rows.share)
    area, influence, whole = 0.0, np.zeros(len(p)), 0.0
    for k in np.unique(rows.fold):
        own = rows.fold == k
        if not 0 < happened[own].sum() < own.sum():
            continue
        mass = rows.share[own].sum()
        of_fold, influence[own] = _measure_area_of(p[own], happened[own], rows.share[own] / mass)
        area, whole = area + mass * of_fold, whole + mass
    return (area / whole, influence / whole) if whole else (np.nan, np.full(len(p), np.nan))


def _measure_area_of(p: Floats, happened: Floats, share: Floats) -> tuple[float, Floats]:
    """The same of rows that one model predicts."""
    value, place = np.unique(p, return_inverse=True)
    below = {}
    for side, own in ((True, happened), (False, 1 - happened)):
        mass = np.bincount(place, share * own, len(value))
        below[side] = (np.cumsum(mass) - mass / 2)[place] / mass.sum()  # ties count half
    beaten = np.where(happened == 1, below[False], 1 - below[True])
    of_events, of_others = (share @ own for own in (happened, 1 - happened))
    area = float(share @ (happened * beaten) / of_events)
    return area, (beaten - area) * np.where(happened == 1, 1 / of_events, 1 / of_others)


def _measure_calibration(shares: Floats, is_class: Floats, rows: Rows) -> tuple[float, Floats]:
    """How steeply log-odds of what came true rise with those that were said: 1 is right, less is too sure.

    The slope of a logistic (or multinomial) regression on the logarithms of the probabilities, with a constant for each
    class but the first, and its influences.
    """
    influence = np.full(len(shares), np.nan)
    some = np.arange(len(shares))
    if len(some) > MOST_ROWS:
        some = np.sort(np.random.default_rng(0).permutation(some)[:MOST_ROWS])
    weights = rows.share[some] / rows.share[some].sum()
    said = np.log(np.clip(shares[some], LEAST_JUDGED, 1.0))
    y, n_classes = is_class[some], shares.shape[1]
    theta = np.append(np.zeros(n_classes - 1), 1.0)
    for _ in range(STEPS):
        p = np.exp(log_softmax(np.append(0.0, theta[:-1]) + theta[-1] * said, axis=1))
        rest = y - p
        slopes = np.column_stack([rest[:, 1:], (rest * said).sum(axis=1)])
        mean = (p * said).sum(axis=1)
        curve = np.empty((n_classes, n_classes))
        curve[:-1, :-1] = np.diag(weights @ p[:, 1:]) - (weights[:, None] * p[:, 1:]).T @ p[:, 1:]
        curve[-1, :-1] = curve[:-1, -1] = weights @ (p[:, 1:] * (said[:, 1:] - mean[:, None]))
        curve[-1, -1] = weights @ ((p * said**2).sum(axis=1) - mean**2)
        try:
            step = np.linalg.solve(curve, weights @ slopes)
        except np.linalg.LinAlgError:
            return np.nan, influence
        theta = theta + step
        if np.abs(step).max() < ENOUGH:
            each = np.linalg.solve(curve, slopes.T)[-1]
            scaled = np.zeros(len(shares))
            scaled[some] = each * weights / rows.share[some]
            return float(theta[-1]), scaled
        if np.abs(theta).max() > 1e3:  # the classes are told apart without an error
            break
    return np.nan, influence


class KeepsMetrics(TabularEstimator):
    """A model that keeps how good predictions of its training rows were by models that were fitted without them."""

    metrics_: tuple[Metric, ...]

    @property
    def errors_(self) -> Any:
        """How good predictions of rows are that were made without them, as a dataframe.

        A row for each target and metric: `target`, `metric`, `value`, `standard_error`, and `guess`, the same figure of
        a guess that looks at no input. Numbers have "rmse", "mae" and "r2", with their loss "poisson_deviance" or
        "pinball". Classes have "error" (how often `predict` names a wrong one, by its threshold or what errors cost;
        NaN where `with_threshold` has changed that since the fit), "auc" (of the event, of more than two classes the
        mean over them; rows are compared within folds), "log_loss", "brier" (of two classes that of the event) and
        "calibration_slope" (1 is right, less is too sure). With groups the standard errors are those between groups.
        """
        import pandas as pd

        check_is_fitted(self)
        if "metrics_" not in vars(self):
            raise AttributeError(
                "this model has no predictions of rows that it was fitted without: it is another size than was fitted,"
                " a forest without oob_score, a tree without folds, or was saved by an older glade; fit it with this"
                ' max_rules, with oob_score=True, or with ccp_alpha="cv"'
            )
        names = self.target_schema_.names
        own = pd.DataFrame(self.metrics_, columns=["target", "metric", "value", "standard_error", "guess"])
        own["target"] = [names[t] for t in own["target"]]
        return own
