"""Errors of a growing ensemble on rows that its trees did not see."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.ensemble.curve import ErrorCurve
from glade.ensemble.forest import to_votes
from glade.ensemble.loop import BoostedPrediction, Plan
from glade.grow.node_table import NodeTable


class ErrorTracker(Protocol):
    """Sees the trees in order."""

    errors: list[float]

    def add(self, number: int, tree: NodeTable) -> None:
        """Take in the tree of this number."""

    def curve(self) -> ErrorCurve:
        """The errors after each tree."""


def target_errors(
    prediction: NDArray[np.float64],
    truth: list[NDArray[np.float64]],
    weights: NDArray[np.float64],
    schema: TargetSchema,
    spread: NDArray[np.float64],
) -> NDArray[np.float64]:
    """For each target the squared error over its variance, or the share of wrong classes; NaN where nothing is known.

    Rows without a prediction (NaN) do not count, nor do unknown target values.
    """
    errors = np.full(schema.n_targets, np.nan)
    for t, classes in enumerate(schema.classes):
        guess = prediction[:, schema.channels_of(t)]
        known = ~np.isnan(truth[t]) & ~np.isnan(guess[:, 0])
        if not known.any():
            continue
        if classes is None:
            wrong = ((truth[t][known] - guess[known, 0]) / (spread[t] or 1.0)) ** 2
        else:
            wrong = (guess[known].argmax(axis=1) != truth[t][known]).astype(float)
        errors[t] = np.average(wrong, weights=weights[known])
    return errors


def mean_error(errors: NDArray[np.float64], target_weights: NDArray[np.float64]) -> float:
    """The mean over the targets that have one."""
    known = ~np.isnan(errors)
    return float(np.average(errors[known], weights=target_weights[known])) if known.any() else np.nan


def _find_centre(truth: list[NDArray[np.float64]], schema: TargetSchema) -> NDArray[np.float64]:
    """Of what trees for these targets say: means lie between the least and the greatest value."""
    low, high = ([float(find(values)) for values in truth] for find in (np.nanmin, np.nanmax))
    widths = np.diff(schema.start)
    return schema.find_centre(np.repeat(low, widths), np.repeat(high, widths))


class OutOfBag:
    """Predictions of each row by the independent trees that did not see it.

    Parameters
    ----------
    plan
        The ensemble's.
    matrix
        The training inputs, encoded.
    truth
        The training targets: numbers, or positions of classes.
    target_weights
        How much each target counts in the error.
    voting
        "distribution" or "majority".
    """

    def __init__(
        self,
        plan: Plan,
        matrix: NDArray[np.float64],
        truth: list[NDArray[np.float64]],
        target_weights: NDArray[np.float64],
        voting: str = "distribution",
    ):
        self._plan, self._matrix, self._truth, self._voting = plan, matrix, truth, voting
        self._target_weights = target_weights
        self._total = np.zeros((len(matrix), plan.targets.n_channels))
        self._centre = _find_centre(truth, plan.targets.schema)
        self._count = np.zeros(len(matrix))
        self._errors: list[NDArray[np.float64]] = []
        self.errors: list[float] = []

    def add(self, number: int, tree: NodeTable) -> None:
        """Let the tree of this number predict the rows it did not see."""
        rows = self._plan.sampling.out_of_bag(self._plan.draw(number))
        value = to_votes(tree.value, self._plan.targets.schema) if self._voting == "majority" else tree.value
        self._total[rows] += (value - self._centre)[tree.route(self._matrix[rows])]
        self._count[rows] += 1.0
        targets = self._plan.targets
        errors = target_errors(self.prediction, self._truth, targets.channels.weight, targets.schema, targets.spread)
        self._errors.append(errors)
        self.errors.append(mean_error(errors, self._target_weights))

    @property
    def prediction(self) -> NDArray[np.float64]:
        """Rows x channels; NaN for a row that every tree has seen."""
        with np.errstate(invalid="ignore"):
            return self._total / self._count[:, None] + self._centre

    def curve(self) -> ErrorCurve:
        """The errors after each tree."""
        return ErrorCurve(np.array(self.errors), np.array(self._errors), self._plan.targets.schema.names)


class HeldOutLoss:
    """The loss of a boosted ensemble on rows kept from it."""

    def __init__(self, boosted: BoostedPrediction, rows: NDArray[np.intp], target_weights: NDArray[np.float64]):
        self._boosted, self._rows, self._target_weights = boosted, rows, target_weights
        self._errors: list[NDArray[np.float64]] = []
        self.errors: list[float] = []

    def add(self, number: int, tree: NodeTable) -> None:
        """Judge F, which has taken this tree's step."""
        self._errors.append(self._boosted.loss.per_target(self._boosted.prediction, self._rows))
        self.errors.append(mean_error(self._errors[-1], self._target_weights))

    def curve(self) -> ErrorCurve:
        """The losses after each tree."""
        return ErrorCurve(np.array(self.errors), np.array(self._errors), self._boosted.plan.targets.schema.names)
