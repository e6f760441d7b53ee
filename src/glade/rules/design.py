"""Rules, soft rules and linear terms as columns over rows, and all that a solver of squared errors needs of them.

Hard rules are kept as bits, 64 rows a word; whatever needs floats is made some thousand rows at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.blas import one_blas_thread
from glade.core.names import make_distinct
from glade.rules.coverage import WORD, cover, unpack
from glade.rules.linear import LinearTerms
from glade.rules.rule_set import RuleSet
from glade.rules.soft import SoftRules

CHUNK_BYTES = 32_000_000
FLOAT = 64  # bits of a cell


@dataclass(frozen=True)
class Moments:
    """Sums over rows: additive over parts of a table.

    `gram` are the terms' products with one another, `cross` with the targets, `y_square` each target's with itself.
    Lean moments hold in `gram` the products with soft rules and linear terms only, or nothing where rows have weights.
    """

    weight: float
    total: NDArray[np.float64]
    gram: NDArray[np.float64]
    cross: NDArray[np.float64]
    y_total: NDArray[np.float64]
    y_square: NDArray[np.float64]

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(*(a + b for a, b in zip(self._parts, other._parts, strict=True)))

    @property
    def count(self) -> float:
        """The weight as a divisor: a target may be known nowhere."""
        return max(self.weight, 1e-300)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Of the terms."""
        return self.total / self.count

    @property
    def y_mean(self) -> NDArray[np.float64]:
        """Of the targets."""
        return self.y_total / self.count

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self.weight, self.total, self.gram, self.cross, self.y_total, self.y_square


@dataclass(frozen=True)
class TargetMoments:
    """The moments over the rows in which some targets are known."""

    targets: NDArray[np.int64]
    rows: Moments

    @property
    def mean(self) -> NDArray[np.float64]:
        """Of the terms."""
        return self.rows.mean

    @property
    def y_mean(self) -> NDArray[np.float64]:
        """Of the targets."""
        return self.rows.y_mean

    def __add__(self, other: "TargetMoments") -> "TargetMoments":
        return TargetMoments(self.targets, self.rows + other.rows)


@dataclass(frozen=True)
class TargetRows:
    """Rows of an encoded table with their targets, NaN where unknown; without weights each row counts once."""

    matrix: NDArray[np.float64]
    y: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None

    @property
    def counts(self) -> NDArray[np.float64]:
        """What each row counts."""
        return np.ones(len(self.y)) if self.weights is None else self.weights

    def take(self, rows: NDArray[Any]) -> "TargetRows":
        """These rows (positions or a mask)."""
        return TargetRows(self.matrix[rows], self.y[rows], None if self.weights is None else self.weights[rows])


@dataclass(frozen=True)
class Design:
    """Terms: the rules, then the soft rules, then the linear terms."""

    rules: RuleSet
    linear: LinearTerms
    soft: SoftRules = None  # type: ignore[assignment]  # None: there are none
    of_whole_trees: bool = False  # the rules of a tree are its leaves, and count as one

    def __post_init__(self) -> None:
        if self.soft is None:
            object.__setattr__(self, "soft", SoftRules.none(self.rules))

    def __len__(self) -> int:
        return self.n_rules + len(self.linear)

    @property
    def n_rules(self) -> int:
        """Rules and soft rules."""
        return len(self.rules) + len(self.soft)

    @property
    def kind(self) -> NDArray[np.int64]:
        """Of each term: 0 for a rule, 1 for a soft rule, 2 for a linear term."""
        return np.repeat(np.arange(3), (len(self.rules), len(self.soft), len(self.linear)))

    @property
    def unit(self) -> NDArray[np.float64]:
        """Of each term its value where a rule is wholly on, or for each unit of the input of a linear term."""
        return np.concatenate((np.ones(len(self.rules)), self.soft.scale, self.linear.scale))

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """Of each term a number that a rule and its soft form share, and the leaves of a tree: they count as one."""
        group = np.arange(len(self))
        if self.of_whole_trees:
            _, first, tree = np.unique(self.rules.tree, return_index=True, return_inverse=True)
            group[: len(self.rules)] = first[tree]
        place_of = dict(zip(self.rules.keys.tolist(), group.tolist(), strict=False))
        for k, key in enumerate(self.soft.rules.keys.tolist(), len(self.rules)):
            group[k] = place_of.get(key, k)
        return group

    def take(self, terms: NDArray[np.int64]) -> "Design":
        """These terms, rules first, linear terms last."""
        kind, place = self.kind[terms], terms - np.array([0, len(self.rules), self.n_rules])[self.kind[terms]]
        rules, soft, linear = (place[kind == k] for k in range(3))
        return Design(self.rules.take(rules), self.linear.take(linear), self.soft.take(soft), self.of_whole_trees)

    def count_conditions(self, terms: NDArray[np.int64]) -> int:
        """Of the rules among these terms; a rule and its soft form have one set of them, a linear term has none."""
        rules = np.concatenate((self.rules.n_conditions, self.soft.rules.n_conditions))
        counted = terms if self.of_whole_trees else np.unique(self.group[terms])
        return int(rules[counted[counted < self.n_rules]].sum())

    @property
    def words(self) -> list[str]:
        """Each term in words."""
        return [*self.rules.words, *self.soft.words, *self.linear.words]

    @property
    def names(self) -> list[str]:
        """The words, numbered where shortened lists of categories make two terms look the same."""
        return make_distinct(self.words)

    def values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms, as floats."""
        columns = np.empty((len(matrix), len(self)))
        columns[:, : len(self.rules)] = unpack(cover(self.rules, matrix), len(matrix)).T
        columns[:, len(self.rules) :] = self.values_not_bits(matrix)
        return columns

    def values_not_bits(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x soft rules and linear terms: those that are not zeros and ones."""
        linear = self.linear.values(matrix)
        return np.hstack((self.soft.values(matrix), linear)) if len(self.soft) else linear

    def chunks(self, n_rows: int, cell_bits: int = FLOAT) -> Iterator[slice]:
        """Rows whose columns fit in a chunk; whole words of them. At least one chunk, be it of no row."""
        size = max(WORD, CHUNK_BYTES * 8 // cell_bits // max(len(self), 1) // WORD * WORD)
        return (slice(first, min(first + size, n_rows)) for first in range(0, max(n_rows, 1), size))

    @one_blas_thread()
    def predict(self, matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x targets: the weighted sum of the terms."""
        out = np.empty((len(matrix), weights.shape[1]))
        for rows in self.chunks(len(matrix)):
            out[rows] = self.values(matrix[rows]) @ weights
        return out

    def moments(
        self,
        matrix: NDArray[np.float64],
        y: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
        lean: bool = False,
    ) -> Moments:
        """The moments over the rows of an encoded table, each row counted once or by its weight."""
        if weights is None:
            chunks = self.chunks(len(matrix), cell_bits=1 + FLOAT * (len(self) - len(self.rules)) // max(len(self), 1))
            return reduce(add, (_add_up(self, matrix[rows], y[rows], lean) for rows in chunks))
        chunks = self.chunks(len(matrix))
        return reduce(add, (_add_up_weighted(self, matrix[rows], y[rows], weights[rows], lean) for rows in chunks))


def group_targets(y: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """Targets that are known (not NaN) in the same rows, together: they share the moments of the terms."""
    groups: dict[bytes, list[int]] = {}
    for t in range(y.shape[1]):
        groups.setdefault(np.isnan(y[:, t]).tobytes(), []).append(t)
    return [np.array(members) for members in groups.values()]


def find_moments(
    design: Design, rows: TargetRows, groups: list[NDArray[np.int64]], lean: bool = False
) -> Iterator[TargetMoments]:
    """The moments for each group of targets in turn, over the rows in which they are known."""
    for targets in groups:
        known = ~np.isnan(rows.y[:, targets[0]])
        own = rows if known.all() else rows.take(known)
        yield TargetMoments(targets, design.moments(own.matrix, own.y[:, targets], own.weights, lean))


def collect_moments(
    design: Design, rows: TargetRows, groups: list[NDArray[np.int64]], lean: bool = False
) -> list[TargetMoments]:
    """The moments for all groups of targets at once; unless lean, they are large where there are many terms."""
    return list(find_moments(design, rows, groups, lean))


def _add_up(design: Design, matrix: NDArray[np.float64], y: NDArray[np.float64], lean: bool = False) -> Moments:
    """Of rows that count once: rules with rules by counting bits, with all else by adding up the rows they cover."""
    from glade.rules._bits import count_common, sum_covered

    n_rules = len(design.rules)
    bits, floats = cover(design.rules, matrix), design.values_not_bits(matrix)
    covered = np.zeros((n_rules, floats.shape[1] + y.shape[1]))
    sum_covered(bits, np.hstack((floats, y)), covered)
    of_rules, with_y = np.hsplit(covered, [floats.shape[1]])
    gram = with_floats = np.vstack((of_rules, floats.T @ floats))
    if not lean:
        gram = np.empty((len(design), len(design)))
        count_common(bits, gram)
        gram[:, n_rules:], gram[n_rules:] = with_floats, with_floats.T
    total = np.append(np.bitwise_count(bits).sum(axis=1), floats.sum(axis=0))
    cross = np.vstack((with_y, floats.T @ y))
    return Moments(float(len(matrix)), total, gram, cross, y.sum(axis=0), (y * y).sum(axis=0))


def _add_up_weighted(
    design: Design,
    matrix: NDArray[np.float64],
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    lean: bool = False,
) -> Moments:
    columns = design.values(matrix)
    weighted = columns * weights[:, None]
    return Moments(
        float(weights.sum()),
        weighted.sum(axis=0),
        np.empty((len(design), 0)) if lean else weighted.T @ columns,
        weighted.T @ y,
        weights @ y,
        weights @ (y * y),
    )
