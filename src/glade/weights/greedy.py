"""Small models: terms chosen one by one with swaps, then ridge weights for those chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from glade.core.threads import map_side_by_side
from glade.losses.targets import TargetLosses
from glade.rules.path import Step, TermWeights
from glade.weights.centred import CentredSums, find_offset
from glade.weights.curved import CurvedRefits, CurvedRows, search_penalties
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.ridge import PENALTIES
from glade.weights.support import NONE_KEPT, Selection

SIZES = (*range(1, 31), 35, 40, 45, 50, 60, 80, 100, 150, 200)  # numbers of terms on a path
FURTHER = 1.25  # the ratio of two sizes beyond these, where more terms are asked for
LARGEST_SWAPPED = 50  # terms; beyond, a swap hardly matters
SELECTION_PENALTY = 3.0  # rows: chosen terms share their effect rather than fight
PENALTY_OF_NOISE = 7.0  # rows, times the share of the targets' variance that is noise
LEAST_SELECTION_PENALTY = 0.03  # terms may say the same
CHOSEN, READY = "chosen", "ready"  # how a model came to its terms: one by one, or as they were given
LEAST_SWAP = 1e-4  # of what the chosen terms explain: the gain that makes a swap worth while

Groups = Sequence[CentredSums]


def list_sizes(largest: int) -> list[int]:
    """The numbers of terms on a path to this one, which is the last.

    >>> list_sizes(12)[-3:], list_sizes(33)[-2:], list_sizes(500)[-5:]
    ([10, 11, 12], [30, 33], [200, 250, 312, 390, 500])
    """
    sizes = [size for size in SIZES if size < largest]
    while sizes and sizes[-1] >= SIZES[-1] and sizes[-1] * FURTHER**2 <= largest:
        sizes.append(int(sizes[-1] * FURTHER))
    return [*sizes, largest]


def choose_selection_penalty(error: float) -> float:
    """The penalty for targets that a good model predicts with this relative error, in rows.

    The best ridge penalty is the noise's variance over that of the weights: where there is little noise a term that
    covers few rows can be believed.
    """
    return min(max(PENALTY_OF_NOISE * error, LEAST_SELECTION_PENALTY), SELECTION_PENALTY)


def select_terms(
    groups: Groups,
    sizes: Sequence[int] = SIZES,
    penalty: float = SELECTION_PENALTY,
    kept: NDArray[np.int64] = NONE_KEPT,
    worth: NDArray[np.float64] | None = None,
) -> list[NDArray[np.int64]]:
    """For each size of a path the terms that together lower the squared error most, found step by step.

    The terms `kept` are chosen before all others and stay, also where they are more than the size. A term's gain counts
    times its `worth`.
    """
    selection = Selection(groups, penalty, sizes[-1], kept, worth)
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


def refit(groups: Groups, terms: NDArray[np.int64], penalties: Sequence[float], n_columns: int) -> NDArray[np.float64]:
    """Penalties x terms x columns of y: ridge weights of these terms alone; zeros for columns of no group."""
    out = np.zeros((len(penalties), len(terms), n_columns))
    for group in groups:
        taken = group.take(terms)
        strength, directions = eigh(taken.products.whole())
        along = directions.T @ taken.cross
        shrunk = np.maximum(strength, 0.0) + np.array(penalties)[:, None]
        out[:, :, group.targets] = directions @ (along / shrunk[:, :, None])
    return out


@dataclass(frozen=True)
class Refits:
    """Some terms with their ridge weights for each of the penalties."""

    terms: NDArray[np.int64]
    weights: NDArray[np.float64]  # penalties x terms x columns of y
    offsets: NDArray[np.float64]  # penalties x columns of y

    @classmethod
    def of(cls, sums: ProblemSums, terms: NDArray[np.int64]) -> "Refits":
        """The weights that the rows of a problem lead to."""
        means = [group.take_means(terms) for group in sums.squared]
        weights = refit(sums.squared, terms, PENALTIES, sums.losses.n_scores)
        return cls(terms, weights, find_offset(weights, means))

    def at(self, places: NDArray[Any]) -> TermWeights:
        """The model in which each column of y has the penalty at its place."""
        columns = np.arange(len(places))
        return TermWeights(self.terms, self.weights[places, :, columns].T, self.offsets[places, columns])


def judge_refits(sums: FoldSums, supports: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.float64], list[Refits]]:
    """Sizes x penalties x targets, the error on the rows held out of each support refitted; and the refitted models.

    Targets whose loss is not quadratic are left out: their errors are infinite.
    """
    union = np.unique(np.concatenate(supports))
    held_out = sums.hold_out(union)
    errors = np.empty((len(supports), len(PENALTIES), len(sums.losses)))
    models = [Refits.of(sums, terms) for terms in supports]
    for i, model in enumerate(models):
        places = np.searchsorted(union, model.terms)
        of_column = np.zeros((len(PENALTIES), model.weights.shape[2]))
        for part in held_out:
            of_column[:, part.targets] = part.errors(places, model.weights[:, :, part.targets])
        errors[i] = sums.losses.add_up(of_column)
    errors[:, :, sums.losses.curved] = np.inf
    return errors, models


def judge_curved_refits(
    all_sums: Sequence[FoldSums],
    supports: Sequence[Sequence[NDArray[np.int64]]],
    errors: NDArray[np.float64],
    models: Sequence[Sequence[Refits]],
) -> None:
    """Fill in the targets that were left out, for the penalties that are looked at."""
    losses = all_sums[0].losses
    for t in losses.curved:
        judges, at = [CurvedRows(sums, t, own) for sums, own in zip(all_sums, supports, strict=True)], losses.places[t]
        for k, place, of_folds in search_penalties(judges, [len(terms) for terms in supports[0]]):
            for fold, (weights, offset, error) in enumerate(of_folds):
                errors[fold, k, place, t] = error
                models[fold][k].weights[place][:, at], models[fold][k].offsets[place, at] = weights, offset


@dataclass(frozen=True)
class ValidatedSupports:
    """What folds say of small models of several sizes, with each of the penalties."""

    errors: NDArray[np.float64]  # folds x sizes x penalties x targets
    losses: TargetLosses
    models: tuple[tuple[Refits, ...], ...] = ()  # folds x sizes
    of_rows: tuple[NDArray[np.float64], ...] = ()  # of a single fold: for each size what each row adds to the error

    def __len__(self) -> int:
        return self.errors.shape[1]

    def find_best(self, k: int) -> NDArray[np.int64]:
        """For each target the place of the penalty that is best for this size."""
        return self.errors[:, k].mean(axis=0).argmin(axis=0)

    def find_errors(self, k: int) -> NDArray[np.float64]:
        """Of each fold with these penalties; of a single one, of each of its rows."""
        if self.of_rows:
            return self.of_rows[k]
        best = self.find_best(k)
        return self.errors[:, k, best, np.arange(len(best))].mean(axis=1)

    def find_fold_model(self, k: int, fold: int) -> TermWeights:
        """The model of this size that a fold has judged, with these penalties."""
        return self.models[fold][k].at(self.losses.spread(self.find_best(k)))


def judge_sizes(
    folds: Sequence[FoldSums],
    goals: Sequence[Groups],
    largest: int = SIZES[-1],
    penalty: float = SELECTION_PENALTY,
) -> ValidatedSupports:
    """The errors of terms chosen to meet each fold's goal.

    Parameters
    ----------
    folds
        The sums of the folds that validate.
    goals
        For each, the sums with what the selection is to explain: the targets, or the predictions of another model.
    largest
        The most terms.
    penalty
        Of the selection.
    """
    sizes = list_sizes(largest)
    return judge_supports(folds, map_side_by_side(lambda goal: select_terms(goal, sizes, penalty), goals))


def judge_supports(folds: Sequence[FoldSums], supports: Sequence[Sequence[NDArray[np.int64]]]) -> ValidatedSupports:
    """The errors of each fold's supports, for as many sizes as all have."""
    n_sizes, losses = min(map(len, supports)), folds[0].losses
    if n_sizes == 0:
        return ValidatedSupports(np.empty((len(folds), 0, len(PENALTIES), 0)), losses)
    supports = [own[:n_sizes] for own in supports]
    found = map_side_by_side(lambda pair: judge_refits(*pair), zip(folds, supports, strict=True))
    errors, models = np.array([own for own, _ in found]), tuple(tuple(own) for _, own in found)
    judge_curved_refits(folds, supports, errors, models)
    judged = ValidatedSupports(errors, losses, models)
    return replace(judged, of_rows=_find_row_errors(folds[0], judged)) if len(folds) == 1 else judged


def _find_row_errors(sums: FoldSums, judged: ValidatedSupports) -> tuple[NDArray[np.float64], ...]:
    """For each size what each row held out adds to the error."""
    models = (judged.find_fold_model(k, 0) for k in range(len(judged)))
    return tuple(sums.find_row_errors(sums.problem.predict_held_out(model)) for model in models)


def find_greedy_steps(
    whole: ProblemSums,
    goal: Groups,
    judged: ValidatedSupports,
    largest: int = SIZES[-1],
    penalty: float = SELECTION_PENALTY,
) -> list[Step]:
    """A step for each size: terms chosen to meet the goal, weights refitted to the targets by the folds' errors."""
    sizes = list_sizes(largest)[: len(judged)]
    return weigh_supports(whole, select_terms(goal, sizes, penalty) if sizes else [], judged, CHOSEN)


def weigh_supports(
    whole: ProblemSums, supports: Sequence[NDArray[np.int64]], judged: ValidatedSupports, way: str
) -> list[Step]:
    """A step for each support that the folds have judged: its weights with the penalty that was best there."""
    supports, losses, steps = supports[: len(judged)], whole.losses, []
    curved = [(t, CurvedRefits(whole, t, supports)) for t in losses.curved if supports]
    for k, terms in enumerate(supports):
        best = judged.find_best(k)
        own = Refits.of(whole, terms).at(losses.spread(best))
        for t, refits in curved:
            own.weights[:, losses.places[t]], own.offset[losses.places[t]] = refits.fit(terms, PENALTIES[best[t]])
        steps.append(Step.judged(own.terms, own.weights, own.offset, judged.find_errors(k), origin=(way, k)))
    return steps
