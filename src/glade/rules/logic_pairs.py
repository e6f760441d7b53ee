"""Which pairs of rules make good logic rules: those that explain more as one term than either rule by itself."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from glade.data.table import NOMINAL
from glade.rules.blocks import Floats, Places
from glade.rules.coverage import cover, unpack
from glade.rules.design import TargetRows
from glade.rules.hard import HardRules
from glade.rules.logic import LogicRules
from glade.rules.rule_set import RuleSet
from glade.rules.smaller_side import turn_wide

STRONGEST = 80  # rules whose pairs are looked at
MOST_ALIKE = 4  # rules of the same inputs among these
MOST_TERMS = 200
MOST_USES = 12  # of a rule in pairs
HALF = 0.5  # of the rows: what is true of most rows is told by its exceptions
LONGEST = 2  # conditions of one of the two rules
LEAST_ROWS = 5  # that a term divides from others
BETTER = 1.05  # times as much as the better of its rules a term explains


def find_logic(hard: HardRules, rows: TargetRows, max_conditions: int | None = None) -> LogicRules:
    """Return the pairs of rules that explain most as one term, for the root of their conditions.

    Parameters
    ----------
    hard
        Candidate rules.
    rows
        The rows to explain.
    max_conditions
        Of a term; None: any number.
    """
    y = _centre(rows)
    strong = find_strong(hard, rows, y)
    chosen = hard.take(strong)
    share = rows.counts @ chosen.values(rows.matrix) / rows.counts.sum()
    part = turn_wide(chosen.rules, share)
    covered = unpack(cover(part, rows.matrix), len(rows.matrix)).T.astype(float)
    sums = PairSums.of(covered, rows.counts, y)
    pairs = [
        (gain, a, b, is_union)
        for a, b in combinations(range(len(part)), 2)
        if _can_join(part, a, b) and (max_conditions is None or part.n_conditions[[a, b]].sum() <= max_conditions)
        for gain, a, b, is_union in sums.judge(a, b, part)
    ]
    pairs.sort(key=lambda own: -own[0] / np.sqrt(part.n_conditions[[own[1], own[2]]].sum()))
    taken = _take_different(pairs, covered.astype(bool))
    both = np.array([[a, b] for _, a, b, _ in taken], np.int64).reshape(-1, 2)
    is_longer = np.array([is_union for *_, is_union in taken], bool) & (np.diff(part.n_conditions[both]) < 0)[:, 0]
    both[is_longer] = both[is_longer, ::-1]  # the shorter one is read first
    return LogicRules(part.take(both.ravel()), np.array([is_union for *_, is_union in taken], bool))


def _centre(rows: TargetRows) -> Floats:
    """The columns about their means, 0 where unknown."""
    known = ~np.isnan(rows.y)
    y, weights = np.where(known, rows.y, 0.0), rows.counts[:, None] * known
    return np.asarray(np.where(known, y - (weights * y).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300), 0.0))


def explain(total: Floats, weight: Floats, whole: float) -> Floats:
    """How much a term explains of columns whose sums are these where it is 1 (anything x columns).

    Parameters
    ----------
    total
        Of the columns, weighted.
    weight
        Of the rows.
    whole
        Of all rows.
    """
    rest = weight * (1.0 - weight / whole)
    return np.divide((total**2).sum(axis=-1), rest, out=np.zeros_like(rest), where=rest > 1e-12)


def find_strong(hard: HardRules, rows: TargetRows, y: Floats) -> Places:
    """Return the places of the short rules that explain most by themselves, a few of each set of inputs.

    Parameters
    ----------
    hard
        Candidate rules.
    rows
        The rows to explain.
    y
        Their columns, centred.
    """
    short = np.flatnonzero((hard.rules.n_conditions > 0) & (hard.rules.n_conditions <= LONGEST))
    if len(short) == 0:
        return short
    values = hard.take(short).values(rows.matrix)
    weighted = values.T * rows.counts
    gain = explain(weighted @ y, weighted.sum(axis=1), float(rows.counts.sum()))
    kept, n_alike = [], Counter[frozenset[int]]()
    for k in short[np.argsort(-gain, kind="stable")].tolist():
        inputs = inputs_of(hard.rules, k)
        n_alike[inputs] += 1
        if n_alike[inputs] <= MOST_ALIKE:
            kept.append(k)
        if len(kept) == STRONGEST:
            break
    return np.sort(np.array(kept, np.int64))


def inputs_of(rules: RuleSet, k: int) -> frozenset[int]:
    """Those that a rule has conditions on."""
    return frozenset(rules.conditions.input[rules.start[k] : rules.start[k + 1]].tolist())


@dataclass(frozen=True)
class PairSums:
    """Sums over the rows that two rules both cover, for all pairs.

    Parameters
    ----------
    total
        Rules x rules x columns, weighted; of a rule with itself over its own rows.
    weight, n_rows
        Rules x rules.
    whole
        The weight of all rows.
    """

    total: Floats
    weight: Floats
    n_rows: Floats
    whole: float

    @classmethod
    def of(cls, covered: Floats, counts: Floats, y: Floats) -> "PairSums":
        """Of rows x rules, and rows x columns."""
        weighted = covered * counts[:, None]
        total = np.stack([weighted.T @ (covered * own[:, None]) for own in y.T], axis=-1)
        return cls(total, weighted.T @ covered, covered.T @ covered, float(counts.sum()))

    def judge(self, a: int, b: int, rules: RuleSet) -> Iterator[tuple[float, int, int, bool]]:
        """What the terms of a pair explain, where that is more than either rule does: (gain, first, second, is or)."""
        alone = max(self._explain(self.total[k, k], self.weight[k, k]) for k in (a, b))
        in_both, least = self.total[a, b], BETTER * alone
        weight, n_rows = self.weight, self.n_rows
        either = self._explain(
            self.total[a, a] + self.total[b, b] - in_both, weight[a, a] + weight[b, b] - weight[a, b]
        )
        is_more = min(n_rows[a, a], n_rows[b, b]) - n_rows[a, b] >= LEAST_ROWS
        if is_more and either > least:
            yield either, a, b, True
        for first, second in ((a, b), (b, a)):
            if rules.n_conditions[second] < 2:  # "unless" one condition is a condition more
                continue
            apart = self._explain(self.total[first, first] - in_both, weight[first, first] - weight[a, b])
            if LEAST_ROWS <= n_rows[a, b] <= n_rows[first, first] - LEAST_ROWS and apart > least:
                yield apart, first, second, False

    def _explain(self, total: Floats, weight: float) -> float:
        return float(explain(total, np.asarray(weight), self.whole))


def _can_join(rules: RuleSet, a: int, b: int) -> bool:
    """Whether two rules are of different inputs; or of one number each, which are then both ends of its range."""
    first, second = inputs_of(rules, a), inputs_of(rules, b)
    is_range = first == second and len(first) == 1 and rules.schema.kinds[min(first)] != NOMINAL
    return is_range or not first & second


def _take_different(
    pairs: list[tuple[float, int, int, bool]], covered: NDArray[np.bool_]
) -> list[tuple[float, int, int, bool]]:
    """The first pairs, that cover at most half of the rows and others than those before; a rule is in a few of them."""
    seen = {own.tobytes() for own in covered.T}
    n_uses, kept = np.zeros(covered.shape[1], np.int64), []
    for pair in pairs:
        _, a, b, is_union = pair
        own = covered[:, a] | covered[:, b] if is_union else covered[:, a] & ~covered[:, b]
        if own.mean() > HALF or own.tobytes() in seen or max(n_uses[a], n_uses[b]) >= MOST_USES:
            continue
        seen.add(own.tobytes())
        n_uses[[a, b]] += 1
        kept.append(pair)
        if len(kept) == MOST_TERMS:
            break
    return kept
