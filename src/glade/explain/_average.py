"""Predictions of trees averaged over rows, some inputs held at a point.

Sets of rows go down the trees together, as slices of one list of row numbers. A split on an input that counts divides
its slice; any other split hands the whole slice to both sides, which may put it in another order but do not change it.
The rows to average over go down by the inputs that are not held, the points by those that are: what an average costs is
the number of nodes plus the slices divided, not rows x points.

Many trees are one table of nodes with many roots, parents before children.
"""

from glade.core._compile import inlined, kernel, part
from glade.grow._route import child_of, input_of, left_of


@inlined
def left_child(nodes, node):
    """A node's left child; a leaf is its own."""
    return left_of(nodes.words[2 * node + 1])


@part
def divide(matrix, rows, start, end, node, nodes):
    """Put the rows of a slice that go left at a node first; returns where the others start."""
    left = left_child(nodes, node)
    while start < end:
        row = rows[start]
        if child_of(matrix, row, node, nodes) == left:
            start += 1
        else:
            end -= 1
            rows[start] = rows[end]
            rows[end] = row
    return start


@part
def push(stack, n, node, start, end):
    stack[n, 0] = node
    stack[n, 1] = start
    stack[n, 2] = end
    return n + 1


@part
def push_sides(matrix, rows, stack, n, start, end, node, counts, nodes):
    """Both sides of a node: parts of the slice where its input counts, else all of it twice."""
    left_end, right_start = end, start
    if counts[input_of(nodes.words[2 * node + 1])]:
        left_end = right_start = divide(matrix, rows, start, end, node, nodes)
    n = push(stack, n, left_child(nodes, node), start, left_end)
    return push(stack, n, left_child(nodes, node) + 1, right_start, end)


@kernel
def count_arrivals(matrix, counts, nodes, roots, rows, stack, arrived):
    """arrived[leaf] = the number of rows that come there if only the inputs that count have a say."""
    for r in range(roots.shape[0]):
        n = push(stack, 0, roots[r], 0, rows.shape[0])
        while n > 0:
            n -= 1
            node, start, end = stack[n, 0], stack[n, 1], stack[n, 2]
            if left_child(nodes, node) == node:
                arrived[node] += end - start
            elif start < end:
                n = push_sides(matrix, rows, stack, n, start, end, node, counts, nodes)


@kernel
def settle(counts, nodes, arrived, value, settled):
    """Node values become sums over the leaves below, each by its share of arrivals, where no split below counts."""
    for node in range(settled.shape[0] - 1, -1, -1):
        left = left_child(nodes, node)
        if left == node:
            settled[node] = True
            for c in range(value.shape[1]):
                value[node, c] *= arrived[node]
            continue
        is_counted = counts[input_of(nodes.words[2 * node + 1])]
        settled[node] = settled[left] and settled[left + 1] and not is_counted
        for c in range(value.shape[1]):
            value[node, c] = value[left, c] + value[left + 1, c]


@kernel
def add_averages(points, counts, nodes, roots, value, settled, rows, stack, out):
    """out[i] += the sum of the settled nodes that point i comes to by the inputs that count."""
    for r in range(roots.shape[0]):
        n = push(stack, 0, roots[r], 0, rows.shape[0])
        while n > 0:
            n -= 1
            node, start, end = stack[n, 0], stack[n, 1], stack[n, 2]
            if settled[node]:
                for k in range(start, end):
                    for c in range(out.shape[1]):
                        out[rows[k], c] += value[node, c]
            elif start < end:
                n = push_sides(points, rows, stack, n, start, end, node, counts, nodes)
