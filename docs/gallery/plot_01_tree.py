"""
One tree for three targets
==========================

A tree.
"""

from glade import MixedTree, load_penguins

penguins = load_penguins()
targets = ["species", "body_mass_g", "flipper_length_mm"]
tree = MixedTree(ccp_alpha="cv", ccp_rule="1se").fit(penguins.drop(columns=targets), penguins[targets])
print(tree.to_text())
