"""Numbers and classes as free channels, and the loss of predictions of them.

A numeric target is one channel; a nominal one of two classes is one channel, the log-odds of the second; one of more
classes has a channel for each. Arrays are channels x rows.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, expit

from glade.rules.design import TargetRows
from glade.weights.problem import TargetColumns
from glade.weights.term_columns import Floats

LEAST_CURVATURE = 1e-5  # of a row that is told its class with certainty


@dataclass(frozen=True)
class Channels:
    """The free channels of some targets."""

    targets: tuple[TargetColumns, ...]

    @cached_property
    def own(self) -> list[slice]:
        """For each target its free channels."""
        ends = np.cumsum([0, *(t.n_free for t in self.targets)]).tolist()
        return [slice(first, end) for first, end in pairwise(ends)]

    @property
    def n_free(self) -> int:
        return sum(t.n_free for t in self.targets)

    @property
    def only_numbers(self) -> bool:
        return not any(t.is_nominal for t in self.targets)

    def join(self, y: Floats) -> Floats:
        """Rows x columns of y as rows x free channels, zero where unknown."""
        parts = [y[:, t.channels][:, -t.n_free :] for t in self.targets]
        return np.nan_to_num(np.concatenate(parts, axis=1), nan=0.0)

    def split(self, weights: Floats) -> Floats:
        """The way back: free channels x terms as terms x columns; two classes share a log-odds evenly."""
        out = np.zeros((weights.shape[1], max(t.channels.stop for t in self.targets)))
        for target, own in zip(self.targets, self.own, strict=True):
            shares = [[-0.5, 0.5]] if target.n_free < target.n_columns else np.eye(target.n_free)
            out[:, target.channels] = weights[own].T @ np.array(shares)
        return out

    def share_rows(self, rows: TargetRows) -> Floats:
        """Targets x rows: what a row counts for a target, zero where it is unknown, one altogether."""
        own = rows.counts
        share = np.array([own * ~np.isnan(rows.y[:, t.channels.start]) for t in self.targets])
        return share / np.maximum(share.sum(axis=1), 1e-300)[:, None]

    def start(self, y: Floats, share: Floats, n_rows: int) -> Floats:
        """The constants of least loss: means, log-odds, logarithms of shares; half a row for an absent class."""
        best = np.empty(self.n_free)
        for target, own, counts in zip(self.targets, self.own, share, strict=True):
            best[own] = y[own] @ counts
            if target.is_nominal:
                least = 0.5 / n_rows
                of_class = np.clip(best[own], least, 1 - least)
                best[own] = np.log(of_class / (1 - of_class) if target.n_free < target.n_columns else of_class)
        return best

    def means(self, predicted: Floats) -> Floats:
        """Values, and probabilities of classes."""
        out = predicted.copy()
        for target, own in zip(self.targets, self.own, strict=True):
            if target.is_nominal:
                out[own] = expit(predicted[own]) if target.n_free < target.n_columns else _share_out(predicted[own])
        return out

    def curve(self, means: Floats) -> Floats:
        """Targets x rows: the second derivative of a row's loss along its channels, from above."""
        out = np.ones((len(self.targets), means.shape[1]))
        for t, (target, own) in enumerate(zip(self.targets, self.own, strict=True)):
            if target.is_nominal:
                factor = target.weight * (1 if target.n_free < target.n_columns else 2)
                out[t] = factor * np.maximum((means[own] * (1 - means[own])).max(axis=0), LEAST_CURVATURE)
        return out

    def slope(self, y: Floats, means: Floats) -> Floats:
        """Channels x rows: the negative gradient of a row's loss."""
        out = y - means
        for target, own in zip(self.targets, self.own, strict=True):
            if target.is_nominal:
                out[own] *= target.weight
        return out

    def losses(self, y: Floats, predicted: Floats) -> Floats:
        """Targets x rows: half the squared error, or weight * -log probability of the class."""
        out = np.empty((len(self.targets), y.shape[1]))
        for t, (target, own) in enumerate(zip(self.targets, self.own, strict=True)):
            if not target.is_nominal:
                out[t] = ((y[own] - predicted[own]) ** 2).sum(axis=0) / 2
            elif target.n_free < target.n_columns:
                out[t] = target.weight * (np.logaddexp(0.0, predicted[own][0]) - (y[own] * predicted[own])[0])
            else:
                out[t] = target.weight * (_log_sum(predicted[own]) - (y[own] * predicted[own]).sum(axis=0))
        return out

    def bounds(self, y: Floats, predicted: Floats, length: float) -> Floats:
        """Targets x rows: what a row's part of the dual objective is, at so much of the slope.

        Of a class it is the entropy of the probabilities drawn towards the truth.
        """
        means, out = self.means(predicted), np.empty((len(self.targets), y.shape[1]))
        for t, (target, own) in enumerate(zip(self.targets, self.own, strict=True)):
            if not target.is_nominal:
                slope = length * (y[own] - means[own])
                out[t] = (slope * (y[own] - slope / 2)).sum(axis=0)
            else:
                between = (1 - length) * y[own] + length * means[own]
                out[t] = target.weight * entr(between).sum(axis=0)
                if target.n_free < target.n_columns:
                    out[t] += target.weight * entr(1 - between).sum(axis=0)
        return out

    def group(self, share: Floats) -> list[NDArray[np.int64]]:
        """Targets that have the terms' products in common: numeric ones that are known in the same rows."""
        groups: dict[bytes, list[int]] = {}
        for t, target in enumerate(self.targets):
            key = str(t).encode() if target.is_nominal else share[t].tobytes()
            groups.setdefault(key, []).append(t)
        return [np.array(members) for members in groups.values()]


def _share_out(scores: Floats) -> Floats:
    """Probabilities of classes (softmax over channels); scipy's way takes three times as long on few rows."""
    out = np.exp(scores - scores.max(axis=0))
    out /= out.sum(axis=0)
    return np.asarray(out)


def _log_sum(scores: Floats) -> Floats:
    """The logarithm of the sum of exponentials, over channels."""
    most = scores.max(axis=0)
    return np.asarray(most + np.log(np.exp(scores - most).sum(axis=0)))
