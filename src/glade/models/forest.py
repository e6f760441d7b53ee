"""Forests for numeric, nominal and mixed targets: bagging, random forests, extra trees, ISLE and boosting."""

from collections.abc import Mapping
from typing import Any

from sklearn.utils._param_validation import StrOptions

from glade.ensemble.methods import PLAIN
from glade.ensemble.smoothing import BY_DEFAULT
from glade.losses.quantile import MEDIAN
from glade.losses.squared import Squared
from glade.models.base import RegressionOutput
from glade.models.class_output import DECIDING, ClassificationOutput, ClassWeight
from glade.models.ensemble import ForestEstimator
from glade.models.growing import OF_NUMBERS, SMOOTHING
from glade.models.intervals import PredictsIntervals
from glade.models.mixed_output import DECIDING_SOME, MixedOutput
from glade.models.number_loss import LOSS_CONSTRAINTS, ChosenLoss


class ForestRegressor(ChosenLoss, RegressionOutput, PredictsIntervals, ForestEstimator):
    """A forest for one numeric target or many.

    With several targets each tree predicts all of them. All targets count alike, whatever their units, unless
    `target_weights` says otherwise. Inputs may be numeric or nominal (text, booleans, categories), and their values may
    be missing.

    Parameters
    ----------
    n_estimators : int or "auto", default=100
        The number of trees. "auto" adds trees, from 40 up to 1,000, until the best error on rows that were not used for
        training has fallen by less than 0.5 % over the last 20 trees. This is the out-of-bag error; or, with a learning
        rate above 0, the loss on a tenth of the rows, which are held out, and trees after the smallest loss are
        dropped.
    method : {"random_forest", "bagging", "extra_trees", "isle", "boosting"}, default="random_forest"
        What the parameters that are left at "auto" stand for:

        ============= ========= =========== ============================ ============= ========= ===========
        method        bootstrap max_samples max_features                 learning_rate max_depth random_size
        ============= ========= =========== ============================ ============= ========= ===========
        random_forest yes       all         "third" ("sqrt" for classes) 0             None      None
        bagging       yes       all         all                          0             None      None
        extra_trees   no        all         all ("sqrt" for classes)     0             None      None
        isle          no        0.5         all                          0             None      "leaves"
        boosting      no        all         all                          0.1           3         None
        ============= ========= =========== ============================ ============= ========= ===========

        Extra trees draw one threshold for each input at a node, between the smallest and the largest value there. In a
        random forest, where a node has more than four categories of a nominal input, each category takes part in the
        split with an even chance; the others follow the missing values.
    criterion : {"variance"} or None, default=None
        The impurity that splits reduce. It is the variance for numeric targets, also with None.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows (for extra trees 2,000), and considers every threshold
        otherwise.
    max_depth : int, "auto" or None, default="auto"
        The largest number of splits between the root and a leaf. None means no limit.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. If it is given, the node whose split reduces the impurity most is split first.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows. In a bootstrap
        sample a row counts once, however often it was drawn.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    max_features : int, float, {"sqrt", "log2", "log2+1", "third", "auto"} or None, default="auto"
        The number of inputs that are drawn at random at each node, among which its split is searched for: a number, a
        fraction of the inputs, or a function of their number (square root, logarithm to base 2, one more than that, a
        third). None means all inputs.
    on_no_split : {"redraw", "leaf"}, default="redraw"
        What to do at a node in which each of the drawn inputs has a single value: draw further inputs until one has
        several, or make the node a leaf.
    features_per_tree : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=None
        The number of inputs that are drawn at random for each tree, the only ones that it may use. None means all
        inputs.
    bootstrap : bool or "auto", default="auto"
        Whether the rows of each tree are drawn with replacement.
    max_samples : int, float, "auto" or None, default="auto"
        The number of rows that are drawn for each tree: a number, or a fraction of the training rows. None means all.
    learning_rate : float or "auto", default="auto"
        With 0 the trees are independent and the prediction is their mean. Above 0 they are boosted: each tree is fitted
        to the residuals (the negative gradient of the loss) of those before it, and this fraction of it is added.
    step : {"plain", "fitted"}, default="plain"
        How far a boosted tree goes before the learning rate shortens it. "plain" takes its leaves as they are; "fitted"
        multiplies them by the factor of least loss (at most ten) over its sample, one for each target (c of the
        ISLE algorithm). With squared errors, and for trees that are not boosted, that factor is 1.
    loss : {"squared", "huber", "poisson", "quantile"}, default="squared"
        What boosted trees lower: the squared error; Huber's loss, which is linear for errors beyond the target's own
        spread, so that faulty readings count for little; the deviance of counts, whose predictions are never negative
        (trees then add up to the logarithm of the prediction); or the loss of a quantile. Only "squared" is for trees
        that do not depend on one another.
    quantile : float, default=0.5
        Which quantile the loss "quantile" predicts: the fraction of rows that are to lie below the prediction.
    random_size : {"leaves", "depth", "auto"} or None, default="auto"
        Whether each tree has a random limit to its number of leaves or to its depth, drawn so that most trees are small
        and some are large. None means no such limit.
    mean_size : float or None, default=None
        The mean of the limits that `random_size` draws. None means 4 leaves or a depth of 3.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of a nominal target it is the
        probability of the second of two classes that rises or falls, or of those classes that a dictionary {class: one
        of these} names; more than two classes must be named. Nominal inputs have no order. None means no constraints.
    per_target : bool, default=False
        Whether to grow a forest for each target, instead of one whose trees predict all of them.
    voting : {"distribution", "majority"}, default="distribution"
        How trees predict nominal targets together: "distribution" is the mean of their class probabilities, "majority"
        the fraction of trees that vote for each class.
    oob_score : bool, default=False
        Whether to keep the out-of-bag predictions, their score and the curve of their error.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    standardise_targets : bool, default=True
        Whether all targets count alike, whatever their units and spreads. False lets trees lower the sum of the
        targets' variances as they are (and of the impurities of nominal targets), as predictive clustering trees do:
        then a target counts the more the larger its numbers are.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    warm_start : bool, default=False
        Whether the next call of `fit` keeps the trees and adds to them. The result is the forest that one fit with as
        many trees would have given.
    n_jobs : int or None, default=None
        The number of threads, on which the forest does not depend. None means 1, -1 means all cores.
    verbose : bool or int, default=False
        Whether to show the progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed for all random draws. With an integer every fit gives the same forest.

    Attributes
    ----------
    forests_ : list of Forest
        One forest, or with `per_target` one for each target.
    trees_ : sequence of NodeTable
        The nodes and splits of all trees.
    n_estimators_ : int
        The number of trees; with `per_target` that of the largest forest.
    rules_ : RuleSet
        The leaves of all trees as rules.
    size_ : Size
        The numbers of trees, nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    oob_prediction_ : ndarray of shape (rows,) or (rows, targets)
        With `oob_score`, the prediction of each row by the trees that were grown without it; NaN if there are none.
    errors_ : DataFrame
        With `oob_score=True`, how good these predictions are: for each target RMSE, MAE and R2, or the share of wrong
        classes, AUC, log loss, Brier score and calibration slope, with standard errors, beside a guess.
    oob_score_ : float
        With `oob_score`, the coefficient of determination R2 of the out-of-bag predictions, averaged over the targets.
    oob_curve_ : ErrorCurve or list of ErrorCurve
        With `oob_score` or `n_estimators="auto"`, the out-of-bag error by the number of trees: `frame()` returns it as
        a dataframe and `plot()` draws it. With `per_target` it is a list of them, one for each target.
    validation_curve_ : ErrorCurve or list of ErrorCurve
        With `n_estimators="auto"` and a learning rate above 0, the same for the error on the rows that were held out.
    schema_ : Schema
        The names, kinds and categories of the inputs.
    target_schema_ : TargetSchema
        The names and classes of the targets.
    n_features_in_ : int
        The number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the inputs, if all of them are strings.
    n_outputs_ : int
        The number of targets.

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
    _no_residuals = "a forest makes intervals of its out-of-bag predictions: fit it with oob_score=True"
    _parameter_constraints = {
        **ForestEstimator._parameter_constraints,
        **LOSS_CONSTRAINTS,
        **OF_NUMBERS,
        "criterion": [StrOptions(set(_criteria)), None],
    }

    def __init__(
        self,
        n_estimators: int | str = 100,
        *,
        method: str = "random_forest",
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | str | None = "auto",
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = "auto",
        on_no_split: str = "redraw",
        features_per_tree: int | float | str | None = None,
        bootstrap: bool | str = "auto",
        max_samples: int | float | str | None = "auto",
        learning_rate: float | str = "auto",
        step: str = PLAIN,
        loss: str = Squared.name,
        quantile: float = MEDIAN,
        random_size: str | None = "auto",
        mean_size: float | None = None,
        f_test: float | None = None,
        monotonic_cst: Any = None,
        per_target: bool = False,
        voting: str = "distribution",
        oob_score: bool = False,
        target_weights: Any = None,
        standardise_targets: bool = True,
        missing_targets: str | None = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ):
        super().__init__(
            n_estimators=n_estimators, method=method, criterion=criterion, max_bins=max_bins,
            max_depth=max_depth, max_leaf_nodes=max_leaf_nodes, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_features=max_features, on_no_split=on_no_split,
            features_per_tree=features_per_tree, bootstrap=bootstrap, max_samples=max_samples,
            learning_rate=learning_rate, step=step, random_size=random_size, mean_size=mean_size, f_test=f_test,
            monotonic_cst=monotonic_cst, per_target=per_target, voting=voting, oob_score=oob_score,
            target_weights=target_weights, missing_targets=missing_targets, warm_start=warm_start, n_jobs=n_jobs,
            verbose=verbose, random_state=random_state,
        )  # fmt: skip
        self.standardise_targets = standardise_targets
        self.loss = loss
        self.quantile = quantile


class ForestClassifier(ClassificationOutput, ForestEstimator):
    """A forest for one nominal target or many.

    With several targets each tree predicts all of them, and each target has classes of its own. Inputs may be numeric
    or nominal (text, booleans, categories), and their values may be missing.

    Parameters
    ----------
    n_estimators : int or "auto", default=100
        The number of trees. "auto" adds trees, from 40 up to 1,000, until the best error on rows that were not used for
        training has fallen by less than 0.5 % over the last 20 trees. This is the out-of-bag error; or, with a learning
        rate above 0, the loss on a tenth of the rows, which are held out, and trees after the smallest loss are
        dropped.
    method : {"random_forest", "bagging", "extra_trees", "isle", "boosting"}, default="random_forest"
        What the parameters that are left at "auto" stand for:

        ============= ========= =========== ============================ ============= ========= ===========
        method        bootstrap max_samples max_features                 learning_rate max_depth random_size
        ============= ========= =========== ============================ ============= ========= ===========
        random_forest yes       all         "third" ("sqrt" for classes) 0             None      None
        bagging       yes       all         all                          0             None      None
        extra_trees   no        all         all ("sqrt" for classes)     0             None      None
        isle          no        0.5         all                          0             None      "leaves"
        boosting      no        all         all                          0.1           3         None
        ============= ========= =========== ============================ ============= ========= ===========

        Extra trees draw one threshold for each input at a node, between the smallest and the largest value there. In a
        random forest, where a node has more than four categories of a nominal input, each category takes part in the
        split with an even chance; the others follow the missing values.
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity that splits reduce, summed over the targets: the Gini index or the entropy. "gain_ratio" divides
        the reduction of the entropy by the entropy of the split itself, as C4.5 does. None means "gini". With a
        learning rate above 0 it must be left at None or "gini": the trees are then fitted to the gradient of the
        deviance.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows (for extra trees 2,000), and considers every threshold
        otherwise.
    max_depth : int, "auto" or None, default="auto"
        The largest number of splits between the root and a leaf. None means no limit.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. If it is given, the node whose split reduces the impurity most is split first.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows. In a bootstrap
        sample a row counts once, however often it was drawn.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    max_features : int, float, {"sqrt", "log2", "log2+1", "third", "auto"} or None, default="auto"
        The number of inputs that are drawn at random at each node, among which its split is searched for: a number, a
        fraction of the inputs, or a function of their number (square root, logarithm to base 2, one more than that, a
        third). None means all inputs.
    on_no_split : {"redraw", "leaf"}, default="redraw"
        What to do at a node in which each of the drawn inputs has a single value: draw further inputs until one has
        several, or make the node a leaf.
    features_per_tree : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=None
        The number of inputs that are drawn at random for each tree, the only ones that it may use. None means all
        inputs.
    bootstrap : bool or "auto", default="auto"
        Whether the rows of each tree are drawn with replacement.
    max_samples : int, float, "auto" or None, default="auto"
        The number of rows that are drawn for each tree: a number, or a fraction of the training rows. None means all.
    learning_rate : float or "auto", default="auto"
        With 0 the trees are independent and the prediction is their mean. Above 0 they are boosted: each tree is fitted
        to the residuals (the negative gradient of the loss) of those before it, and this fraction of it is added.
    step : {"plain", "fitted"}, default="plain"
        How far a boosted tree goes before the learning rate shortens it. "plain" takes its leaves as they are; "fitted"
        multiplies them by the factor of least loss (at most ten) over its sample, one for each target (c of the
        ISLE algorithm). With squared errors, and for trees that are not boosted, that factor is 1.
    random_size : {"leaves", "depth", "auto"} or None, default="auto"
        Whether each tree has a random limit to its number of leaves or to its depth, drawn so that most trees are small
        and some are large. None means no such limit.
    mean_size : float or None, default=None
        The mean of the limits that `random_size` draws. None means 4 leaves or a depth of 3.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of a nominal target it is the
        probability of the second of two classes that rises or falls, or of those classes that a dictionary {class: one
        of these} names; more than two classes must be named. Nominal inputs have no order. None means no constraints.
    per_target : bool, default=False
        Whether to grow a forest for each target, instead of one whose trees predict all of them.
    voting : {"distribution", "majority"}, default="distribution"
        How trees predict nominal targets together: "distribution" is the mean of their class probabilities, "majority"
        the fraction of trees that vote for each class.
    oob_score : bool, default=False
        Whether to keep the out-of-bag predictions, their score and the curve of their error.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    warm_start : bool, default=False
        Whether the next call of `fit` keeps the trees and adds to them. The result is the forest that one fit with as
        many trees would have given.
    n_jobs : int or None, default=None
        The number of threads, on which the forest does not depend. None means 1, -1 means all cores.
    verbose : bool or int, default=False
        Whether to show the progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed for all random draws. With an integer every fit gives the same forest.
    class_weight : dict, list of dict, "balanced" or None, default=None
        What an error in each class costs: a dictionary from classes to weights, with several targets a list of them.
        "balanced" makes all classes count alike. It moves the class that is predicted; the probabilities stay true.
        None means that all count 1.
    event : label, dict or None, default=None
        Of two classes the one that is asked for: effects are signed towards it, and `threshold` is for its probability.
        With several targets a dictionary {target: label}. None is the rarer class.
    threshold : float, "cost" or None, default=None
        Predict the event from this probability of it on. "cost" finds it from `costs`; None is the most probable class.
    costs : dict or None, default=None
        With threshold="cost", {"false_alarm": 1, "miss": 5}: what an error of either kind costs.
    smoothing : float, "m" or None, default="m"
        Draw the probabilities of classes towards equal ones, as if there were so many more training rows, evenly of all
        classes; "m" is one row. None is the exact shares. The class that is predicted stays the same.

    Attributes
    ----------
    forests_ : list of Forest
        One forest, or with `per_target` one for each target.
    trees_ : sequence of NodeTable
        The nodes and splits of all trees.
    n_estimators_ : int
        The number of trees; with `per_target` that of the largest forest.
    rules_ : RuleSet
        The leaves of all trees as rules.
    size_ : Size
        The numbers of trees, nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    oob_prediction_ : ndarray or list of ndarray
        With `oob_score`, class probabilities in the form of `predict_proba`, by the trees that were grown without the
        row; NaN if there are none.
    errors_ : DataFrame
        With `oob_score=True`, how good these predictions are: for each target RMSE, MAE and R2, or the share of wrong
        classes, AUC, log loss, Brier score and calibration slope, with standard errors, beside a guess.
    oob_score_ : float
        With `oob_score`, the accuracy of the out-of-bag predictions, averaged over the targets.
    oob_curve_ : ErrorCurve or list of ErrorCurve
        With `oob_score` or `n_estimators="auto"`, the out-of-bag error by the number of trees: `frame()` returns it as
        a dataframe and `plot()` draws it. With `per_target` it is a list of them, one for each target.
    validation_curve_ : ErrorCurve or list of ErrorCurve
        With `n_estimators="auto"` and a learning rate above 0, the same for the error on the rows that were held out.
    event_ : label or dict
        The class that is asked for, of two.
    threshold_ : float
        Of two classes: the probability of the event from which on it is predicted.
    classes_ : ndarray or list of ndarray
        The classes; with several targets a list of those of each target.
    n_classes_ : int or list of int
        The number of classes; with several targets a list of numbers.
    schema_ : Schema
        The names, kinds and categories of the inputs.
    target_schema_ : TargetSchema
        The names and classes of the targets.
    n_features_in_ : int
        The number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the inputs, if all of them are strings.
    n_outputs_ : int
        The number of targets.

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
        "smoothing": SMOOTHING,
        "criterion": [StrOptions(set(_criteria)), None],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
    }

    def __init__(
        self,
        n_estimators: int | str = 100,
        *,
        method: str = "random_forest",
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | str | None = "auto",
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = "auto",
        on_no_split: str = "redraw",
        features_per_tree: int | float | str | None = None,
        bootstrap: bool | str = "auto",
        max_samples: int | float | str | None = "auto",
        learning_rate: float | str = "auto",
        step: str = PLAIN,
        random_size: str | None = "auto",
        mean_size: float | None = None,
        f_test: float | None = None,
        monotonic_cst: Any = None,
        per_target: bool = False,
        voting: str = "distribution",
        oob_score: bool = False,
        target_weights: Any = None,
        missing_targets: str | None = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
        class_weight: ClassWeight = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
        smoothing: float | str | None = BY_DEFAULT,
    ):
        super().__init__(
            n_estimators=n_estimators, method=method, criterion=criterion, max_bins=max_bins,
            max_depth=max_depth, max_leaf_nodes=max_leaf_nodes, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_features=max_features, on_no_split=on_no_split,
            features_per_tree=features_per_tree, bootstrap=bootstrap, max_samples=max_samples,
            learning_rate=learning_rate, step=step, random_size=random_size, mean_size=mean_size, f_test=f_test,
            monotonic_cst=monotonic_cst, per_target=per_target, voting=voting, oob_score=oob_score,
            target_weights=target_weights, missing_targets=missing_targets, warm_start=warm_start, n_jobs=n_jobs,
            verbose=verbose, random_state=random_state,
        )  # fmt: skip
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs


class MixedForest(MixedOutput, ForestEstimator):
    """A forest for numeric and nominal targets together.

    The impurity of each target is divided by that of all training rows, so that every target counts alike. `y` is a
    dataframe, in which some targets of a row may be missing. `predict` returns a dataframe with the same columns.

    Parameters
    ----------
    n_estimators : int or "auto", default=100
        The number of trees. "auto" adds trees, from 40 up to 1,000, until the best error on rows that were not used for
        training has fallen by less than 0.5 % over the last 20 trees. This is the out-of-bag error; or, with a learning
        rate above 0, the loss on a tenth of the rows, which are held out, and trees after the smallest loss are
        dropped.
    method : {"random_forest", "bagging", "extra_trees", "isle", "boosting"}, default="random_forest"
        What the parameters that are left at "auto" stand for:

        ============= ========= =========== ============================ ============= ========= ===========
        method        bootstrap max_samples max_features                 learning_rate max_depth random_size
        ============= ========= =========== ============================ ============= ========= ===========
        random_forest yes       all         "third" ("sqrt" for classes) 0             None      None
        bagging       yes       all         all                          0             None      None
        extra_trees   no        all         all ("sqrt" for classes)     0             None      None
        isle          no        0.5         all                          0             None      "leaves"
        boosting      no        all         all                          0.1           3         None
        ============= ========= =========== ============================ ============= ========= ===========

        Extra trees draw one threshold for each input at a node, between the smallest and the largest value there. In a
        random forest, where a node has more than four categories of a nominal input, each category takes part in the
        split with an even chance; the others follow the missing values.
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity of the nominal targets that splits reduce; that of numeric targets is always the variance.
        "gain_ratio" is possible only if all targets are nominal. None means "gini".
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows (for extra trees 2,000), and considers every threshold
        otherwise.
    max_depth : int, "auto" or None, default="auto"
        The largest number of splits between the root and a leaf. None means no limit.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. If it is given, the node whose split reduces the impurity most is split first.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows. In a bootstrap
        sample a row counts once, however often it was drawn.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    max_features : int, float, {"sqrt", "log2", "log2+1", "third", "auto"} or None, default="auto"
        The number of inputs that are drawn at random at each node, among which its split is searched for: a number, a
        fraction of the inputs, or a function of their number (square root, logarithm to base 2, one more than that, a
        third). None means all inputs.
    on_no_split : {"redraw", "leaf"}, default="redraw"
        What to do at a node in which each of the drawn inputs has a single value: draw further inputs until one has
        several, or make the node a leaf.
    features_per_tree : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=None
        The number of inputs that are drawn at random for each tree, the only ones that it may use. None means all
        inputs.
    bootstrap : bool or "auto", default="auto"
        Whether the rows of each tree are drawn with replacement.
    max_samples : int, float, "auto" or None, default="auto"
        The number of rows that are drawn for each tree: a number, or a fraction of the training rows. None means all.
    learning_rate : float or "auto", default="auto"
        With 0 the trees are independent and the prediction is their mean. Above 0 they are boosted: each tree is fitted
        to the residuals (the negative gradient of the loss) of those before it, and this fraction of it is added.
    step : {"plain", "fitted"}, default="plain"
        How far a boosted tree goes before the learning rate shortens it. "plain" takes its leaves as they are; "fitted"
        multiplies them by the factor of least loss (at most ten) over its sample, one for each target (c of the
        ISLE algorithm). With squared errors, and for trees that are not boosted, that factor is 1.
    random_size : {"leaves", "depth", "auto"} or None, default="auto"
        Whether each tree has a random limit to its number of leaves or to its depth, drawn so that most trees are small
        and some are large. None means no such limit.
    mean_size : float or None, default=None
        The mean of the limits that `random_size` draws. None means 4 leaves or a depth of 3.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of a nominal target it is the
        probability of the second of two classes that rises or falls, or of those classes that a dictionary {class: one
        of these} names; more than two classes must be named. Nominal inputs have no order. None means no constraints.
    per_target : bool, default=False
        Whether to grow a forest for each target, instead of one whose trees predict all of them.
    voting : {"distribution", "majority"}, default="distribution"
        How trees predict nominal targets together: "distribution" is the mean of their class probabilities, "majority"
        the fraction of trees that vote for each class.
    oob_score : bool, default=False
        Whether to keep the out-of-bag predictions, their score and the curve of their error.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    standardise_targets : bool, default=True
        Whether all targets count alike, whatever their units and spreads. False lets trees lower the sum of the
        targets' variances as they are (and of the impurities of nominal targets), as predictive clustering trees do:
        then a target counts the more the larger its numbers are.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "ignore" for mixed targets.
    warm_start : bool, default=False
        Whether the next call of `fit` keeps the trees and adds to them. The result is the forest that one fit with as
        many trees would have given.
    n_jobs : int or None, default=None
        The number of threads, on which the forest does not depend. None means 1, -1 means all cores.
    verbose : bool or int, default=False
        Whether to show the progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed for all random draws. With an integer every fit gives the same forest.
    smoothing : float, "m" or None, default="m"
        Draw the probabilities of classes towards equal ones, as if there were so many more training rows, evenly of all
        classes; "m" is one row. None is the exact shares. The class that is predicted stays the same.
    event : label, dict or None, default=None
        Of the two classes of a target the one that is asked for: effects are signed towards it. A dictionary
        {target: label}, or a label where one target is nominal. None is the rarer class.
    threshold : float, dict or None, default=None
        Predict the event from this probability of it on: a number for all nominal targets, which then have two classes,
        or a dictionary {target: number} for some. None is the most probable class.

    Attributes
    ----------
    forests_ : list of Forest
        One forest, or with `per_target` one for each target.
    trees_ : sequence of NodeTable
        The nodes and splits of all trees.
    n_estimators_ : int
        The number of trees; with `per_target` that of the largest forest.
    rules_ : RuleSet
        The leaves of all trees as rules.
    size_ : Size
        The numbers of trees, nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    oob_prediction_ : DataFrame
        With `oob_score`, the prediction of each row by the trees that were grown without it; missing if there are none.
    errors_ : DataFrame
        With `oob_score=True`, how good these predictions are: for each target RMSE, MAE and R2, or the share of wrong
        classes, AUC, log loss, Brier score and calibration slope, with standard errors, beside a guess.
    oob_score_ : float
        With `oob_score`, R2 (numeric targets) and accuracy (nominal ones) of the out-of-bag predictions, averaged over
        the targets.
    oob_curve_ : ErrorCurve or list of ErrorCurve
        With `oob_score` or `n_estimators="auto"`, the out-of-bag error by the number of trees: `frame()` returns it as
        a dataframe and `plot()` draws it. With `per_target` it is a list of them, one for each target.
    validation_curve_ : ErrorCurve or list of ErrorCurve
        With `n_estimators="auto"` and a learning rate above 0, the same for the error on the rows that were held out.
    schema_ : Schema
        The names, kinds and categories of the inputs.
    target_schema_ : TargetSchema
        The names and classes of the targets.
    n_features_in_ : int
        The number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the inputs, if all of them are strings.
    n_outputs_ : int
        The number of targets.
    event_ : dict
        Of each target of two classes the one that is asked for.
    threshold_ : dict
        Of each target of two classes the probability of the event from which on it is predicted.

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
    _parameter_constraints = {
        **ForestEstimator._parameter_constraints,
        "smoothing": SMOOTHING,
        **DECIDING_SOME,
        **OF_NUMBERS,
        "criterion": [StrOptions(set(_criteria)), None],
    }

    def __init__(
        self,
        n_estimators: int | str = 100,
        *,
        method: str = "random_forest",
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | str | None = "auto",
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = "auto",
        on_no_split: str = "redraw",
        features_per_tree: int | float | str | None = None,
        bootstrap: bool | str = "auto",
        max_samples: int | float | str | None = "auto",
        learning_rate: float | str = "auto",
        step: str = PLAIN,
        random_size: str | None = "auto",
        mean_size: float | None = None,
        f_test: float | None = None,
        monotonic_cst: Any = None,
        per_target: bool = False,
        voting: str = "distribution",
        oob_score: bool = False,
        target_weights: Any = None,
        standardise_targets: bool = True,
        missing_targets: str | None = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
        smoothing: float | str | None = BY_DEFAULT,
        event: Any = None,
        threshold: float | Mapping[str, float] | None = None,
    ):
        super().__init__(
            n_estimators=n_estimators, method=method, criterion=criterion, max_bins=max_bins,
            max_depth=max_depth, max_leaf_nodes=max_leaf_nodes, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_features=max_features, on_no_split=on_no_split,
            features_per_tree=features_per_tree, bootstrap=bootstrap, max_samples=max_samples,
            learning_rate=learning_rate, step=step, random_size=random_size, mean_size=mean_size, f_test=f_test,
            monotonic_cst=monotonic_cst, per_target=per_target, voting=voting, oob_score=oob_score,
            target_weights=target_weights, missing_targets=missing_targets, warm_start=warm_start, n_jobs=n_jobs,
            verbose=verbose, random_state=random_state,
        )  # fmt: skip
        self.smoothing = smoothing
        self.event = event
        self.threshold = threshold
        self.standardise_targets = standardise_targets
