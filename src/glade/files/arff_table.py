"""ARFF, Weka's format, with what CLUS adds to it: `key`, `binary`, `classes`, `hierarchical`, rows numbered from 1.

The header declares names and kinds, so nothing is guessed; what a row holds beside that is a fault with its line.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from glade.core.advice import Advice, Setting
from glade.core.errors import InputError
from glade.core.names import list_names, quote_name
from glade.files.arff_text import split_quoted, take_name
from glade.files.options import FileTable
from glade.files.sources import Source

NUMBERS = ("numeric", "real", "integer")
BINARY = ("1", "0")  # in CLUS's order
MISSING = None
WEIGHTS = Advice("put weights into a column, and give ", Setting("sample_weight"))
MAX_COMPARED = 200  # letters of values whose likeness is looked for


@dataclass
class Attribute:
    """A declared column: numbers, one of some labels, or any text; and the values read so far."""

    name: str
    line: int
    is_number: bool = False
    labels: tuple[str, ...] | None = None
    is_key: bool = False
    reason: str = ""
    values: list[Any] = field(default_factory=list)

    @property
    def default(self) -> Any:
        """What a sparse row that does not mention the column holds: zero, or the first label."""
        return 0.0 if self.is_number else self.labels[0] if self.labels else MISSING

    def read(self, text: str, is_quoted: bool) -> Any:
        """A value, or a ValueError that says what is wrong with it."""
        if text == "?" and not is_quoted:
            return MISSING
        if not text and not is_quoted:
            raise ValueError(f"no value for {quote_name(self.name)}: write ? for a missing one")
        if self.is_number:
            return self._read_number(text)
        if self.labels is not None and text not in self.labels:
            near = difflib.get_close_matches(text[:MAX_COMPARED], [label[:MAX_COMPARED] for label in self.labels], n=1)
            hint = f"; do you mean {list_names(near)}?" if near else ""
            raise ValueError(f"{quote_name(text)} is not declared for {quote_name(self.name)}{hint}")
        return text

    def _read_number(self, text: str) -> float:
        try:
            number = float(text) if "_" not in text else np.nan
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            raise ValueError(f"{quote_name(text)} is no number, and {quote_name(self.name)} is numeric")
        return number

    def to_series(self) -> Any:
        import pandas as pd

        if self.is_number:
            numbers = np.array([np.nan if value is MISSING else value for value in self.values])
            is_whole = len(numbers) > 0 and bool((np.abs(numbers) < 2**53).all() and (numbers % 1 == 0).all())
            return pd.Series(numbers.astype(np.int64) if is_whole else numbers)
        return pd.Series(pd.Categorical(self.values, categories=self.labels))


def read_arff(source: Source, content: bytes) -> FileTable:
    """The table in the bytes of an ARFF file in UTF-8."""
    import pandas as pd

    lines = _list_lines(content.decode())
    attributes = _read_header(source, lines)
    rows = list(lines)
    if not rows:
        raise InputError(f"{source} has no rows after @data")
    first, notes = _find_first_number(source, rows, len(attributes))
    for line, text in rows:
        try:
            _read_row(text, attributes, first)
        except ValueError as fault:
            raise InputError(Advice(f"{source}, line {line}: ", fault.args[0])) from None
    frame = pd.DataFrame({attribute.name: attribute.to_series() for attribute in attributes})
    reasons = {attribute.name: attribute.reason for attribute in attributes if attribute.reason}
    return FileTable(frame, reasons, tuple(a.name for a in attributes if a.is_key), notes)


def _list_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered."""
    for line, content in enumerate(text.split("\n"), 1):
        content = content.strip()
        if content and not content.startswith("%"):
            yield line, content


def _read_header(source: Source, lines: Iterator[tuple[int, str]]) -> list[Attribute]:
    """The declared columns; takes the lines up to @data."""
    attributes: dict[str, Attribute] = {}
    for line, text in lines:
        word, _, rest = text.partition(" ") if "\t" not in text.split(" ")[0] else text.partition("\t")
        try:
            if word.lower() == "@attribute":
                attribute = _read_attribute(rest.strip(), line)
                if attribute.name in attributes:
                    raise ValueError(f"a second attribute {quote_name(attribute.name)}: rename it")
                attributes[attribute.name] = attribute
            elif word.lower() == "@data":
                if not attributes:
                    raise ValueError("@data, but no @attribute before it")
                return list(attributes.values())
            elif word.lower() != "@relation":
                raise ValueError(f"{quote_name(word)}, where @attribute or @data is expected")
        except ValueError as fault:
            raise InputError(f"{source}, line {line}: {fault}") from None
    raise InputError(f"{source} has no @data: is it cut short?")


def _read_attribute(text: str, line: int) -> Attribute:
    name, kind = take_name(text)
    if kind.startswith("{"):
        return Attribute(name, line, labels=_read_labels(kind))
    word = kind.partition("%")[0].split()[0].lower() if kind.partition("%")[0].split() else ""
    if word in NUMBERS:
        return Attribute(name, line, is_number=True)
    if word == "binary":
        return Attribute(name, line, labels=BINARY)
    if word == "key":
        return Attribute(name, line, is_key=True)
    if word == "string":
        return Attribute(name, line)
    if word == "date":
        return Attribute(name, line, reason="dates: a year, a month or a number of days says more to a model")
    if word in ("classes", "hierarchical"):
        return Attribute(name, line, reason=f"{word} of CLUS, taken as labels: glade knows no hierarchy of classes")
    raise ValueError(
        f"attribute {quote_name(name)} is of type {quote_name(word)}: glade reads numeric, nominal {{...}}, string,"
        " date and key; leave the attribute out"
    )


def _read_labels(text: str) -> tuple[str, ...]:
    inner, closed, rest = text[1:].rpartition("}")
    if not closed or (rest.strip() and not rest.strip().startswith("%")):
        raise ValueError("the list of values is not closed by }")
    labels = tuple(label for label, _ in split_quoted(inner))
    if len(set(labels)) < len(labels):
        repeated = next(label for k, label in enumerate(labels) if label in labels[:k])
        raise ValueError(f"the value {quote_name(repeated)} is declared twice")
    return labels


def _find_first_number(source: Source, rows: list[tuple[int, str]], n_columns: int) -> tuple[int, list[str]]:
    """How sparse rows number the columns: from 0 as in Weka, or from 1 as in CLUS, which a number tells."""
    sparse = [(line, text) for line, text in rows if text.startswith("{")]
    if not sparse:
        return 0, []
    from_zero, from_one = None, None
    for line, text in sparse:
        try:
            items = split_quoted(text[1:].partition("}")[0], keep_quotes=True)
        except ValueError:
            continue  # told when the row is read
        numbers = {item.split()[0] for item, _ in items if item}
        from_zero = from_zero or (line if "0" in numbers else None)
        from_one = from_one or (line if str(n_columns) in numbers else None)
    if from_zero and from_one:
        raise InputError(
            f"{source}: sparse rows number the columns from 0 (line {from_zero}) and up to {n_columns} (line"
            f" {from_one}), one too many"
        )
    origin = "1, as CLUS does" if from_one else "0, as Weka does"
    return int(from_one is not None), [f"sparse rows, which number the columns from {origin}"]


def _read_row(text: str, attributes: list[Attribute], first: int) -> None:
    """Append the values of a row to the attributes, all or none."""
    if text.startswith("{"):
        values = _read_sparse(text, attributes, first)
    else:
        cells = split_quoted(text)
        if len(cells) == len(attributes) + 1 and cells[-1][0].startswith("{") and not cells[-1][1]:
            raise ValueError(Advice(f"the row has a weight, {cells[-1][0]}: ", WEIGHTS))
        if len(cells) != len(attributes):
            raise ValueError(f"{len(cells)} values, but there are {len(attributes)} attributes")
        values = [attribute.read(*cell) for attribute, cell in zip(attributes, cells, strict=True)]
    for attribute, value in zip(attributes, values, strict=True):
        attribute.values.append(value)


def _take_inside(text: str) -> str:
    """What stands between the braces of a sparse row."""
    inner, closed, rest = text[1:].rpartition("}")
    if rest.strip().lstrip(",").strip().startswith("{") or "}" in inner.partition("{")[0]:
        raise ValueError(Advice("the row has a weight: ", WEIGHTS))
    if not closed or rest.strip():
        raise ValueError("the sparse row is not closed by }")
    return inner


def _read_sparse(text: str, attributes: list[Attribute], first: int) -> list[Any]:
    inner = _take_inside(text)
    values = [attribute.default for attribute in attributes]
    seen = set()
    for item, _ in split_quoted(inner, keep_quotes=True) if inner.strip() else []:
        number, _, cell = item.strip().partition(" ")
        k = int(number) - first if number.isdecimal() and len(number) < 10 else -1
        if not 0 <= k < len(attributes) or k in seen:
            raise ValueError(f"{quote_name(number)} is the number of no column, or stands twice")
        seen.add(k)
        values[k] = attributes[k].read(*split_quoted(cell)[0])
    return values
