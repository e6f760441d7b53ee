"""The stored forest: its trees in one table, and the same packed for prediction."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from glade.core.arrays import read_only
from glade.core.threads import run_in_parts
from glade.data.targets import TargetSchema
from glade.ensemble.smoothing import mix_shares
from glade.grow.node_table import NodeTable, TreeSequence
from glade.grow.packed import PackedTrees, make_buffers
from glade.losses.links import Identity, Link, Softmax


def to_votes(value: NDArray[np.float64], schema: TargetSchema) -> NDArray[np.float64]:
    """Node values in which each nominal target's likeliest class has all the weight."""
    votes = value.copy()
    for t, classes in enumerate(schema.classes):
        if classes is not None:
            shares = votes[:, schema.channels_of(t)]
            likeliest = shares.argmax(axis=1)
            shares[:] = 0.0
            shares[np.arange(len(shares)), likeliest] = 1.0
    return votes


def choose_links(schema: TargetSchema, learning_rate: float) -> tuple[Link, ...]:
    """How sums of trees become values, where nothing else is stored: those of classes by the softmax, if boosted."""
    return tuple(
        Softmax(len(classes))
        if classes is not None and learning_rate > 0
        else Identity(1 if classes is None else len(classes))
        for classes in schema.classes
    )


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees for the same targets.

    Parameters
    ----------
    nodes
        All trees in one table.
    packed
        The same trees, packed.
    schema
        The targets.
    learning_rate
        nu: 0 for independent trees, whose mean is the prediction; else the prediction is made from `start` + nu * their
        sum, scores such as logarithms of probabilities (up to a constant), by the links.
    start
        What the sum starts from.
    centre
        Per channel: what is taken from the values of independent trees before their mean is found, and put back then
        (see `TargetSchema.find_centre`).
    links
        Of the targets: how the sums become values.
    mixed
        Of independent trees: how far shares of classes are drawn towards equal ones.
    """

    nodes: NodeTable
    packed: PackedTrees
    schema: TargetSchema
    learning_rate: float
    start: NDArray[np.float64]
    centre: NDArray[np.float64]
    links: tuple[Link, ...]
    mixed: float = 0.0

    @classmethod
    def of(
        cls,
        tables: Iterable[NodeTable],
        schema: TargetSchema,
        learning_rate: float = 0.0,
        start: NDArray[np.float64] | None = None,
        links: tuple[Link, ...] | None = None,
    ) -> "Forest":
        """Return the forest of the trees of these tables, each of which may hold one tree or many."""
        nodes = NodeTable.stack(tables)
        start = np.zeros(int(schema.start[-1])) if start is None else start
        centre = np.zeros(len(start))
        if learning_rate == 0 and nodes.n_trees:
            centre = schema.find_centre(nodes.value.min(axis=0), nodes.value.max(axis=0))
        links = choose_links(schema, learning_rate) if links is None else links
        return cls(nodes, PackedTrees.of(nodes), schema, learning_rate, start, centre, links)

    @property
    def trees(self) -> TreeSequence:
        """The trees one by one."""
        return self.nodes.trees

    @property
    def n_nodes(self) -> int:
        return self.nodes.n_nodes

    @property
    def n_leaves(self) -> int:
        return self.nodes.n_leaves

    def predict(self, matrix: NDArray[np.float64], voting: str = "distribution", n_threads: int = 1) -> NDArray[Any]:
        """Rows x channels, for an encoded table (see `Schema.encode`): means, and probabilities of classes."""
        value = to_votes(self.nodes.value, self.schema) if voting == "majority" else self.nodes.value
        total = self._add_leaf_values(matrix, value, n_threads)
        if self.learning_rate == 0:
            total /= max(self.nodes.n_trees, 1)
            total += self.centre
            return mix_shares(total, self.schema, self.mixed)
        total *= self.learning_rate
        total += self.start
        for t, link in enumerate(self.links):
            at = self.schema.channels_of(t)
            if not isinstance(link, Identity):
                total[:, at] = link.inverse(total[:, at].T).T
        return total

    def _add_leaf_values(
        self, matrix: NDArray[np.float64], value: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]:
        """Return rows x channels: the sum over the trees of the values of the leaves, less the centre."""
        from glade.ensemble._forest import add_leaf_values

        total = np.zeros((len(matrix), len(self.start)))
        plain, nodes = self.packed.compares_only(matrix), self.packed.nodes
        roots, value, centre = map(read_only, (self.packed.roots, value, self.centre))

        def work(rows: slice) -> None:
            add_leaf_values(plain, read_only(matrix[rows]), nodes, roots, value, centre, *make_buffers(), total[rows])

        run_in_parts(work, len(matrix), n_threads)
        return total

    def apply(self, matrix: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.int32]:
        """Rows x trees: the leaf each row comes to in each tree."""
        return self.packed.find_leaves(matrix, n_threads)

    def decision_path(self, matrix: NDArray[np.float64]) -> tuple[sparse.csr_array, NDArray[np.int64]]:
        """Rows x nodes of all trees, 1 for each node on the row's way; and where each tree's nodes start."""
        ways = self.nodes.list_ways(self.apply(matrix) + self.nodes.roots)
        return ways, np.append(self.nodes.roots, self.n_nodes)
