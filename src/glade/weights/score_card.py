"""Score cards: few terms with whole points, of which the logistic function of a sum makes a probability.

Terms are chosen one by one, with swaps, by the logistic loss. Their weights are then rounded to whole multiples of a
unit in several ways, and points are moved by one as long as that lowers the loss. A sum has few values, so that a card
is judged by the rows at each of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from glade.losses.base import Loss
from glade.losses.logistic import Logistic
from glade.losses.targets import TargetLosses
from glade.rules.coverage import unpack
from glade.rules.design import Design, TargetRows
from glade.rules.path import Origin, Step, TermWeights, WeightPath
from glade.weights.lasso import HeldOutRows, Weights
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Needs, Solver
from glade.weights.term_columns import TermColumns

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

RIDGE = 1.0  # of weights in log-odds: a prior of standard deviation 1
MAX_STEPS = 25  # of Newton's method
ENOUGH = 1e-8  # a decrease of the loss, for each row, that is none
N_TRIED = 4  # terms of the largest promise that are tried for a place on the card
MAX_ROWS = 4_000  # by which terms are chosen; points are found by all rows
N_SCALES = 10  # ways to round for each point of the largest weight
SHRINKAGES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # of log-odds, judged on rows held out
NOTHING, CARD = ("nothing", 0), "card"  # origins


class ScoreCard(Solver):
    """Weights that are whole multiples of one unit.

    Parameters
    ----------
    max_lines : int
        The most terms.
    max_points : int
        The most points of a term.
    """

    name = "score-card"
    needs = Needs(losses=frozenset({Logistic.name}), pulls_in_outliers=False)

    def __init__(self, max_lines: int = 8, max_points: int = 5):
        self.max_lines = max_lines
        self.max_points = max_points

    def choose_losses(self, sizes: Sequence[int | None]) -> list[Loss]:
        """Return the logistic loss of each target; a card is for two classes.

        Parameters
        ----------
        sizes : sequence of int or None
            The number of classes of each target.

        Returns
        -------
        list of Loss
            A loss for each target.
        """
        return [Logistic.of(n_classes) for n_classes in sizes]

    def _judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None
    ) -> "ValidatedCards":
        null = losses.find_null(whole.rows.y, whole.rows.counts)
        cards = [find_cards(fold, self.max_lines, self.max_points) for fold in folds]
        judges = [HeldOutRows(fold.design, fold.held_out, losses, null) for fold in folds]
        return ValidatedCards(cards, judges, self.max_lines, self.max_points)


@dataclass(frozen=True)
class Card:
    """Terms (ascending) with points, a unit in log-odds, and for each shrinkage of the unit an offset."""

    terms: Places
    points: Places
    unit: float
    offsets: Floats

    def weigh(self, shrinkage: int) -> TermWeights:
        """The model, with the unit shrunk."""
        weights = SHRINKAGES[shrinkage] * self.unit * self.points.astype(float)
        return TermWeights(self.terms, weights[:, None], self.offsets[shrinkage : shrinkage + 1])


class ValidatedCards:
    """What folds say of cards of each size; the first card has no line."""

    def __init__(self, cards: Sequence[Sequence[Card]], judges: Sequence[HeldOutRows], max_lines: int, max_points: int):
        self._cards, self._max_lines, self._max_points = cards, max_lines, max_points
        n_sizes = min(map(len, cards))
        self._is_single = len(judges) == 1
        judged = [
            [[_judge_card(judge, card, s) for s in range(len(SHRINKAGES))] for card in own[:n_sizes]]
            for own, judge in zip(cards, judges, strict=True)
        ]
        errors = np.array([[[error for error, _ in ways] for ways in own] for own in judged])  # folds x sizes x ways
        self._shrinkage = errors.mean(axis=0).argmin(axis=1)
        if self._is_single:
            self._errors = [own[s][1] for own, s in zip(judged[0], self._shrinkage, strict=True)]
        else:
            self._errors = [errors[:, k, s] for k, s in enumerate(self._shrinkage)]

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights:
        """The model that a fold has in the place of a step of this origin."""
        return self._cards[fold][origin[1]].weigh(int(self._shrinkage[origin[1]]))

    def find_path(self, whole: Problem) -> WeightPath:
        """The cards from none to the largest."""
        steps = []
        for k, card in enumerate(find_cards(whole, self._max_lines, self._max_points)[: len(self._errors)]):
            model = card.weigh(int(self._shrinkage[k]))
            origin = (CARD, k) if k else NOTHING
            steps.append(Step.judged(model.terms, model.weights, model.offset, self._errors[k], origin=origin))
        return WeightPath.of(steps)


def _judge_card(judge: HeldOutRows, card: Card, shrinkage: int) -> tuple[float, Floats]:
    model = card.weigh(shrinkage)
    return judge.judge(Weights(model.terms, model.weights.T, model.offset))


def find_cards(problem: Problem, max_lines: int, max_points: int) -> list[Card]:
    """The card without a line, and that of each number of lines as long as there are terms for one more."""
    rows = CardRows.of(problem.rows)
    choice = TermChoice(problem.design, rows)
    cards = [rows.make_card(np.zeros(0, np.int64), np.zeros((len(rows.y), 0)), np.zeros(0, np.int64))]
    while len(choice.terms) < max_lines and choice.grow():
        terms = np.sort(np.array(choice.terms))
        values = problem.design.take(terms).values(rows.matrix)
        points = find_points(rows, values, fit_weights(values, rows.y, rows.weights)[0][1:], max_points)
        cards.append(rows.make_card(terms, values, points))
    return cards


@dataclass(frozen=True)
class CardRows:
    """Rows whose class is known: their inputs, 1 for the second class, and what they count."""

    matrix: Floats
    y: Floats
    weights: Floats

    @classmethod
    def of(cls, rows: TargetRows) -> "CardRows":
        known = ~np.isnan(rows.y[:, 0])
        if known.all():  # the rules remember the very matrix
            return cls(rows.matrix, rows.y[:, 0], rows.counts)
        return cls(np.ascontiguousarray(rows.matrix[known]), rows.y[known, 0], rows.counts[known])

    def sample(self, n_rows: int) -> "CardRows":
        """So many of them, always the same ones."""
        if len(self.y) <= n_rows:
            return self
        own = np.sort(np.random.default_rng(0).permutation(len(self.y))[:n_rows])
        return CardRows(np.ascontiguousarray(self.matrix[own]), self.y[own], self.weights[own])

    def count(self, values: Floats, points: Places) -> tuple[Floats, Floats, Floats]:
        """The sums that rows have; of each what the rows count, and those of the second class among them."""
        total = np.rint(values @ points).astype(np.int64)
        least = int(total.min(initial=0))
        all_rows, events = (np.bincount(total - least, w).astype(float) for w in (self.weights, self.weights * self.y))
        there = np.flatnonzero(all_rows > 0)
        return (there + least).astype(float), all_rows[there], events[there]

    def make_card(self, terms: Places, values: Floats, points: Places) -> Card:
        """The card of these points, its unit and offsets fitted."""
        sums, counts, events = self.count(values, points)
        unit, _, _ = fit_unit(sums, counts, events, float(points @ points))
        offsets = np.array([fit_offset(share * unit * sums, counts, events) for share in SHRINKAGES])
        return Card(terms, points, unit, offsets)

    def measure(self, values: Floats, points: Places) -> float:
        """The loss of points, with the unit and the offset that suit them best."""
        return fit_unit(*self.count(values, points), float(points @ points))[2]


def fit_unit(sums: Floats, counts: Floats, events: Floats, square: float) -> tuple[float, float, float]:
    """The unit and the offset of least logistic loss, with a ridge penalty on weights; and that loss."""
    features = np.column_stack((np.ones_like(sums), sums))
    found, loss = _descend(features, counts, events, np.array([0.0, RIDGE * square]))
    return float(found[1]), float(found[0]), loss


def fit_offset(scores: Floats, counts: Floats, events: Floats) -> float:
    """The offset at which as many rows are expected to be of the second class as are; half a row at least."""
    wanted, offset = np.clip(events.sum(), 0.5, counts.sum() - 0.5), 0.0
    low, high = -50.0 - float(scores.max()), 50.0 - float(scores.min())
    for _ in range(60):
        offset = (low + high) / 2
        low, high = (offset, high) if float(counts @ expit(scores + offset)) < wanted else (low, offset)
    return offset


def fit_weights(values: Floats, y: Floats, weights: Floats, start: Floats | None = None) -> tuple[Floats, float]:
    """Offset and weights of least logistic loss, with a ridge penalty; and that loss."""
    features = np.column_stack((np.ones(len(y)), values))
    penalty = np.full(features.shape[1], RIDGE)
    penalty[0] = 0.0
    return _descend(features, weights, weights * y, penalty, start)


def _descend(
    features: Floats, counts: Floats, events: Floats, penalty: Floats, start: Floats | None = None
) -> tuple[Floats, float]:
    """Newton's method, each step as long as it lowers the loss."""
    at = np.zeros(features.shape[1]) if start is None else start
    if start is None:
        at[0] = _find_log_odds(float(events.sum()), float(counts.sum()))
    loss = _find_loss(features @ at, counts, events) + float(penalty @ at**2) / 2
    for _ in range(MAX_STEPS):
        share = expit(features @ at)
        gradient = features.T @ (events - counts * share) - penalty * at
        curvature = (features * (counts * share * (1 - share))[:, None]).T @ features + np.diag(penalty + 1e-9)
        step, length = np.linalg.solve(curvature, gradient), 1.0
        while length > 1e-3:
            new = at + length * step
            lower = _find_loss(features @ new, counts, events) + float(penalty @ new**2) / 2
            if lower < loss:
                break
            length /= 2
        else:
            break
        at, gain, loss = new, loss - lower, lower
        if gain < ENOUGH * float(counts.sum()):
            break
    return at, loss


def _find_log_odds(events: float, total: float) -> float:
    share = np.clip(events, 0.5, max(total - 0.5, 0.5)) / max(total, 1.0)
    return float(np.log(share / max(1 - share, 1e-9)))


def _find_loss(scores: Floats, counts: Floats, events: Floats) -> float:
    return float(counts @ np.logaddexp(0.0, scores) - events @ scores)


class TermChoice:
    """Terms chosen one by one, each followed by swaps, by the logistic loss of their best weights."""

    def __init__(self, design: Design, rows: CardRows):
        rows = rows.sample(MAX_ROWS)
        self._y, self._weights, self._n_rows = rows.y, rows.weights, len(rows.y)
        self._columns = TermColumns(design, rows.matrix)
        self.terms: list[int] = []
        self._found = np.array([_find_log_odds(float(self._weights @ self._y), float(self._weights.sum()))])
        self._loss = np.inf

    def _take(self, terms: Sequence[int]) -> Floats:
        """Rows x terms."""
        return unpack(self._columns.bits[np.array(terms, np.int64)], self._n_rows).T.astype(float)

    def _promise(self, terms: Sequence[int], found: Floats) -> Floats:
        """For each term about how much it would lower the loss beside these."""
        values = np.column_stack((np.ones(self._n_rows), self._take(terms)))
        share = expit(values @ found)
        curve = self._weights * share * (1 - share)
        parts = np.column_stack((self._weights * (self._y - share), curve[:, None] * values))
        sums = self._columns.sum_up(self._columns.place(parts))
        system = values.T @ (curve[:, None] * values) + 1e-6 * np.eye(values.shape[1])
        bent = sums[1] - np.einsum("ij,ij->j", sums[1:], np.linalg.solve(system, sums[1:])) + RIDGE
        promise = sums[0] ** 2 / (2 * np.maximum(bent, RIDGE))
        promise[list(terms)] = -1.0
        return np.asarray(promise)

    def _try_best(self, terms: Sequence[int], found: Floats) -> tuple[int, Floats, float] | None:
        """Of the terms of largest promise the one that lowers the loss most beside these, the weights and the loss."""
        promise, best = self._promise(terms, found), None
        for j in np.argsort(-promise, kind="stable")[:N_TRIED].tolist():
            if promise[j] <= ENOUGH * self._n_rows:
                break
            weights, loss = fit_weights(self._take([*terms, j]), self._y, self._weights)
            if best is None or loss < best[2]:
                best = j, weights, loss
        return best

    def grow(self) -> bool:
        """Take in one more term, then exchange terms as long as that lowers the loss; False where none helps."""
        best = self._try_best(self.terms, self._found)
        if best is None:
            return False
        self.terms, self._found, self._loss = [*self.terms, best[0]], best[1], best[2]
        for place in range(len(self.terms) - 1):
            others = [*self.terms[:place], *self.terms[place + 1 :]]
            weights, _ = fit_weights(self._take(others), self._y, self._weights)
            best = self._try_best(others, weights)
            if best is not None and best[2] < self._loss - ENOUGH * self._n_rows:
                self.terms, self._found, self._loss = [*others, best[0]], best[1], best[2]
        return True


def find_points(rows: CardRows, values: Floats, weights: Floats, max_points: int) -> Places:
    """Whole points, none of them zero, of about the proportions of weights, that have the least loss."""
    largest = float(np.abs(weights).max()) or 1.0
    tried: dict[tuple[int, ...], float] = {}

    def measure(points: Places) -> float:
        key = tuple(points.tolist())
        if key not in tried:
            tried[key] = rows.measure(values, points)
        return tried[key]

    best: Places | None = None
    for top in np.linspace(0.75, max_points + 0.49, N_SCALES * max_points // 2):
        points = _round_points(weights * (top / largest), max_points)
        if best is None or measure(points) < measure(best):
            best = points
    assert best is not None
    return _move_points(best, measure, max_points)


def _round_points(scaled: Floats, max_points: int) -> Places:
    sign = np.where(scaled < 0, -1, 1)
    return np.asarray(sign * np.clip(np.rint(np.abs(scaled)), 1, max_points).astype(np.int64))


def _move_points(points: Places, measure: Callable[[Places], float], max_points: int) -> Places:
    """Move one line by one point as long as the loss falls."""
    while True:
        moves = []
        for k in range(len(points)):
            for by in (-1, 1):
                new = points.copy()
                new[k] += by if new[k] + by != 0 else 2 * by
                if np.abs(new[k]) <= max_points:
                    moves.append(new)
        lowest = min(moves, key=measure, default=points)
        if measure(lowest) >= measure(points):
            return points
        points = lowest
