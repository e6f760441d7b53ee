"""CSV, strictly: every line has the header's number of fields, every column a name of its own, or it is a sentence.

A scan of the bytes finds the faults and what types each column's fields have; from these follow the kinds. Then pandas
reads the values, told the type of each column, so that it has nothing to guess.
"""

import csv
import io
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.advice import Advice, Setting
from glade.core.errors import InputError
from glade.core.names import list_names, quote_name
from glade.files import _fields as fields
from glade.files.inferred_types import explain_text, is_number
from glade.files.options import FileTable, ReadOptions
from glade.files.sources import Source

TEXT, WHOLE, FLOAT = "text", "whole", "float"
TYPES = {TEXT: str, WHOLE: np.dtype(np.int64), FLOAT: np.dtype(np.float64)}  # as objects: pandas looks names up slowly
STEP = 2**26  # bytes scanned between two chances to interrupt
MAX_CELL = 2**24  # characters of a name
BLANKS = " \t\r\n"
SEPARATORS = (";", "\t", "|")


@dataclass(frozen=True)
class Scan:
    """Column names, where the rows start, how many there are, and the inferred types of each column's fields."""

    names: list[str]
    n_rows: int
    counts: NDArray[np.int64]  # columns x inferred types
    first_lines: NDArray[np.int64]

    @cached_property
    def _lists(self) -> list[list[int]]:
        return self.counts.tolist()

    def count(self, column: int, *types: int) -> int:
        own = self._lists[column]
        return sum(own[inferred] for inferred in types)


def read_csv(source: Source, content: bytes, options: ReadOptions, separator: str) -> FileTable:
    """The table in the bytes of a CSV file in UTF-8."""
    _check_signs(separator, options.decimal)
    if content.count(b"\r") > content.count(
        b"\r\n"
    ):  # old line ends, which pandas loses rows over where they are mixed
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    scan = _scan(source, content, options, separator)
    _check_rows(source, scan, separator)
    options = options.of_columns(scan.names)
    types = {name: _choose_type(source, scan, k, options) for k, name in enumerate(scan.names)}
    frame = _read_values(content, scan, types, options, separator)
    _check_numbers(source, scan, frame, types, options)
    if len(frame) != scan.n_rows:
        raise RuntimeError(f"{len(frame)} rows were read of {scan.n_rows}")
    reasons, notes = {}, []
    for k, name in enumerate(scan.names):
        if types[name] == TEXT and name not in options.nominal:
            reasons[name] = explain_text(scan.counts[k], scan.first_lines[k], frame[name], options)
            if scan.count(k, fields.MISSING):
                notes.append(_tell_missing(scan, k, options))
    return FileTable(frame, {name: reason for name, reason in reasons.items() if reason}, notes=notes)


def _check_signs(separator: str, decimal: str) -> None:
    for parameter, sign in (("sep", separator), ("decimal", decimal)):
        if len(sign) != 1 or not sign.isascii() or sign in '"\r\n':
            raise InputError(Advice(Setting(parameter, sign), ": give one character, such as ';'"))
    if separator == decimal:
        raise InputError(
            Advice(
                f"the fields and the decimals are both separated by {quote_name(decimal)}: give another ",
                Setting("sep"),
                ", such as ';'",
            )
        )
    if decimal.isalnum() or decimal in "+-":
        raise InputError(f"{quote_name(decimal)} is no decimal sign")


def _scan(source: Source, content: bytes, options: ReadOptions, separator: str) -> Scan:
    """Read the header, then go through all records."""
    data = np.frombuffer(content, np.uint8)
    words = [word.encode() for word in options.missing if word]
    signs = (ord(separator), ord(options.decimal), not any(map(_may_be_number, words)))
    table = (np.frombuffer(b"".join(words), np.uint8), np.cumsum([0, *map(len, words)], dtype=np.int64))
    state = np.zeros(fields.N_STATE, np.int64)
    state[fields.LINE] = 1
    none = np.zeros((0, fields.N_TYPES), np.int64)
    fields.scan_records(data, 0, *signs, *table, none, none, state)
    _check_outcome(source, state, 0)
    n_columns = int(state[fields.FIELDS])
    names = _name_columns(source, content[: int(state[fields.POSITION])], n_columns, options, separator)
    if not options.header:
        state[[fields.POSITION, fields.LINE]] = 0, 1
    state[fields.ROWS] = 0
    counts, first_lines = (np.zeros((n_columns, fields.N_TYPES), np.int64) for _ in range(2))
    while state[fields.OUTCOME] != fields.END and n_columns:
        until = int(state[fields.POSITION]) + STEP
        n_before, state[fields.ROWS] = int(state[fields.ROWS]), 0
        fields.scan_records(data, until, *signs, *table, counts, first_lines, state)
        state[fields.ROWS] += n_before
        _check_outcome(source, state, n_columns)
    return Scan(names, int(state[fields.ROWS]), counts, first_lines)


def _may_be_number(word: bytes) -> bool:
    return any(48 <= byte <= 57 for byte in word)


def _check_outcome(source: Source, state: NDArray[np.int64], n_columns: int) -> None:
    outcome, line, n_fields = (int(state[k]) for k in (fields.OUTCOME, fields.FAULT_LINE, fields.FIELDS))
    faults: dict[int, str | Advice] = {
        fields.WRONG_COUNT: f"{n_fields} fields, but the header has {n_columns}; correct the line, or quote fields that"
        " hold the separator",
        fields.STRAY_QUOTE: 'a quote (") inside a field; put quotes around the whole field, and double those inside',
        fields.OPEN_QUOTE: 'a quote (") is opened here and never closed; close it, or complete the file',
        fields.NUL: Advice(
            "a zero byte, which no text has; is the file damaged, or in another encoding, such as ",
            Setting("encoding", "utf-16"),
            "?",
        ),
    }
    if outcome in faults:
        raise InputError(Advice(f"{source}, line {line}: ", faults[outcome]))


def _name_columns(source: Source, header: bytes, n_columns: int, options: ReadOptions, separator: str) -> list[str]:
    if not options.header:
        return [f"c{k}" for k in range(1, n_columns + 1)]
    names = _read_header(source, header, separator)
    _check_header(source, names)
    return names


def _read_header(source: Source, header: bytes, separator: str) -> list[str]:
    """The names in the first line that is not blank."""
    csv.field_size_limit(MAX_CELL)
    lines = io.StringIO(header.decode(), newline="").readlines()
    while lines and not lines[0].strip(BLANKS.replace(separator, "")):
        lines.pop(0)
    try:
        return next(csv.reader(lines, delimiter=separator, strict=True), [])
    except csv.Error as fault:
        raise InputError(f"{source}: its header cannot be read: {fault}") from None


def _check_header(source: Source, names: list[str]) -> None:
    """Raise an error where a column has no name, where two have the same, and where the header seems to be a row."""
    blank = [k for k, name in enumerate(names, 1) if not name.strip()]
    if blank:
        sentence = f"{source}: column {blank[0]} of the header has no name: give it one, or "
        raise InputError(Advice(sentence, Setting("header", False)))
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(f"{source} has several columns {list_names(repeated)}: rename them")
    if len(names) > 1 and all(is_number(name) for name in names) and not _are_positions(names):
        sentence = f"{source}: the header is all numbers ({list_names(names)}): if it is a row, give "
        raise InputError(Advice(sentence, Setting("header", False), "; else name the columns"))


def _are_positions(names: list[str]) -> bool:
    """0, 1, 2, ... or 1, 2, 3, ...: what programs write for columns without names."""
    return any(names == [str(k) for k in range(first, first + len(names))] for first in (0, 1))


def _check_rows(source: Source, scan: Scan, separator: str) -> None:
    if scan.n_rows == 0:
        raise InputError(f"{source} has no rows")
    if len(scan.names) == 1:
        sentence = f"{source} has only 1 column, {quote_name(scan.names[0])}: "
        other = [sign for sign in SEPARATORS if sign in scan.names[0] and sign != separator]
        if other:
            raise InputError(Advice(sentence, "did you mean ", Setting("sep", other[0]), "?"))
        split = f"are its fields split by {quote_name(separator)} ("
        raise InputError(Advice(sentence, split, Setting("sep"), ")?"))


def _choose_type(source: Source, scan: Scan, column: int, options: ReadOptions) -> str:
    """The type that pandas shall read a column as."""
    name = scan.names[column]
    if name in options.nominal:
        return TEXT
    unclear = scan.count(column, fields.TEXT)
    if name not in options.numeric:
        unclear += scan.count(column, fields.ZERO_LED, fields.LONG)
    if unclear or not scan.count(column, fields.WHOLE, fields.DECIMAL, fields.ZERO_LED, fields.LONG, fields.ENDLESS):
        return TEXT
    if scan.count(column, fields.ENDLESS):
        line = int(scan.first_lines[column, fields.ENDLESS])
        sentence = f"{source}, line {line}: column {quote_name(name)} is infinite there: correct it, or give "
        raise InputError(Advice(sentence, Setting("missing", ("inf",))))
    is_whole = scan.count(column, fields.WHOLE) == scan.n_rows
    return WHOLE if is_whole else FLOAT


def _check_numbers(source: Source, scan: Scan, frame: Any, types: dict[str, str], options: ReadOptions) -> None:
    """Columns that have to be numeric are."""
    for k, name in enumerate(scan.names):
        if name in options.numeric and scan.count(k, fields.TEXT) and types[name] == TEXT:
            line = int(scan.first_lines[k, fields.TEXT])
            labels = frame[name].astype(object).dropna()
            odd = next(label for label in labels if not is_number(label, options.decimal))
            raise InputError(
                f"{source}, line {line}: column {quote_name(name)} is no numeric one: it holds {quote_name(odd)}"
            )


def _read_values(content: bytes, scan: Scan, types: dict[str, str], options: ReadOptions, separator: str) -> Any:
    import pandas as pd

    words = ["", *options.missing]
    has_missing = [scan.count(k, fields.EMPTY, fields.MISSING) > 0 for k in range(len(scan.names))]
    frame = pd.read_csv(
        io.BytesIO(content),
        sep=separator,
        decimal=options.decimal,
        header=0 if options.header else None,
        names=scan.names,
        index_col=False,
        dtype={name: TYPES[kind] for name, kind in types.items()},
        keep_default_na=False,
        na_filter=any(has_missing),
        na_values={name: words for name, has in zip(scan.names, has_missing, strict=True) if has},
        encoding="utf-8",
    )
    if TEXT not in types.values():
        return frame
    return pd.DataFrame({name: _to_labels(frame[name]) if types[name] == TEXT else frame[name] for name in frame})


def _to_labels(column: Any) -> Any:
    """Text as categories; whole numbers, which some programs write as 7.0 beside missing ones, as whole numbers."""
    labels = column.astype("category")
    whole = [label.removesuffix(".0") for label in labels.cat.categories]
    are_whole = all(label.lstrip("-").isdecimal() for label in whole) and len(set(whole)) == len(whole)
    return labels.cat.rename_categories(whole) if are_whole else labels


def _tell_missing(scan: Scan, column: int, options: ReadOptions) -> str:
    n, name = scan.count(column, fields.MISSING), scan.names[column]
    line = int(scan.first_lines[column, fields.MISSING])
    words = ", ".join(word for word in options.missing if word)
    sentence = f"{n:,} of {quote_name(name)} read {words}, first in line {line}: taken as missing ("
    return Advice(sentence, Setting("missing", ()), " keeps them)")
