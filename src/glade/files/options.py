"""How a table in a file is to be read, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from glade.files.patterns import find_columns

MISSING_WORDS = ("?", "NA", "NaN")  # an empty field is missing too


@dataclass(frozen=True)
class ReadOptions:
    """What a user says of a file, where it cannot say it itself.

    Attributes
    ----------
    sep : str or None
        Between the fields of a CSV line; None for what its first lines tell: mostly a comma, or a tab in .tsv.
    decimal : str
        The decimal sign in CSV; empty for what its first lines tell.
    encoding : str or None
        None for UTF-8, or what a byte order mark says.
    missing : tuple of str
        What stands for a missing value in CSV, besides nothing.
    header : bool
        Whether the first line of CSV names the columns; without one they are called c1, c2, ...
    nominal, numeric : frozenset of str
        Columns whose values are labels as they are written, or amounts, whatever type is inferred; patterns and ranges
        of names too.
    drop : frozenset of str
        Columns of Parquet that are not read, as far as they cannot be: each has no values then.
    """

    sep: str | None = None
    decimal: str = ""
    encoding: str | None = None
    missing: tuple[str, ...] = MISSING_WORDS
    header: bool = True
    nominal: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    drop: frozenset[str] = frozenset()

    def of_columns(self, columns: Sequence[str]) -> "ReadOptions":
        """The same, with the columns that patterns and ranges mean."""
        nominal, numeric = (find_columns(sorted(names), columns) for names in (self.nominal, self.numeric))
        return replace(self, nominal=frozenset(nominal), numeric=frozenset(numeric))


@dataclass(frozen=True)
class FileTable:
    """A table that was read.

    Attributes
    ----------
    frame : DataFrame
        Numbers as numbers, all else as categories of text (CSV, ARFF) or as the file has it (Parquet).
    reasons : dict from column names to sentences
        Why a column is nominal, where that is not plain to see.
    keys : tuple of str
        Columns that the file itself declares to be identifiers.
    notes : list of str
        What else a user should know of how the file was read.
    """

    frame: Any
    reasons: dict[str, str] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
