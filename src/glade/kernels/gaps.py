"""Where between two neighbouring values of the training table a split cuts."""

import numpy as np

from glade.kernels.compile import inlined, kernel


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
def look_up_cuts(columns, split_input, below, above, known, cuts, is_asked):
    """cuts[i] = the known cut of split i, NaN for a nominal input, infinite above all values.

    Gives how many are not known; `is_asked` tells which, by the code below the cut.
    """
    n_unknown = 0
    for i in range(split_input.shape[0]):
        j = split_input[i]
        if columns.nominal[j]:
            cuts[i] = np.nan
        elif above[i] >= columns.n_codes[j]:
            cuts[i] = np.inf
        else:
            gap = find_gap(columns, j, below[i], above[i])
            cuts[i] = known[gap]
            if np.isnan(known[gap]):
                is_asked[gap] = True
                n_unknown += 1
    return n_unknown
