"""The errors of a cross-validation, as a report takes them."""

from typing import Any

from glade.core.names import show_name

RMSE, ERROR = "RMSE", "error"


def make_line(target: object, metric: str, errors: list[float]) -> dict[str, Any]:
    """One target's errors, one for each model."""
    return {"target": show_name(target), "metric": metric, "errors": errors}
