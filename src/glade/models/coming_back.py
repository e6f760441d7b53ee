"""How many terms of a model come back in the models of its folds, which have not seen some of the rows."""

import numpy as np
from numpy.typing import NDArray

from glade.models.held_out import FoldsOfFit
from glade.rules.design import Design
from glade.rules.likeness import Tenths, identify_terms
from glade.rules.model import RuleModel
from glade.rules.path import Step, TermWeights, WeightPath
from glade.rules.smaller_side import tell_smaller_sides
from glade.weights.problem import FoldProblem

MOST_COMPARED = 1_000  # terms: nobody reads more, and to compare thousands takes as long as a third of the fit


def find_coming_back(
    folds: FoldsOfFit, model: RuleModel, matrix: NDArray[np.float64], is_turned: bool
) -> NDArray[np.float64] | None:
    """Of each term, the most important first, the fraction of the folds whose models have it too; None without any.

    Parameters
    ----------
    folds
        Those by which the model was chosen.
    model
        Of all rows.
    matrix
        The training rows, by whose tenths cuts are compared.
    is_turned
        Whether rules of one condition are told from the smaller side.
    """
    assert model.step.origin is not None
    if (model.size.terms or 0) > MOST_COMPARED:
        return None
    tenths = Tenths.of(matrix, model.schema)
    found = [
        frozenset(identify_terms(_list_terms(problem, own, is_turned), tenths))
        for k, problem in enumerate(folds.problems)
        if (own := folds.judged.find_fold_model(model.step.origin, k)) is not None
    ]
    if not found:
        return None
    keys = identify_terms(model.terms.design, tenths)
    return np.array([np.mean([key in own for own in found]) for key in keys])


def _list_terms(problem: FoldProblem, model: TermWeights, is_turned: bool) -> Design:
    """The terms of a fold's model, told as those of the whole."""
    own = problem.design.take(model.terms)
    if not is_turned:
        return own
    step = Step(np.arange(len(model.terms)), model.weights, model.offset, 0.0, 0.0)
    return tell_smaller_sides(own, problem.rows, WeightPath((step,)))[0]
