"""The stored forest: its trees, and all their nodes packed for prediction."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from glade.core.arrays import join, read_only
from glade.core.threads import map_in_order
from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable, check_cuts
from glade.losses.links import softmax

MIN_ROWS_A_THREAD = 256
NODES_A_BLOCK = 200_000
PACKED = ("split_node", "split_cut", "split_input", "split_left", "split_missing_left", "set_start", "set_end")


@dataclass(frozen=True, eq=False)
class TreeRow(Sequence[NodeTable]):
    """Trees whose columns stand in a row; each is cut out when it is asked for.

    A small tree of its own takes twenty times the memory of its numbers.

    Parameters
    ----------
    n_splits
        Of each tree; it has one node more than twice as many.
    of_nodes, of_splits
        The columns of a `NodeTable` of these names; the places that they hold count from the tree's own first.
    set_length, categories
        How many categories each split has, and these.
    """

    n_splits: NDArray[np.int64]
    of_nodes: dict[str, NDArray[Any]]
    of_splits: dict[str, NDArray[Any]]
    set_length: NDArray[np.int64]
    categories: NDArray[np.int32]

    @cached_property
    def split_start(self) -> NDArray[np.int64]:
        """Per tree its first split; one more for the end."""
        return np.append(0, np.cumsum(self.n_splits))

    @cached_property
    def node_start(self) -> NDArray[np.int64]:
        """Per tree its first node; one more for the end."""
        return 2 * self.split_start + np.arange(len(self) + 1)

    @cached_property
    def set_start(self) -> NDArray[np.int64]:
        """Per split its first category; one more for the end."""
        return np.append(0, np.cumsum(self.set_length))

    def __len__(self) -> int:
        return len(self.n_splits)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return tuple(self[k] for k in range(*which.indices(len(self))))
        k = range(len(self))[which]
        splits = slice(*self.split_start[k : k + 2].tolist())
        nodes = slice(*self.node_start[k : k + 2].tolist())
        n = splits.stop - splits.start
        split = np.full(2 * n + 1, -1, np.int32)
        split[self.of_splits["split_node"][splits][::-1]] = np.arange(n - 1, -1, -1, dtype=np.int32)  # first of several
        sets = self.set_start[splits.start : splits.stop + 1]
        return NodeTable(
            split=split,
            **{name: column[nodes] for name, column in self.of_nodes.items()},
            **{name: column[splits] for name, column in self.of_splits.items()},
            set_start=sets[:-1] - sets[0],
            set_end=sets[1:] - sets[0],
            categories=self.categories[sets[0] : sets[-1]],
        )

    def to_blocks(self) -> Iterator["Block"]:
        """All trees, packed; the values are not copied."""
        first = 0
        while first < len(self):
            end = int(np.searchsorted(self.node_start, self.node_start[first] + NODES_A_BLOCK))
            end = min(max(end, first + 1), len(self))
            yield self._to_block(first, end)
            first = end

    def _to_block(self, first: int, end: int) -> "Block":
        nodes, splits = (slice(*start[[first, end]].tolist()) for start in (self.node_start, self.split_start))
        sets = self.set_start[self.split_start[first : end + 1]]
        own = self.set_start[splits] - np.repeat(sets[:-1], self.n_splits[first:end])
        columns = {name: column[splits] for name, column in self.of_splits.items()}
        columns |= {"set_start": own, "set_end": own + self.set_length[splits]}
        node_start = self.node_start[first : end + 1] - self.node_start[first]
        words = _pack(columns, node_start, self.n_splits[first:end])
        categories = self.categories[sets[0] : sets[-1]]
        return Block(self.of_nodes["value"][nodes], words, categories, node_start, sets - sets[0])


@dataclass(frozen=True)
class Block:
    """The nodes of some trees in a row, as the kernels walk them (`_forest.py` has the picture)."""

    value: NDArray[np.float64]  # nodes x channels
    words: NDArray[np.int64]
    categories: NDArray[np.int32]
    node_start: NDArray[np.int64]  # per tree: its first node; one more for the end
    set_start: NDArray[np.int64]  # per tree: its first category

    @classmethod
    def of(cls, trees: Sequence[NodeTable]) -> "Block":
        node_start = np.cumsum([0, *(tree.n_nodes for tree in trees)])
        set_start = np.cumsum([0, *(len(tree.categories) for tree in trees)])
        value, categories = (join([getattr(tree, of) for tree in trees]) for of in ("value", "categories"))
        splits = {name: join([getattr(tree, name) for tree in trees]) for name in PACKED}
        words = _pack(splits, node_start, np.array([len(tree.split_node) for tree in trees], np.int64))
        return cls(value, words, categories, node_start, set_start)

    @property
    def n_trees(self) -> int:
        return len(self.node_start) - 1

    @cached_property
    def has_nominal(self) -> bool:
        """Whether some split is nominal: of its link the highest bit, the sign, says so."""
        return bool((self.words[1::2] < 0).any())

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What a kernel takes, after the rows."""
        words = read_only(self.words)
        rest = (read_only(a) for a in (self.categories, self.node_start, self.set_start))
        return (words.view(np.float64), words, *rest)


def _pack(
    splits: dict[str, NDArray[Any]], node_start: NDArray[np.int64], n_splits: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Two words for each node of all trees; a leaf leads to itself.

    Parameters
    ----------
    splits
        The columns of all trees' splits in a row.
    node_start
        Per tree its first node; one more for the end.
    n_splits
        Per tree.
    """
    from glade.ensemble import _forest as kernel

    words = np.empty((node_start[-1], 2), np.int64)
    cuts, links = words.view(np.float64)[:, 0], words[:, 1]
    cuts[:] = np.inf
    links[:] = np.arange(len(words)) - np.repeat(node_start[:-1], np.diff(node_start))
    links |= 1 << kernel.MISSING_LEFT
    at = splits["split_node"] + np.repeat(node_start[:-1], n_splits)
    cuts[at] = splits["split_cut"]
    nominal = np.isnan(splits["split_cut"])
    check_cuts(splits["split_cut"], splits["split_input"], splits["set_start"], splits["set_end"])
    sets = splits["set_start"] | ((splits["set_end"] - splits["set_start"]) << kernel.SET_BITS)
    words[at[nominal], 0] = sets[nominal]
    links[at] = (
        splits["split_left"].astype(np.int64)
        | (splits["split_input"].astype(np.int64) << kernel.LINK_BITS)
        | (splits["split_missing_left"].astype(np.int64) << kernel.MISSING_LEFT)
        | (nominal.astype(np.int64) << kernel.NOMINAL)
    )
    return words.reshape(-1)


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


def to_probabilities(scores: NDArray[np.float64], schema: TargetSchema) -> NDArray[np.float64]:
    """Channel values in which the scores of each nominal target's classes have become probabilities, in place."""
    for t, classes in enumerate(schema.classes):
        if classes is not None:
            at = schema.channels_of(t)
            scores[:, at] = softmax(scores[:, at].T).T
    return scores


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees for the same targets.

    Parameters
    ----------
    trees
        Their values are views of the blocks', so that they are held once.
    blocks
        The same trees, packed.
    schema
        The targets.
    memory
        nu: 0 for independent trees, whose mean is the prediction; else the prediction is `start` + nu * their sum, in
        which the channels of a nominal target are scores (logarithms of probabilities, up to a constant).
    start
        What the sum starts from.
    centre
        Per channel: what is taken from the values of independent trees before their mean is found, and put back then
        (see `TargetSchema.find_centre`).
    """

    trees: Sequence[NodeTable]
    blocks: tuple[Block, ...]
    schema: TargetSchema
    memory: float
    start: NDArray[np.float64]
    centre: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        trees: Iterable[NodeTable],
        schema: TargetSchema,
        memory: float = 0.0,
        start: NDArray[np.float64] | None = None,
    ) -> "Forest":
        """Pack these trees."""
        if isinstance(trees, TreeRow):
            return cls._of_blocks(trees, list(trees.to_blocks()), schema, memory, start)
        packer = Packer()
        for tree in trees:
            packer.add(tree)
        return packer.finish(schema, memory, start)

    @classmethod
    def _of_blocks(
        cls,
        trees: Sequence[NodeTable],
        blocks: Sequence[Block],
        schema: TargetSchema,
        memory: float,
        start: NDArray[np.float64] | None,
    ) -> "Forest":
        """The forest of trees that are packed already."""
        start = np.zeros(int(schema.start[-1])) if start is None else start
        centre = _find_centre(blocks, schema) if memory == 0 and blocks else np.zeros(len(start))
        return cls(trees, tuple(blocks), schema, memory, start, centre)

    def __reduce__(self) -> tuple[Any, ...]:
        return Forest.of, (self.trees, self.schema, self.memory, self.start)  # packed again, values are held once

    @property
    def n_nodes(self) -> int:
        return sum(tree.n_nodes for tree in self.trees)

    @property
    def n_leaves(self) -> int:
        return sum(tree.n_leaves for tree in self.trees)

    def predict(self, matrix: NDArray[np.float64], voting: str = "distribution", n_threads: int = 1) -> NDArray[Any]:
        """Rows x channels, for an encoded table (see `Schema.encode`): means, and probabilities of classes."""
        total = np.zeros((len(matrix), len(self.start)))
        lacks_none = _lacks_none(matrix)
        for block in self.blocks:
            value = to_votes(block.value, self.schema) if voting == "majority" else block.value
            _in_parts(_add_values, block, matrix, lacks_none, n_threads, (value, self.centre), total)
        if self.memory == 0:
            total /= max(len(self.trees), 1)
            total += self.centre
            return total
        total *= self.memory
        total += self.start
        return to_probabilities(total, self.schema)

    def apply(self, matrix: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.int32]:
        """Rows x trees: the leaf each row comes to in each tree."""
        parts = [np.empty((len(matrix), block.n_trees), np.int32) for block in self.blocks]
        lacks_none = _lacks_none(matrix)
        for block, leaves in zip(self.blocks, parts, strict=True):
            _in_parts(_find_leaves, block, matrix, lacks_none, n_threads, (), leaves)
        return np.column_stack(parts)

    def decision_path(self, matrix: NDArray[np.float64]) -> tuple[sparse.csr_array, NDArray[np.int64]]:
        """Rows x nodes of all trees, 1 for each node on the row's way; and where each tree's nodes start."""
        leaves, start = self.apply(matrix), np.cumsum([0, *(tree.n_nodes for tree in self.trees)])
        rows, nodes = [], []
        for t, tree in enumerate(self.trees):
            parent, row, node = tree.parent, np.arange(len(matrix)), leaves[:, t]
            while len(row):
                rows.append(row)
                nodes.append(node + start[t])
                node = parent[node]
                row, node = row[node >= 0], node[node >= 0]
        row, node = (np.concatenate([np.empty(0, np.int64), *parts]) for parts in (rows, nodes))
        shape = (len(matrix), self.n_nodes)
        return sparse.csr_array((np.ones(len(row), np.int8), (row, node)), shape=shape), start


class Packer:
    """Packs trees as they come, block by block: memory that their own values held serves the trees to come."""

    def __init__(self) -> None:
        self._trees: list[NodeTable] = []
        self._blocks: list[Block] = []
        self._n_packed = 0
        self._n_waiting = 0  # nodes

    def add(self, tree: NodeTable) -> None:
        """Take in the next tree."""
        self._trees.append(tree)
        self._n_waiting += tree.n_nodes
        if self._n_waiting >= NODES_A_BLOCK:
            self._pack()

    def finish(self, schema: TargetSchema, memory: float, start: NDArray[np.float64] | None) -> Forest:
        """The forest of all trees taken in."""
        if self._n_packed < len(self._trees):
            self._pack()
        return Forest._of_blocks(tuple(self._trees), self._blocks, schema, memory, start)

    def _pack(self) -> None:
        block = Block.of(self._trees[self._n_packed :])
        self._blocks.append(block)
        for first, last in pairwise(block.node_start.tolist()):
            self._trees[self._n_packed] = self._trees[self._n_packed].with_value(block.value[first:last])
            self._n_packed += 1
        self._n_waiting = 0


def _find_centre(blocks: Sequence[Block], schema: TargetSchema) -> NDArray[np.float64]:
    low = np.min([block.value.min(axis=0) for block in blocks], axis=0)
    return schema.find_centre(low, np.max([block.value.max(axis=0) for block in blocks], axis=0))


def _in_parts(
    kernel: Any,
    block: Block,
    matrix: NDArray[Any],
    lacks_none: bool,
    n_threads: int,
    more: tuple[Any, ...],
    out: NDArray[Any],
) -> None:
    """Run a kernel over contiguous parts of the rows, one for each thread."""
    is_plain = lacks_none and not block.has_nominal
    n_parts = max(1, min(n_threads, len(matrix) // MIN_ROWS_A_THREAD))
    edges = np.linspace(0, len(matrix), n_parts + 1).astype(int)
    arrays = (*block.arrays, *map(read_only, more))

    def work(part: int) -> None:
        rows = slice(edges[part], edges[part + 1])
        kernel(is_plain, read_only(matrix[rows]), *arrays, out[rows])

    for _ in map_in_order(lambda stop: work, range(n_parts), n_parts):
        pass


def _lacks_none(matrix: NDArray[np.float64]) -> bool:
    """Whether no value is missing: one that is makes the sum so, too."""
    with np.errstate(over="ignore", invalid="ignore"):
        return not np.isnan(matrix.sum())


def _add_values(is_plain: bool, matrix: NDArray[Any], *arrays: NDArray[Any]) -> None:
    from glade.ensemble._forest import add_leaf_values

    *given, out = arrays
    add_leaf_values(is_plain, matrix, *given, *_make_room(), out)


def _find_leaves(is_plain: bool, matrix: NDArray[Any], *arrays: NDArray[Any]) -> None:
    from glade.ensemble._forest import find_leaves

    *given, leaves = arrays
    find_leaves(is_plain, matrix, *given, *_make_room(), leaves)


def _make_room() -> list[NDArray[np.int64]]:
    """For rows on their way down a tree, where they are, and the leaves they have come to."""
    from glade.ensemble._forest import ROWS_AT_ONCE, ROWS_IN_STEP

    return [np.empty(n, np.int64) for n in (ROWS_IN_STEP, ROWS_IN_STEP, ROWS_AT_ONCE)]
