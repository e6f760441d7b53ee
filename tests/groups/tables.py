"""A table whose rows come in groups: one input tells the groups apart, and nothing else has to do with the target."""

import numpy as np
import pandas as pd

from glade import (
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    Gradient,
    MixedForest,
    MixedRuleEnsemble,
    MixedTree,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SoftRulesClassifier,
    SoftRulesRegressor,
    TreeClassifier,
    TreeRegressor,
)

N_GROUPS, ROWS_A_GROUP = 24, 6
SMALL = {"max_depth": 3, "min_samples_leaf": 2}


def make_rows(seed=4, n_groups=N_GROUPS):
    """Inputs, numbers, classes and groups. Whoever sees a part of a group knows the target of the rest of it."""
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(n_groups), ROWS_A_GROUP))
    mark = rng.permutation(n_groups)[groups].astype(float)
    X = np.column_stack([mark, rng.random(len(groups))])
    numbers = rng.normal(size=n_groups)[groups] + rng.normal(0, 0.05, len(groups))
    classes = np.array(["no", "yes"])[rng.permutation(np.arange(n_groups) % 2)[groups]]
    return X, numbers, classes, groups


def make_both(numbers, classes):
    """The targets of a mixed estimator."""
    return pd.DataFrame({"number": numbers, "class": classes})


def forest(kind, n_trees=8, **settings):
    """A few small trees."""
    return kind(n_trees, **{**SMALL, **settings})


# Estimators that choose by folds, each with the target it is for: "numbers", "classes" or "both".
BY_FOLDS = {
    "tree of numbers": (TreeRegressor(ccp_alpha="cv", random_state=0), "numbers"),
    "tree of classes": (TreeClassifier(ccp_alpha="cv", random_state=0), "classes"),
    "tree of both": (MixedTree(ccp_alpha="cv", random_state=0), "both"),
    "rules of numbers": (RuleEnsembleRegressor(forest(ForestRegressor), random_state=0), "numbers"),
    "rules of classes": (RuleEnsembleClassifier(forest(ForestClassifier), random_state=0), "classes"),
    "rules of both": (MixedRuleEnsemble(forest(MixedForest), random_state=0), "both"),
    "greedy rules": (RuleEnsembleRegressor(forest(ForestRegressor), weights="greedy", random_state=0), "numbers"),
    "ridge rules": (
        RuleEnsembleRegressor(forest(ForestRegressor), weights="ridge", max_rules=None, random_state=0),
        "numbers",
    ),
    "whole trees": (RuleEnsembleRegressor(forest(ForestRegressor), rules_from="trees", random_state=0), "numbers"),
    "fire": (FIRERegressor(forest(ForestRegressor), weights=Gradient(max_iter=300), random_state=0), "numbers"),
    "rulefit of numbers": (
        RuleFitRegressor(forest(ForestRegressor, method="boosting"), max_rules=None, random_state=0),
        "numbers",
    ),
    "rulefit of classes": (RuleFitClassifier(forest(ForestClassifier, method="boosting"), random_state=0), "classes"),
    "soft rules of numbers": (SoftRulesRegressor(forest(ForestRegressor), cv=4, random_state=0), "numbers"),
    "soft rules of classes": (SoftRulesClassifier(forest(ForestClassifier), cv=4, random_state=0), "classes"),
}


def target_of(kind, numbers, classes):
    """The target that an estimator of `BY_FOLDS` is for."""
    return {"numbers": numbers, "classes": classes, "both": make_both(numbers, classes)}[kind]
