"""Rules, soft rules and linear terms as columns over rows, and all that a solver of squared errors needs of them.

Hard rules are kept as bits, 64 rows a word; whatever needs floats is made some thousand rows at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from glade.core.blas import one_blas_thread
from glade.core.names import make_distinct
from glade.rules.blocks import TermBlock
from glade.rules.coverage import WORD, add_covered, count_common, sum_covered
from glade.rules.hard import ALL, HardRules
from glade.rules.kinds import order_of
from glade.rules.linear import LinearTerms
from glade.rules.rule_set import RuleSet
from glade.rules.soft import SoftRules

CHUNK_BYTES = 32_000_000
FLOAT = 64  # bits of a cell
FEW_PRODUCTS = 10_000


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


Block = TypeVar("Block", bound=TermBlock)


@dataclass(frozen=True)
class Design:
    """Terms as columns: blocks of terms of one kind each, hard rules (of which there may be none) first."""

    blocks: tuple[TermBlock, ...]

    @classmethod
    def of(cls, rules: RuleSet | HardRules, *others: TermBlock) -> "Design":
        """Hard rules and blocks of other kinds, in the order of the kinds."""
        hard = rules if isinstance(rules, HardRules) else HardRules(rules)
        return cls((hard, *sorted(others, key=order_of)))

    def __len__(self) -> int:
        return sum(map(len, self.blocks))

    @property
    def hard(self) -> HardRules:
        """The hard rules as terms."""
        first = self.blocks[0]
        assert isinstance(first, HardRules)
        return first

    @property
    def rules(self) -> RuleSet:
        """The hard rules."""
        return self.hard.rules

    @property
    def soft(self) -> SoftRules:
        """The soft rules."""
        return self.find(SoftRules) or SoftRules.none(self.rules)

    @property
    def linear(self) -> LinearTerms:
        """The linear terms."""
        return self.find(LinearTerms) or LinearTerms.none(self.rules.schema)

    def find(self, kind: type[Block]) -> Block | None:
        """The block of a kind; None where there is none, or none with a term."""
        return next((block for block in self.blocks if isinstance(block, kind) and len(block)), None)

    def with_block(self, new: TermBlock) -> "Design":
        """The same with this block in place of the one of its kind."""
        return replace(self, blocks=tuple(new if type(block) is type(new) else block for block in self.blocks))

    @cached_property
    def start(self) -> NDArray[np.int64]:
        """Block b has the terms start[b] .. start[b + 1] - 1."""
        return np.cumsum([0, *map(len, self.blocks)])

    @property
    def block_of(self) -> NDArray[np.int64]:
        """Of each term the number of its block."""
        return np.repeat(np.arange(len(self.blocks)), np.diff(self.start))

    def places_of(self, kind: type[TermBlock]) -> NDArray[np.int64]:
        """The places of all terms of a kind."""
        return np.flatnonzero([isinstance(self.blocks[b], kind) for b in self.block_of])

    @property
    def is_rule(self) -> NDArray[np.bool_]:
        """Of each term whether it covers rows, wholly or by degrees."""
        return np.repeat([block.covers_rows for block in self.blocks], np.diff(self.start))

    @property
    def is_tied(self) -> bool:
        """Whether rules that count as one term are rules of their own, as the leaves of a tree are."""
        return any(block.is_tied for block in self.blocks)

    @property
    def is_in_order(self) -> bool:
        """Whether the terms mean something by their order."""
        return any(block.is_in_order for block in self.blocks if len(block))

    @property
    def kinds(self) -> list[str]:
        """Of each term what it is called."""
        return [block.kind for block in self.blocks for _ in range(len(block))]

    @property
    def unit(self) -> NDArray[np.float64]:
        """Of each term its value where a rule is wholly on, or for each unit of the input of a linear term."""
        return np.concatenate([block.unit for block in self.blocks])

    @property
    def whole(self) -> NDArray[np.float64]:
        """Of each term what its value changes by where a rule is wholly on, or from one end of a range to the other."""
        return np.concatenate([block.whole for block in self.blocks])

    @property
    def n_named(self) -> NDArray[np.int64]:
        """Of each term how many categories the condition names that names most."""
        return np.concatenate([block.n_named for block in self.blocks])

    @property
    def most(self) -> NDArray[np.float64]:
        """Of each term the size that its value has at most."""
        return np.concatenate([block.most for block in self.blocks])

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """Of each term a number that a rule and its soft form share, and the leaves of a tree: they count as one."""
        groups, first_of = [], dict[int, int]()
        for block, start in zip(self.blocks, self.start, strict=False):
            own, keys = (start + block.group).tolist(), block.keys
            if keys is not None:
                own = [first_of.get(key, first) for key, first in zip(keys.tolist(), own, strict=True)]
                first_of |= dict(zip(keys.tolist(), own, strict=True))
            groups += own
        return np.array(groups, np.int64)

    def take(self, terms: NDArray[np.int64]) -> "Design":
        """These terms, block by block."""
        block_of = self.block_of[terms]
        place = terms - self.start[block_of]
        return Design(tuple(block.take(place[block_of == b]) for b, block in enumerate(self.blocks)))

    @property
    def n_conditions(self) -> NDArray[np.int64]:
        """Of each term how many conditions it has."""
        return np.concatenate([block.n_conditions for block in self.blocks])

    def count_conditions(self, terms: NDArray[np.int64]) -> int:
        """Of the rules among these terms; a rule and its soft form have one set of them, a linear term has none."""
        return int(self.n_conditions[terms if self.is_tied else np.unique(self.group[terms])].sum())

    def list_conditions(self) -> list[list[dict[str, Any]]]:
        """Of each term its conditions as plain values."""
        return [own for block in self.blocks for own in block.list_conditions()]

    @property
    def words(self) -> list[str]:
        """Each term in words."""
        return [words for block in self.blocks for words in block.words]

    @property
    def names(self) -> list[str]:
        """The words, numbered where shortened lists of categories make two terms look the same."""
        return make_distinct(self.words)

    def values(self, matrix: NDArray[np.float64], rows: slice = ALL) -> NDArray[np.float64]:
        """Rows (all of them, or whole words of 64) x terms, as floats."""
        part = matrix[rows]
        columns = np.empty((len(part), len(self)))
        columns[:, : self.start[1]] = self.hard.values(matrix, rows)
        for block, first, end in zip(self.blocks[1:], self.start[1:], self.start[2:], strict=False):
            if end > first:
                columns[:, first:end] = block.values(part)
        return columns

    def values_not_bits(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms that are not hard rules: those that are not zeros and ones."""
        parts = [block.values(matrix) for block in self.blocks[1:] if len(block)]
        return np.hstack(parts) if len(parts) > 1 else parts[0] if parts else np.empty((len(matrix), 0))

    def chunks(self, n_rows: int, cell_bits: int = FLOAT) -> Iterator[slice]:
        """Rows whose columns fit in a chunk; whole words of them. At least one chunk, be it of no row."""
        size = max(WORD, CHUNK_BYTES * 8 // cell_bits // max(len(self), 1) // WORD * WORD)
        return (slice(first, min(first + size, n_rows)) for first in range(0, max(n_rows, 1), size))

    def predict(self, matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x targets: the weighted sum of the terms."""
        n_rules = len(self.rules)
        of_rules, of_others = weights[:n_rules], weights[n_rules:]
        out = np.empty((len(matrix), weights.shape[1]))
        for rows in self.chunks_of_bits(len(matrix)):
            out[rows] = _multiply(self.values_not_bits(matrix[rows]), of_others)
            if n_rules:
                add_covered(self.hard.bits(matrix, rows), of_rules, out[rows])
        return out

    def chunks_of_bits(self, n_rows: int) -> Iterator[slice]:
        """Rows of which the bits of the hard rules and the floats of all else fit in a chunk."""
        return self.chunks(n_rows, cell_bits=1 + FLOAT * (len(self) - len(self.rules)) // max(len(self), 1))

    def moments(
        self,
        matrix: NDArray[np.float64],
        y: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
        lean: bool = False,
    ) -> Moments:
        """The moments over the rows of an encoded table, each row counted once or by its weight."""
        if weights is None:
            chunks = self.chunks_of_bits(len(matrix))
            return reduce(add, (_add_up(self, matrix, rows, y[rows], lean) for rows in chunks))
        chunks = self.chunks(len(matrix))
        return reduce(add, (_add_up_weighted(self, matrix, rows, y[rows], weights[rows], lean) for rows in chunks))


def _multiply(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows x targets. To limit the threads of linear algebra takes longer than to do without it where terms are few."""
    if values.size * weights.shape[1] <= FEW_PRODUCTS:
        return np.asarray(np.einsum("ij,jk->ik", values, weights))
    with one_blas_thread():
        return values @ weights


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


def _add_up(
    design: Design, matrix: NDArray[np.float64], rows: slice, y: NDArray[np.float64], lean: bool = False
) -> Moments:
    """Of rows that count once: rules with rules by counting bits, with all else by adding up the rows they cover."""
    n_rules = len(design.rules)
    bits, floats = design.hard.bits(matrix, rows), design.values_not_bits(matrix[rows])
    covered = sum_covered(bits, np.hstack((floats, y)))
    of_rules, with_y = np.hsplit(covered, [floats.shape[1]])
    gram = with_floats = np.vstack((of_rules, floats.T @ floats))
    if not lean:
        gram = np.empty((len(design), len(design)))
        count_common(bits, gram)
        gram[:, n_rules:], gram[n_rules:] = with_floats, with_floats.T
    total = np.append(np.bitwise_count(bits).sum(axis=1), floats.sum(axis=0))
    cross = np.vstack((with_y, floats.T @ y))
    return Moments(float(len(y)), total, gram, cross, y.sum(axis=0), (y * y).sum(axis=0))


def _add_up_weighted(
    design: Design,
    matrix: NDArray[np.float64],
    rows: slice,
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    lean: bool = False,
) -> Moments:
    columns = design.values(matrix, rows)
    weighted = columns * weights[:, None]
    return Moments(
        float(weights.sum()),
        weighted.sum(axis=0),
        np.empty((len(design), 0)) if lean else weighted.T @ columns,
        weighted.T @ y,
        weights @ y,
        weights @ (y * y),
    )
