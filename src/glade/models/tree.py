"""Trees for numeric, nominal and mixed targets."""

from collections.abc import Mapping
from typing import Any

from sklearn.utils._param_validation import StrOptions

from glade.data.nice_edges import EXACT
from glade.ensemble.smoothing import BY_DEFAULT
from glade.models.base import RegressionOutput
from glade.models.class_output import COST_MATRIX, DECIDING, ClassificationOutput, ClassWeight
from glade.models.growing import OF_NUMBERS, SMOOTHING
from glade.models.intervals import PredictsIntervals
from glade.models.mixed_output import DECIDING_SOME, MixedOutput
from glade.models.tree_base import TreeEstimator


class TreeRegressor(RegressionOutput, PredictsIntervals, TreeEstimator):
    """A regression tree for one numeric target or many.

    With several targets one tree predicts all of them: it divides the rows so that every target varies little within a
    leaf. All targets count alike, whatever their units, unless `target_weights` says otherwise. Inputs may be numeric
    or nominal (text, booleans, categories), and their values may be missing.

    Parameters
    ----------
    criterion : {"variance"} or None, default=None
        The impurity that splits reduce. It is the variance for numeric targets, also with None.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. If it is given, the node whose split reduces the impurity most is split first.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    max_features : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=None
        The number of inputs that are drawn at random at each node, among which its split is searched for: a number, a
        fraction of the inputs, or a function of their number (square root, logarithm to base 2, one more than that, a
        third). None means all inputs.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    cuts : {"exact", "nice"}, default="exact"
        Where numeric inputs are cut: "exact" is any value, the shortest decimal that divides the rows alike. "nice" are
        at most some 40 values of each input, each the shortest decimal near a quantile; `max_bins` then does nothing.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of a nominal target it is the
        probability of the second of two classes that rises or falls, or of those classes that a dictionary {class: one
        of these} names; more than two classes must be named. Nominal inputs have no order. None means no constraints.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    ccp_alpha : float or "cv", default=0.0
        The complexity parameter of cost-complexity pruning: branches are cut back which reduce the impurity by less
        than this for each additional leaf. With 0.0 the tree is not pruned; "cv" chooses the value by cross-validation.
    ccp_rule : {"min", "1se"}, default="min"
        How `ccp_alpha="cv"` chooses: "min" takes the value with the smallest cross-validated error, "1se" the smallest
        tree whose error is within one standard error of that.
    cv : int, cross-validation splitter, iterable of splits or None, default=5
        The folds for `ccp_alpha="cv"`. With `groups` given to `fit`, no fold divides a group: a number makes such
        folds, and a splitter receives the groups. None means 5, or the number of groups if that is smaller.
    standardise_targets : bool, default=True
        Whether all targets count alike, whatever their units and spreads. False lets trees lower the sum of the
        targets' variances as they are (and of the impurities of nominal targets), as predictive clustering trees do:
        then a target counts the more the larger its numbers are. The choice of an alpha by folds is not changed.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    random_state : int, RandomState instance or None, default=None
        The seed for the inputs that are drawn at the nodes and for the folds. With an integer every fit gives the same
        tree.

    Attributes
    ----------
    tree_ : NodeTable
        The nodes and splits of the tree.
    rules_ : RuleSet
        The leaves as rules, each with the prediction of its leaf.
    size_ : Size
        The numbers of trees (one), nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    ccp_alpha_ : float
        The complexity parameter at which the tree was pruned.
    cv_path_ : AlphaChoice
        The cross-validated errors along the pruning path, with `ccp_alpha="cv"`.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        With `ccp_alpha="cv"`, the prediction of each row by a fold's tree that was grown without it, and pruned as the
        other folds choose.
    errors_ : DataFrame
        With `ccp_alpha="cv"`, how good these predictions are: for each target RMSE, MAE and R2, or the share of wrong
        classes, AUC, log loss, Brier score and calibration slope, each with its standard error.
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
    >>> from glade import TreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> y = penguins[["body_mass_g", "flipper_length_mm"]]
    >>> tree = TreeRegressor(max_leaf_nodes=4).fit(X, y)
    >>> print(tree.to_text())
    tree of 4 leaves, depth 2
    ...
    """

    _criteria = ("variance",)
    _no_residuals = 'a tree makes intervals of its out-of-fold predictions: fit it with ccp_alpha="cv"'
    _parameter_constraints = {
        **TreeEstimator._parameter_constraints,
        **OF_NUMBERS,
        "criterion": [StrOptions(set(_criteria)), None],
    }

    def __init__(
        self,
        *,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = None,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        cuts: str = EXACT,
        monotonic_cst: Any = None,
        target_weights: Any = None,
        ccp_alpha: float | str = 0.0,
        ccp_rule: str = "min",
        cv: Any = 5,
        standardise_targets: bool = True,
        missing_targets: str | None = None,
        random_state: Any = None,
    ):
        super().__init__(
            criterion=criterion, max_bins=max_bins, max_depth=max_depth, max_leaf_nodes=max_leaf_nodes,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            max_features=max_features, f_test=f_test, nominal_splits=nominal_splits, cuts=cuts,
            monotonic_cst=monotonic_cst,
            target_weights=target_weights, ccp_alpha=ccp_alpha,
            ccp_rule=ccp_rule, cv=cv, missing_targets=missing_targets, random_state=random_state,
        )  # fmt: skip
        self.standardise_targets = standardise_targets


class TreeClassifier(ClassificationOutput, TreeEstimator):
    """A classification tree for one nominal target or many.

    With several targets one tree predicts all of them, and each has classes of its own. Inputs may be numeric or
    nominal (text, booleans, categories), and their values may be missing.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity that splits reduce, summed over the targets: the Gini index or the entropy. "gain_ratio" divides
        the reduction of the entropy by the entropy of the split itself, as C4.5 does. None means "gini".
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. If it is given, the node whose split reduces the impurity most is split first.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    max_features : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=None
        The number of inputs that are drawn at random at each node, among which its split is searched for: a number, a
        fraction of the inputs, or a function of their number (square root, logarithm to base 2, one more than that, a
        third). None means all inputs.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    cuts : {"exact", "nice"}, default="exact"
        Where numeric inputs are cut: "exact" is any value, the shortest decimal that divides the rows alike. "nice" are
        at most some 40 values of each input, each the shortest decimal near a quantile; `max_bins` then does nothing.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of a nominal target it is the
        probability of the second of two classes that rises or falls, or of those classes that a dictionary {class: one
        of these} names; more than two classes must be named. Nominal inputs have no order. None means no constraints.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    ccp_alpha : float or "cv", default=0.0
        The complexity parameter of cost-complexity pruning: branches are cut back which reduce the impurity by less
        than this for each additional leaf. With 0.0 the tree is not pruned; "cv" chooses the value by cross-validation.
    ccp_rule : {"min", "1se"}, default="min"
        How `ccp_alpha="cv"` chooses: "min" takes the value with the smallest cross-validated error, "1se" the smallest
        tree whose error is within one standard error of that.
    cv : int, cross-validation splitter, iterable of splits or None, default=5
        The folds for `ccp_alpha="cv"`. With `groups` given to `fit`, no fold divides a group: a number makes such
        folds, and a splitter receives the groups. None means 5, or the number of groups if that is smaller.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    random_state : int, RandomState instance or None, default=None
        The seed for the inputs that are drawn at the nodes and for the folds. With an integer every fit gives the same
        tree.
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
    cost_matrix : array-like, dict or None, default=None
        What it costs to predict each class (columns) where each is true (rows), in the order of the sorted classes, or
        a dictionary {true class: {predicted class: cost}}, where an error that is left out costs 1. A right prediction
        costs 0. The class of the least expected cost is predicted; the probabilities stay true. With several nominal
        targets it is a dictionary {target: matrix}. None is the most probable class.
    smoothing : float, "m" or None, default="m"
        Draw the probabilities of classes in a leaf towards those of all rows, as if the leaf had so many more rows; "m"
        is one row. None is the exact shares. The class that is predicted stays the same.

    Attributes
    ----------
    tree_ : NodeTable
        The nodes and splits of the tree.
    rules_ : RuleSet
        The leaves as rules, each with the prediction of its leaf.
    size_ : Size
        The numbers of trees (one), nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    ccp_alpha_ : float
        The complexity parameter at which the tree was pruned.
    cv_path_ : AlphaChoice
        The cross-validated errors along the pruning path, with `ccp_alpha="cv"`.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        With `ccp_alpha="cv"`, the prediction of each row by a fold's tree that was grown without it, and pruned as the
        other folds choose.
    errors_ : DataFrame
        With `ccp_alpha="cv"`, how good these predictions are: for each target RMSE, MAE and R2, or the share of wrong
        classes, AUC, log loss, Brier score and calibration slope, each with its standard error.
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
    >>> from glade import TreeClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> tree = TreeClassifier(max_depth=2).fit(X, y)
    >>> print(tree.to_text())
    tree of 4 leaves, depth 2
    ...
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _parameter_constraints = {
        **TreeEstimator._parameter_constraints,
        "smoothing": SMOOTHING,
        "criterion": [StrOptions(set(_criteria)), None],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
        "cost_matrix": COST_MATRIX,
    }

    def __init__(
        self,
        *,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = None,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        cuts: str = EXACT,
        monotonic_cst: Any = None,
        target_weights: Any = None,
        ccp_alpha: float | str = 0.0,
        ccp_rule: str = "min",
        cv: Any = 5,
        missing_targets: str | None = None,
        random_state: Any = None,
        class_weight: ClassWeight = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
        cost_matrix: Any = None,
        smoothing: float | str | None = BY_DEFAULT,
    ):
        super().__init__(
            criterion=criterion, max_bins=max_bins, max_depth=max_depth, max_leaf_nodes=max_leaf_nodes,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            max_features=max_features, f_test=f_test, nominal_splits=nominal_splits, cuts=cuts,
            monotonic_cst=monotonic_cst,
            target_weights=target_weights, ccp_alpha=ccp_alpha,
            ccp_rule=ccp_rule, cv=cv, missing_targets=missing_targets, random_state=random_state,
        )  # fmt: skip
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs
        self.cost_matrix = cost_matrix


class MixedTree(MixedOutput, TreeEstimator):
    """A tree for numeric and nominal targets together.

    The impurity of each target is divided by that of all training rows, so that every target counts alike. `y` is a
    dataframe, in which some targets of a row may be missing. `predict` returns a dataframe with the same columns.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity of the nominal targets that splits reduce; that of numeric targets is always the variance.
        "gain_ratio" is possible only if all targets are nominal. None means "gini".
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. If it is given, the node whose split reduces the impurity most is split first.
    min_samples_split : int or float, default=2
        The smallest number of rows that a node must have to be split. A float is a fraction of the training rows.
    min_samples_leaf : int or float, default=1
        The smallest number of rows that a leaf must have. A float is a fraction of the training rows.
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total row weight that a leaf must have.
    min_impurity_decrease : float, default=0.0
        The smallest decrease of the impurity for which a node is split, weighted by the node's fraction of the rows as
        in scikit-learn. With one target it is in the unit of the impurity (for a number, its unit squared); with
        several it is a mean over the targets, the numeric ones standardised.
    max_features : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=None
        The number of inputs that are drawn at random at each node, among which its split is searched for: a number, a
        fraction of the inputs, or a function of their number (square root, logarithm to base 2, one more than that, a
        third). None means all inputs.
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    cuts : {"exact", "nice"}, default="exact"
        Where numeric inputs are cut: "exact" is any value, the shortest decimal that divides the rows alike. "nice" are
        at most some 40 values of each input, each the shortest decimal near a quantile; `max_bins` then does nothing.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of a nominal target it is the
        probability of the second of two classes that rises or falls, or of those classes that a dictionary {class: one
        of these} names; more than two classes must be named. Nominal inputs have no order. None means no constraints.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    ccp_alpha : float or "cv", default=0.0
        The complexity parameter of cost-complexity pruning: branches are cut back which reduce the impurity by less
        than this for each additional leaf. With 0.0 the tree is not pruned; "cv" chooses the value by cross-validation.
    ccp_rule : {"min", "1se"}, default="min"
        How `ccp_alpha="cv"` chooses: "min" takes the value with the smallest cross-validated error, "1se" the smallest
        tree whose error is within one standard error of that.
    cv : int, cross-validation splitter, iterable of splits or None, default=5
        The folds for `ccp_alpha="cv"`. With `groups` given to `fit`, no fold divides a group: a number makes such
        folds, and a splitter receives the groups. None means 5, or the number of groups if that is smaller.
    standardise_targets : bool, default=True
        Whether all targets count alike, whatever their units and spreads. False lets trees lower the sum of the
        targets' variances as they are (and of the impurities of nominal targets), as predictive clustering trees do:
        then a target counts the more the larger its numbers are. The choice of an alpha by folds is not changed.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "ignore" for mixed targets.
    random_state : int, RandomState instance or None, default=None
        The seed for the inputs that are drawn at the nodes and for the folds. With an integer every fit gives the same
        tree.
    cost_matrix : array-like, dict or None, default=None
        What it costs to predict each class (columns) where each is true (rows), in the order of the sorted classes, or
        a dictionary {true class: {predicted class: cost}}, where an error that is left out costs 1. A right prediction
        costs 0. The class of the least expected cost is predicted; the probabilities stay true. With several nominal
        targets it is a dictionary {target: matrix}. None is the most probable class.
    smoothing : float, "m" or None, default="m"
        Draw the probabilities of classes in a leaf towards those of all rows, as if the leaf had so many more rows; "m"
        is one row. None is the exact shares. The class that is predicted stays the same.
    event : label, dict or None, default=None
        Of the two classes of a target the one that is asked for: effects are signed towards it. A dictionary
        {target: label}, or a label where one target is nominal. None is the rarer class.
    threshold : float, dict or None, default=None
        Predict the event from this probability of it on: a number for all nominal targets, which then have two classes,
        or a dictionary {target: number} for some. None is the most probable class.

    Attributes
    ----------
    tree_ : NodeTable
        The nodes and splits of the tree.
    rules_ : RuleSet
        The leaves as rules, each with the prediction of its leaf.
    size_ : Size
        The numbers of trees (one), nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
    ccp_alpha_ : float
        The complexity parameter at which the tree was pruned.
    cv_path_ : AlphaChoice
        The cross-validated errors along the pruning path, with `ccp_alpha="cv"`.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        With `ccp_alpha="cv"`, the prediction of each row by a fold's tree that was grown without it, and pruned as the
        other folds choose.
    errors_ : DataFrame
        With `ccp_alpha="cv"`, how good these predictions are: for each target RMSE, MAE and R2, or the share of wrong
        classes, AUC, log loss, Brier score and calibration slope, each with its standard error.
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
    >>> from glade import MixedTree, load_penguins
    >>> penguins = load_penguins()
    >>> targets = ["species", "body_mass_g"]
    >>> tree = MixedTree(max_leaf_nodes=4).fit(penguins.drop(columns=targets), penguins[targets])
    >>> tree.predict(penguins.drop(columns=targets)).columns.tolist()
    ['species', 'body_mass_g']
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _missing_targets = "ignore"
    _parameter_constraints = {
        **TreeEstimator._parameter_constraints,
        "smoothing": SMOOTHING,
        **DECIDING_SOME,
        "cost_matrix": COST_MATRIX,
        **OF_NUMBERS,
        "criterion": [StrOptions(set(_criteria)), None],
    }

    def __init__(
        self,
        *,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: int | float | str | None = None,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        cuts: str = EXACT,
        monotonic_cst: Any = None,
        target_weights: Any = None,
        ccp_alpha: float | str = 0.0,
        ccp_rule: str = "min",
        cv: Any = 5,
        standardise_targets: bool = True,
        missing_targets: str | None = None,
        random_state: Any = None,
        cost_matrix: Any = None,
        smoothing: float | str | None = BY_DEFAULT,
        event: Any = None,
        threshold: float | Mapping[str, float] | None = None,
    ):
        super().__init__(
            criterion=criterion, max_bins=max_bins, max_depth=max_depth, max_leaf_nodes=max_leaf_nodes,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            max_features=max_features, f_test=f_test, nominal_splits=nominal_splits, cuts=cuts,
            monotonic_cst=monotonic_cst,
            target_weights=target_weights, ccp_alpha=ccp_alpha,
            ccp_rule=ccp_rule, cv=cv, missing_targets=missing_targets, random_state=random_state,
        )  # fmt: skip
        self.cost_matrix = cost_matrix
        self.smoothing = smoothing
        self.event = event
        self.threshold = threshold
        self.standardise_targets = standardise_targets
