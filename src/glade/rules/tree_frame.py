"""The leaves of a tree as a frame of terms, in the form of a rule ensemble's: exactly one of them applies to a row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.grow.node_table import NodeTable
from glade.rules.hard import list_conditions
from glade.rules.rule_set import RuleSet
from glade.rules.telling import add_told
from glade.rules.wording import EVERY_ROW

LEAF, OFFSET = "leaf", "offset"
CLOSE = 1e-9


def leaves_to_frame(rules: RuleSet, tree: NodeTable, observed: NDArray[np.float64], spread: NDArray[np.float64]) -> Any:
    """Return the offset and the leaves as a dataframe.

    Parameters
    ----------
    rules
        The leaves as rules.
    tree
        The tree with what it predicts at each node.
    observed
        Nodes x channels: the means of the training rows there.
    spread
        Of each target its standard deviation; 1 for a nominal one.

    Returns
    -------
    DataFrame
        As `RuleModel.to_frame` says: a leaf adds what its prediction is above that of the root.
    """
    import pandas as pd

    targets, leaves = rules.targets, rules.node
    frame = pd.DataFrame({"term": [EVERY_ROW, *rules.words], "kind": [OFFSET, *[LEAF] * len(rules)]})
    frame["conditions"] = pd.Series([[], *list_conditions(rules)], dtype=object)
    frame["rows"], frame["share"] = [np.nan, *rules.rows], [1.0, *rules.share]
    effect = tree.value[leaves] - tree.value[0]
    inside, share = observed[leaves], rules.share[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        outside = (observed[0] - share * inside) / (1.0 - share)
    is_whole = np.isclose((share * inside).sum(axis=0), observed[0], rtol=CLOSE, atol=CLOSE)
    outside[:, ~is_whole] = np.nan  # some targets were unknown: rows of a leaf count for others
    none = np.full((1, effect.shape[1]), np.nan)
    parts = {"": tree.value[:1], "inside": none, "outside": none}
    parts = {
        name: np.vstack((first, own))
        for (name, first), own in zip(parts.items(), (effect, inside, outside), strict=True)
    }
    frame = add_told(frame, targets, parts, None)
    relative = effect**2 / np.repeat(spread, np.diff(targets.start)) ** 2
    size = np.sqrt(np.add.reduceat(relative, targets.start[:-1], axis=1)).mean(axis=1)
    frame["importance"] = [np.nan, *(size * np.sqrt(rules.share * (1.0 - rules.share)))]
    return frame
