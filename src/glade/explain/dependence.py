"""Partial dependence: the mean prediction as one input, or two, take their values."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from glade.core.errors import InputError
from glade.core.kinds import MULTITREE
from glade.core.names import list_names
from glade.core.parameters import check_parameters
from glade.data.targets import TargetSchema
from glade.explain.contributions import name_channels
from glade.explain.grid import Axis, find_inputs
from glade.explain.sampling import encode_sample

POINTS_OF_ONE, POINTS_OF_TWO = 50, 20
CONSTRAINTS = {
    "n_points": [Interval(Integral, 2, None, closed="left"), None],
    "max_rows": [Interval(Integral, 1, None, closed="left"), None],
    "random_state": ["random_state"],
}


def dependence(
    model: Any,
    X: Any,
    inputs: Any,
    *,
    n_points: int | None = None,
    max_rows: int | None = None,
    random_state: Any = None,
) -> "Dependence":
    """How the mean prediction depends on one input, or on two together.

    At each point, the inputs asked for have the point's values in every row and all others stay as they are; the
    predictions are averaged over the rows. This is computed exactly: a rule adds the share of the rows that fulfil its
    other conditions, a leaf of a tree is such a rule, a linear term adds its value.

    Parameters
    ----------
    model : fitted model
        A tree, a forest or a rule ensemble of glade.
    X : table of shape (rows, inputs)
        The rows to average over, such as those the model was fitted on.
    inputs : name, position, or two of them
        What to look at.
    n_points : int, optional
        A numeric input of more values has so many points, at quantiles: 50 for one input, 20 for two. A nominal input
        has a point for each category; of two together, for its so many commonest ones. A missing value is a point of
        its own where training or `X` has some.
    max_rows : int, optional
        Average over so many rows, drawn from `X`; all by default.
    random_state : int, RandomState or None
        For drawing rows.

    Returns
    -------
    Dependence
        With `frame()` and `plot()`. For classes of rule ensembles and of forests with a learning rate above 0 it is the
        mean score of the class, of other trees and forests its mean probability.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["species", "sex", "bill_depth_mm"]], penguins["body_mass_g"]
    >>> tree = glade.TreeRegressor(max_leaf_nodes=6).fit(X, y)
    >>> glade.dependence(tree, X, "species").frame().round()
         species       target class  dependence
    0     Adelie  body_mass_g  None      3693.0
    1  Chinstrap  body_mass_g  None      3693.0
    2     Gentoo  body_mass_g  None      5133.0
    """
    given = {"n_points": n_points, "max_rows": max_rows, "random_state": random_state}
    check_parameters(CONSTRAINTS, given, "dependence")
    rows = encode_sample(model, X, max_rows, random_state)
    places = find_inputs(model.schema_, inputs)
    if len(places) not in (1, 2) or len(set(places)) < len(places):
        raise InputError(f"give one input, or two different ones, not {list_names([*map(str, places)]) or 'none'}")
    is_pair = len(places) == 2
    n_points = n_points or (POINTS_OF_TWO if is_pair else POINTS_OF_ONE)
    limit = n_points if is_pair else None
    axes = tuple(Axis.of(model.schema_, j, rows[:, j], n_points, limit) for j in places)
    explainer = model.make_explainer()
    points = np.stack(np.meshgrid(*(axis.codes for axis in axes), indexing="ij"), axis=-1)
    values = explainer.averages(rows).at(places, points.reshape(-1, len(axes)))
    shape = (*(len(axis) for axis in axes), values.shape[1])
    return Dependence(axes, model.target_schema_, values.reshape(shape), explainer.adds_scores)


def average_predictions(
    model: Any, rows: NDArray[np.float64], j: int, points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Points x channels: the mean prediction over rows of an encoded table, input j being as the points have it.

    Where predictions are the sums that a model adds up, they are averaged as `dependence` does it; else, as for
    probabilities made of scores and for multi-trees, by every row at every point.
    """
    are_sums = all(classes is None for classes in model.target_schema_.classes) and model.kind != MULTITREE
    if are_sums:
        return model.make_explainer().averages(rows).at([j], points[:, None])
    changed, means = rows.copy(), []
    for x in points:
        changed[:, j] = x
        means.append(model.predict_values(changed).mean(axis=0))
    return np.array(means)


@dataclass(frozen=True)
class Dependence:
    """The mean prediction at the points of one input or two.

    Attributes
    ----------
    axes : tuple of Axis
        The points.
    targets : TargetSchema
    values : array of points (x points) x channels
        A numeric target is one channel, a nominal one has a channel for each class.
    adds_scores : bool
        Whether classes have scores here, not probabilities.
    """

    axes: tuple[Axis, ...]
    targets: TargetSchema
    values: NDArray[np.float64]
    adds_scores: bool

    @property
    def inputs(self) -> tuple[str, ...]:
        """What was asked for."""
        return tuple(axis.name for axis in self.axes)

    def frame(self) -> Any:
        """A dataframe of the inputs, target, class and dependence: a row for each point, target and class.

        An input named like another column is called "input ..." here. The class of a numeric target is None.
        """
        import pandas as pd

        names, classes = name_channels(self.targets)
        places = np.indices(self.values.shape).reshape(len(self.axes) + 1, -1)
        order = np.lexsort((*places[-2::-1], places[-1]))  # by channel, then by point
        columns: dict[str, Any] = {}
        for axis, at in zip(self.axes, places[:-1], strict=True):
            columns[_free_name(axis.name, columns)] = pd.Series(axis.values).array.take(at[order])
        channel = places[-1][order]
        columns["target"] = pd.Series(names).array.take(channel)
        columns["class"] = pd.Series(classes[channel], dtype=object)
        columns["dependence"] = self.values.reshape(-1)[order]
        return pd.DataFrame(columns)

    def plot(self, ax: Any = None, *, target: str | None = None, label: Any = None) -> Any:
        """Draw it with Matplotlib: a panel for each target; of two inputs, a map for each number and class.

        Parameters
        ----------
        ax
            Where to draw, if there is one panel; new axes by default.
        target, label
            One target, one of its classes; all by default.

        Returns
        -------
        Axes, or a list of them
        """
        from glade.explain.dependence_plot import draw_lines, draw_maps

        return (draw_lines if len(self.axes) == 1 else draw_maps)(self, ax, target, label)

    def unit_of(self, target: int) -> str:
        """What the values of a target are: means of predictions, probabilities or scores."""
        if self.targets.classes[target] is None:
            return "mean prediction"
        return "mean score" if self.adds_scores else "mean probability"

    def pick(self, target: str | None, label: Any) -> list[tuple[int, int]]:
        """Target and channel, for all or for those asked for; of two classes' scores one, if they mirror each other."""
        picked = []
        for t, (name, classes) in enumerate(zip(self.targets.names, self.targets.classes, strict=True)):
            labels = [None] if classes is None else classes.tolist()
            is_mirrored = self.adds_scores and len(labels) == 2 and label is None
            for k, own in enumerate(labels):
                if target in (None, name) and label in (None, own) and not (is_mirrored and k == 0):
                    picked.append((t, int(self.targets.start[t]) + k))
        if not picked:
            raise InputError(f"no such target or class: the targets are {list_names(self.targets.names)}")
        return picked


def _free_name(name: str, taken: Any) -> str:
    while name in taken or name in ("target", "class", "dependence"):
        name = f"input {name}"
    return name
