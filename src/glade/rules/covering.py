"""Rules by covering: the best rule of the rows that earlier ones leave is searched for, again and again.

A search starts from the rule that covers all these rows and adds one condition at a time, of which it goes on with the
best few (a beam). A rule is good if the targets vary less within it than among the rows it is searched in, and if it
covers many of them. The rows come with columns of numbers, of which those of one target vary by 1 altogether (as
`scale_targets` makes them), so that numbers and classes count alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.data.coded_rows import CodedRows
from glade.data.coding import CodedInputs
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.rules.rule_set import Conditions, RuleSet

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

TINY = 1e-9  # of the rows' dispersion: a rule that is better by less is no better
PRICE = 0.95  # what is left of a rule's worth by each of its conditions
LEAST_WEIGHT = 0.05  # of a row among unordered rules: it has had its rules, and takes no more part


@dataclass(frozen=True)
class Limits:
    """What rules may be, and how long they are searched for.

    Parameters
    ----------
    max_rules
        The most rules; None: as many as are found.
    max_conditions
        The most conditions of a rule, one for each of its inputs; None: any number.
    width
        How many rules a search goes on with.
    min_rows
        The fewest rows that a rule covers.
    generality
        The power to which the share of the rows that a rule covers counts.
    is_ordered
        Whether a row that a rule covers is left to it, or counts less and less in the search for further ones.
    """

    max_rules: int | None
    max_conditions: int | None
    width: int
    min_rows: int
    generality: float
    is_ordered: bool


@dataclass(frozen=True)
class CodeCondition:
    """Codes of an input: from above one to another, or any of a set."""

    input: int
    above: int  # -1: from the first
    up_to: int
    codes: frozenset[int] | None = None

    def meet(self, other: "CodeCondition | None") -> "CodeCondition":
        """What fulfils both."""
        if other is None:
            return self
        codes = self.codes if other.codes is None or self.codes is None else self.codes & other.codes
        return CodeCondition(self.input, max(self.above, other.above), min(self.up_to, other.up_to), codes)

    def covers(self, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which of the codes fulfil it; that of missing values never does."""
        if self.codes is not None:
            return np.isin(codes, list(self.codes))
        return (codes > self.above) & (codes <= self.up_to)


@dataclass(frozen=True)
class PartialRule:
    """A rule while it is searched for: its conditions by input, the rows it covers, and how good it is."""

    conditions: dict[int, CodeCondition]
    rows: Places
    score: float = 0.0


@dataclass(frozen=True)
class FoundRules:
    """Rules in the order in which they were found.

    Parameters
    ----------
    rules
        The rules, with the rows that each is for: of an ordered list those that no earlier one covers.
    """

    rules: tuple[PartialRule, ...]

    def to_rules(self, inputs: CodedInputs, schema: Schema, targets: TargetSchema, weights: Floats) -> RuleSet:
        """The rules without values, which are not known here."""
        own = [c for rule in self.rules for c in rule.conditions.values()]
        is_set = [c.codes is not None for c in own]
        edges = [_find_edges(c, inputs) for c in own]
        categories = np.full(len(own), None, object)
        for k in np.flatnonzero(is_set):
            categories[k] = tuple(sorted(own[k].codes or ()))
        n = len(self.rules)
        rows = np.array([weights[rule.rows].sum() for rule in self.rules])
        return RuleSet(
            schema=schema,
            targets=targets,
            conditions=Conditions(
                input=np.array([c.input for c in own], np.int32),
                low=np.array([low for low, _ in edges], float),
                high=np.array([high for _, high in edges], float),
                missing=np.zeros(len(own), bool),
                categories=categories,
            ),
            start=np.cumsum([0, *(len(rule.conditions) for rule in self.rules)]),
            value=np.zeros((n, int(targets.start[-1]))),
            rows=rows,
            share=rows / weights.sum(),
            tree=np.zeros(n, np.int32),
            node=np.arange(n, dtype=np.int32),
        )


def _find_edges(condition: CodeCondition, inputs: CodedInputs) -> tuple[float, float]:
    """The cuts of an interval; none of a set."""
    if condition.codes is not None:
        return -np.inf, np.inf
    cuts = inputs.edges.cuts_of(condition.input)
    low = -np.inf if condition.above < 0 else float(cuts[condition.above])
    return low, np.inf if condition.up_to >= len(cuts) else float(cuts[condition.up_to])


def find_rules(rows: CodedRows, limits: Limits, among: Places) -> FoundRules:
    """Return rules, each the best of the rows that are left, until there is none that is better than none.

    Parameters
    ----------
    rows
        Of the table.
    limits
        What rules may be.
    among
        The rows to find rules of.
    """
    left, weights = among, rows.weights.copy()
    rules: list[PartialRule] = []
    while (limits.max_rules is None or len(rules) < limits.max_rules) and len(left) >= limits.min_rows:
        best = Search(rows, limits, left, weights).find_best()
        if best is None:
            break
        rules.append(best)
        if limits.is_ordered:
            left = np.setdiff1d(left, best.rows, assume_unique=True)
        else:
            weights[best.rows] *= _find_errors(rows, best.rows)
            left = left[weights[left] > LEAST_WEIGHT * rows.weights[left]]
    return FoundRules(tuple(rules))


def _find_errors(rows: CodedRows, covered: Places) -> Floats:
    """Of each row that a rule covers, how wrong the rule is: 0 where it is right, 1 where no better than the mean."""
    off = (rows.y[covered] - rows.find_means(covered, np.zeros(rows.y.shape[1]))) ** 2
    start = rows.start
    by_target = np.add.reduceat(np.nan_to_num(off), start, axis=1)
    n_known = np.maximum((~np.isnan(rows.y[covered][:, start])).sum(axis=1), 1)
    return np.minimum(by_target.sum(axis=1) / n_known, 1.0)


@dataclass(frozen=True)
class Search:
    """The search for one rule.

    Parameters
    ----------
    rows
        Of the table.
    limits
        What rules may be.
    left
        The rows that rules are searched in.
    weights
        Of all rows, in this search.
    """

    rows: CodedRows
    limits: Limits
    left: Places
    weights: Floats

    @cached_property
    def values(self) -> Floats:
        """What each row adds to sums; the last column counts rows."""
        return np.hstack((self.rows.parts * self.weights[:, None], np.ones((len(self.weights), 1))))

    @cached_property
    def whole(self) -> tuple[Floats, Floats]:
        """Of each target the weight of the rows left, and the mean square about their mean."""
        weight, square = self.rows.split_sums(self.values[self.left, :-1].sum(axis=0))
        return weight, square / np.maximum(weight, 1e-300)

    def find_best(self) -> PartialRule | None:
        """The best rule; None where none is better than no rule."""
        best, beam = None, [PartialRule({}, self.left)]
        least = TINY * max(float(self.whole[1].sum()), 1e-300)
        while beam:
            beam = self._keep_best([new for rule in beam for new in self._refine(rule)])
            if not beam or beam[0].score <= (least if best is None else best.score + least):
                break
            best = beam[0]
        return best

    def _keep_best(self, rules: list[PartialRule]) -> list[PartialRule]:
        """The best of those that cover different rows, as many as the beam is wide."""
        kept: dict[bytes, PartialRule] = {}
        for rule in sorted(rules, key=lambda d: (-d.score, len(d.conditions))):
            kept.setdefault(rule.rows.tobytes(), rule)
            if len(kept) == self.limits.width:
                break
        return list(kept.values())

    def _refine(self, rule: PartialRule) -> Iterator[PartialRule]:
        """The rule with one more condition, or a stricter one: the best of each input and side."""
        is_full = self.limits.max_conditions is not None and len(rule.conditions) >= self.limits.max_conditions
        for j in rule.conditions if is_full else range(len(self.rows.codes)):
            for condition, score in self._list_conditions(j, rule.rows):
                covered = rule.rows[condition.covers(self.rows.codes[j, rule.rows])]
                conditions = {**rule.conditions, j: condition.meet(rule.conditions.get(j))}
                yield PartialRule(conditions, covered, score * PRICE ** len(conditions))

    def _list_conditions(self, j: int, rows: Places) -> Iterator[tuple[CodeCondition, float]]:
        """The best conditions on an input among some rows, with the scores of the rules that they make."""
        columns = self.rows.inputs.columns
        n_codes = int(columns.n_codes[j])
        if n_codes == 0:
            return
        known = self.rows.sum_by_code(j, rows, self.values)[:-1]
        there = np.flatnonzero(known[:, -1])
        if columns.nominal[j]:
            yield from self._list_sets(j, known, there, len(rows))
            return
        below = np.cumsum(known[there], axis=0)
        for side, candidates in ((0, below), (1, below[-1:] - below)):
            scores = self._score(candidates, len(rows))
            if len(scores) and (k := int(scores.argmax())) < len(there) and scores[k] > -np.inf:
                last = k + 1 == len(there)
                cut = n_codes - 1 if last else (int(there[k]) + int(there[k + 1])) // 2
                yield CodeCondition(j, cut if side else -1, n_codes - 1 if side else cut), float(scores[k])

    def _list_sets(self, j: int, known: Floats, there: Places, n_rows: int) -> Iterator[tuple[CodeCondition, float]]:
        """The best of the sets of categories: one of them, all but one, and the best so many."""
        if len(there) == 0:
            return
        one = self._score(known[there], n_rows, must_leave=False)
        order = np.argsort(-one, kind="stable")
        several = np.cumsum(known[there[order]], axis=0)
        but_one = known[there].sum(axis=0) - known[there]
        for way, candidates in enumerate((several, but_one)):
            scores = self._score(candidates, n_rows)
            k = int(scores.argmax())
            if scores[k] > -np.inf:
                chosen = there[order[: k + 1]] if way == 0 else np.delete(np.arange(len(known)), there[k])
                yield CodeCondition(j, -1, len(known) - 1, frozenset(chosen.tolist())), float(scores[k])

    def _score(self, sums: Floats, n_rows: int, must_leave: bool = True) -> Floats:
        """How good the rules are that cover rows with these sums; -inf where they cover too few, or all of the rows."""
        weight, square = self.rows.split_sums(sums[:, :-1])
        whole, dispersion = self.whole
        share = weight / np.maximum(whole, 1e-300)
        lower = dispersion - square / np.maximum(weight, 1e-300)
        score = np.where(weight > 0, share**self.limits.generality * lower, 0.0).sum(axis=1)
        n_covered = np.rint(sums[:, -1])
        fits = n_covered >= self.limits.min_rows
        return np.where(fits & (n_covered < n_rows) if must_leave else fits, score, -np.inf)
