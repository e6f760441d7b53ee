"""The stored form of conditions and rules, which several kinds of terms have in common."""

from typing import Any

import numpy as np

from glade.core.errors import require
from glade.data.schema_checks import check_edges, check_inputs, check_sets, is_kind
from glade.data.table import NOMINAL, Schema
from glade.data.targets import TargetSchema
from glade.rules.blocks import StoredPart
from glade.rules.rule_set import Conditions, RuleSet


def store_conditions(conditions: Conditions) -> dict[str, Any]:
    """Sets of categories in a row; only nominal inputs have them."""
    sets = [np.array(own or (), np.int32) for own in conditions.categories]
    return {
        "input": conditions.input,
        "low": conditions.low,
        "high": conditions.high,
        "missing": conditions.missing,
        "set_length": np.array([len(own) for own in sets], np.int64),
        "categories": np.concatenate([np.empty(0, np.int32), *sets]),
    }


def read_conditions(part: StoredPart, schema: Schema) -> Conditions:
    """Conditions on the inputs there are: sets of categories for nominal ones, intervals for the others."""
    inputs = part.array("input", np.int32, None)
    check_inputs(schema, inputs)
    low, high = (part.array(name, np.float64, len(inputs)) for name in ("low", "high"))
    is_set = is_kind(schema, inputs, NOMINAL)
    require(not np.isnan(low).any() and not np.isnan(high).any(), "a condition has no edge")
    require((low[is_set] == -np.inf).all() and (high[is_set] == np.inf).all(), "a set of categories has edges")
    for edges in (low, high):
        check_edges(schema, inputs, edges)
    flat = part.array("categories", np.int32, None)
    length = part.lengths("set_length", len(inputs), len(flat))
    check_sets(schema, inputs, length, flat)
    categories, ends = np.full(len(inputs), None, object), np.cumsum(length)
    for k in np.flatnonzero(is_set):
        categories[k] = tuple(flat[ends[k] - length[k] : ends[k]].tolist())
    return Conditions(inputs, low, high, part.array("missing", np.bool_, len(inputs)), categories)


def store_rules(rules: RuleSet) -> dict[str, Any]:
    """Rules without the schemas, which the model has."""
    columns = {name: getattr(rules, name) for name in ("value", "rows", "share", "tree", "node")}
    return {"conditions": store_conditions(rules.conditions), "length": rules.n_conditions, **columns}


def read_rules(part: StoredPart, schema: Schema, targets: TargetSchema) -> RuleSet:
    """Rules on these inputs about these targets."""
    conditions = read_conditions(part.part("conditions"), schema)
    length = part.lengths("length", None, len(conditions))
    tree, node = (part.array(name, np.int32, len(length)) for name in ("tree", "node"))
    return RuleSet(
        schema=schema,
        targets=targets,
        conditions=conditions,
        start=np.append(0, np.cumsum(length)),
        value=part.array("value", np.float64, len(length), int(targets.start[-1])),  # NaN: not for this target
        rows=part.numbers("rows", len(length)),
        share=part.numbers("share", len(length)),
        tree=tree,
        node=node,
    )
