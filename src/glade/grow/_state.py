"""The counters of a growth that can be interrupted."""

N_NODES, N_EVALUATED, N_SPLITS, N_LEAVES, N_FRONTIER, N_POOL = 0, 1, 2, 3, 4, 5
PARENT, PARENT_NODES = 6, 7  # the node divided last, and the number of nodes before that
N_KEPT = 8  # alternatives
WOKEN_NODE, WOKEN_INPUT = 9, 10  # a node to be split once more, and on which input: its number plus one, 0 for none
N_FREE = 11  # slots for held sums
TREE, FIRST_NODE = 12, 13  # the tree of the batch that grows, and where its nodes begin in the memory
NOT_EVALUATED = -2  # in the place of a new node's split
N_COUNTERS = 14
