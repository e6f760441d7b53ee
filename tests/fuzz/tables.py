"""Random tables, targets and weights: of every kind that a user may hand over, the wrong ones included."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

Random = np.random.Generator
Maker = Callable[[Random, int], Any]

HOSTILE = ("", " ", "a|b", "<b>x</b>", "=1+1", "x\ny", "é", "名", "nan", "None", "a" * 300, "' or 1", "\u202edlo", "\\")
N_ROWS = (1, 2, 3, 5, 12, 40, 120)


def _with_gaps(random: Random, values: Any, share: float = 0.3) -> pd.Series:
    column = pd.Series(values)
    return column.mask(random.random(len(column)) < share)


def _words(random: Random, n: int, n_words: int) -> np.ndarray:
    return np.array([f"w{k}" for k in range(n_words)], object)[random.integers(0, n_words, n)]


NUMBERS: dict[str, Maker] = {
    "normal": lambda r, n: r.normal(size=n),
    "whole": lambda r, n: r.integers(-3, 4, n),
    "constant": lambda _, n: np.full(n, 2.5),
    "two values": lambda r, n: r.integers(0, 2, n).astype(float),
    "heavy tail": lambda r, n: np.exp(r.normal(0, 8, n)),
    "huge": lambda r, n: r.normal(size=n) * 1e300,
    "largest": lambda r, n: r.choice([-1.7e308, 0.0, 1.7e308], n),
    "tiny": lambda r, n: r.normal(size=n) * 1e-300,
    "subnormal": lambda r, n: r.integers(0, 5, n) * 5e-324,
    "far from zero": lambda r, n: 1e12 + r.normal(size=n),
    "signed zeros": lambda r, n: r.choice([-0.0, 0.0, 1.0], n),
    "single precision": lambda r, n: r.normal(size=n).astype(np.float32),
    "one byte": lambda r, n: r.integers(-128, 128, n).astype(np.int8),
    "large whole": lambda r, n: r.integers(2**62, 2**63, n).astype(np.uint64),
    "gaps": lambda r, n: _with_gaps(r, r.normal(size=n)),
    "mostly gaps": lambda r, n: _with_gaps(r, r.normal(size=n), 0.95),
    "all missing": lambda _, n: np.full(n, np.nan),
    "infinite": lambda r, n: r.choice([0.0, 1.0, np.inf], n, p=[0.6, 0.38, 0.02]),
    "nullable whole": lambda r, n: _with_gaps(r, r.integers(0, 9, n)).astype("Int64"),
    "nullable number": lambda r, n: _with_gaps(r, r.normal(size=n)).astype("Float64"),
    "arrow number": lambda r, n: pd.Series(r.normal(size=n)).astype("double[pyarrow]"),
}
LABELS: dict[str, Maker] = {
    "booleans": lambda r, n: r.random(n) < 0.5,
    "nullable booleans": lambda r, n: _with_gaps(r, r.random(n) < 0.5).astype("boolean"),
    "few words": lambda r, n: _words(r, n, 3),
    "many words": lambda r, n: _words(r, n, 200),
    "a word a row": lambda _, n: np.array([f"id {k}" for k in range(n)], object),
    "words with gaps": lambda r, n: _with_gaps(r, _words(r, n, 4)),
    "hostile words": lambda r, n: np.array(HOSTILE, object)[r.integers(0, len(HOSTILE), n)],
    "categories": lambda r, n: pd.Categorical(_words(r, n, 3), categories=["w2", "w1", "w0", "unused"]),
    "ordered": lambda r, n: pd.Categorical(_words(r, n, 3), categories=["w0", "w1", "w2"], ordered=True),
    "no categories": lambda _, n: pd.Categorical([None] * n, categories=[]),
    "numbered categories": lambda r, n: pd.Categorical(r.integers(5, 9, n)),
    "intervals": lambda r, n: pd.cut(r.random(n), [-0.1, 0.3, 0.6, 1.1]),
    "words and numbers": lambda r, n: np.array(["a", 1, 2.5, None], object)[r.integers(0, 4, n)],
    "arrow words": lambda r, n: pd.Series(_words(r, n, 3)).astype("string[pyarrow]"),
    "only None": lambda _, n: np.full(n, None, object),
    "numbers as objects": lambda r, n: r.normal(size=n).astype(object),
    "decimals": lambda r, n: np.array([Decimal(int(k)) / 4 for k in r.integers(0, 9, n)], object),
}
REFUSED: dict[str, Maker] = {  # what no model takes, or only some of them
    "times": lambda r, n: pd.Timestamp("2020-01-01") + pd.to_timedelta(r.integers(0, 99, n), unit="D"),
    "days": lambda r, n: np.array([date(2020, 1, int(k)) for k in r.integers(1, 28, n)], object),
    "spans of time": lambda r, n: pd.to_timedelta(r.integers(0, 99, n), unit="h"),
    "categories of times": lambda r, n: pd.Categorical(
        pd.Timestamp("2020-01-01") + pd.to_timedelta(r.integers(0, 3, n), unit="D")
    ),
    "complex": lambda r, n: r.normal(size=n) + 1j,
    "lists": lambda r, n: pd.Series([[int(k)] for k in r.integers(0, 3, n)]),
    "tuples": lambda r, n: pd.Series([(int(k), 0) for k in r.integers(0, 3, n)]),
    "bytes": lambda r, n: np.array([b"a", b"b"], object)[r.integers(0, 2, n)],
}
COLUMNS = {**NUMBERS, **LABELS, **REFUSED}
COMMON = ("normal", "whole", "gaps", "few words", "booleans", "categories")

WEIGHTS: dict[str, Maker] = {
    "none": lambda _, n: None,
    "ones": lambda _, n: np.ones(n),
    "whole": lambda r, n: r.integers(1, 4, n),
    "any": lambda r, n: r.random(n) + 0.01,
    "some zero": lambda r, n: r.integers(0, 2, n).astype(float),
    "all zero": lambda _, n: np.zeros(n),
    "negative": lambda r, n: r.normal(size=n),
    "missing": lambda r, n: _with_gaps(r, r.random(n)),
    "wrong length": lambda r, n: r.random(n + 1),
    "huge": lambda r, n: r.random(n) * 1e300,
    "tiny": lambda r, n: r.random(n) * 1e-300 + 1e-301,
}


class Case(NamedTuple):
    """A table to fit, and what it is made of."""

    X: Any
    y: Any
    weights: Any
    story: str


def _pick(random: Random, makers: dict[str, Maker], common: tuple[str, ...], share: float = 0.6) -> str:
    names = common if random.random() < share else tuple(makers)
    return names[int(random.integers(len(names)))]


def _name_columns(random: Random, n: int) -> list[Any]:
    way = random.integers(5)
    if way == 0:
        return list(range(n))
    if way == 1 and n <= len(HOSTILE):
        return list(random.permutation(HOSTILE)[:n])
    if way == 2 and random.random() < 0.2:
        return ["same"] * n
    return [f"x{k}" for k in range(n)]


def _make_inputs(random: Random, n_rows: int) -> tuple[Any, str]:
    kinds = [_pick(random, COLUMNS, COMMON) for _ in range(int(random.integers(1, 6)))]
    names = _name_columns(random, len(kinds))
    parts = [pd.Series(COLUMNS[kind](random, n_rows)) for kind in kinds]
    frame = pd.concat(parts, axis=1) if parts else pd.DataFrame(index=range(n_rows))
    frame.columns = names
    way = ("pandas", "array", "polars", "pyarrow")[int(random.choice(4, p=[0.55, 0.25, 0.1, 0.1]))]
    try:
        X = {"pandas": lambda f: f, "array": lambda f: f.to_numpy(), "polars": pl.from_pandas, "pyarrow": _to_arrow}[
            way
        ](frame)
    except (pa.ArrowException, pl.exceptions.PolarsError, TypeError, ValueError):  # the library has no such column
        way, X = "pandas", frame
    return X, f"{way} of {kinds}"


def _to_arrow(frame: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(frame, preserve_index=False)


def _make_target(random: Random, n_rows: int, task: str) -> tuple[Any, str]:
    kinds = {"numbers": NUMBERS, "classes": {**LABELS, "whole": NUMBERS["whole"]}, "mixed": {**NUMBERS, **LABELS}}[task]
    common = {"numbers": ("normal", "whole"), "classes": ("few words", "booleans"), "mixed": COMMON}[task]
    if random.random() < 0.03:
        kinds, common = REFUSED, tuple(REFUSED)
    n_targets = int(random.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))
    chosen = [_pick(random, kinds, common, 0.7) for _ in range(n_targets)]
    n = n_rows + int(random.random() < 0.02)
    parts = [pd.Series(kinds[kind](random, n)) for kind in chosen]
    story = f"{n} x {chosen}"
    if n_targets == 1 and task != "mixed":
        return (parts[0] if random.random() < 0.5 else parts[0].to_numpy()), story
    frame = pd.concat(parts, axis=1)
    frame.columns = [f"y{k}" for k in range(n_targets)]
    return frame, story


def make_case(random: Random, task: str) -> Case:
    """A random case for models of numbers, of classes or of both."""
    n_rows = int(random.choice(N_ROWS))
    X, of_inputs = _make_inputs(random, n_rows)
    y, of_targets = _make_target(random, n_rows, task)
    kind = _pick(random, WEIGHTS, ("none",), 0.7)
    return Case(X, y, WEIGHTS[kind](random, n_rows), f"X {of_inputs}, y {of_targets}, weights {kind}")
