"""With which values the bins of an input begin: quantile bins, fine ones at the ends."""

from glade.core._compile import exact_part, kernel

COARSE_ROWS = 16  # bins of so many rows or more are coarse: the ends of the input get finer ones
FINE_SHARE = 8  # of so many bins one at most, at either end
FINE_ALIKE = 4  # fine bins of one size, before the next ones are twice as large


@exact_part
def fill_ends(total, unit, max_bins, ends):
    """Where one bin ends and the next begins, on a line of so many rows: all bins alike, but for fine ones at the ends.

    The best cut of an input that says nothing splits off a few rows: it leaves the others together, for the inputs that
    do say something. Coarse bins at the ends would make it waste them.

    Parameters
    ----------
    total, unit
        The length of the line, and that of one row.
    max_bins
        The number of bins.
    ends
        Filled, one less than there are bins.
    """
    share, size, n_fine, left = total / max_bins, unit, 0, 0.0
    while n_fine < max_bins // FINE_SHARE and size < share and share >= COARSE_ROWS * unit:
        left += size
        ends[n_fine] = left
        n_fine += 1
        size *= 2.0 if n_fine % FINE_ALIKE == 0 else 1.0
    n_inner = max_bins - 2 * n_fine
    step = (total - left - left) / n_inner
    for k in range(1, n_inner):
        ends[n_fine + k - 1] = left + k * step
    for k in range(n_fine):
        ends[max_bins - 2 - k] = total - ends[k]


@exact_part
def divide_rows(starts, max_bins, ends, first):
    """Divide the rows into bins of the same number, each moved back to where its first value begins.

    Returns whether all bins then differ.
    """
    fill_ends(float(starts[-1]), 1.0, max_bins, ends)
    first[0], v = 0, 0
    for k in range(max_bins - 1):
        row = int(ends[k])
        while starts[v + 1] <= row:
            v += 1
        if v == first[k]:
            return False
        first[k + 1] = v
    return True


@exact_part
def divide_weight(mass, max_bins, ends, first):
    """Divide the values into bins of about the same weight. Returns the number of bins.

    A value heavier than a bin's share counts as one share, so that a column of many zeros keeps its bins for the rest.
    """
    whole, n_values = 0.0, mass.shape[0]
    for v in range(n_values):
        whole += mass[v]
    share, n_light = whole / max_bins, n_values
    while True:  # each heavy value lowers the others' share
        light, n_lighter = 0.0, 0
        for v in range(n_values):
            if mass[v] <= share:
                light += mass[v]
                n_lighter += 1
        if n_lighter == 0 or n_lighter == n_light:
            break
        share, n_light = light / (max_bins - n_values + n_lighter), n_lighter
    total = 0.0
    for v in range(n_values):
        total += min(mass[v], share)
    fill_ends(total, total / n_values, max_bins, ends)
    end, k, before, n_bins = 0.0, 0, -1, 0
    for v in range(n_values):
        counted = min(mass[v], share)
        end += counted
        while k < max_bins - 1 and ends[k] <= end - counted / 2:
            k += 1
        if k != before:
            first[n_bins] = v
            n_bins += 1
        before = k
    return n_bins


@kernel
def start_bins(starts, mass, max_bins, ends, first):
    """Divide the values of an input, more than `max_bins` of them, into quantile bins.

    Parameters
    ----------
    starts
        Where each distinct value begins among the ordered rows, and the number of rows at the end.
    mass
        The weight of each distinct value; empty where all rows count alike.
    max_bins
        The most bins there may be.
    ends
        Buffer for the places where bins end.
    first
        Filled: with which value each bin begins, by the values' numbers, and at the end the number of values.

    Returns
    -------
    int
        The number of bins; 0 without `mass`, where common values make two bins coincide.
    """
    if mass.shape[0] == 0:
        n_bins = max_bins if divide_rows(starts, max_bins, ends, first) else 0
    else:
        n_bins = divide_weight(mass, max_bins, ends, first)
    first[n_bins] = starts.shape[0] - 1
    return n_bins
