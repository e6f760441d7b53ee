"""Ordered values to codes."""

from glade.core._compile import kernel


@kernel
def find_distinct(values, rows, distinct, starts):
    """Fill `distinct` with the distinct ones of the values that these rows have, which ascend.

    `starts` is filled with the place among the rows where each of them begins, and after that with the number of rows.
    Returns how many distinct values there are.
    """
    n = 0
    for i in range(rows.shape[0]):
        value = values[rows[i]] + 0.0  # one zero, not two
        if n == 0 or value != distinct[n - 1]:
            distinct[n], starts[n] = value, i
            n += 1
    starts[n] = rows.shape[0]
    return n


@kernel
def write_codes(rows, starts, narrow, wide):
    """Give the rows from starts[k] to starts[k + 1] the code k, and all others the code after the last.

    Parameters
    ----------
    rows
        Of the known values, in order.
    starts
        Where each code starts, and the number of known values at the end.
    narrow, wide
        Codes of one byte and of four; the one of them that is not empty is filled.
    """
    n_codes, is_narrow = starts.shape[0] - 1, narrow.shape[0] > 0
    n_rows = max(narrow.shape[0], wide.shape[0])
    for i in range(n_rows if rows.shape[0] < n_rows or n_codes == 0 else 0):
        if is_narrow:
            narrow[i] = n_codes
        else:
            wide[i] = n_codes
    for k in range(n_codes):
        for i in range(starts[k], starts[k + 1]):
            if is_narrow:
                narrow[rows[i]] = k
            else:
                wide[rows[i]] = k
