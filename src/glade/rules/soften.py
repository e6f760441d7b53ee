"""Hard rules to soft ones: Firth's logistic regression of each rule on its numeric inputs and their squares."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import measure
from glade.core.threads import map_in_order
from glade.data.table import NUMERIC
from glade.rules.coverage import Bits, cover, unpack
from glade.rules.rule_set import RuleSet
from glade.rules.soft import Curves, SoftRules

MAX_ROWS, MAX_ROWS_ROUGH = 2_500, 500  # that a rule is fitted on: for its best curve, for one near it
BATCH = 32  # rules of a call
LEAST_SPREAD = 1e-6  # deviation of a soft rule: below, it says nothing
CHUNK_CELLS = 4_000_000


class BatchRows(NamedTuple):
    """The table, and for each rule of a batch the rows it covers and those that fulfil its hard part."""

    columns: NDArray[np.float64]  # inputs x rows
    centre: NDArray[np.float64]
    spread: NDArray[np.float64]
    covered: Bits
    eligible: Bits


class Workspace(NamedTuple):
    """The memory of a fit: over rows, over pairs of terms, over terms."""

    eta: NDArray[np.float64]
    p: NDArray[np.float64]
    w: NDArray[np.float64]
    scaled: NDArray[np.float64]
    h: NDArray[np.float64]
    information: NDArray[np.float64]
    lower: NDArray[np.float64]
    inverse: NDArray[np.float64]
    score: NDArray[np.float64]
    step: NDArray[np.float64]
    trial: NDArray[np.float64]
    kept: NDArray[np.float64]
    beta: NDArray[np.float64]
    terms: NDArray[np.int64]
    all_terms: NDArray[np.int64]
    independent: NDArray[np.int64]

    @classmethod
    def of(cls, n_rows: int, n_terms: int) -> "Workspace":
        """For so many rows and terms."""
        whole = np.zeros((3, n_terms), np.int64)
        pairs = np.zeros((3, n_terms, n_terms))
        return cls(*np.zeros((5, n_rows)), *pairs, *np.zeros((5, n_terms)), *whole)


class Model(NamedTuple):
    """The best subset so far."""

    terms: NDArray[np.int64]
    beta: NDArray[np.float64]


class Stack(NamedTuple):
    """The models from the root of an exact search to where it is."""

    terms: NDArray[np.int64]
    beta: NDArray[np.float64]
    most: NDArray[np.float64]
    next: NDArray[np.int64]

    @classmethod
    def of(cls, n_terms: int) -> "Stack":
        """For so many terms."""
        terms, beta = np.zeros((n_terms + 1, n_terms), np.int64), np.zeros((n_terms + 1, n_terms))
        return cls(terms, beta, np.zeros(n_terms + 1), np.zeros(n_terms + 1, np.int64))


@dataclass(frozen=True)
class Ranges:
    """Per input: the range, mean and deviation of its training values; of one that does not vary, no deviation."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    centre: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, matrix: NDArray[np.float64]) -> "Ranges":
        """Of the values that are known."""
        out = np.zeros((4, matrix.shape[1]))
        for j in range(matrix.shape[1]):
            known = matrix[~np.isnan(matrix[:, j]), j]
            if len(known):
                out[:, j] = known.min(), known.max(), *measure(known)
        return cls(*out)


def soften(rules: RuleSet, matrix: NDArray[np.float64], is_exact: bool = False, n_threads: int = 1) -> SoftRules:
    """Rules as soft rules, where they have a numeric condition and their curve says something; in the same order.

    Parameters
    ----------
    rules
        Hard rules; each at its `tree` and `node` keeps these.
    matrix
        The encoded training table.
    is_exact
        Judge all subsets of terms (of up to four inputs), instead of leaving out one after another.
    n_threads
        Threads that share the rules.
    """
    ranges = Ranges.of(matrix)
    is_soft = _find_softenable(rules, ranges)
    curves = _take_ranges(rules, ranges, is_soft)
    found = _fit_curves(rules, matrix, ranges, is_soft, is_exact, n_threads)
    linear, square = np.zeros((2, len(is_soft)))
    linear[is_soft], square[is_soft] = found.linear, found.square
    curves = replace(curves, linear=linear, square=square)
    soft = SoftRules(rules, curves, found.constant, np.ones(len(rules)))
    is_curve = np.append(0, np.cumsum((linear != 0) | (square != 0)))
    fitted = np.flatnonzero(np.isfinite(found.aic) & (np.diff(is_curve[rules.start]) > 0))
    return _scale(soft.take(fitted), matrix)


def _find_softenable(rules: RuleSet, ranges: Ranges) -> NDArray[np.bool_]:
    """Which conditions are intervals of a number that varies, its range being a double; not of missing values alone."""
    conditions = rules.conditions
    is_number = np.array([kind == NUMERIC for kind in rules.schema.kinds], bool)[conditions.input]
    varies = (ranges.high / 2 - ranges.low / 2 < np.finfo(float).max / 2) & (ranges.spread > 0)
    has_edge = np.isfinite(conditions.low) | np.isfinite(conditions.high)
    return is_number & varies[conditions.input] & has_edge & (conditions.low < np.inf)


def _take_ranges(rules: RuleSet, ranges: Ranges, is_soft: NDArray[np.bool_]) -> Curves:
    """Curves that are flat, over the ranges of the inputs."""
    inputs = rules.conditions.input
    spread = np.where(is_soft, ranges.spread[inputs], 1.0)
    flat = np.zeros(len(inputs))
    return Curves(is_soft, ranges.centre[inputs], spread, ranges.low[inputs], ranges.high[inputs], flat, flat)


class FittedCurves(NamedTuple):
    """Per rule the constant and the AIC, per soft condition the coefficients."""

    constant: NDArray[np.float64]
    aic: NDArray[np.float64]
    linear: NDArray[np.float64]
    square: NDArray[np.float64]


def _fit_curves(
    rules: RuleSet,
    matrix: NDArray[np.float64],
    ranges: Ranges,
    is_soft: NDArray[np.bool_],
    is_exact: bool,
    n_threads: int,
) -> FittedCurves:
    """Fit every rule, some at a time, in threads."""
    columns = np.ascontiguousarray(matrix.T)
    soft_part, hard_part = rules.keep_conditions(is_soft), rules.keep_conditions(~is_soft)
    n_terms = 1 + 2 * int(soft_part.n_conditions.max(initial=0))
    n_rows = min(len(matrix), MAX_ROWS if is_exact else MAX_ROWS_ROUGH)

    def make_worker(stop: Event) -> Callable[[slice], FittedCurves]:
        best = Model(np.zeros(n_terms, np.int64), np.zeros(n_terms))
        memory = np.zeros((n_terms, n_rows)), np.zeros(n_rows), best, Stack.of(n_terms), Workspace.of(n_rows, n_terms)

        def work(batch: slice) -> FittedCurves:
            from glade.rules._subsets import soften_rules

            own = np.arange(len(rules))[batch]
            covered, eligible = (cover(part.take(own), matrix) for part in (rules, hard_part))
            table = BatchRows(columns, ranges.centre, ranges.spread, covered, eligible)
            part = soft_part.take(own)
            found = FittedCurves(*np.empty((2, len(own))), *np.empty((2, len(part.conditions))))
            soften_rules(
                table, part.start, part.conditions.input, n_rows, is_exact, *memory,
                found.constant, found.linear, found.square, found.aic,
            )  # fmt: skip
            return found

        return work

    batches: Iterable[slice] = (slice(k, k + BATCH) for k in range(0, max(len(rules), 1), BATCH))
    parts = list(map_in_order(make_worker, batches, n_threads))
    return FittedCurves(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _scale(soft: SoftRules, matrix: NDArray[np.float64]) -> SoftRules:
    """Each with the deviation of its hard rule; those that hardly vary are left out."""
    totals = np.zeros((4, len(soft)))
    size = max(1, CHUNK_CELLS // max(len(soft), 1))
    for first in range(0, len(matrix), size):
        rows = matrix[first : first + size]
        hard, values = unpack(cover(soft.rules, rows), len(rows)).T, soft.values(rows)
        totals += hard.sum(axis=0), hard.sum(axis=0), values.sum(axis=0), (values * values).sum(axis=0)
    totals /= len(matrix)
    hard, spread = (np.sqrt(np.maximum(totals[k + 1] - totals[k] ** 2, 0.0)) for k in (0, 2))
    kept = np.flatnonzero((spread > LEAST_SPREAD) & (hard > 0))
    return replace(soft, scale=hard / np.where(spread > 0, spread, 1.0)).take(kept)
