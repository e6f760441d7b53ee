"""A sample of the table's rows, as the page takes them."""

from typing import Any

import numpy as np

from glade.report.honest import Judged
from glade.report.numbers import exact, rounded
from glade.report.table_facts import ReadRows

MAX_UNSEEN = 12  # channels of which honest predictions of the sample are told
MAX_ROWS, MAX_CELLS = 2_000, 30_000


def sample_rows(rows: ReadRows, judged: Judged, seed: int = 0) -> dict[str, Any]:
    """Some rows, with their places in the table; categories as places of labels; honest predictions of them."""
    n_rows, n_inputs = rows.matrix.shape
    n_cells = n_inputs + len(rows.targets or ())
    n_shown = min(n_rows, MAX_ROWS, max(20, MAX_CELLS // n_cells))
    chosen = np.sort(np.random.default_rng(seed).permutation(n_rows)[:n_shown])
    targets = None if rows.targets is None else [exact(values[chosen]) for values in rows.targets]
    unseen = rounded(judged.values[chosen], 6) if judged.is_unseen and judged.values.shape[1] <= MAX_UNSEEN else None
    return {"places": chosen.tolist(), "x": exact(rows.matrix[chosen]), "y": targets, "of": n_rows, "unseen": unseen}
