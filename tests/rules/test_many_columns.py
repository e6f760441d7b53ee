"""A frame of the terms of many targets has hundreds of columns, which are added at once."""

import warnings

import numpy as np
import pandas as pd

from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor

N_TARGETS = 110


def test_a_frame_of_many_targets_is_not_fragmented():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"])
    y = pd.DataFrame({f"y{k}": X["a"] * k + X["b"] + rng.normal(size=80) for k in range(N_TARGETS)})
    models = [
        RuleEnsembleRegressor(ForestRegressor(3, max_depth=2), max_rules=3, cv=2, random_state=0),
        TreeRegressor(max_leaf_nodes=3),
    ]
    for model in models:
        model.fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.PerformanceWarning)
            frame = model.to_frame()
        assert {f"y{k}" for k in range(N_TARGETS)} <= set(frame.columns)
        assert frame.columns[-1] == "importance"
        assert len(frame.columns) == len(set(frame.columns)) > 3 * N_TARGETS
