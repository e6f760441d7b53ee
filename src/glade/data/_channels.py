"""Numeric targets to channels, and back."""

import numpy as np

from glade.core._compile import exact_part, kernel


@exact_part
def scale_value(value, factor, other_factor):
    """The product, from left to right: the factors' own may be no double."""
    return value * factor * other_factor


@exact_part
def take_away(value, other):
    """The difference, as it stands: what else is taken away must not be added to `other` first."""
    return value - other


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
        first = scale_value(values[t, start], factor[t], other_factor[t])
        first = first if first == first else 0.0  # nothing is known
        whole, total, squares = 0.0, 0.0, 0.0
        for i in range(n_rows):
            apart = take_away(scale_value(values[t, i], factor[t], other_factor[t]), first)
            is_known = apart == apart
            whole += weights[i] if is_known else 0.0
            total += weights[i] * apart if is_known else 0.0
        whole = max(whole, np.finfo(np.float64).tiny)
        shift = total / whole
        for i in range(n_rows):
            apart = take_away(scale_value(values[t, i], factor[t], other_factor[t]), first)
            centred = take_away(apart, shift)
            squares += weights[i] * centred * centred if centred == centred else 0.0
        for i in range(n_rows):
            value = scale_value(values[t, i], factor[t], other_factor[t])
            scaled[i, c] = value if value == value else first + shift
        deviation[t] = np.sqrt(squares / whole)


@kernel
def scale_columns(rows, factor, other_factor, scaled):
    """scaled[i, c] = rows[i, c] * factor[c] * other_factor[c], for the columns that it has."""
    for i in range(scaled.shape[0]):
        for c in range(scaled.shape[1]):
            scaled[i, c] = scale_value(rows[i, c], factor[c], other_factor[c])
