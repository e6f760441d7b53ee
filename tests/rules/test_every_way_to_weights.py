"""What every way to find weights must bear: gaps in targets, row weights, one row, targets that say nothing."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedRuleEnsemble,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
)
from tests.rules.tables import fit, hurry, make_table

X, Y = make_table(n_rows=120, seed=3)
ALL = pd.DataFrame({**Y, "way": np.where(Y["other"] > 0, "up", "down")})
WEIGHTS = ["auto", "greedy", "ridge", "lasso", "gradient"]
FAMILIES = {
    "numbers": (RuleEnsembleRegressor, ForestRegressor, ["number", "other"]),
    "classes": (RuleEnsembleClassifier, ForestClassifier, ["way"]),
    "mixed": (MixedRuleEnsemble, MixedForest, ["number", "way"]),
    "numbers of trees": (partial(RuleEnsembleRegressor, rules_from="trees"), ForestRegressor, ["number", "other"]),
    "mixed of trees": (partial(MixedRuleEnsemble, rules_from="trees"), MixedForest, ["number", "way"]),
}
pytestmark = [pytest.mark.parametrize("weights", WEIGHTS), pytest.mark.parametrize("family", FAMILIES)]


def make(family, weights, **settings):
    kind, forest, targets = FAMILIES[family]
    grove = forest(5, max_depth=2)
    return kind(grove, weights=hurry(weights), cv=2, random_state=0, **settings), ALL[targets]


def test_gaps_in_targets_and_row_weights(family, weights):
    max_rules = None if weights == "ridge" else 12
    model, y = make(family, weights, missing_targets="ignore", max_rules=max_rules)
    y = y.copy()
    y.iloc[::4, 0] = None
    fit(model, X, y if y.shape[1] > 1 else y.iloc[:, 0], sample_weight=np.arange(len(X)) % 3 + 0.5)
    assert 1 <= model.size_.terms <= (max_rules or np.inf)
    assert np.isfinite(model.terms_.effect).all()
    assert (
        model.score(X.iloc[1::4], ALL[y.columns].iloc[1::4] if y.shape[1] > 1 else ALL[y.columns[0]].iloc[1::4]) > 0.2
    )


def test_with_rules_is_a_fit_with_that_limit(family, weights):
    exact = {"cuts": "exact", "max_conditions": None}  # few rules would be cut and kept short in other ways than all
    model, y = make(family, weights, max_rules=None, **exact)
    y = y if y.shape[1] > 1 else y.iloc[:, 0]
    whole = fit(model, X, y)
    for k in (1, 5, 20):
        if weights == "ridge":
            with pytest.raises(ValueError, match="gives all rules weights"):
                fit(make(family, weights, max_rules=k)[0], X, y)
            continue
        limited = fit(make(family, weights, max_rules=k, **exact)[0], X, y)
        smaller = whole.with_rules(k)
        assert smaller.size_.terms <= k
        if weights in ("greedy", "lasso"):  # limits of the others are descents, or lean on what all terms say
            pd.testing.assert_frame_equal(limited.rules_.to_frame(), smaller.rules_.to_frame())


def test_one_row_and_constant_targets(family, weights):
    model, y = make(family, weights)
    y = y if y.shape[1] > 1 else y.iloc[:, 0]
    for rows in (slice(0, 1), slice(0, 2)):
        fit(model, X.iloc[rows], y.iloc[rows])
        assert len(model.predict(X)) == len(X)
    same = y.copy()
    same[:] = y.iloc[0].to_numpy() if y.ndim > 1 else y.iloc[0]
    fit(model, X, same)
    assert model.size_.terms == 0
