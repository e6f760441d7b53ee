"""The separator and the decimal sign of a CSV file, guessed from its first lines."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace

from glade.core.advice import Advice, Setting
from glade.core.names import quote_name
from glade.files.options import ReadOptions

SAMPLE = 2**18  # bytes
MAX_LINES = 200
MOST = 0.9  # of the lines have the header's number of fields: the scan of the file says which has not
OTHERS = (";", "\t", "|")
COMMA, POINT = ",", "."
WITH_COMMA, WITH_POINT = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?"), re.compile(r"[+-]?\d+\.\d+(?:[eE][+-]?\d+)?")


def guess_signs(content: bytes, options: ReadOptions, default: str) -> tuple[ReadOptions, list[str]]:
    """Return options in which the separator and the decimal sign are known, and notes on what was guessed.

    Parameters
    ----------
    content
        The bytes of a file in UTF-8.
    options
        What the user says; what he says is not guessed.
    default
        The separator, if the lines do not tell another.
    """
    lines = _take_lines(content)
    separator = options.sep or _guess_separator(lines, default)
    decimal = options.decimal or _guess_decimal(lines, separator, options.header)
    notes: list[str] = []
    if options.sep is None and separator != default:
        notes.append(Advice(f"fields are separated by {_show(separator)} here (", Setting("sep"), " corrects it)"))
    if not options.decimal and decimal != POINT:
        notes.append(
            Advice(
                f"{quote_name(decimal)} is taken for the decimal sign (", Setting("decimal", POINT), " if it is not)"
            )
        )
    return replace(options, sep=separator, decimal=decimal), notes


def _show(separator: str) -> str:
    return "tabs" if separator == "\t" else quote_name(separator)


def _take_lines(content: bytes) -> list[str]:
    """The first lines that are whole."""
    text = content[:SAMPLE].decode("utf-8", "ignore")
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[: -1 if len(content) > SAMPLE and len(lines) > 1 else None][:MAX_LINES]


def _split(lines: Sequence[str], separator: str) -> list[list[str]]:
    """The fields of the lines; none if quotes do not fit them."""
    try:
        return list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator, strict=True))
    except csv.Error:
        return []


def _guess_separator(lines: Sequence[str], default: str) -> str:
    """The default, unless another sign alone divides nearly all lines alike."""

    def count(sign: str) -> int:
        widths = [len(fields) for fields in _split(lines, sign)]
        return widths[0] if widths and widths.count(widths[0]) >= MOST * len(widths) else 0

    if not lines or count(default) > 1:
        return default
    counts = {sign: count(sign) for sign in (*OTHERS, COMMA) if sign != default}
    best = max(counts, key=lambda sign: counts[sign])
    return best if counts[best] > 1 else default


def _guess_decimal(lines: Sequence[str], separator: str, has_header: bool) -> str:
    """A comma where some column holds numbers with commas only, and none numbers with points."""
    if separator == COMMA:
        return POINT
    fields = [own.strip() for record in _split(lines, separator)[1 if has_header else 0 :] for own in record]
    with_comma = sum(WITH_COMMA.fullmatch(own) is not None for own in fields)
    with_point = sum(WITH_POINT.fullmatch(own) is not None for own in fields)
    return COMMA if with_comma and not with_point else POINT
