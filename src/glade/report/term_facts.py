"""The rules of every step along a path, as the page needs them to show them and to predict."""

from typing import Any

import numpy as np

from glade.core.names import show_name
from glade.report.numbers import exact, rounded
from glade.rules.linear import LinearTerms
from glade.rules.rule_set import Conditions, RuleSet
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
        weighted = model.with_rules(len(step.terms)).terms_
        kept = min(len(weighted), max(1, MAX_NUMBERS // weighted.effect.shape[1]))
        ids = []
        for key, make in list_terms(weighted)[:kept]:
            if key not in catalogue:
                catalogue[key] = len(terms)
                terms.append(make())
            ids.append(catalogue[key])
        steps.append(_describe_step(step, weighted, ids, model._scores.is_logistic))
    return {"terms": terms, "steps": steps, "chosen": shown.index(chosen), "logistic": model._scores.is_logistic}


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


def _describe_step(step: Any, weighted: WeightedTerms, ids: list[int], is_logistic: bool) -> dict[str, Any]:
    facts = {
        "error": step.error,
        "se": step.standard_error,
        "size": len(weighted),
        "terms": ids,
        "offset": exact(weighted.offset),
        "typical": rounded(weighted.typical),
        "effect": exact(weighted.effect[: len(ids)]),
    }
    if is_logistic:  # of squared errors the page finds the changes from the effects
        facts["change"] = rounded(weighted.change[: len(ids)])
    return facts


def list_terms(weighted: WeightedTerms) -> list[tuple[Any, Any]]:
    """For each term, in order, what tells it from others, and a function that describes it."""
    design, measured = weighted.design, weighted.measured
    rules, linear = design.rules, design.linear
    n_rules = len(rules)

    def describe(k: int) -> dict[str, Any]:
        own = {"share": float(measured.share[k]), "rows": float(measured.rows[k]), "sd": float(measured.deviation[k])}
        if k < n_rules:
            return {"words": word_rule(rules, k), **own, "if": describe_conditions(rules, k), "says": _say(rules, k)}
        return {"words": word_linear(linear, k - n_rules), **own, "linear": _describe_linear(linear, k - n_rules)}

    keys: list[Any] = [repr(describe_conditions(rules, k)) for k in range(n_rules)]
    keys += [repr(_describe_linear(linear, k)) for k in range(len(linear))]
    return [(key, lambda k=k: describe(k)) for k, key in enumerate(keys)]


def describe_conditions(rules: RuleSet, i: int) -> list[list[Any]]:
    """Each condition of a rule: its input, bounds, whether missing fulfils it, its categories or None."""
    return [describe_condition(rules.conditions, k) for k in range(int(rules.start[i]), int(rules.start[i + 1]))]


def describe_condition(conditions: Conditions, k: int) -> list[Any]:
    """One condition; that an input be missing is a set of no categories, whatever the input's kind."""
    categories = conditions.categories[k]
    low, high = exact(np.array([conditions.low[k], conditions.high[k]]))
    inside = [] if conditions.low[k] == np.inf else None if categories is None else list(categories)
    return [int(conditions.input[k]), low, high, int(conditions.missing[k]), inside]


def _say(rules: RuleSet, i: int) -> list[str]:
    places = range(int(rules.start[i]), int(rules.start[i + 1]))
    return [word_condition(rules.conditions, k, rules.schema, MAX_LISTED) for k in places]


def word_linear(linear: LinearTerms, k: int) -> str:
    """A linear term's input, and about between which values it counts."""
    name = show_name(linear.schema.names[int(linear.input[k])])
    return f"{name} (linear from {linear.low[k]:.4g} to {linear.high[k]:.4g})"


def _describe_linear(linear: LinearTerms, k: int) -> list[Any]:
    return [int(linear.input[k]), *(float(x[k]) for x in (linear.low, linear.high, linear.centre, linear.scale))]
