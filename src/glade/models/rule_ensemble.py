"""What all rule ensembles share: their parameters, and a fit that is a list of stages."""

from collections.abc import Sequence
from dataclasses import replace
from inspect import Signature, signature
from numbers import Integral
from typing import Any, Self, cast

from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions

from glade.core.kinds import RULES
from glade.core.progress import count_steps, expect_steps, steps_within
from glade.core.seeds import draw_seed
from glade.core.threads import count_threads, map_side_by_side, share_threads
from glade.data.constraints import read_signs
from glade.data.folds import Fold
from glade.data.frames import to_table
from glade.models.base import TrainingSet
from glade.models.candidates import BOTH, EXACT, NICE, CandidateFinder, is_for_people, soften_again
from glade.models.coming_back import find_coming_back
from glade.models.ensemble import ForestEstimator
from glade.models.fitted_rules import FittedRules
from glade.models.folds import split_for_choice
from glade.models.generators import make_generators
from glade.models.given_rules import NO_INTERACTIONS, PAIRWISE, check_given_rules
from glade.models.held_out import FoldsOfFit
from glade.models.intervals import PredictsIntervals, measure_residuals
from glade.models.number_loss import SquaredNumbers, check_amounts
from glade.models.rule_stages import (
    check_combinations,
    cut_nicely,
    judge_by_folds,
    keep_signs,
    move_outliers,
    scale_rows,
    take_enough,
)
from glade.rules.design import TargetRows
from glade.rules.extract import LEAVES, NODES, TREES
from glade.rules.model import RuleModel
from glade.rules.path import AUTO
from glade.rules.smaller_side import tell_smaller_sides
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import Solver
from glade.weights.solvers import SOLVERS, read_solver

STEPS_OF_GROWTH, STEPS_OF_FOLD = 4, 8  # as they are counted while a fit goes on: of about the same time

MOVED = {
    "l1_ratio": "weights=Lasso(l1_ratio=...)",
    "max_iter": "weights=Gradient(max_iter=...)",
    "every_tau": "weights=Gradient(every_tau=...)",
}


class _WithoutMovedParameters:
    """Refuses parameters that have become settings of a solver, below the class whose constructor lists the others."""

    __signature__: Signature

    def __init_subclass__(cls, **options: Any) -> None:
        """Let editors, `help` and the reference show the constructor, and not what `__new__` takes."""
        super().__init_subclass__(**options)
        constructor = signature(cls.__init__)
        cls.__signature__ = constructor.replace(parameters=list(constructor.parameters.values())[1:])

    def __new__(cls, *given: Any, **named: Any) -> Self:
        for name in named.keys() & MOVED:
            raise TypeError(f"{cls.__name__} has no parameter {name!r} since glade 0.2: give {MOVED[name]}")
        return super().__new__(cls)


class RuleEnsembleEstimator(FittedRules, SquaredNumbers, _WithoutMovedParameters):
    """The base of the rule ensembles: their common parameters, and `fit` as a list of stages."""

    kind = RULES
    _forest_class: type[ForestEstimator]
    _uses_blas = True
    _parameter_constraints = {
        "generator": [HasMethods("fit"), list, None],
        "rules_from": [StrOptions({LEAVES, NODES, TREES})],
        "weights": [StrOptions(set(SOLVERS)), Solver],
        "soft": ["boolean", StrOptions({BOTH})],
        "linear_terms": ["boolean"],
        "max_rules": [Interval(Integral, 0, None, closed="left"), StrOptions({AUTO}), None],
        "max_conditions": [Interval(Integral, 1, None, closed="left"), StrOptions({AUTO}), None],
        "cuts": [StrOptions({NICE, EXACT})],
        "given_rules": [list, tuple, None],
        "keep_given": ["boolean"],
        "interaction_cst": [StrOptions({PAIRWISE, NO_INTERACTIONS}), list, tuple, set, None],
        "monotonic_cst": ["array-like", dict, None],
        "cv": [Interval(Integral, 2, None, closed="left"), "cv_object"],
        "validation_fraction": [Interval(RealNotInt, 0.0, 1.0, closed="neither"), None],
        "target_weights": ["array-like", dict, None],
        "missing_targets": [StrOptions({"error", "ignore"}), None],
        "n_jobs": [Integral, None],
        "verbose": ["boolean", Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        generator: Any = None,
        *,
        rules_from: str = NODES,
        weights: str | Solver = "auto",
        soft: bool | str = False,
        linear_terms: bool = True,
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
        with self._restore_on_failure(), share_threads(count_threads(self.n_jobs)):
            training = self._read_training(X, y, sample_weight, groups)
            self.seed_ = draw_seed(self.random_state)
            training = take_enough(training, self)
            solver = read_solver(self.weights)
            truth = training.targets
            check_amounts(self._number_loss, training.targets, training.rows)
            if solver.needs.pulls_in_outliers and self._number_loss.is_quadratic:
                training = move_outliers(training)
            if is_for_people(self):
                training = cut_nicely(training)
            scores, rows = scale_rows(training, solver, self.target_weights, self._number_loss)
            check_combinations(self, solver, scores.losses)
            check_given_rules(self.given_rules, self.schema_, self.target_schema_, training.matrix)
            signs = scores.take_scored(read_signs(self.monotonic_cst, self.schema_, self.target_schema_))
            finder = CandidateFinder.of(self, training, rows, solver.needs, signs)
            splits = split_for_choice(self.cv, self.validation_fraction, training, self.seed_, solver.needs)
            n_growths, n_judged = (1 + len(splits)) * STEPS_OF_GROWTH, len(splits) * STEPS_OF_FOLD
            expect_steps(n_growths + n_judged)
            with steps_within(n_growths):
                whole, folds = self._pose_problems(finder, training, rows, splits)
            with steps_within(n_judged):
                judged = judge_by_folds(solver, whole, folds, scores, self.max_rules)
            judged = keep_signs(judged, whole, folds, scores.losses, signs)
            path = judged.find_path(whole).grouped(whole.design.group)
            if self.soft is not False:
                whole, path = soften_again(whole, path, judged, self.max_rules, self.n_jobs)
            design, told, is_turned = whole.design, path, is_for_people(self) and not whole.design.is_tied
            if is_turned:
                design, told = tell_smaller_sides(design, whole.rows, path)
            self.model_ = RuleModel.of(design, whole.rows, told, scores, self.max_rules, self.seed_)
            of_fit = FoldsOfFit(judged, folds, splits, scores)
            own = of_fit.predict(path, self.max_rules, training.table.n_rows)
            comes_back = find_coming_back(of_fit, self.model_, training.matrix, is_turned)
            self.held_out_ = replace(own, comes_back=comes_back).place(training.rows, len(to_table(X)))
            self._look_at_rows(training)
            if isinstance(self, PredictsIntervals):
                self.residuals_ = measure_residuals(truth, own.values, training.weights, self.seed_)
        return self

    def _pose_problems(
        self, finder: CandidateFinder, training: TrainingSet, rows: TargetRows, splits: Sequence[Fold]
    ) -> tuple[Problem, list[FoldProblem]]:
        """Grow the trees of the whole table and of each fold, side by side, and pose their problems."""

        def pose(fold: Fold | None) -> Problem:
            if fold is not None:
                problem: Problem = finder.hold_out(training, rows, fold)
            else:
                forests = finder.grow(training)
                self.generator_ = forests[0] if len(forests) == 1 else forests
                problem = finder.pose(forests, rows)
            count_steps(STEPS_OF_GROWTH)
            return problem

        whole, *folds = map_side_by_side(pose, [None, *splits])
        return whole, cast(list[FoldProblem], folds)

    def _look_at_rows(self, training: TrainingSet) -> None:
        """Keep what else a fitted estimator of this kind says of its training rows."""

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        """Return forests, not grown yet, that suit a table of so many rows, and room for so many terms."""
        return make_generators(self._forest_class, n_rows, len(self.schema_.names), room)
