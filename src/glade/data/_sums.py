"""Sums of rows by the codes of an input."""

from glade.core._compile import kernel


@kernel
def sum_by_code(codes, rows, values, sums):
    """Add to sums[c] the values of the rows with code c."""
    for i in range(rows.shape[0]):
        row = rows[i]
        code = codes[row]
        for s in range(values.shape[1]):
            sums[code, s] += values[row, s]
