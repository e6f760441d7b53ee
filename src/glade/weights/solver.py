"""What a solver of weights is: settings that a user gives, what it needs of a problem, and how it judges by folds."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from sklearn.base import BaseEstimator

from glade.losses.base import Loss
from glade.losses.registry import LOSSES, make_deviance
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.path import Origin, TermWeights, WeightPath
from glade.weights.problem import FoldProblem, Problem


@dataclass(frozen=True)
class Needs:
    """What a solver needs, and what it can do.

    Parameters
    ----------
    losses
        Names of the losses that it finds weights for; None stands for every loss.
    one_split
        One fold is enough where there are many rows: the solver tells how sure an error is from the fold's rows.
    more_folds_of_few
        Tables of few rows are divided into more folds.
    has_room
        Any number of candidate terms will do; otherwise they are thinned to what there is room for.
    weighs_all
        The largest model of a path gives weights to all terms, so that on large tables more candidates help.
    chooses_terms
        A path has models of few terms.
    both_sides
        A rule and the rule that covers all other rows are different terms, as where weights have one sign.
    shares_terms
        This share of the rows is held out once, whatever folds are asked for, and the terms to judge are those of all
        rows, as published methods have it; None holds rows out from trees, too.
    pulls_in_outliers
        A target's value far from all others is moved to the nearest of these.
    """

    losses: frozenset[str] | None = frozenset({Squared.name})
    one_split: bool = False
    more_folds_of_few: bool = True
    has_room: bool = False
    weighs_all: bool = False
    chooses_terms: bool = True
    both_sides: bool = False
    pulls_in_outliers: bool = True
    shares_terms: float | None = None


class ValidatedModels(Protocol):
    """What the folds of a problem have said of a solver's models."""

    def find_path(self, whole: Problem) -> WeightPath:
        """The models of a whole problem from small to large; the folds are those of this whole, or of one like it."""
        ...

    def find_fold_model(self, origin: Origin, fold: int) -> TermWeights | None:
        """The model that a fold has in the place of a step of this origin; None where the fold judges nothing."""
        ...


class Solver(BaseEstimator, ABC):  # type: ignore[misc]
    """A way to find weights of terms, with its settings.

    Attributes
    ----------
    name : str
        What `weights=` calls it where its settings are the defaults.
    needs : Needs
        What it needs, and what it can do.
    """

    name: ClassVar[str]
    needs: ClassVar[Needs]
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def choose_losses(self, sizes: Sequence[int | None]) -> list[Loss]:
        """Return the losses that the solver lowers.

        Parameters
        ----------
        sizes : sequence of int or None
            The number of classes of each target; None stands for a numeric target.

        Returns
        -------
        list of Loss
            A loss for each target.
        """
        return [make_deviance(n_classes) for n_classes in sizes]

    def judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None = None
    ) -> ValidatedModels:
        """Judge models on the rows that each fold holds out.

        Parameters
        ----------
        whole : Problem
            All rows; from these a solver may take the scale of its penalties.
        folds : sequence of FoldProblem
            Each without some rows, which judge it; their terms may be others than those of the whole.
        losses : TargetLosses
            Of the targets, whose scores the columns of y are.
        max_terms : int, optional
            The most terms that the user asks for; None stands for any number.

        Returns
        -------
        ValidatedModels
            What the folds say of the models; its path for all rows is made when it is asked for.
        """
        if not folds:
            raise ValueError(f"folds must hold at least one problem: {self!r} judges its models by rows held out")
        others = {loss.name for loss in losses.losses}.difference(self.needs.losses or LOSSES)
        if others:
            can, asked = (", ".join(sorted(names)) for names in (self.needs.losses or LOSSES, others))
            raise ValueError(f"{self!r} finds weights for these losses: {can}; but a target has the loss {asked}")
        return self._judge(whole, folds, losses, max_terms)

    @abstractmethod
    def _judge(
        self, whole: Problem, folds: Sequence[FoldProblem], losses: TargetLosses, max_terms: int | None
    ) -> ValidatedModels:
        """The same, once the needs are met."""
