"""Checking an estimator's parameters: all that are wrong, in one message, before any work."""

import reprlib
from functools import cache
from typing import Any, TypeVar

import numpy as np
from sklearn.utils._param_validation import InvalidParameterError, make_constraint, validate_parameter_constraints

Kind = TypeVar("Kind", bound=type[Any])

PLAIN = {type(None), bool, int, float, str}  # values that are what they look like
MOST_REMEMBERED = 1000
MOST_SHOWN = 500  # letters of a wrong value
LARGEST = 10**308  # a whole number beyond it is no double, though it is less than infinity
_found_fine: set[tuple[Any, ...]] = set()  # classes, each with parameters that it can take


class _Flag:
    """True or False, no longer taken for the numbers 1 and 0: `max_depth=True` is a slip."""

    def __init__(self, value: bool):
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


class _Wrong:
    """A value that no constraint allows, shown in a few words however large it is."""

    def __init__(self, value: Any):
        self.value = value

    def __repr__(self) -> str:
        shown = reprlib.Repr()
        shown.maxstring = shown.maxother = shown.maxlong = MOST_SHOWN
        return shown.repr(self.value)


@cache
def _open_constraint(given: Any) -> Any:
    """What scikit-learn makes of a constraint; it would do so again at every fit."""
    return make_constraint(given)


def check_parameters(constraints: dict[str, Any], parameters: dict[str, Any], owner: str) -> None:
    """Raise one `InvalidParameterError` that lists every parameter outside its constraints."""
    faults = []
    for name, value in parameters.items():
        if name not in constraints:
            continue
        is_flag = isinstance(value, (bool, np.bool_)) and "boolean" not in constraints[name]
        checked = _Flag(bool(value)) if is_flag else value
        if isinstance(value, int) and abs(value) > LARGEST:
            faults.append(f"The {name!r} parameter of {owner} is too large a number: give one below 1e308.")
            continue
        if any(_open_constraint(given).is_satisfied_by(checked) for given in constraints[name]):
            continue
        try:
            validate_parameter_constraints({name: constraints[name]}, {name: _Wrong(checked)}, caller_name=owner)
        except InvalidParameterError as fault:
            faults.append(str(fault))
    if faults:
        raise InvalidParameterError("\n".join(faults))


def check_own_parameters(estimator: Any, constraints: dict[str, Any]) -> None:
    """`check_parameters` for an estimator. Plain ones that were fine are so again: folds and searches fit often."""
    kind, parameters = type(estimator), estimator.get_params(deep=False)
    types = tuple(map(type, parameters.values()))
    asked = (kind, types, *parameters.values()) if PLAIN.issuperset(types) else None
    if asked in _found_fine:
        return
    check_parameters(constraints, parameters, kind.__name__)
    if asked is not None and len(_found_fine) < MOST_REMEMBERED:
        _found_fine.add(asked)
