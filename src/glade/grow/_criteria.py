"""What is left unexplained of a target in a set of rows, by criterion.

Squares are told by centred sums (`_split.score_division`). Every other criterion measures the classes' weights in a set
of rows: to add one, add its number (`data/criteria.py`) and its formula here.
"""

import numpy as np

from glade.core._compile import exact_part, inlined


@inlined
def weight_log2(w):
    return w * np.log2(w) if w > 0.0 else 0.0


@exact_part
def measure_classes(kind, cells, row, less, first, last):
    """Return the impurity, times weight, of the rows whose classes weigh cells[row] - cells[less].

    Of one class alone it is exactly zero, so products are rounded before they are added up.

    Parameters
    ----------
    kind
        The criterion's number.
    less
        A cell whose rows are left out; -1 for none.
    first, last
        The classes' channels are first to last - 1.
    """
    whole, impurity = 0.0, 0.0
    for c in range(first, last):
        own = cells[row, c] - cells[less, c] if less >= 0 else cells[row, c]
        whole += own
        impurity -= weight_log2(own)
    impurity += weight_log2(whole)
    return max(impurity, 0.0)
