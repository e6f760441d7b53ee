"""Small models: terms chosen one by one with swaps, then ridge weights for those chosen."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from glade.weights.centred import CentredSums, find_offset
from glade.weights.path import Step
from glade.weights.ridge import PENALTIES
from glade.weights.support import Selection
from glade.weights.trial import Trial

SIZES = (*range(1, 31), 35, 40, 45, 50, 60, 80, 100, 150, 200)  # numbers of terms on a path
LARGEST_SWAPPED = 50  # terms; beyond, a swap hardly matters
SELECTION_PENALTY = 3.0  # rows: chosen terms share their effect rather than fight
PENALTY_OF_NOISE = 7.0  # rows, times the share of the targets' variance that is noise
LEAST_SELECTION_PENALTY = 0.03  # terms may say the same
LEAST_SWAP = 1e-4  # of what the chosen terms explain: the gain that makes a swap worth while

Groups = Sequence[CentredSums]


def choose_selection_penalty(error: float) -> float:
    """The penalty for targets that a good model predicts with this relative error, in rows.

    The best ridge penalty is the noise's variance over that of the weights: where there is little noise a term that
    covers few rows can be believed.
    """
    return min(max(PENALTY_OF_NOISE * error, LEAST_SELECTION_PENALTY), SELECTION_PENALTY)


def select_terms(
    groups: Groups, sizes: Sequence[int] = SIZES, penalty: float = SELECTION_PENALTY
) -> list[NDArray[np.int64]]:
    """For each size of a path the terms that together lower the squared error most, found step by step."""
    selection = Selection(groups, penalty, sizes[-1])
    supports = []
    for size in sizes:
        while len(selection.chosen) < size and selection.grow():
            swaps = len(selection.chosen) if len(selection.chosen) <= LARGEST_SWAPPED else 0
            for _ in range(swaps):
                if not selection.swap(LEAST_SWAP):
                    break
        if len(selection.chosen) < size:
            break
        supports.append(np.sort(selection.chosen))
    return supports


def refit(groups: Groups, terms: NDArray[np.int64], penalties: Sequence[float]) -> NDArray[np.float64]:
    """Penalties x terms x targets: ridge weights of these terms alone."""
    n_targets = sum(len(group.targets) for group in groups)
    out = np.zeros((len(penalties), len(terms), n_targets))
    for group in groups:
        sums = group.take(terms)
        strength, directions = eigh(sums.gram)
        along = directions.T @ sums.cross
        for k, penalty in enumerate(penalties):
            out[k][:, group.targets] = directions @ (along / (np.maximum(strength, 0.0) + penalty)[:, None])
    return out


def judge_refits(trial: Trial, supports: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Sizes x penalties x targets: the error on the rows held out of each support with its weights refitted."""
    union = np.unique(np.concatenate(supports))
    held_out = trial.hold_out(union)
    errors = np.empty((len(supports), len(PENALTIES), len(trial.targets)))
    for i, terms in enumerate(supports):
        weights = refit(trial.groups, terms, PENALTIES)
        places = np.searchsorted(union, terms)
        of_column = np.zeros((len(PENALTIES), weights.shape[2]))
        for part in held_out:
            of_column[:, part.targets] = part.errors(places, weights[:, :, part.targets])
        errors[i] = trial.add_up(of_column)
    return errors


def judge_sizes(
    folds: Sequence[Trial],
    goals: Sequence[Groups],
    largest: int = SIZES[-1],
    penalty: float = SELECTION_PENALTY,
) -> NDArray[np.float64]:
    """Folds x sizes x penalties x targets: the errors of terms chosen to meet each fold's goal.

    Parameters
    ----------
    folds
        The trials that judge.
    goals
        For each, the sums with what the selection is to explain: the targets, or the predictions of another model.
    largest
        The most terms.
    penalty
        Of the selection.
    """
    sizes = [size for size in SIZES if size <= largest]
    return judge_supports(folds, [select_terms(goal, sizes, penalty) for goal in goals])


def judge_supports(folds: Sequence[Trial], supports: Sequence[Sequence[NDArray[np.int64]]]) -> NDArray[np.float64]:
    """Folds x sizes x penalties x targets: the errors of each fold's supports, for as many sizes as all have."""
    n_sizes = min(map(len, supports))
    if n_sizes == 0:
        return np.empty((len(folds), 0, len(PENALTIES), 0))
    return np.array([judge_refits(fold, own[:n_sizes]) for fold, own in zip(folds, supports, strict=True)])


def find_greedy_steps(
    whole: Trial, goal: Groups, errors: NDArray[np.float64], penalty: float = SELECTION_PENALTY
) -> list[Step]:
    """A step for each size: terms chosen to meet the goal, weights refitted to the targets by the folds' errors."""
    sizes = SIZES[: errors.shape[1]]
    return weigh_supports(whole, select_terms(goal, sizes, penalty) if sizes else [], errors)


def weigh_supports(whole: Trial, supports: Sequence[NDArray[np.int64]], errors: NDArray[np.float64]) -> list[Step]:
    """A step for each support that the folds have judged: its weights with the penalty that was best there."""
    steps = []
    for i, terms in enumerate(supports[: errors.shape[1]]):
        best = errors[:, i].mean(axis=0).argmin(axis=0)  # per target
        at = whole.spread(best)
        weights = refit(whole.groups, terms, PENALTIES)[at, :, np.arange(len(at))].T
        offset = find_offset(weights, [group.take(terms) for group in whole.groups])
        of_folds = errors[:, i, best, np.arange(len(best))].mean(axis=1)
        steps.append(Step.judged(terms, weights, offset, of_folds))
    return steps
