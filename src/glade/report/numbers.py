"""Numbers and names as a page takes them: JSON knows neither NaN nor infinity, and no NumPy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.names import show_name

DIGITS = 4  # of what is only drawn; what the page computes with is exact


def exact(values: NDArray[Any]) -> Any:
    """Nested lists of numbers as they are, None for those that are not finite.

    >>> import numpy as np
    >>> exact(np.array([[0.1, np.nan], [np.inf, -2.0]]))
    [[0.1, None], [None, -2.0]]
    """
    if values.ndim > 1:
        return [exact(row) for row in values]
    return [value if np.isfinite(value) else None for value in values.astype(float).tolist()]


def rounded(values: NDArray[Any], digits: int = DIGITS) -> Any:
    """The same, to so many significant digits.

    >>> import numpy as np
    >>> rounded(np.array([123456.0, 0.000123456, np.nan]))
    [123500.0, 0.0001235, None]
    """
    if values.ndim > 1:
        return [rounded(row, digits) for row in values]
    return [float(f"{value:.{digits}g}") if np.isfinite(value) else None for value in values.astype(float).tolist()]


def show_names(names: Any) -> list[str]:
    """Names or labels for display."""
    return [show_name(name) for name in names]


def word_amount(value: float) -> str:
    """A number to four digits for a person, thousands set apart.

    >>> [word_amount(x) for x in (11012.6, 0.012345, 3.0, 1e-9)]
    ['11,010', '0.01235', '3', '1e-09']
    """
    short = float(f"{value:.{DIGITS}g}")
    return f"{short:,.0f}" if 1e4 <= abs(short) < 1e15 else f"{short:g}"
