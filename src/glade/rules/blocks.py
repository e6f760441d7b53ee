"""What every kind of term offers: hard rules, soft rules, linear terms, the columns of whole trees.

A design is made of blocks, each of terms of one kind. A new kind is a subclass of `TermBlock` in a file of its own, and
a line in `rules/kinds.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Schema
from glade.data.targets import TargetSchema

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class Uses(NamedTuple):
    """Which terms use which inputs, in pairs: term `term[k]` uses the input `input[k]`."""

    term: Places
    input: Places

    def mark(self, n_terms: int, n_inputs: int) -> NDArray[np.bool_]:
        """Terms x inputs."""
        marked = np.zeros((n_terms, n_inputs), bool)
        marked[self.term, self.input] = True
        return marked


class StoredPart(Protocol):
    """A part of a model file as it is read; every method checks what it returns."""

    def part(self, name: str) -> "StoredPart": ...
    def value(self, name: str, kind: type[Any]) -> Any: ...
    def array(self, name: str, dtype: Any, *shape: int | None) -> NDArray[Any]: ...
    def numbers(self, name: str, *shape: int | None) -> Floats: ...
    def lengths(self, name: str, n: int | None, total: int) -> Places: ...


class TermBlock(ABC):
    """Terms of one kind, as columns over the rows of an encoded table.

    Attributes
    ----------
    kind : str
        What one of them is called; an s makes several.
    stored_as : str
        The name of the block's part in a model file; empty where blocks are not stored.
    covers_rows : bool
        Whether a term is a rule, which a row fulfils or not (or by degrees): it counts as a rule, and the share of the
        rows it covers can be told.
    note : str
        What must be said below a list with such terms; empty where nothing must.
    is_in_order : bool
        Whether the terms mean something by their order, which is then kept where others are shown by importance.
    """

    kind: ClassVar[str]
    stored_as: ClassVar[str] = ""
    covers_rows: ClassVar[bool] = False
    note: ClassVar[str] = ""
    is_in_order: ClassVar[bool] = False

    @abstractmethod
    def __len__(self) -> int:
        """The number of terms."""

    @abstractmethod
    def take(self, which: Places) -> Self:
        """These terms, in this order."""

    @abstractmethod
    def values(self, matrix: Floats) -> Floats:
        """Rows x terms."""

    @property
    def words(self) -> list[str]:
        """Each term in words."""
        raise NotImplementedError

    @property
    def unit(self) -> Floats:
        """Of each term its value where a rule is wholly on, or for each unit of its input."""
        return np.ones(len(self))

    @property
    def whole(self) -> Floats:
        """Of each term what its value changes by where a rule is wholly on, or from one end of a range to the other."""
        return self.unit

    @property
    def n_named(self) -> Places:
        """Of each term how many categories the condition names that names most."""
        return np.zeros(len(self), np.int64)

    @property
    def most(self) -> Floats:
        """Of each term the size that its value has at most, in whatever row."""
        raise NotImplementedError

    @property
    def n_conditions(self) -> Places:
        """Of each term how many conditions it has."""
        return np.zeros(len(self), np.int64)

    @property
    def keys(self) -> Places | None:
        """Of each term a number that it shares with its other forms, such as a rule with the soft rule made of it."""
        return None

    @property
    def group(self) -> Places:
        """Of each term the first in the block with which it counts as one."""
        return np.arange(len(self))

    @property
    def is_tied(self) -> bool:
        """Whether terms of one group are rules of their own, as the leaves of a tree are."""
        return False

    @property
    def uses(self) -> Uses:
        """Which terms use which inputs."""
        raise NotImplementedError

    def list_conditions(self) -> list[list[dict[str, Any]]]:
        """Of each term its conditions as plain values."""
        return [[] for _ in range(len(self))]

    def list_cuts(self, j: int) -> Floats | None:
        """The values of an input at which terms may change their course; None where they change by degrees."""
        return None if (self.uses.input == j).any() else np.zeros(0)

    def describe(self, k: int) -> dict[str, Any]:
        """What tells a term from others, as plain values; with it a page finds the term's value in a row."""
        raise NotImplementedError

    def describe_words(self, k: int) -> dict[str, Any]:
        """What a page says of a term."""
        return {"words": self.words[k]}

    def average(self, rows: Floats, inputs: Sequence[int]) -> Callable[[Floats], Floats]:
        """A function of points (x these inputs): points x terms, the means over the rows with the inputs as there.

        Here by every row at every point; a kind that can do with less says how.
        """

        def find(points: Floats) -> Floats:
            changed, means = rows.copy(), np.empty((len(points), len(self)))
            for k, point in enumerate(points):
                changed[:, list(inputs)] = point
                means[k] = self.values(changed).mean(axis=0)
            return means

        return find

    def store(self) -> dict[str, Any]:
        """The stored form: arrays, plain values and dictionaries of these."""
        raise NotImplementedError

    @classmethod
    def read(cls, part: StoredPart, schema: Schema, targets: TargetSchema) -> Self:
        """The block in a part of a model file, which is refused where it is not what `store` gives."""
        raise NotImplementedError


def widen(points: Floats, inputs: Sequence[int], n_inputs: int) -> Floats:
    """Rows of a whole table; what is not held is missing, since it is not looked at."""
    matrix = np.full((len(points), n_inputs), np.nan)
    matrix[:, list(inputs)] = points
    return matrix


def mark_inputs(inputs: Sequence[int], n_inputs: int) -> NDArray[np.bool_]:
    """Which of so many inputs are among these."""
    marked = np.zeros(n_inputs, bool)
    marked[list(inputs)] = True
    return marked
