"""Which columns of a table in partitions are inputs, targets, weights and groups."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glade.core.errors import InputError
from glade.core.names import list_names
from glade.data.elsewhere import find_elsewhere

if TYPE_CHECKING:
    from glade.scale.partitions import Partitions


@dataclass(frozen=True)
class Roles:
    """Names of columns of one table."""

    inputs: tuple[str, ...]
    targets: tuple[str, ...]
    weight: str | None = None
    group: str | None = None

    @classmethod
    def of(cls, X: "Partitions", y: Any, sample_weight: Any, groups: Any) -> "Roles":
        """The columns that a user has given; all have to be of the table that the inputs are of."""
        targets = _take_columns(X, y, "y")
        weight, group = (
            None if own is None else _take_one(_take_columns(X, own, what), what)
            for own, what in ((sample_weight, "sample_weight"), (groups, "groups"))
        )
        both = [name for name in X.columns if name in targets]
        if both:
            raise InputError(f"{list_names(both)} cannot be both an input and a target: leave it out of one of them")
        return cls(X.columns, targets, weight, group)

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((*self.inputs, *self.targets, *filter(None, (self.weight, self.group)))))

    def divide(self, rows: Any) -> tuple[Any, Any, Any, Any]:
        """Inputs, targets, weights and groups of some rows in memory, as `fit` takes them."""
        rows = rows.reset_index(drop=True)
        y = rows[list(self.targets)] if len(self.targets) > 1 else rows[self.targets[0]]
        weights, groups = (None if name is None else rows[name] for name in (self.weight, self.group))
        return rows[list(self.inputs)], y, weights, groups


def _take_columns(X: "Partitions", given: Any, what: str) -> tuple[str, ...]:
    table: Any = find_elsewhere(given)
    if table is None:
        raise TypeError(
            f"{what} is in memory and X is in partitions: give columns of the same table, such as table['y']"
        )
    if [str(part) for part in table.parts] != [str(part) for part in X.parts]:
        raise InputError(f"{what} is of another table than X: give columns of the same table")
    columns: tuple[str, ...] = table.columns
    return columns


def _take_one(columns: tuple[str, ...], what: str) -> str:
    if len(columns) != 1:
        raise InputError(f"{what} has {len(columns)} columns: give one")
    return columns[0]
