"""Rows down a multi-tree, into every split of every node they come to, and what their leaves say put together.

The splits of node k are first[k] .. first[k + 1] - 1; a leaf has none.
"""

from glade.core._compile import kernel
from glade.grow._route import child_of

TIE_BREAK = 1e-6  # of a vote goes to the classes by their shares: these decide where votes are equal


@kernel
def fuse_leaves(matrix, first, splits, value, takes_highest, stack, out):
    """out[i] = the sum, or the highest, of the values of all leaves that row i comes to."""
    for i in range(matrix.shape[0]):
        stack[0], n = 0, 1
        while n > 0:
            n -= 1
            node = stack[n]
            if first[node] == first[node + 1]:
                for c in range(out.shape[1]):
                    if takes_highest:
                        out[i, c] = max(out[i, c], value[node, c])
                    else:
                        out[i, c] += value[node, c]
            for s in range(first[node], first[node + 1]):
                stack[n] = child_of(matrix, i, s, splits)
                n += 1


@kernel
def fuse_votes(matrix, first, splits, value, target_start, places, parents, shares, out):
    """out[i] = class shares by votes: at a node with several splits, each votes for its likeliest class.

    A row's nodes are written down from the root, so that each comes after the one above it, and are then passed
    backwards.
    """
    n_channels = out.shape[1]
    for i in range(matrix.shape[0]):
        places[0], parents[0], n, k = 0, 0, 1, 0
        while k < n:
            node = places[k]
            is_leaf = first[node] == first[node + 1]
            for c in range(n_channels):
                shares[k, c] = value[node, c] if is_leaf else 0.0
            for s in range(first[node], first[node + 1]):
                places[n], parents[n] = child_of(matrix, i, s, splits), k
                n += 1
            k += 1
        for k in range(n - 1, 0, -1):
            up = parents[k]
            n_splits = first[places[up] + 1] - first[places[up]]
            if n_splits == 1:
                for c in range(n_channels):
                    shares[up, c] = shares[k, c]
            else:
                for t in range(target_start.shape[0] - 1):
                    best = target_start[t]
                    for c in range(target_start[t], target_start[t + 1]):
                        best = c if shares[k, c] > shares[k, best] else best
                    shares[up, best] += (1.0 - TIE_BREAK) / n_splits
                for c in range(n_channels):
                    shares[up, c] += TIE_BREAK / n_splits * shares[k, c]
        for c in range(n_channels):
            out[i, c] = shares[0, c]


@kernel
def tally_nodes(matrix, first, splits, amount, stack, tally):
    """tally[node] += amount[i] for every node that row i comes to."""
    for i in range(matrix.shape[0]):
        stack[0], n = 0, 1
        while n > 0:
            n -= 1
            node = stack[n]
            for c in range(amount.shape[1]):
                tally[node, c] += amount[i, c]
            for s in range(first[node], first[node + 1]):
                stack[n] = child_of(matrix, i, s, splits)
                n += 1
