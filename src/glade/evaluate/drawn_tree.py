"""The one tree of a multi-tree that is shown, as a model of its own, so that its errors are told apart."""

from typing import Any, Self

from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted


class DrawnTree(BaseEstimator):  # type: ignore[misc]
    """The archetype of a multi-tree: fitting it fits the multi-tree, and takes that one of its trees.

    Examples
    --------
    >>> from glade import MultiTreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    >>> multitree = MultiTreeRegressor(5, min_samples_leaf=20, random_state=0)
    >>> DrawnTree(multitree, max_leaf_nodes=3).fit(X, y).size_.leaves
    3
    """

    def __init__(self, multitree: Any, max_leaf_nodes: int | None = None) -> None:
        self.multitree = multitree
        self.max_leaf_nodes = max_leaf_nodes

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the multi-tree, and keep the tree that is most like all of it.

        Parameters
        ----------
        X : table
        y : array, series or dataframe
        sample_weight : array, optional
        """
        whole = clone(self.multitree).fit(X, y, sample_weight=sample_weight)
        self.tree_ = whole.archetype(max_leaf_nodes=self.max_leaf_nodes)
        self.size_ = self.tree_.size_
        return self

    @property
    def classes_(self) -> Any:
        """Those of the tree, where it has some."""
        check_is_fitted(self)
        return self.tree_.classes_

    def predict(self, X: Any) -> Any:
        """What the tree predicts."""
        check_is_fitted(self)
        return self.tree_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """The probabilities of classes that the tree gives, where it has some."""
        check_is_fitted(self)
        return self.tree_.predict_proba(X)
