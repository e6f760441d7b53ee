"""The H-statistic of Friedman and Popescu: how much of a joint effect is more than the sum of the single ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.explain.averages import Averages

ROUNDING = 1e-12  # of the largest prediction: a difference below is none


@dataclass(frozen=True)
class Strengths:
    """Sums of squares over rows and a target's channels; things x targets."""

    interaction: NDArray[np.float64]
    joint: NDArray[np.float64]

    @property
    def h(self) -> NDArray[np.float64]:
        """Zero where there is no joint effect."""
        has_effect = self.joint > 0
        return np.sqrt(np.divide(self.interaction, self.joint, out=np.zeros_like(self.joint), where=has_effect))


@dataclass(frozen=True)
class Measured:
    """Of one model: pairs of inputs, and single inputs against all others."""

    pairs: Strengths
    singles: Strengths
    whole: NDArray[np.float64]  # per target: the sum of squares of the centred predictions


def measure(
    averages: Averages,
    rows: NDArray[np.float64],
    inputs: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    targets: TargetSchema,
) -> Measured:
    """Measure how much inputs interact.

    Parameters
    ----------
    averages
        The model, averaged over the same rows.
    rows
        Of an encoded table.
    inputs
        Each is held against all others.
    pairs
        Of these inputs.
    targets
        What the channels stand for; those of one target are taken together.
    """
    everything = np.arange(rows.shape[1])
    together = averages.together
    prediction = averages.at(everything.tolist(), rows)
    least = len(rows) * (ROUNDING * np.abs(prediction).max(initial=0.0)) ** 2
    prediction -= prediction.mean(axis=0)

    def effect(of: Sequence[int]) -> NDArray[np.float64]:
        values = averages.at(of, rows[:, list(of)])
        return values - values.mean(axis=0)

    def square(values: NDArray[np.float64]) -> NDArray[np.float64]:
        of_target = np.add.reduceat((values * values).sum(axis=0), targets.start[:-1])
        return np.where(of_target > least, of_target, 0.0)

    none = np.zeros(targets.n_targets)
    of_one = {j: effect([j]) for j in inputs}
    of_pairs, of_singles = [], []
    for j, k in pairs:
        both = effect([j, k]) if together[j, k] else of_one[j] + of_one[k]
        of_pairs.append((square(both - of_one[j] - of_one[k]) if together[j, k] else none, square(both)))
    for j in inputs:
        mixes = (together[j] & (everything != j)).any()
        others = np.flatnonzero(everything != j).tolist()
        rest = square(prediction - of_one[j] - effect(others)) if mixes else none
        of_singles.append((rest, square(prediction)))
    return Measured(_gather(of_pairs, none), _gather(of_singles, none), square(prediction))


def _gather(found: list[tuple[NDArray[np.float64], NDArray[np.float64]]], none: NDArray[np.float64]) -> Strengths:
    if not found:
        return Strengths(np.zeros((0, len(none))), np.zeros((0, len(none))))
    interaction, joint = (np.array(part) for part in zip(*found, strict=True))
    return Strengths(interaction, joint)
