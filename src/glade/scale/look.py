"""The first pass over a table: the labels of its columns, and a sample of its rows."""

from dataclasses import dataclass, field
from typing import Any

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.scale.partitions import DrawRows
from glade.scale.parts import Partition

MOST_LABELS = 100_000  # of a column: more are those of an identifier, and would fill the memory


@dataclass
class Look:
    """What some parts hold.

    Parameters
    ----------
    labels
        For each column of text the labels that occur.
    n_missing
        For each column how many values are missing.
    n_rows
        The number of rows.
    frames
        The rows that were drawn, indexed by their numbers in the whole table.
    others
        Rows that were drawn from the rest.
    """

    labels: dict[str, set[Any]] = field(default_factory=dict)
    n_missing: dict[str, int] = field(default_factory=dict)
    n_rows: int = 0
    frames: list[Any] = field(default_factory=list)
    others: list[Any] = field(default_factory=list)

    def add(self, other: "Look") -> "Look":
        """Take in the next parts."""
        for name, own in other.labels.items():
            known = self.labels.setdefault(name, set())
            known |= own
            if len(known) > MOST_LABELS:
                raise InputError(
                    f"column {quote_name(name)} has more than {MOST_LABELS:,} labels: leave it out, since it names the"
                    " rows rather than saying something of them"
                )
        for name, n in other.n_missing.items():
            self.n_missing[name] = self.n_missing.get(name, 0) + n
        self.n_rows += other.n_rows
        self.frames += other.frames
        self.others += other.others
        return self

    def collect_sample(self) -> Any:
        """The drawn rows in one dataframe; a column of text knows all labels there are."""
        return self._collect(self.frames)

    def collect_others(self) -> Any:
        """The other rows in one dataframe."""
        return self._collect(self.others)

    def _collect(self, frames: list[Any]) -> Any:
        import pandas as pd

        frame = pd.concat([self._unify(own) for own in frames])
        for name, labels in self.labels.items():
            frame[name] = pd.Categorical(frame[name], categories=sort_labels(name, labels))
        return frame

    def _unify(self, frame: Any) -> Any:
        """Columns of text as objects: categories of different parts cannot be put together."""
        return frame.astype(dict.fromkeys(self.labels, object))


@dataclass(frozen=True)
class LookAtPart:
    """Looks at a part."""

    columns: tuple[str, ...]
    draw: DrawRows
    others: DrawRows | None = None

    def __call__(self, part: Partition) -> Look:
        """What the part holds."""
        found = Look()
        for first, block in part.read(self.columns):
            others = [] if self.others is None else [self.others.take(block, first)]
            found.add(Look(*_list_labels(block), len(block), [self.draw.take(block, first)], others))
        return found


def _list_labels(block: Any) -> tuple[dict[str, set[Any]], dict[str, int]]:
    """For each column of text its labels; for each column how many values are missing."""
    import pandas as pd

    labels, n_missing = {}, {}
    for name, column in block.items():
        n_missing[name] = int(column.isna().sum())
        if is_text(column):
            labels[name] = set(pd.unique(column.dropna().astype(object)))
    return labels, n_missing


def is_text(column: Any) -> bool:
    """Whether a column of pandas holds labels that parts may have different ones of."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return not column.dtype.ordered
    return bool(pd.api.types.is_object_dtype(column.dtype) or pd.api.types.is_string_dtype(column.dtype))


def sort_labels(name: str, labels: set[Any]) -> list[Any]:
    """Labels of a column in an order that does not depend on how they were found."""
    try:
        return sorted(labels)
    except TypeError:
        kinds = " and ".join(sorted({type(label).__name__ for label in labels}))
        raise InputError(f"column {quote_name(name)} mixes {kinds}: make its values all text or all numbers") from None
