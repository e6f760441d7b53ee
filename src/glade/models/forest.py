"""Forests for numeric, nominal and mixed targets: bagging, random forests, extra trees, ISLE and boosting."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions

from glade.core.parameters import set_defaults
from glade.models.base import ClassificationOutput, MixedOutput, RegressionOutput, pick_classes
from glade.models.ensemble import ForestEstimator


class ForestRegressor(RegressionOutput, ForestEstimator):
    """A forest for one numeric target or many.

    With several targets each tree is for all of them; each counts alike, whatever its unit, unless `target_weights`
    says otherwise.

    Parameters
    ----------
    n_estimators : int or "auto"
        The number of trees. "auto" grows until the best error on rows not seen fell by less than 0.5 % over the last 20
        trees, from 40 up to 1,000: out-of-bag error, or with a learning rate above 0 the loss on a tenth of the rows,
        which is kept from the trees (those after the least loss are then dropped).
    method : "random_forest", "bagging", "extra_trees", "isle" or "boosting"
        What the parameters left at "auto" are:

        ============= ========= =========== ============================ ============= ========= ===========
        method        bootstrap max_samples max_features                 learning_rate max_depth random_size
        ============= ========= =========== ============================ ============= ========= ===========
        random_forest yes       all         "third" ("sqrt" for classes) 0             None      None
        bagging       yes       all         all                          0             None      None
        extra_trees   no        all         all ("sqrt" for classes)     0             None      None
        isle          no        0.5         all                          0             None      "leaves"
        boosting      no        all         all                          0.1           3         None
        ============= ========= =========== ============================ ============= ========= ===========

        Extra trees draw one cut for each input at a node, between its extremes there. In a random forest,
        where a node has more than four categories of a nominal input, each takes part with an even chance; the others
        go where missing values go.
    criterion : "variance"
        What a split reduces.
    max_bins, max_leaf_nodes, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, min_impurity_decrease
        As for `TreeRegressor`, but that "auto" bins the inputs of extra trees above 2,000 rows. In a bootstrap,
        `min_samples_leaf` counts a row once however often it was drawn.
    max_depth : int, None or "auto"
        None is no limit.
    max_features : int, float, "sqrt", "log2", "log2+1", "third", None or "auto"
        Inputs drawn at each node; None is all.
    on_no_split : "redraw" or "leaf"
        Where the drawn inputs have one value each in a node: draw on until one has more, or make a leaf.
    features_per_tree : int, float, "sqrt", "log2", "log2+1", "third" or None
        Inputs a tree may use; None is all.
    bootstrap : bool or "auto"
        Draw rows with replacement.
    max_samples : int, float, None or "auto"
        Rows drawn for a tree: a number, a share, all of them.
    learning_rate : float or "auto"
        nu. With 0, trees are independent and the prediction is their mean; above, each is grown to what those before
        it left, and takes so much of a step.
    random_size : "leaves", "depth", None or "auto"
        Give each tree a limit of its own, drawn so that most trees are small and some are large.
    mean_size : float, optional
        The mean number of leaves (4 by default) or depth (3).
    f_test : float or None
        A split must be significant at this level by an F-test.
    per_target : bool
        Grow a forest for each target instead of one for all.
    voting : "distribution" or "majority"
        For nominal targets: the mean of the trees' class shares, or of their votes.
    oob_score : bool
        Keep out-of-bag predictions, score and curve.
    target_weights : array or dict, optional
        How much each target counts.
    missing_targets : "error", "ignore" or None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    warm_start : bool
        Let the next fit keep the trees and add to them: the same forest as if grown at once.
    n_jobs : int or None
        Threads; the forest does not depend on it. None is 1, -1 is all cores.
    verbose : bool or int
        Show progress on standard error.
    random_state : int, RandomState or None

    Attributes
    ----------
    forests_ : list of Forest
        One, or with `per_target` one for each target.
    trees_ : sequence of NodeTable
    rules_ : RuleSet
        The leaves of all trees as rules.
    n_estimators_ : int
        The number of trees (of the largest forest).
    feature_importances_ : array
    target_importances_ : DataFrame of inputs x targets
    size_ : named tuple
    oob_prediction_ : array
        With `oob_score`: each row's prediction by the trees that did not see it; NaN where all did.
    oob_score_ : float
        Their R2, the mean over targets.
    oob_curve_ : ErrorCurve
        The out-of-bag error by the number of trees, with `frame()` and `plot()`; a list of them with `per_target`.
    validation_curve_ : ErrorCurve
        The same on the rows held out, with "auto" and a learning rate above 0.

    Examples
    --------
    >>> from glade import ForestRegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> y = penguins[["body_mass_g", "flipper_length_mm"]]
    >>> forest = ForestRegressor(50, min_samples_leaf=2, oob_score=True, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.7)
    True
    >>> forest.target_importances_.idxmin().tolist()
    ['sex', 'sex']
    """

    _criteria = ("variance",)
    _parameter_constraints = {**ForestEstimator._parameter_constraints, "criterion": [StrOptions(set(_criteria)), None]}

    def _present(self, values: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        return values[:, 0] if self.n_outputs_ == 1 else values


@set_defaults(class_weight=None)
class ForestClassifier(ClassificationOutput, ForestEstimator):
    """A forest for one nominal target or many.

    Parameters
    ----------
    criterion : "gini", "entropy" or "gain_ratio"
        What a split reduces, summed over targets. Gini by default; with a learning rate above 0 trees are grown to the
        gradient of the deviance.
    class_weight : dict, list of dicts, "balanced" or None
        As in scikit-learn.

    The other parameters and the attributes are those of `ForestRegressor`; `oob_prediction_` holds class probabilities
    in the form of `predict_proba`, `oob_score_` is their accuracy.

    Examples
    --------
    >>> from glade import ForestClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> forest = ForestClassifier(30, oob_score=True, random_state=0).fit(X, y)
    >>> bool(forest.oob_score_ > 0.95)
    True
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _parameter_constraints = {
        **ForestEstimator._parameter_constraints,
        "criterion": [StrOptions(set(_criteria)), None],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
    }

    def _present(self, values: NDArray[np.float64], X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        return self._split_channels(values)


class MixedForest(MixedOutput, ForestEstimator):
    """A forest for numeric and nominal targets together.

    Each target's impurity is divided by its value over all training rows, so that every target counts alike. `y` is a
    dataframe; a row may lack some of its targets. `predict` gives a dataframe of the same columns.

    Parameters
    ----------
    criterion : "gini" or "entropy"
        For the nominal targets; numeric ones always use the variance.
    missing_targets : "ignore", "error" or None
        None is "ignore" here: rows that lack some targets count for the others.

    The other parameters and the attributes are those of `ForestRegressor`; `oob_prediction_` is a dataframe,
    `oob_score_` the mean of R2 and accuracy.

    Examples
    --------
    >>> from glade import MixedForest, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> targets = ["species", "body_mass_g"]
    >>> forest = MixedForest(30, random_state=0).fit(penguins.drop(columns=targets), penguins[targets])
    >>> forest.predict(penguins.drop(columns=targets)).columns.tolist()
    ['species', 'body_mass_g']
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _missing_targets = "ignore"
    _parameter_constraints = {**ForestEstimator._parameter_constraints, "criterion": [StrOptions(set(_criteria)), None]}

    def _present(self, values: NDArray[np.float64], X: Any) -> Any:
        nothing = np.isnan(values[:, self.target_schema_.start[:-1]])
        columns = pick_classes(np.nan_to_num(values), self.target_schema_)
        shown = [
            np.where(unknown, np.array(np.nan if classes is None else None), column)
            for unknown, column, classes in zip(nothing.T, columns, self.target_schema_.classes, strict=True)
        ]
        return self._to_frame(dict(zip(self._target_names, shown, strict=True)), X)
