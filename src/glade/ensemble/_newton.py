"""What a Newton step is made of, for all nodes of a tree."""

from glade.core._compile import kernel


@kernel
def sum_slopes(channels, gradient, curvature, weights, rows, leaves, nodes, sums):
    """sums[0, node, c] = the sum of the gradients of the sampled rows in the node, sums[1] = that of their curvatures.

    Unknown targets do not count.
    """
    start_of = channels.target_start
    for i in range(rows.shape[0]):
        r = rows[i]
        leaf, w = leaves[r], weights[r]
        for t in range(start_of.shape[0] - 1):
            if channels.known.shape[0] > 0 and not channels.known[r, t]:
                continue
            for c in range(start_of[t], start_of[t + 1]):
                sums[0, leaf, c] += w * gradient[r, c]
                sums[1, leaf, c] += w * curvature[r, c]
    for node in range(nodes.shape[0] - 1, -1, -1):
        left = nodes[node].left
        if left >= 0:
            for k in range(2):
                for c in range(sums.shape[2]):
                    sums[k, node, c] = sums[k, left, c] + sums[k, left + 1, c]
