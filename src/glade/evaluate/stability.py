"""Whether a list of rules comes out the same again on other rows, with another seed."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils._param_validation import Interval

from glade.core.errors import InputError
from glade.core.kinds import RULES, TREE
from glade.core.notices import silence_warnings
from glade.core.parameters import check_parameters
from glade.core.seeds import draw_seed
from glade.data.frames import to_table
from glade.data.groups import Groups
from glade.data.rows import take_rows
from glade.evaluate.fit_parameters import find_fit_parameters
from glade.evaluate.null import order_channels
from glade.explain.bars import Bars
from glade.models.base import TabularEstimator
from glade.rules.likeness import Tenths, find_dice, identify_rules, identify_terms

CONSTRAINTS = {
    "n_resamples": [Interval(Integral, 2, None, closed="left")],
    "fraction": [Interval(Real, 0.0, 1.0, closed="right")],
    "random_state": ["random_state"],
}


def stability(
    model: Any,
    X: Any,
    y: Any,
    n_resamples: int = 20,
    *,
    fraction: float = 0.5,
    groups: Any = None,
    sample_weight: Any = None,
    random_state: Any = None,
) -> "Stability":
    """Fit a model of rules again to halves of the rows, and count how often each of its rules comes back.

    Two rules are the same if their conditions agree in input, direction and set of categories, and if their cuts lie in
    the same tenth of the values of the whole table; a linear term is the same if it is of the same input.

    Parameters
    ----------
    model : estimator
        A rule ensemble or a tree of glade. If it is fitted, its terms are those that are looked for; otherwise those of
        a fit to all rows.
    X : array-like or dataframe of shape (rows, inputs)
        The inputs.
    y : array-like or dataframe of shape (rows,) or (rows, targets)
        The targets.
    n_resamples : int
        The number of fits. Each has its own rows and its own `random_state`.
    fraction : float
        The fraction of the rows that each fit is given, drawn without replacement. With 1.0 only the seeds differ.
    groups : array-like of shape (rows,), optional
        Labels of groups of rows that belong together; then whole groups are drawn.
    sample_weight : array-like of shape (rows,), optional
        The weights of the rows.
    random_state : int, RandomState or None
        The seed of the rows that are drawn and of the fits.

    Returns
    -------
    Stability
        With `frame()`, `plot()`, `dice` and `correlation`.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["species", "sex", "bill_length_mm"]], penguins["body_mass_g"]
    >>> rules = glade.RuleEnsembleRegressor(max_rules=3, random_state=0)
    >>> found = glade.stability(rules, X, y, n_resamples=3, random_state=0)
    >>> found.frame().columns.tolist()
    ['term', 'comes_back']
    >>> 0 <= found.dice <= 1
    True
    """
    given = {"n_resamples": n_resamples, "fraction": fraction, "random_state": random_state}
    check_parameters(CONSTRAINTS, given, "stability")
    X, seed = to_table(X), draw_seed(random_state)
    n_rows = X.shape[0]
    units = np.arange(n_rows) if groups is None else Groups.read(groups, n_rows).codes
    if not isinstance(model, TabularEstimator) or model.kind not in (RULES, TREE):
        raise InputError(f"{type(model).__name__} has no rules to look for: give a rule ensemble or a tree")
    whole = model if model.is_fitted else _fit(clone(model), X, y, groups, sample_weight)
    matrix = whole.encode(X)
    tenths, schema = Tenths.of(matrix, whole.schema_), whole.target_schema_
    lists, predictions = [], []
    for k in range(n_resamples):
        random = np.random.default_rng((seed, k))
        rows = _draw_rows(units, fraction, random)
        twin = clone(model)
        if "random_state" in twin.get_params(deep=False):
            twin.set_params(random_state=int(random.integers(2**31)))
        parts = [None if part is None else take_rows(part, rows) for part in (groups, sample_weight)]
        _fit(twin, take_rows(X, rows), take_rows(y, rows), *parts)
        lists.append(frozenset(_identify(twin, tenths)))
        predictions.append(order_channels(twin, schema, X))
    words = whole.model_.terms.design.words if whole.kind == RULES else whole.rules_.words
    return Stability(tuple(words), tuple(_identify(whole, tenths)), tuple(lists), _correlate(predictions))


def _fit(model: Any, X: Any, y: Any, groups: Any, sample_weight: Any) -> Any:
    with silence_warnings():
        return model.fit(X, y, **find_fit_parameters(model, groups, sample_weight))


def _draw_rows(units: NDArray[np.int64], fraction: float, random: np.random.Generator) -> NDArray[np.int64]:
    """The rows of some units (rows, or groups) that are drawn without replacement; at least one unit."""
    n_units = int(units.max(initial=-1)) + 1
    drawn = random.permutation(n_units)[: max(1, round(fraction * n_units))]
    return np.flatnonzero(np.isin(units, drawn))


def _identify(model: Any, tenths: Tenths) -> list[Hashable]:
    if model.kind == RULES:
        return identify_terms(model.model_.terms.design, tenths)
    return identify_rules(model.rules_, tenths)


def _correlate(predictions: Sequence[NDArray[np.float64]]) -> float:
    """The correlation of the predictions of two fits, on average over pairs and channels; 1 where both are constant."""
    found = []
    for one, other in combinations([_standardise(values) for values in predictions], 2):
        products, is_flat = (one * other).mean(axis=0), (~one.any(axis=0), ~other.any(axis=0))
        found.append(np.where(is_flat[0] & is_flat[1], 1.0, products).mean())
    return float(np.mean(found))


def _standardise(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column with mean 0 and variance 1; a constant one becomes 0."""
    centred = values - values.mean(axis=0)
    deviation = centred.std(axis=0)
    is_flat = deviation <= 1e-12 * np.abs(values).max(axis=0, initial=0.0)
    return np.where(is_flat, 0.0, centred / np.where(is_flat, 1.0, deviation))


@dataclass(frozen=True, eq=False)
class Stability:
    """How often the terms of a model come back in fits to other rows, and how alike these fits are.

    Attributes
    ----------
    terms : tuple of str
        The terms of the model, in words.
    keys : tuple
        For each term what the same terms of all fits have in common.
    lists : tuple of frozensets
        For each fit the keys of its terms.
    correlation : float
        The correlation of the predictions of two fits for all rows, on average over pairs of fits and over targets.
    """

    terms: tuple[str, ...]
    keys: tuple[Hashable, ...]
    lists: tuple[frozenset[Hashable], ...]
    correlation: float

    @property
    def dice(self) -> float:
        """The fraction of their terms that two fits have in common (Dice and Sørensen), on average over all pairs."""
        return float(np.mean([find_dice(one, other) for one, other in combinations(self.lists, 2)]))

    @property
    def comes_back(self) -> NDArray[np.float64]:
        """Of each term the fraction of the fits that have it."""
        return np.array([np.mean([key in own for own in self.lists]) for key in self.keys])

    def frame(self) -> Any:
        """Return how often each term comes back, the commonest first.

        Returns
        -------
        DataFrame
            The columns `term` (in words) and `comes_back` (the fraction of the fits that have it).
        """
        import pandas as pd

        table = pd.DataFrame({"term": list(self.terms), "comes_back": self.comes_back})
        return table.sort_values("comes_back", ascending=False, kind="stable", ignore_index=True)

    def plot(self, ax: Any = None) -> Any:
        """Draw how often each term comes back.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        Axes
            The axes that were drawn in.
        """
        table = self.frame()
        end = table["comes_back"].to_numpy()
        bars = Bars(
            table=table,
            names=table["term"].tolist(),
            start=np.zeros(len(end)),
            end=end,
            title=f"{self.dice:.0%} of the terms are common to two fits",
            unit=f"fraction of {len(self.lists)} fits that have the term",
        )
        axes = bars.plot(ax)
        axes.set_xlim(0.0, 1.0)
        return axes
