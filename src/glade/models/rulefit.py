"""RuleFit: rule ensembles with the settings of Friedman and Popescu (2008)."""

from collections.abc import Mapping
from typing import Any

from sklearn.utils._param_validation import StrOptions

from glade.data.nice_edges import EXACT
from glade.losses.quantile import MEDIAN
from glade.losses.ramp import Ramp
from glade.losses.squared import Squared
from glade.models.ensemble import ForestEstimator
from glade.models.forest import ForestClassifier, ForestRegressor
from glade.models.rules import RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.rules.extract import NODES
from glade.rules.linear import CLIPPED
from glade.weights.lasso import DEVIANCE, Lasso
from glade.weights.solver import Solver

PUBLISHED_TREES, PUBLISHED_RATE = 333, 0.01  # some 2,000 rules, and how much of each tree the next one starts from


def _boost(kind: type[ForestEstimator], n_rows: int, as_published: bool) -> list[ForestEstimator]:
    """RuleFit's trees: many, small, of random sizes, each on some of the rows and to what those before it left.

    Each is grown on half of the rows; as published on at most 100 + 6 times the root of their number.
    """
    n_trees, rate, share = 500, 0.05, 0.5
    if as_published:
        n_trees, rate, share = PUBLISHED_TREES, PUBLISHED_RATE, min(0.5, (100 + 6 * n_rows**0.5) / n_rows)
    settings: dict[str, Any] = {"method": "boosting", "learning_rate": rate, "max_samples": share, "max_depth": None}
    return [kind(n_trees, random_size="leaves", mean_size=4.0, max_bins=255, **settings)]


class RuleFitRegressor(RuleEnsembleRegressor):
    """RuleFit: rules of boosted trees and linear terms with lasso weights.

    `RuleEnsembleRegressor` with the settings of Friedman and Popescu (2008): 500 boosted trees of random sizes (4
    leaves on average), each on half of the rows, all nodes, linear terms, the lasso's penalty by cross-validation. For
    many targets a rule is in or out for all of them.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default 500 boosted trees of random sizes (4 leaves on average), each on half of the rows.
    rules_from : {"nodes", "leaves", "trees"}, default="nodes"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="lasso"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=False
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default="clipped"
        Let each numeric input also be a term of its own: "clipped" is a line without the outer 2.5 % of the rows at
        either end, "whole" one over the whole range. With True both compete, and lines on one side of a quartile
        (hinges); of very many inputs those that go with the targets most have such terms.
    max_rules : int, "auto" or None, default=None
        The most terms: rules and linear terms. None is the most accurate model (with weights="auto" a mixture of all
        terms, few, and none), "auto" the smallest that is behind the best of at most 50 terms by no more than the
        standard error of their difference (over the folds, or over the rows where one split is used). Weights are found
        for 2,500 terms; with None, "auto" or "ridge" weights, cv=None, no groups and rows that count alike for 5,000 on
        up to 2,500 rows, and for 7,000 on over 7,000 rows, which takes up to five times as long and 2 GB.
    max_conditions : int, "auto" or None, default=None
        The most conditions a rule may have. With "auto", the folds choose for each size of model between 1, 2, 3 and no
        limit: the least that costs next to nothing. It acts with weights "auto" and "greedy".
    cuts : {"nice", "exact"}, default="exact"
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
    as_published : bool, default=False
        Grow the trees with the source's settings: 333 trees, each on at most 100 + 6 * sqrt(rows) rows, with a learning
        rate of 0.01.
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
    >>> from glade import RuleFitRegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> model = RuleFitRegressor(random_state=0).fit(X, penguins["body_mass_g"])
    >>> model.with_rules(5).size_.terms <= 5
    True
    """

    _parameter_constraints = {**RuleEnsembleRegressor._parameter_constraints, "as_published": ["boolean"]}

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = Lasso.name,
        soft: bool | str = False,
        linear_terms: bool | str = CLIPPED,
        max_rules: int | str | None = None,
        max_conditions: int | str | None = None,
        cuts: str = EXACT,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        monotonic_cst: Any = None,
        loss: str = Squared.name,
        quantile: float = MEDIAN,
        as_published: bool = False,
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
            max_rules=max_rules,
            max_conditions=max_conditions,
            cuts=cuts,
            given_rules=given_rules,
            keep_given=keep_given,
            interaction_cst=interaction_cst,
            monotonic_cst=monotonic_cst,
            loss=loss,
            quantile=quantile,
            cv=cv,
            validation_fraction=validation_fraction,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
        self.as_published = as_published

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        return _boost(ForestRegressor, n_rows, self.as_published)


class RuleFitClassifier(RuleEnsembleClassifier):
    """RuleFit for classes: rules of boosted trees and linear terms with logistic (multinomial) lasso weights.

    `RuleEnsembleClassifier` with the settings of `RuleFitRegressor`.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default 500 boosted trees of random sizes (4 leaves on average), each on half of the rows.
    rules_from : {"nodes", "leaves", "trees"}, default="nodes"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="lasso"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=False
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default="clipped"
        Let each numeric input also be a term of its own: "clipped" is a line without the outer 2.5 % of the rows at
        either end, "whole" one over the whole range. With True both compete, and lines on one side of a quartile
        (hinges); of very many inputs those that go with the targets most have such terms.
    max_rules : int, "auto" or None, default=None
        The most terms: rules and linear terms. None is the most accurate model (with weights="auto" a mixture of all
        terms, few, and none), "auto" the smallest that is behind the best of at most 50 terms by no more than the
        standard error of their difference (over the folds, or over the rows where one split is used). Weights are found
        for 2,500 terms; with None, "auto" or "ridge" weights, cv=None, no groups and rows that count alike for 5,000 on
        up to 2,500 rows, and for 7,000 on over 7,000 rows, which takes up to five times as long and 2 GB.
    max_conditions : int, "auto" or None, default=None
        The most conditions a rule may have. With "auto", the folds choose for each size of model between 1, 2, 3 and no
        limit: the least that costs next to nothing. It acts with weights "auto" and "greedy".
    cuts : {"nice", "exact"}, default="exact"
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
    loss : {"deviance", "ramp"}, default="deviance"
        What lasso weights lower: the logistic or multinomial deviance, or the source's ramp, the squared error clipped
        at both classes, which hardly heeds faulty labels.
    as_published : bool, default=False
        Grow the trees with the source's settings: 333 trees, each on at most 100 + 6 * sqrt(rows) rows, with a learning
        rate of 0.01.
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
    >>> from glade import RuleFitClassifier, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X = penguins[["species", "bill_length_mm", "bill_depth_mm", "body_mass_g"]]
    >>> model = RuleFitClassifier(random_state=0).fit(X, penguins["sex"])
    >>> bool(model.score(X, penguins["sex"]) > 0.9)
    True
    """

    _parameter_constraints = {
        **RuleEnsembleClassifier._parameter_constraints,
        "loss": [StrOptions({DEVIANCE, Ramp.name})],
        "as_published": ["boolean"],
    }

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = Lasso.name,
        soft: bool | str = False,
        linear_terms: bool | str = CLIPPED,
        max_rules: int | str | None = None,
        max_conditions: int | str | None = None,
        cuts: str = EXACT,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        monotonic_cst: Any = None,
        loss: str = DEVIANCE,
        as_published: bool = False,
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
            class_weight=class_weight,
            event=event,
            threshold=threshold,
            costs=costs,
        )
        self.loss = loss
        self.as_published = as_published

    def _read_solver(self) -> Solver:
        solver = super()._read_solver()
        if self.loss == DEVIANCE:
            return solver
        if not isinstance(solver, Lasso):
            raise ValueError('loss="ramp" is for weights="lasso": set it, or leave loss at "deviance"')
        return Lasso(l1_ratio=solver.l1_ratio, loss=self.loss)

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        return _boost(ForestClassifier, n_rows, self.as_published)
