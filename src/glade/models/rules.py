"""Rule ensembles for numeric targets, and the published methods as settings of them."""

from typing import Any

from glade.models.base import RegressionOutput
from glade.models.ensemble import ForestEstimator
from glade.models.forest import ForestRegressor
from glade.models.rule_ensemble import RuleEnsembleEstimator


class RuleEnsembleRegressor(RegressionOutput, RuleEnsembleEstimator):
    """A short list of weighted rules for one numeric target or many.

    Trees are grown, their nodes become rules, and each rule gets a weight; the prediction is an offset plus what the
    rules that cover a row add.

    Parameters
    ----------
    generator : ForestRegressor, optional
        Grows the trees. By default a random forest of 100 trees of random depth.
    rules_from : "nodes" or "leaves"
        Which nodes of the trees become rules.
    weights : "gradient"
        How weights are found: by gradient-directed descent, one weight a rule.
    linear_terms : bool
        Let each numeric input also be a term of its own.
    max_rules : int, "auto" or None
        The most terms: rules and linear terms. None is the most accurate model, "auto" the smallest within one standard
        error of it.
    max_conditions : int, optional
        The most conditions a rule may have.
    cv : int, splitter or list of splits
        The folds that choose when to stop and between models; trees and weights are found without the fold's rows.
    validation_fraction : float, optional
        One random share of the rows, instead of folds.
    max_iter : int
        The most steps of a descent.
    every_tau : bool
        Try all eleven thresholds of the descent, also when lower ones have stopped to help.
    target_weights : array or dict, optional
        How much each target counts.
    missing_targets : "error", "ignore" or None
        Whether a row may lack some target values; it then counts for the others. None is "error".
    n_jobs : int or None
        Threads that grow trees.
    verbose : bool or int
        Show progress on standard error.
    random_state : int, RandomState or None

    Attributes
    ----------
    rules_ : RuleSet
        The rules, the most important first.
    terms_ : WeightedTerms
        Rules and linear terms with their effects, and the offset.
    path_ : DataFrame
        The models from small to large, with their validation errors.
    generator_ : ForestRegressor
        The fitted forest.
    n_iter_ : int
        The steps of the longest descent.
    rule_importances_ : DataFrame of terms x targets
    feature_importances_ : array
    target_importances_ : DataFrame of inputs x targets
    size_ : named tuple

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

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = "nodes",
        weights: str = "gradient",
        linear_terms: bool = False,
        max_rules: int | str | None = None,
        max_conditions: int | None = None,
        cv: Any = 3,
        validation_fraction: float | None = None,
        max_iter: int = 10_000,
        every_tau: bool = False,
        target_weights: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ):
        self.generator = generator
        self.rules_from = rules_from
        self.weights = weights
        self.linear_terms = linear_terms
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.max_iter = max_iter
        self.every_tau = every_tau
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _default_generator(self) -> ForestEstimator:
        return ForestRegressor(
            100, max_features="log2+1", min_samples_leaf=2, random_size="depth", mean_size=3.0, max_bins=255
        )


class FIRERegressor(RuleEnsembleRegressor):
    """FIRE: fitted rule ensembles, rules of a random forest's leaves with gradient-directed weights.

    `RuleEnsembleRegressor` with the settings of Aho, Zenko and Dzeroski (2009): 100 trees of random depth (3 on
    average), inputs drawn by log2 + 1 at each node, leaves of at least two rows, one weight a rule.

    Parameters
    ----------
    generator, linear_terms, max_rules, max_conditions, cv, validation_fraction, max_iter, every_tau
        As for `RuleEnsembleRegressor`.
    rules_from : "leaves" or "nodes"
    target_weights, missing_targets, n_jobs, verbose, random_state
        As for `RuleEnsembleRegressor`.

    Examples
    --------
    >>> from glade import FIRERegressor, load_penguins
    >>> penguins = load_penguins().dropna(subset=["body_mass_g", "flipper_length_mm"])
    >>> X = penguins[["species", "island", "sex", "bill_length_mm"]]
    >>> model = FIRERegressor(max_rules=5, random_state=0).fit(X, penguins[["body_mass_g", "flipper_length_mm"]])
    >>> model.size_.rules <= 5
    True
    """

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = "leaves",
        weights: str = "gradient",
        linear_terms: bool = False,
        max_rules: int | str | None = None,
        max_conditions: int | None = None,
        cv: Any = 3,
        validation_fraction: float | None = None,
        max_iter: int = 10_000,
        every_tau: bool = False,
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
            linear_terms=linear_terms,
            max_rules=max_rules,
            max_conditions=max_conditions,
            cv=cv,
            validation_fraction=validation_fraction,
            max_iter=max_iter,
            every_tau=every_tau,
            target_weights=target_weights,
            missing_targets=missing_targets,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )
