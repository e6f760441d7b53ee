"""Weakest-link pruning of a whole tree in one pass."""

from glade.core._compile import kernel, part

TIE = 1e-12


@part
def merge_heaps(a, b, alpha, left, right, rank, path):
    """Merge two leftist heaps (the largest alpha on top); -1 is the empty heap. Returns the top."""
    n = 0
    while a >= 0 and b >= 0:
        if alpha[a] < alpha[b]:
            a, b = b, a
        path[n] = a
        n += 1
        a = right[a]
    top = a if a >= 0 else b
    for k in range(n - 1, -1, -1):
        node = path[k]
        right[node] = top
        left_rank = rank[left[node]] if left[node] >= 0 else 0
        if left_rank < rank[top]:
            left[node], right[node] = right[node], left[node]
        rank[node] = 1 + (rank[right[node]] if right[node] >= 0 else 0)
        top = node
    return top


@kernel
def find_alphas(child, risk, alpha, top, cost, leaves, left, right, rank, path):
    """alpha[t] = the complexity price from which on the branch below node t is not worth its leaves.

    As a function of the price a, the best pruned branch at t costs min(risk[t] + a, best(left) + best(right)): a
    concave line of straight pieces, whose breaks are the alphas of the nodes below that are pruned before t is. They
    are kept in a heap. Coming from high prices, each break above the crossing with risk[t] + a is dropped (that node
    goes together with t), and the crossing becomes a break itself. Each node enters once and leaves at most once.

    child[t] is the left child, -1 for a leaf; children come after parents. cost and leaves are the straight piece just
    below the node's own break. The other arrays are room to work in.
    """
    for t in range(child.shape[0] - 1, -1, -1):
        top[t] = -1
        if child[t] < 0:
            continue
        first, second = child[t], child[t] + 1
        heap = merge_heaps(top[first], top[second], alpha, left, right, rank, path)
        c, n = risk[first] + risk[second], 2
        while True:
            price = max((risk[t] - c) / (n - 1), 0.0)
            if heap < 0 or alpha[heap] < price - TIE * price:
                break
            c += cost[heap] - risk[heap]
            n += leaves[heap] - 1
            heap = merge_heaps(left[heap], right[heap], alpha, left, right, rank, path)
        alpha[t], cost[t], leaves[t] = price, c, n
        left[t], right[t], rank[t] = heap, -1, 1
        top[t] = t
