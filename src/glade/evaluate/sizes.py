"""How large a fitted model is, ours or scikit-learn's."""

from typing import Any

import numpy as np

SIZES = ("trees", "nodes", "leaves", "rules", "conditions", "terms")


def measure_size(model: Any) -> dict[str, int]:
    """The counts that apply, among SIZES; empty for models that are none of trees, forests and rules.

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
        return {name: sum(part.get(name, 0) for part in parts) for name in SIZES if any(name in p for p in parts)}
    return {}
