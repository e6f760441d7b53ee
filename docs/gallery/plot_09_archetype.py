"""
One tree that says what a forest says
=====================================

The archetype of a model is the tree that agrees with it most, among all trees that a multi-tree holds. Larger trees
agree more; the picture shows what each leaf buys. The model may come from any library.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

import glade

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean radius", "mean texture", "mean concavity", "worst area", "worst smoothness"]]
forest = RandomForestClassifier(random_state=0).fit(X, y)

sizes = [2, 3, 4, 6, 8, 12]
trees = [glade.archetype(forest, X, n_invented=3_000, max_leaf_nodes=size, random_state=0) for size in sizes]

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.plot([tree.get_n_leaves() for tree in trees], [tree.agreement_ for tree in trees], marker="o")
axes.set(xlabel="leaves of the tree", ylabel="agreement with the forest")
print(trees[2].to_text())
