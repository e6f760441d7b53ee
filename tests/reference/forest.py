"""The ensemble's twins: a row's way down a stored tree, and the loop with memory by its formulas."""

import numpy as np

from glade.grow.node_table import SplitKind
from tests.reference.tree import Criterion, Target, grow_reference


def find_leaf(tree, row):
    """The leaf of one encoded row, by the rules of `NodeTable`."""
    node = 0
    while tree.split[node] >= 0:
        s = tree.split[node]
        node = tree.split_left[s] + (0 if goes_left(tree, s, row) else 1)
    return node


def goes_left(tree, split, row):
    """Whether an encoded row goes left at a split, by the rules of `NodeTable`."""
    x, kind, missing_left = row[tree.split_input[split]], tree.split_kind[split], bool(tree.split_missing_left[split])
    if np.isnan(x):
        return missing_left
    if kind == SplitKind.NOMINAL:
        return (int(x) in tree.set_of(split).tolist()) != missing_left
    return kind == SplitKind.IS_MISSING or bool(x <= tree.split_cut[split])


def softmax(scores):
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def list_leaves(node):
    return [leaf for part in node.parts for leaf in list_leaves(part)] if node.parts else [node]


def boost_reference(inputs, targets, settings, nu, n_trees):
    """F on the training rows after each tree, all rows in every sample.

    `targets` are `Target`s of known values. A numeric target is standardised once, before the first tree; a nominal one
    has a score for each class.
    """
    blocks, scales = [], []
    for target in targets:
        if target.nominal:
            blocks.append(np.eye(int(target.values.max()) + 1)[target.values.astype(int)])
            scales += [1.0] * blocks[-1].shape[1]
        else:
            blocks.append(target.values[:, None])
            scales.append(1.0 / target.values.var())
    starts = [
        np.log(block.mean(axis=0)) if target.nominal else block.mean(axis=0)
        for target, block in zip(targets, blocks, strict=True)
    ]
    F = [np.tile(start, (len(block), 1)) for start, block in zip(starts, blocks, strict=True)]
    history = []
    for _ in range(n_trees):
        shares = [softmax(f) if target.nominal else f for target, f in zip(targets, F, strict=True)]
        gradient = [block - share for block, share in zip(blocks, shares, strict=True)]
        channels = np.column_stack(gradient)
        # `Criterion` divides by the variance of what it is given; the target weights undo that
        counts = channels.var(axis=0) * scales
        criterion = Criterion([Target(c) for c in channels.T], np.ones(len(channels)), target_weights=counts)
        for leaf in list_leaves(grow_reference(inputs, criterion, settings)):
            for t, target in enumerate(targets):
                g = gradient[t][leaf.rows]
                if target.nominal:
                    p = shares[t][leaf.rows]
                    step = (1 - 1 / g.shape[1]) * g.sum(axis=0) / np.sum(p * (1 - p), axis=0)
                else:
                    step = g.mean(axis=0)
                F[t][leaf.rows] += nu * step
        history.append([f.copy() for f in F])
    return history
