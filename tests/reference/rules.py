"""The rules' twins: one row and one condition at a time."""

import numpy as np

from tests.reference.forest import goes_left


def list_steps(tree, node):
    """The way from the root to a node: (split, whether it goes left), as the tree has it, nothing merged."""
    parent, steps = tree.parent, []
    while node > 0:
        split = int(tree.split[parent[node]])
        steps.append((split, node == tree.split_left[split]))
        node = int(parent[node])
    return steps[::-1]


def path_covers(tree, node, row):
    """Whether a row fulfils every test on the way to a node."""
    return all(goes_left(tree, split, row) == left for split, left in list_steps(tree, node))


def rule_covers(rules, i, row):
    """Whether a row fulfils every merged condition of rule i."""
    conditions = rules.conditions
    for k in range(rules.start[i], rules.start[i + 1]):
        x, categories = row[conditions.input[k]], conditions.categories[k]
        if np.isnan(x):
            fulfilled = conditions.missing[k]
        elif categories is not None:
            fulfilled = int(x) in categories
        else:
            fulfilled = conditions.low[k] < x <= conditions.high[k]
        if not fulfilled:
            return False
    return True


def divisions(rules, covered):
    """By brute force: for each way to divide the rows in two, the rules that do it."""
    found = {}
    for i in range(len(rules)):
        inside = frozenset(np.flatnonzero(covered[:, i]).tolist())
        outside = frozenset(np.flatnonzero(~covered[:, i]).tolist())
        if inside and outside:
            found.setdefault(frozenset((inside, outside)), []).append(i)
    return found
