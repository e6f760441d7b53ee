"""The rules of a design that matter most in a dense model: what is worth more work."""

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, TargetRows
from glade.weights.cholesky import solve_definite

MAX_ROWS = 1_000  # an even sample says which rules matter
PENALTY = 0.1  # of the rows


def find_strongest_rules(design: Design, rows: TargetRows, k: int) -> NDArray[np.int64]:
    """The k rules whose ridge weights, found beside those of all other terms, change the targets most; in order.

    Parameters
    ----------
    design
        Rules and linear terms.
    rows
        The table and its targets; one that is not known counts as its mean.
    k
        How many.
    """
    if len(design.rules) <= k:
        return np.arange(len(design.rules))
    sample = np.arange(len(rows.matrix))[:: max(1, -(-len(rows.matrix) // MAX_ROWS))]
    weights = rows.counts[sample]
    root = np.sqrt(weights / weights.mean())[:, None]
    columns = design.values(rows.matrix[sample]).astype(np.float32)
    columns -= weights @ columns / weights.sum()
    columns *= root
    known = ~np.isnan(rows.y[sample])
    y = np.where(known, rows.y[sample], 0.0)
    y = np.where(known, y - weights @ y / np.maximum(weights @ known, 1e-300), 0.0) * root
    products = (columns @ columns.T).astype(np.float64)
    products.flat[:: len(products) + 1] += PENALTY * len(sample)
    along_rows = solve_definite(products, y)
    effect = np.linalg.norm(columns.T @ along_rows, axis=1) * np.linalg.norm(columns, axis=0)
    strongest = np.argsort(-effect[: len(design.rules)], kind="stable")[:k]
    return np.sort(strongest)
