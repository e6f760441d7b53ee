"""Checking an estimator's parameters: all that are wrong, in one message, before any work."""

from typing import Any

from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints


def check_parameters(constraints: dict[str, Any], parameters: dict[str, Any], owner: str) -> None:
    """Raise one `InvalidParameterError` that lists every parameter outside its constraints."""
    faults = []
    for name, value in parameters.items():
        if name not in constraints:
            continue
        try:
            validate_parameter_constraints({name: constraints[name]}, {name: value}, caller_name=owner)
        except InvalidParameterError as fault:
            faults.append(str(fault))
    if faults:
        raise InvalidParameterError("\n".join(faults))
