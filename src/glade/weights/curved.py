"""Small models of targets whose loss is not quadratic: the weights of given terms, and the penalty that suits them.

A descent takes many times as long as squared errors do, for which one matrix serves all penalties. Hence a size starts
where the one before has ended, and only some sizes look for another penalty.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from glade.core.threads import map_side_by_side
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.ridge import FIRST_OF_FEW, PENALTIES, go_downhill
from glade.weights.smooth import DescentEnd, SmoothRidge, TermFeatures

FURTHER = 1.3  # the ratio of two sizes that look for a penalty

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class CurvedRefits:
    """Weights for one target of a problem, of any of some supports."""

    def __init__(self, sums: ProblemSums, target: int, supports: Sequence[Places]):
        self._union = np.unique(np.concatenate(supports))
        group = sums.find_group(target)
        self._products, self._mean = group.products.take(self._union), group.mean[self._union]
        self._columns, self._target = sums.term_columns.take(self._union), sums.make_smooth_target(target)
        self._coordinates = np.zeros((len(self._target.start), len(self._union)))  # where the last descent has ended
        self._middle = self._target.start
        self._of: tuple[Places, SmoothRidge] | None = None

    def find_places(self, terms: Places) -> Places:
        """Where terms are among those of all supports."""
        return np.searchsorted(self._union, terms)

    def fit(self, terms: Places, penalty: float) -> tuple[Floats, Floats]:
        """Terms x scores, and the offset."""
        at = self.find_places(terms)
        found = self._take(at).fit(self._target, penalty, DescentEnd(self._coordinates[:, at], self._middle))
        self._coordinates[:, at], self._middle = found.coordinates, found.middle
        return found.coordinates.T, found.middle - found.coordinates @ self._mean[at]

    def _take(self, at: Places) -> SmoothRidge:
        """The problem of some terms; the last is kept."""
        if self._of is None or not np.array_equal(self._of[0], at):
            products = self._products[np.ix_(at, at)]
            features = TermFeatures(self._columns.take(at), self._mean[at])
            self._of = at, SmoothRidge(features, lambda: products)
        return self._of[1]


class CurvedRows:
    """The same for a fold, with the rows by which it judges."""

    def __init__(self, sums: FoldSums, target: int, supports: Sequence[Places]):
        self._sums, self._target, self._supports = sums, target, supports
        self._refits = CurvedRefits(sums, target, supports)
        union = np.unique(np.concatenate(supports))
        self._values = sums.problem.design.take(union).values(sums.held_out.matrix)

    def judge(self, k: int, penalty: float) -> tuple[Floats, Floats, float]:
        """Of a size: weights, offset, and the error on the rows held out."""
        terms = self._supports[k]
        weights, offset = self._refits.fit(terms, penalty)
        scores = self._values[:, self._refits.find_places(terms)] @ weights + offset
        return weights, offset, self._sums.find_error(self._target, scores)


def search_penalties(
    judges: Sequence[CurvedRows], sizes: Sequence[int]
) -> Iterator[tuple[int, int, list[tuple[Floats, Floats, float]]]]:
    """For each size and penalty that is looked at: the size's number, the penalty's place, what each fold says."""
    place, last_search = FIRST_OF_FEW, 0.0
    for k, size in enumerate(sizes):
        found: dict[int, list[tuple[Floats, Floats, float]]] = {}

        def error(at: int, k: int = k, found: dict[int, list[tuple[Floats, Floats, float]]] = found) -> float:
            if at not in found:
                found[at] = map_side_by_side(lambda judge: judge.judge(k, PENALTIES[at]), judges)
            return float(np.mean([of_fold for *_, of_fold in found[at]]))

        if size >= FURTHER * last_search:
            place, last_search = go_downhill(place, error), size
        else:
            error(place)
        yield from ((k, at, of_folds) for at, of_folds in found.items())
