"""Multi-trees for numeric and nominal targets."""

from collections.abc import Mapping
from typing import Any

from sklearn.utils._param_validation import StrOptions

from glade.ensemble.fusion import FUSIONS, FUSIONS_OF_NUMBERS
from glade.ensemble.smoothing import BY_DEFAULT
from glade.models.base import RegressionOutput
from glade.models.class_output import COST_MATRIX, DECIDING, ClassificationOutput, ClassWeight
from glade.models.growing import SMOOTHING
from glade.models.mixed_output import DECIDING_SOME, MixedOutput
from glade.models.multitree_base import M_ESTIMATE, MultiTreeEstimator
from glade.models.tree import MixedTree, TreeClassifier, TreeRegressor


class MultiTreeRegressor(RegressionOutput, MultiTreeEstimator[TreeRegressor]):
    """Very many regression trees in one structure that shares their branches, for one numeric target or many.

    A first tree is grown greedily, and at every node the best split of every other input is kept as an alternative.
    Then some of these alternatives are chosen and their branches are grown. Each choice of one split at every node
    makes one of the many trees. The prediction combines all of them, and `archetype` finds the one tree that is most
    similar to all.

    Parameters
    ----------
    n_alternatives : int, default=100
        The number of alternative splits whose branches are grown.
    wake : {"random", "gain", "loss", "shallow"}, default="random"
        Which alternative split is next: any; the one that reduces the impurity most; the one that reduces it least less
        than the split which its node already has; or the one nearest to the root.
    fusion : {"mean", "gain", "sum"}, default="mean"
        How predictions are combined at a node with several splits: "mean" weighs all splits alike, "gain" by how much
        they reduce the impurity. With "sum" every leaf that a row reaches counts alike, wherever it is.
    max_nodes : int or None, default=1_000_000
        The largest number of nodes: no alternative is grown whose branches would exceed it. None means no limit.
    criterion : {"variance"} or None, default=None
        The impurity that splits reduce. It is the variance for numeric targets, also with None.
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
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
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    n_jobs : int or None, default=None
        The number of threads for predictions. None means 1, -1 means all cores.
    random_state : int, RandomState instance or None, default=None
        The seed for the choice of alternatives and for the synthetic rows of `archetype`. With an integer every fit
        gives the same multi-tree.

    Attributes
    ----------
    multitree_ : MultiTree
        The nodes and splits of all trees.
    n_solutions_ : int
        The exact number of trees that it holds.
    n_alternatives_ : int
        The number of alternative splits that were grown.
    size_ : Size
        The numbers of nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
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
    >>> from glade import MultiTreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex", "bill_length_mm"]], penguins["body_mass_g"]
    >>> model = MultiTreeRegressor(20, min_samples_leaf=20, random_state=0).fit(X, y)
    >>> model.n_solutions_ > 20
    True
    >>> print(model.archetype(max_leaf_nodes=3).to_text())
    tree of 3 leaves, depth 2
    ...
    """

    _criteria = ("variance",)
    _tree_kind = TreeRegressor
    _parameter_constraints = {
        **MultiTreeEstimator._parameter_constraints,
        "criterion": [StrOptions(set(_criteria)), None],
        "fusion": [StrOptions(set(FUSIONS_OF_NUMBERS))],
    }

    def __init__(
        self,
        n_alternatives: int = 100,
        *,
        wake: str = "random",
        fusion: str = "mean",
        max_nodes: int | None = 1_000_000,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ):
        super().__init__(
            n_alternatives=n_alternatives, wake=wake, fusion=fusion, max_nodes=max_nodes,
            criterion=criterion, max_bins=max_bins, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            f_test=f_test, nominal_splits=nominal_splits, target_weights=target_weights,
            missing_targets=missing_targets, n_jobs=n_jobs,
            random_state=random_state,
        )  # fmt: skip


class MultiTreeClassifier(ClassificationOutput, MultiTreeEstimator[TreeClassifier]):
    """Very many classification trees in one structure that shares their branches, for one nominal target or many.

    A first tree is grown greedily, and at every node the best split of every other input is kept as an alternative.
    Then some of these alternatives are chosen and their branches are grown. Each choice of one split at every node
    makes one of the many trees. The prediction combines all of them, and `archetype` finds the one tree that is most
    similar to all.

    Parameters
    ----------
    n_alternatives : int, default=100
        The number of alternative splits whose branches are grown.
    wake : {"random", "gain", "loss", "shallow"}, default="random"
        Which alternative split is next: any; the one that reduces the impurity most; the one that reduces it least less
        than the split which its node already has; or the one nearest to the root.
    fusion : {"mean", "gain", "sum", "max", "product", "vote"}, default="mean"
        How class probabilities are combined at a node with several splits: "mean" weighs all splits alike, "gain" by
        how much they reduce the impurity. With "sum" every leaf that a row reaches counts alike, wherever it is. "max"
        takes the highest probability of each class and "product" multiplies them, both as if each leaf had one more row
        of each class; with "vote" each split votes for one class.
    max_nodes : int or None, default=1_000_000
        The largest number of nodes: no alternative is grown whose branches would exceed it. None means no limit.
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity that splits reduce, summed over the targets: the Gini index or the entropy. "gain_ratio" divides
        the reduction of the entropy by the entropy of the split itself, as C4.5 does. None means "gini".
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
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
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "error".
    n_jobs : int or None, default=None
        The number of threads for predictions. None means 1, -1 means all cores.
    random_state : int, RandomState instance or None, default=None
        The seed for the choice of alternatives and for the synthetic rows of `archetype`. With an integer every fit
        gives the same multi-tree.
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
    m_estimate : float or None, default=None
        Take the m-estimates of the leaves' class shares before they are fused: as if each leaf had so many more rows,
        with the classes of all training rows, so that small leaves say less. With the fusions "max" and "product" it
        takes the place of the one more row of each class. None is the shares as they are.
    smoothing : float, "m" or None, default="m"
        Draw the probabilities of classes towards equal ones, as if there were so many more training rows, evenly of all
        classes; "m" is one row. None is the exact shares. The class that is predicted stays the same.

    Attributes
    ----------
    multitree_ : MultiTree
        The nodes and splits of all trees.
    n_solutions_ : int
        The exact number of trees that it holds.
    n_alternatives_ : int
        The number of alternative splits that were grown.
    size_ : Size
        The numbers of nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
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
    >>> from glade import MultiTreeClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> model = MultiTreeClassifier(50, random_state=0).fit(X, y)
    >>> tree = model.archetype()
    >>> bool((tree.predict(X) == model.predict(X)).mean() > 0.95)
    True
    >>> model.occam().get_n_leaves() <= tree.get_n_leaves()
    True
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _tree_kind = TreeClassifier
    _parameter_constraints = {
        **MultiTreeEstimator._parameter_constraints,
        "smoothing": SMOOTHING,
        "criterion": [StrOptions(set(_criteria)), None],
        "fusion": [StrOptions(set(FUSIONS))],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
        "cost_matrix": COST_MATRIX,
        "m_estimate": M_ESTIMATE,
    }

    def __init__(
        self,
        n_alternatives: int = 100,
        *,
        wake: str = "random",
        fusion: str = "mean",
        max_nodes: int | None = 1_000_000,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        class_weight: ClassWeight = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
        cost_matrix: Any = None,
        m_estimate: float | None = None,
        smoothing: float | str | None = BY_DEFAULT,
    ):
        super().__init__(
            n_alternatives=n_alternatives, wake=wake, fusion=fusion, max_nodes=max_nodes,
            criterion=criterion, max_bins=max_bins, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            f_test=f_test, nominal_splits=nominal_splits, target_weights=target_weights,
            missing_targets=missing_targets, n_jobs=n_jobs,
            random_state=random_state,
        )  # fmt: skip
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs
        self.cost_matrix = cost_matrix
        self.m_estimate = m_estimate


class MixedMultiTree(MixedOutput, MultiTreeEstimator[MixedTree]):
    """Very many trees for numeric and nominal targets together, in one structure that shares their branches.

    A first tree is grown greedily, and at every node the best split of every other input is kept as an alternative.
    Then some of these alternatives are chosen and their branches are grown. Each choice of one split at every node
    makes one of the many trees. The prediction combines all of them, and `archetype` finds the one tree that is most
    similar to all. `y` is a dataframe, in which some targets of a row may be missing; `predict` returns a dataframe
    with the same columns.

    Parameters
    ----------
    n_alternatives : int, default=100
        The number of alternative splits whose branches are grown.
    wake : {"random", "gain", "loss", "shallow"}, default="random"
        Which alternative split is next: any; the one that reduces the impurity most; the one that reduces it least less
        than the split which its node already has; or the one nearest to the root.
    fusion : {"mean", "gain", "sum"}, default="mean"
        How predictions are combined at a node with several splits: "mean" weighs all splits alike, "gain" by how much
        they reduce the impurity. With "sum" every leaf that a row reaches counts alike, wherever it is.
    max_nodes : int or None, default=1_000_000
        The largest number of nodes: no alternative is grown whose branches would exceed it. None means no limit.
    criterion : {"gini", "entropy", "gain_ratio"} or None, default=None
        The impurity of the nominal targets that splits reduce; that of numeric targets is always the variance.
        "gain_ratio" is possible only if all targets are nominal. None means "gini".
    max_bins : int, "auto" or None, default="auto"
        The number of bins (at most 255) into which the values of each numeric input are grouped before growth, so that
        splits can be found in histograms. None considers every threshold between two distinct values. "auto" groups the
        values into 255 bins if there are more than 20,000 rows, and considers every threshold otherwise.
    max_depth : int or None, default=None
        The largest number of splits between the root and a leaf. None means no limit.
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
    f_test : float or None, default=None
        The significance level of an F-test that every split must pass, such as 0.05. It compares sums of squares and
        therefore cannot be combined with the criteria "entropy" and "gain_ratio". None means no test.
    nominal_splits : {"binary", "multiway"}, default="binary"
        How a split on a nominal input divides the categories: into two sets, or each category by itself, as C4.5 does.
        A multi-way split is stored as a chain of splits that part one category after another from the rest. Missing
        values, and categories that a node never saw, go with the heaviest category.
    target_weights : array-like, dict or None, default=None
        How much each target counts: one weight for each target in their order, or a dictionary from their names to
        weights. None means that all count alike.
    missing_targets : {"error", "ignore"} or None, default=None
        What to do with rows in which some target values are missing: "error" refuses them, "ignore" uses each row for
        the targets that are known. None means "ignore" for mixed targets.
    n_jobs : int or None, default=None
        The number of threads for predictions. None means 1, -1 means all cores.
    random_state : int, RandomState instance or None, default=None
        The seed for the choice of alternatives and for the synthetic rows of `archetype`. With an integer every fit
        gives the same multi-tree.
    cost_matrix : array-like, dict or None, default=None
        What it costs to predict each class (columns) where each is true (rows), in the order of the sorted classes, or
        a dictionary {true class: {predicted class: cost}}, where an error that is left out costs 1. A right prediction
        costs 0. The class of the least expected cost is predicted; the probabilities stay true. With several nominal
        targets it is a dictionary {target: matrix}. None is the most probable class.
    m_estimate : float or None, default=None
        Take the m-estimates of the leaves' class shares before they are fused: as if each leaf had so many more rows,
        with the classes of all training rows, so that small leaves say less. With the fusions "max" and "product" it
        takes the place of the one more row of each class. None is the shares as they are.
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
    multitree_ : MultiTree
        The nodes and splits of all trees.
    n_solutions_ : int
        The exact number of trees that it holds.
    n_alternatives_ : int
        The number of alternative splits that were grown.
    size_ : Size
        The numbers of nodes and leaves, as a named tuple.
    feature_importances_ : ndarray of shape (n_features,)
        The importance of each input: the fraction of the explained impurity that its splits explain.
    target_importances_ : DataFrame of shape (n_features, n_outputs)
        The importances of inputs (rows) for each target (columns).
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
    >>> from glade import MixedMultiTree, load_penguins
    >>> penguins = load_penguins()
    >>> targets = ["species", "body_mass_g"]
    >>> X = penguins.drop(columns=targets)
    >>> model = MixedMultiTree(20, min_samples_leaf=20, random_state=0).fit(X, penguins[targets])
    >>> model.archetype(max_leaf_nodes=3).predict(X).columns.tolist()
    ['species', 'body_mass_g']
    """

    _criteria = ("gini", "entropy", "gain_ratio")
    _missing_targets = "ignore"
    _tree_kind = MixedTree
    _parameter_constraints = {
        **MultiTreeEstimator._parameter_constraints,
        "smoothing": SMOOTHING,
        **DECIDING_SOME,
        "cost_matrix": COST_MATRIX,
        "m_estimate": M_ESTIMATE,
        "criterion": [StrOptions(set(_criteria)), None],
        "fusion": [StrOptions(set(FUSIONS_OF_NUMBERS))],
    }

    def __init__(
        self,
        n_alternatives: int = 100,
        *,
        wake: str = "random",
        fusion: str = "mean",
        max_nodes: int | None = 1_000_000,
        criterion: str | None = None,
        max_bins: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        f_test: float | None = None,
        nominal_splits: str = "binary",
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        cost_matrix: Any = None,
        m_estimate: float | None = None,
        smoothing: float | str | None = BY_DEFAULT,
        event: Any = None,
        threshold: float | Mapping[str, float] | None = None,
    ):
        super().__init__(
            n_alternatives=n_alternatives, wake=wake, fusion=fusion, max_nodes=max_nodes,
            criterion=criterion, max_bins=max_bins, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
            f_test=f_test, nominal_splits=nominal_splits, target_weights=target_weights,
            missing_targets=missing_targets, n_jobs=n_jobs,
            random_state=random_state,
        )  # fmt: skip
        self.cost_matrix = cost_matrix
        self.m_estimate = m_estimate
        self.smoothing = smoothing
        self.event = event
        self.threshold = threshold
