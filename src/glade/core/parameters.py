"""Checking an estimator's parameters: all that are wrong, in one message, before any work."""

from typing import Any

import numpy as np
from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints


class _Flag:
    """True or False, no longer taken for the numbers 1 and 0: `max_depth=True` is a slip."""

    def __init__(self, value: bool):
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


def check_parameters(constraints: dict[str, Any], parameters: dict[str, Any], owner: str) -> None:
    """Raise one `InvalidParameterError` that lists every parameter outside its constraints."""
    faults = []
    for name, value in parameters.items():
        if name not in constraints:
            continue
        is_flag = isinstance(value, (bool, np.bool_)) and "boolean" not in constraints[name]
        try:
            checked = _Flag(bool(value)) if is_flag else value
            validate_parameter_constraints({name: constraints[name]}, {name: checked}, caller_name=owner)
        except InvalidParameterError as fault:
            faults.append(str(fault))
    if faults:
        raise InvalidParameterError("\n".join(faults))
