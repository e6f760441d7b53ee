"""One tree from coded inputs and encoded targets: limits and buffers for the kernels."""

from functools import cache
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glade.core.threads import Stopped
from glade.data.coded import Channels, CodedColumns
from glade.data.coding import CodedInputs, code_inputs
from glade.data.criteria import SQUARES
from glade.data.table import read_table
from glade.data.targets import REGRESSION, EncodedTargets, encode_targets, read_targets
from glade.grow.coded_trees import CodedTree, to_node_table
from glade.grow.layout import (
    ALTERNATIVE,
    CANDIDATE,
    GROUP,
    INPUT,
    N_COUNTERS,
    N_KEPT,
    N_LEAVES,
    N_NODES,
    N_POOL,
    NODE,
    SETTINGS,
    Categories,
    Goals,
    Growth,
    Inputs,
    NodeBuffers,
)
from glade.grow.node_table import NodeTable
from glade.grow.shares import keep_shares_of_classes

UNLIMITED_DEPTH = 2**31 - 1
NO_GAIN = -1.0  # of an input that cannot split
PURE = float(np.finfo(float).eps)  # of a target's impurity, scaled as in the criterion: scikit-learn's bound too
RADIX_COUNTS = (1 << 11) + 1


class GrowthSettings(NamedTuple):
    """When to stop and how to pick, in rows and in the criterion's units."""

    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    f_test: float | None = None
    max_features: int | None = None
    leaf_if_no_split: bool = False
    gain_ratio: bool = False
    draw_categories: bool = False  # of many at a node each takes part with an even chance
    random_cuts: bool = False  # one cut of each input, drawn between its extremes in the node
    multiway: bool = False  # a nominal input parts all its categories from one another
    signs: NDArray[np.int8] | None = None  # inputs x channels: which way a channel may change with an input; 0 for both
    keeps_alternatives: bool = False  # the candidates that are not picked are kept (see `AlternativeGrower`)

    @property
    def limits_differ(self) -> bool:
        """Whether limits depend on which rows a tree has."""
        return self.min_weight_fraction_leaf > 0 or self.min_impurity_decrease > 0 or self.f_test is not None


def _f_critical(level: float | None, n_rows: int) -> NDArray[np.float64]:
    """Return the F that a split of 0, 1, ... n_rows rows must reach at this level: F(1, rows - 2)."""
    if level is None:
        return np.empty(0)
    freedom = np.maximum(np.arange(n_rows + 1) - 2, 1)
    return np.asarray(special.fdtri(1, freedom, 1.0 - level), dtype=float)


def _make_inputs(columns: CodedColumns, signs: NDArray[np.int8] | None) -> Inputs:
    """Return the coded inputs as the growth kernels take them."""
    about = np.zeros(len(columns.n_codes), INPUT)
    about["n_codes"], about["place"], about["nominal"] = columns.n_codes, columns.place, columns.nominal
    no_signs = np.zeros((1, 0), np.int8)
    return Inputs(
        columns.narrow,
        columns.wide,
        about,
        columns.low,
        columns.high,
        columns.start,
        no_signs if signs is None else signs,
    )


def _make_goals(channels: Channels, rows_at: int, f_critical: NDArray[np.float64]) -> Goals:
    """Return the targets as groups of channels (see `layout`), whose own weights stand behind the number of rows."""
    n_channels = int(channels.target_start[-1])
    is_one_group = len(channels.known) == 0 and bool((channels.kind == SQUARES).all())
    groups = np.zeros(1 if is_one_group else len(channels.kind), GROUP)
    if is_one_group:
        groups[0] = (0, n_channels, SQUARES, n_channels, 1.0)
    else:
        groups["first"], groups["last"] = channels.target_start[:-1], channels.target_start[1:]
        groups["kind"], groups["factor"] = channels.kind, channels.factor
        groups["weight_at"] = rows_at + 1 + np.arange(len(groups))
    shifted = channels.numeric.astype(float)
    return Goals(channels.y, channels.weight, channels.known, channels.scale, shifted, groups, f_critical)


def _make_settings(n_channels: int, rows_at: int, goals: Goals) -> NDArray[np.void]:
    """Return a record of `SETTINGS` in which only the form of sums rows is set."""
    record = np.zeros(1, SETTINGS)
    record["n_channels"], record["total_at"], record["rows_at"] = n_channels, n_channels, rows_at
    record["length"] = max(rows_at, int(goals.groups["weight_at"].max())) + 1
    return record


def _make_work(inputs: Inputs, settings: NDArray[np.void], n_rows: int) -> tuple[NodeBuffers, Categories]:
    """Return buffers for nodes of so many rows; write down where things stand among the cells."""
    n_channels, about, n_bounded = int(settings["n_channels"][0]), inputs.about, inputs.signs.shape[1]
    n_codes = int(about["n_codes"].max(initial=1))
    n_categories = int(about["n_codes"][about["nominal"] == 1].max(initial=1))
    n_found = max(2, min(n_categories, n_rows))
    n_keys, at = max(n_rows, n_codes) + 2, n_rows
    for name, size in (("table", max(256, n_codes + 1)), ("categories", n_found)):
        settings[name] = at
        at += size
    for name in ("total", "missing", "left", "other"):
        settings[name] = at
        at += 1
    work = NodeBuffers(
        cells=np.zeros((at, int(settings["length"][0]))),
        keys=np.empty(n_keys, np.int64),
        scratch=np.empty(n_keys, np.int64),
        gains=np.empty((2, n_keys)),
        counts=np.empty(RADIX_COUNTS, np.int64),
        shift=np.empty(n_channels),
        bounds=np.empty((2, n_bounded)),
        order=np.arange(len(about), dtype=np.int32),
        swapped=np.empty(len(about), np.int32),
    )
    categories = Categories(
        code=np.empty(n_found, np.int64),
        is_marked=np.zeros(n_categories + 1, np.uint8),
        means=np.empty((n_found, n_channels)),
        direction=np.empty((2, n_channels)),
        score=np.empty(n_found),
    )
    return work, categories


def _count_nodes_at_most(n_rows: int, settings: GrowthSettings) -> int:
    at_most, depth = 2 * n_rows - 1, settings.max_depth
    if settings.max_leaf_nodes is not None:
        at_most = min(at_most, 2 * settings.max_leaf_nodes - 1)
    elif depth is not None and depth < n_rows.bit_length() and not settings.multiway:
        at_most = min(at_most, (2 << depth) - 1)
    return at_most


def enlarge(array: NDArray[Any], needed: int) -> NDArray[Any]:
    """Return the array, or one at least twice as long that begins with it, where more entries are needed."""
    if needed <= len(array):
        return array
    longer = np.empty((max(needed, 2 * len(array)), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


class Grower:
    """Grows trees on the same inputs, targets and settings, one after another in the same buffers.

    Parameters
    ----------
    inputs, targets
        The coded inputs and encoded targets of the same rows.
    settings
        Limits and the way to pick.
    n_rows
        The most rows a tree may have; all by default.
    weighted
        Whether trees get row weights of their own.
    """

    def __init__(
        self,
        inputs: CodedInputs,
        targets: EncodedTargets,
        settings: GrowthSettings,
        n_rows: int | None = None,
        weighted: bool = False,
    ):
        self._coded, self._targets, self._settings = inputs, targets, settings
        channels = targets.channels
        self._n_rows = len(channels.y) if n_rows is None else n_rows
        n_channels = int(channels.target_start[-1])
        rows_at = n_channels + self._counts_rows(weighted)
        self._inputs = _make_inputs(inputs.columns, settings.signs)
        self._goals = _make_goals(channels, rows_at, _f_critical(settings.f_test, self._n_rows))
        self._record = _make_settings(n_channels, rows_at, self._goals)
        is_one_group = self._goals.groups["weight_at"][0] == n_channels
        self._record["is_plain"] = is_one_group and settings.signs is None
        self._work, self._categories = _make_work(self._inputs, self._record, self._n_rows)
        self._found = np.zeros(len(self._inputs.about), CANDIDATE)
        self._found["gain"] = NO_GAIN
        about = self._inputs.about
        self._n_categories = int(about["n_codes"][about["nominal"] == 1].max(initial=0))
        self._buffers: Growth | None = None  # for a tree
        self.stop: Event | None = None  # set by another thread, it ends the growth of a tree

    def _counts_rows(self, weighted: bool) -> bool:
        """Whether sums need the number of rows beside the weight: both count the same only where weights are whole."""
        weight = self._targets.channels.weight
        is_weighted = weighted or bool((weight != 1.0).any())
        is_whole = bool((weight == np.floor(weight)).all())
        return is_weighted and (self._settings.min_samples_leaf > 1 or not is_whole)

    def grow(self, rows: NDArray[Any] | None = None, seed: int = 0) -> NodeTable:
        """Grow one tree on the given rows, all by default."""
        return self.store(self.grow_coded(rows, seed=seed))

    def store(self, tree: CodedTree) -> NodeTable:
        """Return a tree that was grown here as it is stored."""
        found, signs = to_node_table(tree, self._coded, self._targets), self._settings.signs
        if signs is None or self._targets.channels.numeric.all():
            return found
        return keep_shares_of_classes(found, self._targets.schema, signs)

    def grow_coded(
        self,
        rows: NDArray[Any] | None = None,
        weights: NDArray[np.float64] | None = None,
        seed: int = 0,
        tried: NDArray[Any] | None = None,
        settings: GrowthSettings | None = None,
    ) -> CodedTree:
        """Grow one tree; it is returned in codes, in the buffers, where the next tree takes its place.

        Parameters
        ----------
        rows
            Which rows to grow on, all by default. They are copied.
        weights
            A weight for each row of the table, instead of the targets' own.
        seed
            Of all that is drawn at nodes.
        tried
            Which inputs this tree may use, all by default.
        settings
            This tree's own, instead of the grower's: other limits on depth and leaves.
        """
        index = np.arange(self._n_rows, dtype=np.uint32) if rows is None else np.array(rows, np.uint32)
        goals = self._goals if weights is None else self._goals._replace(weight=weights)
        work = self._work if tried is None else self._work._replace(order=np.array(tried, np.int32))
        settings = settings or self._settings
        self._write_limits(settings, goals, index, len(work.order))
        tree = self._run(goals, work, self._begin(index, seed, _count_nodes_at_most(len(index), settings)))
        n_nodes = int(tree.counters[N_NODES])
        self._buffers = tree
        return CodedTree(tree.nodes[:n_nodes], tree.value[:n_nodes], tree.pool)

    def _write_limits(self, settings: GrowthSettings, goals: Goals, rows: NDArray[Any], n_inputs: int) -> None:
        """Write the limits for a tree on these rows and so many inputs into the record that kernels read."""
        record, targets = self._record, self._targets
        weight = float(goals.weight[rows].sum()) if settings.limits_differ else 0.0
        record["max_depth"] = UNLIMITED_DEPTH if settings.max_depth is None else settings.max_depth
        record["max_leaves"] = settings.max_leaf_nodes or 0
        record["min_rows_split"] = settings.min_samples_split
        record["min_rows_leaf"] = settings.min_samples_leaf if settings.min_samples_leaf > 1 else 0  # or weight is rows
        record["n_inputs_drawn"] = min(settings.max_features or n_inputs, n_inputs)
        record["min_weight_leaf"] = settings.min_weight_fraction_leaf * weight
        record["min_gain"] = settings.min_impurity_decrease * weight / targets.impurity_unit
        record["max_impurity_pure"] = PURE * targets.n_targets
        for name in ("leaf_if_no_split", "draw_categories", "random_cuts", "multiway", "keeps_alternatives"):
            record[name] = getattr(settings, name)
        record["by_gain_ratio"] = settings.gain_ratio

    def _begin(self, rows: NDArray[np.uint32], seed: int, n_most: int) -> Growth:
        """Return a tree that is a root of these rows, in the buffers, which hold so many nodes."""
        if self._buffers is None or n_most > len(self._buffers.nodes):
            self._buffers = self._make_buffers(n_most)
        tree = self._buffers._replace(rows=rows, counters=np.zeros(N_COUNTERS, np.int64))
        tree.counters[N_NODES] = tree.counters[N_LEAVES] = 1
        root = tree.nodes[0]
        root["start"], root["end"], root["seed"], root["depth"] = 0, len(rows), seed, 0
        root["left"] = root["forced_input"] = -1
        root["twin_of"] = root["parent"] = root["is_branch"] = 0
        tree.bounds[:1, 0], tree.bounds[:1, 1] = -np.inf, np.inf
        return tree

    def _make_buffers(self, n_nodes: int) -> Growth:
        """Return buffers for so many nodes; memory that is never written costs nothing."""
        n_bounded = self._work.bounds.shape[1]
        return Growth(
            rows=np.empty(0, np.uint32),
            nodes=np.empty(n_nodes, NODE),
            value=np.empty((n_nodes, self._goals.y.shape[1])),
            bounds=np.empty((n_nodes if n_bounded else 1, 2, n_bounded)),
            queue=np.empty(n_nodes, np.int32),
            counters=np.zeros(N_COUNTERS, np.int64),
            pool=np.empty(64, np.int32),
            kept=np.empty(0, ALTERNATIVE),
        )

    def _run(self, goals: Goals, work: NodeBuffers, tree: Growth) -> Growth:
        """Grow the tree to its end; return it with the buffers it has then."""
        from glade.grow._grow import grow_nodes

        while not grow_nodes(
            self._inputs, goals, self._record, self._n_categories, tree, work, self._categories, self._found
        ):
            if self.stop is not None and self.stop.is_set():
                raise Stopped
            tree = self._make_room(tree)
        return tree

    def _make_room(self, tree: Growth) -> Growth:
        """Return the tree with room for the categories and alternatives that two calls of `grow_nodes` ask for."""
        counters, n_inputs = tree.counters, len(self._inputs.about)
        pool = enlarge(tree.pool, int(counters[N_POOL]) + 4 * min(self._n_categories, len(tree.rows)))
        n_kept = 4 * n_inputs if self._settings.keeps_alternatives else 0
        return tree._replace(pool=pool, kept=enlarge(tree.kept, int(counters[N_KEPT]) + n_kept))


def grow(
    inputs: CodedInputs,
    targets: EncodedTargets,
    settings: GrowthSettings,
    rows: NDArray[Any] | None = None,
    seed: int = 0,
) -> NodeTable:
    """Grow one tree on the given rows (all by default); see `Grower`."""
    compile_growth()
    n_rows = None if rows is None else len(rows)
    return Grower(inputs, targets, settings, n_rows).grow(rows, seed=seed)


@cache
def compile_growth() -> None:
    """Grow a tree of nothing, so that compiling (once a machine) or loading (once a process) is not part of a fit."""
    one = np.ones(1)
    inputs = code_inputs(read_table(np.ones((1, 1))), one, None)
    targets = encode_targets(read_targets(one, REGRESSION), one, "variance", one)
    Grower(inputs, targets, GrowthSettings()).grow()
