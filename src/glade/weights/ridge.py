"""Ridge weights for all terms at once. Terms are centred, not standardised: one that covers few rows is shrunk more.

The penalty is in units of rows: it is added to the diagonal of the terms' sums of products.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.core.threads import map_side_by_side
from glade.rules.design import TargetRows
from glade.rules.path import TermWeights
from glade.weights.centred import CentredSums, find_offset
from glade.weights.cholesky import solve_penalised
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.row_products import RowSystem
from glade.weights.smooth import DescentEnd, Features, RowFeatures, SmoothRidge, TermFeatures

PENALTIES = tuple(float(f"{digit}e{power}") for power in range(-2, 7) for digit in (1, 3))  # rows
FIRST, FIRST_OF_FEW = PENALTIES.index(100.0), PENALTIES.index(10.0)  # where the search begins: of all terms, of few


class DenseRidge:
    """Every term of a problem with a ridge weight for each target."""

    def __init__(self, sums: ProblemSums):
        self._sums = sums
        self._systems = [(group, _make_system(sums.problem.rows, group, sums)) for group in sums.squared]
        self._curved = {t: _CurvedTarget(sums, t) for t in sums.losses.curved}
        self._weights: dict[float, NDArray[np.float64]] = {}
        self._offsets: dict[float, NDArray[np.float64]] = {}

    def weights(self, penalty: float) -> NDArray[np.float64]:
        """Terms x columns of y."""
        self._find(penalty)
        return self._weights[penalty]

    def offset(self, penalty: float) -> NDArray[np.float64]:
        """Of the columns of y."""
        self._find(penalty)
        return self._offsets[penalty]

    def at(self, penalties: NDArray[np.float64]) -> TermWeights:
        """The model in which each column of y has a penalty of its own."""
        weights = np.column_stack([self.weights(float(penalty))[:, t] for t, penalty in enumerate(penalties)])
        offset = np.array([self.offset(float(penalty))[t] for t, penalty in enumerate(penalties)])
        return TermWeights(np.arange(len(weights)), weights, offset)

    def _find(self, penalty: float) -> None:
        """Weights and offset by this penalty, once."""
        if penalty in self._weights:
            return
        sums = self._sums
        out = np.zeros((len(sums.problem.design), sums.problem.rows.y.shape[1]))
        for group, solve in self._systems:
            out[:, group.targets] = solve(penalty)
        self._offsets[penalty] = find_offset(out, sums.groups)
        for t, own in self._curved.items():
            at = sums.losses.places[t]
            out[:, at], self._offsets[penalty][at] = own.fit(penalty)
        self._weights[penalty] = out


class _CurvedTarget:
    """A target whose loss is not quadratic, and the columns in which its weights are looked for."""

    def __init__(self, sums: ProblemSums, target: int):
        group = sums.find_group(target)
        self._mean = group.mean
        known = ~np.isnan(sums.problem.rows.y[:, group.targets[0]])
        self._features: Features
        if known.sum() >= len(group.mean):
            self._features, find_products = TermFeatures(sums.term_columns, group.mean), group.products.whole
            self._target = sums.make_smooth_target(target)
        else:
            features = RowFeatures(RowSystem.of(sums.columns, sums.problem.rows, group, known))
            self._target, self._features = sums.make_smooth_target(target, known), features
            find_products = features.find_products
        self._ridge = SmoothRidge(self._features, find_products)
        self._last: DescentEnd | None = None

    def fit(self, penalty: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Terms x scores, and the offset; from where the last descent has ended."""
        self._last = found = self._ridge.fit(self._target, penalty, self._last)
        weights = self._features.to_weights(found.coordinates)
        return weights, found.middle - self._mean @ weights


@dataclass(frozen=True)
class RidgeWeights:
    """Weights of all terms for some penalties, without the sums of products that they were found from."""

    weights: dict[float, NDArray[np.float64]]  # terms x columns of y
    offsets: dict[float, NDArray[np.float64]]

    def at(self, penalties: NDArray[np.float64]) -> TermWeights:
        """The model in which each column of y has a penalty of its own."""
        weights = np.column_stack([self.weights[float(penalty)][:, t] for t, penalty in enumerate(penalties)])
        offset = np.array([self.offsets[float(penalty)][t] for t, penalty in enumerate(penalties)])
        return TermWeights(np.arange(len(weights)), weights, offset)


class ValidatedRidge(DenseRidge):
    """The same, judged on the rows held out."""

    def __init__(self, sums: FoldSums):
        super().__init__(sums)
        self._judge = sums
        self._errors: dict[float, NDArray[np.float64]] = {}

    def errors(self, penalty: float) -> NDArray[np.float64]:
        """Per target."""
        if penalty not in self._errors:
            weights, sums = self.weights(penalty), self._judge
            predicted = sums.problem.design.predict(sums.held_out.matrix, weights)
            self._errors[penalty] = sums.errors(predicted + self.offset(penalty))
        return self._errors[penalty]

    @property
    def found(self) -> RidgeWeights:
        """The weights for all penalties that have been judged."""
        return RidgeWeights(self._weights, self._offsets)


def _make_system(rows: TargetRows, group: CentredSums, sums: ProblemSums) -> Callable[[float], NDArray[np.float64]]:
    """The weights as a function of the penalty, from the terms' products, or where there are fewer rows, the rows'."""
    known = ~np.isnan(rows.y[:, group.targets[0]])
    if known.sum() >= len(group.mean):
        return lambda penalty: solve_penalised(group.products.whole(), group.cross, penalty)
    if not known.any():
        return lambda penalty: np.zeros_like(group.cross)
    return RowSystem.of(sums.columns, rows, group, known).find_weights


def choose_penalties(models: Sequence[ValidatedRidge]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each target the place of the penalty of lowest mean error over the folds; folds x targets errors.

    Found downhill: for the mean over targets on the first fold from the middle, on all folds from there, and for each
    target from there: one that only noise or outliers speak of is shrunk on its own.
    """

    def errors(k: int, models: Sequence[ValidatedRidge] = models) -> NDArray[np.float64]:
        return np.array(map_side_by_side(lambda model: model.errors(PENALTIES[k]), models))

    about = go_downhill(FIRST, lambda k: float(errors(k, models[:1]).mean()))
    common = go_downhill(about, lambda k: float(errors(k).mean()))
    n_targets = errors(common).shape[1]
    own = [go_downhill(common, lambda k, t=t: float(errors(k)[:, t].mean())) for t in range(n_targets)]  # type: ignore[misc]
    return np.array(own), np.column_stack([errors(k)[:, t] for t, k in enumerate(own)])


def go_downhill(start: int, error: Callable[[int], float]) -> int:
    """The place among the penalties from which both neighbours are worse."""
    best = start
    while True:
        nearby = [k for k in (best, best - 1, best + 1) if 0 <= k < len(PENALTIES)]
        lowest = min(nearby, key=error)
        if lowest == best:
            return best
        best = lowest
