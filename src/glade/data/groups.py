"""Groups of rows that belong together, such as the visits of one patient: no choice may see a part of one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import quote_name
from glade.data.columns import is_missing, to_objects
from glade.data.frames import list_targets


@dataclass(frozen=True)
class Groups:
    """The group of each row.

    Groups are numbered in the order of their first rows, so that what they are called changes no fold.

    Examples
    --------
    >>> groups = Groups.read(["b", "a", "b", "c"], n_rows=4)
    >>> groups.codes.tolist(), groups.n_groups, groups.take(np.array([1, 3])).codes.tolist()
    ([0, 1, 0, 2], 3, [0, 1])
    """

    codes: NDArray[np.int64]  # for each row the number of its group
    labels: NDArray[Any]  # for each number what the user calls the group

    @classmethod
    def read(cls, groups: Any, n_rows: int) -> "Groups":
        """Labels of any kind, one for each row: an array, a list, or a column of a dataframe.

        Parameters
        ----------
        groups
            The labels.
        n_rows
            Of the table.
        """
        import pandas as pd

        columns = list_targets(groups)
        if len(columns) != 1:
            raise ValueError(f"groups has {len(columns)} columns: give one column, with one label for each row of X")
        (raw,) = columns
        if len(raw) != n_rows:
            raise ValueError(f"groups has {len(raw)} values, X has {n_rows} rows: give each row of X one label")
        missing = is_missing(raw)
        if missing.any():
            raise ValueError(f"groups has no value in row {int(missing.argmax())}: give every row a group")
        codes, labels = pd.factorize(to_objects(raw))
        return cls(np.asarray(codes, dtype=np.int64), np.asarray(labels, dtype=object))

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.labels)

    def take(self, rows: NDArray[Any]) -> "Groups":
        """The groups of these rows alone, numbered anew."""
        import pandas as pd

        codes, kept = pd.factorize(self.codes[rows])
        return Groups(np.asarray(codes, dtype=np.int64), self.labels[kept])

    def ranks(self) -> NDArray[np.int64]:
        """Numbers in the order of the labels: a splitter treats them as it would treat the labels."""
        import pandas as pd

        codes, _ = pd.factorize(self.labels[self.codes], sort=True)
        return np.asarray(codes, dtype=np.int64)

    def name_of(self, code: int) -> str:
        """What the user calls the group of this number, for a message."""
        return quote_name(self.labels[code])

    def check_several(self, what: str, remedy: str) -> None:
        """Refuse a single group where rows of another group are needed.

        Parameters
        ----------
        what
            Needs the other group.
        remedy
            What else the user can do.
        """
        if self.n_groups < 2:
            raise ValueError(
                f"all {len(self.codes)} rows are of the one group {self.name_of(0)}, and {what} needs at least two:"
                f" give more groups, or {remedy}"
            )


def hold_out_groups(codes: NDArray[np.int64], n_wanted: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Mark the rows of random whole groups: about as many rows as are wanted, never all groups and never none.

    Parameters
    ----------
    codes
        The group of each row, as a number.
    n_wanted
        How many rows to mark.
    random
        Draws the order in which groups are taken.

    Examples
    --------
    >>> codes = np.repeat([0, 1, 2, 3], 5)
    >>> int(hold_out_groups(codes, 9, np.random.default_rng(0)).sum())
    10
    """
    groups, place, n_rows = np.unique(codes, return_inverse=True, return_counts=True)
    if len(groups) < 2:
        raise ValueError("rows of a single group cannot be held out as a group: give more groups, or leave groups out")
    order = random.permutation(len(groups))
    excess = np.abs(np.cumsum(n_rows[order])[:-1] - n_wanted)
    is_taken = np.zeros(len(groups), bool)
    is_taken[order[: int(excess.argmin()) + 1]] = True
    return is_taken[place]
