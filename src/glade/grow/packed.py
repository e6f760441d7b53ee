"""The packed view of trees: what a row meets on its way down, in two words of eight bytes for each node or split.

`_route.py` has the picture. A view is made once for a fitted model and never changes, so threads can share it.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import read_only
from glade.core.threads import run_in_parts
from glade.grow.node_table import NodeTable, SplitKind

FEW_ROWS = 8


class Packed(NamedTuple):
    """Packed nodes or splits, as kernels take them."""

    cuts: NDArray[np.float64]  # the same words, read as numbers
    words: NDArray[np.int64]
    categories: NDArray[np.int32]

    @classmethod
    def of(cls, words: NDArray[np.int64], categories: NDArray[np.int32]) -> "Packed":
        """Return views of words (nodes or splits x 2) and categories that cannot be written to."""
        flat = read_only(words.reshape(-1))
        return cls(flat.view(np.float64), flat, read_only(categories))


def pack_splits(table: NodeTable) -> NDArray[np.int64]:
    """Return splits x 2 words."""
    from glade.grow import _route as kernel

    words = np.empty((len(table.split_node), 2), np.int64)
    cuts, links = words.view(np.float64)[:, 0], words[:, 1]
    cuts[:] = table.split_cut
    cuts[table.is_kind(SplitKind.IS_MISSING)] = np.inf
    links[:] = table.split_missing_left
    links <<= kernel.MISSING_LEFT - kernel.LINK_BITS
    links |= table.split_input
    links <<= kernel.LINK_BITS
    links |= table.split_left
    nominal = np.flatnonzero(table.is_kind(SplitKind.NOMINAL))
    start, end = table.set_start[nominal], table.set_end[nominal]
    words[nominal, 0] = start | ((end - start) << kernel.SET_BITS)
    words[nominal, 1] |= np.int64(-1) << kernel.NOMINAL_BIT
    return words


def pack_nodes(table: NodeTable) -> NDArray[np.int64]:
    """Return nodes x 2 words, for trees whose nodes have one split at most; a leaf leads to itself."""
    from glade.grow._route import MISSING_LEFT

    words = np.empty((table.n_nodes, 2), np.int64)
    words.view(np.float64)[:, 0] = np.inf
    words[:, 1] = np.arange(1 << MISSING_LEFT, (1 << MISSING_LEFT) + table.n_nodes)
    words[table.split_node] = pack_splits(table)
    return words


@dataclass(frozen=True, eq=False)
class PackedTrees:
    """Trees packed by nodes: rows can be sent down them."""

    words: NDArray[np.int64]  # nodes x 2
    categories: NDArray[np.int32]
    roots: NDArray[np.int64]
    has_nominal: bool  # whether some split is nominal

    @classmethod
    def of(cls, table: NodeTable) -> "PackedTrees":
        """Pack the trees of a table."""
        has_nominal = bool(table.is_kind(SplitKind.NOMINAL).any())
        return cls(pack_nodes(table), table.categories, table.roots, has_nominal)

    @property
    def nodes(self) -> Packed:
        """What kernels take."""
        return Packed.of(self.words, self.categories)

    def compares_only(self, matrix: NDArray[np.float64]) -> bool:
        """Whether a comparison with the cut says which way each of these rows takes at every node.

        That is so where no split is nominal and no value is missing: one that is makes the sum of all so. A few rows
        are not worth the question.
        """
        if self.has_nominal or len(matrix) < FEW_ROWS:
            return False
        with np.errstate(over="ignore", invalid="ignore"):
            return not np.isnan(matrix.sum())

    def find_leaves(self, matrix: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.int32]:
        """Return rows x trees: the leaf of each row of an encoded table, counted from its tree's root."""
        from glade.grow._route import find_leaves

        leaves = np.empty((len(matrix), len(self.roots)), np.int32)
        plain, nodes, roots = self.compares_only(matrix), self.nodes, read_only(self.roots)

        def work(rows: slice) -> None:
            find_leaves(plain, read_only(matrix[rows]), nodes, roots, *make_buffers(), leaves[rows])

        run_in_parts(work, len(matrix), n_threads)
        return leaves


def make_buffers() -> list[NDArray[Any]]:
    """Return the buffers that kernels need for rows on their way, where these are, and the leaves they have come to."""
    from glade.grow._route import ROWS_AT_ONCE, ROWS_IN_STEP

    return [np.empty(n, np.int64) for n in (ROWS_IN_STEP, ROWS_IN_STEP, ROWS_AT_ONCE)]
