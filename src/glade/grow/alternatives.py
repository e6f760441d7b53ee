"""One tree, and the splits it did not take: each can be expanded later, and its branches grown as the tree was.

All rows of a node stand together in an index array, and stay together when the nodes below divide them. To split a node
once more, a *twin* of it gets a copy of its rows at the end of that array, so that the branches grown before keep
theirs.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.grow.coded_trees import CodedTree
from glade.grow.grower import Grower, GrowthSettings, compile_growth, enlarge
from glade.grow.layout import N_KEPT, N_NODES
from glade.grow.node_table import NodeTable


class AlternativeGrower(Grower):
    """Grows the first tree at once, and more of it split by split.

    Parameters
    ----------
    inputs, targets, settings
        As of a `Grower`; every input is tried at every node.
    """

    def __init__(self, inputs: CodedInputs, targets: EncodedTargets, settings: GrowthSettings):
        compile_growth()
        super().__init__(inputs, targets, settings._replace(keeps_alternatives=True))
        self._write_limits(self._settings, self._goals, np.arange(self._n_rows), len(self._work.order))
        self._n_used = self._n_rows  # of the index array
        self._n_twins = 0
        rows = np.arange(self._n_rows, dtype=np.uint32)
        self._tree = self._run(self._goals, self._work, self._begin(rows, 0, 2 * self._n_rows - 1))

    def _count(self, counter: int) -> int:
        return int(self._tree.counters[counter])

    @property
    def _nodes(self) -> NDArray[np.void]:
        return self._tree.nodes[: self._count(N_NODES)]

    @property
    def n_nodes(self) -> int:
        """How many nodes there are, those with several splits once."""
        return self._count(N_NODES) - self._n_twins

    @property
    def alternatives(self) -> NDArray[np.void]:
        """The splits that were not taken when their nodes were first split (`layout.ALTERNATIVE`), in order."""
        return self._tree.kept[: self._count(N_KEPT)]

    @property
    def depth(self) -> NDArray[np.int32]:
        """The depth of each node that an alternative may name."""
        return self._nodes["depth"]

    @property
    def impurity(self) -> float:
        """The impurity of all rows: no gain is higher."""
        return float(self._nodes["impurity"][0])

    @property
    def latest_gain(self) -> NDArray[np.float64]:
        """Per node that is split: the gain of its latest split."""
        nodes = self._nodes
        gain = nodes["gain"].copy()
        twins = np.flatnonzero(nodes["twin_of"] != np.arange(len(nodes)))
        gain[nodes["twin_of"][twins]] = nodes["gain"][twins]
        return gain

    def mark(self) -> tuple[NDArray[np.int64], int]:
        """Return how far the growth is, for `undo`."""
        return self._tree.counters.copy(), self._n_twins

    def undo(self, mark: tuple[NDArray[np.int64], int]) -> None:
        """Forget what was grown since. The node that was expanded last keeps its copy of the rows."""
        self._tree.counters[:], self._n_twins = mark

    def expand(self, alternative: int) -> bool:
        """Split the alternative's node once more, and grow its branches; return whether there was anything to grow."""
        mark = self.mark()
        node, tested = (int(self.alternatives[name][alternative]) for name in ("node", "input"))
        twin = self._add_twin(node)
        self._tree.nodes["forced_input"][twin] = tested
        self._tree = self._run(self._goals, self._work, self._make_room(self._tree))
        has_grown = bool(self._tree.nodes["left"][twin] >= 0)
        if not has_grown:
            self.undo(mark)
        return has_grown

    def _add_twin(self, node: int) -> int:
        """Add a twin of the node, with a copy of its rows, and make room for the nodes that can come of it."""
        twin, tree = self._count(N_NODES), self._tree
        start, end = (int(tree.nodes[name][node]) for name in ("start", "end"))
        size = end - start
        rows = enlarge(tree.rows, self._n_used + size)
        rows[self._n_used : self._n_used + size] = rows[start:end]
        longer: dict[str, NDArray[Any]] = {
            name: enlarge(getattr(tree, name), twin + 2 * size) for name in ("nodes", "value", "queue")
        }
        if self._inputs.signs.shape[1] > 0:
            longer["bounds"] = enlarge(tree.bounds, twin + 2 * size)
            longer["bounds"][twin] = tree.bounds[node]
        self._tree = tree = tree._replace(rows=rows, **longer)
        tree.nodes[twin] = tree.nodes[node]
        tree.nodes["start"][twin], tree.nodes["end"][twin] = self._n_used, self._n_used + size
        tree.nodes["twin_of"][twin], tree.nodes["left"][twin] = node, -1
        tree.counters[N_NODES] += 1
        self._n_used += size
        self._n_twins += 1
        return twin

    def to_node_table(self) -> NodeTable:
        """Return all that was grown. The splits of a node are in the order of growth."""
        n, tree = self._count(N_NODES), self._tree
        return self.store(CodedTree(tree.nodes[:n], tree.value[:n], tree.pool))
