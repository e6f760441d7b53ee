"""scikit-learn's own estimator checks."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from glade import FIRERegressor, ForestRegressor, RuleEnsembleRegressor, TreeClassifier, TreeRegressor


def argued_failures(estimator):
    """None, but where rows are drawn: repeated rows are drawn one by one, a weighted row is drawn once.

    `tests/rules/test_weighted_rows.py` takes the place of that check for rule ensembles.
    """
    draws_rows = isinstance(estimator, RuleEnsembleRegressor) or estimator.ccp_alpha == "cv"
    reason = "rows are drawn, repeated or not"
    return {"check_sample_weight_equivalence_on_dense_data": reason} if draws_rows else {}


@parametrize_with_checks(
    [
        TreeRegressor(),
        TreeClassifier(),
        TreeRegressor(max_bins=16, max_leaf_nodes=8),
        TreeClassifier(criterion="entropy", max_features="sqrt", random_state=0),
        TreeRegressor(ccp_alpha="cv", random_state=0, cv=3),
        FIRERegressor(ForestRegressor(5, random_size="depth"), max_iter=500, random_state=0),
        RuleEnsembleRegressor(
            ForestRegressor(5, max_depth=3), linear_terms=True, max_rules=10, max_iter=500, random_state=0
        ),
    ],
    expected_failed_checks=argued_failures,
)
def test_estimator_check(estimator, check):
    check(estimator)
