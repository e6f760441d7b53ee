"""What the kernels of ensembles take: arrays in named tuples, one dtype each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class NodePredictions(NamedTuple):
    """What a model says of the rows that come to each node, and what the node itself says of them."""

    classes: NDArray[np.int64]  # per target, 0 for a numeric one
    tally: NDArray[
        np.float64
    ]  # nodes x columns: how many rows the model gives each class, and more of a numeric target
    tally_at: NDArray[np.int64]  # per target: its first column
    predicted: NDArray[np.float64]  # nodes x targets: the node's class; the squared differences of a numeric target
    whole: NDArray[np.float64]  # per target: the sum of squares in which differences are measured
    summary_at: NDArray[np.int64]  # per target: its first place in a summary; one more for the end
