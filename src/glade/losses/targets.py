"""The losses of several targets side by side: sums over targets are written here and nowhere else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glade.losses.base import Loss
from glade.losses.links import Floats
from glade.losses.squared import Squared


@dataclass(frozen=True)
class TargetLosses:
    """A loss for each target.

    Arrays of scores and of `y` are all scores of all targets x rows; what there is for each target is targets x rows.

    Parameters
    ----------
    losses
        Of the targets.
    weights
        What each target's loss is multiplied by. Where a loss is quadratic its columns can carry the root of the weight
        as well; then the weight here is 1.
    """

    losses: tuple[Loss, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, losses: Sequence[Loss], weights: Sequence[float] | None = None) -> "TargetLosses":
        """Of these losses, each counted once unless weights are given."""
        return cls(tuple(losses), (1.0,) * len(losses) if weights is None else tuple(map(float, weights)))

    @classmethod
    def of_numbers(cls, n_targets: int) -> "TargetLosses":
        """Squared errors of so many numeric targets."""
        return cls.of([Squared.of(None)] * n_targets)

    def __len__(self) -> int:
        return len(self.losses)

    @cached_property
    def places(self) -> list[slice]:
        """Where the scores of each target are among all scores."""
        ends = np.cumsum([0, *(loss.n_scores for loss in self.losses)]).tolist()
        return [slice(first, end) for first, end in pairwise(ends)]

    @property
    def n_scores(self) -> int:
        """Of all targets."""
        return self.places[-1].stop if self.places else 0

    @property
    def is_quadratic(self) -> bool:
        """Whether every loss is half the squared error."""
        return all(loss.is_quadratic for loss in self.losses)

    @cached_property
    def curved(self) -> list[int]:
        """The targets whose loss is not quadratic: sums of products say not all of it."""
        return [t for t, loss in enumerate(self.losses) if not loss.is_quadratic]

    def share_rows(self, y: Floats, counts: Floats) -> Floats:
        """What a row counts for a target, zero where the target is unknown, one altogether.

        Parameters
        ----------
        y
            Rows x scores, NaN where unknown.
        counts
            What each row counts.
        """
        share = np.array([counts * ~np.isnan(y[:, at.start]) for at in self.places])
        return share / np.maximum(share.sum(axis=1), 1e-300)[:, None]

    def start(self, y: Floats, share: Floats, n_rows: int) -> Floats:
        """The constant scores of least loss; an absent class counts as half a row."""
        parts = [
            loss.start(y[at], counts, 0.5 / n_rows)
            for loss, at, counts in zip(self.losses, self.places, share, strict=True)
        ]
        return np.concatenate(parts)

    def null(self, y: Floats, share: Floats, start: Floats) -> Floats:
        """Of each target: the loss that counts as an error of 1, whatever the weight of the target."""
        own = zip(self.losses, self.places, share, strict=True)
        return np.array([loss.null(y[at], counts, start[at]) for loss, at, counts in own])

    def find_null(self, y: Floats, counts: Floats) -> Floats:
        """The same for rows (x scores, NaN where unknown) that count so much."""
        known, share = np.nan_to_num(y.T, nan=0.0), self.share_rows(y, counts)
        return self.null(known, share, self.start(known, share, len(y)))

    def balance(self, null: Floats) -> "TargetLosses":
        """Where some losses are quadratic and others not: weighted such that each of them is alike without terms."""
        if self.is_quadratic or len(self.curved) == len(self):
            return self
        quadratic = [t for t in range(len(self)) if t not in self.curved]
        unit = float(np.mean(null[quadratic]))
        return TargetLosses(
            self.losses, tuple(w * unit / own for w, own in zip(self.weights, null.tolist(), strict=True))
        )

    def value(self, y: Floats, scores: Floats) -> Floats:
        """Targets x rows: each row's loss, times the weight of the target."""
        return self._of_targets(lambda loss, at: loss.value(y[at], scores[at]))

    def gradient(self, y: Floats, scores: Floats) -> Floats:
        """All scores x rows: the derivative of each row's loss."""
        parts = [
            weight * loss.gradient(y[at], scores[at])
            for loss, weight, at in zip(self.losses, self.weights, self.places, strict=True)
        ]
        return np.concatenate(parts)

    def bound_curvature(self, y: Floats, scores: Floats) -> Floats:
        """Targets x rows: the second derivative of each row's loss along any direction, from above."""
        return self._of_targets(lambda loss, at: loss.bound_curvature(y[at], scores[at]))

    def dual(self, y: Floats, scores: Floats, length: float) -> Floats:
        """Targets x rows: each row's part of the dual objective at so much of the gradient."""
        return self._of_targets(lambda loss, at: loss.dual(y[at], scores[at], length))

    def _of_targets(self, find: Callable[[Loss, slice], Floats]) -> Floats:
        own = zip(self.losses, self.weights, self.places, strict=True)
        return np.array([weight * find(loss, at) for loss, weight, at in own])

    def group(self, share: Floats) -> list[NDArray[np.int64]]:
        """Targets whose curvature is the same in every row: quadratic ones that are known in the same rows."""
        groups: dict[bytes, list[int]] = {}
        for t, (loss, weight) in enumerate(zip(self.losses, self.weights, strict=True)):
            key = share[t].tobytes() + np.float64(weight).tobytes() if loss.is_quadratic else str(t).encode()
            groups.setdefault(key, []).append(t)
        return [np.array(members) for members in groups.values()]

    def spread(self, of_targets: NDArray[np.generic]) -> NDArray[np.generic]:
        """What each target has, for each of its scores."""
        return np.repeat(of_targets, [loss.n_scores for loss in self.losses])

    def add_up(self, of_scores: Floats) -> Floats:
        """Anything x scores, added up for each target."""
        return np.add.reduceat(of_scores, [at.start for at in self.places], axis=-1)
