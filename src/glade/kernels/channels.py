"""Numeric targets to channels."""

import numpy as np

from glade.kernels.compile import kernel


@kernel
def scale_targets(values, weights, factor, other_factor, columns, scaled, deviation):
    """scaled[i, columns[t]] = values[t, i] * factor[t] * other_factor[t]; deviation[t] = their standard deviation.

    Unknown values (NaN) become the mean, and count for nothing. Differences from the first known value are summed: the
    deviation of 1e9 + tiny is that of tiny.
    """
    n_rows = values.shape[1]
    for t in range(values.shape[0]):
        c, start = columns[t], 0
        while start < n_rows - 1 and np.isnan(values[t, start]):
            start += 1
        first = values[t, start] * factor[t] * other_factor[t]
        first = first if first == first else 0.0  # nothing is known
        whole, total, squares = 0.0, 0.0, 0.0
        for i in range(n_rows):
            apart = values[t, i] * factor[t] * other_factor[t] - first
            is_known = apart == apart
            whole += weights[i] if is_known else 0.0
            total += weights[i] * apart if is_known else 0.0
        whole = max(whole, np.finfo(np.float64).tiny)
        mean = first + total / whole
        for i in range(n_rows):
            centred = values[t, i] * factor[t] * other_factor[t] - first - total / whole
            squares += weights[i] * centred * centred if centred == centred else 0.0
        for i in range(n_rows):
            value = values[t, i] * factor[t] * other_factor[t]
            scaled[i, c] = value if value == value else mean
        deviation[t] = np.sqrt(squares / whole)
