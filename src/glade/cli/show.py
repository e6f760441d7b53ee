"""Models on a screen, as wide as it is: all targets where there is room for them, else where they change most."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.cli.width import GAP, find_width, fit_table, wrap_all
from glade.core.errors import InputError
from glade.core.kinds import RULES
from glade.core.layout import align_columns
from glade.core.names import show_name
from glade.files.patterns import find_columns

STRONGEST = 3  # targets of a rule or a leaf, where there is no room for all
MIN_SAYS = 20  # letters of what is said of them
DEEPEST = 10  # of a tree that is printed
CHANGES = "changes most"


def choose_targets(model: Any, given: Sequence[str]) -> list[int]:
    """The places of the targets that names, patterns and ranges mean; of all targets if none is given."""
    names = list(model.target_schema_.names)
    found = find_columns(given, names) if given else names
    unknown = [name for name in found if name not in names]
    if unknown:
        raise InputError(f"the model has no target {unknown[0]!r}: it has {', '.join(map(show_name, names))}")
    return [names.index(name) for name in found]


def show_model(model: Any, targets: Sequence[int], max_depth: int = DEEPEST) -> list[str]:
    """Lines for a tree or a rule ensemble, with these of its targets."""
    from glade.models.score_card import ScoreCardClassifier

    if isinstance(model, ScoreCardClassifier):  # a card has a form of its own
        return list(model.to_text().splitlines())
    return _show_terms(model.model_, targets) if model.kind == RULES else _show_tree(model, targets, max_depth)


def _show_terms(model: Any, targets: Sequence[int]) -> list[str]:
    from glade.rules.wording import count_kinds, list_terms, note_effects, note_terms

    terms, schema = model.terms, model.targets
    table = list_terms(terms, schema)
    none, change = np.zeros((1, len(terms.spread))), np.abs(terms.change * terms.design.whole[:, None]) / terms.spread
    change = np.vstack((change, none) if terms.design.is_in_order else (none, change))
    lines = _lay_out(table, 3, 1, targets, _rank(change, schema), schema)
    return [count_kinds(terms.design), *lines, *wrap_all([*note_effects(terms, schema), *note_terms(terms.design)], 2)]


def _show_tree(model: Any, targets: Sequence[int], max_depth: int) -> list[str]:
    from glade.rules.wording import list_nodes

    tree, schema = model.said_tree_, model.target_schema_
    nodes = list_nodes(tree, schema=model.schema_, targets=schema, spread=model.spread_, max_depth=max_depth)
    blank = [""] * schema.n_targets
    table = [["", "rows", *map(show_name, schema.names)]]
    table += [["  " * depth + words, rows, *(cells or blank)] for _, depth, words, rows, cells in nodes]
    spread = np.repeat(model.spread_, np.diff(schema.start))
    change = np.abs(tree.value[[node for node, *_ in nodes]] - tree.value[0]) / np.where(spread > 0, spread, 1.0)
    title = f"tree of {tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {int(tree.depth.max())}"
    return [title, *_lay_out(table, 2, 0, targets, _rank(change, schema), schema)]


def _rank(change: NDArray[np.float64], schema: Any) -> NDArray[np.float64]:
    """Rows x targets: how much each changes, in its standard deviations."""
    return np.maximum.reduceat(change, schema.start[:-1], axis=1)


def _lay_out(
    table: list[list[str]], n_before: int, words: int, targets: Sequence[int], change: Any, schema: Any
) -> list[str]:
    """A table with a column for each target; if that is too wide, with the targets that change most in each row."""
    sides = [k != words for k in range(n_before)]
    numeric = [schema.classes[t] is None for t in targets]
    chosen = [[*row[:n_before], *(row[n_before + t] for t in targets)] for row in table]
    lines = fit_table(chosen, [*sides, *numeric], words)
    if lines:
        return lines
    if len(targets) == 1:  # one long name
        return align_columns(chosen, [*sides, *numeric], widest=find_width() // 2)
    names = table[0][n_before:]
    says = [_say(row[n_before:], own, targets, names) for row, own in zip(table[1:], change, strict=True)]
    rows = [[*row[:n_before], own] for row, own in zip(table, [CHANGES, *says], strict=True)]
    beside = sum(max(len(row[k]) for row in rows) + GAP for k in range(n_before) if k != words)
    half = max((find_width() - beside - GAP) // 2, MIN_SAYS)
    lines = align_columns(rows, [*sides, False], widest=half)
    hint = f"of {len(targets)} targets those that change most; --target {names[targets[0]]} shows one of them"
    return [*lines, *wrap_all([hint], 2)]


def _say(cells: Sequence[str], change: Any, targets: Sequence[int], names: Sequence[str]) -> str:
    """The targets that change most in a row, with their cells; nothing in a row that says nothing of them."""
    order = sorted(targets, key=lambda t: -change[t])[:STRONGEST]
    return ", ".join(f"{names[t]} {cells[t]}" for t in order if cells[t] and change[t] > 0)
