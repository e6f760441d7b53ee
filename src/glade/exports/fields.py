"""JSON that somebody else may have written, read name by name: a fault says where it is."""

import math
from collections.abc import Sequence
from typing import Any, TypeVar

from glade.core.errors import ModelFileError
from glade.core.names import quote_name
from glade.exports.description import Label

Kind = TypeVar("Kind")
KINDS = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


class Fields:
    """An object of JSON.

    Parameters
    ----------
    values
        What was read.
    place
        What sentences call it.

    Examples
    --------
    >>> Fields({"left": 1.5}, "node 3").get("left", int)
    Traceback (most recent call last):
    ...
    glade.core.errors.ModelFileError: node 3: 'left' is not a whole number
    """

    def __init__(self, values: Any, place: str):
        self.place = place
        self.require(isinstance(values, dict), "it is not an object")
        self._values: dict[str, Any] = values

    def require(self, is_so: Any, fault: str) -> None:
        """Refuse the text unless something is so."""
        if not is_so:
            raise ModelFileError(f"{self.place}: {fault}")

    def has(self, name: str) -> bool:
        """Whether there is something of this name."""
        return name in self._values

    def get(self, name: str, kind: type[Kind]) -> Kind:
        """Return a value of this very type: true is no whole number."""
        self.require(name in self._values, f"{quote_name(name)} is missing")
        value = self._values[name]
        self.require(type(value) is kind, f"{quote_name(name)} is not {KINDS[kind]}")
        return value

    def is_none(self, name: str) -> bool:
        """Whether a value is null; it must be there."""
        self.require(name in self._values, f"{quote_name(name)} is missing")
        return self._values[name] is None

    def choice(self, name: str, among: Sequence[str]) -> str:
        """Return one of some words."""
        value = self.get(name, str)
        self.require(value in among, f"{quote_name(name)} is none of {', '.join(among)}")
        return value

    def number(self, name: str) -> float:
        """Return a finite number."""
        self.require(name in self._values, f"{quote_name(name)} is missing")
        return self._to_number(self._values[name], name)

    def numbers(self, name: str, n: int) -> tuple[float, ...]:
        """Return so many finite numbers."""
        values = self.get(name, list)
        self.require(len(values) == n, f"{quote_name(name)} has {len(values)} numbers instead of {n}")
        return tuple(self._to_number(value, name) for value in values)

    def rows(self, name: str, n: int) -> tuple[tuple[float, ...], ...]:
        """Return lists of so many finite numbers."""
        all_values = self.get(name, list)
        fits = all(isinstance(values, list) and len(values) == n for values in all_values)
        self.require(fits, f"{quote_name(name)} has rows that are not {n} numbers")
        return tuple(tuple(self._to_number(value, name) for value in values) for values in all_values)

    def _to_number(self, value: Any, name: str) -> float:
        is_number = type(value) in (int, float) and abs(value) < 2**1023 and math.isfinite(value)
        self.require(is_number, f"{quote_name(name)} is not a number")
        return float(value)

    def labels(self, name: str) -> tuple[Label, ...]:
        """Return categories, no two of them alike."""
        values = self.get(name, list)
        self.require(
            all(type(x) in (str, int, float, bool) for x in values), f"{quote_name(name)} has a strange category"
        )
        self.require(len(set(values)) == len(values), f"{quote_name(name)} has a category twice")
        return tuple(values)

    def part(self, name: str) -> "Fields":
        """Return an object within."""
        return Fields(self.get(name, dict), f"{self.place}, {name}")

    def list_of(self, name: str) -> list["Fields"]:
        """Return the objects of a list."""
        one = name.removesuffix("s")
        return [Fields(own, f"{self.place}, {one} {k}") for k, own in enumerate(self.get(name, list))]

    def name_list(self, k: int, values: Any, whole: str = "tree", part: str = "node") -> list["Fields"]:
        """Return the objects of a list within a list, such as the nodes of a tree."""
        self.require(isinstance(values, list) and values, f"{whole} {k} is not a list of {part}s")
        return [Fields(own, f"{self.place}, {whole} {k}, {part} {i}") for i, own in enumerate(values)]
