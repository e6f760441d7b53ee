"""What all rule ensembles share: their parameters, and a fit that is a list of stages."""

from typing import Any, Self

from glade.core.kinds import RULES
from glade.core.seeds import draw_seed
from glade.core.threads import count_threads, share_threads
from glade.data.elsewhere import find_elsewhere
from glade.data.frames import to_table
from glade.data.nice_edges import NICE
from glade.models.base import TrainingSet
from glade.models.ensemble import ForestEstimator
from glade.models.errors import measure_errors
from glade.models.fitted_rules import FittedRules
from glade.models.generators import make_generators
from glade.models.held_out import HeldOutPredictions
from glade.models.intervals import PredictsIntervals, measure_residuals
from glade.models.moved_parameters import WithoutMovedParameters
from glade.models.number_loss import SquaredNumbers
from glade.models.other_rows import OtherRows
from glade.models.rule_checks import RULE_CONSTRAINTS
from glade.models.rule_fit import choose_model, find_candidates, predict_held_out
from glade.models.rule_stages import PreparedRows, prepare_rows, take_enough
from glade.rules.extract import NODES
from glade.rules.path import AUTO
from glade.weights.solver import Solver
from glade.weights.solvers import read_solver

MAX_SOFTENED = 600  # rules, the strongest while hard, that are softened
MAX_REFINED = 300  # soft rules of the model whose best curves are found by trying all subsets of terms


class RuleEnsembleEstimator(FittedRules, SquaredNumbers, WithoutMovedParameters):
    """The base of the rule ensembles: their common parameters, and `fit` as a list of stages."""

    kind = RULES
    _forest_class: type[ForestEstimator]
    _uses_blas = True
    max_softened: int | None = MAX_SOFTENED  # with `max_refined` a parameter of the soft rules
    max_refined: int | None = MAX_REFINED
    _parameter_constraints = RULE_CONSTRAINTS

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = "auto",
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
    ):
        self.generator = generator
        self.rules_from = rules_from
        self.weights = weights
        self.soft = soft
        self.linear_terms = linear_terms
        self.logic = logic
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.cuts = cuts
        self.given_rules = given_rules
        self.keep_given = keep_given
        self.interaction_cst = interaction_cst
        self.monotonic_cst = monotonic_cst
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.target_weights = target_weights
        self.missing_targets = missing_targets
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees, take their rules, and find the weights.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs: a NumPy array, or a pandas, polars or pyarrow dataframe. Text, booleans and categories are
            nominal; missing values need no preparation.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows. Rows of weight zero are left out.
        groups : array-like of shape (rows,), optional
            Labels of groups of rows that belong together, such as those of one patient. What chooses between models is
            then judged on whole groups that neither trees nor weights have seen.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        elsewhere = find_elsewhere(X)
        if elsewhere is not None:
            elsewhere.fit_model(self, y, sample_weight, groups)
            return self
        return self.fit_sample(X, y, sample_weight, groups)

    def fit_sample(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, others: OtherRows | None = None
    ) -> Self:
        """Fit to rows in memory, which may be a sample of all rows that there are.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, as for `fit`.
        y : array-like or dataframe of shape (rows,) or (rows, targets)
            The targets.
        sample_weight : array-like of shape (rows,), optional
            The weights of the rows.
        groups : array-like of shape (rows,), optional
            The groups that folds keep together.
        others : OtherRows, optional
            All rows, where these are a sample of them.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        with self._restore_on_failure(), share_threads(count_threads(self.n_jobs)):
            training = self._read_training(X, y, sample_weight, groups)
            self.seed_ = draw_seed(self.random_state)
            given = prepare_rows(self, take_enough(training, self) if others is None else training)
            found = find_candidates(self, given, others)
            chosen = choose_model(self, given, found, others)
            self.generator_ = found.forests[0] if len(found.forests) == 1 else found.forests
            self.model_ = chosen.model
            unseen = predict_held_out(self, given, found, chosen)
            self.held_out_ = unseen.place(given.training.rows, len(to_table(X)))
            self._look_at_rows(given.training)
            if given.solver.needs.shares_terms is None:  # else the rows held out are not unseen
                self._keep_errors(given, unseen)
        return self

    def _keep_errors(self, given: PreparedRows, unseen: HeldOutPredictions) -> None:
        """Keep how good predictions of rows are that trees and weights have not seen."""
        training, values = given.training, unseen.values
        how = (training, given.truth, values, self.target_schema_, self._number_loss, unseen.fold)
        self.metrics_ = measure_errors(*how)
        if isinstance(self, PredictsIntervals):
            self.residuals_ = measure_residuals(given.truth, values, training.weights, self.seed_)

    def _read_solver(self) -> Solver:
        """Return what finds the weights."""
        return read_solver(self.weights)

    def _look_at_rows(self, training: TrainingSet) -> None:
        """Keep what else a fitted estimator of this kind says of its training rows."""

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        """Return forests, not grown yet, that suit a table of so many rows, and room for so many terms."""
        return make_generators(self._forest_class, n_rows, len(self.schema_.names), room)
