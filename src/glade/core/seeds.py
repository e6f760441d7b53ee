"""Seeds."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

MAX_SEED = np.iinfo(np.int32).max


def draw_seed(random_state: Any) -> int:
    """A seed from what scikit-learn calls a random state: None, a number or a generator."""
    return int(check_random_state(random_state).randint(MAX_SEED))
