"""What a fitted model is made of: the value of `kind` of every estimator."""

RULES, TREE, FOREST, MULTITREE = "rules", "tree", "forest", "multitree"
KINDS = (RULES, TREE, FOREST, MULTITREE)
