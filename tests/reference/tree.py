"""The grower's twin: one tree by the formulas of the design (algorithms.md, section 2), shared with nobody and slow.

    best test = argmax over tests of h = Var(E) - sum_k |E_k|/|E| * Var(E_k)

Var is a sum over targets. Everything here is in sums, S(E) = |E| Var(E): a test gains S(E) - S(left) - S(right).
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

TIE = 1e-12
MISSING_SIDE_CLEAR = 0.2  # docs/dev/decisions.md says why


@dataclass
class Input:
    """Values of one input, NaN where missing; a nominal one's are category numbers."""

    values: np.ndarray
    nominal: bool = False


@dataclass
class Target:
    """Values of one target, NaN where unknown; a nominal one's are class numbers."""

    values: np.ndarray
    nominal: bool = False

    @property
    def known(self):
        return ~np.isnan(self.values)


def variance(y, w):
    return np.average((y - np.average(y, weights=w)) ** 2, weights=w)


def class_shares(y, w, n_classes):
    return np.bincount(y.astype(int), w, n_classes) / w.sum()


def gini(shares):
    return 1 - np.sum(shares**2)


def entropy(shares):
    return -sum(p * np.log2(p) for p in shares if p > 0)


class Criterion:
    """S(E) for any set of rows: targets, row weights, how much each target counts."""

    def __init__(self, targets, weights, criterion="gini", target_weights=None):
        self.targets, self.weights, self.nominal_impurity = (
            targets,
            weights,
            {"gini": gini, "entropy": entropy}[criterion],
        )
        counts = np.ones(len(targets)) if target_weights is None else np.asarray(target_weights, float)
        mixed = len({target.nominal for target in targets}) > 1
        everyone = np.arange(len(weights))
        self.factor = counts / counts.mean()
        for t, target in enumerate(targets):
            if mixed or not target.nominal:  # a numeric target is standardised; of a mix, each counts alike at the root
                at_root = self.impurity(t, everyone[target.known])
                self.factor[t] = self.factor[t] / at_root if at_root > 0 else 0.0
        one_number = len(targets) == 1 and not targets[0].nominal
        self.unit = self.impurity(0, everyone[targets[0].known]) if one_number else 1 / len(targets)

    def n_classes(self, t):
        return int(np.nanmax(self.targets[t].values)) + 1

    def impurity(self, t, rows):
        """Var of one target over rows that know it."""
        y, w = self.targets[t].values[rows], self.weights[rows]
        return (
            self.nominal_impurity(class_shares(y, w, self.n_classes(t))) if self.targets[t].nominal else variance(y, w)
        )

    def sum(self, rows):
        """S(E): every target over the rows that know it."""
        total = 0.0
        for t, target in enumerate(self.targets):
            known = rows[target.known[rows]]
            if len(known):
                total += self.factor[t] * self.weights[known].sum() * self.impurity(t, known)
        return total

    def is_pure(self, rows):
        """Whether the rows agree on every target that counts."""
        counting = [target for target, factor in zip(self.targets, self.factor, strict=True) if factor > 0]
        return all(len(np.unique(target.values[rows[target.known[rows]]])) <= 1 for target in counting)

    def gain(self, rows, goes_left):
        return self.sum(rows) - self.sum(rows[goes_left]) - self.sum(rows[~goes_left])

    def risk(self, leaves):
        """What a tree with these sets of rows as leaves leaves unexplained, as users see it."""
        return sum(self.sum(rows) for rows in leaves) / self.weights.sum() * self.unit

    def channels(self):
        """Rows x channels: numbers, zeros and ones for classes, on the scale in which they count; NaN if unknown."""
        columns = []
        for t, target in enumerate(self.targets):
            if target.nominal:
                scale = np.sqrt(self.factor[t]) if self.nominal_impurity is gini else 1.0
                for k in range(self.n_classes(t)):
                    columns.append(np.where(target.known, scale * (target.values == k), np.nan))
            else:
                columns.append(np.sqrt(self.factor[t]) * target.values)
        return np.column_stack(columns)

    def value(self, rows):
        """The prototype of a node: means and class shares. NaN for a target no row knows."""
        parts = []
        for t, target in enumerate(self.targets):
            known = rows[target.known[rows]]
            if len(known) == 0:
                parts.append(np.full(self.n_classes(t) if target.nominal else 1, np.nan))
            elif target.nominal:
                parts.append(class_shares(target.values[known], self.weights[known], self.n_classes(t)))
            else:
                parts.append([np.average(target.values[known], weights=self.weights[known])])
        return np.concatenate(parts)


@dataclass
class Settings:
    """When to stop and how to pick."""

    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    f_test: float | None = None
    gain_ratio: bool = False


@dataclass(eq=False)
class Test:
    """A division of a node's rows."""

    input: int
    goes_left: np.ndarray
    gain: float

    __test__ = False  # no test for pytest


@dataclass(eq=False)
class Node:
    """Rows; the test that divides them, if one does; then the two parts."""

    rows: np.ndarray
    depth: int = 0
    test: Test | None = None
    parts: list["Node"] = field(default_factory=list)


def order_categories(categories, rows, criterion):
    """The categories in the order of their means along the leading direction of those means.

    Means are weighted and taken from the node's mean, all its rows included; a category without a known value of a
    target says nothing about it. The direction's largest component is positive; equal categories keep their own order.
    """
    present = np.unique(categories[~np.isnan(categories)])
    y, w = criterion.channels()[rows], criterion.weights[rows]

    def mean(of):
        known = ~np.isnan(y[of])
        weight = np.sum(known * w[of, None], axis=0)
        return np.where(weight > 0, np.nansum(y[of] * w[of, None], axis=0) / np.where(weight > 0, weight, 1), np.nan)

    centred = np.nan_to_num(np.array([mean(categories == c) for c in present]) - mean(np.ones(len(rows), bool)))
    weight = np.array([w[categories == c].sum() for c in present])
    direction = np.linalg.svd(np.sqrt(weight)[:, None] * centred)[2][0]
    largest = np.flatnonzero(np.abs(direction) >= (1 - 1e-6) * np.abs(direction).max())[0]
    score = centred @ direction * np.sign(direction[largest])
    score = np.round(score / max(np.abs(score).max(), 1e-290), 10)  # apart from rounding
    return present[np.lexsort((present, score))]


def list_divisions(column, rows, criterion):
    """All divisions one input can make, lowest cut first: (the usual one, the other one or None).

    Usually missing rows take the side with more weight; the other division has them on the other side. Last comes the
    division into known and missing rows.
    """
    values, w = column.values[rows], criterion.weights[rows]
    missing = np.isnan(values)
    if column.nominal and not missing.all():
        order = order_categories(values, rows, criterion)
        values = np.array([np.nan if np.isnan(v) else np.flatnonzero(order == v)[0] for v in values])
    for cut in np.unique(values[~missing])[:-1]:
        with_right, with_left = values <= cut, (values <= cut) | missing
        if not missing.any():
            yield with_right, None
        elif w[with_right].sum() >= w[~with_left].sum():
            yield with_left, with_right
        else:
            yield with_right, with_left
    if missing.any():
        yield ~missing, None


def first_of_best(scores):
    """The first within a tie of the highest."""
    return int(np.flatnonzero(np.array(scores) >= max(scores) * (1 - TIE))[0])


def is_allowed(goes_left, rows, criterion, settings):
    """Whether both parts have the rows and the weight that a leaf needs."""
    least = settings.min_weight_fraction_leaf * criterion.weights.sum()
    return all(
        side.sum() >= settings.min_samples_leaf and criterion.weights[rows[side]].sum() >= least
        for side in (goes_left, ~goes_left)
    )


def find_candidate(j, column, rows, criterion, settings):
    """The best test of one input, None if it can make none."""
    noise = 0.0 if column.nominal else MISSING_SIDE_CLEAR * criterion.sum(rows)
    divisions, gains = [], []
    for usual, other in list_divisions(column, rows, criterion):
        if not is_allowed(usual, rows, criterion, settings):
            continue
        division, gain = usual, max(criterion.gain(rows, usual), 0.0)
        if other is not None and is_allowed(other, rows, criterion, settings):
            gain_other = max(criterion.gain(rows, other), 0.0)
            if gain_other > (gain + noise) * (1 + TIE):
                division, gain = other, gain_other
        divisions.append(division)
        gains.append(gain)
    if not divisions:
        return None
    best = first_of_best(gains)
    return Test(j, divisions[best], gains[best])


def split_information(test, rows, criterion):
    w = criterion.weights[rows]
    share = w[test.goes_left].sum() / w.sum()
    return entropy([share, 1 - share])


def find_test(node, inputs, criterion, settings):
    """The test that divides a node, None if it stays a leaf."""
    rows, n = node.rows, len(node.rows)
    impurity = criterion.sum(rows)
    if node.depth == settings.max_depth or n < settings.min_samples_split:
        return None
    if criterion.is_pure(rows):
        return None
    found = [find_candidate(j, column, rows, criterion, settings) for j, column in enumerate(inputs)]
    found = [test for test in found if test is not None]
    if not found:
        return None
    if settings.gain_ratio:
        mean_gain = np.mean([test.gain for test in found])
        found = [test for test in found if test.gain >= mean_gain * (1 - TIE)]
        best = found[first_of_best([test.gain / split_information(test, rows, criterion) for test in found])]
    else:
        best = found[first_of_best([test.gain for test in found])]
    if best.gain / criterion.weights.sum() * criterion.unit < settings.min_impurity_decrease:
        return None
    if settings.f_test is not None:
        if n <= 2:
            return None
        left_over = max(impurity - best.gain, 0.0) / (n - 2)
        if left_over > 0 and stats.f.sf(best.gain / left_over, 1, n - 2) > settings.f_test:
            return None
    return best


def grow_reference(inputs, criterion, settings):
    """One tree. Best node first, which matters only if the number of leaves is limited."""
    root = Node(np.arange(len(criterion.weights)))
    root.test = find_test(root, inputs, criterion, settings)
    waiting, n_leaves = [root] if root.test else [], 1
    while waiting and n_leaves != settings.max_leaf_nodes:
        node = max(waiting, key=lambda node: node.test.gain)  # the earliest of equal ones
        waiting.remove(node)
        n_leaves += 1
        for side in (node.test.goes_left, ~node.test.goes_left):
            part = Node(node.rows[side], node.depth + 1)
            part.test = find_test(part, inputs, criterion, settings)
            node.parts.append(part)
            if part.test:
                waiting.append(part)
    return root
