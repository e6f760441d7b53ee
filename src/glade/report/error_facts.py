"""How good a model is: its error beside that of a guess which looks at no input."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.kinds import RULES
from glade.core.names import show_name
from glade.data.targets import TargetSchema
from glade.report.table_facts import ReadRows

RMSE, ERROR = "RMSE", "error"
GUESS, MODEL = "always-mean", "this model"


def measure_table(model: Any, rows: ReadRows) -> dict[str, Any] | None:
    """The errors on the table itself, beside those of its mean or commonest class; None without targets."""
    if rows.targets is None:
        return None
    values, lines = model.predict_values(rows.matrix), []
    for t, truth in enumerate(rows.targets):
        known = ~np.isnan(truth)
        if known.any():
            lines.append(_measure(values[known], truth[known], model.target_schema_, t))
    return {"models": [GUESS, MODEL], "lines": lines} if lines else None


def _measure(values: NDArray[np.float64], truth: NDArray[np.float64], targets: TargetSchema, t: int) -> dict[str, Any]:
    own = values[:, targets.channels_of(t)]
    if targets.classes[t] is None:
        errors = [float(np.sqrt(np.mean((truth - guess) ** 2))) for guess in (truth.mean(), own[:, 0])]
        return make_line(targets.names[t], RMSE, errors)
    shares = np.unique(truth, return_counts=True)[1] / len(truth)
    return make_line(targets.names[t], ERROR, [float(1 - shares.max()), float(np.mean(own.argmax(axis=1) != truth))])


def make_line(target: object, metric: str, errors: list[float]) -> dict[str, Any]:
    """One target's errors, one for each model."""
    return {"target": show_name(target), "metric": metric, "errors": errors}


def describe_held_out(model: Any) -> dict[str, Any] | None:
    """What fitting learnt of rows that it held out: squared error (of classes, loss) over that of always the mean."""
    if model.kind != RULES:
        return None
    step = model.model_.step
    return {"error": step.error, "se": step.standard_error}


def write_lead(errors: Any, held_out: Any, on_table: Any) -> str:
    """How good the model is, in a sentence or two; of the errors known, the most honest ones."""
    if errors is not None:
        return f"On rows it had not seen, {_tell(errors)}."
    if held_out is not None:
        explained = 1.0 - held_out["error"]
        if explained <= 0:
            return "On rows held out while it was fitted, it is no better than always guessing the mean."
        return f"On rows held out while it was fitted, it explains {explained:.0%} of what varies."
    if on_table is not None:
        warning = "If the model was fitted to these rows, new ones will show a larger error."
        return f"On this table {_tell(on_table)}. {warning}"
    return "The table holds no targets to compare its predictions with."


def _tell(errors: dict[str, Any]) -> str:
    lines = errors["lines"]
    if len(lines) == 1:
        line = lines[0]
        guess, own = line["errors"][0], line["errors"][-1]
        if line["metric"] == ERROR:
            return f"it is right for {1 - own:.0%}; always guessing the commonest class is right for {1 - guess:.0%}"
        return f"it is off by {own:.3g} (RMSE); always guessing the mean is off by {guess:.3g}"
    shares = [line["errors"][-1] / line["errors"][0] for line in lines if line["errors"][0] > 0]
    if not shares:
        return "the targets do not vary"
    guess = "the mean or the commonest class" if len({line["metric"] for line in lines}) > 1 else (
        "the mean" if lines[0]["metric"] == RMSE else "the commonest class"
    )  # fmt: skip
    return (
        f"its errors are {np.mean(shares):.0%} of those of always guessing {guess}, on average over"
        f" {len(lines)} targets"
    )
