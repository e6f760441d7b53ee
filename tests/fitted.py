"""Fitted models of every kind, small, for tests of what all of them must bear."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from glade import (
    BeamTreeClassifier,
    BeamTreeRegressor,
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    Gradient,
    MixedForest,
    MixedMultiTree,
    MixedRuleEnsemble,
    MixedRuleList,
    MixedTree,
    MultiTreeClassifier,
    MultiTreeRegressor,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    RuleListClassifier,
    RuleListRegressor,
    ScoreCardClassifier,
    SoftRulesClassifier,
    SoftRulesRegressor,
    TreeClassifier,
    TreeRegressor,
)

N_ROWS = 300


@cache
def make_table() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Inputs of every kind with missing values, more than 64 categories and unused ones; targets of every kind."""
    rng = np.random.default_rng(0)
    size = np.round(rng.normal(10, 3, N_ROWS), 2)
    city = rng.integers(0, 90, N_ROWS)
    X = pd.DataFrame(
        {
            "size": np.where(rng.random(N_ROWS) < 0.1, np.nan, size),
            "city": pd.Categorical([f"city {c:02d}" for c in city], categories=[f"city {c:02d}" for c in range(95)]),
            "wet": rng.random(N_ROWS) < 0.5,
            "grade": pd.Categorical(rng.choice(["low", "mid", "high"], N_ROWS), ["low", "mid", "high"], ordered=True),
            "part": pd.cut(rng.random(N_ROWS), 4),
            "zone": pd.Categorical(rng.integers(5, 9, N_ROWS)),
        }
    )
    X.loc[::17, "city"] = None
    effect = rng.normal(0, 2, 90)[city] + size + 3 * X["wet"]
    grade = X["grade"].cat.codes.to_numpy()
    y = pd.DataFrame(
        {
            "amount": effect + rng.normal(0, 0.5, N_ROWS),
            "count": np.round(grade + effect),
            "kind": np.array(["a", "b", "c"])[np.clip(((effect - 8) // 3).astype(int), 0, 2)],
            "level": np.clip((grade + rng.integers(0, 2, N_ROWS)), 0, 3),
            "yes": effect > 11,
            "large": X["size"] > 8,  # one input alone decides it
        }
    )
    return X, y


def _fit(model: Any, targets: list[str], missing: bool = False, **more: Any) -> Any:
    X, y = make_table()
    y = y[targets].copy()
    if missing:
        y[targets[0]] = y[targets[0]].where(np.arange(N_ROWS) % 7 > 0)
        y[targets[-1]] = y[targets[-1]].where(np.arange(N_ROWS) % 5 > 0)
    return model.fit(X, y if len(targets) > 1 else y[targets[0]], **more)


NUMBERS, CLASSES, ALL = ["amount", "count"], ["kind", "level", "yes"], ["kind", "amount", "level"]
GROVE, BOOSTED = ForestRegressor(8, max_depth=3), ForestRegressor(6, method="boosting")
CLASS_GROVE, CLASS_BOOSTED = ForestClassifier(8, max_depth=3), ForestClassifier(4, method="boosting", max_depth=2)
WEIGHTS = 1.0 + np.arange(N_ROWS) % 3

MAKERS: dict[str, Callable[[], Any]] = {
    "tree, one number": lambda: _fit(TreeRegressor(min_samples_leaf=3), ["amount"]),
    "tree, numbers, pruned": lambda: _fit(TreeRegressor(ccp_alpha="cv", cv=3, random_state=1), NUMBERS),
    "tree, classes, pruned": lambda: _fit(TreeClassifier(ccp_alpha="cv", cv=3, random_state=1), ["kind", "yes"]),
    "tree, text": lambda: _fit(TreeClassifier(max_depth=5), ["kind"]),
    "tree, whole numbers": lambda: _fit(TreeClassifier(class_weight={0: 1, 1: 2.5}), ["level"]),
    "tree, costs": lambda: _fit(TreeClassifier(max_depth=4, cost_matrix={"b": {"a": 7.5}}), ["kind"]),
    "tree, nice cuts": lambda: _fit(TreeRegressor(cuts="nice", max_depth=5), ["amount"]),
    "tree, signs of classes": lambda: _fit(
        TreeClassifier(monotonic_cst={"a": {"size": -1}, "c": {"size": 1}}, max_leaf_nodes=12), ["kind"]
    ),
    "tree, mixed, decided": lambda: _fit(
        MixedTree(cost_matrix={"kind": {"b": {"a": 7.5}}}, cuts="nice", event={"yes": False}, max_depth=4),
        ["kind", "amount", "yes"],
    ),
    "forest, mixed, decided": lambda: _fit(
        MixedForest(3, event={"yes": True}, threshold={"yes": 0.3}, random_state=0), ["amount", "yes"]
    ),
    "rules, signs of a class": lambda: _fit(
        RuleEnsembleClassifier(
            CLASS_GROVE, monotonic_cst={"b": {"size": -1}}, max_rules=6, cv=2, threshold=None, random_state=0
        ),
        ["kind"],
    ),
    "multi-tree, m-estimates": lambda: _fit(
        MultiTreeClassifier(
            15, m_estimate=3.0, cost_matrix={"kind": {"b": {"a": 7.5}}}, min_samples_leaf=15, random_state=0
        ),
        ["kind", "yes"],
    ),
    "tree, booleans": lambda: _fit(TreeClassifier(criterion="entropy"), ["yes"]),
    "tree, classes": lambda: _fit(TreeClassifier(max_leaf_nodes=20), CLASSES, sample_weight=WEIGHTS),
    "tree, mixed": lambda: _fit(MixedTree(target_weights={"kind": 2}, max_leaf_nodes=15), ALL, missing=True),
    "beam tree, numbers": lambda: _fit(BeamTreeRegressor(4, diversity=0.5, max_leaf_nodes=6), NUMBERS),
    "beam tree, classes": lambda: _fit(
        BeamTreeClassifier(3, max_leaf_nodes=5, missing_targets="ignore"), CLASSES, missing=True, sample_weight=WEIGHTS
    ),
    "tree of one leaf": lambda: _fit(TreeRegressor(min_samples_leaf=N_ROWS), ["amount"]),
    "forest, numbers": lambda: _fit(ForestRegressor(5, oob_score=True, n_jobs=2, random_state=0), NUMBERS),
    "forest, per target": lambda: _fit(ForestRegressor(4, per_target=True, random_state=0), NUMBERS),
    "forest, boosted": lambda: _fit(ForestRegressor(8, method="boosting", random_state=0), NUMBERS),
    "forest, counts": lambda: _fit(ForestRegressor(6, method="boosting", loss="poisson", random_state=0), ["level"]),
    "forest, quantiles": lambda: _fit(
        ForestRegressor(6, method="boosting", loss="quantile", quantile=0.8, random_state=0), NUMBERS
    ),
    "forest, classes": lambda: _fit(ForestClassifier(4, voting="majority", random_state=np.int64(3)), CLASSES),
    "forest, classes boosted": lambda: _fit(ForestClassifier(6, method="boosting", random_state=0), ["kind"]),
    "forest, extra trees": lambda: _fit(ForestClassifier(3, method="extra_trees", random_state=0), ["yes"]),
    "forest, mixed": lambda: _fit(MixedForest(4, random_state=0), ALL, missing=True),
    "forest, mixed per target": lambda: _fit(MixedForest(3, per_target=True, random_state=0), ALL),
    "multi-tree, numbers": lambda: _fit(MultiTreeRegressor(20, min_samples_leaf=20, random_state=0), NUMBERS),
    "multi-tree, classes": lambda: _fit(
        MultiTreeClassifier(15, fusion="vote", criterion="gain_ratio", min_samples_leaf=15, random_state=0), CLASSES
    ),
    "multi-tree, mixed": lambda: _fit(MixedMultiTree(12, min_samples_leaf=15, random_state=0), ALL, missing=True),
    "rules": lambda: _fit(RuleEnsembleRegressor(GROVE, max_rules=12, random_state=0), NUMBERS),
    "rules, logic": lambda: _fit(
        RuleEnsembleRegressor(GROVE, logic=True, max_rules=6, cv=2, random_state=0), ["amount"]
    ),
    "rules, all": lambda: _fit(RuleEnsembleRegressor([GROVE, BOOSTED], max_rules=None, random_state=0), ["amount"]),
    "rules, gradient": lambda: _fit(
        RuleEnsembleRegressor(GROVE, weights=Gradient(max_iter=200), max_rules="auto", random_state=0), ["amount"]
    ),
    "rules, class": lambda: _fit(RuleEnsembleClassifier(CLASS_GROVE, max_rules=8, random_state=0), ["kind"]),
    "rules, two classes": lambda: _fit(RuleEnsembleClassifier(CLASS_GROVE, weights="ridge", random_state=0), ["yes"]),
    "rules, classes": lambda: _fit(RuleEnsembleClassifier(CLASS_GROVE, random_state=0), CLASSES, sample_weight=WEIGHTS),
    "rules, mixed": lambda: _fit(
        MixedRuleEnsemble(MixedForest(8, max_depth=3), max_rules=10, random_state=0), ALL, missing=True
    ),
    "rulefit": lambda: _fit(RuleFitRegressor(BOOSTED, random_state=0), NUMBERS),
    "rulefit, counts": lambda: _fit(RuleFitRegressor(BOOSTED, loss="poisson", max_rules=12, random_state=0), ["level"]),
    "rulefit, quantiles": lambda: _fit(
        RuleFitRegressor(BOOSTED, loss="quantile", quantile=0.8, random_state=0), NUMBERS, sample_weight=WEIGHTS
    ),
    "rules, huber": lambda: _fit(
        RuleEnsembleRegressor(BOOSTED, weights="lasso", loss="huber", max_rules=8, random_state=0), ["amount"]
    ),
    "rulefit, classes": lambda: _fit(
        RuleFitClassifier(CLASS_BOOSTED, max_rules=10, cv=2, random_state=0), ["yes", "kind"]
    ),
    "rule list": lambda: _fit(RuleListRegressor(6, cv=2, random_state=0), NUMBERS),
    "rule list, classes, unordered": lambda: _fit(
        RuleListClassifier(8, ordered=False, width=2, cv=2, random_state=0), CLASSES, sample_weight=WEIGHTS
    ),
    "rule list, mixed": lambda: _fit(MixedRuleList(5, cv=2, cuts="exact", random_state=0), ALL, missing=True),
    "score card": lambda: _fit(ScoreCardClassifier(4, generator=CLASS_GROVE, cv=2, random_state=0), ["yes"]),
    "rules, soft": lambda: _fit(RuleEnsembleRegressor(GROVE, soft=True, max_rules=8, random_state=0), NUMBERS),
    "rules, soft and hard": lambda: _fit(
        RuleEnsembleClassifier(CLASS_GROVE, soft="both", weights="ridge", max_rules=None, random_state=0), ["kind"]
    ),
    "soft rules": lambda: _fit(SoftRulesRegressor(GROVE, max_rules=6, cv=2, random_state=0), ["amount"]),
    "soft rules, classes": lambda: _fit(
        SoftRulesClassifier(CLASS_GROVE, weights="auto", max_rules=6, cv=2, random_state=0), ["yes"]
    ),
    "soft rules, one input": lambda: _fit(
        SoftRulesClassifier(CLASS_GROVE, max_rules=6, cv=2, random_state=0), ["large"]
    ),
    "soft rules, one input, number": lambda: _fit(SoftRulesRegressor(GROVE, cv=2, random_state=0), ["large"]),
    "fire": lambda: _fit(
        FIRERegressor(
            ForestRegressor(8, max_depth=4), missing_targets="ignore", weights=Gradient(max_iter=200), random_state=0
        ),
        NUMBERS,
        missing=True,
        sample_weight=WEIGHTS,
    ).with_rules(10),
}


@cache
def fit(name: str) -> Any:
    """The model of this name."""
    return MAKERS[name]()


@cache
def make_new_rows() -> pd.DataFrame:
    """The inputs in another order, with further missing values and with categories that training never saw."""
    X = make_table()[0].sample(frac=1, random_state=1).reset_index(drop=True)
    X["city"] = X["city"].astype(object)
    X.loc[:9, "city"] = "elsewhere"
    X.loc[5:30, "size"] = np.nan
    X.loc[20:40, "grade"] = None
    return X
