"""One tree, and the splits it did not take: each can be woken later, and its branches grown as the tree was.

All rows of a node stand together in an index array, and stay together when the nodes below divide them. To split a node
once more, its rows are copied to the end of that array, so that the branches grown before keep theirs.
"""

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.grow import _state as counters
from glade.grow.coded_trees import to_node_tables
from glade.grow.grower import Grower, GrowthSettings, compile_kernel, enlarge, make_batch, make_limits
from glade.grow.layout import Alternatives, Growth
from glade.grow.node_table import NodeTable


class AlternativeGrower(Grower):
    """Grows the first tree at once, and more of it split by split.

    Parameters
    ----------
    inputs, targets, settings
        As of a `Grower`; every input is tried at every node.
    """

    def __init__(self, inputs: CodedInputs, targets: EncodedTargets, settings: GrowthSettings):
        compile_kernel()
        super().__init__(inputs, targets, settings._replace(keeps_alternatives=True))
        self._rows = np.arange(self._n_rows, dtype=np.uint32)
        self._n_used = self._n_rows  # of the index array
        self._parent = np.zeros(1, np.int32)
        weight, n_inputs = float(targets.channels.weight.sum()), len(inputs.columns.n_codes)
        self._bounds = make_limits(self._settings, targets, weight, self._n_rows, n_inputs)
        self._state = np.zeros(counters.N_COUNTERS, np.int64)
        self._growth = self._make_room(2 * self._n_rows - 1)
        self._go_on(n_before=0)

    @property
    def n_nodes(self) -> int:
        return int(self._state[counters.N_NODES])

    @property
    def n_splits(self) -> int:
        return int(self._state[counters.N_SPLITS])

    @property
    def alternatives(self) -> Alternatives:
        """All splits that were not taken when their nodes were first split, in the order of growth."""
        kept, end = self._kept, int(self._state[counters.N_KEPT])
        return Alternatives(kept.node[:end], kept.input[:end], kept.gain[:end])

    @property
    def depth(self) -> NDArray[np.int32]:
        """Per node."""
        return self._growth.depth

    @property
    def impurity(self) -> float:
        """Of all rows: no gain is higher."""
        return float(self._growth.impurity[0])

    @property
    def latest_gain(self) -> NDArray[np.float64]:
        """Per node that is split: the gain of its latest split."""
        return self._growth.gain

    def mark(self) -> NDArray[np.int64]:
        """How far the growth is, for `undo`."""
        return self._state.copy()

    def undo(self, mark: NDArray[np.int64]) -> None:
        """Forget what was grown since. The node that was woken last keeps its copy of the rows."""
        self._state[:] = mark

    def wake(self, alternative: int) -> bool:
        """Split the alternative's node once more, and grow its branches. Gives whether there was anything to grow."""
        node, n_before = int(self._kept.node[alternative]), self.n_splits
        self._copy_rows(node)
        state = self._state
        state[counters.PARENT] = self._parent[node]
        state[counters.WOKEN_NODE], state[counters.WOKEN_INPUT] = node, int(self._kept.input[alternative]) + 1
        self._go_on(n_before)
        return self.n_splits > n_before

    def _copy_rows(self, node: int) -> None:
        """Give the node a copy of its rows to divide, and make room for the nodes that can come of it."""
        start, end = int(self._growth.start[node]), int(self._growth.end[node])
        self._rows = enlarge(self._rows, self._n_used + end - start)
        self._rows[self._n_used : self._n_used + end - start] = self._rows[start:end]
        needed = self.n_nodes + 2 * (end - start)
        self._growth = Growth(*(enlarge(array, needed) for array in self._growth))
        self._growth.start[node], self._growth.end[node] = self._n_used, self._n_used + end - start
        self._n_used += end - start

    def _go_on(self, n_before: int) -> None:
        """Run the kernel to its end; note the parents of the children of all splits but the first `n_before`."""
        batch = make_batch(self._rows, [0, self._n_used], self._targets.channels.weight[None], [0])
        self._run(batch, self._bounds, self._work, self._growth, self._state)
        self._parent = enlarge(self._parent, self.n_nodes)
        new = slice(n_before, self.n_splits)
        left, nodes = self._growth.split_left[new], self._growth.split_node[new]
        self._parent[left], self._parent[left + 1] = nodes, nodes

    def to_node_table(self) -> NodeTable:
        """All that was grown. The splits of a node are in the order of growth."""
        (tree,) = to_node_tables(self._growth, [self.n_nodes], [self.n_splits], self._pool, self._inputs, self._targets)
        return tree
