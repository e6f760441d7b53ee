"""What is wrong or suspicious about a table, before any fit."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.advice import Setting
from glade.core.names import list_names, quote_name
from glade.core.notices import silence_warnings
from glade.data.alerts import find_lookalikes
from glade.data.columns import NOMINAL, NUMERIC, Column
from glade.data.identifiers import count_labels
from glade.data.table import Table, read_table
from glade.data.targets import MIXED, read_targets

OTHER_COLUMNS = Setting("X")
MOSTLY = 0.5  # a column known in fewer rows than this share is mostly missing
FEW_ROWS = 5  # of a class, or of a category
MANY_CATEGORIES = 30  # of an input: more than a person keeps in mind
MARKS = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0)  # often mean missing
LEFT_OPEN = 0.02  # of what a mean or commonest class leaves open; what one input alone leaves of it, if it leaks
LEAK_ROWS = 4000  # that are looked at, at most
MIN_LEAK_ROWS = 40  # in fewer, one input may do as well by chance


class Finding(NamedTuple):
    """A kind of finding, a sentence about it, and what may mend it.

    Attributes
    ----------
    what : str
        The kind of finding.
    sentence : str
    remedy : Setting or None
        What to give differently: other columns in X, groups to a cross-validation, or a mark among the missing values
        of the file.
    columns : tuple of str
        The inputs that the sentence is about.
    """

    what: str
    sentence: str
    remedy: Setting | None = None
    columns: tuple[str, ...] = ()


def check_table(X: Any, y: Any = None, suspects: Collection[str] | None = None) -> list[Finding]:
    """All findings, the gravest first.

    Parameters
    ----------
    X, y : DataFrame
        Inputs and targets, as for a mixed estimator. Without targets only the inputs are looked at.
    suspects : names, optional
        The inputs that are asked whether they tell a target alone, which takes a tree for each; by default all.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"a": [1, 1, 1], "b": [1, 2, 3], "c": [1, 2, 3]})
    >>> for finding in check_table(X, pd.DataFrame({"y": [3.0, 1.0, 2.0]})):
    ...     print(finding.what, "-", finding.sentence)
    constant - 'a' has the same value in every row: it says nothing
    duplicated - 'c' equals 'b' in every row: one of them is enough
    """
    table, targets = read_table(X), [] if y is None else read_targets(y, MIXED)
    columns = table.columns
    return [
        *(_find_leaks(X, y, columns, targets, suspects) if targets else ()),
        *_find_constant(columns, targets),
        *_find_equal_columns(columns),
        *_find_equal_rows(table, targets),
        *_find_mostly_missing(columns),
        *_find_many_categories(columns),
        *_find_marks([*columns, *targets]),
        *_find_rare_classes(targets),
        *(_name_lookalikes(column, alert) for column in columns for alert in find_lookalikes("column", column)),
        *(Finding("look alike", alert) for column in targets for alert in find_lookalikes("target", column)),
    ]


def _name_lookalikes(column: Column, alert: str) -> Finding:
    return Finding("look alike", alert, None, (column.name,))


def _find_leaks(
    X: Any, y: Any, columns: list[Column], targets: list[Column], suspects: Collection[str] | None
) -> list[Finding]:
    """Inputs that alone tell a target: a tree of one input, judged on rows it has not seen."""
    if len(X) < MIN_LEAK_ROWS:
        return []
    rows = np.random.default_rng(0).permutation(len(X))[:LEAK_ROWS]
    train, test = rows[::2], rows[1::2]
    findings = []
    for k, column in enumerate(columns):
        if not _varies(column) or (suspects is not None and column.name not in suspects):
            continue
        left_open = _judge_one_input(X.iloc[:, [k]], y, targets, train, test)
        for target, share in zip(targets, left_open, strict=True):
            if share <= LEFT_OPEN:
                findings.append(
                    Finding(
                        "leaking",
                        f"{quote_name(column.name)} alone tells {quote_name(target.name)} (all but {share:.1%}): if it"
                        " is known only after the target is, leave it out",
                        OTHER_COLUMNS,
                        (column.name,),
                    )
                )
    return findings


def _judge_one_input(
    X: Any, y: Any, targets: list[Column], train: NDArray[np.int64], test: NDArray[np.int64]
) -> list[float]:
    """For each target, which part of the error of its mean or commonest class one input leaves; NaN for none."""
    from glade.models.tree import MixedTree

    with silence_warnings():
        model = MixedTree(min_samples_leaf=2).fit(X.iloc[train], y.iloc[train])
        predicted = model.predict(X.iloc[test])
    shares = []
    for k, target in enumerate(targets):
        truth, guess = y.iloc[test, k], predicted.iloc[:, k].to_numpy()
        known = truth.notna().to_numpy()
        if target.kind == NUMERIC:
            own, other = truth.to_numpy(float)[known], guess[known].astype(float)
            error, most = ((own - other) ** 2).sum(), ((own - own.mean()) ** 2).sum() if len(own) else 0.0
        else:
            own = truth[known]
            error = (own.astype(str).to_numpy() != guess[known].astype(str)).sum()
            most = len(own) - own.value_counts().max() if len(own) else 0
        shares.append(float(error / most) if most > 0 else np.nan)
    return shares


def _varies(column: Column) -> bool:
    known = column.values[~np.isnan(column.values)]
    return len(known) > 1 and bool((known != known[0]).any())


def _find_constant(columns: list[Column], targets: list[Column]) -> list[Finding]:
    findings = []
    for column in columns:
        known = ~np.isnan(column.values)
        name, own = quote_name(column.name), (column.name,)
        if not known.any():
            findings.append(Finding("constant", f"{name} has no known value: leave it out", OTHER_COLUMNS, own))
        elif not _varies(column) and known.all():
            sentence = f"{name} has the same value in every row: it says nothing"
            findings.append(Finding("constant", sentence, OTHER_COLUMNS, own))
    for target in targets:
        if not _varies(target):
            name = quote_name(target.name)
            findings.append(Finding("constant", f"target {name} has one value only: nothing can be learnt about it"))
    return findings


def _find_equal_columns(columns: list[Column]) -> list[Finding]:
    alike = defaultdict(list)
    for column in columns:
        if _varies(column):
            alike[column.labels, column.values.tobytes()].append(column.name)
    return [
        Finding(
            "duplicated",
            f"{list_names(names[1:])} equals {quote_name(names[0])} in every row: one of them is enough",
            OTHER_COLUMNS,
            tuple(names),
        )
        for names in alike.values()
        if len(names) > 1
    ]


def _find_equal_rows(table: Table, targets: list[Column]) -> list[Finding]:
    """Rows that stand more than once, and rows that differ in their targets only."""
    inputs = table.to_matrix()
    n_distinct = _count_distinct(inputs)
    n_whole = _count_distinct(np.column_stack([inputs, *(target.values for target in targets)]))
    findings = []
    if n_whole < len(inputs):
        findings.append(
            Finding(
                "duplicated",
                f"{_count_rows(len(inputs) - n_whole, 'repeat')} another one: in a cross-validation a model may have"
                " seen the row it is judged on",
                Setting("groups"),
            )
        )
    if n_distinct < n_whole:
        findings.append(
            Finding(
                "duplicated", f"{_count_rows(n_whole - n_distinct, 'have')} the inputs of another one but other targets"
            )
        )
    return findings


def _count_rows(n: int, verb: str) -> str:
    return f"{n:,} rows {verb}" if n > 1 else f"1 row {'has' if verb == 'have' else verb + 's'}"


def _count_distinct(rows: NDArray[np.float64]) -> int:
    content = np.ascontiguousarray(np.where(np.isnan(rows), np.nan, rows + 0.0))
    return len(np.unique(content.view(np.dtype((np.void, content.dtype.itemsize * content.shape[1])))))


def _find_mostly_missing(columns: list[Column]) -> list[Finding]:
    findings = []
    for column in columns:
        n_known = int(np.count_nonzero(~np.isnan(column.values)))
        if 0 < n_known < MOSTLY * len(column.values):
            sentence = f"{quote_name(column.name)} is known in {n_known:,} of {len(column.values):,} rows only"
            findings.append(Finding("mostly missing", sentence, None, (column.name,)))
    return findings


def _find_many_categories(columns: list[Column]) -> list[Finding]:
    """Inputs of so many categories that a list of them says little, and of which many are seldom seen."""
    findings = []
    for column in columns:
        counts = count_labels(column) if column.kind == NOMINAL else np.empty(0, np.int64)
        n_seen, n_rare = int((counts > 0).sum()), int(((counts > 0) & (counts < FEW_ROWS)).sum())
        if n_seen > MANY_CATEGORIES:
            rare = f", {n_rare:,} of them in fewer than {FEW_ROWS} rows" if n_rare else ""
            sentence = f"{quote_name(column.name)} has {n_seen:,} categories{rare}: group some of them or leave it out"
            findings.append(Finding("many categories", sentence, OTHER_COLUMNS, (column.name,)))
    return findings


def _find_marks(columns: list[Column]) -> list[Finding]:
    """Numbers far from all others that often stand for missing."""
    findings = []
    for column in columns:
        known = np.unique(column.values[~np.isnan(column.values)]) if column.kind == NUMERIC else np.empty(0)
        for mark, rest in ((known[:1], known[1:]), (known[-1:], known[:-1])):
            if len(rest) > 1 and mark[0] in MARKS and np.abs(rest - mark[0]).min() > np.ptp(rest):
                n = int((column.values == mark[0]).sum())
                sentence = (
                    f"{quote_name(column.name)} is {mark[0]:g} in {n:,} rows, far from all else: does it mean missing?"
                )
                findings.append(Finding("a mark?", sentence, Setting("missing", (f"{mark[0]:g}",)), (column.name,)))
    return findings


def _find_rare_classes(targets: list[Column]) -> list[Finding]:
    findings = []
    for target in targets:
        if target.kind != NOMINAL:
            continue
        counts = count_labels(target)
        rare = [label for label, n in zip(target.labels or (), counts, strict=True) if 0 < n < FEW_ROWS]
        if rare:
            sentence = f"target {quote_name(target.name)}: fewer than {FEW_ROWS} rows are {list_names(rare)}"
            findings.append(Finding("rare", f"{sentence}, too few to learn or to judge"))
    return findings
