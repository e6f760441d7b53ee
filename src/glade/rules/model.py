"""The fitted model of rules: what a fit gives, and what saving, pages, explanations and the command line take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.size import Size
from glade.data.columns import Column
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.rules.changes import find_average_changes
from glade.rules.design import Design, TargetRows
from glade.rules.error_path import ErrorPath
from glade.rules.observed import Observed
from glade.rules.path import Step, WeightPath
from glade.rules.scores import Scores
from glade.rules.telling import add_told, observe_whole
from glade.rules.weighted import MeasuredTerms, WeightedTerms
from glade.rules.wording import EVERY_ROW, terms_to_text

OFFSET = "offset"  # the kind of the first row of a frame


@dataclass(frozen=True, eq=False)
class RuleModel:
    """A path of models of weighted terms from one fit, and which of its steps is the model.

    Parameters
    ----------
    measured : MeasuredTerms
        The terms that some step of the path uses, and what the training rows say of them.
    path : WeightPath
        The models from small to large.
    scores : Scores
        The losses of the targets, and how sums of terms become predictions.
    changes : tuple of ndarray
        For each step, terms x channels: what a term changes in the predictions of the rows it covers, on average.
    place : int
        Which step is the model.

    Examples
    --------
    >>> from glade import RuleEnsembleRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    >>> model = RuleEnsembleRegressor(max_rules=3, random_state=0).fit(X, y).model_
    >>> model.with_rules(1).to_frame()["kind"].tolist()
    ['offset', 'rule']
    """

    measured: MeasuredTerms
    path: WeightPath
    scores: Scores
    changes: tuple[NDArray[np.float64], ...]
    place: int

    @classmethod
    def of(
        cls,
        design: Design,
        rows: TargetRows,
        path: WeightPath,
        scores: Scores,
        max_rules: int | str | None,
        seed: int,
        truth: Sequence[Column] | None = None,
    ) -> "RuleModel":
        """Return the models of a path, measured on the training rows.

        Parameters
        ----------
        design : Design
            The candidate terms; those that no step uses are left out.
        rows : TargetRows
            The training rows.
        path : WeightPath
            Its terms are places in the design.
        scores : Scores
            Of the targets.
        max_rules : int, "auto" or None
            Which step is to be the model.
        seed : int
            For the rows over which the changes of probabilities are averaged.
        truth : sequence of Column, optional
            The targets of the rows as they were given, of which it is kept what was observed inside and outside.

        Returns
        -------
        RuleModel
            The model of the step that `max_rules` asks for.
        """
        used = np.unique(np.concatenate([step.terms for step in path.steps]))
        design = design.take(used)
        steps = tuple(replace(step, terms=np.searchsorted(used, step.terms)) for step in path.steps)
        path = WeightPath(steps, path.n_iterations)
        measured = MeasuredTerms.of(design, rows.matrix, rows.counts)
        observed = None if truth is None else Observed.of(design, rows.matrix, truth, rows.counts)
        measured = replace(measured, design=design.with_block(design.hard.forget()), observed=observed)
        changes = find_average_changes(path, design, rows, scores, seed)
        return cls(measured, path, scores, tuple(changes), path.find_place(max_rules))

    @property
    def step(self) -> Step:
        """The step of the path that is the model."""
        return self.path.steps[self.place]

    @property
    def schema(self) -> Schema:
        """Of the inputs."""
        return self.measured.design.rules.schema

    @property
    def targets(self) -> TargetSchema:
        """What is predicted."""
        return self.scores.targets

    @cached_property
    def terms(self) -> WeightedTerms:
        """The terms of the model with their effects, the most important first."""
        step = self.step
        offset = self.scores.offset(step.offset)
        chosen = WeightedTerms(
            measured=self.measured.take(step.terms),
            effect=self.scores.effects(step.weights),
            offset=offset,
            change=self.changes[self.place],
            typical=self.scores.values(offset[None])[0],
            spread=self.scores.spread,
        )
        return chosen.by_importance()

    @property
    def errors(self) -> ErrorPath:
        """The models from small to large, with their validation errors."""
        return self.path.describe(self.measured.design)

    @property
    def size(self) -> Size:
        """Rules, conditions and terms."""
        design = self.terms.design
        groups, every = np.unique(design.group), np.arange(len(design))
        n_rules = len(design.rules) if design.is_tied else int(design.is_rule[groups].sum())
        return Size(rules=n_rules, conditions=design.count_conditions(every), terms=len(groups))

    def at(self, place: int) -> "RuleModel":
        """Return the model of another step of the path.

        Parameters
        ----------
        place : int
            The place of the step.

        Returns
        -------
        RuleModel
            The same path with this step chosen.
        """
        return replace(self, place=place)

    def with_rules(self, max_rules: int | str | None) -> "RuleModel":
        """Return the model of the best step with at most so many terms.

        Parameters
        ----------
        max_rules : int, "auto" or None
            The limit, as the estimators take it.

        Returns
        -------
        RuleModel
            The same path with that step chosen.
        """
        return self.at(self.path.find_place(max_rules))

    def predict_scores(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of rows: the sums of their terms and the offset.

        Parameters
        ----------
        matrix : ndarray of shape (rows, inputs)
            An encoded table.

        Returns
        -------
        ndarray of shape (rows, channels)
            The scores.
        """
        return self.terms.predict(matrix)

    def predict_values(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the predictions for rows: numbers, and probabilities of classes.

        Parameters
        ----------
        matrix : ndarray of shape (rows, inputs)
            An encoded table.

        Returns
        -------
        ndarray of shape (rows, channels)
            The predictions.
        """
        return self.scores.values(self.predict_scores(matrix))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predictions for a table: numbers, and probabilities of classes.

        Parameters
        ----------
        X : table of shape (rows, inputs)
            With the inputs that the model was fitted on.

        Returns
        -------
        array of shape (rows, channels)
            A numeric target is one channel, a nominal one has a channel for each class.
        """
        self.schema.check_columns(X)
        return self.predict_values(self.schema.encode(X))

    def to_text(self) -> str:
        """Return the terms for a person to read: the most important first, with what each adds to the prediction.

        Returns
        -------
        str
            A table of text.
        """
        return terms_to_text(self.terms, self.targets)

    def to_frame(self) -> Any:
        """Return all terms as a dataframe: the offset first, then the most important.

        Returns
        -------
        DataFrame
            `term` in words; `kind` ("offset", "rule", "soft rule" or "linear term"); `conditions`, a list of
            dictionaries of input, low, high, categories and missing (whether a missing value fulfils the condition);
            the `rows` and the `share` of the training rows that a rule covers; for each target, or each class, what the
            prediction gets where a rule is wholly on, or from one end of the range of a linear term to the other, on
            average over the rows; what was observed of a rule's rows ("... inside", with the standard error "...
            inside_error") and of all others ("... outside"); where scores are log-odds, or logarithms of counts, what
            is added to these, as "... log_odds" and "... score"; the `importance`. Classes are in percentage points
            ("... (points)", the offset and what was observed in percent); of two classes the event alone is told.
        """
        import pandas as pd

        terms, design = self.terms, self.terms.design
        whole, is_rule = design.whole[:, None], design.is_rule
        frame = pd.DataFrame({"term": [EVERY_ROW, *design.words], "kind": [OFFSET, *design.kinds]})
        frame["conditions"] = pd.Series([[], *design.list_conditions()], dtype=object)
        frame["rows"] = [np.nan, *np.where(is_rule, terms.measured.rows / design.unit, np.nan)]
        frame["share"] = [1.0, *np.where(is_rule, terms.share / design.unit, np.nan)]
        parts = {"": np.vstack((terms.typical, terms.change * whole))}
        parts |= observe_whole(terms.measured.observed, len(terms.typical))
        scores = self.scores.expand(np.vstack((terms.offset, terms.effect * whole)))
        frame = add_told(frame, self.targets, parts, scores, [loss.link.name for loss in self.scores.losses.losses])
        frame["importance"] = [np.nan, *terms.importance.mean(axis=1)]
        return frame
