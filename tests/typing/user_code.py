"""What users write: type checkers must accept it, and it must run. `test_user_code.py` does both.

Annotated variables say which types a checker has to find; nothing here needs an ignored error.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedTree,
    MultiTreeClassifier,
    MultiTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    archetype,
    load_penguins,
)

penguins: Any = load_penguins().dropna()
X, mass, species = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["body_mass_g"], penguins["species"]
two_masses = penguins[["body_mass_g", "flipper_length_mm"]]


def fit_a_regression_tree() -> None:
    """One tree, pruned by cross-validation, and what it says."""
    tree = TreeRegressor(max_depth=3, min_samples_leaf=0.02, ccp_alpha="cv", ccp_rule="1se", cv=3, random_state=0)
    tree = tree.fit(X, mass, sample_weight=np.ones(len(X)))
    predicted: NDArray[np.float64] = tree.predict(X)
    text: str = tree.to_text(max_depth=2)
    leaves: int = tree.get_n_leaves()
    smaller: TreeRegressor = tree.pruned(alpha=1000.0)
    assert len(predicted) == len(X)
    assert text.startswith("tree of")
    assert smaller.get_n_leaves() <= leaves
    assert tree.feature_importances_.sum() > 0
    assert tree.explain(X.head(2))["term"].iloc[0] == "every row"


def fit_a_classification_tree() -> None:
    """Class weights in each of their forms."""
    for weights in ("balanced", None):
        TreeClassifier(class_weight=weights).fit(X, species)
    TreeClassifier(class_weight={"Adelie": 1.0, "Chinstrap": 2.0, "Gentoo": 1.5}).fit(X, species)
    TreeClassifier(class_weight={"Adelie": 1, "Chinstrap": 2, "Gentoo": 1}, criterion="gain_ratio").fit(X, species)
    two = TreeClassifier(class_weight=[{"Adelie": 1, "Chinstrap": 2, "Gentoo": 1}, {"male": 1, "female": 2}])
    accuracy: float = two.fit(X, penguins[["species", "sex"]]).score(X, penguins[["species", "sex"]])
    assert 0 < accuracy <= 1


def fit_forests() -> None:
    """Settings of forests, by name and by position."""
    forest = ForestRegressor(20, method="extra_trees", max_features="sqrt", n_jobs=2, random_state=0)
    forest.fit(X, two_masses, groups=penguins["island"])
    assert forest.target_importances_.shape == (3, 2)
    boosted = ForestClassifier(
        n_estimators=10, method="boosting", learning_rate=0.1, max_depth=3, class_weight="balanced"
    )
    boosted.set_params(random_state=np.random.RandomState(0))
    assert len(boosted.fit(X, species).predict(X)) == len(X)
    judged = ForestClassifier(30, oob_score=True, target_weights=[1.0], warm_start=True, verbose=False).fit(X, species)
    score: float = judged.oob_score_
    assert score > 0.5
    assert judged.oob_permutation_importances(X, species, n_repeats=2).shape == (3, 1)


def fit_mixed_targets() -> None:
    """Numeric and nominal targets together."""
    targets = penguins[["species", "body_mass_g"]]
    for model in (MixedTree(max_leaf_nodes=5, missing_targets="ignore"), MixedForest(5, per_target=True)):
        probabilities: dict[Any, Any] = model.fit(X, targets).predict_proba(X)
        assert list(probabilities) == ["species"]
        assert list(model.predict(X).columns) == ["species", "body_mass_g"]


def fit_multi_trees(folder: Path) -> None:
    """One tree of very many, and saving it."""
    classifier = MultiTreeClassifier(10, fusion="vote", wake="gain", class_weight="balanced", random_state=0)
    one: TreeClassifier = classifier.fit(X, species).grow_more(5).archetype(max_leaf_nodes=4, n_invented=500)
    small: TreeRegressor = MultiTreeRegressor(5, max_nodes=None, min_samples_leaf=10).fit(X, mass).occam()
    one.save(folder / "one.glade")
    small.save(str(folder / "small.glade"))
    similar = archetype(classifier, X, n_invented=500, max_leaf_nodes=4, random_state=0)
    assert similar.agreement_ > 0.5


def search_settings() -> None:
    """scikit-learn's tools take the estimators."""
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline

    search = GridSearchCV(TreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=2).fit(X, species)
    assert search.best_params_ == {"max_depth": 3}
    forest = make_pipeline(ForestRegressor(5, random_state=0))
    assert len(cross_val_score(forest, X.drop(columns="island"), mass, cv=2)) == 2


def run_all(folder: Path) -> None:
    """Everything above."""
    fit_a_regression_tree()
    fit_a_classification_tree()
    fit_forests()
    fit_mixed_targets()
    fit_multi_trees(folder)
    search_settings()
