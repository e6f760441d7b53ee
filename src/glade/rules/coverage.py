"""Which rows rules cover, as bits: 64 rows a word."""

from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.core.threads import count_shares, map_side_by_side, run_in_shares

if TYPE_CHECKING:
    from glade.rules.rule_set import Conditions, RuleSet

WORD = 64

Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]
WORDS_A_THREAD = 64  # at least


class PackedConditions(NamedTuple):
    """Different conditions, as the kernel takes them."""

    input: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    missing: NDArray[np.bool_]
    set_start: NDArray[np.int64]  # where the bits of its categories start, -1 for an interval
    sets: Bits


def cover(rules: "RuleSet", matrix: Floats) -> Bits:
    """Rules x words: the rows of an encoded table that each rule covers."""
    from glade.rules._bits import cover_rows

    packed, of_rule = rules.packed
    covered, matrix = np.empty((len(rules), -(-len(matrix) // WORD)), np.uint64), read_only(matrix)

    def work(part: slice) -> None:
        columns, words = np.empty((matrix.shape[1], WORD)), np.empty(len(packed.input), np.uint64)
        cover_rows(matrix, packed, of_rule, rules.start, columns, words, covered, part.start, part.stop)

    run_in_shares(work, covered.shape[1], least=WORDS_A_THREAD)
    return covered


def sum_covered(bits: Bits, values: Floats) -> Floats:
    """Rules x columns: the sums of the rows' values over the rows that each rule covers."""
    from glade.rules import _bits

    sums, values = np.zeros((len(bits), values.shape[1])), np.ascontiguousarray(values)
    run_in_shares(lambda part: _bits.sum_covered(bits[part], values, sums[part]), len(bits))
    return sums


def add_covered(bits: Bits, weights: Floats, sums: Floats) -> None:
    """Add to the sums of each row (rows x columns) the weights of the rules that cover it."""
    from glade.rules import _bits

    weights = np.ascontiguousarray(weights)
    run_in_shares(
        lambda part: _bits.add_covered(bits, weights, sums, part.start, part.stop), bits.shape[1], WORDS_A_THREAD
    )


def count_common(bits: Bits, counts: Floats) -> None:
    """counts[r, s] becomes the number of rows that rules r and s both cover; there may be room for more."""
    from glade.rules import _bits

    n_parts = 4 * count_shares() if count_shares() > 1 else 1
    edges = np.round(len(bits) * np.sqrt(np.linspace(0.0, 1.0, n_parts + 1))).astype(int).tolist()  # equal areas
    map_side_by_side(lambda part: _bits.count_common(bits, counts, *part), pairwise(edges))


def unpack(bits: Bits, n_rows: int) -> NDArray[np.bool_]:
    """Rules x rows."""
    return np.unpackbits(bits.view(np.uint8), axis=1, count=n_rows, bitorder="little").astype(bool)


def pack(rows: NDArray[np.bool_]) -> Bits:
    """A set of rows as words.

    >>> pack(np.array([True, False, True])).tolist()
    [5]
    """
    packed = np.packbits(rows, bitorder="little")
    return np.pad(packed, (0, -len(packed) % (WORD // 8))).view(np.uint64)


def drop_duplicates(
    rules: "RuleSet", bits: Bits, n_rows: int, both_sides: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One rule for each way to divide the rows into covered and not: the shortest one, the first among equals.

    A rule and its complement say the same to a model with a free offset, unless weights have one sign: then
    `both_sides` are kept. A rule that covers no row, or all, is dropped. Returns the positions of the others, and for
    each rule the place there of the one that stands for it, -1 for none.
    """
    everything = pack(np.ones(n_rows, bool))
    best = {_digest(np.zeros_like(everything)): -1, _digest(everything): -1}
    stands = np.empty(len(bits), np.int64)
    for i in np.argsort(rules.n_conditions, kind="stable").tolist():
        is_turned = not both_sides and bool(bits[i, 0] & np.uint64(1))
        stands[i] = best.setdefault(_digest(bits[i] ^ everything if is_turned else bits[i]), i)
    kept = np.unique(stands[stands >= 0])
    return kept, np.where(stands >= 0, np.searchsorted(kept, stands), -1)


def _digest(words: Bits) -> bytes:
    """16 bytes that stand for a set of rows: with millions of rows, the sets of all rules are hundreds of megabytes."""
    return blake2b(np.ascontiguousarray(words).data, digest_size=16).digest()


def pack_conditions(rules: "RuleSet") -> tuple[PackedConditions, NDArray[np.int64]]:
    """The different conditions of rules as the kernel takes them, and for each condition the place of its kind."""
    different, of_rule = _find_different(rules.conditions)
    return _pack(rules.conditions.take(different), [len(labels or ()) for labels in rules.schema.labels]), of_rule


def _find_different(conditions: "Conditions") -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One of each kind of condition, and for each condition the place of its kind among these."""
    numbers: dict[object, int] = {}
    sets, which = np.zeros(len(conditions), np.int64), np.flatnonzero(conditions.is_set)
    sets[which] = [numbers.setdefault(own, len(numbers) + 1) for own in conditions.categories[which].tolist()]
    columns = (conditions.input, conditions.low, conditions.high, conditions.missing, sets)
    order = np.lexsort(columns)
    starts_kind = np.zeros(len(order), bool)
    starts_kind[:1] = True
    for column in columns:
        ordered = column[order]
        starts_kind[1:] |= ordered[1:] != ordered[:-1]
    of_rule = np.empty(len(order), np.int64)
    of_rule[order] = np.cumsum(starts_kind) - 1
    return order[starts_kind], of_rule


def _pack(conditions: "Conditions", n_labels: list[int]) -> PackedConditions:
    set_start = np.full(len(conditions), -1, np.int64)
    sets: list[Bits] = []
    used = 0
    for k, categories in enumerate(conditions.categories):
        if categories is None:
            continue
        inside = np.zeros(-(-n_labels[conditions.input[k]] // WORD) * WORD, bool)
        inside[list(categories)] = True
        sets.append(np.packbits(inside, bitorder="little").view(np.uint64))
        set_start[k] = used
        used += len(sets[-1])
    return PackedConditions(
        conditions.input,
        conditions.low,
        conditions.high,
        conditions.missing,
        set_start,
        np.concatenate(sets) if sets else np.zeros(0, np.uint64),
    )
