"""What a careful colleague would ask about before fitting, in sentences."""

import unicodedata
from collections import Counter, defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import list_names, quote_name
from glade.data.columns import NOMINAL, Column
from glade.data.identifiers import count_labels, labels_each_row
from glade.data.table import Table

ALIKE_AT_MOST = 1000  # labels compared with one another
LEAK_ROWS = 20  # in fewer rows an input may equal a target by chance


def find_alerts(table: Table, targets: list[Column], named: bool) -> list[str]:
    """All that is odd about a training table, a sentence each. `named`: the inputs' names are the user's."""
    labelled = [table.column(j) for j, labels in enumerate(table.labels) if labels]
    return [
        *_find_unusable(table),
        *(alert for column in labelled for alert in _find_identifiers(column)),
        *(alert for column in labelled for alert in find_lookalikes("column", column)),
        *(alert for column in targets if column.labels for alert in find_lookalikes("target", column)),
        *_find_leaks(targets, table, named),
        *(alert for column in targets for alert in _find_constant_target(column)),
    ]


def find_index_alerts(X: Any, y: Any) -> list[str]:
    """Whether two pandas objects hold the same rows in a different order."""
    ours: Any = getattr(X, "index", None)
    theirs: Any = getattr(y, "index", None)
    if not hasattr(ours, "equals") or not hasattr(theirs, "equals"):
        return []
    if len(ours) != len(theirs) or ours.equals(theirs) or Counter(ours) != Counter(theirs):
        return []
    return ["X and y have the same index labels in a different order: rows are matched by position, not by label"]


def _find_unusable(table: Table) -> list[str]:
    """Columns that no split can use."""
    empty = [table.names[j] for j in np.flatnonzero(table.has_missing) if table.column(int(j)).has_no_value]
    constant = [table.names[j] for j in np.flatnonzero(table.lowest == table.highest)]
    alerts = []
    if empty:
        one = "column {} has no known value: it is ignored, but has to be there to predict"
        many = "columns {} have no known value: they are ignored, but have to be there to predict"
        alerts.append((one if len(empty) == 1 else many).format(list_names(empty)))
    if table.n_rows > 1 and constant:
        if len(empty) + len(constant) == table.n_inputs:
            return [*alerts, "every column is constant: there is nothing to split on"]
        one, many = "column {} is constant: it is never split on", "columns {} are constant: they are never split on"
        alerts.append((one if len(constant) == 1 else many).format(list_names(constant)))
    return alerts


def _find_identifiers(column: Column) -> list[str]:
    if not labels_each_row(column):
        return []
    counts = count_labels(column)
    return [
        f"column {quote_name(column.name)} has a category of its own for nearly every row ({np.count_nonzero(counts):,}"
        f" for {counts.sum():,} rows): if it is an identifier, leave it out"
    ]


def _fold(label: str) -> str:
    """What is left of a label if case, spaces and the Unicode form do not count."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", label).casefold()).split())


def find_lookalikes(role: str, column: Column) -> list[str]:
    """Labels that a person may take for the same."""
    labels = [label for label in column.labels or () if isinstance(label, str)]
    if len(labels) > ALIKE_AT_MOST:
        return []
    groups = defaultdict(list)
    for label in labels:
        groups[_fold(label)].append(label)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return []
    more = f", and {len(alike) - 1} more such group(s)" if len(alike) > 1 else ""
    return [
        f"{role} {quote_name(column.name)} has categories that differ only in case, spaces or Unicode form,"
        f" {list_names([ascii(label)[1:-1] for label in alike[0]])}{more}: merge them if they mean the same"
    ]


def _find_leaks(targets: list[Column], table: Table, named: bool) -> list[str]:
    """Targets among the inputs, by their names or by their values."""
    names = set(table.names) if named else set()
    alerts = [f"target {quote_name(t.name)} is also an input: leave it out of X" for t in targets if t.name in names]
    if table.n_rows < LEAK_ROWS:
        return alerts
    extremes = {target.extremes for target in targets}
    alike = defaultdict(list)
    for j, own in enumerate(zip(table.lowest.tolist(), table.highest.tolist(), strict=True)):
        if own[0] != own[0] or own in extremes:
            column = table.column(j)
            alike[column.labels, _sample(column)].append(column)
    for target in targets if alike else []:
        same = [c.name for c in alike[target.labels, _sample(target)] if _is_same(c.values, target.values)]
        if same and target.name not in names:
            found = f"column {list_names(same)} equals target {quote_name(target.name)} in every row"
            alerts.append(f"{found}: leave it out of X")
    return alerts


def _sample(column: Column) -> bytes:
    """Some values that equal columns share, so that few have to be compared value by value."""
    return column.values[:: -(-len(column.values) // LEAK_ROWS)].tobytes()


def _is_same(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    return np.array_equal(a, b, equal_nan=True) and bool((a != a[0]).any())


def _find_constant_target(target: Column) -> list[str]:
    if target.extremes[0] < target.extremes[1]:
        return []
    known = target.values[~np.isnan(target.values)]
    if len(known) < 2 or (known != known[0]).any():
        return []
    what = "has one class only" if target.kind == NOMINAL else "is constant"
    return [f"target {quote_name(target.name)} {what}: nothing can be learnt about it"]
