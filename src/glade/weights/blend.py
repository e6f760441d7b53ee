"""A mixture of models of one fit: shares that add up to 1, of least loss on the rows that the folds hold out.

Models of the same terms are added up weight by weight, so a mixture is a model of rules like any other. One that mixes
all terms, few terms and no term is more accurate than the best of these by itself, and varies less with the draw: it
does not take the lowest of many errors that are all a little wrong.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.rules.path import TermWeights
from glade.weights.problem_sums import FoldSums

Floats = NDArray[np.float64]

LEAST_SHARE = 0.01  # of a mixture: less is not worth its terms
MOST_STEPS = 200
CLOSE = 1e-6  # of the loss: what the best shares may still gain


@dataclass(frozen=True)
class _HeldOutScores:
    """What the models of a fold say of the rows it holds out.

    Parameters
    ----------
    sums
        The fold.
    scores
        Models x scores x rows.
    """

    sums: FoldSums
    scores: Floats

    @classmethod
    def of(cls, sums: FoldSums, models: Sequence[TermWeights]) -> "_HeldOutScores":
        return cls(sums, np.array([sums.problem.predict_held_out(model).T for model in models]))

    def evaluate(self, shares: Floats) -> tuple[float, Floats]:
        """The mean error over the targets of a mixture, and its derivative along each share."""
        losses, rows = self.sums.losses, self.sums.held_out
        y, mixed = np.nan_to_num(rows.y.T, nan=0.0), np.tensordot(shares, self.scores, 1)
        unit = losses.share_rows(rows.y, rows.counts) / (self.sums.null[:, None] * len(losses))
        slope = losses.gradient(y, mixed) * np.repeat(unit, [loss.n_scores for loss in losses.losses], axis=0)
        return float((unit * losses.value(y, mixed)).sum()), np.tensordot(self.scores, slope, 2)


def find_shares(all_sums: Sequence[FoldSums], models: Sequence[Sequence[TermWeights]]) -> Floats:
    """The share of each model in the mixture of least mean error over the folds.

    Parameters
    ----------
    sums
        The folds that judge.
    models
        Of each fold the same models, in the same order.

    Notes
    -----
    The error is convex in the shares. It is lowered by multiplied steps, which keep shares positive, each as long as
    still lowers it.
    """
    folds = [_HeldOutScores.of(sums, own) for sums, own in zip(all_sums, models, strict=True)]

    def evaluate(shares: Floats) -> tuple[float, Floats]:
        found = [fold.evaluate(shares) for fold in folds]
        return float(np.mean([value for value, _ in found])), np.mean([slope for _, slope in found], axis=0)

    n_models = len(models[0])
    alone = [evaluate(own)[0] for own in np.eye(n_models)]
    shares = np.full(n_models, 0.5 / n_models)
    shares[int(np.argmin(alone))] += 0.5
    shares = _descend(shares, evaluate)
    shares[shares < LEAST_SHARE] = 0.0
    return np.asarray(shares / shares.sum())


def _descend(shares: Floats, evaluate: Callable[[Floats], tuple[float, Floats]]) -> Floats:
    """From these shares to the best ones."""
    value, slope = evaluate(shares)
    length = 1.0 / max(float(np.abs(slope - shares @ slope).max()), 1e-12)
    for _ in range(MOST_STEPS):
        if shares @ slope - slope.min() <= CLOSE * max(abs(value), 1e-12):
            break
        step = np.log(np.maximum(shares, 1e-12)) - length * (slope - slope.min())
        moved = np.exp(step - step.max())
        moved /= moved.sum()
        new_value, new_slope = evaluate(moved)
        if new_value <= value:
            shares, value, slope, length = moved, new_value, new_slope, 1.5 * length
        else:
            length *= 0.4
    return shares


def mix(models: Sequence[TermWeights], shares: Floats) -> TermWeights:
    """The mixture as one model: of all terms of those models that have a share in it.

    >>> one = TermWeights(np.array([0]), np.array([[2.0]]), np.array([1.0]))
    >>> two = TermWeights(np.array([0, 3]), np.array([[4.0], [1.0]]), np.array([0.0]))
    >>> found = mix([one, two], np.array([0.5, 0.5]))
    >>> found.terms.tolist(), found.weights.ravel().tolist(), found.offset.tolist()
    ([0, 3], [3.0, 0.5], [0.5])
    """
    used = [(model, share) for model, share in zip(models, shares.tolist(), strict=True) if share > 0.0]
    terms = np.unique(np.concatenate([model.terms for model, _ in used]))
    weights, offset = np.zeros((len(terms), len(used[0][0].offset))), np.zeros(len(used[0][0].offset))
    for model, share in used:
        weights[np.searchsorted(terms, model.terms)] += share * model.weights
        offset += share * model.offset
    return TermWeights(terms, weights, offset)
