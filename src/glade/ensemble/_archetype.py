"""The tree of a multi-tree that is most like another model, from the rows that come to each node.

A summary of a tree against that model is, for a nominal target of C classes, the C x C contingency matrix (the tree's
label, the model's label); for a numeric target, the sum of squared differences. Summaries of branches add up.
"""

import numpy as np

from glade.core._compile import inlined, kernel, part

THETA, KAPPA, Q = 0, 1, 2
SAME = 1e-12  # similarities that differ by less are one


@part
def measure_kappa(matrix, n_classes, n, theta):
    """Agreement beyond chance: (theta - theta2) / (1 - theta2)."""
    by_chance = 0.0
    for a in range(n_classes):
        row, column = 0.0, 0.0
        for b in range(n_classes):
            row += matrix[a * n_classes + b]
            column += matrix[b * n_classes + a]
        by_chance += row * column
    by_chance /= n * n
    if 1.0 - by_chance <= SAME:
        return 1.0 if 1.0 - theta <= SAME else 0.0
    return (theta - by_chance) / (1.0 - by_chance)


@part
def measure_q(matrix, n_classes):
    """(product of the diagonal - product of the rest) / (their sum), by logarithms."""
    log_agree, log_differ = 0.0, 0.0
    for a in range(n_classes):
        for b in range(n_classes):
            log = np.log(matrix[a * n_classes + b])  # of zero: minus infinity
            if a == b:
                log_agree += log
            else:
                log_differ += log
    if log_agree == -np.inf and log_differ == -np.inf:
        return 0.0
    return np.tanh((log_agree - log_differ) / 2.0)


@part
def measure(summary, targets, kind):
    """How similar a tree is by its summary, and how often it agrees; means over targets."""
    classes, summary_at, whole = targets.classes, targets.summary_at, targets.whole
    similarity, agreement = 0.0, 0.0
    for t in range(classes.shape[0]):
        matrix, n_classes = summary[summary_at[t] : summary_at[t + 1]], classes[t]
        if n_classes == 0:
            like = 1.0 - matrix[0] / whole[t]
            theta = like
        else:
            n, same = 0.0, 0.0
            for k in range(n_classes * n_classes):
                n += matrix[k]
            for a in range(n_classes):
                same += matrix[a * n_classes + a]
            theta = same / n if n > 0.0 else 1.0
            like = theta
            if kind == KAPPA and n > 0.0:
                like = measure_kappa(matrix, n_classes, n, theta)
            elif kind == Q:
                like = measure_q(matrix, n_classes)
        similarity += like
        agreement += theta
    return similarity / classes.shape[0], agreement / classes.shape[0]


@inlined
def is_better(similarity, agreement, leaves, best, best_leaves):
    """A higher similarity; of equal ones the higher agreement; of these fewer leaves."""
    if abs(similarity - best[0]) > SAME:
        return similarity > best[0]
    if abs(agreement - best[1]) > SAME:
        return agreement > best[1]
    return leaves < best_leaves


@part
def summarise_leaf(node, targets, summary):
    """The summary of a tree that is this node alone."""
    for k in range(summary.shape[0]):
        summary[k] = 0.0
    for t in range(targets.classes.shape[0]):
        n_classes, at = targets.classes[t], targets.summary_at[t]
        if n_classes == 0:
            summary[at] = targets.predicted[node, t]
        for b in range(n_classes):
            summary[at + np.int64(targets.predicted[node, t]) * n_classes + b] = targets.tally[
                node, targets.tally_at[t] + b
            ]


@kernel
def choose_splits(first, left, targets, kind, path, sums, chosen_sums, best, leaves, chosen):
    """chosen[node] = the split whose tree is most like the model on the rows that come to the node.

    The multi-tree is walked depth first; `path` has for each level its node, the split at hand, the branch of it, and
    `leaves` how many leaves the branches done and the chosen tree have. Returns the similarity of the whole tree.
    """
    n_sums = sums.shape[1]
    level, is_new = 0, True
    path[0, 0] = 0
    while True:
        node = path[level, 0]
        if is_new and first[node] == first[node + 1]:
            summarise_leaf(node, targets, chosen_sums[level])
            leaves[level, 1] = 1
            chosen[node], is_new = -1, False
        elif is_new:
            path[level, 1], path[level, 2], leaves[level, 0] = first[node], 0, 0
            best[level, 0] = -np.inf
            for k in range(n_sums):
                sums[level, k] = 0.0
            path[level + 1, 0] = left[first[node]]
            level += 1
        elif level == 0:
            return measure(chosen_sums[0], targets, kind)[0]
        else:
            level -= 1
            node, s = path[level, 0], path[level, 1]
            for k in range(n_sums):
                sums[level, k] += chosen_sums[level + 1, k]
            leaves[level, 0] += leaves[level + 1, 1]
            if path[level, 2] == 0:
                path[level, 2], path[level + 1, 0] = 1, left[s] + 1
                level, is_new = level + 1, True
                continue
            similarity, agreement = measure(sums[level], targets, kind)
            if is_better(similarity, agreement, leaves[level, 0], best[level], leaves[level, 1]):
                best[level, 0], best[level, 1], leaves[level, 1] = similarity, agreement, leaves[level, 0]
                chosen[node] = s
                for k in range(n_sums):
                    chosen_sums[level, k] = sums[level, k]
            if s + 1 < first[node + 1]:
                path[level, 1], path[level, 2], leaves[level, 0] = s + 1, 0, 0
                for k in range(n_sums):
                    sums[level, k] = 0.0
                path[level + 1, 0] = left[s + 1]
                level, is_new = level + 1, True


@kernel
def choose_within(split_node, left, score, room, start, best, chosen_split, leaves_left):
    """best[start[node] + k - 1] = the highest score of a tree of k leaves below the node, k up to room[node].

    A node's own score is that of a tree of one leaf; scores of branches add up. The splits are passed backwards, so
    that branches come before what they hang on.
    """
    for node in range(score.shape[0]):
        best[start[node]] = score[node]
        chosen_split[start[node]] = -1
        for k in range(1, room[node]):
            best[start[node] + k] = -np.inf
    for s in range(split_node.shape[0] - 1, -1, -1):
        node, a, b = split_node[s], left[s], left[s] + 1
        for i in range(room[a]):
            for j in range(min(room[b], room[node] - i - 1)):
                total, at = best[start[a] + i] + best[start[b] + j], start[node] + i + j + 1
                if total >= best[at]:  # of equal ones the split grown earlier
                    best[at], chosen_split[at], leaves_left[at] = total, s, i + 1
