"""What a model says, in a few plain sentences: its strongest rules, its largest leaves, or its strongest inputs."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import join_words, show_name
from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable
from glade.report.numbers import word_amount
from glade.report.table_facts import ReadRows
from glade.report.verdicts import show_number, word_chance, word_share
from glade.rules.extract import merge_splits
from glade.rules.model import RuleModel
from glade.rules.wording import list_short_words, word_condition, word_label

Floats = NDArray[np.float64]
N_SENTENCES = 3
FEW_TARGETS = 2  # of more, some sentences more are told, beside a longer list of how good they are
N_TOLD = 2  # targets in a sentence, of many
QUARTERS = (0.25, 0.75)  # of the rows, by a number
WORTH_TELLING = 0.1  # of the largest change: a sentence is silent about targets that move less
SIGNS = {" <= ": " ≤ ", " != ": " ≠ "}
SOFT = re.compile(r" softly \([^()]*\)")  # where a soft rule is how far on: the list of rules tells it


def tell_rules(
    model: RuleModel, events: list[int | None], others: Mapping[int, str] | None = None
) -> list[dict[str, Any]]:
    """The terms of most importance, whatever their kind: where (`others`: in other words than usual), what they do."""
    terms = model.terms
    if terms.design.is_in_order:
        return _tell_list(model, events)
    n_told = N_SENTENCES if model.targets.n_targets <= FEW_TARGETS else 2 * N_SENTENCES - 1
    order = np.argsort(-terms.importance.mean(axis=1), kind="stable")[:n_told]
    design = terms.design.take(np.sort(order))
    told = []
    all_words = [
        (others or {}).get(int(k), own) for k, own in zip(np.sort(order), list_short_words(design), strict=True)
    ]
    terms_in_words = [with_signs(words, design.rules.schema.names) for words in all_words]
    for k, words, whole, is_rule in zip(np.sort(order), terms_in_words, design.whole, design.is_rule, strict=True):
        change = terms.change[k] * whole
        who = f"Where {SOFT.sub(' or so', words)}" if is_rule else _tell_line(words)
        told.append({"words": f"{who}, {word_change(change, model.targets, terms.spread, events)}.", "term": int(k)})
    return sorted(told, key=lambda own: order.tolist().index(own["term"]))


def _tell_list(model: RuleModel, events: list[int | None]) -> list[dict[str, Any]]:
    """The first rules of a list, and what each predicts."""
    terms, targets = model.terms, model.targets
    told = []
    for k, words in enumerate(list_short_words(terms.design)[:N_SENTENCES]):
        own = with_signs(words, terms.design.rules.schema.names)
        who = f"Where {own}" if k == 0 else f"Else where {own.removeprefix('else ')}"
        says = word_value(terms.typical + terms.change[k], targets, terms.spread, events)
        told.append({"words": f"{who}, {says}.", "term": k})
    return told


def add_observed(told: list[dict[str, Any]], facts: dict[str, Any], events: list[int | None], rows: ReadRows) -> None:
    """Beside what a term adds, for a single number or event: what was observed of a rule's rows, and of all others.

    Of a linear term, whose ends few rows may reach: of the rows with low and with high values.
    """
    path, observed, target = facts["path"], facts["observed"], facts["targets"][0]
    is_of_many = len(facts["targets"]) > 1 or (target["classes"] and events[0] is None)
    if is_of_many or not observed or "values" not in observed:
        return
    ids, channel = path["steps"][path["chosen"]]["terms"], events[0] or 0
    for own in told:
        place = ids[own["term"]] if own["term"] < len(ids) else None
        if place is not None and path["terms"][place].get("linear"):
            own["seen"] = _word_ends(int(path["terms"][place]["linear"][0]), rows, target, channel)
            continue
        if place is None or observed["values"][place] is None:
            continue
        inside, outside = (side[channel] for side in observed["values"][place])
        if inside is not None and outside is not None:
            own["seen"] = _word_observed((inside, outside), f"{observed['rows'][place]:,}", target, channel)


def _word_observed(sides: tuple[float, float], n_rows: str, target: dict[str, Any], channel: int) -> str:
    """What was observed of a rule's rows and of all others."""
    if target["classes"]:
        label, (there, elsewhere) = target["classes"][channel], map(word_share, sides)
        return f"Of its {n_rows} rows {there} were {label}, of all others {elsewhere}."
    there, elsewhere = (show_number(value, target["spread"][0]) for value in sides)
    return f"Its {n_rows} rows have {there} on average, all others {elsewhere}."


def _word_ends(column: int, rows: ReadRows, target: dict[str, Any], channel: int) -> str:
    """What was observed of about a quarter of the rows with the lowest, and with the highest values of an input."""
    x, y = rows.matrix[:, column], np.full(len(rows.matrix), np.nan) if rows.targets is None else rows.targets[0]
    is_known = ~np.isnan(x) & ~np.isnan(y)
    if target["classes"]:
        is_known, y = is_known & (y >= 0), (y == channel).astype(float)
    if not is_known.any():
        return ""
    low, high = (float(np.quantile(x[is_known], share, method="nearest")) for share in QUARTERS)
    below, above = y[is_known & (x <= low)], y[is_known & (x > high)]
    if not len(above):
        return ""
    ends = f"the {len(below):,} rows up to {word_amount(low)}", f"the {len(above):,} above {word_amount(high)}"
    if target["classes"]:
        there, elsewhere = (word_share(float(own.mean())) for own in (below, above))
        return f"{target['classes'][channel]} were {there} of {ends[0]}, and {elsewhere} of {ends[1]}."
    there, elsewhere = (show_number(float(own.mean()), target["spread"][0]) for own in (below, above))
    return f"On average it is {there} in {ends[0]}, and {elsewhere} in {ends[1]}."


def _tell_line(words: str) -> str:
    """The beginning of a sentence about a linear term.

    >>> _tell_line("age (linear from 19 to 93)")
    'As age rises from 19 to 93'
    """
    name, _, ends = words.rpartition(" (linear from ")
    low, high = (word_amount(float(end)) for end in ends.removesuffix(")").split(" to "))
    return f"As {name} rises from {low} to {high}"


def word_change(change: Floats, targets: TargetSchema, spread: Floats, events: list[int | None]) -> str:
    """What a change of the predictions means, for the targets that it moves most."""
    parts = []
    for t, classes in enumerate(targets.classes):
        at, name = targets.channels_of(t), show_name(targets.names[t])
        own = change[at] / spread[at]
        if classes is None:
            amount = show_number(abs(float(change[at][0])), float(spread[at][0]))
            words = f"{name} is {'higher' if change[at][0] > 0 else 'lower'} by {amount}"
            parts.append((abs(float(own[0])), words))
            continue
        most = events[t] if events[t] is not None else int(np.abs(own).argmax())
        assert most is not None
        points = word_share(abs(float(change[at][most])), " points")
        label = word_label(classes[most]) if targets.n_targets == 1 else f"{name} = {word_label(classes[most])}"
        parts.append(
            (abs(float(own[most])), f"{label} is {'likelier' if change[at][most] > 0 else 'less likely'} by {points}")
        )
    parts.sort(key=lambda part: -part[0])
    parts = [part for part in parts if part[0] >= WORTH_TELLING * parts[0][0]]
    shown = [words for _, words in parts[: N_TOLD if len(parts) > N_TOLD + 1 else len(parts)]]
    more = len(parts) - len(shown)
    return join_words(shown) + (f" (and {more} more targets move)" if more else "")


def tell_tree(tree: NodeTable, model: Any, spread: Floats, events: list[int | None]) -> list[dict[str, Any]]:
    """The leaves with most rows: who is there, and what is predicted."""
    leaves = np.flatnonzero(tree.split < 0)
    order, names = leaves[np.argsort(-tree.rows[leaves], kind="stable")][:N_SENTENCES], model.schema_.names
    sides = np.repeat(np.arange(len(tree.split_node)), 2)
    conditions = merge_splits(tree, model.schema_, sides, np.arange(len(sides)) % 2 == 0, np.arange(len(sides)))
    words = {
        int(tree.split_left[s]) + side: with_signs(word_condition(conditions, 2 * s + side, model.schema_), names)
        for s in range(len(tree.split_node))
        for side in (0, 1)
    }
    parent = {
        int(tree.split_left[s]) + side: int(tree.split_node[s]) for s in range(len(tree.split_node)) for side in (0, 1)
    }
    told = []
    for leaf in order.tolist():
        way, node = [], leaf
        while node in parent:
            way.append(words[node])
            node = parent[node]
        share = word_share(float(tree.rows[leaf] / max(tree.rows[0], 1e-300)))
        where = f"Where {' and '.join(reversed(way))} ({share} of the rows)" if way else "In every row"
        told.append({"words": f"{where}, {word_value(tree.value[leaf], model.target_schema_, spread, events)}."})
    return told


def with_signs(words: str, names: Sequence[str]) -> str:
    """Words with the signs that books have, unless a name holds what stands for them.

    >>> with_signs("a <= 3 and b != no", ["a", "b"]), with_signs("a <= b > 3", ["a <= b"])
    ('a ≤ 3 and b ≠ no', 'a <= b > 3')
    """
    for plain, sign in SIGNS.items():
        if not any(plain in name for name in names):
            words = words.replace(plain, sign)
    return words


def word_value(value: Floats, targets: TargetSchema, spread: Floats, events: list[int | None]) -> str:
    """What is predicted for the first targets."""
    parts = []
    for t, classes in enumerate(targets.classes[:N_TOLD]):
        own, name = value[targets.channels_of(t)], show_name(targets.names[t])
        if classes is None:
            parts.append(f"{name} is about {show_number(float(own[0]), float(spread[targets.start[t]]))}")
        else:
            k = events[t] if events[t] is not None else int(own.argmax())
            assert k is not None
            parts.append(f"the chance of {name} = {word_label(classes[k])} is {word_chance(float(own[k]))}")
    return join_words(parts)


def tell_effects(
    effects: list[dict[str, Any]], facts: dict[str, Any], events: list[int | None]
) -> list[dict[str, Any]]:
    """What the mean prediction does along the strongest inputs, for the first target."""
    target = facts["targets"][0]
    channel = target["start"] + ((events[0] if events[0] is not None else 0) if target["classes"] else 0)
    what = f"the chance of {target['classes'][channel - target['start']]}" if target["classes"] else target["name"]
    told = []
    for effect in effects[:N_SENTENCES]:
        own, about = np.array([y[channel] for y in effect["y"]], float), facts["inputs"][effect["input"]]
        low, high = int(own.argmin()), int(own.argmax())
        ends = [
            word_chance(own[k]) if target["classes"] else show_number(own[k], target["spread"][0]) for k in (low, high)
        ]
        at = [
            about["labels"][int(effect["x"][k])] if about["labels"] else word_amount(effect["x"][k])
            for k in (low, high)
        ]
        where = f"{ends[1]} on average where {about['name']} is {at[1]}, and {ends[0]} where it is {at[0]}"
        told.append({"words": f"{what[0].upper() if target['classes'] else what[0]}{what[1:]} is {where}."})
    return told
