"""All that a page shows, as one plain dictionary: a model and a table in, numbers and words out."""

import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.kinds import FOREST, MULTITREE, RULES, TREE
from glade.core.names import join_words, show_name
from glade.core.version import __version__
from glade.models.score_card import ScoreCardClassifier
from glade.report.card_facts import describe_card
from glade.report.case_facts import describe_typical
from glade.report.download_facts import describe_downloads
from glade.report.effect_facts import describe_effects
from glade.report.events import describe_decision, find_events
from glade.report.finding_facts import describe_findings
from glade.report.forest_facts import describe_forests
from glade.report.honest import Judged, Unseen
from glade.report.interaction_facts import describe_interactions
from glade.report.numbers import rounded, show_names
from glade.report.observed_facts import describe_observed
from glade.report.quality_facts import describe_drawn, describe_quality
from glade.report.sample_facts import sample_rows
from glade.report.sentences import add_observed, tell_effects, tell_rules, tell_tree
from glade.report.table_facts import ReadRows, describe_inputs, describe_targets
from glade.report.term_facts import describe_path, list_gap_words, tell_gaps
from glade.report.tree_facts import describe_tree
from glade.report.verdicts import write_lead, write_verdict
from glade.rules.wording import count_terms

MAX_LEAVES = 20  # of a multi-tree's archetype


def collect_facts(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    name: str = "table",
    errors: Any = None,
    unseen: Unseen | None = None,
    with_rows: bool = True,
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
    unseen
        Predictions of the rows by models that had not seen them; by default those that the fit has kept.
    with_rows
        Whether rows of the table may be in the report.

    Examples
    --------
    >>> from glade import TreeRegressor, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "sex"]], penguins["body_mass_g"]
    >>> facts = collect_facts(TreeRegressor(max_depth=1).fit(X, y), X, y)
    >>> facts["model"]["kind"], facts["tree"]["leaves"], len(facts["sample"]["x"])
    ('tree', 2, 333)
    """
    rows = ReadRows.of(model, X, y)
    judged, events = Judged.of(model, rows, unseen), find_events(model, rows)
    shown = _archetype_of(model)
    importance = np.nan_to_num(shown.target_importances_.to_numpy(float))
    overall = importance.mean(axis=1)
    order = [int(j) for j in np.argsort(-overall, kind="stable")]
    facts = {
        "glade": __version__,
        "written": datetime.date.today().isoformat(),
        "table": {"name": show_name(name), "rows": len(rows.matrix)},
        "findings": describe_findings(X, y, model, overall),
        "model": _describe_model(model),
        "inputs": describe_inputs(model.schema_, rows.matrix),
        "targets": [
            own | describe_decision(model, t)
            for t, own in enumerate(describe_targets(model.target_schema_, find_spread(model, rows), rows))
        ],
        "events": events,
        "errors": errors,
        "quality": describe_quality(judged, rows, model.schema_, model.target_schema_, events, order),
        "importance": rounded(importance),
        "effects": describe_effects(model, rows.matrix, overall),
        "together": describe_interactions(shown, rows.matrix, overall),
        "typical": describe_typical(rows.matrix, model.schema_, overall, with_rows),
        "downloads": describe_downloads(model),
        "sample": sample_rows(rows, judged) if with_rows else None,
        **_describe_parts(model, shown, rows, events),
        "drawn": None if unseen is None else describe_drawn(unseen.drawn, rows, model.target_schema_),
    }
    if facts["path"] is not None:
        tell_gaps(facts["path"], facts["inputs"])
    return facts | _write_words(facts, model, events, rows)


def _describe_parts(model: Any, shown: Any, rows: ReadRows, events: list[int | None]) -> dict[str, Any]:
    """What the model is made of: the path of its rules, its tree, its forest; None for what it has not."""
    path, observed = None, None
    if model.kind == RULES:
        path, keys = describe_path(model.model_)
        observed = describe_observed(model.model_, rows, keys, events)
    return {
        "path": path,
        "card": describe_card(model) if isinstance(model, ScoreCardClassifier) else None,
        "observed": observed,
        "tree": describe_tree(shown.said_tree_, model.schema_) if shown.kind == TREE else None,
        "alike": describe_likeness(model, shown, rows) if model.kind == MULTITREE else None,
        "forest": describe_forests(model) if model.kind == FOREST else None,
    }


def _archetype_of(model: Any) -> Any:
    """The model that is drawn: of a multi-tree, one of its trees."""
    return model.archetype(max_leaf_nodes=MAX_LEAVES) if model.kind == MULTITREE else model


def describe_likeness(model: Any, shown: Any, rows: ReadRows) -> dict[str, Any]:
    """How much one tree of a multi-tree says what all of them say: the share of the rows of this table with the same
    class, of targets that have some; else the share of what varies in what all say."""
    ours, theirs = shown.predict_values(rows.matrix), model.predict_values(rows.matrix)
    schema = model.target_schema_
    places = [(schema.decision_of(t), schema.channels_of(t)) for t, own in enumerate(schema.classes) if own is not None]
    if places:
        same = [(decision.pick(ours[:, at]) == decision.pick(theirs[:, at])).mean() for decision, at in places]
        return {"share": float(np.mean(same)), "ofRows": True}
    spread = ((theirs - theirs.mean(axis=0)) ** 2).sum(axis=0)
    off = ((theirs - ours) ** 2).sum(axis=0)
    likeness = 1.0 - np.divide(off, spread, out=np.zeros(len(off)), where=spread > 0)
    return {"share": float(likeness.mean()), "ofRows": False}


def _describe_model(model: Any) -> dict[str, Any]:
    size = {name: int(count) for name, count in model.size_._asdict().items() if count is not None}
    return {"kind": model.kind, "class": type(model).__name__, "size": size, "settings": list_settings(model)}


def list_settings(model: Any) -> list[str]:
    """The parameters that differ from their defaults, as they would be written in Python."""
    defaults = type(model)().get_params(deep=False)
    given = model.get_params(deep=False)
    return [f"{name}={value!r}"[:200] for name, value in given.items() if repr(value) != repr(defaults[name])]


def _write_words(facts: dict[str, Any], model: Any, events: list[int | None], rows: ReadRows) -> dict[str, Any]:
    """The sentences of the first screen."""
    names, quality = show_names(model.target_schema_.names), facts["quality"]
    told = [] if quality is None else quality["targets"]
    importance = np.array(facts["importance"], float).mean(axis=1)
    return {
        "headline": write_headline(facts, names),
        "verdict": write_verdict(quality, names),
        "lead": write_lead(told[0], facts["targets"][0], events[0]) if len(names) == 1 and told and told[0] else "",
        "looks": write_looks(show_names(model.schema_.names), importance),
        "says": tell_model(model, facts, events, rows),
        "next": list_next(facts),
    }


def list_next(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What a reader may do now, and the section where that is done."""
    steps = []
    n_findings = len(facts["findings"])
    if n_findings:
        things = "1 thing" if n_findings == 1 else f"{n_findings} things"
        steps.append((f"See {things} that the check of the data found", "data"))
    if facts["quality"] is not None:
        steps.append(("See where it is right and wrong", "quality"))
    if facts["card"] is not None:
        steps.append(("Tick its card", "card"))
    if facts["path"] is not None:
        steps.append(("Read its rules, fewer or more of them", "rules"))
    if facts["tree"] is not None:
        steps.append(("Read its tree", "tree"))
    return [*steps, ("Try a case", "case"), ("Take the model with you", "take")]


def tell_model(model: Any, facts: dict[str, Any], events: list[int | None], rows: ReadRows) -> list[dict[str, Any]]:
    """What the model says, in a few sentences."""
    if model.kind == RULES:
        told = tell_rules(model.model_, events, list_gap_words(facts["path"]))
        add_observed(told, facts, events, rows)
        return told
    if model.kind == TREE:
        spread = np.concatenate([own["spread"] for own in facts["targets"]])
        return tell_tree(model.said_tree_, model, spread, events)
    return tell_effects(facts["effects"], facts, events)


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
    lines = facts["card"] and _count(len(facts["card"]["lines"]), "line")
    return f"{f'A card of {lines}' if lines else word_size(facts['model'])} for {what}"


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
