"""What a fitted rule ensemble offers: its rules, path, words and importances, all read from its `RuleModel`."""

from copy import copy
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from glade.explain.notebook import panel_of_rules
from glade.explain.terms import TermExplainer
from glade.models.base import Size
from glade.models.held_out import KeepsHeldOut
from glade.rules.error_path import ErrorPath
from glade.rules.model import RuleModel
from glade.rules.rule_set import RuleSet
from glade.rules.soft import SoftRules
from glade.rules.weighted import WeightedTerms


class FittedRules(TransformerMixin, KeepsHeldOut):  # type: ignore[misc]
    """The methods and attributes of an estimator whose fit makes a `RuleModel`, `model_`."""

    model_: RuleModel
    _size_parameter = "max_rules"  # that says how many terms there may be
    _no_held_out = (
        "this model has no out-of-fold predictions: it is another size than was fitted, or was saved without them; fit"
        " it with this max_rules"
    )

    def with_rules(self, k: int) -> Self:
        """Return the model of at most k terms from the same fit, without fitting again.

        Parameters
        ----------
        k : int
            The most terms; the best step of `path_` within that limit is taken. Weights "auto" and "greedy" have steps
            up to `max_rules`, or up to 200 terms where that is no number, and "auto" has one of all terms.

        Returns
        -------
        object
            A fitted copy of the estimator, whose `max_rules` is k.
        """
        check_is_fitted(self)
        if not isinstance(k, Integral) or k < 0:
            raise ValueError(f"k must be a whole number of at least 0, but is {k!r}")
        model = copy(self).set_params(**{self._size_parameter: int(k)})
        model.model_ = self.model_.with_rules(int(k))
        if model.model_.place != self.model_.place:
            for name in ("held_out_", "residuals_", "metrics_"):
                vars(model).pop(name, None)  # the folds have predicted by models of another size
        return model

    def with_conditions(self, k: int) -> Self:
        """Return the model of at most k conditions from the same fit, without fitting again.

        Conditions are what a person reads: a rule has one for each of its inputs, a linear term has none.

        Parameters
        ----------
        k : int
            The most conditions; the best step of `path_` within that limit is taken.

        Returns
        -------
        object
            A fitted copy of the estimator, whose `max_rules` is the number of terms of that step.
        """
        check_is_fitted(self)
        if not isinstance(k, Integral) or k < 0:
            raise ValueError(f"k must be a whole number of at least 0, but is {k!r}")
        path = self.path_
        small = np.flatnonzero(path.conditions <= k)
        if len(small) == 0:
            least = int(path.conditions.min())
            raise ValueError(f"the shortest model of this fit has {least:,} conditions: ask for at least so many")
        return self.with_rules(int(path.terms[small[-1]]))

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the values of the terms in each row.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, terms)
            A rule's value is 1 where it covers the row, else 0. The columns of soft rules and of linear terms follow.
        """
        matrix = self.encode(X)
        return self.terms_.design.values(matrix)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the terms in words, which name the columns of `transform`.

        Parameters
        ----------
        input_features : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        ndarray of shape (terms,)
            The words of each term.
        """
        check_is_fitted(self)
        return np.array(self.terms_.design.names, dtype=object)

    def to_text(self) -> str:
        """Return the rules for a person to read: the most important first, with what each adds to the prediction.

        Returns
        -------
        str
            A table of text.
        """
        check_is_fitted(self)
        return self.model_.to_text()

    def to_frame(self) -> Any:
        """Return all terms as a dataframe, the offset first.

        Returns
        -------
        DataFrame
            A row for each term; `RuleModel.to_frame` says what the columns are.
        """
        check_is_fitted(self)
        return self.model_.to_frame()

    def predict_values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.model_.predict_values(matrix)

    def make_explainer(self) -> TermExplainer:
        return TermExplainer(self.model_.terms, self.model_.scores)

    def _panel_as_html(self) -> str:
        return panel_of_rules(self.model_) if "model_" in vars(self) else ""

    @property
    def terms_(self) -> WeightedTerms:
        """Rules, soft rules and linear terms with their effects, and the offset."""
        return self.model_.terms

    @property
    def rules_(self) -> RuleSet:
        """The rules, the most important first; their values are what they add to the prediction."""
        check_is_fitted(self)
        return self.terms_.rules

    @property
    def soft_rules_(self) -> SoftRules:
        """The soft rules, the most important first; their values are what they add where they are wholly on."""
        check_is_fitted(self)
        return self.terms_.soft_rules

    @property
    def path_(self) -> ErrorPath:
        """The models from small to large, with their validation errors: `frame()` gives them, `plot()` draws them."""
        check_is_fitted(self)
        return self.model_.errors

    @property
    def comes_back_(self) -> NDArray[np.float64]:
        """Of each term the fraction of the fit's folds whose models, of the same size, have the same term.

        The terms stand in the order of `terms_`; terms are the same as `glade.stability` has it. It is known where
        `oof_prediction_` is, for models of at most 1,000 terms.
        """
        check_is_fitted(self)
        found = self.held_out_.comes_back if "held_out_" in vars(self) else None
        if found is None:
            raise AttributeError(
                "this model does not know how often its terms come back: it is another size than was fitted, was saved"
                " without it, or has more than 1,000 terms; fit it with this max_rules, of at most 1,000"
            )
        return found

    @property
    def n_iter_(self) -> int:
        """The most steps that the weights of a model on the path took; at least 1, by scikit-learn's rule."""
        check_is_fitted(self)
        return max(1, self.model_.path.n_iterations)

    @property
    def size_(self) -> Size:
        """The numbers of rules, conditions and terms."""
        check_is_fitted(self)
        return self.model_.size

    @property
    def rule_importances_(self) -> Any:
        """The importance of each term: how much it changes predictions, in standard deviations of the target.

        It is the size of the change times the deviation of the term's values. The mean over the targets comes first.
        """
        import pandas as pd

        check_is_fitted(self)
        importance = self.terms_.importance
        frame = pd.DataFrame({"term": self.terms_.design.words, "importance": importance.mean(axis=1)})
        frame[self.target_schema_.names_beside(frame.columns)] = importance
        return frame

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The fraction of the terms' importance that each input has; a term's is shared equally by its inputs."""
        check_is_fitted(self)
        importance = self.terms_.input_importance().mean(axis=1)
        return importance / (importance.sum() or 1.0)

    @property
    def target_importances_(self) -> Any:
        """The importances of inputs (rows) for each target (columns), as a dataframe; each column adds up to 1."""
        import pandas as pd

        check_is_fitted(self)
        importance = self.terms_.input_importance()
        total = importance.sum(axis=0)
        fraction = np.divide(importance, total, out=np.zeros_like(importance), where=total > 0)
        return pd.DataFrame(fraction, index=list(self.schema_.names), columns=list(self.target_schema_.names))
