"""Soft rules: rule ensembles with the settings of Akdemir, Heslot and Jannink (2013)."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

from sklearn.utils._param_validation import Interval

from glade.data.nice_edges import EXACT
from glade.models.ensemble import ForestEstimator
from glade.models.rule_ensemble import MAX_REFINED, MAX_SOFTENED
from glade.models.rules import RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.rules.extract import LEAVES
from glade.weights.lasso import Lasso
from glade.weights.solver import Solver

AT_LEAST_ONE_OR_ALL = [Interval(Integral, 1, None, closed="left"), None]
SOFT_CONSTRAINTS = {
    **{name: ForestEstimator._parameter_constraints[name] for name in ("max_depth", "features_per_tree")},
    "max_softened": AT_LEAST_ONE_OR_ALL,
    "max_refined": AT_LEAST_ONE_OR_ALL,
}


class _SoftSettings:
    """What the soft rules' source adds to a rule ensemble: parameters of its generator, and of softening."""

    max_depth: int
    features_per_tree: float | int | str | None
    _forest_class: type[ForestEstimator]

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        settings: dict[str, Any] = {"method": "isle", "max_samples": 0.3, "random_size": None, "max_bins": 255}
        inputs, depth = self.features_per_tree, self.max_depth
        return [self._forest_class(400, features_per_tree=inputs, max_depth=depth, **settings)]


class SoftRulesRegressor(_SoftSettings, RuleEnsembleRegressor):
    """Soft rules: rules of independent trees that switch on by degrees, with lasso weights.

    `RuleEnsembleRegressor` with the settings of Akdemir, Heslot and Jannink (2013): 400 trees, each on 30 % of the rows
    and 10 % of the inputs, the leaves as soft rules, the lasso's penalty by ten-fold cross-validation. The source
    softens all rules; here the 600 strongest are softened, unless `max_softened` says otherwise.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default 400 independent trees, each on 30 % of the rows.
    rules_from : {"nodes", "leaves", "trees"}, default="leaves"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="lasso"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=True
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default=False
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
    cv : int, splitter, list of splits or None, default=10
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
    max_depth : int, default=4
        The depth of the trees: the source tries several.
    features_per_tree : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=0.1
        The inputs that a tree may use: a share, a number, a rule such as "sqrt", or None for all of them. With one
        input a tree, and so with a tenth of ten or fewer, no rule has two.
    max_softened : int or None, default=600
        The most rules that are softened: the strongest while hard; the others are left out. Their curves are found on
        500 rows. None softens all, as the source does, which takes longer by as much as there are more rules.
    max_refined : int or None, default=300
        The most soft rules of the model, the strongest, whose curves are found anew on 2,500 rows by trying all subsets
        of terms. None is all of them.

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
    >>> from glade import SoftRulesRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X = penguins[["bill_length_mm", "bill_depth_mm", "flipper_length_mm"]]
    >>> model = SoftRulesRegressor(max_depth=2, features_per_tree=None, cv=3, random_state=0)
    >>> model = model.fit(X, penguins["body_mass_g"])
    >>> "softly" in model.soft_rules_.words[0]
    True
    """

    _parameter_constraints = {**RuleEnsembleRegressor._parameter_constraints, **SOFT_CONSTRAINTS}

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = LEAVES,
        weights: str | Solver = Lasso.name,
        soft: bool | str = True,
        linear_terms: bool | str = False,
        max_rules: int | str | None = None,
        max_conditions: int | str | None = None,
        cuts: str = EXACT,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        cv: Any = 10,
        validation_fraction: float | None = None,
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
        max_depth: int = 4,
        features_per_tree: float | int | str | None = 0.1,
        max_softened: int | None = MAX_SOFTENED,
        max_refined: int | None = MAX_REFINED,
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
            cv=cv,
            validation_fraction=validation_fraction,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
        self.max_depth = max_depth
        self.features_per_tree = features_per_tree
        self.max_softened = max_softened
        self.max_refined = max_refined


class SoftRulesClassifier(_SoftSettings, RuleEnsembleClassifier):
    """Soft rules for classes, with logistic (multinomial) lasso weights.

    `RuleEnsembleClassifier` with the settings of `SoftRulesRegressor`.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default 400 independent trees, each on 30 % of the rows.
    rules_from : {"nodes", "leaves", "trees"}, default="leaves"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="lasso"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=True
        Let the numeric conditions of rules switch on by degrees, as a logistic function fitted to the rule. "both"
        keeps the hard rules beside the soft ones; a rule and its soft form count as one term.
    linear_terms : bool or {"clipped", "whole"}, default=False
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
    cv : int, splitter, list of splits or None, default=10
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
    max_depth : int, default=4
        The depth of the trees: the source tries several.
    features_per_tree : int, float, {"sqrt", "log2", "log2+1", "third"} or None, default=0.1
        The inputs that a tree may use: a share, a number, a rule such as "sqrt", or None for all of them. With one
        input a tree, and so with a tenth of ten or fewer, no rule has two.
    max_softened : int or None, default=600
        The most rules that are softened: the strongest while hard; the others are left out. Their curves are found on
        500 rows. None softens all, as the source does, which takes longer by as much as there are more rules.
    max_refined : int or None, default=300
        The most soft rules of the model, the strongest, whose curves are found anew on 2,500 rows by trying all subsets
        of terms. None is all of them.

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
    >>> from glade import SoftRulesClassifier, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X = penguins[["bill_length_mm", "bill_depth_mm", "flipper_length_mm"]]
    >>> model = SoftRulesClassifier(max_depth=2, features_per_tree=None, cv=3, random_state=0)
    >>> bool(model.fit(X, penguins["species"]).score(X, penguins["species"]) > 0.9)
    True
    """

    _parameter_constraints = {**RuleEnsembleClassifier._parameter_constraints, **SOFT_CONSTRAINTS}

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = LEAVES,
        weights: str | Solver = Lasso.name,
        soft: bool | str = True,
        linear_terms: bool | str = False,
        max_rules: int | str | None = None,
        max_conditions: int | str | None = None,
        cuts: str = EXACT,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
        cv: Any = 10,
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
        max_depth: int = 4,
        features_per_tree: float | int | str | None = 0.1,
        max_softened: int | None = MAX_SOFTENED,
        max_refined: int | None = MAX_REFINED,
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
        self.max_depth = max_depth
        self.features_per_tree = features_per_tree
        self.max_softened = max_softened
        self.max_refined = max_refined
