"""scikit-learn's own estimator checks."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from glade import (
    BeamTreeClassifier,
    BeamTreeRegressor,
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    Gradient,
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

WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
FORESTS = [
    estimator(n_trees, method=method, random_state=0, **settings)
    for estimator in (ForestRegressor, ForestClassifier)
    for n_trees, method, settings in [
        (5, "random_forest", {}),
        (5, "bagging", {"oob_score": False, "n_jobs": 2}),
        (5, "extra_trees", {"max_bins": 16}),
        (40, "isle", {"learning_rate": 0.1}),
        (20, "boosting", {}),
    ]
]
BUSHES = ForestRegressor(5, max_depth=3)


def argued_failures(estimator):
    """None, but where rows or splits are drawn: draws from repeated rows are not draws from weighted ones.

    Tests over seeds take the place of the check: for forests in tests/ensemble/test_estimators.py, for rule ensembles
    in tests/rules/test_weighted_rows.py.
    """
    if isinstance(estimator, (RuleEnsembleRegressor, RuleEnsembleClassifier, RuleListRegressor, RuleListClassifier)):
        return {WEIGHTS: "samples and folds are drawn over rows, repeated or not"}
    if getattr(estimator, "ccp_alpha", 0) == "cv":
        return {WEIGHTS: "folds are drawn over rows, repeated or not"}
    if getattr(estimator, "method", None) in ("random_forest", "bagging", "isle"):
        return {WEIGHTS: "samples are drawn over rows, repeated or not"}
    if isinstance(estimator, ForestClassifier) and estimator.method == "extra_trees":
        return {WEIGHTS: "inputs are drawn at nodes, and repeated rows make more nodes"}
    return {}


@parametrize_with_checks(
    [
        TreeRegressor(),
        TreeClassifier(),
        TreeRegressor(max_bins=16, max_leaf_nodes=8),
        TreeClassifier(criterion="entropy", max_features="sqrt", random_state=0),
        TreeRegressor(ccp_alpha="cv", random_state=0, cv=3),
        BeamTreeRegressor(3, max_leaf_nodes=6, min_samples_leaf=1),
        BeamTreeClassifier(3, diversity=0.5, max_leaf_nodes=3, min_samples_leaf=1),
        *FORESTS,
        MultiTreeRegressor(20, random_state=0),
        MultiTreeRegressor(5, wake="gain", fusion="gain", max_bins=16, n_jobs=2, random_state=0),
        MultiTreeClassifier(20, random_state=0),
        MultiTreeClassifier(5, criterion="gain_ratio", fusion="product", wake="shallow", random_state=0),
        MultiTreeClassifier(5, fusion="vote", wake="loss", random_state=0),
        FIRERegressor(ForestRegressor(5, random_size="depth"), weights=Gradient(max_iter=500), random_state=0),
        RuleEnsembleRegressor(BUSHES, max_rules=10, cv=2, random_state=0),
        RuleEnsembleRegressor(ForestRegressor(5, max_depth=3), weights="ridge", max_rules=None, random_state=0),
        RuleEnsembleRegressor(BUSHES, rules_from="trees", weights="lasso", cv=2, random_state=0),
        RuleEnsembleClassifier(ForestClassifier(3, max_depth=2), max_rules=10, cv=2, random_state=0),
        RuleFitRegressor(ForestRegressor(3, method="boosting", max_depth=2), cv=2, random_state=0),
        RuleFitClassifier(ForestClassifier(3, method="boosting", max_depth=2), cv=2, random_state=0),
        RuleListRegressor(cv=2, random_state=0),
        RuleListClassifier(4, ordered=False, width=2, cv=2, random_state=0),
        ScoreCardClassifier(3, generator=ForestClassifier(5, max_depth=2), cv=2, random_state=0),
        SoftRulesRegressor(ForestRegressor(4, max_depth=2), cv=3, random_state=0),
        SoftRulesClassifier(ForestClassifier(5, max_depth=2), weights="auto", soft="both", cv=2, random_state=0),
    ],
    expected_failed_checks=argued_failures,
)
def test_estimator_check(estimator, check):
    check(estimator)
