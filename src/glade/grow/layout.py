"""What the growth kernels take and fill: arrays in named tuples, one dtype each, so that each kernel has one signature.

A training row's *sums row* is what every split is scored by. Added up over a set of rows it says all that the criteria
ask of that set::

    [ S_1 ... S_C | W | N | W_1 ... W_G ]

    S_c  weight * (y_c - node mean) * scale_c; weight * y_c where the criterion is not squares
    W    the row's weight
    N    1; left out where rows and weights are the same thing
    W_g  the weight of group g, zero where its target is unknown; left out where there is one group, always known

A *group* is a set of channels that share a criterion and a weight: all targets together where all are judged by squares
and known in every row, else each target by itself.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# What a node does with its rows.
LEAF, NUMERIC, NOMINAL, IS_MISSING = 0, 1, 2, 3

# A growing tree's counters.
N_NODES, N_EVALUATED, N_QUEUED, N_LEAVES, N_POOL, N_KEPT = range(6)
N_COUNTERS = 6

NODE = np.dtype(
    [
        ("start", np.int64),  # the node's rows are rows[start:end] of the tree
        ("end", np.int64),
        ("seed", np.uint64),  # of all that is drawn at this node
        ("weight", np.float64),
        ("impurity", np.float64),  # summed over rows and targets
        ("gain", np.float64),  # of its split
        ("set_start", np.int64),  # nominal: the categories pool[set_start:set_end] take the side missing does not take
        ("set_end", np.int64),
        ("parent", np.int32),  # the root's is the root
        ("twin_of", np.int32),  # the node whose rows it splits in another way; itself for ordinary nodes
        ("depth", np.int32),
        ("forced_input", np.int32),  # the one input it may be split on, -1 for any
        ("input", np.int32),
        ("below", np.int32),  # numeric: the highest code of the node's rows that goes left
        ("above", np.int32),  # numeric: the lowest that goes right
        ("left", np.int32),  # the left child, which the right one follows; -1 while it has none
        ("kind", np.uint8),  # of its split, LEAF for none
        ("missing_left", np.uint8),  # whether missing rows go left
        ("missing_seen", np.uint8),  # whether a row of the node is missing the input
        ("is_branch", np.uint8),  # what is left of a multi-way split: its next category is parted from it
    ],
    align=True,
)

ALTERNATIVE = np.dtype([("node", np.int32), ("input", np.int32), ("gain", np.float64)], align=True)


INPUT = np.dtype(
    [
        ("n_codes", np.int32),  # codes run from 0 to n_codes - 1; a missing cell holds n_codes
        ("place", np.int32),  # its row among the narrow inputs, or -1 - its row among the wide ones
        ("nominal", np.uint8),
    ],
    align=True,
)

GROUP = np.dtype(
    [
        ("first", np.int32),  # its channels are first to last - 1
        ("last", np.int32),
        ("kind", np.int32),  # the number of its criterion
        ("weight_at", np.int32),  # where its weight stands in a sums row
        ("factor", np.float64),  # multiplies the gain
    ],
    align=True,
)

CANDIDATE = np.dtype(
    [
        ("gain", np.float64),
        ("information", np.float64),  # of the division, in bits; set where splits are picked by gain ratio
        ("below", np.int32),  # numeric: codes; nominal: how many categories are on the left
        ("above", np.int32),
        ("kind", np.uint8),
        ("missing_left", np.uint8),
        ("missing_seen", np.uint8),
    ],
    align=True,
)

# When to stop and how to pick, and where things stand in sums rows and among cells.
SETTINGS = np.dtype(
    [
        ("max_depth", np.int64),
        ("max_leaves", np.int64),  # best-first growth if positive
        ("min_rows_split", np.int64),
        ("min_rows_leaf", np.int64),
        ("n_inputs_drawn", np.int64),  # inputs tried at a node; all of them in order if it equals their number
        ("min_weight_leaf", np.float64),
        ("min_gain", np.float64),  # in the criterion's sums, i.e. times the root's weight
        ("max_impurity_pure", np.float64),  # per unit of weight: a node at or below is pure
        ("leaf_if_no_split", np.uint8),  # the drawn inputs cannot split: make a leaf, or draw on
        ("by_gain_ratio", np.uint8),  # how one split is picked from the candidates of all inputs
        (
            "draw_categories",
            np.uint8,
        ),  # of many in the node each takes part with an even chance; the rest go with missing
        ("random_cuts", np.uint8),  # one cut of each input, drawn between its extremes, instead of the best one
        ("multiway", np.uint8),  # a nominal input parts all its categories from one another
        ("keeps_alternatives", np.uint8),  # the candidates that are not picked are kept, to be grown later
        ("is_plain", np.uint8),  # one group of squares, and no limits on which way channels change
        ("n_channels", np.int64),
        ("length", np.int64),  # of a sums row
        ("total_at", np.int64),  # where W stands
        ("rows_at", np.int64),  # where N stands: the same place, if rows and weights are the same thing
        ("table", np.int64),  # the first row among the cells of what is summed by code (see `NodeBuffers`)
        ("categories", np.int64),
        ("total", np.int64),
        ("missing", np.int64),
        ("left", np.int64),
        ("other", np.int64),
    ],
    align=True,
)


class Inputs(NamedTuple):
    """Coded inputs (see `data.coded.Columns`)."""

    narrow: NDArray[np.uint8]  # inputs with at most 255 codes, one row each
    wide: NDArray[np.int32]  # all other inputs, one row each
    about: NDArray[np.void]  # of `INPUT`
    low: NDArray[np.float64]  # the lowest value of each code, all inputs in a row
    high: NDArray[np.float64]  # the highest
    start: NDArray[np.int64]  # per input: its first place in `low` and `high`; one more for the end
    signs: NDArray[np.int8]  # inputs x channels: +1 or -1 where the channel may only rise or fall; one row: no limits


class Goals(NamedTuple):
    """Encoded targets, and how they are judged."""

    y: NDArray[np.float64]  # rows x channels
    weight: NDArray[np.float64]  # per row
    known: NDArray[np.uint8]  # rows x groups, or no rows at all where every target value is known
    scale: NDArray[np.float64]  # per channel: multiplies a centred one
    shifted: NDArray[np.float64]  # per channel: 1 for numbers, which are summed as differences from the first row
    groups: NDArray[np.void]  # of `GROUP`
    f_critical: NDArray[np.float64]  # by number of rows: what F a split must reach; empty: no F-test


class NodeBuffers(NamedTuple):
    """Buffers for one node at a time.

    The cells are sums rows: first those of the node's rows; from `settings.table` on one for each code, all zeros
    between uses; from `settings.categories` on one for each category of the node; then that of the whole node, of its
    rows that are missing the input, and two to add up in.
    """

    cells: NDArray[np.float64]
    keys: NDArray[np.int64]  # codes in order: a code in the upper half, the cell of its sums in the lower
    scratch: NDArray[np.int64]
    gains: NDArray[np.float64]  # two rows: of each cut behind a key what it gains, and the weight on its left
    counts: NDArray[np.int64]
    shift: NDArray[np.float64]  # channels of the node's first row
    bounds: NDArray[np.float64]  # two rows: what channels may be at least and at most, as sums rows are centred
    order: NDArray[np.int32]  # the inputs that the tree may use
    swapped: NDArray[np.int32]  # which of them was drawn k-th


class Categories(NamedTuple):
    """Buffers for the categories of a nominal input at a node."""

    code: NDArray[np.int64]
    is_marked: NDArray[np.uint8]  # by code; all zeros between uses
    means: NDArray[np.float64]  # categories x channels
    direction: NDArray[np.float64]  # two rows of channels
    score: NDArray[np.float64]


class Growth(NamedTuple):
    """A tree as it grows, in codes. Children are neighbours and come after their parent."""

    rows: NDArray[np.uint32]  # reordered in place
    nodes: NDArray[np.void]  # of `NODE`
    value: NDArray[np.float64]  # nodes x channels
    bounds: NDArray[np.float64]  # nodes x 2 x channels: what values may be at least and at most; empty: anything
    queue: NDArray[np.int32]  # nodes to be divided: a stack, or a heap by gain
    counters: NDArray[np.int64]
    pool: NDArray[np.int32]  # categories of nominal splits
    kept: NDArray[np.void]  # of `ALTERNATIVE`
