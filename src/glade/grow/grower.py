"""One tree from coded inputs and channels: memory for the kernel, the kernel, and its codes turned into values."""

from collections.abc import Sequence
from functools import cache
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glade.core.arrays import make_rows
from glade.core.threads import Stopped
from glade.data.coded import Channels, Columns
from glade.data.coding import CodedInputs, code_inputs
from glade.data.table import read_table
from glade.data.targets import REGRESSION, EncodedTargets, encode_targets, read_targets
from glade.grow import _state as counters
from glade.grow.coded_trees import CodedTree, make_growth, to_node_tables
from glade.grow.held import NEVER, are_of_use, make_held
from glade.grow.layout import (
    CUTS_AT_ONCE,
    DIRECTION_MATRIX,
    FEW_ROWS,
    PICK_GAIN,
    PICK_GAIN_RATIO,
    Alternatives,
    Batch,
    Candidates,
    Growth,
    Layout,
    Limits,
    Workspace,
    list_division_steps,
)
from glade.grow.node_table import NodeTable

UNLIMITED_DEPTH = 2**31 - 1
PURE = float(np.finfo(float).eps)  # of a target's impurity, scaled as in the criterion: scikit-learn's bound too
DIVISION_STEPS = list_division_steps()
RADIX_COUNTS = (1 << 11) + 1
TABLE_MIN = 256  # four copies of the table for an input of few codes
NODES_AT_ONCE = 1 << 15  # of small trees that become node tables together


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
    keeps_alternatives: bool = False  # the candidates that are not picked are kept (see `AlternativeGrower`)

    @property
    def limits_differ(self) -> bool:
        """Whether limits depend on which rows a tree has."""
        return self.min_weight_fraction_leaf > 0 or self.min_impurity_decrease > 0 or self.f_test is not None


def _f_critical(level: float | None, n_rows: int) -> NDArray[np.float64]:
    """The F that a split of 0, 1, ... n_rows rows must reach at this level: F(1, rows - 2)."""
    if level is None:
        return np.empty(0)
    freedom = np.maximum(np.arange(n_rows + 1) - 2, 1)
    return np.asarray(special.fdtri(1, freedom, 1.0 - level), dtype=float)


def make_limits(
    settings: GrowthSettings,
    targets: EncodedTargets,
    weight: float,
    n_rows: int,
    n_inputs: int,
    min_rows_held: int = NEVER,
) -> Limits:
    """The settings for so many rows and inputs, as the kernel takes them."""
    return Limits(
        max_depth=UNLIMITED_DEPTH if settings.max_depth is None else settings.max_depth,
        max_leaves=settings.max_leaf_nodes or 0,
        min_rows_split=settings.min_samples_split,
        min_rows_leaf=settings.min_samples_leaf if settings.min_samples_leaf > 1 else 0,  # weights may stand for rows
        min_weight_leaf=settings.min_weight_fraction_leaf * weight,
        min_gain=settings.min_impurity_decrease * weight / targets.impurity_unit,
        max_impurity_pure=PURE * targets.n_targets,
        f_critical=_f_critical(settings.f_test, n_rows),
        n_inputs_drawn=min(settings.max_features or n_inputs, n_inputs),
        leaf_if_no_split=settings.leaf_if_no_split,
        pick=PICK_GAIN_RATIO if settings.gain_ratio else PICK_GAIN,
        draw_categories=settings.draw_categories,
        keeps_alternatives=settings.keeps_alternatives,
        min_rows_held=min_rows_held,
    )


def _is_plain(channels: Channels) -> bool:
    """Whether every target is known in every row, and judged by squares."""
    return len(channels.known) == 0 and not (channels.entropy_weight > 0).any()


def _make_layout(channels: Channels, columns: Columns, counted: bool) -> Layout:
    """`counted`: rows and weights are not the same thing, and something asks for the number of rows."""
    n_channels, width = int(channels.target_start[-1]), channels.y.shape[1]
    plain = _is_plain(channels)
    target_at = n_channels + 1 + counted
    used = target_at if plain else target_at + len(channels.entropy_weight)
    length = used if used == 2 else -(-used // 4) * 4
    easy_pairs = plain and not columns.nominal.any()
    return Layout(n_channels, width, n_channels, n_channels + counted, target_at, length, plain, easy_pairs)


def _make_workspace(columns: Columns, layout: Layout, n_rows: int) -> Workspace:
    n_categories = int(np.max(columns.n_codes[columns.nominal == 1], initial=1))
    n_groups = min(n_categories, n_rows)
    n_table = max(n_groups, min(2 * n_rows, int(columns.n_codes.max()))) + 1
    n_table = max(n_table, TABLE_MIN)
    n_cuts = max(n_rows, n_table) + CUTS_AT_ONCE
    return Workspace(
        moments=make_rows(max(n_rows, 2 * FEW_ROWS), layout.length),
        table=make_rows(n_table, layout.length),
        total=np.empty(layout.length),
        missing=np.empty(layout.length),
        left=np.empty(layout.length),
        other=np.empty(layout.length),
        shift=np.empty(layout.width),
        gains=np.empty(n_cuts),
        gains_left=np.empty(n_cuts),
        weights=np.empty(n_cuts),
        keys=np.empty(n_cuts, np.int64),
        scratch=np.empty(n_cuts, np.int64),
        counts=np.empty(RADIX_COUNTS, np.int64),
        division_steps=DIVISION_STEPS,
        division_gains=np.empty(1 << FEW_ROWS),
        division_weights=np.empty(1 << FEW_ROWS),
        counts_of_codes=np.empty(256, np.uint8),
        group_of_code=np.full(n_categories, -1, np.int32),
        code_of_group=np.empty(n_groups, np.int64),
        means=np.empty((n_groups, layout.n_channels)),
        direction=np.empty((2, layout.n_channels)),
        spread=np.empty((min(layout.n_channels, DIRECTION_MATRIX),) * 2),
        score=np.empty(n_groups),
        inputs=np.arange(len(columns.n_codes), dtype=np.int32),
        random=np.zeros(2, np.uint64),
        constant=np.zeros(1, np.uint64),
    )


def _count_nodes_at_most(n_rows: int, limits: Limits) -> int:
    at_most = 2 * n_rows - 1
    if limits.max_leaves > 0:
        at_most = min(at_most, 2 * limits.max_leaves - 1)
    if limits.max_depth < 40:
        at_most = min(at_most, (2 << limits.max_depth) - 1)
    return at_most


def make_alternatives(n: int) -> Alternatives:
    """Room for so many."""
    return Alternatives(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n))


def enlarge(array: NDArray[Any], needed: int) -> NDArray[Any]:
    """The array, or one at least twice as long that begins with it, where more entries are needed than it has."""
    if needed <= len(array):
        return array
    longer = np.empty((max(needed, 2 * len(array)), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def make_batch(
    rows: NDArray[np.uint32],
    start: Sequence[int] | NDArray[np.int64],
    weights: NDArray[np.float64],
    seeds: Sequence[int] | NDArray[np.uint64],
) -> Batch:
    """Trees to be grown on these rows (see `Batch`)."""
    n_nodes, n_splits = np.empty(len(seeds), np.int64), np.empty(len(seeds), np.int64)
    return Batch(rows, np.array(start, np.int64), weights, np.array(seeds, np.uint64), n_nodes, n_splits)


class Grower:
    """Grows trees on the same inputs, targets and settings, one after another in the same memory.

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
    kernel
        The one that grows them, where not that of `choose_kernel`.
    """

    def __init__(
        self,
        inputs: CodedInputs,
        targets: EncodedTargets,
        settings: GrowthSettings,
        n_rows: int | None = None,
        weighted: bool = False,
        kernel: str | None = None,
    ):
        self._inputs, self._targets, self._settings = inputs, targets, settings
        self._n_rows = len(targets.channels.y) if n_rows is None else n_rows
        weighted = weighted or bool((targets.channels.weight != 1.0).any())
        counted = weighted and settings.min_samples_leaf > 1
        self._layout = _make_layout(targets.channels, inputs.columns, counted)
        self._work = _make_workspace(inputs.columns, self._layout, self._n_rows)
        self._kernel = kernel or choose_kernel(inputs, targets, settings, self._n_rows)
        holds = self._kernel == "grow_holding_trees"
        self._held, self._min_rows_held = make_held(inputs if holds else None, self._layout.length)
        self._found = Candidates(
            *(np.empty(len(inputs.columns.n_codes), d) for d in (float, np.int32, np.int32, np.uint8, float))
        )
        self._memory: Growth | None = None
        self._n_nodes: list[int] = []  # of each tree in the memory
        self._n_splits: list[int] = []
        self._finished: list[NodeTable] = []
        self._limits: tuple[tuple[Any, ...], Limits] | None = None  # of the tree before, and what they depend on
        self.stop: Event | None = None  # set by another thread, it ends the growth of a tree
        self._pool = np.empty(64, np.int32)
        self._n_pool = 0
        self._kept = make_alternatives(0)

    def grow(self, rows: NDArray[Any] | None = None, seed: int = 0) -> NodeTable:
        """Grow one tree on the given rows, all by default."""
        self.add(rows, seed=seed)
        return self.take()[0]

    def add(
        self,
        rows: NDArray[Any] | None = None,
        weights: NDArray[np.float64] | None = None,
        seed: int = 0,
        tried: NDArray[Any] | None = None,
        settings: GrowthSettings | None = None,
    ) -> CodedTree:
        """Grow one more tree, to be had by `take`. It is given in codes, for who cannot wait.

        Parameters
        ----------
        rows
            Which rows to grow on, all by default. They are copied.
        weights
            A weight for each row of the table, instead of the targets' own.
        seed
            For what is drawn at a node, if anything is.
        tried
            Which inputs this tree may use, all by default.
        settings
            This tree's own, instead of the grower's: other limits on depth and leaves.
        """
        index = np.arange(self._n_rows, dtype=np.uint32) if rows is None else np.array(rows, np.uint32)
        weights = self._targets.channels.weight if weights is None else weights
        n_inputs = len(self._inputs.columns.n_codes)
        inputs = np.arange(n_inputs, dtype=np.int32) if tried is None else np.array(tried, np.int32)
        limits = self._find_limits(settings or self._settings, weights, index, len(inputs))
        batch = make_batch(index, [0, len(index)], weights[None], [seed])
        memory = self._make_room(_count_nodes_at_most(len(index), limits))
        self._run_batch(batch, limits, inputs, memory)
        return CodedTree(memory, self._n_nodes[-1], self._n_splits[-1], self._pool)

    def add_batch(
        self,
        rows: NDArray[np.uint32],
        start: NDArray[np.int64],
        weights: NDArray[np.float64],
        seeds: NDArray[np.uint64],
    ) -> None:
        """Grow some trees that differ in rows, weights and seeds only: faster than one by one.

        Parameters
        ----------
        rows, start
            The rows of each tree after those of the one before; tree t has rows[start[t] : start[t + 1]].
        weights
            Trees x rows of the table.
        seeds
            For what is drawn at nodes.
        """
        n_inputs, edges = len(self._inputs.columns.n_codes), start.tolist()
        at_once = 1 if self._settings.limits_differ else max(1, NODES_AT_ONCE // (2 * self._n_rows))
        for k in range(0, len(seeds), at_once):
            some, own = slice(k, k + at_once), start[k : k + at_once + 1]
            index = rows[edges[k] : own[-1]]
            limits = self._find_limits(self._settings, weights[k], index, n_inputs)
            batch = make_batch(index, own - own[0], weights[some], seeds[some])
            memory = self._make_room(_count_nodes_at_most(int(np.diff(own).max()), limits) * len(seeds[some]))
            self._run_batch(batch, limits, np.arange(n_inputs, dtype=np.int32), memory)

    def _run_batch(self, batch: Batch, limits: Limits, inputs: NDArray[np.int32], memory: Growth) -> None:
        state = np.zeros(counters.N_COUNTERS, np.int64)
        state[counters.N_POOL] = self._n_pool
        self._run(batch, limits, self._work._replace(inputs=inputs), memory, state)
        self._n_pool = int(state[counters.N_POOL])
        self._n_nodes += batch.n_nodes.tolist()
        self._n_splits += batch.n_splits.tolist()

    def _find_limits(
        self, settings: GrowthSettings, weights: NDArray[np.float64], index: NDArray[np.uint32], n_inputs: int
    ) -> Limits:
        """The limits for a tree on these rows; mostly those of the tree before."""
        weight = float(weights[index].sum()) if settings.limits_differ else 0.0
        n_rows = 0 if settings.f_test is None else len(index)
        wanted = (settings, weight, n_rows, n_inputs)
        if self._limits is None or self._limits[0] != wanted:
            held = self._min_rows_held if n_inputs == len(self._inputs.columns.n_codes) else NEVER
            self._limits = wanted, make_limits(settings, self._targets, weight, n_rows, n_inputs, held)
        return self._limits[1]

    def take(self) -> list[NodeTable]:
        """The trees added since the last call, in order."""
        self._finish()
        taken, self._finished = self._finished, []
        return taken

    def _finish(self) -> None:
        """Turn the trees in the memory into node tables, so that it is free again."""
        if self._memory is not None and self._n_nodes:
            self._finished += to_node_tables(
                self._memory, self._n_nodes, self._n_splits, self._pool, self._inputs, self._targets
            )
        self._n_nodes, self._n_splits, self._n_pool = [], [], 0

    def _run(self, batch: Batch, limits: Limits, work: Workspace, memory: Growth, state: NDArray[np.int64]) -> None:
        """Call the kernel until it has finished, with more memory where it asks for it."""
        from glade.grow import _grow as kernel

        columns, channels, n_inputs = self._inputs.columns, self._targets.channels, len(self._inputs.columns.n_codes)
        grow_trees = getattr(kernel, self._kernel)
        while not grow_trees(
            columns, channels, self._layout, limits, batch, self._held, work, self._found, memory, self._pool,
            self._kept, state,
        ):  # fmt: skip
            if self.stop is not None and self.stop.is_set():
                raise Stopped
            self._pool = enlarge(self._pool, int(state[counters.N_POOL]) + len(work.code_of_group))
            if limits.keeps_alternatives:
                self._kept = Alternatives(*(enlarge(a, int(state[counters.N_KEPT]) + n_inputs) for a in self._kept))

    def _make_room(self, n_most: int) -> Growth:
        """The memory after the trees that are in it, with room for so many nodes."""
        n_used = sum(self._n_nodes)
        memory = self._memory
        if memory is None or n_used + n_most > len(memory.start):
            self._finish()
            n_wanted = max(n_most, NODES_AT_ONCE) if n_used else n_most  # one tree alone needs no more
            if memory is None or n_wanted > len(memory.start):
                memory = make_growth(n_wanted, self._layout.width)
            n_used = 0
        self._memory = memory
        arrays: tuple[NDArray[Any], ...] = memory
        return Growth(*(array[n_used:] for array in arrays))


def choose_kernel(
    inputs: CodedInputs, targets: EncodedTargets, settings: GrowthSettings, n_rows: int | None = None
) -> str:
    """The name of the kernel that grows trees on so many rows, all by default."""
    if settings.random_cuts:
        return "grow_random_trees"
    columns, channels = inputs.columns, targets.channels
    if inputs.has_nominal or not _is_plain(channels) or settings.keeps_alternatives:
        return "grow_trees"
    n_inputs, n_rows = len(columns.n_codes), len(channels.y) if n_rows is None else n_rows
    holds = are_of_use(columns, channels.weight, n_rows, settings.max_features or n_inputs)
    return "grow_holding_trees" if holds else "grow_simple_trees"


def grow(
    inputs: CodedInputs,
    targets: EncodedTargets,
    settings: GrowthSettings,
    rows: NDArray[Any] | None = None,
    seed: int = 0,
) -> NodeTable:
    """Grow one tree on the given rows (all by default); see `Grower`."""
    n_rows = None if rows is None else len(rows)
    kernel = choose_kernel(inputs, targets, settings, n_rows)
    compile_kernel(kernel)
    return Grower(inputs, targets, settings, n_rows, kernel=kernel).grow(rows, seed=seed)


@cache
def compile_kernel(name: str = "grow_trees") -> None:
    """Grow a tree of nothing, so that compiling (once a machine) or loading (once a process) is not part of a fit."""
    one = np.ones(1)
    inputs = code_inputs(read_table(np.ones((1, 1))), one, None)
    targets = encode_targets(read_targets(one, REGRESSION), one, "variance", one)
    Grower(inputs, targets, GrowthSettings(), kernel=name).grow()
