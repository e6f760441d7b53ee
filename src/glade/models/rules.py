"""Rule ensembles for numeric, nominal and mixed targets; `rulefit`, `soft_rules` and `fire` are settings of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import available_if

from glade.data.nice_edges import NICE
from glade.losses.quantile import MEDIAN
from glade.losses.squared import Squared
from glade.models.base import RegressionOutput
from glade.models.class_output import DECIDING, ClassificationOutput
from glade.models.forest import ForestClassifier, ForestRegressor, MixedForest
from glade.models.intervals import PredictsIntervals
from glade.models.mixed_output import DECIDING_SOME, MixedOutput
from glade.models.number_loss import LOSS_CONSTRAINTS, ChosenLoss
from glade.models.rule_ensemble import RuleEnsembleEstimator
from glade.rules.extract import NODES
from glade.rules.path import AUTO
from glade.weights.auto import Auto
from glade.weights.solver import Solver


class RuleEnsembleRegressor(ChosenLoss, RegressionOutput, PredictsIntervals, RuleEnsembleEstimator):
    """A short list of weighted rules for one numeric target or many.

    Trees are grown, their nodes become rules, and each rule gets weights; the prediction is an offset plus what the
    rules that cover a row add. A target's value that is far from all others, such as a faulty reading, is moved to the
    nearest of these, with a warning, unless the weights are those of a source ("lasso", "gradient").

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default small and large trees, half of a random forest, half boosted; beyond 2,500 rows
        mostly boosted ones, and one large tree.
    rules_from : {"nodes", "leaves", "trees"}, default="nodes"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="auto"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=False
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default=True
        Let each numeric input also be a term of its own: "clipped" is a line without the outer 2.5 % of the rows at
        either end, "whole" one over the whole range. With True both compete, and lines on one side of a quartile
        (hinges); of very many inputs those that go with the targets most have such terms.
    logic : bool, default=False
        Let two short rules be one term as well: "this or that", or "this unless that", which counts once where both
        hold. Pairs that explain more than either rule compete with the plain rules.
    max_rules : int, "auto" or None, default="auto"
        The most terms: rules and linear terms. None is the most accurate model (with weights="auto" a mixture of all
        terms, few, and none), "auto" the smallest that is behind the best of at most 50 terms by no more than the
        standard error of their difference (over the folds, or over the rows where one split is used). Weights are found
        for 2,500 terms; with None, "auto" or "ridge" weights, cv=None, no groups and rows that count alike for 5,000 on
        up to 2,500 rows, and for 7,000 on over 7,000 rows, which takes up to five times as long and 2 GB.
    max_conditions : int, "auto" or None, default="auto"
        The most conditions a rule may have. With "auto", the folds choose for each size of model between 1, 2, 3 and no
        limit: the least that costs next to nothing. It acts with weights "auto" and "greedy".
    cuts : {"nice", "exact"}, default="nice"
        Where numeric inputs are cut: "nice" are at most some 40 values of each input, each the shortest decimal near a
        quantile, which are easier to read and come back with other rows. "exact" is any value. With max_rules=None cuts
        are exact.
    given_rules : list of dict or None, default=None
        A user's own rules, {input: (low, high) or a set of categories} each; they cover low < value <= high, and either
        end may be None. They compete with the rules of the trees.
    keep_given : bool, default=False
        Whether the given rules are in every model, whatever their error.
    interaction_cst : {"pairwise", "no_interactions"}, list of groups of inputs or None, default=None
        Which inputs may stand in a rule together, as in scikit-learn: those of one group, by name or number. Inputs in
        no group are one of their own.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of two classes it is the
        probability of the second, or of those classes that a dictionary {class: one of these} names; more than two
        classes must be named. Nominal inputs cannot be constrained. None is no constraints.
    loss : {"squared", "huber", "poisson", "quantile"}, default="squared"
        What predictions of numbers lower: the squared error; Huber's loss, which is linear for errors beyond the
        target's own spread, so that faulty readings count for little (no value is moved then); the deviance of counts,
        whose predictions are never negative (terms then add up to the logarithm of the prediction); or the loss of a
        quantile, which only the weights "lasso" have. The weights "gradient" have squared errors alone.
    quantile : float, default=0.5
        Which quantile the loss "quantile" predicts: the fraction of rows that are to lie below the prediction.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose between models; trees and weights are found without the fold's rows. None is 3, for fewer
        than 200 rows 5 (but for "gradient"). From 2,000 rows on it is 2; for "lasso" and "gradient" then one third of
        the rows is held out, once. With `groups` given to `fit`, no fold divides a group: a number makes such folds
        (None counts groups, not rows, and makes no more than there are), a splitter is handed the groups.
    validation_fraction : float or None, default=None
        One random share of the rows (with `groups`, of whole groups), instead of folds.
    target_weights : array-like, dict or None, default=None
        How much each target counts.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    n_jobs : int or None, default=None
        Threads that grow trees; None is 1, -1 all cores.
    verbose : bool or int, default=False
        Show progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed of all that is drawn.

    Attributes
    ----------
    rules_ : RuleSet
        The rules, the most important first.
    soft_rules_ : SoftRules
        The soft rules, the most important first.
    terms_ : WeightedTerms
        Rules, soft rules and linear terms with their effects, and the offset.
    path_ : ErrorPath
        The models from small to large, with their validation errors: `frame()` is a dataframe of terms, conditions,
        error and standard_error, `plot()` draws it.
    generator_ : ForestRegressor or list of them
        The fitted forests.
    n_iter_ : int
        The most steps that the weights of a model took.
    rule_importances_ : DataFrame of terms x targets
        How much each term changes the predictions, in standard deviations of the target.
    feature_importances_ : array
        Of each input its share of the terms' importance.
    target_importances_ : DataFrame of inputs x targets
        The same for each target.
    size_ : named tuple
        The numbers of rules, conditions and terms.
    model_ : RuleModel
        The model by itself: terms, path, losses and links, and the step that was chosen.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        Predictions of the training rows by models of folds that had no part of them, at the chosen size, in the form
        of `predict` (classes: `predict_proba`); NaN in rows that no fold held out.
    errors_ : DataFrame
        How good these predictions are: for each target RMSE, MAE and R2, or the share of wrong classes, AUC, log loss,
        Brier score and calibration slope, with standard errors, beside a guess that looks at no input.

    Examples
    --------
    >>> from glade import RuleEnsembleRegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> y = penguins[["body_mass_g", "flipper_length_mm"]]
    >>> model = RuleEnsembleRegressor(max_rules=10, random_state=0).fit(X, y)
    >>> model.size_.terms <= 10
    True
    >>> "species" in model.rules_.words[0]
    True
    """

    _forest_class = ForestRegressor
    _no_residuals = (
        "this model has no out-of-fold predictions to make intervals of: it is another size than was fitted, or comes"
        " from a file without them; fit it with this max_rules"
    )
    _parameter_constraints = {**RuleEnsembleEstimator._parameter_constraints, **LOSS_CONSTRAINTS}

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = Auto.name,
        soft: bool | str = False,
        linear_terms: bool | str = True,
        logic: bool = False,
        max_rules: int | str | None = "auto",
        max_conditions: int | str | None = AUTO,
        cuts: str = NICE,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        monotonic_cst: Any = None,
        loss: str = Squared.name,
        quantile: float = MEDIAN,
        cv: Any = None,
        validation_fraction: float | None = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ):
        super().__init__(
            generator,
            rules_from=rules_from,
            weights=weights,
            soft=soft,
            linear_terms=linear_terms,
            logic=logic,
            max_rules=max_rules,
            max_conditions=max_conditions,
            cuts=cuts,
            given_rules=given_rules,
            keep_given=keep_given,
            interaction_cst=interaction_cst,
            monotonic_cst=monotonic_cst,
            cv=cv,
            validation_fraction=validation_fraction,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
        self.loss = loss
        self.quantile = quantile


class RuleEnsembleClassifier(ClassificationOutput, RuleEnsembleEstimator):
    """A short list of weighted rules for one nominal target or many.

    Each rule adds to a score of each class, and scores are log-odds: weights are found by the logistic or multinomial
    loss, with the penalty that does best on rows that neither trees nor weights have seen ("gradient" weights by
    squared errors, with a link fitted on such rows). No probability is exactly 0 or 1. Rules say by how much they
    change the probability of a class.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default small and large trees, half of a random forest, half boosted; beyond 2,500 rows
        mostly boosted ones, and one large tree.
    rules_from : {"nodes", "leaves", "trees"}, default="nodes"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="auto"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=False
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default=True
        Let each numeric input also be a term of its own: "clipped" is a line without the outer 2.5 % of the rows at
        either end, "whole" one over the whole range. With True both compete, and lines on one side of a quartile
        (hinges); of very many inputs those that go with the targets most have such terms.
    logic : bool, default=False
        Let two short rules be one term as well: "this or that", or "this unless that", which counts once where both
        hold. Pairs that explain more than either rule compete with the plain rules.
    max_rules : int, "auto" or None, default="auto"
        The most terms: rules and linear terms. None is the most accurate model (with weights="auto" a mixture of all
        terms, few, and none), "auto" the smallest that is behind the best of at most 50 terms by no more than the
        standard error of their difference (over the folds, or over the rows where one split is used). Weights are found
        for 2,500 terms; with None, "auto" or "ridge" weights, cv=None, no groups and rows that count alike for 5,000 on
        up to 2,500 rows, and for 7,000 on over 7,000 rows, which takes up to five times as long and 2 GB.
    max_conditions : int, "auto" or None, default="auto"
        The most conditions a rule may have. With "auto", the folds choose for each size of model between 1, 2, 3 and no
        limit: the least that costs next to nothing. It acts with weights "auto" and "greedy".
    cuts : {"nice", "exact"}, default="nice"
        Where numeric inputs are cut: "nice" are at most some 40 values of each input, each the shortest decimal near a
        quantile, which are easier to read and come back with other rows. "exact" is any value. With max_rules=None cuts
        are exact.
    given_rules : list of dict or None, default=None
        A user's own rules, {input: (low, high) or a set of categories} each; they cover low < value <= high, and either
        end may be None. They compete with the rules of the trees.
    keep_given : bool, default=False
        Whether the given rules are in every model, whatever their error.
    interaction_cst : {"pairwise", "no_interactions"}, list of groups of inputs or None, default=None
        Which inputs may stand in a rule together, as in scikit-learn: those of one group, by name or number. Inputs in
        no group are one of their own.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of two classes it is the
        probability of the second, or of those classes that a dictionary {class: one of these} names; more than two
        classes must be named. Nominal inputs cannot be constrained. None is no constraints.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose between models; trees and weights are found without the fold's rows. None is 3, for fewer
        than 200 rows 5 (but for "gradient"). From 2,000 rows on it is 2; for "lasso" and "gradient" then one third of
        the rows is held out, once. With `groups` given to `fit`, no fold divides a group: a number makes such folds
        (None counts groups, not rows, and makes no more than there are), a splitter is handed the groups.
    validation_fraction : float or None, default=None
        One random share of the rows (with `groups`, of whole groups), instead of folds.
    target_weights : array-like, dict or None, default=None
        How much each target counts.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    n_jobs : int or None, default=None
        Threads that grow trees; None is 1, -1 all cores.
    verbose : bool or int, default=False
        Show progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed of all that is drawn.
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

    Attributes
    ----------
    rules_ : RuleSet
        The rules, the most important first.
    soft_rules_ : SoftRules
        The soft rules, the most important first.
    terms_ : WeightedTerms
        Rules, soft rules and linear terms with their effects, and the offset.
    event_ : label or dict
        The class that is asked for, of two.
    threshold_ : float
        Of two classes: the probability of the event from which on it is predicted.
    path_ : ErrorPath
        The models from small to large, with their validation errors: `frame()` is a dataframe of terms, conditions,
        error and standard_error, `plot()` draws it.
    generator_ : ForestClassifier or list of them
        The fitted forests.
    n_iter_ : int
        The most steps that the weights of a model took.
    rule_importances_ : DataFrame of terms x targets
        How much each term changes the predictions, in standard deviations of the target.
    feature_importances_ : array
        Of each input its share of the terms' importance.
    target_importances_ : DataFrame of inputs x targets
        The same for each target.
    size_ : named tuple
        The numbers of rules, conditions and terms.
    model_ : RuleModel
        The model by itself: terms, path, losses and links, and the step that was chosen.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        Predictions of the training rows by models of folds that had no part of them, at the chosen size, in the form
        of `predict` (classes: `predict_proba`); NaN in rows that no fold held out.
    errors_ : DataFrame
        How good these predictions are: for each target RMSE, MAE and R2, or the share of wrong classes, AUC, log loss,
        Brier score and calibration slope, with standard errors, beside a guess that looks at no input.

    Examples
    --------
    >>> from glade import RuleEnsembleClassifier, load_penguins
    >>> penguins = load_penguins()
    >>> X, y = penguins[["island", "bill_length_mm", "bill_depth_mm"]], penguins["species"]
    >>> model = RuleEnsembleClassifier(max_rules=6, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _forest_class = ForestClassifier
    _parameter_constraints = {
        **RuleEnsembleEstimator._parameter_constraints,
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
    }

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = Auto.name,
        soft: bool | str = False,
        linear_terms: bool | str = True,
        logic: bool = False,
        max_rules: int | str | None = "auto",
        max_conditions: int | str | None = AUTO,
        cuts: str = NICE,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        monotonic_cst: Any = None,
        cv: Any = None,
        validation_fraction: float | None = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
        class_weight: Any = None,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
    ):
        super().__init__(
            generator,
            rules_from=rules_from,
            weights=weights,
            soft=soft,
            linear_terms=linear_terms,
            logic=logic,
            max_rules=max_rules,
            max_conditions=max_conditions,
            cuts=cuts,
            given_rules=given_rules,
            keep_given=keep_given,
            interaction_cst=interaction_cst,
            monotonic_cst=monotonic_cst,
            cv=cv,
            validation_fraction=validation_fraction,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
        self.class_weight = class_weight
        self.event = event
        self.threshold = threshold
        self.costs = costs

    @available_if(lambda self: getattr(self, "n_outputs_", 1) == 1)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of the classes, from which their probabilities are made.

        The contributions that `explain` returns add up to them. With several targets there is no such method.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            The scores; of two classes that of the second.
        """
        matrix = self.encode(X)
        scores = self.terms_.predict(matrix)
        return scores[:, 1] if scores.shape[1] == 2 else scores


class MixedRuleEnsemble(MixedOutput, RuleEnsembleEstimator):
    """A short list of weighted rules for numeric and nominal targets together.

    Squared errors of numbers and the logistic or multinomial loss of classes, each target scaled so that the best
    constant costs 1. `y` is a dataframe; a row may lack some of its targets. `predict` gives a dataframe of the same
    columns.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default small and large trees, half of a random forest, half boosted; beyond 2,500 rows
        mostly boosted ones, and one large tree.
    rules_from : {"nodes", "leaves", "trees"}, default="nodes"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="auto"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=False
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default=True
        Let each numeric input also be a term of its own: "clipped" is a line without the outer 2.5 % of the rows at
        either end, "whole" one over the whole range. With True both compete, and lines on one side of a quartile
        (hinges); of very many inputs those that go with the targets most have such terms.
    logic : bool, default=False
        Let two short rules be one term as well: "this or that", or "this unless that", which counts once where both
        hold. Pairs that explain more than either rule compete with the plain rules.
    max_rules : int, "auto" or None, default="auto"
        The most terms: rules and linear terms. None is the most accurate model (with weights="auto" a mixture of all
        terms, few, and none), "auto" the smallest that is behind the best of at most 50 terms by no more than the
        standard error of their difference (over the folds, or over the rows where one split is used). Weights are found
        for 2,500 terms; with None, "auto" or "ridge" weights, cv=None, no groups and rows that count alike for 5,000 on
        up to 2,500 rows, and for 7,000 on over 7,000 rows, which takes up to five times as long and 2 GB.
    max_conditions : int, "auto" or None, default="auto"
        The most conditions a rule may have. With "auto", the folds choose for each size of model between 1, 2, 3 and no
        limit: the least that costs next to nothing. It acts with weights "auto" and "greedy".
    cuts : {"nice", "exact"}, default="nice"
        Where numeric inputs are cut: "nice" are at most some 40 values of each input, each the shortest decimal near a
        quantile, which are easier to read and come back with other rows. "exact" is any value. With max_rules=None cuts
        are exact.
    given_rules : list of dict or None, default=None
        A user's own rules, {input: (low, high) or a set of categories} each; they cover low < value <= high, and either
        end may be None. They compete with the rules of the trees.
    keep_given : bool, default=False
        Whether the given rules are in every model, whatever their error.
    interaction_cst : {"pairwise", "no_interactions"}, list of groups of inputs or None, default=None
        Which inputs may stand in a rule together, as in scikit-learn: those of one group, by name or number. Inputs in
        no group are one of their own.
    monotonic_cst : array-like, dict or None, default=None
        Which way the prediction may change with each input: 1 if it may only rise, -1 if it may only fall, 0 if it may
        do both. It is a number for each input, or a dictionary from the names of some inputs to numbers; with several
        targets possibly a dictionary from the names of some of them to one of these. Of two classes it is the
        probability of the second, or of those classes that a dictionary {class: one of these} names; more than two
        classes must be named. Nominal inputs cannot be constrained. None is no constraints.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose between models; trees and weights are found without the fold's rows. None is 3, for fewer
        than 200 rows 5 (but for "gradient"). From 2,000 rows on it is 2; for "lasso" and "gradient" then one third of
        the rows is held out, once. With `groups` given to `fit`, no fold divides a group: a number makes such folds
        (None counts groups, not rows, and makes no more than there are), a splitter is handed the groups.
    validation_fraction : float or None, default=None
        One random share of the rows (with `groups`, of whole groups), instead of folds.
    target_weights : array-like, dict or None, default=None
        How much each target counts.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether a row may lack some target values; it then counts for the others. None is "ignore" here.
    n_jobs : int or None, default=None
        Threads that grow trees; None is 1, -1 all cores.
    verbose : bool or int, default=False
        Show progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed of all that is drawn.
    event : label, dict or None, default=None
        Of the two classes of a target the one that is asked for: effects are signed towards it. A dictionary
        {target: label}, or a label where one target is nominal. None is the rarer class.
    threshold : float, dict or None, default=None
        Predict the event from this probability of it on: a number for all nominal targets, which then have two classes,
        or a dictionary {target: number} for some. None is the most probable class.

    Attributes
    ----------
    rules_ : RuleSet
        The rules, the most important first.
    soft_rules_ : SoftRules
        The soft rules, the most important first.
    terms_ : WeightedTerms
        Rules, soft rules and linear terms with their effects, and the offset.
    path_ : ErrorPath
        The models from small to large, with their validation errors: `frame()` is a dataframe of terms, conditions,
        error and standard_error, `plot()` draws it.
    generator_ : MixedForest or list of them
        The fitted forests.
    n_iter_ : int
        The most steps that the weights of a model took.
    rule_importances_ : DataFrame of terms x targets
        How much each term changes the predictions, in standard deviations of the target.
    feature_importances_ : array
        Of each input its share of the terms' importance.
    target_importances_ : DataFrame of inputs x targets
        The same for each target.
    size_ : named tuple
        The numbers of rules, conditions and terms.
    model_ : RuleModel
        The model by itself: terms, path, losses and links, and the step that was chosen.
    oof_prediction_ : ndarray, list of ndarray or DataFrame
        Predictions of the training rows by models of folds that had no part of them, at the chosen size, in the form
        of `predict` (classes: `predict_proba`); NaN in rows that no fold held out.
    errors_ : DataFrame
        How good these predictions are: for each target RMSE, MAE and R2, or the share of wrong classes, AUC, log loss,
        Brier score and calibration slope, with standard errors, beside a guess that looks at no input.
    event_ : dict
        Of each target of two classes the one that is asked for.
    threshold_ : dict
        Of each target of two classes the probability of the event from which on it is predicted.

    Examples
    --------
    >>> from glade import MixedRuleEnsemble, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> targets = ["species", "body_mass_g"]
    >>> model = MixedRuleEnsemble(max_rules=10, random_state=0)
    >>> model = model.fit(penguins.drop(columns=targets), penguins[targets])
    >>> model.predict(penguins.drop(columns=targets)).columns.tolist()
    ['species', 'body_mass_g']
    """

    _forest_class = MixedForest
    _missing_targets = "ignore"
    _parameter_constraints = {**RuleEnsembleEstimator._parameter_constraints, **DECIDING_SOME}

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = Auto.name,
        soft: bool | str = False,
        linear_terms: bool | str = True,
        logic: bool = False,
        max_rules: int | str | None = "auto",
        max_conditions: int | str | None = AUTO,
        cuts: str = NICE,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        monotonic_cst: Any = None,
        cv: Any = None,
        validation_fraction: float | None = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
        event: Any = None,
        threshold: float | Mapping[str, float] | None = None,
    ):
        super().__init__(
            generator,
            rules_from=rules_from,
            weights=weights,
            soft=soft,
            linear_terms=linear_terms,
            logic=logic,
            max_rules=max_rules,
            max_conditions=max_conditions,
            cuts=cuts,
            given_rules=given_rules,
            keep_given=keep_given,
            interaction_cst=interaction_cst,
            monotonic_cst=monotonic_cst,
            cv=cv,
            validation_fraction=validation_fraction,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
        self.event = event
        self.threshold = threshold
