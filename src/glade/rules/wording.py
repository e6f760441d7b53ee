"""Conditions, predictions and trees in words, in the user's names and units.

"or missing" stands on the side that takes missing values, for inputs that had some in training; a category unseen in
training counts as missing there. Of an input that had none, words say nothing about missing values: the model has a
side for them too, the larger one, but has learned nothing of them that would be worth reading.
"""

import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glade.core.layout import align_columns
from glade.core.names import join_words, show_name
from glade.data.table import Labels, Schema
from glade.data.targets import TargetSchema
from glade.grow.node_table import NodeTable
from glade.rules.design import Design
from glade.rules.extract import merge_splits
from glade.rules.gaps import Gaps, names_outside
from glade.rules.listed import ELSE
from glade.rules.rule_set import Conditions, RuleSet
from glade.rules.weighted import WeightedTerms

EVERY_ROW = "every row"  # what an offset applies to
MAX_LISTED = 8
ROUNDING = 1e-12  # of a standard deviation: what is left where two numbers cancel
SCREEN = 120  # letters of a line, if the targets leave room for it
MIN_WORDS, MAX_WORDS = 40, 70  # letters of a rule in one line
GAP_WORDS = ("or missing", "if known")  # what words say of missing values behind a condition
PLAIN = set(" .-+/%_:#°µ²³")


def word_number(value: float) -> str:
    """The shortest decimal that reads back as the same number.

    >>> [word_number(x) for x in (2.0, 0.1, 1e-7, 1234567.0, float("inf"))]
    ['2', '0.1', '1e-07', '1234567', 'inf']
    """
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def word_label(label: object) -> str:
    """A category; quoted if it could be mistaken for words around it."""
    text = show_name(label)
    plain = text != "''" and all(c.isalnum() or c in PLAIN for c in text) and text == text.strip()
    return text if plain and text != "missing" else f'"{text}"'


def word_set(labels: Sequence[object], max_listed: int | None = MAX_LISTED) -> str:
    """Categories in braces, the first few of many."""
    shown = [word_label(label) for label in labels[:max_listed]]
    if len(shown) < len(labels):
        shown.append(f"… {len(labels) - len(shown)} more")
    return "{" + ", ".join(shown) + "}"


def word_condition(
    conditions: Conditions, k: int, schema: Schema, max_listed: int | None = MAX_LISTED, gaps: Gaps | None = None
) -> str:
    """One condition. `max_listed` categories are named, all of them if it is None.

    With `gaps`, which a line below tells of, only what is unusual is said of missing values.
    """
    j = int(conditions.input[k])
    name, labels, categories = show_name(schema.names[j]), schema.labels[j], conditions.categories[k]
    low, high = float(conditions.low[k]), float(conditions.high[k])
    if low == np.inf or categories == ():
        return f"{name} is missing"
    if categories is not None and labels is not None:
        inside = [labels[c] for c in categories]
        chosen = set(categories)
        outside = [label for c, label in enumerate(labels) if c not in chosen]
        text = _word_membership(name, inside, outside, max_listed) if outside else f"{name} is known"
    elif low == -np.inf and high == np.inf:
        return f"{name} is known"
    else:
        text = _word_interval(name, low, high, labels)
    return text + _word_gap(conditions, k, schema.has_missing[j], gaps)


def _word_gap(conditions: Conditions, k: int, has_missing: bool, gaps: Gaps | None) -> str:
    """What a condition says of missing values, where it says anything."""
    if gaps is not None:
        return "" if gaps.is_usual(conditions, k) else f" {GAP_WORDS[0 if conditions.missing[k] else 1]}"
    return f" {GAP_WORDS[0]}" if conditions.missing[k] and has_missing else ""


def _word_membership(name: str, inside: Sequence[object], outside: Sequence[object], max_listed: int | None) -> str:
    """`name in inside`, or `name not in outside` where that is shorter."""
    if not names_outside(len(inside), len(inside) + len(outside)):
        return f"{name} = {word_label(inside[0])}" if len(inside) == 1 else f"{name} in {word_set(inside, max_listed)}"
    if len(outside) == 1:
        return f"{name} != {word_label(outside[0])}"
    return f"{name} not in {word_set(outside, max_listed)}"


def _word_interval(name: str, low: float, high: float, labels: Labels | None) -> str:
    """`low < name <= high`, with the labels of an ordinal input."""
    below, above = (
        "" if np.isinf(edge) else word_number(edge) if labels is None else word_label(labels[int(np.floor(edge))])
        for edge in (low, high)
    )
    if below and above:
        return f"{below} < {name} <= {above}"
    return f"{name} > {below}" if below else f"{name} <= {above}"


def word_rule(rules: RuleSet, i: int, max_listed: int | None = MAX_LISTED, gaps: Gaps | None = None) -> str:
    """All conditions of a rule."""
    which = range(int(rules.start[i]), int(rules.start[i + 1]))
    words = [word_condition(rules.conditions, k, rules.schema, max_listed, gaps) for k in which]
    if len(words) > 1:
        words = [f"({text})" if text.endswith(GAP_WORDS) else text for text in words]
    return " and ".join(words) or "all rows"


def round_to(value: float, spread: float) -> str:
    """A prediction with the digits its target's spread makes meaningful: a tenth of a standard deviation or finer."""
    if not np.isfinite(spread) or spread <= 0:
        return f"{value:.6g}"
    decimals = int(np.clip(1 - np.floor(np.log10(spread)), 0, 12))
    if abs(value) >= 1e15 or (value != 0 and abs(value) < 1e-9):
        return f"{value:.4g}"
    return f"{value:.{decimals}f}"


def word_predictions(
    values: NDArray[np.float64],
    targets: TargetSchema,
    spread: NDArray[np.float64],
    events: Sequence[int | None] | None = None,
) -> list[str]:
    """Predictions, a text per target: a number, or the class that is said (or the event) with its probability."""
    words = []
    for t, classes in enumerate(targets.classes):
        value = values[targets.channels_of(t)]
        if classes is None:
            words.append(round_to(float(value[0]), float(spread[t])))
        else:
            told = None if events is None else events[t]
            k = int(targets.decision_of(t).pick(value[None])[0]) if told is None else told
            words.append(f"{word_label(classes[k])} {value[k]:.0%}")
    return words


def tree_to_text(
    tree: NodeTable, schema: Schema, targets: TargetSchema, spread: NDArray[np.float64], max_depth: int = 10
) -> str:
    """The tree as an indented table: conditions on the left, rows and the leaves' predictions on the right."""
    lines = list_nodes(tree, schema, targets, spread, max_depth)
    leaves = "leaf" if tree.n_leaves == 1 else "leaves"
    title = f"tree of {tree.n_leaves:,} {leaves}, depth {int(tree.depth.max())}"
    numeric = [classes is None for classes in targets.classes]
    head = ["", "rows", *(show_name(name) for name in targets.names)]
    table = [
        ["  " * depth + words, rows, *cells, *[""] * (len(numeric) - len(cells))]
        for _, depth, words, rows, cells in lines
    ]
    return "\n".join([title, *align_columns([head, *table], [False, True, *numeric])])


def list_nodes(
    tree: NodeTable,
    schema: Schema,
    targets: TargetSchema,
    spread: NDArray[np.float64],
    max_depth: int,
    max_listed: int | None = MAX_LISTED,
) -> list[tuple[int, int, str, str, list[str]]]:
    """Of each node in the order of reading: its place, depth, what leads to it, its rows, a leaf's predictions."""
    lines: list[tuple[int, int, str, str, list[str]]] = []
    below = _count_below(tree)
    shown = np.flatnonzero(tree.depth[tree.split_node] < max_depth)
    sides = np.repeat(shown, 2)
    conditions = merge_splits(tree, schema, sides, np.arange(len(sides)) % 2 == 0, np.arange(len(sides)))
    place = dict(zip(shown.tolist(), range(0, len(sides), 2), strict=True))
    stack: list[tuple[int, int, str]] = [(0, 0, "all rows")]
    while stack:
        node, depth, words = stack.pop()
        split = int(tree.split[node])
        rows = f"{int(tree.rows[node]):,}"
        if split < 0:
            lines.append((node, depth, words, rows, word_predictions(tree.value[node], targets, spread)))
            continue
        lines.append((node, depth, words, rows, []))
        if depth >= max_depth:
            lines.append((node, depth + 1, f"… {below[node]:,} more nodes", "", []))
            continue
        left = int(tree.split_left[split])
        for side in (1, 0):
            stack.append((left + side, depth + 1, word_condition(conditions, place[split] + side, schema, max_listed)))
    return lines


def list_whole_words(design: Design) -> list[str]:
    """Each term in words that name all categories of a set."""
    rules = design.rules
    return [*(word_rule(rules, i, None) for i in range(len(rules))), *design.words[len(rules) :]]


def list_short_words(design: Design, max_listed: int | None = MAX_LISTED) -> list[str]:
    """Each term in words that leave out what the line below says of missing values."""
    rules, gaps = design.rules, Gaps.of([design.rules], design.rules.schema)
    return [*(word_rule(rules, i, max_listed, gaps) for i in range(len(rules))), *design.words[len(rules) :]]


def word_share(share: float) -> str:
    """A fraction of the rows.

    >>> [word_share(x) for x in (0.0, 0.005, 0.2)]
    ['0%', '< 1%', '20%']
    """
    text = f"{share:.0%}"
    return "< 1%" if share > 0 and text == "0%" else text


def list_terms(terms: WeightedTerms, targets: TargetSchema, all_words: Sequence[str] | None = None) -> list[list[str]]:
    """Weighted terms as cells: heads, what each row gets at least, then each term, its share of rows, what it adds.

    Terms whose order means something are told by what they predict, and what is predicted without them comes last.
    """
    design = terms.design
    all_words = list_short_words(design) if all_words is None else all_words
    header = ["#", "rule", "rows", *(show_name(name) for name in targets.names)]
    spread = terms.spread[targets.start[:-1]]
    typical = word_predictions(terms.typical, targets, spread, targets.events)
    shares = [word_share(s / w) if r else "" for s, w, r in zip(terms.share, design.whole, design.is_rule, strict=True)]
    lead = list(zip(map(str, range(1, len(terms) + 1)), all_words, shares, strict=True))
    if design.is_in_order:
        value = terms.typical + terms.change
        value[np.abs(value) < ROUNDING * terms.spread] = 0.0
        says = [word_predictions(own, targets, spread) for own in value]
        rest = word_share(max(1.0 - float(terms.share.sum()), 0.0))
        return [header, *([*own, *cells] for own, cells in zip(lead, says, strict=True)), ["", ELSE, rest, *typical]]
    rows = [[*own, *cells] for own, cells in zip(lead, _word_additions(terms, targets), strict=True)]
    return [header, ["", EVERY_ROW, "100%", *typical], *rows]


def _word_additions(terms: WeightedTerms, targets: TargetSchema) -> list[list[str]]:
    """What each term adds to each target, and what was observed of the rows inside and outside, where that is known."""
    changes, observed = terms.change * terms.design.whole[:, None], terms.measured.observed
    adds = [word_changes(own, targets, terms.spread) for own in changes]
    if observed is None:
        return adds
    pairs = zip(adds, observed.inside, observed.outside, changes, strict=True)
    return [add_observed(*own, targets=targets, spread=terms.spread) for own in pairs]


def note_effects(terms: WeightedTerms, targets: TargetSchema) -> list[str]:
    """What the figures of terms are."""
    if not len(terms) or terms.design.is_in_order:
        return []
    brackets = "in brackets: what was observed inside and outside the rule"
    points = "classes in percentage points"
    is_class = any(classes is not None for classes in targets.classes)
    told = [brackets] if terms.measured.observed is not None and terms.design.is_rule.any() else []
    told += [points] if is_class else []
    return ["; ".join(told)] if told else []


def note_terms(design: Design) -> list[str]:
    """What must be said of missing values, and of terms that are no plain rules."""
    gaps = Gaps.of([design.rules], design.rules.schema).note
    return [*([gaps] if gaps else []), *(block.note for block in design.blocks if len(block) and block.note)]


def terms_to_text(terms: WeightedTerms, targets: TargetSchema) -> str:
    """Weighted terms as a table of text."""
    title, note = count_kinds(terms.design), [*note_effects(terms, targets), *note_terms(terms.design)]
    numeric = [classes is None for classes in targets.classes]
    sides, table = [True, False, True, *numeric], list_terms(terms, targets)
    beside = sum(3 + max(map(len, column)) for column in list(zip(*table, strict=True))[2:])
    widest = int(np.clip(SCREEN - 5 - beside, MIN_WORDS, MAX_WORDS))
    lines = [line for own in note for line in textwrap.wrap(own, SCREEN, subsequent_indent="  ")]
    return "\n".join([title, *align_columns(table, sides, widest=widest), *lines])


def count_terms(n_rules: int, n_linear: int, n_soft: int = 0) -> str:
    """Say how many terms there are of each kind.

    >>> count_terms(1, 2), count_terms(0, 0), count_terms(0, 1, n_soft=3)
    ('1 rule and 2 linear terms', '0 rules', '3 soft rules and 1 linear term')
    """
    counts = [("rule", n_rules), ("soft rule", n_soft), ("linear term", n_linear)]
    shown = [(name, n) for name, n in counts if n or (name == "rule" and not n_soft)]
    return _join_counts(shown)


def count_kinds(design: Design) -> str:
    """Say how many terms of each kind a design has; no rules are said to be none."""
    hard, *others = [(block.kind, len(block)) for block in design.blocks]
    shown = [(name, n) for name, n in others if n]
    if hard[1] or not design.is_rule.any():
        shown = [hard, *shown]
    return _join_counts(shown)


def _join_counts(counts: list[tuple[str, int]]) -> str:
    return join_words([f"{n:,} {name}{'' if n == 1 else 's'}" for name, n in counts])


def find_told(change: NDArray[np.float64], targets: TargetSchema, t: int) -> int:
    """The channel of a target whose change is told: of two classes the event's, of more the one that changes most."""
    at, event = targets.channels_of(t), targets.events[t]
    return at.start + (int(np.abs(change[at]).argmax()) if event is None else event)


def word_changes(change: NDArray[np.float64], targets: TargetSchema, spread: NDArray[np.float64]) -> list[str]:
    """What a term adds, a text per target: a number, or a class and by how many points its probability changes."""
    words = []
    for t, classes in enumerate(targets.classes):
        told = find_told(change, targets, t)
        if classes is None:
            words.append(_word_change(float(change[told]), float(spread[told])))
        else:
            words.append(f"{word_label(classes[told - int(targets.start[t])])} {word_points(float(change[told]))}")
    return words


def word_points(change: float) -> str:
    """A change of a probability in points of a hundred, with a decimal only near zero.

    >>> word_points(0.2608), word_points(-0.0042), word_points(0.0)
    ('+26', '-0.4', '+0')
    """
    size = abs(100.0 * change)
    text = f"{size:.{0 if size >= 0.95 or size < 0.05 else 1}f}"
    return f"{'-' if change < 0 and text != '0' else '+'}{text}"


def add_observed(
    words: Sequence[str],
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
    change: NDArray[np.float64],
    targets: TargetSchema,
    spread: NDArray[np.float64],
) -> list[str]:
    """What a term adds with what was observed inside and outside: "+0.84 (7.2|6.0)", "rust +42 (61|14%)"."""
    told = []
    for t, own in enumerate(words):
        c = find_told(change, targets, t)
        sides = float(inside[c]), float(outside[c])
        if np.isnan(sides[0]):
            told.append(own)
            continue
        if targets.classes[t] is None:
            there, elsewhere = (round_to(value, float(spread[c])) if value == value else "-" for value in sides)
            told.append(f"{own} ({there}|{elsewhere})")
        else:
            there, elsewhere = (f"{100 * value:.0f}" if value == value else "-" for value in sides)
            told.append(f"{own} ({there}|{elsewhere}%)")
    return told


def _word_change(value: float, spread: float) -> str:
    text = round_to(value, spread)
    return text if text.startswith("-") else f"+{text}"


def _count_below(tree: NodeTable) -> NDArray[np.int64]:
    """The number of nodes below each node."""
    below = np.zeros(tree.n_nodes, np.int64)
    for splits in reversed(tree.splits_by_level()):
        left = tree.split_left[splits]
        below[tree.split_node[splits]] = 2 + below[left] + below[left + 1]
    return below
