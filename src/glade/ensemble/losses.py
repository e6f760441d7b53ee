"""What an ensemble with a learning rate lowers: squared error of numbers, deviance of classes, side by side.

Predictions are channels: of a numeric target its value less the mean (scaled as `EncodedTargets` scales it), of a
nominal one a score for each class, whose softmax are the probabilities. With two classes that is the logistic loss.
Steps are small beside the mean: added to it, those for 1e12 + tiny would be rounded away.
"""

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import EncodedTargets
from glade.grow.coded_trees import CodedTree
from glade.losses.base import Loss
from glade.losses.multinomial import Multinomial
from glade.losses.squared import Squared

LEAST_SHARE = 1e-9  # of a class none of whose rows has weight: its score must be finite


class BoostingLoss:
    """The loss of predictions of these targets. Arrays are rows x channels; unknown target values do not count.

    `start` is the constant of least loss: the mean, and logarithms of the classes' shares. `first` is the same as a
    prediction, which leaves the mean out.
    """

    def __init__(self, targets: EncodedTargets):
        self.targets, schema = targets, targets.schema
        self._losses: list[Loss] = [Squared.of(None) if c is None else Multinomial.of(len(c)) for c in schema.classes]
        self._places = [schema.channels_of(t) for t in range(schema.n_targets)]
        own = zip(self._losses, self._places, strict=True)
        self._curved = [(loss, at) for loss, at in own if not loss.is_quadratic]
        self.start = targets.find_means()
        self.first = np.zeros(targets.n_channels)
        for loss, at in self._curved:
            self.start[at] = self.first[at] = loss.start(self.start[at], LEAST_SHARE)
        self._y = targets.channels.y[:, : targets.n_channels] - (self.start - self.first)
        self._curvature = np.zeros_like(self._y) if self._curved else np.empty((0, targets.n_channels))

    def fill_gradient(self, prediction: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Fill in the negative gradient at the predictions, which the next tree is to explain."""
        own = out[:, : self.targets.n_channels]
        np.subtract(self._y, prediction, out=own)
        for loss, at in self._curved:
            own[:, at] = -loss.gradient(self._y[:, at].T, prediction[:, at].T).T
            self._curvature[:, at] = loss.curvature(prediction[:, at].T).T

    def step(
        self,
        tree: CodedTree,
        leaves: NDArray[np.int32],
        gradient: NDArray[np.float64],
        weights: NDArray[np.float64],
        rows: NDArray[np.intp],
    ) -> None:
        """Make each node's value the best step from the predictions there.

        Where the loss is quadratic that is the mean of the gradient, which the tree has; else it is one Newton step.

        Parameters
        ----------
        tree
            Grown on the gradient.
        leaves
            The leaf of each row.
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

        sums = np.zeros((2, len(tree.nodes), self.targets.n_channels))
        sum_slopes(self.targets.channels, gradient, self._curvature, weights, rows, leaves, tree.nodes, sums)
        for loss, at in self._curved:
            tree.value[:, at] = loss.newton_step(*sums[:, :, at].swapaxes(1, 2)).T

    def per_target(self, prediction: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The loss of each target over some rows: squared error over variance, deviance over the classes' entropy."""
        channels = self.targets.channels
        losses = np.full(len(self._losses), np.nan)
        for t, (loss, at) in enumerate(zip(self._losses, self._places, strict=True)):
            known = rows[channels.known[rows, t] == 1] if len(channels.known) else rows
            if not len(known):
                continue
            share = channels.weight[known] / channels.weight[known].sum()
            unit = channels.scale[at] if loss.is_quadratic else 1.0
            y, scores = ((values[known, at] * unit).T for values in (self._y, prediction))
            losses[t] = share @ loss.value(y, scores) / loss.null(y, share, self.start[at])
        return losses
