"""The candidate terms of a rule ensemble: trees are grown, their rules taken once each, thinned and softened.

For a whole table and for each fold of it; what is made from the rows of a fit (codes, matrix, coverage bits) is made
once and shared by all generators and by the solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from glade.core.progress import count_steps
from glade.core.threads import count_threads, map_side_by_side
from glade.data.constraints import Signs
from glade.data.folds import Fold
from glade.data.nice_edges import NICE
from glade.data.rows import sample_rows
from glade.grow.node_table import NodeTable
from glade.models.base import TrainingSet
from glade.models.ensemble import ForestEstimator
from glade.models.generators import MAX_CANDIDATES, count_candidates, lower_loss, read_generators
from glade.models.given_rules import keep_interactions, read_given_rules
from glade.rules.blocks import Places
from glade.rules.coverage import Bits, cover, drop_duplicates
from glade.rules.design import Design, TargetRows
from glade.rules.extract import TREES, extract_forest_rules
from glade.rules.gaps import find_sides, settle_gaps
from glade.rules.hard import HardRules, WholeTrees, count_named
from glade.rules.linear import CLIPPED, HINGES, WHOLE, LinearTerms, find_linear_terms
from glade.rules.logic import LogicRules
from glade.rules.logic_pairs import find_logic
from glade.rules.monotone import keep_monotone
from glade.rules.one_tree import find_supports
from glade.rules.path import AUTO
from glade.rules.rule_set import RuleSet
from glade.rules.smaller_side import find_exceptions
from glade.rules.soften import soften
from glade.rules.thinning import thin
from glade.weights.greedy import SIZES
from glade.weights.lengths import LIMITS, MOST_NAMED, SHORT_ENOUGH
from glade.weights.problem import FoldProblem, Problem
from glade.weights.screen import find_strongest_rules
from glade.weights.solver import Needs
from glade.weights.support import NONE_KEPT

Flags = NDArray[np.bool_]

BOTH = "both"
FORMS: dict[Any, tuple[str, ...]] = {True: (CLIPPED, WHOLE, HINGES)}  # of linear terms that compete
ROWS_OF_TREES = 20_000  # on more, few terms become no better; their weights are found on all rows
STEPS_OF_GROWTH = 4  # that are counted in the progress when the candidates of the table or of a fold are found


@dataclass(frozen=True)
class CandidateFinder:
    """How a fit finds its candidate terms, on all rows and on those of a fold alike.

    Parameters
    ----------
    settings
        The rule ensemble, whose parameters say which rules, soft rules and linear terms are wanted, and which has read
        the table.
    generators
        Forests that are not grown yet, each with a seed of its own.
    needs
        Of the solver.
    room
        How many terms there is room for, unless the solver takes any number.
    n_rows
        Of the whole table: a fold's candidates are thinned as the whole's are.
    most_rows
        That trees are grown on; None: all.
    signs
        Inputs x columns: which way a column may change with an input; None: any way.
    of_classes
        The columns of each target of more than two classes.
    """

    settings: Any
    generators: Sequence[ForestEstimator]
    needs: Needs
    room: int
    n_rows: int
    most_rows: int | None = None
    signs: Signs | None = None
    of_classes: Sequence[slice] = ()

    @classmethod
    def of(
        cls,
        settings: Any,
        training: TrainingSet,
        rows: TargetRows,
        needs: Needs,
        signs: Signs | None = None,
        of_classes: Sequence[slice] = (),
    ) -> "CandidateFinder":
        """How candidates are found for a fit with these settings, of a size that suits the whole table."""
        n_rows = len(rows.y)
        is_limited = training.groups is not None or not _wants_many_terms(settings, rows, needs)
        room = count_candidates(rows.y, is_limited)
        generators = _prepare_generators(settings, n_rows, room, signs is not None)
        takes_all = settings.generator is not None or not is_limited
        return cls(settings, generators, needs, room, n_rows, None if takes_all else ROWS_OF_TREES, signs, of_classes)

    def grow(self, training: TrainingSet, rows: NDArray[np.bool_] | None = None) -> list[ForestEstimator]:
        """The trees of all generators on these rows, or on a sample where our own have more than they need."""
        rows = np.ones(training.table.n_rows, bool) if rows is None else rows
        if self.most_rows is not None and rows.sum() > self.most_rows:
            rows = sample_rows(training.targets, rows, self.most_rows, self.settings.seed_)
        own = training.take(rows)
        return map_side_by_side(lambda forest: clone(forest).grow_on(own, self.settings), self.generators)

    def pose(self, forests: Sequence[ForestEstimator], rows: TargetRows) -> Problem:
        """The candidate rules, each once, and linear terms if they are wanted; small models that are ready made."""
        settings = self.settings
        rules, trees = self._extract_rules(forests)
        if is_for_people(settings) and settings.rules_from != TREES:
            rules = settle_gaps(rules, find_sides(rows.matrix, rows.y, settings.schema_))
        linear = LinearTerms.none(settings.schema_)
        if settings.linear_terms:
            forms = FORMS.get(settings.linear_terms, (settings.linear_terms,))
            linear = find_linear_terms(rows, settings.schema_, is_for_people(settings), forms, self.room // 2)
        if settings.rules_from == TREES:
            return Problem(Design.of(WholeTrees(rules), linear), rows)
        single = np.isin(rules.tree, _find_single_trees(forests))
        bits = cover(rules, rows.matrix)
        kept, place = self._choose(rules, bits, len(rows.matrix), trees, single, max(1, self.room - len(linear)))
        hard = HardRules(rules.take(kept)).remember(rows.matrix, bits[kept])
        if settings.soft is False:
            supports = find_supports(rules.take(np.flatnonzero(single)), place, trees, SIZES)
            if self._limits != (None,) and count_named(rules.take(np.flatnonzero(single))).max(initial=0) > MOST_NAMED:
                supports = ()
            stays = np.flatnonzero(kept < len(settings.given_rules or [])) if settings.keep_given else NONE_KEPT
            design = Design.of(hard, *self._list_logic(hard, rows), linear)
            return Problem(design, rows, supports, self._limits, stays, self._find_readable(design, rows, kept))
        design = self._soften(Design.of(hard, linear), rows)
        return Problem(design, rows, limits=self._limits, readable=self._find_readable(design, rows))

    def _list_logic(self, hard: HardRules, rows: TargetRows) -> list[LogicRules]:
        """Pairs of the rules as terms of their own, where they are wanted."""
        if not self.settings.logic:
            return []
        limit = self.settings.max_conditions
        return [find_logic(hard, rows, limit if isinstance(limit, int) else None)]

    def hold_out(self, training: TrainingSet, rows: TargetRows, fold: Fold) -> FoldProblem:
        """The problem without the rows of a fold: its trees do not see them either."""
        is_known = np.zeros(training.table.n_rows, bool)
        is_known[fold[0]] = True
        known, held_out = rows.take(is_known), rows.take(fold[1])
        found = self.pose(self.grow(training, is_known), known)
        hard = found.design.hard.remember(held_out.matrix)
        return FoldProblem(
            found.design.with_block(hard),
            known,
            found.supports,
            kept=found.kept,
            readable=found.readable,
            held_out=held_out,
        )

    def _find_readable(self, design: Design, rows: TargetRows, kept: Places = NONE_KEPT) -> Flags | None:
        """Which terms a model for people may have: rules that are told as exceptions, and those that the user gave."""
        if not is_for_people(self.settings):
            return None
        readable = find_exceptions(design, rows)
        readable[: len(kept)] |= kept < len(self.settings.given_rules or [])
        return readable

    def pose_all(
        self, training: TrainingSet, rows: TargetRows, splits: Sequence[Fold]
    ) -> tuple[Problem, list[FoldProblem], list[ForestEstimator]]:
        """The problems of the whole table and of each fold, whose trees grow side by side; and the whole's forests."""
        whole_forests: list[ForestEstimator] = []

        def pose(fold: Fold | None) -> Problem:
            if fold is None:
                whole_forests.extend(self.grow(training))
                problem = self.pose(whole_forests, rows)
            else:
                problem = self.hold_out(training, rows, fold)
            count_steps(STEPS_OF_GROWTH)
            return problem

        if self.needs.shares_terms is not None:
            whole = pose(None)
            return whole, [self.share(whole, fold) for fold in splits], whole_forests
        whole, *folds = map_side_by_side(pose, [None, *splits])
        return whole, cast(list[FoldProblem], folds), whole_forests

    def share(self, whole: Problem, fold: Fold) -> FoldProblem:
        """The problem without the rows of a fold, but with the terms of all rows."""
        known, held_out = (whole.rows.take(rows) for rows in fold)
        hard = whole.design.hard.remember(known.matrix).remember(held_out.matrix)
        return FoldProblem(whole.design.with_block(hard), known, held_out=held_out)

    def _extract_rules(self, forests: Sequence[ForestEstimator]) -> tuple[RuleSet, list[NodeTable]]:
        """All rules of all forests within `max_conditions`, and the trees that `rules.tree` numbers."""
        settings = self.settings
        parts: list[RuleSet] = []
        trees: list[NodeTable] = []
        for forest in forests:
            part = extract_forest_rules(forest.forests_, settings.schema_, settings.target_schema_, settings.rules_from)
            parts.append(replace(part, tree=part.tree + np.int32(len(trees))))
            trees += [tree for own in forest.forests_ for tree in own.trees]
        rules = RuleSet.join(parts)
        if isinstance(settings.max_conditions, Integral):
            rules = rules.take(np.flatnonzero(rules.n_conditions <= int(settings.max_conditions)))
        if self.signs is not None:
            rules = keep_monotone(rules, self.signs, self.of_classes)
        rules = keep_interactions(rules, settings.interaction_cst)
        given = read_given_rules(settings.given_rules, settings.schema_, settings.target_schema_, len(trees))
        return (RuleSet.join([given, rules]) if len(given) else rules), trees

    def _choose(
        self, rules: RuleSet, bits: Bits, n_rows: int, trees: Sequence[NodeTable], single: Any, room: int
    ) -> tuple[Places, Places]:
        """One rule of those that cover the same rows, thinned where they are more than the weights have room for.

        Returns also the place, among the rules that are left, of each rule of a single tree: -1 if it has none.
        """
        kept, place = drop_duplicates(rules, bits, n_rows, self.needs.both_sides)
        given = np.arange(len(self.settings.given_rules or []))
        given = given[place[given] >= 0]
        of_given = place[given]
        kept[of_given] = given  # in the user's words, not in others for the same rows
        n_times = np.bincount(place[place >= 0], minlength=len(kept))
        place = place[single]
        if not self.needs.has_room and len(kept) > room:
            common = self._find_common(rules.n_conditions[kept], n_times, room // 2)
            needed = np.union1d(np.union1d(common, of_given), place[place >= 0])
            stay = thin(rules.take(kept), trees, room, self.n_rows, self.settings.seed_, needed)
            kept, place = kept[stay], np.where(np.isin(place, stay), np.searchsorted(stay, place), -1)
        return kept, place

    @property
    def _limits(self) -> tuple[int | None, ...]:
        """The limits on conditions between which the folds choose; the user's own has left out longer rules."""
        is_wide = self.settings.generator is None and self.room > MAX_CANDIDATES  # a model that nobody reads
        return LIMITS if self.settings.max_conditions == AUTO and not is_wide else (None,)

    def _find_common(self, n_conditions: Places, n_times: Places, most: int) -> Places:
        """The places of the short rules that most trees have, which stay in any case where short models are wanted.

        Parameters
        ----------
        n_conditions
            Of each different rule.
        n_times
            How many nodes of the trees have it.
        most
            How many places there are.
        """
        if self.settings.max_rules is None or self._limits == (None,):
            return np.zeros(0, np.int64)
        order = np.lexsort((n_conditions, -n_times))
        return np.sort(order[n_conditions[order] <= SHORT_ENOUGH][:most])

    def _soften(self, hard: Design, rows: TargetRows) -> Design:
        """The strongest rules, soft; and hard ones, those that could not be softened or all of them."""
        most = len(hard.rules) if self.settings.max_softened is None else self.settings.max_softened
        rules = hard.hard.take(find_strongest_rules(hard, rows, most))
        soft = soften(rules.rules, rows.matrix, n_threads=count_threads(self.settings.n_jobs))
        if self.settings.soft != BOTH:
            rules = rules.take(np.flatnonzero(~np.isin(rules.keys, soft.rules.keys)))
        return Design.of(rules, soft, hard.linear)


def is_for_people(settings: Any) -> bool:
    """Whether a rule ensemble with these parameters is to be read: its cuts are nice, and its terms are few."""
    return bool(settings.cuts == NICE and settings.max_rules is not None)


def _prepare_generators(settings: Any, n_rows: int, room: int, has_signs: bool) -> Sequence[ForestEstimator]:
    """The forests, not grown yet: those that are given or ours, with what they share with the rule ensemble."""
    given = settings.generator
    if given is None:
        given = settings._default_generators(n_rows, room)
        if not settings._number_loss.is_quadratic:
            given = lower_loss(given, settings.loss, settings.quantile)
    shared = {name: getattr(settings, name) for name in ("n_jobs", "verbose", "missing_targets", "target_weights")}
    generators = read_generators(given, settings._forest_class, settings.seed_, shared, n_rows)
    for forest in generators if has_signs else ():
        if forest.monotonic_cst is None and forest.can_keep(settings.monotonic_cst, settings):
            forest.set_params(monotonic_cst=settings.monotonic_cst)
    return generators


def _wants_many_terms(settings: Any, rows: TargetRows, needs: Needs) -> bool:
    """Whether all candidates may have weights, and sums of their products are cheap: counts, of few folds."""
    gives_all_weights = settings.max_rules is None and needs.weighs_all and settings.soft is False
    return gives_all_weights and settings.rules_from != TREES and settings.cv is None and rows.weights is None


def _find_single_trees(forests: Sequence[ForestEstimator]) -> list[int]:
    """The numbers, among the trees of all forests, of those that are alone in theirs and grow best split first."""
    found, n_trees = [], 0
    for forest in forests:
        own = sum(len(part.trees) for part in forest.forests_)
        if own == 1 and forest.max_leaf_nodes is not None:
            found.append(n_trees)
        n_trees += own
    return found
