"""Where the bins of an input begin: quantile bins, fine ones at the ends."""

from glade.core._compile import exact_part

COARSE_ROWS = 16  # bins of so many rows or more are coarse: the ends of the input get finer ones
FINE_SHARE = 8  # of so many bins one at most, at either end
FINE_ALIKE = 4  # fine bins of one size, before the next ones are twice as large


@exact_part
def fill_edges(total, unit, max_bins, edges):
    """Where one bin ends and the next begins, on a line of so many rows: all bins alike, but for fine ones at the ends.

    The best cut of an input that says nothing splits off a few rows: it leaves the others together, for the inputs that
    do say something. Coarse bins at the ends would make it waste them.

    Parameters
    ----------
    total, unit
        The length of the line, and that of one row.
    max_bins
        How many bins.
    edges
        Filled, one less than there are bins.
    """
    share, size, n_fine, left = total / max_bins, unit, 0, 0.0
    while n_fine < max_bins // FINE_SHARE and size < share and share >= COARSE_ROWS * unit:
        left += size
        edges[n_fine] = left
        n_fine += 1
        size *= 2.0 if n_fine % FINE_ALIKE == 0 else 1.0
    n_inner = max_bins - 2 * n_fine
    step = (total - left - left) / n_inner
    for k in range(1, n_inner):
        edges[n_fine + k - 1] = left + k * step
    for k in range(n_fine):
        edges[max_bins - 2 - k] = total - edges[k]


@exact_part
def start_bins_by_rows(ordered, n, max_bins, edges, starts):
    """Bins of rows that count alike, moved to the first row of an equal value. Gives whether no two then coincide."""
    fill_edges(float(n), 1.0, max_bins, edges)
    starts[0] = 0
    for k in range(max_bins - 1):
        first = int(edges[k])
        while first > starts[k] and ordered[first] == ordered[first - 1]:
            first -= 1
        if first == starts[k]:
            return False
        starts[k + 1] = first
    return True


@exact_part
def start_bins_by_mass(mass, n_distinct, max_bins, edges, starts):
    """Bins of distinct values, which come with where they start, by their weight. Gives the number of bins.

    A value heavier than a bin's share counts as one share, so that a column of many zeros keeps its bins for the rest.
    `starts` holds where each value starts, then where each bin does.
    """
    whole = 0.0
    for v in range(n_distinct):
        whole += mass[v]
    share, n_light = whole / max_bins, n_distinct
    while True:  # each heavy value lowers the others' share
        light, n_lighter = 0.0, 0
        for v in range(n_distinct):
            if mass[v] <= share:
                light += mass[v]
                n_lighter += 1
        if n_lighter == 0 or n_lighter == n_light:
            break
        share, n_light = light / (max_bins - n_distinct + n_lighter), n_lighter
    total = 0.0
    for v in range(n_distinct):
        total += min(mass[v], share)
    fill_edges(total, total / n_distinct, max_bins, edges)
    end, k, before, n_bins = 0.0, 0, -1, 0
    for v in range(n_distinct):
        counted = min(mass[v], share)
        end += counted
        while k < max_bins - 1 and edges[k] <= end - counted / 2:
            k += 1
        if k != before:
            starts[n_bins] = starts[v]
            n_bins += 1
        before = k
    return n_bins
