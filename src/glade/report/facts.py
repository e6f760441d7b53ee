"""All that a page shows, as one plain dictionary: a model and a table in, numbers and words out."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.kinds import MULTITREE, RULES, TREE
from glade.core.names import join_words, show_name
from glade.core.version import __version__
from glade.report.effect_facts import describe_effects
from glade.report.error_facts import describe_held_out, measure_table, write_lead
from glade.report.numbers import rounded, show_names
from glade.report.table_facts import ReadRows, describe_inputs, describe_targets, list_alerts, sample_rows
from glade.report.term_facts import describe_path
from glade.report.tree_facts import describe_tree
from glade.rules.model import RuleModel
from glade.rules.wording import count_terms, word_changes

N_FIRST = 3  # rules in the first screen
MAX_LEAVES = 20  # of a multi-tree's archetype


def collect_facts(
    model: Any, X: Any, y: Any = None, *, name: str = "table", errors: Any = None, with_rows: bool = True
) -> dict[str, Any]:
    """Everything a report says of a fitted model and a table.

    Parameters
    ----------
    model
        Any fitted model of glade.
    X, y
        The table: the model's inputs and, if they are known, its targets.
    name
        What to call the table.
    errors
        Of a cross-validation: {"how": words, "models": names, "lines": one for each target}; see `make_line`.
    with_rows
        Whether rows of the table may be in the report.

    Examples
    --------
    >>> from glade import TreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    >>> facts = collect_facts(TreeRegressor(max_depth=1).fit(X, y), X, y)
    >>> facts["model"]["kind"], facts["tree"]["leaves"], len(facts["sample"]["x"])
    ('tree', 2, 300)
    """
    rows = ReadRows.of(model, X, y)
    kind = model.kind
    shown = _archetype_of(model) if kind == MULTITREE else model
    importance = np.nan_to_num(shown.target_importances_.to_numpy(float))
    facts = {
        "glade": __version__,
        "table": {"name": show_name(name), "rows": len(rows.matrix), "alerts": list_alerts(X, model, y)},
        "model": {"kind": kind, "class": type(model).__name__, "size": _describe_size(model)},
        "inputs": describe_inputs(model.schema_, rows.matrix),
        "targets": describe_targets(model.target_schema_, find_spread(model, rows), rows),
        "errors": errors,
        "heldOut": describe_held_out(model),
        "onTable": measure_table(model, rows),
        "importance": rounded(importance),
        "effects": describe_effects(model, rows.matrix, importance.mean(axis=1)),
        "first": list_first(model.model_) if kind == RULES else [],
        "path": describe_path(model.model_) if kind == RULES else None,
        "tree": describe_tree(shown.tree_, model.schema_) if shown.kind == TREE else None,
        "sample": sample_rows(rows) if with_rows else None,
    }
    facts["lead"] = write_lead(facts["errors"], facts["heldOut"], facts["onTable"])
    facts["looks"] = write_looks(show_names(model.schema_.names), importance.mean(axis=1))
    facts["headline"] = write_headline(facts, show_names(model.target_schema_.names))
    return facts


def _archetype_of(model: Any) -> Any:
    return model.archetype(max_leaf_nodes=MAX_LEAVES, random_state=0)


def _describe_size(model: Any) -> dict[str, int]:
    return {name: int(count) for name, count in model.size_._asdict().items() if count is not None}


def list_first(model: RuleModel) -> list[tuple[str, str]]:
    """The most important rules in words, and what they add to the targets, if these are few."""
    terms, targets = model.terms, model.targets
    is_rule = terms.design.is_rule
    importance = np.where(is_rule, terms.importance.mean(axis=1), -1.0)
    strongest = np.argsort(-importance, kind="stable")[: min(N_FIRST, int(is_rule.sum()))]
    first = np.sort(strongest)  # in a design soft rules come after hard ones
    rules = terms.design.take(first).words
    if targets.n_targets > N_FIRST:
        return [(words, "") for words in rules]
    names, amounts = show_names(targets.names), terms.change[first] * terms.design.unit[first][:, None]
    changes = [word_changes(amount, targets, terms.spread) for amount in amounts]
    says = [" · ".join(f"{name} {words}" for name, words in zip(names, told, strict=True)) for told in changes]
    return list(zip(rules, says, strict=True))


def find_spread(model: Any, rows: ReadRows) -> NDArray[np.float64]:
    """Per channel: the deviation of the target, by which its digits are chosen."""
    if model.kind == RULES:
        return model.model_.scores.spread
    spread = np.ones(int(model.target_schema_.start[-1]))
    for t, classes in enumerate(model.target_schema_.classes):
        if classes is None and rows.targets is not None and (~np.isnan(rows.targets[t])).any():
            spread[model.target_schema_.channels_of(t)] = np.nanstd(rows.targets[t]) or 1.0
    return spread


def write_headline(facts: dict[str, Any], targets: list[str]) -> str:
    """What the model is, in one sentence."""
    what = " and ".join(targets) if len(targets) < 3 else f"{len(targets)} targets"
    return f"{word_size(facts['model'])} for {what}"


def write_looks(names: list[str], importance: NDArray[np.float64]) -> str:
    """What the model looks at, in one sentence.

    >>> import numpy as np
    >>> write_looks(["a", "b", "c"], np.array([0.2, 0.0, 0.8]))
    'It looks at 2 of 3 inputs, most at c.'
    """
    used = [int(j) for j in np.argsort(-importance, kind="stable") if importance[j] > 0]
    if not used:
        return "It looks at no input: it says the same of every row."
    most = join_words([names[j] for j in used[: max(1, min(3, len(used) - 1))]])
    rest = f", most at {most}" if len(used) > 1 else f", {most}"
    return f"It looks at {len(used)} of {_count(len(names), 'input')}{rest}."


def word_size(model: dict[str, Any]) -> str:
    """A model's size in words.

    >>> word_size({"kind": "rules", "size": {"rules": 1, "terms": 3}})
    '1 rule and 2 linear terms'
    """
    size, kind = model["size"], model["kind"]
    if kind == "rules":
        return count_terms(size["rules"], size["terms"] - size["rules"])
    if kind == "tree":
        return f"A tree of {_count(size['leaves'], 'leaf', 'leaves')}"
    return "Many trees in one" if kind == "multitree" else f"A forest of {_count(size['trees'], 'tree')}"


def _count(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one}" if n == 1 else f"{n:,} {many or one + 's'}"
