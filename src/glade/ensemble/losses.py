"""What an ensemble with memory lowers: squared error of numeric targets, deviance of nominal ones, side by side.

Predictions are channels: of a numeric target its value (scaled as `EncodedTargets` scales it), of a nominal one a score
for each class, whose softmax are the probabilities. With two classes that is the logistic loss.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glade.data.targets import EncodedTargets
from glade.grow.node_table import NodeTable

LEAST_SHARE = 1e-9  # of a class none of whose rows has weight: its score must be finite
LEAST_CURVATURE = 1e-150  # where a leaf's probabilities are certain, and there is nothing to correct


@dataclass(frozen=True)
class Loss:
    """The loss of predictions of these targets. Arrays are rows x channels; unknown target values do not count."""

    targets: EncodedTargets

    @property
    def _nominal(self) -> list[slice]:
        schema = self.targets.schema
        return [schema.channels_of(t) for t, classes in enumerate(schema.classes) if classes is not None]

    def _known(self, target: int) -> NDArray[np.bool_] | slice:
        known = self.targets.channels.known
        return known[:, target] == 1 if len(known) else slice(None)

    def start(self) -> NDArray[np.float64]:
        """The constant of least loss: the mean, and logarithms of the classes' shares."""
        channels, schema = self.targets.channels, self.targets.schema
        start = np.empty(self.targets.n_channels)
        for t, classes in enumerate(schema.classes):
            at, known = schema.channels_of(t), self._known(t)
            mean = np.average(channels.y[known, at], axis=0, weights=channels.weight[known])
            start[at] = mean if classes is None else np.log(np.maximum(mean, LEAST_SHARE))
        return start

    def fill_gradient(self, prediction: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """The negative gradient at the predictions: what the next tree is to explain."""
        n_channels = self.targets.n_channels
        out[:, :n_channels] = prediction
        for at in self._nominal:
            out[:, at] = _find_shares(prediction[:, at])
        np.subtract(self.targets.channels.y[:, :n_channels], out[:, :n_channels], out=out[:, :n_channels])

    def step(
        self,
        tree: NodeTable,
        leaves: NDArray[np.int32],
        gradient: NDArray[np.float64],
        weights: NDArray[np.float64],
    ) -> NodeTable:
        """The tree with each node's value the best step from the predictions there: the mean of the gradient of a
        numeric target (which the tree has), one Newton step of a nominal one.

        Parameters
        ----------
        tree
            Grown on the gradient.
        leaves
            The leaf of each row.
        gradient
            As filled by `fill_gradient`.
        weights
            The weights of the rows in the tree's sample, zero outside.
        """
        if not self._nominal:
            return tree
        channels, schema = self.targets.channels, self.targets.schema
        value = tree.value.copy()
        for t, classes in enumerate(schema.classes):
            if classes is None:
                continue
            known, at = self._known(t), schema.channels_of(t)
            leaf, weight, slope = leaves[known], weights[known], gradient[known, at]
            share = channels.y[known, at] - slope
            parts = np.hstack((slope, share * (1.0 - share))) * weight[:, None]
            sums = np.column_stack([np.bincount(leaf, part, tree.n_nodes) for part in parts.T]).astype(float)
            rise, curvature = np.hsplit(tree.sum_up(sums), 2)
            step = np.divide(rise, curvature, out=np.zeros_like(rise), where=curvature > LEAST_CURVATURE)
            value[:, at] = (1.0 - 1.0 / len(classes)) * step
        return replace(tree, value=value)

    def per_target(self, prediction: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The loss of each target over some rows: squared error over variance, deviance over the classes' entropy."""
        channels, schema = self.targets.channels, self.targets.schema
        losses = np.full(schema.n_targets, np.nan)
        start = self.start()
        for t, classes in enumerate(schema.classes):
            at, known = schema.channels_of(t), rows
            if len(channels.known):
                known = rows[channels.known[rows, t] == 1]
            weight = channels.weight[known]
            if not len(known):
                continue
            if classes is None:
                error = (channels.y[known, at.start] - prediction[known, at.start]) * channels.scale[at.start]
                losses[t] = np.average(error**2, weights=weight)
            else:
                y = channels.y[known, at]
                deviance = -np.sum(y * special.log_softmax(prediction[known, at], axis=1), axis=1)
                at_start = -np.sum(y * special.log_softmax(start[at]), axis=1)
                losses[t] = np.average(deviance, weights=weight) / max(np.average(at_start, weights=weight), 1e-300)
        return losses


def _find_shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Their softmax: SciPy's own takes several times as long, and this is done for every tree."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
