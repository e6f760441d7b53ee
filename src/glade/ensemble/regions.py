"""What a multi-tree says over the regions of its nodes, without any rows: integrals over boxes of the inputs.

A node stands for a region: an interval or a set of categories of each input. What all trees say together, fused at
every node, is a sum over leaves: weight times value where the leaf's region is; for classes a leaf's value is the one
that all trees together find likeliest in its region. Inputs are taken for independent within
a region, so that the share of one region that lies in another is a product over inputs; how many rows a region has is
what the training rows say.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.ensemble.fusion import BY_GAIN, MEAN
from glade.ensemble.multitree import MultiTree
from glade.ensemble.records import NodePredictions
from glade.ensemble.synthetic_rows import Marginals
from glade.grow.node_table import NodeTable, SplitKind

Floats = NDArray[np.float64]

LINEAR = (MEAN, BY_GAIN)  # the fusions that are sums over leaves
PAIRS_AT_ONCE = 4_000_000
MOST_PAIRS = 2_000_000_000  # of nodes and leaves: beyond, rows are faster


@dataclass(frozen=True)
class InputRegions:
    """The different sets of one input that nodes have.

    Parameters
    ----------
    of_node
        Of each node the number of its set.
    common
        Sets x sets: the probability of a value (or of none) that is in both.
    """

    of_node: NDArray[np.int32]
    common: Floats


def expect_nodes(
    multitree: MultiTree, marginals: Marginals, fusion: str, node_values: Floats | None = None
) -> NodePredictions:
    """Return what the fused multi-tree says at each node, on average over its region, beside what the node says.

    Parameters
    ----------
    multitree
        Whose trees are to be compared with what all say together.
    marginals
        The distribution of each input.
    fusion
        How they are put together; it must be a sum.
    node_values
        What each node says as a leaf, nodes x channels; its values by default.
    """
    nodes = multitree.nodes
    if fusion not in LINEAR:
        raise InputError(f"how='analytic' needs fusion='mean' or 'gain', whose sums it adds up, but it is {fusion!r}")
    weight = multitree.node_weights(multitree.gain_shares if fusion == BY_GAIN else multitree.even_shares)
    leaves = np.flatnonzero(nodes.is_leaf)
    if len(leaves) ** 2 > MOST_PAIRS:
        raise InputError(
            f"how='analytic' compares {len(leaves):,} leaves with one another, which takes too long: use"
            " how='invented', or fewer n_alternatives"
        )
    centre = nodes.value[0]
    amounts = (nodes.value[leaves] - centre) * weight[leaves, None]
    mean = find_means(nodes, marginals, leaves, amounts)  # less the centre
    finer = list_details(multitree, mean + centre, centre) * weight[leaves, None]
    told = mean_and_variance(multitree, mean, find_means(nodes, marginals, leaves, finer))
    sums = np.zeros((nodes.n_nodes, told.shape[1]))
    sums[leaves] = told * (nodes.weight[leaves] / nodes.weight[0])[:, None]
    node_values = nodes.value if node_values is None else node_values
    return _describe(multitree, _add_up(multitree, sums), centre, node_values)


def list_details(multitree: MultiTree, mean: Floats, centre: Floats) -> Floats:
    """Return leaves x columns: what all trees say in a leaf's region, as it is told of rows.

    Of classes a one for the one that is said; of a number the mean, less the centre, and the square of that.

    Parameters
    ----------
    multitree
        Whose leaves these are.
    mean
        Leaves x channels: what all trees say, on average over the region.
    centre
        Of each channel.
    """
    parts = []
    for t, classes in enumerate(multitree.schema.classes):
        at = multitree.schema.channels_of(t)
        if classes is None:
            off = mean[:, at] - centre[at]
            parts.append(np.hstack((off, off**2)))
        else:
            parts.append(np.eye(len(classes))[multitree.schema.decision_of(t).pick(mean[:, at])])
    return np.hstack(parts)


def mean_and_variance(multitree: MultiTree, mean: Floats, details: Floats) -> Floats:
    """Return leaves x columns: of a class its share of the region, of a number the mean and the mean square.

    Parameters
    ----------
    multitree
        Whose leaves these are.
    mean
        Leaves x channels: what all trees say on average, less the centre.
    details
        The averages of what `list_details` gives, from which the variance within a region comes.
    """
    told, place = details.copy(), 0
    for t, classes in enumerate(multitree.schema.classes):
        if classes is None:
            own = mean[:, multitree.schema.channels_of(t).start]
            variance = np.maximum(details[:, place + 1] - details[:, place] ** 2, 0.0)
            told[:, place], told[:, place + 1] = own, own**2 + variance
        place += 2 if classes is None else len(classes)
    return told


def _add_up(multitree: MultiTree, sums: Floats) -> Floats:
    """The sums of all nodes from those of the leaves; of several splits of a node, the mean."""
    nodes, share = multitree.nodes, multitree.even_shares[:, None]
    for splits in reversed(nodes.splits_by_level()):
        left = nodes.split_left[splits]
        np.add.at(sums, nodes.split_node[splits], share[splits] * (sums[left] + sums[left + 1]))
    return sums


def find_means(nodes: NodeTable, marginals: Marginals, leaves: NDArray[np.int64], amounts: Floats) -> Floats:
    """Leaves x columns: the mean over each leaf's region of what all leaves' regions add up to.

    Parameters
    ----------
    nodes
        Of a multi-tree.
    marginals
        The distribution of each input.
    leaves
        Places of nodes.
    amounts
        Leaves x columns: what each adds where its region is.
    """
    regions = [own for own in _list_regions(nodes, marginals) if len(own.common) > 1]
    sums, size = np.empty((len(leaves), amounts.shape[1])), np.empty(len(leaves))
    step = max(1, PAIRS_AT_ONCE // max(len(leaves), 1))
    for first in range(0, len(leaves), step):
        part = slice(first, first + step)
        shared, own_size = np.ones((len(leaves[part]), len(leaves))), np.ones(len(leaves[part]))
        for region in regions:
            own = region.of_node[leaves[part]]
            shared *= region.common[own[:, None], region.of_node[leaves]]
            own_size *= region.common[own, own]
        sums[part], size[part] = shared @ amounts, own_size
    return np.divide(sums, size[:, None], out=amounts.copy(), where=size[:, None] > 0)


def _list_regions(nodes: NodeTable, marginals: Marginals) -> list[InputRegions]:
    """Of each input the sets of its nodes."""
    n_inputs = len(marginals.missing)
    return [_find_regions(nodes, marginals, j) for j in range(n_inputs)]


def _find_regions(nodes: NodeTable, marginals: Marginals, j: int) -> InputRegions:
    own = slice(int(marginals.start[j]), int(marginals.start[j + 1]))
    values, share = marginals.values[own], np.diff(marginals.up_to[own], prepend=0.0) * (1 - marginals.missing[j])
    sets, numbers = [np.ones(len(values) + 1, bool)], dict[bytes, int]()
    of_node = np.zeros(nodes.n_nodes, np.int32)
    for splits in nodes.splits_by_level():
        left = nodes.split_left[splits]
        of_node[left] = of_node[left + 1] = of_node[nodes.split_node[splits]]
        for s in splits[nodes.split_input[splits] == j].tolist():
            place, goes_left = int(nodes.split_left[s]), _mark_left(nodes, s, values)
            for side, mask in enumerate((goes_left, ~goes_left)):
                inside = sets[of_node[place + side]] & mask
                number = numbers.setdefault(inside.tobytes(), len(sets))
                if number == len(sets):
                    sets.append(inside)
                of_node[place + side] = number
    masks = np.array(sets)
    find_common = _find_common_labels if marginals.is_label[j] else _find_common_intervals
    is_missing = masks[:, -1].astype(float)
    common = find_common(masks[:, :-1], share) + marginals.missing[j] * np.outer(is_missing, is_missing)
    return InputRegions(of_node, common)


def _find_common_labels(masks: NDArray[np.bool_], share: Floats) -> Floats:
    """Sets x sets of labels: the share of the labels that both have."""
    return np.asarray((masks * share) @ masks.T.astype(float))


def _find_common_intervals(masks: NDArray[np.bool_], share: Floats) -> Floats:
    """The same for intervals of values that ascend."""
    up_to = np.append(0.0, np.cumsum(share))
    first = np.where(masks.any(axis=1), masks.argmax(axis=1), 0)
    low, high = up_to[first], up_to[first + masks.sum(axis=1)]
    return np.maximum(np.minimum.outer(high, high) - np.maximum.outer(low, low), 0.0)


def _mark_left(nodes: NodeTable, s: int, values: Floats) -> NDArray[np.bool_]:
    """Which values, and at the end whether none at all, go to the left branch of a split."""
    kind, missing = SplitKind(int(nodes.split_kind[s])), bool(nodes.split_missing_left[s])
    if kind == SplitKind.NOMINAL:
        return np.append(np.isin(values, nodes.set_of(s)) != missing, missing)
    cut = np.inf if kind == SplitKind.IS_MISSING else nodes.split_cut[s]
    return np.append(values <= cut, missing)


def _describe(multitree: MultiTree, sums: Floats, centre: Floats, node_values: Floats) -> NodePredictions:
    """What is told of the rows of each node, in the form of sums over rows that there are."""
    schema, nodes = multitree.schema, multitree.nodes
    classes = np.array([0 if own is None else len(own) for own in schema.classes], np.int64)
    rows, place = nodes.weight / nodes.weight[0], 0
    tally, predicted, whole = [], np.empty((nodes.n_nodes, len(classes))), np.ones(len(classes))
    for t, n_classes in enumerate(classes):
        at = schema.channels_of(t)
        own = sums[:, place : place + (n_classes or 2)]
        place += own.shape[1]
        if n_classes:
            tally.append(own)
            predicted[:, t] = schema.decision_of(t).pick(node_values[:, at])
            continue
        total, square = own.T
        value = node_values[:, at.start] - centre[at.start]
        whole[t] = max(float(square[0] - total[0] ** 2), 0.0) or 1.0
        predicted[:, t] = np.maximum(square - 2.0 * value * total + rows * value**2, 0.0)
        tally.append(np.zeros((nodes.n_nodes, 3)))
    tally_at = np.cumsum([0, *(part.shape[1] for part in tally)])
    summary_at = np.append(0, np.cumsum(np.where(classes > 0, classes**2, 1)))
    return NodePredictions(classes, np.hstack(tally), tally_at, predicted, whole, summary_at)
