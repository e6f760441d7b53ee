"""The rules of every step along a path, as the page needs them to show them and to predict."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from glade.core.names import join_words
from glade.report.numbers import exact, rounded
from glade.rules.blocks import TermBlock
from glade.rules.gaps import Gaps
from glade.rules.hard import MAX_LISTED, HardRules
from glade.rules.model import RuleModel
from glade.rules.path import Step
from glade.rules.weighted import WeightedTerms
from glade.rules.wording import note_terms, word_condition, word_rule

MAX_NUMBERS = 30_000  # effects, over all steps: about 600 kB of the page
MAX_STEPS = 30
CHANGE_DIGITS = 6  # of what terms change on average: what is shown has fewer
MAX_TERMS = 500  # of a step that is not the model itself
MANY_GAPS = 0.1  # of a rule's rows: it says that they are there because a value is missing
OR_MISSING = " or missing"
MEASURES = {  # what is told of the error of each size, by the loss that the fit makes small
    "squared": "squared error",
    "logistic": "log loss",
    "multinomial": "log loss",
    "huber": "Huber loss",
    "poisson": "deviance",
    "quantile": "quantile loss",
}


def describe_path(model: RuleModel) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    """The terms that any shown step has, each once, and the steps with their effects; and where each term was found.

    A term's place is a step of the path and the number of the term in it.
    """
    shown, chosen = choose_steps(model)
    catalogue: dict[Any, int] = {}
    keys: list[tuple[int, int]] = []
    terms: list[dict[str, Any]] = []
    steps = []
    for place in shown:
        step, weighted = model.path.steps[place], model.at(place).terms
        kept = min(len(weighted), max(1, MAX_NUMBERS // weighted.effect.shape[1]))
        ids = []
        for number, (key, make) in enumerate(list_terms(weighted)[:kept]):
            if key not in catalogue:
                catalogue[key] = len(terms)
                terms.append(make())
                keys.append((place, number))
            ids.append(catalogue[key])
        steps.append(_describe_step(step, weighted, ids, model.scores.is_additive))
    links = [loss.link.name for loss in model.scores.losses.losses]
    design = model.terms.design
    note = "; ".join(note_terms(design))
    path = {"terms": terms, "steps": steps, "chosen": shown.index(chosen), "links": links, "gaps": note}
    path["measure"] = word_measure([loss.name for loss in model.scores.losses.losses])
    return path, keys


def tell_gaps(path: dict[str, Any], inputs: list[dict[str, Any]]) -> None:
    """Let rules say of missing values what is otherwise said once below the list, where many of their rows have some.

    Parameters
    ----------
    path
        Of `describe_path`.
    inputs
        What is told of each input.
    """
    for term in path["terms"]:
        if "says" not in term or len(term["says"]) != len(term.get("if", [])):
            continue
        says = [
            f"{words}{OR_MISSING}"
            if counts == 1 and inputs[j]["missing"] > MANY_GAPS * term["rows"] and "missing" not in words
            else words
            for words, (j, _, _, counts, _) in zip(term["says"], term["if"], strict=True)
        ]
        if says != term["says"]:
            term |= {
                "says": says,
                "words": " and ".join(
                    f"({own})" if len(says) > 1 and own.endswith(OR_MISSING) else own for own in says
                ),
            }
            term["gaps"] = True


def list_gap_words(path: dict[str, Any]) -> dict[int, str]:
    """Of the terms of the model itself, by number, those in other words than usual: many of their rows have gaps."""
    terms = [path["terms"][place] for place in path["steps"][path["chosen"]]["terms"]]
    return {k: term["words"] for k, term in enumerate(terms) if term.get("gaps")}


def word_measure(losses: Sequence[str]) -> str:
    """In what the error of each size is told.

    >>> word_measure(["squared", "squared", "multinomial"])
    'squared error and log loss'
    """
    return join_words(list(dict.fromkeys(MEASURES.get(name, "loss") for name in losses)))


def choose_steps(model: RuleModel) -> tuple[list[int], int]:
    """Which steps of the path the page holds: the model itself, then as many others, evenly, as there is room for."""
    steps, chosen = model.path.steps, model.place
    cost = [len(step.terms) * len(model.scores.spread) for step in steps]
    readable = [k for k, step in enumerate(steps) if len(step.terms) <= MAX_TERMS]
    for n_shown in range(min(MAX_STEPS, len(readable)), 0, -1):
        even = np.linspace(0, len(readable) - 1, n_shown).round().astype(int)
        shown = sorted({*(readable[k] for k in even), chosen})
        if sum(cost[k] for k in shown) <= MAX_NUMBERS:
            return shown, chosen
    return [chosen], chosen


def _describe_step(step: Step, weighted: WeightedTerms, ids: list[int], is_additive: bool) -> dict[str, Any]:
    facts = {
        "error": step.error,
        "se": step.standard_error,
        "size": step.size,
        "whole": len(ids) == len(weighted),
        "terms": ids,
        "offset": exact(weighted.offset),
        "typical": rounded(weighted.typical, CHANGE_DIGITS),
        "effect": exact(weighted.effect[: len(ids)]),
    }
    if not is_additive:  # else the page finds the changes from the effects
        facts["change"] = rounded(weighted.change[: len(ids)], CHANGE_DIGITS)
    return facts


def word_term(block: TermBlock, k: int, gaps: Gaps) -> dict[str, Any]:
    """A term in words; of a hard rule they leave out what a line below the list says of missing values."""
    if not isinstance(block, HardRules):
        return block.describe_words(k)
    rules = block.rules
    places = range(int(rules.start[k]), int(rules.start[k + 1]))
    says = [word_condition(rules.conditions, i, rules.schema, MAX_LISTED, gaps) for i in places]
    return {"words": word_rule(rules, k, MAX_LISTED, gaps), "says": says, "plain": block.words[k]}


def list_terms(weighted: WeightedTerms) -> list[tuple[Any, Any]]:
    """For each term, in order, what tells it from others, and a function that describes it."""
    design, measured = weighted.design, weighted.measured
    unit = np.where(design.is_rule, design.unit, 1.0)
    parts = [(block, k) for block in design.blocks for k in range(len(block))]

    def describe(place: int, block: TermBlock, k: int, form: dict[str, Any]) -> dict[str, Any]:
        own = {"share": measured.share[place] / unit[place], "rows": measured.rows[place] / unit[place]}
        own["sd"] = measured.deviation[place]
        return {**word_term(block, k, gaps), **form, **{name: float(x) for name, x in own.items()}}

    forms = [block.describe(k) for block, k in parts]
    gaps = Gaps.of([design.rules], design.rules.schema)
    return [
        (repr(form), partial(describe, place, block, k, form))
        for place, ((block, k), form) in enumerate(zip(parts, forms, strict=True))
    ]
