"""Nodes to be expanded: a heap by gain, or a stack."""

from glade.core._compile import inlined, part


@inlined
def comes_first(gain, a, b):
    """Whether node a is expanded before node b: the higher gain, the earlier node among equals."""
    return gain[a] > gain[b] or (gain[a] == gain[b] and a < b)


@part
def push_node(heap, size, node, gain):
    i = size
    while i > 0:
        up = (i - 1) // 2
        if comes_first(gain, heap[up], node):
            break
        heap[i] = heap[up]
        i = up
    heap[i] = node


@part
def pop_node(heap, size, gain):
    top, node = heap[0], heap[size - 1]
    i, down = 0, 1
    while down < size - 1:
        if down + 1 < size - 1 and comes_first(gain, heap[down + 1], heap[down]):
            down += 1
        if comes_first(gain, node, heap[down]):
            break
        heap[i] = heap[down]
        i, down = down, 2 * down + 1
    heap[i] = node
    return top


@inlined
def put_left_on_top(stack, size, left, right):
    """Change two children that are on top of the stack where the left one came first."""
    if size >= 2 and left < right and stack[size - 2] == left and stack[size - 1] == right:
        stack[size - 2], stack[size - 1] = right, left
