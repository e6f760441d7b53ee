"""scikit-learn's own estimator checks."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from glade import TreeClassifier, TreeRegressor


def argued_failures(estimator):
    """None, but for cross-validated pruning: random folds over repeated rows are not folds over weighted ones."""
    if estimator.ccp_alpha == "cv":
        return {"check_sample_weight_equivalence_on_dense_data": "folds are drawn over rows, repeated or not"}
    return {}


@parametrize_with_checks(
    [
        TreeRegressor(),
        TreeClassifier(),
        TreeRegressor(max_bins=16, max_leaf_nodes=8),
        TreeClassifier(criterion="entropy", max_features="sqrt", random_state=0),
        TreeRegressor(ccp_alpha="cv", random_state=0, cv=3),
    ],
    expected_failed_checks=argued_failures,
)
def test_estimator_check(estimator, check):
    check(estimator)
