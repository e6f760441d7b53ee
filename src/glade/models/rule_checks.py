"""What the parameters of a rule ensemble may be, which contradict one another, and which its solver cannot do."""

from numbers import Integral
from typing import Any

from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions

from glade.data.nice_edges import EXACT, NICE
from glade.losses.logistic import Logistic
from glade.losses.multinomial import Multinomial
from glade.losses.registry import LOSSES
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.models.candidates import BOTH
from glade.models.given_rules import NO_INTERACTIONS, PAIRWISE
from glade.rules.extract import LEAVES, NODES, TREES
from glade.rules.linear import CLIPPED, WHOLE
from glade.rules.path import AUTO
from glade.weights.auto import SquaresSolver
from glade.weights.solver import Solver
from glade.weights.solvers import SOLVERS

RULE_CONSTRAINTS: dict[str, Any] = {
    "generator": [HasMethods("fit"), list, None],
    "rules_from": [StrOptions({LEAVES, NODES, TREES})],
    "weights": [StrOptions(set(SOLVERS)), Solver],
    "soft": ["boolean", StrOptions({BOTH})],
    "linear_terms": ["boolean", StrOptions({CLIPPED, WHOLE})],
    "logic": ["boolean"],
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


def check_combinations(settings: Any, solver: Solver, losses: TargetLosses) -> None:
    """Raise an error where parameters of a rule ensemble contradict one another, or what the solver can do."""
    if not solver.needs.chooses_terms and isinstance(settings.max_rules, Integral):
        raise ValueError(f'weights="{solver.name}" gives all rules weights: leave out max_rules, or set weights="auto"')
    _check_losses(solver, losses)
    if settings.monotonic_cst is not None and (settings.soft is not False or settings.rules_from == TREES):
        raise ValueError('monotonic_cst is for hard rules: leave soft at False, and set rules_from="nodes" or "leaves"')
    if settings.keep_given and settings.given_rules:
        _check_kept(settings, solver)
    if settings.logic:
        _check_logic(settings)
    if settings.rules_from == TREES:
        _check_whole_trees(settings, losses)


def _check_logic(settings: Any) -> None:
    """Raise an error where pairs of rules cannot be terms."""
    if settings.soft is not False or settings.rules_from == TREES:
        raise ValueError('logic=True joins hard rules: leave soft at False, and set rules_from="nodes" or "leaves"')
    if settings.monotonic_cst is not None or settings.interaction_cst is not None:
        raise ValueError("logic=True joins rules of any inputs: leave out monotonic_cst and interaction_cst")


def _check_whole_trees(settings: Any, losses: TargetLosses) -> None:
    """Raise an error where whole trees cannot be terms."""
    if settings.given_rules or settings.interaction_cst is not None:
        raise ValueError('rules_from="trees" takes whole trees only: leave out given_rules and interaction_cst')
    if settings.soft is not False:
        raise ValueError('rules_from="trees" keeps trees as they are: leave out soft, or set rules_from="leaves"')
    if isinstance(settings.max_conditions, Integral):
        raise ValueError('rules_from="trees" needs all leaves: set max_depth of the generator, not max_conditions')
    others = [loss.name for loss in losses.losses if loss.name not in (Squared.name, Logistic.name, Multinomial.name)]
    if others:
        raise ValueError(f'rules_from="trees" has no {others[0]} loss: set loss="squared", or rules_from="leaves"')


def _check_losses(solver: Solver, losses: TargetLosses) -> None:
    """Raise an error where the solver cannot lower a loss, and name those that can."""
    can = solver.needs.losses
    others = sorted({loss.name for loss in losses.losses}.difference(LOSSES if can is None else can))
    if others:
        takes = {name: kind.needs.losses for name, kind in SOLVERS.items()}
        able = [f'"{name}"' for name, own in takes.items() if own is None or others[0] in own]
        raise ValueError(f'weights="{solver.name}" has no {others[0]} loss: set weights to {" or ".join(able)}')


def _check_kept(settings: Any, solver: Solver) -> None:
    """Raise an error where given rules cannot stay."""
    if not isinstance(solver, SquaresSolver) or settings.soft is not False:
        raise ValueError(
            'keep_given=True needs weights="auto", "greedy" or "ridge", and no soft rules: otherwise leave it out, and'
            " the given rules compete"
        )
    n_given, limit = len(settings.given_rules), settings.max_rules
    if isinstance(limit, Integral) and int(limit) < n_given:
        raise ValueError(f"max_rules={limit} is less than the {n_given} given rules that stay: set it to at least that")
