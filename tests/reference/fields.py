"""The scan of CSV, slowly: the standard library splits the lines, a regular expression infers the types of fields."""

import csv
import io
import re

from glade.files import _fields as fields

NUMBER = re.compile(r"[+-]?(\d+|(\d+\.\d*|\.\d+))(?:(?<=[\d.])[eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"[+-]?(\d+)", re.ASCII)


def type_of(text: str, missing: tuple[str, ...], separator: str) -> int:
    """The inferred type of a field. Blanks around a number do not count, unless they are what separates fields."""
    if text == "":
        return fields.EMPTY
    if text in missing:
        return fields.MISSING
    number = text.strip(" \t".replace(separator, ""))
    whole = WHOLE.fullmatch(number)
    if whole:
        digits = whole.group(1)
        if len(digits) > 1 and digits[0] == "0":
            return fields.ZERO_LED
        return fields.LONG if int(digits) > 2**53 else fields.WHOLE
    if NUMBER.fullmatch(number):
        return fields.DECIMAL
    return fields.ENDLESS if re.fullmatch(r"[+-]?(inf|infinity)", text, re.IGNORECASE) else fields.TEXT


def count_types(text: str, separator: str, missing: tuple[str, ...]) -> tuple[list[str], list[list[int]]]:
    """The header, and for each column how many fields have each type; ValueError where a line is of another length."""
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    rows = [row for row in rows if row and not (len(row) == 1 and not row[0].strip(" \t"))]
    header, *rest = rows
    counts = [[0] * fields.N_TYPES for _ in header]
    for row in rest:
        if len(row) != len(header):
            raise ValueError(f"{len(row)} fields")
        for column, field in zip(counts, row, strict=True):
            column[type_of(field, missing, separator)] += 1
    return header, counts
