"""What an ensemble with memory lowers: squared error of numeric targets, deviance of nominal ones, side by side.

Predictions are channels: of a numeric target its value less the mean (scaled as `EncodedTargets` scales it), of a
nominal one a score for each class, whose softmax are the probabilities. With two classes that is the logistic loss.
Steps are small beside the mean: added to it, those for 1e12 + tiny would be rounded away.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glade.data.targets import EncodedTargets
from glade.grow.coded_trees import CodedTree

LEAST_SHARE = 1e-9  # of a class none of whose rows has weight: its score must be finite
LEAST_CURVATURE = 1e-150  # where a leaf's probabilities are certain, and there is nothing to correct


class Loss:
    """The loss of predictions of these targets. Arrays are rows x channels; unknown target values do not count.

    `start` is the constant of least loss: the mean, and logarithms of the classes' shares. `first` is the same as a
    prediction, which leaves the mean out.
    """

    def __init__(self, targets: EncodedTargets):
        self.targets, schema = targets, targets.schema
        self._nominal = [schema.channels_of(t) for t, classes in enumerate(schema.classes) if classes is not None]
        self.start = targets.find_means()
        self.first = np.zeros(targets.n_channels)
        for at in self._nominal:
            self.start[at] = self.first[at] = np.log(np.maximum(self.start[at], LEAST_SHARE))
        self._y = targets.channels.y[:, : targets.n_channels] - (self.start - self.first)

    def fill_gradient(self, prediction: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """The negative gradient at the predictions: what the next tree is to explain."""
        own = out[:, : self.targets.n_channels]
        own[:] = prediction
        for at in self._nominal:
            own[:, at] = _find_shares(prediction[:, at])
        np.subtract(self._y, own, out=own)

    def step(
        self,
        tree: CodedTree,
        leaves: NDArray[np.int32],
        gradient: NDArray[np.float64],
        weights: NDArray[np.float64],
        rows: NDArray[np.intp],
    ) -> None:
        """Make each node's value the best step from the predictions there: the mean of the gradient of a numeric target
        (which the tree has), one Newton step of a nominal one.

        Parameters
        ----------
        tree
            Grown on the gradient.
        leaves
            The leaf of each row.
        gradient
            As filled by `fill_gradient`.
        weights
            Of the rows.
        rows
            The tree's sample.
        """
        if not self._nominal:
            return
        from glade.ensemble._newton import sum_slopes

        channels, schema = self.targets.channels, self.targets.schema
        sums = np.zeros((2, len(tree.nodes), self.targets.n_channels))
        sum_slopes(channels, gradient, weights, rows, leaves, tree.nodes, sums)
        for t, classes in enumerate(schema.classes):
            if classes is not None:
                at = schema.channels_of(t)
                rise, curvature = sums[:, :, at]
                step = np.divide(rise, curvature, out=np.zeros_like(rise), where=curvature > LEAST_CURVATURE)
                tree.value[:, at] = (1.0 - 1.0 / len(classes)) * step

    def per_target(self, prediction: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The loss of each target over some rows: squared error over variance, deviance over the classes' entropy."""
        channels, schema = self.targets.channels, self.targets.schema
        losses = np.full(schema.n_targets, np.nan)
        for t, classes in enumerate(schema.classes):
            at, known = schema.channels_of(t), rows
            if len(channels.known):
                known = rows[channels.known[rows, t] == 1]
            weight = channels.weight[known]
            if not len(known):
                continue
            if classes is None:
                error = (self._y[known, at.start] - prediction[known, at.start]) * channels.scale[at.start]
                losses[t] = np.average(error**2, weights=weight)
            else:
                y = self._y[known, at]
                deviance = -np.sum(y * special.log_softmax(prediction[known, at], axis=1), axis=1)
                at_start = -np.sum(y * special.log_softmax(self.start[at]), axis=1)
                losses[t] = np.average(deviance, weights=weight) / max(np.average(at_start, weights=weight), 1e-300)
        return losses


def _find_shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Their softmax: SciPy's own takes several times as long, and this is done for every tree."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
