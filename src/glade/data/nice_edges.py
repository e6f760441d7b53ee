"""Few edges for each numeric input, each the shortest decimal near a quantile: cuts that a person can remember."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs, Edges, apply_edges, find_edges
from glade.data.decimals import shortest_between
from glade.data.table import Table

Doubles = NDArray[np.float64]

NICE, EXACT = "nice", "exact"  # the values of the parameter `cuts`
N_PARTS = 32
TAILS = (0.0025, 0.005, 0.01, 0.02)  # quantiles beyond the outermost of the even ones; the same at the upper end
REACH = 0.5  # of the way to the neighbouring quantiles: how far an edge may move
MOST_EXACT = 40  # distinct values up to which there is an edge between any two


def find_nice_edges(table: Table, weights: Doubles) -> Mapping[int, Doubles]:
    """For each numeric input the edges of its ranges, ascending.

    Parameters
    ----------
    table
        The inputs.
    weights
        Of the rows.

    Examples
    --------
    >>> from glade.data.table import read_table
    >>> values = np.linspace(0.0, 97.3, 1_000)
    >>> find_nice_edges(read_table(values[:, None]), np.ones(1_000))[0][18:22].tolist()
    [46.0, 50.0, 52.0, 55.0]
    """
    return {j: _find_edges(table.values[j], weights) for j, labels in enumerate(table.labels) if labels is None}


def find_nice_codes(table: Table, weights: Doubles) -> Edges:
    """The ranges of values that codes stand for, which end at nice edges.

    Parameters
    ----------
    table
        The inputs.
    weights
        Of the rows.
    """
    return find_edges(table, weights, None, find_nice_edges(table, weights))


def code_nicely(table: Table, weights: Doubles) -> CodedInputs:
    """The inputs as integer codes, whose ranges end at nice edges.

    Parameters
    ----------
    table
        The inputs.
    weights
        Of the rows.
    """
    return apply_edges(table, find_nice_codes(table, weights))


def list_quantiles() -> Doubles:
    """The quantiles that edges are near: even ones, and finer ones in both tails."""
    even, tails = np.arange(1, N_PARTS) / N_PARTS, np.array(TAILS)
    return np.unique(np.concatenate((tails, even, 1.0 - tails)))


def _find_edges(values: Doubles, weights: Doubles) -> Doubles:
    known = ~np.isnan(values)
    distinct, place = np.unique(values[known] + 0.0, return_inverse=True)
    if len(distinct) < 2:
        return np.zeros(0)
    if len(distinct) <= MOST_EXACT:
        gaps = np.arange(len(distinct) - 1)
        return _cut(distinct, gaps, gaps, gaps)
    mass = np.bincount(place, weights[known])
    below = np.cumsum(mass)[:-1] / mass.sum()  # the fraction of the rows below each gap between two values
    wanted = list_quantiles()
    bounds = np.concatenate(([0.0], wanted, [1.0]))
    first = wanted - REACH * (wanted - bounds[:-2])
    last = wanted + REACH * (bounds[2:] - wanted)
    lowest, highest = np.searchsorted(below, first), np.searchsorted(below, last, side="right") - 1
    nearest = _find_nearest(below, wanted)
    # Where no gap is in reach, a common value lies there: the gaps on both of its sides are edges.
    empty = highest < lowest
    beside = np.unique(np.concatenate((lowest[empty] - 1, lowest[empty])))
    beside = beside[(beside >= 0) & (beside < len(below))]
    own = ~empty
    low = np.concatenate((lowest[own], beside))
    high = np.concatenate((highest[own], beside))
    near = np.concatenate((np.clip(nearest[own], lowest[own], highest[own]), beside))
    edges = np.unique(_cut(distinct, low, high, near))
    places = np.searchsorted(distinct, edges, side="right")
    return edges[np.unique(places, return_index=True)[1]]  # one edge for each way to divide the rows


def _find_nearest(below: Doubles, wanted: Doubles) -> NDArray[np.int64]:
    """Of each quantile the gap that is nearest to it."""
    after = np.clip(np.searchsorted(below, wanted), 1, len(below) - 1) if len(below) > 1 else np.zeros(len(wanted), int)
    return np.asarray(np.where((after > 0) & (wanted - below[after - 1] < below[after] - wanted), after - 1, after))


def _cut(distinct: Doubles, low: NDArray[np.int64], high: NDArray[np.int64], near: NDArray[np.int64]) -> Doubles:
    """The shortest decimals from the lower value of the gap `low` to the upper value of the gap `high`."""
    about = distinct[near] / 2 + distinct[near + 1] / 2
    return shortest_between(distinct[low], distinct[high + 1], about)
