"""Coded inputs and targets as kernels take them: arrays in named tuples, one dtype each, so that each kernel has one
signature."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class CodedColumns(NamedTuple):
    """Coded inputs. Codes run from 0 to n_codes - 1; a missing cell holds n_codes."""

    narrow: NDArray[np.uint8]  # inputs with at most 255 codes, one row each
    wide: NDArray[np.int32]  # all other inputs, one row each
    place: NDArray[np.int32]  # per input: its row in `narrow`, or -1 - its row in `wide`
    n_codes: NDArray[np.int32]
    nominal: NDArray[np.uint8]
    low: NDArray[np.float64]  # the lowest value of each code, all inputs in a row
    high: NDArray[np.float64]  # the highest
    start: NDArray[np.int64]  # per input: its first place in `low` and `high`; one more for the end


class Channels(NamedTuple):
    """Encoded targets. The channels of target t are target_start[t] .. target_start[t + 1] - 1."""

    y: NDArray[np.float64]  # rows x channels
    known: NDArray[np.uint8]  # rows x targets, or no rows at all when every target value is known
    scale: NDArray[np.float64]  # multiplies a centred channel
    numeric: NDArray[np.uint8]  # per channel
    target_start: NDArray[np.int32]
    kind: NDArray[np.int32]  # per target: the number of its criterion
    factor: NDArray[np.float64]  # per target: multiplies what a division gains; 1 for squares, which `scale` weighs
    weight: NDArray[np.float64]  # per row
