"""Where between two neighbouring values of the training table a split cuts."""

import numpy as np

from glade.core._compile import inlined, kernel


@inlined
def find_gap(columns, j, below, above):
    """The code below the cut of a split of input j, over all inputs' codes in a row.

    A split lies between the codes `below` and `above` of its node; the midpoint of their values lies between two
    neighbouring codes of the whole table.
    """
    start = columns.start[j]
    first, last = start + below, start + above - 1
    middle = columns.high[first] / 2 + columns.low[last + 1] / 2
    while first < last:  # the last code whose lowest value is not above the midpoint
        k = (first + last + 1) // 2
        if columns.low[k] <= middle:
            first = k
        else:
            last = k - 1
    return first


@kernel
def find_gaps(columns, split_input, below, above, gaps, cuts):
    """gaps[i] = the code below the cut of split i, over all inputs' codes in a row.

    It is -1 where the split cuts between no two values, and cuts[i] says so: NaN for a nominal input, infinite above
    all values.
    """
    for i in range(split_input.shape[0]):
        j = split_input[i]
        gaps[i] = -1
        if columns.nominal[j]:
            cuts[i] = np.nan
        elif above[i] >= columns.n_codes[j]:
            cuts[i] = np.inf
        else:
            gaps[i] = find_gap(columns, j, below[i], above[i])
