"""The stored form of rules, terms with weights, and the path of models from small to large."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from glade.core.errors import ModelFileError
from glade.data.table import NOMINAL, NUMERIC, Schema
from glade.data.targets import TargetSchema
from glade.losses.logistic import Logistic
from glade.losses.registry import make_deviance, make_loss
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.models.saved.parts import Part, join_arrays, require
from glade.models.saved.schemas import check_edges, check_inputs, check_sets, is_kind
from glade.rules.design import Design
from glade.rules.linear import LinearTerms
from glade.rules.path import Step, WeightPath
from glade.rules.rule_set import Conditions, RuleSet
from glade.rules.scores import Scores
from glade.rules.soft import Curves, SoftRules
from glade.rules.weighted import MeasuredTerms

OF_CURVE = ("centre", "spread", "low", "high", "linear", "square")
OF_LINEAR = ("low", "high", "centre", "scale")
OF_TERM = ("rows", "share", "deviation")


def store_conditions(conditions: Conditions) -> dict[str, Any]:
    """Sets of categories in a row; only nominal inputs have them."""
    sets = [np.array(own or (), np.int32) for own in conditions.categories]
    return {
        "input": conditions.input,
        "low": conditions.low,
        "high": conditions.high,
        "missing": conditions.missing,
        "set_length": np.array([len(own) for own in sets], np.int64),
        "categories": join_arrays(sets, np.int32),
    }


def read_conditions(part: Part, schema: Schema) -> Conditions:
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


def read_rules(part: Part, schema: Schema, targets: TargetSchema) -> RuleSet:
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


def store_soft(soft: SoftRules) -> dict[str, Any]:
    """Rules with their curves."""
    curves = {name: getattr(soft.curves, name) for name in ("is_soft", *OF_CURVE)}
    return {"rules": store_rules(soft.rules), "curves": curves, "constant": soft.constant, "scale": soft.scale}


def read_soft(part: Part, schema: Schema, targets: TargetSchema) -> SoftRules:
    """Rules with curves of numeric inputs."""
    rules, curves = read_rules(part.part("rules"), schema, targets), part.part("curves")
    is_soft = curves.array("is_soft", np.bool_, len(rules.conditions))
    columns = {name: curves.numbers(name, len(is_soft)) for name in OF_CURVE}
    require(is_kind(schema, rules.conditions.input[is_soft], NUMERIC).all(), "a soft condition is not on a number")
    require((columns["spread"] > 0).all(), "a curve has no width")
    require((columns["low"] <= columns["high"]).all(), "a curve ends before it starts")
    constant, scale = (part.numbers(name, len(rules)) for name in ("constant", "scale"))
    require((scale > 0).all(), "a soft rule does not vary")
    soft = SoftRules(rules, Curves(is_soft, **columns), constant, scale)
    _check_heights(soft)
    return soft


def _check_heights(soft: SoftRules) -> None:
    """However far on or off a soft rule is, how far is a number."""
    curves, rule = soft.curves, np.repeat(np.arange(len(soft)), soft.rules.n_conditions)
    with np.errstate(over="ignore", invalid="ignore"):
        ends = [np.abs((edge - curves.centre) / curves.spread) for edge in (curves.low, curves.high)]
        z = np.maximum(*ends)
        height = np.where(curves.is_soft, z * (np.abs(curves.linear) + np.abs(curves.square) * z), 0.0)
        most = np.abs(soft.constant) + np.bincount(rule, height, len(soft))
    require(np.isfinite(most).all(), "a curve leads beyond what a number can be")


def store_design(design: Design) -> dict[str, Any]:
    """Rules, soft rules, linear terms."""
    linear = {name: getattr(design.linear, name) for name in ("input", *OF_LINEAR)}
    return {"rules": store_rules(design.rules), "soft": store_soft(design.soft), "linear": linear}


def read_design(part: Part, schema: Schema, targets: TargetSchema, of_whole_trees: bool) -> Design:
    """Rules, soft rules, linear terms of numeric inputs."""
    rules, linear = read_rules(part.part("rules"), schema, targets), part.part("linear")
    soft = read_soft(part.part("soft"), schema, targets)
    inputs = linear.array("input", np.int64, None)
    check_inputs(schema, inputs)
    require(is_kind(schema, inputs, NUMERIC).all(), "a linear term is of an input that is not numeric")
    columns = {name: linear.numbers(name, len(inputs)) for name in OF_LINEAR}
    require((columns["low"] <= columns["high"]).all(), "a linear term ends before it starts")
    return Design(rules, LinearTerms(schema, inputs, **columns), soft, of_whole_trees)


def store_measured(terms: MeasuredTerms) -> dict[str, Any]:
    """The terms that a path of models chooses from, and what the training rows say of them."""
    columns = {name: getattr(terms, name) for name in OF_TERM}
    return {"design": store_design(terms.design), **columns}


def read_measured(part: Part, schema: Schema, targets: TargetSchema, of_whole_trees: bool) -> MeasuredTerms:
    """The terms that a path of models chooses from."""
    design = read_design(part.part("design"), schema, targets, of_whole_trees)
    return MeasuredTerms(design, **{name: part.numbers(name, len(design)) for name in OF_TERM})


def check_sums(design: Design, path: WeightPath, scores: Scores) -> None:
    """Whatever terms are on in a row, and however far, the score that each step of the path gives it is a number."""
    linear = design.linear
    with np.errstate(over="ignore", invalid="ignore"):
        far = np.maximum(np.abs(linear.low - linear.centre), np.abs(linear.high - linear.centre))
        most_of_term = np.concatenate((np.ones(len(design.rules)), design.soft.scale, far * np.abs(linear.scale)))
        for step in path.steps:
            effect = np.abs(scores.effects(step.weights)) * most_of_term[step.terms][:, None]
            most = np.abs(scores.offset(step.offset)) + effect.sum(axis=0)
            require(np.isfinite(most).all(), "the terms of a model add up to more than a number can be")


def store_scores(scores: Scores) -> dict[str, Any]:
    """The way from sums of terms to predictions, without the targets, which the model has."""
    names = [loss.name for loss in scores.losses.losses]
    return {"losses": names, "mean": scores.mean, "unit": scores.unit, "spread": scores.spread}


def read_scores(part: Part, targets: TargetSchema) -> Scores:
    """The way from sums of terms to predictions of these targets."""
    losses, join = read_losses(part, targets)
    mean, unit = (part.numbers(name, len(join)) for name in ("mean", "unit"))
    spread = part.numbers("spread", int(targets.start[-1]))
    require((spread > 0).all() and (unit > 0).all(), "a target does not vary")
    own = join.argmax(axis=0)  # the column that each score has its mean and unit from
    return Scores(targets, losses, mean[own], unit[own], spread)


def read_losses(part: Part, targets: TargetSchema) -> tuple[TargetLosses, NDArray[np.float64]]:
    """The losses of the targets, and what each stored column (rows of the matrix) counts for each of their scores."""
    sizes = [None if classes is None else len(classes) for classes in targets.classes]
    if "is_logistic" in part:  # before glade 0.2 a name was not stored, and two log-odds shared one by halves
        make_old = make_deviance if part.value("is_logistic", bool) else Squared.of
        losses = TargetLosses.of([make_old(n) for n in sizes])
        halves = np.array([[-1.0], [1.0]])
        return losses, block_diag(
            *(halves if loss.name == Logistic.name else np.eye(loss.n_scores) for loss in losses.losses)
        )
    names = part.value("losses", list)
    require(len(names) == len(sizes) and all(isinstance(name, str) for name in names), "a target has no loss")
    try:
        losses = TargetLosses.of([make_loss(name, n) for name, n in zip(names, sizes, strict=True)])
    except ValueError as fault:
        raise ModelFileError(str(fault)) from None
    return losses, np.eye(losses.n_scores)


def store_path(path: WeightPath) -> dict[str, Any]:
    """All steps in a row."""
    n_targets = len(path.steps[0].offset)
    behind = [step.difference_error for step in path.steps if step.difference_error is not None]
    return {
        "length": np.array([len(step.terms) for step in path.steps], np.int64),
        "terms": join_arrays([step.terms for step in path.steps], np.int64),
        "weights": np.concatenate([step.weights.reshape(-1, n_targets) for step in path.steps]),
        "offset": np.array([step.offset for step in path.steps]),
        "error": np.array([step.error for step in path.steps]),
        "standard_error": np.array([step.standard_error for step in path.steps]),
        "n_iterations": int(path.n_iterations),
        **({"difference_error": np.array(behind)} if len(behind) == len(path.steps) else {}),
    }


def read_path(part: Part, group: NDArray[np.int64], join: NDArray[np.float64]) -> WeightPath:
    """Steps from small to large, each of some terms, of which these groups count as one.

    The first has no term, but for some files that glade 0.1 wrote.

    Parameters
    ----------
    part
        The path.
    group
        Of each term.
    join
        What each stored column counts for each score.
    """
    n_terms, n_columns = len(group), len(join)
    terms = part.array("terms", np.int64, None)
    length = part.lengths("length", None, len(terms))
    require(len(length), "a path has no step")
    require((length >= np.arange(len(length))).all(), "the steps of a path do not grow")  # before there is one each
    require(((terms >= 0) & (terms < n_terms)).all(), "a step names a term that there is not")
    ends = np.cumsum(length)
    starts_step = np.zeros(len(terms) + 1, bool)
    starts_step[ends - length] = True
    require((starts_step[:-1] | (np.diff(terms, prepend=-1) > 0)).all(), "the terms of a step do not ascend")
    weights = part.numbers("weights", len(terms), n_columns) @ join
    offset = part.numbers("offset", len(length), n_columns) @ join
    errors: list[NDArray[np.float64]] = [part.numbers(name, len(length)) for name in ("error", "standard_error")]
    behind = part.numbers("difference_error", len(length)).tolist() if "difference_error" in part else None
    n_iterations = part.value("n_iterations", int)
    require(n_iterations >= 0, "a path took less than no steps")
    steps = (
        Step(
            terms[end - n : end],
            weights[end - n : end],
            offset[k],
            float(errors[0][k]),
            float(errors[1][k]),
            len(np.unique(group[terms[end - n : end]])),
            difference_error=None if behind is None else behind[k],
        )
        for k, (n, end) in enumerate(zip(length.tolist(), ends.tolist(), strict=True))
    )
    path = WeightPath(tuple(steps), n_iterations)
    require((np.diff([step.size for step in path.steps]) > 0).all(), "the steps of a path do not grow")
    return path
