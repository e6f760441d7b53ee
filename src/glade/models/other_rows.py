"""Rows beyond those that a fit has in memory, as a table in partitions has them."""

from collections.abc import Sequence
from typing import Any, Protocol

from glade.data.folds import Fold
from glade.models.base import TrainingSet
from glade.models.rule_stages import PreparedRows
from glade.rules.design import Design
from glade.rules.model import RuleModel
from glade.rules.path import WeightPath
from glade.weights.problem import FoldProblem, Problem
from glade.weights.solver import ValidatedModels


class OtherRows(Protocol):
    """All rows of a table, of which a fit has a sample in memory; it is asked in the order of its methods."""

    def split(self, training: TrainingSet, settings: Any) -> list[Fold]:
        """Return the folds of the sample, which are those of all rows."""

    def refine(
        self,
        given: PreparedRows,
        problems: tuple[Problem, Sequence[FoldProblem]],
        found: tuple[WeightPath, ValidatedModels],
    ) -> tuple[WeightPath, ValidatedModels]:
        """Return the models of the sample, and those of its folds, with weights and errors by all rows."""

    def measure(self, model: RuleModel, design: Design, told: Design) -> RuleModel:
        """Return a model whose terms are measured on all rows; `design` had the terms before they were told anew."""
