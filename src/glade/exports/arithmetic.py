"""Formulas of numbers and steps, done at once for all rows: what turns scores into values, without an engine."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.exports import formulas as f

Floats = NDArray[np.float64]
Steps = dict[str, Floats]


def compute(formula: f.Formula, steps: Steps) -> Any:
    """Return the value of a formula that reads no input.

    Parameters
    ----------
    formula
        What is wanted.
    steps
        What earlier steps found, by name: an array with an entry for each row.

    Examples
    --------
    >>> steps = {"x": np.array([1.0, 5.0])}
    >>> compute(f.Total((f.StepValue("x"), f.Constant(2.0))), steps).tolist()
    [3.0, 7.0]
    """
    return WAYS[type(formula)](formula, steps)


def _divide(formula: f.Quotient, steps: Steps) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):  # a choice leaves out what is divided by zero
        return compute(formula.above, steps) / compute(formula.below, steps)


def _choose(formula: f.Conditional, steps: Steps) -> Any:
    return np.where(*(compute(own, steps) for own in (formula.test, formula.then, formula.otherwise)))


def _add(formula: f.Total, steps: Steps) -> Any:
    total = compute(formula.parts[0], steps)
    for part in formula.parts[1:]:
        total = total + compute(part, steps)
    return total


WAYS: dict[type[f.Formula], Callable[[Any, Steps], Any]] = {
    f.Constant: lambda own, _: own.value,
    f.StepValue: lambda own, steps: steps[own.name],
    f.Total: _add,
    f.Product: lambda own, steps: compute(own.left, steps) * compute(own.right, steps),
    f.Quotient: _divide,
    f.Exponential: lambda own, steps: np.exp(compute(own.of, steps)),
    f.Clipped: lambda own, steps: np.clip(compute(own.of, steps), own.low, own.high),
    f.Conditional: _choose,
    f.Above: lambda own, steps: compute(own.of, steps) > compute(own.edge, steps),
    f.AtMost: lambda own, steps: compute(own.of, steps) <= compute(own.edge, steps),
}
