"""How large a fitted model is, ours or scikit-learn's."""

from typing import Any

import numpy as np

COUNTS = ("trees", "nodes", "leaves", "rules", "conditions", "terms")
SIZE = "size"  # one number for models of any kind
SIZES = (*COUNTS, SIZE)


def measure_size(model: Any) -> dict[str, int]:
    """The counts that apply, among COUNTS; empty for models that are none of trees, forests and rules.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> measure_size(DecisionTreeClassifier().fit([[0], [1]], [0, 1]))
    {'trees': 1, 'nodes': 3, 'leaves': 2}
    """
    if hasattr(model, "steps"):  # a pipeline
        return measure_size(model.steps[-1][1])
    if hasattr(model, "size_"):
        return {name: int(count) for name, count in model.size_._asdict().items() if count is not None}
    if hasattr(model, "tree_"):
        return {"trees": 1, "nodes": int(model.tree_.node_count), "leaves": int(model.tree_.n_leaves)}
    if hasattr(model, "estimators_"):
        parts = [measure_size(part) for part in np.ravel(model.estimators_)]
        return {name: sum(part.get(name, 0) for part in parts) for name in COUNTS if any(name in p for p in parts)}
    return {}


def measure_parts(counts: dict[str, int]) -> int | None:
    """How many parts a model adds up or chooses from: its terms, or of trees and forests all leaves.

    It is what models of different kinds are compared by, as rules are with the leaves of trees; None where neither is
    known.

    >>> measure_parts({"rules": 18, "conditions": 40, "terms": 20}), measure_parts({"trees": 2, "leaves": 9})
    (20, 9)
    """
    return counts.get("terms", counts.get("leaves"))
