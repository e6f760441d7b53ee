"""Where between two neighbouring values of the training table a split cuts."""

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
def find_gaps(columns, split_input, below, above, gaps):
    """gaps[i] = the code below the cut of split i; -1 for a cut that has no value."""
    for i in range(split_input.shape[0]):
        j = split_input[i]
        if columns.nominal[j] or above[i] >= columns.n_codes[j]:
            gaps[i] = -1
        else:
            gaps[i] = find_gap(columns, j, below[i], above[i])
