"""What an ensemble with a learning rate lowers: a loss of each number, deviance of classes, side by side.

Predictions are channels: of a numeric target its value less the start (scaled as `EncodedTargets` scales it) or, where
the link is not the identity, its score; of a nominal one a score for each class, whose softmax are the probabilities.
With two classes that is the logistic loss. Steps are small beside the mean: added to it, those for 1e12 + tiny would be
rounded away.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import EncodedTargets
from glade.ensemble.ranks import find_node_quantiles
from glade.grow.coded_trees import CodedTree
from glade.losses.base import Loss
from glade.losses.links import Link, Log
from glade.losses.location import measure_location
from glade.losses.multinomial import Multinomial
from glade.losses.quantile import Quantile

MOST_FACTOR = 10.0  # of a tree: where it tells classes apart without an error, there is no best one
HALVINGS = 30
LEAST_SHARE = 1e-9  # of a class none of whose rows has weight, and of the largest amount: scores must be finite


class BoostingLoss:
    """The loss of predictions of these targets. Arrays are rows x channels; unknown target values do not count.

    `start` is the constant of least loss: the mean, and logarithms of the classes' shares. `first` is the same as a
    prediction, which leaves the start out where the loss is one of differences.

    Parameters
    ----------
    targets
        Encoded.
    of_numbers
        The loss of each numeric target, for targets whose spread is 1.
    """

    def __init__(self, targets: EncodedTargets, of_numbers: Loss):
        self.targets, schema = targets, targets.schema
        self._places = [schema.channels_of(t) for t in range(schema.n_targets)]
        self._losses = [
            self._measure(of_numbers, t) if classes is None else Multinomial.of(len(classes))
            for t, classes in enumerate(schema.classes)
        ]
        own = zip(self._losses, self._places, strict=True)
        self._curved = [(t, loss, at) for t, (loss, at) in enumerate(own) if not loss.is_quadratic]
        self.start = targets.find_means()
        self.first = np.zeros(targets.n_channels)
        for t, loss, at in self._curved:
            y, share = self._take_known(t)
            self.start[at] = loss.start(y, share, LEAST_SHARE)
            if not loss.is_of_difference:
                self.first[at] = self.start[at]
        self._y = targets.channels.y[:, : targets.n_channels] - (self.start - self.first)
        self._curvature = np.zeros_like(self._y) if self._curved else np.empty((0, targets.n_channels))

    @property
    def links(self) -> tuple[Link, ...]:
        """How the predictions of each target become values."""
        return tuple(loss.link for loss in self._losses)

    @property
    def scored(self) -> EncodedTargets:
        """The targets as trees of scores have them: a logarithm has no unit to be scaled by."""
        exponent = self.targets.exponent.copy()
        for loss, at in zip(self._losses, self._places, strict=True):
            if isinstance(loss.link, Log):
                exponent[at] = 0
        return replace(self.targets, exponent=exponent)

    def decode_start(self) -> NDArray[np.float64]:
        """The start in the user's units."""
        start = self.scored.decode(self.start[None])[0]
        unit = self.targets.exponent - self.scored.exponent
        return start + np.where(unit == 0, 0.0, unit * np.log(2.0))

    def _measure(self, loss: Loss, t: int) -> Loss:
        """The loss of a numeric target, in its unit."""
        if loss.is_quadratic or not loss.is_of_difference:
            return loss
        y, share = self._take_known(t)
        return loss.in_unit(measure_location(y[0], share)[1])

    def _take_known(self, t: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The channels (x rows) of a target where it is known, and what share of all each row counts."""
        channels = self.targets.channels
        known = channels.known[:, t] == 1 if len(channels.known) else np.ones(len(channels.y), bool)
        weight = channels.weight[known]
        return channels.y[known, self._places[t]].T, weight / weight.sum()

    def fill_gradient(self, prediction: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Fill in the negative gradient at the predictions, which the next tree is to explain."""
        own = out[:, : self.targets.n_channels]
        np.subtract(self._y, prediction, out=own)
        for _, loss, at in self._curved:
            y, scores = self._y[:, at].T, prediction[:, at].T
            own[:, at] = -loss.gradient(y, scores).T
            self._curvature[:, at] = loss.curvature(y, scores).T

    def step(
        self,
        tree: CodedTree,
        leaves: NDArray[np.int32],
        prediction: NDArray[np.float64],
        gradient: NDArray[np.float64],
        weights: NDArray[np.float64],
        rows: NDArray[np.intp],
    ) -> None:
        """Make each node's value the best step from the predictions there.

        Where the loss is quadratic that is the mean of the gradient, which the tree has. With Huber's loss it is so
        too: a leaf with a faulty reading alone would take the whole of it otherwise. Of a quantile it is the quantile
        of the residuals, else one Newton step.

        Parameters
        ----------
        tree
            Grown on the gradient.
        leaves
            The leaf of each row.
        prediction
            At which the gradient was taken.
        gradient
            As filled by `fill_gradient` just before.
        weights
            Of the rows.
        rows
            The tree's sample.
        """
        if not self._curved:
            return
        from glade.ensemble._newton import sum_slopes

        channels = self.targets.channels
        sums = np.zeros((2, len(tree.nodes), self.targets.n_channels))
        sum_slopes(channels, gradient, self._curvature, weights, rows, leaves, tree.nodes, sums)
        for t, loss, at in self._curved:
            if isinstance(loss, Quantile):
                own = rows[channels.known[rows, t] == 1] if len(channels.known) else rows
                residual = self._y[own, at.start] - prediction[own, at.start]
                steps = find_node_quantiles(tree.nodes, leaves[own], residual, weights[own], loss.level)
                tree.value[:, at.start] = steps
            elif not loss.is_of_difference:
                tree.value[:, at] = loss.newton_step(*sums[:, :, at].swapaxes(1, 2)).T

    def fit_step(
        self,
        tree: CodedTree,
        leaves: NDArray[np.int32],
        prediction: NDArray[np.float64],
        weights: NDArray[np.float64],
        rows: NDArray[np.intp],
    ) -> None:
        """Multiply the nodes' values of each target by the factor of least loss over the sample; see `step`.

        Where the loss is quadratic that factor is 1: leaves are means of the gradient.
        """
        channels = self.targets.channels
        for t, loss, at in self._curved:
            own = rows[channels.known[rows, t] == 1] if len(channels.known) else rows
            y, scores, added = self._y[own, at].T, prediction[own, at].T, tree.value[leaves[own], at].T
            tree.value[:, at] *= find_factor(loss, y, scores, added, weights[own])

    def per_target(self, prediction: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The loss of each target over some rows: squared error over variance, others over that of the constant."""
        channels = self.targets.channels
        losses = np.full(len(self._losses), np.nan)
        for t, (loss, at) in enumerate(zip(self._losses, self._places, strict=True)):
            known = rows[channels.known[rows, t] == 1] if len(channels.known) else rows
            if not len(known):
                continue
            share = channels.weight[known] / channels.weight[known].sum()
            unit = channels.scale[at] if loss.is_quadratic else 1.0
            y, scores = ((values[known, at] * unit).T for values in (self._y, prediction))
            losses[t] = share @ loss.value(y, scores) / loss.null(y, share, self.first[at])
        return losses


def find_factor(
    loss: Loss,
    y: NDArray[np.float64],
    scores: NDArray[np.float64],
    added: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> float:
    """Return the c of least weighted loss at scores + c * added, from 0 to ten.

    The loss is convex along c: where its slope changes its sign is found by halving.
    """

    def slope(c: float) -> float:
        return float(((loss.gradient(y, scores + c * added) * added) @ weights).sum())

    if not added.any():
        return 1.0
    low, high = 0.0, 1.0
    while slope(high) < 0.0:
        low, high = high, 2.0 * high
        if high > MOST_FACTOR:
            return MOST_FACTOR
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0.0 else (low, middle)
    return (low + high) / 2
