"""A fit of a rule ensemble as stages: candidates, weights and errors in folds, the model, unseen rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from glade.core.progress import expect_steps, steps_within
from glade.data.folds import Fold
from glade.models.candidates import STEPS_OF_GROWTH, CandidateFinder, is_for_people
from glade.models.coming_back import find_coming_back
from glade.models.ensemble import ForestEstimator
from glade.models.folds import split_for_choice
from glade.models.held_out import FoldsOfFit, HeldOutPredictions
from glade.models.other_rows import OtherRows
from glade.models.rule_stages import PreparedRows, find_path, judge_by_folds
from glade.rules.model import RuleModel
from glade.rules.path import WeightPath
from glade.rules.smaller_side import tell_smaller_sides
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import ValidatedModels

STEPS_OF_FOLD = 2 * STEPS_OF_GROWTH  # as they are counted while a fit goes on: to validate a fold takes twice the time


@dataclass(frozen=True)
class Candidates:
    """The terms among which a fit chooses.

    Parameters
    ----------
    whole
        Those of all rows.
    folds
        Those of each fold, with the rows that it holds out.
    splits
        The rows of each fold.
    forests
        Whose rules those of all rows are.
    """

    whole: Problem
    folds: list[FoldProblem]
    splits: Sequence[Fold]
    forests: list[ForestEstimator]


@dataclass(frozen=True)
class ChosenModel:
    """What a fit has found.

    Parameters
    ----------
    model
        Of all rows.
    path
        The models from small to large among which it was chosen.
    validated
        What the folds have said of them.
    is_turned
        Whether rules of one condition are told from the smaller side.
    """

    model: RuleModel
    path: WeightPath
    validated: ValidatedModels
    is_turned: bool


def find_candidates(settings: Any, given: PreparedRows, others: OtherRows | None) -> Candidates:
    """Return the candidate terms of the table and of its folds, whose trees grow side by side."""
    training, rows, needs = given.training, given.rows, given.solver.needs
    finder = CandidateFinder.of(settings, training, rows, needs, given.signs, given.scores.of_many_classes)
    if others is None:
        share = needs.shares_terms or settings.validation_fraction
        splits = split_for_choice(settings.cv, share, training, settings.seed_, needs)
    else:
        splits = others.split(training, settings)
    n_growths = (1 + len(splits)) * STEPS_OF_GROWTH
    expect_steps(n_growths + len(splits) * STEPS_OF_FOLD)
    with steps_within(n_growths):
        whole, folds, forests = finder.pose_all(training, rows, splits)
    return Candidates(whole, folds, splits, forests)


def choose_model(settings: Any, given: PreparedRows, found: Candidates, others: OtherRows | None) -> ChosenModel:
    """Return the model of the size that is asked for, or of that which the folds choose."""
    max_rules = settings.max_rules
    with steps_within(len(found.folds) * STEPS_OF_FOLD):
        validated = judge_by_folds(given, found.whole, found.folds, max_rules)
    whole, path = find_path(settings, found.whole, validated)
    if others is not None:
        path, validated = others.refine(given, (whole, found.folds), (path, validated))
    is_turned = is_for_people(settings) and not whole.design.is_tied
    design, told = tell_smaller_sides(whole.design, whole.rows, path) if is_turned else (whole.design, path)
    model = RuleModel.of(design, whole.rows, told, given.scores, max_rules, settings.seed_, given.truth)
    if others is not None:
        model = others.measure(model, whole.design, design)
    return ChosenModel(model, path, validated, is_turned)


def predict_held_out(settings: Any, given: PreparedRows, found: Candidates, chosen: ChosenModel) -> HeldOutPredictions:
    """Return predictions of each row by models that have not seen it, and how often each term comes back in them."""
    of_fit = FoldsOfFit(chosen.validated, found.folds, found.splits, given.scores)
    own = of_fit.predict(chosen.path, settings.max_rules, given.training.table.n_rows)
    comes_back = find_coming_back(of_fit, chosen.model, given.training.matrix, chosen.is_turned)
    return replace(own, comes_back=comes_back)
