"""Where between two neighbouring values of the training table a split cuts."""

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
def find_gaps(columns, split_input, below, above, gaps):
    """gaps[i] = the code below the cut of numeric split i, over all inputs' codes in a row."""
    for i in range(split_input.shape[0]):
        gaps[i] = find_gap(columns, split_input[i], below[i], above[i])
