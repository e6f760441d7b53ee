"""A model in a notebook, below scikit-learn's diagram: rules as the page shows them, a tree, what a forest looks at.

The panel is a table with bars. A script of one line puts it into a shadow root, so that neither the notebook's styles
nor the panel's reach each other; where a notebook runs no scripts (it is not trusted), the same table stands there
with the notebook's own looks.
"""

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_name
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.explain.drawing import CLASSES, DOWN, UP
from glade.grow.node_table import NodeTable
from glade.rules.gaps import Gaps
from glade.rules.hard import MAX_LISTED, HardRules
from glade.rules.model import RuleModel
from glade.rules.wording import (
    count_kinds,
    list_nodes,
    list_short_words,
    list_terms,
    note_effects,
    note_terms,
    word_condition,
    word_predictions,
)

MAX_ROWS = 30
MAX_TARGETS = 8
MAX_DEPTH = 5  # of a tree
MAX_INPUTS = 10  # of a forest
STYLE = """
:host { display: block; font: 14px/1.45 system-ui, sans-serif; color: inherit; max-width: 1100px; margin-top: .6em }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3em .7em; border-bottom: 1px solid rgba(127, 127, 127, .3) }
th { font-weight: 600; opacity: .75 } caption { text-align: left; font-weight: 600; padding: .3em .7em }
td.rows, td.importance { min-width: 5em } td.effect { min-width: 8em }
p { opacity: .75; margin: .4em .7em; font-size: .9em }
.chip { display: inline-block; border: 1px solid rgba(127, 127, 127, .4); border-radius: 999px }
.chip { padding: 0 .6em; margin: 1px 0 }
.bar { display: block; position: relative; height: 7px; margin-top: 3px; border-radius: 2px }
.bar { background: rgba(127, 127, 127, .25) }
.bar.middle { background: linear-gradient(gray, gray) center / 1px 100% no-repeat }
.bar > i { position: absolute; top: 0; bottom: 0; border-radius: 2px }
"""
SCRIPT = (
    "(host => { if (host && host.classList.contains('glade-panel') && !host.shadowRoot) { const own = host.innerHTML;"
    " const style = host.dataset.style; host.attachShadow({ mode: 'open' }).innerHTML = '<style>' + style + '</style>'"
    " + own; host.replaceChildren() } })(document.currentScript && document.currentScript.previousElementSibling)"
)


def panel_of_rules(model: RuleModel) -> str:
    """The terms as HTML, in the words of `to_text`, with bars for rows, importance and effects; every name escaped."""
    terms, targets = model.terms, model.targets
    header, *rows = list_terms(terms, targets)
    effects = terms.change * terms.design.whole[:, None]
    importance = terms.importance.mean(axis=1)
    chips, shown = _list_chips(model), rows[: MAX_ROWS + 1]
    most = _find_most(effects, targets)
    body, number = [], 0
    for cells in shown:
        is_term = bool(cells[0])
        drawn = [
            _bar([(0.0, float(terms.share[number] / terms.design.whole[number]), "gray")])
            if is_term and terms.design.is_rule[number]
            else "",
            _bar([(0.0, float(importance[number] / max(importance.max(), 1e-300)), UP)]) if is_term else "",
            *(_draw_effect(effects[number], t, targets, most) if is_term else "" for t in range(targets.n_targets)),
        ]
        words = chips[number] if is_term else escape(cells[1])
        body.append(_row_of_term(cells, words, drawn))
        number += is_term
    notes = [f"{len(rows) - len(shown):,} more terms"] if len(rows) > len(shown) else []
    notes += [f"{targets.n_targets - MAX_TARGETS:,} more targets"] if targets.n_targets > MAX_TARGETS else []
    heads = [*header[:3], "importance", *header[3 : 3 + MAX_TARGETS]]
    return _wrap(
        count_kinds(terms.design), heads, body, [*notes, *note_effects(terms, targets), *note_terms(terms.design)]
    )


def panel_of_tree(
    tree: NodeTable, schema: Schema, targets: TargetSchema, spread: NDArray[np.float64], max_depth: int = MAX_DEPTH
) -> str:
    """The nodes as HTML, indented, each with its rows and what they say; every name escaped."""
    body = []
    for node, depth, words, rows, _ in list_nodes(tree, schema, targets, spread, max_depth):
        indent = f'<td style="padding-left:{0.7 + 1.6 * depth:.1f}em">'
        if not rows:
            body.append(f"<tr>{indent}{escape(words)}</td></tr>")
            continue
        share = _bar([(0.0, float(tree.rows[node] / max(tree.rows[0], 1e-300)), "gray")])
        says = word_predictions(tree.value[node], targets, spread)
        cells = [
            f'<td class="effect">{escape(own)}{_draw_classes(tree.value[node], t, targets)}</td>'
            for t, own in enumerate(says[:MAX_TARGETS])
        ]
        chip = f'{indent}<span class="chip">{escape(words)}</span></td>'
        body.append(f'<tr>{chip}<td class="rows">{rows}{share}</td>{"".join(cells)}</tr>')
    leaves = "leaf" if tree.n_leaves == 1 else "leaves"
    names = [show_name(name) for name in targets.names[:MAX_TARGETS]]
    notes = [f"{targets.n_targets - MAX_TARGETS:,} more targets"] if targets.n_targets > MAX_TARGETS else []
    return _wrap(f"tree of {tree.n_leaves:,} {leaves}", ["where", "rows", *names], body, notes)


def panel_of_importances(names: Sequence[str], shares: NDArray[np.float64]) -> str:
    """What a forest looks at most, as HTML; every name escaped."""
    order = np.argsort(-shares, kind="stable")[:MAX_INPUTS]
    body = [
        f'<tr><td>{escape(show_name(names[j]))}</td><td class="effect">{shares[j]:.0%}'
        f"{_bar([(0.0, float(shares[j] / max(shares.max(), 1e-300)), UP)])}</td></tr>"
        for j in order.tolist()
    ]
    left = len(shares) - len(order)
    notes = [f"{left:,} more inputs"] if left else []
    return _wrap("what it looks at most", ["input", "importance"], body, notes)


def _list_chips(model: RuleModel) -> list[str]:
    """Each term as HTML: a chip for each condition of a rule, one for any other term."""
    design = model.terms.design
    chips = []
    for words, parts in zip(list_short_words(design), _list_parts(model), strict=True):
        own = [f'<span class="chip">{escape(part)}</span>' for part in parts or [words]]
        chips.append(" and ".join(own))
    return chips


def _list_parts(model: RuleModel) -> list[list[str]]:
    """The conditions of each hard rule in words; none of other terms, which have words as a whole."""
    design = model.terms.design
    gaps = Gaps.of([design.rules], design.rules.schema)
    parts: list[list[str]] = []
    for block in design.blocks:
        if not isinstance(block, HardRules):
            parts += [[]] * len(block)
            continue
        rules = block.rules
        for first, end in zip(rules.start[:-1].tolist(), rules.start[1:].tolist(), strict=True):
            own = [word_condition(rules.conditions, k, rules.schema, MAX_LISTED, gaps) for k in range(first, end)]
            parts.append(own)
    return parts


def _find_most(effects: NDArray[np.float64], targets: TargetSchema) -> list[float]:
    """Of each target the largest effect, which fills its bar."""
    sizes = np.abs(effects).max(axis=0, initial=0.0)
    return [float(sizes[targets.channels_of(t)].max()) or 1.0 for t in range(targets.n_targets)]


def _draw_effect(effect: NDArray[np.float64], t: int, targets: TargetSchema, most: Sequence[float]) -> str:
    """To the right of the middle for more of a number, or of the event; to the left for less; else a class's colour."""
    own, event = effect[targets.channels_of(t)], targets.events[t]
    if targets.classes[t] is None or event is not None:
        half = 0.5 * float(own[event or 0]) / most[t]
        return _bar([(min(0.5, 0.5 + half), abs(half), UP if half > 0 else DOWN)], "bar middle")
    gains = int(own.argmax())
    return _bar([(0.0, float(own[gains]) / most[t], CLASSES[gains % len(CLASSES)])])


def _draw_classes(value: NDArray[np.float64], t: int, targets: TargetSchema) -> str:
    """The shares of the classes beside one another; nothing of a number."""
    if targets.classes[t] is None:
        return ""
    own = value[targets.channels_of(t)]
    ends = np.concatenate(([0.0], np.cumsum(own / max(own.sum(), 1e-300))))
    parts = [(float(ends[k]), float(ends[k + 1] - ends[k]), CLASSES[k % len(CLASSES)]) for k in range(len(own))]
    return _bar(parts)


def _bar(parts: Sequence[tuple[float, float, str]], kind: str = "bar") -> str:
    """Parts of a bar: where each begins, how long it is (both as shares), its colour."""
    inner = [
        f'<i style="left:{100 * start:.1f}%;width:{100 * size:.1f}%;background:{colour}"></i>'
        for start, size, colour in parts
        if size > 0
    ]
    return f'<span class="{kind}">{"".join(inner)}</span>'


def _row_of_term(cells: Sequence[str], words: str, drawn: Sequence[str]) -> str:
    """A row of the table of rules."""
    rows, importance, *effects = drawn
    says = [
        f'<td class="effect">{escape(own)}{bar}</td>'
        for own, bar in zip(cells[3 : 3 + MAX_TARGETS], effects[:MAX_TARGETS], strict=True)
    ]
    lead = f'<td>{escape(cells[0])}</td><td>{words}</td><td class="rows">{escape(cells[2])}{rows}</td>'
    return f'<tr>{lead}<td class="importance">{importance}</td>{"".join(says)}</tr>'


def _wrap(title: str, heads: Sequence[str], body: Sequence[str], notes: Sequence[str]) -> str:
    """The table, with the script that puts it into a shadow root."""
    head = "".join(f"<th>{escape(own)}</th>" for own in heads)
    note = f"<p>{escape('; '.join(notes))}</p>" if notes else ""
    parts = f"<caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
    style = escape(" ".join(STYLE.split()))
    return f'<div class="glade-panel" data-style="{style}"><table>{parts}</table>{note}</div><script>{SCRIPT}</script>'
