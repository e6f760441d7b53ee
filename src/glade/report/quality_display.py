"""How good a model is, in Python: the figures and the pictures of the page, from the most honest predictions known."""

from typing import Any, NamedTuple

import numpy as np

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name, show_plainly
from glade.explain.drawing import CLASSES, DOWN, NEUTRAL, UP, make_axes
from glade.explain.sampling import check_model
from glade.report.events import find_events
from glade.report.honest import Judged
from glade.report.quality_facts import describe_quality
from glade.report.table_facts import ReadRows

FIGURES = {"right": "right", "logLoss": "log_loss", "brier": "brier", "mae": "mae", "rmse": "rmse", "r2": "r2"}
SIZE = (4.2, 3.6)


def quality(model: Any, X: Any, y: Any) -> "Quality":
    """How good a model is for each target, by predictions of rows that it had not seen, where these are known.

    A rule ensemble, or a tree that folds have pruned, that is judged on its training table is judged by what the folds
    of its fit have said of each row, a forest with `oob_score=True` by its trees' out-of-bag predictions; any other
    model, and any other table, by the model's own predictions of these rows.

    Parameters
    ----------
    model : estimator
        Any fitted model of glade.
    X : table of shape (rows, inputs)
        Rows.
    y : table of shape (rows,) or (rows, targets)
        Their targets.

    Returns
    -------
    Quality
        With `frame()` and `plot()`; `how` and `is_unseen` say by which predictions.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["species", "bill_length_mm"]], penguins["sex"]
    >>> rules = glade.RuleEnsembleClassifier(max_rules=3, random_state=0).fit(X, y)
    >>> good = glade.quality(rules, X, y)
    >>> good.is_unseen, good.frame().columns.tolist()[:4]
    (True, ['target', 'verdict', 'explained', 'standard_error'])
    """
    check_model(model)
    rows = ReadRows.of(model, X, y)
    judged, events = Judged.of(model, rows, None), find_events(model, rows)
    told = describe_quality(judged, rows, model.schema_, model.target_schema_, events, [])
    parts = []
    for t, own in enumerate([] if told is None else told["targets"]):
        if own is not None:
            parts.append(Part(model.target_schema_.names[t], model.target_schema_.classes[t], events[t], own))
    return Quality(judged.how, judged.is_unseen, parts)


class Part(NamedTuple):
    """One target: its name, classes, event, and what is known of its predictions."""

    name: str
    classes: Any
    event: int | None
    facts: dict[str, Any]


class Quality(NamedTuple):
    """How good a model is, target by target. Made by `glade.quality`.

    Attributes
    ----------
    how : str
        By which predictions, in words.
    is_unseen : bool
        Whether these are of rows that the model had not seen.
    parts : list of Part
        The targets that are known in some rows.
    """

    how: str
    is_unseen: bool
    parts: list[Part]

    def frame(self) -> Any:
        """Return a row for each target.

        Returns
        -------
        DataFrame
            `target`, `verdict` (words), `explained` (the share of what varies) with its `standard_error`, and the
            figures that suit: `rmse`, `mae`, `r2` of numbers; `right`, `auc` (of the event), `log_loss`, `brier` of
            classes.
        """
        import pandas as pd

        rows = []
        for part in self.parts:
            verdict = part.facts["verdict"]
            row = {"target": part.name, "verdict": verdict["words"]}
            row |= {"explained": verdict["share"], "standard_error": verdict["se"]}
            row |= {FIGURES[key]: value for key, value in part.facts.items() if key in FIGURES}
            curve = None if part.event is None else _curve_of(part, part.event)
            if curve is not None:
                row["auc"] = curve["area"]
            rows.append(row)
        return pd.DataFrame(rows)

    def plot(self, target: str | None = None, *, label: Any = None) -> Any:
        """Draw how good the predictions of a target are.

        Of classes the receiver's curve and whether probabilities come true; of a number predicted beside actual values
        and how far predictions are off.

        Parameters
        ----------
        target : str, optional
            The first target by default.
        label : optional
            Of several classes the one to draw; by default the event, or the first class.

        Returns
        -------
        list of Axes
            The two axes that were drawn in.
        """
        part = self._find(target)
        axes = make_axes(2, None, SIZE)
        if part.classes is None:
            _draw_actual(axes[0], part)
            _draw_errors(axes[1], part)
        else:
            k = _find_class(part, label)
            _draw_curve(axes[0], part, k)
            _draw_calibration(axes[1], part, k)
        unseen = "rows it had not seen" if self.is_unseen else "rows it may have been fitted to"
        axes[0].figure.suptitle(show_plainly(f"{part.name}: {unseen}"), fontsize="medium")
        return axes

    def _find(self, target: str | None) -> Part:
        names = [part.name for part in self.parts]
        if not names or (target is not None and target not in names):
            raise InputError(f"no target {quote_name(target)}: there are {list_names(names)}")
        return self.parts[0 if target is None else names.index(target)]


def _find_class(part: Part, label: Any) -> int:
    if label is None:
        return part.event or 0
    places = np.flatnonzero(part.classes == label)
    if not len(places):
        raise InputError(f"no class {quote_name(label)}: the classes are {list_names([*part.classes])}")
    return int(places[0])


def _curve_of(part: Part, k: int) -> dict[str, Any] | None:
    """What is known of the curve of a class; none of classes that are too many, or where all rows are alike."""
    curves = part.facts["curves"]
    return curves[k] if k < len(curves) else None


def _draw_curve(ax: Any, part: Part, k: int) -> None:
    """Events found against false alarms, at all thresholds."""
    curve = _curve_of(part, k)
    name = show_plainly(part.classes[k])
    ax.plot([0, 1], [0, 1], color=NEUTRAL, linewidth=0.8, linestyle="--")
    if curve is not None:
        ax.plot(curve["alarms"], curve["found"], color=CLASSES[0], label=f"area {curve['area']:.2f}")
        ax.legend(loc="lower right")
    ax.set_xlabel("share of the others called wrongly")
    ax.set_ylabel(f"share of {name} found")


def _draw_calibration(ax: Any, part: Part, k: int) -> None:
    """What came of each predicted probability, with 95 % intervals."""
    curve = _curve_of(part, k)
    ax.plot([0, 1], [0, 1], color=NEUTRAL, linewidth=0.8, linestyle="--")
    for group in [] if curve is None else curve["bins"]:
        ax.plot([group["p"]] * 2, [group["low"], group["high"]], color=CLASSES[0], alpha=0.6)
        ax.plot([group["p"]], [group["share"]], "o", color=CLASSES[0])
    ax.set_xlabel(f"predicted probability of {show_plainly(part.classes[k])}")
    ax.set_ylabel("share that was so")


def _draw_actual(ax: Any, part: Part) -> None:
    """Predicted values against actual ones, a point for each cell that has rows."""
    cells = part.facts["cells"]
    if cells is not None:
        size = (cells["high"] - cells["low"]) / cells["n"]
        x, y, n = np.array(cells["cells"], float).T
        ax.plot([cells["low"], cells["high"]], [cells["low"], cells["high"]], color=NEUTRAL, linestyle="--")
        ax.scatter(*(cells["low"] + (own + 0.5) * size for own in (x, y)), s=6 + 24 * np.sqrt(n / n.max()), color=UP)
    ax.set_xlabel("predicted")
    ax.set_ylabel("actual")


def _draw_errors(ax: Any, part: Part) -> None:
    """How many predictions are off by how much."""
    off = part.facts["off"]
    if off is not None:
        edges = np.linspace(-off["most"], off["most"], len(off["bars"]) + 1)
        ax.bar((edges[:-1] + edges[1:]) / 2, off["bars"], width=np.diff(edges) * 0.95, color=UP)
        ax.axvline(0.0, color=DOWN, linewidth=0.8, linestyle="--")
    ax.set_xlabel("actual less predicted")
    ax.set_ylabel("rows")
