"""Rules that a user gives, and limits on which inputs may stand in a rule together."""

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names, quote_name
from glade.data.table import ORDINAL, Labels, Schema
from glade.data.targets import TargetSchema
from glade.rules.coverage import cover
from glade.rules.rule_set import Conditions, RuleSet

PAIRWISE, NO_INTERACTIONS = "pairwise", "no_interactions"

Condition = tuple[int, float, float, tuple[int, ...] | None]  # input, low, high, categories


def read_given_rules(given: Any, schema: Schema, targets: TargetSchema, tree: int = 0) -> RuleSet:
    """Rules given as dictionaries {input: (low, high) or a set of categories}; a missing value fulfils no condition.

    Parameters
    ----------
    given
        A list of dictionaries, or None.
    schema, targets
        What the inputs and targets are.
    tree
        The number of the tree that they pass for.
    """
    rules = [_read_rule(k, rule, schema) for k, rule in enumerate(given or [])]
    flat = [condition for rule in rules for condition in rule]
    categories = np.full(len(flat), None, object)
    categories[:] = [own for *_, own in flat]
    conditions = Conditions(
        input=np.array([j for j, *_ in flat], np.int32),
        low=np.array([low for _, low, _, _ in flat], np.float64),
        high=np.array([high for _, _, high, _ in flat], np.float64),
        missing=np.zeros(len(flat), bool),
        categories=categories,
    )
    n = len(rules)
    start = np.cumsum([0, *map(len, rules)])
    value, none = np.zeros((n, int(targets.start[-1]))), np.zeros(n)
    return RuleSet(
        schema, targets, conditions, start, value, none, none, np.full(n, tree, np.int32), np.arange(n, dtype=np.int32)
    )


def check_given_rules(given: Any, schema: Schema, targets: TargetSchema, matrix: NDArray[np.float64]) -> None:
    """Raise an error where a given rule cannot be read, or covers no row of the table or all of them."""
    if given is not None and (isinstance(given, (str, Mapping)) or not isinstance(given, Sequence)):
        raise TypeError("given_rules must be a list of dictionaries {input: (low, high) or a set of categories}")
    rules = read_given_rules(given, schema, targets)
    covered = np.bitwise_count(cover(rules, matrix)).sum(axis=1) if len(rules) else []
    for k, n_rows in enumerate(covered):
        if n_rows in (0, len(matrix)):
            how_many = "no row" if n_rows == 0 else "every row"
            raise ValueError(f"given_rules[{k}] covers {how_many} of the table, so it has no effect: leave it out")


def _read_rule(k: int, rule: Any, schema: Schema) -> list[Condition]:
    if not isinstance(rule, Mapping) or not rule:
        raise TypeError(f"given_rules[{k}] must be a dictionary {{input: (low, high) or a set of categories}}")
    return [_read_condition(f"given_rules[{k}]", name, asked, schema) for name, asked in rule.items()]


def _read_condition(where: str, name: Any, asked: Any, schema: Schema) -> Condition:
    j = find_input(where, name, schema)
    labels, shown = schema.labels[j], quote_name(schema.names[j])
    if labels is None:
        return j, *_read_interval(where, shown, asked), None
    codes = _read_categories(where, shown, asked, labels)
    if schema.kinds[j] != ORDINAL:
        return j, -np.inf, np.inf, codes
    if codes != tuple(range(codes[0], codes[-1] + 1)):
        raise ValueError(f"{where}: the categories of input {shown} have an order: give some without a gap between")
    low = -np.inf if codes[0] == 0 else codes[0] - 0.5
    return j, low, np.inf if codes[-1] == len(labels) - 1 else codes[-1] + 0.5, None


def _read_interval(where: str, shown: str, asked: Any) -> tuple[float, float]:
    """The ends of an interval of a numeric input; infinite where none is given."""
    if not isinstance(asked, (tuple, list)) or len(asked) != 2 or not all(_is_edge(edge) for edge in asked):
        raise ValueError(f"{where}: input {shown} is numeric, so give (low, high), either of which may be None")
    low, high = (
        infinite if edge is None else float(edge) for edge, infinite in zip(asked, (-np.inf, np.inf), strict=True)
    )
    if not low < high:
        raise ValueError(f"{where}: low must be below high for input {shown}, but they are {low:g} and {high:g}")
    return low, high


def _read_categories(where: str, shown: str, asked: Any, labels: Labels) -> tuple[int, ...]:
    """The codes of some categories, ascending."""
    if not isinstance(asked, (set, frozenset, list)) or not asked:
        raise ValueError(f"{where}: input {shown} has categories, so give a set of them")
    unknown = [label for label in asked if label not in labels]
    if unknown:
        raise ValueError(f"{where}: input {shown} has no category {unknown[0]!r}; it has {list_names(labels)}")
    return tuple(c for c, label in enumerate(labels) if label in asked)


def _is_edge(edge: Any) -> bool:
    return edge is None or (isinstance(edge, Real) and not np.isnan(float(edge)))


def find_input(where: str, name: Any, schema: Schema) -> int:
    """The number of an input, by name or number."""
    if isinstance(name, Integral) and not isinstance(name, bool) and 0 <= int(name) < len(schema.names):
        return int(name)
    if name not in schema.names:
        raise ValueError(f"{where}: there is no input {name!r}; the table has {list_names(schema.names)}")
    return schema.names.index(name)


def keep_interactions(rules: RuleSet, allowed: Any) -> RuleSet:
    """The rules all of whose inputs may stand together.

    Parameters
    ----------
    rules
        Candidates.
    allowed
        As in scikit-learn: "pairwise", "no_interactions", or groups of inputs, by name or number; inputs in none of
        them are a group of their own. None allows all.
    """
    if allowed is None or len(rules) == 0:
        return rules
    if isinstance(allowed, str):
        most = 2 if allowed == PAIRWISE else 1
        return rules.take(np.flatnonzero(rules.n_conditions <= most))
    groups = read_groups(allowed, rules.schema)
    is_in = np.zeros((len(groups), len(rules.schema.names)), bool)
    for k, group in enumerate(groups):
        is_in[k, sorted(group)] = True
    together = np.logical_and.reduceat(is_in[:, rules.conditions.input], rules.start[:-1], axis=1)
    return rules.take(np.flatnonzero(together.any(axis=0)))


def read_groups(allowed: Any, schema: Schema) -> list[set[int]]:
    """Groups of inputs, by number, with one of those that are in none."""
    if isinstance(allowed, Mapping) or any(isinstance(group, (str, Integral)) for group in allowed):
        raise TypeError("interaction_cst must be 'pairwise', 'no_interactions' or a list of groups of inputs")
    groups = [{find_input("interaction_cst", name, schema) for name in group} for group in allowed]
    rest = set(range(len(schema.names))).difference(*groups)
    return [group for group in [*groups, rest] if group]
