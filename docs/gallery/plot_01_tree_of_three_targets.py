"""
One tree for three targets
==========================

A tree can predict a label and two numbers at once. Each leaf says all three, and the importances say which input
matters for which target.
"""

import glade

penguins = glade.load_penguins().dropna()
targets = ["species", "body_mass_g", "flipper_length_mm"]
X, Y = penguins.drop(columns=targets), penguins[targets]

tree = glade.MixedTree(ccp_alpha="cv", ccp_rule="1se", random_state=0).fit(X, Y)
print(tree.to_text())

# %%
# The bill tells the species apart, and the sex tells the weight.

glade.importances(tree).plot()
print(tree.target_importances_.round(2))
