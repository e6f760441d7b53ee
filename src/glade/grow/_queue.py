"""The nodes to be divided: a heap by gain, or a stack."""

from glade.core._compile import inlined, part
from glade.grow.layout import N_QUEUED


@inlined
def comes_first(nodes, a, b):
    """Whether node a is divided before node b: the higher gain, the earlier node among equals."""
    return nodes[a].gain > nodes[b].gain or (nodes[a].gain == nodes[b].gain and a < b)


@part
def push_node(queue, counters, best_first, nodes, node):
    """Put a node that has a split among those to be divided."""
    i = counters[N_QUEUED]
    counters[N_QUEUED] += 1
    while best_first and i > 0:
        up = (i - 1) // 2
        if comes_first(nodes, queue[up], node):
            break
        queue[i] = queue[up]
        i = up
    queue[i] = node


@part
def pop_node(queue, counters, best_first, nodes):
    """Take the next node to be divided."""
    counters[N_QUEUED] -= 1
    size = counters[N_QUEUED]
    last = queue[size]
    if not best_first or size == 0:
        return last
    top = queue[0]
    i, down = 0, 1
    while down < size:
        if down + 1 < size and comes_first(nodes, queue[down + 1], queue[down]):
            down += 1
        if comes_first(nodes, last, queue[down]):
            break
        queue[i] = queue[down]
        i, down = down, 2 * down + 1
    queue[i] = last
    return top
