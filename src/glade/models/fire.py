"""FIRE: rule ensembles with the settings of Aho, Zenko and Dzeroski (2009)."""

from typing import Any

from glade.data.nice_edges import EXACT
from glade.models.ensemble import ForestEstimator
from glade.models.forest import ForestRegressor
from glade.models.rules import RuleEnsembleRegressor
from glade.rules.extract import LEAVES
from glade.rules.path import AUTO
from glade.weights.gradient import Gradient
from glade.weights.published import PublishedGradient
from glade.weights.solver import Solver

OF_PUBLISHED = {  # parameters that would contradict the published way to weights
    "weights": Gradient.name,
    "rules_from": LEAVES,
    "soft": False,
    "linear_terms": False,
    "cv": None,
    "validation_fraction": None,
}


class FIRERegressor(RuleEnsembleRegressor):
    """FIRE: fitted rule ensembles, rules of a random forest's leaves with gradient-directed weights.

    `RuleEnsembleRegressor` with the settings of Aho, Zenko and Dzeroski (2009): 100 trees of random depth (3 on
    average), inputs drawn by log2 + 1 at each node, leaves of at least two rows, one weight a rule.

    The descent to the weights is another than theirs by default: three folds, whose trees have not seen the rows that
    judge them, choose the threshold and the number of steps, the weights then come from all rows, and a limit takes up
    three times as many rules and keeps the most important. Weights from two thirds of the rows, judged by rows that the
    trees have seen, were less accurate on most tables of the source. `as_published=True` has them nevertheless.

    Parameters
    ----------
    generator : estimator or list of estimators, default=None
        Grows the trees. By default a random forest of 100 trees of random depth (3 on average).
    rules_from : {"nodes", "leaves", "trees"}, default="leaves"
        Which nodes of the trees become rules. "trees" weighs whole trees: the leaves of a tree share one weight, and
        count as one term.
    weights : {"auto", "greedy", "ridge", "lasso", "gradient"} or solver, default="gradient"
        How weights are found. "ridge" gives all rules weights, shrunk. "greedy" chooses few rules that explain the
        targets. "auto" does both: the few rules are chosen to imitate what all rules together say, which is less noisy
        than the targets. "lasso" shrinks until only some rules have weights, the same for all targets. "gradient" is
        FIRE's descent, one weight a rule. `Lasso(l1_ratio=0.5)` and `Gradient(max_iter=200)` have settings of their
        own.
    soft : bool or "both", default=False
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
    as_published : bool, default=False
        Find the weights as the source does: one third of the rows is held out, which the trees have seen and the
        weights have not; for each of eleven thresholds at most 10,000 steps begin at a size of 10, for a loss that is
        the mean over rows and targets of half the squared error in standard deviations; every 100 steps, where the
        error on the rows held out is over 1.1 times its lowest value, the descent goes back to the weights of that
        value with a tenth of the step. With `max_rules`, the first so many rules that the descent takes up are all it
        may move. There are no out-of-fold predictions then, and `path_` has no other sizes.
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
    >>> from glade import FIRERegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> model = FIRERegressor(max_rules=5, random_state=0).fit(X, penguins[["body_mass_g", "flipper_length_mm"]])
    >>> model.size_.rules <= 5
    True
    """

    _parameter_constraints = {**RuleEnsembleRegressor._parameter_constraints, "as_published": ["boolean"]}

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = LEAVES,
        weights: str | Solver = Gradient.name,
        soft: bool | str = False,
        linear_terms: bool | str = False,
        max_rules: int | str | None = None,
        max_conditions: int | str | None = None,
        cuts: str = EXACT,
        given_rules: Any = None,
        keep_given: bool = False,
        interaction_cst: Any = None,
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
            cv=cv,
            validation_fraction=validation_fraction,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
        self.as_published = as_published

    def _read_solver(self) -> Solver:
        if not self.as_published:
            return super()._read_solver()
        changed = [name for name, usual in OF_PUBLISHED.items() if getattr(self, name) != usual]
        changed += ["max_rules"] if self.max_rules == AUTO else []
        if changed:
            raise ValueError(
                f"as_published=True is the source's method as it stands: leave out {' and '.join(changed)}"
                + (" (on the command line, set --folds 0)" if "cv" in changed else "")
            )
        return PublishedGradient()

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        return [
            ForestRegressor(
                100, max_features="log2+1", min_samples_leaf=2, random_size="depth", mean_size=3.0, max_bins=255
            )
        ]
