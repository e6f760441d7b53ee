"""What the kernels take and fill: arrays in named tuples, one dtype each, so that each kernel has one signature.

A training row's *moment row* is what every split score is made of::

    [ S_1 ... S_C | W | N | W_1 ... W_T | zeros ]

    S_c  weight * (y_c - node mean) * scale_c; for an entropy target, which is not centred, weight * y_c
    W    the row's weight
    N    1; left out where rows and weights are the same thing, or nothing asks for the number of rows
    W_t  the weight of the target, zero if it is unknown; left out where every criterion is a square and all is known

The sum of moment rows over a set of rows says all that the criteria ask of that set. Its length is a multiple of four
(or two: one channel and W), so that each four are one vector instruction: a single float left over would cost as much
as all the rest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MISSING_SIDE_UNSEEN = 2  # added to a split's missing side where no training row of the node lacked the input

# How one split is picked from the candidates of all inputs.
PICK_GAIN = 0
PICK_GAIN_RATIO = 1

CUTS_AT_ONCE = 4  # so many are scored together (`cuts`): behind the last one there is room for as many
FEW_ROWS = 6  # of a node all of whose divisions are scored
DIRECTION_MATRIX = 16  # channels whose spread over categories is worth a matrix


class Layout(NamedTuple):
    """Where things stand in a moment row."""

    n_channels: int
    width: int  # of a row of channels, which ends in zeros too
    weight_at: int
    rows_at: int
    target_at: int
    length: int
    plain: bool  # no W_t
    easy_pairs: bool  # plain, and no nominal input: a node of two rows needs no moment rows


class Limits(NamedTuple):
    """When to stop, and how to pick."""

    max_depth: int
    max_leaves: int  # best-first growth if positive
    min_rows_split: int
    min_rows_leaf: int
    min_weight_leaf: float
    min_gain: float  # in the criterion's sums, i.e. times the root's weight
    max_impurity_pure: float  # per unit of weight: a node at or below is pure
    f_critical: NDArray[np.float64]  # by number of rows; empty: no F-test
    n_inputs_drawn: int  # inputs tried at a node; all of them in order if it equals their number
    leaf_if_no_split: bool  # the drawn inputs cannot split: make a leaf, or draw on
    pick: int
    draw_categories: bool  # of many in the node each takes part with an even chance; the others go with missing
    keeps_alternatives: bool  # the candidates that are not picked are kept, to be grown later
    min_rows_held: int  # of a node whose sums by code are worth more than its rows (see `HeldSums`)


class Workspace(NamedTuple):
    """Memory for one node at a time."""

    moments: NDArray[np.float64]  # rows x length of a moment row
    table: NDArray[np.float64]  # sums of moment rows, by code or by category
    total: NDArray[np.float64]  # one moment row each: of the node, of its missing rows, and two to add up in
    missing: NDArray[np.float64]
    left: NDArray[np.float64]
    other: NDArray[np.float64]
    shift: NDArray[np.float64]  # channels of the node's first row
    gains: NDArray[np.float64]  # of an input's cuts
    gains_left: NDArray[np.float64]  # the same with missing rows on the left
    weights: NDArray[np.float64]  # on the left of each
    keys: NDArray[np.int64]
    scratch: NDArray[np.int64]
    counts: NDArray[np.int64]
    division_steps: NDArray[np.int64]  # see `list_division_steps`
    division_gains: NDArray[np.float64]  # of a node of a few rows: per set of rows, as bits, that may go left
    division_weights: NDArray[np.float64]
    counts_of_codes: NDArray[np.uint8]  # of a narrow input
    group_of_code: NDArray[np.int32]  # -1 throughout, between uses
    code_of_group: NDArray[np.int64]
    means: NDArray[np.float64]  # categories x channels
    direction: NDArray[np.float64]  # two rows of channels
    spread: NDArray[np.float64]  # channels x channels
    score: NDArray[np.float64]
    inputs: NDArray[np.int32]  # in the order they are tried
    random: NDArray[np.uint64]  # the state of the generator; the salt of the node at hand
    constant: NDArray[np.uint64]  # a bit for each of the first 64 inputs that are constant in the node at hand


class HeldSums(NamedTuple):
    """The sums by code of all inputs, held for large nodes: those of the larger of two children are those of their
    parent less those of the smaller one.

    A node's are in a slot: a row for each code of a group of inputs, groups one after another. Inputs of few values
    share a group, whose codes are all combinations of theirs.
    """

    sums: NDArray[np.float64]  # slots x rows of a slot, x length of a moment row
    codes: NDArray[np.uint8]  # groups x rows of the table
    start: NDArray[np.int64]  # per group: its first row in a slot; one more for the end
    group: NDArray[np.int32]  # per input
    stride: NDArray[np.int32]  # per input: code of the group // stride % radix is the input's code
    radix: NDArray[np.int32]  # per input: how many codes it has there, one for missing values only where there are any
    free: NDArray[np.int32]  # slots that no node has, the first ones of the list
    impurity: NDArray[np.float64]  # per slot: of the node whose rows were summed last
    apart: NDArray[np.float64]  # two rows: the means of a node's smaller and larger child, less its own


class Candidates(NamedTuple):
    """The best split of each input tried at the node at hand."""

    gain: NDArray[np.float64]
    below: NDArray[np.int32]
    above: NDArray[np.int32]
    missing: NDArray[np.uint8]
    weight_left: NDArray[np.float64]


class Alternatives(NamedTuple):
    """Candidates that were not picked: a split of a node on an input, and what it would gain."""

    node: NDArray[np.int32]
    input: NDArray[np.int32]
    gain: NDArray[np.float64]


class Growth(NamedTuple):
    """The tree being grown, in codes. Children are neighbours and come after their parent."""

    start: NDArray[np.int64]  # a node's rows are rows[start:end]
    end: NDArray[np.int64]
    depth: NDArray[np.int32]
    split: NDArray[np.int32]  # the node's latest split, -1 for a leaf
    weight: NDArray[np.float64]
    impurity: NDArray[np.float64]  # summed over rows and targets
    value: NDArray[np.float64]  # nodes x width
    gain: NDArray[np.float64]  # per node that can be split
    constant: NDArray[np.uint64]  # per node, as in the workspace: its children need not look at these inputs
    frontier: NDArray[np.int32]  # nodes to expand: a stack, or a heap by gain
    slot: NDArray[np.int32]  # per node: where its sums are held, -1 for nowhere
    split_node: NDArray[np.int32]
    split_input: NDArray[np.int32]
    split_below: NDArray[np.int32]  # numeric: the highest code of the node's rows that goes left
    split_above: NDArray[np.int32]  # numeric: the lowest that goes right, n_codes if only missing ones do
    split_missing: NDArray[np.uint8]  # 1: missing goes left, 0: right; plus MISSING_SIDE_UNSEEN
    split_left: NDArray[np.int32]  # left child, the right one follows it; -1 while not expanded
    split_gain: NDArray[np.float64]
    set_start: NDArray[np.int64]  # nominal: the split's categories in the pool; each takes the side missing does not
    set_end: NDArray[np.int64]


class Batch(NamedTuple):
    """Trees to be grown one after another."""

    rows: NDArray[np.uint32]  # those of each tree after those of the one before; reordered in place
    start: NDArray[np.int64]  # per tree: its first place in `rows`; one more for the end
    weight: NDArray[np.float64]  # trees x rows of the table, or one row for all
    seed: NDArray[np.uint64]  # per tree: for what is drawn at a node, if anything is
    n_nodes: NDArray[np.int64]  # filled
    n_splits: NDArray[np.int64]  # filled


def list_division_steps() -> NDArray[np.int64]:
    """For each number of rows up to `FEW_ROWS`: a walk over all sets of them that are without the last one.

    In Gray code order each set differs from the one before in one row: step k adds row k of n, n + k takes it away.
    """
    steps = np.zeros((FEW_ROWS + 1, 1 << (FEW_ROWS - 1)), np.int64)
    for n in range(1, FEW_ROWS + 1):
        for number in range(1, 1 << (n - 1)):
            k = (number & -number).bit_length() - 1
            is_added = (number ^ (number >> 1)) >> k & 1
            steps[n, number - 1] = k if is_added else n + k
    return steps
