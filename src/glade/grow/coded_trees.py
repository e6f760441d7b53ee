"""Trees in codes, as they grew, to trees as they are stored."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.data.coding import CodedInputs
from glade.data.targets import EncodedTargets
from glade.grow.layout import NOMINAL
from glade.grow.node_table import NodeTable


class CodedTree(NamedTuple):
    """One tree in codes. A node that a best-first growth found a split for but did not divide has no left child."""

    nodes: NDArray[np.void]  # of `layout.NODE`
    value: NDArray[np.float64]
    pool: NDArray[np.int32]  # the categories that nominal splits refer to


def to_node_tables(
    nodes: NDArray[np.void],
    value: NDArray[np.float64],
    n_nodes: Sequence[int],
    pool: NDArray[np.int32],
    inputs: CodedInputs,
    targets: EncodedTargets,
) -> list[NodeTable]:
    tables, at = [], 0
    for n in n_nodes:
        tables.append(_one(nodes[at : at + n], value[at : at + n], pool, inputs, targets))
        at += n
    return tables


def _one(nodes, value, pool, inputs, targets):
    n = len(nodes)
    real = nodes["twin_of"] == np.arange(n)
    new_id = (np.cumsum(real) - 1).astype(np.int32)
    split = np.flatnonzero(nodes["left"] >= 0)
    owner = nodes["twin_of"][split]
    split = split[np.argsort(owner, kind="stable")]
    s = nodes[split]
    node = new_id[s["twin_of"]]
    first = np.full(int(real.sum()), -1, np.int32)
    first[node[::-1]] = np.arange(len(split) - 1, -1, -1)
    whole, unit = nodes["weight"][0], targets.impurity_unit
    cut = np.empty(len(s))
    inputs.find_cuts(
        s["input"].copy(),
        s["below"].copy(),
        np.where(s["kind"] == 3, inputs.columns.n_codes[s["input"]], s["above"]).astype(np.int32),
        cut,
    )
    nominal = s["kind"] == NOMINAL
    length = np.where(nominal, s["set_end"] - s["set_start"], 0)
    end = np.cumsum(length)
    of_pool = np.repeat(s["set_start"] - (end - length), length) + np.arange(length.sum())
    r = nodes[real]
    return NodeTable(
        split=first,
        depth=r["depth"].copy(),
        weight=r["weight"].copy(),
        rows=r["end"] - r["start"],
        risk=r["impurity"] / whole * unit,
        value=targets.decode(value[real]),
        split_node=node,
        split_input=s["input"].copy(),
        split_cut=cut,
        split_missing_left=s["missing_left"] != 0,
        split_missing_seen=s["missing_seen"] != 0,
        split_gain=s["gain"] / whole * unit,
        split_left=new_id[s["left"]],
        set_start=end - length,
        set_end=end,
        categories=pool[of_pool],
    )
