"""Which of two classes is asked for, and from which probability on it is said: `--event`, `--threshold`, `--cost`."""

from collections.abc import Sequence
from typing import Any

import click

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name

AMOUNTS = "--cost takes two amounts above 0, what a false alarm costs and what a miss costs: --cost 1:5"


def threshold_options(command: Any) -> Any:
    """Add the options that say from which probability of the event on it is predicted."""
    least = click.FloatRange(0, 1, min_open=True, max_open=True)
    threshold = click.option("--threshold", type=least, help="Predict the event of two classes from this risk on.")
    cost = click.option("--cost", metavar="FALSE_ALARM:MISS", help="Find that risk by what errors cost, such as 1:5.")
    return threshold(cost(command))


def read_threshold(threshold: float | None, cost: str | None) -> dict[str, Any]:
    """The parameters that the options stand for; none where nothing was asked for."""
    if threshold is not None and cost is not None:
        raise InputError("--threshold and --cost both say when the event is predicted: give one of them")
    if cost is None:
        return {} if threshold is None else {"threshold": threshold}
    try:
        alarm, miss = map(float, cost.split(":"))
    except ValueError:
        raise InputError(f"{AMOUNTS}, not {cost}") from None
    if not (0 < alarm < float("inf") and 0 < miss < float("inf")):
        raise InputError(f"{AMOUNTS}, not {cost}")
    return {"threshold": "cost", "costs": {"false_alarm": alarm, "miss": miss}}


def decide(model: Any, y: Any, events: Sequence[str], threshold: float | None, cost: str | None) -> None:
    """Tell a model that is not fitted yet which class is asked for, and when it is predicted."""
    known, asked = model.get_params(deep=False), read_threshold(threshold, cost)
    if asked and "threshold" not in known:
        raise InputError("--threshold and --cost are for models of nominal targets only: predict probabilities instead")
    if events and "event" not in known:
        raise InputError("--event is for nominal targets of two classes: leave it out")
    if "costs" in asked and "costs" not in known:
        raise InputError("--cost is for models of nominal targets only: give --threshold")
    model.set_params(**asked)
    if events:
        found = dict(_find_event(y, event) for event in events)
        if len(found) < len(events):
            raise InputError("--event names two classes of one target: give one of them")
        model.set_params(event=next(iter(found.values())) if y.shape[1] == 1 else found)


def _find_event(y: Any, event: str) -> tuple[str, Any]:
    """The target and the class that `LABEL` or `TARGET=LABEL` stands for, of the class's own type."""
    name, _, label = event.partition("=")
    columns = {name: label} if label and name in y.columns else dict.fromkeys(y.columns, event)
    found = [
        (column, own) for column, text in columns.items() for own in y[column].dropna().unique() if str(own) == text
    ]
    if len(found) == 1:
        column, own = found[0]
        return column, own.item() if hasattr(own, "item") else own
    if found:
        raise InputError(
            f"{list_names([column for column, _ in found])} have a class {quote_name(event)}: give --event"
            f" {found[0][0]}={event}"
        )
    classes = sorted({str(own) for column in columns for own in y[column].dropna().unique()[:20]})
    raise InputError(f"--event {quote_name(event)} is no class: there are {list_names(classes)}")


def with_threshold(model: Any, threshold: float | None, cost: str | None) -> Any:
    """A fitted model that predicts the event from another probability on, if that is asked for."""
    asked = read_threshold(threshold, cost)
    if not asked:
        return model
    if not hasattr(model, "with_threshold"):
        raise InputError("--threshold and --cost are for models of nominal targets only: leave them out for this one")
    if None in model.target_schema_.events:
        raise InputError("--threshold and --cost are for targets of two classes, and this model has others")
    return model.with_threshold(**asked)
