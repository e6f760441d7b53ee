"""Room for the sums that large nodes hold for their children (see `layout.HeldSums`), if these are of use."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.arrays import make_rows
from glade.data.coded import Columns
from glade.data.coding import MAX_BINS, CodedInputs
from glade.grow.layout import HeldSums

MIN_ROWS = 10_000  # of a tree whose nodes hold sums: smaller ones gain little, and need no further kernel
ROWS_A_CODE = 4.0  # of a node that holds its sums: with fewer rows for each code they are summed as fast
MOST_SLOTS, MOST_BYTES = 24, 1 << 25
FEW_VALUES = 16  # codes of an input that may share a group with others
NEVER = 1 << 40  # more rows than a node has


class Groups(NamedTuple):
    """Groups of inputs with a code for each combination of their codes, as `HeldSums` has them."""

    codes: NDArray[np.uint8]
    start: NDArray[np.int64]
    group: NDArray[np.int32]
    stride: NDArray[np.int32]
    radix: NDArray[np.int32]


def _list_members(columns: Columns) -> tuple[list[list[int]], list[int]]:
    """Neighbouring inputs of few values together, as long as their combinations fit a byte; how many codes each has."""
    members: list[list[int]] = []
    n_codes, n_joint = columns.n_codes.tolist(), 0
    radices = [n + bool((codes == n).any()) for n, codes in zip(n_codes, columns.narrow, strict=True)]
    for j, radix in enumerate(radices):
        if n_codes[j] <= FEW_VALUES and 0 < n_joint * radix <= MAX_BINS + 1:
            members[-1].append(j)
            n_joint *= radix
        else:
            members.append([j])
            n_joint = radix if n_codes[j] <= FEW_VALUES else 0  # 0: nothing joins it
    return members, radices


def group_inputs(columns: Columns) -> Groups:
    """Groups of inputs, all of which are narrow."""
    members, radices = _list_members(columns)
    n_codes = columns.n_codes.tolist()
    group, stride, radix = (np.ones(len(n_codes), np.int32) for _ in range(3))
    start, joined = [0], []
    for g, inputs in enumerate(members):
        codes, size = columns.narrow[inputs[0]], 1
        for j in inputs:
            own = radices[j] if len(inputs) > 1 else n_codes[j] + 1  # alone, it has a code for missing values
            codes = codes if size == 1 else codes + columns.narrow[j] * np.uint8(size)
            group[j], stride[j], radix[j] = g, size, own
            size *= own
        start.append(start[-1] + size)
        joined.append(codes)
    all_codes = columns.narrow if len(members) == len(n_codes) else np.stack(joined)
    return Groups(all_codes, np.array(start), group, stride, radix)


def are_of_use(columns: Columns, weights: NDArray[np.float64], n_rows: int, n_inputs_drawn: int) -> bool:
    """Whether children of numeric splits need not sum what their parent has: inputs are summed by code, in whole
    weights, so that what is taken away leaves nothing behind; there are many rows; and no more groups of inputs than a
    node tries inputs."""
    are_narrow = len(columns.narrow) == len(columns.n_codes)
    if n_rows < MIN_ROWS or not are_narrow or not (weights == np.floor(weights)).all():
        return False
    return n_inputs_drawn >= len(columns.n_codes) or n_inputs_drawn >= len(_list_members(columns)[0])


def make_held(inputs: CodedInputs | None, length: int) -> tuple[HeldSums, int]:
    """Room for sums of moment rows of this length, or for none; and how many rows a node with them has at least."""
    if inputs is None:
        none, nothing = np.empty(0, np.int32), np.empty((0, length))
        codes, start = np.empty((0, 0), np.uint8), np.zeros(1, np.int64)
        return HeldSums(nothing, codes, start, none, none, none, none, np.empty(0), nothing), NEVER
    groups = group_inputs(inputs.columns)
    n_groups, size = len(groups.codes), int(groups.start[-1])
    n_slots = min(MOST_SLOTS, MOST_BYTES // (8 * length * size))
    held = HeldSums(
        sums=make_rows(n_slots * size, length),
        codes=groups.codes,
        start=groups.start,
        group=groups.group,
        stride=groups.stride,
        radix=groups.radix,
        free=np.arange(n_slots, dtype=np.int32),
        impurity=np.empty(n_slots),
        apart=np.empty((2, length)),
    )
    return held, int(ROWS_A_CODE * size / n_groups) + 1
