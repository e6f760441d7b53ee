"""Trees found by beam search: several trees at a time are split further, and the best ones, or different ones, stay.

A tree is refined by splitting one of its leaves, by the best split of any input. Of all trees that refine those of the
beam, and of these themselves, as many as the beam is wide are kept: first the one of least cost, then those of least
cost plus so much for being similar to the ones kept before (Kocev, Struyf and Džeroski, 2006). The cost is the impurity
of the leaves, as a fraction of the root's, plus a price for each leaf.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glade.data.coded_rows import CodedRows
from glade.grow.node_table import NodeTable, SplitKind

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

TINY = 1e-9  # of the root's impurity: what gains less is no split
LOOKED_AT = 5  # times the width of the beam: so many trees are compared with those kept before


@dataclass(frozen=True)
class BeamLimits:
    """How the search goes.

    Parameters
    ----------
    width
        How many trees are kept.
    diversity
        What being the same tree costs, beside the impurity.
    leaf_price
        What a leaf costs, as a fraction of the root's impurity.
    max_leaves, max_depth
        Of a tree.
    min_rows
        Of a leaf.
    """

    width: int
    diversity: float
    leaf_price: float
    max_leaves: int
    max_depth: int | None
    min_rows: int


@dataclass(frozen=True, eq=False)
class BeamNode:
    """Rows that a leaf may have.

    Parameters
    ----------
    rows
        Their places.
    mean
        Of the columns over them.
    risk
        Their impurity as a fraction of that of all rows, by weight.
    """

    rows: Places
    mean: Floats
    risk: float


@dataclass(frozen=True, eq=False)
class BeamSplit:
    """A way to divide the rows of a node.

    Parameters
    ----------
    input
        The number of the input.
    left_codes
        Which of its codes go to the left; at the end whether missing values do.
    missing_seen
        Whether a row of the node has none.
    branches
        The two nodes that it makes.
    """

    input: int
    left_codes: NDArray[np.bool_]
    missing_seen: bool
    branches: tuple[BeamNode, BeamNode]

    @property
    def risk(self) -> float:
        """Of both branches."""
        return self.branches[0].risk + self.branches[1].risk


@dataclass(frozen=True, eq=False)
class BeamTree:
    """A leaf, or a node with its split and two trees below."""

    node: BeamNode
    split: BeamSplit | None = None
    below: "tuple[BeamTree, BeamTree] | None" = None

    @cached_property
    def leaves(self) -> "tuple[tuple[BeamNode, tuple[int, ...]], ...]":
        """With the way to each: 0 to the left, 1 to the right."""
        if self.below is None:
            return ((self.node, ()),)
        return tuple((leaf, (side, *way)) for side, tree in enumerate(self.below) for leaf, way in tree.leaves)

    @cached_property
    def risk(self) -> float:
        """The sum over its leaves."""
        return sum(leaf.risk for leaf, _ in self.leaves)

    @cached_property
    def key(self) -> frozenset[int]:
        """Equal for trees that divide the rows in the same way."""
        return frozenset(id(leaf) for leaf, _ in self.leaves)

    def refine(self, way: tuple[int, ...], split: BeamSplit) -> "BeamTree":
        """The same tree with the leaf at the end of a way split."""
        if not way:
            return BeamTree(self.node, split, (BeamTree(split.branches[0]), BeamTree(split.branches[1])))
        assert self.below is not None
        left, right = self.below
        below = (left.refine(way[1:], split), right) if way[0] == 0 else (left, right.refine(way[1:], split))
        return BeamTree(self.node, self.split, below)

    def predict(self, n_rows: int) -> Floats:
        """Training rows x columns."""
        out = np.empty((n_rows, len(self.node.mean)))
        for leaf, _ in self.leaves:
            out[leaf.rows] = leaf.mean
        return out


@dataclass
class BeamSearch:
    """The search; nodes are kept, as many trees share them.

    Parameters
    ----------
    rows
        Of the table.
    limits
        How the search goes.
    """

    rows: CodedRows
    limits: BeamLimits
    _nodes: dict[bytes, BeamNode] = field(default_factory=dict)
    _splits: dict[int, list[BeamSplit]] = field(default_factory=dict)

    @cached_property
    def values(self) -> Floats:
        """What each row adds to sums; the last column counts rows."""
        return np.hstack((self.rows.parts * self.rows.weights[:, None], np.ones((len(self.rows.y), 1))))

    @cached_property
    def root(self) -> BeamNode:
        """All rows."""
        return self._make_node(np.arange(len(self.rows.y)), np.zeros(self.rows.y.shape[1]))

    @cached_property
    def whole(self) -> float:
        """The sum of squares of all rows, over the targets."""
        return max(float(self.rows.split_sums(self.values[:, :-1].sum(axis=0))[1].sum()), 1e-300)

    def _make_node(self, rows: Places, default: Floats) -> BeamNode:
        key = rows.tobytes()
        if key not in self._nodes:
            _, square = self.rows.split_sums(self.values[rows, :-1].sum(axis=0))
            risk = float(square.sum()) / self.whole
            self._nodes[key] = BeamNode(rows, self.rows.find_means(rows, default), risk)
        return self._nodes[key]

    def list_splits(self, node: BeamNode) -> list[BeamSplit]:
        """The best split of each input, those that gain most first."""
        if id(node) not in self._splits:
            found = [own for j in range(len(self.rows.codes)) if (own := self._find_split(node, j)) is not None]
            self._splits[id(node)] = sorted(found, key=lambda split: split.risk)
        return self._splits[id(node)]

    def _find_split(self, node: BeamNode, j: int) -> BeamSplit | None:
        """The best split of a node on an input; None where there is none that gains."""
        columns = self.rows.inputs.columns
        sums = self.rows.sum_by_code(j, node.rows, self.values)
        known, gap = sums[:-1], sums[-1]
        there = np.flatnonzero(known[:, -1])
        if len(there) < 2:
            return None
        order = there[self._order(known[there])] if columns.nominal[j] else there
        below = np.cumsum(known[order], axis=0)[:-1]
        total = below[-1] + known[order[-1]]
        missing_left = below[:, -1] * 2 >= total[-1]  # missing values go where most rows go
        left = below + np.where(missing_left[:, None], gap, 0.0)
        right = total + gap - left
        risk = (self._square(left) + self._square(right)) / self.whole
        fits = (left[:, -1] >= self.limits.min_rows) & (right[:, -1] >= self.limits.min_rows)
        risk[~fits] = np.inf
        k = int(risk.argmin())
        if not risk[k] < node.risk - TINY:
            return None
        left_codes = np.zeros(len(sums), bool)
        if columns.nominal[j]:
            left_codes[order[: k + 1]] = True
            if missing_left[k]:  # categories that the node never saw go with missing values
                left_codes[:-1] |= known[:, -1] == 0
        else:
            left_codes[: (int(order[k]) + int(order[k + 1])) // 2 + 1] = True
        left_codes[-1] = missing_left[k]
        goes_left = left_codes[self.rows.codes[j, node.rows]]
        parts = (node.rows[goes_left], node.rows[~goes_left])
        branches = (self._make_node(parts[0], node.mean), self._make_node(parts[1], node.mean))
        return BeamSplit(j, left_codes, bool(gap[-1]), branches)

    def _square(self, sums: Floats) -> Floats:
        return np.asarray(self.rows.split_sums(sums[:, :-1])[1].sum(axis=1))

    def _order(self, known: Floats) -> Places:
        """Categories along the direction in which their means differ most."""
        n_columns = self.rows.y.shape[1]
        weight, _ = self.rows.split_sums(known[:, :-1])
        mean = known[:, :n_columns] / np.maximum(weight[:, self.rows.target], 1e-300)
        share = known[:, -1:] / known[:, -1].sum()
        centred = (mean - (share * mean).sum(axis=0)) * np.sqrt(share)
        _, _, directions = np.linalg.svd(centred, full_matrices=False)
        place = mean @ directions[0]
        return np.argsort(place if place[0] <= place[-1] else -place, kind="stable")

    def find_trees(self) -> list[BeamTree]:
        """Return the trees of the last beam, that of least cost first."""
        beam = [BeamTree(self.root)]
        while True:
            pool = {tree.key: tree for tree in beam}
            room = self.limits.width * LOOKED_AT
            for _, tree, way, split in sorted(self._list_steps(beam), key=lambda step: step[0]):
                new = tree.refine(way, split)
                pool.setdefault(new.key, new)
                if len(pool) >= room + len(beam):
                    break
            kept = self._keep(list(pool.values()))
            if {tree.key for tree in kept} == {tree.key for tree in beam}:
                return kept
            beam = kept

    def _cost(self, tree: BeamTree) -> float:
        return tree.risk + self.limits.leaf_price * len(tree.leaves)

    def _list_steps(self, beam: list[BeamTree]) -> Iterator[tuple[float, BeamTree, tuple[int, ...], BeamSplit]]:
        """What each tree would cost with each of its leaves split."""
        limits = self.limits
        for tree in beam:
            if len(tree.leaves) >= limits.max_leaves:
                continue
            cost = self._cost(tree) + limits.leaf_price
            for leaf, way in tree.leaves:
                if limits.max_depth is not None and len(way) >= limits.max_depth:
                    continue
                for split in self.list_splits(leaf):
                    yield cost - leaf.risk + split.risk, tree, way, split

    def _keep(self, trees: list[BeamTree]) -> list[BeamTree]:
        """The tree of least cost, then one after another the one of least cost plus similarity to those kept."""
        cost = np.array([self._cost(tree) for tree in trees])
        kept = [int(cost.argmin())]
        if self.limits.diversity == 0.0:
            return [trees[k] for k in np.argsort(cost, kind="stable")[: self.limits.width]]
        n_rows = len(self.rows.y)
        says = [tree.predict(n_rows) for tree in trees]
        similar = np.zeros(len(trees))
        while len(kept) < min(self.limits.width, len(trees)):
            similar += [measure_similarity(own, says[kept[-1]], self.rows.weights) for own in says]
            left = np.setdiff1d(np.arange(len(trees)), kept)
            price = cost[left] + self.limits.diversity * similar[left] / len(kept)
            kept.append(int(left[price.argmin()]))
        return [trees[k] for k in sorted(kept, key=lambda k: cost[k])]


def measure_similarity(one: Floats, other: Floats, weights: Floats) -> float:
    """1 less the root of the mean squared difference of two predictions, in units in which targets vary by 1.

    >>> measure_similarity(np.zeros((3, 1)), np.full((3, 1), 0.25), np.ones(3))
    0.75
    """
    return 1.0 - float(np.sqrt(np.average(((one - other) ** 2).mean(axis=1), weights=weights)))


def to_node_table(tree: BeamTree, search: BeamSearch, unit: float) -> tuple[NodeTable, Floats]:
    """Return a tree as it is stored, but for its values, and the means of the columns at its nodes.

    Parameters
    ----------
    tree
        Of the beam.
    search
        That has found it.
    unit
        The impurity of all rows, in the user's unit.
    """
    nodes: list[tuple[BeamTree, int]] = [(tree, 0)]
    splits: list[tuple[int, BeamSplit, int]] = []
    for k, (own, depth) in enumerate(nodes):  # which grows
        if own.split is not None and own.below is not None:
            splits.append((k, own.split, len(nodes)))
            nodes += [(own.below[0], depth + 1), (own.below[1], depth + 1)]
    split_of = np.full(len(nodes), -1, np.int32)
    split_of[[k for k, _, _ in splits]] = np.arange(len(splits))
    asked = [_describe_split(split, search) for _, split, _ in splits]
    sets = [chosen for _, _, chosen in asked]
    ends = np.cumsum([0, *map(len, sets)])
    weights = search.rows.weights
    table = NodeTable(
        split=split_of,
        depth=np.array([depth for _, depth in nodes], np.int32),
        weight=np.array([weights[own.node.rows].sum() for own, _ in nodes]),
        rows=np.array([len(own.node.rows) for own, _ in nodes], np.int64),
        risk=np.array([own.node.risk * unit for own, _ in nodes]),
        value=np.zeros((len(nodes), 0)),
        split_node=np.array([k for k, _, _ in splits], np.int32),
        split_kind=np.array([kind for kind, _, _ in asked], np.uint8),
        split_input=np.array([split.input for _, split, _ in splits], np.int32),
        split_cut=np.array([cut for _, cut, _ in asked], float),
        split_missing_left=np.array([split.left_codes[-1] for _, split, _ in splits], bool),
        split_missing_seen=np.array([split.missing_seen for _, split, _ in splits], bool),
        split_gain=np.array([(nodes[k][0].node.risk - split.risk) * unit for k, split, _ in splits], float),
        split_left=np.array([left for _, _, left in splits], np.int32),
        set_start=ends[:-1].astype(np.int64),
        set_end=ends[1:].astype(np.int64),
        categories=np.concatenate([np.zeros(0, np.int32), *sets]).astype(np.int32),
    )
    return table, np.array([own.node.mean for own, _ in nodes])


def _describe_split(split: BeamSplit, search: BeamSearch) -> tuple[int, float, NDArray[np.int32]]:
    """Its kind, cut and categories: those of the side that a missing value does not take."""
    if search.rows.inputs.columns.nominal[split.input]:
        chosen = np.flatnonzero(split.left_codes[:-1] != split.left_codes[-1])
        return int(SplitKind.NOMINAL), 0.0, chosen.astype(np.int32)
    k = int(split.left_codes[:-1].sum()) - 1
    cut = float(search.rows.inputs.edges.cuts_of(split.input)[k])
    return int(SplitKind.NUMERIC), cut, np.zeros(0, np.int32)
