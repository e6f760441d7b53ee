"""Columns of dates as numbers that a model can read: a year, a month, a day of the year, an hour, or a decimal year.

The derived columns say in their names what they are of, so that a table that is read later is treated alike.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")
MONTH_FIRST, DAY_FIRST = "month, day, year", "day, month, year"
PARTS, NUMBER, DROP = "parts", "number", "drop"  # what becomes of a column of dates
WAYS = (PARTS, NUMBER, DROP)


def _find_decimal_year(when: Any) -> float:
    """2020.5 is the middle of 2020: four digits tell an hour from the next."""
    start, end = datetime(when.year, 1, 1), datetime(when.year + 1, 1, 1)
    moment = datetime(when.year, when.month, when.day, when.hour, when.minute)
    return round(when.year + (moment - start) / (end - start), 4)


MEASURES: dict[str, Callable[[Any], float]] = {
    "year": lambda when: when.year,
    "month": lambda when: when.month,
    "day of year": lambda when: when.timetuple().tm_yday,
    "hour": lambda when: when.hour,
    "decimal year": _find_decimal_year,
}
OF_WAYS = {PARTS: ("year", "month", "day of year", "hour"), NUMBER: ("decimal year",), DROP: ()}
DERIVED = re.compile(rf"(.*) \(({'|'.join(MEASURES)})\)", re.DOTALL)


@dataclass(frozen=True)
class Dates:
    """A column of dates.

    Parameters
    ----------
    moments
        Of each category; None where there is none.
    codes
        Of each row its category, -1 where the value is missing.
    order
        How they are written, where that has to be said.
    """

    moments: list[datetime | None]
    codes: Any
    order: str = ""

    def measure(self, what: str) -> Any:
        """Return one number for each row, NaN where the value is missing."""
        import numpy as np  # not sooner, for `glade --help`

        find = MEASURES[what]
        values = np.array([np.nan if own is None else find(own) for own in [*self.moments, None]])
        return values[self.codes]


def find_dates(column: Any) -> Dates | None:
    """Return what a column says, if all its known values are dates; their order must be plain.

    Parameters
    ----------
    column
        Text as categories, or times of pandas.
    """
    if column.dtype.kind == "M":
        codes, moments = column.factorize()
        return Dates(list(moments.to_pydatetime()), codes)
    if not hasattr(column, "cat"):
        return _read_objects(column)
    codes = column.cat.codes.to_numpy()
    used = set(codes.tolist()) - {-1}
    labels = [str(label).strip() if c in used else None for c, label in enumerate(column.cat.categories)]
    return _read_labels(labels, codes) if used else None


def _read_objects(column: Any) -> Dates | None:
    """Days as Parquet has them: objects of Python."""
    known = column.dropna()
    if column.dtype.kind != "O" or not len(known) or not all(type(own).__name__ == "date" for own in known):
        return None
    codes, days = column.factorize()
    return Dates([datetime(day.year, day.month, day.day) for day in days], codes)


def _read_labels(labels: Sequence[str | None], codes: Any) -> Dates | None:
    """Text in one of two orders; which of two numbers is the month, a number above 12 tells, or a point between."""
    parts = [None if label is None else _split(label) for label in labels]
    if any(own is None for own, label in zip(parts, labels, strict=True) if label is not None):
        return None
    known = [own for own in parts if own is not None]
    last = [own for own in known if own[0] is None]
    if not last:
        return _make(parts, codes, "")
    signs, firsts, seconds = {own[1] for own in last}, [own[2] for own in last], [own[3] for own in last]
    if max(firsts) > 12 or signs == {"."}:
        return _make(parts, codes, DAY_FIRST)
    return _make(parts, codes, MONTH_FIRST) if max(seconds) > 12 else None


def _split(label: str) -> tuple[int | None, str, int, int, int, int, int] | None:
    """Year (None where it comes last), sign, two numbers, the year that comes last, hour and minute."""
    day, _, clock = label.replace("T", " ").partition(" ")
    time = CLOCK.fullmatch(clock.strip()) if clock else None
    if clock and time is None:
        return None
    hour, minute = (int(time[1]), int(time[2])) if time else (0, 0)
    if found := YEAR_FIRST.fullmatch(day):
        return int(found[1]), found[2], int(found[3]), int(found[4]), 0, hour, minute
    if found := YEAR_LAST.fullmatch(day):
        return None, found[2], int(found[1]), int(found[3]), int(found[4]), hour, minute
    return None


def _make(parts: Sequence[Any], codes: Any, order: str) -> Dates | None:
    moments: list[datetime | None] = []
    for own in parts:
        if own is None:
            moments.append(None)
            continue
        year, _, first, second, last, hour, minute = own
        month, day = (second, first) if year is None and order == DAY_FIRST else (first, second)
        try:
            moments.append(datetime(last if year is None else year, month, day, hour, minute))
        except ValueError:
            return None  # there is no such day
    return Dates(moments, codes, order)


def derive(name: str, dates: Dates, way: str) -> dict[str, Any]:
    """Return the numeric columns that take the place of one of dates, without those that say the same of all rows.

    Parameters
    ----------
    name
        Of the column.
    dates
        What it says.
    way
        "parts", "number" or "drop".
    """
    columns = {f"{name} ({what})": dates.measure(what) for what in OF_WAYS[way]}
    return {own: values for own, values in columns.items() if len(set(values[values == values].tolist())) > 1}


def measure_of(name: str) -> str:
    """Return what a derived column says of its date.

    >>> measure_of("sown (day of year)")
    'day of year'
    """
    found = DERIVED.fullmatch(name)
    return found[2] if found else name


def base_of(name: str) -> str:
    """Return the column of dates that a derived column is of; any other name as it is.

    >>> base_of("sown (day of year)"), base_of("rain")
    ('sown', 'rain')
    """
    found = DERIVED.fullmatch(name)
    return found[1] if found else name


def add_derived(table: Any, wanted: Sequence[str]) -> Any:
    """Return a table with those of the wanted columns that its dates can give.

    Parameters
    ----------
    table
        A dataframe.
    wanted
        Names, those of derived columns among them.
    """
    more: dict[str, Any] = {}
    dates: dict[str, Dates | None] = {}
    for name in wanted:
        found = DERIVED.fullmatch(name)
        if name in table.columns or not found or found[1] not in table.columns:
            continue
        base = found[1]
        if base not in dates:
            dates[base] = find_dates(table[base])
        own = dates[base]
        if own is not None:
            more[name] = own.measure(found[2])
    return table.assign(**more) if more else table
