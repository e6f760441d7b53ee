"""What was read of a table, in a few lines: rows, targets, kinds with their reasons, what is left out."""

from collections.abc import Sequence
from typing import Any

from glade.cli.tables import UserTable, kind_of
from glade.cli.width import find_width, wrap, wrap_all
from glade.core.names import show_name

MAX_SHOWN = 6
MAX_REASONS = 5


def describe_table(data: UserTable) -> list[str]:
    """Lines for a screen."""
    n_missing = int(data.X.isna().sum().sum())
    read = [
        f"{_count(data.y, 'target')}",
        _count(data.X, "input") + (f" ({n_missing:,} values missing)" if n_missing else ""),
    ]
    if data.identifiers:
        one, many = "looks like an identifier; --keep to use it", "look like identifiers; --keep to use them"
        n = len(data.identifiers)
        read.append(f"{n} left out ({list_some(data.identifiers)}: {one if n == 1 else many})")
    read_lines = wrap(f"read {len(data.X):,} rows, {data.n_columns:,} columns: {', '.join(read)}", 5)
    lines = [*read_lines, *_describe_targets(data.y)]
    for kind in ("numeric", "nominal"):
        names = [name for name in data.X.columns if kind_of(data.X[name]) == kind]
        if names:
            lines += wrap(f"{kind:<9}{list_some(names)}")
    return [
        *lines,
        *_tell_some("nominal", _group(data.reasons)),
        *_tell_some("note", data.notes),
    ]


def _group(reasons: dict[str, str]) -> list[str]:
    """A sentence for each reason, with the columns that it is the reason of."""
    columns: dict[str, list[str]] = {}
    for name, why in reasons.items():
        columns.setdefault(why, []).append(name)
    return [f"{list_some(names)}: {why}" for why, names in columns.items()]


def list_some(names: Sequence[str]) -> str:
    """Names, the first few of many."""
    shown = [show_name(name) for name in names[:MAX_SHOWN]]
    return ", ".join([*shown, *([f"… {len(names) - MAX_SHOWN} more"] if len(names) > MAX_SHOWN else [])])


def _tell_some(label: str, sentences: Sequence[str]) -> list[str]:
    more = [f"{label:<9}… {len(sentences) - MAX_REASONS} more"] if len(sentences) > MAX_REASONS else []
    return wrap_all([*(f"{label:<9}{sentence}" for sentence in sentences[:MAX_REASONS]), *more])


def _count(table: Any, what: str) -> str:
    n = table.shape[1]
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def _describe_targets(y: Any) -> list[str]:
    """The targets with their kinds, as many in a line as fit."""
    parts = [_describe_target(y[name]) for name in list(y.columns)[:MAX_SHOWN]]
    parts += [f"… {y.shape[1] - MAX_SHOWN} more"] if y.shape[1] > MAX_SHOWN else []
    width, lines = find_width(), [f"targets  {parts[0]}"]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > width:
            lines.append(f"         {part}")
        else:
            lines[-1] += f" · {part}"
    return lines


def _describe_target(column: Any) -> str:
    n_missing = int(column.isna().sum())
    missing = f" ({n_missing:,} missing)" if n_missing else ""
    if kind_of(column) == "numeric":
        return f"{show_name(column.name)} numeric{missing}"
    classes = sorted(map(str, column.dropna().unique()))
    return f"{show_name(column.name)} nominal {{{list_some(classes)}}}{missing}"
