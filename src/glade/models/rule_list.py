"""Predictive clustering rules: lists and sets of rules found by covering, for numeric, nominal and mixed targets."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.kinds import RULES
from glade.core.seeds import draw_seed
from glade.data.coded_rows import CodedRows, name_columns
from glade.data.coding import AUTO_BINNED_ROWS
from glade.data.folds import Fold
from glade.data.frames import to_table
from glade.data.nice_edges import EXACT, NICE
from glade.data.weights import read_target_weights
from glade.losses.squared import Squared
from glade.models.base import RegressionOutput, TrainingSet
from glade.models.class_output import DECIDING, ClassificationOutput, ClassWeight
from glade.models.coming_back import find_coming_back
from glade.models.errors import measure_errors
from glade.models.fitted_rules import FittedRules
from glade.models.folds import split_for_choice
from glade.models.held_out import FoldsOfFit
from glade.models.intervals import PredictsIntervals, measure_residuals
from glade.models.mixed_output import DECIDING_SOME, MixedOutput
from glade.models.rule_stages import cut_nicely
from glade.rules.covering import Limits, find_rules
from glade.rules.design import Design, TargetRows
from glade.rules.extract import NODES
from glade.rules.hard import BlockOfRules
from glade.rules.listed import ListedRules, VotingRules
from glade.rules.model import RuleModel
from glade.rules.path import AUTO
from glade.rules.rule_set import RuleSet
from glade.rules.scores import Scores, scale_targets
from glade.weights.listed import ValidatedLists
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Needs

MOST_TRIED = 30  # rules, of which the folds choose some


class RuleListEstimator(FittedRules):
    """The base of the rule lists: their common parameters, and `fit`."""

    kind = RULES
    rules_from = NODES
    _uses_blas = True
    _parameter_constraints = {
        "max_rules": [Interval(Integral, 0, None, closed="left"), StrOptions({AUTO}), None],
        "ordered": ["boolean"],
        "max_conditions": [Interval(Integral, 1, None, closed="left"), None],
        "width": [Interval(Integral, 1, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "generality": [Interval(Real, 0.0, None, closed="neither")],
        "cuts": [StrOptions({NICE, EXACT})],
        "cv": [Interval(Integral, 2, None, closed="left"), "cv_object"],
        "target_weights": ["array-like", dict, None],
        "missing_targets": [StrOptions({"error", "ignore"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        max_rules: int | str | None = AUTO,
        *,
        ordered: bool = True,
        max_conditions: int | None = 3,
        width: int = 5,
        min_samples_leaf: int = 5,
        generality: float = 0.3,
        cuts: str = NICE,
        cv: Any = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        random_state: Any = None,
    ):
        self.max_rules = max_rules
        self.ordered = ordered
        self.max_conditions = max_conditions
        self.width = width
        self.min_samples_leaf = min_samples_leaf
        self.generality = generality
        self.cuts = cuts
        self.cv = cv
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Find rules one after another, and how many of them the list keeps.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs: a NumPy array, or a pandas, polars or pyarrow dataframe. Text, booleans and categories are
            nominal; missing values need no preparation, and fulfil no condition.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows. Rows of weight zero are left out.
        groups : array-like of shape (rows,), optional
            Labels of groups of rows that belong together, such as those of one patient. No fold then divides a group.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        with self._restore_on_failure():
            training = self._read_training(X, y, sample_weight, groups)
            self.seed_ = draw_seed(self.random_state)
            if self.cuts == NICE:
                training = cut_nicely(training)
            scores, rows = self._scale(training)
            lister = _Lister(self, training, rows, scores)
            splits = split_for_choice(self.cv, None, training, self.seed_, Needs())
            whole, folds = lister.pose(None), [lister.hold_out(fold) for fold in splits]
            judged = ValidatedLists.of(folds, self.n_outputs_)
            path = judged.find_path(whole)
            steps = path.steps[: path.find_place(self.max_rules) + 1]
            told = path if self.ordered else replace(path, steps=steps)  # what a rule counts for depends on all others
            size, truth = steps[-1].size, training.targets
            self.model_ = RuleModel.of(whole.design, whole.rows, told, scores, size, self.seed_, truth)
            of_fit = FoldsOfFit(judged, folds, splits, scores)
            own = of_fit.predict(path, self.max_rules, training.table.n_rows)
            comes_back = find_coming_back(of_fit, self.model_, training.matrix, is_turned=False)
            self.held_out_ = replace(own, comes_back=comes_back).place(training.rows, len(to_table(X)))
            how = (training, training.targets, own.values, self.target_schema_, Squared.of(None), own.fold)
            self.metrics_ = measure_errors(*how)
            if isinstance(self, PredictsIntervals):
                self.residuals_ = measure_residuals(training.targets, own.values, training.weights, self.seed_)
        return self

    def _scale(self, training: TrainingSet) -> tuple[Scores, TargetRows]:
        """The columns of the targets, those of each of which vary by 1 altogether."""
        importance = read_target_weights(self.target_weights, self.target_schema_.names)
        losses = [Squared.of(None if c.labels is None else len(c.labels)) for c in training.targets]
        scores, y = scale_targets(training.targets, training.weights, losses, importance)
        return replace(scores, targets=self.target_schema_), TargetRows(training.matrix, y, training.weights)

    @property
    def rules_(self) -> RuleSet:
        """The rules in the order of the list; their values are what they predict."""
        check_is_fitted(self)
        terms = self.terms_
        block = terms.design.blocks[1]
        assert isinstance(block, BlockOfRules)
        return replace(block.rules, value=terms.typical + terms.change)


@dataclass(frozen=True)
class _Lister:
    """Finds the lists of a table and of its folds."""

    settings: RuleListEstimator
    training: TrainingSet
    rows: TargetRows
    scores: Scores

    def pose(self, among: Any) -> Problem:
        """The rules of some rows, or of all."""
        own = np.arange(len(self.rows.y)) if among is None else among
        return Problem(self._find_design(own), self.rows if among is None else self.rows.take(own))

    def hold_out(self, fold: Fold) -> FoldProblem:
        """The rules of a fold, with the rows that it holds out."""
        train, test = fold
        problem = self.pose(train)
        return FoldProblem(problem.design, problem.rows, held_out=self.rows.take(test))

    def _find_design(self, among: Any) -> Design:
        settings, training = self.settings, self.training
        limits = Limits(
            max_rules=MOST_TRIED if isinstance(settings.max_rules, str) else settings.max_rules,
            max_conditions=settings.max_conditions,
            width=settings.width,
            min_rows=settings.min_samples_leaf,
            generality=settings.generality,
            is_ordered=settings.ordered,
        )
        inputs = training.code("auto", AUTO_BINNED_ROWS)
        places = self.scores.losses.places
        rows = CodedRows(inputs, self.rows.y, name_columns(places), training.weights)
        found = find_rules(rows, limits, among)
        rules = found.to_rules(inputs, settings.schema_, settings.target_schema_, training.weights)
        block = ListedRules(rules) if settings.ordered else VotingRules(rules, np.ones(len(rules)))
        return Design.of(rules.take(np.arange(0)), block)


class RuleListRegressor(RegressionOutput, PredictsIntervals, RuleListEstimator):
    """A list of rules found by covering, for one numeric target or many: predictive clustering rules.

    The rule within which the targets vary least, for its size, is searched for; the rows that it covers are left to it
    (or, of an unordered list, count less), and the search goes on with the others. All targets are predicted by the
    same rules. Missing values fulfil no condition. A rule predicts the mean of its rows.

    Parameters
    ----------
    max_rules : int, "auto" or None, default="auto"
        The most rules. "auto" is the shortest list that is behind the best one by no more than the standard error of
        their difference over the folds, of at most 30 rules; None is the best list of any length.
    ordered : bool, default=True
        Whether the first rule that covers a row says what is predicted for it. Otherwise all rules that cover a row
        count alike, and the prediction is the mean of what they say.
    max_conditions : int or None, default=3
        The most inputs that a rule has conditions on. None is any number.
    width : int, default=5
        How many rules the search for the next one goes on with at a time (the width of its beam).
    min_samples_leaf : int, default=5
        The fewest rows that a rule covers when it is found.
    generality : float, default=0.3
        What a rule is worth is how much less the targets vary within it, times the fraction of the rows that it covers
        to this power (near 0 rules are narrow and pure, from 1 on wide). Each condition costs a twentieth of that.
    cuts : {"nice", "exact"}, default="nice"
        Where numeric inputs are cut: "nice" are at most some 40 values of each input, each the shortest decimal near a
        quantile. "exact" is any value.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose the number of rules; a fold's rules are found without its rows. None is 3, for fewer than
        200 rows 5, from 2,000 rows on 2. With `groups` given to `fit`, no fold divides a group.
    target_weights : array-like, dict or None, default=None
        How much each target counts.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    random_state : int, RandomState instance or None, default=None
        The seed of the folds; the search itself draws nothing.

    Attributes
    ----------
    rules_ : RuleSet
        The rules in the order of the list, with what they predict.
    terms_ : WeightedTerms
        The rules with what they add to the prediction of a row that no rule covers.
    path_ : ErrorPath
        The lists from short to long, with their validation errors: `frame()` is a dataframe of terms, conditions,
        error and standard_error, `plot()` draws it.
    rule_importances_ : DataFrame of terms x targets
        How much each rule changes the predictions, in standard deviations of the target.
    feature_importances_ : array
        Of each input its share of the rules' importance.
    target_importances_ : DataFrame of inputs x targets
        The same for each target.
    size_ : named tuple
        The numbers of rules and conditions.
    model_ : RuleModel
        The list by itself.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        Predictions of the training rows by lists of folds that had no part of them, at the chosen length, in the form
        of `predict` (classes: `predict_proba`).

    Examples
    --------
    >>> from glade import RuleListRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex", "bill_length_mm"]], penguins["body_mass_g"]
    >>> print(RuleListRegressor(max_rules=2, random_state=0).fit(X, y).to_text())
    2 listed rules
    ...
    """


class RuleListClassifier(ClassificationOutput, RuleListEstimator):
    """A list of rules found by covering, for one nominal target or many: predictive clustering rules.

    The rule within which the targets vary least, for its size, is searched for; the rows that it covers are left to it
    (or, of an unordered list, count less), and the search goes on with the others. All targets are predicted by the
    same rules. Missing values fulfil no condition. A rule predicts the shares of the classes among its rows.

    Parameters
    ----------
    max_rules : int, "auto" or None, default="auto"
        The most rules. "auto" is the shortest list that is behind the best one by no more than the standard error of
        their difference over the folds, of at most 30 rules; None is the best list of any length.
    ordered : bool, default=True
        Whether the first rule that covers a row says what is predicted for it. Otherwise all rules that cover a row
        count alike, and the prediction is the mean of what they say.
    max_conditions : int or None, default=3
        The most inputs that a rule has conditions on. None is any number.
    width : int, default=5
        How many rules the search for the next one goes on with at a time (the width of its beam).
    min_samples_leaf : int, default=5
        The fewest rows that a rule covers when it is found.
    generality : float, default=0.3
        What a rule is worth is how much less the targets vary within it, times the fraction of the rows that it covers
        to this power (near 0 rules are narrow and pure, from 1 on wide). Each condition costs a twentieth of that.
    cuts : {"nice", "exact"}, default="nice"
        Where numeric inputs are cut: "nice" are at most some 40 values of each input, each the shortest decimal near a
        quantile. "exact" is any value.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose the number of rules; a fold's rules are found without its rows. None is 3, for fewer than
        200 rows 5, from 2,000 rows on 2. With `groups` given to `fit`, no fold divides a group.
    target_weights : array-like, dict or None, default=None
        How much each target counts.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    random_state : int, RandomState instance or None, default=None
        The seed of the folds; the search itself draws nothing.
    class_weight : dict, list of dict, "balanced" or None, default=None
        What an error in each class costs: a dictionary from classes to weights, with several targets a list of them.
        "balanced" makes all classes count alike. It moves the class that is predicted; the probabilities stay true.
    event : label, dict or None, default=None
        Of two classes the one that is asked for, and whose probability `threshold` is about. With several targets a
        dictionary {target: label}. None is the rarer class.
    threshold : float, "cost" or None, default=None
        Predict the event from this probability of it on. "cost" finds it from `costs`; None is the most probable class.
    costs : dict or None, default=None
        With threshold="cost", {"false_alarm": 1, "miss": 5}: what an error of either kind costs.

    Attributes
    ----------
    rules_ : RuleSet
        The rules in the order of the list, with what they predict.
    terms_ : WeightedTerms
        The rules with what they add to the prediction of a row that no rule covers.
    path_ : ErrorPath
        The lists from short to long, with their validation errors: `frame()` is a dataframe of terms, conditions,
        error and standard_error, `plot()` draws it.
    rule_importances_ : DataFrame of terms x targets
        How much each rule changes the predictions, in standard deviations of the target.
    feature_importances_ : array
        Of each input its share of the rules' importance.
    target_importances_ : DataFrame of inputs x targets
        The same for each target.
    size_ : named tuple
        The numbers of rules and conditions.
    model_ : RuleModel
        The list by itself.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        Predictions of the training rows by lists of folds that had no part of them, at the chosen length, in the form
        of `predict` (classes: `predict_proba`).
    event_ : label or dict
        The class that is asked for, of two.
    threshold_ : float
        Of two classes: the probability of the event from which on it is predicted.

    Examples
    --------
    >>> from glade import RuleListClassifier, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> rules = RuleListClassifier(random_state=0).fit(X, y)
    >>> bool(rules.score(X, y) > 0.9)
    True
    """

    _parameter_constraints = {
        **RuleListEstimator._parameter_constraints,
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
    }

    def __init__(
        self,
        max_rules: int | str | None = AUTO,
        *,
        ordered: bool = True,
        max_conditions: int | None = 3,
        width: int = 5,
        min_samples_leaf: int = 5,
        generality: float = 0.3,
        cuts: str = NICE,
        cv: Any = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        random_state: Any = None,
        class_weight: ClassWeight = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
    ):
        super().__init__(
            max_rules, ordered=ordered, max_conditions=max_conditions, width=width, min_samples_leaf=min_samples_leaf,
            generality=generality, cuts=cuts, cv=cv, target_weights=target_weights, missing_targets=missing_targets,
            random_state=random_state,
        )  # fmt: skip
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs


class MixedRuleList(MixedOutput, RuleListEstimator):
    """A list of rules found by covering, for numeric and nominal targets together: predictive clustering rules.

    The rule within which the targets vary least, for its size, is searched for; the rows that it covers are left to it
    (or, of an unordered list, count less), and the search goes on with the others. All targets are predicted by the
    same rules. Missing values fulfil no condition. `y` is a dataframe, in which some
    targets of a row may be missing.

    Parameters
    ----------
    max_rules : int, "auto" or None, default="auto"
        The most rules. "auto" is the shortest list that is behind the best one by no more than the standard error of
        their difference over the folds, of at most 30 rules; None is the best list of any length.
    ordered : bool, default=True
        Whether the first rule that covers a row says what is predicted for it. Otherwise all rules that cover a row
        count alike, and the prediction is the mean of what they say.
    max_conditions : int or None, default=3
        The most inputs that a rule has conditions on. None is any number.
    width : int, default=5
        How many rules the search for the next one goes on with at a time (the width of its beam).
    min_samples_leaf : int, default=5
        The fewest rows that a rule covers when it is found.
    generality : float, default=0.3
        What a rule is worth is how much less the targets vary within it, times the fraction of the rows that it covers
        to this power (near 0 rules are narrow and pure, from 1 on wide). Each condition costs a twentieth of that.
    cuts : {"nice", "exact"}, default="nice"
        Where numeric inputs are cut: "nice" are at most some 40 values of each input, each the shortest decimal near a
        quantile. "exact" is any value.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose the number of rules; a fold's rules are found without its rows. None is 3, for fewer than
        200 rows 5, from 2,000 rows on 2. With `groups` given to `fit`, no fold divides a group.
    target_weights : array-like, dict or None, default=None
        How much each target counts.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether a row may lack some target values; it then counts for the others. None is "ignore".
    random_state : int, RandomState instance or None, default=None
        The seed of the folds; the search itself draws nothing.
    event : label, dict or None, default=None
        Of the two classes of a target the one that is asked for: effects are signed towards it. A dictionary
        {target: label}, or a label where one target is nominal. None is the rarer class.
    threshold : float, dict or None, default=None
        Predict the event from this probability of it on: a number for all nominal targets, which then have two classes,
        or a dictionary {target: number} for some. None is the most probable class.

    Attributes
    ----------
    rules_ : RuleSet
        The rules in the order of the list, with what they predict.
    terms_ : WeightedTerms
        The rules with what they add to the prediction of a row that no rule covers.
    path_ : ErrorPath
        The lists from short to long, with their validation errors: `frame()` is a dataframe of terms, conditions,
        error and standard_error, `plot()` draws it.
    rule_importances_ : DataFrame of terms x targets
        How much each rule changes the predictions, in standard deviations of the target.
    feature_importances_ : array
        Of each input its share of the rules' importance.
    target_importances_ : DataFrame of inputs x targets
        The same for each target.
    size_ : named tuple
        The numbers of rules and conditions.
    model_ : RuleModel
        The list by itself.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        Predictions of the training rows by lists of folds that had no part of them, at the chosen length, in the form
        of `predict` (classes: `predict_proba`).
    event_ : dict
        Of each target of two classes the one that is asked for.
    threshold_ : dict
        Of each target of two classes the probability of the event from which on it is predicted.

    Examples
    --------
    >>> from glade import MixedRuleList, load_penguins
    >>> penguins = load_penguins()
    >>> targets = ["species", "body_mass_g"]
    >>> rules = MixedRuleList(max_rules=3, random_state=0).fit(penguins.drop(columns=targets), penguins[targets])
    >>> rules.predict(penguins.drop(columns=targets)).columns.tolist()
    ['species', 'body_mass_g']
    """

    _missing_targets = "ignore"
    _parameter_constraints = {**RuleListEstimator._parameter_constraints, **DECIDING_SOME}

    def __init__(
        self,
        max_rules: int | str | None = AUTO,
        *,
        ordered: bool = True,
        max_conditions: int | None = 3,
        width: int = 5,
        min_samples_leaf: int = 5,
        generality: float = 0.3,
        cuts: str = NICE,
        cv: Any = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        random_state: Any = None,
        event: Any = None,
        threshold: float | Mapping[str, float] | None = None,
    ):
        super().__init__(
            max_rules, ordered=ordered, max_conditions=max_conditions, width=width, min_samples_leaf=min_samples_leaf,
            generality=generality, cuts=cuts, cv=cv, target_weights=target_weights, missing_targets=missing_targets,
            random_state=random_state,
        )  # fmt: skip
        self.event = event
        self.threshold = threshold
