"""The rules of every step along a path, as the page needs them to show them and to predict."""

from functools import partial
from typing import Any

import numpy as np

from glade.core.names import show_name
from glade.report.numbers import exact, rounded
from glade.rules.linear import LinearTerms
from glade.rules.rule_set import Conditions, RuleSet
from glade.rules.soft import SoftRules
from glade.rules.soft_wording import word_soft_rule
from glade.rules.weighted import WeightedTerms
from glade.rules.wording import word_condition, word_rule

MAX_NUMBERS = 30_000  # effects, over all steps: about 600 kB of the page
MAX_STEPS = 30
MAX_TERMS = 500  # of a step that is not the model itself
MAX_LISTED = 40  # categories of a condition written out


def describe_path(model: Any) -> dict[str, Any]:
    """The terms that any shown step has, each once, and the steps with their effects."""
    shown, chosen = choose_steps(model)
    catalogue: dict[Any, int] = {}
    terms: list[dict[str, Any]] = []
    steps = []
    for place in shown:
        step = model._path.steps[place]
        weighted = model.with_rules(step.size).terms_
        kept = min(len(weighted), max(1, MAX_NUMBERS // weighted.effect.shape[1]))
        ids = []
        for key, make in list_terms(weighted)[:kept]:
            if key not in catalogue:
                catalogue[key] = len(terms)
                terms.append(make())
            ids.append(catalogue[key])
        steps.append(_describe_step(step, weighted, ids, model._scores.is_additive))
    links = [loss.link.name for loss in model._scores.losses.losses]
    return {"terms": terms, "steps": steps, "chosen": shown.index(chosen), "links": links}


def choose_steps(model: Any) -> tuple[list[int], int]:
    """Which steps of the path the page holds: the model itself, then as many others, evenly, as there is room for."""
    steps = model._path.steps
    chosen = next(k for k, step in enumerate(steps) if step is model._step)
    cost = [len(step.terms) * len(model.terms_.offset) for step in steps]
    readable = [k for k, step in enumerate(steps) if len(step.terms) <= MAX_TERMS]
    for n_shown in range(min(MAX_STEPS, len(readable)), 0, -1):
        even = np.linspace(0, len(readable) - 1, n_shown).round().astype(int)
        shown = sorted({*(readable[k] for k in even), chosen})
        if sum(cost[k] for k in shown) <= MAX_NUMBERS:
            return shown, chosen
    return [chosen], chosen


def _describe_step(step: Any, weighted: WeightedTerms, ids: list[int], is_additive: bool) -> dict[str, Any]:
    facts = {
        "error": step.error,
        "se": step.standard_error,
        "size": step.size,
        "whole": len(ids) == len(weighted),
        "terms": ids,
        "offset": exact(weighted.offset),
        "typical": rounded(weighted.typical),
        "effect": exact(weighted.effect[: len(ids)]),
    }
    if not is_additive:  # else the page finds the changes from the effects
        facts["change"] = rounded(weighted.change[: len(ids)])
    return facts


def list_terms(weighted: WeightedTerms) -> list[tuple[Any, Any]]:
    """For each term, in order, what tells it from others, and a function that describes it."""
    design, measured = weighted.design, weighted.measured
    rules, soft, linear = design.rules, design.soft, design.linear
    parts: list[tuple[dict[str, Any], Any]] = [
        *(({"if": describe_conditions(rules, k)}, partial(_word_rule, rules, k)) for k in range(len(rules))),
        *((describe_soft(soft, k), partial(_word_soft, soft, k)) for k in range(len(soft))),
        *(({"linear": _describe_linear(linear, k)}, partial(_word_linear, linear, k)) for k in range(len(linear))),
    ]

    def describe(k: int, form: dict[str, Any], word: Any) -> dict[str, Any]:
        unit = soft.scale[k - len(rules)] if "curves" in form else 1.0
        own = {"share": measured.share[k] / unit, "rows": measured.rows[k] / unit, "sd": measured.deviation[k]}
        return {**word(), **form, **{name: float(x) for name, x in own.items()}}

    return [(repr(form), partial(describe, k, form, word)) for k, (form, word) in enumerate(parts)]


def describe_conditions(rules: RuleSet, i: int) -> list[list[Any]]:
    """Each condition of a rule: its input, bounds, whether missing fulfils it, its categories or None."""
    return [describe_condition(rules.conditions, k) for k in range(int(rules.start[i]), int(rules.start[i + 1]))]


def describe_condition(conditions: Conditions, k: int) -> list[Any]:
    """One condition; that an input be missing is a set of no categories, whatever the input's kind."""
    categories = conditions.categories[k]
    low, high = exact(np.array([conditions.low[k], conditions.high[k]]))
    inside = [] if conditions.low[k] == np.inf else None if categories is None else list(categories)
    return [int(conditions.input[k]), low, high, int(conditions.missing[k]), inside]


def describe_soft(soft: SoftRules, i: int) -> dict[str, Any]:
    """A soft rule: its hard conditions, and for each soft one its input, range, curve and what missing counts as."""
    start, end, packed = soft._start[i], soft._start[i + 1], soft._packed
    columns = (packed.low, packed.high, packed.centre, packed.spread, packed.linear, packed.square, packed.missing)
    curves = [[int(packed.input[k]), *exact(np.array([c[k] for c in columns]))] for k in range(start, end)]
    hard = describe_conditions(soft._hard_part, i)
    return {"if": hard, "curves": curves, "constant": float(soft.constant[i]), "scale": float(soft.scale[i])}


def _word_rule(rules: RuleSet, i: int) -> dict[str, Any]:
    places = range(int(rules.start[i]), int(rules.start[i + 1]))
    says = [word_condition(rules.conditions, k, rules.schema, MAX_LISTED) for k in places]
    return {"words": word_rule(rules, i), "says": says}


def _word_soft(soft: SoftRules, i: int) -> dict[str, Any]:
    return {"words": word_soft_rule(soft, i), "says": _word_rule(soft.rules, i)["says"]}


def _word_linear(linear: LinearTerms, k: int) -> dict[str, Any]:
    """A linear term's input, and about between which values it counts."""
    name = show_name(linear.schema.names[int(linear.input[k])])
    return {"words": f"{name} (linear from {linear.low[k]:.4g} to {linear.high[k]:.4g})"}


def _describe_linear(linear: LinearTerms, k: int) -> list[Any]:
    return [int(linear.input[k]), *(float(x[k]) for x in (linear.low, linear.high, linear.centre, linear.scale))]
